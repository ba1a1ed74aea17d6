"""The components, the options of each edition, and the first position of a game."""

import pytest

from games.rules.chance import Deal
from games.rules.components import deck, roles_for
from games.rules.editions import (
    EDITIONS,
    OPTION_NAMES,
    Formula,
    OptionError,
    option_json,
    options_of,
)
from games.rules.powers import powers_for
from games.rules.transition import opening

from .table import EDITIONS as CODES
from .table import ROLES, Table, cards

# The table "What differs" in RULES.md, column by column.
EN = {
    "players": [5, 10],
    "limited": "elected",
    "limits_lapse": False,
    "small_table": "alive",
    "tracker_resets_on": "policy",
    "veto_advances_tracker": True,
    "reshuffle": "session_end_and_chaos",
    "silence": "pair",
    "not_hitler_badge": False,
    "executed_says_not_hitler": False,
    "party_cards": True,
    "hitler_signal": "thumb_after",
    "spoken_formula": ["veto_chancellor", "veto_president", "execution"],
}
IT = {
    "players": [5, 10],
    "limited": "enactors",
    "limits_lapse": False,
    "small_table": "started",
    "tracker_resets_on": "election",
    "veto_advances_tracker": True,
    "reshuffle": "session_end",
    "silence": "government",
    "not_hitler_badge": False,
    "executed_says_not_hitler": False,
    "party_cards": True,
    "hitler_signal": "thumb_before",
    "spoken_formula": ["veto_chancellor", "execution", "investigation"],
}
DIFFERS = {
    "en": EN,
    "pl": EN,
    "ru": EN
    | {"hitler_signal": "mouse_after", "spoken_formula": ["veto_chancellor", "veto_president"]},
    "ru-5-6": {
        "players": [5, 6],
        "limited": "elected",
        "limits_lapse": False,
        "small_table": "alive",
        "tracker_resets_on": "election",
        "veto_advances_tracker": False,
        "reshuffle": "before_draw",
        "silence": "table",
        "not_hitler_badge": True,
        "executed_says_not_hitler": True,
        "party_cards": False,
        "hitler_signal": "none",
        "spoken_formula": ["veto_chancellor"],
    },
    "ja": IT | {"limits_lapse": True},
    "it": IT,
}


# What only house rules change.
IN_ALL = {
    "fascists": None,
    "hitler_knows": "small_tables",
    **dict.fromkeys(("power_1", "power_2", "power_3", "power_4", "power_5")),
    "liberal_policies": 6,
    "fascist_policies": 11,
    "liberal_start": 0,
    "fascist_start": 0,
    "hitler_zone": 3,
    "veto_zone": 5,
}


@pytest.mark.parametrize("edition", CODES)
def test_an_edition_has_the_values_of_its_document(edition):
    options = options_of(edition)
    told = {name: option_json(getattr(options, name)) for name in OPTION_NAMES}
    assert told == DIFFERS[edition] | IN_ALL


def test_there_are_six_editions_and_no_more():
    assert set(EDITIONS) == set(CODES)


@pytest.mark.parametrize(
    ("players", "liberals", "fascists"),
    [(5, 3, 1), (6, 4, 1), (7, 4, 2), (8, 5, 2), (9, 5, 3), (10, 6, 3)],
)
def test_a_table_has_its_liberals_its_fascists_and_one_hitler(players, liberals, fascists):
    roles = [str(role) for role in roles_for(players)]
    assert roles == ["liberal"] * liberals + ["fascist"] * fascists + ["hitler"]


def test_the_deck_holds_six_liberal_and_eleven_fascist_policies():
    policies = [str(policy) for policy in deck()]
    assert sorted(policies) == ["fascist"] * 11 + ["liberal"] * 6


@pytest.mark.parametrize(
    ("players", "powers"),
    [
        ((5, 6), [None, None, "peek", "execution", "execution", None]),
        ((7, 8), [None, "investigation", "special_election", "execution", "execution", None]),
        (
            (9, 10),
            ["investigation", "investigation", "special_election", "execution", "execution", None],
        ),
    ],
)
def test_the_track_is_chosen_by_the_number_of_players(players, powers):
    for number in players:
        assert [power and str(power) for power in powers_for(number)] == powers


@pytest.mark.parametrize("edition", CODES)
@pytest.mark.parametrize("players", range(5, 11))
def test_an_edition_seats_the_numbers_that_it_is_for(edition, players):
    least, most = DIFFERS[edition]["players"]
    deal = Deal(roles_for(players), deck(), 0)
    if least <= players <= most:
        assert opening(options_of(edition), deal).players == players
    else:
        with pytest.raises(ValueError, match="players"):
            opening(options_of(edition), deal)


@pytest.mark.parametrize("players", range(5, 11))
@pytest.mark.parametrize("first", [0, 2, 4])
def test_the_first_candidate_opens_the_game(players, first):
    table = Table(players=players, first=first)
    everybody = list(range(players))
    assert table.shown == {
        "after": 0,
        "phase": "nomination",
        "to_act": [first],
        "candidate": first,
        "nominee": None,
        "president": None,
        "chancellor": None,
        "liberal": 0,
        "fascist": 0,
        "tracker": 0,
        "draw": 17,
        "discard": 0,
        "alive": everybody,
        "limited": [],
        "eligible": [seat for seat in everybody if seat != first],
        "veto_unlocked": False,
        "events": [],
        "winner": None,
        "ending": None,
    }


def test_the_same_deal_opens_the_same_game():
    deal = Deal(roles_for(5), cards("LFF" * 5 + "LF"), 3)
    assert opening(options_of("ja"), deal) == opening(options_of("ja"), deal)
    assert opening(options_of("ja"), deal) != opening(options_of("it"), deal)


@pytest.mark.parametrize(
    ("name", "value", "code"),
    [
        ("limited", "nobody", "choice"),
        ("limited", True, "choice"),
        ("limited", None, "choice"),
        ("reshuffle", ["session_end"], "choice"),
        ("limits_lapse", 1, "switch"),
        ("veto_advances_tracker", "true", "switch"),
        ("players", [5], "players"),
        ("players", [4, 10], "players"),
        ("players", [5, 11], "players"),
        ("players", [7, 6], "players"),
        ("players", [5.0, 10], "players"),
        ("players", [True, 10], "players"),
        ("players", "5-10", "players"),
        ("spoken_formula", "veto", "formulas"),
        ("spoken_formula", ["veto", "veto"], "formulas"),
        ("spoken_formula", ["song"], "formulas"),
        ("spoken_formula", [["veto"]], "formulas"),
        ("colour", "red", "unknown_option"),
        ("Limited", "elected", "unknown_option"),
    ],
)
def test_a_mix_takes_no_value_that_does_not_exist(name, value, code):
    with pytest.raises(OptionError) as raised:
        options_of("pl", {name: value})
    assert (raised.value.code, raised.value.name) == (code, name)


def test_options_name_the_edition_whose_words_a_table_uses_and_are_equal_if_the_rules_are():
    assert options_of("pl", {"silence": "table"}).edition == "pl"
    assert options_of("pl") == options_of("en")
    assert "edition" not in OPTION_NAMES


def test_the_veto_of_a_record_or_an_older_table_is_spoken_by_the_editions_own_officers():
    both, chancellor = ("veto_chancellor", "veto_president"), ("veto_chancellor",)
    for edition in CODES:
        spoken = options_of(edition, {"spoken_formula": ["execution", "veto"]}).spoken_formula
        officers = both if edition in ("en", "pl", "ru") else chancellor
        assert spoken == (*officers, "execution")


def test_each_officer_of_a_mix_may_have_a_formula_alone():
    for formula in Formula:
        options = options_of("ru", {"spoken_formula": [str(formula)]})
        assert options.spoken_formula == (formula,)


def test_no_one_plays_an_unknown_edition():
    with pytest.raises(OptionError) as raised:
        options_of("de")
    assert raised.value.code == "unknown_edition"


def test_the_cast_of_these_tests_is_a_legal_one():
    for players, roles in ROLES.items():
        assert Table(players=players).state.setup.roles == roles_for(players), roles
