"""A game's position: the fold of its actions over the sealed deal.

Folding is cheaper than reading a snapshot back (a whole game takes about a millisecond), so no
snapshot is stored and none can disagree with the actions. A process caches the games it folded last
and reads only the new actions.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from threading import Lock
from typing import Any, Final, Protocol

from cachetools import LRUCache

from games.models import Game, GameAction, Seat
from games.rules.actions import Action
from games.rules.chance import Chance, Deal, SealedChance
from games.rules.editions import Options
from games.rules.events import Event
from games.rules.knowledge import Drawn, Knowledge, Received, TopSeen
from games.rules.record import action_json, read_action
from games.rules.state import GameState, draft_of, freeze
from games.rules.transition import apply, opening
from games.rules.view import PublicStep, public_step

_GAMES_REMEMBERED: Final = 500


class DealtChance(Chance, Protocol):
    """A chance that also knows the deal: the seal's, or a record's."""

    def deal(self, options: Options, players: int) -> Deal: ...


@dataclass(frozen=True, slots=True)
class Step:
    """An accepted action, its round, and the resulting events."""

    number: int
    round: int
    action: Action
    by: str
    at: datetime
    events: tuple[Event, ...]
    # The idempotency key of the submitted form: the same key from the same seat is the same action.
    key: str | None = None


@dataclass(frozen=True, slots=True)
class UnknownCards:
    """The cards that a record makes up, because no one knows them: of which rounds and piles."""

    hands: frozenset[int] = frozenset()
    peeks: frozenset[int] = frozenset()
    has_rebuilt_piles: bool = False

    def is_made_up(self, item: Knowledge) -> bool:
        """Return whether the item tells of such cards."""
        if isinstance(item, Drawn | Received):
            return item.round in self.hands
        return isinstance(item, TopSeen) and item.round in self.peeks


NOTHING_UNKNOWN: Final = UnknownCards()


@dataclass(frozen=True, slots=True)
class Position:
    """A state of a game and the steps that led to it."""

    chance: DealtChance
    state: GameState
    steps: tuple[Step, ...]
    # What everyone may know of each step. An unchanged step stays the same object, because caches
    # of what is built from it compare by identity.
    public_steps: tuple[PublicStep, ...]
    # Only records have these.
    unknown: UnknownCards = NOTHING_UNKNOWN

    @property
    def length(self) -> int:
        return len(self.steps)

    def after(self, action: Action, *, by: str, at: datetime, key: str | None = None) -> "Position":
        """Return the position after one more action. Raises IllegalAction."""
        state, events = apply(self.state, action, self.chance)
        step = Step(len(self.steps), self.state.round, action, by, at, events, key)
        return Position(
            self.chance,
            state,
            (*self.steps, step),
            (*self.public_steps, made_public(step)),
            self.unknown,
        )

    def without_unknown_cards(self) -> "Position":
        """Return the position in which no seat has seen cards that were made up."""
        if self.unknown == NOTHING_UNKNOWN:
            return self
        new = draft_of(self.state)
        new.knowledge = tuple(item for item in new.knowledge if not self.unknown.is_made_up(item))
        return replace(self, state=freeze(new))


def position_of(game: Game, seats: Sequence[Seat] | None = None) -> Position:
    """Return the position of `game` after its first `game.length` actions.

    `seats` are in order, if the caller has already read them.
    """
    with _lock:
        known = _remembered.get(game.pk)
    if known is None or known.length > game.length:
        known = _opening_of(game, seats)
    if known.length < game.length:
        rows = game.actions.filter(number__gte=known.length, number__lt=game.length)
        known = followed(known, rows.order_by("number"), game.players)
    if known.length:
        # Do not cache an opening: the transaction that deals may be rolled back, and SQLite gives
        # the game's key to another game. A game with actions was committed before.
        remember(game, known)
    return known


def positions_of(games: Sequence[tuple[Game, Sequence[Seat]]]) -> dict[int, Position]:
    """Return the positions of several games, each given with its seats. One statement."""
    with _lock:
        known = {game.pk: _remembered.get(game.pk) for game, _ in games}
    found: dict[int, Position] = {}
    behind: dict[int, Game] = {}
    for game, seats in games:
        position = known[game.pk]
        if position is None or position.length > game.length:
            position = _opening_of(game, seats)
        found[game.pk] = position
        if position.length < game.length:
            behind[game.pk] = game
    rows: dict[int, list[GameAction]] = {pk: [] for pk in behind}
    if behind:
        for row in GameAction.objects.filter(game__in=behind).order_by("game", "number"):
            if found[row.game_id].length <= row.number < behind[row.game_id].length:
                rows[row.game_id].append(row)
    for pk, game in behind.items():
        found[pk] = followed(found[pk], rows[pk], game.players)
        remember(game, found[pk])
    return found


def at_move(position: Position, options: Options, players: int, move: int) -> Position:
    """Return the position of the game after its first `move` moves."""
    deal = position.chance.deal(options, players)
    then = Position(position.chance, opening(options, deal), (), (), position.unknown)
    for step in position.steps[:move]:
        then = then.after(step.action, by=step.by, at=step.at, key=step.key)
    return then.without_unknown_cards()


def followed(position: Position, rows: Iterable[GameAction], players: int) -> Position:
    """Return the position after the actions of `rows`, which must follow it directly."""
    for row in rows:
        action = read_action(row.action, f"actions[{row.number}]", players)
        position = position.after(action, by=row.by, at=row.at, key=row.key)
    return position


def folded(game: Game, seats: Sequence[Seat], rows: Iterable[Sequence[Any]]) -> Position:
    """Return the position of a game after all its actions, without a look into the cache.

    `rows` are an action as RECORD.md writes it, its source and its time, in order. For readers of
    many games, which would only drive the running ones out of the cache.
    """
    start = _opening_of(game, seats)
    state, steps = start.state, []
    for number, (data, by, at) in enumerate(rows):
        action = read_action(data, f"actions[{number}]", game.players)
        told = state.round
        state, events = apply(state, action, start.chance)
        steps.append(Step(number, told, action, by, at, events))
    return Position(start.chance, state, tuple(steps), tuple(map(made_public, steps)))


def remember(game: Game, position: Position) -> None:
    """Cache a committed position for later readers in this process."""
    with _lock:
        known = _remembered.get(game.pk)
        if known is not None and known.length > position.length:
            return
        _remembered[game.pk] = position


def forget_all() -> None:
    """Empty the cache; tests that reuse primary keys need it."""
    with _lock:
        _remembered.clear()


def written(game: Game, step: Step) -> GameAction:
    """Return the unsaved row of a step."""
    return GameAction(
        game=game,
        number=step.number,
        seat=step.action.seat,
        action=action_json(step.action),
        by=step.by,
        key=step.key,
        at=step.at,
    )


def made_public(step: Step) -> PublicStep:
    """Return what everyone may know of a step."""
    return public_step(step.number, step.round, step.action, step.events, by=step.by, at=step.at)


def _opening_of(game: Game, seats: Sequence[Seat] | None) -> Position:
    table = game.table
    contributions = [
        seat.contribution for seat in (table.seats.order_by("number") if seats is None else seats)
    ]
    chance = SealedChance(bytes(table.seed), contributions)
    state = opening(table.options, chance.deal(table.options, len(contributions)))
    return Position(chance, state, (), ())


_lock = Lock()
_remembered: LRUCache[int, Position] = LRUCache(_GAMES_REMEMBERED)
