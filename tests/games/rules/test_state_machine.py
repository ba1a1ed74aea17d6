"""Hypothesis plays move by move, tries illegal moves in between, and shrinks failures."""

import json

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
)

from games.rules.actions import Action, AnswerVeto, Discard, Enact, Nominate, ProposeVeto, Vote
from games.rules.chance import SealedChance
from games.rules.components import FASCIST_POLICIES, LIBERAL_POLICIES, Ballot, Policy
from games.rules.editions import EDITIONS, options_of
from games.rules.legality import IllegalAction
from games.rules.powers import CallSpecialElection, Execute, Investigate, Peek
from games.rules.reasons import Reason
from games.rules.record import (
    Entry,
    Record,
    WitnessedChance,
    all_legal,
    read_record,
    record_json,
    replay,
)
from games.rules.transition import apply, opening
from tests.examples import examples
from tests.games.rules.random_game import MIXES

SEATS = range(-1, 11)
AIMED = (Nominate, Investigate, CallSpecialElection, Execute)
# Every action that can be constructed, including some for seats that do not exist.
EVERYTHING: list[Action] = [
    *(kind(seat, target) for kind in AIMED for seat in SEATS for target in SEATS),
    *(Vote(seat, ballot) for seat in SEATS for ballot in Ballot),
    *(kind(seat, policy) for kind in (Discard, Enact) for seat in SEATS for policy in Policy),
    *(AnswerVeto(seat, consent) for seat in SEATS for consent in (True, False)),
    *(kind(seat) for kind in (ProposeVeto, Peek) for seat in SEATS),
]


class Table(RuleBasedStateMachine):
    @initialize(
        edition=st.sampled_from(sorted(EDITIONS)),
        mix=MIXES,
        players=st.integers(5, 10),
        seed=st.binary(min_size=32, max_size=32),
    )
    def deal(self, edition, mix, players, seed):
        least, most = EDITIONS[edition].players
        self.players = max(least, min(most, players))
        self.edition, self.options = edition, options_of(edition, mix)
        self.chance = WitnessedChance(SealedChance(seed, ["00" * 16] * self.players))
        self.dealt = self.chance.chance.deal(self.options, self.players)
        self.state = opening(self.options, self.dealt)
        self.entries: list[Entry] = []

    def play(self, action: Action) -> None:
        self.state, _ = apply(self.state, action, self.chance)
        self.entries.append(Entry(action))

    @precondition(lambda self: self.state.outcome is None)
    @rule(data=st.data())
    def somebody_acts(self, data):
        self.play(data.draw(st.sampled_from(all_legal(self.state))))

    @precondition(lambda self: self.state.phase == "election")
    @rule(ballots=st.lists(st.sampled_from(Ballot), min_size=10, max_size=10))
    def everybody_votes(self, ballots):
        for seat in self.state.to_act:
            self.play(Vote(seat, ballots[seat]))

    @rule()
    def everything_is_tried(self):
        before, legal = self.state, all_legal(self.state)
        for action in EVERYTHING:
            reason = None
            try:
                apply(before, action, self.chance)
            except IllegalAction as refused:
                reason = refused.reason
            assert (reason is None) == (action in legal), (action, reason)
            assert reason is None or isinstance(reason, Reason)
        # These attempts do not count: drop the shuffles that they recorded.
        del self.chance.piles[before.shuffles :]
        assert self.state is before
        assert all_legal(before) == legal

    @invariant()
    def all_seventeen_cards_are_somewhere(self):
        state = self.state
        cards = [*state.draw, *state.discards, *state.hand]
        assert cards.count(Policy.LIBERAL) + state.liberal == LIBERAL_POLICIES
        assert cards.count(Policy.FASCIST) + state.fascist == FASCIST_POLICIES

    @invariant()
    def somebody_can_act_until_the_end(self):
        state = self.state
        assert bool(all_legal(state)) == bool(state.to_act) == (state.outcome is None)

    @invariant()
    def the_game_does_not_go_on_for_ever(self):
        # Every third failed election enacts a policy, and so does every session without a veto.
        assert self.state.round <= 60

    def teardown(self):
        if not hasattr(self, "state"):
            return
        record = Record(
            edition=self.edition,
            options=self.options,
            seats=tuple(f"seat {number}" for number in range(self.players)),
            deal=self.dealt,
            shuffles=tuple(self.chance.piles),
            entries=tuple(self.entries),
            outcome=self.state.outcome,
        )
        read = read_record(json.loads(json.dumps(record_json(record))))
        assert read == record
        assert list(replay(read))[-1].state == self.state


TestTable = Table.TestCase
TestTable.settings = settings(max_examples=examples(40), stateful_step_count=60, deadline=None)
