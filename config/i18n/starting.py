"""Creates the catalog of a new language."""

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


def source_catalog(locale_dir: Path) -> Path:
    """Return a catalog whose message IDs are the strings of the sources.

    English is the language of the sources and has no catalog. `language update` brings all
    languages' catalogs to the same strings, so the first one serves.
    """
    return next(
        path
        for path in sorted(locale_dir.glob("*/LC_MESSAGES/django.po"))
        # A voice, such as ru_5-6, contains only some strings.
        if "_" not in path.parent.parent.name
    )


def language_start(*, code: str, locale_dir: Path) -> Path:
    """Create the catalog of a new language, with every string of the sources to translate.

    Raises babel.UnknownLocaleError or ValueError for an unknown language, and FileExistsError if
    the language has a catalog, so that no one's work is overwritten.
    """
    locale = Locale.parse(code, sep="-")
    target = catalog_of(locale_dir, code)
    if target.exists():
        raise FileExistsError(target)
    with source_catalog(locale_dir).open("rb") as file:
        sources = read_po(file)
    new = Catalog(
        locale=locale,
        project="chancellery",
        header_comment=f"# Chancellery, {code}. Under the licence of the project: CC BY-NC-SA 4.0.",
        creation_date=datetime.now(UTC),
        fuzzy=False,
    )
    for message in sources:
        if message.id:
            new.add(
                message.id,
                flags=message.flags - {"fuzzy"},
                auto_comments=message.auto_comments,
                context=message.context,
            )
    target.parent.mkdir(parents=True)
    with target.open("wb") as file:
        write_po(file, new, width=_WIDTH)
    return target
