"""How balanced rules are, as far as bots can tell. No visitor's request plays a game.

The rules of each edition are measured ahead of time, and so are the house rules with a name:
`tests/lab` writes `balance.json`. Other house rules that a user asks about are noted, and
measured at night by a worker. Mixes that play alike are one mix; each account may note a few in an
hour, and only so many wait at one time.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

from django.db.models import F
from django.utils import timezone

from accounts.models import User
from accounts.throttling.limits import Limit, hit
from games.bots import BASELINE, SKILLED
from games.models import Balance, Terms
from games.rules.components import Party
from games.rules.editions import (
    EDITIONS,
    HOUSE_ONLY,
    NAMED_RULES,
    OPTION_NAMES,
    Options,
    SmallTable,
    option_json,
    options_of,
)
from games.rules.powers import POWERS, Aim
from games.simulation.games import both, play_game

FORMAT: Final = "chancellery-balance"
VERSION: Final = 1
STANDARD: Final = Path(__file__).with_name("balance.json")
# Games simulated per kind of bot. At this number, chance moves the share by 2 to 3 percent.
GAMES: Final = 400
# Games per task run: some seconds. Between runs, the worker can do more urgent tasks.
_SLICE: Final = 5
# Increment this when the bots or the simulation change: older counts are not comparable.
_EDITION: Final = 5
# The values that replace options that bots do not notice.
_UNNOTICED: Final = options_of("en")
# The options that change a simulated game. All others concern cards, gestures and talk.
NOTICED: Final = (
    "limited",
    "limits_lapse",
    "small_table",
    "tracker_resets_on",
    "veto_advances_tracker",
    "reshuffle",
    *HOUSE_ONLY,
)
# With this many players or fewer, living or at the start, only the last Chancellor is limited.
SMALL_TABLE: Final = 5
# For all accounts together: some nights of work.
MOST_WAITING: Final = 100


@dataclass(frozen=True, slots=True)
class Share:
    """How many of `games` simulated games the liberals won, per kind of bot."""

    players: int
    games: int
    baseline_wins: int
    skilled_wins: int

    @property
    def baseline(self) -> float:
        return self.baseline_wins / self.games

    @property
    def skilled(self) -> float:
        return self.skilled_wins / self.games


@dataclass(frozen=True, slots=True)
class Found:
    """What is known about a mix."""

    # None if it has not been measured.
    share: Share | None
    # Then this is about the edition without house rules.
    nearest: Share | None = None


@dataclass(frozen=True, slots=True)
class Mix:
    """Rules as bots notice them, for a number of players. Mixes that play alike are equal."""

    options: Options
    players: int

    @classmethod
    def of(cls, options: Options, players: int) -> "Mix":
        values = {name: getattr(options, name) for name in NOTICED}
        fewest = players - _most_executions(options, players)
        if players <= SMALL_TABLE or fewest > SMALL_TABLE:
            # The table is always small, or never: both choices limit the same seats.
            values["small_table"] = SmallTable.ALIVE
        return cls(replace(_UNNOTICED, **values), players)

    @property
    def noticed(self) -> dict[str, object]:
        """The values of the options that bots notice, as JSON."""
        return {name: option_json(getattr(self.options, name)) for name in NOTICED}

    @property
    def key(self) -> str:
        text = json.dumps([_EDITION, GAMES, self.players, _json(self.options)], sort_keys=True)
        return sha256(text.encode()).hexdigest()


def shares_of(terms: Sequence[Terms], *, asker: User | None) -> list[Found]:
    """Return what is known about each of these terms with all seats taken.

    Mixes that are not measured are noted for the night in the asker's name, as far as the limits
    allow. Without an asker, none is noted.
    """
    mixes = [Mix.of(item.options, item.seats_wanted) for item in terms]
    standard = standard_shares()
    others = {mix.key for mix in mixes if mix not in standard}
    rows = {row.key: row for row in Balance.objects.filter(key__in=others)} if others else {}
    unknown = {mix.key: mix for mix in mixes if mix.key in others and mix.key not in rows}
    if unknown and asker is not None:
        _note(unknown.values(), asker)
    found = []
    for mix, item in zip(mixes, terms, strict=True):
        share = standard.get(mix) or _share(rows.get(mix.key))
        plain = Mix.of(EDITIONS[item.edition], mix.players)
        found.append(Found(share, None if share else standard.get(plain)))
    return found


def measure_next() -> bool:
    """Let bots play some games of the mix that has waited longest.

    Returns whether there is more to do. Takes some seconds and holds no lock meanwhile. If two
    workers run this at once, only one result counts.
    """
    waiting = Balance.objects.filter(games__lt=GAMES).order_by("asked_at", "pk")
    row = waiting.first()
    if row is None:
        return False
    numbers = range(row.games, min(row.games + _SLICE, GAMES))
    options = _read(row.options)
    wins = {
        kind: sum(liberals_win(options, row.players, kind, row.key, number) for number in numbers)
        for kind in (BASELINE, SKILLED)
    }
    is_first = Balance.objects.filter(pk=row.pk, games=row.games).update(
        games=numbers.stop,
        baseline_wins=F("baseline_wins") + wins[BASELINE],
        skilled_wins=F("skilled_wins") + wins[SKILLED],
    )
    return bool(is_first) and waiting.exists()


def liberals_win(options: Options, players: int, kind: str, seed: str, number: int) -> bool:
    """Play game `number` of the series `seed`, and return whether the liberals won it."""
    outcome = play_game(options, players, seed, number, both(kind)).state.outcome
    return outcome is not None and outcome.winner is Party.LIBERAL


@cache
def standard_shares() -> Mapping[Mix, Share]:
    """Return what was measured ahead of time."""
    return read_standard(json.loads(STANDARD.read_text(encoding="utf-8")))


def standard_mixes() -> dict[Mix, list[str]]:
    """Return the mixes to measure ahead of time, each with the editions that play it."""
    mixes: dict[Mix, list[str]] = {}
    for edition, options in EDITIONS.items():
        least, most = options.players
        for players in range(least, most + 1):
            mixes.setdefault(Mix.of(options, players), []).append(edition)
        for players, rules in NAMED_RULES.values():
            if least <= players <= most:
                mixes.setdefault(Mix.of(options_of(edition, rules), players), []).append(edition)
    return mixes


def read_standard(data: Mapping[str, Any]) -> dict[Mix, Share]:
    """Return the shares in a file. Raises ValueError if it is not one that this version reads."""
    if data.get("format") != FORMAT or data.get("version") != VERSION:
        raise ValueError("not a file of balances that this version reads")
    shares = {}
    for row in data["mixes"]:
        mix = Mix.of(options_of("en", row["options"]), row["players"])
        shares[mix] = Share(row["players"], row["games"], row["baseline"], row["skilled"])
    return shares


def _note(mixes: Iterable[Mix], asker: User) -> None:
    """Note these mixes for the night, as many as the limits allow."""
    waiting = Balance.objects.filter(games__lt=GAMES).count()
    for mix in mixes:
        # Simultaneous requests may exceed the limit by the number of web threads.
        if waiting >= MOST_WAITING or hit(Limit.CREATIONS, f"mixes:{asker.pk}") is not None:
            return
        row = Balance(
            key=mix.key, options=_json(mix.options), players=mix.players, asked_at=timezone.now()
        )
        Balance.objects.bulk_create([row], ignore_conflicts=True)
        waiting += 1


def _most_executions(options: Options, players: int) -> int:
    """Return how many players may be put out of the game."""
    powers = [POWERS[power] for power in options.powers(players) if power is not None]
    return sum(entry.aim is Aim.ELIMINATE for entry in powers)


def _share(row: Balance | None) -> Share | None:
    if row is None or row.games < GAMES:
        return None
    return Share(row.players, row.games, row.baseline_wins, row.skilled_wins)


def _json(options: Options) -> dict[str, object]:
    return {name: option_json(getattr(options, name)) for name in OPTION_NAMES}


def _read(values: dict[str, object]) -> Options:
    # All options are given, so it does not matter which edition they are compared with.
    return options_of("en", values)
