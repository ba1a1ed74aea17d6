"""The moderators' pages, except the queue and the tables, which are in the games app."""

from accounts.views.office.appeals import appeal, appeals
from accounts.views.office.audit import audit
from accounts.views.office.counts import conduct
from accounts.views.office.people import impose, lift, people, person, role
from accounts.views.office.switches import switches

__all__ = [
    "appeal",
    "appeals",
    "audit",
    "conduct",
    "impose",
    "lift",
    "people",
    "person",
    "role",
    "switches",
]
