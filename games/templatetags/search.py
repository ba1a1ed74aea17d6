"""Links to the search for finished games."""

from typing import Any

from django import template
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe

from games import wording
from games.selectors.filter_sets import query_string
from games.selectors.game_filters import MOST_NAMES, GameFilters
from games.selectors.game_search import FoundGame
from games.templatetags.table import bdi

register = template.Library()

register.filter("moment_name", wording.moment)


@register.simple_tag
def players_linked(game: FoundGame, filters: GameFilters) -> SafeString:
    """Return the game's players as the language lists names, each leading to that player's games.

    The other filters stay. Those who were searched for are marked.
    """
    names = filters.given.get("player", [])
    links = []
    for player in game.named:
        name = bdi(player.name)
        if player in game.searched:
            links.append(format_html("<b>{}</b>", name))
        elif len(names) == MOST_NAMES:
            links.append(format_html("{}", name))
        else:
            address = filters.query(player=[*names, player.name])
            links.append(format_html('<a href="{}">{}</a>', address, name))
    return mark_safe(wording.listed(links))  # noqa: S308  each is escaped


@register.simple_tag
def game_search(**filters: Any) -> str:
    """Return the address of the games that match these filters."""
    return reverse("games:game_search") + query_string(filters)
