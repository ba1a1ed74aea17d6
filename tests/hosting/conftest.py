"""Fixture: the site of compose.yaml, started once for all tests that need it."""

import os
import shutil
import sys
from collections.abc import Iterator

import pytest

from tests.hosting.stack import Stack, running_stack
from tests.postgres.cluster import find_postgres


@pytest.fixture(scope="package")
def stack() -> Iterator[Stack]:
    if sys.platform != "linux":
        pytest.skip("each service has an address of 127.0.0.0/8, which Linux alone gives freely")
    if find_postgres() is None:
        pytest.skip("there is no PostgreSQL here (Debian: apt-get install postgresql)")
    for program, package in (
        ("nginx", "nginx-light"),
        ("envsubst", "gettext-base"),
        ("openssl", "openssl"),
        ("redis-cli", "redis-tools"),
    ):
        if shutil.which(program, path=f"{os.environ['PATH']}:/usr/sbin") is None:
            pytest.skip(f"there is no {program} here (Debian: apt-get install {package})")
    with running_stack() as stack:
        yield stack
