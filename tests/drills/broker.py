"""The broker goes away and comes back while games run."""

import os
import time

from tests.drills.report import Report
from tests.faults.site import Site

# Seconds that each outage lasts.
OUTAGES = [float(each) for each in os.environ.get("DRILL_OUTAGES", "15 15 60 15 300 15").split()]
TABLES = 8
WORKERS = ("clock", "worker", "beat", "web")
# Seconds after the outage in which games must move and the mails' worker must work again.
BACK = 10


def outages_of_the_broker(report: Report) -> None:
    settings = {
        "BOT_PAUSE": "0.3",
        "PACE_SCALE": "0.1",
        "NIGHT_SECONDS": "1",
        "LIMIT_RUNNING_GAMES": "0",
    }
    with Site("sqlite", **settings) as site:
        report.within("both workers are ready", 60, lambda: _ready(site))
        for seconds in OUTAGES:
            _outage(site, report, seconds)


def _outage(site: Site, report: Report, seconds: float) -> None:
    what = f"the broker is away for {seconds:g} s"
    codes = site.ask("watch", work="make", count=TABLES, bots=True)
    before = _moves(site, codes)
    report.within(f"games move before {what}", BACK, lambda: _all_moved(site, codes, before))
    processes = _processes(site)
    site.keep_down("valkey")
    time.sleep(seconds)
    before = _moves(site, codes)
    site.let_up("valkey")
    report.within(f"games move after {what}", BACK, lambda: _all_moved(site, codes, before))
    report.compare(f"processes that ended while {what}", [], _ended(site, processes))


def _ready(site: Site) -> bool:
    return all(" ready." in site.log(name) for name in ("clock", "worker"))


def _processes(site: Site) -> dict[str, int]:
    return {name: part.popen.pid for name in WORKERS if (part := site.parts[name]).popen}


def _ended(site: Site, before: dict[str, int]) -> list[str]:
    return [name for name, pid in _processes(site).items() if pid != before[name]]


def _moves(site: Site, codes: list[str]) -> dict[str, int]:
    states = site.ask("watch", work="state", codes=codes)
    return {code: state["length"] for code, state in states.items()}


def _all_moved(site: Site, codes: list[str], before: dict[str, int]) -> bool:
    return all(length > before[code] for code, length in _moves(site, codes).items())
