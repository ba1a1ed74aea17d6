"""Whole games in every edition and in random mixes, compared with a second implementation."""

import json
import pickle
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from games.rules.actions import ACTIONS, Action
from games.rules.components import Ballot, Policy
from games.rules.editions import (
    EDITIONS,
    OPTION_NAMES,
    OptionError,
    Options,
    differences,
    option_json,
    options_of,
)
from games.rules.legality import IllegalAction, legal_actions, refusal
from games.rules.reasons import Reason
from games.rules.record import (
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
from games.rules.transition import apply
from tests.examples import examples
from tests.games.rules.random_game import HOUSE_RULES, KEYS, MIXES, Game

from . import naive_seal
from .reader import Reader


def reader_of(game: Game) -> Reader:
    """Return the second implementation, with its own source of chance from the same seal."""
    key = naive_seal.key(game.seed, game.contributions)
    options = {name: option_json(getattr(game.options, name)) for name in OPTION_NAMES}
    deal: dict[str, Any] = naive_seal.deal(key, game.state.players, options)
    return Reader(
        options,
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
    options = state.setup.options
    assert everywhere.count(Policy.LIBERAL) + state.liberal == options.liberal_policies
    assert everywhere.count(Policy.FASCIST) + state.fascist == options.fascist_policies


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
        with pytest.raises(IllegalAction) as raised:
            apply(state, action, game.chance)
        assert raised.value.reason is refusal(state, action)
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
@settings(deadline=None, max_examples=examples(40))
def test_two_readings_of_the_rules_play_the_same_game(edition, mix, plain, players, seed):
    mix = {} if plain else mix
    if edition == "ru-5-6":
        if plain:
            players = 5 + players % 2
        else:
            mix = {**mix, "players": [5, 10]}
    compare(Game(edition, mix, players, seed))


@given(mix=MIXES, house=HOUSE_RULES, players=st.integers(5, 10), seed=st.integers(0, 2**32))
@settings(deadline=None, max_examples=examples(40))
def test_two_readings_of_house_rules_play_the_same_game(mix, house, players, seed):
    options = possible("en", mix | house)
    assume(options is not None)
    least, most = options.players
    compare(Game("en", mix | house, max(least, min(most, players)), seed))


def possible(edition: str, mix: dict[str, Any]) -> Options | None:
    """Return the options of a mix, or None if they do not go together."""
    try:
        return options_of(edition, mix)
    except OptionError:
        return None


def compare(game: Game) -> None:
    """Play the game to its end by both readings."""
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
@settings(deadline=None, max_examples=examples(25))
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


@given(edition=st.sampled_from(list(EDITIONS)), mix=MIXES, house=HOUSE_RULES)
@settings(deadline=None, max_examples=examples(50))
def test_a_mix_of_options_is_told_by_its_differences_alone(edition, mix, house):
    options = possible(edition, mix | house)
    assume(options is not None)
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
