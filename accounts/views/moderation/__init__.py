"""The moderators' pages, except the queue and the tables, which are in the games app."""

from accounts.views.moderation.appeals import appeal, appeals
from accounts.views.moderation.audit import audit
from accounts.views.moderation.switches import switches
from accounts.views.moderation.users import impose, lift, people, person, role

__all__ = [
    "appeal",
    "appeals",
    "audit",
    "impose",
    "lift",
    "people",
    "person",
    "role",
    "switches",
]
