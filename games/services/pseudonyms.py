"""Blind tables: no seat shows its player's real name before the game is over.

At a blind table, `Seat.name` is a pseudonym from the start, and the pages, log, lobby and
record show only that. Each player gets a random pseudonym when they sit down. It reveals nothing
about the player, who gets a different one at the next table.
"""

import secrets
from collections.abc import Collection, Sequence
from typing import Final

from accounts.models import User, name_key
from games.models import Seat

# Deputies, each named after the town they represent. Town names have no grammatical gender and are
# the same in every language, so all readers at a table see the same names. No bot has such a name.
PSEUDONYMS: Final = (
    "Aachen", "Bamberg", "Bremen", "Chemnitz", "Coburg", "Darmstadt", "Dresden", "Emden",
    "Erfurt", "Flensburg", "Freiburg", "Gotha", "Hagen", "Jena", "Kassel", "Kiel", "Leipzig",
    "Lindau", "Mainz", "Marburg", "Passau", "Rostock", "Trier", "Ulm", "Weimar", "Worms",
)  # fmt: skip


def new_pseudonym(seats: Sequence[Seat]) -> str:
    """Return a random pseudonym that no seat of the table has."""
    return _free(seats)


def real_names(seats: Sequence[Seat]) -> dict[int, str]:
    """Return the seats' names after the end of a game, by seat number.

    Runs one query. If a bot, or a seat whose account was deleted, has the name that a player now
    gets, that seat gets another name.
    """
    people = User.objects.in_bulk([seat.user_id for seat in seats if seat.user_id is not None])
    names = {seat.number: people[seat.user_id].username for seat in seats if seat.user_id in people}
    taken = {name_key(name) for name in names.values()}
    others = [seat for seat in seats if seat.number not in names]
    for seat in others:
        if name_key(seat.name) in taken:
            names[seat.number] = _free(seats, also=taken)
            taken.add(name_key(names[seat.number]))
    return names


def _free(seats: Sequence[Seat], also: Collection[str] = ()) -> str:
    taken = {name_key(seat.name) for seat in seats}.union(also)
    names = [name for name in PSEUDONYMS if name_key(name) not in taken]
    return names[secrets.randbelow(len(names))]
