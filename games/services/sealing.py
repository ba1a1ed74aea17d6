"""The deal: commitment, freeze, reveals and cards. RECORD.md, "The seal".

A table that begins is in stage SEALING while browsers reveal. Its seats show how far it is:

| `contribution_hash` | `contribution` | the seat |
|---|---|---|
| empty | set | the server contributes: for bots, without JavaScript, after a missed reveal |
| empty | empty | waits for a browser to draw anew, after an attempt that was called off |
| set | empty | has committed and not revealed |
| set | set | has revealed |

`Table.asked_until` is the time by which browsers must answer. If a seat does not reveal in time,
the attempt ends, and the server contributes for this seat from then on. So a table has at most as
many attempts as it has browsers.
"""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Final

from django.conf import settings
from django.db import transaction
from django.utils import timezone

from accounts.models import User
from games.models import (
    Game,
    Pace,
    PreparedSeed,
    Seat,
    Table,
    Vacation,
    new_contribution,
    new_seed,
)
from games.rules.chance import CONTRIBUTION_BYTES, bot_contribution, hash_of, order_of
from games.services import bot_talk, coach, deadlines, table_notices
from games.services.announcements import announce_table
from games.services.locked_tables import save_changes
from games.state.positions import position_of
from games.wording.refusals import Refusal, Refused

_HEX: Final = frozenset("0123456789abcdef")
# A SHA-256 hash and a contribution have the same length.
_DIGITS: Final = 2 * CONTRIBUTION_BYTES
# Above every seat's number: seats get these numbers while they change places.
_ASIDE: Final = 100


# Before the table ------------------------------------------------------------------------


def prepared_commitment(user: User) -> str:
    """Return the commitment to the seed of the next table that `user` opens.

    The seed is drawn when a page first needs it, and kept until a table takes it.
    """
    return PreparedSeed.objects.get_or_create(user=user)[0].commitment


def take_prepared_seed(user: User, commitment: str) -> bytes | None:
    """Return the seed of `commitment` and delete it. Return None if the page was out of date.

    Call this in the transaction that opens the table.
    """
    prepared = PreparedSeed.objects.select_for_update().filter(user=user).first()
    if prepared is None or prepared.commitment != commitment:
        return None
    prepared.delete()
    return bytes(prepared.seed)


def read_hex(text: str) -> str:
    """Return 64 hex digits in lower case, or "" for any other text."""
    if len(text) != _DIGITS:
        return ""
    lowered = text.lower()
    return lowered if set(lowered) <= _HEX else ""


# What browsers send ----------------------------------------------------------------------


def offer_hash(*, table: Table, user: User, commitment: str, contribution_hash: str) -> None:
    """Store the hash of what the player's browser drew for the deal that `commitment` names.

    A browser may send another hash until the freeze. Raises Refused: NOT_OPEN, NOT_SEATED,
    UNCLEAR (also for a hash of an attempt that was called off), or STALE if the table has another
    seed by now or its hashes are frozen.
    """
    offered = read_hex(contribution_hash)
    with transaction.atomic():
        locked, seats, own = _locked(table, user)
        _refuse_other_deal(locked, commitment)
        if not offered:
            raise Refused(Refusal.UNCLEAR)
        if own.contribution_hash == offered:
            return
        is_sealing = locked.stage == Table.Stage.SEALING
        if is_sealing and not _awaits_hash(own):
            raise Refused(Refusal.STALE)
        if any(offered in attempt["hashes"] for attempt in locked.seal_attempts):
            # Revealed by now, and a record in which it stands twice does not verify.
            raise Refused(Refusal.UNCLEAR)
        own.contribution_hash, own.contribution = offered, ""
        own.save(update_fields=["contribution_hash", "contribution"])
        if not is_sealing:
            # Only this player's own panels have changed.
            locked.version += 1
            locked.save(update_fields=["version"])
            announce_table(locked)
        elif not any(_awaits_hash(seat) for seat in seats):
            _freeze(locked, seats, timezone.now())
            save_changes(locked)


def reveal(*, table: Table, user: User, commitment: str, contribution: str) -> None:
    """Store what the player's browser had drawn. The last reveal deals the cards.

    A second time changes nothing, also after the deal: the first answer may have been lost. Raises
    Refused: NOT_OPEN, NOT_SEATED, STALE if there is nothing to reveal, or UNCLEAR if the
    contribution does not match the hash.
    """
    revealed = read_hex(contribution)
    with transaction.atomic():
        locked, seats, own = _locked(table, user, Table.Stage.RUNNING)
        _refuse_other_deal(locked, commitment)
        if revealed and own.contribution_hash and own.contribution == revealed:
            return
        if locked.stage != Table.Stage.SEALING or any(_awaits_hash(seat) for seat in seats):
            raise Refused(Refusal.STALE)
        if not own.contribution_hash:
            raise Refused(Refusal.STALE)
        if not revealed or hash_of(revealed) != own.contribution_hash:
            raise Refused(Refusal.UNCLEAR)
        own.contribution = revealed
        own.save(update_fields=["contribution"])
        if not any(_awaits_reveal(seat) for seat in seats):
            _deal(locked, seats)
            save_changes(locked)


def _locked(table: Table, user: User, *others: Table.Stage) -> tuple[Table, list[Seat], Seat]:
    """Lock a table that gathers, seals, or is in one of the `others`."""
    locked = Table.objects.select_for_update().get(pk=table.pk)
    if locked.stage not in (Table.Stage.OPEN, Table.Stage.SEALING, *others):
        raise Refused(Refusal.NOT_OPEN)
    seats = list(locked.seats.all())
    own = next((seat for seat in seats if seat.user_id == user.pk), None)
    if own is None:
        raise Refused(Refusal.NOT_SEATED)
    return locked, seats, own


def _refuse_other_deal(table: Table, commitment: str) -> None:
    if table.commitment != commitment or table.seal_version == 1:
        raise Refused(Refusal.STALE)


# From the start to the cards -------------------------------------------------------------


def begin(table: Table, seats: Sequence[Seat]) -> None:
    """Begin the game of this locked table; `changed` saves it.

    If no browser has anything to reveal, the cards are dealt at once. Otherwise seats,
    commitment and hashes are frozen and shown, and the table waits for the reveals.
    """
    order = sorted(seats, key=lambda seat: seat.number)
    for number, seat in enumerate(order):
        if seat.is_bot and seat.number != number and table.seal_version > 1:
            # It follows from the seat's number; `_freeze` draws it again.
            seat.contribution = ""
    # Seats are numbered from 0 round the table, without gaps.
    _renumber(order)
    if table.seal_version == 1:
        _deal(table, order)
        return
    table.stage = Table.Stage.SEALING
    _freeze(table, order, timezone.now())


def expire(table: Table, now: datetime) -> None:
    """End the wait for browsers at this locked table; the caller saves it."""
    seats = list(table.seats.all())
    late = [seat for seat in seats if _awaits_hash(seat)]
    if late:
        # Nothing has been revealed yet, so it is not too late to fix the server's part.
        for seat in late:
            seat.contribution = new_contribution()
        _freeze(table, seats, now)
        return
    missing = [seat.number for seat in seats if _awaits_reveal(seat)]
    if missing:
        _call_off(table, seats, missing, now)


def _freeze(table: Table, seats: Sequence[Seat], now: datetime) -> None:
    """Fix every contribution, by its hash or by the server, and ask for the reveals."""
    taken: set[str] = set()
    for seat in seats:
        is_here = seat.user_id is not None and seat.is_connected
        if seat.contribution_hash and is_here and seat.contribution_hash not in taken:
            taken.add(seat.contribution_hash)
            seat.contribution = ""
            continue
        # A browser that is not connected could only keep the others waiting, and a hash that
        # another seat has sent too is no contribution of its own.
        seat.contribution_hash = ""
        if seat.is_bot:
            seat.contribution = seat.contribution or bot_contribution(table.commitment, seat.number)
        else:
            seat.contribution = seat.contribution or new_contribution()
    Seat.objects.bulk_update(seats, ["contribution_hash", "contribution"])
    if any(_awaits_reveal(seat) for seat in seats):
        table.asked_until = now + timedelta(seconds=settings.REVEAL_SECONDS)
    else:
        _deal(table, seats)


def _call_off(table: Table, seats: Sequence[Seat], missing: list[int], now: datetime) -> None:
    """Keep the attempt for the record, and draw everything anew, including the seed."""
    table.seal_attempts = [
        *table.seal_attempts,
        {
            "commitment": table.commitment,
            "hashes": [seat.published_hash for seat in seats],
            "missing": missing,
            "seed": bytes(table.seed).hex(),
            "contributions": [seat.contribution or None for seat in seats],
        },
    ]
    table.seed = new_seed()
    for seat in seats:
        seat.has_missed_reveal = seat.has_missed_reveal or seat.number in missing
        is_browsers = bool(seat.contribution_hash) and seat.number not in missing
        seat.contribution_hash = ""
        if is_browsers:
            seat.contribution = ""
        elif seat.is_bot:
            seat.contribution = bot_contribution(table.commitment, seat.number)
        else:
            seat.contribution = new_contribution()
    Seat.objects.bulk_update(seats, ["contribution_hash", "contribution", "has_missed_reveal"])
    if any(_awaits_hash(seat) for seat in seats):
        table.asked_until = now + timedelta(seconds=settings.REVEAL_SECONDS)
    else:
        _freeze(table, seats, now)


def _deal(table: Table, seats: Sequence[Seat]) -> None:
    """Deal the cards from the seed and the contributions."""
    if table.shuffles_seats:
        drawn = order_of(bytes(table.seed), [seat.contribution for seat in seats])
        seats = [seats[place] for place in drawn]
        _renumber(seats)
        table.seal_attempts = [_reordered(attempt, drawn) for attempt in table.seal_attempts]
    coach.offer_hints(seats)
    table.stage = Table.Stage.RUNNING
    game = Game(table=table, players=len(seats))
    game.save()
    position = position_of(game)
    now = timezone.now()
    _stop_clocks(table, seats, now)
    deadlines.begin_night(game, now)
    if table.pace in table_notices.SLOW:
        table_notices.announce_turns(
            table=table, seats=list(seats), to_act=position.state.to_act, now=now
        )
    table_notices.call_absent(table=table, seats=seats, now=now)
    deadlines.set_alarms(
        game,
        table,
        list(seats),
        position,
        now=now,
        is_new_decision=True,
    )
    bot_talk.plan_greetings(table, game, seats, now)
    game.save()


def _stop_clocks(table: Table, seats: Sequence[Seat], now: datetime) -> None:
    """Stop the clocks of players who are on vacation already: see `services.vacations`."""
    if table.pace != Pace.DAILY or table.is_blind:
        return
    running = Vacation.objects.filter(
        user__in=[seat.user_id for seat in seats if seat.user_id is not None], ends_at__gt=now
    )
    ends = dict(running.values_list("user", "ends_at"))
    if not ends:
        return
    for seat in seats:
        seat.vacation_until = None if seat.user_id is None else ends.get(seat.user_id)
    Seat.objects.bulk_update(seats, ["vacation_until"])


def _renumber(order: Sequence[Seat]) -> None:
    """Number the seats by their places in `order`."""
    moved = [(number, seat) for number, seat in enumerate(order) if seat.number != number]
    # No two seats may have the same number, not even for a moment.
    for step in (_ASIDE, 0):
        for number, seat in moved:
            seat.number = number + step
            seat.save(update_fields=["number"])


def _reordered(attempt: dict[str, object], drawn: Sequence[int]) -> dict[str, object]:
    """Return a called-off attempt with its seats renumbered as drawn."""
    lists: dict[str, object] = {}
    for name in ("hashes", "contributions"):
        values = attempt[name]
        assert isinstance(values, list)
        lists[name] = [values[place] for place in drawn]
    missing = attempt["missing"]
    assert isinstance(missing, list)
    return {
        **attempt,
        **lists,
        "missing": [number for number, place in enumerate(drawn) if place in missing],
    }


def _awaits_hash(seat: Seat) -> bool:
    return not seat.contribution_hash and not seat.contribution


def _awaits_reveal(seat: Seat) -> bool:
    return bool(seat.contribution_hash) and not seat.contribution
