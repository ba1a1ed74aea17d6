"""The user behind a socket, found by the session that opened it."""

from collections.abc import Sequence
from importlib import import_module
from typing import Any

from django.conf import settings
from django.contrib.auth import HASH_SESSION_KEY, SESSION_KEY, get_user_model
from django.contrib.sessions.models import Session
from django.utils import timezone
from django.utils.crypto import constant_time_compare

from accounts.models import User
from accounts.moderation.sanctions import may_enter
from games.state.viewer import Viewer


class NoLongerAllowed(Exception):
    """The session has ended, or its account may no longer be used."""


def session_of(session_key: str | None) -> tuple[User | None, dict[str, Any]]:
    """Return the session's user and data. Raises NoLongerAllowed if the session has ended."""
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
    """Return for each viewer whether the session is still valid and theirs. Two queries for all."""
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
        data = sessions.get(viewer.session_key or "", {})
        is_same = data.get(SESSION_KEY) == str(viewer.user_pk)
        return user is not None and is_same and _may_use(user, data)

    return [is_theirs(viewer) for viewer in viewers]


def _may_use(user: User, data: dict[str, Any]) -> bool:
    known = data.get(HASH_SESSION_KEY, "")
    if not may_enter(user, timezone.now()):
        # Suspended, banned, or with an unread warning: no page shows such users anything else
        # either.
        return False
    return user.is_active and constant_time_compare(known, user.get_session_auth_hash())
