"""The door for programs: JSON in, JSON out. `games/bots/README.md` describes it to their authors.

accounts/auth/tokens.py says who asks. The same services act as for people, under the same limits.
"""

import json
from collections.abc import Callable, Mapping
from functools import wraps
from hashlib import sha256
from pathlib import Path
from typing import Any, Concatenate, Final, ParamSpec

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseNotModified, JsonResponse
from django.utils.crypto import constant_time_compare
from django.utils.translation import gettext
from django.views.decorators.http import require_POST, require_safe

from accounts.auth.requests import AuthenticatedHttpRequest
from accounts.models import User
from accounts.services.bots import report_refused
from config.http.bounds import read_json
from games import wording
from games.forms import ActForm
from games.models import Message, Pace, Table
from games.rules.legality import IllegalAction
from games.selectors.open_tables import read_open_tables
from games.selectors.visible_tables import INVITED
from games.services import appointments, night, play, presence, tables, timed_questions
from games.services.claims import make_claim
from games.services.phrases import say_phrase
from games.state.rooms import Room
from games.views.seat_json import seat_json
from games.views.table_access import find_room, knows_password
from games.wording.refusals import Refusal, Refused

_NO_TOKEN: Final = 401
_STALE: Final = 409
_REFUSED: Final = 422
_LONGEST: Final = 64
_MOST_SEATS: Final = 2
SCHEMA: Final = Path(__file__).with_name("seat.schema.json")

P = ParamSpec("P")
View = Callable[Concatenate[AuthenticatedHttpRequest, P], HttpResponse]
Service = Callable[[Room, User, dict[str, Any]], object]


def _token_first(view: View[P]) -> Callable[Concatenate[HttpRequest, P], HttpResponse]:
    """Answer 401 to a request without a valid token."""

    def wrapped(request: HttpRequest, *args: P.args, **kwargs: P.kwargs) -> HttpResponse:
        if not request.user.is_authenticated:
            answer = _error("no_token", gettext("Send your bot’s token."), _NO_TOKEN)
            answer.headers["WWW-Authenticate"] = "Bearer"
            return answer
        return view(request, *args, **kwargs)  # type: ignore[arg-type]

    return wraps(view)(wrapped)  # type: ignore[return-value]


@require_safe
def schema(request: HttpRequest) -> HttpResponse:
    """Return the JSON Schema of a table's view."""
    return HttpResponse(SCHEMA.read_bytes(), content_type="application/schema+json")


@require_safe
@_token_first
def open_tables(request: AuthenticatedHttpRequest) -> HttpResponse:
    """List the public tables that gather players and may take a bot account."""
    listed = [
        {"code": each.code, "edition": each.edition, "pace": each.pace, "chat": each.chat}
        for each in read_open_tables().gathering
        if each.has_room
        and each.takes_programs
        and not each.is_rated
        and not each.is_blind
        and each.pace != Pace.UNTIMED
    ]
    return JsonResponse({"tables": listed})


@require_safe
@_token_first
def table(request: AuthenticatedHttpRequest, code: str) -> HttpResponse:
    """Return the table as the bot's seat knows it; 304 if it is as `If-None-Match` names it."""
    room = _room(request, code)
    presence.register.glimpsed(request.user.pk, room.table.pk)
    if play.is_due(room):
        play.settle(room.table.pk)
        room = _room(request, code)
    if appointments.is_due(room):
        appointments.settle(room.table.pk)
        room = _room(request, code)
    if timed_questions.is_due(room):
        timed_questions.settle(room.table.pk)
        room = _room(request, code)
    return _view(request, room)


def _post(service: Service) -> Callable[[HttpRequest, str], HttpResponse]:
    """Make a view that calls a service with the posted object, and answers with the new view."""

    @require_POST
    @_token_first
    def view(request: AuthenticatedHttpRequest, code: str) -> HttpResponse:
        # Only who wants to join brings an invitation: a seat opens the table by itself.
        session = _invitation(request, code) if service is _join else None
        room = _room(request, code, session)
        error = _serve(service, room, request.user, lambda: _posted(request))
        if error is not None:
            is_stale = error["error"] == Refusal.STALE.value
            return JsonResponse(error, status=_STALE if is_stale else _REFUSED)
        after = find_room(code, request.user.pk, {})
        return JsonResponse({}) if after is None else _view(request, after)

    return view


def _serve(
    service: Service, room: Room, user: User, posted: Callable[[], dict[str, Any]]
) -> dict[str, str] | None:
    """Call a service with what was posted. Return the error to answer with, or None.

    The bot's owner learns of what was unclear or illegal.
    """
    try:
        service(room, user, posted())
    except Refused as error:
        if error.refusal == Refusal.UNCLEAR and room.seat_of(user.pk) is not None:
            report_refused(user_pk=user.pk, table=room.table.code)
        return _error_json(error.refusal.value, str(error.refusal.label))
    except IllegalAction as error:
        report_refused(user_pk=user.pk, table=room.table.code)
        return _error_json("illegal", wording.refusal(error.reason))
    return None


def _join(room: Room, user: User, posted: dict[str, Any]) -> None:
    tables.join_table(table=room.table, user=user)


def _leave(room: Room, user: User, posted: dict[str, Any]) -> None:
    tables.leave_table(table=room.table, user=user)


def _confirm_role(room: Room, user: User, posted: dict[str, Any]) -> None:
    night.confirm_role(table=room.table, user=user)


def _come_back(room: Room, user: User, posted: dict[str, Any]) -> None:
    play.come_back(table=room.table, user=user)


def _act(room: Room, user: User, posted: dict[str, Any]) -> None:
    seat = room.seat_of(user.pk)
    if seat is None:
        raise Refused(Refusal.NOT_SEATED)
    if room.game is None:
        raise Refused(Refusal.NOT_STARTED)
    names = {"choice": "action", "decision": "decision", "key": "key"}
    form = ActForm({field: _text(posted, name) for field, name in names.items()})
    action = form.action_for(seat.number, room.game.players) if form.is_valid() else None
    if action is None:
        raise Refused(Refusal.UNCLEAR)
    play.act(
        table=room.table,
        user=user,
        action=action,
        decision=form.cleaned_data["decision"],
        key=form.cleaned_data["key"],
    )


def _claim(room: Room, user: User, posted: dict[str, Any]) -> None:
    code, key = _text(posted, "claim"), _text(posted, "key")
    make_claim(table=room.table, user=user, code=code, key=key)


def _phrase(room: Room, user: User, posted: dict[str, Any]) -> None:
    seats = posted.get("seats", [])
    if not isinstance(seats, list) or len(seats) > _MOST_SEATS:
        raise Refused(Refusal.UNCLEAR)
    if not all(type(seat) is int for seat in seats):
        raise Refused(Refusal.UNCLEAR)
    say_phrase(
        table=room.table,
        user=user,
        phrase=_text(posted, "phrase"),
        seats=seats,
        place=Message.Place.TABLE,
        key=_text(posted, "key"),
    )


join, leave, confirm_role, come_back, act, claim, phrase = map(
    _post, (_join, _leave, _confirm_role, _come_back, _act, _claim, _phrase)
)


def _invitation(request: HttpRequest, code: str) -> Mapping[str, Any]:
    """Return what the session of a person who follows the posted invitation would hold.

    Nothing, if the link or the table's password is wrong.
    """
    try:
        posted = _posted(request)
        token, password = _text(posted, "invitation"), _text(posted, "password")
    except Refused:
        return {}
    table = Table.objects.filter(code=code).first() if token else None
    if table is None or not constant_time_compare(table.invitation, token):
        return {}
    return {INVITED: [table.pk]} if knows_password(table, password) else {}


def _room(
    request: AuthenticatedHttpRequest, code: str, session: Mapping[str, Any] | None = None
) -> Room:
    room = find_room(code, request.user.pk, session or {})
    if room is None:
        raise Http404
    return room


def _view(request: AuthenticatedHttpRequest, room: Room) -> HttpResponse:
    answer = JsonResponse(seat_json(room, room.seat_of(request.user.pk)))
    tag = f'"{sha256(answer.content).hexdigest()[:32]}"'
    if request.method != "POST" and request.headers.get("If-None-Match") == tag:
        return HttpResponseNotModified()
    answer.headers["ETag"] = tag
    return answer


def _posted(request: HttpRequest) -> dict[str, Any]:
    """Return the posted JSON object; an empty body is an empty object. Raises Refused."""
    try:
        posted = read_json(request.body.decode()) if request.body else {}
    except (json.JSONDecodeError, UnicodeDecodeError) as error:
        raise Refused(Refusal.UNCLEAR) from error
    if not isinstance(posted, dict):
        raise Refused(Refusal.UNCLEAR)
    return posted


def _text(posted: dict[str, Any], name: str) -> str:
    value = posted.get(name, "")
    if not isinstance(value, str) or len(value) > _LONGEST:
        raise Refused(Refusal.UNCLEAR)
    return value


def _error(code: str, message: str, status: int) -> JsonResponse:
    return JsonResponse(_error_json(code, message), status=status)


def _error_json(code: str, message: str) -> dict[str, str]:
    return {"error": code, "message": message}
