"""Times: written in one way, in the reader's zone on pages and in the receiver's in mails."""

import re
from datetime import UTC, datetime, time, timedelta

import pytest
from django.conf import settings as django_settings
from django.core import mail
from django.test import Client
from django.utils import timezone, translation
from django.utils.formats import date_format

from accounts.auth.roles import Rank
from accounts.models import Export, Sanction, User
from accounts.moderation import audit_fields
from accounts.services import outbox
from games.models import UploadedRecord
from tests.accounts.office import officer, sanctioned
from tests.builders.cases import reported
from tests.builders.tables import person, run_table

pytestmark = pytest.mark.django_db

TEMPLATES = django_settings.BASE_DIR / "templates"
# They name the weekday or the zone in words of their own.
IN_OWN_WORDS = {"games/_moment.html", "account/email/appointment_message.txt"}
DAYS = {"DATE_FORMAT", "SHORT_DATE_FORMAT", "YEAR_MONTH_FORMAT", "MONTH_DAY_FORMAT", "Y-m-d"}
AT = datetime(2026, 7, 1, 23, 30, tzinfo=UTC)
IN_ZONES = {
    "UTC": "1 Jul 2026, 23:30 UTC",
    "Europe/Warsaw": "2 Jul 2026, 01:30 CEST",
    "Asia/Tokyo": "2 Jul 2026, 08:30 JST",
}


def templates() -> dict[str, str]:
    found = [path for path in TEMPLATES.rglob("*") if path.suffix in (".html", ".txt")]
    return {str(path.relative_to(TEMPLATES)): path.read_text(encoding="utf-8") for path in found}


def test_no_template_tells_the_time_of_day_but_with_its_zone():
    for name, text in templates().items():
        styles = set(re.findall(r"""\|(?:date|time):["']([^"']*)["']""", text))
        assert name in IN_OWN_WORDS or styles <= DAYS, name
        assert not re.search(r"\}\}\s*UTC", text), name


@pytest.fixture
def ada() -> User:
    """Return a user about whom every page of one's own tells a time."""
    case = reported(run_table())
    ada = person("Ada")
    sanctioned(ada, "mute", officer("Mira", Rank.MODERATOR))
    Sanction.objects.update(at=AT, ends_at=AT + timedelta(days=36500))
    case.reports.update(at=AT)
    Export.objects.create(user=ada, asked_at=AT, expires_at=timezone.now() + timedelta(days=7))
    record = UploadedRecord.objects.create(
        owner=ada, text='{"seats": ["Boris"]}', edition="en", players=5
    )
    UploadedRecord.objects.filter(pk=record.pk).update(created_at=AT)
    return ada


@pytest.mark.parametrize("zone", IN_ZONES)
@pytest.mark.parametrize(
    "page", ["/report/", "/account/standing/", "/account/export/", "/records/"]
)
def test_a_page_tells_times_in_the_zone_of_its_reader(ada, zone, page):
    User.objects.filter(pk=ada.pk).update(time_zone=zone)
    reader = Client()
    reader.force_login(ada)

    html = reader.get(page).content.decode()

    told = re.findall(r'<time datetime="([^"]*)">([^<]*)</time>', html)
    assert ("2026-07-01T23:30:00+00:00", IN_ZONES[zone]) in told


def test_a_mail_tells_times_in_the_zone_of_its_receiver(settings):
    settings.SITE_ORIGIN = "https://play.example"
    settings.MAIL_IS_CONFIGURED = settings.MAIL_ARRIVES = True
    ada = User.objects.create_user("Ada", "ada@example.com", time_zone="Europe/Warsaw")
    ada.emailaddress_set.create(email=ada.email, primary=True, verified=True)
    end = (timezone.now() + timedelta(days=3)).replace(hour=23, minute=30)

    with timezone.override("Asia/Tokyo"):
        sanctioned(ada, "mute", officer("Mira", Rank.MODERATOR), ends_at=end)
        outbox.send_due(timezone.now())

    with timezone.override("Europe/Warsaw"):
        told = date_format(timezone.localtime(end), "SHORT_DATETIME_FORMAT")
        assert f"Until {told} {timezone.localtime(end):%Z}." in mail.outbox[-1].body


def test_the_audit_tells_an_end_in_the_zone_of_its_reader():
    for zone, told in IN_ZONES.items():
        with timezone.override(zone):
            assert audit_fields._until(AT.isoformat()) == f"Until {told}."


@pytest.mark.parametrize("language", [code for code, _ in django_settings.LANGUAGES])
def test_a_time_of_day_looks_the_same_alone_and_after_a_date(language):
    at = datetime.combine(AT, time(9, 5))
    with translation.override(language):
        assert date_format(at, "TIME_FORMAT") == "09:05"
        for style in ("DATETIME_FORMAT", "SHORT_DATETIME_FORMAT"):
            assert date_format(at, style).endswith(" 09:05")


def test_only_a_page_without_a_known_zone_asks_the_browser_for_it(ada):
    reader = Client()
    assert "games/zone" in reader.get("/rules/").content.decode()
    reader.cookies["time_zone"] = "Asia/Tokyo"
    assert "games/zone" not in reader.get("/rules/").content.decode()
