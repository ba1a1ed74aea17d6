"""The lobby: who plays, who waits for players, and opening a table."""

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import get_language
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from games.forms import OpenTableForm
from games.models import Pace, Visibility
from games.refusals import Refused
from games.screens import lobby_panels
from games.services import tables
from games.views.fragments import for_page, poll_answer, sign_in_first


@require_safe
@never_cache
def lobby(request: HttpRequest) -> HttpResponse:
    context = {
        "panels": for_page(request, lobby_panels(request.user.pk, get_language())),
        "socket_path": "/live/lobby/",
        "poll_url": reverse("games:lobby_panels"),
    }
    return render(request, "games/lobby.html", context)


@require_safe
@never_cache
def panels(request: HttpRequest) -> HttpResponse:
    return poll_answer(request, lobby_panels(request.user.pk, get_language()))


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@sign_in_first
def open_table(request: HttpRequest) -> HttpResponse:
    """The form for a new table; what was filled in wrongly comes back with why."""
    language = get_language() or ""
    posted = request.POST if request.method == "POST" else None
    form = OpenTableForm(posted, initial={"edition": edition_for(language)})
    if form.is_valid():
        data = form.cleaned_data
        try:
            table = tables.open_table(
                host=request.user,
                edition=data["edition"],
                house_rules=data["house_rules"],
                seats_wanted=data["seats_wanted"],
                pace=Pace(data["pace"]),
                visibility=Visibility(data["visibility"]),
                contribution=request.POST.get("contribution", ""),
            )
        except Refused as error:
            form.add_error(None, str(error.refusal.label))
        else:
            return HttpResponseRedirect(table.get_absolute_url(), status=303)
    status = 422 if form.is_bound else 200
    return render(request, "games/open_table.html", {"form": form}, status=status)


@require_POST
@never_cache
@sign_in_first
def quick_game(request: HttpRequest) -> HttpResponse:
    """A game with bots, at once, by the rules of the player's own language."""
    table = tables.quick_game(
        user=request.user,
        edition=edition_for(get_language() or ""),
        contribution=request.POST.get("contribution", ""),
    )
    return HttpResponseRedirect(table.get_absolute_url(), status=303)


def edition_for(language: str) -> str:
    """The rules that readers of this language know: each language has an edition of its name."""
    return language.split("-", maxsplit=1)[0]
