"""The sitemap and robots.txt: which pages search engines may index, and in which languages."""

from typing import TYPE_CHECKING, Any, Final

from django.conf import settings
from django.contrib.sitemaps import Sitemap
from django.contrib.sitemaps.views import sitemap
from django.http import HttpRequest, HttpResponse
from django.urls import NoReverseMatch, reverse
from django.views.decorators.http import require_safe

from accounts.profiles.languages import in_language, site_languages
from config.http.origin import site_origin
from config.i18n.pseudo import PSEUDO
from games.rules.editions import EDITIONS

# Maps the views that take an argument to the values listed in the sitemap. Profiles are not
# listed; crawlers may still follow links to them.
_SEVERAL: Final = {"games:rulebook": tuple(EDITIONS)}
# Paths with nothing to read, or nothing for visitors without an account. Tables are not listed:
# their pages ask themselves not to be indexed, so that link previews can still fetch them.
_CLOSED: Final = ("/account/", "/admin/", "/moderation/", "/live/", "/healthz/", "/metrics")


if TYPE_CHECKING:
    # Pairs of a path and a language.
    _Pages = Sitemap[tuple[str, str]]
else:
    # Django's class takes no type at runtime.
    _Pages = Sitemap


class Pages(_Pages):
    """Each page of settings.INDEXED_VIEWS, in each language and without a fixed language."""

    changefreq = "weekly"

    def items(self) -> list[tuple[str, str]]:
        """Return pairs of a path and a language; "" is the language that the browser asks for."""
        languages = ("", *_codes())
        return [(path, code) for path in _paths() for code in languages]

    def location(self, item: tuple[str, str]) -> str:
        path, code = item
        return in_language(path, code) if code else path

    def get_urls(self, page: Any = 1, site: Any = None, protocol: Any = None) -> list[Any]:
        urls = super().get_urls(page, site, protocol)
        for url in urls:
            bare = url["location"].partition("?")[0]
            url["alternates"] = [
                *({"lang_code": code, "location": in_language(bare, code)} for code in _codes()),
                {"lang_code": "x-default", "location": bare},
            ]
        return urls


@require_safe
def site_map(request: HttpRequest) -> HttpResponse:
    """Return all Pages as a sitemap in the format of sitemaps.org."""
    response: HttpResponse = sitemap(request, {"pages": Pages})
    return response


@require_safe
def robots(request: HttpRequest) -> HttpResponse:
    """Return robots.txt, which names the paths that crawlers are asked not to fetch."""
    allowed = [path for path in _paths() if path.startswith(_CLOSED)]
    lines = [
        "User-agent: *",
        *(f"Allow: {path}" for path in allowed),
        *(f"Disallow: {path}" for path in _CLOSED),
        f"Sitemap: {site_origin(request)}{reverse('sitemap')}",
    ]
    return HttpResponse("\n".join(lines) + "\n", content_type="text/plain; charset=utf-8")


def _codes() -> list[str]:
    return [code for code, _ in site_languages() if code not in PSEUDO]


def _paths() -> list[str]:
    found = []
    for name in sorted(settings.INDEXED_VIEWS):
        for arguments in [[one] for one in _SEVERAL[name]] if name in _SEVERAL else [[]]:
            try:
                found.append(reverse(name, args=arguments))
            except NoReverseMatch:
                # The view needs an argument, such as a profile's name: see _SEVERAL.
                continue
    return found
