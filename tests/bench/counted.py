"""The site with an extra URL that returns what it has done since the last call.

Only the bench starts it: `python -m daphne tests.bench.counted:application`.
"""

import json
from contextlib import ExitStack
from typing import Any

from django.conf import settings

from config.asgi import application as site
from tests.bench.counting import counting

COUNTS = "/bench/counts"

# Keep the sweep out of the counts: its SQL statement belongs to no action.
settings.SOCKET_SWEEP_SECONDS = 3600.0

_until_the_end = ExitStack()
_counts = _until_the_end.enter_context(counting())


async def application(scope: dict[str, Any], receive: Any, send: Any) -> None:
    if scope["type"] != "http" or scope["path"] != COUNTS:
        await site(scope, receive, send)
        return
    told = {"statements": _counts.statements, "renders": _counts.renders}
    body = json.dumps(told).encode()
    _counts.clear()
    headers = [(b"content-length", str(len(body)).encode())]
    await send({"type": "http.response.start", "status": 200, "headers": headers})
    await send({"type": "http.response.body", "body": body})
