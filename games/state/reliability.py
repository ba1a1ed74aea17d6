"""How often a user stays to the end, counted over the games they played with other people."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from django.db.models import Count, Q

from games.models import Attendance

# With fewer games no number is shown: one bad evening is not a habit.
LEAST_GAMES: Final = 5


@dataclass(frozen=True, slots=True)
class Reliability:
    games: int
    # The share of games not abandoned, rounded down: 100 only for users who never left.
    percent: int


def reliability_of(users: Iterable[int]) -> dict[int, Reliability]:
    """Return the reliability by primary key of users with enough games; one query."""
    people = list(users)
    if not people:
        return {}
    rows = (
        Attendance.objects.filter(user__in=people)
        # Counting a running blind game at once would reveal which user was replaced in it.
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
