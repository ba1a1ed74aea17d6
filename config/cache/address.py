"""The addresses of databases on one Redis server."""

import re
from typing import Final
from urllib.parse import parse_qsl, urlencode

_WITH_PATH: Final = re.compile(r"(?P<server>\w+://[^/]*)(/(?P<number>\d*))?", re.ASCII)


def other_database(url: str) -> str:
    """Return the address of the database after the one of `url`, on the same server.

    The server may not have it: see `cache_fault` in config/cache/redis_cache.py.

    >>> other_database("redis://valkey:6379/0"), other_database("unix:///run/valkey.sock")
    ('redis://valkey:6379/1', 'unix:///run/valkey.sock?db=1')
    """
    address, _, query = url.partition("?")
    options = dict(parse_qsl(query))
    path = _WITH_PATH.fullmatch(address)
    if address.startswith("unix://") or "db" in options:
        options["db"] = _after(options.get("db", "0"))
    elif path is not None:
        address = f"{path['server']}/{_after(path['number'] or '0')}"
    return f"{address}?{urlencode(options)}" if options else address


def _after(number: str) -> str:
    return str(int(number) + 1) if number.isdecimal() else number
