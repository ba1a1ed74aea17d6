"""Breaking the glass: a moderator looks at the hidden cards of a running game once.

Running games are hidden from the staff too. If a moderator has to look anyway, they state a reason;
the look is recorded before anything is shown, and the table is informed at the end.
"""

import logging
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from django.conf import settings
from django.contrib.auth.models import AbstractBaseUser, AnonymousUser
from django.db import transaction
from django.utils import timezone

from accounts.models import User
from accounts.rights import Right, holds_right
from accounts.services.audit import audit_write
from games.judges import cases_taken
from games.models import Look, Table
from games.parties import is_party, seems_party
from games.positions import position_of
from games.refusals import Refusal, Refused
from games.rules.components import Ballot, Policy, Role
from games.rules.state import GameState, Knowledge, Phase
from games.services import play

_HOUR: Final = timedelta(hours=1)

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Disclosure:
    """Everything hidden that has happened so far, at one moment. `roles` is indexed by seat.

    It contains nothing about the future: neither the order of the draw pile nor the seed. Those do
    not help to settle a dispute about what players did.
    """

    at: datetime
    reason: str
    # Number of actions so far.
    length: int
    round: int
    phase: Phase
    alive: tuple[int, ...]
    roles: tuple[Role, ...]
    # The seat that holds policies now, and which; None and () if no seat holds any.
    holder: int | None
    hand: tuple[Policy, ...]
    # The ballots of the running vote, None for seats that have not voted; None if no vote is
    # running.
    ballots: tuple[Ballot | None, ...] | None
    discards: tuple[Policy, ...]
    # Policies drawn, received and peeked at, and investigations, oldest first.
    knowledge: tuple[Knowledge, ...]


def may_look(*, user: AbstractBaseUser | AnonymousUser, table: Table) -> bool:
    """Return whether `user` may break the glass: a moderator who is not a party to the game.

    Parties are users who sit or sat at `table`, also before the game began, and their friends. If
    the table was opened by "play again", this covers all earlier tables too, because the same group
    plays on.
    """
    return holds_right(user, Right.BREAK_GLASS) and not is_party(user.pk, table)


def may_see_glass(*, user: AbstractBaseUser | AnonymousUser, table: Table) -> bool:
    """Return whether `user` sees the page that asks for a reason. Not all who see it may look."""
    return holds_right(user, Right.BREAK_GLASS) and not seems_party(user.pk, table)


def has_looked(*, user: AbstractBaseUser | AnonymousUser, table: Table) -> bool:
    """Return whether `user` has looked at the hidden cards of `table`.

    Such users may not take part there.
    """
    return user.is_authenticated and Look.objects.filter(table=table, moderator=user.pk).exists()


def refuse_who_has_looked(*, user: AbstractBaseUser | AnonymousUser, table: Table) -> None:
    """Check that `user` may get a seat or speak in a running game.

    Raises Refused: HAS_LOOKED, or JUDGES.
    """
    if has_looked(user=user, table=table):
        raise Refused(Refusal.HAS_LOOKED)
    # A moderator with a case about this table reads what its players write about their game.
    if user.is_authenticated and cases_taken(user.pk, table).exists():
        raise Refused(Refusal.JUDGES)


def looks_left(*, user: User, now: datetime | None = None) -> int:
    """Return how many more times `user` may break the glass within the hour."""
    since = (now or timezone.now()) - _HOUR
    done = Look.objects.filter(moderator=user, at__gt=since).count()
    return max(0, int(settings.LOOKS_PER_HOUR) - done)


def look(
    *, table: Table, user: User, reason: str, key: str, now: datetime | None = None
) -> Disclosure:
    """Record that `user` looks at the game and why, and return everything hidden in it.

    `key` comes from the form; each key is good for one look. The look is committed when this
    returns. Raises Refused: NOT_STARTED, NOT_OPEN or GAME_OVER if no game is running,
    GLASS_IS_BROKEN for a used key, TOO_MANY_LOOKS; PermissionError if `may_look` is false.
    """
    # Settle overdue moves first, as for every other viewer of the table.
    play.settle(table.pk)
    now = now or timezone.now()
    with transaction.atomic():
        # Lock the table before its people, as services that give a seat do.
        locked = Table.objects.select_for_update().get(pk=table.pk)
        # Lock the moderator's row, so that two windows cannot pass the limit together.
        User.objects.select_for_update(no_key=True).get(pk=user.pk)
        if not may_look(user=user, table=locked):
            raise PermissionError
        refusal = why_nothing_is_hidden(locked)
        if refusal is None and Look.objects.filter(key=key).exists():
            refusal = Refusal.GLASS_IS_BROKEN
        if refusal is None and not looks_left(user=user, now=now):
            refusal = Refusal.TOO_MANY_LOOKS
        if refusal is not None:
            raise Refused(refusal)
        position = position_of(locked.game)
        Look.objects.create(
            table=locked,
            moderator=user,
            reason=reason,
            length=position.length,
            round=position.state.round,
            at=now,
            key=key,
        )
        audit_write(
            actor=user,
            act="glass_break",
            table=locked.code,
            data={"length": position.length, "reason": reason},
        )
    logger.warning("account %s broke the glass at table %s", user.pk, locked.code)
    return _disclosed(position.state, at=now, reason=reason, length=position.length)


def why_nothing_is_hidden(table: Table) -> Refusal | None:
    """Return why there is nothing to look at, or None if a game is running."""
    match table.stage:
        case Table.Stage.RUNNING:
            return None
        case Table.Stage.OPEN | Table.Stage.SEALING:
            return Refusal.NOT_STARTED
        case Table.Stage.CLOSED:
            return Refusal.NOT_OPEN
        case _:
            return Refusal.GAME_OVER


def _disclosed(state: GameState, *, at: datetime, reason: str, length: int) -> Disclosure:
    """Build the disclosure field by field: anything not named here is not shown."""
    holder = None
    if state.phase is Phase.PRESIDENT_DISCARDS:
        holder = state.president
    elif state.phase in (Phase.CHANCELLOR_ENACTS, Phase.VETO_PROPOSED):
        holder = state.chancellor
    return Disclosure(
        at=at,
        reason=reason,
        length=length,
        round=state.round,
        phase=state.phase,
        alive=state.alive,
        roles=state.setup.roles,
        holder=holder,
        hand=() if holder is None else state.hand,
        ballots=state.ballots if state.phase is Phase.ELECTION else None,
        discards=state.discards,
        knowledge=state.knowledge,
    )
