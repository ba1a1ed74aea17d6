"""Browsers that draw contributions, and the tables that they seal."""

import json
from dataclasses import dataclass, field
from datetime import timedelta
from hashlib import sha256
from itertools import count

from games.models import Table, Terms
from games.rules import record
from games.services import sealing, tables, timed_questions
from tests.builders.person import Person
from tests.builders.tables import fresh, is_over, person, play_until

_numbers = count(1)


@dataclass
class Browser:
    """A player's browser, which keeps what it drew, as games/static/games/seal.js does."""

    name: str
    kept: dict[str, str] = field(default_factory=dict)

    @property
    def user(self):
        return person(self.name)

    def draw(self) -> str:
        contribution = f"{next(_numbers):064x}"
        drawn = sha256(bytes.fromhex(contribution)).hexdigest()
        self.kept[drawn] = contribution
        return drawn

    def seat(self, table: Table):
        return table.seats.get(user=self.user)

    def offer(self, table: Table) -> None:
        sealing.offer_hash(
            table=table,
            user=self.user,
            commitment=fresh(table).commitment,
            contribution_hash=self.draw(),
        )

    def reveal(self, table: Table) -> None:
        sealing.reveal(
            table=table,
            user=self.user,
            commitment=fresh(table).commitment,
            contribution=self.kept[self.seat(table).contribution_hash],
        )


def gather(browsers: list[Browser], **terms: object) -> Table:
    """Return a full table to which every browser has sent a hash."""
    host, *others = browsers
    table = tables.open_table(
        host=host.user,
        terms=Terms(**({"edition": "en", "seats_wanted": len(browsers)} | terms)),
        commitment=sealing.prepared_commitment(host.user),
        contribution_hash=host.draw(),
    )
    for browser in others:
        tables.join_table(table=table, user=browser.user, contribution_hash=browser.draw())
    return fresh(table)


def begin(table: Table) -> Table:
    tables.start_game(table=table, user=table.host)
    return fresh(table)


def time_runs_out(table: Table) -> Table:
    timed_questions.settle(table.pk, now=fresh(table).asked_until + timedelta(seconds=1))
    return fresh(table)


def everything_stored(table: Table) -> str:
    rows = [*Table.objects.filter(pk=table.pk).values(), *table.seats.values()]
    return str(rows)


def finish(table: Table) -> record.Record:
    """Play the game to its end and return its record, as it is downloaded."""
    play_until(table, is_over)
    answer = Person(None, table).get(f"{table.get_absolute_url()}record/")
    return record.read_record(json.loads(answer.content))
