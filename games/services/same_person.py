"""Checks that one person takes only one part in a game, with however many accounts.

Which accounts are one person's is decided by `accounts_of_same_person`: browsers and the owners of
bot accounts tell. What is stored at sign-ins (`accounts.auth.devices`) counts, so the checks also
work when an account acts from another browser. The refusals name no account and no reason: the
user learns only that they cannot take part.
"""

from collections.abc import Collection

from django.db.models import Exists, OuterRef, Q

from accounts.models import User
from accounts.services.signals import accounts_at_addresses_of, accounts_of_same_person
from games.models import CaseStep, Guest, Kick, Sat, Substitute, Table
from games.wording.refusals import Refusal, Refused


def refuse_seat(
    *, table: Table, user: User, joins_list: bool = False, besides: int | None = None
) -> None:
    """Refuse a second account a seat, or with `joins_list` a place on the waiting list.

    Raises Refused: NOT_FOR_YOU, if another account of the person has ever had a seat at the table,
    was removed from it, heard its gallery, or handled a case about it; with `joins_list` also if
    one waits. The account `besides`, which gives its seat to `user`, does not count.
    """
    of_table = Q(table=table, user=OuterRef("pk"))
    takes_part = Q(Exists(Sat.objects.filter(of_table))) | Q(Exists(Guest.objects.filter(of_table)))
    takes_part |= Q(Exists(Kick.objects.filter(of_table))) | _judges(table)
    if joins_list:
        takes_part |= Q(Exists(Substitute.objects.filter(of_table)))
    _refuse(user, takes_part & ~Q(pk=besides), Refusal.NOT_FOR_YOU)


def refuse_gallery(*, table: Table, user: User, speaks: bool = False) -> None:
    """Refuse a second account the gallery of a running game, where the dead talk.

    Raises Refused: GALLERY_BLIND at a blind table, where another answer would tell a household
    who plays there; NOT_FOR_YOU, if the account is younger than the game or shares an address with
    a player, or if another account of the person has ever had a seat at the table, or waits for
    one; if the guest `speaks`, also if one has handled a case about the table.
    """
    if table.stage != Table.Stage.RUNNING:
        return
    if table.is_blind:
        raise Refused(Refusal.GALLERY_BLIND)
    players = table.seats.exclude(user=None).exclude(user=user).values("user")
    is_near = accounts_at_addresses_of(players).filter(user=user).exists()
    if is_near or user.date_joined >= table.game.started_at:
        raise Refused(Refusal.NOT_FOR_YOU)
    of_table = Q(table=table, user=OuterRef("pk"))
    sat, waits = Sat.objects.filter(of_table), Substitute.objects.filter(of_table)
    takes_part = Q(Exists(sat)) | Q(Exists(waits))
    if speaks:
        takes_part |= _judges(table)
    _refuse(user, takes_part, Refusal.NOT_FOR_YOU)


def refuse_vote(*, user: User, concerned: Collection[int | None]) -> None:
    """Refuse a second account a vote on a motion.

    `concerned` are the accounts that have voted already and the one that would get the seat.
    Raises Refused: NO_VOTE, if one of them is another account of the person.
    """
    others = {pk for pk in concerned if pk is not None} - {user.pk}
    if others:
        _refuse(user, Q(pk__in=others), Refusal.NO_VOTE)


def _judges(table: Table) -> Q:
    steps = CaseStep.objects.filter(Q(by=OuterRef("pk")) | Q(to=OuterRef("pk")), case__table=table)
    return Q(Exists(steps))


def _refuse(user: User, takes_part: Q, refusal: Refusal) -> None:
    if User.objects.filter(takes_part, pk__in=accounts_of_same_person(user.pk)).exists():
        raise Refused(refusal)
