"""What a case's page shows about the accounts at its table: signals, but no address."""

from collections.abc import Sequence
from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from accounts.services.signals import new_device, note_signals
from games.models import Case, Game, GameAction, Motion, Sat, Seat, Table
from games.moderation.pair_signals import PairSignals, signals_at
from tests.builders.cases import NOT_FOUND, of, office, read, reported, status
from tests.builders.tables import NAMES, gather, is_over, person, play_until, run_table

pytestmark = pytest.mark.django_db

ADDRESS = "203.0.113.7"


def come_from(address: str, device: str, *names: str) -> None:
    for name in names:
        note_signals(user=person(name), address=address, device=device, now=timezone.now())


def finished(
    ballots: Sequence[dict[str, str]], names: Sequence[str] = NAMES[:5], **columns: object
) -> Table:
    """Return a table whose game is over, with these ballots for each election."""
    table = Table.objects.create(host=person(names[0]), edition="en", stage="over", **columns)
    for number, name in enumerate(names):
        Seat.objects.create(table=table, number=number, user=person(name), name=name)
    game = Game.objects.create(table=table, players=len(names), ended_at=timezone.now())
    actions = []
    for election in ballots:
        actions.append((0, {"seat": 0, "action": "nominate", "target": 1}))
        for name, ballot in election.items():
            seat = names.index(name)
            actions.append((seat, {"seat": seat, "action": "vote", "ballot": ballot}))
    GameAction.objects.bulk_create(
        GameAction(
            game=game, number=number, seat=seat, action=action, by="player", at=timezone.now()
        )
        for number, (seat, action) in enumerate(actions)
    )
    # No one follows anyone.
    sat_down(table, **{name: 10 * number for number, name in enumerate(names)})
    return table


def sat_down(table: Table, **minutes: float) -> None:
    for name, after in minutes.items():
        at = table.created_at + timedelta(minutes=after)
        Sat.objects.filter(table=table, user=person(name)).update(at=at)


def pair(table: Table, first: str, second: str) -> PairSignals | None:
    found = {frozenset((each.first, each.second)): each for each in signals_at(table)}
    return found.get(frozenset((first, second)))


# Ada and Boris vote alike, the others in turn.
ALIKE = [
    {"Ada": "ja", "Boris": "ja", "Chika": "nein", "Dario": "ja", "Ewa": "nein"},
    {"Ada": "nein", "Boris": "nein", "Chika": "nein", "Dario": "ja", "Ewa": "ja"},
]


def test_a_shared_address_raises_a_flag_at_the_case_and_is_not_shown(table):
    mira, case = office("Mira"), reported(table)
    assert "Signals between accounts" not in read(mira, of(case))
    come_from(ADDRESS, "", "Boris", "Chika")

    page = read(mira, of(case))

    assert "Signals between accounts" in page
    assert "1 shared network" in page and "shared browser" not in page
    assert "203.0.113" not in page
    found = signals_at(table)
    assert [(each.first, each.second, each.addresses) for each in found] == [("Boris", "Chika", 1)]


def test_a_shared_browser_comes_first_and_reporters_are_compared_too(table):
    mira, case = office("Mira"), reported(table, "Sofia")
    come_from(ADDRESS, "", "Boris", "Chika")
    come_from("198.51.100.1", new_device(), "Ada", "Sofia")

    page = read(mira, of(case))

    assert "1 shared browser" in page
    assert page.index("1 shared browser") < page.index("1 shared network")
    assert "Sofia" in page[page.index("Signals between accounts") :]


def test_equal_ballots_are_compared_with_the_usual_share(table):
    for _ in range(10):
        finished(ALIKE)

    found = pair(table, "Ada", "Boris")

    assert found is not None
    assert (found.equal, found.ballots, found.share) == (20, 20, 1.0)
    # Of ten pairs, four voted alike in the first election and four in the second.
    assert found.usual == pytest.approx(0.4)
    page = read(office("Mira"), of(reported(table)))
    assert "Equal ballots: 20 of 20 (100%; usually 40%)" in page


def test_a_ballot_cast_again_counts_once_and_only_people_s_own_count(table):
    again = finished([{"Ada": "ja", "Boris": "nein"}])
    GameAction.objects.create(
        game=again.game,
        number=3,
        seat=1,
        action={"seat": 1, "action": "vote", "ballot": "ja"},
        by="player",
        at=timezone.now(),
    )
    by_clock = finished([{"Ada": "ja", "Boris": "nein"}])
    GameAction.objects.filter(game=by_clock.game, seat=1).update(by="clock")
    come_from(ADDRESS, "", "Ada", "Boris")

    found = pair(table, "Ada", "Boris")

    assert found is not None and (found.equal, found.ballots) == (1, 1)


def test_the_new_owner_of_a_seat_does_not_inherit_its_ballots(table):
    replaced = finished(ALIKE)
    Motion.objects.create(
        table=replaced,
        ordinal=1,
        kind="replace",
        mover=0,
        seat=1,
        moved_at=timezone.now(),
        outcome="passed",
        number=6,
    )
    come_from(ADDRESS, "", "Ada", "Boris")

    found = pair(table, "Ada", "Boris")

    assert found is not None and (found.equal, found.ballots) == (1, 1)


def test_accounts_that_always_sit_together_are_shown(table):
    for _ in range(5):
        finished([])
    finished([], ["Ada", "Chika", "Fumio", "Giulia", "Henryk"])
    for _ in range(10):
        finished([], ["Chika", "Fumio", "Giulia", "Henryk", "Irina"])

    found = pair(table, "Ada", "Boris")

    assert found is not None
    assert (found.together, found.first_games, found.second_games) == (5, 6, 5)
    assert "Games together: 5 (of 6 and 5)" in read(office("Mira"), of(reported(table)))


def test_accounts_that_follow_others_are_shown_and_playing_again_does_not_count(table):
    for _ in range(3):
        sat_down(finished([]), Ada=50, Boris=50.5)
    late = finished([])
    sat_down(late, Ada=50, Boris=55)
    again = finished([])
    sat_down(again, Ada=50, Boris=50.5)
    late.next_table = again
    late.save()

    found = pair(table, "Ada", "Boris")

    assert found is not None
    assert (found.second_followed, found.first_followed, found.joined) == (3, 0, 4)
    page = read(office("Mira"), of(reported(table)))
    assert "<bdi>Boris</bdi> sat down within a minute after <bdi>Ada</bdi>: 3 of 4" in page


def test_a_running_game_does_not_change_the_signals(table):
    for _ in range(5):
        finished(ALIKE)
    come_from(ADDRESS, "", "Ada", "Boris")
    before = signals_at(table)

    play_until(table, lambda state: state.round > 2)
    assert signals_at(table) == before
    run_table()
    assert signals_at(table) == before
    play_until(table, is_over)
    assert signals_at(table) != before


def test_a_blind_table_shows_no_signals_before_the_end():
    table = run_table(is_blind=True)
    # The seats at a blind table are drawn, and players cannot report their own.
    mira, case = office("Mira"), reported(table, who="Sofia")
    come_from(ADDRESS, new_device(), "Ada", "Boris")
    assert "Signals between accounts" not in read(mira, of(case))

    play_until(table, is_over)

    assert "Signals between accounts" in read(mira, of(case))


def test_only_moderators_who_may_judge_the_case_see_the_signals(table):
    case = reported(table)
    come_from(ADDRESS, new_device(), "Boris", "Chika")
    mira = office("Mira")
    note_signals(user=mira, address="", device=new_device(), now=timezone.now())
    assert "Signals between accounts" in read(mira, of(case))

    for other in (office("Ewa"), person("Sofia"), person("Boris")):
        assert status(other, of(case)) == NOT_FOUND


def test_the_number_of_statements_does_not_grow_with_the_signals(table):
    def statements(of_table: Table) -> int:
        with CaptureQueriesContext(connection) as asked:
            signals_at(of_table)
        return len(asked)

    finished(ALIKE)
    come_from(ADDRESS, "", "Ada", "Boris")
    few = statements(table)
    for _ in range(6):
        finished(ALIKE)
    large = gather(NAMES, seed=bytes(32))
    come_from(ADDRESS, new_device(), *NAMES)

    assert few == statements(table) == statements(large) == 10
    assert len(signals_at(large)) == 15
    assert not Case.objects.exists()
