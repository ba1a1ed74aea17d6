"""`manage.py simulate`: lets bots play whole games, to count and time them."""

import json
import sys
from argparse import ArgumentParser
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter
from typing import Any, Final

from babel import Locale
from babel.numbers import format_decimal, format_percent
from django.core.management.base import BaseCommand
from django.utils import translation
from django.utils.translation import gettext as _

from games import bots, wording
from games.management.languages import add_language_argument
from games.management.progress import Progress
from games.management.tally import Lengths, Tally, lengths_of, tally_json
from games.rules.components import Party
from games.rules.editions import EDITIONS, OptionError, Options, differences, options_of
from games.rules.phases import Ending
from games.rules.record import record_json
from games.simulation.games import SimulatedGame, both, play_game

_BAD_VALUE: Final = 2
_USUAL_PLAYERS: Final = 7


class BadValueError(ValueError):
    """An invalid value of an argument. Its message is a translated sentence for the user."""


@dataclass(frozen=True, slots=True)
class Order:
    """What to simulate, validated."""

    edition: str
    options: Options
    players: int
    games: int
    seed: str
    bots: str
    records: Path | None


class Command(BaseCommand):
    """Plays games between bots. Needs no database, and writes only the requested records."""

    help = "Let bots play whole games, and count how they end."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--edition", default="en", help=", ".join(EDITIONS))
        parser.add_argument("--players", help="how many play; 7 where the rules allow it")
        parser.add_argument("--games", default="1000", help="how many games")
        parser.add_argument("--seed", default="1", help="any text; the same seed, the same games")
        parser.add_argument(
            "--option",
            action="append",
            default=[],
            metavar="NAME=VALUE",
            help="an option that differs from the edition's, with its value as in a record",
        )
        parser.add_argument("--bots", default=bots.BASELINE, help=", ".join(bots.names()))
        parser.add_argument("--records", metavar="DIR", help="write each game's record there")
        parser.add_argument("--json", action="store_true", help="print one JSON object")
        add_language_argument(parser)

    def handle(self, *args: Any, language: str, **given: Any) -> None:
        with translation.override(language):
            try:
                order = _order(given)
                tally = self._play(order)
            except BadValueError as error:
                self.stderr.write(str(error))
                raise SystemExit(_BAD_VALUE) from None
            if given["json"]:
                self.stdout.write(json.dumps(_described(order) | tally_json(tally)))
            else:
                self.stdout.write("\n".join(_report(order, tally)))

    def _play(self, order: Order) -> Tally:
        if order.records is not None:
            _make_writable(order.records)
        tally = Tally()
        kinds = both(order.bots)
        progress = Progress(order.games, sys.stderr)
        for number in range(1, order.games + 1):
            begun = perf_counter()
            game = play_game(order.options, order.players, order.seed, number, kinds)
            tally.add(game, perf_counter() - begun)
            if order.records is not None:
                _write(game, order.edition, order.records / f"game-{number:05}.json")
            progress.show(number)
        progress.clear()
        return tally


# Arguments -----------------------------------------------------------------------------------


def _order(given: dict[str, Any]) -> Order:
    edition = given["edition"]
    options = _options(edition, given["option"])
    games = _whole(given["games"], "--games")
    if games < 1:
        raise BadValueError(_("--games: play at least one game."))
    if given["bots"] not in bots.names():
        raise _not_allowed("--bots", given["bots"], bots.names())
    records = given["records"]
    return Order(
        edition=edition,
        options=options,
        players=_players(given["players"], options),
        games=games,
        seed=str(given["seed"]),
        bots=given["bots"],
        records=None if records is None else Path(records),
    )


def _options(edition: str, given: Sequence[str]) -> Options:
    asked: dict[str, object] = {}
    for item in given:
        name, equals, value = item.partition("=")
        if not equals:
            raise BadValueError(_("--option {value}: write it as NAME=VALUE.").format(value=item))
        asked[name] = _json_or_text(value)
    try:
        return options_of(edition, asked)
    except OptionError as error:
        if error.code == "unknown_edition":
            raise _not_allowed("--edition", edition, error.allowed) from None
        if error.code == "unknown_option":
            raise _not_allowed("--option", error.name, error.allowed) from None
        raise _not_allowed(f"--option {error.name}", error.value, error.allowed) from None


def _json_or_text(value: str) -> object:
    try:
        return json.loads(value)
    except (ValueError, RecursionError):
        return value


def _players(given: Any, options: Options) -> int:
    least, most = options.players
    if given is None:
        return min(max(_USUAL_PLAYERS, least), most)
    players = _whole(given, "--players")
    if not least <= players <= most:
        raise BadValueError(
            _("--players: these rules are for {least} to {most} players, not {found}.").format(
                least=least, most=most, found=players
            )
        )
    return players


def _whole(given: Any, name: str) -> int:
    try:
        return int(given)
    except ValueError:
        raise BadValueError(
            _("{name}: {value} isn’t a whole number.").format(name=name, value=given)
        ) from None


def _not_allowed(name: str, value: object, allowed: Sequence[str]) -> BadValueError:
    return BadValueError(
        _("{name}: {value} isn’t possible here. Possible: {allowed}.").format(
            name=name,
            value=value if isinstance(value, str) else json.dumps(value),
            allowed=", ".join(allowed),
        )
    )


# Records --------------------------------------------------------------------------------------


def _make_writable(directory: Path) -> None:
    """Create the directory, and check that files can be written there.

    This happens before any game is played.
    """
    probe = directory / ".simulate"
    try:
        directory.mkdir(parents=True, exist_ok=True)
        probe.touch()
        probe.unlink()
    except (OSError, ValueError) as error:
        raise _unwritable(directory, error) from None


def _write(game: SimulatedGame, edition: str, path: Path) -> None:
    text = json.dumps(record_json(game.record(edition)), ensure_ascii=False) + "\n"
    try:
        path.write_text(text, encoding="utf-8", newline="\n")
    except OSError as error:
        raise _unwritable(path, error) from None


def _unwritable(path: Path, error: Exception) -> BadValueError:
    reason = getattr(error, "strerror", None) or str(error)
    return BadValueError(_("Can’t write {path}: {reason}").format(path=path, reason=reason))


# Report ---------------------------------------------------------------------------------------


def _described(order: Order) -> dict[str, object]:
    return {
        "edition": order.edition,
        "options": differences(order.edition, order.options),
        "players": order.players,
        "seed": order.seed,
        "bots": order.bots,
    }


def _report(order: Order, tally: Tally) -> Iterator[str]:
    yield _("{edition}, {players} players, {bots} bots, seed {seed}").format(
        edition=wording.edition_name(order.edition),
        players=order.players,
        bots=order.bots,
        seed=order.seed,
    )
    yield _("Games: {games}").format(games=_number(tally.games))
    yield ""
    for party in Party:
        yield _share(tally.winners[party], tally.games, wording.winner(party))
    yield ""
    for ending in Ending:
        yield _share(tally.endings[ending], tally.games, wording.ending(ending))
    yield ""
    actions, rounds = lengths_of(tally.actions), lengths_of(tally.rounds)
    yield _length(
        _("Actions per game: mean {mean}, median {median}, fewest {least}, most {most}"), actions
    )
    yield _length(
        _("Rounds per game: mean {mean}, median {median}, fewest {least}, most {most}"), rounds
    )
    yield _("Actions per second: {speed}").format(speed=_number(round(tally.actions_per_second)))


def _share(count: int, games: int, label: str) -> str:
    # Numbers come first: labels differ in width, and Japanese characters are wider.
    percent = format_percent(count / games, "0.0 %", locale=_locale())
    return f"{_number(count):>9}  {percent:>8}  {label}"


def _length(sentence: str, lengths: Lengths) -> str:
    return sentence.format(
        mean=_number(round(lengths.mean, 1)),
        median=_number(lengths.median),
        least=_number(lengths.least),
        most=_number(lengths.most),
    )


def _number(value: float) -> str:
    return format_decimal(value, locale=_locale())


def _locale() -> Locale:
    return Locale.parse(translation.get_language() or "en")
