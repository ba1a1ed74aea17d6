"""The log of a game: its public events by round, as data. `wording` turns them into text."""

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from threading import Lock
from typing import Final

from cachetools import LRUCache

from games.models import GameAction, Motion, Ruling
from games.rules.actions import ProposeVeto, Vote
from games.rules.events import Candidate, Event
from games.rules.view import PublicStep
from games.state.rooms import Room

_GAMES_REMEMBERED: Final = 500


@dataclass(frozen=True, slots=True)
class Entry:
    """The public outcome of one action."""

    actor: int
    # The actor's action, if it is announced although it changes nothing by itself.
    said: ProposeVeto | None
    events: tuple[Event, ...]
    # The seats for which a stand-in has moved since the last entry.
    stood_in: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Away:
    """The site was down for this long, and the time was given back."""

    lost: timedelta


@dataclass(frozen=True, slots=True)
class Replaced:
    """A seat was given to a player from the waiting list, or to a bot."""

    seat: int
    # The name at the seat before and after; both the same where names mean nothing.
    gone: str
    newcomer: str
    is_bot: bool = False
    # A moderator's reason; "" if the table voted for it.
    because: str = ""


@dataclass(frozen=True, slots=True)
class Stopped:
    """The table ended the game without a winner, because too many players had left."""


@dataclass(frozen=True, slots=True)
class Ruled:
    """A moderator froze, thawed or voided the game. The fields are those of `Ruling`."""

    kind: str
    because: str


# Entries between the moves.
Aside = Away | Replaced | Stopped | Ruled


@dataclass(frozen=True, slots=True)
class Interjection:
    """An aside and its place: after this many actions."""

    number: int
    at: datetime
    aside: Aside


@dataclass(frozen=True, slots=True, eq=False)
class Round:
    """The entries of one round.

    An unchanged round stays the same object, because caches of what is built from it are keyed by
    identity.
    """

    number: int
    entries: tuple[Entry | Aside, ...]


@dataclass(frozen=True, slots=True)
class GameLog:
    """All rounds up to a step; the newest is the last."""

    rounds: tuple[Round, ...] = (Round(1, ()),)
    steps: tuple[PublicStep, ...] = ()
    # Seats that a stand-in has moved for, not mentioned in any entry yet.
    stood_in: tuple[int, ...] = ()
    interjections: tuple[Interjection, ...] = ()

    def after(
        self, steps: tuple[PublicStep, ...], interjections: tuple[Interjection, ...]
    ) -> "GameLog":
        """Return the log continued; `steps` and `interjections` are all those of the game."""
        rounds, stood_in = self.rounds, self.stood_in
        new = deque(interjections[len(self.interjections) :])
        for step in steps[len(self.steps) :]:
            while new and new[0].number <= step.number:
                rounds = _added(rounds, new.popleft().aside)
            rounds, stood_in = _written(rounds, stood_in, step)
        for interjection in new:
            rounds = _added(rounds, interjection.aside)
        return GameLog(rounds, steps, stood_in, interjections)


def game_log_of(room: Room) -> GameLog:
    """Return the log of a game so far; only what is new since the last call is computed."""
    if room.game is None:
        return GameLog()
    steps, interjections = room.public_steps, interjections_of(room)
    with _lock:
        known = _remembered.get(room.game.pk, GameLog())
    length = len(known.steps)
    follows = length <= len(steps) and (length == 0 or known.steps[-1] is steps[length - 1])
    # An interjection can arrive late, and belong before entries that are already written.
    told = len(known.interjections)
    is_late = known.interjections != interjections[:told] or any(
        new.number < length for new in interjections[told:]
    )
    game_log = (known if follows and not is_late else GameLog()).after(steps, interjections)
    with _lock:
        _remembered[room.game.pk] = game_log
    return game_log


def forget_all() -> None:
    """Empty the cache; tests that reuse primary keys need it."""
    with _lock:
        _remembered.clear()


def renamed(names: Sequence[str], entry: Entry | Aside) -> tuple[str, ...]:
    """Return the players' names by seat after this entry."""
    if isinstance(entry, Replaced):
        names = [*names[: entry.seat], entry.newcomer, *names[entry.seat + 1 :]]
    return tuple(names)


def names_by_round(rounds: Sequence[Round], names: Sequence[str]) -> list[tuple[str, ...]]:
    """Return the players' names by seat at the start of each round; `names` are the current ones.

    A round is displayed with the names of those who played it, even if others have their seats now.
    """
    told = list(names)
    for entry in (
        entry for told_round in reversed(rounds) for entry in reversed(told_round.entries)
    ):
        if isinstance(entry, Replaced):
            told[entry.seat] = entry.gone
    found = []
    for told_round in rounds:
        found.append(tuple(told))
        for entry in told_round.entries:
            told = list(renamed(told, entry))
    return found


def interjections_of(room: Room) -> tuple[Interjection, ...]:
    """Return what happened between the moves of a game, in order."""
    found = [Interjection(away.number, away.at, Away(away.lost)) for away in room.interruptions]
    for motion in room.administration.motions:
        if motion.outcome != Motion.Outcome.PASSED:
            continue
        assert motion.settled_at is not None
        aside: Aside = Stopped()
        if motion.kind == Motion.Kind.REPLACE:
            assert motion.seat is not None
            aside = Replaced(motion.seat, motion.gone_name, motion.substitute_name)
        found.append(Interjection(motion.number, motion.settled_at, aside))
    for ruling in room.administration.rulings:
        # Rulings from before the game do not belong in its log.
        if ruling.number is not None:
            found.append(Interjection(ruling.number, ruling.at, _ruled(ruling)))
    return tuple(sorted(found, key=lambda item: (item.number, item.at)))


def _ruled(ruling: Ruling) -> Aside:
    if ruling.kind != Ruling.Kind.REPLACE:
        return Ruled(ruling.kind, ruling.because)
    assert ruling.seat is not None
    return Replaced(
        ruling.seat, ruling.gone_name, ruling.newcomer_name, ruling.is_bot, ruling.because
    )


def _added(rounds: tuple[Round, ...], entry: Entry | Aside) -> tuple[Round, ...]:
    last = rounds[-1]
    return (*rounds[:-1], Round(last.number, (*last.entries, entry)))


def _written(
    rounds: tuple[Round, ...], stood_in: tuple[int, ...], step: PublicStep
) -> tuple[tuple[Round, ...], tuple[int, ...]]:
    seat = step.seat
    if step.by == GameAction.By.CLOCK:
        stood_in = (*stood_in, seat)
    elif seat in stood_in:
        # The player is back in time to change the ballot.
        stood_in = tuple(other for other in stood_in if other != seat)
    said = ProposeVeto(seat) if step.kind == ProposeVeto.kind else None
    # Ballots are secret until the last one is cast, so all stand-ins are reported together.
    told = stood_in if step.events or step.kind != Vote.kind else ()
    if told:
        stood_in = ()
    events = step.events
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
_remembered: LRUCache[int, GameLog] = LRUCache(_GAMES_REMEMBERED)
