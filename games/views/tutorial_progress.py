"""Which lessons of the tutorial a visitor has passed. The session keeps it."""

from typing import Final

from django.http import HttpRequest

from games.tutorial import BY_SLUG

# The last step: a first game.
PLAY: Final = "play"
STEPS: Final = (*BY_SLUG, PLAY)
# The session's key for the slugs of the lessons that the visitor has passed.
_PASSED: Final = "tutorial"


def passed_lessons(request: HttpRequest) -> list[str]:
    """Return the slugs of the lessons that the visitor has passed."""
    kept = request.session.get(_PASSED)
    return [slug for slug in kept if slug in BY_SLUG] if isinstance(kept, list) else []


def note_passed(request: HttpRequest, slug: str) -> None:
    """Note in the session that the visitor has passed a lesson."""
    passed = passed_lessons(request)
    if slug not in passed:
        request.session[_PASSED] = [*passed, slug]


def next_number(passed: list[str]) -> int:
    """Return the number of the step after the last that the visitor has passed, from 1."""
    return max((STEPS.index(slug) + 2 for slug in passed), default=1)


def next_step(request: HttpRequest) -> dict[str, object]:
    """Return the step at which a visitor who has begun goes on, for `games/_learn.html`."""
    passed = passed_lessons(request)
    if not passed:
        return {}
    number = next_number(passed)
    return {"slug": STEPS[number - 1], "number": number, "total": len(STEPS)}
