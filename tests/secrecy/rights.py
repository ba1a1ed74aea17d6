"""What a request may change: by who made it, said once more and apart from the services."""

from typing import Any

from django.db import connection

from accounts.models import User
from games.models import (
    Game,
    GameAction,
    Guest,
    Interruption,
    Look,
    Message,
    Mute,
    Sat,
    Seat,
    Table,
)

Rows = dict[str, dict[int, dict[str, Any]]]

_MODELS = {"table": Table, "seat": Seat, "game": Game, "action": GameAction, "user": User}
# Sessions come and go; when somebody was last here is written down by signing in.
_UNWATCHED = {"user": {"last_login"}}


def snapshot() -> Rows:
    """Every row that a request could change."""
    rows: Rows = {}
    for name, model in _MODELS.items():
        left_out = _UNWATCHED.get(name, set())
        rows[name] = {
            row["id"]: {key: value for key, value in row.items() if key not in left_out}
            for row in model._default_manager.values()
        }
    return rows


def is_watched(sql: str) -> bool:
    """Whether a statement writes to what `snapshot` reads."""
    verb = sql.lstrip()[:6].upper()
    if verb not in ("INSERT", "UPDATE", "DELETE", "REPLAC"):
        return False
    return any(f'"{model._meta.db_table}"' in sql for model in _MODELS.values())


def unlawful(actor: User | None, before: Rows, after: Rows) -> list[str]:
    """Changes that `actor` (None: nobody signed in) had no right to make."""
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


def _table(actor: int | None, pk: int, old: Any, new: Any, before: Rows, after: Rows) -> bool:
    if actor is None or new is None:
        return False
    if old is None:
        # Their own new one.
        return new["host_id"] == actor
    changes = _changed(old, new)
    if not changes <= {"version", "stage", "host_id", "next_table_id"}:
        return False
    took_part = _sits(actor, pk, before) or _sits(actor, pk, after)
    if not took_part or new["version"] <= old["version"]:
        return False
    if "next_table_id" in changes and (old["stage"] != "over" or old["next_table_id"] is not None):
        return False
    if "host_id" in changes and (old["host_id"] != actor or _sits(actor, pk, after)):
        return False
    return "stage" not in changes or {
        ("open", "running"): old["host_id"] == actor,
        ("open", "closed"): old["host_id"] == actor,
        ("running", "over"): _acted(actor, pk, before, after),
    }.get((old["stage"], new["stage"]), False)


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
        return old["user_id"] == actor and was["stage"] == "open"
    if old is None:
        own = new["user_id"] == actor
        return was["stage"] == "open" and (own or (is_host and bool(new["bot"])))
    changes = _changed(old, new)
    if changes <= {"is_away", "times_late"}:
        return old["user_id"] == actor
    if changes == {"number"}:
        return is_host and was["stage"] == "open"
    # A bot makes way for a person of its name.
    return changes == {"name"} and bool(old["bot"]) and _sits(actor, table, after)


def _game(actor: int | None, pk: int, old: Any, new: Any, before: Rows, after: Rows) -> bool:
    if actor is None or new is None:
        return False
    table = new["table_id"]
    if old is None:
        opened = before["table"].get(table) or after["table"][table]
        return bool(opened["host_id"] == actor)
    if _changed(old, new) <= {"bot_moves_at", "wakes_at", "retry_at"}:
        return _sits(actor, table, before)
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
        # Somebody registers: whoever broke their own cookie is a stranger.
        return not (new["is_staff"] or new["is_superuser"])
    return pk == actor and _changed(old, new) <= {"language"}


_LAWFUL = {"table": _table, "seat": _seat, "game": _game, "action": _action, "user": _user}


def forget_all_rows() -> None:
    """Empties what `snapshot` reads."""
    with connection.cursor() as cursor:
        cursor.execute("UPDATE games_table SET next_table_id = NULL")
        # What refers to another comes first.
        for model in (
            GameAction, Game, Guest, Interruption, Look, Message, Mute, Sat, Seat, Table,
        ):  # fmt: skip
            cursor.execute(f"DELETE FROM {model._meta.db_table}")
