"""Asks over HTTP whether the site answers: an open port is not yet a site."""

import http.client
import threading
import time
from collections.abc import Callable

from config.play.address import Address

PATIENCE = 60.0
BETWEEN = 0.05


class Probe:
    def __init__(self, address: Address, host_header: str) -> None:
        self._address = address
        self._host_header = host_header
        self._until = time.monotonic() + PATIENCE
        self.answered = False
        self.gave_up = False
        self.last = ""
        """What came instead of an answer."""

    def start(self, wake: Callable[[], None]) -> None:
        threading.Thread(target=self._run, args=(wake,), daemon=True).start()

    def _run(self, wake: Callable[[], None]) -> None:
        while time.monotonic() < self._until:
            if self._asks():
                self.answered = True
                break
            time.sleep(BETWEEN)
        else:
            self.gave_up = True
        wake()

    def _asks(self) -> bool:
        connection = http.client.HTTPConnection(
            self._address.here, self._address.port, timeout=self._until - time.monotonic() + 1
        )
        try:
            connection.request("GET", "/", headers={"Host": self._host_header})
            status = connection.getresponse().status
        except (OSError, http.client.HTTPException) as error:
            self.last = str(error)
            return False
        finally:
            connection.close()
        self.last = f"HTTP {status}"
        return status == http.client.OK
