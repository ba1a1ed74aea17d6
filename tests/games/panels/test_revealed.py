"""What a power shows its President stands in the action panel, with what to claim about it."""

import re
from collections.abc import Callable

import pytest

from games.models import Table
from games.rules.actions import Nominate
from games.rules.knowledge import PartySeen, TopSeen
from games.rules.legality import legal_actions
from games.rules.phases import Phase
from games.rules.state import GameState
from tests.builders.person import Person
from tests.builders.tables import NAMES, act, in_phase, play_until, run_table, state_of, user_at

pytestmark = pytest.mark.django_db


def page_of(table: Table, seat: int | None) -> str:
    return Person(None if seat is None else user_at(table, seat), table).page()


def action_panel(table: Table, seat: int | None) -> str:
    page = page_of(table, seat)
    return page[page.index('id="panel-action"') : page.index('id="panel-you"')]


def claims_in(html: str) -> list[str]:
    return re.findall(r'form="claim-form" name="claim" value="([^"]+)"', html)


def seen(kind: type) -> Callable[[GameState], bool]:
    return lambda state: bool(state.knowledge) and isinstance(state.knowledge[-1], kind)


def nominate(table: Table) -> None:
    state = state_of(table)
    act(table, next(it for it in legal_actions(state, state.to_act[0]) if isinstance(it, Nominate)))


@pytest.mark.parametrize(("players", "kind", "answers"), [(5, TopSeen, 8), (7, PartySeen, 2)])
def test_only_the_president_reads_the_result_with_its_claims(players, kind, answers):
    table = run_table(NAMES[:players])
    item = play_until(table, seen(kind)).knowledge[-1]
    for seat in (*range(players), None):
        assert ("Only you see this" in page_of(table, seat)) == (seat == item.seat)
        assert len(claims_in(action_panel(table, seat))) == (answers if seat == item.seat else 0)


def test_the_card_names_the_party_and_disappears_with_the_next_nomination():
    table = run_table(NAMES[:7])
    item = play_until(table, seen(PartySeen)).knowledge[-1]
    html = action_panel(table, item.seat)
    assert f"{NAMES[item.target]}</bdi> is a {item.party}" in html
    nominate(table)
    assert "Only you see this" not in action_panel(table, item.seat)
    play_until(table, in_phase(Phase.PRESIDENT_DISCARDS))
    assert "Only you see this" not in action_panel(table, item.seat)


def test_a_claim_made_from_the_card_is_pressed_there_and_others_stay_free():
    table = run_table(NAMES[:7])
    item = play_until(table, seen(PartySeen)).knowledge[-1]
    viewer = Person(user_at(table, item.seat), table)
    code = claims_in(action_panel(table, item.seat))[1]
    assert viewer.post(f"{viewer.url}claim/", {"claim": code, "key": "k"}).status_code == 303
    html = action_panel(table, item.seat)
    assert f'value="{code}" aria-pressed="true" disabled' in html
    assert html.count("aria-pressed") == 1
