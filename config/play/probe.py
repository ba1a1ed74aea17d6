"""Asks over HTTP whether the site answers: an open port does not mean that it works."""

import http.client
import threading
import time
from collections.abc import Callable

from config.play.address import Address

PATIENCE = 60.0
BETWEEN = 0.05
# If the site answers with an error, the probe tries this many times, a second apart: the site is
# unlikely to recover, and each failure fills the log.
CHANCES = 3


class Probe:
    def __init__(self, address: Address, host_header: str) -> None:
        self._address = address
        self._host_header = host_header
        self._until = time.monotonic() + PATIENCE
        self.answered = False
        self.gave_up = False
        self.last = ""
        """The last error or HTTP status."""

    def start(self, wake: Callable[[], None]) -> None:
        threading.Thread(target=self._run, args=(wake,), daemon=True).start()

    def _run(self, wake: Callable[[], None]) -> None:
        chances = CHANCES
        while chances and time.monotonic() < self._until:
            status = self._status()
            if status == http.client.OK:
                self.answered = True
                break
            chances -= status is not None
            time.sleep(BETWEEN if status is None else 1)
        else:
            self.gave_up = True
        wake()

    def _status(self) -> int | None:
        connection = http.client.HTTPConnection(
            self._address.here, self._address.port, timeout=self._until - time.monotonic() + 1
        )
        try:
            # Like a request from a proxy that terminates TLS; without trusted proxies, the site
            # ignores the header.
            headers = {"Host": self._host_header, "X-Forwarded-Proto": "https"}
            connection.request("GET", "/", headers=headers)
            status = connection.getresponse().status
        except (OSError, http.client.HTTPException) as error:
            self.last = str(error)
            return None
        finally:
            connection.close()
        self.last = f"HTTP {status}"
        return status
