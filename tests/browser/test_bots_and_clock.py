"""A person among nine bots; and an abandoned game, which the clock alone ends."""

import json
import re
import time
from random import Random

import pytest

from games.rules.record import read_record, replay, verify
from tests.browser.conftest import Site
from tests.browser.opening import open_table
from tests.browser.secrets_of import leaks, private_marks

pytestmark = [pytest.mark.browser, pytest.mark.nightly]

LONGEST_GAME_SECONDS = 240


def test_one_person_plays_with_nine_bots_to_the_end(site, newcomer) -> None:
    person = newcomer(site, "はるか", language="ja", width=390, height=844)
    person.register()
    path = open_table(person, seats=10, pace="relaxed")
    person.post("fill")
    person.page.wait_for_selector("#start:not([disabled])")
    person.post("start")
    person.page.wait_for_selector("#panel-you .night")

    chance = Random(9)
    marks: list[list[int]] = []

    def choose(somebody, choices: list[str]) -> str:
        # The game waits for this person, so everything received so far is from before its end.
        marks.append(somebody.line.mark())
        return chance.choice(choices)

    give_up = time.monotonic() + LONGEST_GAME_SECONDS
    while not person.is_over:
        assert time.monotonic() < give_up, person.page.inner_text("#panel-banner")
        if not person.play(choose):
            time.sleep(0.1)
    record = read_record(json.loads(person.context.request.get(f"{path}record/").text()))
    assert verify(record) == []
    seat = record.seats.index(person.name)
    heard = person.line.received(marks[-1])
    assert private_marks(heard) > 0
    assert leaks(heard, record, seat, "ja") == []
    assert person.errors == []


@pytest.mark.parametrize(
    ("language", "days", "hours"),
    [("en", "3d 23h", "5h 59m"), ("ja", "3 日 23 時間", "5 時間 59 分")],
)
def test_a_clock_counts_days_and_hours_where_there_are_any(
    site, newcomer, language, days, hours
) -> None:
    page = newcomer(site, "Patient", language=language).page
    page.goto("/rules/")

    for seconds, text in ((345_590, days), (21_590, hours), (65, "1:05")):
        page.evaluate(
            """seconds => {
                const clock = document.createElement("time");
                clock.dateTime = new Date(Date.now() + 1000 * seconds).toISOString();
                clock.dataset.countdown = "";
                document.querySelector("main").append(clock);
            }""",
            seconds,
        )
        clock = page.locator("main > time").last
        clock.filter(has_text=re.compile(f"^{re.escape(text)}$")).wait_for()


def test_a_second_start_goes_on_where_the_game_stood(tmp_path_factory, newcomer) -> None:
    data = tmp_path_factory.mktemp("twice") / "data"
    first = Site(data, BOT_PAUSE="0.1")
    try:
        person = newcomer(first, "Returning")
        person.register()
        person.page.click("form[action='/quick/'] button")
        person.page.wait_for_selector("#panel-action button[name=choice]")
        role = person.page.inner_text("#panel-you .role-name")
        offered = person.offer()
    finally:
        first.stop()

    second = Site(data, port=first.port, BOT_PAUSE="0.1")
    try:
        # The open page reconnects by itself; a fresh one shows the same.
        person.page.wait_for_selector("html:not(.offline)", state="attached")
        person.page.reload()
        assert person.page.inner_text("#panel-you .role-name") == role
        assert person.offer() == offered
        while not person.page.locator("#panel-log .kind-ballots").count():
            if not person.play(lambda _, choices: choices[0]):
                time.sleep(0.1)
    finally:
        second.stop()


def test_a_game_whose_people_all_stop_answering_is_ended_by_the_clock(
    tmp_path_factory, newcomer
) -> None:
    # A blitz move takes half a second here, to keep the test short; the clock is the real one.
    site = Site(tmp_path_factory.mktemp("clock") / "data", BOT_PAUSE="0.1", PACE_SCALE="0.025")
    try:
        host = newcomer(site, "Hedwig")
        guest = newcomer(site, "Gustav")
        for person in (host, guest):
            person.register()
        path = open_table(host, seats=5, pace="blitz")
        guest.page.goto(path)
        guest.post("join")
        host.page.wait_for_selector("#panel-seats :text('Gustav')")
        host.post("fill")
        host.page.wait_for_selector("#start:not([disabled])")
        host.post("start")
        # No one presses a button or has the page open: no request settles what is overdue.
        for person in (host, guest):
            person.page.goto("about:blank")
        answer = None
        give_up = time.monotonic() + LONGEST_GAME_SECONDS
        while answer is None or answer.status != 200:
            assert time.monotonic() < give_up, site.log.read_text(errors="replace")[-3000:]
            time.sleep(0.5)
            answer = host.context.request.get(f"{path}record/")
        record = read_record(json.loads(answer.text()))
        assert list(replay(record))[-1].state.outcome == record.outcome
        people = {record.seats.index("Hedwig"), record.seats.index("Gustav")}
        makers = {entry.by for entry in record.entries if entry.action.seat in people}
        assert makers == {"clock"}
    finally:
        site.stop()
