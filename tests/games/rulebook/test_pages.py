"""The rulebook's pages: public, in the reader's language, and clear about mixed options."""

import re
from html import unescape

import pytest
from django.conf import settings
from django.urls import reverse
from django.utils import translation

from accounts.site.switches import switches
from games.models import Table, Terms
from games.rulebook import (
    LANGUAGES,
    NO_WORD,
    TERMS,
    book_url,
    comparison_url,
    marked,
    read_rules,
    written,
)
from games.rules.editions import EDITIONS, options_of
from games.services import tables
from tests.builders.tables import person
from tests.games.rulebook.shelf import VALUES, blocks, book, is_possible

PAGES = ("/rules/", "/rules/ru-5-6/", "/rules/compare/", "/rules/glossary/")


def read(client, path: str, language: str = "en") -> str:
    answer = client.get(path, headers={"Accept-Language": language})
    assert answer.status_code == 200, path
    return unescape(answer.content.decode())


SITE_LANGUAGES = [code for code, _ in settings.LANGUAGES]
# By day each edition and each language once.
READ = [
    pytest.param(
        edition, code, marks=[] if row % len(SITE_LANGUAGES) == column else [pytest.mark.nightly]
    )
    for row, edition in enumerate(EDITIONS)
    for column, code in enumerate(SITE_LANGUAGES)
]


@pytest.mark.parametrize(("edition", "language"), READ)
def test_every_edition_is_read_in_every_language_by_whoever_comes(client, db, edition, language):
    page = read(client, f"/rules/{edition}/", language)

    assert f'<html lang="{language}" dir="ltr">' in page
    with translation.override(settings.EDITION_LOCALES.get((language, edition), language)):
        for chapter in book(edition).chapters:
            assert f'id="{chapter.anchor}"' in page
            assert f'href="#{chapter.anchor}"' in page
            assert chapter.title in page
            for block in chapter.blocks:
                assert f'id="{block.key}"' in page
                if block.kind == "paragraph":
                    assert block.text in page


@pytest.mark.parametrize("language", SITE_LANGUAGES)
def test_the_rules_begin_with_the_short_ones_of_the_reader_s_edition(client, db, language):
    page = read(client, "/rules/", language)
    with translation.override("en"):
        marks = [
            marked(block, book(language))
            for chapter in book(language).chapters
            if chapter.anchor in ("aim", "round")
            for block in chapter.blocks
            if block.key != "setting"
        ]
    signs = sum(part.is_own + sum(is_own for _, is_own in part.parts) for part in marks)
    short, editions = page.split('class="shelf"')

    with translation.override(language):
        about, *_, round_ = [c for c in book(language).chapters if c.anchor in ("aim", "round")]
        steps = blocks(book(language))["round-steps"].items
        for told in (about.title, about.blocks[-1].text, round_.title, *steps):
            assert told in short
    # What isn't in the document has its mark here too.
    assert short.count('class="own-part" title') == signs
    assert short.count('"own-explained"') == (language != "en")
    assert f'href="/rules/{language}/"' in short
    assert editions.count("<h3>") == len(EDITIONS)


def test_all_anchors_that_pages_point_to_are_there(client, db):
    places = set(re.findall(r' id="([\w-]+)"', read(client, "/rules/en/")))

    assert {term.anchor for term in TERMS} <= places
    pointed = re.findall(r'href="/rules/\w+/#([\w-]+)"', read(client, "/rules/compare/?a=en&b=ja"))
    assert pointed and set(pointed) <= places


def test_there_is_no_rulebook_of_an_edition_that_does_not_exist(client, db):
    for path in ("/rules/de/", "/rules/compare/?a=en&b=de", "/rules/compare/?a=", "/rules/En/"):
        assert client.get(path).status_code == 404, path


def test_house_rules_in_the_address_are_told(client, db):
    page = read(client, "/rules/pl/?silence=table&limits_lapse=true&players=7-8")
    mix = book("pl", silence="table", limits_lapse=True, players=[7, 8])

    for key in ("silence-who", "limits", "hitler-alone"):
        assert blocks(mix)[key].text in page
    assert "night-small" not in page
    assert "noindex" in page
    assert "with house rules" in page


def test_what_no_option_can_be_is_left_out_and_said(client, db):
    page = read(client, "/rules/pl/?silence=shouting&players=7-99&limits_lapse=maybe&utm=x")

    assert "don’t exist here" in page
    assert "with house rules" not in page
    for wrong in ("players=", "players=5-", "players=-", "players=٥-٦", "spoken_formula=,"):
        assert "don’t exist here" in read(client, f"/rules/pl/?{wrong}"), wrong
    assert "don’t exist here" not in read(client, "/rules/pl/?utm=x")


def test_each_value_of_each_option_is_written_and_read_back():
    for edition in EDITIONS:
        for name, values in VALUES.items():
            for value in values:
                if not is_possible(edition, name, value):
                    continue
                options = options_of(edition, {name: value})
                for form in (value, getattr(options, name)):
                    assert read_rules({name: written(form)}, edition) == (options, True)


def test_two_editions_are_compared_by_what_differs_alone(client, db):
    page = read(client, "/rules/compare/?a=pl&b=ja")

    for key in ("limits", "small-table", "tracker-resets", "reshuffle", "silence-who"):
        for edition in ("pl", "ja"):
            assert blocks(book(edition))[key].text in page
    for key in ("vote", "chaos", "peek"):
        assert blocks(book("pl"))[key].text not in page


MARK = 'class="own-part" title="On this site"'


@pytest.mark.parametrize("edition", EDITIONS)
def test_what_is_not_in_the_document_has_a_mark_that_the_top_of_the_book_explains(
    client, db, edition
):
    page = read(client, f"/rules/{edition}/")
    told_by = book(edition)
    signs = 0
    for chapter in told_by.chapters:
        for block in chapter.blocks:
            marks = marked(block, told_by)
            signs += marks.is_own + sum(is_own for _, is_own in marks.parts)

    assert page.count(MARK) == signs > 0
    assert page.count("Parts with this sign") == (edition != "en")


def test_a_house_rule_has_no_mark(client, db):
    page = read(client, "/rules/ja/?silence=table&tracker_resets_on=policy")
    mix = book("ja", silence="table", tracker_resets_on="policy")

    for key in ("silence-who", "tracker-resets"):
        assert not marked(blocks(mix)[key], mix).is_own
        assert f"<p>{blocks(mix)[key].text}</p>" in page


def test_the_small_russian_rules_speak_their_own_words_to_russians(client, db):
    with translation.override("ru-5-6"):
        powers = blocks(book("ru-5-6"))["powers-table"].rows

    page = read(client, "/rules/ru-5-6/", "ru")
    for row in powers:
        for cell in row:
            assert cell in page
    assert "Просмотр поправок" in page
    assert "Просмотр законов" not in page
    assert "Просмотр законов" in read(client, "/rules/ru/", "ru")


def test_every_edition_says_whose_it_is(client, db):
    names_of = {
        "ru": ["ruthus"],
        "ru-5-6": ["Правила игры для пятерых и шестерых участников"],
        "pl": ["HISTORY"],
        "ja": ["Tabletop Simulator"],
        "it": ["La Tana dei Goblin", "Signor Darcy"],
        "en": [],
    }
    authors = ["Mike Boxleiter", "Tommy Maranges", "Max Temkin", "Mac Schubert"]
    index = read(client, "/rules/")
    for edition, names in names_of.items():
        page = read(client, f"/rules/{edition}/")
        for name in [*names, *authors, "CC BY-NC-SA 4.0"]:
            assert name in page, (edition, name)
        for name in names:
            assert name in index


# Caching and search engines -----------------------------------------------------------------------


@pytest.mark.parametrize("path", PAGES)
def test_a_stranger_s_browser_asks_whether_the_page_is_still_so(client, db, path):
    first = client.get(path)
    tag = client.get(path).headers["ETag"]

    assert "private" in first.headers["Cache-Control"]
    assert client.get(path, headers={"If-None-Match": tag}).status_code == 304
    in_polish = {"If-None-Match": tag, "Accept-Language": "pl"}
    assert client.get(path, headers=in_polish).status_code == 200
    # A new cookie comes with a different CSRF token in the page.
    client.cookies.clear()
    assert client.get(path, headers={"If-None-Match": tag}).status_code == 200


def test_pages_name_the_one_address_that_is_to_be_found(client, db):
    for path, canonical in (
        ("/rules/?x=1", "/rules/"),
        ("/rules/pl/?silence=table", "/rules/pl/"),
        ("/rules/compare/?b=it&a=pl&silence=table", "/rules/compare/?a=pl&b=it"),
        ("/rules/glossary/", "/rules/glossary/"),
    ):
        page = read(client, path)
        is_custom = "silence" in path
        named = f'<link rel="canonical" href="http://testserver{canonical}">'
        assert page.count('rel="canonical"') == page.count(named) == (not is_custom)
        assert ("noindex" in page) == is_custom
        assert re.search(r'<meta name="description" content="[^"]{30,}', page)


def test_reading_the_rules_asks_the_database_nothing(
    client, db, settings, django_assert_num_queries
):
    # Like every page, these show the site-wide notices, which a process reads now and then.
    settings.SWITCHES_BELIEVED = 60.0
    switches()
    for path in PAGES:
        with django_assert_num_queries(0):
            client.get(path)


# Links to the rulebook ----------------------------------------------------------------------------


def open_table(**changes) -> Table:
    return tables.open_table(host=person("Ada"), terms=Terms(seats_wanted=7, **changes))


def test_a_table_leads_to_its_rules_and_to_what_its_house_rules_change(client, db):
    house_rules = {"players": [5, 8], "silence": "table", "spoken_formula": []}
    table = open_table(edition="pl", house_rules=house_rules)
    page = read(client, f"{table.get_absolute_url()}?whole=1")

    for url in (
        book_url("pl", house_rules.items()),
        comparison_url("pl", "pl", house_rules.items()),
    ):
        assert f'href="{url}"' in page
        assert blocks(book("pl", **house_rules))["silence-who"].text in read(client, url)


def test_a_table_without_house_rules_leads_to_its_edition(client, db):
    page = read(client, f"{open_table(edition='ja').get_absolute_url()}?whole=1")

    assert f'href="{reverse("games:rulebook", args=["ja"])}"' in page
    assert "/rules/compare/" not in page


def test_the_form_shows_what_its_house_rules_change_before_anything_is_opened(client, db):
    client.force_login(person("Ada"))
    # The form as posted while other fields are still empty.
    form = {"edition": "pl", "option_silence": '"table"', "differences": "1"}

    answer = client.post("/tables/new/", form)

    assert answer.status_code == 303
    assert answer.url == comparison_url("pl", "pl", [("silence", "table")])
    assert Table.objects.count() == 0


def test_a_form_of_no_edition_comes_back(client, db):
    client.force_login(person("Ada"))

    assert client.post("/tables/new/", {"edition": "de", "differences": "1"}).status_code == 422


def test_the_glossary_has_every_language_s_words_for_what_the_reader_s_document_has(client, db):
    page = read(client, "/rules/glossary/", "ja")

    for term in TERMS:
        if term.word("ja") != NO_WORD:
            for language in LANGUAGES:
                assert f">{term.word(language)}<" in page
    assert "поправка" in page and "закон" in page
