"""When a game must move by itself: decisions' deadlines and the moments of bots.

The truth is in the columns (`Game.deadline`, `bot_moves_at`, `wakes_at`); Celery only reads them.
"""

import secrets
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Final, NamedTuple

from django.conf import settings
from django.db import transaction
from django.db.models import Q

from games.models import Game, Pace, Pulse, Seat
from games.positions import Position
from games.rules.state import Phase

# Seconds. The night is read before anybody moves.
NIGHT: Final = 20.0
NIGHT_FOR_BOTS: Final = 5.0
_THOUGHT: Final = (1.6, 3.4)
_NEXT_BALLOT: Final = (0.3, 0.9)
# The clock ticks every second. What comes due before the tick after the next is handed out
# with its moment, so that a late tick makes no move late.
LOOK_AHEAD: Final = timedelta(seconds=1.5)
# A worker that was handed a game has this long before another may be: a worker that dies with
# games in its hands must not make them wait.
_CLAIM: Final = timedelta(seconds=4)
_PUSHED_BACK: Final = timedelta(minutes=1)
_CLAIMS_AT_ONCE: Final = 200


class Alarm(NamedTuple):
    """A table whose game moves by itself at that moment, unless it has moved on by then."""

    table_id: int
    moment: datetime


def set_alarms(
    game: Game,
    pace: Pace,
    seats: Sequence[Seat],
    position: Position,
    *,
    now: datetime,
    is_new_decision: bool,
) -> None:
    """Sets the game's alarm columns for the decision at hand; the caller saves them."""
    state = position.state
    if state.phase is Phase.OVER:
        game.deadline = game.bot_moves_at = game.wakes_at = None
        return
    is_night = position.length == 0
    if is_new_decision:
        time = pace.time
        night = timedelta(seconds=NIGHT * settings.PACE_SCALE) if is_night else timedelta()
        game.deadline = None if time is None else now + time + night
    if not any(seats[number].is_moved_for for number in state.to_act):
        game.bot_moves_at = None
    elif is_new_decision or game.bot_moves_at is None or game.bot_moves_at <= now:
        game.bot_moves_at = now + _pause(is_night=is_night, is_first=is_new_decision)
    _set_waking(game)


def _set_waking(game: Game) -> None:
    alarms = [moment for moment in (game.deadline, game.bot_moves_at) if moment is not None]
    game.wakes_at = min(alarms, default=None)
    game.retry_at = None


def still(game: Game) -> None:
    """Nothing happens by itself any more; the caller saves it."""
    game.deadline = game.bot_moves_at = game.wakes_at = game.retry_at = None


def freeze(game: Game) -> None:
    """Nothing happens by itself until `thaw`. What its moments were is kept; the caller saves."""
    game.wakes_at = game.retry_at = None


def thaw(game: Game, stood: timedelta) -> None:
    """The clocks go on after they stood for so long, with what was left; the caller saves."""
    if game.deadline is not None:
        game.deadline += stood
    if game.bot_moves_at is not None:
        game.bot_moves_at += stood
    _set_waking(game)


def _pause(*, is_night: bool, is_first: bool) -> timedelta:
    """A human-like pause. It depends on nothing hidden, so it tells nothing."""
    least, most = _THOUGHT if is_first else _NEXT_BALLOT
    seconds = least + (most - least) * secrets.randbelow(1000) / 1000
    if is_night:
        seconds += NIGHT_FOR_BOTS
    return timedelta(seconds=seconds * settings.BOT_PAUSE)


def claim_due_games(now: datetime) -> list[Alarm]:
    """What comes due before the next tick, the longest due first.

    Each is claimed for a while so that one worker gets it; whoever moves a game ends the claim.
    """
    with transaction.atomic():
        due = Game.objects.filter(
            Q(retry_at__isnull=True) | Q(retry_at__lte=now), wakes_at__lte=now + LOOK_AHEAD
        ).order_by("wakes_at")
        claimed = list(
            due.select_for_update(skip_locked=True).values_list("pk", "table_id", "wakes_at")[
                :_CLAIMS_AT_ONCE
            ]
        )
        if claimed:
            Game.objects.filter(pk__in=[pk for pk, _, _ in claimed]).update(retry_at=now + _CLAIM)
    return [Alarm(table_id, moment) for _, table_id, moment in claimed if moment is not None]


def push_back(table_id: int, now: datetime) -> None:
    """A game that failed to move waits, so that it never holds up the others."""
    Game.objects.filter(table_id=table_id).update(retry_at=now + _PUSHED_BACK)


def beat(now: datetime) -> None:
    """Notes that the clock is alive."""
    Pulse.objects.update_or_create(pk=Pulse.Of.CLOCK, defaults={"at": now})
