"""A site's data as it is right after a first start, for tests that are not about that start.

Making the tables and compressing the static files takes most of a start's time. The first site
that a process of tests starts does it; those after it begin with a copy.
"""

import atexit
import shutil
import sqlite3
import tempfile
from contextlib import closing
from pathlib import Path

_folder: Path | None = None


def lay(data: Path) -> None:
    """Puts the copy there, if there is one and nothing stands in its place."""
    if _folder is not None and data.parent.is_dir() and not data.exists():
        shutil.copytree(_folder, data)
        data.chmod(0o700)


def keep(data: Path) -> None:
    """Takes the copy, of a site that is ready and that nobody has used yet; once."""
    global _folder
    if _folder is not None:
        return
    folder = Path(tempfile.mkdtemp(prefix="prepared-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    with (
        closing(sqlite3.connect(data / "db.sqlite3")) as there,
        closing(sqlite3.connect(folder / "db.sqlite3")) as here,
    ):
        there.backup(here)
    (folder / "db.sqlite3").chmod(0o600)
    shutil.copytree(data / "static", folder / "static")
    shutil.copy(data / "static.stamp", folder)
    _folder = folder
