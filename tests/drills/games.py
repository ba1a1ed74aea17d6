"""A site with games of bots: whether they move, and what an outage does to its processes."""

from tests.drills.report import Report
from tests.faults.site import Site

SETTINGS = {
    "BOT_PAUSE": "0.3",
    "PACE_SCALE": "0.1",
    "NIGHT_SECONDS": "1",
    "LIMIT_RUNNING_GAMES": "0",
}

_PROCESSES = ("clock", "worker", "beat", "web")
# Lines that a process may log in a minute of an outage, with a few tracebacks.
_LINES = 400


class Watch:
    """Tells which processes end during an outage, and how much each writes into its log."""

    def __init__(self, site: Site) -> None:
        self._site = site
        self._pids = self._read_pids()
        self._lines = self._count_lines()

    def report(self, report: Report, what: str, seconds: float) -> None:
        ended = [name for name, pid in self._read_pids().items() if pid != self._pids[name]]
        report.compare(f"processes that ended while {what}", [], ended)
        logged = max(count - self._lines[name] for name, count in self._count_lines().items())
        limit = _LINES * (1 + seconds // 60)
        report.at_most(f"lines that a process logged while {what}", limit, logged)

    def _read_pids(self) -> dict[str, int]:
        parts = self._site.parts
        return {name: popen.pid for name in _PROCESSES if (popen := parts[name].popen)}

    def _count_lines(self) -> dict[str, int]:
        return {name: len(self._site.log(name).splitlines()) for name in _PROCESSES}


def workers_ready(site: Site) -> bool:
    return all(" ready." in site.log(name) for name in ("clock", "worker"))


def make_games(site: Site, count: int) -> list[str]:
    """Begin games of one person, who does not move, and bots. Return the tables' codes."""
    codes: list[str] = site.ask("watch", work="make", count=count, bots=True)
    return codes


def moves(site: Site, codes: list[str]) -> dict[str, int]:
    """Return how many actions each game has."""
    states = site.ask("watch", work="state", codes=codes)
    return {code: state["length"] for code, state in states.items()}


def all_moved(site: Site, codes: list[str], before: dict[str, int]) -> bool:
    return all(length > before[code] for code, length in moves(site, codes).items())
