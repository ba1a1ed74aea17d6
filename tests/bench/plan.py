"""A game played in advance: the bench knows the seed, so it knows every legal move.

So the client never parses HTML to find a move, and knows how long a game will last.
"""

import random
from dataclasses import dataclass
from hashlib import sha256

from games.rules.actions import Action
from games.rules.chance import SealedChance
from games.rules.editions import options_of
from games.rules.legality import legal_actions
from games.rules.record import action_json
from games.rules.transition import apply, opening

EDITION = "en"


@dataclass(frozen=True, slots=True)
class Move:
    """One action as its form posts it (games.forms.ActForm)."""

    seat: int
    action: Action
    decision: str
    key: str

    @property
    def choice(self) -> str:
        parts = [v for name, v in action_json(self.action).items() if name != "seat"]
        return ":".join(str(part).lower() for part in parts)


@dataclass(frozen=True, slots=True)
class Plan:
    """A whole game of random legal moves in which no ballot is changed."""

    seed: bytes
    contributions: tuple[str, ...]
    moves: tuple[Move, ...]


def plan_game(number: int, players: int, at_least: int) -> Plan:
    """Return planned game `number`, the same on every machine, with at least `at_least` moves."""
    for attempt in range(10_000):
        plan = _attempt(f"bench {players} {number} {attempt}", players)
        if len(plan.moves) >= at_least:
            return plan
    raise ValueError(f"no game of {players} has {at_least} moves")


def _attempt(name: str, players: int) -> Plan:
    seed = sha256(name.encode()).digest()
    contributions = tuple(f"{seat:064x}" for seat in range(players))
    chance = SealedChance(seed, contributions)
    state = opening(options_of(EDITION), chance.deal(options_of(EDITION), players))
    rng = random.Random(name)
    moves: list[Move] = []
    while state.outcome is None:
        seat = rng.choice(state.to_act)
        action = rng.choice(legal_actions(state, seat))
        # The key that games.panels.private makes, so that a form sent twice acts once.
        of_this_round = (move for move in moves if move.decision.startswith(f"{state.round}-"))
        own = sum(1 for move in of_this_round if move.seat == seat)
        moves.append(Move(seat, action, state.decision, f"{state.decision}.{own}"))
        state, _ = apply(state, action, chance)
    return Plan(seed, contributions, tuple(moves))
