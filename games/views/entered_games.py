"""Games from a physical table: entering one step by step, undoing, finishing, deleting."""

from typing import Any, Final

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from accounts.auth.requests import AuthenticatedHttpRequest
from games import wording
from games.forms import EnteredSetupForm, entry_form
from games.models import EnteredGame
from games.rules.components import FASCIST_POLICIES_TO_WIN, LIBERAL_POLICIES_TO_WIN
from games.rules.editions import EDITIONS
from games.rules.entered import Asked, EntryError
from games.rules.entered import EnteredGame as Game
from games.rules.reading import RecordError
from games.services import entered_games
from games.views.fragments import sign_in_first
from games.wording.refusals import Refused

# With no limit set, older drafts appear when newer ones are finished or deleted.
_MOST_SHOWN: Final = 50
_LONGEST_NUMBER: Final = 4


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@sign_in_first
def start(request: AuthenticatedHttpRequest) -> HttpResponse:
    """Ask for the table and list the user's drafts; POST begins a game."""
    if request.method != "POST":
        language = request.LANGUAGE_CODE
        return _start_page(
            request, EnteredSetupForm(edition=language if language in EDITIONS else "en")
        )
    form = EnteredSetupForm(request.POST)
    if form.is_valid():
        try:
            draft = entered_games.start_entry(user=request.user, setup=form.setup())
        except EntryError as error:
            form.add_error(None, wording.entry_error(error))
        except Refused as refused:
            form.add_error(None, str(refused.refusal.label))
        else:
            return HttpResponseRedirect(draft.get_absolute_url(), status=303)
    return _start_page(request, form, status=422)


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@sign_in_first
def step(request: AuthenticatedHttpRequest, entered: str) -> HttpResponse:
    """Show the game so far and ask for the next step; POST enters it."""
    draft, game = _found(request, entered)
    if request.method != "POST":
        return _step_page(request, draft, game, entry_form(game.standing, game.setup.names))
    if _after(request) != len(draft.steps):
        # What was sent answers another question than the one that is asked now.
        form = entry_form(game.standing, game.setup.names)
        return _step_page(request, draft, game, form, is_stale=True, status=409)
    form = entry_form(game.standing, game.setup.names, request.POST)
    if form is not None and form.is_valid():
        try:
            entered_games.enter_step(
                user=request.user, code=entered, after=len(draft.steps), step=form.step()
            )
        except EntryError as error:
            form.add_error(None, wording.entry_error(error))
        except Refused as refused:
            form.add_error(None, str(refused.refusal.label))
        except EnteredGame.DoesNotExist:
            raise Http404 from None
        else:
            return HttpResponseRedirect(f"{draft.get_absolute_url()}#position", status=303)
    return _step_page(request, draft, game, form, status=422)


@require_POST
@never_cache
@sign_in_first
def undo(request: AuthenticatedHttpRequest, entered: str) -> HttpResponse:
    draft, _game = _found(request, entered)
    try:
        entered_games.undo_step(user=request.user, code=entered, after=_after(request))
    except Refused as refused:
        messages.error(request, str(refused.refusal.label))
    except EnteredGame.DoesNotExist:
        raise Http404 from None
    return HttpResponseRedirect(f"{draft.get_absolute_url()}#position", status=303)


@require_POST
@never_cache
@sign_in_first
def finish(request: AuthenticatedHttpRequest, entered: str) -> HttpResponse:
    """Keep the game among the user's records, and open its replay."""
    draft, _game = _found(request, entered)
    try:
        kept = entered_games.finish_entry(user=request.user, code=entered, after=_after(request))
    except Refused as refused:
        messages.error(request, str(refused.refusal.label))
        return HttpResponseRedirect(draft.get_absolute_url(), status=303)
    except EnteredGame.DoesNotExist:
        raise Http404 from None
    return HttpResponseRedirect(kept.get_absolute_url(), status=303)


@require_POST
@never_cache
@sign_in_first
def delete(request: AuthenticatedHttpRequest, entered: str) -> HttpResponse:
    if not entered_games.delete_entry(user=request.user, code=entered):
        raise Http404
    messages.success(request, _("Draft deleted."))
    return HttpResponseRedirect(reverse("games:enter_game"), status=303)


def _found(request: AuthenticatedHttpRequest, code: str) -> tuple[EnteredGame, Game]:
    draft = EnteredGame.objects.filter(owner=request.user, code=code).first()
    if draft is None:
        raise Http404
    try:
        return draft, entered_games.read_entered(draft)
    except (EntryError, RecordError):
        # It was possible by the rules of an earlier version of the site.
        raise Http404 from None


def _after(request: HttpRequest) -> int:
    """Return the number of steps that the game had when the form was drawn, or -1."""
    sent = request.POST.get("after", "")[:_LONGEST_NUMBER]
    return int(sent) if sent.isascii() and sent.isdecimal() else -1


def _start_page(
    request: AuthenticatedHttpRequest, form: EnteredSetupForm, *, status: int = 200
) -> HttpResponse:
    drafts = EnteredGame.objects.filter(owner=request.user)[:_MOST_SHOWN]
    return render(request, "games/enter_game.html", {"form": form, "drafts": drafts}, status=status)


def _step_page(
    request: AuthenticatedHttpRequest,
    draft: EnteredGame,
    game: Game,
    form: Any,
    *,
    is_stale: bool = False,
    status: int = 200,
) -> HttpResponse:
    names, position = game.setup.names, game.standing
    context = {
        "draft": draft,
        "form": form,
        "is_stale": is_stale,
        "after": len(draft.steps),
        "position": position,
        "tracks": (
            ("liberal", position.liberal, LIBERAL_POLICIES_TO_WIN),
            ("fascist", position.fascist, FASCIST_POLICIES_TO_WIN),
        ),
        "president": _name(names, position.candidate, position.president),
        "chancellor": _name(names, position.chancellor),
        "dead": [name for seat, name in enumerate(names) if seat not in position.alive],
        "limited": [names[seat] for seat in position.limited],
        "rounds": [
            (
                each,
                names[each.president],
                names[each.chancellor],
                "" if each.target is None else names[each.target],
            )
            for each in game.rounds
        ],
        "can_stop": bool(draft.steps) and position.asked is not Asked.CHAOS,
    }
    return render(request, "games/entered_game.html", context, status=status)


def _name(names: tuple[str, ...], *seats: int | None) -> str:
    """Return the name of the first seat that there is, or ""."""
    return next((names[seat] for seat in seats if seat is not None), "")
