"""Views of a running table's waiting list and motions."""

from django.http import HttpResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST

from accounts.auth.devices import note_use
from accounts.auth.requests import AuthenticatedHttpRequest
from games.forms.administration import MoveForm, VoteForm, WaitingForm
from games.models import Motion
from games.services import motions, substitutes
from games.views.fragments import sign_in_first
from games.views.table import answer
from games.views.table_access import room_for
from games.wording.refusals import Refusal, Refused


@require_POST
@never_cache
@sign_in_first
def waiting(request: AuthenticatedHttpRequest, code: str) -> HttpResponse:
    """Join the waiting list, or leave it."""
    table = room_for(request, code).table
    note_use(request)
    form = WaitingForm(request.POST)

    def act() -> None:
        if not form.is_valid():
            raise Refused(Refusal.UNCLEAR)
        joins = form.cleaned_data["wish"] == "join"
        service = substitutes.join_list if joins else substitutes.leave_list
        service(table=table, user=request.user)

    return answer(request, table, act)


@require_POST
@never_cache
@sign_in_first
def move(request: AuthenticatedHttpRequest, code: str) -> HttpResponse:
    """Make a motion."""
    table = room_for(request, code).table
    note_use(request)
    form = MoveForm(request.POST)

    def act() -> None:
        data = form.cleaned_data if form.is_valid() else {}
        if data.get("kind") == Motion.Kind.STOP:
            motions.move_stop(table=table, user=request.user)
        elif data.get("kind") == Motion.Kind.REPLACE and data["number"] is not None:
            motions.move_replacement(
                table=table,
                user=request.user,
                number=data["number"],
                name=data["name"],
                substitute=data["substitute"],
            )
        else:
            raise Refused(Refusal.UNCLEAR)

    return answer(request, table, act)


@require_POST
@never_cache
@sign_in_first
def vote(request: AuthenticatedHttpRequest, code: str) -> HttpResponse:
    """Vote for or against the open motion."""
    table = room_for(request, code).table
    note_use(request)
    form = VoteForm(request.POST)

    def act() -> None:
        if not form.is_valid():
            raise Refused(Refusal.UNCLEAR)
        motions.vote(
            table=table,
            user=request.user,
            ordinal=form.cleaned_data["ordinal"],
            is_for=form.cleaned_data["vote"],
        )

    return answer(request, table, act)
