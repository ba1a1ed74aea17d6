"""The form that opens a table, and how bots fare under its rules."""

from typing import Any

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import get_language
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from accounts.auth.devices import note_use
from accounts.auth.requests import AuthenticatedHttpRequest
from config.http.origin import site_origin
from games.forms import OpenTableForm
from games.forms.opening import USUAL_PLAYERS
from games.models import Pace, Preset, Terms
from games.rulebook import comparison_url
from games.rules.components import LEAST_PLAYERS, MOST_PLAYERS
from games.rules.editions import EDITIONS, NAMED_RULES
from games.services import sealing, site, tables
from games.services.balance import shares_of
from games.views.fragments import sign_in_first
from games.views.lobby import edition_for
from games.wording import SPOKEN
from games.wording.refusals import Refused

REFUSED = 422


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@sign_in_first
def open_table(request: AuthenticatedHttpRequest) -> HttpResponse:
    """Show the form for a new table; invalid input comes back with the errors.

    The button "balance" returns everything typed, with the bots' results, or htmx these alone;
    "differences" leads to a page with what the house rules change; "named_rules" fills in house
    rules. `?pace=`, `?edition=`, `?players=` and `?language=` are what the form begins with.
    """
    posted = request.POST if request.method == "POST" else None
    form = OpenTableForm(posted, initial=usual(request))
    if request.POST.get("named_rules") in NAMED_RULES:
        return form_page(request, form.with_named_rules(request.POST["named_rules"]), status=200)
    is_valid = form.is_valid()
    if "differences" in request.POST and "house_rules" in form.cleaned_data:
        # The button opens a new page, so the form keeps its contents.
        data = form.cleaned_data
        url = comparison_url(data["edition"], data["edition"], data["house_rules"].items())
        return HttpResponseRedirect(url, status=303)
    if "balance" in request.POST and request.htmx:
        return _balance(request, form, form.terms if is_valid else None)
    if not is_valid:
        return form_page(request, form)
    if "balance" in request.POST:
        return form_page(request, form, status=200, asked=form.terms)
    note_use(request)
    try:
        table = tables.open_table(
            host=request.user,
            terms=form.terms,
            password=form.cleaned_data["password"],
            key=form.cleaned_data["key"],
            commitment=request.POST.get("commitment", ""),
            contribution_hash=request.POST.get("hash", ""),
            scheduled_at=form.cleaned_data["scheduled_at"],
        )
    except Refused as error:
        form.add_error(None, str(error.refusal.label))
        return form_page(request, form)
    return HttpResponseRedirect(table.get_absolute_url(), status=303)


def _balance(
    request: AuthenticatedHttpRequest, form: OpenTableForm, asked: Terms | None
) -> HttpResponse:
    """Return the bots' results for these terms, or what is wrong, as a fragment of the form."""
    # Only a press of the button asks for a measurement. Following the form would ask for many.
    is_press = request.POST["balance"] != "live"
    found = None if asked is None else shares_of([asked], asker=request.user if is_press else None)
    wrong = [
        (form[name].label if name in form.fields else "", error)
        for name, errors in form.errors.items()
        for error in errors
    ]
    context = {
        "asked": asked,
        "found": found[0] if found else None,
        "is_live": True,
        "wrong": wrong,
    }
    return render(request, "games/_balance_asked.html", context)


def usual(request: HttpRequest) -> dict[str, Any]:
    """Return initial values: those of the request's query, or guessed from its language."""
    given = request.GET
    language = (get_language() or "").partition("-")[0]
    found: dict[str, Any] = {"edition": edition_for(language), "languages": [language]}
    if given.get("pace") in Pace.values:
        found["pace"] = given["pace"]
    if given.get("language") in SPOKEN:
        found["languages"] = [given["language"]]
    if given.get("edition") in EDITIONS:
        found["edition"] = given["edition"]
        found["seats_wanted"] = min(USUAL_PLAYERS, EDITIONS[given["edition"]].players[1])
    sizes = {str(size): size for size in range(LEAST_PLAYERS, MOST_PLAYERS + 1)}
    if size := sizes.get(given.get("players", "")):
        found |= {"seats_wanted": size, "least_seats": size}
    return found


def form_page(
    request: AuthenticatedHttpRequest,
    form: OpenTableForm,
    *,
    status: int | None = None,
    asked: Terms | None = None,
    shown: Preset | None = None,
) -> HttpResponse:
    """Render the form with the user's presets and the bots' results for each.

    `asked` are terms whose balance is wanted; `shown` is the preset that the form displays.
    """
    own = [
        (preset, terms)
        for preset in Preset.objects.filter(owner=request.user)
        if (terms := preset.read()) is not None
    ]
    all_terms = [terms for _, terms in own] + ([] if asked is None else [asked])
    found = shares_of(all_terms, asker=request.user)
    context = {
        "form": form,
        "site_note": site.reason_no_tables(),
        "commitment": sealing.prepared_commitment(request.user),
        "presets": [
            {
                "preset": preset,
                "terms": terms,
                "found": balance,
                "url": site_origin(request) + reverse("games:preset", args=[preset.token]),
            }
            for (preset, terms), balance in zip(own, found, strict=False)
        ],
        "shown": shown,
        "shown_terms": None if shown is None else shown.read(),
        "is_own": shown is not None and shown.owner_id == request.user.pk,
        "asked": asked,
        "found": found[-1] if asked is not None else None,
        # A refused form may be displayed at a URL that accepts only POST.
        "here": reverse("games:open_table"),
    }
    if status is None:
        status = REFUSED if form.is_bound else 200
    return render(request, "games/open_table.html", context, status=status)
