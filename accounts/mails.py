"""Mails: one text for each in templates/<...>_message.txt, sent as it is and as HTML.

They are written in the reader's language here and sent by a worker, so that no page waits for
a mail server, nor tells by its waiting whether there was something to send.
"""

import logging
import re
from collections.abc import Mapping
from typing import Any, Final

from allauth.account.models import EmailAddress
from django.conf import settings
from django.core.mail import EmailMultiAlternatives
from django.template.loader import render_to_string
from django.utils import translation
from kombu.exceptions import OperationalError

from accounts.models import User

_LINK: Final = re.compile(r"https?://\S+")
# What nobody reads in a list of tasks: the mail has an address and perhaps a code in it.
_NOT_TOLD: Final = "(...)"

logger = logging.getLogger(__name__)


def language_of(user: User | None) -> str:
    """The language that a mail to `user` is in; to nobody's account, the page's."""
    own = (user.mail_language or user.language) if user else ""
    return own or translation.get_language() or settings.LANGUAGE_CODE


def mail_of(
    template: str, *, to: str, language: str, context: Mapping[str, Any]
) -> EmailMultiAlternatives:
    """The mail that `template` ("account/email/password_changed") says in `language`.

    A paragraph of the text that is a link alone is a button in the HTML, and one that is
    `context["code"]` alone is written large.
    """
    with translation.override(language):
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
    return mail


def mail_post(mail: EmailMultiAlternatives) -> None:
    """Hands a mail to a worker; where none can be reached, sends it here and now."""
    from accounts.tasks import deliver_mail

    if not settings.MAIL_ARRIVES:
        return
    # Lazy translations go over no wire.
    words = str(mail.subject), str(mail.body), str(mail.alternatives[0][0])
    args = (*words, mail.to, mail.extra_headers)
    how: dict[str, Any] = {"retry": False, "argsrepr": _NOT_TOLD, "kwargsrepr": _NOT_TOLD}
    try:
        deliver_mail.apply_async(args, **how)
    except OperationalError:
        logger.warning("a mail is sent without a worker: the broker is away")
        deliver_mail(*args)


def mail_person(user: User, template: str, **context: Any) -> None:
    """Writes to somebody's address, where they have one."""
    to = EmailAddress.objects.get_primary_email(user) or user.email
    if to:
        language = language_of(user)
        mail_post(mail_of(template, to=to, language=language, context={"user": user, **context}))


def _kind(paragraph: str, context: Mapping[str, Any]) -> str:
    if paragraph == context.get("code"):
        return "code"
    return "link" if _LINK.fullmatch(paragraph) else "text"
