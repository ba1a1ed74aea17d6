"""A table's page, its panels, and every button on it."""

from collections.abc import Callable
from typing import Final

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect, JsonResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import translation
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from config.origin import site_origin
from games import wording
from games.forms import ActForm
from games.models import Table
from games.refusals import Refusal, Refused
from games.rooms import Room
from games.rules.legality import IllegalAction
from games.rules.record import record_json
from games.screens import Chosen, Panel, table_panels, voice
from games.screens.notes import Notes, notes_shown
from games.services import giving_up, notes, play, presence, questions, records, site, tables
from games.sessions import Wishes
from games.talk import talk_key
from games.views.fragments import for_page, fragment, go, poll_answer, sign_in_first, what_is_new
from games.views.seen import invite_url, room_for, room_to_act_in
from games.wishes import wishes_of

# Calls a service for a button.
Service = Callable[[], Room | str | None]

_STALE: Final = 409
_REFUSED: Final = 422


@require_safe
@never_cache
def show(request: HttpRequest, code: str) -> HttpResponse:
    """The page of a table, for whoever may see it."""
    return page(request, _settled(request, code))


@require_safe
@never_cache
def panels(request: HttpRequest, code: str) -> HttpResponse:
    """The panels that differ from those that the client has; 204 where none does."""
    return poll_answer(request, panels_for(request, _settled(request, code)))


@require_POST
@never_cache
@sign_in_first
def act(request: HttpRequest, code: str) -> HttpResponse:
    """A move. Answers with the actor's own panels, and why where it was refused."""
    room = room_to_act_in(request, code)
    form = ActForm(request.POST)

    def move() -> Room:
        seat = room.seat_of(request.user.pk)
        if seat is None:
            raise Refused(Refusal.NOT_SEATED)
        if room.game is None:
            is_closed = room.table.stage == Table.Stage.CLOSED
            raise Refused(Refusal.NOT_OPEN if is_closed else Refusal.NOT_STARTED)
        action = form.action_for(seat.number, room.game.players) if form.is_valid() else None
        if action is None:
            raise Refused(Refusal.UNCLEAR)
        return play.act(
            table=room.table,
            user=request.user,
            action=action,
            decision=form.cleaned_data["decision"],
            key=form.cleaned_data["key"],
        )

    return answer(request, room.table, move)


@require_POST
@never_cache
@sign_in_first
def join(request: HttpRequest, code: str) -> HttpResponse:
    table = room_for(request, code).table
    contribution = request.POST.get("contribution", "")
    return answer(
        request,
        table,
        lambda: tables.join_table(table=table, user=request.user, contribution=contribution),
    )


def button(service: Callable[..., None]) -> Callable[[HttpRequest, str], HttpResponse]:
    """A view for a button that asks a service about a table and nothing more."""

    @require_POST
    @never_cache
    @sign_in_first
    def view(request: HttpRequest, code: str) -> HttpResponse:
        table = room_for(request, code).table
        return answer(request, table, lambda: service(table=table, user=request.user))

    return view


close = button(tables.close_table)
fill = button(tables.fill_with_bots)
start = button(tables.start_game)
come_back = button(play.come_back)


@require_POST
@never_cache
@sign_in_first
def leave(request: HttpRequest, code: str) -> HttpResponse:
    """Frees the seat, and goes to the lobby: a private table is not to be seen from outside."""
    table = room_for(request, code).table

    def service() -> str:
        tables.leave_table(table=table, user=request.user)
        return reverse("games:lobby")

    return answer(request, table, service)


@require_POST
@never_cache
@sign_in_first
def give_up(request: HttpRequest, code: str) -> HttpResponse:
    """Ends the game of somebody who plays with bots only, and goes to the lobby."""
    table = room_for(request, code).table

    def service() -> str:
        giving_up.give_up_game(table=table, user=request.user)
        return reverse("games:lobby")

    return answer(request, table, service)


@require_POST
@never_cache
@sign_in_first
def play_again(request: HttpRequest, code: str) -> HttpResponse:
    """Gathers the same people at a new table, and goes there."""
    table = room_for(request, code).table
    contribution = request.POST.get("contribution", "")

    def service() -> str:
        return tables.play_again(
            table=table, user=request.user, contribution=contribution
        ).get_absolute_url()

    return answer(request, table, service)


@require_safe
@never_cache
def record(request: HttpRequest, code: str) -> HttpResponse:
    """A finished game as a JSON record; 404 while it is hidden."""
    table = room_for(request, code).table
    try:
        data = record_json(records.record_of(table)) | records.server_notes_of(table)
    except Refused:
        raise Http404 from None
    response = JsonResponse(data, json_dumps_params={"ensure_ascii": False, "indent": 1})
    response["Content-Disposition"] = f'attachment; filename="chancellery-{table.code}.json"'
    return response


def _settled(request: HttpRequest, code: str) -> Room:
    """The table as it stands now: what is overdue is settled by whoever looks."""
    room = room_for(request, code)
    if request.user.is_authenticated:
        presence.register.glimpsed(request.user.pk, room.table.pk)
    if play.is_due(room):
        play.settle(room.table.pk)
        room = room_for(request, code)
    if questions.is_due(room):
        questions.settle(room.table.pk)
        room = room_for(request, code)
    return room


def panels_for(
    request: HttpRequest,
    room: Room,
    *,
    is_answer: bool = False,
    chosen: Chosen | None = None,
    wishes: Wishes | None = None,
) -> dict[str, Panel]:
    """Every panel as this viewer may see it; in answer to a move, without what is said."""
    if wishes is None and not is_answer:
        wishes = wishes_of(request.user.pk, room.table)
    is_gathering = room.game is None
    address = invite_url(room.table, site_origin(request)) if is_gathering else ""
    return table_panels(
        room,
        request.user.pk,
        request.LANGUAGE_CODE,
        invite_url=address,
        is_answer=is_answer,
        wishes=wishes,
        chosen=chosen,
    )


def page(
    request: HttpRequest,
    room: Room,
    status: int = 200,
    *,
    text: str = "",
    why: str = "",
    chosen: Chosen | None = None,
) -> HttpResponse:
    """The table's page; with the text or the phrase that was not said, and why it was not."""
    table = room.table
    wishes = wishes_of(request.user.pk, table)
    context = {
        "table": table,
        "panels": for_page(request, panels_for(request, room, chosen=chosen, wishes=wishes)),
        # Of nobody else's page is this a part.
        "keeps_order": wishes.keeps_order,
        "site_note": site.why_no_tables() if room.game is None else None,
        "socket_path": f"/live/tables/{table.code}/",
        "poll_url": reverse("games:panels", args=[table.code]),
        # Where to come back to: a refused form has this page at an address that only takes posts.
        "here": table.get_absolute_url(),
        "notes": _notes(request, room),
        "say_text": text,
        "say_why": why,
        "say_key": talk_key(room.talk, request.user.pk),
    }
    with translation.override(voice(request.LANGUAGE_CODE, table.edition)):
        return render(request, "games/table.html", context, status=status)


def _notes(request: HttpRequest, room: Room) -> Notes | None:
    """The viewer's own."""
    if not request.user.is_authenticated:
        return None
    note = notes.notes_of(table=room.table, user=request.user)
    return notes_shown(room, request.user.pk, note)


def answer(request: HttpRequest, table: Table, service: Service) -> HttpResponse:
    """Calls the service, and answers with the table as it stands after it.

    htmx gets the panels that changed and a notice; a plain form is sent back to the page,
    or gets it with the refusal. A refusal has the same status for both. A service may name
    another page to go to, or hand over the table as it left it.
    """
    with translation.override(voice(request.LANGUAGE_CODE, table.edition)):
        return _answered(request, table, service)


def _answered(request: HttpRequest, table: Table, service: Service) -> HttpResponse:
    sentence, status, after = "", 200, None
    try:
        after = service()
        if isinstance(after, str):
            return go(request, after)
    except Refused as error:
        sentence = str(error.refusal.label)
        status = _STALE if error.refusal == Refusal.STALE else _REFUSED
    except IllegalAction as error:
        sentence, status = wording.refusal(error.reason), _REFUSED
    if not request.htmx and not sentence:
        return HttpResponseRedirect(table.get_absolute_url(), status=303)
    room = after or room_for(request, table.code)
    if request.htmx:
        notice = render_to_string("games/_notice.html", {"notice": sentence})
        panels = panels_for(request, room, is_answer=True)
        return fragment(what_is_new(request, panels), notice, status)
    messages.error(request, sentence)
    return page(request, room, status=status)
