"""Bot accounts: making them, their tokens, and what their owners learn of them."""

import secrets
from collections.abc import Collection
from datetime import datetime
from hashlib import sha256
from typing import Final

from django.conf import settings
from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import F
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from accounts.models import BotAccount, Notification, User
from accounts.moderation.sanctions import is_shut_out
from accounts.profiles.names import BOT_MARK, NAME_LENGTH
from accounts.services.account_deletion import erase_account
from accounts.services.audit import write_audit
from accounts.services.names import clean_name
from accounts.services.notifications import notify

LONGEST_NAME: Final = NAME_LENGTH - len(BOT_MARK)
_TOKEN_LENGTH: Final = 43

TOO_MANY: Final = _("You have as many bots as you can. Delete one first.")
TOO_LONG: Final = _("That’s too long for a bot’s name. Use at most 14 characters.")
LOOKS_TAKEN: Final = _("There’s already a bot with that name. Try another one.")


def create_bot(*, owner: User, name: str) -> tuple[BotAccount, str]:
    """Create a bot account and return it with its token, which is stored nowhere.

    Raises ValidationError for a name that a person may not have either, and for too many bots.
    """
    name = clean_name(name)
    if len(name) > LONGEST_NAME:
        raise ValidationError(TOO_LONG, code="long_name")
    with transaction.atomic():
        User.objects.select_for_update(no_key=True).get(pk=owner.pk)
        if owner.is_bot or owner.is_trial or len(bots_of(owner)) >= settings.BOTS_OF_A_USER:
            raise ValidationError(TOO_MANY, code="too_many_bots")
        user = User(username=name + BOT_MARK)
        user.set_keys()
        taken = User.objects.filter(name_key=user.name_key) | User.objects.filter(
            skeleton=user.skeleton
        )
        if taken.exists():
            raise ValidationError(LOOKS_TAKEN, code="username_taken")
        user.set_unusable_password()
        user.save()
        token = _new_token()
        bot = BotAccount.objects.create(user=user, owner=owner, digest=digest_of(token))
        write_audit(actor=owner, act="bot_created", about=user)
    return bot, token


def renew_token(*, owner: User, pk: int) -> str | None:
    """Give the owner's bot a new token, which ends the old one; None if the owner has no such bot.

    The new token is stored nowhere.
    """
    token = _new_token()
    with transaction.atomic():
        if not _set_digest(owner, pk, digest_of(token)):
            return None
        write_audit(actor=owner, act="bot_token_made", about=User.objects.get(pk=pk))
    return token


def revoke_token(*, owner: User, pk: int) -> bool:
    """End the token of the owner's bot. Return whether the owner has such a bot."""
    with transaction.atomic():
        if not _set_digest(owner, pk, None):
            return False
        write_audit(actor=owner, act="bot_token_revoked", about=User.objects.get(pk=pk))
    return True


def delete_bot(*, owner: User, pk: int) -> bool:
    """Delete the owner's bot with its account. Return whether the owner has such a bot.

    Where it plays, its seat goes to a bot of the site.
    """
    bot = BotAccount.objects.select_related("user").filter(owner=owner, pk=pk).first()
    if bot is None:
        return False
    with transaction.atomic():
        write_audit(actor=owner, act="bot_deleted", about=bot.user)
        erase_account(user=bot.user)
    return True


def bots_of(owner: User) -> list[BotAccount]:
    """Return the owner's bots, oldest first. One query."""
    return list(owner.bot_accounts.select_related("user").order_by("pk"))


def bot_with(token: str) -> User | None:
    """Return the account that the token opens, or None. At most one query.

    A token opens nothing while its bot or its owner is shut out of the site.
    """
    if len(token) != _TOKEN_LENGTH or not token.isascii():
        return None
    bots = BotAccount.objects.select_related("user", "owner")
    bot = bots.filter(digest=digest_of(token)).first()
    return bot.user if bot is not None and _may_play(bot, timezone.now()) else None


def _may_play(bot: BotAccount, now: datetime) -> bool:
    are_active = bot.user.is_active and bot.owner.is_active and bot.owner.closes_at is None
    are_let_in = not is_shut_out(bot.user, now) and not is_shut_out(bot.owner, now)
    return are_active and are_let_in and bot.user.is_bot


def bots_among(user_pks: Collection[int]) -> set[int]:
    """Return which of these accounts are programs'. One query."""
    bots = BotAccount.objects.filter(user__in=user_pks)
    return set(bots.values_list("user", flat=True))


def report_late(*, user_pk: int, table: str) -> None:
    """Note that the clock decided for this bot, and tell its owner once a table.

    Does nothing for an account that is no bot.
    """
    _report(user_pk, table, "times_late")


def report_refused(*, user_pk: int, table: str) -> None:
    """Note that a request of this bot was refused, and tell its owner once a table."""
    _report(user_pk, table, "times_refused")


def _report(user_pk: int, table: str, column: str) -> None:
    bots = BotAccount.objects.filter(pk=user_pk)
    if not bots.update(**{column: F(column) + 1}):
        return
    owner = bots.values_list("owner", flat=True)[0]
    kind = Notification.Kind.BOT
    # Also a notification that the owner has read: one a table is enough for each bot.
    if not Notification.objects.filter(user=owner, kind=kind, about=table, by=user_pk).exists():
        notify(user_pk=owner, kind=kind, about=table, by=user_pk)


def _set_digest(owner: User, pk: int, digest: str | None) -> bool:
    """Replace the digest, which ends the sockets of the old token. False without such a bot."""
    bot = BotAccount.objects.filter(owner=owner, pk=pk).first()
    if bot is None:
        return False
    bot.digest = digest
    bot.save(update_fields=["digest"])
    return True


def _new_token() -> str:
    return secrets.token_urlsafe(32)


def digest_of(token: str) -> str:
    """Return what is stored of a token."""
    return sha256(token.encode()).hexdigest()
