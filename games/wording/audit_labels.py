"""Labels of moderators' acts in games, for the audit."""

from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy, pgettext_lazy

# Keys as the services write them: `case_` and the step, `table_` and the ruling.
ACTS: Final[dict[str, Promise | str]] = {
    "case_claim": pgettext_lazy("act", "Case taken"),
    "case_release": pgettext_lazy("act", "Case given back"),
    "case_hand_over": pgettext_lazy("act", "Case handed over"),
    "case_decide": pgettext_lazy("act", "Case decided"),
    "table_freeze": pgettext_lazy("act", "Table frozen"),
    "table_thaw": pgettext_lazy("act", "Table unfrozen"),
    "table_close": pgettext_lazy("act", "Table closed"),
    "table_void": pgettext_lazy("act", "Game voided"),
    "table_replace": pgettext_lazy("act", "Seat given to someone else"),
    "message_remove": gettext_lazy("Message removed"),
    # Until the looks behind the cards of running games were given up.
    "glass_break": pgettext_lazy("act", "Hidden cards viewed"),
}
