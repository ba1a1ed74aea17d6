import secrets
from typing import Any, Final

from django.conf import settings
from django.contrib.auth.models import AbstractUser
from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Greatest, Least
from django.utils.translation import gettext_lazy as _

from accounts.models.audit import AuditEntry, AuditHead
from accounts.models.sanctions import Appeal, Sanction
from accounts.models.signals import Signal, SignalKey
from accounts.models.switches import SwitchBoard
from accounts.profiles.choices import PERSON_KEY_LENGTH, Animations, Audience, Theme, new_person_key
from accounts.profiles.languages import site_languages
from accounts.profiles.names import (
    BOT_MARK,
    KEY_LENGTH,
    NAME_LENGTH,
    name_key,
    skeleton,
    validate_name,
)

# Separates a skeleton from the number of a duplicate that existed before skeletons were compared.
COPY_MARK: Final = "\n"

# The kinds of allauth's Authenticator that secure a sign-in: an app and a key. Recovery codes do
# not. allauth's own names for them cannot be imported before its models.
SECOND_FACTORS: Final = ("totp", "webauthn")

# By default, what a table or its log shows anyway is public. Recent games are not, because they
# would show which tables a user goes to.
_AUDIENCE: Final[dict[str, Any]] = {
    "max_length": 7,
    "choices": Audience,
    "default": Audience.ALL,
}
_LAST_GAMES: Final = _AUDIENCE | {"default": Audience.FRIENDS}

username_validators = [validate_name]

__all__ = [
    "NAME_LENGTH",
    "Appeal",
    "AuditEntry",
    "AuditHead",
    "BotAccount",
    "Export",
    "NameChange",
    "NoticeSettings",
    "PushDevice",
    "Sanction",
    "Signal",
    "SignalKey",
    "SwitchBoard",
    "User",
    "name_key",
    "username_validators",
    "validate_name",
]


class User(AbstractUser):
    """A user of the site. The username is the name at the table."""

    # The user's second factors. allauth has no types.
    authenticator_set: Any

    name_key = models.CharField(max_length=KEY_LENGTH, unique=True, editable=False)
    # What the name looks like. Unique, except that names which looked alike before this was checked
    # have a number appended.
    skeleton = models.CharField(max_length=KEY_LENGTH + 30, unique=True, editable=False)
    language = models.CharField(
        _("language"),
        max_length=10,
        choices=site_languages,
        blank=True,
        help_text=_("The language you see the site and every table in."),
    )
    # Users may play in one language and read mail in another.
    mail_language = models.CharField(
        _("e-mail language"), max_length=10, choices=site_languages, blank=True, default=""
    )
    # The user's preferences.
    mask_words = models.BooleanField(
        _("Mask offensive language"),
        default=False,
        help_text=_("Offensive words in other people’s messages show up as asterisks for you."),
    )
    hides_role = models.BooleanField(
        _("Hide my role"),
        default=False,
        help_text=_(
            "For streaming: your role, what you know and the policies in your hand stay "
            "covered until you uncover them."
        ),
    )
    sounds = models.BooleanField(
        _("Sounds"),
        default=True,
        help_text=_("When it’s your turn, when a vote is revealed, and so on."),
    )
    hints = models.BooleanField(
        _("Hints in my first games"),
        default=True,
        help_text=_("The table tells you what to think of at each decision."),
    )
    calls_title = models.BooleanField(
        _("Show alerts in the tab title"),
        default=True,
        help_text=_("The tab title shows when it’s your turn and what you haven’t read yet."),
    )
    notifies = models.BooleanField(
        _("Browser notifications"),
        default=False,
        help_text=_(
            "When it’s your turn and you’re looking at something else. Your browser asks for "
            "permission first."
        ),
    )

    # Copied from the sanctions, because the account is loaded with each request: until when the
    # site is closed to this user, and whether the user has a warning to read. Written by
    # services/sanctions alone.
    shut_until = models.DateTimeField(null=True, blank=True, editable=False)
    is_warned = models.BooleanField(default=False, editable=False)
    # A name in the tz database, or "" for the browser's time zone.
    time_zone = models.CharField(_("Time zone"), max_length=50, blank=True)
    theme = models.CharField(_("Theme"), max_length=5, choices=Theme, blank=True)
    motion = models.CharField(_("Animations"), max_length=7, choices=Animations, blank=True)

    # The user's profile. `country` is an ISO 3166 code, `spoken` holds codes of
    # accounts.profiles.locale_names.
    person_key = models.CharField(
        max_length=PERSON_KEY_LENGTH, unique=True, default=new_person_key, editable=False
    )
    country = models.CharField(_("Country"), max_length=2, blank=True)
    spoken = models.JSONField(_("Languages you speak"), default=list, blank=True)
    # Who sees each part of the user's page, among those who may see the page at all.
    shows_page = models.CharField(_("Your whole page"), **_AUDIENCE)
    shows_about = models.CharField(_("Country and languages"), **_AUDIENCE)
    shows_since = models.CharField(_("When you joined"), **_AUDIENCE)
    shows_statistics = models.CharField(_("How many games you’ve won"), **_AUDIENCE)
    shows_reliability = models.CharField(
        _("Reliability (how often you finish your games)"), **_AUDIENCE
    )
    shows_games = models.CharField(_("Your recent games"), **_LAST_GAMES)

    # Whether this is a trial account: made by one click, without a password, and deleted when it is
    # idle (services/trials). The site calls its owner a guest.
    is_trial = models.BooleanField(default=False, editable=False)
    # When the account is deleted, if its owner asked for that and has not signed in since.
    closes_at = models.DateTimeField(null=True, blank=True, editable=False, db_index=True)

    def save(self, *args: Any, **kwargs: Any) -> None:
        changed = kwargs.get("update_fields")
        if changed is None or "username" in changed:
            self.set_keys()
            if changed is not None:
                kwargs["update_fields"] = {*changed, "name_key", "skeleton"}
        super().save(*args, **kwargs)

    def has_perm(self, perm: str, obj: Any = None) -> bool:
        """Return whether the user has the permission and a second factor.

        Even a superuser's permissions need the second factor. Django's admin and other apps call
        this method; this site's own code calls accounts.auth.rights.
        """
        return super().has_perm(perm, obj) and self.has_second_factor()

    def has_module_perms(self, app_label: str) -> bool:
        return super().has_module_perms(app_label) and self.has_second_factor()

    @property
    def is_bot(self) -> bool:
        """Whether a program plays with this account. No person may have this mark in their name."""
        return self.username.endswith(BOT_MARK)

    def has_second_factor(self) -> bool:
        """Return whether the account has set up an app or a key, and so signs in with it."""
        return bool(self.authenticator_set.filter(type__in=SECOND_FACTORS).exists())

    def set_keys(self) -> None:
        """Set the columns by which names are compared. Also for code that writes without `save`."""
        self.name_key = name_key(self.username)
        looks = skeleton(self.username)
        if self.skeleton.partition(COPY_MARK)[0] != looks:
            self.skeleton = looks


class BotAccount(models.Model):
    """An account that a program plays with. Its owner answers for it."""

    user = models.OneToOneField(
        settings.AUTH_USER_MODEL, models.CASCADE, primary_key=True, related_name="bot_account"
    )
    owner = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="bot_accounts")
    # SHA-256 of the token, in hex; null once the token is revoked. The token itself has 256 random
    # bits, so a fast digest is enough.
    digest = models.CharField(max_length=64, unique=True, null=True, editable=False)  # noqa: DJ001
    created_at = models.DateTimeField(auto_now_add=True)
    # How many decisions the clock made for it, and how many of its requests were refused.
    times_late = models.PositiveIntegerField(default=0)
    times_refused = models.PositiveIntegerField(default=0)

    def __str__(self) -> str:
        return f"bot {self.user_id} of {self.owner_id}"


class _FriendshipQuerySet(models.QuerySet["Friendship"]):
    def of(self, user_pk: int) -> "_FriendshipQuerySet":
        """Filter by the friendships and requests of this user, made or received."""
        return self.filter(Q(asked_by=user_pk) | Q(asked=user_pk))

    def between(self, one: int, other: int) -> "_FriendshipQuerySet":
        """Filter by the one row of these two users, whichever of them asked."""
        return self.filter(Q(asked_by=one, asked=other) | Q(asked_by=other, asked=one))

    def accepted(self) -> "_FriendshipQuerySet":
        return self.filter(accepted_at__isnull=False)

    def friends_of(self, user_pk: int) -> set[int]:
        """Return the primary keys of this user's friends. One query."""
        pairs = self.of(user_pk).accepted().values_list("asked_by", "asked")
        return {pk for pair in pairs for pk in pair} - {user_pk}


class Friendship(models.Model):
    """Two users who are friends, or a request of one to the other. Each pair has one row."""

    asked_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.CASCADE, related_name="friendships_asked_for"
    )
    asked = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.CASCADE, related_name="friendships_offered"
    )
    asked_at = models.DateTimeField(auto_now_add=True)
    # Null while it is a request.
    accepted_at = models.DateTimeField(null=True, blank=True)

    objects = _FriendshipQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                Least("asked_by", "asked"),
                Greatest("asked_by", "asked"),
                name="friendship_once_per_pair",
            ),
            models.CheckConstraint(condition=~Q(asked_by=F("asked")), name="friendship_of_two"),
        ]

    def __str__(self) -> str:
        return f"{self.asked_by_id} and {self.asked_id}"


class _BlockQuerySet(models.QuerySet["Block"]):
    def between(self, one: int, other: int) -> "_BlockQuerySet":
        """Filter by the blocks between these two users, in either direction."""
        return self.filter(Q(blocker=one, blocked=other) | Q(blocker=other, blocked=one))

    def by(self, user_pk: int) -> set[int]:
        """Return the primary keys of the users whom this user has blocked. One query."""
        return set(self.filter(blocker=user_pk).values_list("blocked", flat=True))


class Block(models.Model):
    """A user blocks another, who is not notified."""

    blocker = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="blocks")
    blocked = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.CASCADE, related_name="blocks_against"
    )
    at = models.DateTimeField(auto_now_add=True)

    objects = _BlockQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["blocker", "blocked"], name="block_once"),
            models.CheckConstraint(condition=~Q(blocker=F("blocked")), name="block_of_another"),
        ]

    def __str__(self) -> str:
        return f"{self.blocker_id} blocks {self.blocked_id}"


class BlockedName(models.Model):
    """A name that a user has blocked, as they typed it, whether or not an account has it.

    The friends page lists these names, so the list does not reveal which ones are registered.
    `person` is the account that had the name then; a Block blocks it. It is null if no account
    had the name, or if that account is deleted.
    """

    blocker = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.CASCADE, related_name="blocked_names"
    )
    name = models.CharField(max_length=150)
    name_key = models.CharField(max_length=KEY_LENGTH)
    person = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+"
    )
    at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["blocker", "name_key"], name="blocked_name_once")
        ]

    def __str__(self) -> str:
        return f"{self.blocker_id} blocks a name"


class Notification(models.Model):
    """A notice to a user: a kind and a subject, worded when it is read or sent.

    All notices of the site are here: for the bell, and for the worker that sends mails and pushes
    (services/outbox). A notice holds the code of a table, never anything of its game.
    """

    class Kind(models.TextChoices):
        # A user asks to be a friend; a user has accepted the friend request.
        ASKED = "asked"
        ACCEPTED = "accepted"
        # A friend invites the user to a table that waits for players.
        INVITED = "invited"
        # The users of a table gather again for another game.
        AGAIN = "again"
        # A table opened that the user waits for.
        CALLED = "called"
        # It is the user's turn at a slow table.
        TURN = "turn"
        # A scheduled table meets soon, meets at another date, or does not meet; and the user was
        # not there when it met, so their seat is free.
        REMINDED = "reminded"
        MOVED = "moved"
        CANCELLED = "cancelled"
        MISSED = "missed"
        # A moderator has closed a table, voided a game or given a user's seat to another.
        RULED = "ruled"
        # A decision of moderators about this user; see account_standing.
        STANDING = "standing"
        # The result of a report that this user has made.
        REPORT = "report"
        # A bot of this user was late at a table, or tried what it may not do.
        BOT = "bot"

    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="notifications")
    kind = models.CharField(max_length=10, choices=Kind)
    # The user who caused it; null if that must not be revealed.
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.CASCADE, null=True, blank=True, related_name="+"
    )
    # What it is about, such as the code of a table, or "".
    about = models.CharField(max_length=20, blank=True)
    data = models.JSONField(default=dict, blank=True)
    # Which of the user's NoticeSettings count: "daily", "untimed" or "scheduled", or "" for none.
    topic = models.CharField(max_length=9, blank=True, default="")
    at = models.DateTimeField()
    # Whether the bell shows it. Users may choose to get it only by mail or push.
    on_bell = models.BooleanField(default=True)
    read_at = models.DateTimeField(null=True, blank=True)
    # When the mail and the push are due; null if there is none, or none any more.
    mail_at = models.DateTimeField(null=True, blank=True)
    push_at = models.DateTimeField(null=True, blank=True)
    # When a mail or a push about it is of no more use.
    expires_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["-at", "-pk"]
        indexes = [
            models.Index(fields=["user", "-at"]),
            models.Index(
                fields=["user"], condition=Q(read_at__isnull=True), name="notification_unread"
            ),
            models.Index(
                fields=["at"],
                condition=Q(mail_at__isnull=False) | Q(push_at__isnull=False),
                name="notification_unsent",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.kind} for {self.user_id}"


class NoticeSettings(models.Model):
    """How a user is told of turns at slow tables and of dates. Without a row, the defaults count.

    Apart from `User`, because no page needs it and every request loads the user.
    """

    user = models.OneToOneField(
        settings.AUTH_USER_MODEL, models.CASCADE, primary_key=True, related_name="notice_settings"
    )
    # Where a move may take a day.
    daily_bell = models.BooleanField(_("Bell on the site"), default=True)
    daily_mail = models.BooleanField(_("E-mail, at most one an hour"), default=True)
    daily_push = models.BooleanField(_("Push on your devices"), default=True)
    # Where there is no clock. Off at first, because most such tables meet at one time.
    untimed_bell = models.BooleanField(_("Bell on the site"), default=False)
    untimed_mail = models.BooleanField(_("E-mail, at most one an hour"), default=False)
    untimed_push = models.BooleanField(_("Push on your devices"), default=False)
    # Reminders of scheduled tables, and their other news.
    scheduled_bell = models.BooleanField(_("Bell on the site"), default=True)
    scheduled_mail = models.BooleanField(_("E-mail"), default=True)
    scheduled_push = models.BooleanField(_("Push on your devices"), default=True)
    # Full hours in the user's time zone, without mail and push; null for no quiet hours.
    quiet_from = models.PositiveSmallIntegerField(_("Quiet from"), null=True, blank=True)
    quiet_until = models.PositiveSmallIntegerField(_("Quiet until"), null=True, blank=True)
    # When the last mail went out.
    mailed_at = models.DateTimeField(null=True, blank=True, editable=False)

    class Meta:
        verbose_name_plural = "notice settings"

    def __str__(self) -> str:
        return f"notices of {self.user_id}"

    def wants(self, about: str, way: str) -> bool:
        """Return whether the user wants these notices by "bell", "mail" or "push".

        `about` is a slow pace for turns at such tables, or "scheduled" for scheduled tables.
        """
        return bool(getattr(self, f"{about}_{way}", False))


class PushDevice(models.Model):
    """A browser that the user has allowed to receive Web Push messages."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="push_devices")
    # The address at the browser's push service, and the keys that encrypt for the browser.
    endpoint = models.CharField(max_length=500, unique=True)
    p256dh = models.CharField(max_length=100)
    auth = models.CharField(max_length=40)
    added_at = models.DateTimeField(auto_now_add=True)

    def __str__(self) -> str:
        return f"a device of {self.user_id}"


class NameChange(models.Model):
    """A change of a user's name, for moderators to read."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="name_changes")
    old = models.CharField(_("old name"), max_length=150)
    new = models.CharField(_("new name"), max_length=150)
    at = models.DateTimeField(_("when"))
    # Whether the user has to wait before the next change. A guest who registers does not.
    is_counted = models.BooleanField(default=True)

    class Meta:
        ordering = ["-at"]
        default_permissions = ("view",)
        verbose_name = _("change of name")
        verbose_name_plural = _("changes of names")

    def __str__(self) -> str:
        return f"{self.old} → {self.new}"


def new_export_code() -> str:
    return secrets.token_urlsafe(16)


class Export(models.Model):
    """The data that the site keeps about a user, available to that user for some days."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="exports")
    # The last part of its URL. The owner must be signed in all the same.
    code = models.CharField(max_length=32, unique=True, default=new_export_code)
    asked_at = models.DateTimeField()
    expires_at = models.DateTimeField(db_index=True)
    # JSON; empty until a worker has written it, and "null" if none could.
    content = models.TextField(blank=True)

    class Meta:
        ordering = ["-asked_at"]
        default_permissions = ()

    def __str__(self) -> str:
        return f"{self.user_id} at {self.asked_at}"
