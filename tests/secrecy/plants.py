"""Leaks planted on purpose, each a single change where a careless edit could cause it.

A plant is a function of a `MonkeyPatch`. `replaced` finds a function by identity, wherever it
was imported, so plants need no changes when a module moves.
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
from django.utils.safestring import mark_safe
from django.utils.translation import get_language

from accounts.models import User
from accounts.profiles.middleware import LanguageMiddleware
from config import urls as config_urls
from games import panels
from games.live.composer import People
from games.live.consumers import ScreenConsumer
from games.live.subscriptions import TableSubscription
from games.models import Game, GameAction, Table
from games.panels import Panel, Piece
from games.rules.components import Role
from games.rules.phases import AnyPhase, Phase
from games.rules.state import GameState
from games.rules.view import public_event, view_for
from games.services import play, records
from games.state.positions import position_of
from games.state.rooms import Room
from tests.secrecy.pairs import Pair

TEMPLATES = Path(__file__).parents[2] / "templates"
Patch = pytest.MonkeyPatch


@dataclass(frozen=True)
class Plant:
    """A planted leak, and where it can be seen."""

    name: str
    sow: Callable[[Patch], None]
    shows: Callable[[Pair], bool]
    # Whether only an open socket sees it, while the game goes on.
    is_live: bool = False
    # What must differ between the two worlds before the leak can reveal anything.
    tells: str = "Hitler's seat"


PLANTS: list[Plant] = []


def plant(
    shows: Callable[[Pair], bool] = lambda pair: True,
    *,
    live: bool = False,
    tells: str = "Hitler's seat",
) -> Callable[[Callable[[Patch], None]], Callable[[Patch], None]]:
    def keep(sow: Callable[[Patch], None]) -> Callable[[Patch], None]:
        PLANTS.append(Plant(sow.__name__, sow, shows, live, tells))
        return sow

    return keep


# What is leaked -----------------------------------------------------------------------------------


def state_of(table: Table | Room) -> GameState:
    return position_of(table.game).state


def hitler(table: Table | Room) -> int:
    """Return Hitler's seat: a small secret."""
    return state_of(table).setup.roles.index(Role.HITLER)


def table_of(request: HttpRequest) -> Table | None:
    code = request.path.removeprefix("/tables/").split("/")[0]
    return Table.objects.select_related("game").filter(code=code).first()


# How it is leaked ---------------------------------------------------------------------------------


def replaced(patch: Patch, original: Any, by: Any) -> None:
    """Put `by` wherever one of the site's modules has `original`, under any name."""
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
    """Make `view_for` return views with fields that reveal hidden facts."""

    def leaking(state: GameState, viewer: int | None, **how: Any) -> Any:
        view = view_for(state, viewer, **how)
        return replace(view, **{name: value(state, view) for name, value in leak.items()})

    replaced(patch, view_for, leaking)


def in_template(patch: Patch, name: str, leak: str) -> None:
    """Append `leak` to a template."""
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
    """Change a setting as the `settings` fixture does, so that Django resets its caches.

    Call it again at the end to restore the setting.
    """
    patch.setattr(settings, name, value)
    setting_changed.send(sender=None, setting=name, value=value, enter=True)


def in_parts(patch: Patch, leak: Callable[[Room, int | None], tuple[str, str]]) -> None:
    """Add a text to a private panel, on pages and sockets.

    `leak` returns the panel's name and the text.
    """
    real = panels.private_panels

    def leaking(scene: Any, user_pk: int | None, *args: Any, **kwargs: Any) -> dict[str, Any]:
        panels = real(scene, user_pk, *args, **kwargs)
        name, text = leak(scene.room, user_pk)
        return panels | {name: _with_comment(panels[name], text)}

    replaced(patch, real, leaking)


def in_board(patch: Patch, name: str, leak: Callable[[Room], str]) -> None:
    """Add the text that `leak` returns to a public panel, on pages and sockets."""
    real = panels.public_panels

    def leaking(room: Room, locale: str) -> tuple[Any, dict[str, Any]]:
        scene, panels = real(room, locale)
        return scene, panels | {name: _with_comment(panels[name], leak(room))}

    replaced(patch, real, leaking)


def _with_comment(panel: Any, text: str) -> Any:
    """Return the panel with a piece whose HTML has `text` appended as a comment."""

    class Telling(Piece):
        __slots__ = ()

        @property
        def html(self) -> Any:
            return mark_safe(f"{super().html}<!--{text}-->")

    shell = Telling(panel.shell.part, panel.locale)
    shell.digest = f"{shell.digest}{hash(text) & 0xFFFF:x}"
    return Panel(panel.name, shell, panel.rows)


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
    """Add these paths to the site's URLs."""
    urls = types.ModuleType("tests.secrecy.planted_urls")
    ours = [item for item in config_urls.urlpatterns if getattr(item, "namespace", "") != "admin"]
    # Rebuild the admin's URLs from the models that are registered now.
    urls.urlpatterns = [  # type: ignore[attr-defined]
        *ours,
        path("admin/", admin.site.urls),
        *more,
    ]
    patch.setitem(sys.modules, urls.__name__, urls)
    change_setting(patch, "ROOT_URLCONF", urls.__name__)
    clear_url_caches()


# Where it is visible ------------------------------------------------------------------------------


def at(*phases: AnyPhase) -> Callable[[Pair], bool]:
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


@plant(
    lambda pair: pair.phase is Phase.NOMINATION and pair.viewer in _to_act(pair),
    tells="Hitler's side",
)
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
    replaced(patch, public_event, lambda event: event)


# A piece's template has only its part as context; a page's template has the table.
@plant(at(Phase.ELECTION), tells="running ballots")
def a_template_reaches_for_the_actions(patch: Patch) -> None:
    leak = "<!-- {% for row in table.game.actions.all %}{{ row.action }}{% endfor %} -->"
    in_template(patch, "_header.html", leak)


@plant(tells="seed")
def a_template_prints_the_seed(patch: Patch) -> None:
    in_template(patch, "_footer.html", "<!-- {{ table.seed }} -->")


@plant(tells="recast ballots")
def a_panel_tells_the_version(patch: Patch) -> None:
    """The length counts replaced ballots, which are hidden from all viewers."""
    in_board(patch, "banner", lambda room: f"{room.version.length}")


@plant(tells="recast ballots")
def a_template_prints_the_id_of_a_row(patch: Patch) -> None:
    in_template(patch, "_header.html", '<i id="a{{ table.game.actions.last.pk }}"></i>')


@plant(lambda pair: pair.language == "pl", tells="seed")
def one_language_s_page_leaks(patch: Patch) -> None:
    in_board(
        patch,
        "tracks",
        lambda room: bytes(room.table.seed).hex() if get_language() == "pl" else "",
    )


@plant(tells="recast ballots")
def the_lobby_counts_the_actions(patch: Patch) -> None:
    real = panels.lobby.public_tables

    def leaking(*found: Any) -> Any:
        tables = real(*found)
        lengths = Game.objects.filter(table__code__in=[row.code for row in tables.running])
        return replace(
            tables,
            running=tuple(
                replace(row, wanted=sum(lengths.values_list("length", flat=True)))
                for row in tables.running
            ),
        )

    replaced(patch, real, leaking)
    in_template(
        patch,
        "games/_lobby_tables.html",
        "{% for row in tables.running %}<i>{{ row.wanted }}</i>{% endfor %}",
    )


# Screens ------------------------------------------------------------------------------------------


@plant()
def a_digest_carries_a_hidden_input(patch: Patch) -> None:
    real = panels.public_panels

    def leaking(room: Room, locale: str) -> tuple[Any, dict[str, Any]]:
        scene, panels = real(room, locale)
        shell = Piece(panels["log"].shell.part, locale)
        shell.digest = f"{shell.digest}{hitler(room)}"
        return scene, panels | {"log": Panel("log", shell, panels["log"].rows)}

    replaced(patch, real, leaking)


@plant()
def the_size_of_a_panel_depends_on_hitler(patch: Patch) -> None:
    in_board(patch, "tracks", lambda room: " " * hitler(room))


@plant(tells="Hitler's side")
def the_order_of_the_panels_depends_on_hitler(patch: Patch) -> None:
    real = panels.public_panels

    def leaking(room: Room, locale: str) -> tuple[Any, dict[str, Any]]:
        scene, panels = real(room, locale)
        return scene, dict(sorted(panels.items(), reverse=bool(hitler(room) % 2)))

    replaced(patch, real, leaking)


@plant(by("moderator"))
def staff_are_shown_more(patch: Patch) -> None:
    def leak(room: Room, user_pk: int | None) -> tuple[str, str]:
        is_staff = User.objects.filter(pk=user_pk, is_staff=True).exists()
        return "you", str(hitler(room)) if is_staff else ""

    in_parts(patch, leak)


@plant(by("seat", "dead"))
def private_panels_are_kept_for_the_next_viewer(patch: Patch) -> None:
    """Cache them under a key without the seat."""
    kept: dict[object, Any] = {}
    real = panels.private_panels

    def leaking(scene: Any, user_pk: int | None, *args: Any, **kwargs: Any) -> dict[str, Any]:
        panels = real(scene, user_pk, *args, **kwargs)
        key = (scene.room.key, bytes(scene.room.table.seed), args)
        return panels | {"you": kept.setdefault(key, panels["you"])}

    replaced(patch, real, leaking)


# Sockets ------------------------------------------------------------------------------------------


@plant(at(Phase.ELECTION), live=True, tells="recast ballots")
def every_hint_is_passed_on(patch: Patch) -> None:
    """A replaced ballot changes nothing for other viewers, but this makes it visible."""
    real = TableSubscription.hear

    def leaking(self: Any, *args: Any) -> None:
        real(self, *args)
        for line in self.lines:
            line.is_asking = True

    patch.setattr(TableSubscription, "hear", leaking)


@plant(live=True)
def the_size_of_a_frame_depends_on_hitler(patch: Patch) -> None:
    in_parts(patch, lambda room, user_pk: ("you", " " * hitler(room)))


@plant(live=True)
def a_socket_s_private_panel_is_its_neighbour_s(patch: Patch) -> None:
    private_panels_are_kept_for_the_next_viewer(patch)


@plant(live=True)
def the_hub_takes_all_viewers_for_one(patch: Patch) -> None:
    """Put all viewers into one viewer class, whatever their seat."""
    real = People.class_of

    def leaking(self: People, viewer: Any, room: Any) -> Any:
        of = real(self, viewer, room)
        return of and ("en", 0, *of[2:])

    patch.setattr(People, "class_of", leaking)


@plant(live=True, tells="Hitler's side")
def a_frame_is_sent_twice_where_hitler_sits_oddly(patch: Patch) -> None:
    real = ScreenConsumer.deliver

    async def leaking(self: Any, frame: Any) -> None:
        await real(self, frame)
        if frame is not None and await _odd(self.scope["path"]):
            await self.send('{"same": true}')

    patch.setattr(ScreenConsumer, "deliver", leaking)


async def _odd(address: str) -> bool:
    from channels.db import database_sync_to_async

    def ask() -> bool:
        table = Table.objects.filter(code=address.strip("/").split("/")[-1]).first()
        return table is not None and bool(hitler(table) % 2)

    return await database_sync_to_async(ask)()


# The server's own log, cache, errors, URLs --------------------------------------------------------


@plant(live=True, tells="running ballots")
def the_log_of_the_server_names_the_moves(patch: Patch) -> None:
    real = play.act

    def leaking(**what: Any) -> Any:
        logging.getLogger("games.services.play").info("plays %s", what["action"])
        return real(**what)

    patch.setattr(play, "act", leaking)


@plant()
def the_log_of_the_server_names_hitler(patch: Patch) -> None:
    log = logging.getLogger("games.views")
    in_answers(
        patch, lambda request, response, table: log.info("shown; Hitler is %s", hitler(table))
    )


@plant(tells="pile")
def a_cache_key_carries_the_pile(patch: Patch) -> None:
    def leak(room: Room) -> str:
        cache.set(f"panels:{hash((state_of(room).draw, state_of(room).setup.roles))}", 1)
        return ""

    in_board(patch, "log", leak)


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


@plant(tells="Hitler's side")
def the_status_depends_on_hitler(patch: Patch) -> None:
    def leak(request: HttpRequest, response: HttpResponse, table: Table) -> None:
        if response.status_code == 404 and hitler(table) % 2:
            response.status_code = 403

    in_answers(patch, leak)


@plant(tells="Hitler's side")
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
    """Plant nothing. The gate itself must not raise a false alarm."""


HARMLESS = Plant("nothing_at_all", nothing_at_all, lambda pair: True)
