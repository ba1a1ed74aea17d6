"""Tables: opening them, seating people and bots, starting games, and playing again."""

import secrets
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from hashlib import blake2b
from typing import Final

from django.conf import settings
from django.contrib.auth.hashers import make_password
from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from accounts.models import User
from games import bots
from games.models import (
    IS_AHEAD,
    Joiners,
    Level,
    Pace,
    Seat,
    Table,
    Tempo,
    Terms,
    Visibility,
    new_seed,
)
from games.services import (
    appointments,
    game_requests,
    invitations,
    pseudonyms,
    ready,
    same_person,
    sealing,
    site,
)
from games.services.announcements import announce_lobby, announce_table
from games.services.bot_seats import BotWish, rename_bot, seat_bots
from games.services.hosting import refuse_kicked
from games.services.joining import (
    check_games_few,
    check_may_join,
    check_quick_games_few,
    check_standing,
)
from games.services.locked_tables import hand_over, lock_gathering_table, save_changes
from games.services.table_notices import next_reminder
from games.wording.refusals import Refusal, Refused

QUICK_GAME_PLAYERS: Final = 7
_FORGOTTEN_AFTER: Final = timedelta(hours=12)
# A public table closes after this long without a player, except where a move may take a day.
_LEFT_AFTER: Final = timedelta(minutes=10)


def open_table(
    *,
    host: User,
    terms: Terms,
    commitment: str = "",
    contribution_hash: str = "",
    password: str = "",
    key: str = "",
    scheduled_at: datetime | None = None,
) -> Table:
    """Open a table and seat its host; with `scheduled_at`, a scheduled table for that date.

    `commitment` is from the page of the form; the table takes its seed. Without a valid
    `commitment`, `contribution_hash` is ignored.

    Sending a form again, with the same `key` and the same terms, opens no second table. Raises
    Refused: HOSTS_ENOUGH if the host already has settings.HOSTED_TABLES tables waiting for players,
    GAMES_ENOUGH, BLIND_FRIENDS, as `site.refuse_opening`, or for a date as `appointments`
    `check_date` and `check_dates_few`.
    """
    # The hash is slow, so it comes before the transaction: on SQLite all writers wait for that.
    hashed = make_password(password) if password and _asks(terms) else ""
    with transaction.atomic():
        # Two concurrent forms must not both pass the limit, and one form sent twice must not open
        # two tables.
        User.objects.select_for_update(no_key=True).get(pk=host.pk)
        full_key = _opening_key(host, key, terms, scheduled_at)
        opened = Table.objects.filter(opening_key=full_key).first() if full_key else None
        if opened is not None:
            return opened
        if scheduled_at is None:
            _check_hosts_few(host)
        else:
            appointments.check_date(scheduled_at, timezone.now())
            appointments.check_dates_few(host)
        table = _open(
            host=host,
            terms=terms,
            password=hashed,
            key=full_key,
            seed=sealing.take_prepared_seed(host, commitment),
            contribution_hash=contribution_hash,
            scheduled_at=scheduled_at,
        )
        if terms.bots:
            _seat_bots_of(terms, table, host)
        return table


def join_table(*, table: Table, user: User, contribution_hash: str = "") -> None:
    """Seat `user` on the first free seat.

    `contribution_hash` is SHA-256, in hex, of what the player's browser drew for the seal. If it
    is missing or malformed, the server contributes for the seat. Raises Refused: NOT_OPEN,
    ALREADY_SEATED, KICKED, FULL, GAMES_ENOUGH, or as `check_may_join` and
    `same_person.refuse_seat`.
    """
    with transaction.atomic():
        locked, seats = lock_gathering_table(table)
        if any(seat.user_id == user.pk for seat in seats):
            raise Refused(Refusal.ALREADY_SEATED)
        refuse_kicked(table=locked, user=user)
        check_may_join(table=locked, user=user)
        _sit(locked, seats, user=user, contribution_hash=contribution_hash)


def leave_table(*, table: Table, user: User, when_frozen: bool = False) -> None:
    """Free the user's seat. A leaving host hands over; a table without people closes.

    `when_frozen` lets a deleted account leave without waiting for a thaw. Raises Refused.
    """
    with transaction.atomic():
        locked, seats = lock_gathering_table(table, when_frozen=when_frozen)
        own = [seat for seat in seats if seat.user_id == user.pk]
        if not own:
            raise Refused(Refusal.NOT_SEATED)
        own[0].delete()
        hand_over(locked, [seat for seat in seats if seat.user_id != user.pk])
        ready.note_seats(locked)
        save_changes(locked)


def close_table(*, table: Table, user: User) -> None:
    """Close the host's table before its game starts. Raises Refused."""
    with transaction.atomic():
        locked, seats = lock_gathering_table(table, host=user)
        if locked.is_ahead:
            appointments.cancel(table=locked, seats=seats, by=user, now=timezone.now())
        locked.stage = Table.Stage.CLOSED
        save_changes(locked)


def fill_with_bots(*, table: Table, user: User, level: Level = Level.REGULAR) -> None:
    """Seat a bot of this level on every free seat, for the host. Raises Refused."""
    with transaction.atomic():
        locked, seats = lock_gathering_table(table, host=user)
        free = _free_numbers(locked, seats)
        if not free:
            raise Refused(Refusal.FULL)
        seat_bots(locked, seats, dict.fromkeys(free, BotWish(level=level)))
        ready.note_seats(locked, sat=user)
        save_changes(locked)


def start_game(*, table: Table, user: User) -> None:
    """Start the game for the host: the cards are dealt from the seal. Raises Refused."""
    with transaction.atomic():
        locked, seats = lock_gathering_table(table, host=user)
        if locked.is_ahead:
            raise Refused(Refusal.DATE_AHEAD)
        if locked.is_meeting:
            # The seats of those who are not there yet are kept for them.
            raise Refused(Refusal.READY_IS_CALLED)
        if len(seats) < locked.least:
            raise Refused(Refusal.TOO_FEW)
        site.refuse_beginning()
        sealing.begin(locked, seats)
        save_changes(locked)


def quick_game(
    *,
    user: User,
    edition: str,
    level: Level = Level.REGULAR,
    tempo: Tempo = Tempo.NORMAL,
    players: int = QUICK_GAME_PLAYERS,
    commitment: str = "",
    contribution_hash: str = "",
) -> Table:
    """Open and begin a private, untimed table of one person and bots of one level.

    `players` is the number of all seats, as far as the edition has that many.
    `commitment` and `contribution_hash` are as for `open_table`. Raises Refused: BOT_GAMES_ENOUGH,
    GAMES_ENOUGH, or as `site.refuse_opening`.
    """
    least, most = Table(edition=edition).options.players
    terms = Terms(
        edition=edition,
        seats_wanted=max(least, min(players, most)),
        pace=Pace.UNTIMED,
        tempo=tempo,
        visibility=Visibility.PRIVATE,
    )
    with transaction.atomic():
        check_quick_games_few(user)
        seed = sealing.take_prepared_seed(user, commitment)
        table = _open(host=user, terms=terms, seed=seed, contribution_hash=contribution_hash)
        fill_with_bots(table=table, user=user, level=level)
        start_game(table=table, user=user)
    table.refresh_from_db()
    return table


def begin_for(*, people: Sequence[tuple[User, str]], terms: Terms) -> Table:
    """Open a table for these users and begin its game: they have agreed to play at once.

    `people` are pairs of a user and the hash that the user's browser drew; the first user becomes
    the host. `terms.bots` bots sit down too. Call this in a transaction that has locked the users.
    Raises CannotSit for the user who may not have a seat, or Refused as `site.refuse_opening`.
    """
    site.refuse_opening()
    table: Table | None = None
    for user, contribution_hash in people:
        try:
            if table is None:
                seed = new_seed()
                table = _open(
                    host=user, terms=terms, seed=seed, contribution_hash=contribution_hash
                )
                continue
            same_person.refuse_seat(table=table, user=user)
            seats = list(table.seats.all())
            number = len(seats)
            _seat(table, seats, number=number, user=user, contribution_hash=contribution_hash)
        except Refused as error:
            raise CannotSit(user, error.refusal) from error
    assert table is not None
    table.shuffles_seats = True
    if terms.bots:
        seats = list(table.seats.all())
        wish = BotWish(level=Level(terms.bot_level))
        seat_bots(table, seats, dict.fromkeys(_free_numbers(table, seats), wish))
    sealing.begin(table, list(table.seats.all()))
    save_changes(table)
    return table


class CannotSit(Exception):
    """A user of a group may not have a seat."""

    def __init__(self, user: User, refusal: Refusal) -> None:
        super().__init__(refusal)
        self.user, self.refusal = user, refusal


def play_again(
    *, table: Table, user: User, commitment: str = "", contribution_hash: str = ""
) -> Table:
    """Return the table where the same people gather again. The first caller opens it.

    It has the same terms and the same bots, and everyone moves on one seat, so that another player
    begins. At a blind table the seats are random, because they would reveal who is who. Where only
    bots played with `user`, no one else is waited for, and the game begins at once. Raises
    Refused: NOT_OVER, NOT_SEATED, HOSTS_ENOUGH, GAMES_ENOUGH, as `site.refuse_opening`, or as
    `join_table` if the new table has started without `user`.
    """
    with transaction.atomic():
        locked = Table.objects.select_for_update().get(pk=table.pk)
        if locked.stage != Table.Stage.OVER:
            raise Refused(Refusal.NOT_OVER)
        seats = list(locked.seats.all())
        own = next((seat for seat in seats if seat.user_id == user.pk), None)
        if own is None:
            raise Refused(Refusal.NOT_SEATED)
        place = (own.number + 1) % len(seats)
        again = locked.next_table
        if again is not None and again.stage != Table.Stage.CLOSED:
            if not again.seats.filter(user=user).exists():
                # These people have played together already, so the rules on who may join do not
                # apply.
                new, taken = lock_gathering_table(again)
                refuse_kicked(table=new, user=user)
                if commitment != new.commitment:
                    # Drawn for another deal: the browser would not reveal it to this one.
                    contribution_hash = ""
                _sit(new, taken, user=user, contribution_hash=contribution_hash, place=place)
            return again
        User.objects.select_for_update(no_key=True).get(pk=user.pk)
        _check_hosts_few(user)
        terms = Terms.of(locked, seats_wanted=len(seats))
        terms = replace(terms, least_seats=min(terms.least_seats, len(seats)))
        again = _open(
            host=user,
            terms=terms,
            password=locked.password,
            seed=bytes(locked.next_seed) if commitment == locked.next_commitment else None,
            contribution_hash=contribution_hash,
            place=place,
        )
        # A seed serves one deal only.
        locked.next_seed = new_seed()
        played = [seat for seat in seats if seat.is_bot]
        present = list(again.seats.all())
        numbers = (
            _free_numbers(again, present)[-len(played) :]
            if again.is_blind
            else [(bot.number + 1) % len(seats) for bot in played]
        )
        seat_bots(again, present, dict(zip(numbers, map(_as_before, played), strict=False)))
        ready.note_seats(again, sat=user)
        again.save()
        if len(played) == len(seats) - 1:
            start_game(table=again, user=user)
            again.refresh_from_db()
        locked.next_table = again
        locked.version += 1
        locked.save(update_fields=["next_table", "next_seed", "version"])
        announce_table(locked)
        invitations.announce_again(table=locked, again=again, user=user)
    return again


def note_account_gone(user_pk: int) -> None:
    """Announce a change at the tables of an account that is about to be deleted.

    The account's seats will have no player.
    """
    theirs = Table.objects.filter(Q(seats__user=user_pk) | Q(substitutes__user=user_pk))
    for table in Table.objects.select_for_update().filter(pk__in=theirs.values("pk")):
        table.version += 1
        table.save(update_fields=["version"])
        announce_table(table)


def close_forgotten_tables() -> int:
    """Close tables that gather in vain. Return how many.

    They have gathered for half a day, or are public and no player has been there for some minutes.
    Scheduled tables close by their date: see `appointments.settle_due`.
    """
    closed = 0
    now = timezone.now()
    is_left = Q(empty_since__lt=now - _LEFT_AFTER)
    plays_now = Q(visibility=Visibility.PUBLIC) & ~Q(pace=Pace.DAILY)
    old = Table.objects.filter(
        Q(created_at__lt=now - _FORGOTTEN_AFTER) | plays_now & is_left,
        stage=Table.Stage.OPEN,
        scheduled_at__isnull=True,
        frozen_at__isnull=True,
    )
    for table in old:
        with transaction.atomic():
            # A player may have come back, or a moderator frozen the table.
            locked = old.select_for_update().filter(pk=table.pk).first()
            if locked is not None:
                locked.stage = Table.Stage.CLOSED
                save_changes(locked)
                closed += 1
    return closed


def _open(
    *,
    host: User,
    terms: Terms,
    seed: bytes | None,
    contribution_hash: str,
    password: str = "",
    key: str | None = None,
    place: int = 0,
    scheduled_at: datetime | None = None,
) -> Table:
    """Open a table and seat its host. Raises Refused.

    `seed` is None if the page of the form was out of date. Then the table gets a new seed and the
    hash, which the browser drew for the old one, is ignored: the table's page asks for another.
    """
    site.refuse_opening()
    if terms.is_blind and terms.joiners == Joiners.FRIENDS:
        raise Refused(Refusal.BLIND_FRIENDS)
    if seed is None:
        seed, contribution_hash = new_seed(), ""
    table = Table.objects.create(
        host=host,
        password=password,
        opening_key=key,
        seed=seed,
        scheduled_at=scheduled_at,
        reminds_at=next_reminder(scheduled_at, timezone.now()) if scheduled_at else None,
        **terms.columns(),
    )
    number = secrets.randbelow(table.seats_wanted) if table.is_blind else place
    _seat(table, [], number=number, user=host, contribution_hash=contribution_hash)
    announce_lobby()
    return table


def _seat_bots_of(terms: Terms, table: Table, host: User) -> None:
    """Seat the bots of the terms on random seats of a new table."""
    seats = list(table.seats.all())
    free = _free_numbers(table, seats)
    numbers = secrets.SystemRandom().sample(free, min(terms.bots, len(free)))
    wish = BotWish(terms.bot, Level(terms.bot_level))
    seat_bots(table, seats, dict.fromkeys(sorted(numbers), wish))
    ready.note_seats(table, sat=host)
    table.save()


def _opening_key(host: User, key: str, terms: Terms, scheduled_at: datetime | None) -> str | None:
    """Return a digest of the key, host, terms and date. An edited form opens another table."""
    if not key:
        return None
    asked = f"{host.pk} {key} {sorted(terms.json().items())}"
    if scheduled_at is not None:
        asked += f" {scheduled_at.timestamp()}"
    return blake2b(asked.encode(), digest_size=16).hexdigest()


def _asks(terms: Terms) -> bool:
    """Return whether the table can require a password, which only private tables do."""
    return terms.visibility == Visibility.PRIVATE


def _check_hosts_few(host: User) -> None:
    """Check the limit of hosted tables. The caller has locked the host's row. Raises Refused."""
    if not settings.HOSTED_TABLES:
        return
    waiting = host.hosted_tables.filter(stage=Table.Stage.OPEN).exclude(IS_AHEAD)
    if waiting.count() >= settings.HOSTED_TABLES:
        raise Refused(Refusal.HOSTS_ENOUGH)


def _free_numbers(table: Table, seats: list[Seat]) -> list[int]:
    taken = {seat.number for seat in seats}
    return [number for number in range(table.seats_wanted) if number not in taken]


def _sit(
    table: Table,
    seats: list[Seat],
    *,
    user: User,
    contribution_hash: str,
    place: int | None = None,
) -> None:
    """Seat `user` at a locked table, on `place` if it is free.

    Raises Refused: FULL, or as `same_person.refuse_seat`.
    """
    free = _free_numbers(table, seats)
    if not free:
        raise Refused(Refusal.FULL)
    same_person.refuse_seat(table=table, user=user)
    if table.is_blind:
        place = free[secrets.randbelow(len(free))]
    else:
        rename_bot(seats, user.username)
    number = place if place in free else free[0]
    _seat(table, seats, number=number, user=user, contribution_hash=contribution_hash)
    ready.note_seats(table, sat=user)
    save_changes(table)


def _seat(
    table: Table, seats: list[Seat], *, number: int, user: User, contribution_hash: str
) -> None:
    """Give `user` the seat, and end their search for a game if they can play it now.

    Raises Refused as `check_standing` and `check_games_few`.
    """
    check_standing(table=table, user=user)
    check_games_few(user)
    seat = Seat(
        table=table,
        number=number,
        user=user,
        name=pseudonyms.new_pseudonym(seats) if table.is_blind else user.username,
        contribution_hash=sealing.read_hex(contribution_hash),
    )
    if seat.contribution_hash:
        # The browser keeps the contribution until the hashes are frozen.
        seat.contribution = ""
    seat.save()
    invitations.note_seated(table=table, user=user)
    if not table.is_ahead:
        # A seat for another day ends no search for a game now.
        game_requests.note_seated(user=user, table=table)


def _as_before(seat: Seat) -> BotWish:
    # Kinds may have gone from the program since.
    kind = seat.bot if seat.bot in bots.names() else ""
    return BotWish(kind, Level(seat.level), seat.name)
