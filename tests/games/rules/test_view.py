"""What each viewer sees, and that no viewer sees more: secrecy by non-interference."""

from dataclasses import fields, replace
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.rules.actions import Discard, Vote
from games.rules.chance import Deal
from games.rules.components import Ballot, Party, Policy, Role
from games.rules.knowledge import Drawn, PartySeen, Received, TopSeen
from games.rules.legality import IllegalAction, legal_actions
from games.rules.phases import Phase
from games.rules.state import GameState, Setup, draft_of, freeze
from games.rules.transition import apply, opening
from games.rules.view import View, view_for
from tests.examples import examples
from tests.games.rules.random_game import Game

from .table import ROLES, Table, cards

L, F, H = Role.LIBERAL, Role.FASCIST, Role.HITLER


def viewers(state: GameState) -> list[int | None]:
    return [None, *range(state.players)]


# Roles known at the start -----------------------------------------------------------------------


@pytest.mark.parametrize("players", range(5, 11))
def test_the_night_shows_each_role_what_it_may_know(players):
    state = Table(players=players).state
    roles = state.setup.roles
    for seat, own in enumerate(roles):
        seen = view_for(state, seat).roles
        if own is L:
            expected = [own if other == seat else None for other in range(players)]
        elif own is F or players <= 6:
            expected = [role if role is not L else None for role in roles]
        else:
            expected = [H if other == seat else None for other in range(players)]
        assert list(seen) == expected
        assert view_for(state, seat).role is own


@pytest.mark.parametrize("players", range(5, 11))
def test_a_spectator_sees_no_role_and_can_do_nothing(players):
    table = Table(players=players)
    for state in (table.state, table.nominate(1).state, table.all_vote("ja").state):
        view = view_for(state, None)
        assert view.roles == (None,) * players
        assert view.parties == (None,) * players
        assert (view.role, view.hand, view.ballot) == (None, None, None)
        assert (view.knowledge, view.legal) == ((), ())


def test_a_party_is_known_with_the_role():
    view = view_for(Table(players=5).state, 3)
    assert view.parties == (None, None, None, Party.FASCIST, Party.FASCIST)


# Hands, ballots, knowledge ----------------------------------------------------------------------


def test_the_hand_is_seen_by_its_holder_only():
    table = Table(players=6, deck="LFF").elect(0, 1)
    for viewer in viewers(table.state):
        hand = view_for(table.state, viewer).hand
        assert hand == (cards("LFF") if viewer == 0 else None)
    table.discard("fascist")
    for viewer in viewers(table.state):
        hand = view_for(table.state, viewer).hand
        assert (hand is not None) == (viewer == 1)
    table.enact("liberal")
    assert all(view_for(table.state, viewer).hand is None for viewer in viewers(table.state))


def test_the_chancellor_keeps_the_hand_while_the_president_thinks_about_a_veto():
    table = Table(players=8).play_to(fascist=5)
    table.elect(table.candidate, table.harmless()).pass_cards().propose_veto()
    for viewer in viewers(table.state):
        held = view_for(table.state, viewer).hand is not None
        assert held == (viewer == table.state.chancellor)


@pytest.mark.parametrize("drawn", ["LFF", "FLF", "FFL", "LLF", "LFL", "FLL"])
def test_the_order_in_which_two_cards_are_handed_over_says_nothing(drawn):
    """The order would reveal the President's draw: FL more often means a discarded liberal."""
    table = Table(players=6, deck=drawn).elect(0, 1).pass_cards()
    assert view_for(table.state, 1).hand == cards("LF")
    assert view_for(table.state, 1).knowledge[0].policies == cards("LF")


def test_a_running_ballot_is_the_voters_own():
    table = Table(players=5).nominate(1)
    table.do(Vote(2, Ballot.NEIN)).do(Vote(3, Ballot.JA))
    for viewer in viewers(table.state):
        view = view_for(table.state, viewer)
        assert view.ballot == {2: Ballot.NEIN, 3: Ballot.JA}.get(viewer)
        assert view.ballots is None
        assert view.to_act == (0, 1, 4)


def test_settled_ballots_are_everybodys_until_the_next_nomination():
    table = Table(players=5)
    assert view_for(table.state, None).ballots is None
    table.nominate(1).vote("jjjnn")
    told = (Ballot.JA,) * 3 + (Ballot.NEIN,) * 2
    for step in (
        lambda: None,
        lambda: table.discard("fascist"),
        lambda: table.enact("liberal"),
    ):
        step()
        assert all(view_for(table.state, v).ballots == told for v in viewers(table.state))
    assert view_for(table.nominate(2).state, None).ballots is None


def test_an_investigation_tells_the_president_the_party_and_no_one_else_anything():
    table = Table(players=9).govern("fascist").investigate(8)  # Seat 8 is Hitler.
    for viewer in (*range(1, 5), None):
        view = view_for(table.state, viewer)
        assert view.parties[8] is None
        assert view.investigated == (8,)
    view = view_for(table.state, 0)
    assert view.parties[8] is Party.FASCIST
    assert view.roles[8] is None
    assert PartySeen(1, 0, 8, Party.FASCIST) in view.knowledge


def test_a_peek_is_the_presidents_own():
    table = Table(players=5).play_to(fascist=2).govern("fascist")
    president, top = table.state.president, cards(table.deck[:3])
    table.peek()
    for viewer in viewers(table.state):
        seen = [k for k in view_for(table.state, viewer).knowledge if isinstance(k, TopSeen)]
        assert seen == ([TopSeen(3, president, top)] if viewer == president else [])


def test_officers_remember_their_own_cards_only():
    table = Table(players=5, deck="LFF").government(0, 1, "fascist")
    drawn = Drawn(1, 0, cards("LFF"), Policy.FASCIST)
    received = Received(1, 1, cards("LF"))
    known = {0: (drawn,), 1: (received,)}
    for viewer in viewers(table.state):
        assert view_for(table.state, viewer).knowledge == known.get(viewer, ())


def test_the_dead_keep_what_they_know_and_their_role_stays_secret():
    table = Table(players=7).play_to(fascist=4, victims=[1])
    assert 1 not in table.state.alive
    for viewer in (0, 2, 3, 6, None):
        assert view_for(table.state, viewer).roles[1] is None
        assert view_for(table.state, viewer).parties[1] is None
    view = view_for(table.state, 1)
    assert (view.role, view.legal) == (L, ())
    assert view.knowledge != ()


def test_at_the_end_everything_is_shown_to_everyone():
    table = Table(players=9).play_to(liberal=5)
    for viewer in viewers(table.state):
        view = view_for(table.state, viewer)
        assert view.roles == table.state.setup.roles
        assert view.parties == tuple(role.party for role in view.roles)
        assert view.knowledge == table.state.knowledge
        assert view.outcome is not None
        assert view.legal == ()


def test_a_view_holds_a_players_legal_choices():
    table = Table(players=6).nominate(2)
    for seat in range(6):
        assert view_for(table.state, seat).legal == legal_actions(table.state, seat)


@given(seed=st.integers(0, 2**32), players=st.integers(5, 10))
@settings(deadline=None, max_examples=examples(25))
def test_the_public_part_of_every_view_is_the_spectators(seed, players):
    game = Game("en", {}, players, seed).finish()
    private = {"viewer", "roles", "parties", "role", "hand", "ballot", "knowledge", "legal"}
    public = [field.name for field in fields(View) if field.name not in private]
    for position in game.positions[:: max(1, len(game.positions) // 15)]:
        spectator = view_for(position.state, None)
        for seat in range(players):
            view = view_for(position.state, seat)
            for name in public:
                assert getattr(view, name) == getattr(spectator, name), name


# Non-interference: one position ---------------------------------------------------------------


def other_roles(state: GameState, viewer: int | None, random: Random) -> tuple[Role, ...]:
    """Deal the roles again among the seats unknown to the viewer, keeping each seen party."""
    roles = list(state.setup.roles)
    view = view_for(state, viewer)
    for party in (None, *Party):
        # Seats whose party was seen swap roles within that party; the other seats swap freely.
        unknown = [
            seat
            for seat in range(state.players)
            if view.roles[seat] is None and view.parties[seat] is party
        ]
        dealt = [roles[seat] for seat in unknown]
        random.shuffle(dealt)
        for seat, role in zip(unknown, dealt, strict=True):
            roles[seat] = role
    return tuple(roles)


def other_memory(item: Any, roles: tuple[Role, ...], random: Random) -> Any:
    def some(number: int) -> tuple[Policy, ...]:
        return tuple(random.choice(list(Policy)) for _ in range(number))

    if isinstance(item, PartySeen):
        return replace(item, party=roles[item.target].party)
    if isinstance(item, Drawn):
        return replace(item, policies=some(3), discarded=some(1)[0])
    return replace(item, policies=some(len(item.policies)))


def twin(state: GameState, viewer: int | None, random: Random) -> GameState:
    """Return a position that differs in everything that the viewer may not know."""
    other = draft_of(state)
    other.setup = Setup(state.setup.options, other_roles(state, viewer, random))
    holder = {
        Phase.PRESIDENT_DISCARDS: state.president,
        Phase.CHANCELLOR_ENACTS: state.chancellor,
        Phase.VETO_PROPOSED: state.chancellor,
    }.get(state.phase)
    hidden = [*state.draw, *state.discards]
    own_hand = viewer is not None and viewer == holder
    if not own_hand:
        hidden += state.hand
    random.shuffle(hidden)
    other.draw = tuple(hidden[: len(state.draw)])
    other.discards = tuple(hidden[len(state.draw) :][: len(state.discards)])
    if not own_hand:
        other.hand = tuple(hidden[len(state.draw) + len(state.discards) :])
    if state.phase is Phase.ELECTION:
        other.ballots = tuple(
            ballot
            if ballot is None or seat == viewer
            else (Ballot.NEIN if ballot is Ballot.JA else Ballot.JA)
            for seat, ballot in enumerate(state.ballots)
        )
    other.knowledge = tuple(
        item if item.seat == viewer else other_memory(item, other.setup.roles, random)
        for item in state.knowledge
    )
    return freeze(other)


@given(
    edition=st.sampled_from(["en", "ru-5-6", "ja", "it"]),
    players=st.integers(5, 10),
    seed=st.integers(0, 2**32),
)
@settings(deadline=None, max_examples=examples(25))
def test_positions_that_a_viewer_cannot_tell_apart_look_the_same(edition, players, seed):
    players = 5 + players % 2 if edition == "ru-5-6" else players
    game = Game(edition, {}, players, seed).finish()
    for position in game.positions[:-1]:
        for viewer in game.random.sample(viewers(position.state), 3):
            other = twin(position.state, viewer, game.random)
            assert view_for(position.state, viewer) == view_for(other, viewer)


# Non-interference: whole games ------------------------------------------------------------------


def replayed_beside(game: Game, deal: Deal, viewer: int | None) -> int:
    """Replay the game's actions on another deal and compare what the viewer sees.

    Return the number of positions that looked the same. Stop where an action or the outcome
    itself tells the two games apart.
    """
    state = opening(game.options, deal)
    for count, position in enumerate(game.positions):
        if count:
            assert position.entry is not None
            try:
                state, _ = apply(state, position.entry.action, game.chance.chance)
            except IllegalAction:
                return count
        if (state.outcome, position.state.outcome) != (None, None):
            return count
        if view_for(position.state, viewer).parties != view_for(state, viewer).parties:
            # The viewer investigated a player whose party differs between the two games.
            assert any(isinstance(k, PartySeen) for k in view_for(state, viewer).knowledge)
            return count
        assert view_for(position.state, viewer) == view_for(state, viewer)
    return len(game.positions)


@given(players=st.integers(5, 10), seed=st.integers(0, 2**32))
@settings(deadline=None, max_examples=examples(25))
def test_games_that_differ_in_others_roles_look_the_same(players, seed):
    game = Game("pl", {}, players, seed).finish()
    for viewer in viewers(game.positions[0].state):
        roles = other_roles(game.positions[0].state, viewer, game.random)
        assert replayed_beside(game, Deal(roles, *deal_rest(game.deal)), viewer) > 1


def deal_rest(deal: Deal) -> tuple[tuple[Policy, ...], int]:
    return deal.draw_pile, deal.first_candidate


@given(players=st.integers(5, 10), seed=st.integers(0, 2**32))
@settings(deadline=None, max_examples=examples(25))
def test_the_order_of_a_presidents_draw_reaches_no_one_else(players, seed):
    game = Game("pl", {}, players, seed)
    while game.state.phase is not Phase.CHANCELLOR_ENACTS and game.state.outcome is None:
        action = game.choose()
        if game.state.tracker == 2 and isinstance(action, Vote):
            action = Vote(action.seat, Ballot.JA)  # Avoids chaos: the first draw is the top three.
        game.play(action)
    president = game.state.president
    top = list(game.deal.draw_pile[:3])
    game.random.shuffle(top)
    deal = replace(game.deal, draw_pile=(*top, *game.deal.draw_pile[3:]))
    for viewer in viewers(game.state):
        if viewer != president:
            assert replayed_beside(game, deal, viewer) == len(game.positions)


def test_what_the_president_discarded_reaches_no_one_else():
    """LFF minus an F and LLF minus an L leave the same two cards."""
    one = Table(players=6, deck="LFF").elect(0, 1).do(Discard(0, Policy.FASCIST))
    two = Table(players=6, deck="LLF").elect(0, 1).do(Discard(0, Policy.LIBERAL))
    for viewer in viewers(one.state):
        same = view_for(one.state, viewer) == view_for(two.state, viewer)
        assert same == (viewer != 0)


def test_the_cast_of_these_tests_holds_every_role():
    assert all(set("LFH") == set(roles) for roles in ROLES.values())
