"""Template variables about mail, for all account pages."""

from django.conf import settings
from django.http import HttpRequest

from accounts.mail.outcomes import mail_fails


def mail_hints(request: HttpRequest) -> dict[str, object]:
    return {
        "mail_is_in_the_log": settings.MAIL_ARRIVES and not settings.MAIL_IS_CONFIGURED,
        # Called only by the pages that promise a mail.
        "mail_fails": mail_fails,
        "contact": settings.CONTACT,
    }
