"""The tree search: it deals what its view allows, and finds a win that is there to take."""

from random import Random

import pytest

from games.bots import Heard
from games.rules.actions import Enact
from games.rules.components import Party, Policy
from games.rules.editions import options_of
from games.rules.phases import Phase
from games.rules.record import replay
from games.rules.view import public_event, view_for
from games.simulation.games import both, play_game

from .tree_search import Dealer, Limits, play, search

# What a search cannot see, or what does not matter to it.
HIDDEN = {"ballots", "ballot", "knowledge", "to_act", "legal"}

pytestmark = pytest.mark.nightly


def decisions(edition="en", players=7, number=1, kind="uniform"):
    """Yield the state, the view of the seat that acts, and what it has heard."""
    game = play_game(options_of(edition), players, "tree", number, both(kind))
    told, before = [], None
    for position in replay(game.record(edition)):
        if before is not None:
            seat = position.entry.action.seat
            yield before, view_for(before, seat), Heard(tuple(told))
            told.append((before.round, seat, tuple(map(public_event, position.events))))
        before = position.state


def plain(view):
    return {name: getattr(view, name) for name in view.__slots__ if name not in HIDDEN}


@pytest.mark.parametrize(
    ("edition", "players"), [("en", 5), ("en", 7), ("ja", 10), ("ru", 8), ("it", 6), ("pl", 9)]
)
def test_every_deal_agrees_with_the_view_and_goes_on_as_the_game_does(edition, players):
    for number in (1, 2, 3):
        for state, view, heard in decisions(edition, players, number):
            deal = Dealer(view, heard, Random(number)).deal()
            seen = view_for(deal, view.viewer)
            if view.phase is Phase.VETO_PROPOSED:
                assert sorted(deal.hand) == sorted(state.hand)
            assert plain(seen) | {"parties": view.parties} == plain(view)
            assert all(
                known in (None, role.party)
                for known, role in zip(view.parties, deal.setup.roles, strict=True)
            )
            assert (deal.rotation, deal.term) == (state.rotation, state.term)
            assert sorted((*deal.draw, *deal.discards, *deal.hand)) == sorted(
                (*state.draw, *state.discards, *state.hand)
            )


def test_a_chancellor_enacts_the_policy_that_wins_at_once():
    found = 0
    for number in range(1, 150):
        for _, view, heard in decisions(number=number):
            if view.phase is not Phase.CHANCELLOR_ENACTS or len(set(view.hand)) == 1:
                continue
            party = view.role.party
            # Far ahead, random play wins with any policy.
            can_lose = view.liberal >= 3 and view.fascist >= 3
            last = view.fascist == 5 if party is Party.FASCIST else view.liberal == 4
            if last and can_lose:
                found += 1
                action = search(view, heard, Random(1), Limits(None, 300))
                assert action == Enact(view.viewer, Policy(party))
    assert found


def test_the_same_deal_is_played_by_the_search_and_by_reasoning_bots():
    searched, reasoned = play(options_of("en"), 5, "test", Party.FASCIST, Limits(None, 5), 1)
    assert searched.seconds and reasoned.seconds
    again, _ = play(options_of("en"), 5, "test", Party.FASCIST, Limits(None, 5), 1)
    assert (again.won, again.ending) == (searched.won, searched.ending)
