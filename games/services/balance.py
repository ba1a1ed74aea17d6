"""How rules are balanced, as far as bots can tell; counted once for each mix and size."""

import json
import logging
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from hashlib import sha256
from typing import Final

from celery import current_app
from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from games.models import Balance, Terms
from games.rules.components import Party
from games.rules.editions import OPTION_NAMES, Options, option_json, options_of
from games.simulation import both, play_game

# Of each kind of bot: with so many, chance moves the share by 2 to 3 percent.
GAMES: Final = 400
# Played at once; in between, a worker does what is more urgent.
_SLICE: Final = 20
# Goes up when bots or simulation change: what was counted before is not comparable.
_EDITION: Final = 1
# A worker that was asked and said nothing for so long has lost it.
_ASK_AGAIN: Final = timedelta(minutes=10)

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Share:
    """How many of so many simulated games the liberals have won."""

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


def shares_of(terms: Sequence[Terms]) -> list[Share | None]:
    """For each of these terms what bots have shown, with all seats taken; None: not counted yet.

    What is not counted yet is asked for, and there when somebody looks later.
    """
    keys = [_key(item.options, item.seats_wanted) for item in terms]
    known = {row.key: row for row in Balance.objects.filter(key__in=keys)}
    for key, item in zip(keys, terms, strict=True):
        if key not in known or known[key].games < GAMES:
            _ask(key, item.options, item.seats_wanted)
    return [_share(known.get(key)) for key in keys]


def count(key: str) -> bool:
    """Has bots play some games, and keeps what came of them; answers whether more are wanted.

    It takes a second or two, for which nothing is locked. Twice at once counts once.
    """
    row = Balance.objects.filter(key=key, games__lt=GAMES).first()
    if row is None:
        return False
    numbers = range(row.games, min(row.games + _SLICE, GAMES))
    options = _read(row.options)
    wins = {
        kind: _wins(options, row.players, key, kind, numbers) for kind in ("uniform", "cautious")
    }
    is_first = Balance.objects.filter(key=key, games=row.games).update(
        games=numbers.stop,
        uniform_wins=row.uniform_wins + wins["uniform"],
        cautious_wins=row.cautious_wins + wins["cautious"],
        asked_at=timezone.now(),
    )
    return bool(is_first) and numbers.stop < GAMES


def _ask(key: str, options: Options, players: int) -> None:
    now = timezone.now()
    Balance.objects.bulk_create(
        [Balance(key=key, options=_json(options), players=players)], ignore_conflicts=True
    )
    # Of several who look at once, one asks.
    unasked = Balance.objects.filter(Q(asked_at=None) | Q(asked_at__lt=now - _ASK_AGAIN))
    if unasked.filter(key=key, games__lt=GAMES).update(asked_at=now):
        transaction.on_commit(lambda: send_count(key))


def send_count(key: str) -> None:
    """Asks a worker to go on counting."""
    try:
        current_app.send_task("games.tasks.count_balance", (key,), retry=False)
    except Exception:
        # Whatever the broker raises: the page is there without it, and it is asked for again.
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


def _key(options: Options, players: int) -> str:
    text = json.dumps([_EDITION, GAMES, players, _json(options)], sort_keys=True)
    return sha256(text.encode()).hexdigest()


def _json(options: Options) -> dict[str, object]:
    return {name: option_json(getattr(options, name)) for name in OPTION_NAMES}


def _read(values: dict[str, object]) -> Options:
    # All of them are named, so it does not matter from which edition they differ.
    return options_of("en", values)
