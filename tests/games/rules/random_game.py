"""Random games by random mixes of options, played by the machine."""

from random import Random
from typing import Any

from hypothesis import strategies as st

from games.rules.actions import Action
from games.rules.chance import SealedChance
from games.rules.components import Policy, Role
from games.rules.editions import Formula, options_of
from games.rules.record import (
    Entry,
    Record,
    ReplayedPosition,
    Seal,
    WitnessedChance,
    all_legal,
)
from games.rules.transition import apply, opening

from . import naive_seal

# The keys of a position, in RECORD.md's order.
KEYS = [
    "after",
    "phase",
    "to_act",
    "candidate",
    "nominee",
    "president",
    "chancellor",
    "liberal",
    "fascist",
    "tracker",
    "draw",
    "discard",
    "alive",
    "limited",
    "eligible",
    "veto_unlocked",
    "events",
    "winner",
    "ending",
]


MIXES = st.fixed_dictionaries(
    {},
    optional={
        "limited": st.sampled_from(["elected", "enactors"]),
        "limits_lapse": st.booleans(),
        "small_table": st.sampled_from(["alive", "started"]),
        "tracker_resets_on": st.sampled_from(["policy", "election"]),
        "veto_advances_tracker": st.booleans(),
        "reshuffle": st.sampled_from(["session_end_and_chaos", "session_end", "before_draw"]),
        "silence": st.sampled_from(["pair", "table", "government"]),
        "not_hitler_badge": st.booleans(),
        "executed_says_not_hitler": st.booleans(),
        "party_cards": st.booleans(),
        "hitler_signal": st.sampled_from(["mouse_after", "thumb_after", "thumb_before", "none"]),
        "spoken_formula": st.lists(st.sampled_from([str(item) for item in Formula]), unique=True),
    },
)

# House rules change what all documents have in common. Some mixes fit no number of players.
HOUSE_RULES = st.fixed_dictionaries(
    {},
    optional={
        "fascists": st.integers(1, 3),
        "hitler_knows": st.sampled_from(["small_tables", "always", "never"]),
        **{
            f"power_{space}": st.sampled_from(
                ["none", "investigation", "special_election", "peek", "execution"]
            )
            for space in range(1, 6)
        },
        "liberal_policies": st.integers(5, 8),
        "fascist_policies": st.integers(8, 14),
        "liberal_start": st.integers(0, 2),
        "fascist_start": st.integers(0, 2),
        "hitler_zone": st.integers(1, 5),
        "veto_zone": st.integers(1, 6),
    },
)


class Game:
    """A game by random players, with everything that is needed to record it."""

    def __init__(self, edition: str, mix: dict[str, Any], players: int, seed: int) -> None:
        self.random = Random(seed)
        self.edition = edition
        self.options = options_of(edition, mix)
        self.seed = self.random.randbytes(32)
        self.contributions = [self.random.randbytes(16).hex() for _ in range(players)]
        self.chance = WitnessedChance(SealedChance(self.seed, self.contributions))
        self.deal = self.chance.chance.deal(self.options, players)
        self.state = opening(self.options, self.deal)
        self.positions = [ReplayedPosition(0, self.state)]
        # How likely these players are to vote ja, to enact fascist policies and to propose vetoes.
        self.ja = self.random.choice([0.35, 0.7, 0.95])
        self.fascist = self.random.choice([0.3, 0.6, 0.95])
        self.veto = self.random.choice([0.1, 0.6])
        # Most games spare Hitler, whose death would end the game long before the veto.
        self.spares = self.random.random() < 0.75

    def choose(self) -> Action:
        """Return a legal action, weighted so that games cover the whole rulebook."""
        legal = list(all_legal(self.state))
        if str(self.state.phase) == "election":
            voters = [a for a in legal if a.seat in self.state.to_act]
            pool = voters if self.random.random() < 0.9 else legal
            wanted = "ja" if self.random.random() < self.ja else "nein"
            return self.random.choice([a for a in pool if str(a.ballot) == wanted])
        weights = []
        for action in legal:
            weight = 1.0
            policy = getattr(action, "policy", None)
            if policy is not None:
                keeps_fascist = (policy is Policy.FASCIST) == (action.kind == "enact")
                weight = self.fascist if keeps_fascist else 1 - self.fascist
            elif action.kind == "propose_veto":
                weight = 2 * self.veto
            elif action.kind in ("nominate", "execute") and self.spares:
                hitler = self.state.setup.roles[action.target] is Role.HITLER
                weight = 0.02 if hitler else 1
            weights.append(weight)
        return self.random.choices(legal, weights)[0]

    def play(self, action: Action) -> None:
        self.state, events = apply(self.state, action, self.chance)
        self.positions.append(
            ReplayedPosition(len(self.positions), self.state, Entry(action), events)
        )

    def finish(self) -> "Game":
        while self.state.outcome is None:
            self.play(self.choose())
        return self

    @property
    def record(self) -> Record:
        return Record(
            edition=self.edition,
            options=self.options,
            seats=tuple("ABCDEFGHIJ"[: self.state.players]),
            deal=self.deal,
            shuffles=tuple(self.chance.piles),
            entries=tuple(position.entry for position in self.positions[1:] if position.entry),
            outcome=self.state.outcome,
            seal=Seal(naive_seal.commitment(self.seed), self.seed.hex(), tuple(self.contributions)),
        )
