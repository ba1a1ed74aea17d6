"""Blind tables: nobody's own name is there before the game is over.

At such a table `Seat.name` is another's from the start, and pages, minutes, lobby and record
show nothing else. Who sits down gets one by chance: it says nothing of the person, and the
same person has another at the next table.
"""

import secrets
from collections.abc import Collection, Sequence
from typing import Final

from accounts.models import User, name_key
from games.models import Seat

# Deputies, each called after a town that sends them. Towns have no gender and are called the
# same at one table, whatever language its people read; and no bot is called so.
PSEUDONYMS: Final = (
    "Aachen", "Bamberg", "Bremen", "Chemnitz", "Coburg", "Darmstadt", "Dresden", "Emden",
    "Erfurt", "Flensburg", "Freiburg", "Gotha", "Hagen", "Jena", "Kassel", "Kiel", "Leipzig",
    "Lindau", "Mainz", "Marburg", "Passau", "Rostock", "Trier", "Ulm", "Weimar", "Worms",
)  # fmt: skip


def new_pseudonym(seats: Sequence[Seat]) -> str:
    """A name by chance that nobody at the table has."""
    return _free(seats)


def real_names(seats: Sequence[Seat]) -> dict[int, str]:
    """For the end of a game: by seat number, the names that people have from now on.

    One statement. Who has the name of somebody who is now called by it gets another, be it a
    bot or somebody whose account is gone.
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
