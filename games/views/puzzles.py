"""The puzzle of a day: who is Hitler?"""

from datetime import date
from typing import Any, Final

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.utils import translation
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts.auth.requests import AuthenticatedHttpRequest
from accounts.models import User
from config.http.origin import site_origin
from games.panels import Panel, added_policies, locale_for, replay_of, with_new_marked
from games.rules.components import Role
from games.services import puzzle_games, puzzles
from games.state.puzzles import (
    PARTS,
    judged,
    move_of_part,
    rounds_of_part,
    score_of,
    worth_of_part,
)
from games.state.rooms import Room
from games.views.fragments import for_page, sign_in_first
from games.views.replay import replay_page

# The session's keys: how much evidence was seen, and the marks made so far, each by day.
_SEEN: Final = "puzzle_seen"
_MARKS: Final = "puzzle_marks"
_DAYS_KEPT: Final = 60
_REFUSED: Final = 422


@require_safe
@never_cache
def newest(request: HttpRequest) -> HttpResponse:
    """Go to today's puzzle."""
    return HttpResponseRedirect(reverse("games:puzzle", args=[puzzles.today().isoformat()]))


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def puzzle(request: HttpRequest, day: str) -> HttpResponse:
    """Show the evidence of a day's game, or the truth to readers who have answered.

    POST asks for more evidence, or gives the answer. 404 for days without a puzzle.
    """
    which = _day(day)
    room = puzzles.room_of_day(which)
    solved = _solved(request, which)
    if solved is not None:
        return _page(request, room, which, solved=solved)
    part = _seen(request, which)
    if request.method != "POST":
        return _page(request, room, which, part=part)
    answer = [request.POST.get(f"seat_{seat.number}", "") for seat in room.seats]
    if "more" in request.POST:
        _remember(request, _SEEN, which, min(part + 1, PARTS))
        if all(role in tuple(Role) for role in answer):
            _remember(request, _MARKS, which, answer)
        # The fragment: a browser keeps that of the form otherwise.
        return HttpResponseRedirect(f"{reverse('games:puzzle', args=[day])}#new", status=303)
    wrong = _wrong(room, answer)
    if wrong:
        return _page(request, room, which, part=part, answer=answer, wrong=wrong)
    user = request.user if isinstance(request.user, User) else None
    done = puzzles.solve(user=user, day=which, part=part, answer=[Role(role) for role in answer])
    if user is None:
        _remember(request, puzzles.VISITORS_ANSWERS, which, done.kept)
    return HttpResponseRedirect(reverse("games:puzzle", args=[day]), status=303)


@require_safe
@never_cache
def replay(request: HttpRequest, day: str) -> HttpResponse:
    """Show the whole game of a puzzle. 404 before the reader has answered."""
    which = _day(day)
    if _solved(request, which) is None:
        raise Http404
    return replay_page(
        request, puzzles.room_of_day(which), reverse("games:puzzle", args=[which.isoformat()])
    )


@require_POST
@never_cache
@sign_in_first
def consent(request: AuthenticatedHttpRequest) -> HttpResponse:
    """Allow that one's games become puzzles, or take it back."""
    puzzle_games.set_consent(user=request.user, is_given="allow" in request.POST)
    return HttpResponseRedirect(f"{reverse('games:puzzles')}#consent", status=303)


def _page(
    request: HttpRequest,
    room: Room,
    day: date,
    *,
    part: int = PARTS,
    solved: puzzles.Solved | None = None,
    answer: list[str] | None = None,
    wrong: str = "",
) -> HttpResponse:
    with translation.override(locale_for(request.LANGUAGE_CODE, room.table.edition)):
        move = len(room.public_steps) if solved is not None else move_of_part(room, part)
        panels = _panels(request, room, move)
        context: dict[str, Any] = {
            "day": day,
            "part": part,
            "parts": PARTS,
            "wrong": wrong,
            "roles": list(Role),
            "streak": _streak(request),
            "is_newest": day == puzzles.today(),
            "has_consented": isinstance(request.user, User)
            and puzzle_games.has_consented(request.user),
            "earlier": day.fromordinal(day.toordinal() - 1) if day > puzzles.FIRST_DAY else None,
            "later": day.fromordinal(day.toordinal() + 1) if day < puzzles.today() else None,
            "url": site_origin(request) + reverse("games:puzzle", args=[day.isoformat()]),
        }
        if solved is not None:
            seats = judged(room, solved.part, solved.answer)
            score = score_of([seat.role for seat in seats], solved.answer, solved.part)
            context |= {"solved": solved, "seats": seats, "score": score}
        else:
            marks = answer or _marks(request, day) or [str(Role.LIBERAL)] * len(room.seats)
            context["worth"] = worth_of_part(part)
            context["price"] = worth_of_part(part) - worth_of_part(part + 1)
            context["seats"] = list(zip(room.seats, marks, strict=True))
            if part > 1:
                panels = with_new_marked(
                    panels, _panels(request, room, move_of_part(room, part - 1))
                )
                context |= {
                    "new_rounds": rounds_of_part(room, part),
                    "new_policies": added_policies(panels),
                }
        context["panels"] = for_page(request, panels)
        status = _REFUSED if wrong else 200
        return render(request, "games/puzzle.html", context, status=status)


def _panels(request: HttpRequest, room: Room, move: int) -> dict[str, Panel]:
    return replay_of(room, move, None, request.LANGUAGE_CODE, sees_table=False).panels


def _wrong(room: Room, answer: list[str]) -> str:
    """Return what is wrong with an answer: "roles", "hitler", "fascists", or "" for nothing."""
    if not all(role in tuple(Role) for role in answer):
        return "roles"
    if answer.count(Role.HITLER) != 1:
        return "hitler"
    dealt = room.table.options.roles(len(room.seats))
    return "" if answer.count(Role.FASCIST) == dealt.count(Role.FASCIST) else "fascists"


def _day(text: str) -> date:
    try:
        day = date.fromisoformat(text)
    except ValueError:
        raise Http404 from None
    if text != day.isoformat() or not puzzles.FIRST_DAY <= day <= puzzles.today():
        raise Http404
    return day


def _solved(request: HttpRequest, day: date) -> puzzles.Solved | None:
    if isinstance(request.user, User):
        return puzzles.solution_of(request.user, day)
    kept = request.session.get(puzzles.VISITORS_ANSWERS, {}).get(day.isoformat())
    return None if kept is None else puzzles.read_kept(day.isoformat(), kept)


def _seen(request: HttpRequest, day: date) -> int:
    seen: int = request.session.get(_SEEN, {}).get(day.isoformat(), 1)
    return seen


def _marks(request: HttpRequest, day: date) -> list[str]:
    """Return the roles marked before more evidence was asked for; [] if there are none."""
    marks: list[str] = request.session.get(_MARKS, {}).get(day.isoformat(), [])
    return marks


def _remember(request: HttpRequest, name: str, day: date, value: object) -> None:
    known = request.session.get(name, {}) | {day.isoformat(): value}
    request.session[name] = dict(sorted(known.items())[-_DAYS_KEPT:])


def _streak(request: HttpRequest) -> int:
    if isinstance(request.user, User):
        return puzzles.streak_of(request.user)
    kept = request.session.get(puzzles.VISITORS_ANSWERS, {})
    answers = (puzzles.read_kept(day, each) for day, each in kept.items())
    return puzzles.streak((each.day for each in answers if each.is_in_time), puzzles.today())
