"""Seven strangers without a common language play at a blind table and talk in phrases.

Takes five minutes and ten browsers, so it is run by its name:

    make test ARGS=tests/browser/seven_strangers.py
"""

import json

import pytest
from django.utils import translation

from games import wording
from games.panels import locale_for
from games.rules.record import read_record, verify
from games.wording.phrases import PHRASES
from tests.browser.company import Company
from tests.browser.conftest import Site
from tests.browser.person import Person

pytestmark = pytest.mark.browser

# A phrase about one player, and a phrase about none.
ASKED = next(code for code, said in PHRASES.items() if said.least == said.most == 1)
CALLED = next(code for code, said in PHRASES.items() if said.least == 0)


def goes_to(person: Person, path: str) -> None:
    person.page.goto(path)
    person.page.wait_for_selector("#panel-seats")


def sits_down(person: Person) -> None:
    person.post("join")
    person.page.wait_for_selector("[data-you]", state="attached")


def seat_of(person: Person) -> int:
    return int(person.page.get_attribute("[data-you]", "data-you"))


def says(person: Person, phrase: str, about: int | None = None) -> None:
    if person.page.locator(".phrase-call").count():
        person.page.click(".phrase-call")
    person.page.select_option("#phrase", phrase)
    if about is not None:
        person.page.select_option(".phrase-form [name=first]", str(about))
    person.page.click("#phrase-send")
    # A phrase that was said is no longer picked, so that it is not said twice.
    person.page.wait_for_function("() => document.getElementById('phrase').value === ''")


def heard_in_all_languages(everybody: list[Person], row: str) -> dict[str, str]:
    """Return the text of the newest such row, by language; check that it is the same for all."""
    texts: dict[str, str] = {}
    for person in everybody:
        person.page.wait_for_selector(f"#rows-talk {row}")
        text = person.page.locator(f"#rows-talk {row} .said-text").first.inner_text()
        assert texts.setdefault(person.language, text) == text
    return texts


def test_strangers_play_a_blind_table_by_phrases_and_claims(tmp_path_factory, newcomer) -> None:
    data = tmp_path_factory.mktemp("strangers") / "data"
    # Half a minute for a decision: ten browsers are slow on a small machine.
    site = Site(data, BOT_PAUSE="0.1", PACE_SCALE="1.5", LIMITS="off")
    try:
        _play(site, newcomer)
    finally:
        site.stop()


def _play(site: Site, newcomer) -> None:
    host = newcomer(site, "Ottilie", language="en", motion=True)
    prokhor = newcomer(site, "Прохор", language="ru")
    people = [
        host,
        prokhor,
        newcomer(site, "Żaneta", language="pl"),
        newcomer(site, "さゆり", language="ja", width=390, height=844),
        newcomer(site, "Gaspare", language="it"),
        newcomer(site, "Cuthbert", language="en"),
    ]
    leaver = newcomer(site, "Mieszko", language="pl")
    ruffian = newcomer(site, "Ruffian", language="en")
    heir = newcomer(site, "Фёкла", language="ru")
    guest = newcomer(site, "Ludovica", language="it")
    everybody = [*people, leaver, ruffian, heir, guest]
    for person in everybody:
        person.register()

    host.page.goto("/tables/new/")
    host.page.eval_on_selector_all("details", "folds => folds.forEach(fold => fold.open = true)")
    host.page.select_option("select[name=edition]", "en")
    host.page.select_option("select[name=seats_wanted]", "7")
    host.page.check("input[name=pace][value=blitz]")
    host.page.check("input[name=chat][value=phrases]")
    host.page.check("input[name=is_blind]")
    host.page.click("#open")
    host.page.wait_for_selector("#panel-seats")
    path = host.page.url.removeprefix(host.line.url)

    # One guest misbehaves, and the host removes them for good.
    goes_to(ruffian, path)
    sits_down(ruffian)
    host.page.click("#host-tools summary")
    host.page.click("[id^=kick-]")
    ruffian.page.wait_for_selector("[data-you]", state="detached")
    assert ruffian.page.locator("form[action$='/join/']").count() == 0

    for person in [*people[1:], leaver]:
        goes_to(person, path)
        sits_down(person)
    for person in (heir, guest):
        goes_to(person, path)
    host.page.wait_for_selector("#start:not([disabled])")
    host.post("start")
    for person in [*people, leaver]:
        person.page.wait_for_selector("#panel-you .night")
    heir.page.click("#waiting")
    heir.page.wait_for_selector("#waiting[value=leave]")
    guest.page.click(".gallery-door button")
    guest.page.wait_for_selector(".phrase-form")

    company = Company([*people, leaver], [ruffian, heir, guest], seed=11)

    def with_a_claim() -> list[Person]:
        return [p for p in company.people if p.page.locator("#panel-phrasebook .ask").count()]

    # The first legislative session is over: those who held the policies may claim what they were.
    company.play_on(until=lambda: bool(with_a_claim()))
    claimant = with_a_claim()[0]
    claimant.page.eval_on_selector("#panel-phrasebook .ask", "ask => ask.open = true")
    claimant.page.locator("#panel-phrasebook .ask-answers button").first.click()
    claims = heard_in_all_languages(company.everybody, ".kind-claim")
    assert len(set(claims.values())) == len(claims) == 5

    names = host.page.locator("#panel-seats .seat bdi").all_inner_texts()
    about = seat_of(host)
    says(prokhor, ASKED, about)
    for person in company.everybody:
        person.page.wait_for_selector("#rows-talk .kind-phrase")
        with translation.override(locale_for(person.language, "en")):
            sentence = wording.phrase(ASKED, [about], {about: names[about]})
        assert sentence in person.page.inner_text("#panel-talk")

    # The gallery talks, and the players receive no sign of it.
    says(guest, CALLED)
    guest.page.wait_for_selector("#rows-talk .said-gallery")
    company.play_on(until=lambda: any(person.offer()[1] for person in company.people))
    for person in [*company.people, heir, ruffian]:
        assert 'id="said-gallery-' not in "".join(person.line.received()).replace('\\"', '"')

    # One player leaves; the table gives the seat and its knowledge to the substitute who waits.
    company.play_on(
        until=lambda: host.page.locator("[id^=replace-]").count() > 0,
        without=leaver,
    )
    host.page.eval_on_selector("#assembly", "fold => fold.open = true")
    host.page.click("[id^=replace-]")
    for person in people[1:]:
        person.page.wait_for_selector("#motion-for, .table-page:not(:has(.affair.asks))")
        if person.page.locator("#motion-for").count():
            person.page.click("#motion-for")
            person.page.wait_for_selector("#motion-for", state="detached")
    heir.page.wait_for_selector("[data-you]", state="attached")
    leaver.page.wait_for_selector("[data-you]", state="detached")
    assert heir.page.locator("#panel-you .role").count() == 1
    assert leaver.page.locator("#panel-you .role").count() == 0
    company.people = [*people, heir]
    company.everybody = [*people, heir, ruffian, guest, leaver]
    company.marks.clear()

    company.play_on(until=lambda: host.is_over)

    # Before the end no byte told anyone the names of the others.
    for person, until in zip(company.everybody, company.before_last_move, strict=True):
        told = "".join(person.line.received(until))
        assert [other.name for other in everybody if other.name in told] == [person.name]
    for person in company.everybody:
        person.page.wait_for_selector("#panel-action a[href$='/record/']")
        assert person.errors == []
        seats = person.page.locator("#panel-seats .seat bdi").all_inner_texts()
        assert set(seats) == {other.name for other in company.people}
        # After the end the gallery's messages are shown to everyone.
        person.page.wait_for_selector("#rows-talk .said-gallery")

    record = read_record(json.loads(host.context.request.get(f"{path}record/").text()))
    assert verify(record) == []
