"""The reasons for which a moderation service refuses a request, in the user's language."""

from django.db import models
from django.utils.translation import gettext_lazy as _


class ModerationRefusal(models.TextChoices):
    NOT_BELOW = "not_below", _("You can only act on people below your own role, never on yourself.")
    NO_REASON = "no_reason", _("Give a reason.")
    ENDS_BEFORE = "ends_before", _("The end has to be in the future.")
    NEEDS_END = "needs_end", _("A suspension has an end. Without one it is a ban.")
    HAS_NO_END = "has_no_end", _("This kind of sanction has no end.")
    RANK_TOO_LOW = "rank_too_low", _("Only a senior moderator can do this.")
    OWNER_ONLY = "owner_only", _("Only the owner of the site makes admins.")
    NOT_RUNNING = "not_running", _("This sanction is no longer in force.")
    APPEALED = "appealed", _("You have appealed against this already.")
    NOT_APPEALABLE = "not_appealable", _("There is nothing to appeal against.")
    DECIDED = "decided", _("This appeal has been decided already.")
    OWN_SANCTION = "own_sanction", _("A moderator other than the one who imposed it decides.")


class ModerationRefused(Exception):
    """The service refused the request for the reason `refusal`, and changed nothing."""

    def __init__(self, refusal: ModerationRefusal) -> None:
        super().__init__(refusal.value)
        self.refusal = refusal
