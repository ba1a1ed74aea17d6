"""Which pairs of players are told to vote alike: those that vote as one, and no others."""

import json
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from games.moderation.ballots import ballots_of
from games.rating.alike import Votes, percent_alike
from games.rules.actions import Nominate, Vote
from games.rules.components import Ballot
from games.rules.record import Entry, read_record
from tests.bench.alike_votes import simulate

TABLE = tuple(range(7))


def told(*elections: str, games: int = 5) -> int | None:
    """Return what is told of the players at seats 0 and 1 who met in games with these votes."""
    return percent_alike(0, 1, [Votes(TABLE, " ".join(elections))] * games)


def test_accounts_that_vote_as_one_are_found():
    found = simulate(pairs=20, games=40, copies=1.0, seed=3)
    assert all(pair.after is not None for pair in found)


def test_players_with_habits_of_their_own_are_not():
    found = simulate(pairs=30, games=60, copies=0.0, seed=3)
    assert [pair for pair in found if pair.after is not None] == []


def test_the_share_of_equal_ballots_is_told():
    assert told("jjnn---", "nnjj---", "jjnnj--", "nnjjn--", "jnjn---") == 80


def test_a_few_elections_or_games_tell_nothing():
    alike = ("jjnn---", "nnjj---", "jjnnj--", "nnjjn--")
    assert told(*alike, games=5) == 100
    assert told(*alike, games=3) is None
    assert told(*alike[:3], games=5) is None


@pytest.mark.parametrize(
    "elections",
    [
        # The whole table agrees: no one was free to differ.
        ("jjjjjjj", "nnnnnnn"),
        # Two players who always say Ja, whatever the others do.
        ("jjnn---", "jjnjn--", "jjnnn--", "jjnnj--"),
        # An officer, or a ballot of the clock.
        ("-jjnnnn", "j-nnnjj", "-nnjjjj", "n-jjnnn"),
        # With two voters the tally says all.
        ("jn-----", "nj-----"),
    ],
)
def test_what_the_table_or_a_habit_explains_is_no_sign(elections: tuple[str, ...]):
    assert told(*elections, games=30) is None


def test_the_order_of_the_two_makes_no_difference():
    chance = Random(1)
    elections = ["".join(chance.choice("jn-") for _ in TABLE) for _ in range(40)]
    votes = Votes(TABLE, " ".join(elections))
    swapped = Votes((1, 0, *TABLE[2:]), " ".join(elections))
    assert votes.between(0, 1) == votes.between(1, 0) == swapped.between(0, 1)


def test_officers_the_clock_and_changed_ballots_are_told_apart():
    file = Path(__file__).parent.parent / "records" / "en-sealed.json"
    record = read_record(json.loads(file.read_text(encoding="utf-8")))

    def cast(seat: int, ballot: Ballot, by: str | None = None) -> Entry:
        return Entry(Vote(seat, ballot), by=by)

    first = [cast(seat, Ballot.JA, by="player") for seat in range(5)]
    second = [cast(2, Ballot.NEIN), cast(3, Ballot.JA, by="clock"), cast(2, Ballot.JA)]
    entries = (Entry(Nominate(0, 1)), *first, Entry(Nominate(1, 4)), *second)

    assert ballots_of(replace(record, entries=entries)) == "--jjj --j--"
