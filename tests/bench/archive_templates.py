"""Finished games between bots that talk, each to be copied many times under other names and dates.

A game's cards follow from its seed and contributions, so a copy keeps them, with all actions and
claims. Nothing here touches a database.
"""

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from hashlib import sha256
from random import Random
from typing import Final

from games import bots
from games.bots import Spoken
from games.rules.chance import SealedChance, hash_of
from games.rules.claims import claim_json
from games.rules.components import Role
from games.rules.editions import EDITIONS, Options, options_of
from games.rules.record import action_json
from games.simulation.talk import Talk, play_with_talk

# How often games of each size are copied, so that the mean is near 120 actions.
SIZES: Final = {5: 10, 6: 12, 7: 34, 8: 22, 9: 12, 10: 10}
# Bots move several times as fast as people.
_SLOWER: Final = 5.0


@dataclass(frozen=True, slots=True)
class WrittenAction:
    seat: int
    action: str
    # Seconds after the start of the game.
    at: float


@dataclass(frozen=True, slots=True)
class WrittenClaim:
    seat: int
    data: str
    # The number of actions before it, and its round.
    length: int
    round: int
    at: float


@dataclass(frozen=True, slots=True)
class Template:
    """A finished game, written as the database keeps it."""

    name: str
    edition: str
    options: Options
    players: int
    seed: bytes
    contributions: tuple[str, ...]
    hashes: tuple[str, ...]
    roles: tuple[Role, ...]
    winner: str
    ending: str
    actions: tuple[WrittenAction, ...]
    claims: tuple[WrittenClaim, ...]
    # How long the game lasted.
    seconds: float
    rounds: int


def make_templates(
    count: int,
    *,
    sizes: Sequence[int] = tuple(SIZES),
    editions: Sequence[str] = tuple(EDITIONS),
    tell: Callable[[int], None] | None = None,
) -> list[Template]:
    """Play this many games, the same on every machine: editions and sizes in turn."""
    fitting = [
        (edition, players)
        for players in sizes
        for edition in editions
        if options_of(edition).players[0] <= players <= options_of(edition).players[1]
    ]
    made = []
    for number in range(count):
        made.append(_play(*fitting[number % len(fitting)], f"archive {number}"))
        if tell is not None:
            tell(number + 1)
    return made


def _play(edition: str, players: int, name: str) -> Template:
    options = options_of(edition)
    seed = sha256(name.encode()).digest()
    contributions = tuple(sha256(f"{name}:{seat}".encode()).hexdigest() for seat in range(players))
    random = Random(name)
    kinds = [random.choice(bots.CHARACTERS) for _ in range(players)]
    chance = SealedChance(seed, contributions)
    talk = play_with_talk(options, kinds, name, chance=chance)
    outcome = talk.state.outcome
    assert outcome is not None
    actions, claims = _written(talk)
    return Template(
        name=name,
        edition=edition,
        options=options,
        players=players,
        seed=seed,
        contributions=contributions,
        hashes=tuple(map(hash_of, contributions)),
        roles=talk.state.setup.roles,
        winner=str(outcome.winner),
        ending=str(outcome.ending),
        actions=actions,
        claims=claims,
        seconds=actions[-1].at,
        rounds=talk.state.round,
    )


def _written(talk: Talk) -> tuple[tuple[WrittenAction, ...], tuple[WrittenClaim, ...]]:
    actions: list[WrittenAction] = []
    claims: list[WrittenClaim] = []
    number = 1
    for line in talk.lines:
        at = line.at * _SLOWER
        if isinstance(line.what, tuple):
            number = line.what[0]
            written = json.dumps(action_json(talk.actions[len(actions)]))
            actions.append(WrittenAction(line.seat, written, at))
        elif not isinstance(line.what, Spoken):
            data = json.dumps(claim_json(line.what))
            claims.append(WrittenClaim(line.seat, data, len(actions), number, at))
    return tuple(actions), tuple(claims)
