"""Every string is translated into every language, with the same placeholders and tags."""

import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from babel.messages.catalog import Catalog, Message
from babel.messages.pofile import read_po
from django.conf import settings

from config.i18n.checking import Fault, catalog_findings
from config.i18n.glossary import terms

ROOT = Path(__file__).parents[3]
LOCALE = ROOT / "locale"
# A language added to settings.LANGUAGES is checked like the others. English is the source.
LANGUAGES = tuple(code for code, _ in settings.LANGUAGES if code != "en")
PLACEHOLDER = re.compile(r"%\(\w+\)[a-z]|\{\w*\}")


@cache
def catalog(directory: Path, language: str) -> Catalog:
    with (directory / language / "LC_MESSAGES" / "django.po").open("rb") as file:
        return read_po(file, locale=language.split("_")[0], abort_invalid=True)


def messages(of: Catalog) -> Iterator[Message]:
    return (message for message in of if message.id)


def ids(of: Catalog) -> set[tuple[str | None, str]]:
    return {(message.context, first(message.id)) for message in messages(of)}


def first(text: str | tuple[str, ...] | list[str]) -> str:
    return text if isinstance(text, str) else text[0]


@pytest.fixture(scope="module")
def extracted(tmp_path_factory: pytest.TempPathFactory) -> Catalog:
    """Return the messages now in the sources, as `makemessages` extracts them."""
    if shutil.which("xgettext") is None:
        pytest.skip("gettext is not installed")
    copy = tmp_path_factory.mktemp("sources")
    for part in ("accounts", "config", "games", "templates"):
        shutil.copytree(ROOT / part, copy / part)
    (copy / "locale").mkdir()
    shutil.copy(ROOT / "manage.py", copy)
    subprocess.run(
        [sys.executable, "manage.py", "makemessages", "-l", "en", "-v0"],
        cwd=copy,
        check=True,
        capture_output=True,
    )
    return catalog(copy / "locale", "en")


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_string_of_the_sources_is_missing_from_a_catalog(
    language: str, extracted: Catalog
) -> None:
    assert ids(extracted) - ids(catalog(LOCALE, language)) == set()


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_catalog_keeps_strings_that_the_sources_dropped(
    language: str, extracted: Catalog
) -> None:
    assert ids(catalog(LOCALE, language)) - ids(extracted) == set()


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_string_is_translated_and_none_is_fuzzy(language: str) -> None:
    unfinished = [
        message.id
        for message in messages(catalog(LOCALE, language))
        if message.fuzzy
        or not all([message.string] if isinstance(message.string, str) else message.string)
    ]
    assert unfinished == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_translations_keep_every_placeholder(language: str) -> None:
    wrong = []
    for message in messages(catalog(LOCALE, language)):
        if isinstance(message.string, str):
            pairs = [(first(message.id), message.string)]
        else:
            # The last form must contain all placeholders; the singular may omit the number.
            pairs = [(message.id[-1], message.string[-1])]
        wrong += [
            (source, translated)
            for source, translated in pairs
            if set(PLACEHOLDER.findall(source)) != set(PLACEHOLDER.findall(translated))
        ]
    assert wrong == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_plurals_have_the_languages_number_of_forms(language: str) -> None:
    read = catalog(LOCALE, language)
    for message in messages(read):
        if not isinstance(message.id, str):
            assert len(message.string) == read.num_plurals, message.id


def told(language: str, *faults: Fault) -> list[str]:
    return [
        f"{finding.source!r}: {finding.translated!r}: {finding.why}"
        for finding in catalog_findings(locale_dir=LOCALE, language=language)
        if finding.fault in faults
    ]


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_form_keeps_its_places_and_its_tags(language: str) -> None:
    assert told(language, Fault.PLACES, Fault.PLURALS) == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_words_of_the_game_are_those_of_the_language_s_players(language: str) -> None:
    assert told(language, Fault.TERM) == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_quotes_marks_and_spaces_are_written_as_the_language_writes_them(language: str) -> None:
    assert told(language, Fault.WRITING) == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_glossary_has_every_term_in_every_language(language: str) -> None:
    assert [term.english.pattern for term in terms() if language not in term.said] == []


def test_the_voice_of_ru_5_6_only_says_what_russian_says_in_other_words() -> None:
    russian = {(m.context, first(m.id)): m for m in messages(catalog(LOCALE, "ru"))}
    for message in messages(catalog(LOCALE, "ru_5-6")):
        assert (message.context, first(message.id)) in russian
        # "законч" begins words for "finish", not for a law.
        assert not re.search(r"закон(?!ч)", "".join(message.string).lower())


def test_the_voice_of_ru_5_6_covers_every_policy() -> None:
    voice = ids(catalog(LOCALE, "ru_5-6"))
    for message in messages(catalog(LOCALE, "ru")):
        said = "".join(message.string).lower()
        # Not the legislative session, which keeps its name, nor "закончится" ("will end").
        if re.search(r"\bзакон(?!одат|ч)", said):
            assert (message.context, first(message.id)) in voice, said
