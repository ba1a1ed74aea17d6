"""Views of the host's buttons before the game, and of the ready check."""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST

from accounts.auth.requests import AuthenticatedHttpRequest, HtmxRequest
from games.forms.administration import BotForm, LevelForm, SeatForm, SeatingForm
from games.models import Level
from games.services import bot_seats, hosting, ready, tables
from games.services.bot_seats import BotWish
from games.views.fragments import sign_in_first
from games.views.table import answer, button
from games.views.table_access import room_for
from games.wording.refusals import Refusal, Refused

call_ready = button(ready.call_ready)
confirm_ready = button(ready.confirm_ready)


def _about_a_seat(service: Callable[..., None]) -> Callable[[HttpRequest, str], HttpResponse]:
    @require_POST
    @never_cache
    @sign_in_first
    def view(request: HtmxRequest, code: str) -> HttpResponse:
        table = room_for(request, code).table
        form = SeatForm(request.POST)

        def act() -> None:
            if not form.is_valid():
                raise Refused(Refusal.UNCLEAR)
            number, name = form.cleaned_data["seat"]
            service(table=table, user=request.user, number=number, name=name)

        return answer(request, table, act)

    return view


kick = _about_a_seat(hosting.kick)
hand_over = _about_a_seat(hosting.hand_over_hosting)


@require_POST
@never_cache
@sign_in_first
def seating(request: AuthenticatedHttpRequest, code: str) -> HttpResponse:
    """Choose whether the seats are drawn by lot."""
    table = room_for(request, code).table
    form = SeatingForm(request.POST)

    def act() -> None:
        if not form.is_valid():
            raise Refused(Refusal.UNCLEAR)
        hosting.choose_seating(
            table=table, user=request.user, shuffles=form.cleaned_data["shuffles"]
        )

    return answer(request, table, act)


@require_POST
@never_cache
@sign_in_first
def fill(request: AuthenticatedHttpRequest, code: str) -> HttpResponse:
    """Seat bots of one level on all free seats."""
    table = room_for(request, code).table
    form = LevelForm(request.POST)

    def act() -> None:
        if not form.is_valid():
            raise Refused(Refusal.UNCLEAR)
        level = form.cleaned_data["level"] or Level.REGULAR
        tables.fill_with_bots(table=table, user=request.user, level=level)

    return answer(request, table, act)


@require_POST
@never_cache
@sign_in_first
def bot(request: AuthenticatedHttpRequest, code: str) -> HttpResponse:
    """Seat a bot on a free seat, or change the bot that sits there."""
    table = room_for(request, code).table
    form = BotForm(request.POST)

    def act() -> None:
        if not form.is_valid():
            raise Refused(Refusal.UNCLEAR)
        data = form.cleaned_data
        number, name = data["seat"]
        wish = BotWish(data["bot"], data["level"] or Level.REGULAR)
        bot_seats.arrange_bot(table=table, user=request.user, number=number, name=name, wish=wish)

    return answer(request, table, act)
