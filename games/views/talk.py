"""Saying something at a table, and what belongs to it."""

from typing import Final

from django import forms
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.loader import render_to_string
from django.utils import translation
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST

from games.models import Message
from games.refusals import Refusal, Refused
from games.screens import voice
from games.services import talk
from games.views import table as table_page
from games.views.fragments import fragment, sign_in_first, what_is_new
from games.views.seen import room_for

_REFUSED: Final = 422


class SayForm(forms.Form):
    """Something to say. What is too long or says nothing, the service says."""

    text = forms.CharField(max_length=100_000, required=False, strip=False)
    place = forms.ChoiceField(choices=Message.Place.choices)
    key = forms.CharField(max_length=64, required=False)


@require_POST
@never_cache
@sign_in_first
def say(request: HttpRequest, code: str) -> HttpResponse:
    """Says something. A refusal comes back with why, and with what was typed."""
    table = room_for(request, code).table
    form = SayForm(request.POST)
    text = request.POST.get("text", "")
    with translation.override(voice(request.LANGUAGE_CODE, table.edition)):
        why, room = "", None
        if form.is_valid():
            try:
                room = talk.say(table=table, user=request.user, **form.cleaned_data)
            except Refused as error:
                why = str(error.refusal.label)
        else:
            why = str(Refusal.UNCLEAR.label)
        status = _REFUSED if why else 200
        if request.htmx:
            room = room or room_for(request, code)
            panels = table_page.panels_for(request, room)
            answer = render_to_string("games/_say_why.html", {"why": why})
            response = fragment(what_is_new(request, panels), answer, status)
            if not why:
                # talk.js takes out of the box what has been said.
                response["HX-Trigger"] = "said"
            return response
        if not why:
            return HttpResponseRedirect(f"{table.get_absolute_url()}#talk", status=303)
        return table_page.page(request, room_for(request, code), status, text=text, why=why)
