"""Runs beside a site: reads what it has stored about some tables."""

from games.models import Table


def answer(codes: list[str]) -> dict[str, object]:
    """Return for each code the table's stage, its game's length, seat names, and log rows."""
    seen = {}
    for code in codes:
        table = Table.objects.get(code=code)
        game = getattr(table, "game", None)
        rows = game.actions.order_by("number") if game else []
        seen[code] = {
            "stage": table.stage,
            "length": game and game.length,
            "seats": [seat.name for seat in table.seats.order_by("number")],
            "rows": [
                {"number": row.number, "seat": row.seat, "action": row.action, "by": row.by}
                for row in rows
            ],
        }
    return seen
