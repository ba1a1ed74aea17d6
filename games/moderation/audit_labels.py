"""How the audit log displays moderators' acts in games. See accounts/moderation/audit_fields.py."""

from typing import Any, Final

from django.utils.functional import Promise
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext

from accounts.models import User
from accounts.moderation.audit_fields import Formatter, label_of
from games.models import Case, Message, Ruling


def _case(number: Any) -> str:
    return _("Case %(number)s") % {"number": number}


def _handed_to(user_pk: Any) -> str:
    name = User.objects.filter(pk=user_pk).values_list("username", flat=True).first()
    return f"→ {name or _('Someone who has left')}"


def _place(place: Any) -> str:
    return _("In the gallery") if place == Message.Place.GALLERY else ""


def _message(nth: Any) -> str:
    return f"{capfirst(pgettext('reported', 'a message'))} {nth}"


def _hidden_value(value: Any) -> str:
    """Return "": the audit log does not display row numbers and move counts."""
    return ""


# Keyed by act ("" is any act) and field. Values: the field's label, "" if its value needs none, and
# the function that turns the value into text.
FIELDS: Final[dict[tuple[str, str], tuple[Promise | str, Formatter]]] = {
    ("", "case"): ("", _case),
    ("case_hand_over", "to"): ("", _handed_to),
    ("case_decide", "outcome"): (gettext_lazy("Decision"), label_of(Case.Outcome)),
    ("", "seat"): (gettext_lazy("Seat"), lambda number: str(number + 1)),
    ("", "because"): (gettext_lazy("Reason everyone at the table sees"), label_of(Ruling.Because)),
    ("", "place"): ("", _place),
    ("", "nth"): ("", _message),
    ("", "ruling"): ("", _hidden_value),
    ("", "length"): ("", _hidden_value),
}
