"""How often somebody stays to the end: counted from the games that they played with others."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from django.db.models import Count, Q

from games.models import Showing

# Of fewer games nothing is said: one bad evening is not a habit.
LEAST_GAMES: Final = 5


@dataclass(frozen=True, slots=True)
class Reliability:
    games: int
    # Of these, rounded down: only who never left has a hundred.
    percent: int


def reliability_of(users: Iterable[int]) -> dict[int, Reliability]:
    """By primary key, of those who have played enough games to tell; in one statement."""
    people = list(users)
    if not people:
        return {}
    rows = (
        Showing.objects.filter(user__in=people)
        # Who was replaced at a blind table would be known by this as soon as it is counted.
        .filter(Q(game__table__is_blind=False) | Q(game__ended_at__isnull=False))
        .values("user")
        .annotate(games=Count("pk"), abandoned=Count("pk", filter=Q(is_abandoned=True)))
        .filter(games__gte=LEAST_GAMES)
    )
    return {
        row["user"]: Reliability(
            row["games"], 100 * (row["games"] - row["abandoned"]) // row["games"]
        )
        for row in rows
    }
