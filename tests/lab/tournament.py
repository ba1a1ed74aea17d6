"""Lets kinds of bots play against each other: `python -m tests.lab.tournament`."""

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from games import bots
from games.rules.components import Party
from games.rules.editions import EDITIONS, options_of
from games.rules.phases import Ending
from games.simulation.games import play_game

from .frame import arguments, counted, fail, share_interval


@dataclass(frozen=True, slots=True)
class Pairing:
    """The kinds of bots that play each side, by the rules of an edition."""

    edition: str
    players: int
    liberals: str
    fascists: str


def main(argv: Sequence[str] | None = None) -> None:
    parser = arguments(__doc__, games=100, jobs=True, seed="1", as_json=True)
    parser.add_argument("--liberals", nargs="+", default=bots.names(), choices=bots.names())
    parser.add_argument("--fascists", nargs="+", default=bots.names(), choices=bots.names())
    parser.add_argument("--edition", nargs="+", default=["en"], choices=tuple(EDITIONS))
    parser.add_argument("--players", nargs="+", type=int, help="all that the rules allow")
    given = parser.parse_args(argv)
    pairings = [
        Pairing(edition, players, liberals, fascists)
        for edition in given.edition
        for least, most in [options_of(edition).players]
        for players in given.players or range(least, most + 1)
        if least <= players <= most
        for liberals in given.liberals
        for fascists in given.fascists
    ]
    if not pairings:
        fail("Nothing to play: check --players.")
    numbers = range(1, given.games + 1)
    found = counted(partial(ending_of, given.seed), pairings, numbers, given.jobs)
    rows = [_row(pairing, counts) for pairing, counts in found.items()]
    print(json.dumps({"pairings": rows}) if given.json else "\n".join(_table(rows)))


def ending_of(seed: str, pairing: Pairing, number: int) -> Counter[Any]:
    """Play a game, and return its ending and its winner."""
    kinds = {Party.LIBERAL: pairing.liberals, Party.FASCIST: pairing.fascists}
    options = options_of(pairing.edition)
    outcome = play_game(options, pairing.players, seed, number, kinds).state.outcome
    assert outcome is not None
    return Counter([outcome.ending, outcome.winner])


def _row(pairing: Pairing, counts: Mapping[Any, int]) -> dict[str, Any]:
    endings = {str(ending): counts[ending] for ending in Ending}
    games, wins = sum(endings.values()), counts[Party.LIBERAL]
    return {
        "edition": pairing.edition,
        "players": pairing.players,
        "liberals": pairing.liberals,
        "fascists": pairing.fascists,
        "games": games,
        "liberals_win": wins / games,
        "interval_95": list(share_interval(wins, games)),
        "endings": endings,
    }


def _table(rows: Sequence[dict[str, Any]]) -> Iterator[str]:
    yield "The liberals win, with the 95 % interval; then how the games end"
    head = None
    for row in rows:
        if (row["edition"], row["players"]) != head:
            head = row["edition"], row["players"]
            yield f"\n{head[0]}, {head[1]} players, {row['games']} games of each pairing"
        low, high = row["interval_95"]
        endings = " ".join(f"{number / row['games']:>4.0%}" for number in row["endings"].values())
        yield (
            f"{row['liberals']:>9} - {row['fascists']:<9} "
            f"{row['liberals_win']:>6.1%} ({low:.1%} - {high:.1%})   {endings}"
        )


if __name__ == "__main__":
    main()
