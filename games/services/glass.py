"""Breaking the glass: a moderator looks once behind the cards of a running game.

Running games are closed to the staff as to everybody. Where somebody must look all the same,
they say why, it is written down before anything is shown, and the table reads it at the end.
"""

import logging
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final, TypeGuard

from django.conf import settings
from django.contrib.auth.models import AbstractBaseUser, AnonymousUser
from django.db import transaction
from django.utils import timezone

from accounts.models import User
from accounts.services.audit import audit_write
from games.judges import cases_taken
from games.models import Look, Table
from games.parties import is_party, seems_party
from games.positions import position_of
from games.refusals import Refusal, Refused
from games.rules.components import Ballot, Policy, Role
from games.rules.state import GameState, Knowledge, Phase
from games.services import play

PERMISSION: Final = "games.break_glass"
_HOUR: Final = timedelta(hours=1)

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Disclosure:
    """Everything hidden that has happened, at one moment. By seat where it is a tuple of seats.

    What is still to come is not in it, neither the order of the draw pile nor the seed: no
    quarrel about what people did is settled by it.
    """

    at: datetime
    reason: str
    # The actions so far.
    length: int
    round: int
    phase: Phase
    alive: tuple[int, ...]
    roles: tuple[Role, ...]
    # Who holds policies now, and which; None and () where nobody does.
    holder: int | None
    hand: tuple[Policy, ...]
    # The running vote's, None for those who have not voted; None where no vote is running.
    ballots: tuple[Ballot | None, ...] | None
    discards: tuple[Policy, ...]
    # Drawn, received, investigated and peeked at, oldest first.
    knowledge: tuple[Knowledge, ...]


def may_look(*, user: AbstractBaseUser | AnonymousUser, table: Table) -> bool:
    """Whether `user` may break the glass at `table`: a moderator who is no party to the game.

    A party is who sits or sat there, also before the game began, and their friends; where the
    table was gathered by "play again", at any of the tables before it: the same company plays on.
    """
    return _may_break(user) and not is_party(user.pk, table)


def may_see_glass(*, user: AbstractBaseUser | AnonymousUser, table: Table) -> bool:
    """Whether the page that asks why is there for `user`; not all who see it may look."""
    return _may_break(user) and not seems_party(user.pk, table)


def _may_break(user: AbstractBaseUser | AnonymousUser) -> TypeGuard[User]:
    return isinstance(user, User) and user.has_perm(PERMISSION)


def has_looked(*, user: AbstractBaseUser | AnonymousUser, table: Table) -> bool:
    """Whether `user` has looked behind the cards of `table`, and so takes no part there."""
    return user.is_authenticated and Look.objects.filter(table=table, moderator=user.pk).exists()


def refuse_who_has_looked(*, user: AbstractBaseUser | AnonymousUser, table: Table) -> None:
    """For whatever lets somebody take part in a running game: a seat, a word. Raises Refused."""
    if has_looked(user=user, table=table):
        raise Refused(Refusal.HAS_LOOKED)
    # Who has a case reads what its people write of their game.
    if user.is_authenticated and cases_taken(user.pk, table).exists():
        raise Refused(Refusal.JUDGES)


def looks_left(*, user: User, now: datetime | None = None) -> int:
    """How often `user` may still break the glass within the hour."""
    since = (now or timezone.now()) - _HOUR
    done = Look.objects.filter(moderator=user, at__gt=since).count()
    return max(0, int(settings.LOOKS_PER_HOUR) - done)


def look(
    *, table: Table, user: User, reason: str, key: str, now: datetime | None = None
) -> Disclosure:
    """Writes down that `user` looks at the game and why, and tells all that is hidden in it.

    `key` is the form's: each is good for one look. The look is committed when this returns.
    Raises Refused: NOT_STARTED, NOT_OPEN or GAME_OVER where no game is running,
    GLASS_IS_BROKEN for a key used before, TOO_MANY_LOOKS; PermissionError where `may_look`
    is false.
    """
    # What is overdue happens first, as for anybody who looks at the table.
    play.settle(table.pk)
    now = now or timezone.now()
    with transaction.atomic():
        # The moderator's row, so that two windows do not get past the limit together.
        User.objects.select_for_update(no_key=True).get(pk=user.pk)
        locked = Table.objects.select_for_update().get(pk=table.pk)
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
    """Why there is nothing to look at; None where a game is running."""
    match table.stage:
        case Table.Stage.RUNNING:
            return None
        case Table.Stage.OPEN:
            return Refusal.NOT_STARTED
        case Table.Stage.CLOSED:
            return Refusal.NOT_OPEN
        case _:
            return Refusal.GAME_OVER


def _disclosed(state: GameState, *, at: datetime, reason: str, length: int) -> Disclosure:
    """Built up from what happened: what is not named here is not shown."""
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
