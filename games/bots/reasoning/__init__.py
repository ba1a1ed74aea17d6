"""Bots that reason: they believe, weigh what wins, play like people, and say what they saw."""

from .characters import CHARACTERS, NEUTRAL_KIND

KINDS = (NEUTRAL_KIND, *CHARACTERS)

__all__ = ["CHARACTERS", "KINDS", "NEUTRAL_KIND"]
