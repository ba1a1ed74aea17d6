"""What a case's page shows about the accounts at its table: signals, but no address."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from accounts.services.signals import new_device, note_signals
from games.models import Case, Table
from games.moderation.pair_signals import signals_at
from tests.builders.cases import NOT_FOUND, of, office, read, reported, status
from tests.builders.tables import NAMES, gather, is_over, person, play_until, run_table

pytestmark = pytest.mark.django_db

ADDRESS = "203.0.113.7"


def come_from(address: str, device: str, *names: str) -> None:
    for name in names:
        note_signals(user=person(name), address=address, device=device, now=timezone.now())


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

    come_from(ADDRESS, "", "Ada", "Boris")
    few = statements(table)
    large = gather(NAMES, seed=bytes(32))
    come_from(ADDRESS, new_device(), *NAMES)

    assert few == statements(large) == 2
    assert len(signals_at(large)) == 15
    assert not Case.objects.exists()
