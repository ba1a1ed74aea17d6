"""Moves: the only code path that changes a game, for people, bots and the clock alike."""

import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from copy import copy
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import Final

from django.db import transaction
from django.utils import timezone

from accounts.models import User
from accounts.profiles.names import BOT_MARK
from accounts.services.bots import report_late
from config.celery import offer_task
from config.db.compiled_queries import Compiled
from games import bots
from games.models import Game, GameAction, Interruption, Motion, Seat, Table
from games.rules.actions import Action
from games.rules.legality import IllegalAction
from games.rules.view import view_for
from games.services import (
    archive,
    attendance,
    bot_talk,
    deadlines,
    outages,
    pseudonyms,
    ratings,
    results,
    table_notices,
)
from games.services.announcements import announce_lobby, announce_room
from games.state.administration import Administration, administration_of, is_still_possible
from games.state.positions import Position, remember, written
from games.state.rooms import Room, build_room, with_talk
from games.wording.refusals import Refusal, Refused

# After this many consecutive decisions made by the clock, a player counts as away.
_LATE_IS_AWAY: Final = 2
# At most this many words of bots come with one move that a player has asked for.
_MOST_WORDS_BEFORE_A_MOVE: Final = 8
_SAVED_OF_A_GAME: Final = (
    "length", "deadline", "bot_moves_at", "night_until", "wakes_at", "retry_at",
    "bot_talks_at", "bot_talk",
    "ended_at", "winner", "ending", "stopped",
)  # fmt: skip
_SAVED_OF_A_TABLE: Final = (
    "version", "stage", "host", "asked_until", "frozen_at", "frozen_because", "ruled",
    "paused_at",
)  # fmt: skip

_SAVED_OF_A_SEAT: Final = (
    "times_late", "is_away", "name", "has_read_role", "has_hints", "vacation_until",
)  # fmt: skip

_games_to_move = Compiled(
    lambda table_pk: Game.objects.select_for_update().select_related("table").filter(table=table_pk)
)


@dataclass(slots=True)
class LockedGame:
    """A locked running game: the data that a move reads, and the changes it has made so far."""

    table: Table
    game: Game
    seats: list[Seat]
    interruptions: tuple[Interruption, ...]
    administration: Administration
    position: Position
    now: datetime
    # The room as it was when the lock was taken.
    known: Room
    rows: list[GameAction] = field(default_factory=list)
    changed_seats: dict[int, Seat] = field(default_factory=dict)
    # Whether the current decision is a new one.
    is_decided: bool = False
    # Whether motions or the waiting list, which are stored elsewhere, have changed.
    has_table_changes: bool = False
    # Whether bots have spoken, or have moved their words.
    has_spoken: bool = False

    @property
    def is_over(self) -> bool:
        return bool(self.game.stopped) or self.position.state.outcome is not None

    def act(self, seat: Seat, action: Action, decision: str, key: str) -> None:
        """Play an action that the player of `seat` chose at `decision`.

        The same `key` acts only once. Raises Refused and IllegalAction.
        """
        # The key includes the action, because two open pages may send different actions.
        full_key = f"{_short(action)}:{key}"[:64]
        steps = self.position.steps
        if any(step.key == full_key and step.action.seat == seat.number for step in steps):
            return
        if self.is_over:
            raise Refused(Refusal.GAME_OVER)
        if self.table.is_frozen:
            raise Refused(Refusal.FROZEN)
        if decision != self.position.state.decision:
            raise Refused(Refusal.STALE)
        if self.game.night_until is not None:
            raise Refused(Refusal.NIGHT)
        self.note_present(seat)
        # A player who moves wants to go on.
        self.resume()
        self.set_alarms(is_new_decision=False)
        self.move(action, GameAction.By.PLAYER, full_key)

    def move(self, action: Action, by: GameAction.By, key: str | None = None) -> None:
        """Play an action. Raises IllegalAction, and changes nothing then."""
        before = self.position.state.decision
        # The times in the log only grow, also when an earlier request has waited longer for the
        # lock, and when the machine's clock was set back.
        steps = self.position.steps
        at = max(self.now, steps[-1].at) if steps else self.now
        self.position = self.position.after(action, by=by, at=at, key=key)
        self.rows.append(written(self.game, self.position.steps[-1]))
        is_new = self.position.state.decision != before
        self.is_decided = self.is_decided or is_new
        self.set_alarms(is_new_decision=is_new)
        if self.is_over:
            bot_talk.plan_after_the_end(self.room, self.now)
        else:
            bot_talk.plan_after_moves(self.room, self.now)

    def set_alarms(self, *, is_new_decision: bool) -> None:
        if self.is_over:
            deadlines.clear_alarms(self.game)
            return
        deadlines.set_alarms(
            self.game,
            self.table,
            self.seats,
            self.position,
            # While the clocks are stopped, the time is still that of the stop.
            now=self.table.stopped_at or self.now,
            is_new_decision=is_new_decision,
        )
        if self.table.stopped_at is not None:
            deadlines.freeze(self.game)

    def settle(self) -> None:
        """Make the moves that are due, each only while its decision stands."""
        game = self.game
        if game.wakes_at is None or game.wakes_at > self.now or outages.is_away(self.now):
            return
        if game.night_until is not None and game.night_until <= self.now:
            deadlines.end_night(game)
            self.has_table_changes = True
        if game.bot_talks_at is not None and game.bot_talks_at <= self.now:
            self._say(bot_talk.speak(self.room, self.now))
        if game.deadline is not None and game.deadline <= self.now:
            for number in self.position.state.to_act:
                self._note_late(self.seats[number])
                self._stand_in(number)
        elif game.bot_moves_at is not None and game.bot_moves_at <= self.now:
            movers = [
                number for number in self.position.state.to_act if self.seats[number].is_moved_for
            ]
            if movers:
                self._stand_in(movers[secrets.randbelow(len(movers))])

    def _stand_in(self, number: int) -> None:
        """Let a bot that knows what the seat knows move for it.

        Which bot stands in does not depend on roles.
        """
        seat = self.seats[number]
        view = view_for(self.position.state, number)
        self._listen()
        heard = bot_talk.heard_at(self.room)
        kind, level = seat.bot or bots.STAND_IN, bots.Level(seat.level)
        action = bots.choose(kind, view, secrets.randbelow, heard, level)
        self.move(action, GameAction.By.BOT if seat.is_bot else GameAction.By.CLOCK)

    def _listen(self) -> None:
        """Read the messages that this process does not know yet."""
        room = with_talk(self.room)
        self.known = replace(self.known, talk=room.talk, heard=room.heard)

    def _say(self, room: Room) -> None:
        """Take over a room in which bots have spoken."""
        self.known = replace(self.known, talk=room.talk, heard=room.heard)
        self.has_spoken = True

    def _note_late(self, seat: Seat) -> None:
        if not seat.is_bot:
            seat = self.to_change(seat)
            seat.times_late += 1
            # The clock decides for no one on vacation, so it is over.
            seat.vacation_until = None
            if seat.user_id is not None and seat.name.endswith(BOT_MARK):
                report_late(user_pk=seat.user_id, table=self.table.code)
            seat.is_away = seat.is_away or seat.times_late >= _LATE_IS_AWAY

    def note_present(self, seat: Seat) -> None:
        seat = self.seats[seat.number]
        is_back = seat.vacation_until is not None and seat.vacation_until <= self.now
        if seat.is_away or seat.times_late or is_back:
            seat = self.to_change(seat)
            seat.is_away = False
            seat.times_late = 0
            seat.vacation_until = None if is_back else seat.vacation_until

    def pause_seat(self, user_pk: int, until: datetime | None) -> None:
        """Stop the clock of the user's seat until this moment, or let it run again with None."""
        to_act = () if self.is_over else self.position.state.to_act
        before = deadlines.pause_end(self.seats, to_act, self.now)
        for seat in [seat for seat in self.seats if seat.user_id == user_pk]:
            self.to_change(seat).vacation_until = until
        after = deadlines.pause_end(self.seats, to_act, self.now)
        deadlines.move_deadline(self.game, after - before)

    def note_hints_stopped(self, seat: Seat) -> None:
        self.to_change(seat).has_hints = False

    def note_role_read(self, seat: Seat) -> None:
        self.to_change(seat).has_read_role = True

    @property
    def people(self) -> set[int]:
        """The primary keys of the people who have seats."""
        return {s.user_id for s in self.seats if s.user_id is not None and s.is_person}

    def pause(self) -> None:
        """Stop the clocks until `resume`."""
        self.table.paused_at = self.now
        deadlines.freeze(self.game)
        self.has_table_changes = True

    def resume(self) -> None:
        """Let the clocks go on with the time that was left, if the game is paused."""
        if self.table.paused_at is None:
            return
        stood = max(self.now - self.table.paused_at, timedelta())
        self.table.paused_at = None
        deadlines.thaw(self.game, stood)
        self.has_table_changes = True

    def hurry(self) -> None:
        """Let the next move of a bot come now, and before it what bots say until then.

        If no bot is to move, one word comes. A paused game stays paused after it.
        """
        was_paused = self.table.is_paused
        self.resume()
        game, before = self.game, self.position.length
        for _word in range(_MOST_WORDS_BEFORE_A_MOVE):
            talk = self.known.heard, len(game.bot_talk)
            deadlines.hurry(game, self.now)
            self.settle()
            if self.position.length > before or game.bot_moves_at is None:
                break
            if (self.known.heard, len(game.bot_talk)) == talk:
                # They wait until they may talk.
                self._move_now()
                break
        else:
            # The bots have more to say.
            self._move_now()
        if was_paused and not self.is_over:
            self.pause()

    def _move_now(self) -> None:
        self.game.bot_moves_at = self.game.wakes_at = self.now
        self.settle()

    def _end_night_if_read(self) -> None:
        """End the night if it waits for no player. The first decision's time begins then."""
        if self.game.night_until is None or any(seat.is_reading_role for seat in self.seats):
            return
        self.game.night_until = None
        self.has_table_changes = True
        self.set_alarms(is_new_decision=True)

    def to_change(self, seat: Seat) -> Seat:
        """Return the seat's row for changes to what concerns its player's presence.

        It is a copy: other code in this process reads the original at the same time.
        """
        if seat.number not in self.changed_seats:
            self.seats[seat.number] = self.changed_seats[seat.number] = copy(seat)
        return self.changed_seats[seat.number]

    def stop(self, reason: Game.Stopped) -> None:
        """End the game here, without a winner."""
        self.game.stopped = reason
        self.has_table_changes = True
        # The game may have ended by the rules before.
        self.game.winner = self.game.ending = ""
        deadlines.clear_alarms(self.game)

    def settle_motion(self, outcome: Motion.Outcome) -> Motion:
        """End the open motion, and return its row."""
        known = self.administration.motion
        assert known is not None
        motion = copy(known)
        motion.outcome = outcome
        motion.settled_at = self.now
        motion.number = self.position.length
        motion.save(update_fields=["outcome", "settled_at", "number"])
        self.table.asked_until = None
        self.note_table_change()
        return motion

    def note_table_change(self) -> None:
        """Reload the motions and the waiting list after a change to them."""
        self.administration = administration_of(self.table, self.game, self.seats)
        self.has_table_changes = True

    @property
    def room(self) -> Room:
        return Room(
            self.table,
            tuple(self.seats),
            self.game,
            self.position,
            self.interruptions,
            self.administration,
            self.known.talk,
            self.known.heard,
        )

    def save(self) -> None:
        """Save what has changed, and announce it on commit."""
        motion = self.administration.motion
        if motion is not None and (self.is_over or not is_still_possible(motion, self.seats)):
            self.settle_motion(Motion.Outcome.LAPSED)
        self._end_night_if_read()
        if len(self.people) != 1:
            # The pause was for one person alone.
            self.resume()
        has_changed = self.changed_seats or self.has_table_changes
        if not self.rows and not has_changed and not self.has_spoken:
            return
        game, table, position = self.game, self.table, self.position
        GameAction.objects.bulk_create(self.rows)
        game.length = position.length
        outcome = position.state.outcome
        is_ending = self.is_over and table.stage != Table.Stage.OVER
        if is_ending:
            game.ended_at = self.now
            if outcome is not None and not game.stopped:
                game.winner, game.ending = str(outcome.winner), str(outcome.ending)
            table.stage = Table.Stage.OVER
            table.frozen_at, table.frozen_because, table.paused_at = None, "", None
            if table.is_blind:
                for number, name in pseudonyms.real_names(self.seats).items():
                    self.to_change(self.seats[number]).name = name
            attendance.record_attendance(game=game, seats=self.seats)
            results.record_results(game=game, seats=self.seats, state=position.state)
            ratings.note_finished(game=game, table=table)
            archive.note_finished(game=game)
            announce_lobby()
        game.save(update_fields=_SAVED_OF_A_GAME)
        # The game's length announces a move, so the table's row is not written for it.
        if has_changed or is_ending:
            if self.changed_seats:
                Seat.objects.bulk_update(
                    self.changed_seats.values(),
                    _SAVED_OF_A_SEAT,
                )
            table.version += 1
            table.save(update_fields=_SAVED_OF_A_TABLE)
        if self.rows and table.pace in table_notices.SLOW:
            self._announce_turns()
        transaction.on_commit(lambda: remember(game, position))
        announce_room(self.room)
        _announce_alarm(game, self.now)

    def _announce_turns(self) -> None:
        """Withdraw the notices of those who have moved, and note a new decision's turns."""
        moved = {step.action.seat for step in self.position.steps[-len(self.rows) :]}
        users = {self.seats[number].user_id for number in moved}
        table_notices.end_turns(table=self.table, users={pk for pk in users if pk is not None})
        if self.is_decided:
            table_notices.announce_turns(
                table=self.table,
                seats=self.seats,
                to_act=() if self.is_over else self.position.state.to_act,
                now=self.now,
            )


def save_bot_talk(room: Room, now: datetime) -> None:
    """Save what bots are going to say at a locked table, and when."""
    assert room.game is not None
    room.game.save(update_fields=["bot_talk", "bot_talks_at", "wakes_at", "retry_at"])
    _announce_alarm(room.game, now)


def act(
    *,
    table: Table,
    user: User,
    action: Action,
    decision: str,
    key: str,
    now: datetime | None = None,
) -> Room:
    """Play `action` for `user`, chosen at `decision`. Return the room after it.

    Calls with the same `key` act only once. Raises Refused for a user without a seat, a decision
    that has passed or a table without a game, and IllegalAction if the rules forbid the action.
    Overdue moves are settled and saved even then.
    """
    refused: Refused | IllegalAction | None = None
    with transaction.atomic():
        locked_game = _lock_game(table, now or timezone.now())
        seat = next((seat for seat in locked_game.seats if seat.user_id == user.pk), None)
        locked_game.settle()
        try:
            if seat is None or seat.number != action.seat:
                raise Refused(Refusal.NOT_SEATED)
            locked_game.act(seat, action, decision, key)
        except (Refused, IllegalAction) as error:
            refused = error
        locked_game.save()
    if refused is not None:
        raise refused
    return locked_game.room


def settle(table_id: int, now: datetime | None = None) -> None:
    """Make the overdue moves at a table. Does nothing if there are none."""
    with transaction.atomic():
        try:
            locked_game = _lock_game(Table(pk=table_id), now or timezone.now())
        except Refused:
            return
        locked_game.settle()
        locked_game.save()


def is_due(room: Room) -> bool:
    """Return whether the game must move on its own by now.

    Every view of a table settles it then, so that the outcome does not depend on Celery.
    """
    game = room.game
    return game is not None and game.wakes_at is not None and game.wakes_at <= timezone.now()


def come_back(*, table: Table, user: User) -> None:
    """End the user's absence, so that they play again for themselves. Raises Refused."""
    with transaction.atomic():
        locked_game = _lock_game(table, timezone.now())
        seat = next((seat for seat in locked_game.seats if seat.user_id == user.pk), None)
        if seat is None:
            raise Refused(Refusal.NOT_SEATED)
        if locked_game.is_over:
            raise Refused(Refusal.GAME_OVER)
        if locked_game.table.is_frozen:
            raise Refused(Refusal.FROZEN)
        locked_game.settle()
        locked_game.note_present(seat)
        locked_game.set_alarms(is_new_decision=False)
        locked_game.save()


@contextmanager
def locked_game_at(
    table: Table,
    now: datetime | None = None,
    *,
    when_frozen: bool = False,
    when_over: bool = False,
) -> Iterator[LockedGame]:
    """Lock a running game for changes in the `with` block, then save and announce it.

    Overdue moves are settled before. Raises Refused if no game is running or it is frozen; a
    moderator's act may allow both with `when_over` and `when_frozen`. An exception within the block
    undoes all of its changes.
    """
    now = now or timezone.now()
    settle(table.pk, now)
    with transaction.atomic():
        locked_game = _lock_game(table, now)
        if locked_game.is_over and not when_over:
            raise Refused(Refusal.GAME_OVER)
        if locked_game.table.is_frozen and not when_frozen:
            raise Refused(Refusal.FROZEN)
        yield locked_game
        locked_game.save()


def lock_game_at(table: Table, now: datetime) -> LockedGame | None:
    """Lock a table for changes other than moves. Return None if no game has begun."""
    try:
        return _lock_game(table, now)
    except Refused:
        return None


def leave_seat_for_good(*, table: Table, user: User, name: str) -> None:
    """Remove `user` from their seat and rename it. A stand-in plays for it from now on.

    Used when an account is deleted. Raises Refused if no game has begun.
    """
    with transaction.atomic():
        locked_game = _lock_game(table, timezone.now())
        for seat in [seat for seat in locked_game.seats if seat.user_id == user.pk]:
            seat = locked_game.to_change(seat)
            if locked_game.table.stage == Table.Stage.RUNNING:
                # A stand-in plays on, and the user counts as one who left early.
                seat.is_away = True
            seat.user, seat.name = None, name
            seat.save(update_fields=["user", "name", "is_away"])
        locked_game.set_alarms(is_new_decision=False)
        locked_game.save()


def _lock_game(table: Table, now: datetime) -> LockedGame:
    """Lock the table and load what a move needs. Raises Refused if no game has begun."""
    # Lock both rows in one query, so that after waiting for the lock both are current.
    game = _games_to_move.find(table.pk)
    if game is None:
        stage = Table.objects.get(pk=table.pk).stage
        raise Refused(Refusal.NOT_OPEN if stage == Table.Stage.CLOSED else Refusal.NOT_STARTED)
    room = build_room(game.table, game)
    assert room.position is not None
    return LockedGame(
        room.table,
        game,
        list(room.seats),
        room.interruptions,
        room.administration,
        room.position,
        now,
        room,
    )


def _short(action: Action) -> str:
    """Return a string that distinguishes one seat's possible actions at a decision."""
    parts = (getattr(action, name, "") for name in ("target", "ballot", "policy", "consent"))
    return action.kind + "".join(str(part) for part in parts)


def _announce_alarm(game: Game, now: datetime) -> None:
    """Send a worker an alarm so near that the clock's next tick may come after it."""
    if game.wakes_at is None or game.wakes_at > now + deadlines.LOOK_AHEAD:
        return
    moment, table_id = game.wakes_at, game.table_id

    def send() -> None:
        hint = (table_id, moment.isoformat())
        offer_task("games.tasks.settle_game", hint, eta=moment, expires=30)

    # This is only a hint: the next tick finds the game too, whatever error the broker has.
    transaction.on_commit(send, robust=True)
