"""Leaks planted on purpose, each one line of mischief at a point that a careless change may touch.

A plant is a function of a `MonkeyPatch`. `replaced` finds a function by what it is, wherever
it was imported to, so plants need no re-aiming when a module moves.
"""

import copy
import logging
import sys
import types
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.contrib import admin
from django.core.cache import cache
from django.http import HttpRequest, HttpResponse
from django.test.signals import setting_changed
from django.urls import clear_url_caches, path
from django.utils.translation import get_language

from accounts.middleware import LanguageMiddleware
from config import urls as config_urls
from games import screens
from games.consumers import ScreenConsumer
from games.models import GameAction, Table
from games.positions import position_of
from games.rules.components import Role
from games.rules.events import as_told
from games.rules.state import GameState, Phase
from games.rules.view import view_for
from games.services import play, records
from tests.secrecy.pairs import Pair

TEMPLATES = Path(__file__).parents[2] / "templates"
Patch = pytest.MonkeyPatch


@dataclass(frozen=True)
class Plant:
    """A leak, and where it can be seen."""

    name: str
    sow: Callable[[Patch], None]
    shows: Callable[[Pair], bool]
    # Seen only by an open socket while the game goes on.
    is_live: bool = False
    # What must differ between the two worlds for the leak to have anything to tell.
    tells: str = "roles"


PLANTS: list[Plant] = []


def plant(
    shows: Callable[[Pair], bool] = lambda pair: True, *, live: bool = False, tells: str = "roles"
) -> Callable[[Callable[[Patch], None]], Callable[[Patch], None]]:
    def keep(sow: Callable[[Patch], None]) -> Callable[[Patch], None]:
        PLANTS.append(Plant(sow.__name__, sow, shows, live, tells))
        return sow

    return keep


# What leaks ---------------------------------------------------------------------------------------


def state_of(table: Table) -> GameState:
    return position_of(table.game).state


def hitler(table: Table) -> int:
    """Where Hitler sits: a small secret."""
    return state_of(table).setup.roles.index(Role.HITLER)


def table_of(request: HttpRequest) -> Table | None:
    code = request.path.removeprefix("/tables/").split("/")[0]
    return Table.objects.select_related("game").filter(code=code).first()


# How it gets out ----------------------------------------------------------------------------------


def replaced(patch: Patch, original: Any, by: Any) -> None:
    """Puts `by` wherever a module of ours has `original`, under whatever name."""
    found = 0
    for name, module in list(sys.modules.items()):
        if name.split(".")[0] not in ("games", "accounts", "config"):
            continue
        for attribute, value in list(vars(module).items()):
            if value is original:
                patch.setattr(module, attribute, by)
                found += 1
    assert found, f"nobody has {original} any more: re-aim the plant"


def in_views(patch: Patch, **leak: Callable[[GameState, Any], Any]) -> None:
    """Views with a field that shows what it must not."""

    def leaking(state: GameState, viewer: int | None) -> Any:
        view = view_for(state, viewer)
        return replace(view, **{name: value(state, view) for name, value in leak.items()})

    replaced(patch, view_for, leaking)


def in_template(patch: Patch, name: str, leak: str) -> None:
    """A template with something added at its end."""
    source = (TEMPLATES / name).read_text(encoding="utf-8") + leak
    engine = copy.deepcopy(settings.TEMPLATES[0])
    engine["APP_DIRS"] = False
    engine["OPTIONS"]["loaders"] = [
        ("django.template.loaders.locmem.Loader", {name: source}),
        "django.template.loaders.filesystem.Loader",
        "django.template.loaders.app_directories.Loader",
    ]
    change_setting(patch, "TEMPLATES", [engine])


def change_setting(patch: Patch, name: str, value: object) -> None:
    """As the `settings` fixture does: Django's own caches hear of it, now and at the end."""
    patch.setattr(settings, name, value)
    setting_changed.send(sender=None, setting=name, value=value, enter=True)


def in_panels(patch: Patch, leak: Callable[[Table, Any, dict[str, Any]], dict[str, Any]]) -> None:
    real = screens.table_panels

    def leaking(table: Table, person: Any, *args: Any, **kwargs: Any) -> dict[str, Any]:
        return leak(table, person, real(table, person, *args, **kwargs))

    replaced(patch, real, leaking)


def in_answers(patch: Patch, leak: Callable[[HttpRequest, HttpResponse, Table], None]) -> None:
    real = LanguageMiddleware.__call__

    def leaking(self: LanguageMiddleware, request: HttpRequest) -> HttpResponse:
        response = real(self, request)
        table = table_of(request)
        if table is not None:
            leak(request, response, table)
        return response

    patch.setattr(LanguageMiddleware, "__call__", leaking)


def in_addresses(patch: Patch, *more: Any) -> None:
    """The site's addresses and some more."""
    urls = types.ModuleType("tests.secrecy.planted_urls")
    ours = [item for item in config_urls.urlpatterns if getattr(item, "namespace", "") != "admin"]
    # The admin's are made anew, of what is registered by now.
    urls.urlpatterns = [  # type: ignore[attr-defined]
        *ours,
        path("admin/", admin.site.urls),
        *more,
    ]
    patch.setitem(sys.modules, urls.__name__, urls)
    change_setting(patch, "ROOT_URLCONF", urls.__name__)
    clear_url_caches()


# Where it shows -----------------------------------------------------------------------------------


def at(*phases: Phase) -> Callable[[Pair], bool]:
    return lambda pair: pair.phase in phases


def by(*kinds: str) -> Callable[[Pair], bool]:
    return lambda pair: pair.kind in kinds


def not_the_holder(pair: Pair) -> bool:
    state = pair.history.states[pair.tick]
    return state.phase is Phase.PRESIDENT_DISCARDS and pair.viewer != state.president


# Views --------------------------------------------------------------------------------------------


@plant(at(Phase.NOMINATION))
def everybody_sees_the_roles(patch: Patch) -> None:
    in_views(patch, roles=lambda state, view: state.setup.roles)


@plant(by("dead"))
def the_dead_see_the_roles(patch: Patch) -> None:
    in_views(
        patch,
        roles=lambda state, view: (
            view.roles if view.viewer in (None, *state.alive) else state.setup.roles
        ),
    )


@plant(at(Phase.ELECTION), tells="running ballots")
def ballots_show_before_the_vote_is_settled(patch: Patch) -> None:
    in_views(patch, ballots=lambda state, view: state.ballots)


@plant(lambda pair: not_the_holder(pair) and pair.kind == "seat", tells="hand")
def everybody_sees_the_hand(patch: Patch) -> None:
    in_views(
        patch,
        hand=lambda state, view: state.hand,
        legal=lambda state, view: view_for(state, state.president).legal,
    )


@plant(by("seat", "dead"), tells="knowledge")
def players_read_another_s_knowledge(patch: Patch) -> None:
    in_views(patch, knowledge=lambda state, view: state.knowledge)


@plant(lambda pair: pair.phase is Phase.NOMINATION and pair.viewer in _to_act(pair))
def the_order_of_the_buttons_depends_on_hitler(patch: Patch) -> None:
    in_views(
        patch,
        legal=lambda state, view: view.legal[
            :: -1 if state.setup.roles.index(Role.HITLER) % 2 else 1
        ],
    )


def _to_act(pair: Pair) -> tuple[int, ...]:
    return pair.history.states[pair.tick].to_act


# The log of the table, and templates --------------------------------------------------------------


@plant(lambda pair: bool(pair.history.states[pair.tick].investigated) and pair.seat is None)
def the_log_tells_what_the_president_saw(patch: Patch) -> None:
    replaced(patch, as_told, lambda event: event)


@plant(at(Phase.ELECTION), tells="running ballots")
def a_template_reaches_for_the_actions(patch: Patch) -> None:
    leak = "<!-- {% for row in scene.table.game.actions.all %}{{ row.action }}{% endfor %} -->"
    in_template(patch, "games/_seats.html", leak)


@plant(tells="seed")
def a_template_prints_the_seed(patch: Patch) -> None:
    in_template(patch, "games/_tracks.html", "<!-- {{ scene.table.seed }} -->")


@plant(tells="recast ballots")
def a_template_prints_the_version(patch: Patch) -> None:
    """It counts ballots that were cast again, which nobody is told of."""
    in_template(patch, "games/_banner.html", '<i data-version="{{ scene.table.version }}"></i>')


@plant(tells="recast ballots")
def a_template_prints_the_id_of_a_row(patch: Patch) -> None:
    leak = '<i id="a{{ scene.table.game.actions.last.pk }}"></i>'
    in_template(patch, "games/_log.html", leak)


@plant(lambda pair: pair.language == "pl", tells="seed")
def one_language_s_page_leaks(patch: Patch) -> None:
    in_panels(
        patch,
        lambda table, person, panels: _with_comment(
            panels, "tracks", bytes(table.seed).hex() if get_language() == "pl" else ""
        ),
    )


@plant(tells="recast ballots")
def the_lobby_counts_the_actions(patch: Patch) -> None:
    leak = "{% for row in running_tables %}<i>{{ row.table.game.length }}</i>{% endfor %}"
    in_template(patch, "games/_lobby_tables.html", leak)


# Screens ------------------------------------------------------------------------------------------


def _with_comment(panels: dict[str, Any], name: str, text: str) -> dict[str, Any]:
    panel = panels[name]
    return panels | {name: replace(panel, html=panel.html + f"<!--{text}-->")}


@plant()
def a_digest_carries_a_hidden_input(patch: Patch) -> None:
    def leak(table: Table, person: Any, panels: dict[str, Any]) -> dict[str, Any]:
        return panels | {
            "log": replace(panels["log"], digest=f"{panels['log'].digest}{hitler(table)}")
        }

    in_panels(patch, leak)


@plant()
def the_size_of_a_panel_depends_on_hitler(patch: Patch) -> None:
    in_panels(
        patch,
        lambda table, person, panels: _with_comment(panels, "tracks", " " * hitler(table)),
    )


@plant()
def the_order_of_the_panels_depends_on_hitler(patch: Patch) -> None:
    in_panels(
        patch,
        lambda table, person, panels: dict(sorted(panels.items(), reverse=bool(hitler(table) % 2))),
    )


@plant(by("moderator"))
def staff_are_shown_more(patch: Patch) -> None:
    in_panels(
        patch,
        lambda table, person, panels: _with_comment(
            panels, "you", str(hitler(table)) if getattr(person, "is_staff", False) else ""
        ),
    )


@plant(by("seat", "dead"))
def private_panels_are_kept_for_the_next_viewer(patch: Patch) -> None:
    kept: dict[tuple[object, ...], Any] = {}

    def leak(table: Table, person: Any, panels: dict[str, Any]) -> dict[str, Any]:
        # As a memo whose key leaves out the seat; the process forgets when a world is entered.
        state = state_of(table)
        key = (table.pk, table.version, bytes(table.seed), state.decision, get_language())
        return panels | {"you": kept.setdefault(key, panels["you"])}

    in_panels(patch, leak)


# Sockets ------------------------------------------------------------------------------------------


@plant(at(Phase.ELECTION), live=True, tells="recast ballots")
def every_hint_is_passed_on(patch: Patch) -> None:
    """A ballot that is cast again changes nothing that others see, and shows all the same."""
    real = ScreenConsumer.screen_changed

    async def leaking(self: Any, event: dict[str, Any]) -> None:
        await real(self, event)
        await self.send('{"same": true}')

    patch.setattr(ScreenConsumer, "screen_changed", leaking)


@plant(live=True)
def the_size_of_a_frame_depends_on_hitler(patch: Patch) -> None:
    in_panels(
        patch,
        lambda table, person, panels: {
            name: replace(panel, html=panel.html + " " * hitler(table))
            for name, panel in panels.items()
        },
    )


@plant(live=True)
def a_socket_s_private_panel_is_its_neighbour_s(patch: Patch) -> None:
    kept: dict[tuple[object, ...], Any] = {}

    def leak(table: Table, person: Any, panels: dict[str, Any]) -> dict[str, Any]:
        key = (table.pk, table.version, bytes(table.seed), get_language())
        return panels | {"you": kept.setdefault(key, panels["you"])}

    in_panels(patch, leak)


@plant(live=True)
def a_frame_is_sent_twice_where_hitler_sits_oddly(patch: Patch) -> None:
    real = ScreenConsumer.send

    async def leaking(self: Any, text_data: Any = None, *args: Any, **kwargs: Any) -> None:
        await real(self, text_data, *args, **kwargs)
        if "html" in str(text_data) and await _odd(self.scope["path"]):
            await real(self, '{"same": true}')

    patch.setattr(ScreenConsumer, "send", leaking)


async def _odd(address: str) -> bool:
    from channels.db import database_sync_to_async

    def ask() -> bool:
        table = Table.objects.filter(code=address.strip("/").split("/")[-1]).first()
        return table is not None and bool(hitler(table) % 2)

    return await database_sync_to_async(ask)()


# The server's own log, cache, errors, doors -------------------------------------------------------


@plant(live=True, tells="running ballots")
def the_log_of_the_server_names_the_moves(patch: Patch) -> None:
    real = play.act

    def leaking(**what: Any) -> None:
        logging.getLogger("games.services.play").info("plays %s", what["action"])
        real(**what)

    patch.setattr(play, "act", leaking)


@plant()
def the_log_of_the_server_names_hitler(patch: Patch) -> None:
    log = logging.getLogger("games.views")
    in_answers(
        patch, lambda request, response, table: log.info("shown; Hitler is %s", hitler(table))
    )


@plant(tells="pile")
def a_cache_key_carries_the_pile(patch: Patch) -> None:
    def leak(table: Table, person: Any, panels: dict[str, Any]) -> dict[str, Any]:
        cache.set(f"panels:{hash((state_of(table).draw, state_of(table).setup.roles))}", 1)
        return panels

    in_panels(patch, leak)


@plant(tells="pile")
def an_error_page_says_what_broke(patch: Patch) -> None:
    change_setting(patch, "DEBUG", True)


@plant()
def a_refused_form_s_page_tells(patch: Patch) -> None:
    change_setting(patch, "CSRF_FAILURE_VIEW", "tests.secrecy.plants.telling_csrf_failure")


def telling_csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    table = table_of(request)
    return HttpResponse(f"{reason} {hitler(table) if table else ''}", status=403)


@plant(by("moderator"), tells="pile")
def the_admin_lists_the_actions(patch: Patch) -> None:
    class Actions(admin.ModelAdmin):  # type: ignore[type-arg]
        list_display = ("number", "action")

    patch.setitem(admin.site._registry, GameAction, Actions(GameAction, admin.site))
    in_addresses(patch)


@plant()
def a_metric_counts_by_role(patch: Patch) -> None:
    def metrics(request: HttpRequest) -> HttpResponse:
        where = [hitler(table) for table in Table.objects.select_related("game")]
        return HttpResponse(f"games_hitler_seat_sum {sum(where)}")

    in_addresses(patch, path("metrics/", metrics, name="metrics"))


@plant(tells="pile")
def the_record_of_a_running_game_can_be_had(patch: Patch) -> None:
    real = records.record_of

    def leaking(table: Table) -> Any:
        table.stage = Table.Stage.OVER
        return real(table)

    patch.setattr(records, "record_of", leaking)


# Headers and the like -----------------------------------------------------------------------------


@plant()
def a_header_names_hitler(patch: Patch) -> None:
    def leak(request: HttpRequest, response: HttpResponse, table: Table) -> None:
        response["X-Hitler"] = str(hitler(table))

    in_answers(patch, leak)


@plant()
def a_cookie_names_hitler(patch: Patch) -> None:
    def leak(request: HttpRequest, response: HttpResponse, table: Table) -> None:
        response.set_cookie("h", str(hitler(table)))

    in_answers(patch, leak)


@plant()
def a_redirect_names_hitler(patch: Patch) -> None:
    def leak(request: HttpRequest, response: HttpResponse, table: Table) -> None:
        if "Location" in response:
            response["Location"] += f"?{hitler(table)}"

    in_answers(patch, leak)


@plant()
def the_status_depends_on_hitler(patch: Patch) -> None:
    def leak(request: HttpRequest, response: HttpResponse, table: Table) -> None:
        if response.status_code == 404 and hitler(table) % 2:
            response.status_code = 403

    in_answers(patch, leak)


@plant()
def a_query_more_is_made_where_hitler_sits_oddly(patch: Patch) -> None:
    def leak(request: HttpRequest, response: HttpResponse, table: Table) -> None:
        if hitler(table) % 2:
            Table.objects.count()

    in_answers(patch, leak)


@plant()
def the_time_of_expiry_depends_on_hitler(patch: Patch) -> None:
    def leak(request: HttpRequest, response: HttpResponse, table: Table) -> None:
        response["Expires"] = f"Thu, 01 Jan 1970 00:00:0{hitler(table) % 10} GMT"

    in_answers(patch, leak)


def nothing_at_all(patch: Patch) -> None:
    """The gate itself must not cry wolf."""


HARMLESS = Plant("nothing_at_all", nothing_at_all, lambda pair: True)
