"""Who stands behind a socket, by the session that opened it."""

from collections.abc import Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import Any

from django.conf import settings
from django.contrib.auth import HASH_SESSION_KEY, SESSION_KEY, get_user_model
from django.contrib.sessions.models import Session
from django.utils import timezone
from django.utils.crypto import constant_time_compare

from accounts.models import User
from accounts.sanctions import may_enter


class NoLongerAllowed(Exception):
    """The session has ended, or its account may not be used any more."""


@dataclass(frozen=True, slots=True)
class Wishes:
    """What a viewer's own settings and rights change of what they see at one table."""

    # Whom they do not want to hear: here, and anywhere. By primary key, in its order.
    muted: tuple[int, ...] = ()
    blocked: tuple[int, ...] = ()
    # Whether rude words are masked.
    masks: bool = False
    # Their number in the gallery of this table; None for who has not gone up to it.
    guest: int | None = None
    # Whether they may take messages away.
    may_remove: bool = False
    # Whether they may keep order here: `services.order`.
    keeps_order: bool = False
    # Whether moderators have closed the chat to them.
    is_gagged: bool = False

    @property
    def unheard(self) -> tuple[int, ...]:
        return tuple(sorted({*self.muted, *self.blocked}))


@dataclass(frozen=True, slots=True, eq=False)
class Viewer:
    """Who looks, and how: what a socket keeps of its person for as long as it is open."""

    # None for who is not signed in.
    user_pk: int | None
    session_key: str | None
    language: str
    # The private tables whose invitation they hold.
    invited: tuple[int, ...]
    # Of the page that opened the socket, for links.
    origin: str
    # As they were when the socket opened; `services.live.announce_wishes` has it come back.
    wishes: Wishes = Wishes()


def session_of(session_key: str | None) -> tuple[User | None, dict[str, Any]]:
    """Whose session this is now, and its data. Raises NoLongerAllowed where it has ended."""
    if session_key is None:
        return None, {}
    data = import_module(settings.SESSION_ENGINE).SessionStore(session_key).load()
    if SESSION_KEY not in data:
        return None, data
    user = get_user_model().objects.filter(pk=data[SESSION_KEY]).first()
    if user is None or not _may_use(user, data):
        raise NoLongerAllowed
    return user, data


def still_signed_in(viewers: Sequence[Viewer]) -> list[bool]:
    """For each viewer, whether the session still is that person's; two statements for all."""
    keys = {viewer.session_key for viewer in viewers if viewer.user_pk is not None}
    sessions = {
        session.session_key: session.get_decoded()
        for session in Session.objects.filter(session_key__in=keys, expire_date__gt=timezone.now())
    }
    users = get_user_model().objects.in_bulk(
        {viewer.user_pk for viewer in viewers if viewer.user_pk is not None}
    )

    def is_theirs(viewer: Viewer) -> bool:
        if viewer.user_pk is None:
            return True
        user = users.get(viewer.user_pk)
        data = sessions.get(viewer.session_key, {})
        is_same = data.get(SESSION_KEY) == str(viewer.user_pk)
        return user is not None and is_same and _may_use(user, data)

    return [is_theirs(viewer) for viewer in viewers]


def _may_use(user: User, data: dict[str, Any]) -> bool:
    known = data.get(HASH_SESSION_KEY, "")
    if not may_enter(user, timezone.now()):
        # Suspended, banned, or warned and yet to read it: no page shows anything else either.
        return False
    return user.is_active and constant_time_compare(known, user.get_session_auth_hash())
