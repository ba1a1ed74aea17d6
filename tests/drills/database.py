"""PostgreSQL goes away and comes back while games run and a socket is open."""

import time
import urllib.error
import urllib.request

from websockets.sync.client import connect

from tests.drills.games import SETTINGS, Watch, all_moved, make_games, moves, workers_ready
from tests.drills.report import Report
from tests.faults.site import Site

OUTAGE = 20.0
BACK = 20


def outage_of_the_database(report: Report) -> None:
    """Pages say so within two seconds, nothing ends, and all games go on."""
    with Site("postgres", **SETTINGS) as site:
        report.within("both workers are ready", 60, lambda: workers_ready(site))
        codes = make_games(site, 4)
        before = moves(site, codes)
        report.within("games move before it", BACK, lambda: all_moved(site, codes, before))
        live = f"ws{site.url.removeprefix('http')}/live/tables/{codes[0]}/"
        watch = Watch(site)
        with connect(live, origin=site.url) as socket:
            site.keep_down("postgres")
            begun, answers, slowest = time.monotonic(), set(), 0.0
            while time.monotonic() - begun < OUTAGE:
                asked = time.monotonic()
                answers.add((_status(site, "/"), _status(site, "/healthz/ready")))
                slowest = max(slowest, time.monotonic() - asked)
                time.sleep(0.5)
            report.compare("a page and health", {(503, 503)}, answers)
            report.at_most("seconds of the slowest", 2.5, slowest)
            site.let_up("postgres")
            report.within("a page is back", BACK, lambda: _status(site, "/") == 200)
            before = moves(site, codes)
            report.within("games move after it", BACK, lambda: all_moved(site, codes, before))
            report.compare("the socket is still open", True, socket.ping().wait(5))
        watch.report(report, "the database is away", OUTAGE)


def _status(site: Site, path: str) -> int:
    try:
        with urllib.request.urlopen(site.url + path, timeout=20) as answer:
            return int(answer.status)
    except urllib.error.HTTPError as error:
        return error.code
