"""Which languages there are, and how an address and a cookie ask for one."""

from typing import Final
from urllib.parse import urlencode, urlsplit

from django.conf import settings
from django.http import HttpRequest, HttpResponse, QueryDict
from django.utils.translation import check_for_language

# What an address says its language with: `/rules/?lang=ru`. The same page without it is in
# whatever its reader speaks.
ADDRESS: Final = "lang"


def site_languages() -> list[tuple[str, str]]:
    """Every language of the site, by its own name; a callable, so that one more is no migration."""
    return list(settings.LANGUAGES)


def is_language(code: str) -> bool:
    """Whether the site speaks it."""
    return code in dict(settings.LANGUAGES) and check_for_language(code)


def linked_language(request: HttpRequest) -> str:
    """The language that the address asks for; "" where it asks for none of ours."""
    asked = request.GET.get(ADDRESS, "")
    return asked if is_language(asked) else ""


def in_language(path: str, code: str) -> str:
    """The address of a page in this language; it names none yet."""
    return f"{path}{'&' if '?' in path else '?'}{urlencode({ADDRESS: code})}"


def in_no_language(address: str) -> str:
    """The address without the language that it asks for; all else in it stays."""
    parts = urlsplit(address)
    if ADDRESS not in parts.query:
        return address
    query = QueryDict(parts.query, mutable=True)
    query.pop(ADDRESS, None)
    return parts._replace(query=query.urlencode()).geturl()


def keep_language(response: HttpResponse, language: str) -> None:
    """Has the browser remember a language, for when nobody is signed in."""
    response.set_cookie(
        settings.LANGUAGE_COOKIE_NAME,
        language,
        max_age=settings.LANGUAGE_COOKIE_AGE,
        path=settings.LANGUAGE_COOKIE_PATH,
        secure=settings.LANGUAGE_COOKIE_SECURE,
        httponly=True,
        # A setting is a text to mypy, whatever is in it.
        samesite=settings.LANGUAGE_COOKIE_SAMESITE,  # type: ignore[arg-type]
    )
