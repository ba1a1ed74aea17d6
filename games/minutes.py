"""The minutes of a game: its public events, in rounds, as data; `wording` says them."""

from collections import OrderedDict, deque
from dataclasses import dataclass
from datetime import timedelta
from threading import Lock
from typing import Final

from games.models import GameAction, Interruption
from games.positions import Step
from games.rooms import Room
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
class Away:
    """The site was away for so long, and gave the time back."""

    lost: timedelta


@dataclass(frozen=True, slots=True)
class Round:
    """The entries of a round stay the same object while nothing is added to them."""

    number: int
    entries: tuple[Entry | Away, ...]


@dataclass(frozen=True, slots=True)
class Minutes:
    """Everything up to a step; the newest round is the last."""

    rounds: tuple[Round, ...] = (Round(1, ()),)
    steps: tuple[Step, ...] = ()
    # Stand-ins that nobody has been told of yet.
    stood_in: tuple[int, ...] = ()
    # How many interruptions stand in it.
    interruptions: int = 0

    def after(self, steps: tuple[Step, ...], interruptions: tuple[Interruption, ...]) -> "Minutes":
        """With what follows; `steps` and `interruptions` are all of the game's."""
        rounds, stood_in = self.rounds, self.stood_in
        away = deque(interruptions[self.interruptions :])
        for step in steps[len(self.steps) :]:
            while away and away[0].number <= step.number:
                rounds = _added(rounds, Away(away.popleft().lost))
            rounds, stood_in = _written(rounds, stood_in, step)
        for interruption in away:
            rounds = _added(rounds, Away(interruption.lost))
        return Minutes(rounds, steps, stood_in, len(interruptions))


def minutes_of(room: Room) -> Minutes:
    """The minutes of a game so far; only what is new since the last time is written."""
    if room.game is None or room.position is None:
        return Minutes()
    steps, interruptions = room.position.steps, room.interruptions
    with _lock:
        known = _remembered.get(room.game.pk, Minutes())
    length = len(known.steps)
    follows = length <= len(steps) and (length == 0 or known.steps[-1] is steps[length - 1])
    # What was heard of late has its place before what is written already.
    is_late = any(away.number < length for away in interruptions[known.interruptions :])
    minutes = (known if follows and not is_late else Minutes()).after(steps, interruptions)
    with _lock:
        _remembered[room.game.pk] = minutes
        _remembered.move_to_end(room.game.pk)
        while len(_remembered) > _GAMES_REMEMBERED:
            _remembered.popitem(last=False)
    return minutes


def forget_all() -> None:
    """Empties the memory; tests that reuse primary keys need it."""
    with _lock:
        _remembered.clear()


def _added(rounds: tuple[Round, ...], entry: Entry | Away) -> tuple[Round, ...]:
    last = rounds[-1]
    return (*rounds[:-1], Round(last.number, (*last.entries, entry)))


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
    closing = events if opening is None else events[:opening]
    rounds = _added(rounds, Entry(seat, said, closing, told))
    if opening is not None:
        opened = Entry(seat, None, events[opening:], ())
        rounds = (*rounds, Round(rounds[-1].number + 1, (opened,)))
    return rounds, stood_in


_lock = Lock()
_remembered: OrderedDict[int, Minutes] = OrderedDict()
