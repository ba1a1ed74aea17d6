"""Access control: every URL x method x actor, and every socket message x actor, in one table.

A URL, an admin page or a message without a line in the table fails: decide who may use it and
write it down. Each cell is tried with a real request, at a public table and at a private one.

A new URL is one line in ACCESS, a new model of the admin one line with `admin_pages`:

    "healthz_live": Door("/healthz/live/", get=everybody(OK)),
    **admin_pages("games_report", is_read_only=True),
"""

import ast
import importlib
import inspect
import logging
import os
import pkgutil
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import timedelta
from http.cookies import SimpleCookie
from pathlib import Path

import pytest
from allauth.account.models import EmailAddress
from django.conf import settings
from django.contrib.auth.models import Group, Permission
from django.contrib.sessions.models import Session
from django.core.cache import cache
from django.db import transaction
from django.db.models import F
from django.middleware import csrf
from django.urls import URLPattern, URLResolver, get_resolver
from django.utils import timezone

from accounts.models import Appeal, Export, NameChange, Sanction, User
from accounts.services.audit import audit_write
from games import positions, screens
from games.consumers import ScreenConsumer
from games.hub import COME_BACK, NONSENSE, SIGNED_OUT, Hub
from games.models import Case, Look, Ruling, Table, Terms
from games.refusals import Refusal, Refused
from games.rooms import room_of
from games.routing import websocket_urlpatterns
from games.rules.actions import Action, Execute, Nominate
from games.rules.state import GameState, Phase
from games.services import cases, presets, reports, tables, talk
from tests.games.conftest import closed_lines  # noqa: F401  a fixture
from tests.games.person import Person
from tests.games.sockets import PANELS, Socket, does
from tests.games.stories import (
    NAMES,
    act,
    fascist_dream,
    fresh,
    gather,
    is_over,
    person,
    play_until,
    run_table,
    state_of,
)
from tests.second_factor import with_second_factor

PASSWORD = "a long way to Tipperary"

# Actors -------------------------------------------------------------------------------------------

ACTORS = (
    "anonymous",
    # Signed in, without any other right.
    "stranger",
    # Has followed the invitation: "invited" is signed in, "spectator" is not.
    "invited",
    "spectator",
    "host",
    "seated",
    "dead",
    # May sign in to Django's admin, without any permission.
    "staff",
    # May look at hidden cards, has just confirmed the password, and has no seat.
    "moderator",
    "superuser",
    # The same roles without a second factor.
    "moderator_without_factor",
    "superuser_without_factor",
    # "deactivated" had a seat and was signed in when the account was closed. The session of
    # "expired" has run out.
    "deactivated",
    "expired",
)
NOT_SIGNED_IN = {"anonymous", "spectator", "deactivated", "expired"}
WITHOUT_FACTOR = {"moderator_without_factor", "superuser_without_factor"}
AT_THE_TABLE = {"host", "seated", "dead"}
# Actors who may see a private table.
ADMITTED = {"invited", "spectator"} | AT_THE_TABLE
PUBLIC, PRIVATE = "public", "private"
METHODS = ("GET", "POST")
OTHER_METHODS = ("HEAD", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE")
# HEAD is answered like GET, and no URL supports the others; they would be three quarters of all
# requests here. The short run therefore takes turns: each URL gets each of them from two actors or
# more.
TRIES_EVERY_METHOD = os.environ.get("ACCESS_METHODS") == "all"

NAME_OF = {
    "stranger": "Sofia",
    "invited": "Gleb",
    "host": "Ada",
    "seated": "Dario",
    "dead": "Boris",
    "deactivated": "Ewa",
    "expired": "Ewa",
}

# Answers ------------------------------------------------------------------------------------------

OK, SEE_OTHER, FOUND, FORBIDDEN, NOT_FOUND, WRONG_METHOD = 200, 303, 302, 403, 404, 405
REFUSED, STALE = 422, 409
SIGN_IN = "is sent to sign in"
ADMIN_DOOR = "is sent to the admin's door"
SET_UP = "is sent to set up a second factor"

Answer = int | str
# Maps an actor and a kind of table to the answer.
Rule = Callable[[str, str], Answer]


def sees(actor: str, kind: str) -> bool:
    return kind == PUBLIC or actor in ADMITTED


def everybody(answer: Answer) -> Rule:
    return lambda actor, kind: answer


def by_actor(rest: Answer, **named: Answer) -> Rule:
    return lambda actor, kind: named.get(actor, rest)


def signed_in(answer: Answer, *, others: Answer = SIGN_IN) -> Rule:
    return lambda actor, kind: others if actor in NOT_SIGNED_IN else answer


def not_signed_in(answer: Answer, *, others: Answer) -> Rule:
    return signed_in(others, others=answer)


def watches(answer: Answer) -> Rule:
    """A table's page: for actors who may see the table; the others get 404."""
    return lambda actor, kind: answer if sees(actor, kind) else NOT_FOUND


def presses(rest: Answer, **named: Answer) -> Rule:
    """A table's button: visitors are sent to sign in, whether or not the table exists."""

    def rule(actor: str, kind: str) -> Answer:
        if actor in NOT_SIGNED_IN:
            return SIGN_IN
        return named.get(actor, rest) if sees(actor, kind) else NOT_FOUND

    return rule


def moderates(answer: Answer) -> Rule:
    return by_actor(NOT_FOUND, moderator=answer, superuser=answer)


def administers(answer: Answer) -> Rule:
    return by_actor(NOT_FOUND, superuser=answer)


def by_case(*, moderator: Answer, superuser: Answer) -> Rule:
    """A button of a case that the moderator has claimed."""
    return by_actor(NOT_FOUND, moderator=moderator, superuser=superuser)


def staff(answer: Answer, superuser: Answer | None = None) -> Rule:
    """An admin page: users who are not staff are redirected to the admin's login."""
    return by_actor(ADMIN_DOOR, staff=answer, superuser=superuser or answer)


def lately_confirmed(answer: Answer) -> Rule:
    """A page that needs a recent password: others must confirm it, visitors must sign in."""
    return lambda actor, kind: (
        SIGN_IN if actor in NOT_SIGNED_IN
        else answer if actor in ("moderator", "superuser")
        else FOUND
    )  # fmt: skip


def holds_factor(answer: Answer, *, others: Answer, unconfirmed: Answer | None = None) -> Rule:
    """A page for users with a second factor: moderator, superuser and staff have one.

    The staff user has not confirmed the password recently and gets `unconfirmed`, if it is given.
    """
    staffs = answer if unconfirmed is None else unconfirmed
    return signed_in_as(others, moderator=answer, superuser=answer, staff=staffs)


def signed_in_as(rest: Answer, **named: Answer) -> Rule:
    return lambda actor, kind: SIGN_IN if actor in NOT_SIGNED_IN else named.get(actor, rest)


NEVER = everybody(WRONG_METHOD)
NOBODY = presses(REFUSED)


@dataclass(frozen=True)
class Door:
    """A URL and its answers by actor. HEAD is answered like GET."""

    path: str
    get: Rule = NEVER
    post: Rule = NEVER
    # The data that POST sends.
    form: Callable[["World"], dict[str, str]] = field(default=lambda world: {})

    @property
    def is_of_a_table(self) -> bool:
        return "{table}" in self.path or "{code}" in self.path

    def answer(self, name: str, method: str, actor: str, kind: str) -> Answer:
        """Return what the table says. An office without a second factor has no line in it: the
        site answers as for a stranger, or sends it to set one up at the office's pages."""
        rule = {"GET": self.get, "HEAD": self.get, "POST": self.post}.get(method)
        if rule is None:
            return WRONG_METHOD
        if actor in WITHOUT_FACTOR:
            if self.is_of_an_office(name):
                return SET_UP
            actor = "stranger"
        return rule(actor, kind)

    def is_of_an_office(self, name: str) -> bool:
        is_listed = name in settings.SECOND_FACTOR_VIEWS
        return is_listed or self.path.startswith(settings.SECOND_FACTOR_PATHS)


# A player's note.
NOTES = {"text": "I wonder about Ewa", "base": "0", "mark_4": "hitler"}


def a_move(world: "World") -> dict[str, str]:
    return {"decision": state_of(world.table).decision, "key": "k", "choice": "nominate:3"}


def about_a_seat(world: "World") -> dict[str, str]:
    return {"seat": "1:Boris"}


def about_chika(world: "World") -> dict[str, str]:
    return {"who": "seat:2"}


def a_report(world: "World") -> dict[str, str]:
    return {"reason": "abuse", "words": "See for yourself"}


def removes(actor: str, kind: str, answer: Answer) -> Answer:
    """Return `answer` for a moderator who may see the table as any user may, else 404."""
    return answer if actor in ("moderator", "superuser") and sees(actor, kind) else NOT_FOUND


def admin_pages(
    model: str, *, is_read_only: bool, is_hidden: bool = False, label: str = ""
) -> dict[str, Door]:
    """Return the six URLs that the admin has for a model, such as "games_table".

    `is_read_only`: not even superusers may change it. `is_hidden`: the requested row is hidden from
    every user. `label`: the key of the row in `World.ids`, by default the model's name.
    """
    app, name = model.split("_", 1)
    root, one = f"/admin/{app}/{name}/", f"/admin/{app}/{name}/{{{label or name}}}/"
    write = FORBIDDEN if is_read_only else OK
    shown = FOUND if is_hidden else OK
    # Users without the permission get 403 before the row is looked up.
    missing = FOUND if is_hidden else FORBIDDEN
    return {
        f"admin:{model}_changelist": Door(root, staff(FORBIDDEN, OK), staff(FORBIDDEN, OK)),
        f"admin:{model}_add": Door(f"{root}add/", staff(FORBIDDEN, write), staff(FORBIDDEN, write)),
        f"admin:{model}_history": Door(
            f"{one}history/", staff(missing, shown), staff(missing, shown)
        ),
        f"admin:{model}_delete": Door(
            f"{one}delete/", staff(FORBIDDEN, write), staff(FORBIDDEN, write)
        ),
        f"admin:{model}_change": Door(
            f"{one}change/", staff(FORBIDDEN, shown), staff(FORBIDDEN, write)
        ),
        f"admin/{app}/{name}/<path:object_id>/": Door(one, staff(FOUND), staff(FOUND)),
    }


# The access table ---------------------------------------------------------------------------------

# By name, or by pattern if the URL has none. At each table it is the host's turn.
ACCESS: dict[str, Door] = {
    "robots": Door("/robots.txt", everybody(OK)),
    "sitemap": Door("/sitemap.xml", everybody(OK)),
    "games:lobby": Door("/", everybody(OK)),
    "games:lobby_panels": Door("/panels/", everybody(OK)),
    "games:quick_game": Door("/quick/", post=signed_in(SEE_OTHER)),
    "games:join_best": Door("/join/", post=signed_in(SEE_OTHER)),
    # The preset belongs to another user, who has shared the link.
    "games:save_preset": Door("/presets/", post=signed_in(REFUSED)),
    "games:preset": Door("/presets/{preset}/", signed_in(OK)),
    "games:open_preset": Door("/presets/{preset}/open/", post=signed_in(SEE_OTHER)),
    "games:delete_preset": Door("/presets/{preset}/delete/", post=signed_in(NOT_FOUND)),
    "games:open_table": Door("/tables/new/", signed_in(OK), signed_in(REFUSED)),
    "games:table": Door("{table}", watches(OK)),
    "games:panels": Door("{table}panels/", watches(OK)),
    "games:invitation": Door("{table}invitation/{token}/", *[everybody(FOUND)] * 2),
    "games:act": Door("{table}act/", post=presses(REFUSED, host=SEE_OTHER), form=a_move),
    "games:join": Door("{table}join/", post=NOBODY),
    "games:seal": Door("{table}seal/", watches(OK), NOBODY),
    "games:leave": Door("{table}leave/", post=NOBODY),
    "games:close": Door("{table}close/", post=NOBODY),
    "games:fill": Door("{table}fill/", post=NOBODY),
    "games:start": Door("{table}start/", post=NOBODY),
    "games:kick": Door("{table}kick/", post=NOBODY, form=about_a_seat),
    "games:hand_over": Door("{table}host/", post=NOBODY, form=about_a_seat),
    "games:seating": Door("{table}seating/", post=NOBODY, form=lambda world: {"shuffles": "yes"}),
    "games:call_ready": Door("{table}call/", post=NOBODY),
    "games:ready": Door("{table}ready/", post=NOBODY),
    # Players, former players and moderators who have claimed a case of the table cannot wait for a
    # seat.
    "games:waiting": Door(
        "{table}waiting/",
        post=presses(SEE_OTHER, host=REFUSED, seated=REFUSED, dead=REFUSED, moderator=REFUSED),
        form=lambda world: {"wish": "join"},
    ),
    # Two of five players have left: those who are present may propose it, living and dead.
    "games:move": Door(
        "{table}motions/",
        post=presses(REFUSED, host=SEE_OTHER, dead=SEE_OTHER, seated=SEE_OTHER),
        form=lambda world: {"kind": "stop"},
    ),
    # No motion is open.
    "games:vote": Door(
        "{table}motions/vote/",
        post=presses(REFUSED, host=STALE, seated=STALE, dead=STALE),
        form=lambda world: {"ordinal": "1", "vote": "for"},
    ),
    "games:come_back": Door(
        "{table}back/", post=presses(REFUSED, host=SEE_OTHER, seated=SEE_OTHER, dead=SEE_OTHER)
    ),
    "games:claim": Door(
        "{table}claim/",
        post=presses(REFUSED, host=SEE_OTHER),
        form=lambda world: {"claim": "drawn-1-lff-f"},
    ),
    "games:phrase": Door(
        "{table}phrase/",
        post=presses(REFUSED, host=SEE_OTHER, seated=SEE_OTHER),
        form=lambda world: {"phrase": "hello", "place": "table"},
    ),
    "games:play_again": Door("{table}again/", post=NOBODY),
    "games:give_up": Door("{table}give-up/", post=NOBODY),
    "games:say": Door(
        "{table}say/",
        post=presses(REFUSED, host=SEE_OTHER, seated=SEE_OTHER),
        form=lambda world: {"text": "Good evening", "place": "table", "key": "k"},
    ),
    "games:talk": Door("{table}talk/", watches(OK)),
    "games:gallery": Door(
        "{table}gallery/", post=presses(SEE_OTHER, host=REFUSED, seated=REFUSED, dead=REFUSED)
    ),
    "games:mute": Door("{table}mute/", post=presses(SEE_OTHER), form=about_chika),
    "games:unmute": Door("{table}unmute/", post=presses(SEE_OTHER), form=about_chika),
    "games:block": Door("{table}block/", post=presses(SEE_OTHER), form=about_chika),
    "games:remove_message": Door(
        "/moderation/tables/{code}/messages/table/1/",
        lambda actor, kind: removes(actor, kind, OK),
        lambda actor, kind: removes(actor, kind, REFUSED),
    ),
    # Mira and Root have no seat and no friends. A post without data gets 422.
    "games:order": Door("{table}order/", moderates(OK), moderates(REFUSED)),
    # Reports Chika: any viewer of the table may. Users cannot report themselves, nor repeat a
    # report.
    "games:report_seat": Door(
        "/report/{code}/seat/2/", presses(OK), presses(SEE_OTHER), form=a_report
    ),
    "games:report_message": Door(
        "/report/{code}/table/1/",
        presses(OK, host=REFUSED),
        presses(SEE_OTHER, host=REFUSED),
        form=a_report,
    ),
    "games:report_table": Door("/report/{code}/", presses(OK), presses(SEE_OTHER), form=a_report),
    "games:report_person": Door(
        "/report/people/Chika/", signed_in(OK), signed_in(SEE_OTHER), form=a_report
    ),
    "games:own_reports": Door("/report/", signed_in(OK)),
    # Chika's case, which the moderator has claimed.
    "games:queue": Door("/moderation/", moderates(OK)),
    "games:case": Door("/moderation/cases/{case}/", moderates(OK)),
    "games:case_record": Door("/moderation/cases/{case}/record/", everybody(NOT_FOUND)),
    "games:case_replay": Door("/moderation/cases/{case}/replay/", everybody(NOT_FOUND)),
    "games:case_claim": Door("/moderation/cases/{case}/claim/", post=moderates(SEE_OTHER)),
    "games:case_release": Door(
        "/moderation/cases/{case}/release/", post=by_case(moderator=SEE_OTHER, superuser=REFUSED)
    ),
    "games:case_hand_over": Door(
        "/moderation/cases/{case}/hand-over/", post=by_case(moderator=REFUSED, superuser=REFUSED)
    ),
    "games:case_decide": Door(
        "/moderation/cases/{case}/decide/",
        post=by_case(moderator=SEE_OTHER, superuser=REFUSED),
        form=lambda world: {"kind": "dismiss"},
    ),
    "games:record": Door("{table}record/", everybody(NOT_FOUND)),
    "games:replay": Door("{table}replay/", everybody(NOT_FOUND)),
    "games:notes": Door(
        "{table}notes/", get=presses(OK), post=presses(SEE_OTHER), form=lambda world: NOTES
    ),
    "games:invite": Door("{table}invite/", get=presses(NOT_FOUND), post=NOBODY),
    # Profiles are public, also through the seat of a player.
    "games:person": Door("/people/{person}/", everybody(OK)),
    "games:seat": Door("{table}seats/1/", watches(FOUND)),
    "games:statistics": Door("/statistics/", everybody(OK)),
    "games:rules": Door("/rules/", everybody(OK)),
    "games:rulebook": Door("/rules/pl/", everybody(OK)),
    "games:compare_rules": Door("/rules/compare/", everybody(OK)),
    "games:glossary": Door("/rules/glossary/", everybody(OK)),
    "games:people": Door("/account/people/", signed_in(OK)),
    "games:friend_ask": Door("/account/people/ask/", post=signed_in(REFUSED)),
    "games:friend_accept": Door("/account/people/accept/", post=signed_in(SEE_OTHER)),
    "games:friend_decline": Door("/account/people/decline/", post=signed_in(SEE_OTHER)),
    "games:friend_remove": Door("/account/people/remove/", post=signed_in(SEE_OTHER)),
    "games:person_block": Door("/account/people/block/", post=signed_in(REFUSED)),
    "games:person_unblock": Door("/account/people/unblock/", post=signed_in(SEE_OTHER)),
    "games:break_glass": Door("/moderation/tables/{code}/", moderates(OK), moderates(REFUSED)),
    # Accounts.
    "account_signup": Door("/account/register/", *[not_signed_in(OK, others=FOUND)] * 2),
    "account_login": Door("/account/sign-in/", *[not_signed_in(OK, others=FOUND)] * 2),
    "account_logout": Door("/account/sign-out/", signed_in(OK, others=FOUND), everybody(FOUND)),
    "account_reauthenticate": Door("/account/confirm/", signed_in(OK), signed_in(OK)),
    "account_overview": Door("/account/", *[signed_in(OK)] * 2),
    "account_name": Door("/account/name/", signed_in(OK), signed_in(REFUSED)),
    "account_email": Door("/account/e-mail/", signed_in(OK), signed_in(FOUND)),
    "account_email_verification_sent": Door("/account/e-mail/code/", *[everybody(FOUND)] * 2),
    "account_change_password": Door("/account/password/", *[signed_in(OK)] * 2),
    "account_set_password": Door("/account/password/new/", *[signed_in(FOUND)] * 2),
    "account_reset_password": Door("/account/password/reset/", *[everybody(OK)] * 2),
    "account_confirm_password_reset_code": Door(
        "/account/password/reset/code/", *[everybody(FOUND)] * 2
    ),
    "account_complete_password_reset": Door(
        "/account/password/reset/new/", *[everybody(FOUND)] * 2
    ),
    "account_password_reset_completed": Door(
        "/account/password/reset/done/", not_signed_in(OK, others=FOUND)
    ),
    "account_export": Door("/account/export/", signed_in(OK), signed_in(FOUND)),
    "account_export_file": Door("/account/export/{export}/", signed_in(NOT_FOUND)),
    "account_close": Door("/account/close/", *[lately_confirmed(OK)] * 2),
    "usersessions_list": Door("/account/sessions/", signed_in(OK), signed_in(FOUND)),
    # The second factor: moderators and superusers have an app; no user has a security key.
    "mfa_login_webauthn": Door("/account/sign-in/passkey/", *[everybody(FOUND)] * 2),
    "mfa_authenticate": Door("/account/sign-in/second-factor/", *[everybody(FOUND)] * 2),
    "mfa_reauthenticate": Door(
        "/account/confirm/second-factor/", *[holds_factor(OK, others=FOUND)] * 2
    ),
    "mfa_reauthenticate_webauthn": Door("/account/confirm/passkey/", *[signed_in(FOUND)] * 2),
    "mfa_index": Door("/account/second-factor/", signed_in(OK), signed_in(WRONG_METHOD)),
    "mfa_activate_totp": Door("/account/second-factor/app/", *[signed_in(FOUND)] * 2),
    "mfa_deactivate_totp": Door(
        "/account/second-factor/app/remove/",
        holds_factor(OK, others=NOT_FOUND, unconfirmed=FOUND),
        holds_factor(FOUND, others=NOT_FOUND),
    ),
    "mfa_view_recovery_codes": Door(
        "/account/second-factor/codes/", signed_in(NOT_FOUND), signed_in(WRONG_METHOD)
    ),
    "mfa_generate_recovery_codes": Door(
        "/account/second-factor/codes/new/", lately_confirmed(OK), signed_in(FOUND)
    ),
    "mfa_download_recovery_codes": Door(
        "/account/second-factor/codes/file/", *[signed_in(NOT_FOUND)] * 2
    ),
    "mfa_list_webauthn": Door(
        "/account/second-factor/keys/", signed_in(OK), signed_in(WRONG_METHOD)
    ),
    "mfa_add_webauthn": Door("/account/second-factor/keys/new/", *[lately_confirmed(OK)] * 2),
    "mfa_edit_webauthn": Door("/account/second-factor/keys/1/", *[lately_confirmed(NOT_FOUND)] * 2),
    "mfa_remove_webauthn": Door(
        "/account/second-factor/keys/1/remove/", *[lately_confirmed(NOT_FOUND)] * 2
    ),
    "account_inactive": Door("/account/inactive/", not_signed_in(OK, others=FOUND)),
    "account_language": Door("/account/language/", post=everybody(FOUND)),
    "account_look": Door("/account/look/", everybody(OK), everybody(SEE_OTHER)),
    "account_preferences": Door(
        "/account/preferences/", signed_in(OK), signed_in(SEE_OTHER), form=lambda world: {"x": "y"}
    ),
    "account_switch": Door(
        "/account/preferences/switch/",
        post=signed_in(SEE_OTHER),
        form=lambda world: {"name": "sounds", "is_on": "off"},
    ),
    "account_notifications": Door("/account/notifications/", signed_in(OK)),
    "account_read": Door("/account/notifications/read/", post=signed_in(SEE_OTHER)),
    "account_bell": Door("/account/notifications/bell/", signed_in(OK)),
    # A user's own standing. The sanction in the URL belongs to another user, so it is not found.
    "account_standing": Door("/account/standing/", signed_in(OK)),
    "account_standing_read": Door("/account/standing/read/", post=everybody(SEE_OTHER)),
    "account_appeal": Door(
        "/account/standing/{sanction}/appeal/", post=signed_in(NOT_FOUND, others=SEE_OTHER)
    ),
    # Pages of moderators and administrators; the posts carry no data.
    "conduct": Door("/conduct/", everybody(OK)),
    "moderation_people": Door("/moderation/people/", moderates(OK)),
    "moderation_person": Door("/moderation/people/{user}/", moderates(OK)),
    "moderation_impose": Door("/moderation/people/{user}/impose/", post=moderates(REFUSED)),
    "moderation_role": Door("/moderation/people/{user}/role/", post=administers(REFUSED)),
    "moderation_lift": Door("/moderation/sanctions/{sanction}/lift/", post=moderates(REFUSED)),
    "moderation_appeals": Door("/moderation/appeals/", moderates(OK)),
    "moderation_appeal": Door("/moderation/appeals/{appeal}/", moderates(OK), moderates(REFUSED)),
    "moderation_audit": Door("/moderation/audit/", administers(OK)),
    "moderation_switches": Door("/moderation/switches/", administers(OK), administers(FOUND)),
    # The admin.
    "no_view_on_site": Door("/admin/r/7/1/", everybody(NOT_FOUND), everybody(NOT_FOUND)),
    "admin:index": Door("/admin/", staff(OK), staff(OK)),
    "admin:login": Door(
        "/admin/login/",
        *[lambda who, kind: SIGN_IN if who in NOT_SIGNED_IN else by_admin_login(who)] * 2,
    ),
    "admin:logout": Door(
        "/admin/logout/",
        by_actor(FOUND, staff=WRONG_METHOD, superuser=WRONG_METHOD),
        by_actor(FOUND, staff=OK, superuser=OK),
    ),
    "admin:password_change": Door("/admin/password_change/", staff(FOUND), staff(FOUND)),
    "admin:password_change_done": Door(
        "/admin/password_change/done/", staff(OK), staff(WRONG_METHOD)
    ),
    "admin:autocomplete": Door("/admin/autocomplete/", staff(FORBIDDEN), staff(WRONG_METHOD)),
    "admin:jsi18n": Door("/admin/jsi18n/", staff(OK), staff(WRONG_METHOD)),
    # `no_view_on_site` comes first, so this one is never reached.
    "admin:view_on_site": Door("/admin/r/7/1/", everybody(NOT_FOUND), everybody(NOT_FOUND)),
    "admin:app_list": Door("/admin/games/", staff(NOT_FOUND, OK), staff(NOT_FOUND, OK)),
    "admin/(?P<url>.*)$": Door("/admin/nowhere/", staff(NOT_FOUND), staff(NOT_FOUND)),
    "admin:auth_user_password_change": Door(
        "/admin/accounts/user/{user}/password/", staff(FORBIDDEN, OK), staff(FORBIDDEN, OK)
    ),
    **admin_pages("accounts_user", is_read_only=False),
    **admin_pages("auth_group", is_read_only=False),
    **admin_pages("account_emailaddress", is_read_only=False),
    **admin_pages("accounts_namechange", is_read_only=True),
    **admin_pages("games_table", is_read_only=True, label="table_pk"),
    **admin_pages("games_gameaction", is_read_only=True, is_hidden=True),
    **admin_pages("games_look", is_read_only=True),
    **admin_pages("games_ruling", is_read_only=True),
    **admin_pages("accounts_sanction", is_read_only=True),
    **admin_pages("accounts_auditentry", is_read_only=True),
}


def by_admin_login(actor: str) -> Answer:
    return FOUND if actor in ("staff", "superuser") else FORBIDDEN


def listens(actor: str, kind: str) -> bool:
    """Return whether a socket opens. A deactivated user's session gets pages, but no socket."""
    return actor != "deactivated" and sees(actor, kind)


# Actors who may open a socket there; others are refused before it opens.
SOCKETS: dict[str, Callable[[str, str], bool]] = {
    "live/lobby/": lambda actor, kind: listens(actor, PUBLIC),
    "live/tables/<slug:code>/": listens,
    "(?s).*": lambda actor, kind: False,
}
SOCKET_PATHS = {
    "live/lobby/": "/live/lobby/",
    "live/tables/<slug:code>/": "/live/tables/{code}/",
    "(?s).*": "/live/elsewhere/",
}
# The messages that a client may send, which every open socket answers.
MESSAGES = {"have": {}, "ack": 0}
# The messages that the server may send to a socket; each is tested below by what causes it.
EVENTS = {
    *("table.changed", "lobby.changed"),
    *("person.signed_out", "person.changed", "person.rung", "person.wishes"),
}

# The test data ------------------------------------------------------------------------------------


@dataclass
class World:
    kind: str
    table: Table
    ids: dict[str, object]

    def address(self, path: str) -> str:
        return path.format(
            table=self.table.get_absolute_url(),
            code=self.table.code,
            token=self.table.invitation,
            **self.ids,
        )


def execute_the_others(state: GameState, seat: int) -> Action:
    if state.phase is Phase.EXECUTION:
        return Execute(seat, next(target for target in (1, 2) if target in state.alive))
    return fascist_dream(state, seat)


def is_the_host_s_turn_beside_a_grave(state: GameState) -> bool:
    return len(state.alive) < 5 and state.phase is Phase.NOMINATION and state.candidate == 0


def world_of(kind: str) -> World:
    """Return a running table of five: Ada hosts and must nominate, Boris is dead.

    Chika and Ewa are away, so that a motion is possible.
    """
    table = run_table(is_private=kind == PRIVATE)
    play_until(table, is_the_host_s_turn_beside_a_grave, execute_the_others)
    table.seats.filter(name__in=("Chika", "Ewa")).update(is_away=True)
    Table.objects.filter(pk=table.pk).update(version=F("version") + 1)
    talk.say(table=table, user=table.host, text="Good morning", place="table", key="first")
    keeper = person("Keeper")
    group, _ = Group.objects.get_or_create(name="Readers")
    email, _ = EmailAddress.objects.get_or_create(user=keeper, email="keeper@example.org")
    look = Look.objects.create(
        table=table,
        moderator=keeper,
        reason="to have one",
        length=1,
        round=1,
        at=timezone.now(),
        key=f"key of {kind}",
    )
    ruling = Ruling.objects.create(
        table=table,
        ordinal=1,
        kind="thaw",
        because="report",
        reason="to have one",
        at=timezone.now(),
    )
    entry = audit_write(actor=None, act="begin")
    terms = Terms(edition="en", seats_wanted=7)
    preset = presets.save_preset(user=keeper, name="Sundays", terms=terms)
    change = NameChange.objects.create(user=keeper, old="Kim", new="Keeper", at=timezone.now())
    export = Export.objects.create(
        user=keeper,
        asked_at=timezone.now(),
        expires_at=timezone.now() + timedelta(days=1),
        content="{}",
    )
    muted = Sanction.objects.create(
        user=keeper, kind="mute", reason="to have one", language="en", at=timezone.now()
    )
    appeal = Appeal.objects.create(sanction=muted, text="to have one", at=timezone.now())
    case = a_case_of(table)
    ids = {
        "sanction": muted.pk,
        "appeal": appeal.pk,
        "case": case.pk,
        "preset": preset.token,
        "user": person("Sofia").pk,
        "person": keeper.person_key,
        "group": group.pk,
        "emailaddress": email.pk,
        "table_pk": table.pk,
        "gameaction": fresh(table).game.actions.first().pk,
        "look": look.pk,
        "ruling": ruling.pk,
        "auditentry": entry.pk,
        "namechange": change.pk,
        "export": export.code,
    }
    return World(kind, fresh(table), ids)


def a_case_of(table: Table) -> Case:
    """Return a case about Chika, which Mira has claimed."""
    room = room_of(table.code)
    found = reports.seat_reported(room=room, user=person("Keeper"), number=2)
    report = reports.report_file(
        reporter=person("Keeper"), reported=found, reason="abuse", words="", language="en"
    )
    cases.case_claim(actor=user_of("moderator"), case=report.case)
    return report.case


def with_password(name: str, **fields: object) -> User:
    user = person(name, **fields)
    # A new password would end the user's other sessions.
    if not user.has_usable_password():
        user.set_password(PASSWORD)
        user.save()
    return user


def user_of(actor: str) -> User | None:
    match actor:
        case "anonymous" | "spectator":
            return None
        case "staff":
            return with_second_factor(with_password("Stan", is_staff=True))
        case "superuser":
            return with_second_factor(with_password("Root", is_staff=True, is_superuser=True))
        case "moderator":
            return with_second_factor(moderating("Mira"))
        case "superuser_without_factor":
            return with_password("Rolf", is_staff=True, is_superuser=True)
        case "moderator_without_factor":
            return moderating("Nora")
    return with_password(NAME_OF[actor])


def moderating(name: str) -> User:
    user = with_password(name)
    rights = ["break_glass", "remove_message", "moderate"]
    user.user_permissions.add(*Permission.objects.filter(codename__in=rights))
    return user


def enter(actor: str, world: World) -> Person:
    """Return the actor's browser, ready to use the table."""
    table = world.table
    viewer = Person(user_of(actor), table)
    if actor in ("invited", "spectator"):
        viewer.get(world.address("{table}invitation/{token}/"))
    if actor in ("moderator", "superuser"):
        assert viewer.post("/account/confirm/", {"password": PASSWORD}).status_code == FOUND
    if actor == "deactivated":
        viewer.user.is_active = False
        viewer.user.save()
    if actor == "expired":
        key = viewer.client.cookies["sessionid"].value
        past = timezone.now() - timedelta(seconds=1)
        assert Session.objects.filter(session_key=key).update(expire_date=past) == 1
    return viewer


@contextmanager
def undone(viewer: Person) -> Iterator[None]:
    """Undo what the block changes in the database and in the browser."""
    cookies = SimpleCookie(viewer.client.cookies.output(header="", sep="; "))
    cache.clear()
    with transaction.atomic():
        yield
        transaction.set_rollback(True)
    viewer.client.cookies = cookies
    positions.forget_all()
    screens.forget_all()


@pytest.fixture(autouse=True)
def _no_memory() -> Iterator[None]:
    positions.forget_all()
    screens.forget_all()
    cache.clear()
    yield
    positions.forget_all()
    screens.forget_all()
    cache.clear()


@pytest.fixture(autouse=True)
def _quiet() -> Iterator[None]:
    """Silence the log: these tests provoke thousands of refusals."""
    logging.disable(logging.WARNING)
    yield
    logging.disable(logging.NOTSET)


@pytest.fixture(params=[PUBLIC, PRIVATE])
def world(request, db) -> World:
    return world_of(request.param)


# The table is complete ----------------------------------------------------------------------------


def addresses(resolver: URLResolver, namespace: str = "", before: str = "") -> Iterator[str]:
    """Yield every URL of the site from the root: its name or, if it has none, its pattern."""
    for pattern in resolver.url_patterns:
        here = before + str(pattern.pattern)
        if isinstance(pattern, URLPattern):
            yield f"{namespace}{pattern.name}" if pattern.name else here
        else:
            inside = f"{pattern.namespace}:" if pattern.namespace else ""
            yield from addresses(pattern, namespace + inside, here)


def test_every_address_stands_in_the_table():
    assert sorted(addresses(get_resolver())) == sorted(ACCESS)


def consumers() -> list[type]:
    return [route.callback.consumer_class for route in websocket_urlpatterns]


def test_every_socket_stands_in_the_table():
    assert {str(route.pattern) for route in websocket_urlpatterns} == set(SOCKETS)
    assert set(SOCKET_PATHS) == set(SOCKETS)


def test_every_message_of_the_server_stands_in_the_table():
    """The hub receives them for all sockets; a consumer receives from its client only."""
    heard = re.findall(r'"type": "([^"]+)"', inspect.getsource(Hub._take))
    assert sorted(heard) == sorted(EVENTS)
    spoken = re.findall(r'"(websocket\.\w+)"', inspect.getsource(ScreenConsumer.__call__))
    assert sorted(spoken) == ["websocket.connect", "websocket.disconnect", "websocket.receive"]


# Every URL x method x actor -----------------------------------------------------------------------


def described(answer) -> Answer:
    """Return the status or, for a redirect to a sign-in or set-up page, which page."""
    location = answer.headers.get("Location", "")
    if location.startswith("/account/sign-in/?next="):
        return SIGN_IN
    if location.startswith("/admin/login/?next="):
        return ADMIN_DOOR
    # The pages to set it up lead back there.
    is_its_own = answer.request["PATH_INFO"].startswith(location or "-")
    if location == "/account/second-factor/" and not is_its_own:
        return SET_UP
    return answer.status_code


def asked(viewer: Person, method: str, path: str, form: dict[str, str] | None = None):
    with undone(viewer):
        if method == "POST":
            return viewer.post(path, form)
        token = viewer.client.cookies["csrftoken"].value
        return viewer.client.generic(method, path, headers={"X-CSRFToken": token})


@pytest.mark.parametrize("actor", ACTORS)
def test_everybody_is_answered_as_the_table_says(world, actor):
    viewer = enter(actor, world)
    wrong = {}
    for number, (name, door) in enumerate(ACCESS.items(), start=ACTORS.index(actor)):
        # A URL without a table has the same answers beside either table.
        if world.kind == PRIVATE and not door.is_of_a_table:
            continue
        path = world.address(door.path)
        in_turn = (OTHER_METHODS[number % len(OTHER_METHODS)],)
        for method in METHODS + (OTHER_METHODS if TRIES_EVERY_METHOD else in_turn):
            form = door.form(world) if method == "POST" else None
            got = described(asked(viewer, method, path, form))
            expected = door.answer(name, method, actor, world.kind)
            if got != expected:
                wrong[name, method] = (got, expected)
    assert wrong == {}


@pytest.mark.parametrize("actor", sorted(WITHOUT_FACTOR))
def test_rights_need_the_second_factor_at_every_address_also_where_no_page_hints_at_it(
    world, actor, settings
):
    """Without the middleware, which sends them to set one up, they get a stranger's answers."""
    hint = "accounts.middleware.SecondFactorMiddleware"
    settings.MIDDLEWARE = [each for each in settings.MIDDLEWARE if each != hint]
    viewer = enter(actor, world)
    wrong = {}
    for name, door in ACCESS.items():
        if world.kind == PRIVATE and not door.is_of_a_table:
            continue
        for method, rule in (("GET", door.get), ("POST", door.post)):
            form = door.form(world) if method == "POST" else None
            got = described(asked(viewer, method, world.address(door.path), form))
            expected = rule("stranger", world.kind)
            if got != expected:
                wrong[name, method] = (got, expected)
    assert wrong == {}


# Unknown and forbidden look the same --------------------------------------------------------------

SHUT_OUT = [actor for actor in ACTORS if actor not in ADMITTED]
UNKNOWN = "zzzzzzzz"


def looked_at(answer, code: str) -> tuple[object, ...]:
    """Return all that reaches the browser, except for the table's code, which it sent itself."""
    headers = {name: value for name, value in answer.items() if name != "Expires"}
    # A year from now, to the second.
    cookies = re.sub(r"expires=[^;]*", "", answer.cookies.output())
    seen = answer.status_code, headers, cookies, answer.content
    return tuple(
        part.replace(code.encode(), b"CODE") if isinstance(part, bytes)
        else str(part).replace(code, "CODE")
        for part in seen
    )  # fmt: skip


@pytest.mark.parametrize("actor", SHUT_OUT)
def test_a_private_table_is_to_others_byte_for_byte_one_that_is_not_there(db, monkeypatch, actor):
    # The mask differs from page to page; the token itself is the browser's.
    monkeypatch.setattr(csrf, "_mask_cipher_secret", lambda secret: secret)
    world = world_of(PRIVATE)
    viewer = enter(actor, world)
    code = world.table.code
    told_apart = []
    for name, door in ACCESS.items():
        is_office = name in ("games:break_glass", "games:order")
        may_look = is_office and actor in ("moderator", "superuser")
        if not door.is_of_a_table or may_look:
            continue
        # The request needs neither the right invitation nor one of its length or letters.
        path = world.address(door.path.replace("{token}", "wrong"))
        for method in ("HEAD", *METHODS):
            form = door.form(world)
            private = looked_at(asked(viewer, method, path, form), code)
            unknown = looked_at(asked(viewer, method, path.replace(code, UNKNOWN), form), UNKNOWN)
            if private != unknown:
                told_apart.append((name, method))
    assert told_apart == []


@pytest.mark.parametrize("actor", ["moderator", "superuser"])
def test_a_moderator_who_sits_there_sees_no_more_than_who_may_not_look(db, monkeypatch, actor):
    monkeypatch.setattr(csrf, "_mask_cipher_secret", lambda secret: secret)
    table = run_table(["Ada2", "Mira", "Root", "Di2", "Ed2"], is_private=True)
    viewer = enter(actor, World(PRIVATE, table, {}))

    for method in ("HEAD", *METHODS):
        own, unknown = (
            looked_at(asked(viewer, method, f"/moderation/tables/{code}/", {"reason": "x"}), code)
            for code in (table.code, UNKNOWN)
        )
        assert own == unknown


# Invitations, bans, services ----------------------------------------------------------------------


def test_the_invitation_lets_one_watch_a_private_table_signed_in_or_not(db):
    world = world_of(PRIVATE)
    for user in (person("Sofia"), None):
        invited = Person(user, world.table)
        assert invited.get(invited.url).status_code == NOT_FOUND

        answer = invited.get(world.address("{table}invitation/{token}/"))

        assert answer.headers["Location"] == invited.url
        assert invited.get(invited.url).status_code == OK
        assert invited.get(f"{invited.url}panels/").status_code == OK


def test_who_was_invited_before_signing_in_is_still_invited_after(db):
    table = gather(NAMES[:4], bots=1, is_private=True)
    tables.leave_table(table=table, user=person("Dario"))
    sofia = with_password("Sofia")
    visitor = Person(None, table)
    visitor.get(f"{visitor.url}invitation/{table.invitation}/")

    visitor.post("/account/sign-in/", {"login": "Sofia", "password": PASSWORD})

    assert visitor.press("join").status_code == SEE_OTHER
    assert table.seats.filter(user=sofia).exists()


def test_only_those_who_sit_at_a_gathering_private_table_are_shown_the_invitation(db):
    table = gather(is_private=True)
    sofia = Person(person("Sofia"), table)
    sofia.get(f"{sofia.url}invitation/{table.invitation}/")

    assert table.invitation in Person(table.host, table).page()
    assert table.invitation not in sofia.page()


def test_private_tables_are_in_the_lobby_of_their_own_people_only(db):
    table = run_table(is_private=True)
    public = run_table([f"{name}2" for name in NAMES[:5]])

    for viewer in (Person(None, table), Person(person("Sofia"), table)):
        lobby = viewer.get("/").content.decode()
        assert table.code not in lobby
        assert public.code in lobby
    assert table.code in Person(table.host, table).get("/").content.decode()


def test_the_end_opens_the_record_to_whoever_may_see_the_table(world):
    play_until(world.table, is_over)

    for actor in ACTORS:
        viewer = enter(actor, world)
        expected = OK if sees(actor, world.kind) else NOT_FOUND
        assert viewer.get(f"{viewer.url}record/").status_code == expected, actor


def test_a_service_asks_again_and_does_not_trust_the_view(db):
    table = run_table()
    for service in (tables.leave_table, tables.start_game, tables.close_table):
        with pytest.raises(Refused) as refused:
            service(table=table, user=person("Sofia"))
        assert refused.value.refusal in (Refusal.NOT_OPEN, Refusal.NOT_HOST)


def test_nothing_is_kept_by_a_cache_or_framed_by_another_site(world):
    for actor in ACTORS:
        viewer = enter(actor, world)
        for path in ("/", viewer.url, f"{viewer.url}panels/", "/panels/", "/tables/new/"):
            answer = viewer.get(path)
            if answer.status_code == OK:
                assert "no-store" in answer.headers["Cache-Control"], (actor, path)
            assert answer.headers["X-Frame-Options"] == "DENY"
            assert "default-src 'none'" in answer.headers["Content-Security-Policy"]


# Sockets ------------------------------------------------------------------------------------------

# Other threads read what the test writes, so it must commit.
on_a_line = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("closed_lines")]


def with_marks(test):
    for mark in on_a_line:
        test = mark(test)
    return test


@pytest.fixture(params=[PUBLIC, PRIVATE])
def live(request, transactional_db) -> World:
    return world_of(request.param)


@with_marks
async def test_sockets_open_to_those_whom_the_table_names(live):
    wrong = []
    for actor in ACTORS:
        viewer = await does(enter)(actor, live)
        for pattern, may_open in SOCKETS.items():
            socket = Socket(viewer, live.address(SOCKET_PATHS[pattern]))
            if await socket.opens() != may_open(actor, live.kind):
                wrong.append((actor, pattern))
            await socket.line.disconnect()
    assert wrong == []


@with_marks
async def test_a_private_table_s_socket_is_refused_as_one_that_is_not_there(transactional_db):
    world = await does(world_of)(PRIVATE)
    for actor in SHUT_OUT:
        viewer = await does(enter)(actor, world)
        answers = []
        for code in (world.table.code, UNKNOWN):
            line = Socket(viewer, f"/live/tables/{code}/").line
            await line.send_input({"type": "websocket.connect"})
            answers.append(await line.receive_output(timeout=5))
        assert answers[0] == answers[1] and answers[0]["type"] == "websocket.close", actor


@with_marks
async def test_whoever_has_a_socket_may_say_what_the_table_names(live):
    for actor in ACTORS:
        if not listens(actor, live.kind):
            continue
        socket = Socket(await does(enter)(actor, live))
        assert await socket.opens()

        await socket.send(ack=MESSAGES["ack"])
        assert await socket.stays_silent(), actor
        await socket.send(have=MESSAGES["have"])
        assert await socket.frame() == PANELS, actor
        await socket.line.disconnect()


def spoken_words() -> set[str]:
    """Return every string in the consumers' source: the messages they know are among them."""
    module = importlib.import_module("games.consumers")
    paths = [Path(module.__file__)]
    paths += [
        Path(importlib.import_module(f"games.consumers.{part.name}").__file__)
        for part in pkgutil.iter_modules(getattr(module, "__path__", []))
    ]
    return {
        node.value
        for path in paths
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
        and node.value.replace(".", "_").isidentifier()
    }  # fmt: skip


@with_marks
async def test_no_socket_knows_a_message_that_is_not_in_the_table(transactional_db):
    world = await does(world_of)(PUBLIC)
    viewer = await does(enter)("host", world)
    assert set(MESSAGES) <= spoken_words()
    known = []
    for word in [*sorted(spoken_words() - set(MESSAGES)), "act", "type"]:
        for value in ({}, 1, "x", True, None):
            socket = Socket(viewer)
            assert await socket.opens()
            await socket.send(**{word: value})
            heard = [await socket.line.receive_output(timeout=5)]
            if heard[0]["type"] == "websocket.send":
                heard.append(await socket.line.receive_output(timeout=5))
            if heard[-1].get("code") != NONSENSE:
                known.append((word, value))
            await socket.line.disconnect()
    assert known == []


@with_marks
async def test_what_changes_is_told_to_everybody_who_may_see_it(live):
    sockets = {}
    for actor in ACTORS:
        if listens(actor, live.kind):
            viewer = await does(enter)(actor, live)
            sockets[actor] = await Socket(viewer).catches_up()

    await does(act)(live.table, Nominate(0, 3))

    for actor, socket in sockets.items():
        assert "banner" in await socket.frame(), actor
        await socket.line.disconnect()


@with_marks
async def test_whoever_wishes_something_else_is_called_back_and_nobody_else(transactional_db):
    world = await does(world_of)(PUBLIC)
    viewer = await does(enter)("stranger", world)
    own = await Socket(viewer).catches_up()
    other = await Socket(await does(enter)("host", world)).catches_up()

    await does(viewer.post)(f"{viewer.url}mute/", about_chika(world))

    assert await own.closes_with() == COME_BACK
    assert await other.stays_silent()
    await other.line.disconnect()


@with_marks
async def test_who_signs_out_is_told_so_and_nobody_else(live):
    for actor in ACTORS:
        if actor in NOT_SIGNED_IN or not listens(actor, live.kind):
            continue
        viewer = await does(enter)(actor, live)
        own = await Socket(viewer).catches_up()
        # Another browser of the same user, and another user's browser.
        others = [
            await Socket(await does(enter)(who, live)).catches_up() for who in (actor, "spectator")
        ]

        await does(viewer.post)("/account/sign-out/")

        assert await own.closes_with() == SIGNED_OUT, actor
        for other in others:
            assert await other.stays_silent(), actor
            await other.line.disconnect()
