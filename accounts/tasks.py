"""What Celery does for accounts: mails, exports, and what time takes away."""

import logging
from smtplib import SMTPException
from typing import Any, Final

from celery import Task, shared_task
from django.conf import settings
from django.core.mail import EmailMultiAlternatives, get_connection
from django.utils import timezone

from accounts.services import departures, entries, exports, sanctions, signals

_TRIES: Final = 6
_SECONDS_BETWEEN: Final = 20

logger = logging.getLogger(__name__)


class MailNotSent(Exception):
    """Says what kind of thing went wrong; a mail server's own words hold the address."""


@shared_task(bind=True, max_retries=_TRIES)
def deliver_mail(
    self: Task[Any, None],
    subject: str,
    text: str,
    html: str,
    to: list[str],
    headers: dict[str, str],
) -> None:
    """Sends a mail; tries again, later and later, while the mail server is not there."""
    mail = EmailMultiAlternatives(subject, text, to=to, headers=headers)
    if settings.MAIL_IS_CONFIGURED:
        # In a log nobody reads it.
        mail.attach_alternative(html, "text/html")
    try:
        get_connection().send_messages([mail])
    except (SMTPException, OSError) as error:
        kind = type(error).__name__
        if self.request.called_directly:
            # No worker to try again; a page must not break for it.
            logger.error("a mail could not be sent: %s", kind)
            return
        wait = _SECONDS_BETWEEN * 3**self.request.retries
        raise self.retry(exc=MailNotSent(kind), countdown=wait) from None


@shared_task
def write_export(export_pk: int, origin: str) -> None:
    exports.export_write(export_pk=export_pk, origin=origin)


@shared_task
def sweep_accounts() -> None:
    """Hourly: what is over goes."""
    now = timezone.now()
    exports.exports_forget(now=now)
    entries.unconfirmed_forget(now=now)
    entries.sessions_forget(now=now)
    departures.due_erase(now=now)
    signals.signals_forget(now=now)


@shared_task
def end_sanctions() -> None:
    """Twice a minute: those whose sanctions are over are told, and their sockets."""
    sanctions.sanctions_expire(now=timezone.now())
