"""A user's data export about games: their own seats and moves, without other players' data."""

from typing import Any

from accounts.models import User
from games.models import (
    ArchivedSeat,
    GameAction,
    GameRequest,
    Message,
    Note,
    Preset,
    PuzzleSolution,
    RatingChange,
    Result,
    Seat,
    Vacation,
)


def games_of(user: User) -> list[dict[str, Any]]:
    """Return each table where this user has a seat, with the moves of that seat.

    Running games are included, because users' own moves reveal nothing new to them. Roles and other
    players' moves are in the record, once the game is over.
    """
    seats = Seat.objects.filter(user=user).select_related("table", "table__game").order_by("pk")
    moves: dict[tuple[int, int], list[dict[str, Any]]] = {}
    mine = GameAction.objects.filter(game__table__seats__user=user, by=GameAction.By.PLAYER)
    for game, seat, number, action, at in mine.values_list(
        "game__table", "seat", "number", "action", "at"
    ).order_by("game", "number"):
        moves.setdefault((game, seat), []).append({"number": number, "action": action, "at": at})
    return [
        {
            "table": seat.table.code,
            "edition": seat.table.edition,
            "house_rules": seat.table.house_rules,
            "opened_at": seat.table.created_at,
            "scheduled_at": seat.table.scheduled_at,
            "stage": seat.table.stage,
            "seat": seat.number + 1,
            "name": seat.name,
            "is_host": seat.table.host_id == user.pk,
            "moves": moves.get((seat.table_id, seat.number), []),
        }
        for seat in seats
    ]


def messages_of(user: User) -> list[Any]:
    """Return the messages that this user has sent at tables."""
    said = Message.objects.filter(user=user).order_by("pk")
    return list(said.values("table__code", "place", "kind", "name", "text", "data", "at"))


def notes_of(user: User) -> list[Any]:
    """Return this user's private notes."""
    return list(Note.objects.filter(user=user).values("table__code", "text", "marks"))


def results_of(user: User) -> list[Any]:
    """Return this user's roles and results in finished games."""
    return list(
        Result.objects.filter(user=user)
        .order_by("pk")
        .values("game__table__code", "role", "has_won", "people")
    )


def archived_seats_of(user: User) -> list[Any]:
    """Return what the statistics count of this user in each finished game."""
    names = ("sights", "claims", "lies", "lies_caught", "ballots", "right_ballots")
    offices = ("presidencies", "chancellorships")
    seats = ArchivedSeat.objects.filter(user=user).order_by("ended_at", "archived")
    return list(seats.values("archived__code", "number", "role", "has_won", *names, *offices))


def ratings_of(user: User) -> list[Any]:
    """Return what each rated game changed for this user."""
    changes = RatingChange.objects.filter(player__user=user).order_by("at", "rated")
    fields = (
        "tempo",
        "side",
        "at",
        "has_won",
        "mu_before",
        "sigma_before",
        "mu",
        "sigma",
        "weight",
    )
    return list(changes.values("rated__game__table__code", *fields))


def presets_of(user: User) -> list[Any]:
    return list(Preset.objects.filter(owner=user).values("name", "terms", "created_at"))


def vacations_of(user: User) -> list[Any]:
    """Return this user's vacations."""
    return list(Vacation.objects.filter(user=user).values("starts_at", "ends_at"))


def game_requests_of(user: User) -> list[Any]:
    """Return the game that this user looks for now."""
    names = ("mode", "pace", "languages", "size", "since", "expires_at", "bots_at", "table__code")
    return list(GameRequest.objects.filter(user=user).values(*names))


def puzzles_of(user: User) -> list[Any]:
    """Return this user's answers to puzzles."""
    rows = PuzzleSolution.objects.filter(user=user)
    return list(rows.values("day", "part", "answer", "points", "at"))
