"""The tutorial: scripted games, the lesson that each of them teaches, and what a press does."""

from .lessons import BY_SLUG, CLAIM, LESSONS, READ, Lesson
from .rooms import OWN_SEAT, Answer, answer_to, claimable, room_at

__all__ = [
    "BY_SLUG",
    "CLAIM",
    "LESSONS",
    "OWN_SEAT",
    "READ",
    "Answer",
    "Lesson",
    "answer_to",
    "claimable",
    "room_at",
]
