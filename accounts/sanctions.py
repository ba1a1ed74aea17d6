"""How somebody stands: what sanctions close to them, read by the doors."""

from dataclasses import dataclass
from datetime import datetime

from accounts.models import Sanction, User

_SHUT = (Sanction.Kind.SUSPENSION, Sanction.Kind.BAN)


@dataclass(frozen=True)
class Standing:
    """What is in force. The warnings are those that have not been read."""

    muted: bool = False
    unrated: bool = False
    shut: bool = False
    warnings: tuple[Sanction, ...] = ()


def standing(user: User, now: datetime) -> Standing:
    """How this person stands at this moment, by the clock alone. One statement."""
    running = list(Sanction.objects.running(now).filter(user=user))
    kinds = {sanction.kind for sanction in running}
    warnings = (row for row in running if row.kind == Sanction.Kind.WARNING and not row.read_at)
    return Standing(
        muted=Sanction.Kind.MUTE in kinds,
        unrated=Sanction.Kind.UNRATED in kinds,
        shut=not kinds.isdisjoint(_SHUT),
        warnings=tuple(warnings),
    )


def is_shut_out(user: User, now: datetime) -> bool:
    """Whether the site is closed to this person. No statement: every request asks."""
    return user.shut_until is not None and user.shut_until > now


def may_enter(user: User, now: datetime) -> bool:
    """Whether this person may use anything but the page of their standing: not shut out, and no
    warning waits to be read. No statement."""
    return not (user.is_warned or is_shut_out(user, now))
