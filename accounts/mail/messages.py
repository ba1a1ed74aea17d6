"""Mails: each has one text, templates/<...>_message.txt, sent as plain text and as HTML.

Mails are rendered here in the recipient's language and sent by a worker. So no page waits for a
mail server, and the response time does not reveal whether there was a mail to send.
"""

import logging
import re
from collections.abc import Mapping
from email.utils import make_msgid
from typing import Any, Final
from urllib.parse import urlsplit

from allauth.account.models import EmailAddress
from django.conf import settings
from django.core.mail import EmailMultiAlternatives
from django.template.loader import render_to_string
from django.utils import timezone, translation

from accounts.models import User
from accounts.profiles.instants import zone_for
from config.celery import offer_task, task_named

_LINK: Final = re.compile(r"https?://\S+")
# Replaces the arguments in lists of tasks, because a mail holds an address and perhaps a code.
_NOT_TOLD: Final = "(...)"
# By name, because the tasks import the services, and these send mails.
DELIVER_MAIL: Final = "accounts.tasks.deliver_mail"

logger = logging.getLogger(__name__)


def language_of(user: User | None) -> str:
    """Return the language of a mail to `user`, or the page's language if `user` is None."""
    own = (user.mail_language or user.language) if user else ""
    return own or translation.get_language() or settings.LANGUAGE_CODE


def build_mail(
    template: str, *, to: str, language: str, context: Mapping[str, Any]
) -> EmailMultiAlternatives:
    """Render the mail of `template` ("account/email/password_changed") in `language`.

    Its times are in the zone of `context["user"]`, who receives it.
    A paragraph that is only a link becomes a button in the HTML, and one that is only
    `context["code"]` is shown in large type.
    """
    zone = zone_for(context.get("user"))
    with translation.override(language), timezone.override(zone):
        said = {**context, "contact": settings.CONTACT}
        subject = " ".join(render_to_string(f"{template}_subject.txt", said).split())
        text = render_to_string(f"{template}_message.txt", said)
        paragraphs = [part.strip() for part in re.split(r"\n\s*\n", text) if part.strip()]
        html = render_to_string(
            "mail/mail.html",
            {
                "subject": subject,
                "paragraphs": [(_kind(part, context), part) for part in paragraphs],
                "language": language,
            },
        )
    mail = EmailMultiAlternatives(
        subject, "\n\n".join(paragraphs) + "\n", settings.DEFAULT_FROM_EMAIL, [to]
    )
    mail.attach_alternative(html, "text/html")
    mail.extra_headers["Auto-Submitted"] = "auto-generated"
    mail.extra_headers["Content-Language"] = language
    if settings.SITE_ORIGIN:
        # Django would take the machine's name, which is often localhost.
        site = urlsplit(settings.SITE_ORIGIN).hostname
        mail.extra_headers["Message-ID"] = make_msgid(domain=site)
    return mail


def queue_mail(mail: EmailMultiAlternatives) -> None:
    """Pass a mail to a worker, or send it directly if no worker can be reached."""
    if not settings.MAIL_ARRIVES:
        return
    # Lazy translations cannot be sent to a worker.
    words = str(mail.subject), str(mail.body), str(mail.alternatives[0][0])
    args = (*words, mail.to, mail.extra_headers)
    deliver = task_named(DELIVER_MAIL)
    if not offer_task(deliver, args, argsrepr=_NOT_TOLD, kwargsrepr=_NOT_TOLD):
        logger.warning("a mail is sent without a worker: the broker is away")
        deliver(*args)


def mail_user(
    user: User, template: str, headers: Mapping[str, str] | None = None, **context: Any
) -> None:
    """Send a mail to the user's address, if there is one, with further `headers`."""
    to = EmailAddress.objects.get_primary_email(user) or user.email
    if to:
        language = language_of(user)
        mail = build_mail(template, to=to, language=language, context={"user": user, **context})
        mail.extra_headers.update(headers or {})
        queue_mail(mail)


def _kind(paragraph: str, context: Mapping[str, Any]) -> str:
    if paragraph == context.get("code"):
        return "code"
    return "link" if _LINK.fullmatch(paragraph) else "text"
