"""Game summaries of secrethitler.io become records that replay to the same end."""

from collections import Counter
from contextlib import suppress
from copy import deepcopy
from itertools import pairwise, product
from pathlib import Path
from random import Random

import pytest

from games.rules.actions import Nominate
from games.rules.editions import options_of
from games.rules.events import Enacted, Shuffled
from games.rules.io_summary import line_of_summary
from games.rules.knowledge import PartySeen, TopSeen
from games.rules.reading import RecordError
from games.rules.reasons import Reason
from games.rules.record import Record, read_record, replay
from games.rules.record_claims import read_claims
from games.rules.record_file import parse_json, parse_record
from tests.builders.io_summaries import played, summary_of
from tests.nightly import NIGHTLY, times

RECORDS = Path(__file__).parent.parent.parent / "records"
EXAMPLES = RECORDS / "secrethitler_io"
CUSTOM = {
    "enabled": True,
    "deckState": {"lib": 5, "fas": 12},
    "trackState": {"lib": 1, "fas": 1},
    "fascistCount": 2,
    "hitKnowsFas": True,
    "hitlerZone": 2,
    "vetoZone": 3,
    "powers": ["deckpeek", None, "election", "investigate", "bullet"],
}
HOUSE_RULES = {
    "liberal_policies": 5,
    "fascist_policies": 12,
    "liberal_start": 1,
    "fascist_start": 1,
    "fascists": 2,
    "hitler_knows": "always",
    "hitler_zone": 2,
    "veto_zone": 3,
    "power_1": "peek",
    "power_2": "none",
    "power_3": "special_election",
    "power_4": "investigation",
    "power_5": "execution",
}
# What a summary says of its rules, the number of players, and the rules here.
RULES = [
    *[({}, {}, players, {}) for players in range(5, 11)],
    ({"rebalance6p": True}, {}, 6, {"fascist_start": 1}),
    ({"rebalance7p": True}, {}, 7, {"fascist_policies": 10}),
    ({"rebalance9p": True}, {}, 9, {"liberal_start": 1}),
    ({"rebalance9p2f": True}, {}, 9, {"fascist_policies": 9}),
    ({"rebalance6p": True, "rebalance7p": True}, {"enabled": False, "fascistCount": 9}, 8, {}),
    ({"rebalance7p": True}, CUSTOM, 7, HOUSE_RULES),
]


def course_of(record: Record) -> list[object]:
    """Return what everybody and each seat saw, candidacy by candidacy; hands have no order."""
    *_, last = replay(record)
    state = last.state
    seen = [
        (type(item), item.round, item.seat, item.party)
        if isinstance(item, PartySeen)
        else (type(item), item.round, item.seat, sorted(item.policies))
        for item in state.knowledge
    ]
    return [state.governments, seen, state.alive, state.liberal, state.fascist, state.outcome]


def read(line: dict) -> Record:
    return read_record(line["record"])


@pytest.mark.parametrize("rules", RULES, ids=lambda rules: "-".join([str(rules[2]), *rules[0]]))
@pytest.mark.parametrize("is_new", [True, False], ids=["new", "old"])
def test_a_summary_becomes_a_game_in_which_everybody_saw_the_same(rules, is_new):
    setting, custom, players, differences = rules
    # In a game with seed 50, a veto brings chaos from a pile that is shuffled first.
    for seed in range(100) if NIGHTLY else (0, 1, 2, 50):
        record = played(options_of("en", differences), players, seed)
        if not is_new and hides_a_veto(record):
            continue
        summary = summary_of(
            record, is_new=is_new, setting=setting, customGameSettings=deepcopy(custom)
        )

        line = line_of_summary(summary)

        assert course_of(read(line)) == course_of(record)
        assert read(line).options == record.options
        if is_new:
            listed = listed_shuffles(record)
            assert read(line).deal == record.deal
            assert read(line).shuffles[:listed] == record.shuffles[:listed]
            assert listed < len(record.shuffles) or "rebuilt_pile" not in line["record"]
        else:
            assert line["record"]["rebuilt_pile"]


def hides_a_veto(record: Record) -> bool:
    """Return whether the populace enacted what the vetoed hand held too: old summaries hide it."""
    return any(
        isinstance(event, Enacted) and event.by == "chaos" and event.policy in before.state.hand
        for before, after in pairwise(replay(record))
        for event in after.events
    )


def listed_shuffles(record: Record) -> int:
    """Return how many shuffles came before the last candidacy, which lists no pile after it."""
    actions = [entry.action for entry in record.entries]
    last = max(n for n, action in enumerate(actions) if isinstance(action, Nominate))
    early = (step for step in replay(record) if step.after <= last)
    return sum(isinstance(event, Shuffled) for step in early for event in step.events)


@pytest.mark.parametrize(
    ("name", "is_new"),
    [
        ("en-sealed", False),
        ("en-chaos-then-liberals", False),
        ("pl-veto-chaos", True),
    ],
)
def test_a_record_of_ours_comes_back_by_its_summary(name, is_new):
    record = parse_record((RECORDS / f"{name}.json").read_bytes())

    line = line_of_summary(summary_of(record, is_new=is_new))

    assert course_of(read(line)) == course_of(record)


def some_game(seed: int = 1) -> dict:
    return summary_of(played(options_of("en"), 7, seed), is_new=False)


def test_the_date_of_a_summary_is_that_of_the_first_action():
    for date, at in (("2021-03-04T20:00:00.000Z",) * 2, ("yesterday", None), ({"$date": 1}, None)):
        record = read(line_of_summary(some_game() | {"date": date}))
        assert (record.entries[0].at, record.entries[1].at) == (at, None)


def test_claims_are_kept_where_their_seat_saw_something():
    summary = some_game()
    for log in summary["logs"]:
        log |= {
            "presidentClaim": {"reds": 3, "blues": 0},
            "chancellorClaim": ["fascist", "liberal"],
            "policyPeekClaim": None,
            "investigationClaim": "liberal",
        }

    line = line_of_summary(summary)

    kinds = Counter(claim["kind"] for claim in line["claims"])
    hands = sum("presidentHand" in log for log in summary["logs"])
    investigations = sum("investigationId" in log for log in summary["logs"])
    assert kinds == Counter(president=hands, chancellor=hands, investigation=investigations)
    assert len(read_claims(line, read(line))) == kinds.total()


def test_a_true_claim_of_a_peek_is_true_whatever_the_order():
    for seed in range(200):
        summary = summary_of(played(options_of("en"), 5, seed), is_new=False)
        peeks = [log for log in summary["logs"] if "policyPeek" in log]
        if peeks and 0 < peeks[0]["policyPeek"]["reds"] < 3:
            break
    peeks[0]["policyPeekClaim"] = dict(peeks[0]["policyPeek"])

    line = line_of_summary(summary)

    *_, last = replay(read(line))
    (claim,) = read_claims(line, read(line))
    assert claim in last.state.knowledge


def game_with_a_peek(*, is_new: bool = False, is_mixed: bool = False) -> tuple[dict, dict]:
    """Return a summary, and its log in which the President peeked."""
    for seed in range(200):
        summary = summary_of(played(options_of("en"), 5, seed), is_new=True)
        peeks = [log for log in summary["logs"] if "policyPeek" in log]
        if peeks and (not is_mixed or len({*peeks[0]["policyPeek"]}) > 1):
            break
    if not is_new:
        summary = summary_of(played(options_of("en"), 5, seed), is_new=False)
    return summary, next(log for log in summary["logs"] if "policyPeek" in log)


def test_a_peek_that_is_not_told_is_unknown_unless_the_pile_is():
    summary, log = game_with_a_peek()
    number = summary["logs"].index(log) + 1
    log["policyPeekClaim"] = {"reds": 3, "blues": 0}
    assert "unknown_peeks" not in line_of_summary(summary)["record"]

    del log["policyPeek"]
    line = line_of_summary(summary)

    assert line["record"]["unknown_peeks"] == [number]
    assert [claim["claimed"] for claim in line["claims"]] == [["fascist"] * 3]
    summary, log = game_with_a_peek(is_new=True)
    del log["policyPeek"]
    assert "unknown_peeks" not in line_of_summary(summary)["record"]


def test_a_listed_peek_has_its_order_and_so_has_a_claim_of_it():
    summary, log = game_with_a_peek(is_new=True, is_mixed=True)
    for other in summary["logs"]:
        del other["deckState"]
    order = list(log["policyPeek"])
    for claimed in (order, order[::-1]):
        log["policyPeekClaim"] = claimed
        line = line_of_summary(summary)
        *_, last = replay(read(line))
        (seen,) = (item for item in last.state.knowledge if isinstance(item, TopSeen))
        assert list(seen.policies) == order
        assert [claim["claimed"] for claim in line["claims"]] == [claimed]


def test_piles_that_are_listed_in_two_ways_are_rebuilt():
    summary = summary_of(played(options_of("en"), 7, 1), is_new=True)
    listed = summary["logs"][1]["deckState"]
    swapped = next(i for i in range(3, len(listed)) if listed[i] != listed[-1])
    listed[swapped], listed[-1] = listed[-1], listed[swapped]

    assert line_of_summary(summary)["record"]["rebuilt_pile"]


def wrong(change) -> RecordError:
    summary = some_game()
    change(summary)
    with pytest.raises(RecordError) as found:
        line_of_summary(summary)
    return found.value


OTHER_GAMES = {
    "gameSetting.avalonSH": lambda game: game["gameSetting"].update(avalonSH={"percival": True}),
    "gameSetting.noTopdecking": lambda game: game["gameSetting"].update(noTopdecking=1),
    "customGameSettings.powers[1]": lambda game: game.update(
        customGameSettings=CUSTOM | {"powers": [None, "reverseinv", None, None, None]}
    ),
    "customGameSettings": lambda game: game.update(
        customGameSettings=CUSTOM | {"deckState": {"lib": 60, "fas": 12}}
    ),
}


@pytest.mark.parametrize("path", OTHER_GAMES)
def test_rules_that_no_table_here_has_are_named(path):
    error = wrong(OTHER_GAMES[path])

    assert (error.code, error.path) == ("other_game", path)


def test_a_broken_rule_is_told_with_its_candidacy():
    def nominate_oneself(game: dict) -> None:
        game["logs"][1]["chancellorId"] = game["logs"][1]["presidentId"]

    def come_out_of_turn(game: dict) -> None:
        game["logs"][1]["presidentId"] = game["logs"][0]["presidentId"]

    def execute_too_early(game: dict) -> None:
        game["logs"][0]["execution"] = 3

    told = [wrong(change) for change in (nominate_oneself, come_out_of_turn, execute_too_early)]

    assert [(error.code, error.params["number"], error.params["reason"]) for error in told] == [
        ("illegal_candidacy", 2, Reason.YOURSELF),
        ("illegal_candidacy", 2, Reason.NOT_YOUR_TURN),
        ("illegal_candidacy", 1, Reason.WRONG_PHASE),
    ]


def test_cards_that_cannot_have_been_there_are_refused():
    def pass_on_what_was_not_drawn(game: dict) -> None:
        log = next(log for log in game["logs"] if "presidentHand" in log)
        log["presidentHand"] = {"reds": 3, "blues": 0}
        log["chancellorHand"] = {"reds": 0, "blues": 2}

    assert wrong(pass_on_what_was_not_drawn).code == "wrong_cards"
    assert wrong(lambda game: game["logs"].pop()).code == "unfinished_game"


FAILED = {"votes": [False] * 7, "presidentId": 0, "chancellorId": 1}
DRAWN = {"presidentHand": {"reds": 3, "blues": 0}, "chancellorHand": {"reds": 2, "blues": 0}}


@pytest.mark.parametrize(
    ("log", "key"),
    [
        (FAILED | {"enactedPolicy": "liberal"}, "enactedPolicy"),
        (FAILED | {"presidentHand": DRAWN["presidentHand"]}, "presidentHand"),
        (FAILED | {"chancellorHand": DRAWN["chancellorHand"]}, "chancellorHand"),
        # What came out of no hand is the populace's, and nothing failed before.
        (FAILED | DRAWN | {"votes": [True] * 7, "enactedPolicy": "liberal"}, "enactedPolicy"),
    ],
)
def test_cards_are_refused_where_none_can_have_come_out(log, key):
    rules = CUSTOM | {"trackState": {"lib": 0, "fas": 1}, "vetoZone": 1}
    players = summary_of(played(options_of("en"), 7, 1))["players"]

    with pytest.raises(RecordError) as found:
        line_of_summary({"players": players, "customGameSettings": rules, "logs": [log]})

    error = found.value
    assert (error.code, error.path) == ("wrong_cards", f"logs[0].{key}")
    assert error.params["number"] == 1


@pytest.mark.parametrize("change", [{"chancellorVeto": True}, {"presidentVeto": True}])
def test_a_veto_is_refused_where_none_was_proposed(change):
    def veto(game: dict) -> None:
        log = next(log for log in game["logs"] if "presidentHand" not in log)
        log |= change

    def agree_alone(game: dict) -> None:
        game["logs"][0] |= {"presidentVeto": True}

    for each in (veto, agree_alone):
        error = wrong(each)
        assert error.params["reason"] in (Reason.WRONG_PHASE, Reason.VETO_LOCKED)


def test_a_switch_is_true_or_false():
    for change in (
        {"gameSetting": {"rebalance7p": "false"}},
        {"customGameSettings": {"enabled": 1}},
        {"logs": [some_game()["logs"][0] | {"votes": [True] * 7, "chancellorVeto": 1} | DRAWN]},
    ):
        assert wrong(lambda game, change=change: game.update(change)).code == "not_boolean"


def test_a_peek_that_the_next_hand_belies_is_refused_with_its_round():
    for seed in range(200):
        summary = summary_of(played(options_of("en"), 5, seed), is_new=False)
        pairs = [pair for pair in pairwise(summary["logs"]) if "policyPeek" in pair[0]]
        if pairs and "presidentHand" in pairs[0][1] and pairs[0][0]["policyPeek"]["reds"] == 2:
            break
    peek, after = pairs[0]
    peek["policyPeek"] = {"reds": 1, "blues": 2}

    with pytest.raises(RecordError) as found:
        line_of_summary(summary)

    assert found.value.code == "wrong_cards"
    assert found.value.params["number"] == summary["logs"].index(after) + 1


@pytest.mark.parametrize("name", ["mockGameSummary", "p5HitlerElected"])
def test_a_summary_of_that_site_is_read_and_one_policy_more_is_refused(name):
    summary = parse_json((EXAMPLES / f"{name}.json").read_bytes())
    enacted = [log["enactedPolicy"] for log in summary["logs"] if "enactedPolicy" in log]

    line = line_of_summary(summary)

    assert read_claims(line, read(line))
    told = [event for step in replay(read(line)) for event in step.events]
    assert [str(event.policy) for event in told if isinstance(event, Enacted)] == enacted
    failed = next(log for log in summary["logs"] if "enactedPolicy" not in log)
    failed["enactedPolicy"] = "liberal"
    with pytest.raises(RecordError, match="wrong_cards"):
        line_of_summary(summary)


def test_a_summary_of_that_site_in_which_a_chancellor_stands_again_is_refused():
    with pytest.raises(RecordError) as found:
        line_of_summary(parse_json((EXAMPLES / "veto.json").read_bytes()))

    assert found.value.params == {"number": 6, "reason": Reason.TERM_LIMITED}


JUNK = [None, True, -1, 99, 1.5, "", "liberal", [], [[]], {}, {"reds": 1}, {"reds": [], "blues": 9}]
CHANGES = times("EXAMPLES", 200, 2000)


@pytest.mark.parametrize("is_new", [True, False], ids=["new", "old"])
def test_whatever_stands_in_a_summary_it_is_read_or_refused(is_new):
    record = played(options_of("en", HOUSE_RULES), 7, 1)
    summary = summary_of(record, is_new=is_new, customGameSettings=deepcopy(CUSTOM))
    every = list(product(places(summary), JUNK))
    for place, junk in Random(1).sample(every, min(CHANGES, len(every))):
        changed = deepcopy(summary)
        holder = changed
        for key in place[:-1]:
            holder = holder[key]
        holder[place[-1]] = junk
        with suppress(RecordError):
            read(line_of_summary(changed))


def places(value: object, place: tuple = ()) -> list[tuple]:
    """Return the path of each value; of lists, of the first three items."""
    if isinstance(value, dict):
        below = list(value.items())
    elif isinstance(value, list):
        below = list(enumerate(value))[:3]
    else:
        return [place]
    deeper = [found for key, item in below for found in places(item, (*place, key))]
    return deeper + ([place] if place else [])
