"""The public counts of moderators' acts: nothing in them changes with a running game."""

import re
from collections.abc import Callable
from datetime import datetime, timedelta

import pytest
from django.test import Client
from django.utils import timezone

from accounts.services.appeals import decide_appeal, make_appeal
from games.models import Table
from games.services import cases, chat, table_moderation
from tests.builders.cases import office, reported, taken
from tests.builders.tables import fresh, gather, is_over, person, play_until, run_table

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]


class Days:
    """The clock of a test, which stands at one moment of a day."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        # The middle of a month, so that days may pass within it.
        self.now: datetime = timezone.now().replace(day=15, hour=20)
        monkeypatch.setattr(timezone, "now", lambda: self.now)

    def later(self, **how: int) -> None:
        self.now += timedelta(**how)


@pytest.fixture
def days(monkeypatch) -> Days:
    return Days(monkeypatch)


def conduct() -> str:
    """Return the page without the token, which is drawn anew for each."""
    return re.sub(r"[A-Za-z0-9]{64}", "", Client().get("/conduct/").content.decode())


def removed(table: Table) -> None:
    chat.say(table=table, user=person("Ada"), text="Something rude", place="table", key="k")
    chat.remove_message(table=table, user=office("Mira"), place="table", nth=1, reason="rude")


def replaced(table: Table) -> None:
    how = {"heir": table_moderation.Heir.BOT, "because": "conduct", "reason": "rude"}
    table_moderation.replace_seat(actor=office("Mira"), table=table, number=3, name="Dario", **how)


def dismissed(table: Table) -> None:
    mira = office("Mira")
    cases.dismiss_case(actor=mira, case=taken(reported(table), mira))


def sanctioned(table: Table) -> None:
    mira = office("Mira")
    cases.act_on_case(actor=mira, case=taken(reported(table), mira), kind="warning", reason="Rude.")


def appealed(table: Table) -> None:
    sanctioned(table)
    dario = person("Dario")
    appeal = make_appeal(user=dario, sanction_pk=dario.sanctions.get().pk, text="It was not me.")
    actor = office("Olaf")
    decide_appeal(actor=actor, appeal=appeal, outcome="lifted", answer="Right.", language="en")


ACTS: dict[str, Callable[[Table], None]] = {
    "Messages removed": removed,
    "Seats reassigned": replaced,
    "Cases decided": dismissed,
    "Warnings": sanctioned,
    "Appeals granted": appealed,
}


@pytest.mark.parametrize("label", ACTS)
def test_acts_during_a_game_are_counted_on_the_day_after_its_end(label, days):
    table = run_table()
    nothing = conduct()

    ACTS[label](table)
    assert conduct() == nothing
    # Nor on the next day, while the game goes on.
    days.later(days=1)
    assert conduct() == nothing
    end(fresh(table))
    assert conduct() == nothing

    days.later(hours=4)
    assert f"<dt>{label}</dt><dd>1</dd>" in conduct()


def end(table: Table) -> None:
    table_moderation.void_game(
        actor=office("Olaf"), table=table, because="fault", reason="The site was away"
    )


def test_acts_while_a_table_gathers_are_counted_after_its_game(days):
    table = gather()
    nothing = conduct()
    removed(table)
    days.later(days=1)
    assert conduct() == nothing


def test_acts_after_the_end_are_counted_on_the_next_day(days):
    table = run_table()
    play_until(table, is_over)
    days.later(days=1)
    nothing = conduct()
    removed(fresh(table))
    assert conduct() == nothing

    days.later(days=1)
    assert "<dt>Messages removed</dt><dd>1</dd>" in conduct()
