"""Mails, as a mail server receives them: in the reader's language, as text and as HTML."""

import asyncio
import email
import email.policy
import re
import socket
from collections.abc import Iterator
from datetime import timedelta
from email.message import EmailMessage

import pytest
from aiosmtpd.controller import Controller
from django.conf import settings as django_settings
from django.test import Client
from django.utils import timezone, translation

from accounts.mail.messages import build_mail, mail_user, queue_mail
from accounts.models import User
from config.observability.metrics import read_figure
from tests.accounts.conftest import PASSWORD, a_user, confirms, signed_in

LANGUAGES = [code for code, _ in django_settings.LANGUAGES]
CODE = re.compile(r"^[A-Z0-9]{4}-[A-Z0-9]{4}$", re.MULTILINE)

pytestmark = pytest.mark.django_db


class _Box:
    """An SMTP handler that keeps the mails it receives."""

    def __init__(self) -> None:
        self.mails: list[EmailMessage] = []
        self.refuses = False
        self.unknown = ""

    async def handle_RCPT(self, server, session, envelope, address, options) -> str:  # noqa: N802
        if address == self.unknown:
            return "550 no such user"
        envelope.rcpt_tos.append(address)
        return "250 known"

    async def handle_DATA(self, server, session, envelope) -> str:  # noqa: N802  aiosmtpd's name
        if self.refuses:
            return "451 not now"
        self.mails.append(email.message_from_bytes(envelope.content, policy=email.policy.default))
        await asyncio.sleep(0)
        return "250 taken"


@pytest.fixture
def post_office(settings, with_mail) -> Iterator[_Box]:
    """Start a real SMTP server on its own port, and let the site send its mail there."""
    box = _Box()
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    server = Controller(box, hostname="127.0.0.1", port=port)
    server.start()
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    settings.EMAIL_HOST = "127.0.0.1"
    settings.EMAIL_PORT = port
    settings.DEFAULT_FROM_EMAIL = "Chancellery <noreply@play.example>"
    settings.ACCOUNT_RATE_LIMITS = False
    yield box
    server.stop()


def text_of(mail: EmailMessage) -> str:
    return mail.get_body(("plain",)).get_content().replace("\r\n", "\n")


def subject_of(mail: EmailMessage) -> str:
    """Return the subject as mail programs show it.

    Python's parser keeps a leading blank where a long subject was folded.
    """
    return mail["Subject"].strip()


def html_of(mail: EmailMessage) -> str:
    return mail.get_body(("html",)).get_content()


@pytest.mark.parametrize("language", LANGUAGES)
def test_whoever_registers_reads_the_code_in_their_language(post_office, language):
    client = Client(HTTP_ACCEPT_LANGUAGE=language)
    client.post(
        "/account/register/",
        {"username": "Łódź", "email": "ada@example.com", "password1": PASSWORD},
    )

    (mail,) = post_office.mails
    assert (mail["To"], mail["From"]) == ("ada@example.com", "Chancellery <noreply@play.example>")
    assert mail["Content-Language"] == language
    with translation.override(language):
        assert subject_of(mail) == translation.gettext("Your code for Chancellery")
        assert translation.gettext("Use this code to confirm your address:") in text_of(mail)
    assert "Łódź" in text_of(mail) and "Łódź" in html_of(mail)
    (code,) = CODE.findall(text_of(mail))
    assert f">{code}<" in html_of(mail)
    assert f'<html lang="{language}" dir="ltr">' in html_of(mail)
    client.post("/account/e-mail/code/", {"code": code})
    assert "_auth_user_id" in client.session


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_mail_is_in_the_language_of_whose_account_it_is_about(post_office, language):
    """The reader's language counts, not that of the person who filled in the form."""
    ada = a_user("Ada", "ada@example.com", language=language)

    Client(HTTP_ACCEPT_LANGUAGE="it" if language != "it" else "pl").post(
        "/account/password/reset/", {"email": ada.email}
    )

    (mail,) = post_office.mails
    with translation.override(language):
        assert subject_of(mail) == translation.gettext("Your code for a new password")
    assert CODE.search(text_of(mail))


TEMPLATES = {
    **{
        f"account/email/{name}": {}
        for name in ("password_changed", "password_reset", "password_set", "email_confirm")
    },
    **{
        f"mfa/email/{name}": {}
        for name in (
            *("totp_activated", "totp_deactivated", "webauthn_added", "webauthn_removed"),
            "recovery_codes_generated",
        )
    },
    "account/email/email_confirmation": {"code": "ABCD-EFGH"},
    "account/email/email_confirmation_signup": {"code": "ABCD-EFGH"},
    "account/email/password_reset_code": {"code": "ABCD-EFGH"},
    "account/email/account_already_exists": {"password_reset_url": "https://play.example/r/"},
    "account/email/unknown_account": {"signup_url": "https://play.example/s/"},
    "account/email/email_changed": {"from_email": "old@x.org", "to_email": "new@x.org"},
    "account/email/email_deleted": {"deleted_email": "old@x.org"},
    "account/email/export_ready": {"link": "https://play.example/e/", "days": 7},
    "account/email/account_closing": {"closes_at": timezone.now() + timedelta(days=14)},
}


@pytest.mark.parametrize("language", LANGUAGES)
def test_each_mail_is_received_whole_as_text_and_as_html(post_office, ada, language):
    User.objects.update(language=language, username="Zoë <b>&</b>")
    ada.refresh_from_db()
    for template, context in TEMPLATES.items():
        mail_user(ada, template, **context)

        mail = post_office.mails.pop()
        text, html = text_of(mail), html_of(mail)
        assert mail["Subject"] and mail["Auto-Submitted"] == "auto-generated"
        assert "Zoë <b>&</b>" in text and "&lt;b&gt;" in html and "<b>&" not in html, template
        for value in context.values():
            if isinstance(value, str):
                assert value in text and value in html, template
        assert "{" not in text and "None" not in text and "\n\n\n" not in text, template


WAITS = "We can’t send e-mail at the moment"


def figures() -> dict[str, float | None]:
    names = ("sent", "failed", "given_up")
    return {name: read_figure(f"chancellery_mails_{name}", timezone.now()) for name in names}


def asks_for_a_code(client: Client, email: str) -> str:
    return client.post("/account/password/reset/", {"email": email}, follow=True).content.decode()


def test_mail_that_fails_is_logged_counted_and_said_where_a_code_is_promised(
    post_office, caplog
) -> None:
    a_user("Ada", "ada@example.com")
    assert WAITS not in asks_for_a_code(Client(), "ada@example.com")

    post_office.refuses = True
    # The worker of the tests retries without a pause.
    pages = {asks_for_a_code(Client(), each) for each in ("ada@example.com", "no@example.com")}

    assert all(WAITS in page for page in pages)
    assert WAITS in Client().get("/account/password/reset/").content.decode()
    assert figures() == {"sent": 1, "failed": 14, "given_up": 2}
    ours = [line for line in caplog.records if line.name.startswith("accounts")]
    assert [line.levelname for line in ours] == ["WARNING", "ERROR"] * 2
    said = "".join(line.getMessage() for line in ours)
    assert "SMTPDataError" in said and "@" not in said and not CODE.search(said)

    post_office.refuses = False
    assert WAITS not in asks_for_a_code(Client(), "ada@example.com")
    assert figures()["sent"] == 2


def test_an_address_that_the_server_refuses_does_not_tell_others_that_mail_fails(post_office):
    post_office.unknown = "typo@example.com"

    page = asks_for_a_code(Client(), "typo@example.com")

    assert WAITS not in page
    assert figures()["given_up"] == 1


def test_a_mail_sent_without_a_worker_is_given_up_at_once_and_breaks_no_page(post_office, caplog):
    post_office.refuses = True
    mail = build_mail("account/email/password_changed", to="a@b.org", language="en", context={})

    from accounts.tasks import deliver_mail

    deliver_mail(mail.subject, mail.body, "<p>", mail.to, {})

    assert "given up" in caplog.text
    assert figures() == {"sent": 0, "failed": 1, "given_up": 1}


def test_a_mail_is_numbered_by_the_site_and_not_by_its_machine(post_office, ada, settings):
    settings.SITE_ORIGIN = "https://play.example:8443"

    mail_user(ada, "account/email/password_changed")

    (mail,) = post_office.mails
    assert mail.get_all("Message-ID") == [mail["Message-ID"]]
    assert mail["Message-ID"].endswith("@play.example>")


def test_what_changes_an_account_is_told_to_its_owner(post_office, ada):
    browser = confirms(signed_in("Ada"))
    new = "it is a long way to go"

    browser.post(
        "/account/password/", {"oldpassword": PASSWORD, "password1": new, "password2": new}
    )

    assert [mail["Subject"] for mail in post_office.mails] == ["Your password was changed"]


def test_no_mail_is_written_where_none_leaves(ada, without_mail, mailoutbox):
    queue_mail(
        build_mail("account/email/password_changed", to="x@x.org", language="en", context={})
    )

    assert mailoutbox == []


def test_a_name_with_line_breaks_makes_no_header(post_office, ada):
    mail = build_mail(
        "account/email/email_changed",
        to="ada@example.com",
        language="en",
        context={"to_email": "a@b.c\nBcc: everybody@example.com", "from_email": "x"},
    )
    queue_mail(mail)

    assert post_office.mails[0]["Bcc"] is None
