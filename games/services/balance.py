"""How balanced rules are, as far as bots can tell; counted once for each mix and size.

A count takes a worker seconds, and any user may ask for one. So mixes that play alike count as
one mix, each account may ask for a few in an hour, and only a few counts run at one time.
"""

import json
import logging
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import partial
from hashlib import sha256
from typing import Final

from celery import current_app
from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from accounts.models import User
from accounts.throttling.limits import Limit, hit
from games.bots import BASELINE, SKILLED
from games.models import Balance, Terms
from games.rules.components import Party
from games.rules.editions import OPTION_NAMES, Options, SmallTable, option_json, options_of
from games.rules.powers import POWERS, Aim, powers_for
from games.simulation.games import both, play_game

# Games simulated per kind of bot. At this number, chance moves the share by 2 to 3 percent.
GAMES: Final = 400
# Games per task run. Between runs, the worker can do more urgent tasks.
_SLICE: Final = 20
# Increment this when the bots or the simulation change: older counts are not comparable.
_EDITION: Final = 2
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
)
# With this many players or fewer, living or at the start, only the last Chancellor is limited.
SMALL_TABLE: Final = 5
# For all accounts together. Other mixes are asked for when a user looks again later.
MOST_PENDING: Final = 4
# A pending count without progress for this long is treated as lost.
_ASK_AGAIN: Final = timedelta(minutes=10)

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Share:
    """How many of `games` simulated games the liberals won, per kind of bot."""

    players: int
    games: int
    uniform_wins: int
    cautious_wins: int

    @property
    def uniform(self) -> float:
        return self.uniform_wins / self.games

    @property
    def cautious(self) -> float:
        return self.cautious_wins / self.games


@dataclass(frozen=True, slots=True)
class _Mix:
    """Rules as bots notice them, for a number of players. Mixes that play alike are equal."""

    options: Options
    players: int

    @classmethod
    def of(cls, terms: Terms) -> "_Mix":
        players = terms.seats_wanted
        values = {name: getattr(terms.options, name) for name in NOTICED}
        fewest = players - _most_executions(players)
        if players <= SMALL_TABLE or fewest > SMALL_TABLE:
            # The table is always small, or never: both choices limit the same seats.
            values["small_table"] = SmallTable.ALIVE
        return cls(replace(_UNNOTICED, **values), players)

    @property
    def key(self) -> str:
        text = json.dumps([_EDITION, GAMES, self.players, _json(self.options)], sort_keys=True)
        return sha256(text.encode()).hexdigest()


def shares_of(terms: Sequence[Terms], *, asker: User) -> list[Share | None]:
    """Return the bots' results for each of these terms with all seats taken, or None if unknown.

    Mixes that are not counted yet are asked for in the asker's name, as far as the limits allow;
    a later call finds them counted.
    """
    mixes = [_Mix.of(item) for item in terms]
    rows = Balance.objects.filter(key__in={mix.key for mix in mixes})
    known = {row.key: row for row in rows}
    now = timezone.now()
    missing = {
        mix.key: mix
        for mix in mixes
        if mix.key not in known or _may_be_asked_for(known[mix.key], now)
    }
    if missing:
        _ask(missing.values(), asker, now)
    return [_share(known.get(mix.key)) for mix in mixes]


def measure(key: str) -> bool:
    """Let bots play some games and save the results. Return whether more games are needed.

    Takes one to two seconds and holds no lock meanwhile. If two workers run this at once, only one
    result counts.
    """
    row = Balance.objects.filter(key=key, games__lt=GAMES).first()
    if row is None:
        return False
    numbers = range(row.games, min(row.games + _SLICE, GAMES))
    options = _read(row.options)
    wins = {kind: _wins(options, row.players, key, kind, numbers) for kind in (BASELINE, SKILLED)}
    is_first = Balance.objects.filter(key=key, games=row.games).update(
        games=numbers.stop,
        uniform_wins=row.uniform_wins + wins[BASELINE],
        cautious_wins=row.cautious_wins + wins[SKILLED],
        asked_at=timezone.now(),
    )
    return bool(is_first) and numbers.stop < GAMES


def _may_be_asked_for(row: Balance, now: datetime) -> bool:
    return row.games < GAMES and (row.asked_at is None or row.asked_at < now - _ASK_AGAIN)


def _ask(mixes: Iterable[_Mix], asker: User, now: datetime) -> None:
    """Ask workers to count these mixes, as many as the limits allow."""
    pending = Balance.objects.filter(games__lt=GAMES, asked_at__gte=now - _ASK_AGAIN).count()
    for mix in mixes:
        # Simultaneous requests may exceed the limit by the number of web threads.
        if pending >= MOST_PENDING or hit(Limit.BALANCES, f"user:{asker.pk}") is not None:
            return
        key = mix.key
        Balance.objects.bulk_create(
            [Balance(key=key, options=_json(mix.options), players=mix.players)],
            ignore_conflicts=True,
        )
        # If several requests come at once, only one asks.
        unasked = Balance.objects.filter(Q(asked_at=None) | Q(asked_at__lt=now - _ASK_AGAIN))
        if unasked.filter(key=key, games__lt=GAMES).update(asked_at=now):
            pending += 1
            transaction.on_commit(partial(queue_measure, key))


def _most_executions(players: int) -> int:
    """Return how many players may be put out of the game."""
    powers = [POWERS[power] for power in powers_for(players) if power is not None]
    return sum(entry.aim is Aim.ELIMINATE for entry in powers)


def queue_measure(key: str) -> None:
    """Send a worker the task that continues the count."""
    try:
        current_app.send_task("games.tasks.count_balance", (key,), retry=False)
    except Exception:
        # Any broker error is acceptable: the page works without the count, and a later view
        # requests it again.
        logger.warning("the broker did not take a question about balance", exc_info=True)
        Balance.objects.filter(key=key).update(asked_at=None)


def _wins(options: Options, players: int, seed: str, kind: str, numbers: range) -> int:
    winners = (
        play_game(options, players, seed, number, both(kind)).state.outcome for number in numbers
    )
    return sum(1 for outcome in winners if outcome and outcome.winner is Party.LIBERAL)


def _share(row: Balance | None) -> Share | None:
    if row is None or row.games < GAMES:
        return None
    return Share(row.players, row.games, row.uniform_wins, row.cautious_wins)


def _json(options: Options) -> dict[str, object]:
    return {name: option_json(getattr(options, name)) for name in OPTION_NAMES}


def _read(values: dict[str, object]) -> Options:
    # All options are given, so it does not matter which edition they are compared with.
    return options_of("en", values)
