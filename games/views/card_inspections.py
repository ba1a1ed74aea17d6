"""The page where a moderator reveals the hidden cards of a running game, once per form."""

from dataclasses import dataclass
from typing import Final

from allauth.account.decorators import reauthentication_required
from allauth.core.exceptions import ReauthenticationRequired
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import translation
from django.utils.http import urlencode
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from accounts.auth.requests import AuthenticatedHttpRequest
from games import wording
from games.forms import InspectCardsForm
from games.models import Table
from games.panels import locale_for
from games.rules.components import Ballot, Policy, Role
from games.rules.phases import Phase
from games.services import card_inspections
from games.wording.refusals import Refusal, Refused

# Session key of the reason written before the password had to be entered again.
_KEPT: Final = "glass_reason"
_STATUS: Final = {Refusal.GLASS_IS_BROKEN: 409, Refusal.TOO_MANY_LOOKS: 429}
_REFUSED: Final = 422
_LONGEST_KEPT: Final = 1000


@dataclass(frozen=True, slots=True)
class DisclosedSeat:
    name: str
    role: Role
    is_alive: bool
    # The ballot in the running vote.
    ballot: Ballot | None


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def break_glass(request: HttpRequest, code: str) -> HttpResponse:
    """GET asks for the reason; POST records it and answers with everything hidden, this once.

    Users who may not look get 404, so they cannot tell whether the table exists. The page first
    requires a recently entered password; a reason posted without it is kept in the session and
    returns in the form.
    """
    table = Table.objects.select_related("game").filter(code=code).first()
    # allauth lets users without a password through.
    is_known = request.user.is_authenticated and request.user.has_usable_password()
    if (
        table is None
        or not is_known
        or not card_inspections.may_see_inspections(user=request.user, table=table)
    ):
        raise Http404
    try:
        shown: HttpResponse = _look(request, table)
        return shown
    except ReauthenticationRequired:
        # If left to allauth, the form would submit itself again, perhaps much later.
        if request.method == "POST":
            request.session[_KEPT] = [table.code, request.POST.get("reason", "")[:_LONGEST_KEPT]]
        confirm = reverse("account_reauthenticate")
        return redirect(f"{confirm}?{urlencode({'next': request.path})}")


@reauthentication_required  # type: ignore[untyped-decorator]  # allauth has no types
def _look(request: AuthenticatedHttpRequest, table: Table) -> HttpResponse:
    with translation.override(locale_for(request.LANGUAGE_CODE, table.edition)):
        if request.method != "POST":
            return _page(request, table, InspectCardsForm(initial=_kept(request, table)))
        form = InspectCardsForm(request.POST)
        if not form.is_valid():
            return _page(request, table, form, status=_REFUSED)
        try:
            disclosure = card_inspections.inspect_cards(
                table=table, user=request.user, **form.cleaned_data
            )
        except PermissionError:
            raise Http404 from None
        except Refused as error:
            # A new form for the next attempt, with the reason that was written.
            again = InspectCardsForm(initial={"reason": form.cleaned_data["reason"]})
            status = _STATUS.get(error.refusal, _REFUSED)
            return _page(request, table, again, error.refusal, status=status)
        return render(request, "games/glass_broken.html", _shown(table, disclosure))


def _page(
    request: AuthenticatedHttpRequest,
    table: Table,
    form: InspectCardsForm,
    refusal: Refusal | None = None,
    status: int = 200,
) -> HttpResponse:
    nothing = card_inspections.reason_nothing_is_hidden(table)
    context = {
        "table": table,
        "form": form,
        "nothing": nothing.label if nothing else "",
        "refusal": refusal.label if refusal and not nothing else "",
        "looks_left": card_inspections.inspections_left(user=request.user),
    }
    return render(request, "games/break_glass.html", context, status=status)


def _kept(request: HttpRequest, table: Table) -> dict[str, str]:
    code, reason = request.session.pop(_KEPT, ("", ""))
    return {"reason": reason} if code == table.code else {}


def _shown(table: Table, disclosure: card_inspections.Disclosure) -> dict[str, object]:
    """Return the template's context, in the active language."""
    view = disclosure.view
    names = [seat.name for seat in table.seats.all()]
    ballots = view.ballots or (None,) * len(names)
    return {
        "table": table,
        "disclosure": disclosure,
        "view": view,
        "is_voting": view.ballots is not None,
        "seats": [
            DisclosedSeat(name, role, number in view.alive, ballot)
            for number, (name, role, ballot) in enumerate(
                zip(names, view.roles, ballots, strict=True)
            )
        ],
        "holder": "" if view.holder is None else names[view.holder],
        "holder_is_president": view.phase is Phase.PRESIDENT_DISCARDS,
        "discarded": [
            (policy, count) for policy in Policy if (count := view.discards.count(policy))
        ],
        "learnt": [wording.learnt(item, names, html=True) for item in reversed(view.knowledge)],
    }
