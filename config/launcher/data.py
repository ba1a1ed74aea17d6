"""The data folder: everything that `play` keeps between runs, readable only by its owner."""

import fcntl
import json
import os
import shutil
import tempfile
from base64 import urlsafe_b64encode
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from django.core.management.utils import get_random_secret_key
from django.utils.translation import gettext as _

from config.launcher.errors import PlayError

# A Unix socket's address has room for about a hundred bytes (104 on macOS), with the file name.
LONGEST_SOCKET_PATH = 100
RUN_DIR_PREFIX = "chancellery-"


class DataFolder:
    """The data folder. Take `lock` first: the other methods are safe only inside its block."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._lock_path = path / "play.lock"

    @contextmanager
    def lock(self) -> Iterator[None]:
        """Create the folder if it is missing, and lock it against every other `play`.

        Raises PlayError. The kernel releases the lock when this process ends, even by SIGKILL.
        """
        try:
            if not self.path.is_dir():
                self.path.mkdir(parents=True, exist_ok=True)
                # Not `mkdir(mode)`, because the umask narrows that mode. The mode of an existing
                # folder is the owner's choice.
                self.path.chmod(0o700)
            descriptor = os.open(self._lock_path, os.O_RDWR | os.O_CREAT, 0o600)
        except OSError as error:
            raise PlayError(
                _("Can’t write to the data folder %(path)s: %(reason)s.")
                % {"path": self.path, "reason": error.strerror}
            ) from error
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            words = {"path": self.path, "address": self._read_note("address")}
            raise PlayError(
                _("The site is already running on %(path)s, at %(address)s") % words
                if words["address"]
                else _("The site is already starting on %(path)s.") % words
            ) from error
        else:
            # A killed `play` could not remove its run folder.
            leftover = Path(self._read_note("run_dir"))
            if leftover.name.startswith(RUN_DIR_PREFIX):
                shutil.rmtree(leftover, ignore_errors=True)
            yield
            self.note(address="", run_dir="")
        finally:
            os.close(descriptor)

    def note(self, *, address: str, run_dir: Path | str) -> None:
        """Save the address and the run folder for a second `play` on this folder and for the next.

        A second one shows the address in its error; the next one removes a leftover run folder.
        """
        text = json.dumps({"address": address, "run_dir": str(run_dir)})
        self._lock_path.write_text(text, encoding="utf-8")

    def _read_note(self, name: str) -> str:
        try:
            return str(json.loads(self._lock_path.read_text(encoding="utf-8"))[name])
        except (OSError, ValueError, LookupError, TypeError):
            return ""

    def make_secret_key(self) -> None:
        """Create the secret key unless it exists: it signs all sessions and invitations."""
        self._make_key("secret_key", get_random_secret_key)

    def make_push_key(self) -> None:
        """Create the key for Web Push unless it exists: browsers subscribe to this key."""
        self._make_key("vapid_key", _new_push_key)

    def _make_key(self, name: str, new: Callable[[], str]) -> None:
        path, part = self.path / name, self.path / f"{name}.part"
        with suppress(FileNotFoundError):
            path.chmod(0o600)
            if path.read_text(encoding="ascii").strip():
                return
        # Write the file completely or not at all: half a key would also be used as a key.
        part.unlink(missing_ok=True)
        part.touch(0o600)
        with part.open("w", encoding="ascii") as file:
            file.write(new())
            file.flush()
            os.fsync(file.fileno())
        part.replace(path)

    def make_database(self) -> None:
        """Create SQLite's file, private to its owner: it contains every role and hand.

        SQLite gives the files that it creates beside it the same mode.
        """
        path = self.path / "db.sqlite3"
        path.touch(0o600)
        for each in (path, *self.path.glob("db.sqlite3-*")):
            # The file may come from an earlier version; those beside it may vanish at any moment.
            with suppress(FileNotFoundError):
                each.chmod(0o600)


def _new_push_key() -> str:
    # Most starts find a key, and need no cryptography.
    from cryptography.hazmat.primitives.asymmetric import ec

    number = ec.generate_private_key(ec.SECP256R1()).private_numbers().private_value
    return urlsafe_b64encode(number.to_bytes(32, "big")).rstrip(b"=").decode()


@contextmanager
def run_folder() -> Iterator[Path]:
    """Create a private folder for one run's socket, with a path that is short enough for it."""
    place = tempfile.gettempdir()
    if len(place.encode()) + len(RUN_DIR_PREFIX) + 30 > LONGEST_SOCKET_PATH:
        place = "/tmp"  # noqa: S108  sockets need a short path; the folder in it is private
    # The folder has mode 0700.
    with tempfile.TemporaryDirectory(
        prefix=RUN_DIR_PREFIX, dir=place, ignore_cleanup_errors=True
    ) as path:
        yield Path(path)
