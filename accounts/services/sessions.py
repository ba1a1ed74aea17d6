"""Sessions, and accounts whose address was never confirmed."""

from datetime import datetime

from allauth.account.models import EmailAddress
from allauth.usersessions.models import UserSession
from django.conf import settings
from django.contrib.sessions.models import Session
from django.db.models import Exists, OuterRef

from accounts.models import User
from accounts.services.names import HELD_FOR


def end_sessions(*, user: User, only: int | None = None, but: str | None = None) -> int:
    """End sessions of a user and return how many; their sockets close.

    Ends the session of the row `only`, or else all of them, but never the one with the key `but`.
    """
    rows = UserSession.objects.filter(user=user)
    if only is not None:
        rows = rows.filter(pk=only)
    if but is not None:
        rows = rows.exclude(session_key=but)
    ended = list(rows)
    for row in ended:
        row.end()
    return len(ended)


def delete_expired_sessions(*, now: datetime) -> None:
    """Delete expired sessions and the records of sessions that are gone."""
    Session.objects.filter(expire_date__lt=now).delete()
    runs = Session.objects.filter(session_key=OuterRef("session_key"))
    UserSession.objects.filter(~Exists(runs)).delete()


def delete_unconfirmed_accounts(*, now: datetime) -> int:
    """Delete accounts whose address was not confirmed within a day. Return how many.

    Their names and addresses are then free again. Nothing is deleted if the site asks for no
    confirmation, nor is any account that has ever been signed in to.
    """
    if not settings.MAIL_IS_CONFIGURED:
        return 0
    addresses = EmailAddress.objects.filter(user=OuterRef("pk"))
    waiting = User.objects.filter(
        Exists(addresses.filter(verified=False)),
        ~Exists(addresses.filter(verified=True)),
        last_login=None,
        is_staff=False,
        is_superuser=False,
        date_joined__lt=now - HELD_FOR,
    )
    gone = list(waiting)
    for user in gone:
        user.delete()
    return len(gone)
