"""What a request may change, by user: the rules, stated again independently of the services."""

from typing import Any

from django.db import connection

from accounts.models import User
from accounts.profiles.choices import PAGE_PARTS
from games.models import (
    Attendance,
    Balance,
    CardInspection,
    Case,
    CaseStep,
    Game,
    GameAction,
    Guest,
    Interruption,
    Kick,
    Message,
    Motion,
    Mute,
    Note,
    PreparedSeed,
    Presence,
    Preset,
    RatedGame,
    RatingChange,
    Report,
    Result,
    Ruling,
    Sat,
    Seat,
    Substitute,
    Table,
    TurnNotice,
)

Rows = dict[str, dict[int, dict[str, Any]]]

_MODELS = {
    "table": Table,
    "seat": Seat,
    "game": Game,
    "action": GameAction,
    "user": User,
    "preset": Preset,
    "kick": Kick,
    "motion": Motion,
    "substitute": Substitute,
    "showing": Attendance,
    "result": Result,
}
# Signing in updates the time of the last login. Sessions are not compared at all.
_UNWATCHED = {"user": {"last_login"}}


def snapshot() -> Rows:
    """Return every row that a request could change."""
    rows: Rows = {}
    for name, model in _MODELS.items():
        left_out = _UNWATCHED.get(name, set())
        rows[name] = {
            row["id"]: {key: value for key, value in row.items() if key not in left_out}
            for row in model._default_manager.values()
        }
    return rows


def is_watched(sql: str) -> bool:
    """Return whether a statement writes to a table that `snapshot` reads."""
    verb = sql.lstrip()[:6].upper()
    if verb not in ("INSERT", "UPDATE", "DELETE", "REPLAC"):
        return False
    return any(f'"{model._meta.db_table}"' in sql for model in _MODELS.values())


def unlawful(actor: User | None, before: Rows, after: Rows) -> list[str]:
    """Return the changes that `actor` (None: not signed in) had no right to make."""
    return [
        f"{name} {pk}: {old} -> {new}"
        for name in _MODELS
        for pk in sorted({*before[name], *after[name]})
        if (old := before[name].get(pk)) != (new := after[name].get(pk))
        and not _LAWFUL[name](actor.pk if actor else None, pk, old, new, before, after)
    ]


def _changed(old: dict[str, Any], new: dict[str, Any]) -> set[str]:
    return {key for key in old if old[key] != new[key]}


def _sits(actor: int | None, table: int, rows: Rows) -> bool:
    return actor is not None and any(
        seat["table_id"] == table and seat["user_id"] == actor for seat in rows["seat"].values()
    )


def _waits(actor: int | None, table: int, rows: Rows) -> bool:
    return actor is not None and any(
        row["table_id"] == table and row["user_id"] == actor for row in rows["substitute"].values()
    )


def _carried(actor: int | None, table: int, kind: str, before: Rows, after: Rows) -> bool:
    """Return whether a motion has just passed by the vote of a player at the table."""
    return _sits(actor, table, before) and any(
        row["table_id"] == table
        and row["kind"] == kind
        and row["outcome"] == "passed"
        and before["motion"].get(pk, {}).get("outcome") != "passed"
        for pk, row in after["motion"].items()
    )


def _table(actor: int | None, pk: int, old: Any, new: Any, before: Rows, after: Rows) -> bool:
    if actor is None or new is None:
        return False
    if old is None:
        # The user opens a table of their own.
        return new["host_id"] == actor
    changes = _changed(old, new)
    asked = {"asked_until", "quiet_since"}
    # This is drawn anew when the table at which the same people play again opens.
    drawn = {"next_seed"} if "next_table_id" in changes else set()
    allowed = {"version", "stage", "host_id", "next_table_id", "shuffles_seats"}
    if _is_alone(actor, pk, before):
        # A player whose only company are bots may pause.
        allowed.add("paused_at")
    if not changes <= allowed | asked | drawn:
        return False
    took_part = _sits(actor, pk, before) or _sits(actor, pk, after)
    if changes <= {"version", "asked_until"}:
        took_part = took_part or _waits(actor, pk, before) or _waits(actor, pk, after)
    if "shuffles_seats" in changes and (old["host_id"] != actor or old["stage"] != "open"):
        return False
    if not took_part or new["version"] <= old["version"]:
        return False
    if "next_table_id" in changes and (old["stage"] != "over" or old["next_table_id"] is not None):
        return False
    if "host_id" in changes and not (
        (old["host_id"] == actor and new["host_id"] != actor)
        or _carried(actor, pk, "replace", before, after)
    ):
        return False
    return "stage" not in changes or {
        # The host starts the game, or the last player to be ready does.
        ("open", "running"): took_part,
        ("open", "sealing"): took_part,
        ("sealing", "running"): took_part,
        ("open", "closed"): old["host_id"] == actor,
        ("running", "over"): _acted(actor, pk, before, after)
        or _carried(actor, pk, "stop", before, after)
        # The game was given up: no other person plays in it.
        or _is_alone(actor, pk, before),
    }.get((old["stage"], new["stage"]), False)


def _is_alone(actor: int, table: int, rows: Rows) -> bool:
    people = {seat["user_id"] for seat in rows["seat"].values() if seat["table_id"] == table}
    return people - {None} == {actor}


def _acted(actor: int, table: int, before: Rows, after: Rows) -> bool:
    new = {*after["action"]} - {*before["action"]}
    seats = {
        seat["number"]
        for seat in after["seat"].values()
        if seat["table_id"] == table and seat["user_id"] == actor
    }
    games = {pk for pk, game in after["game"].items() if game["table_id"] == table}
    return any(
        after["action"][pk]["game_id"] in games and after["action"][pk]["seat"] in seats
        for pk in new
    )


def _seat(actor: int | None, pk: int, old: Any, new: Any, before: Rows, after: Rows) -> bool:
    table = (old or new)["table_id"]
    was = before["table"].get(table)
    if actor is None:
        return False
    if was is None:
        return new is not None and new["user_id"] in (actor, None)
    is_host = was["host_id"] == actor
    if new is None:
        # Players may leave their own seat; the host may remove others.
        return was["stage"] == "open" and (is_host or old["user_id"] == actor)
    if old is None:
        own = new["user_id"] == actor
        return was["stage"] == "open" and (own or (is_host and bool(new["bot"])))
    changes = _changed(old, new)
    if changes <= {"is_away", "times_late", "has_hints"}:
        return old["user_id"] == actor
    if changes <= {"number", "is_ready"}:
        return was["stage"] == "open" and (_sits(actor, table, before) or is_host)
    if changes <= {"contribution", "contribution_hash"}:
        # A player may change their own; the freeze fixes everyone's.
        return old["user_id"] == actor or _begins(actor, table, before, after)
    if "user_id" in changes:
        return (
            changes <= {"user_id", "name", "is_away", "times_late"}
            and _waits(new["user_id"], table, before)
            and _carried(actor, table, "replace", before, after)
        )
    if changes <= {"bot", "level", "name"} and changes & {"bot", "level"}:
        # The host may change a bot.
        return bool(old["bot"]) and bool(new["bot"]) and is_host and was["stage"] == "open"
    # A bot is renamed when a person of its name joins.
    return changes == {"name"} and bool(old["bot"]) and _sits(actor, table, after)


def _begins(actor: int, table: int, before: Rows, after: Rows) -> bool:
    """Return whether a seated player has just begun the game."""
    stages = before["table"][table]["stage"], after["table"][table]["stage"]
    return _sits(actor, table, before) and stages[0] == "open" and stages[1] != "open"


def _game(actor: int | None, pk: int, old: Any, new: Any, before: Rows, after: Rows) -> bool:
    if actor is None or new is None:
        return False
    table = new["table_id"]
    if old is None:
        return _sits(actor, table, after)
    if _carried(actor, table, "stop", before, after):
        return new["stopped"] == "abandoned" and not new["winner"]
    if _carried(actor, table, "replace", before, after):
        return _changed(old, new) <= {"deadline", "bot_moves_at", "wakes_at", "retry_at"}
    if _changed(old, new) <= {"bot_moves_at", "wakes_at", "retry_at"}:
        return _sits(actor, table, before)
    if new["stopped"] == "given_up" and not old["stopped"]:
        return _is_alone(actor, table, before) and not new["winner"]
    return _acted(actor, table, before, after)


def _action(actor: int | None, pk: int, old: Any, new: Any, before: Rows, after: Rows) -> bool:
    if actor is None or old is not None:
        return False
    table = before["game"][new["game_id"]]["table_id"]
    seat = next(
        seat
        for seat in before["seat"].values()
        if seat["table_id"] == table and seat["number"] == new["seat"]
    )
    return (
        seat["user_id"] == actor
        and new["by"] == "player"
        and new["action"]["seat"] == new["seat"]
        and before["table"][table]["stage"] == "running"
    )


def _user(actor: int | None, pk: int, old: Any, new: Any, before: Rows, after: Rows) -> bool:
    if new is None:
        return False
    if old is None:
        # A visitor registers. A user whose cookie is broken counts as a visitor.
        return not (new["is_staff"] or new["is_superuser"])
    return pk == actor and _changed(old, new) <= _OWN_WISHES


_OWN_WISHES = {
    *("language", "mask_words", "hides_role", "sounds", "calls_title", "notifies", "hints"),
    *("time_zone", "theme", "motion", "country", "spoken"),
    *(f"shows_{part}" for part in PAGE_PARTS),
}


def _preset(actor: int | None, pk: int, old: Any, new: Any, before: Rows, after: Rows) -> bool:
    return actor is not None and actor == (old or new)["owner_id"] == (new or old)["owner_id"]


def _kick(actor: int | None, pk: int, old: Any, new: Any, before: Rows, after: Rows) -> bool:
    if actor is None or old is not None:
        return False
    table = before["table"][new["table_id"]]
    return table["host_id"] == actor and table["stage"] == "open" and new["user_id"] != actor


def _motion(actor: int | None, pk: int, old: Any, new: Any, before: Rows, after: Rows) -> bool:
    if actor is None or new is None:
        return False
    table = new["table_id"]
    if old is not None and old["outcome"]:
        return False
    if old is not None and "votes" not in _changed(old, new):
        # A motion lapses when a player comes back or acts, or a candidate leaves the waiting list.
        return _sits(actor, table, before) or _waits(actor, table, before)
    own = {
        str(seat["number"])
        for seat in before["seat"].values()
        if seat["table_id"] == table and seat["user_id"] == actor
    }
    voted = set(new["votes"]) - set({} if old is None else old["votes"])
    return voted == own and bool(own)


def _substitute(actor: int | None, pk: int, old: Any, new: Any, before: Rows, after: Rows) -> bool:
    row = new or old
    if actor is None or (old is not None and new is not None):
        return False
    if new is None and _carried(actor, row["table_id"], "replace", before, after):
        return True
    return row["user_id"] == actor and before["table"][row["table_id"]]["stage"] == "running"


def _showing(actor: int | None, pk: int, old: Any, new: Any, before: Rows, after: Rows) -> bool:
    if old is not None or new is None:
        return False
    return _sits(actor, after["game"][new["game_id"]]["table_id"], before)


def _result(actor: int | None, pk: int, old: Any, new: Any, before: Rows, after: Rows) -> bool:
    """Return whether this is a new result, written with the move that ends the game."""
    return old is None and _acted(
        actor or 0, after["game"][new["game_id"]]["table_id"], before, after
    )


_LAWFUL = {
    "table": _table,
    "seat": _seat,
    "game": _game,
    "action": _action,
    "user": _user,
    "preset": _preset,
    "kick": _kick,
    "motion": _motion,
    "substitute": _substitute,
    "showing": _showing,
    "result": _result,
}


def forget_all_rows() -> None:
    """Delete the rows that `snapshot` reads."""
    with connection.cursor() as cursor:
        cursor.execute("UPDATE games_table SET next_table_id = NULL")
        # Delete the rows with foreign keys before the rows that they refer to.
        rows = (
            GameAction,
            Attendance,
            Result,
            RatingChange,
            RatedGame,
            Game,
            Interruption,
            Kick,
            Motion,
            Substitute,
            CardInspection,
        )
        rows = (*rows, Note, Ruling, Guest, Message, Mute, CaseStep, Report, Case)
        for model in (*rows, TurnNotice, PreparedSeed, Presence, Sat, Seat, Table, Preset, Balance):
            cursor.execute(f"DELETE FROM {model._meta.db_table}")
