"""A PostgreSQL server for one test run: a socket in a folder, no port, no durability."""

import os
import pwd
import shutil
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path


def find_postgres() -> Path | None:
    """Return the folder of `initdb` and `pg_ctl`, which Debian keeps out of the PATH."""

    def version(folder: Path) -> int:
        name = folder.parent.name
        return int(name) if name.isdigit() else 0

    in_path = shutil.which("pg_ctl")
    folders = sorted(Path("/usr/lib/postgresql").glob("*/bin"), key=version, reverse=True)
    # If the PATH has only a link, the other programs are in the folder of the link's target.
    candidates = [Path(in_path).resolve().parent] if in_path else []
    for folder in candidates + folders:
        if all((folder / name).exists() for name in ("initdb", "pg_ctl", "postgres")):
            return folder
    return None


def memory() -> str:
    """Return a folder in memory if there is one, else /tmp. Either path is short."""
    return "/dev/shm" if os.access("/dev/shm", os.W_OK | os.X_OK) else "/tmp"


@contextmanager
def cluster(programs: Path, parent: Path | None = None) -> Iterator[str]:
    """Yield the DATABASE_URL of a server that is removed after the block.

    Its files are kept in memory, or below `parent` if they are too large for that.
    """
    # Not in pytest's folder: a socket's path is limited to about a hundred bytes. In memory if
    # possible: emptying the tables after each test is mostly work on files.
    folder = Path(tempfile.mkdtemp(prefix="pg-", dir=parent or memory()))
    data = folder / "data"
    user = unprivileged_user()
    if user:
        shutil.chown(folder, user.pw_name)
    options = (
        f"-k {folder} -c listen_addresses='' -c fsync=off -c synchronous_commit=off "
        "-c full_page_writes=off -c max_connections=50"
    )
    try:
        _run(
            [
                *(programs / "initdb", "-D", data, "--no-sync"),
                *("-U", "chancellery", "-A", "trust", "-E", "UTF8", "--locale=C.UTF-8"),
            ],
            user,
        )
        start = ["start", "-w", "-t", "60", "-D", data, "-l", folder / "log", "-o", options]
        _run([programs / "pg_ctl", *start], user)
        try:
            # The host of a URL cannot contain slashes, but the `host` option can.
            yield f"postgres://chancellery@/postgres?host={folder}"
        finally:
            _run([programs / "pg_ctl", "stop", "-D", data, "-m", "immediate"], user)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def unprivileged_user() -> pwd.struct_passwd | None:
    """Return the user to run the server as: PostgreSQL refuses root; its package adds a user."""
    if os.geteuid() != 0:
        return None
    try:
        return pwd.getpwnam("postgres")
    except KeyError:
        return pwd.getpwnam("nobody")


def _run(command: Sequence[str | Path], user: pwd.struct_passwd | None) -> None:
    done = subprocess.run(
        command,
        cwd="/",
        user=user.pw_uid if user else None,
        group=user.pw_gid if user else None,
        extra_groups=[] if user else None,
        env={"PATH": os.defpath, "LC_ALL": "C"},
        # A file, not a pipe: the server inherits it, and a pipe would be waited on for ever.
        stdout=subprocess.DEVNULL,
        stderr=subprocess.STDOUT,
        check=False,
        timeout=120,
    )
    if done.returncode:
        raise RuntimeError(f"{Path(command[0]).name} ended with status {done.returncode}")
