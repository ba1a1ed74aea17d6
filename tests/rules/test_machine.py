"""Whole games in every edition and in random mixes, compared with a second implementation."""

import json
import pickle
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.rules.actions import ACTIONS, Action
from games.rules.chance import SealedChance
from games.rules.components import Ballot, Policy, Role
from games.rules.editions import EDITIONS, OPTION_NAMES, differences, option_json, options_of
from games.rules.legality import IllegalAction, Reason, legal_actions, refusal
from games.rules.record import (
    Entry,
    Position,
    Record,
    Seal,
    WitnessedChance,
    action_json,
    all_legal,
    position_json,
    read_action,
    read_record,
    record_json,
    replay,
    verify,
)
from games.rules.state import FIELDS, GameState
from games.rules.transition import apply, opening

from . import naive_seal
from .reader import Reader

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
        "spoken_formula": st.lists(
            st.sampled_from(["veto", "execution", "investigation"]), unique=True
        ),
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
        self.deal = self.chance.chance.deal(players)
        self.state = opening(self.options, self.deal)
        self.positions = [Position(0, self.state)]
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
        self.positions.append(Position(len(self.positions), self.state, Entry(action), events))

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


def reader_of(game: Game) -> Reader:
    """Return the second implementation, with its own source of chance from the same seal."""
    key = naive_seal.key(game.seed, game.contributions)
    deal: dict[str, Any] = naive_seal.deal(key, game.state.players)
    return Reader(
        {name: option_json(getattr(game.options, name)) for name in OPTION_NAMES},
        deal["roles"],
        deal["draw_pile"],
        deal["first_candidate"],
        lambda number, cards: naive_seal.reshuffled(key, number, cards),
    )


def conceivable(players: int) -> list[Action]:
    """Return every action that can be constructed: all kinds, seats, targets and values."""
    seats = range(-1, players + 1)
    actions: list[Action] = []
    for kind in ACTIONS.values():
        for seat in seats:
            if kind.kind in ("nominate", "investigate", "call_special_election", "execute"):
                actions += [kind(seat, target) for target in seats]
            elif kind.kind in ("discard", "enact"):
                actions += [kind(seat, policy) for policy in Policy]
            elif kind.kind == "vote":
                actions += [kind(seat, Ballot.JA), kind(seat, Ballot.NEIN)]
            elif kind.kind == "answer_veto":
                actions += [kind(seat, True), kind(seat, False)]
            else:
                actions.append(kind(seat))
    return actions


CONCEIVABLE = {players: conceivable(players) for players in range(5, 11)}


def check_conservation(state: GameState) -> None:
    everywhere = [*state.draw, *state.discards, *state.hand]
    assert len(everywhere) + state.liberal + state.fascist == 17
    assert everywhere.count(Policy.LIBERAL) + state.liberal == 6
    assert everywhere.count(Policy.FASCIST) + state.fascist == 11


def check_legality(game: Game, reader: Reader) -> None:
    state = game.state
    before = pickle.dumps(state)
    for seat in range(-1, state.players + 1):
        listed = legal_actions(state, seat)
        assert len(set(listed)) == len(listed)
        assert all(action.seat == seat for action in listed)
    legal = set(all_legal(state))
    for action in CONCEIVABLE[state.players]:
        reason = refusal(state, action)
        assert (reason is None) == (action in legal) == reader.allows(action_json(action)), action
        assert reason is None or isinstance(reason, Reason)
    refused = [action for action in CONCEIVABLE[state.players] if action not in legal]
    for action in game.random.sample(refused, 25):
        piles = list(game.chance.piles)
        with pytest.raises(IllegalAction) as told:
            apply(state, action, game.chance)
        assert told.value.reason is refusal(state, action)
        assert game.chance.piles == piles
    assert pickle.dumps(state) == before
    assert pickle.loads(before) == state


@given(
    edition=st.sampled_from(list(EDITIONS)),
    mix=MIXES,
    plain=st.booleans(),
    players=st.integers(5, 10),
    seed=st.integers(0, 2**32),
)
@settings(deadline=None, max_examples=120)
def test_two_readings_of_the_rules_play_the_same_game(edition, mix, plain, players, seed):
    mix = {} if plain else mix
    if edition == "ru-5-6":
        if plain:
            players = 5 + players % 2
        else:
            mix = {**mix, "players": [5, 10]}
    game = Game(edition, mix, players, seed)
    reader = reader_of(game)
    assert position_json(game.positions[-1]) == reader.position
    vetoes = rounds = 0
    while game.state.outcome is None:
        check_conservation(game.state)
        if game.random.random() < 0.15 or str(game.state.phase) not in ("election", "nomination"):
            check_legality(game, reader)
        action = game.choose()
        before, copy = game.state, pickle.dumps(game.state)
        game.play(action)
        reader.play(action_json(action))
        assert pickle.dumps(before) == copy, "the old position was changed"
        shown = position_json(game.positions[-1])
        assert list(shown) == KEYS
        assert shown == reader.position
        told = [event["event"] for event in reader.events]
        rounds += "candidate" in told
        vetoes += {"event": "veto", "consent": True} in reader.events
    check_conservation(game.state)
    check_legality(game, reader)
    # Every three rounds bring at least one policy or veto, and ten policies fill a track.
    assert rounds <= 3 * (10 + vetoes)


@given(
    edition=st.sampled_from(["en", "ru", "pl", "ja", "it"]),
    mix=MIXES,
    players=st.integers(5, 10),
    seed=st.integers(0, 2**32),
)
@settings(deadline=None, max_examples=60)
def test_a_record_written_and_read_again_replays_to_the_same_positions(edition, mix, players, seed):
    game = Game(edition, mix, players, seed).finish()
    text = json.dumps(record_json(game.record))
    record = read_record(json.loads(text))
    assert record == game.record
    assert json.dumps(record_json(record)) == text
    replayed = list(replay(record))
    assert [position.state for position in replayed] == [p.state for p in game.positions]
    assert [position.events for position in replayed] == [p.events for p in game.positions]
    assert verify(record) == []
    for position in game.positions[1:]:
        assert position.entry is not None
        action = position.entry.action
        assert read_action(action_json(action), "x", players) == action


@given(edition=st.sampled_from(list(EDITIONS)), mix=MIXES)
@settings(deadline=None, max_examples=100)
def test_a_mix_of_options_is_told_by_its_differences_alone(edition, mix):
    options = options_of(edition, mix)
    told = differences(edition, options)
    assert options_of(edition, json.loads(json.dumps(told))) == options
    plain = EDITIONS[edition]
    for name in OPTION_NAMES:
        assert (name in told) == (getattr(options, name) != getattr(plain, name))


def test_a_position_cannot_be_changed():
    game = Game("en", {}, 5, 1)
    for name in FIELDS:
        with pytest.raises(AttributeError):
            setattr(game.state, name, None)
        with pytest.raises(AttributeError):
            delattr(game.state, name)
    with pytest.raises(AttributeError):
        game.state.unheard_of = 1


def test_equal_positions_are_equal_and_hash_alike():
    first, second = Game("it", {}, 7, 5).finish(), Game("it", {}, 7, 5).finish()
    for one, other in zip(first.positions, second.positions, strict=True):
        assert one.state == other.state
        assert hash(one.state) == hash(other.state)
    assert first.positions[0].state != first.positions[1].state
    assert first.state != "a position"
