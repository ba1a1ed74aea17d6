"""Opinions: the side that words take about a seat, for it or against it."""

from typing import Final

from games.rules.events import Enacted
from games.rules.powers import PowerUsed

from .heard import Heard

AGAINST: Final = frozenset(
    {
        *("suspect", "fascist", "hitler", "together", "confessed", "nein_distrust", "nein_hitler"),
        "not_nominate",
    }
)
_FOR: Final = frozenset(
    {"trust", "liberal", "believe", "good_pair", "ja_trust", "nominate", "me_nominate"}
)
# In "Ada, nominate Ben", the first seat is asked.
_ABOUT_THE_LAST: Final = frozenset({"nominate", "not_nominate"})


def opinion(code: str, seats: tuple[int, ...]) -> dict[int, int]:
    """Return by seat the side that a phrase takes: 1 for the seat, -1 against it."""
    # "Either Ada or Ben is lying" takes no side.
    is_against = code in AGAINST or (code == "lying" and len(seats) == 1)
    side = -1 if is_against else 1 if code in _FOR else 0
    return dict.fromkeys(seats[-1:] if code in _ABOUT_THE_LAST else seats, side) if side else {}


def opinions(heard: Heard, seat: int) -> dict[int, int]:
    """Return by seat the last side that this seat has taken since the last news.

    Policies and powers are news. A confession frees all from what they said of the confessor, and
    "You've got a point" frees its speaker.
    """
    found: dict[int, int] = {}
    news = last_news(heard)
    for spoken in heard.phrases:
        if spoken.length < news:
            continue
        if spoken.code == "confessed":
            for confessor in spoken.seats:
                found.pop(confessor, None)
        if spoken.seat == seat:
            if spoken.code == "point":
                found.clear()
            found |= opinion(spoken.code, spoken.seats)
    return found


def last_news(heard: Heard) -> int:
    """Return the number of actions after which the table last learned something."""
    for number in range(len(heard.told), 0, -1):
        if any(isinstance(event, Enacted | PowerUsed) for event in heard.told[number - 1][2]):
            return number
    return 0
