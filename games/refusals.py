"""Why a service does not do what was asked, in the asker's language."""

from django.db import models
from django.utils.translation import gettext_lazy as _


class Refusal(models.TextChoices):
    NOT_SEATED = "not_seated", _("You have no seat at this table.")
    NOT_OPEN = "not_open", _("This table is no longer open.")
    NOT_STARTED = "not_started", _("The game has not started yet.")
    GAME_OVER = "game_over", _("The game is over.")
    NOT_OVER = "not_over", _("The game is still going on.")
    FULL = "full", _("Every seat is taken.")
    ALREADY_SEATED = "already_seated", _("You already sit at this table.")
    NOT_HOST = "not_host", _("Only the host of the table can do this.")
    TOO_FEW = "too_few", _("There are not enough players for these rules yet.")
    HOSTS_ENOUGH = (
        "hosts_enough",
        _("You already host as many waiting tables as one person may. Start or close one first."),
    )
    FRIENDS_ONLY = "friends_only", _("Only friends of the host may take a seat at this table.")
    TOO_NEW = "too_new", _("This table is for accounts that have been here for longer.")
    TOO_FEW_GAMES = (
        "too_few_games",
        _("This table is for people who have finished more games."),
    )
    BLIND_FRIENDS = (
        "blind_friends",
        _("At a blind table nobody knows who sits there, so it cannot be for friends only."),
    )
    NO_TABLE = (
        "no_table",
        _("No table with a free seat fits just now. Ask for less, or open a table yourself."),
    )
    PRESETS_ENOUGH = (
        "presets_enough",
        _("You have as many presets as one person may keep. Delete one first."),
    )
    NOT_ALONE = (
        "not_alone",
        _("Others play this game too: it cannot be given up by one of them."),
    )
    STALE = "stale", _("The table has moved on since. This is how it stands now.")
    HAS_LOOKED = (
        "has_looked",
        _("You have looked behind the cards of this game and take no part in it."),
    )
    TOO_MANY_LOOKS = (
        "too_many_looks",
        _("You have broken the glass too often in the last hour. Ask another moderator."),
    )
    GLASS_IS_BROKEN = (
        "glass_is_broken",
        _("This form has been used: a form is good for one look. Say again why you look."),
    )
    BLIND = "blind", _("Names are hidden at this table: nobody is invited to it by name.")
    NOT_A_FRIEND = "not_a_friend", _("You can invite your friends only.")
    ALREADY_HERE = "already_here", _("Your friend already sits at this table.")
    UNCLEAR = "unclear", _("That is not a move that this table knows.")


class Refused(Exception):
    """The service changed nothing of what was asked, for `refusal`'s reason."""

    def __init__(self, refusal: Refusal) -> None:
        super().__init__(refusal.value)
        self.refusal = refusal
