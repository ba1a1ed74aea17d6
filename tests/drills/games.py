"""A site with games of bots, and whether they move."""

from tests.faults.site import Site

SETTINGS = {
    "BOT_PAUSE": "0.3",
    "PACE_SCALE": "0.1",
    "NIGHT_SECONDS": "1",
    "LIMIT_RUNNING_GAMES": "0",
}


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
