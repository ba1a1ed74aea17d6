"""Creates the catalog of a new language, and fills the English one, whose strings are its IDs."""

from datetime import UTC, datetime
from pathlib import Path

from babel import Locale
from babel.messages.catalog import Catalog
from babel.messages.pofile import read_po, write_po
from django.utils.translation import to_locale

_WIDTH = 79


def catalog_of(locale_dir: Path, code: str) -> Path:
    """Return the path of a language's catalog; that of "pt-br" is in pt_BR."""
    return locale_dir / to_locale(code) / "LC_MESSAGES" / "django.po"


def language_start(*, code: str, locale_dir: Path) -> Path:
    """Create the catalog of a new language, with every string of the English one to translate.

    Raises babel.UnknownLocaleError or ValueError for an unknown language, and FileExistsError if
    the language has a catalog, so that no one's work is overwritten.
    """
    locale = Locale.parse(code, sep="-")
    target = catalog_of(locale_dir, code)
    if target.exists():
        raise FileExistsError(target)
    with catalog_of(locale_dir, "en").open("rb") as file:
        english = read_po(file, locale="en")
    new = Catalog(
        locale=locale,
        project="chancellery",
        header_comment=f"# Chancellery, {code}. Under the licence of the project: CC BY-NC-SA 4.0.",
        creation_date=datetime.now(UTC),
        fuzzy=False,
    )
    for message in english:
        if message.id:
            new.add(
                message.id,
                # babel also accepts a place without a line, which its annotation does not say.
                locations=[(path, None) for path, _ in message.locations],  # type: ignore[misc]
                flags=message.flags,
                auto_comments=message.auto_comments,
                context=message.context,
            )
    target.parent.mkdir(parents=True)
    with target.open("wb") as file:
        write_po(file, new, width=_WIDTH, include_lineno=False)
    return target


def english_fill(*, locale_dir: Path) -> None:
    """Set each translation of the English catalog to the string in the source code."""
    path = catalog_of(locale_dir, "en")
    with path.open("rb") as file:
        english = read_po(file, locale="en")
    for message in english:
        if message.id:
            message.string = message.id
            message.flags.discard("fuzzy")
    with path.open("wb") as file:
        write_po(file, english, width=_WIDTH, ignore_obsolete=True, include_lineno=False)
