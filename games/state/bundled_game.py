"""The game that comes with the program, for a site where no public game has ended yet.

`bundled_game.json` is its record. Reasoning bots played it, by the command

    python -m tests.lab.simulate --games 1 --bots reasoner --seed "front page 25" --records DIR
"""

import json
from datetime import UTC, datetime, timedelta
from functools import cache
from pathlib import Path
from typing import Final

from games import bots
from games.models import Game, Seat, Table
from games.rules.chance import SealedChance
from games.rules.record import Record, read_record
from games.rules.transition import opening
from games.state.positions import Position
from games.state.rooms import Room

_FILE: Final = Path(__file__).with_name("bundled_game.json")
_PLAYED_BY: Final = bots.SKILLED
_BEGAN: Final = datetime(1932, 11, 6, 20, tzinfo=UTC)
_PAUSE: Final = timedelta(seconds=20)


@cache
def bundled_room() -> Room:
    """Return the room of the bundled game, whose rows are in no database."""
    record = bundled_record()
    names = _names()
    table = Table(
        code="",
        edition=record.edition,
        stage=Table.Stage.OVER,
        seats_wanted=len(record.seats),
        seed=b"",
        created_at=_BEGAN,
    )
    position = _position(record)
    assert record.outcome is not None
    game = Game(
        table=table,
        players=len(record.seats),
        length=position.length,
        winner=str(record.outcome.winner),
        ending=str(record.outcome.ending),
        started_at=_BEGAN,
        ended_at=position.steps[-1].at,
    )
    seats = tuple(
        Seat(number=number, name=names[number], bot=_PLAYED_BY)
        for number in range(len(record.seats))
    )
    return Room(table, seats, game, position)


def bundled_record() -> Record:
    return read_record(json.loads(_FILE.read_text(encoding="utf-8")))


def _position(record: Record) -> Position:
    assert record.seal is not None
    chance = SealedChance(bytes.fromhex(record.seal.seed), record.seal.contributions)
    position = Position(
        chance, opening(record.options, chance.deal(record.options, len(record.seats))), (), ()
    )
    for number, entry in enumerate(record.entries):
        position = position.after(entry.action, by="bot", at=_BEGAN + number * _PAUSE)
    return position


def _names() -> tuple[str, ...]:
    """Return the names under which bots sit at tables, one of each character in turn."""
    people = [bots.people(kind) for kind in bots.CHARACTERS]
    return tuple(name for names in zip(*people, strict=True) for name in names)
