"""Links to the search for finished games."""

from collections.abc import Iterable
from datetime import date
from typing import Any, Final

from django import template
from django.urls import reverse
from django.utils.html import format_html
from django.utils.http import urlencode
from django.utils.safestring import SafeString, mark_safe

from games import wording
from games.selectors.game_filters import GameFilters
from games.selectors.game_search import FoundGame
from games.templatetags.table import bdi

register = template.Library()

register.filter("moment_name", wording.moment)
# As many stand in one row on a phone.
_MOST_LETTERS: Final = 40


@register.filter
def telling(moments: Iterable[str]) -> list[str]:
    """Return the labels of the first moments, as many as stand in one row; one at least."""
    shown: list[str] = []
    for label in map(wording.moment, moments):
        if shown and len("".join((*shown, label))) > _MOST_LETTERS:
            break
        shown.append(label)
    return shown


@register.filter
def players_linked(game: FoundGame, beside: str) -> SafeString:
    """Return the game's players as the language lists names, each leading to that player's games.

    `beside` is the query string of the search, which goes on with that player. Those who were
    searched for are marked.
    """
    address = reverse("games:game_search") + (f"{beside}&" if beside else "?")
    links = [
        format_html('<b class="searched-for">{}</b>', bdi(player.name))
        if player in game.searched
        else format_html(
            '<a href="{}" data-leads-to="results">{}</a>',
            address + urlencode({"name": player.name}),
            bdi(player.name),
        )
        for player in game.named
    ]
    return mark_safe(wording.listed(links))  # noqa: S308  each is escaped


@register.simple_tag
def game_search(
    *,
    player: str = "",
    players: int | None = None,
    moments: tuple[str, ...] | str = (),
    since: date | None = None,
    until: date | None = None,
    **filters: Any,
) -> str:
    """Return the address of the games that match these filters. `moments` may be a single one."""
    chosen = GameFilters(
        names=(player,) if player else (),
        players=str(players or ""),
        moments=(moments,) if isinstance(moments, str) else moments,
        since=since,
        until=until,
        **filters,
    )
    return reverse("games:game_search") + chosen.query()
