"""Views of claims and phrases: messages that are picked instead of typed."""

from django import forms
from django.http import HttpResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST

from accounts.auth.requests import AuthenticatedHttpRequest
from games.models import Message
from games.panels import Chosen
from games.rules.components import MOST_PLAYERS
from games.services.claims import make_claim
from games.services.phrases import say_phrase
from games.state.rooms import Room
from games.views.chat import answer_talk
from games.views.fragments import sign_in_first
from games.views.table_access import room_for
from games.wording.refusals import Refusal, Refused


class _SeatField(forms.IntegerField):
    """A seat number, or empty."""

    def __init__(self) -> None:
        super().__init__(min_value=0, max_value=MOST_PLAYERS - 1, required=False)


class ClaimForm(forms.Form):
    """A claim, given by the code of its button."""

    claim = forms.CharField(max_length=40)
    key = forms.CharField(max_length=16, required=False)


class PhraseForm(forms.Form):
    """A phrase, and up to two seats that it names. The service rejects what does not fit."""

    phrase = forms.CharField(max_length=40, required=False)
    first = _SeatField()
    second = _SeatField()
    place = forms.ChoiceField(choices=Message.Place.choices)
    key = forms.CharField(max_length=16, required=False)

    @property
    def seats(self) -> list[int]:
        """The seats in order; if only the second field is filled, its seat alone."""
        both = (self.cleaned_data["first"], self.cleaned_data["second"])
        return [seat for seat in both if seat is not None]


@require_POST
@never_cache
@sign_in_first
def claim(request: AuthenticatedHttpRequest, code: str) -> HttpResponse:
    """Make a claim about what the player saw."""
    table = room_for(request, code).table
    form = ClaimForm(request.POST)

    def service() -> Room:
        if not form.is_valid():
            raise Refused(Refusal.UNCLEAR)
        data = form.cleaned_data
        return make_claim(table=table, user=request.user, code=data["claim"], key=data["key"])

    return answer_talk(request, table, service)


@require_POST
@never_cache
@sign_in_first
def phrase(request: AuthenticatedHttpRequest, code: str) -> HttpResponse:
    """Say a phrase. A refusal returns what was picked."""
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
    return answer_talk(request, table, service, chosen=Chosen(*picked))
