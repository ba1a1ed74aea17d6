"""How users choose to hear of turns and dates: the page, quiet hours, and their devices."""

from datetime import UTC, datetime

import pytest
import requests

from accounts.models import NoticeSettings, PushDevice
from accounts.services import notices, web_push
from tests.builders.notices import AUTH, P256DH, with_device
from tests.builders.tables import person

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def vapid(settings):
    settings.VAPID_KEY = "x_yBIdiXPUKHyYMvNvfVv0Iyn4bvUcfz1_OKKpMAYWc"


@pytest.mark.parametrize(
    ("day", "is_told"),
    [
        # In winter, 6:30 UTC is 7:30 in Warsaw; in summer 5:30 is. The clocks change on March 29.
        (datetime(2026, 3, 28, 6, 30, tzinfo=UTC), True),
        (datetime(2026, 3, 28, 5, 30, tzinfo=UTC), False),
        (datetime(2026, 3, 29, 5, 30, tzinfo=UTC), True),
        (datetime(2026, 3, 29, 4, 30, tzinfo=UTC), False),
    ],
)
def test_quiet_hours_follow_the_users_clock_when_it_is_changed(day, is_told):
    user = person("Ada")
    user.time_zone = "Europe/Warsaw"

    assert notices.is_quiet(NoticeSettings(quiet_from=22, quiet_until=7), user, day) is not is_told


def test_quiet_hours_bring_the_browsers_time_zone_into_an_account_without_one(client):
    ada = person("Ada")
    client.force_login(ada)
    client.cookies["time_zone"] = "Europe/Warsaw"
    assert "Your time zone: Warsaw." in client.get("/account/turns/").content.decode()
    client.post("/account/turns/", {"daily_push": "on"})
    ada.refresh_from_db()
    assert ada.time_zone == ""

    for zone in ("Europe/Warsaw", "Asia/Tokyo", "Moon/Crater"):
        client.cookies["time_zone"] = zone
        client.post("/account/turns/", {"quiet_from": "22", "quiet_until": "7"})

    ada.refresh_from_db()
    assert ada.time_zone == "Europe/Warsaw"


def test_choices_are_kept_and_a_half_of_quiet_hours_is_refused(client):
    ada = person("Ada")
    client.force_login(ada)
    form = {"daily_push": "on", "quiet_from": "22", "quiet_until": "7"}

    assert client.post("/account/turns/", form).status_code == 303
    chosen = notices.settings_of([ada.pk])[ada.pk]
    assert (chosen.daily_bell, chosen.daily_push, chosen.quiet_from) == (False, True, 22)
    assert client.post("/account/turns/", form | {"quiet_until": ""}).status_code == 422
    assert "22" in client.get("/account/turns/").content.decode()


class _Answer:
    reason = text = ""
    headers = None

    def __init__(self, status):
        self.status_code = status


@pytest.mark.parametrize("status", [404, 410])
def test_a_device_that_is_gone_is_forgotten(monkeypatch, status):
    device = with_device(person("Ada"))
    monkeypatch.setattr(requests.Session, "post", lambda *a, **k: _Answer(status))

    web_push.deliver(device.pk, "{}")

    assert not PushDevice.objects.exists()


@pytest.mark.parametrize("status", [429, 503])
def test_a_service_that_is_away_is_tried_again(monkeypatch, status):
    device = with_device(person("Ada"))
    monkeypatch.setattr(requests.Session, "post", lambda *a, **k: _Answer(status))

    with pytest.raises(web_push.PushNotSent):
        web_push.deliver(device.pk, "{}")
    assert PushDevice.objects.exists()


@pytest.mark.parametrize(
    "endpoint",
    [
        "http://fcm.googleapis.com/x",
        "https://127.0.0.1/x",
        "https://evilfcm.googleapis.com.example/x",
        "https://evil-fcm.googleapis.com/x",
        "https://fcm.googleapis.com:8443/x",
        "https://user@fcm.googleapis.com/x",
        "https://[/x",
        "",
    ],
)
def test_the_site_sends_only_to_push_services(client, endpoint):
    client.force_login(person("Ada"))

    answer = client.post(
        "/account/turns/device/", {"endpoint": endpoint, "p256dh": P256DH, "auth": AUTH}
    )

    assert answer.status_code == 400
    assert not PushDevice.objects.exists()
