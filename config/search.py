"""What search engines are told: which pages there are, in which languages, and which to leave."""

from typing import Any, Final

from django.conf import settings
from django.contrib.sitemaps import Sitemap
from django.contrib.sitemaps.views import sitemap
from django.http import HttpRequest, HttpResponse
from django.urls import NoReverseMatch, reverse
from django.views.decorators.http import require_safe

from accounts.languages import in_language, site_languages
from config.language.pseudo import PSEUDO
from config.origin import site_origin
from games.rules.editions import EDITIONS

# Pages that there are several of, by what their addresses are filled in with. Profiles are not
# listed: whoever links to one may be followed.
_SEVERAL: Final = {"games:rulebook": tuple(EDITIONS)}
# Nothing to read there, or nothing for a stranger. Tables ask not to be found by themselves,
# so that their previews work where somebody shares their links.
_CLOSED: Final = ("/account/", "/admin/", "/moderation/", "/live/", "/healthz/", "/metrics")


class Pages(Sitemap):
    """Each page of settings.INDEXED_VIEWS in each language, and as its reader asks for it."""

    changefreq = "weekly"

    def items(self) -> list[tuple[str, str]]:
        """Paths, each with a language; "" is whatever the reader's browser asks for."""
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
    """All of Pages, as sitemaps.org has it."""
    response: HttpResponse = sitemap(request, {"pages": Pages})
    return response


@require_safe
def robots(request: HttpRequest) -> HttpResponse:
    """Where machines are asked not to go."""
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
                # A page that names somebody: see _SEVERAL.
                continue
    return found
