"""Views of a table's chat: post, mute, read the history, remove a message."""

from collections.abc import Callable
from typing import Final

from django.contrib import messages as django_messages
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.template.loader import render_to_string
from django.utils import translation
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts.auth.devices import note_use
from accounts.auth.requests import AuthenticatedHttpRequest, HtmxRequest
from games.forms.chat import BotsSayForm, RemoveForm, SayForm
from games.models import Message, Table
from games.panels import Chosen, hearing_part, hears_gallery, locale_for, message_rows
from games.selectors.viewer_settings import viewer_settings_of
from games.services import chat, hosting
from games.state.chat import heard_by, message_of_row
from games.state.rooms import Room
from games.views import table as table_page
from games.views.fragments import by_frame, fragment, is_live, sign_in_first, what_is_new
from games.views.table_access import room_for
from games.wording.refusals import Refusal, Refused

_REFUSED: Final = 422
_MESSAGES_ON_A_PAGE: Final = 300


@require_POST
@never_cache
@sign_in_first
def say(request: AuthenticatedHttpRequest, code: str) -> HttpResponse:
    """Post a message. A refusal returns the reason and the typed text."""
    table = room_for(request, code).table
    form = SayForm(request.POST)

    def service() -> Room:
        if not form.is_valid():
            raise Refused(Refusal.UNCLEAR)
        return chat.say(table=table, user=request.user, **form.cleaned_data)

    return answer_talk(request, table, service, text=request.POST.get("text", ""))


def _button(service: Callable[..., None], *, asks_who: bool) -> Callable[..., HttpResponse]:
    """Make a view for a button of the chat; `asks_who` if it names another person."""

    @require_POST
    @never_cache
    @sign_in_first
    def view(request: HtmxRequest, code: str) -> HttpResponse:
        table = room_for(request, code).table
        note_use(request)
        about = {"who": request.POST.get("who", "")} if asks_who else {}
        return answer_talk(request, table, lambda: service(table=table, user=request.user, **about))

    return view


gallery = _button(chat.enter_gallery, asks_who=False)
mute = _button(chat.mute, asks_who=True)
unmute = _button(chat.unmute, asks_who=True)
block = _button(chat.block, asks_who=True)


@require_POST
@never_cache
@sign_in_first
def bots_say(request: AuthenticatedHttpRequest, code: str) -> HttpResponse:
    """Choose how much bots talk at a table."""
    table = room_for(request, code).table
    form = BotsSayForm(request.POST)

    def service() -> None:
        if not form.is_valid():
            raise Refused(Refusal.UNCLEAR)
        much = form.cleaned_data["bots_say"]
        hosting.choose_bots_say(table=table, user=request.user, bots_say=much)

    return answer_talk(request, table, service)


@require_safe
@never_cache
@sign_in_first
def hearing(request: AuthenticatedHttpRequest, code: str) -> HttpResponse:
    """Show whom the viewer may mute, for htmx without the page around."""
    room = room_for(request, code)
    viewer_settings = viewer_settings_of(request.user.pk, room.table)
    context = {
        "table": room.table,
        "hearing": hearing_part(room, request.user.pk, viewer_settings),
        "here": request.path,
    }
    template = "games/_voices.html" if request.htmx else "games/hearing.html"
    with translation.override(locale_for(request.LANGUAGE_CODE, room.table.edition)):
        return render(request, template, context)


@require_safe
@never_cache
def history(request: HttpRequest, code: str) -> HttpResponse:
    """Show the whole chat from the beginning, as far as this viewer may read it."""
    room = room_for(request, code)
    table = room.table
    seat = room.seat_of(request.user.pk)
    viewer_settings = viewer_settings_of(request.user.pk, table)
    messages = table.messages.order_by("number")
    if not hears_gallery(room, seat, viewer_settings):
        messages = messages.filter(place=Message.Place.TABLE)
    pages = Paginator(heard_by(messages, viewer_settings), _MESSAGES_ON_A_PAGE)
    page = pages.get_page(request.GET.get("page"))
    rows = message_rows(room, [message_of_row(row) for row in page], seat, viewer_settings)
    with translation.override(locale_for(request.LANGUAGE_CODE, table.edition)):
        return render(request, "games/talk.html", {"table": table, "page": page, "rows": rows})


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def remove(request: HttpRequest, code: str, place: str, nth: int) -> HttpResponse:
    """Remove a message as a moderator; 404 without the right, or if the message is not readable."""
    if not request.user.is_authenticated or not chat.is_remover(request.user):
        raise Http404
    room = room_for(request, code)
    table = room.table
    row = table.messages.filter(place=place, nth=nth).first() if nth < 2**31 else None
    if row is None or not chat.may_see_remove(user=request.user, table=table):
        raise Http404
    viewer_settings = viewer_settings_of(request.user.pk, table)
    if place == Message.Place.GALLERY and not hears_gallery(room, None, viewer_settings):
        raise Http404
    form = RemoveForm(request.POST if request.method == "POST" else None)
    if form.is_valid():
        reason = form.cleaned_data["reason"]
        try:
            chat.remove_message(table=table, user=request.user, place=place, nth=nth, reason=reason)
        except PermissionError:
            raise Http404 from None
        return HttpResponseRedirect(f"{table.get_absolute_url()}#talk", status=303)
    with translation.override(locale_for(request.LANGUAGE_CODE, table.edition)):
        rows = message_rows(room, [message_of_row(row)], None, viewer_settings)
        context = {"table": table, "form": form, "row": rows[0]}
        status = _REFUSED if form.is_bound else 200
        return render(request, "games/remove_message.html", context, status=status)


def answer_talk(
    request: HtmxRequest,
    table: Table,
    service: Callable[[], Room | None],
    *,
    text: str | None = None,
    chosen: Chosen | None = None,
) -> HttpResponse:
    """Call the service, and answer with the table's state after it, including the chat.

    A refusal returns the input: typed `text` with the reason beside the box, or the picked phrase
    `chosen` with the reason where the table shows all other notices.
    """
    with translation.override(locale_for(request.LANGUAGE_CODE, table.edition)):
        why, room = "", None
        try:
            room = service()
        except Refused as error:
            why = str(error.refusal.label)
        status = _REFUSED if why else 200
        if not why and not request.htmx:
            return HttpResponseRedirect(f"{table.get_absolute_url()}#talk", status=303)
        room = room or room_for(request, table.code)
        is_typed = text is not None
        if not request.htmx:
            if text is None:
                django_messages.error(request, why)
                return table_page.page(request, room, status, chosen=chosen)
            return table_page.page(request, room, status, chosen=chosen, text=text, why=why)
        told = (
            render_to_string("games/_say_why.html", {"why": why})
            if is_typed
            else render_to_string("games/_notice.html", {"notice": why})
        )
        if is_typed and is_live(request):
            response = by_frame(told, status)
        else:
            new = what_is_new(request, table_page.panels_for(request, room))
            response = fragment(new, told, status)
        if is_typed and not why:
            # talk.js clears the box when the message was posted.
            response["HX-Trigger"] = "said"
        return response
