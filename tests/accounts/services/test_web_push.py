"""Web Push as a browser and its push service see it: RFC 8291, RFC 8188 and RFC 8292."""

import json
import os
import socket
import time
from base64 import urlsafe_b64decode, urlsafe_b64encode

import http_ece
import pytest
import requests
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from requests.structures import CaseInsensitiveDict

from accounts.models import PushDevice
from accounts.services import web_push
from tests.builders.tables import person

pytestmark = pytest.mark.django_db

ENDPOINT = "https://updates.push.services.mozilla.com/wpush/v2/a-browser"
SITE_KEY = "x_yBIdiXPUKHyYMvNvfVv0Iyn4bvUcfz1_OKKpMAYWc"
PAYLOAD = {"title": "Ваш ход", "body": "Стол abc ждёт вас.", "url": "/tables/abc/"}
DAY = 24 * 60 * 60


def text_of(data: bytes) -> str:
    return urlsafe_b64encode(data).rstrip(b"=").decode()


def bytes_of(text: str) -> bytes:
    return urlsafe_b64decode(text + "=" * (-len(text) % 4))


def point_of(key: ec.EllipticCurvePrivateKey) -> bytes:
    return key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)


class _Accepted:
    status_code, reason, text, headers = 201, "Created", "", None


class Browser:
    """A subscription with its own keys, and what its push service received."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.key = ec.generate_private_key(ec.SECP256R1())
        self.auth = os.urandom(16)
        self.received: list[tuple[str, bytes, CaseInsensitiveDict[str]]] = []

        def post(session: requests.Session, url: str, **how: object) -> _Accepted:
            self.received.append((url, how["data"], CaseInsensitiveDict(how["headers"])))
            return _Accepted()

        monkeypatch.setattr(requests.Session, "post", post)

    def subscribe(self, name: str) -> PushDevice:
        web_push.add_device(
            user=person(name),
            endpoint=ENDPOINT,
            p256dh=text_of(point_of(self.key)),
            auth=text_of(self.auth),
        )
        return PushDevice.objects.get(endpoint=ENDPOINT)

    def read(self, data: bytes) -> dict[str, str]:
        plain = http_ece.decrypt(data, private_key=self.key, auth_secret=self.auth)
        return json.loads(plain)


@pytest.fixture
def browser(monkeypatch, settings):
    settings.VAPID_KEY = SITE_KEY
    settings.DEFAULT_FROM_EMAIL = "Chancellery <host@play.example>"
    return Browser(monkeypatch)


def test_only_the_browser_can_read_a_message(browser):
    device = browser.subscribe("Ada")

    web_push.deliver(device.pk, json.dumps(PAYLOAD))

    [(url, data, headers)] = browser.received
    assert url == ENDPOINT
    assert headers["content-encoding"] == "aes128gcm"
    assert browser.read(data) == PAYLOAD
    stranger = ec.generate_private_key(ec.SECP256R1())
    with pytest.raises(http_ece.ECEException):
        http_ece.decrypt(data, private_key=stranger, auth_secret=browser.auth)


def test_the_push_service_can_check_that_the_site_sent_a_message(browser, settings):
    device = browser.subscribe("Ada")

    web_push.deliver(device.pk, json.dumps(PAYLOAD))

    [(_, _, headers)] = browser.received
    scheme, _, rest = headers["Authorization"].partition(" ")
    parts = dict(part.strip().split("=", 1) for part in rest.split(","))
    assert scheme == "vapid"
    # The key to which the page subscribes is the one that signs.
    assert parts["k"] == web_push.public_key()
    signed, _, signature = parts["t"].rpartition(".")
    raw = bytes_of(signature)
    ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), bytes_of(parts["k"])).verify(
        encode_dss_signature(*(int.from_bytes(half) for half in (raw[:32], raw[32:]))),
        signed.encode(),
        ec.ECDSA(SHA256()),
    )
    claims = json.loads(bytes_of(signed.split(".")[1]))
    assert claims["aud"] == "https://updates.push.services.mozilla.com"
    assert claims["sub"] == "mailto:host@play.example"
    assert time.time() < claims["exp"] <= time.time() + DAY
    assert 0 < int(headers["ttl"]) <= DAY


def test_a_browser_that_another_user_takes_over_hears_of_that_user_s_turns_only(browser):
    browser.subscribe("Ada")
    device = browser.subscribe("Boris")

    assert device.user == person("Boris")
    assert PushDevice.objects.count() == 1


@pytest.mark.parametrize(
    "endpoint",
    [
        # Django's parser finds one host here, and the client that sends another.
        "https://127.0.0.1\\.fcm.googleapis.com/x",
        "https://127.0.0.1%2f.fcm.googleapis.com/x",
        "https://10.0.0.1#.fcm.googleapis.com/x",
        "https://10.0.0.1?.fcm.googleapis.com/x",
        "https://a@fcm.googleapis.com/x",
        "https://fcm.googleapis.com:8000/x",
        "https://evil-fcm.googleapis.com.example/x",
        "http://fcm.googleapis.com/x",
        "https://[::1]/.fcm.googleapis.com",
        "https://_.fcm.googleapis.com/x",
    ],
)
def test_an_address_that_leads_elsewhere_is_not_stored(endpoint):
    keys = {"p256dh": "A" * 87, "auth": "A" * 22}
    with pytest.raises(ValueError, match=r"."):
        web_push.add_device(user=person("Ada"), endpoint=endpoint, **keys)
    assert not PushDevice.objects.exists()


@pytest.mark.parametrize(
    "address", ["127.0.0.1", "10.1.2.3", "169.254.169.254", "::1", "fd00::1", "::ffff:10.0.0.1"]
)
def test_no_message_goes_to_an_address_inside(settings, monkeypatch, address):
    settings.VAPID_KEY = SITE_KEY
    key = ec.generate_private_key(ec.SECP256R1())
    web_push.add_device(
        user=person("Ada"), endpoint=ENDPOINT, p256dh=text_of(point_of(key)), auth="A" * 22
    )
    reached = []
    family = socket.AF_INET6 if ":" in address else socket.AF_INET
    found = [(family, socket.SOCK_STREAM, 6, "", (address, 443))]
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_, **__: found)
    monkeypatch.setattr(socket.socket, "connect", lambda _, where: reached.append(where))

    with pytest.raises(web_push.PushNotSent):
        web_push.deliver(PushDevice.objects.get().pk, "{}")

    assert reached == []


def test_a_device_is_removed_by_the_address_that_it_was_added_with():
    endpoint = "https://db5p.notify.windows.com/w/?token=BQYAAAD%2bab"
    web_push.add_device(user=person("Ada"), endpoint=endpoint, p256dh="A" * 87, auth="A" * 22)

    web_push.remove_device(user=person("Ada"), endpoint=endpoint)

    assert not PushDevice.objects.exists()
