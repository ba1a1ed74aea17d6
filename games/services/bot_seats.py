"""Bots at a table that gathers: which kind sits where, under which name, and how well it plays."""

import secrets
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from django.db import transaction

from accounts.models import User, name_key
from games import bots
from games.models import Level, Seat, Table
from games.rules.chance import bot_contribution
from games.services import ready
from games.services.locked_tables import lock_gathering_table, save_changes
from games.wording.refusals import Refusal, Refused

# First names of the period. A name is used only once per table.
BOT_NAMES: Final = tuple(name for kind in bots.CHARACTERS for name in bots.people(kind))


@dataclass(frozen=True, slots=True)
class BotWish:
    """The bot that is wanted on a seat."""

    # One of `bots.names`; "" for a character that the table has few of.
    kind: str = ""
    level: Level = Level.REGULAR
    # Kept if no other seat has it; "" for a new name.
    name: str = ""


def arrange_bot(*, table: Table, user: User, number: int, name: str, wish: BotWish) -> None:
    """Seat a bot on a free seat, or change the bot that sits there, for the host.

    `name` is the name that the host saw on that seat, "" for a free seat. A bot that changes its
    kind also changes its name. Raises Refused: NOT_HOST, NOT_OPEN, SEALING, FROZEN, or STALE if
    the seat has another name now, or a person's.
    """
    with transaction.atomic():
        locked, seats = lock_gathering_table(table, host=user)
        seat = next((seat for seat in seats if seat.number == number), None)
        is_as_seen = name == ("" if seat is None else seat.name)
        if not is_as_seen or number >= locked.seats_wanted or (seat and not seat.is_bot):
            raise Refused(Refusal.STALE)
        if seat is None:
            seat_bots(locked, seats, {number: wish})
            ready.note_seats(locked, sat=user)
        elif not _change(seat, seats, wish):
            return
        save_changes(locked)


def seat_bots(table: Table, seats: list[Seat], wishes: Mapping[int, BotWish]) -> None:
    """Seat a bot on each of these free seats of a locked table.

    `seats` are the seats that are taken.
    """
    present = list(seats)
    for number, wish in wishes.items():
        kind = wish.kind or _rare_character(present)
        taken = {name_key(seat.name) for seat in present}
        keeps_name = wish.name and name_key(wish.name) not in taken
        seat = Seat.objects.create(
            table=table,
            number=number,
            bot=kind,
            level=_level(kind, wish.level),
            name=wish.name if keeps_name else new_bot_name(present, kind),
            contribution=bot_contribution(table.commitment, number),
        )
        present.append(seat)


def rename_bot(seats: list[Seat], name: str) -> None:
    """Rename a bot that has the name of a new player: names at a table are unique."""
    for seat in seats:
        if seat.is_bot and name_key(seat.name) == name_key(name):
            seat.name = new_bot_name(seats, seat.bot)
            seat.save(update_fields=["name"])


def new_bot_name(seats: list[Seat], kind: str = "") -> str:
    """Return a random bot name that no seat of the table has: one of the kind's own, if any."""
    taken = {name_key(seat.name) for seat in seats}
    free = [name for name in BOT_NAMES if name_key(name) not in taken]
    own = set(bots.people(kind)) if kind in bots.names() else set()
    return secrets.choice([name for name in free if name in own] or free)


def _change(seat: Seat, seats: list[Seat], wish: BotWish) -> bool:
    """Make the bot one of another kind or level. Return whether anything has changed."""
    others = [other for other in seats if other.pk != seat.pk]
    kind = wish.kind or _rare_character(others)
    level = _level(kind, wish.level)
    if (seat.bot, seat.level) == (kind, level):
        return False
    if seat.bot != kind:
        seat.name = new_bot_name(seats, kind)
    seat.bot, seat.level = kind, level
    seat.save(update_fields=["bot", "level", "name"])
    return True


def _rare_character(seats: list[Seat]) -> str:
    """Return a character that no other one at the table is rarer than, so that tables mix them."""
    at_table = Counter(seat.bot for seat in seats)
    fewest = min(at_table[kind] for kind in bots.CHARACTERS)
    return secrets.choice([kind for kind in bots.CHARACTERS if at_table[kind] == fewest])


def _level(kind: str, level: Level) -> Level:
    return level if bots.kind_named(kind).levels else Level.REGULAR
