"""Moderators and their acts at a table."""

from collections.abc import Callable
from datetime import timedelta

from django.contrib.auth.models import Permission

from games.models import Ruling, Table
from games.services import table_moderation, tables
from tests.builders.tables import fresh, gather, is_over, person, play_until, run_table
from tests.second_factor import with_second_factor

SECOND = timedelta(seconds=1)
HOUR = timedelta(hours=1)
WHY = {"because": "report", "reason": "somebody <b>complained</b>"}


def moderator(name: str = "Mira", right: str = "moderate"):
    user = person(name)
    user.user_permissions.add(Permission.objects.get(codename=right))
    # Django caches permissions on the object.
    return with_second_factor(type(user).objects.get(pk=user.pk))


def over(**how: object) -> Table:
    table = run_table(**how)
    play_until(table, is_over)
    return fresh(table)


def closed() -> Table:
    table = gather(["Nadia", *(f"Late {number}" for number in range(4))])
    tables.close_table(table=table, user=table.host)
    return fresh(table)


STAGES: dict[str, Callable[[], Table]] = {
    "open": gather,
    "running": run_table,
    "over": over,
    "closed": closed,
}


def freeze(table: Table, mira, now=None, **why: str) -> Ruling:
    return table_moderation.freeze_table(actor=mira, table=table, **(WHY | why), now=now)


def thaw(table: Table, mira, now=None) -> Ruling:
    return table_moderation.thaw_table(actor=mira, table=table, reason="seen to", now=now)


def close(table: Table, mira) -> Ruling:
    return table_moderation.close_table(actor=mira, table=table, **WHY)


def void(table: Table, mira) -> Ruling:
    return table_moderation.void_game(actor=mira, table=table, **WHY)


def replace(table: Table, mira, number: int = 3, name: str = "Dario", heir: str = "bot") -> Ruling:
    return table_moderation.replace_seat(
        actor=mira, table=table, number=number, name=name, heir=heir, **WHY
    )


ACTS = {"freeze": freeze, "thaw": thaw, "close": close, "void": void, "replace": replace}
