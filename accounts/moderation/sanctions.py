"""A user's standing: what sanctions deny to the user, as each entry point checks it."""

from dataclasses import dataclass
from datetime import datetime

from accounts.models import Sanction, User

_SHUT = (Sanction.Kind.SUSPENSION, Sanction.Kind.BAN)


@dataclass(frozen=True)
class Standing:
    """The sanctions in force. `warnings` holds only those that have not been read."""

    muted: bool = False
    unrated: bool = False
    shut: bool = False
    warnings: tuple[Sanction, ...] = ()


def standing(user: User, now: datetime) -> Standing:
    """Return the user's standing at `now`, by the times of the sanctions alone. One query."""
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
    """Return whether the site is closed to this user. Makes no query: every request calls it."""
    return user.shut_until is not None and user.shut_until > now


def may_enter(user: User, now: datetime) -> bool:
    """Return whether the user may open any page besides that of their standing.

    False if the user is shut out or has a warning to read. Makes no query.
    """
    return not (user.is_warned or is_shut_out(user, now))
