"""Labels and formats for the data of an act in the audit.

Other apps add theirs in AppConfig.ready: `register_field("because", _("..."), said)`.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

from django.conf import settings
from django.utils.dateparse import parse_datetime
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext

from accounts.models import Appeal, Sanction
from accounts.moderation.forms import ROLE_NAMES
from accounts.profiles.instants import zoned

# Formats a value as text; "" hides the fact.
Formatter = Callable[[Any], str]

_DIGEST: Final = re.compile(r"[0-9a-f]{64}")


@dataclass(frozen=True)
class AuditField:
    # "" if the text needs no label.
    label: str
    text: str
    # Whether the text is the digest of a text that the audit does not hold.
    is_digest: bool = False


def _plain(value: Any) -> str:
    if isinstance(value, bool):
        return pgettext("option", "Yes") if value else pgettext("option", "No")
    if isinstance(value, list | tuple):
        return ", ".join(_plain(each) for each in value if each is not None)
    return str(value)


def label_of(choices: Any) -> Formatter:
    """Return a formatter that shows a value's label, or the value itself if it has none."""
    return lambda value: str(dict(choices.choices).get(value, value))


def _until(value: str) -> str:
    moment = parse_datetime(value)
    if moment is None:
        return value
    return _("Until %(time)s.") % {"time": zoned(moment)}


def _numbered(value: Any) -> str:
    return f"#{value}"


def _role(value: str) -> str:
    named = {rank.name.lower(): name for rank, name in ROLE_NAMES.items()}
    return str(named.get(value, value))


def _role_before(value: str) -> str:
    return f"{_role(value)} →"


_SANCTION: Final = gettext_lazy("Sanction")
_REASON: Final = gettext_lazy("Reason")

# Keyed by act and field, or by field alone (act ""), in display order.
_FIELDS: Final[dict[tuple[str, str], tuple[Promise | str, Formatter]]] = {
    ("", "kind"): (_SANCTION, label_of(Sanction.Kind)),
    ("", "sanction"): ("", _numbered),
    ("", "ends_at"): ("", _until),
    ("appeal_decide", "outcome"): (gettext_lazy("Decision"), label_of(Appeal.Outcome)),
    ("role_give", "from"): (gettext_lazy("Role"), _role_before),
    ("role_give", "to"): ("", _role),
    ("", "registration"): (gettext_lazy("New people can register"), _plain),
    ("", "tables"): (gettext_lazy("New tables can be opened"), _plain),
    ("", "maintenance"): (gettext_lazy("Maintenance"), _plain),
    ("", "reason"): (_REASON, _plain),
    ("", "answer"): (_REASON, _plain),
}


def register_field(
    field: str, label: Promise | str, told: Formatter = _plain, *, act: str = ""
) -> None:
    """Set the label and format that the audit page uses for a field, of one act or of all."""
    _FIELDS[act, field] = label, told


def audit_fields_of(act: str, data: dict[str, Any]) -> list[AuditField]:
    """Return the facts in an act's data, in the active language.

    Empty values are left out. A field without a label is shown by its own name.
    """
    places = {key: place for place, key in enumerate(_FIELDS)}
    facts = []
    for field in sorted(data, key=lambda name: (_place(places, act, name), name)):
        value = data[field]
        if value is None or value in ("", [], {}):
            continue
        if isinstance(value, dict):
            facts += [_field(_of_language(key), each, _plain) for key, each in value.items()]
            continue
        label, told = _FIELDS.get((act, field)) or _FIELDS.get(("", field)) or (field, _plain)
        facts.append(_field(str(label), value, told))
    return [fact for fact in facts if fact.text]


def _place(places: dict[tuple[str, str], int], act: str, field: str) -> int:
    return places.get((act, field), places.get(("", field), len(places)))


def _field(label: str, value: Any, told: Formatter) -> AuditField:
    is_digest = isinstance(value, str) and _DIGEST.fullmatch(value) is not None
    return AuditField(label, told(value), is_digest)


def _of_language(code: str) -> str:
    """Return the label of a text in one language.

    Only the message of the day is stored by language.
    """
    language = dict(settings.LANGUAGES).get(code, code)
    return _("Message of the day: %(language)s") % {"language": language}
