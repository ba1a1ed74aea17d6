"""Tables: opening, gathering people and bots, starting, and playing again."""

import secrets
from collections.abc import Mapping
from datetime import timedelta
from hashlib import sha256
from typing import Final

from django.conf import settings
from django.db import transaction
from django.utils import timezone

from accounts.models import User, name_key
from games.models import Game, Pace, Seat, Table, Visibility, new_contribution
from games.positions import position_of
from games.refusals import Refusal, Refused
from games.rules.chance import CONTRIBUTION_BYTES
from games.services import deadlines
from games.services.live import announce_lobby, announce_table

# First names of the time, each by its own at a table.
BOT_NAMES: Final = (
    "Otto", "Frieda", "Emil", "Greta", "Anton", "Lotte", "Hugo", "Ida", "Kurt", "Elsa",
    "Bruno", "Klara", "Fritz", "Martha", "Oskar", "Paula", "Max", "Hedwig", "Georg", "Anna",
)  # fmt: skip
QUICK_GAME_PLAYERS: Final = 7
_FORGOTTEN_AFTER: Final = timedelta(hours=12)


def open_table(
    *,
    host: User,
    edition: str,
    house_rules: Mapping[str, object] | None = None,
    seats_wanted: int,
    pace: Pace,
    visibility: Visibility = Visibility.PUBLIC,
    contribution: str = "",
) -> Table:
    """A new table with its host seated. The seal's seed is drawn here, before anybody sits.

    Raises Refused: HOSTS_ENOUGH, where the host has settings.HOSTED_TABLES that wait for players.
    """
    with transaction.atomic():
        _check_hosts_few(host)
        return _open(
            host=host,
            edition=edition,
            house_rules=house_rules,
            seats_wanted=seats_wanted,
            pace=pace,
            visibility=visibility,
            contribution=contribution,
        )


def join_table(*, table: Table, user: User, contribution: str = "") -> None:
    """Seats `user` on the first free place. Raises Refused: NOT_OPEN, ALREADY_SEATED or FULL.

    `contribution` is the player's part of the seal, 32 hex digits; the server draws it where
    it is missing or malformed.
    """
    with transaction.atomic():
        locked, seats = _gathering(table)
        if any(seat.user_id == user.pk for seat in seats):
            raise Refused(Refusal.ALREADY_SEATED)
        free = _free_numbers(locked, seats)
        if not free:
            raise Refused(Refusal.FULL)
        _rename_bot(seats, user.username)
        _seat(locked, number=free[0], user=user, contribution=contribution)
        _changed(locked)


def leave_table(*, table: Table, user: User) -> None:
    """Frees the seat of `user`; a host hands over, and without people a table closes.

    Raises Refused.
    """
    with transaction.atomic():
        locked, seats = _gathering(table)
        own = [seat for seat in seats if seat.user_id == user.pk]
        if not own:
            raise Refused(Refusal.NOT_SEATED)
        own[0].delete()
        people = [seat for seat in seats if seat.user_id not in (None, user.pk)]
        if not people:
            locked.stage = Table.Stage.CLOSED
        elif locked.host_id == user.pk:
            locked.host_id = people[0].user_id
        _changed(locked)


def close_table(*, table: Table, user: User) -> None:
    """The host gives the table up before it starts. Raises Refused."""
    with transaction.atomic():
        locked, _ = _gathering(table, host=user)
        locked.stage = Table.Stage.CLOSED
        _changed(locked)


def fill_with_bots(*, table: Table, user: User) -> None:
    """The host seats a bot on every free place. Raises Refused."""
    with transaction.atomic():
        locked, seats = _gathering(table, host=user)
        free = _free_numbers(locked, seats)
        if not free:
            raise Refused(Refusal.FULL)
        _seat_bots(locked, seats, free)
        _changed(locked)


def start_game(*, table: Table, user: User) -> None:
    """The host starts: the cards are dealt from the seal. Raises Refused."""
    with transaction.atomic():
        locked, seats = _gathering(table, host=user)
        if len(seats) < locked.options.players[0]:
            raise Refused(Refusal.TOO_FEW)
        _start(locked, seats)
        _changed(locked)


def quick_game(*, user: User, edition: str, contribution: str = "") -> Table:
    """A private, untimed table of one person and bots, already started."""
    least, most = Table(edition=edition).options.players
    with transaction.atomic():
        table = _open(
            host=user,
            edition=edition,
            seats_wanted=max(least, min(QUICK_GAME_PLAYERS, most)),
            pace=Pace.UNTIMED,
            visibility=Visibility.PRIVATE,
            contribution=contribution,
        )
        fill_with_bots(table=table, user=user)
        start_game(table=table, user=user)
    table.refresh_from_db()
    return table


def play_again(*, table: Table, user: User, contribution: str = "") -> Table:
    """The table at which the same people gather again: opened by the first who asks.

    Bots come along. Raises Refused: NOT_OVER, NOT_SEATED, as `open_table`, or as `join_table`
    where the new table has started without `user`.
    """
    with transaction.atomic():
        locked = Table.objects.select_for_update().get(pk=table.pk)
        if locked.stage != Table.Stage.OVER:
            raise Refused(Refusal.NOT_OVER)
        seats = list(locked.seats.all())
        if all(seat.user_id != user.pk for seat in seats):
            raise Refused(Refusal.NOT_SEATED)
        again = locked.next_table
        if again is not None and again.stage != Table.Stage.CLOSED:
            if not again.seats.filter(user=user).exists():
                join_table(table=again, user=user, contribution=contribution)
            return again
        again = open_table(
            host=user,
            edition=locked.edition,
            house_rules=locked.house_rules,
            seats_wanted=len(seats),
            pace=Pace(locked.pace),
            visibility=Visibility(locked.visibility),
            contribution=contribution,
        )
        bots = sum(1 for seat in seats if seat.is_bot)
        _seat_bots(again, list(again.seats.all()), list(range(len(seats) - bots, len(seats))))
        locked.next_table = again
        locked.version += 1
        locked.save(update_fields=["next_table", "version"])
        announce_table(locked)
    return again


def note_account_gone(user_pk: int) -> None:
    """For the moment before an account is deleted: its seats are nobody's from now on."""
    for table in Table.objects.select_for_update().filter(seats__user=user_pk):
        table.version += 1
        table.save(update_fields=["version"])
        announce_table(table)


def close_forgotten_tables() -> int:
    """Closes tables that gathered for half a day and did not start. Returns how many."""
    closed = 0
    old = Table.objects.filter(
        stage=Table.Stage.OPEN, created_at__lt=timezone.now() - _FORGOTTEN_AFTER
    )
    for table in old:
        with transaction.atomic():
            locked = Table.objects.select_for_update().get(pk=table.pk)
            if locked.stage == Table.Stage.OPEN:
                locked.stage = Table.Stage.CLOSED
                _changed(locked)
                closed += 1
    return closed


def _open(
    *,
    host: User,
    edition: str,
    house_rules: Mapping[str, object] | None = None,
    seats_wanted: int,
    pace: Pace,
    visibility: Visibility,
    contribution: str,
) -> Table:
    table = Table.objects.create(
        host=host,
        edition=edition,
        house_rules=dict(house_rules or {}),
        seats_wanted=seats_wanted,
        pace=pace,
        visibility=visibility,
    )
    _seat(table, number=0, user=host, contribution=contribution)
    announce_lobby()
    return table


def _check_hosts_few(host: User) -> None:
    """Raises Refused."""
    if not settings.HOSTED_TABLES:
        return
    # Two forms at once must not both find room.
    User.objects.select_for_update(no_key=True).get(pk=host.pk)
    if host.hosted_tables.filter(stage=Table.Stage.OPEN).count() >= settings.HOSTED_TABLES:
        raise Refused(Refusal.HOSTS_ENOUGH)


def _gathering(table: Table, host: User | None = None) -> tuple[Table, list[Seat]]:
    """Locks a table that still gathers, for its host where one is named. Raises Refused."""
    locked = Table.objects.select_for_update().get(pk=table.pk)
    if host is not None and locked.host_id != host.pk:
        raise Refused(Refusal.NOT_HOST)
    if locked.stage != Table.Stage.OPEN:
        raise Refused(Refusal.NOT_OPEN)
    return locked, list(locked.seats.all())


def _changed(table: Table) -> None:
    table.version += 1
    table.save()
    announce_table(table)
    announce_lobby()


def _free_numbers(table: Table, seats: list[Seat]) -> list[int]:
    taken = {seat.number for seat in seats}
    return [number for number in range(table.seats_wanted) if number not in taken]


def _seat(table: Table, *, number: int, user: User, contribution: str) -> None:
    Seat.objects.create(
        table=table,
        number=number,
        user=user,
        name=user.username,
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
            contribution=_bot_contribution(table, number),
        )


def _rename_bot(seats: list[Seat], name: str) -> None:
    """A person of that name sits down: no two at a table are called alike."""
    for seat in seats:
        if seat.is_bot and name_key(seat.name) == name_key(name):
            names = _free_names(seats)
            seat.name = names[secrets.randbelow(len(names))]
            seat.save(update_fields=["name"])


def _free_names(seats: list[Seat]) -> list[str]:
    taken = {name_key(seat.name) for seat in seats}
    return [name for name in BOT_NAMES if name_key(name) not in taken]


def _bot_contribution(table: Table, number: int) -> str:
    """A bot's part of the seal follows from what is public: nobody can choose it to their ends."""
    public = f"{table.commitment}:bot:{number}".encode("ascii")
    return sha256(public).hexdigest()[: 2 * CONTRIBUTION_BYTES]


def _start(table: Table, seats: list[Seat]) -> None:
    # Close the gaps: seats count from 0 round the table. Numbers only fall, so none collide.
    for number, seat in enumerate(seats):
        if seat.number != number:
            seat.number = number
            seat.save(update_fields=["number"])
    table.stage = Table.Stage.RUNNING
    game = Game(table=table, players=len(seats))
    game.save()
    deadlines.set_alarms(
        game,
        Pace(table.pace),
        seats,
        position_of(game),
        now=timezone.now(),
        is_new_decision=True,
    )
    game.save()
