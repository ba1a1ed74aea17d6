"""Notices of the site to all users, shown above every page."""

from dataclasses import dataclass
from functools import cache

from django.conf import settings
from django.http import HttpRequest
from django.utils.translation import get_language, gettext

from accounts.site.switches import switches


@dataclass(frozen=True)
class Notice:
    text: str
    language: str


def site_notices(request: HttpRequest) -> dict[str, object]:
    """Context processor that adds `site_notices`.

    The notices are loaded only by a page that shows them, and only once.
    """

    @cache
    def notices() -> list[Notice]:
        here = get_language() or settings.LANGUAGE_CODE
        board = switches()
        listed = []
        if board.maintenance:
            text = gettext(
                "Maintenance soon: you can finish running games, but no new ones will start."
            )
            listed.append(Notice(text, here))
        # Without a message in the reader's language, show the one in the site's main language, else
        # the first of the others.
        for language in (here, settings.LANGUAGE_CODE, *board.message):
            if language in board.message:
                listed.append(Notice(board.message[language], language))
                break
        return listed

    return {"site_notices": notices}
