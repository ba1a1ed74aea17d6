"""Five people, five browsers, five languages, one game from the lobby to the end.

`make test` has three of them play with two bots.
"""

import json
import time

import pytest
from django.utils import translation

from games import wording
from games.rules.record import read_record, replay, verify
from tests.browser.company import Company
from tests.browser.person import Person
from tests.browser.secrets_of import leaks, private_marks
from tests.nightly import NIGHTLY

pytestmark = pytest.mark.browser

SEATS = 5


def rounds_seen(person: Person) -> int:
    return person.page.locator("#panel-log h3").count()


def test_five_people_in_five_languages_play_a_whole_game(site, newcomer) -> None:
    ada = newcomer(site, "Ada", language="en")
    lodz = newcomer(site, "Łucja", language="pl", javascript=False, width=390, height=844)
    sakura = newcomer(site, "さくら", language="ja", width=390, height=844)
    people = [ada, lodz, sakura]
    if NIGHTLY:
        people.append(newcomer(site, "Иван", language="ru"))
        people.append(newcomer(site, "Gino", language="it", width=390, height=844))
    onlooker = newcomer(site, "Onlooker", language="en", width=390, height=844)
    for person in people:
        person.register()
        assert person.page.locator("html").get_attribute("lang") == person.language

    ada.page.goto("/tables/new/")
    ada.page.select_option("select[name=edition]", "en")
    ada.page.select_option("select[name=seats_wanted]", "5")
    ada.page.check("input[name=pace][value=normal]")
    ada.page.click("#open")
    ada.page.wait_for_selector("#panel-seats")
    table_path = ada.page.url.removeprefix(ada.line.url)

    for person in people[1:]:
        # Through the lobby, as a stranger would find it.
        if person.javascript:
            person.page.wait_for_selector(f"#panel-tables a[href='{table_path}']")
        else:
            person.page.reload()
        person.page.click(f"#panel-tables a[href='{table_path}']")
        person.page.wait_for_selector("form[action$='/join/']")
        person.post("join")
        person.page.wait_for_selector("[data-you]", state="attached")
    onlooker.page.goto(table_path)

    if not NIGHTLY:
        ada.post("fill")
    ada.page.wait_for_selector("#start:not([disabled])")
    ada.post("start")
    for person in people:
        person.look()
        person.page.wait_for_selector("#panel-you .role")
    assert onlooker.page.locator("#panel-you .night").count() == 0

    company = Company(people, [onlooker], seed=5)
    company.play_on(until=lambda: rounds_seen(ada) >= 2)

    # One person reloads in the middle of the game, and sees the same as before.
    before = ada.page.inner_text("#panel-you")
    ada.page.reload()
    assert ada.page.inner_text("#panel-you") == before

    # One person loses the network for some seconds; the others play on as far as they can.
    sakura.line.cut()
    lost_at = time.monotonic()
    company.play_on(until=lambda: time.monotonic() > lost_at + 5, without=sakura)
    sakura.line.mend()
    sakura.page.wait_for_selector("html:not(.offline)", state="attached")

    company.play_on(until=lambda: ada.is_over)
    for person in company.everybody:
        person.look()
        person.page.wait_for_selector("#panel-action a[href$='/record/']")
        assert person.errors == []
        # Every role is revealed to everyone.
        assert person.page.locator("#panel-seats [class*='role-']").count() == SEATS

    answer = ada.context.request.get(f"{table_path}record/")
    record = read_record(json.loads(answer.text()))
    assert list(record.seats)[: len(people)] == [person.name for person in people]
    assert list(replay(record))[-1].state.outcome == record.outcome
    assert verify(record) == []

    # Each person reads the log, with the others' names, in their own language.
    last = list(replay(record))[-1]
    assert last.entry is not None
    for person in company.everybody:
        minutes = person.page.inner_text("#panel-log")
        with translation.override(person.language):
            told = wording.event_sentences(
                last.events, last.entry.action.seat, record.seats, record.options
            )
        assert told
        for sentence in told:
            assert sentence in minutes
        # The page was updated row by row, and shows the same as a fresh one with all its rows.
        person.ask_for_all_rows()
        lived = person.page.locator("[data-panel]").all_inner_texts()
        person.page.goto(f"{table_path}?whole=1")
        assert person.page.locator("[data-panel]").all_inner_texts() == lived

    for seat, person in enumerate(people):
        heard = person.line.received(company.before_last_move[seat])
        assert private_marks(heard) > 0
        assert leaks(heard, record, seat, person.language) == []
    heard = onlooker.line.received(company.before_last_move[-1])
    assert private_marks(heard) == 0
    assert leaks(heard, record, None, "en") == []
