"""Hints from a finished game: computed from the record alone, seat by seat."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

import pytest

from games.moderation.conduct_signs import ConductSign, SignKind, conduct_signs_of, time_in_seat
from games.rules.actions import Action, Discard, Enact, Nominate, Vote
from games.rules.chance import Deal
from games.rules.components import Ballot, Policy, Role
from games.rules.editions import options_of
from games.rules.record import Entry, Record
from games.rules.view import turns_of
from tests.builders.tables import ROLE
from tests.games.rules.table import cards, full_deck

L, F = Policy.LIBERAL, Policy.FASCIST
MINUTE = timedelta(minutes=1)


def elected(president: int, chancellor: int) -> list[Action]:
    return [Nominate(president, chancellor), *(Vote(seat, Ballot.JA) for seat in range(5))]


def a_record(
    actions: Sequence[Action],
    *,
    top: str = "LFFLFF",
    by: dict[int, str] | None = None,
    late: dict[int, int] | None = None,
) -> Record:
    """Return a record: liberals 0 to 2, fascist 3, Hitler 4; seat 0 is the first candidate.

    `by` maps an action's number to who made it; `late` to the extra seconds it took.
    """
    deal = Deal(
        roles=tuple(ROLE[letter] for letter in "LLLFH"),
        draw_pile=cards(full_deck(top)),
        first_candidate=0,
    )
    at, entries = datetime(2031, 5, 17, 12, tzinfo=UTC), []
    for number, action in enumerate(actions):
        at += timedelta(seconds=1 + (late or {}).get(number, 0))
        said = f"{at:%Y-%m-%dT%H:%M:%S.%fZ}"
        entries.append(Entry(action, said, (by or {}).get(number, "player")))
    return Record(
        edition="en",
        options=options_of("en", {}),
        seats=("Ada", "Boris", "Chika", "Dario", "Ewa"),
        deal=deal,
        entries=tuple(entries),
    )


def hints_in(record: Record, seat: int, **how: object) -> tuple[ConductSign, ...]:
    return conduct_signs_of(turns_of(record, seat), **how)


def signs(record: Record, seat: int, **how: object) -> list[SignKind]:
    return [hint.sign for hint in hints_in(record, seat, **how)]


def test_a_liberal_president_who_discards_a_liberal_policy_is_hinted_at():
    record = a_record([*elected(0, 1), Discard(0, L), Enact(1, F)])

    assert hints_in(record, 0) == (ConductSign(SignKind.DISCARDED_LIBERAL, (1,), 1),)
    # The Chancellor received two fascist policies and had no choice.
    assert hints_in(record, 1) == ()


def test_a_liberal_president_who_discards_a_fascist_policy_is_not():
    record = a_record([*elected(0, 1), Discard(0, F), Enact(1, L)])

    assert hints_in(record, 0) == hints_in(record, 1) == ()


def test_a_liberal_president_with_liberal_policies_alone_is_not():
    record = a_record([*elected(0, 1), Discard(0, L), Enact(1, L)], top="LLLFFF")

    assert hints_in(record, 0) == ()


def test_a_liberal_chancellor_who_enacts_a_fascist_policy_with_a_liberal_one_in_hand_is():
    record = a_record([*elected(0, 1), Discard(0, F), Enact(1, F)])

    assert hints_in(record, 1) == (ConductSign(SignKind.ENACTED_FASCIST, (1,), 1),)


def test_fascists_and_hitler_may_do_as_they_like():
    first = [*elected(0, 4), Discard(0, F), Enact(4, F)]
    second = [*elected(1, 3), Discard(1, F), Enact(3, F)]
    record = a_record([*first, *second])

    assert record.deal.roles[3] == Role.FASCIST
    assert hints_in(record, 3) == hints_in(record, 4) == ()


def test_what_a_stand_in_did_is_not_held_against_the_player():
    record = a_record([*elected(0, 1), Discard(0, L), Enact(1, F)], by={6: "clock"})

    assert signs(record, 0) == [SignKind.RAN_OUT]


def test_decisions_that_the_clock_made_are_counted_of_all():
    actions = [*elected(0, 1), Discard(0, F), Enact(1, L), *elected(1, 2), Discard(1, F)]
    record = a_record(actions, by={0: "clock", 1: "player"})

    # The clock nominated; Ada cast two ballots and discarded.
    assert hints_in(record, 0) == (ConductSign(SignKind.RAN_OUT, (1,), 1, 4),)


def test_whoever_is_away_for_the_last_decisions_has_left():
    actions = [*elected(0, 1), Discard(0, F), Enact(1, L), *elected(1, 2)]
    # Chika's ballots are actions 3 and 11.
    record = a_record(actions, by={3: "clock", 11: "clock"})

    assert hints_in(record, 2) == (
        ConductSign(SignKind.RAN_OUT, (1, 2), 2, 2),
        ConductSign(SignKind.LEFT, (1,), 2),
    )


def test_whoever_came_back_has_not_left():
    actions = [*elected(0, 1), Discard(0, F), Enact(1, L), *elected(1, 2)]
    record = a_record(actions, by={3: "clock"})

    assert signs(record, 2) == [SignKind.RAN_OUT]


def test_a_share_of_slow_decisions_is_told():
    actions = [*elected(0, 1), Discard(0, F), Enact(1, L), *elected(1, 2), Discard(1, F)]
    # Ada discards after fifty seconds. The nomination does not count, because its start is unknown.
    actions += [Enact(2, L), *elected(2, 0)]
    record = a_record(actions, late={6: 50})

    assert hints_in(record, 0, allowed=MINUTE) == (ConductSign(SignKind.SLOW, (), 1, 4),)
    assert hints_in(record, 0, allowed=2 * MINUTE) == ()
    assert hints_in(record, 0) == ()


def test_who_votes_again_has_decided_once():
    actions = [Nominate(0, 1), Vote(2, Ballot.JA), Vote(2, Ballot.NEIN)]
    actions += [Vote(seat, Ballot.JA) for seat in (0, 1, 3, 4)]
    record = a_record(actions, by={1: "clock"})

    assert hints_in(record, 2) == (ConductSign(SignKind.RAN_OUT, (1,), 1, 1),)


def test_only_the_time_in_which_the_person_had_the_seat_counts():
    actions = [*elected(0, 1), Discard(0, L), Enact(1, F)]
    record = a_record(actions)

    assert signs(record, 0, last=6) == []
    assert signs(record, 0, first=7) == []
    assert signs(record, 0, first=6, last=7) == [SignKind.DISCARDED_LIBERAL]


@pytest.mark.parametrize(
    ("changes", "length", "expected"),
    [([], 5, (0, None)), ([3], 2, (0, 3)), ([3], 3, (3, None)), ([3, 9], 5, (3, 9))],
)
def test_a_seat_that_changed_hands_is_each_one_s_for_a_time(changes, length, expected):
    assert time_in_seat(changes, length) == expected
