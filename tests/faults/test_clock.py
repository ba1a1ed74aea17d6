"""The clock with its real worker and beat: never early, hardly late, and back soon after a fall."""

import os
import time
import urllib.request
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest

from tests.faults.site import DATABASES, Site

TABLES = int(os.environ.get("FAULTS_CLOCK_TABLES", "20"))
SECONDS = float(os.environ.get("FAULTS_CLOCK_SECONDS", "10"))
# Promised, in seconds: 99 of 100 moves in normal running; all of them after a recovery.
LATE = 1.0
LATE_AFTER_RECOVERY = 5.0
CLOCK = ("beat", "worker", "valkey")


@pytest.fixture(scope="module", params=DATABASES)
def site(request: pytest.FixtureRequest) -> Iterator[Site]:
    """A site whose decisions take two seconds."""
    with Site(request.param, PACE_SCALE="0.1") as site:
        yield site


def test_in_normal_running_no_move_is_early_and_hardly_one_is_late(site: Site) -> None:
    codes = site.ask("watch", "make", count=TABLES)

    moves = site.ask("watch", "follow", seconds=SECONDS, codes=codes)

    late = sorted(made - due for due, made in moves)
    p99 = late[int(0.99 * (len(late) - 1))]
    print(f"{site.database}: {len(late)} moves; {told(late)}")
    assert len(late) > TABLES
    assert late[0] >= 0
    assert p99 <= LATE


def test_after_the_clock_fell_what_is_overdue_is_made_up_for_soon(site: Site) -> None:
    codes = site.ask("watch", "make", count=TABLES)
    with ThreadPoolExecutor(1) as pool:
        following = pool.submit(site.ask, "watch", "follow", seconds=SECONDS + 8, codes=codes)
        time.sleep(4)
        ready = site.log("worker").count(" ready.")
        fell = time.time()
        site.keep_down(*CLOCK)
        time.sleep(3)
        site.let_up(*CLOCK)
        while site.log("worker").count(" ready.") == ready:
            time.sleep(0.05)
            assert time.time() < fell + 60, site.log("worker")[-2000:]
        back = time.time()
        moves = following.result()

    overdue = sorted(made - max(due, back) for due, made in moves if due > fell and made > back)
    print(f"{site.database}: back after {back - fell:.1f} s; {told(overdue)} after that")
    assert len(overdue) > TABLES / 2
    assert all(made >= due for due, made in moves)
    assert overdue[-1] <= LATE_AFTER_RECOVERY


def test_with_the_clock_gone_whoever_looks_at_a_table_settles_it(site: Site) -> None:
    site.keep_down(*CLOCK)
    try:
        (code,) = site.ask("watch", "make", count=1)
        time.sleep(max(0, site.ask("watch", "state", codes=[code])[code]["deadline"] - time.time()))
        time.sleep(0.1)
        assert site.ask("look", codes=[code])[code]["rows"] == []

        with urllib.request.urlopen(f"{site.url}/tables/{code}/", timeout=20) as answer:
            assert answer.status == 200

        (row,) = site.ask("look", codes=[code])[code]["rows"]
        assert row["by"] == "clock"
        assert site.ask("watch", "state", codes=[code])[code]["lost"] == []
    finally:
        site.let_up(*CLOCK)


def test_while_the_doors_are_shut_the_clock_waits_and_the_time_is_given_back_once(
    site: Site,
) -> None:
    codes = site.ask("watch", "make", count=3, pace="daily")
    before = site.ask("watch", "state", codes=codes)
    # Worker and beat go on; nobody can come. A day and an hour pass.
    site.keep_down("web")
    site.ask("watch", "age", seconds=25 * 60 * 60)
    time.sleep(2.5)
    assert {code: table["length"] for code, table in state(site, codes).items()} == dict.fromkeys(
        codes, 0
    )

    site.let_up("web")
    site.wait_until_it_answers()
    until = time.time() + 10
    while not all(table["lost"] for table in state(site, codes).values()) and time.time() < until:
        time.sleep(0.2)
    # Once more: a second process, a second start give nothing.
    site.kill("web")
    site.wait_until_it_answers()
    time.sleep(2.5)

    for code, table in state(site, codes).items():
        (lost,) = table["lost"]
        assert 25 * 60 * 60 <= lost < 25 * 60 * 60 + 60
        # The decision has what it had, and the seconds that the silence was longer than it seems.
        assert 0 <= table["deadline"] - before[code]["deadline"] < 60
        assert table["length"] == 0
        assert table["version"] == before[code]["version"] + 1


def state(site: Site, codes: list[str]) -> dict[str, dict]:
    return site.ask("watch", "state", codes=codes)


def told(late: list[float]) -> str:
    if not late:
        return "none"
    middle, p99 = late[len(late) // 2], late[int(0.99 * (len(late) - 1))]
    return f"late by {middle:.3f} s (median), {p99:.3f} s (p99), {late[-1]:.3f} s (most)"
