"""The machine's clock is set back by an hour while games run."""

from tests.drills.games import SETTINGS, all_moved, make_games, moves, workers_ready
from tests.drills.report import Report
from tests.faults.site import Site

HOUR = 3600.0
# Ten seconds until the site is sure of it, and a margin.
HEALS = 30


def clock_set_back(report: Report) -> None:
    """All times in the database are an hour ahead, as they are after such a step."""
    with Site("sqlite", **SETTINGS) as site:
        report.within("both workers are ready", 60, lambda: workers_ready(site))
        codes = make_games(site, 4)
        before = moves(site, codes)
        report.within("games move before the step", HEALS, lambda: all_moved(site, codes, before))
        site.ask("watch", work="age", seconds=-HOUR)
        before = moves(site, codes)
        report.within("games move after the step", HEALS, lambda: all_moved(site, codes, before))
