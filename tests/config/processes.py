"""A command in a process of its own, with only the given environment."""

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent.parent
PUBLIC = {
    "SITE_URL": "https://play.example",
    "TRUSTED_PROXIES": "1",
    "SECRET_KEY": "x7$kq" * 12 + "abcdefgh",
    "REDIS_URL": "redis://redis.example:6379/0",
    "DATABASE_URL": "postgres://chancellery:secret@db.example/chancellery",
}


NAMES = (*PUBLIC, "ALLOWED_HOSTS", "CSRF_TRUSTED_ORIGINS", "DEBUG", "HSTS_SECONDS")


def run(*command: str, **environment: str) -> subprocess.CompletedProcess[str]:
    env = {name: value for name, value in os.environ.items() if name not in NAMES}
    return subprocess.run(
        [sys.executable, *command],
        cwd=ROOT,
        env=env | environment,
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
