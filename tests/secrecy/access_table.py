"""The table of access: every address of the site, and its answer to each actor."""

import os
import zlib
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from django.conf import settings

from tests.builders.tables import state_of
from tests.nightly import NIGHTLY

if TYPE_CHECKING:
    from tests.secrecy.access_world import World

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


# `make test` tries these actors at every door, and at each door one of the others, in turn.
AT_EVERY_DOOR = ("anonymous", "stranger")
IN_TURN = tuple(actor for actor in ACTORS if actor not in AT_EVERY_DOOR)


def is_tried(actor: str, door: str, in_turn: tuple[str, ...] = IN_TURN) -> bool:
    """Return whether this run tries the actor there; `make nightly` tries all of them."""
    turn = zlib.crc32(door.encode())
    return NIGHTLY or actor not in in_turn or in_turn[turn % len(in_turn)] == actor


NOT_SIGNED_IN = {"anonymous", "spectator", "deactivated", "expired"}
WITHOUT_FACTOR = {"moderator_without_factor", "superuser_without_factor"}
AT_THE_TABLE = {"host", "seated", "dead"}


# Actors who may see a private table.
ADMITTED = {"invited", "spectator"} | AT_THE_TABLE
PUBLIC, PRIVATE = "public", "private"
METHODS = ("GET", "POST")
OTHER_METHODS = ("HEAD", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE")


# HEAD is answered like GET, and no URL supports the others; they would be three quarters of all
# requests here. They therefore take turns: by day each URL gets one of them, at night each from two
# actors or more.
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


OK, SEE_OTHER, FOUND, FORBIDDEN, NOT_FOUND, WRONG_METHOD = 200, 303, 302, 403, 404, 405
MOVED = 301
REFUSED, STALE = 422, 409
NO_TOKEN = 401
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

    def answers_as_the_host(self, name: str, actor: str, kind: str) -> bool:
        """Return whether the actor gets the host's answers here, so runs the same code."""
        return all(
            self.answer(name, method, actor, kind) == self.answer(name, method, "host", kind)
            for method in ("GET", "POST")
        )

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


# By name, or by pattern if the URL has none. At each table it is the host's turn.
ACCESS: dict[str, Door] = {
    "service_worker": Door("/service-worker.js", everybody(OK)),
    "offline": Door("/offline/", everybody(OK)),
    "robots": Door("/robots.txt", everybody(OK)),
    "too_large": Door("/too-large/", everybody(413)),
    "change_password": Door("/.well-known/change-password", everybody(FOUND)),
    "sitemap": Door("/sitemap.xml", everybody(OK)),
    "games:lobby": Door("/", everybody(OK)),
    "games:lobby_panels": Door("/panels/", everybody(OK)),
    "games:film": Door("/film/en/", everybody(OK)),
    # It leads everyone to the public table.
    "games:watch": Door("/watch/", everybody(FOUND)),
    "games:puzzles": Door("/puzzle/", everybody(FOUND)),
    # The puzzle of the first day: everyone may answer it, and no one here has.
    "games:puzzle": Door("/puzzle/2026-11-01/", everybody(OK), everybody(REFUSED)),
    "games:puzzle_consent": Door("/puzzle/consent/", post=signed_in(SEE_OTHER)),
    "games:puzzle_replay": Door("/puzzle/2026-11-01/replay/", everybody(NOT_FOUND)),
    # A name of one letter makes no account.
    "games:play_now": Door(
        "/play/",
        not_signed_in(OK, others=FOUND),
        not_signed_in(REFUSED, others=SEE_OTHER),
        form=lambda world: {"name": "x"},
    ),
    "games:quick_game": Door("/quick/", post=signed_in(SEE_OTHER)),
    "games:find_game": Door("/find/", signed_in(OK), signed_in(SEE_OTHER)),
    "games:found_before": Door("/seek/", everybody(FOUND), everybody(FOUND)),
    # The preset belongs to another user, who has shared the link.
    "games:save_preset": Door("/presets/", post=signed_in(REFUSED)),
    "games:preset": Door("/presets/{preset}/", signed_in(OK)),
    "games:open_preset": Door("/presets/{preset}/open/", post=signed_in(SEE_OTHER)),
    "games:delete_preset": Door("/presets/{preset}/delete/", post=signed_in(NOT_FOUND)),
    "games:open_table": Door("/tables/new/", signed_in(OK), signed_in(REFUSED)),
    "games:upcoming": Door("/upcoming/", everybody(OK)),
    # The table has no date. tests/games/views/test_appointments.py visits one that has.
    "games:move_date": Door("{table}date/", everybody(NOT_FOUND), everybody(NOT_FOUND)),
    "games:calendar": Door("{table}calendar.ics", everybody(NOT_FOUND)),
    # The addresses of programs know no cookies, and no actor here sends a token. One is sent in
    # tests/games/views/test_api.py.
    "games:api_schema": Door("/api/schema/", everybody(OK)),
    "games:api_tables": Door("/api/tables/", everybody(NO_TOKEN)),
    "games:api_table": Door("/api/tables/{code}/", everybody(NO_TOKEN)),
    "games:api_join": Door("/api/tables/{code}/join/", post=everybody(NO_TOKEN)),
    "games:api_leave": Door("/api/tables/{code}/leave/", post=everybody(NO_TOKEN)),
    "games:api_role": Door("/api/tables/{code}/role/", post=everybody(NO_TOKEN)),
    "games:api_back": Door("/api/tables/{code}/back/", post=everybody(NO_TOKEN)),
    "games:api_act": Door("/api/tables/{code}/act/", post=everybody(NO_TOKEN)),
    "games:api_claim": Door("/api/tables/{code}/claim/", post=everybody(NO_TOKEN)),
    "games:api_phrase": Door("/api/tables/{code}/phrase/", post=everybody(NO_TOKEN)),
    # The public API: everyone sees what a visitor may see, and the game still runs.
    "games:v1_openapi": Door("/api/v1/openapi.json", everybody(OK)),
    "games:v1_games": Door("/api/v1/games/", everybody(OK)),
    "games:v1_game": Door("/api/v1/games/{code}/", everybody(NOT_FOUND)),
    "games:v1_record": Door("/api/v1/games/{code}/record/", everybody(NOT_FOUND)),
    "games:v1_person": Door("/api/v1/people/{person}/", everybody(OK)),
    "games:v1_person_games": Door("/api/v1/people/{person}/games/", everybody(NOT_FOUND)),
    "games:v1_leaderboards": Door("/api/v1/leaderboards/", everybody(OK)),
    "games:v1_seasons": Door("/api/v1/seasons/", everybody(OK)),
    "games:v1_statistics": Door("/api/v1/statistics/", everybody(OK)),
    "games:v1_dumps": Door("/api/v1/dumps/", everybody(OK)),
    # The page shows no games to everyone.
    "games:games_feed": Door("/archive/feed/", everybody(OK)),
    "games:person_feed": Door("/people/{person}/feed/", everybody(NOT_FOUND)),
    "games:dumps_feed": Door("/dumps/feed/", everybody(OK)),
    "games:table": Door("{table}", watches(OK)),
    "games:panels": Door("{table}panels/", watches(OK)),
    # Without a session, as in a messenger, it is a page that goes on by itself.
    "games:invitation": Door("{table}invitation/{token}/", *[by_actor(FOUND, anonymous=OK)] * 2),
    "games:act": Door("{table}act/", post=presses(REFUSED, host=SEE_OTHER), form=a_move),
    "games:join_as_guest": Door("{table}guest/", watches(FOUND), watches(FOUND)),
    "games:join": Door("{table}join/", post=NOBODY),
    "games:take_seat": Door("{table}take-seat/", watches(FOUND)),
    "games:seal": Door("{table}seal/", watches(OK), NOBODY),
    "games:sealed_seats": Door("{table}seal/seats/", watches(OK)),
    "games:leave": Door("{table}leave/", post=NOBODY),
    "games:close": Door("{table}close/", post=NOBODY),
    "games:fill": Door("{table}fill/", post=NOBODY),
    "games:bot": Door("{table}bot/", post=NOBODY, form=lambda world: {"seat": "4:"}),
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
    # The night is over, so there is nothing left to confirm.
    "games:confirm_role": Door(
        "{table}role/", post=presses(REFUSED, host=SEE_OTHER, seated=SEE_OTHER, dead=SEE_OTHER)
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
    "games:pause": Door("{table}pause/", post=NOBODY),
    "games:resume": Door("{table}resume/", post=NOBODY),
    "games:next_move": Door("{table}next/", post=NOBODY),
    "games:stop_hints": Door(
        "{table}hints/", post=presses(REFUSED, host=SEE_OTHER, seated=SEE_OTHER, dead=SEE_OTHER)
    ),
    "games:say": Door(
        "{table}say/",
        post=presses(REFUSED, host=SEE_OTHER, seated=SEE_OTHER),
        form=lambda world: {"text": "Good evening", "place": "table", "key": "k"},
    ),
    "games:talk": Door("{table}talk/", watches(OK)),
    "games:gallery": Door(
        "{table}gallery/", post=presses(SEE_OTHER, host=REFUSED, seated=REFUSED, dead=REFUSED)
    ),
    "games:hearing": Door("{table}hearing/", get=presses(OK)),
    "games:mute": Door("{table}mute/", post=presses(SEE_OTHER), form=about_chika),
    "games:bots_say": Door(
        "{table}bots-say/",
        post=presses(REFUSED, host=SEE_OTHER),
        form=lambda world: {"bots_say": "little"},
    ),
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
    "games:proof": Door("{table}proof/", everybody(NOT_FOUND)),
    "games:truth": Door("{table}truth/", everybody(NOT_FOUND)),
    # Refused, because the game is not over.
    "games:uploaded_records": Door("/records/", signed_in(OK), signed_in(REFUSED)),
    "games:uploaded_replay": Door("/records/unknown/", everybody(NOT_FOUND)),
    "games:uploaded_file": Door("/records/unknown/file/", everybody(NOT_FOUND)),
    "games:uploaded_proof": Door("/records/unknown/proof/", everybody(NOT_FOUND)),
    "games:uploaded_truth": Door("/records/unknown/truth/", everybody(NOT_FOUND)),
    "games:share_uploaded": Door("/records/unknown/share/", post=signed_in(NOT_FOUND)),
    "games:delete_uploaded": Door("/records/unknown/delete/", post=signed_in(NOT_FOUND)),
    "games:entered_before": Door("/records/enter/", everybody(MOVED)),
    "games:share": Door("{table}share/", post=presses(SEE_OTHER)),
    "games:notes": Door(
        "{table}notes/", get=presses(OK), post=presses(SEE_OTHER), form=lambda world: NOTES
    ),
    "games:invite": Door("{table}invite/", get=presses(NOT_FOUND), post=NOBODY),
    "games:tutorial": Door("/tutorial/", everybody(OK)),
    "games:lesson": Door(
        "/tutorial/tracker/",
        everybody(OK),
        everybody(SEE_OTHER),
        form=lambda world: {"choice": "vote:nein"},
    ),
    # Profiles are public, also through the seat of a player.
    "games:person": Door("/people/{person}/", everybody(OK)),
    "games:seat": Door("{table}seats/1/", watches(FOUND)),
    "games:statistics": Door("/statistics/", everybody(OK)),
    "games:game_search": Door("/archive/", get=everybody(OK)),
    "games:game_suggestions": Door("/archive/suggestions/", get=everybody(OK)),
    "games:ratings": Door("/ratings/", everybody(OK)),
    "games:rating_listing": Door("/ratings/listing/", post=signed_in(SEE_OTHER)),
    "games:dumps": Door("/dumps/", everybody(OK)),
    "games:dump": Door("/dumps/2020-01/", everybody(NOT_FOUND)),
    "games:dump_consent": Door("/dumps/name/", post=signed_in(SEE_OTHER)),
    "games:fairness": Door("/fairness/", everybody(FOUND)),
    "games:rules": Door("/rules/", everybody(OK)),
    "games:rulebook": Door("/rules/pl/", everybody(OK)),
    "games:marks": Door("/rules/pl/marks/", everybody(OK)),
    "games:compare_rules": Door("/rules/compare/", everybody(OK)),
    "games:glossary": Door("/rules/glossary/", everybody(OK)),
    "games:people": Door("/account/people/", signed_in(OK)),
    "games:friend_ask": Door("/account/people/ask/", post=signed_in(REFUSED)),
    "games:friend_accept": Door("/account/people/accept/", post=signed_in(SEE_OTHER)),
    "games:friend_decline": Door("/account/people/decline/", post=signed_in(SEE_OTHER)),
    "games:friend_remove": Door("/account/people/remove/", post=signed_in(SEE_OTHER)),
    "games:person_block": Door("/account/people/block/", post=signed_in(REFUSED)),
    "games:person_unblock": Door("/account/people/unblock/", post=signed_in(SEE_OTHER)),
    "games:break_glass": Door("/moderation/tables/{code}/", everybody(FOUND)),
    # Accounts.
    "account_signup": Door("/account/register/", *[not_signed_in(OK, others=FOUND)] * 2),
    "account_login": Door("/account/sign-in/", *[not_signed_in(OK, others=FOUND)] * 2),
    "account_logout": Door("/account/sign-out/", signed_in(OK, others=FOUND), everybody(FOUND)),
    "account_reauthenticate": Door("/account/confirm/", signed_in(OK), signed_in(OK)),
    "account_overview": Door("/account/", *[signed_in(OK)] * 2),
    "account_keep": Door("/account/keep/", *[signed_in(FOUND)] * 2),
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
    "account_bots": Door("/account/bots/", signed_in(OK), signed_in(REFUSED)),
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
    "games:own_games": Door("/games/", signed_in(OK)),
    "games:vacation": Door("/vacation/", signed_in(OK), signed_in(REFUSED)),
    "account_turns": Door(
        "/account/turns/", signed_in(OK), signed_in(SEE_OTHER), form=lambda world: {"x": "y"}
    ),
    "account_push_device": Door(
        "/account/turns/device/", post=signed_in(SEE_OTHER), form=lambda world: {"remove": "all"}
    ),
    # The signature in this address is wrong.
    "account_stop_turn_mails": Door("/account/turns/stop/x/", *[everybody(NOT_FOUND)] * 2),
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
    "conduct": Door("/conduct/", everybody(FOUND)),
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
    "admin:app_list": Door("/admin/accounts/", staff(NOT_FOUND, OK), staff(NOT_FOUND, OK)),
    "admin/(?P<url>.*)$": Door("/admin/nowhere/", staff(NOT_FOUND), staff(NOT_FOUND)),
    "admin:auth_user_password_change": Door(
        "/admin/accounts/user/{user}/password/", staff(FORBIDDEN, OK), staff(FORBIDDEN, OK)
    ),
    **admin_pages("accounts_user", is_read_only=False),
    **admin_pages("auth_group", is_read_only=False),
    **admin_pages("account_emailaddress", is_read_only=False),
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
MESSAGES = {"have": {}, "ack": 0, "beat": True}


# The messages that the server may send to a socket; each is tested below by what causes it.
EVENTS = {
    *("table.changed", "lobby.changed"),
    *("person.signed_out", "person.changed", "person.rung", "person.viewer_settings"),
}
