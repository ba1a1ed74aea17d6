"""Making the puzzle of a day, and taking the answers of users."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Any, Final

from django.utils import timezone

from accounts.models import User
from games import bots
from games.models import Puzzle, PuzzleSolution
from games.rules.claims import claim_json
from games.rules.components import Role
from games.rules.editions import options_of
from games.rules.knowledge import Drawn, PartySeen, Received, TopSeen
from games.rules.record import action_json
from games.services.puzzle_games import game_for
from games.simulation.talk import play_with_talk
from games.state.puzzles import (
    PARTS,
    PLAYERS,
    bundled_game,
    is_solvable,
    points_for,
    puzzle_room,
    roles_of,
)
from games.state.rooms import Room

# The first day with a puzzle.
FIRST_DAY: Final = date(2026, 11, 1)
# The session's key for the answers of a visitor without an account, by day: `Solved.kept`.
VISITORS_ANSWERS: Final = "puzzle_solved"
_CLAIMS: Final = (Drawn, PartySeen, Received, TopSeen)


@dataclass(frozen=True, slots=True)
class Solved:
    """An answer that was given."""

    day: date
    part: int
    answer: tuple[Role, ...]
    points: int
    at: datetime

    @property
    def kept(self) -> list[Any]:
        """The answer as a session keeps it."""
        roles = [str(role) for role in self.answer]
        return [self.part, roles, self.points, self.at.isoformat()]

    @property
    def is_in_time(self) -> bool:
        """Whether the answer was given on the day itself, and so counts for a streak."""
        return self.at.date() == self.day


def today(now: datetime | None = None) -> date:
    """Return the day whose puzzle is the newest; days are UTC's."""
    return (now or timezone.now()).date()


def room_of_day(day: date) -> Room:
    """Return the finished game of a day's puzzle."""
    row = Puzzle.objects.filter(day=day).first()
    return puzzle_room(bundled_game(day) if row is None else row.game, day)


def solve(
    *, user: User | None, day: date, part: int, answer: Sequence[Role], now: datetime | None = None
) -> Solved:
    """Judge an answer, and keep it for a user. The first answer counts.

    `part` is how much evidence was seen. Raises ValueError if there is not one role per seat.
    """
    room = room_of_day(day)
    if len(answer) != len(room.seats) or not 1 <= part <= PARTS:
        raise ValueError("not an answer to this puzzle")
    points = points_for(roles_of(room), answer, part)
    solved = Solved(day, part, tuple(answer), points, now or timezone.now())
    if user is not None:
        PuzzleSolution.objects.get_or_create(
            user=user,
            day=day,
            defaults={
                "part": part,
                "answer": [str(role) for role in answer],
                "points": points,
                "at": solved.at,
            },
        )
        return solution_of(user, day) or solved
    return solved


def solution_of(user: User, day: date) -> Solved | None:
    """Return a user's answer to a day's puzzle, if any."""
    row = PuzzleSolution.objects.filter(user=user, day=day).first()
    if row is None:
        return None
    roles = tuple(Role(role) for role in row.answer)
    return Solved(row.day, row.part, roles, row.points, row.at)


def read_kept(day: str, kept: Sequence[Any]) -> Solved:
    """Return the answer that a session keeps for a day. The reverse of `Solved.kept`."""
    part, roles, points, at = kept
    answer = tuple(Role(role) for role in roles)
    return Solved(date.fromisoformat(day), part, answer, points, datetime.fromisoformat(at))


def adopt_answers(*, user: User, kept: Mapping[str, Sequence[Any]]) -> None:
    """Give a user the answers from before they signed in. The user's own answers stay."""
    PuzzleSolution.objects.bulk_create(
        [
            PuzzleSolution(
                user=user,
                day=solved.day,
                part=solved.part,
                answer=[str(role) for role in solved.answer],
                points=solved.points,
                at=solved.at,
            )
            for solved in (read_kept(day, each) for day, each in kept.items())
        ],
        ignore_conflicts=True,
    )


def streak_of(user: User, now: datetime | None = None) -> int:
    """Return on how many days in a row, up to today or yesterday, the user solved the day's."""
    rows = PuzzleSolution.objects.filter(user=user).values_list("day", "at")
    return streak((day for day, at in rows if at.date() == day), today(now))


def streak(days: Iterable[date], until: date) -> int:
    """Return how many days in a row are among `days`, up to `until` or the day before."""
    solved = set(days)
    day = until if until in solved else until - timedelta(days=1)
    count = 0
    while day in solved:
        count += 1
        day -= timedelta(days=1)
    return count


def make_puzzle(day: date) -> Puzzle:
    """Make the puzzle of a day, if it has none. Takes some seconds, and no lock meanwhile.

    Bots play the game if no game of people will do.
    """
    known = Puzzle.objects.filter(day=day).first()
    if known is not None:
        return known
    found = game_for(day)
    table, game = (None, next(games_of(f"puzzle {day}"))) if found is None else found
    return Puzzle.objects.get_or_create(day=day, defaults={"game": game, "table": table})[0]


def games_of(series: str) -> Iterator[Mapping[str, Any]]:
    """Yield games between bots that are good puzzles. The same series gives the same games."""
    number = 0
    while True:
        number += 1
        game = _play(f"{series} {number}")
        room = puzzle_room(game, FIRST_DAY)
        if is_solvable(room):
            yield game


def _play(seed: str) -> Mapping[str, Any]:
    kinds = [bots.CHARACTERS[number % len(bots.CHARACTERS)] for number in range(PLAYERS)]
    talk = play_with_talk(options_of("en"), kinds, seed)
    claims: list[dict[str, Any]] = []
    after = 0
    for line in talk.lines:
        if isinstance(line.what, _CLAIMS):
            claims.append({"after": after, "claim": claim_json(line.what)})
        elif not isinstance(line.what, bots.Spoken):
            after += 1
    return {
        "edition": "en",
        "players": PLAYERS,
        "seed": seed,
        "actions": [action_json(action) for action in talk.actions],
        "claims": claims,
    }
