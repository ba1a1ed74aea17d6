"""The record's format, its errors and their paths, and the errors of a replay."""

import copy
import json
import tracemalloc
from dataclasses import replace
from itertools import combinations
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.rules.actions import Nominate
from games.rules.editions import EDITIONS, Formula, options_of
from games.rules.reasons import Reason
from games.rules.record import IllegalRecord, RecordError, read_record, record_json, replay, verify
from games.rules.record_file import parse_json
from tests.examples import examples
from tests.games.rules.random_game import Game

SPOKEN = [[*some] for n in range(len(Formula) + 1) for some in combinations(Formula, n)]
SCRIPT = [
    {"seat": 2, "action": "nominate", "target": 0},
    *({"seat": seat, "action": "vote", "ballot": "ja"} for seat in range(5)),
    {"seat": 2, "action": "discard", "policy": "fascist"},
    {"seat": 0, "action": "enact", "policy": "liberal"},
]


def record(**changes: Any) -> dict[str, Any]:
    """Return a short valid record with some of its keys changed."""
    return {
        "format": "secret-hitler-record",
        "version": 1,
        "edition": "pl",
        "options": {},
        "seats": ["Ada", "Bo", "Cy", "Di", "Ed"],
        "deal": {
            "roles": ["liberal", "hitler", "liberal", "fascist", "liberal"],
            "draw_pile": ["liberal", "fascist", "fascist"] * 5 + ["liberal", "fascist"],
            "first_candidate": 2,
        },
        "shuffles": [],
        "actions": copy.deepcopy(SCRIPT),
        "outcome": None,
    } | changes


def deal(**changes: Any) -> dict[str, Any]:
    return {"deal": record()["deal"] | changes}


def act(**action: Any) -> dict[str, Any]:
    return {"actions": [action]}


def without(key: str, inner: str | None = None) -> dict[str, Any]:
    data = record()
    del (data if inner is None else data[inner])[key]
    return data


def refused(data: object) -> RecordError:
    with pytest.raises(RecordError) as raised:
        read_record(data)
    return raised.value


def test_a_sound_record_is_read():
    read = read_record(record())
    assert (read.edition, len(read.seats), len(read.entries)) == ("pl", 5, 8)
    assert read.entries[0].action == Nominate(2, 0)


@pytest.mark.parametrize("key", ["options", "shuffles", "outcome"])
def test_some_keys_may_be_left_out(key):
    assert len(list(replay(read_record(without(key))))) == 9


@pytest.mark.parametrize("key", ["format", "version", "edition", "seats", "deal", "actions"])
def test_the_other_keys_may_not(key):
    assert refused(without(key)).path == key


@pytest.mark.parametrize("key", ["roles", "draw_pile", "first_candidate"])
def test_a_deal_is_whole(key):
    assert refused(without(key, "deal")).path == f"deal.{key}"


BIG = 10**4000
PILE = record()["deal"]["draw_pile"]
TABLE_OF_ERRORS = [
    ("format", {"format": "pgn"}),
    ("format", {"format": None}),
    ("version", {"version": 2}),
    ("version", {"version": True}),
    ("version", {"version": "1"}),
    ("edition", {"edition": "de"}),
    ("edition", {"edition": None}),
    ("edition", {"edition": ["pl"]}),
    ("options", {"options": []}),
    ("options", {"options": None}),
    ("options.colour", {"options": {"colour": "red"}}),
    ("options.limited", {"options": {"limited": "all"}}),
    ("options.limited", {"options": {"limited": {"elected": 1}}}),
    ("options.limits_lapse", {"options": {"limits_lapse": 0}}),
    ("options.limits_lapse", {"options": {"limits_lapse": "true"}}),
    ("options.players", {"options": {"players": [5, 12]}}),
    ("options.players", {"options": {"players": 5}}),
    ("options.players", {"options": {"players": [5, BIG]}}),
    ("options.spoken_formula", {"options": {"spoken_formula": ["veto", "veto"]}}),
    ("options.spoken_formula", {"options": {"spoken_formula": "veto"}}),
    # Names of the site, which other readers of the format do not know.
    ("options.spoken_formula", {"options": {"spoken_formula": ["veto_chancellor"]}}),
    ("veto_spoken_by", {"veto_spoken_by": "chancellor"}),
    ("veto_spoken_by", {"veto_spoken_by": []}),
    ("veto_spoken_by", {"veto_spoken_by": ["president", "president"]}),
    ("veto_spoken_by[1]", {"veto_spoken_by": ["president", "hitler"]}),
    ("seats", {"seats": ["A", "B", "C", "D"]}),
    ("seats", {"seats": ["A"] * 11}),
    ("seats", {"seats": "Ada"}),
    ("seats", {"seats": None}),
    ("seats[3]", {"seats": ["A", "B", "C", 4, "E"]}),
    ("seats", {"edition": "ru-5-6", "seats": ["A"] * 7}),
    ("seats", {"options": {"players": [6, 8]}}),
    ("deal", {"deal": None}),
    ("deal", {"deal": []}),
    ("deal.roles", deal(roles=["liberal"] * 5)),
    ("deal.roles", deal(roles=["liberal", "hitler", "liberal", "fascist"])),
    ("deal.roles", deal(roles=["liberal", "hitler", "liberal", "fascist", "fascist"])),
    ("deal.roles", deal(roles="liberal")),
    ("deal.roles[4]", deal(roles=["liberal", "hitler", "liberal", "fascist", "mason"])),
    ("deal.roles[0]", deal(roles=[1, "hitler", "liberal", "fascist", "liberal"])),
    ("deal.draw_pile", deal(draw_pile=PILE[:-1])),
    ("deal.draw_pile", deal(draw_pile=[*PILE, "liberal"])),
    ("deal.draw_pile", deal(draw_pile=["fascist"] * 17)),
    ("deal.draw_pile", deal(draw_pile={"liberal": 6})),
    ("deal.draw_pile[16]", deal(draw_pile=[*PILE[:-1], "hitler"])),
    ("deal.first_candidate", deal(first_candidate=5)),
    ("deal.first_candidate", deal(first_candidate=-1)),
    ("deal.first_candidate", deal(first_candidate=True)),
    ("deal.first_candidate", deal(first_candidate=1.0)),
    ("deal.first_candidate", deal(first_candidate=None)),
    ("deal.first_candidate", deal(first_candidate=BIG)),
    ("shuffles", {"shuffles": None}),
    ("shuffles", {"shuffles": {}}),
    ("shuffles[0]", {"shuffles": ["liberal"]}),
    ("shuffles[1][2]", {"shuffles": [["liberal"], ["liberal", "fascist", 3]]}),
    ("actions", {"actions": None}),
    ("actions", {"actions": {"0": {}}}),
    ("actions[0]", {"actions": ["nominate"]}),
    ("actions[1]", {"actions": [SCRIPT[0], None]}),
    ("actions[0].action", act(seat=0)),
    ("actions[0].action", act(seat=0, action="resign")),
    ("actions[0].action", act(seat=0, action=["vote"])),
    ("actions[0].seat", act(action="peek")),
    ("actions[0].seat", act(seat=5, action="peek")),
    ("actions[0].seat", act(seat=-1, action="peek")),
    ("actions[0].seat", act(seat=False, action="peek")),
    ("actions[0].seat", act(seat="2", action="peek")),
    ("actions[0].seat", act(seat=2.0, action="peek")),
    ("actions[0].seat", act(seat=BIG, action="peek")),
    ("actions[0].target", act(seat=2, action="nominate")),
    ("actions[0].target", act(seat=2, action="nominate", target=5)),
    ("actions[0].target", act(seat=2, action="execute", target=True)),
    ("actions[0].target", act(seat=2, action="investigate", target=None)),
    ("actions[0].target", act(seat=2, action="call_special_election", target=[0])),
    ("actions[0].ballot", act(seat=2, action="vote")),
    ("actions[0].ballot", act(seat=2, action="vote", ballot="Ja")),
    ("actions[0].ballot", act(seat=2, action="vote", ballot=True)),
    ("actions[0].policy", act(seat=2, action="discard")),
    ("actions[0].policy", act(seat=2, action="discard", policy="hitler")),
    ("actions[0].policy", act(seat=2, action="enact", policy=None)),
    ("actions[0].consent", act(seat=2, action="answer_veto")),
    ("actions[0].consent", act(seat=2, action="answer_veto", consent=1)),
    ("actions[0].consent", act(seat=2, action="answer_veto", consent="true")),
    ("actions[0].by", act(seat=2, action="peek", by="cat")),
    ("actions[0].by", act(seat=2, action="peek", by=3)),
    ("actions[0].at", act(seat=2, action="peek", at=3)),
    ("outcome", {"outcome": "liberal"}),
    ("outcome.winner", {"outcome": {"ending": "fascist_policies"}}),
    ("outcome.winner", {"outcome": {"winner": "hitler", "ending": "fascist_policies"}}),
    ("outcome.winner", {"outcome": {"winner": "liberal", "ending": "fascist_policies"}}),
    ("outcome.ending", {"outcome": {"winner": "liberal"}}),
    ("outcome.ending", {"outcome": {"winner": "liberal", "ending": "abandoned"}}),
    ("seal", {"seal": "wax"}),
    ("seal.seed", {"seal": {"commitment": "0" * 64, "contributions": ["0" * 32] * 5}}),
    (
        "seal.seed",
        {"seal": {"commitment": "0" * 64, "seed": "A" * 64, "contributions": ["0" * 32] * 5}},
    ),
    (
        "seal.commitment",
        {"seal": {"commitment": "0" * 63, "seed": "0" * 64, "contributions": ["0" * 32] * 5}},
    ),
    (
        "seal.contributions",
        {"seal": {"commitment": "0" * 64, "seed": "0" * 64, "contributions": ["0" * 32] * 4}},
    ),
    (
        "seal.contributions[4]",
        {
            "seal": {
                "commitment": "0" * 64,
                "seed": "0" * 64,
                "contributions": ["0" * 32] * 4 + [""],
            }
        },
    ),
]


@pytest.mark.parametrize(("path", "changes"), TABLE_OF_ERRORS, ids=lambda value: str(value)[:60])
def test_an_error_of_shape_is_told_where_it_is(path, changes):
    assert refused(record(**changes)).path == path


@pytest.mark.parametrize("data", [None, [], "record", 1, True, 1.5, {}])
def test_a_record_is_an_object(data):
    refused(data)


def test_the_last_actions_shape_is_checked_before_the_first_is_played():
    broken = record()
    broken["actions"][0]["target"] = 2  # Illegal, but valid in format.
    broken["actions"].append({"seat": 9, "action": "peek"})
    assert refused(broken).path == "actions[8].seat"


def test_unknown_keys_are_ignored():
    data = record(event="Worlds", annotator={"name": "Ada"})
    data["deal"]["dealer"] = "Bo"
    data["actions"][0] |= {"comment": "a surprise", "policy": 7}
    data["outcome"] = None
    assert read_record(data) == read_record(record())


def test_when_and_by_whom_are_kept():
    data = record()
    data["actions"][0] |= {"at": "2026-01-02T03:04:05Z", "by": "clock"}
    entry = read_record(data).entries[0]
    assert (entry.at, entry.by) == ("2026-01-02T03:04:05Z", "clock")
    written = record_json(read_record(data))
    assert written["actions"][0] == data["actions"][0]


def test_a_custom_mix_names_the_edition_it_started_from_and_the_differences():
    data = record(options={"limits_lapse": True, "limited": "elected"})
    written = record_json(read_record(data))
    assert (written["edition"], written["options"]) == ("pl", {"limits_lapse": True})


def test_records_from_before_officers_were_told_apart_keep_their_meaning():
    spoken = {"options": {"spoken_formula": ["veto", "investigation"]}}
    for edition, officers in (
        ("pl", ("veto_chancellor", "veto_president")),
        ("it", ("veto_chancellor",)),
    ):
        read = read_record(record(edition=edition, **spoken))
        assert read.options.spoken_formula == (*officers, "investigation")
        written = record_json(read)
        assert written["options"] == spoken["options"]
        assert "veto_spoken_by" not in written


@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize("formulas", SPOKEN, ids="-".join)
def test_every_mix_of_formulas_is_written_with_the_formats_own_values_and_read_again(
    edition, formulas
):
    options = options_of(edition, {"spoken_formula": formulas})
    mixed = replace(read_record(record(edition=edition)), options=options)

    written = json.loads(json.dumps(record_json(mixed)))

    told = written["options"].get("spoken_formula", [])
    assert {*told} <= {"veto", "execution", "investigation"}
    assert read_record(written).options == options


# Replaying ------------------------------------------------------------------------------------


def test_an_illegal_action_tells_its_number_the_rule_and_what_was_legal():
    data = record()
    data["actions"][0]["target"] = 2
    steps = replay(read_record(data))
    assert next(steps).after == 0
    with pytest.raises(IllegalRecord) as raised:
        next(steps)
    assert (raised.value.number, raised.value.reason) == (1, Reason.YOURSELF)
    assert raised.value.action == Nominate(2, 2)
    assert raised.value.legal == tuple(Nominate(2, target) for target in (0, 1, 3, 4))


def test_the_positions_before_an_illegal_action_are_told():
    data = record()
    data["actions"][6]["seat"] = 3
    steps = replay(read_record(data))
    assert [next(steps).after for _ in range(7)] == [0, 1, 2, 3, 4, 5, 6]
    with pytest.raises(IllegalRecord) as raised:
        next(steps)
    assert (raised.value.number, raised.value.reason) == (7, Reason.NOT_YOUR_TURN)


def test_an_outcome_of_an_unfinished_game_is_contradicted():
    data = record(outcome={"winner": "liberal", "ending": "liberal_policies"})
    with pytest.raises(RecordError) as raised:
        list(replay(read_record(data)))
    assert raised.value.path == "outcome"


@pytest.fixture(scope="module")
def finished() -> dict[str, Any]:
    """Return a finished game with at least two shuffles."""
    for seed in range(1000):
        game = Game("it", {}, 6, seed).finish()
        if len(game.chance.piles) >= 2:
            return json.loads(json.dumps(record_json(game.record)))
    raise AssertionError("no such game")


def stops(data: dict[str, Any]) -> tuple[str, str, int]:
    """Return the error's code and path, and the number of positions before it."""
    told = 0
    try:
        for _ in replay(read_record(data)):
            told += 1
    except RecordError as error:
        return error.code, error.path, told
    raise AssertionError("the record replays")


def test_a_finished_game_replays(finished):
    assert len(list(replay(read_record(finished)))) == len(finished["actions"]) + 1


def test_another_outcome_is_contradicted(finished):
    other = {"winner": "liberal", "ending": "hitler_executed"}
    if finished["outcome"] == other:
        other = {"winner": "liberal", "ending": "liberal_policies"}
    code, path, told = stops(finished | {"outcome": other})
    assert (code, path) == ("contradicted_outcome", "outcome")
    assert told == len(finished["actions"]) + 1
    assert list(replay(read_record(finished | {"outcome": None})))


def test_a_missing_shuffle_is_found_when_it_is_needed(finished):
    code, path, told = stops(finished | {"shuffles": finished["shuffles"][:1]})
    assert (code, path) == ("missing_shuffle", "shuffles[1]")
    assert told < len(finished["actions"]) + 1


def test_an_impossible_shuffle_is_found_when_it_is_needed(finished):
    pile = finished["shuffles"][0]
    for wrong in ([*pile, "liberal"], pile[1:], [], ["fascist"] * len(pile)):
        code, path, told = stops(finished | {"shuffles": [wrong, *finished["shuffles"][1:]]})
        assert (code, path) == ("impossible_shuffle", "shuffles[0]")
        assert told > 1


def test_an_unused_shuffle_is_found_at_the_end(finished):
    number = len(finished["shuffles"])
    code, path, told = stops(finished | {"shuffles": [*finished["shuffles"], ["liberal"]]})
    assert (code, path) == ("unused_shuffle", f"shuffles[{number}]")
    assert told == len(finished["actions"]) + 1


def test_nothing_is_played_after_the_end(finished):
    more = {"seat": 0, "action": "peek"}
    with pytest.raises(IllegalRecord) as raised:
        list(replay(read_record(finished | {"actions": [*finished["actions"], more]})))
    assert (raised.value.reason, raised.value.legal) == (Reason.GAME_OVER, ())
    assert raised.value.number == len(finished["actions"]) + 1


# Invalid input --------------------------------------------------------------------------------

SCALARS = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-3, 20),
    st.sampled_from([BIG, -BIG, 2**63, 1e308, float("inf"), float("nan"), 0.5, 1.0]),
    st.text(max_size=4),
    st.sampled_from(["liberal", "fascist", "hitler", "ja", "pl", "peek", "\ud800", "execute"]),
)
NONSENSE = st.recursive(
    SCALARS,
    lambda inner: st.one_of(
        st.lists(inner, max_size=4), st.dictionaries(st.text(max_size=4), inner, max_size=3)
    ),
    max_leaves=8,
)


def places(data: Any) -> list[tuple[Any, Any]]:
    """Return every container in the record, once for each of its keys."""
    found: list[tuple[Any, Any]] = []
    items = data.items() if isinstance(data, dict) else enumerate(data)
    for key, value in items:
        found.append((data, key))
        if isinstance(value, dict | list):
            found += places(value)
    return found


def replay_whole(data: object) -> None:
    try:
        read = read_record(data)
        for position in replay(read):
            assert position.state is not None
        if read.seal is not None:
            verify(read)
    except (RecordError, IllegalRecord):
        pass


@given(data=st.data())
@settings(deadline=None, max_examples=examples(150))
def test_a_spoilt_record_is_refused_and_nothing_else_happens(data, finished):
    spoilt = copy.deepcopy(finished)
    for _ in range(data.draw(st.integers(1, 3))):
        where = places(spoilt)
        # Most draws would fall into the long lists, so every top-level key has an even chance.
        key = data.draw(st.sampled_from([*spoilt, None]))
        inside = [pair for pair in where if pair[0] is spoilt and pair[1] == key]
        if key is not None and isinstance(spoilt.get(key), dict | list) and places(spoilt[key]):
            inside += places(spoilt[key])
        container, spot = data.draw(st.sampled_from(inside or where))
        if isinstance(container, dict) and data.draw(st.booleans()):
            del container[spot]
        else:
            container[spot] = data.draw(NONSENSE)
    replay_whole(spoilt)


@given(NONSENSE)
@settings(deadline=None, max_examples=examples(80))
def test_nonsense_is_refused(data):
    refused(data)


@pytest.mark.parametrize("opened", ["[", '{"a":'])
def test_deep_nonsense_is_refused_wherever_it_stands(opened):
    deep = json.loads(opened * 900 + "1" + ("]" if opened == "[" else "}") * 900)
    refused(deep)
    for number in range(len(places(record()))):
        data = record()
        container, key = places(data)[number]
        container[key] = deep
        refused(data)


@pytest.mark.parametrize("option", ["limited", "limits_lapse", "players", "spoken_formula", "x"])
def test_deep_nonsense_is_no_option(option):
    deep = json.loads("[" * 900 + "]" * 900)
    assert refused(record(options={option: deep})).path == f"options.{option}"


def test_an_integer_too_long_to_write_is_refused():
    assert refused(record(**deal(first_candidate=10**5000))).path == "deal.first_candidate"


def test_a_file_with_a_long_key_over_a_long_list_takes_little_memory():
    data = json.dumps({"k" * 60_000: [1] * 60_000}).encode()
    tracemalloc.start()
    parse_json(data)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 30_000_000
