"""The site's languages, and how a URL and a cookie select one."""

from typing import Final
from urllib.parse import urlencode, urlsplit

from django.conf import settings
from django.http import HttpRequest, HttpResponse, QueryDict
from django.utils.translation import check_for_language

# The URL parameter for the language: `/rules/?lang=ru`. Without it, a page is in the reader's own
# language.
ADDRESS: Final = "lang"


def site_languages() -> list[tuple[str, str]]:
    """Return every language of the site with its own name.

    This is a callable, so that a new language needs no migration.
    """
    return list(settings.LANGUAGES)


def is_language(code: str) -> bool:
    """Return whether the site has this language."""
    return code in dict(settings.LANGUAGES) and check_for_language(code)


def linked_language(request: HttpRequest) -> str:
    """Return the language that the URL asks for, or "" if it asks for none of the site's."""
    asked = request.GET.get(ADDRESS, "")
    return asked if is_language(asked) else ""


def in_language(path: str, code: str) -> str:
    """Return the URL of a page in this language. `path` must not name a language yet."""
    return f"{path}{'&' if '?' in path else '?'}{urlencode({ADDRESS: code})}"


def in_no_language(address: str) -> str:
    """Return the URL without its language parameter; the rest stays."""
    parts = urlsplit(address)
    if ADDRESS not in parts.query:
        return address
    query = QueryDict(parts.query, mutable=True)
    query.pop(ADDRESS, None)
    return parts._replace(query=query.urlencode()).geturl()


def keep_language(response: HttpResponse, language: str) -> None:
    """Set the language cookie, for when the visitor is not signed in."""
    response.set_cookie(
        settings.LANGUAGE_COOKIE_NAME,
        language,
        max_age=settings.LANGUAGE_COOKIE_AGE,
        path=settings.LANGUAGE_COOKIE_PATH,
        secure=settings.LANGUAGE_COOKIE_SECURE,
        httponly=True,
        # mypy sees a setting as any str, whatever its value.
        samesite=settings.LANGUAGE_COOKIE_SAMESITE,  # type: ignore[arg-type]
    )
