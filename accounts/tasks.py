"""Celery tasks of accounts: mails, exports, and deleting what has expired."""

import logging
from smtplib import SMTPException
from typing import Any, Final

from celery import Task, shared_task
from django.conf import settings
from django.core.mail import EmailMultiAlternatives, get_connection
from django.utils import timezone

from accounts.mail import outcomes
from accounts.services import (
    account_deletion,
    audit,
    exports,
    sanctions,
    sessions,
    signals,
    trials,
    web_push,
)

_TRIES: Final = 6
_SECONDS_BETWEEN: Final = 20

logger = logging.getLogger(__name__)


class MailNotSent(Exception):
    """Holds only the kind of the error, because a mail server's own message holds the address."""


@shared_task(bind=True, max_retries=_TRIES)
def deliver_mail(
    self: Task[Any, None],
    subject: str,
    text: str,
    html: str,
    to: list[str],
    headers: dict[str, str],
) -> None:
    """Send a mail; retry after growing delays, for two hours, while the server is unavailable."""
    mail = EmailMultiAlternatives(subject, text, to=to, headers=headers)
    if settings.MAIL_IS_CONFIGURED:
        # Without a mail server the mail goes to the log, where HTML is hard to read.
        mail.attach_alternative(html, "text/html")
    try:
        get_connection().send_messages([mail])
    except (SMTPException, OSError) as error:
        kind = type(error).__name__
        outcomes.note_failure(error)
        # When called directly, no worker can retry it, and the page must not fail because of it.
        if self.request.called_directly or self.request.retries == _TRIES:
            outcomes.note_given_up()
            logger.error("a mail could not be sent and is given up: %s", kind)
            return
        if not self.request.retries:
            logger.warning("a mail could not be sent and is tried again for two hours: %s", kind)
        wait = _SECONDS_BETWEEN * 3**self.request.retries
        raise self.retry(exc=MailNotSent(kind), countdown=wait) from None
    outcomes.note_sent()


@shared_task(bind=True, max_retries=_TRIES)
def deliver_push(
    self: Task[Any, None], device_pk: int, payload: str, kept: int = web_push.KEPT
) -> None:
    """Send a Web Push message; retry after growing delays while its service is unavailable."""
    try:
        web_push.deliver(device_pk, payload, kept)
    except web_push.PushNotSent as error:
        wait = _SECONDS_BETWEEN * 3**self.request.retries
        raise self.retry(exc=error, countdown=wait) from None


@shared_task
def write_export(export_pk: int, origin: str) -> None:
    exports.write_export(export_pk=export_pk, origin=origin)


@shared_task
def sweep_accounts() -> None:
    """Delete what has expired. Runs hourly."""
    now = timezone.now()
    exports.delete_old_exports(now=now)
    sessions.delete_unconfirmed_accounts(now=now)
    sessions.delete_expired_sessions(now=now)
    account_deletion.erase_due_accounts(now=now)
    trials.erase_idle_trials(now=now)
    signals.delete_old_signals(now=now)


@shared_task
def end_sanctions() -> None:
    """Notify users whose sanctions are over, and update their sockets. Runs twice a minute."""
    sanctions.expire_sanctions(now=timezone.now())


@shared_task
def anchor_audit() -> None:
    """Log the anchor. Runs every few minutes, since a home site may run only for an evening."""
    audit.write_audit_anchor(now=timezone.now())
