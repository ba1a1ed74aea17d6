"""Labels of the acts in the audit.

Other apps add their labels in AppConfig.ready: `register_act("report_decide", _("..."))`.
"""

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


def register_act(act: str, label: Promise | str) -> None:
    """Set the label that the audit page shows for an act."""
    _NAMES[act] = label


def act_label(act: str) -> str:
    """Return the act's label in the active language, or the act itself if it has no label."""
    return str(_NAMES.get(act, act))
