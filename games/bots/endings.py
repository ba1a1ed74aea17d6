"""What bots say when a game is over and everyone sees the roles."""

from collections.abc import Mapping
from typing import Final

from games.rules.components import (
    FASCIST_POLICIES_TO_WIN,
    LIBERAL_POLICIES_TO_WIN,
    Party,
    Role,
)
from games.rules.phases import Ending
from games.rules.view import View

from .chance import FINE, Below
from .cues import Character, Cue, Occasion
from .heard import Heard, Spoken
from .opinions import opinion
from .registry import Words

# Seconds until the first reaction or an answer, and between two reactions.
_FIRST: Final = (1.5, 3.5)
_NEXT: Final = (3.5, 6.0)
_LEAST, _MOST = 2, 3
# Phrases at the end that one bot answers.
_FAREWELLS: Final = frozenset({"well_played", "good_game"})


def cues_at_the_end(
    view: View, heard: Heard, speakers: Mapping[int, Character], below: Below
) -> list[Cue]:
    """Return two or three reactions to the end of a game, each with its words.

    `view` is what everyone sees. Fewer come if fewer bots have something to say.
    """
    reactions = [
        (seat, words)
        for seat in _shuffled(speakers, below)
        if (words := _reaction(view, heard, seat)) is not None
    ]
    # Different reactions come first.
    first = {words[0]: (seat, words) for seat, words in reversed(reactions)}
    chosen = [one for one in reactions if one in first.values()][:_MOST]
    others = [one for one in reactions if one not in chosen]
    chosen += others[: max(0, _LEAST - len(chosen))]
    cues: list[Cue] = []
    after = _between(_FIRST, below)
    for seat, (code, seats) in chosen:
        cues.append(Cue(after, seat, Occasion.ENDING, code, seats))
        after += _between(_NEXT, below)
    return cues


def cues_after_farewell(
    spoken: Spoken, heard: Heard, speakers: Mapping[int, Character], below: Below
) -> list[Cue]:
    """Return one bot's answer to a person's farewell, unless the person has had one."""
    answer = "you_too", (spoken.seat,)
    named = [seat for seat in spoken.seats if seat in speakers]
    if (
        spoken.code not in _FAREWELLS
        or (spoken.seats and not named)
        or any((one.code, one.seats) == answer for one in heard.phrases)
    ):
        return []
    seats = named or _shuffled(speakers, below)
    return [Cue(_between(_FIRST, below), seat, Occasion.ENDING, *answer) for seat in seats[:1]]


def _reaction(view: View, heard: Heard, seat: int) -> Words | None:
    """Return what a seat says, by its role and by what happened; None for nothing."""
    assert view.outcome is not None
    role = view.roles[seat]
    assert role is not None
    has_won = role.party == view.outcome.winner
    if role is Role.HITLER:
        return "end_hitler", ()
    if role is Role.LIBERAL:
        if not has_won and (other := _fooled_by(view, heard, seat)) is not None:
            return "end_fooled", (other,)
        if (other := _judged(view, heard, seat, -1)) is not None:
            return "end_knew", (other,)
    elif has_won and not any(opinion(one.code, one.seats).get(seat) == -1 for one in heard.phrases):
        return "end_hid", ()
    if has_won:
        return "end_won", ()
    return ("end_lost", ()) if _was_close(view) else None


def _fascists(view: View) -> list[int]:
    """Return the seats of the fascists, Hitler first."""
    seats = [seat for seat, role in enumerate(view.roles) if role is not Role.LIBERAL]
    return sorted(seats, key=lambda seat: view.roles[seat] is not Role.HITLER)


def _judged(view: View, heard: Heard, seat: int, side: int) -> int | None:
    """Return a fascist about whom a seat last took this side, Hitler if possible."""
    last: dict[int, int] = {}
    for spoken in heard.phrases:
        if spoken.seat == seat:
            last |= opinion(spoken.code, spoken.seats)
    return next((other for other in _fascists(view) if last.get(other) == side), None)


def _fooled_by(view: View, heard: Heard, seat: int) -> int | None:
    """Return Hitler if the seat made them Chancellor, or the fascist it trusted last."""
    assert view.outcome is not None
    if view.outcome.ending is Ending.HITLER_ELECTED:
        last = heard.last_nomination()
        if last is not None and last.president == seat:
            return last.chancellor
    return _judged(view, heard, seat, 1)


def _was_close(view: View) -> bool:
    """Return whether the losers were one policy short."""
    assert view.outcome is not None
    if view.outcome.winner is Party.LIBERAL:
        return view.fascist >= FASCIST_POLICIES_TO_WIN - 1
    return view.liberal >= LIBERAL_POLICIES_TO_WIN - 1


def _shuffled(seats: Mapping[int, Character], below: Below) -> list[int]:
    """Return the seats in any order, talkative ones earlier."""
    keys = {seat: below(FINE) * who.talkative for seat, who in seats.items()}
    return sorted(keys, key=lambda seat: -keys[seat])


def _between(times: tuple[float, float], below: Below) -> float:
    least, most = times
    return least + (most - least) * below(FINE) / FINE
