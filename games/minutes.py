"""The minutes of a game: its public events, in rounds, as data; `wording` says them."""

from collections import OrderedDict
from dataclasses import dataclass
from threading import Lock
from typing import Final

from games.models import GameAction
from games.positions import Position, Step
from games.rules.actions import ProposeVeto, Vote
from games.rules.events import Candidate, Event, as_told

_GAMES_REMEMBERED: Final = 500


@dataclass(frozen=True, slots=True)
class Entry:
    """What one action brought about, as the whole table hears it."""

    actor: int
    # The actor's action where it is said aloud though it changes nothing by itself.
    said: ProposeVeto | None
    events: tuple[Event, ...]
    # The seats for which a stand-in has moved since the last entry.
    stood_in: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Round:
    """The entries of a round stay the same object while nothing is added to them."""

    number: int
    entries: tuple[Entry, ...]


@dataclass(frozen=True, slots=True)
class Minutes:
    """Everything up to a step; the newest round is the last."""

    rounds: tuple[Round, ...] = (Round(1, ()),)
    steps: tuple[Step, ...] = ()
    # Stand-ins that nobody has been told of yet.
    stood_in: tuple[int, ...] = ()

    def after(self, steps: tuple[Step, ...]) -> "Minutes":
        """With the steps that follow; `steps` are all of the game's."""
        rounds, stood_in = self.rounds, self.stood_in
        for step in steps[len(self.steps) :]:
            rounds, stood_in = _written(rounds, stood_in, step)
        return Minutes(rounds, steps, stood_in)


def minutes_of(game_pk: int, position: Position) -> Minutes:
    """The minutes up to a position; only what is new since the last time is written."""
    with _lock:
        known = _remembered.get(game_pk, Minutes())
    length = len(known.steps)
    is_ours = length <= position.length and (
        length == 0 or known.steps[-1] is position.steps[length - 1]
    )
    minutes = (known if is_ours else Minutes()).after(position.steps)
    with _lock:
        _remembered[game_pk] = minutes
        _remembered.move_to_end(game_pk)
        while len(_remembered) > _GAMES_REMEMBERED:
            _remembered.popitem(last=False)
    return minutes


def forget_all() -> None:
    """Empties the memory; tests that reuse primary keys need it."""
    with _lock:
        _remembered.clear()


def _written(
    rounds: tuple[Round, ...], stood_in: tuple[int, ...], step: Step
) -> tuple[tuple[Round, ...], tuple[int, ...]]:
    action, seat = step.action, step.action.seat
    if step.by == GameAction.By.CLOCK:
        stood_in = (*stood_in, seat)
    elif seat in stood_in:
        # Back in time to change the ballot.
        stood_in = tuple(other for other in stood_in if other != seat)
    said = action if isinstance(action, ProposeVeto) else None
    # Ballots are secret until the last is in, and so they are told of together.
    told = stood_in if step.events or not isinstance(action, Vote) else ()
    if told:
        stood_in = ()
    events = tuple(as_told(event) for event in step.events)
    if not (said or events or told):
        return rounds, stood_in
    # A new candidate opens the next round; everything before belongs to the last one.
    opening = next((i for i, event in enumerate(events) if isinstance(event, Candidate)), None)
    last = rounds[-1]
    closing = events if opening is None else events[:opening]
    closed = Round(last.number, (*last.entries, Entry(seat, said, closing, told)))
    if opening is None:
        return (*rounds[:-1], closed), stood_in
    opened = Round(last.number + 1, (Entry(seat, None, events[opening:], ()),))
    return (*rounds[:-1], closed, opened), stood_in


_lock = Lock()
_remembered: OrderedDict[int, Minutes] = OrderedDict()
