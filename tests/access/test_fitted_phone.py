"""On a phone, what a player needs stands above the sheet, and each control has its room."""

from collections.abc import Iterator
from typing import Any

import pytest

from games.models import Seat
from games.rules.components import Role
from games.rules.phases import Phase
from tests.builders.person import Person
from tests.builders.tables import NAMES, play_until, run_table, user_at
from tests.pages import Reader

pytestmark = [pytest.mark.browser, pytest.mark.django_db]


@pytest.fixture
def phone(chromium) -> Iterator[Reader]:
    with Reader(chromium) as reader:
        reader.page.set_viewport_size({"width": 390, "height": 844})
        yield reader


def top_of(page: Any, selector: str) -> float:
    return page.locator(selector).first.bounding_box()["y"]


def test_a_role_that_was_read_takes_a_line_that_opens(phone) -> None:
    table = run_table(NAMES)
    phone.read(Person(user_at(table, 1), table, "ru").page())
    phone.close()
    page = phone.page
    assert page.locator(".night").bounding_box()["height"] < 60
    assert page.locator(".role-name").is_visible()
    assert not page.locator(".night-told").is_visible()
    page.click(".night > .unfold > summary")
    assert page.locator(".night-told").is_visible()


def test_the_role_and_whom_one_knows_stay_above_the_seats(phone) -> None:
    table = run_table(NAMES)
    state = play_until(table, lambda it: it.round == 3 and it.phase is Phase.NOMINATION)
    fascist = state.setup.roles.index(Role.FASCIST)
    phone.read(Person(user_at(table, fascist), table, "ru").page())
    phone.close()
    page = phone.page
    line = page.locator(".panel-you").bounding_box()
    assert line["height"] < 60
    assert line["y"] + line["height"] <= top_of(page, ".seat")
    assert page.locator(".panel-you .known").is_visible()
    assert not page.locator(".panel-you .role-art").is_visible()
    page.click(".panel-you .unfold > summary")
    assert page.locator(".panel-you .role-art").is_visible()


def test_the_marks_of_a_seat_are_icons(phone) -> None:
    table = run_table(NAMES)
    play_until(table, lambda it: it.round == 3 and it.phase is Phase.NOMINATION)
    phone.read(Person(user_at(table, 0), table, "ru").page())
    heights = phone.page.eval_on_selector_all(
        ".nameplate", "(all) => all.map((it) => it.offsetHeight)"
    )
    assert max(heights) <= min(heights) + 8, heights


def test_a_notice_pushes_no_button_out_of_its_place(phone) -> None:
    table = run_table()
    phone.read(Person(user_at(table, 0), table).page())
    page = phone.page
    before = top_of(page, ".talk-call")
    page.evaluate("document.getElementById('notice').textContent = 'Things have moved on.'")
    assert top_of(page, ".talk-call") == before
    assert top_of(page, "#notice") >= top_of(page, ".panel-banner") + 100


@pytest.mark.parametrize("language", ["en", "ru", "it"])
def test_the_headline_is_whole_below_the_question_who_is_hitler(phone, language) -> None:
    table = run_table(NAMES)
    play_until(
        table,
        lambda it: it.fascist >= 3 and it.phase is Phase.PRESIDENT_DISCARDS,
    )
    phone.read(Person(user_at(table, 0), table, language).page())
    page = phone.page
    band = page.locator(".panel-banner").bounding_box()
    question = page.locator(".truth").bounding_box()
    headline = page.locator(".headline")
    assert headline.evaluate("(it) => it.scrollHeight <= it.clientHeight + 1")
    box = headline.bounding_box()
    assert question["y"] + question["height"] <= box["y"] + 5
    assert box["y"] + box["height"] <= band["y"] + band["height"]
    page.evaluate("document.querySelector('.talk-call').dataset.last = 'Ada: Hello'")
    shown = "(it) => getComputedStyle(it, '::after').content"
    assert page.locator(".talk-call").evaluate(shown) == "none"


def test_a_phrase_about_players_has_the_whole_row(phone) -> None:
    table = run_table()
    phone.read(Person(user_at(table, 0), table, "ja").page())
    page = phone.page
    page.evaluate("document.documentElement.classList.add('talk-open')")
    assert not page.locator(".phrase-first").is_visible()
    names_one = page.locator("#phrase [data-most='1']").first.get_attribute("value")
    page.select_option("#phrase", names_one)
    assert page.locator(".phrase-first").is_visible()
    assert not page.locator(".phrase-second").is_visible()
    row = page.locator(".phrasebook").bounding_box()["width"]
    assert page.locator("#phrase").bounding_box()["width"] >= row - 1


@pytest.mark.parametrize(
    ("language", "phase"),
    [
        ("en", Phase.ELECTION),
        ("ru", Phase.ELECTION),
        ("en", Phase.CHANCELLOR_ENACTS),
        ("ru", Phase.CHANCELLOR_ENACTS),
    ],
)
def test_four_names_stand_above_the_sheet_of_a_short_phone(phone, language, phase) -> None:
    table = run_table(NAMES[:7])
    state = play_until(table, lambda it: it.round == 2 and it.phase is phase)
    Seat.objects.filter(table=table).update(has_hints=True)
    officers = {state.president, state.chancellor}
    bystander = next(seat for seat in range(7) if seat not in officers)
    page = phone.page
    page.set_viewport_size({"width": 360, "height": 640})
    phone.read(Person(user_at(table, bystander), table, language).page())
    phone.close()
    sheet = top_of(page, ".panel-action")
    ends = page.eval_on_selector_all(
        ".seat-name", "(all) => all.map((it) => it.getBoundingClientRect().bottom)"
    )
    assert sum(end <= sheet for end in ends) >= 4, (sheet, ends)


def test_a_nominee_has_the_shape_of_the_seat(phone) -> None:
    table = run_table()
    state = play_until(table, lambda it: it.phase is Phase.NOMINATION)
    phone.read(Person(user_at(table, state.candidate), table).page())
    shape = (
        "(it, of) => getComputedStyle(it, of).clipPath + getComputedStyle(it, of).backgroundColor"
    )
    nominees = phone.page.locator(".seat-choice")
    assert nominees.count() == 4
    for nominee in nominees.all():
        name = nominee.inner_text()
        seat = phone.page.locator(".seat-name", has_text=name)
        assert nominee.evaluate(shape, "::after") == seat.evaluate(shape, "::before")


def test_the_drawer_of_the_chat_says_that_a_move_waits_below_it(phone) -> None:
    table = run_table()
    play_until(table, lambda it: it.phase is Phase.ELECTION)
    voter = Person(user_at(table, 1), table)
    turn = phone.page.locator(".talk-turn")
    phone.read(voter.page())
    assert not turn.is_visible()
    phone.page.evaluate("document.documentElement.classList.add('talk-open')")
    assert turn.is_visible()
    voter.press("choice-1")
    phone.read(voter.page())
    phone.page.evaluate("document.documentElement.classList.add('talk-open')")
    assert not turn.is_visible()


@pytest.mark.parametrize("phase", [Phase.NOMINATION, Phase.ELECTION])
def test_a_beginner_reads_a_hint_at_every_decision_on_a_short_phone(phone, phase) -> None:
    table = run_table()
    state = play_until(table, lambda it: it.phase is phase)
    Seat.objects.filter(table=table).update(has_hints=True)
    phone.page.set_viewport_size({"width": 360, "height": 640})
    phone.read(Person(user_at(table, state.candidate), table).page())
    phone.close()
    box = phone.page.locator(".coach > p").bounding_box()
    assert 15 < box["height"] < 40
    assert box["y"] + box["height"] <= 640
