"""Lets bots play whole games, to count and time them: `python -m tests.lab.simulate`."""

import json
from argparse import ArgumentParser
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from statistics import mean, median
from time import perf_counter
from typing import Any, Final

from games import bots
from games.rules.components import Party
from games.rules.editions import EDITIONS, OptionError, Options, differences, options_of
from games.rules.phases import Ending
from games.rules.record import record_json
from games.simulation.games import both, play_game

from .frame import arguments, watched

_USUAL_PLAYERS: Final = 7


def main(argv: Sequence[str] | None = None) -> None:
    parser = arguments(__doc__, games=1000, seed="1", as_json=True)
    parser.add_argument("--edition", default="en", choices=tuple(EDITIONS))
    parser.add_argument("--players", type=int, help="how many play; 7 where the rules allow it")
    parser.add_argument(
        "--option",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="an option that differs from the edition's, with its value as in a record",
    )
    parser.add_argument("--bots", default=bots.BASELINE, choices=bots.names())
    parser.add_argument("--records", metavar="DIR", type=Path, help="write each record there")
    given = parser.parse_args(argv)
    options = _options(parser, given.edition, given.option)
    least, most = options.players
    players = given.players or min(max(_USUAL_PLAYERS, least), most)
    if not least <= players <= most:
        parser.error(f"these rules are for {least} to {most} players")
    if given.records is not None:
        given.records.mkdir(parents=True, exist_ok=True)
    told = {
        "edition": given.edition,
        "options": differences(given.edition, options),
        "players": players,
        "seed": given.seed,
        "bots": given.bots,
    }
    told |= _played(options, players, given)
    print(json.dumps(told) if given.json else "\n".join(_report(told)))


def _options(parser: ArgumentParser, edition: str, given: Sequence[str]) -> Options:
    asked: dict[str, object] = {}
    for item in given:
        name, equals, value = item.partition("=")
        if not equals:
            parser.error(f"--option {item}: write it as NAME=VALUE")
        try:
            asked[name] = json.loads(value)
        except ValueError:
            asked[name] = value
    try:
        return options_of(edition, asked)
    except OptionError as error:
        parser.error(f"--option {error.name}: {error.value} is none of {error.allowed}")


def _played(options: Options, players: int, given: Any) -> dict[str, Any]:
    winners: Counter[Party] = Counter()
    endings: Counter[Ending] = Counter()
    actions, rounds, seconds = [], [], 0.0
    for number in watched(range(1, given.games + 1), given.games):
        begun = perf_counter()
        game = play_game(options, players, given.seed, number, both(given.bots))
        seconds += perf_counter() - begun
        outcome = game.state.outcome
        assert outcome is not None
        winners[outcome.winner] += 1
        endings[outcome.ending] += 1
        actions.append(len(game.actions))
        rounds.append(game.state.round)
        if given.records is not None:
            text = json.dumps(record_json(game.record(given.edition)), ensure_ascii=False) + "\n"
            path = given.records / f"game-{number:05}.json"
            path.write_text(text, encoding="utf-8", newline="\n")
    return {
        "games": given.games,
        "winners": {str(party): winners[party] for party in Party},
        "endings": {str(ending): endings[ending] for ending in Ending},
        "actions": sum(actions),
        "rounds": sum(rounds),
        "seconds": round(seconds, 6),
        "actions_per_second": round(sum(actions) / seconds),
        "actions_per_game": [round(mean(actions), 1), median(actions), min(actions), max(actions)],
    }


def _report(told: dict[str, Any]) -> Iterator[str]:
    yield f"{told['edition']}, {told['players']} players, {told['bots']} bots, seed {told['seed']}"
    for name, number in (told["winners"] | told["endings"]).items():
        yield f"{number:>9}  {number / told['games']:>8.1%}  {name}"
    middle, half, least, most = told["actions_per_game"]
    yield f"Actions per game: mean {middle}, median {half}, fewest {least}, most {most}"
    yield f"Actions per second: {told['actions_per_second']}"


if __name__ == "__main__":
    main()
