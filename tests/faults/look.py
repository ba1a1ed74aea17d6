"""Run beside a site: what it has kept of some tables.

Reads {"codes": [...]}; prints for each code {"stage", "length", "seats": names, "rows": [...]}.
"""

import json
import sys

import django

django.setup()

from games.models import Table  # noqa: E402


def main() -> None:
    seen = {}
    for code in json.load(sys.stdin)["codes"]:
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
    print(json.dumps(seen))


if __name__ == "__main__":
    main()
