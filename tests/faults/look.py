"""Beside a site: what it has kept of some tables."""

from games.models import Table


def answer(codes: list[str]) -> dict[str, object]:
    """For each code the table's stage, its game's length, the seats' names, and the log's rows."""
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
