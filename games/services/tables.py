"""Tables: opening, gathering people and bots, starting, and playing again."""

import secrets
from dataclasses import replace
from datetime import timedelta
from hashlib import blake2b, sha256
from typing import Final

from django.conf import settings
from django.contrib.auth.hashers import make_password
from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from accounts.models import User, name_key
from games.models import Joiners, Pace, Seat, Table, Terms, Visibility, new_contribution
from games.refusals import Refusal, Refused
from games.rules.chance import CONTRIBUTION_BYTES
from games.services import blind, invitations, ready, site
from games.services.gathering import begin, changed, gathering, hand_over
from games.services.hosting import refuse_who_was_kicked
from games.services.joining import check_may_join, check_standing
from games.services.live import announce_lobby, announce_table

# First names of the time, each by its own at a table.
BOT_NAMES: Final = (
    "Otto", "Frieda", "Emil", "Greta", "Anton", "Lotte", "Hugo", "Ida", "Kurt", "Elsa",
    "Bruno", "Klara", "Fritz", "Martha", "Oskar", "Paula", "Max", "Hedwig", "Georg", "Anna",
)  # fmt: skip
QUICK_GAME_PLAYERS: Final = 7
_FORGOTTEN_AFTER: Final = timedelta(hours=12)


def open_table(
    *, host: User, terms: Terms, contribution: str = "", password: str = "", key: str = ""
) -> Table:
    """A new table with its host seated. The seal's seed is drawn here, before anybody sits.

    The same `key` of a form with the same terms opens one table, however often it is sent.
    Raises Refused: HOSTS_ENOUGH, where the host has settings.HOSTED_TABLES that wait for
    players, BLIND_FRIENDS, or as `site.refuse_opening`.
    """
    with transaction.atomic():
        # Two forms at once must not both find room, nor one form sent twice.
        User.objects.select_for_update(no_key=True).get(pk=host.pk)
        full_key = _opening_key(host, key, terms)
        opened = Table.objects.filter(opening_key=full_key).first() if full_key else None
        if opened is not None:
            return opened
        _check_hosts_few(host)
        hashed = make_password(password) if password and _asks(terms) else ""
        return _open(
            host=host, terms=terms, password=hashed, key=full_key, contribution=contribution
        )


def join_table(*, table: Table, user: User, contribution: str = "") -> None:
    """Seats `user` on the first free place.

    `contribution` is the player's part of the seal, 32 hex digits; the server draws it where
    it is missing or malformed. Raises Refused: NOT_OPEN, ALREADY_SEATED, KICKED, FULL, or as
    `check_may_join`.
    """
    with transaction.atomic():
        locked, seats = gathering(table)
        if any(seat.user_id == user.pk for seat in seats):
            raise Refused(Refusal.ALREADY_SEATED)
        refuse_who_was_kicked(table=locked, user=user)
        check_may_join(table=locked, user=user)
        _sit(locked, seats, user=user, contribution=contribution)


def leave_table(*, table: Table, user: User, when_frozen: bool = False) -> None:
    """Frees the seat of `user`; a host hands over, and without people a table closes.

    An account that goes does not wait for a thaw. Raises Refused.
    """
    with transaction.atomic():
        locked, seats = gathering(table, when_frozen=when_frozen)
        own = [seat for seat in seats if seat.user_id == user.pk]
        if not own:
            raise Refused(Refusal.NOT_SEATED)
        own[0].delete()
        hand_over(locked, [seat for seat in seats if seat.user_id != user.pk])
        ready.note_seats(locked)
        changed(locked)


def close_table(*, table: Table, user: User) -> None:
    """The host gives the table up before it starts. Raises Refused."""
    with transaction.atomic():
        locked, _ = gathering(table, host=user)
        locked.stage = Table.Stage.CLOSED
        changed(locked)


def fill_with_bots(*, table: Table, user: User) -> None:
    """The host seats a bot on every free place. Raises Refused."""
    with transaction.atomic():
        locked, seats = gathering(table, host=user)
        free = _free_numbers(locked, seats)
        if not free:
            raise Refused(Refusal.FULL)
        _seat_bots(locked, seats, free)
        ready.note_seats(locked, sat=user)
        changed(locked)


def start_game(*, table: Table, user: User) -> None:
    """The host starts: the cards are dealt from the seal. Raises Refused."""
    with transaction.atomic():
        locked, seats = gathering(table, host=user)
        if len(seats) < locked.least:
            raise Refused(Refusal.TOO_FEW)
        site.refuse_beginning()
        begin(locked, seats)
        changed(locked)


def quick_game(*, user: User, edition: str, contribution: str = "") -> Table:
    """A private, untimed table of one person and bots, already started. Raises Refused."""
    least, most = Table(edition=edition).options.players
    terms = Terms(
        edition=edition,
        seats_wanted=max(least, min(QUICK_GAME_PLAYERS, most)),
        pace=Pace.UNTIMED,
        visibility=Visibility.PRIVATE,
    )
    with transaction.atomic():
        table = _open(host=user, terms=terms, contribution=contribution)
        fill_with_bots(table=table, user=user)
        start_game(table=table, user=user)
    table.refresh_from_db()
    return table


def play_again(*, table: Table, user: User, contribution: str = "") -> Table:
    """The table at which the same people gather again: opened by the first who asks.

    It has the same terms, bots come along, and everybody sits one seat further, so that
    another begins; at a blind table anywhere, or the seats would say who is who. Raises
    Refused: NOT_OVER, NOT_SEATED, HOSTS_ENOUGH, as `site.refuse_opening`, or as `join_table`
    where the new table has started without `user`.
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
                # Whoever may join a new table, these people have come together already.
                new, taken = gathering(again)
                refuse_who_was_kicked(table=new, user=user)
                _sit(new, taken, user=user, contribution=contribution, place=place)
            return again
        User.objects.select_for_update(no_key=True).get(pk=user.pk)
        _check_hosts_few(user)
        terms = Terms.of(locked, seats_wanted=len(seats))
        terms = replace(terms, least_seats=min(terms.least_seats, len(seats)))
        again = _open(
            host=user,
            terms=terms,
            password=locked.password,
            contribution=contribution,
            place=place,
        )
        bots = [(seat.number + 1) % len(seats) for seat in seats if seat.is_bot]
        present = list(again.seats.all())
        free = _free_numbers(again, present)
        _seat_bots(again, present, free[-len(bots) :] if again.is_blind and bots else bots)
        ready.note_seats(again, sat=user)
        again.save()
        locked.next_table = again
        locked.version += 1
        locked.save(update_fields=["next_table", "version"])
        announce_table(locked)
        invitations.announce_again(table=locked, again=again, user=user)
    return again


def note_account_gone(user_pk: int) -> None:
    """For the moment before an account is deleted: its seats are nobody's from now on."""
    theirs = Table.objects.filter(Q(seats__user=user_pk) | Q(substitutes__user=user_pk))
    for table in Table.objects.select_for_update().filter(pk__in=theirs.values("pk")):
        table.version += 1
        table.save(update_fields=["version"])
        announce_table(table)


def close_forgotten_tables() -> int:
    """Closes tables that gathered for half a day and did not start. Returns how many."""
    closed = 0
    old = Table.objects.filter(
        stage=Table.Stage.OPEN,
        created_at__lt=timezone.now() - _FORGOTTEN_AFTER,
        frozen_at__isnull=True,
    )
    for table in old:
        with transaction.atomic():
            locked = Table.objects.select_for_update().get(pk=table.pk)
            if locked.stage == Table.Stage.OPEN and not locked.is_frozen:
                locked.stage = Table.Stage.CLOSED
                changed(locked)
                closed += 1
    return closed


def _open(
    *,
    host: User,
    terms: Terms,
    contribution: str,
    password: str = "",
    key: str | None = None,
    place: int = 0,
) -> Table:
    """Raises Refused."""
    site.refuse_opening()
    if terms.is_blind and terms.joiners == Joiners.FRIENDS:
        raise Refused(Refusal.BLIND_FRIENDS)
    table = Table.objects.create(host=host, password=password, opening_key=key, **terms.columns())
    number = secrets.randbelow(table.seats_wanted) if table.is_blind else place
    _seat(table, [], number=number, user=host, contribution=contribution)
    announce_lobby()
    return table


def _opening_key(host: User, key: str, terms: Terms) -> str | None:
    """Counts together with who asks and what for: a page that was changed asks for another."""
    if not key:
        return None
    asked = f"{host.pk} {key} {sorted(terms.columns().items())}"
    return blake2b(asked.encode(), digest_size=16).hexdigest()


def _asks(terms: Terms) -> bool:
    """Whether there is a door at which a password could be asked for."""
    return terms.visibility == Visibility.PRIVATE


def _check_hosts_few(host: User) -> None:
    """Raises Refused. The host's row is locked by then."""
    if not settings.HOSTED_TABLES:
        return
    if host.hosted_tables.filter(stage=Table.Stage.OPEN).count() >= settings.HOSTED_TABLES:
        raise Refused(Refusal.HOSTS_ENOUGH)


def _free_numbers(table: Table, seats: list[Seat]) -> list[int]:
    taken = {seat.number for seat in seats}
    return [number for number in range(table.seats_wanted) if number not in taken]


def _sit(
    table: Table, seats: list[Seat], *, user: User, contribution: str, place: int | None = None
) -> None:
    """Seats somebody at a locked table, on `place` where it is free. Raises Refused: FULL."""
    free = _free_numbers(table, seats)
    if not free:
        raise Refused(Refusal.FULL)
    if table.is_blind:
        place = free[secrets.randbelow(len(free))]
    else:
        _rename_bot(seats, user.username)
    number = place if place in free else free[0]
    _seat(table, seats, number=number, user=user, contribution=contribution)
    ready.note_seats(table, sat=user)
    changed(table)


def _seat(table: Table, seats: list[Seat], *, number: int, user: User, contribution: str) -> None:
    """Raises Refused: as `check_standing`."""
    check_standing(table=table, user=user)
    Seat.objects.create(
        table=table,
        number=number,
        user=user,
        name=blind.new_pseudonym(seats) if table.is_blind else user.username,
        contribution=_checked(contribution),
    )


def _checked(contribution: str) -> str:
    try:
        is_ours = len(contribution) == len(bytes.fromhex(contribution).hex()) == 32
    except ValueError:
        is_ours = False
    return contribution.lower() if is_ours else new_contribution()


def _seat_bots(table: Table, seats: list[Seat], numbers: list[int]) -> None:
    names = _free_names(seats)
    for number in numbers:
        name = names.pop(secrets.randbelow(len(names)))
        Seat.objects.create(
            table=table,
            number=number,
            bot=Seat.Bot.CAUTIOUS,
            name=name,
            contribution=bot_contribution(table, number),
        )


def _rename_bot(seats: list[Seat], name: str) -> None:
    """A person of that name sits down: no two at a table are called alike."""
    for seat in seats:
        if seat.is_bot and name_key(seat.name) == name_key(name):
            seat.name = new_bot_name(seats)
            seat.save(update_fields=["name"])


def _free_names(seats: list[Seat]) -> list[str]:
    taken = {name_key(seat.name) for seat in seats}
    return [name for name in BOT_NAMES if name_key(name) not in taken]


def new_bot_name(seats: list[Seat]) -> str:
    """A name by chance for a bot that nobody at the table has."""
    names = _free_names(seats)
    return names[secrets.randbelow(len(names))]


def bot_contribution(table: Table, number: int) -> str:
    """A bot's part of the seal follows from what is public: nobody can choose it to their ends."""
    public = f"{table.commitment}:bot:{number}".encode("ascii")
    return sha256(public).hexdigest()[: 2 * CONTRIBUTION_BYTES]
