"""A user's notes on a table: their own page, and autosave from the table's page."""

from typing import Final

from django.http import HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.utils import translation
from django.utils.translation import gettext, ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from accounts.auth.requests import AuthenticatedHttpRequest
from games.forms.notes import NotesForm
from games.models import Note
from games.panels import locale_for
from games.panels.notes import notes_shown
from games.services import notes as service
from games.state.rooms import Room
from games.views.fragments import sign_in_first
from games.views.table_access import room_for

_REFUSED: Final = 422


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@sign_in_first
def notes(request: AuthenticatedHttpRequest, code: str) -> HttpResponse:
    """GET shows the notes, for htmx only their form or its marks; POST saves them."""
    room = room_for(request, code)
    with translation.override(locale_for(request.LANGUAGE_CODE, room.table.edition)):
        if request.method == "POST":
            return _saved(request, room)
        note = service.notes_of(table=room.table, user=request.user)
        template = "games/notes.html"
        if request.htmx:
            # The form asks for its marks again after players changed.
            is_form_shown = request.htmx.target == "notes-marks"
            template = f"games/_notes_{'marks' if is_form_shown else 'form'}.html"
        return _shown(request, template, room, note)


def _saved(request: AuthenticatedHttpRequest, room: Room) -> HttpResponse:
    form = NotesForm(request.POST)
    note = Note(table=room.table, user=request.user, text=request.POST.get("text", ""))
    template = "games/_notes_state.html" if request.htmx else "games/notes.html"
    if not form.is_valid():
        error = gettext(
            "Your notes weren’t saved, because the site couldn’t read them. Copy "
            "your text, reload the page and try again."
        )
        return _shown(request, template, room, note, status=_REFUSED, error=error)
    note.marks = {str(seat): mark for seat, mark in form.marks.items()}
    note.version = form.cleaned_data["base"] or 0
    try:
        written = service.write_note(
            table=room.table,
            user=request.user,
            text=form.cleaned_data["text"],
            marks=form.marks,
            base=note.version,
        )
    except service.NotesTooLong as error:
        return _shown(
            request, template, room, note, status=_REFUSED, error=_too_long(error.graphemes)
        )
    if not request.htmx and not written.is_over_another:
        return HttpResponseRedirect(room.table.get_absolute_url(), status=303)
    note.version = written.version
    return _shown(
        request,
        template,
        room,
        note,
        is_saved=True,
        is_over_another=written.is_over_another,
        overwritten=written.overwritten,
    )


def _too_long(graphemes: int) -> str:
    over = max(1, graphemes - service.MOST_GRAPHEMES)
    return ngettext(
        "Not saved: %(count)d character too many.",
        "Not saved: %(count)d characters too many.",
        over,
    ) % {"count": over}


def _shown(
    request: AuthenticatedHttpRequest,
    template: str,
    room: Room,
    note: Note,
    *,
    status: int = 200,
    **said: object,
) -> HttpResponse:
    context = {
        "table": room.table,
        "notes": notes_shown(room, request.user.pk, note, **said),
        "here": request.path,
    }
    return render(request, template, context, status=status)
