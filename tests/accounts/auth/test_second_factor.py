"""Authenticator apps, passkeys and recovery codes; and which users need a second factor."""

import json
import re
import time
from base64 import urlsafe_b64decode, urlsafe_b64encode
from hashlib import sha256

import pytest
from allauth.mfa.models import Authenticator
from allauth.mfa.recovery_codes.internal.auth import RecoveryCodes
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from django.contrib.auth.models import Permission
from django.core import mail
from django.core.cache import cache
from django.test import Client
from fido2 import cbor
from fido2.cose import ES256
from fido2.webauthn import Aaguid, AttestedCredentialData, AuthenticatorData

from accounts.models import User
from tests.accounts.conftest import a_user, confirms, signed_in
from tests.nightly import by_day
from tests.second_factor import code_now, with_second_factor

pytestmark = pytest.mark.django_db

ORIGIN = "http://testserver"


def is_signed_in(client: Client) -> bool:
    return "_auth_user_id" in client.session


def b64(data: bytes) -> str:
    return urlsafe_b64encode(data).rstrip(b"=").decode()


class Key:
    """A passkey, as held by a phone."""

    def __init__(self) -> None:
        self.private = ec.generate_private_key(ec.SECP256R1())
        self.id = b"a key's own name"
        self.user = b""
        self.count = 0

    def _client_data(self, kind: str, challenge: str) -> bytes:
        return json.dumps({"type": kind, "challenge": challenge, "origin": ORIGIN}).encode()

    def _authenticator(self, attested: AttestedCredentialData | None = None) -> bytes:
        self.count += 1
        flags = 0x05 | (0x40 if attested else 0)
        return bytes(
            AuthenticatorData.create(
                sha256(b"testserver").digest(), flags, self.count, attested or b""
            )
        )

    def made(self, options: dict) -> str:
        key = options["creation_options"]["publicKey"]
        self.user = urlsafe_b64decode(key["user"]["id"] + "==")
        attested = AttestedCredentialData.create(
            Aaguid.NONE, self.id, ES256.from_cryptography_key(self.private.public_key())
        )
        attestation = {"fmt": "none", "attStmt": {}, "authData": self._authenticator(attested)}
        return self._told(
            {
                "clientDataJSON": b64(self._client_data("webauthn.create", key["challenge"])),
                "attestationObject": b64(cbor.encode(attestation)),
                "transports": [],
            },
            {"credProps": {"rk": True}},
        )

    def shown(self, options: dict) -> str:
        client_data = self._client_data(
            "webauthn.get", options["request_options"]["publicKey"]["challenge"]
        )
        data = self._authenticator()
        signed = self.private.sign(data + sha256(client_data).digest(), ec.ECDSA(hashes.SHA256()))
        return self._told(
            {
                "clientDataJSON": b64(client_data),
                "authenticatorData": b64(data),
                "signature": b64(signed),
                "userHandle": b64(self.user),
            },
            {},
        )

    def _told(self, response: dict, extensions: dict) -> str:
        return json.dumps(
            {
                "id": b64(self.id),
                "rawId": b64(self.id),
                "type": "public-key",
                "clientExtensionResults": extensions,
                "authenticatorAttachment": "platform",
                "response": response,
            }
        )


def options_in(answer) -> dict:
    page = answer.content.decode()
    start = page.index('<script id="passkey-options" type="application/json">')
    return json.loads(page[page.index(">", start) + 1 : page.index("</script>", start)])


def with_key(browser: Client) -> Key:
    key = Key()
    options = options_in(browser.get("/account/second-factor/keys/new/"))
    answer = browser.post(
        "/account/second-factor/keys/new/",
        {"name": "Phone", "passwordless": "on", "credential": key.made(options)},
    )
    assert answer.status_code == 302, answer.content.decode()
    return key


# Authenticator apps -------------------------------------------------------------------------------


def test_an_app_is_set_up_by_a_code_of_its_key_and_then_asked_for(
    ada, at_home, django_capture_on_commit_callbacks
):
    confirms(at_home)
    page = at_home.get("/account/second-factor/app/").content.decode()
    secret = at_home.session["mfa.totp.secret"]
    # The secret is shown in groups for readability, and in one piece for copying.
    assert re.sub(r"</?span>", "", page).count(secret) == 1 and f"<span>{secret[:4]}</span>" in page
    assert "<svg" in page and "data:" not in page

    wrong = at_home.post("/account/second-factor/app/", {"code": "000000"})
    assert wrong.status_code == 200 and not Authenticator.objects.exists()
    with django_capture_on_commit_callbacks(execute=True):
        at_home.post("/account/second-factor/app/", {"code": code_now(secret)})
    assert Authenticator.objects.filter(user=ada, type="totp").exists()
    assert "second factor was added" in mail.outbox[-1].subject

    cache.clear()
    other = signed_in("Ada")
    assert not is_signed_in(other)
    other.post("/account/sign-in/second-factor/", {"code": code_now(secret)})
    assert is_signed_in(other)


def test_a_code_is_good_once_even_in_the_next_half_minute(ada, monkeypatch):
    with_second_factor(ada)
    step = time.time() // 30 * 30
    monkeypatch.setattr(time, "time", lambda: step)
    code = code_now()
    for later, expected in ((0, True), (31, False)):
        monkeypatch.setattr(time, "time", lambda later=later: step + later)
        browser = signed_in("Ada")
        # Some apps show the code with a space.
        browser.post("/account/sign-in/second-factor/", {"code": f"{code[:3]} {code[3:]}"})
        assert is_signed_in(browser) is expected
    browser.post("/account/sign-in/second-factor/", {"code": code_now()})
    assert is_signed_in(browser)


def test_a_wrong_code_does_not_sign_in_and_may_not_be_tried_for_ever(ada):
    with_second_factor(ada)
    browser = signed_in("Ada")
    for _ in range(20):
        answer = browser.post("/account/sign-in/second-factor/", {"code": "000000"})
    assert not is_signed_in(browser)
    said = browser.post("/account/sign-in/second-factor/", {"code": code_now()})
    assert not is_signed_in(browser)
    assert answer.status_code == said.status_code == 200


def test_a_recovery_code_is_good_once(ada, at_home):
    confirms(at_home)
    at_home.get("/account/second-factor/app/")
    secret = at_home.session["mfa.totp.secret"]
    at_home.post("/account/second-factor/app/", {"code": code_now(secret)})
    codes = Authenticator.objects.get(user=ada, type="recovery_codes").wrap().get_unused_codes()
    page = at_home.get("/account/second-factor/codes/").content.decode()
    assert len(codes) == 10 and all(code in page for code in codes)
    file = at_home.get("/account/second-factor/codes/file/")
    assert codes[0] in file.content.decode()

    for expected in (True, False):
        browser = signed_in("Ada")
        browser.post("/account/sign-in/second-factor/", {"code": codes[0]})
        assert is_signed_in(browser) is expected


@pytest.mark.parametrize(
    "path", ["app/", "app/remove/", "codes/", "codes/new/", "codes/file/", "keys/new/"]
)
def test_the_second_factor_asks_for_the_password_first(ada, at_home, path):
    if path != "app/":
        with_second_factor(ada)
        RecoveryCodes.activate(ada)
    answer = at_home.get(f"/account/second-factor/{path}")

    assert answer.headers["Location"].startswith("/account/confirm/")


def test_whoever_lost_it_all_is_helped_by_a_superuser_and_by_no_one_else(ada):
    with_second_factor(ada)
    root = with_second_factor(a_user("Rita", is_staff=True, is_superuser=True))
    stan = with_second_factor(a_user("Stan", is_staff=True))
    stan.user_permissions.add(*Permission.objects.filter(codename__endswith="_user"))
    form = {"action": "remove_second_factor", "_selected_action": [ada.pk]}
    for helper, is_left in ((stan, True), (root, False)):
        browser = Client()
        browser.force_login(helper)
        browser.post("/admin/accounts/user/", form)
        assert Authenticator.objects.filter(user=ada).exists() is is_left


def test_no_page_of_the_admin_shows_what_makes_codes(ada):
    root = with_second_factor(a_user("Rita", is_staff=True, is_superuser=True))
    browser = Client()
    browser.force_login(root)
    for path in ("mfa/authenticator", "usersessions/usersession"):
        assert browser.get(f"/admin/{path}/").status_code == 404


# Passkeys -----------------------------------------------------------------------------------------


def test_a_passkey_signs_in_alone(ada, at_home):
    key = with_key(confirms(at_home))
    browser = Client()
    asked = browser.get("/account/sign-in/passkey/", HTTP_ACCEPT="application/json").json()

    answer = browser.post("/account/sign-in/passkey/", {"credential": key.shown(asked)})

    assert answer.status_code == 302
    assert browser.session["_auth_user_id"] == str(ada.pk)


def test_a_key_stands_beside_the_password_and_confirms_what_is_delicate(ada, at_home):
    key = with_key(confirms(at_home))
    browser = signed_in("Ada")
    assert not is_signed_in(browser)

    asked = options_in(browser.get("/account/sign-in/second-factor/"))
    browser.post("/account/sign-in/second-factor/", {"credential": key.shown(asked)})
    assert is_signed_in(browser)

    asked = options_in(browser.get("/account/confirm/passkey/"))
    browser.post("/account/confirm/passkey/", {"credential": key.shown(asked)})
    assert browser.get("/account/close/").status_code == 200


def test_an_old_answer_of_a_key_opens_nothing(ada, at_home):
    key = with_key(confirms(at_home))
    browser = Client()
    asked = browser.get("/account/sign-in/passkey/", HTTP_ACCEPT="application/json").json()
    shown = key.shown(asked)
    assert browser.post("/account/sign-in/passkey/", {"credential": shown}).status_code == 302

    thief = Client()
    thief.get("/account/sign-in/passkey/", HTTP_ACCEPT="application/json")
    thief.post("/account/sign-in/passkey/", {"credential": shown})
    assert not is_signed_in(thief)


def test_a_key_is_renamed_and_removed_by_its_owner_alone(ada, at_home):
    with_key(confirms(at_home))
    pk = Authenticator.objects.get(type="webauthn").pk
    a_user("Boris")
    other = confirms(signed_in("Boris"))
    for path in (f"/account/second-factor/keys/{pk}/", f"/account/second-factor/keys/{pk}/remove/"):
        assert other.get(path).status_code == other.post(path, {"name": "x"}).status_code == 404

    at_home.post(f"/account/second-factor/keys/{pk}/", {"name": "Laptop <b>"})
    assert "Laptop &lt;b&gt;" in at_home.get("/account/second-factor/keys/").content.decode()
    at_home.post(f"/account/second-factor/keys/{pk}/remove/")
    assert not Authenticator.objects.filter(pk=pk).exists()


GARBAGE = [
    *(
        "",
        "x",
        "[]",
        "null",
        "1",
        '"x"',
        "{}",
        '{"id": 1}',
        '{"response": []}',
        '{"response": "x"}',
    ),
    *('{"id": "eA", "rawId": "eA", "response": {}}', "{" * 500, '{"response": {"userHandle": 7}}'),
    '{"id":"eA","rawId":"eA","type":"public-key","response":{"clientDataJSON":"eA",'
    '"authenticatorData":"eA","signature":"eA","userHandle":"////"}}',
    '{"id":"eA","rawId":"eA","type":"public-key","response":{"clientDataJSON":"e30",'
    '"attestationObject":"oA","authenticatorData":"","signature":"","userHandle":null}}',
    # Deep JSON, alone and as a part; and deep JSON and CBOR inside base64.
    *("[" * 9000, "[" * 9000 + "]" * 9000, '{"a":' * 1500 + "1" + "}" * 1500, "9" * 5000),
    '{"id":"eA","rawId":"eA","response":' + '{"a":' * 1500,
    *(
        json.dumps(
            {
                "id": "eA",
                "rawId": "eA",
                "type": "public-key",
                "response": {
                    "clientDataJSON": client,
                    "attestationObject": attestation,
                    "authenticatorData": "",
                    "signature": "",
                    "userHandle": None,
                },
            }
        )
        for client, attestation in (
            (b64(b"[" * 6000), "oA"),
            ("e30", b64(b"\x81" * 9000)),
            ("e30", b64(b"\xa1" * 9000)),
        )
    ),
    *('{"id":"\\u0000"}', '{"id":"\\ud800"}', '{"\\ud800":1}', "1e999", "NaN"),
]


@pytest.mark.parametrize("credential", by_day(8, GARBAGE))
def test_what_is_no_key_at_all_is_refused_and_breaks_nothing(ada, at_home, credential):
    confirms(at_home)
    with_key(at_home)
    halfway, stranger = signed_in("Ada"), Client()
    stranger.get("/account/sign-in/passkey/", HTTP_ACCEPT="application/json")
    halfway.get("/account/sign-in/second-factor/")
    at_home.get("/account/confirm/passkey/")
    posts = [
        (stranger, "/account/sign-in/passkey/"),
        (halfway, "/account/sign-in/second-factor/"),
        (at_home, "/account/confirm/passkey/"),
        (at_home, "/account/second-factor/keys/new/"),
    ]
    for browser, path in posts:
        answer = browser.post(path, {"credential": credential, "name": "x"})
        assert answer.status_code in (200, 302), path
    assert not is_signed_in(stranger) and not is_signed_in(halfway)
    assert Authenticator.objects.filter(type="webauthn").count() == 1


# Who needs a second factor ------------------------------------------------------------------------


def offices() -> list[User]:
    mira = a_user("Mira")
    mira.user_permissions.add(Permission.objects.get(codename="moderate"))
    return [
        a_user("Stan", is_staff=True),
        a_user("Rita", is_staff=True, is_superuser=True),
        mira,
    ]


@pytest.mark.parametrize("path", ["/admin/", "/admin/accounts/user/", "/moderation/"])
def test_no_office_without_a_second_factor(path):
    for user in offices():
        browser = signed_in(user.username)
        for answer in (browser.get(path), browser.post(path)):
            assert answer.headers["Location"] == "/account/second-factor/", user
        page = browser.get("/account/").content.decode()
        assert "Your role needs two-factor authentication" in page
        with_second_factor(user)
        answer = browser.get(path)
        assert answer.headers.get("Location") != "/account/second-factor/"


def test_recovery_codes_alone_are_no_second_factor():
    stan = a_user("Stan", is_staff=True)
    Authenticator.objects.create(user=stan, type="recovery_codes", data={})
    browser = Client()
    browser.force_login(stan)

    assert browser.get("/admin/").headers["Location"] == "/account/second-factor/"


def test_who_holds_no_office_finds_those_doors_as_ever(ada, at_home):
    assert at_home.get("/admin/").headers["Location"].startswith("/admin/login/")
    assert at_home.get("/moderation/").status_code == 404


def test_an_office_plays_and_signs_in_without_one(client):
    a_user("Stan", is_staff=True)

    assert signed_in("Stan").get("/").status_code == 200
