"""The broker goes away and comes back while games run."""

import os
import signal
import socket
import statistics
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager

from tests.drills.games import SETTINGS, Watch, all_moved, make_games, moves, workers_ready
from tests.drills.report import Report
from tests.faults.site import Site

# Seconds that each outage lasts.
OUTAGES = [float(each) for each in os.environ.get("DRILL_OUTAGES", "15 60 15 300").split()]
# Seconds for which it answers nothing and closes nothing.
HANGS = 20.0
TABLES = 4
# Seconds after the outage within which every game moves again.
BACK = 20
# Seconds that a move may take longer than while the broker is there.
LONGER = 0.3
REQUESTS = 60


def outages_of_the_broker(report: Report) -> None:
    """No process ends in an outage, however long, and all games go on after it."""
    with Site("sqlite", **SETTINGS) as site:
        report.within("both workers are ready", 60, lambda: workers_ready(site))
        for seconds in OUTAGES:
            _outage(site, report, seconds)
        _outage(site, report, HANGS, hangs=True)


def moves_without_the_broker(report: Report) -> None:
    """A page that makes a bot's overdue move waits for no broker, in whatever way it is away."""
    with Site("sqlite", **SETTINGS) as site:
        report.within("both workers are ready", 60, lambda: workers_ready(site))
        site.keep_down("clock", "beat")
        usual = _measure(site, report, "the broker is there", limit=60)
        broker = site.parts["valkey"].popen
        assert broker is not None
        broker.send_signal(signal.SIGSTOP)
        _measure(site, report, "the broker has stopped", limit=usual + LONGER)
        broker.send_signal(signal.SIGCONT)
        site.keep_down("valkey")
        _measure(site, report, "the broker refuses", limit=usual + LONGER)
    with _black_hole() as url, Site("sqlite", **SETTINGS, REDIS_URL=url) as site:
        _measure(site, report, "no packet comes back", limit=usual + LONGER)


def _outage(site: Site, report: Report, seconds: float, *, hangs: bool = False) -> None:
    what = f"the broker {'hangs' if hangs else 'is away'} for {seconds:g} s"
    codes = make_games(site, TABLES)
    before = moves(site, codes)
    report.within(f"games move before {what}", BACK, lambda: all_moved(site, codes, before))
    watch, broker = Watch(site), site.parts["valkey"].popen
    assert broker is not None
    if hangs:
        broker.send_signal(signal.SIGSTOP)
    else:
        site.keep_down("valkey")
    time.sleep(seconds)
    before = moves(site, codes)
    broker.send_signal(signal.SIGCONT)
    site.let_up("valkey")
    report.within(f"games move after {what}", BACK, lambda: all_moved(site, codes, before))
    watch.report(report, what, seconds)


def _measure(site: Site, report: Report, how: str, *, limit: float) -> float:
    """Open the pages of games whose bots are to move. Return the seconds that the slowest took."""
    codes = make_games(site, TABLES)
    before = moves(site, codes)
    took = []
    for number in range(REQUESTS):
        begun = time.monotonic()
        with urllib.request.urlopen(f"{site.url}/tables/{codes[number % TABLES]}/") as answer:
            answer.read()
        took.append(time.monotonic() - begun)
        time.sleep(0.2)
    report.compare(f"all games move while {how}", True, all_moved(site, codes, before))
    report.at_most(f"seconds of the slowest of {REQUESTS} pages while {how}", limit, max(took))
    print(f"              half of them took less than {statistics.median(took):.3f} s", flush=True)
    return max(took)


@contextmanager
def _black_hole() -> Iterator[str]:
    """Yield the address of a server whose queue is full: it answers no further connection."""
    with socket.socket() as server:
        server.bind(("127.0.0.1", 0))
        server.listen(0)
        place = server.getsockname()
        waiting = [socket.socket() for _ in range(4)]
        for each in waiting:
            each.setblocking(False)
            each.connect_ex(place)
        yield f"redis://127.0.0.1:{place[1]}/0"
        for each in waiting:
            each.close()
