"""Rows of finished games, as the archive keeps them."""

from datetime import UTC, datetime, timedelta

from games.models import ArchivedGame, ArchivedMoment, ArchivedSeat, Game, Table
from tests.builders.tables import person

NOON = datetime(2026, 10, 5, 12, tzinfo=UTC)


def archived_game(*names: str, moments: tuple[str, ...] = (), **fields) -> ArchivedGame:
    """Return a finished game of these people, as the archive keeps it."""
    table = Table.objects.create(edition=fields.get("edition", "en"), stage=Table.Stage.OVER)
    game = Game.objects.create(table=table, players=5)
    usual = {
        "game": game,
        "code": table.code,
        "ended_at": NOON + timedelta(minutes=ArchivedGame.objects.count()),
        "seconds": 1200,
        "rounds": 7,
        "edition": "en",
        "is_custom": False,
        "players": 5,
        "people": len(names),
        "winner": "liberal",
        "ending": "liberal_policies",
        "pace": "normal",
        "is_public": True,
    }
    row = ArchivedGame.objects.create(**usual | fields)
    for number, name in enumerate(names):
        ArchivedSeat.objects.create(
            archived=row,
            user=person(name),
            number=number,
            role="liberal",
            has_won=True,
            ended_at=row.ended_at,
            people=row.people,
        )
    for moment in moments:
        ArchivedMoment.objects.create(archived=row, moment=moment, ended_at=row.ended_at)
    return row
