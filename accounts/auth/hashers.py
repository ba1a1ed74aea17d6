"""Password hashing that gives way to all other work of the process."""

import os
import sys
from concurrent.futures import ThreadPoolExecutor
from typing import Final

from django.contrib.auth.hashers import PBKDF2PasswordHasher

# How much it gives way, in the steps of `nice`.
NICENESS: Final = 10
_AT_ONCE: Final = 2


class YieldingHasher(PBKDF2PasswordHasher):
    """PBKDF2 in threads of low priority, at most two hashes at once.

    A hash takes a core for a fifth of a second. Only the hash itself has the low priority: a
    thread that holds the interpreter's lock or a lock of the database must not be slowed down.
    """

    def encode(self, password: str, salt: str, iterations: int | None = None) -> str:
        return _threads.submit(super().encode, password, salt, iterations).result()


def _give_way() -> None:
    # Elsewhere `nice` is for the whole process.
    if sys.platform == "linux":
        os.nice(NICENESS)


_threads: Final = ThreadPoolExecutor(_AT_ONCE, "hashing", initializer=_give_way)
