"""The form for a new table, with its script."""

import pytest

pytestmark = pytest.mark.nightly


def form_of(host):
    """Register the host, and return the page of the form with all its folds open."""
    host.register()
    host.page.goto("/tables/new/")
    host.page.evaluate("document.querySelectorAll('details').forEach((it) => { it.open = true; })")
    return host.page


def test_friends_who_come_by_a_link_may_be_guests_unless_the_host_decides(site, newcomer):
    page = form_of(newcomer(site, "Ottilie"))

    def choose(visibility: str) -> bool:
        page.locator(f"[name=visibility][value={visibility}]").check(force=True)
        return page.is_checked("#id_takes_guests")

    assert not page.is_checked("#id_takes_guests")
    assert choose("private") and choose("unlisted") and not choose("public")

    page.check("#id_takes_guests")
    assert choose("public")
    page.uncheck("#id_takes_guests")
    assert not choose("private")


def test_the_headings_of_the_folds_follow_what_the_host_chooses(site, newcomer):
    page = form_of(newcomer(site, "Fritzi"))

    def said(name: str) -> list[str]:
        return page.locator(f".fold-now:has([data-now={name}]) > span:visible").all_inner_texts()

    assert said("joiners") == ["Everyone", "When the host starts it"]

    page.locator("[name=visibility][value=private]").check(force=True)
    assert said("joiners") == ["Everyone", "Guests can join", "When the host starts it"]
    page.locator("[name=joiners][value=friends]").check(force=True)
    assert said("joiners")[0] == "Friends of the host"

    assert said("chat") == ["Free text and phrases"], "guests play no rated games"
    page.uncheck("#id_takes_guests")
    assert said("chat") == ["Free text and phrases", "Rated"]
    page.select_option("#id_bots", "2")
    assert page.inner_text("[data-now=bots]") == "2"
    page.locator("[name=languages][value=it]").check(force=True)
    assert page.inner_text("[data-now=languages]") == "English and Italiano"

    rules = page.locator("#house-rules > summary .fold-now")
    assert rules.inner_text() == "As in the edition"
    page.select_option("#id_option_veto_zone", "4")
    assert rules.inner_text() == "1 rule differs"
    page.select_option("#id_option_hitler_zone", "2")
    assert rules.inner_text() == "2 rules differ"
    assert page.locator(".house-group .fold-now:text('2 rules differ')").count() == 1


def test_fields_are_shown_and_paces_are_offered_only_where_a_choice_uses_them(site, newcomer):
    page = form_of(newcomer(site, "Gerda"))

    def choose(name: str, value: str) -> None:
        page.locator(f"[name={name}][value={value}]").check(force=True)

    assert not page.is_visible("#id_joiners_least") and not page.is_visible("#id_password")
    choose("joiners", "played")
    assert page.is_visible("#id_joiners_least") and not page.is_visible("#id_password")
    choose("joiners", "friends")
    choose("visibility", "private")
    assert not page.is_visible("#id_joiners_least") and page.is_visible("#id_password")

    choose("pace", "untimed")
    choose("visibility", "public")
    assert page.is_checked("[name=pace][value=normal]")
    assert page.is_disabled("[name=pace][value=untimed]")
    assert "not at public tables" in page.inner_text(".of-pace .choice:has(:disabled)")
    choose("visibility", "unlisted")
    assert page.is_enabled("[name=pace][value=untimed]")
