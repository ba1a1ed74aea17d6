"""Many games, copied from one."""

from datetime import timedelta

from games.models import Game, GameAction, Seat, Table


def copies(table: Table, count: int) -> list[Table]:
    """Return this many more games like this one, each a minute older than the last."""
    seats = list(table.seats.all())
    actions = list(GameAction.objects.filter(game__table=table))
    made = []
    for _ in range(count):
        copy = Table.objects.get(pk=table.pk)
        copy.pk, copy.code, copy.opening_key = None, Table._meta.get_field("code").default(), None
        made.append(copy)
    made = Table.objects.bulk_create(made)
    for number, copy in enumerate(made, start=1):
        copy.created_at = table.created_at - timedelta(minutes=number)
    Table.objects.bulk_update(made, ["created_at"])
    Seat.objects.bulk_create(
        Seat(table=copy, number=seat.number, user=seat.user, bot=seat.bot, name=seat.name,
             contribution=seat.contribution)
        for copy in made
        for seat in seats
    )  # fmt: skip
    if hasattr(table, "game"):
        games = Game.objects.bulk_create(
            Game(table=copy, players=table.game.players, length=table.game.length) for copy in made
        )
        GameAction.objects.bulk_create(
            GameAction(game=game, number=row.number, seat=row.seat, action=row.action, by=row.by,
                       at=row.at)
            for game in games
            for row in actions
        )  # fmt: skip
    return made
