"""The data folder: everything that `play` keeps between runs, readable only by its owner."""

import fcntl
import json
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from django.core.management.utils import get_random_secret_key
from django.utils.translation import gettext as _

from config.play.errors import PlayError

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
            self._make()
            descriptor = os.open(self._lock_path, os.O_RDWR | os.O_CREAT, 0o600)
        except OSError as error:
            raise PlayError(
                _("The data folder %(path)s cannot be written to: %(reason)s.")
                % {"path": self.path, "reason": error.strerror}
            ) from error
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            raise PlayError(self._who_else()) from error
        else:
            self._remove_leftovers()
            yield
            self.note(address="", run_dir=None)
        finally:
            os.close(descriptor)

    def note(self, *, address: str, run_dir: Path | None) -> None:
        """Save the address and the run folder for a second `play` on this folder and for the next.

        A second one shows the address in its error; the next one removes a leftover run folder.
        """
        self._lock_path.write_text(
            json.dumps({"address": address, "run_dir": str(run_dir or "")}), encoding="utf-8"
        )

    def make_secret_key(self) -> None:
        """Create the secret key unless it exists: it signs all sessions and invitations."""
        path = self.path / "secret_key"
        with suppress(FileNotFoundError):
            if path.read_text(encoding="ascii").strip():
                path.chmod(0o600)
                return
        self._write_private(path, get_random_secret_key())

    def make_database(self) -> None:
        """Create SQLite's file, private to its owner: it contains every role and hand.

        SQLite gives the files that it creates beside it the same mode.
        """
        path = self.path / "db.sqlite3"
        os.close(os.open(path, os.O_WRONLY | os.O_CREAT, 0o600))
        for each in (path, *self.path.glob("db.sqlite3-*")):
            # The file may come from an earlier version; those beside it may vanish at any moment.
            with suppress(FileNotFoundError):
                each.chmod(0o600)

    def _make(self) -> None:
        if not self.path.is_dir():
            self.path.mkdir(parents=True, exist_ok=True)
            # Not `mkdir(mode)`, because the umask narrows that mode. The mode of an existing
            # folder is the owner's choice.
            self.path.chmod(0o700)

    def _who_else(self) -> str:
        address = self._read_note().get("address")
        if address:
            return _("The site is running on %(path)s already, at %(address)s") % {
                "path": self.path,
                "address": address,
            }
        return _("The site is being started on %(path)s already.") % {"path": self.path}

    def _read_note(self) -> dict[str, str]:
        try:
            note = json.loads(self._lock_path.read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return {}
        return note if isinstance(note, dict) else {}

    def _remove_leftovers(self) -> None:
        """Remove the run folder of a killed `play`, which could not remove its socket."""
        run_dir = Path(self._read_note().get("run_dir") or "/")
        if run_dir.name.startswith(RUN_DIR_PREFIX):
            shutil.rmtree(run_dir, ignore_errors=True)

    @staticmethod
    def _write_private(path: Path, text: str) -> None:
        """Write the file completely or not at all: half a key would also be used as a key."""
        part = path.with_name(path.name + ".part")
        part.unlink(missing_ok=True)
        descriptor = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(descriptor, "w", encoding="ascii") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        part.replace(path)


@contextmanager
def run_folder() -> Iterator[Path]:
    """Create a private folder for one run's socket, with a path that is short enough for it."""
    place = tempfile.gettempdir()
    if len(place.encode()) + len(RUN_DIR_PREFIX) + 30 > LONGEST_SOCKET_PATH:
        place = "/tmp"  # noqa: S108  sockets need a short path; the folder in it is private
    # mkdtemp creates it with mode 0700.
    path = Path(tempfile.mkdtemp(prefix=RUN_DIR_PREFIX, dir=place))
    try:
        yield path
    finally:
        shutil.rmtree(path, ignore_errors=True)
