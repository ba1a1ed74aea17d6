"""The page where a moderator keeps order at a table: one plain form for each act."""

from collections.abc import Callable
from typing import Any, Final, assert_never

from django.forms import Form
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.utils import translation
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from accounts.models import User
from games.forms.table_moderation import ReplaceForm, RulingForm, ThawForm
from games.models import Game, Seat, Table
from games.panels import locale_for
from games.services import table_moderation as service
from games.wording.refusals import Refusal, Refused

_REFUSED: Final = 422
_STALE: Final = 409
# How many of the newest acts of moderators at the table are shown.
_MOST_LISTED: Final = 100

_MakeForm = Callable[[Any], Form]


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def order(request: HttpRequest, code: str) -> HttpResponse:
    """GET shows the acts that are possible now; POST performs the one that it names.

    Users without the right get 404, so they cannot tell whether the table exists. A moderator whose
    friend sits at a blind table may see the page, but gets 404 for an act. The table is found by
    its code, even a private one, and nothing hidden is shown.
    """
    table = Table.objects.select_related("game").filter(code=code).first()
    user = request.user
    if (
        table is None
        or not user.is_authenticated
        or not service.may_see_table_moderation(user=user, table=table)
    ):
        raise Http404
    with translation.override(locale_for(request.LANGUAGE_CODE, table.edition)):
        if request.method == "POST":
            return _act(request, user, table)
        return _page(request, table)


def _act(request: HttpRequest, actor: User, table: Table) -> HttpResponse:
    act = request.POST.get("act", "")
    forms = _forms(table, all_acts=True)
    if act not in forms:
        return _page(request, table, refusal=Refusal.UNCLEAR, status=_REFUSED)
    form = forms[act](request.POST)
    if not form.is_valid():
        return _page(request, table, act=act, form=form, status=_REFUSED)
    about: dict[str, Any] = {"actor": actor, "table": table}
    about |= {
        name: form.cleaned_data[name] for name in ("because", "reason") if name in form.fields
    }
    try:
        match act:
            case "freeze":
                service.freeze_table(**about)
            case "thaw":
                service.thaw_table(**about)
            case "close":
                service.close_table(**about)
            case "void":
                service.void_game(**about)
            case "replace":
                assert isinstance(form, ReplaceForm)
                heir = form.cleaned_data["heir"]
                service.replace_seat(**about, number=form.number, name=form.name, heir=heir)
            case _:
                raise AssertionError(act)
    except PermissionError:
        raise Http404 from None
    except Refused as error:
        table.refresh_from_db()
        status = _STALE if error.refusal == Refusal.STALE else _REFUSED
        return _page(request, table, act=act, form=form, refusal=error.refusal, status=status)
    return HttpResponseRedirect(reverse("games:order", args=[table.code]), status=303)


def _forms(table: Table, *, all_acts: bool = False) -> dict[str, _MakeForm]:
    """Return the acts possible at the table now, by name."""
    seats = [
        (f"{seat.number}:{seat.name}", seat.name) for seat in table.seats.all() if not seat.is_bot
    ]
    # For an act from an outdated page, the service refuses and gives the reason.
    waits = all_acts or (table.stage == Table.Stage.RUNNING and table.substitutes.exists())

    def replace(data: Any) -> Form:
        return ReplaceForm(data, prefix="replace", seats=seats, waits=waits)

    def plain(act: str, kind: type[Form]) -> _MakeForm:
        return lambda data: kind(data, prefix=act)

    makes: dict[str, _MakeForm] = {
        "freeze": plain("freeze", RulingForm),
        "thaw": plain("thaw", ThawForm),
        "replace": replace,
        "close": plain("close", RulingForm),
        "void": plain("void", RulingForm),
    }
    return makes if all_acts else {act: makes[act] for act in _acts(table, seats)}


def _acts(table: Table, seats: list[tuple[str, str]]) -> list[str]:
    clock = "thaw" if table.is_frozen else "freeze"
    replace = ["replace"] if seats else []
    stage = Table.Stage(table.stage)
    match stage:
        case Table.Stage.OPEN:
            return [clock, *replace, "close"]
        case Table.Stage.RUNNING:
            return [clock, *replace, "void"]
        case Table.Stage.OVER:
            is_void = table.game.stopped == Game.Stopped.VOIDED
            return [] if is_void else ["void"]
        case Table.Stage.SEALING | Table.Stage.CLOSED:
            return []
        case _:
            assert_never(stage)


def _page(
    request: HttpRequest,
    table: Table,
    *,
    act: str = "",
    form: Form | None = None,
    refusal: Refusal | None = None,
    status: int = 200,
) -> HttpResponse:
    forms = {name: make(None) for name, make in _forms(table).items()}
    if form is not None and act in forms:
        # Keep what was typed.
        forms[act] = form
    removed = table.messages.filter(removed_at__isnull=False).select_related("removed_by")
    context = {
        "table": table,
        "forms": forms,
        "refusal": refusal.label if refusal else "",
        "rulings": table.rulings.select_related("by").order_by("-ordinal")[:_MOST_LISTED],
        "removed": removed.order_by("-removed_at")[:_MOST_LISTED],
        "seats": Seat.objects.filter(table=table),
        "is_found": not table.needs_invitation and table.spectators,
        "section": "queue",
    }
    return render(request, "games/order.html", context, status=status)
