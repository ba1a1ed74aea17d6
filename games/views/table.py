"""A table's page, its panels, and the views of its buttons."""

from collections.abc import Callable
from typing import Final

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect, JsonResponse
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import translation
from django.utils.html import format_html
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts.auth.devices import note_use
from accounts.auth.requests import AuthenticatedHttpRequest, HtmxRequest
from config.http.compression import hiding_nothing
from config.http.origin import site_origin
from games import wording
from games.forms import ActForm
from games.models import Table, is_seal_frozen, published_seal
from games.panels import Chosen, Panel, locale_for, table_panels, without_gaps
from games.panels.notes import Notes, notes_shown
from games.rules.legality import IllegalAction
from games.rules.record import record_json
from games.rules.seals import published_json
from games.selectors.viewer_settings import viewer_settings_of
from games.services import (
    abandonment,
    appointments,
    coach,
    night,
    notes,
    pauses,
    play,
    presence,
    records,
    sealing,
    site,
    tables,
    timed_questions,
)
from games.state.chat import chat_key
from games.state.rooms import Room
from games.state.viewer import ViewerSettings
from games.views.appointments import appointment_shown
from games.views.fragments import (
    by_frame,
    for_page,
    fragment,
    go,
    is_live,
    poll_answer,
    rest_answer,
    sign_in_first,
    what_is_new,
)
from games.views.table_access import invite_url, room_for, room_to_act_in
from games.wording.refusals import Refusal, Refused

# Calls the service of a button.
Service = Callable[[], Room | str | None]

_STALE: Final = 409
_REFUSED: Final = 422


@require_safe
@never_cache
def show(request: HttpRequest, code: str) -> HttpResponse:
    """Show the page of a table, if the viewer may see it.

    With `whole`, nothing is left for later: for readers without JavaScript.
    """
    return page(request, _settled(request, code))


@require_safe
@never_cache
def panels(request: HttpRequest, code: str) -> HttpResponse:
    """Return the panels that differ from the client's; 204 if none does.

    With `rest`, return what the page has left for later of this panel.
    """
    room = _settled(request, code)
    if "rest" in request.GET:
        return rest_answer(request, panels_for(request, room), code, request.GET["rest"])
    return poll_answer(request, panels_for(request, room))


@require_POST
@never_cache
@sign_in_first
def act(request: AuthenticatedHttpRequest, code: str) -> HttpResponse:
    """Make a move. Answers with the reason if it was refused, and with what is new.

    A page with a socket gets what is new as a frame.
    """
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

    return answer(request, room.table, move, is_by_frame=is_live(request))


@require_POST
@never_cache
@sign_in_first
def join(request: AuthenticatedHttpRequest, code: str) -> HttpResponse:
    """Take a seat. From the lobby, whose page has no panels of the table, it leads to the table."""
    table = room_for(request, code).table
    note_use(request)
    given = request.POST.get("hash", "")
    is_elsewhere = request.POST.get("from") == "lobby"

    def service() -> str | None:
        try:
            tables.join_table(table=table, user=request.user, contribution_hash=given)
        except Refused as error:
            if not (is_elsewhere and request.htmx):
                raise
            if error.refusal != Refusal.ALREADY_SEATED:
                messages.error(request, str(error.refusal.label))
        return table.get_absolute_url() if is_elsewhere else None

    return answer(request, table, service)


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def seal(request: HttpRequest, code: str) -> HttpResponse:
    """Return what is published of the deal, as JSON. A POST sends a browser's hash or reveal.

    404 before the freeze, and for tables that were dealt by version 1 of the seal.
    """
    if request.method == "POST":
        return _take_part_in_seal(request, code)
    room = room_for(request, code)
    if not is_seal_frozen(room.table, room.seats):
        raise Http404
    response = JsonResponse(published_json(published_seal(room.table, room.seats)))
    response["Content-Disposition"] = f'attachment; filename="chancellery-{code}-seal.json"'
    return response


@sign_in_first
def _take_part_in_seal(request: AuthenticatedHttpRequest, code: str) -> HttpResponse:
    """Answer a script's POST with 204 or the refusal; changes reach the page as a frame."""
    table = room_for(request, code).table
    commitment = request.POST.get("commitment", "")
    contribution = request.POST.get("contribution", "")
    given = request.POST.get("hash", "")
    try:
        if contribution:
            sealing.reveal(
                table=table, user=request.user, commitment=commitment, contribution=contribution
            )
        else:
            sealing.offer_hash(
                table=table, user=request.user, commitment=commitment, contribution_hash=given
            )
    except Refused as error:
        status = _STALE if error.refusal == Refusal.STALE else _REFUSED
        return HttpResponse(str(error.refusal.label), status=status, content_type="text/plain")
    return HttpResponse(status=204)


def button(service: Callable[..., None]) -> Callable[[HttpRequest, str], HttpResponse]:
    """Make a view for a button that needs only the table and the user."""

    @require_POST
    @never_cache
    @sign_in_first
    def view(request: HtmxRequest, code: str) -> HttpResponse:
        table = room_for(request, code).table
        return answer(request, table, lambda: service(table=table, user=request.user))

    return view


close = button(tables.close_table)
start = button(tables.start_game)
come_back = button(play.come_back)
confirm_role = button(night.confirm_role)
pause = button(pauses.pause_game)
resume = button(pauses.resume_game)
next_move = button(pauses.next_move)


@require_POST
@never_cache
@sign_in_first
def stop_hints(request: AuthenticatedHttpRequest, code: str) -> HttpResponse:
    """End the player's hints, and say where they may be turned on again."""
    table = room_for(request, code).table
    link = format_html(
        '<a href="{}">{}</a>', reverse("account_preferences"), gettext("Preferences")
    )
    told = format_html(
        "{} {}", gettext("Hints are off. You can turn them on for your next game."), link
    )
    return answer(
        request, table, lambda: coach.stop_hints(table=table, user=request.user), told=told
    )


@require_POST
@never_cache
@sign_in_first
def leave(request: AuthenticatedHttpRequest, code: str) -> HttpResponse:
    """Leave the seat and go to the lobby, because a private table is not visible from outside."""
    table = room_for(request, code).table

    def service() -> str:
        tables.leave_table(table=table, user=request.user)
        return reverse("games:lobby")

    return answer(request, table, service)


@require_POST
@never_cache
@sign_in_first
def give_up(request: AuthenticatedHttpRequest, code: str) -> HttpResponse:
    """End the game of a user who plays only with bots, and go to the lobby."""
    table = room_for(request, code).table

    def service() -> str:
        abandonment.give_up_game(table=table, user=request.user)
        return reverse("games:lobby")

    return answer(request, table, service)


@require_POST
@never_cache
@sign_in_first
def play_again(request: AuthenticatedHttpRequest, code: str) -> HttpResponse:
    """Gather the same people at a new table, and go there."""
    table = room_for(request, code).table
    note_use(request)

    def service() -> str:
        return tables.play_again(
            table=table,
            user=request.user,
            commitment=request.POST.get("commitment", ""),
            contribution_hash=request.POST.get("hash", ""),
        ).get_absolute_url()

    return answer(request, table, service)


@require_safe
@never_cache
def record(request: HttpRequest, code: str) -> HttpResponse:
    """Return a finished game as a JSON record; 404 while it is hidden."""
    table = room_for(request, code).table
    try:
        data = record_json(records.record_of(table)) | records.server_notes_of(table)
    except Refused:
        raise Http404 from None
    response = JsonResponse(data, json_dumps_params={"ensure_ascii": False, "indent": 1})
    response["Content-Disposition"] = f'attachment; filename="chancellery-{table.code}.json"'
    return response


def _settled(request: HttpRequest, code: str) -> Room:
    """Return the table as it stands now, after settling anything overdue."""
    room = room_for(request, code)
    if request.user.is_authenticated:
        presence.register.glimpsed(request.user.pk, room.table.pk)
    if play.is_due(room):
        play.settle(room.table.pk)
        room = room_for(request, code)
    if appointments.is_due(room):
        appointments.settle(room.table.pk)
        room = room_for(request, code)
    if timed_questions.is_due(room):
        timed_questions.settle(room.table.pk)
        room = room_for(request, code)
    return room


def panels_for(
    request: HttpRequest,
    room: Room,
    *,
    is_answer: bool = False,
    chosen: Chosen | None = None,
    viewer_settings: ViewerSettings | None = None,
) -> dict[str, Panel]:
    """Return every panel for this viewer; in answer to a move, without the chat panels."""
    if viewer_settings is None and not is_answer:
        viewer_settings = viewer_settings_of(request.user.pk, room.table)
    is_gathering = room.game is None
    address = invite_url(room.table, site_origin(request)) if is_gathering else ""
    return table_panels(
        room,
        request.user.pk,
        request.LANGUAGE_CODE,
        invite_url=address,
        is_trial=request.user.is_authenticated and request.user.is_trial,
        is_answer=is_answer,
        viewer_settings=viewer_settings,
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
    """Render the table's page, with an unsent text or phrase and the reason, if any."""
    table = room.table
    viewer_settings = viewer_settings_of(request.user.pk, table)
    context = {
        "table": table,
        "panels": for_page(
            request,
            panels_for(request, room, chosen=chosen, viewer_settings=viewer_settings),
            opens="" if "whole" in request.GET else table.code,
        ),
        # Only moderators get these tools.
        "keeps_order": viewer_settings.keeps_order,
        "appointment": appointment_shown(room, request.user.pk),
        "site_note": site.reason_no_tables() if room.game is None else None,
        "socket_path": f"/live/tables/{table.code}/",
        "poll_url": reverse("games:panels", args=[table.code]),
        # The URL to return to: a refused form displays this page at a URL that accepts only POST.
        "here": table.get_absolute_url(),
        "waits": table.is_before_game and room.seat_of(request.user.pk) is not None,
        "notes": _notes(request, room),
        "say_text": text,
        "say_why": why,
        "say_key": chat_key(room.talk, request.user.pk),
    }
    with translation.override(locale_for(request.LANGUAGE_CODE, table.edition)):
        # It is sent uncompressed while the game runs.
        html = without_gaps(render_to_string("games/table.html", context, request))
    response = HttpResponse(html, status=status)
    # The viewer's notes are no part of the page.
    return hiding_nothing(response) if room.is_over else response


def _notes(request: HttpRequest, room: Room) -> Notes | None:
    """Return the viewer's own notes."""
    if not request.user.is_authenticated:
        return None
    note = notes.notes_of(table=room.table, user=request.user)
    return notes_shown(room, request.user.pk, note)


def answer(
    request: HtmxRequest,
    table: Table,
    service: Service,
    *,
    is_by_frame: bool = False,
    told: str = "",
) -> HttpResponse:
    """Call the service, and answer with the table's state after it.

    htmx gets the changed panels and a notice; a plain form is redirected to the page, or gets it
    with the refusal. A refusal has the same status for both. The service may return the URL of
    another page to go to, or the room as it left it. `is_by_frame`: a frame brings the panels to
    this page, so the answer to htmx has only the notice. `told` is what to say after success.
    """
    with translation.override(locale_for(request.LANGUAGE_CODE, table.edition)):
        return _answered(request, table, service, is_by_frame=is_by_frame, told=told)


def _answered(
    request: HtmxRequest, table: Table, service: Service, *, is_by_frame: bool, told: str
) -> HttpResponse:
    sentence, status = "", 200
    after: Room | None = None
    try:
        done = service()
        if isinstance(done, str):
            return go(request, done)
        after = done
    except Refused as error:
        sentence = str(error.refusal.label)
        status = _STALE if error.refusal == Refusal.STALE else _REFUSED
    except IllegalAction as error:
        sentence, status = wording.refusal(error.reason), _REFUSED
    if not request.htmx and not sentence:
        if told:
            messages.info(request, told)
        return HttpResponseRedirect(table.get_absolute_url(), status=303)
    if request.htmx:
        notice = render_to_string("games/_notice.html", {"notice": sentence, "told": told})
        if is_by_frame:
            return by_frame(notice, status)
    room = after or room_for(request, table.code)
    if request.htmx:
        panels = panels_for(request, room, is_answer=True)
        return fragment(what_is_new(request, panels), notice, status)
    messages.error(request, sentence)
    return page(request, room, status=status)
