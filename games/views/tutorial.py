"""The tutorial: its contents, one page for each lesson, and the first game at the end.

The session keeps which lessons are passed, so a visitor without an account can leave and return.
"""

from typing import Final

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.utils.http import urlencode
from django.utils.translation import get_language, pgettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from accounts.site.switches import switches
from games.forms import QuickGameForm
from games.panels import lesson_panels
from games.services import sealing
from games.tutorial import BY_SLUG, LESSONS, Answer, Lesson, answer_to, room_at
from games.views.fragments import for_page
from games.views.guests import GuestForm
from games.views.lobby import edition_for
from games.views.tutorial_progress import PLAY, STEPS, next_number, note_passed, passed_lessons
from games.wording import claimed, refusal
from games.wording.sentences import Speech

_REFUSED: Final = 422
_SEE_OTHER: Final = 303


@require_safe
@never_cache
def contents(request: HttpRequest) -> HttpResponse:
    """List the lessons, and lead to the first that the visitor has not reached."""
    passed = passed_lessons(request)
    number = next_number(passed)
    context = {
        "lessons": [(lesson, lesson.slug in passed) for lesson in LESSONS],
        "is_begun": bool(passed),
        "number": number,
        "total": len(STEPS),
        "next_step": STEPS[number - 1],
        "play": PLAY,
    }
    return render(request, "games/tutorial.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def lesson(request: HttpRequest, step: str) -> HttpResponse:
    """Show a lesson's position, and check the move that a POST makes in it.

    `?did=` is the move that was made, so the page after it can be reloaded and revisited. A wrong
    move is answered with the position before it and with the reason.
    """
    if step == PLAY and request.method != "POST":
        return _first_game(request)
    shown = BY_SLUG.get(step)
    if shown is None:
        raise Http404
    edition = edition_for(get_language() or "")
    if request.method != "POST":
        did = request.GET.get("did", "")
        answer = answer_to(shown, did, edition=edition)
        return _page(request, shown, edition, did=did if answer.is_right else "", answer=answer)
    choice = request.POST.get("choice", "")
    answer = answer_to(shown, choice, edition=edition)
    if not answer.is_right:
        why = answer.words if answer.reason is None else refusal(answer.reason)
        return _page(request, shown, edition, answer=answer, why=str(why), status=_REFUSED)
    note_passed(request, step)
    query = urlencode({"did": choice})
    return HttpResponseRedirect(
        f"{reverse('games:lesson', args=[step])}?{query}", status=_SEE_OTHER
    )


def _page(
    request: HttpRequest,
    shown: Lesson,
    edition: str,
    *,
    answer: Answer,
    did: str = "",
    why: str = "",
    status: int = 200,
) -> HttpResponse:
    number = STEPS.index(shown.slug) + 1
    room = room_at(shown, edition=edition, name=_own_name(request), choice=did)
    next_url = reverse("games:lesson", args=[STEPS[number]])
    panels = lesson_panels(
        shown,
        room,
        request.LANGUAGE_CODE,
        edition=edition,
        next_url=next_url if did else "",
    )
    context = {
        "lesson": shown,
        "text": _text(shown, [seat.name for seat in room.seats]),
        "told": answer.words if did else "",
        "said": ""
        if not did or answer.claim is None
        else claimed(answer.claim, [seat.name for seat in room.seats], html=True),
        "why": why,
        "here": reverse("games:lesson", args=[shown.slug]),
        "next_url": next_url,
        "panels": for_page(request, panels),
        **_place(number),
    }
    return render(request, "games/lesson.html", context, status=status)


def _text(shown: Lesson, names: list[str]) -> str:
    """Return the lesson's text as HTML, with the names of the players who may not be nominated."""
    speech = Speech(names, html=True)
    offices = dict(zip(("chancellor", "president"), map(speech.name, shown.refused), strict=False))
    return speech.say(str(shown.text), **offices)


def _first_game(request: HttpRequest) -> HttpResponse:
    context = {
        "is_open": switches().registration,
        "guest_form": GuestForm(),
        "quick_form": QuickGameForm(auto_id="quick_%s"),
        "commitment": sealing.prepared_commitment(request.user)
        if request.user.is_authenticated
        else "",
        **_place(len(STEPS)),
    }
    return render(request, "games/first_game.html", context)


def _place(number: int) -> dict[str, object]:
    """Return where the step stands among all."""
    before = STEPS[number - 2] if number > 1 else ""
    back = reverse("games:lesson", args=[before]) if before else reverse("games:tutorial")
    return {"number": number, "total": len(STEPS), "back_url": back}


def _own_name(request: HttpRequest) -> str:
    if request.user.is_authenticated:
        return request.user.username
    return pgettext("the visitor's name in the tutorial", "Nora")
