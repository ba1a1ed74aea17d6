"""Asks over HTTP whether the site answers: an open port does not mean that it works."""

import asyncio

from django.utils.translation import gettext as _

from config.launcher.address import Address
from config.launcher.errors import PlayError

PATIENCE = 60.0
BETWEEN = 0.05
# If the site answers with an error, the probe tries this many times, a second apart: the site is
# unlikely to recover, and each failure fills the log.
CHANCES = 3


async def wait_for_answer(address: Address, host_header: str) -> None:
    """Return when the site answers. Raises PlayError when it does not."""
    deadline = asyncio.get_running_loop().time() + PATIENCE
    chances, last = CHANCES, ""
    while chances and asyncio.get_running_loop().time() < deadline:
        try:
            async with asyncio.timeout_at(deadline):
                status = await _status(address, host_header)
        except (OSError, ValueError) as error:
            last = str(error) or "timed out"
            await asyncio.sleep(BETWEEN)
            continue
        if status == 200:
            return
        last = f"HTTP {status}"
        chances -= 1
        await asyncio.sleep(1)
    raise PlayError(_("The site isn’t responding: %(last)s") % {"last": last})


async def _status(address: Address, host_header: str) -> int:
    reader, writer = await asyncio.open_connection(address.here, address.port)
    try:
        # Like a request from a proxy that terminates TLS; without trusted proxies, the site
        # ignores the header.
        writer.write(
            f"GET / HTTP/1.1\r\nHost: {host_header}\r\n"
            "X-Forwarded-Proto: https\r\nConnection: close\r\n\r\n".encode()
        )
        __, status, *_reason = (await reader.readline()).split()
        return int(status)
    finally:
        writer.close()
