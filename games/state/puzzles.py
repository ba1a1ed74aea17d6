"""The games of puzzles: "who is Hitler?", one for each day.

A puzzle's game is a JSON object: `edition`, `players`, the `seed` of its deal and shuffles, its
`actions`, and its `claims`, each with the number of actions `after` which it was made. A game of
people also has the `seal` by which its cards were dealt; its `seed` draws names only. Some games
come with the program (`puzzles.json`, made by `tests/lab`); a worker makes one for
each day, and a day without one takes a game that comes with the program.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, timedelta
from functools import cache, lru_cache
from hashlib import sha256
from math import ceil
from pathlib import Path
from typing import Any, Final

from games import bots
from games.inference import Belief
from games.models import Game, Message, Seat, Table
from games.rules.chance import CONTRIBUTION_BYTES_1, SealedChance
from games.rules.components import Role
from games.rules.editions import options_of
from games.rules.record import read_action
from games.rules.transition import opening
from games.state.chat import ChatMessage
from games.state.government_history import claims_in
from games.state.positions import Position
from games.state.rooms import Room

# The number of players of every puzzle.
PLAYERS: Final = 7
FILE: Final = Path(__file__).with_name("puzzles.json")
# The evidence grows in this many parts.
PARTS: Final = 5
# The share of the points that each part after the first costs.
_PRICE: Final = 0.15
# With so little of it, the answer of a good puzzle is not plain yet.
_EARLY: Final = 2
_FOR_SEATS: Final = 60
_FOR_HITLER: Final = 40
_PAUSE: Final = timedelta(seconds=20)
# Keys of the made-up rows, far from those of uploaded records.
_FIRST_KEY: Final = -2_000_000_000


@dataclass(frozen=True, slots=True)
class Judged:
    """A seat after the answer: the truth, the answer, and what the evidence said."""

    name: str
    role: Role
    answer: Role
    # The probabilities by the public evidence at that moment.
    fascist: float
    hitler: float

    @property
    def is_right(self) -> bool:
        return self.role is self.answer


@cache
def bundled_games() -> tuple[Mapping[str, Any], ...]:
    """Return the games that come with the program."""
    return tuple(json.loads(FILE.read_text(encoding="utf-8"))["games"])


def bundled_game(day: date) -> Mapping[str, Any]:
    """Return the bundled game for a day without a puzzle of its own."""
    games = bundled_games()
    return games[day.toordinal() % len(games)]


def puzzle_room(game: Mapping[str, Any], day: date) -> Room:
    """Return the finished game of a day's puzzle as a room; its rows are in no database."""
    return _room(json.dumps(game, sort_keys=True), day)


@lru_cache(maxsize=8)
def _room(text: str, day: date) -> Room:
    game = json.loads(text)
    players: int = game["players"]
    options = options_of(game["edition"])
    chance = _chance_of(game)
    began = datetime(day.year, day.month, day.day, tzinfo=UTC)
    position = Position(chance, opening(options, chance.deal(options, players)), (), ())
    for number, data in enumerate(game["actions"]):
        action = read_action(data, f"actions[{number}]", players)
        position = position.after(action, by="player", at=began + number * _PAUSE)
    names = _names(game["seed"], players)
    key = _FIRST_KEY - day.toordinal()
    table = Table(
        pk=key,
        # A code that no table has: it is shown nowhere.
        code="puzzle",
        stage=Table.Stage.OVER,
        edition=game["edition"],
        seats_wanted=players,
        created_at=began,
        seed=bytes(32),
        next_seed=bytes(32),
    )
    outcome = position.state.outcome
    assert outcome is not None
    row = Game(
        pk=key,
        table=table,
        players=players,
        length=position.length,
        started_at=began,
        ended_at=position.steps[-1].at,
        winner=str(outcome.winner),
        ending=str(outcome.ending),
    )
    seats = tuple(
        Seat(table=table, number=number, name=name, contribution="00" * 32)
        for number, name in enumerate(names)
    )
    talk = tuple(
        _message(number, said, names, position, began)
        for number, said in enumerate(game["claims"], start=1)
    )
    return Room(table, seats, row, position, talk=talk, heard=len(talk))


def _chance_of(game: Mapping[str, Any]) -> SealedChance:
    seal = game.get("seal")
    if seal is None:
        return chance_of(game["seed"], game["players"])
    return SealedChance(bytes.fromhex(seal["seed"]), seal["contributions"])


def chance_of(seed: str, players: int) -> SealedChance:
    """Return the chance of a simulated game; `games.simulation.talk` deals by the same."""
    parts = [
        sha256(f"{seed}:{seat}".encode()).digest()[:CONTRIBUTION_BYTES_1].hex()
        for seat in range(players)
    ]
    return SealedChance(sha256(seed.encode()).digest(), parts)


def _names(seed: str, players: int) -> tuple[str, ...]:
    """Return names of bots, mixed by the seed: no character plays under the own name."""
    people = [name for kind in bots.CHARACTERS for name in bots.people(kind)]
    return tuple(
        sorted(people, key=lambda name: sha256(f"{seed}:{name}".encode()).digest())[:players]
    )


def _message(
    number: int,
    said: Mapping[str, Any],
    names: Sequence[str],
    position: Position,
    began: datetime,
) -> ChatMessage:
    claim, after = said["claim"], said["after"]
    return ChatMessage(
        number=number,
        nth=number,
        revised=number,
        place=Message.Place.TABLE,
        kind=Message.Kind.CLAIM,
        seat=claim["seat"],
        user_pk=None,
        guest=None,
        name=names[claim["seat"]],
        text="",
        data=claim,
        length=after,
        round=position.steps[after - 1].round,
        at=began + after * _PAUSE - _PAUSE / 2,
        key="",
        is_removed=False,
    )


def move_of_part(room: Room, part: int) -> int:
    """Return how many moves the reader sees with so much evidence: whole rounds.

    The last move is never among them, because it opens all roles.
    """
    steps = room.public_steps
    last = _last_round(room, part)
    shown = sum(step.round <= last for step in steps)
    return min(shown, len(steps) - 1)


def rounds_of_part(room: Room, part: int) -> range:
    """Return the rounds that this part of the evidence adds."""
    return range(_last_round(room, part - 1) + 1, _last_round(room, part) + 1)


def _last_round(room: Room, part: int) -> int:
    return ceil(room.public_steps[-1].round * part / PARTS)


def at_part(room: Room, part: int) -> Room:
    """Return the room as the public knew it with so much evidence."""
    move = move_of_part(room, part)
    talk = tuple(said for said in room.talk if said.length <= move)
    return replace(room.at_move(move), talk=talk, heard=len(talk))


@dataclass(frozen=True, slots=True)
class Score:
    """How the points for an answer came about. The parts add up to `total`."""

    right: int
    seats: int
    for_seats: int
    is_hitler_right: bool
    for_hitler: int
    # The parts of the evidence after the first, and the points that they cost.
    further: int
    cost: int

    @property
    def price(self) -> float:
        """The share of the points that the further parts take."""
        return _PRICE * self.further

    @property
    def total(self) -> int:
        return self.for_seats + self.for_hitler - self.cost


def score_of(roles: Sequence[Role], answer: Sequence[Role], part: int) -> Score:
    """Return how `points_for` comes to its points."""
    right = sum(a is b for a, b in zip(roles, answer, strict=True))
    is_hitler_right = answer[roles.index(Role.HITLER)] is Role.HITLER
    for_seats = round(_FOR_SEATS * right / len(roles))
    for_hitler = _FOR_HITLER if is_hitler_right else 0
    points = points_for(roles, answer, part)
    return Score(
        right,
        len(roles),
        for_seats,
        is_hitler_right,
        for_hitler,
        part - 1,
        for_seats + for_hitler - points,
    )


def worth_of_part(part: int) -> int:
    """Return the points for a wholly right answer with so much evidence."""
    return round((_FOR_SEATS + _FOR_HITLER) * (1 - _PRICE * (part - 1)))


def points_for(roles: Sequence[Role], answer: Sequence[Role], part: int) -> int:
    """Return the points for an answer: up to 100, fewer for more evidence.

    >>> points_for([Role.LIBERAL, Role.HITLER], [Role.LIBERAL, Role.HITLER], 1)
    100
    """
    right = sum(a is b for a, b in zip(roles, answer, strict=True)) / len(roles)
    hitler = answer[roles.index(Role.HITLER)] is Role.HITLER
    return round((_FOR_SEATS * right + _FOR_HITLER * hitler) * (1 - _PRICE * (part - 1)))


def roles_of(room: Room) -> tuple[Role, ...]:
    """Return the roles of a finished game."""
    roles = room.public_view().roles
    return tuple(role for role in roles if role is not None)


def odds_at(then: Room) -> tuple[tuple[float, float], ...]:
    """Return for each seat how likely the public evidence makes it a fascist, and Hitler."""
    view = then.public_view()
    told = [(step.round, step.seat, step.events) for step in then.public_steps]
    belief = Belief.of(view, told, claims_in(then))
    return tuple((belief.fascist(seat), belief.hitler(seat)) for seat in range(view.players))


def judged(room: Room, part: int, answer: Sequence[Role]) -> tuple[Judged, ...]:
    """Return each seat with its role, the answer, and the odds at the moment of the answer."""
    odds = odds_at(at_part(room, part))
    return tuple(
        Judged(seat.name, role, said, fascist, hitler)
        for seat, role, said, (fascist, hitler) in zip(
            room.seats, roles_of(room), answer, odds, strict=True
        )
    )


def is_solvable(room: Room) -> bool:
    """Return whether the evidence points to Hitler at the end, and not yet early on."""
    hitler = roles_of(room).index(Role.HITLER)
    late_odds = [odds for _, odds in odds_at(at_part(room, PARTS))]
    early_odds = [odds for _, odds in odds_at(at_part(room, _EARLY))]
    found = max(late_odds) == late_odds[hitler] and late_odds[hitler] >= 0.4
    return found and early_odds[hitler] < 0.35 and room.public_steps[-1].round >= 6
