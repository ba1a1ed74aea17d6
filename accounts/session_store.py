"""settings.SESSION_ENGINE: Django's sessions in the database, loaded by a compiled query."""

from django.contrib.sessions.backends import db
from django.contrib.sessions.models import Session
from django.utils import timezone

from config.compiled import Compiled

_sessions = Compiled(lambda key: Session.objects.filter(session_key=key))


class SessionStore(db.SessionStore):
    """Django's database sessions, with a compiled query.

    Every request and every socket loads a session.
    """

    def _get_session_from_db(self) -> Session | None:
        session = _sessions.find(self.session_key)
        if session is not None and session.expire_date > timezone.now():
            return session
        self._session_key = None
        return None
