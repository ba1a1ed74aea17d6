"""How words move a bot, by what the table knows of the speaker's earlier words.

A word shifts the log odds that a seat is a fascist by a bounded step. The step is larger if what
the table knows supports the word. It is smaller if the speaker's words were false before, if the
listener doubts the speaker, and once the table has learned something new.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from games.bots.heard import Heard, Spoken
from games.rules.components import Ballot

from .reputations import BALLOTS, PLEAS, reputations_in

# The most that words about a vote move the ballot itself.
_MOST_PLEA: Final = 0.8
# The most that all words of one speaker move, all words about one seat, and all words together.
_MOST_BY_ONE: Final = 1.8
_MOST_ABOUT_ONE: Final = 1.4
_MOST: Final = 3.0
# What each further speaker who says the same counts for, compared with the one before.
_FURTHER: Final = 0.5


def shifts(heard: Heard, viewer: int, fascist: Sequence[float]) -> dict[int, float]:
    """Return by seat how far words move the viewer's log odds that it is a fascist.

    `fascist` has the odds that the viewer would have without words.
    """
    if not heard.phrases:
        return {}
    reputations = reputations_in(heard)
    # By speaker and seat.
    steps: dict[tuple[int, int], float] = {}
    for word in heard.phrases:
        if word.seat == viewer:
            continue
        weight = reputations.weight(word.seat) * _openness(fascist[word.seat])
        for seat, step in reputations.steps(word):
            if seat != viewer and step * weight:
                key = word.seat, seat
                steps[key] = _taken(steps.get(key, 0.0), step * weight)
    return _bounded(steps)


def ballot_shift(heard: Heard, viewer: int, fascist: Sequence[float]) -> float:
    """Return how far words since the nomination move the log odds of the viewer's Ja.

    These are pleas to the viewer, or to all, and opinions about the two nominees.
    """
    steps: dict[int, float] = {}
    for word in _since_nomination(heard):
        if word.seat == viewer:
            continue
        reputations = reputations_in(heard)
        if word.code in PLEAS:
            about = [PLEAS[word.code]] if not word.seats or viewer in word.seats else []
        else:
            about = [s for seat, s in reputations.steps(word) if seat in reputations.nominees]
        weight = reputations.weight(word.seat) * _openness(fascist[word.seat])
        for step in about:
            if step * weight:
                steps[word.seat] = _taken(steps.get(word.seat, 0.0), -step * weight)
    return _within(_together(steps.values()), _MOST_PLEA)


def promised_ballot(heard: Heard, viewer: int) -> Ballot | None:
    """Return the ballot that the viewer has announced, or has promised in answer to a plea."""
    last: dict[int, str] = {}
    promised = None
    for word in _since_nomination(heard):
        last[word.seat] = word.code
        if word.seat != viewer:
            continue
        if word.code in BALLOTS:
            promised = BALLOTS[word.code]
        elif word.code in ("point", "not_convinced"):
            plea = last.get(word.seats[0])
            if plea in PLEAS:
                is_ja = (plea == "vote_ja") is (word.code == "point")
                promised = Ballot.JA if is_ja else Ballot.NEIN
    return promised


def promised_nominee(heard: Heard, viewer: int) -> int | None:
    """Return the seat that the viewer has announced as its nominee."""
    for word in reversed(_since_nomination(heard)):
        if word.seat == viewer and word.code == "me_nominate":
            return word.seats[0]
    return None


def _since_nomination(heard: Heard) -> list[Spoken]:
    if not heard.phrases:
        return []
    nominated_at = reputations_in(heard).nominated_at
    return [word for word in heard.phrases if word.length > nominated_at]


def _openness(doubt: float) -> float:
    """Return how much a listener takes from a speaker who is a fascist with this probability."""
    return min(1.0, 2 * (1 - doubt))


def _taken(before: float, step: float) -> float:
    """Return what a speaker's words about a seat come to with one more.

    The same again adds nothing. A speaker who changes sides takes the old words back.
    """
    return step if before * step <= 0 or abs(step) > abs(before) else before


def _bounded(steps: Mapping[tuple[int, int], float]) -> dict[int, float]:
    """Return the sum by seat of the steps by speaker and seat, within all bounds."""
    by_speaker: dict[int, float] = defaultdict(float)
    by_seat: dict[int, list[float]] = defaultdict(list)
    for (speaker, _), step in steps.items():
        by_speaker[speaker] += abs(step)
    for (speaker, seat), step in steps.items():
        by_seat[seat].append(step * min(1.0, _MOST_BY_ONE / by_speaker[speaker]))
    sums = {seat: _within(_together(some), _MOST_ABOUT_ONE) for seat, some in by_seat.items()}
    total = sum(map(abs, sums.values()))
    return {seat: shift * min(1.0, _MOST / total) for seat, shift in sums.items() if shift}


def _together(steps: Iterable[float]) -> float:
    """Return the sum of several speakers' steps: each further one on a side counts for less."""
    ordered = sorted(steps, key=abs, reverse=True)
    found = 0.0
    for side in (1, -1):
        agreeing = [step for step in ordered if step * side > 0]
        found += sum(step * _FURTHER**number for number, step in enumerate(agreeing))
    return found


def _within(value: float, most: float) -> float:
    return max(-most, min(most, value))
