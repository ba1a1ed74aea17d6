"""Who is matched with whom: properties that hold for any users who wait."""

from datetime import UTC, datetime, timedelta
from itertools import combinations

from hypothesis import given, settings
from hypothesis import strategies as st

from games.rules.editions import EDITIONS
from games.selectors.open_tables import SIZES
from games.services.matching import Waiting, match_people, match_with_bots, offers, together
from tests.examples import examples

NOW = datetime(2026, 1, 1, 12, tzinfo=UTC)
LONG_AGO = NOW - timedelta(minutes=1)


def wants(user: int, *, since: datetime = LONG_AGO, **wanted: object) -> Waiting:
    return Waiting(**{"user": user, "pace": "normal", "since": since} | wanted)


def everyone(count: int, **wanted: object) -> list[Waiting]:
    return [wants(user, **wanted) for user in range(count)]


def some(*values: object) -> st.SearchStrategy:
    return st.sampled_from(values)


@st.composite
def crowds(draw) -> tuple[list[Waiting], set[frozenset[int]]]:
    """Draw users with all kinds of wishes, and pairs of them who must not meet."""
    count = draw(st.integers(0, 14))
    users = [
        Waiting(
            user=user,
            pace=draw(some("normal", "normal", "blitz", "")),
            since=NOW - timedelta(seconds=draw(st.integers(0, 60))),
            languages=draw(some((), ("en",), ("pl",), ("en", "pl"))),
            size=draw(some("", "", "5-6", "9-10")),
            bots_at=draw(some(None, NOW + timedelta(seconds=2), LONG_AGO)),
        )
        for user in range(count)
    ]
    pairs = [frozenset(pair) for pair in combinations(range(count), 2)]
    apart = draw(st.sets(st.sampled_from(pairs), max_size=6)) if pairs else set()
    return users, apart


@settings(max_examples=examples(200), deadline=None)
@given(crowds())
def test_everyone_is_seated_once_at_a_table_that_they_want_and_never_with_someone_blocked(crowd):
    users, apart = crowd
    known = {one.user: one for one in users}
    people = match_people(users, apart, NOW)
    taken = {user for match in people for user in match.users}
    bots = match_with_bots([one for one in users if one.user not in taken], apart, NOW)

    seated = [user for match in (*people, *bots) for user in match.users]
    assert len(seated) == len(set(seated))
    for match in (*people, *bots):
        assert all(match.offer.suits(known[user]) for user in match.users)
        assert not any(frozenset(pair) in apart for pair in combinations(match.users, 2))
        assert not match.begins or (
            match.offer.least <= len(match.users) + match.bots <= match.offer.most
        )
        smallest, largest = EDITIONS[match.offer.edition].players
        assert smallest <= match.offer.least <= match.offer.most <= largest
    assert all(match.bots == 0 for match in people)
    assert all(known[user].bots_at is not None for match in bots for user in match.users)


@settings(max_examples=examples(200), deadline=None)
@given(crowds())
def test_no_game_is_left_among_the_users_who_remain(crowd):
    users, _ = crowd
    taken = {user for match in match_people(users, (), NOW) for user in match.users}
    rest = [one for one in users if one.user not in taken]

    for offer in offers(rest):
        assert sum(offer.suits(one) for one in rest) < offer.least


def test_as_many_as_want_the_same_are_seated_without_a_rest():
    for count in range(5, 41):
        sizes = [len(match.users) for match in match_people(everyone(count), (), NOW)]
        assert sum(sizes) == count
        assert all(5 <= size <= 10 for size in sizes)


def test_a_table_of_the_wanted_size_begins_at_once_and_a_smaller_one_waits_a_moment():
    def begins(count: int, since: datetime) -> list[bool]:
        crowd = everyone(count, size="5-6", since=since)
        return [match.begins for match in match_people(crowd, (), NOW)]

    just_now = NOW - timedelta(seconds=1)
    assert begins(6, just_now) == [True]
    assert begins(5, just_now) == [False]
    assert begins(5, LONG_AGO) == [True]
    assert begins(4, LONG_AGO) == []


def test_who_has_waited_longest_plays_first():
    first = wants(99, since=LONG_AGO - timedelta(minutes=5), size="5-6")
    others = everyone(6, size="5-6")

    [match] = match_people([*others, first], (), NOW)

    assert match.users[0] == 99


def test_people_who_speak_one_language_are_matched_although_some_speak_more():
    crowd = [
        wants(0, languages=("en", "pl")),
        wants(1, languages=("ru",)),
        *(wants(user, languages=("pl",)) for user in range(2, 5)),
        wants(5),
    ]

    [match] = match_people(crowd, (), NOW)

    assert match.offer.language == "pl"
    assert set(match.users) == {0, 2, 3, 4, 5}


def test_bots_join_those_who_agree_and_fill_a_table_of_seven():
    crowd = [wants(0, bots_at=NOW), wants(1, bots_at=NOW + timedelta(minutes=1)), wants(2)]

    [match] = match_with_bots(crowd, (), NOW)

    assert (match.users, match.bots) == ((0, 1), 5)
    assert match.begins


def test_bots_come_only_when_one_has_waited_long_enough():
    [match] = match_with_bots([wants(0, bots_at=NOW + timedelta(seconds=1))], (), NOW)

    assert not match.begins


def test_the_most_people_sit_together_when_one_is_blocked_by_many():
    users = everyone(6)
    apart = {frozenset((0, other)) for other in (1, 2, 3)}

    assert [one.user for one in together(users, apart)] == [1, 2, 3, 4, 5]


def test_there_is_a_table_for_every_size_of_the_lobby():
    assert all(list(offers([wants(0, size=size)])) for size in SIZES)
