"""When a game must move on its own: deadlines of decisions, and the times of bots' moves.

The columns `Game.deadline`, `bot_moves_at` and `wakes_at` are authoritative; Celery only reads
them.
"""

import secrets
from collections.abc import Collection, Sequence
from datetime import datetime, timedelta
from typing import Final, NamedTuple

from django.conf import settings
from django.db import transaction
from django.db.models import Q

from games.models import Game, Pace, Pulse, Seat, Table, Tempo
from games.rules.phases import AnyPhase, Phase
from games.rules.state import GameState
from games.state.positions import Position

# The times of a cue in `Game.bot_talk`.
_TIMES: Final = ("at", "since")
# How long a bot thinks, in seconds at the normal tempo. A round takes long enough that a person
# can read the ballots, see the policies go from hand to hand and hear the government's claims.
_THOUGHT: Final[dict[AnyPhase, tuple[float, float]]] = {
    Phase.NOMINATION: (4.0, 6.5),
    Phase.ELECTION: (2.0, 3.5),
    Phase.PRESIDENT_DISCARDS: (4.0, 6.0),
    Phase.CHANCELLOR_ENACTS: (4.0, 6.0),
}
_OTHER_THOUGHT: Final = (3.5, 5.5)
_NEXT_BALLOT: Final = (0.4, 1.0)
# When all people have voted, bots vote quickly, so that players do not wait for them.
_LAST_BALLOT: Final = (0.1, 0.3)
# The clock ticks every second. Games that come due before the tick after the next are handed out
# early, with their due time, so that a late tick does not delay a move.
LOOK_AHEAD: Final = timedelta(seconds=1.5)
# How long one worker has the exclusive claim on a game. After that, another worker may take it, so
# that games do not hang when a worker dies.
_CLAIM: Final = timedelta(seconds=4)
_PUSHED_BACK: Final = timedelta(minutes=1)
_CLAIMS_AT_ONCE: Final = 200


class Alarm(NamedTuple):
    """A table whose game moves on its own at `moment`, unless it has moved on by then."""

    table_id: int
    moment: datetime


def set_alarms(
    game: Game,
    table: Table,
    seats: Sequence[Seat],
    position: Position,
    *,
    now: datetime,
    is_new_decision: bool,
) -> None:
    """Set the game's alarm columns for the current decision. The caller saves them."""
    state = position.state
    if state.phase is Phase.OVER:
        clear_alarms(game)
        return
    # The first decision's time begins when the night ends, and no time runs in a vacation.
    start = now if game.night_until is None else max(now, game.night_until)
    if is_new_decision:
        time = Pace(table.pace).time
        begin = max(start, pause_end(seats, state.to_act, now))
        game.deadline = None if time is None else begin + time
    if not any(seats[number].is_moved_for for number in state.to_act):
        game.bot_moves_at = None
    elif is_new_decision or game.bot_moves_at is None or game.bot_moves_at <= now:
        thought = _THOUGHT.get(state.phase, _OTHER_THOUGHT) if is_new_decision else _NEXT_BALLOT
        game.bot_moves_at = start + _pause(*thought, Tempo(table.tempo))
    if not is_new_decision and _people_have_voted(state, seats):
        soon = start + _pause(*_LAST_BALLOT, Tempo(table.tempo))
        game.bot_moves_at = min(game.bot_moves_at or soon, soon)
    _set_waking(game)


def _people_have_voted(state: GameState, seats: Sequence[Seat]) -> bool:
    """Return whether only bots are still to vote, at a table with people."""
    return (
        state.phase is Phase.ELECTION
        and all(seats[number].is_moved_for for number in state.to_act)
        and not all(seat.is_moved_for for seat in seats)
    )


def pause_end(seats: Sequence[Seat], to_act: Collection[int], now: datetime) -> datetime:
    """Return when the last vacation of those who are to act ends; `now` if there is none."""
    ends = (seats[number].vacation_until for number in to_act)
    return max((end for end in ends if end is not None and end > now), default=now)


def move_deadline(game: Game, by: timedelta) -> None:
    """Move the end of the decision's time. The caller saves it."""
    if game.deadline is not None:
        game.deadline += by
    if game.wakes_at is not None:
        _set_waking(game)


def _set_waking(game: Game) -> None:
    alarms = (game.deadline, game.bot_moves_at, game.bot_talks_at, game.night_until)
    game.wakes_at = min((moment for moment in alarms if moment is not None), default=None)
    game.retry_at = None


def set_bot_talk(game: Game, moment: datetime | None) -> None:
    """Set when a bot says something next; None for never. The caller saves it."""
    game.bot_talks_at = moment
    _set_waking(game)


def begin_night(game: Game, now: datetime) -> None:
    """Give players time to read their roles before the first decision. The caller saves it."""
    if settings.NIGHT_SECONDS:
        game.night_until = now + timedelta(seconds=settings.NIGHT_SECONDS)


def end_night(game: Game) -> None:
    """End the night because its time is over, but keep the other alarms. The caller saves it."""
    game.night_until = None
    _set_waking(game)


def clear_alarms(game: Game) -> None:
    """Clear all alarms of the game. The caller saves it."""
    game.deadline = game.bot_moves_at = game.bot_talks_at = game.night_until = None
    game.wakes_at = game.retry_at = None
    game.bot_talk = []


def freeze(game: Game) -> None:
    """Suspend the game's alarms until `thaw`, but keep their times. The caller saves it."""
    game.wakes_at = game.retry_at = None


def thaw(game: Game, stood: timedelta) -> None:
    """Resume the game's alarms, moved by `stood`, the time it was frozen. The caller saves it."""
    if game.deadline is not None:
        game.deadline += stood
    if game.bot_moves_at is not None:
        game.bot_moves_at += stood
    if game.night_until is not None:
        game.night_until += stood
    if game.bot_talks_at is not None:
        _move_talk(game, stood)
    _set_waking(game)


def _move_talk(game: Game, by: timedelta) -> None:
    assert game.bot_talks_at is not None
    game.bot_talks_at += by
    game.bot_talk = [
        cue | {key: (datetime.fromisoformat(cue[key]) + by).isoformat() for key in _TIMES}
        for cue in game.bot_talk
    ]


def hurry(game: Game, now: datetime) -> None:
    """Let the next move or word of a bot come now, and those after it as much earlier.

    The caller saves the game.
    """
    moments = [moment for moment in (game.bot_moves_at, game.bot_talks_at) if moment is not None]
    if not moments or min(moments) <= now:
        return
    earlier = now - min(moments)
    if game.bot_moves_at is not None:
        game.bot_moves_at += earlier
    if game.bot_talks_at is not None:
        _move_talk(game, earlier)
    _set_waking(game)


def _pause(least: float, most: float, tempo: Tempo) -> timedelta:
    """Return a human-like pause. It depends on nothing hidden, so it reveals nothing."""
    seconds = least + (most - least) * secrets.randbelow(1000) / 1000
    return timedelta(seconds=seconds * settings.BOT_PAUSE * tempo.factor)


def claim_due_games(now: datetime) -> list[Alarm]:
    """Claim the games that come due before the next tick, and return them, longest due first.

    Each claim gives one worker exclusive access for a short time. A move ends the claim.
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
    """Postpone a game that failed to move, so that it does not block the others."""
    Game.objects.filter(table_id=table_id).update(retry_at=now + _PUSHED_BACK)


def record_pulse(of: Pulse.Of, now: datetime) -> None:
    """Record that this part of the site is alive."""
    Pulse.objects.update_or_create(pk=of, defaults={"at": now})
