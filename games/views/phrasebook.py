"""Claims and phrases: what is said by picking it."""

from collections.abc import Callable
from typing import Final

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.loader import render_to_string
from django.utils import translation
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST

from games.models import Message, Table
from games.refusals import Refusal, Refused
from games.rooms import Room
from games.rules.components import MOST_PLAYERS
from games.screens import Chosen, voice
from games.services.claims import make_claim
from games.services.phrases import say_phrase
from games.views import table as table_page
from games.views.fragments import fragment, sign_in_first, what_is_new
from games.views.seen import room_for

_REFUSED: Final = 422


class _SeatField(forms.IntegerField):
    """A seat, or nobody."""

    def __init__(self) -> None:
        super().__init__(min_value=0, max_value=MOST_PLAYERS - 1, required=False)


class ClaimForm(forms.Form):
    """A claim, by the code of its button."""

    claim = forms.CharField(max_length=40)
    key = forms.CharField(max_length=16, required=False)


class PhraseForm(forms.Form):
    """A phrase, and up to two seats that it names. What does not fit, the service says."""

    phrase = forms.CharField(max_length=40, required=False)
    first = _SeatField()
    second = _SeatField()
    place = forms.ChoiceField(choices=Message.Place.choices)
    key = forms.CharField(max_length=16, required=False)

    @property
    def seats(self) -> list[int]:
        """The seats in their order; who chose only the second has chosen one."""
        both = (self.cleaned_data["first"], self.cleaned_data["second"])
        return [seat for seat in both if seat is not None]


@require_POST
@never_cache
@sign_in_first
def claim(request: HttpRequest, code: str) -> HttpResponse:
    """Somebody says what they saw."""
    table = room_for(request, code).table
    form = ClaimForm(request.POST)

    def service() -> Room:
        if not form.is_valid():
            raise Refused(Refusal.UNCLEAR)
        data = form.cleaned_data
        return make_claim(table=table, user=request.user, code=data["claim"], key=data["key"])

    return _answer(request, table, service)


@require_POST
@never_cache
@sign_in_first
def phrase(request: HttpRequest, code: str) -> HttpResponse:
    """Somebody says a phrase. A refusal comes back with what was picked."""
    table = room_for(request, code).table
    form = PhraseForm(request.POST)

    def service() -> Room:
        if not form.is_valid():
            raise Refused(Refusal.UNCLEAR)
        data = form.cleaned_data
        return say_phrase(
            table=table,
            user=request.user,
            phrase=data["phrase"],
            seats=form.seats,
            place=data["place"],
            key=data["key"],
        )

    picked = (request.POST.get(name, "")[:40] for name in ("phrase", "first", "second"))
    return _answer(request, table, service, Chosen(*picked))


def _answer(
    request: HttpRequest,
    table: Table,
    service: Callable[[], Room],
    chosen: Chosen | None = None,
) -> HttpResponse:
    """Says it, and answers with what is new then; a plain form goes back to the talk."""
    with translation.override(voice(request.LANGUAGE_CODE, table.edition)):
        why, room = "", None
        try:
            room = service()
        except Refused as error:
            why = str(error.refusal.label)
        status = _REFUSED if why else 200
        if not request.htmx and not why:
            return HttpResponseRedirect(f"{table.get_absolute_url()}#talk", status=303)
        room = room or room_for(request, table.code)
        if request.htmx:
            notice = render_to_string("games/_notice.html", {"notice": why})
            return fragment(
                what_is_new(request, table_page.panels_for(request, room)), notice, status
            )
        messages.error(request, why)
        return table_page.page(request, room, status, chosen=chosen)
