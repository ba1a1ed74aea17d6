"""Message catalogs are compiled without gettext's tools, before anything serves."""

import gettext
import multiprocessing
import os
import subprocess
import sys
from pathlib import Path

import pytest
from django.conf import LazySettings
from django.core.exceptions import ImproperlyConfigured
from django.core.management import CommandError, call_command

from config.i18n.catalogs import CatalogError, compile_catalogs
from config.serving.required_settings import check_catalogs

CATALOG = """
msgid ""
msgstr ""
"Content-Type: text/plain; charset=UTF-8\\n"
"Language: pl\\n"
"Plural-Forms: nplurals=3; plural=(n==1 ? 0 : n%10>=2 && n%10<=4 && "
"(n%100<10 || n%100>=20) ? 1 : 2);\\n"

msgid "Yes"
msgstr "Tak"

#, fuzzy
msgid "No"
msgstr "Tak"

msgid "Later"
msgstr ""

msgctxt "a vote"
msgid "Yes"
msgstr "Ja"

msgid "%(n)s seat"
msgid_plural "%(n)s seats"
msgstr[0] "%(n)s miejsce"
msgstr[1] "%(n)s miejsca"
msgstr[2] "%(n)s miejsc"

msgid "%(n)s game"
msgid_plural "%(n)s games"
msgstr[0] ""
msgstr[1] ""
msgstr[2] ""
"""


@pytest.fixture
def locale(tmp_path: Path) -> Path:
    folder = tmp_path / "pl" / "LC_MESSAGES"
    folder.mkdir(parents=True)
    (folder / "django.po").write_text(CATALOG, encoding="utf-8")
    return tmp_path


def read(locale: Path) -> gettext.GNUTranslations:
    with (locale / "pl" / "LC_MESSAGES" / "django.mo").open("rb") as file:
        return gettext.GNUTranslations(file)


def test_what_is_translated_is_read(locale: Path) -> None:
    assert [path.name for path in compile_catalogs(locale)] == ["django.mo"]
    polish = read(locale)
    assert polish.gettext("Yes") == "Tak"
    assert polish.pgettext("a vote", "Yes") == "Ja"
    assert [polish.ngettext("%(n)s seat", "%(n)s seats", n) for n in (1, 2, 5, 22)] == [
        "%(n)s miejsce",
        "%(n)s miejsca",
        "%(n)s miejsc",
        "%(n)s miejsca",
    ]


def test_guesses_and_gaps_are_left_to_whoever_is_asked_next(locale: Path) -> None:
    """Left out altogether, so that a catalog does not hide the one below it with English text."""
    compile_catalogs(locale)
    polish = read(locale)
    polish.add_fallback(_Marks())
    assert polish.gettext("No") == "(No)"
    assert polish.gettext("Later") == "(Later)"
    assert polish.ngettext("%(n)s game", "%(n)s games", 5) == "(%(n)s games)"


def test_what_is_up_to_date_is_not_compiled_again(locale: Path) -> None:
    compile_catalogs(locale)
    assert compile_catalogs(locale) == []


def test_a_changed_catalog_is_compiled_again(locale: Path) -> None:
    compile_catalogs(locale)
    source = locale / "pl" / "LC_MESSAGES" / "django.po"
    later = source.stat().st_mtime_ns + 1
    source.write_text(CATALOG.replace('"Tak"', '"Owszem"'), encoding="utf-8")
    os.utime(source, ns=(later, later))
    assert len(compile_catalogs(locale)) == 1
    assert read(locale).gettext("Yes") == "Owszem"


def test_many_may_compile_at_the_same_time(locale: Path) -> None:
    with multiprocessing.get_context("fork").Pool(8) as pool:
        pool.map(compile_catalogs, [locale] * 32)
    assert read(locale).gettext("Yes") == "Tak"
    names = {path.name for path in (locale / "pl" / "LC_MESSAGES").iterdir()}
    assert names == {"django.po", "django.mo"}


def test_a_catalog_that_cannot_be_written_is_named(
    locale: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*args: object, **kwargs: object) -> None:
        raise OSError(30, "Read-only file system")

    monkeypatch.setattr("config.i18n.catalogs.NamedTemporaryFile", refuse)
    with pytest.raises(CatalogError, match=r"django\.po .*Read-only file system"):
        compile_catalogs(locale)


def test_a_catalog_that_is_none_is_named(locale: Path, settings: LazySettings) -> None:
    (locale / "pl" / "LC_MESSAGES" / "django.po").write_bytes(b'msgid "\xff"\nmsgstr "\xff"\n')
    settings.LOCALE_PATHS = [locale]
    with pytest.raises(CommandError, match=r"django\.po cannot be compiled"):
        call_command("language", "compile")


def test_nothing_serves_with_a_catalog_that_is_not_compiled(
    locale: Path, settings: LazySettings
) -> None:
    settings.LOCALE_PATHS = [locale]
    with pytest.raises(ImproperlyConfigured, match=r"language compile.*django\.po"):
        check_catalogs()
    call_command("language", "compile")
    check_catalogs()
    source = locale / "pl" / "LC_MESSAGES" / "django.po"
    later = source.stat().st_mtime_ns + 1
    os.utime(source, ns=(later, later))
    with pytest.raises(ImproperlyConfigured, match=r"language compile.*django\.po"):
        check_catalogs()


@pytest.mark.parametrize(
    "program",
    [
        ("manage.py", "serve", "--port", "0"),
        pytest.param(("-m", "celery", "-A", "config", "worker"), marks=pytest.mark.nightly),
    ],
)
def test_a_serving_process_says_which_catalog_is_not_compiled(
    tmp_path: Path, program: tuple[str, ...]
) -> None:
    # The pseudo-languages are the only catalogs outside the source tree.
    pseudo = tmp_path / "pseudo" / "ar_XB" / "LC_MESSAGES"
    pseudo.mkdir(parents=True)
    (pseudo / "django.po").write_text(CATALOG, encoding="utf-8")
    environment = os.environ | {
        "PSEUDO_LANGUAGES": "1",
        "CHANCELLERY_DATA": str(tmp_path),
        "SECRET_KEY": "x" * 50,
        "REDIS_URL": f"unix://{tmp_path}/none",
    }

    ended = subprocess.run(
        [sys.executable, *program],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )

    assert ended.returncode == 1
    assert "Run `manage.py language compile`" in ended.stderr
    assert not (pseudo / "django.mo").exists()


def test_what_is_wrong_in_a_catalog_goes_to_the_log_and_not_to_the_output(
    locale: Path, caplog: pytest.LogCaptureFixture, capsys: pytest.CaptureFixture[str]
) -> None:
    source = locale / "pl" / "LC_MESSAGES" / "django.po"
    source.write_text(CATALOG.replace("nplurals=3", "nplurals=2"), encoding="utf-8")
    assert len(compile_catalogs(locale)) == 1
    assert "more translations than num_plurals" in caplog.text
    assert capsys.readouterr().out == ""


class _Marks(gettext.NullTranslations):
    def gettext(self, message: str) -> str:
        return f"({message})"

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        return f"({msgid2})"
