"""House rules that no document has: what they change in a game, and which do not go together."""

import pytest

from games.rules.actions import Discard, Enact, Nominate, Vote
from games.rules.chance import Deal, SealedChance
from games.rules.components import Ballot, Party, Policy, Role
from games.rules.editions import OptionError, Space, options_of
from games.rules.night import hitler_looks
from games.rules.phases import Ending, Outcome
from games.rules.powers import Investigate, Power
from games.rules.state import GameState
from games.rules.transition import apply, opening
from games.rules.view import view_for

CHANCE = SealedChance(bytes(32), ["00" * 16] * 7)
L, F, H = Role.LIBERAL, Role.FASCIST, Role.HITLER


def start(players: int = 7, **rules: object) -> GameState:
    options = options_of("en", rules)
    return opening(options, CHANCE.deal(options, players))


def elect(state: GameState, chancellor: int) -> GameState:
    assert state.candidate is not None
    state, _ = apply(state, Nominate(state.candidate, chancellor), CHANCE)
    for seat in state.alive:
        state, _ = apply(state, Vote(seat, Ballot.JA), CHANCE)
    return state


def test_a_space_of_the_track_gets_the_power_that_the_house_gives_it():
    powers = start(5, power_1="investigation", power_4="none").setup.powers
    assert powers == (Power.INVESTIGATION, None, Power.PEEK, None, Power.EXECUTION, None)


def test_without_house_rules_the_powers_follow_the_number_of_players():
    assert start(9, hitler_zone=4).setup.powers == start(9).setup.powers


def test_the_house_sets_the_number_of_fascists():
    roles = start(9, fascists=2).setup.roles
    assert (roles.count(L), roles.count(F), roles.count(H)) == (6, 2, 1)


def test_policies_enacted_at_the_start_lie_on_the_track_and_not_in_the_pile():
    state = start(6, fascist_start=1, fascist_policies=10)
    assert (state.liberal, state.fascist) == (0, 1)
    assert state.draw.count(Policy.FASCIST) == 9
    assert state.draw.count(Policy.LIBERAL) == 6


def with_fascist_policies(zone: int) -> GameState:
    """Return the second nomination, after one fascist policy beside the one of the start."""
    options = options_of("en", {"hitler_zone": zone, "fascist_start": 1})
    pile = (Policy.FASCIST,) * 10 + (Policy.LIBERAL,) * 6
    state = elect(opening(options, Deal((L, L, H, L, F, L, F), pile, 0)), 1)
    for action in (Discard(0, Policy.FASCIST), Enact(1, Policy.FASCIST)):
        state, _ = apply(state, action, CHANCE)
    state, _ = apply(state, Investigate(0, 3), CHANCE)
    assert state.fascist == 2
    return state


@pytest.mark.parametrize(("zone", "ends"), [(2, True), (3, False)])
def test_electing_hitler_ends_the_game_from_the_hitler_zone_on(zone, ends):
    state = with_fascist_policies(zone)
    assert view_for(state, None).armed is ends
    state = elect(state, 2)
    hitler_wins = Outcome(Party.FASCIST, Ending.HITLER_ELECTED)
    assert state.outcome == (hitler_wins if ends else None)


@pytest.mark.parametrize(("knows", "players", "sees"), [("always", 9, True), ("never", 5, False)])
def test_hitler_sees_the_fascists_at_night_as_the_house_says(knows, players, sees):
    options = options_of("en", {"hitler_knows": knows})
    state = opening(options, CHANCE.deal(options, players))
    hitler = state.setup.roles.index(H)
    known = view_for(state, hitler).roles
    assert (F in known) is sees
    assert hitler_looks(options, players) is sees


def test_a_veto_zone_of_six_means_that_there_is_no_veto():
    assert options_of("en", {"veto_zone": 6}).veto_zone == 6
    assert not start(7, veto_zone=6).veto_unlocked


@pytest.mark.parametrize(
    ("rules", "players"),
    [
        ({"fascists": 2}, (7, 10)),
        ({"fascists": 3}, (9, 10)),
        ({"power_1": "execution", "power_2": "execution"}, (8, 10)),
        ({f"power_{space}": "investigation" for space in range(1, 6)}, (6, 10)),
    ],
)
def test_rules_that_need_more_players_leave_the_smaller_numbers_out(rules, players):
    assert options_of("en", rules).players == players


@pytest.mark.parametrize(
    ("edition", "rules", "code"),
    [
        ("ru-5-6", {"fascists": 2}, "no_players"),
        ("en", {"fascists": 3, "players": [5, 8]}, "no_players"),
        ("en", {"fascist_start": 2, "hitler_zone": 2}, "hitler_at_once"),
        ("en", {"fascist_policies": 7}, "number"),
        ("en", {"hitler_zone": True}, "number"),
        ("en", {"power_1": "song"}, "choice"),
        ("en", {"power_6": "peek"}, "unknown_option"),
    ],
)
def test_rules_that_cannot_be_played_are_refused(edition, rules, code):
    with pytest.raises(OptionError) as raised:
        options_of(edition, rules)
    assert raised.value.code == code


def test_every_space_name_is_a_power_or_nothing():
    assert {str(space) for space in Space} == {"none", *(str(power) for power in Power)}
