"""Breaking the glass: a moderator looks at the hidden cards of a running game once.

Running games are hidden from the staff too. If a moderator has to look anyway, they state a reason;
the look is recorded before anything is shown, and the table is informed at the end.
"""

import logging
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final, assert_never

from django.conf import settings
from django.contrib.auth.models import AbstractBaseUser, AnonymousUser
from django.db import transaction
from django.utils import timezone

from accounts.auth.rights import Right, holds_right
from accounts.models import User
from accounts.services.audit import write_audit
from games.models import CardInspection, Table
from games.moderation.case_access import cases_taken
from games.moderation.conflicts_of_interest import is_party, seems_party
from games.rules.view import GlassView, glass_view
from games.services import play
from games.state.positions import position_of
from games.wording.refusals import Refusal, Refused

_HOUR: Final = timedelta(hours=1)

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Disclosure:
    """What a look shows, and why and when it was taken."""

    at: datetime
    reason: str
    # Number of actions so far.
    length: int
    view: GlassView


def may_inspect_cards(*, user: AbstractBaseUser | AnonymousUser, table: Table) -> bool:
    """Return whether `user` may break the glass: a moderator who is not a party to the game.

    Parties are users who sit or sat at `table`, also before the game began, and their friends. If
    the table was opened by "play again", this covers all earlier tables too, because the same group
    plays on.
    """
    return holds_right(user, Right.BREAK_GLASS) and not is_party(user.pk, table)


def may_see_inspections(*, user: AbstractBaseUser | AnonymousUser, table: Table) -> bool:
    """Return whether `user` sees the page that asks for a reason. Not all of them may inspect."""
    return holds_right(user, Right.BREAK_GLASS) and not seems_party(user.pk, table)


def has_inspected(*, user: AbstractBaseUser | AnonymousUser, table: Table) -> bool:
    """Return whether `user` has looked at the hidden cards of `table`.

    Such users may not take part there.
    """
    return (
        user.is_authenticated
        and CardInspection.objects.filter(table=table, moderator=user.pk).exists()
    )


def refuse_inspector(*, user: AbstractBaseUser | AnonymousUser, table: Table) -> None:
    """Check that `user` may get a seat or speak in a running game.

    Raises Refused: HAS_LOOKED, or JUDGES.
    """
    if has_inspected(user=user, table=table):
        raise Refused(Refusal.HAS_LOOKED)
    # A moderator with a case about this table reads what its players write about their game.
    if user.is_authenticated and cases_taken(user.pk, table).exists():
        raise Refused(Refusal.JUDGES)


def inspections_left(*, user: User, now: datetime | None = None) -> int:
    """Return how many more times `user` may break the glass within the hour."""
    since = (now or timezone.now()) - _HOUR
    done = CardInspection.objects.filter(moderator=user, at__gt=since).count()
    return max(0, int(settings.LOOKS_PER_HOUR) - done)


def inspect_cards(
    *, table: Table, user: User, reason: str, key: str, now: datetime | None = None
) -> Disclosure:
    """Record that `user` looks at the game and why, and return everything hidden in it.

    `key` comes from the form; each key is good for one inspection. The look is committed when this
    returns. Raises Refused: NOT_STARTED, NOT_OPEN or GAME_OVER if no game is running,
    GLASS_IS_BROKEN for a used key, TOO_MANY_LOOKS; PermissionError if `may_inspect_cards` is false.
    """
    # Settle overdue moves first, as for every other viewer of the table.
    play.settle(table.pk)
    now = now or timezone.now()
    with transaction.atomic():
        # Lock the table before its people, as services that give a seat do.
        locked = Table.objects.select_for_update().get(pk=table.pk)
        # Lock the moderator's row, so that two windows cannot pass the limit together.
        User.objects.select_for_update(no_key=True).get(pk=user.pk)
        if not may_inspect_cards(user=user, table=locked):
            raise PermissionError
        refusal = reason_nothing_is_hidden(locked)
        if refusal is None and CardInspection.objects.filter(key=key).exists():
            refusal = Refusal.GLASS_IS_BROKEN
        if refusal is None and not inspections_left(user=user, now=now):
            refusal = Refusal.TOO_MANY_LOOKS
        if refusal is not None:
            raise Refused(refusal)
        position = position_of(locked.game)
        CardInspection.objects.create(
            table=locked,
            moderator=user,
            reason=reason,
            length=position.length,
            round=position.state.round,
            at=now,
            key=key,
        )
        write_audit(
            actor=user,
            act="glass_break",
            table=locked.code,
            data={"length": position.length, "reason": reason},
        )
    logger.warning("account %s broke the glass at table %s", user.pk, locked.code)
    return Disclosure(now, reason, position.length, glass_view(position.state))


def reason_nothing_is_hidden(table: Table) -> Refusal | None:
    """Return why there is nothing to look at, or None if a game is running."""
    stage = Table.Stage(table.stage)
    match stage:
        case Table.Stage.RUNNING:
            return None
        case Table.Stage.OPEN | Table.Stage.SEALING:
            return Refusal.NOT_STARTED
        case Table.Stage.CLOSED:
            return Refusal.NOT_OPEN
        case Table.Stage.OVER:
            return Refusal.GAME_OVER
        case _:
            assert_never(stage)
