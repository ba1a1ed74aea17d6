"""The reasons for which a moderation service refuses a request, in the user's language."""

from django.db import models
from django.utils.translation import gettext_lazy as _


class ModerationRefusal(models.TextChoices):
    NOT_BELOW = (
        "not_below",
        _("You can only act on people below your own role, and never on an account of your own."),
    )
    NO_REASON = "no_reason", _("Give a reason.")
    ENDS_BEFORE = "ends_before", _("Choose an end in the future.")
    NEEDS_END = (
        "needs_end",
        _("Choose how long the suspension lasts. To exclude someone for good, use a ban."),
    )
    HAS_NO_END = "has_no_end", _("This kind of sanction can’t have an end. Don’t set one.")
    RANK_TOO_LOW = "rank_too_low", _("Only a senior moderator can do this.")
    OWNER_ONLY = "owner_only", _("Only the site owner can make someone an admin.")
    NOT_RUNNING = "not_running", _("This sanction isn’t in force any more.")
    APPEALED = "appealed", _("You’ve already appealed this.")
    NOT_APPEALABLE = (
        "not_appealable",
        _("This isn’t in force any more, so there’s nothing to appeal."),
    )
    DECIDED = "decided", _("This appeal has already been decided.")
    OWN_SANCTION = (
        "own_sanction",
        _("You imposed this sanction, so another moderator decides the appeal."),
    )


class ModerationRefused(Exception):
    """The service refused the request for the reason `refusal`, and changed nothing."""

    def __init__(self, refusal: ModerationRefusal) -> None:
        super().__init__(refusal.value)
        self.refusal = refusal
