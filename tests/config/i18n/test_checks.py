"""Which faults the checks of a translation find, and how the command reports them."""

import shutil
from io import StringIO
from pathlib import Path

import pytest
from babel.messages.catalog import Message
from babel.messages.pofile import read_po
from django.conf import settings as site_settings
from django.core.management import call_command
from django.core.management.base import CommandError
from django.utils import translation

from config.i18n.checking import Fault, findings
from config.i18n.pseudo import LONGER, pseudo, pseudo_make, pseudo_sources
from config.i18n.punctuation import faults

LOCALE = Path(site_settings.BASE_DIR) / "locale"
MANY = ("%(count)d seat", "%(count)d seats")


def found(source: object, translated: object, language: str, plurals: int = 2) -> list[Fault]:
    return [f.fault for f in findings(Message(source, translated), language, plurals)]


@pytest.mark.parametrize(
    ("source", "translated", "language"),
    [
        ("Say “yes”.", 'Скажите "да".', "ru"),
        ("Say “yes”.", "Скажите “да”.", "ru"),
        ("Say “yes”.", "Powiedz «tak.", "pl"),
        ("It is over.", "È finita, l'ha detto.", "it"),
        ("Silence: nobody talks.", "沈黙:誰も話せません。", "ja"),
        ("The dead (all)", "死者(全員)", "ja"),
        ("It is over.", "終わりました.", "ja"),
        ("It is over.", "Koniec", "pl"),
        ("Over", "Koniec.", "pl"),
        ("Over", "„Koniec.”", "pl"),
        ("Wait…", "Czekaj...", "pl"),
        ("Over", "Koniec ", "pl"),
        ("One two", "Raz  dwa", "pl"),
        ("Not yet, or never.", "Ещё нет - или никогда.", "ru"),
    ],
)
def test_what_the_language_does_not_write_is_found(source, translated, language):
    assert faults(source, translated, language)


@pytest.mark.parametrize(
    ("source", "translated", "language"),
    [
        ("Say “yes”.", "Скажите «да».", "ru"),
        ("Say “yes”.", "Powiedz „tak”.", "pl"),
        ("Say “yes”.", "「はい」と言ってください。", "ja"),
        ("Say “yes”.", "Di’ «sì».", "it"),
        ("Ja ballots", "Karty „Ja!”", "pl"),
        ('<a href="/x">Here</a>', '<a href="/x">Тут</a>', "ru"),
        ("New here?", "はじめての方はこちら：", "ja"),
        ("Run `manage.py migrate` first.", "先に`manage.py migrate`を実行してください。", "ja"),
    ],
)
def test_what_the_language_does_write_is_left_alone(source, translated, language):
    assert faults(source, translated, language) == []


def test_another_word_than_the_players_is_found():
    assert found("The Chancellor lies.", "Премьер лжёт.", "ru") == [Fault.TERM]
    assert found("The Chancellor lies.", "Канцлер лжёт.", "ru") == []
    assert found("{chancellor} lies.", "{chancellor} лжёт.", "ru") == []
    assert found("<veto>Consent</veto>.", "<veto>Соглашайтесь</veto>.", "ru") == []


def test_a_lost_place_is_found_in_every_form_and_a_number_only_where_it_is_needed():
    assert found("{name} lies.", "Kłamie {nazwa}.", "pl", 3) == [Fault.PLACES]
    assert found(MANY, ("jedno miejsce", "%(count)d miejsca", "%(count)d miejsc"), "pl", 3) == []
    assert found(MANY, ("%(count)d miejsce", "%(count)d miejsca", "dużo"), "pl", 3) == [
        Fault.PLACES
    ]
    assert found(MANY, ("%(count)d miejsce", "%(count)d miejsc"), "pl", 3) == [Fault.PLURALS]
    assert found("<b>Over</b>", "<i>Koniec</i>", "pl") == [Fault.PLACES]


def test_what_is_not_translated_or_only_guessed_is_told():
    assert found("Over", "", "pl") == [Fault.MISSING]
    guessed = Message("Over", "Koniec", flags=["fuzzy"])
    assert [f.fault for f in findings(guessed, "pl", 3)] == [Fault.FUZZY]


@pytest.fixture
def a_copy(tmp_path, settings) -> Path:
    shutil.copytree(LOCALE, tmp_path / "locale", ignore=shutil.ignore_patterns("*.mo"))
    settings.LOCALE_PATHS = [tmp_path / "locale"]
    return tmp_path / "locale"


def test_one_command_makes_a_language_with_its_own_plurals_and_another_tells_what_it_lacks(a_copy):
    call_command("language", "new", "uk", stdout=StringIO())

    with (a_copy / "uk" / "LC_MESSAGES" / "django.po").open("rb") as file:
        new = read_po(file, locale="uk")
    with (a_copy / "ru" / "LC_MESSAGES" / "django.po").open("rb") as file:
        russian = read_po(file, locale="ru")
    assert new.num_plurals == 3
    assert {(m.context, m.id) for m in new} == {(m.context, m.id) for m in russian}
    told = StringIO()
    with pytest.raises(CommandError, match="not finished"):
        call_command("language", "report", "uk", stdout=told)
    assert f"uk: {len(new)} missing" in told.getvalue()


def test_no_one_s_work_is_written_over_and_what_is_no_language_is_refused(a_copy):
    with pytest.raises(CommandError, match="already"):
        call_command("language", "new", "pl")
    for code in ("xx", "../en", "e n", "", "klingon"):
        with pytest.raises(CommandError):
            call_command("language", "new", code)


def test_a_pseudo_language_says_everything_with_accents_and_longer(tmp_path, settings):
    pseudo_make(sources=pseudo_sources(LOCALE), into=tmp_path)
    settings.LANGUAGES = [*settings.LANGUAGES, ("en-xa", "x"), ("ar-xb", "x")]
    settings.LOCALE_PATHS = [tmp_path, *settings.LOCALE_PATHS]

    with translation.override("en-xa"):
        assert translation.gettext("Lobby") == pseudo("Lobby") != "Lobby"
        # The site's pages contain Django's own messages too.
        assert translation.gettext("This field is required.") == pseudo("This field is required.")
        assert "%(count)d" in translation.ngettext(
            "Try again in %(count)d second.", "Try again in %(count)d seconds.", 5
        )
        assert not translation.get_language_bidi()
    with translation.override("ar-xb"):
        assert translation.gettext("Lobby") == pseudo("Lobby", is_mirrored=True)
        assert translation.get_language_bidi()


@pytest.mark.parametrize("text", ["Lobby", "No talk", "The game is over.", "Shh!"])
def test_a_pseudo_string_is_at_least_forty_percent_longer(text):
    assert len(pseudo(text)) >= len(text) + LONGER * sum(letter.isalpha() for letter in text)
    assert not any("a" <= letter.lower() <= "z" for letter in pseudo(text))


@pytest.mark.parametrize(
    "kept", ["%(name)s", "{name}", "<b>", '<a href="/x">', "%%", "&nbsp;", "https://x.example/"]
)
def test_what_a_program_reads_stays_in_a_pseudo_string(kept):
    assert kept in pseudo(f"one {kept} two", is_mirrored=True)
