"""Labels of the acts in the audit, and the acts that the public page counts.

Other apps add their labels in AppConfig.ready: `register_act("report_decide", _("..."))`.
"""

from dataclasses import dataclass
from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

_NAMES: Final[dict[str, Promise | str]] = {
    "sanction_impose": _("Sanction imposed"),
    "sanction_lift": _("Sanction lifted"),
    "sanction_end": _("Sanction ended"),
    "appeal_decide": _("Appeal decided"),
    "role_give": _("Role changed"),
    "switches_set": _("Switches changed"),
    "bot_created": _("Bot account made"),
    "bot_deleted": _("Bot account deleted"),
    "bot_token_made": _("Bot’s token made"),
    "bot_token_revoked": _("Bot’s token revoked"),
    "audit_sealed": _("Audit sealed with a key"),
}


@dataclass(frozen=True)
class Counted:
    """A row of the public page, which counts the acts named `act`.

    With `field` and `value`, it counts only acts whose data hold that value under that field.
    """

    label: Promise | str
    act: str
    field: str = ""
    value: str = ""


_COUNTED: Final[list[Counted]] = [
    Counted(_("Warnings"), "sanction_impose", "kind", "warning"),
    Counted(_("Chat bans"), "sanction_impose", "kind", "mute"),
    Counted(_("Bans from rated games"), "sanction_impose", "kind", "unrated"),
    Counted(_("Suspensions"), "sanction_impose", "kind", "suspension"),
    Counted(_("Bans"), "sanction_impose", "kind", "ban"),
    Counted(_("Sanctions lifted early"), "sanction_lift"),
    Counted(_("Appeals rejected"), "appeal_decide", "outcome", "upheld"),
    Counted(_("Appeals granted"), "appeal_decide", "outcome", "lifted"),
]


def register_act(act: str, label: Promise | str) -> None:
    """Set the label that the audit page shows for an act."""
    _NAMES[act] = label


def act_label(act: str) -> str:
    """Return the act's label in the active language, or the act itself if it has no label."""
    return str(_NAMES.get(act, act))


def register_counted_act(counted: Counted) -> None:
    """Add a row to the public page of counts."""
    if counted not in _COUNTED:
        _COUNTED.append(counted)


def counted_acts() -> tuple[Counted, ...]:
    return tuple(_COUNTED)
