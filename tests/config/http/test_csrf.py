"""Which pages may post to the site, and how it answers the others."""

import pytest
from django.conf import settings as django_settings
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver

from tests.builders.person import forms_of
from tests.csrf_token import CSRF_TOKEN

OWN, SIBLING, STRANGER = "http://testserver", "http://cards.testserver", "https://evil.example"
LANGUAGES = [code for code, _ in django_settings.LANGUAGES]
POSTED = "posted-by-a-test"


def post(*, is_secure: bool = False, token: str | None = CSRF_TOKEN, **headers: str):
    """Choose a language, which makes no statement for a visitor without a session."""
    client = Client(enforce_csrf_checks=True, HTTP_ACCEPT_LANGUAGE=headers.pop("language", "en"))
    client.cookies["csrftoken"] = CSRF_TOKEN
    fields = {"language": "ja", "next": f"/{POSTED}/", POSTED: POSTED}
    if token is not None:
        fields["csrfmiddlewaretoken"] = token
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return client.post(
        f"/account/language/?{POSTED}={POSTED}", fields, secure=is_secure, headers=named
    )


# Origin and Sec-Fetch-Site ------------------------------------------------------------------------


@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"origin": OWN},
        {"origin": OWN, "sec_fetch_site": "same-origin"},
        {"sec_fetch_site": "same-origin"},
        {"sec_fetch_site": "none"},
    ],
)
def test_a_page_of_the_site_may_post(headers):
    assert post(**headers).status_code == 302


FORGED = [
    {"origin": STRANGER},
    {"origin": SIBLING},
    {"origin": "null"},
    {"origin": ""},
    {"origin": "https://testserver"},
    {"origin": "http://testserver:81"},
    {"origin": "http://testserver.evil.example"},
    {"origin": f"{OWN}, {STRANGER}"},
    {"origin": "http://[::1"},
    {"origin": STRANGER, "sec_fetch_site": "same-origin"},
    {"origin": SIBLING, "sec_fetch_site": "same-site"},
    {"origin": STRANGER, "sec_fetch_site": "cross-site"},
    {"sec_fetch_site": "same-site"},
    {"sec_fetch_site": "cross-site"},
    {"sec_fetch_site": "same-origin, cross-site"},
    {"sec_fetch_site": ""},
    # No browser sends this.
    {"origin": OWN, "sec_fetch_site": "same-site"},
    {"origin": OWN, "sec_fetch_site": "cross-site"},
]


@pytest.mark.parametrize("headers", FORGED)
def test_another_page_may_not_post_even_with_the_right_token(headers):
    answer = post(**headers)

    assert answer.status_code == 403
    assert "This form came from another site" in answer.content.decode()


@pytest.mark.parametrize("site", ["same-site", "cross-site", None])
def test_an_origin_that_the_owner_trusts_may_post(settings, site):
    settings.CSRF_TRUSTED_ORIGINS = ["http://cards.testserver", "https://*.example.org"]
    said = {} if site is None else {"sec_fetch_site": site}

    assert post(origin=SIBLING, **said).status_code == 302
    assert post(origin="https://a.example.org", **said).status_code == 302
    assert post(origin="https://example.net", **said).status_code == 403
    assert post(origin=SIBLING, token="b" * 32, **said).status_code == 403


# Clients that send neither header -----------------------------------------------------------------


@pytest.mark.parametrize("token", [None, "", "b" * 32, "é"])
def test_without_the_token_a_form_of_the_site_has_expired(token):
    for headers in ({}, {"origin": OWN, "sec_fetch_site": "same-origin"}):
        answer = post(token=token, **headers)

        assert answer.status_code == 403
        assert "This form has expired" in answer.content.decode()


@pytest.mark.parametrize(
    ("referer", "status"),
    [
        ("https://testserver/account/", 302),
        (None, 403),
        ("https://evil.example/", 403),
        ("https://cards.testserver/", 403),
        ("http://testserver/account/", 403),
        ("https://testserver.evil.example/", 403),
        ("nonsense", 403),
    ],
)
def test_under_tls_a_client_without_an_origin_has_to_name_a_page_of_the_site(referer, status):
    said = {} if referer is None else {"referer": referer}

    assert post(is_secure=True, **said).status_code == status


def test_under_tls_an_origin_is_enough():
    assert post(is_secure=True, origin="https://testserver").status_code == 302
    assert post(is_secure=True, origin=OWN).status_code == 403


# The answer ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("headers", [{"token": None}, {"origin": STRANGER}])
def test_a_refusal_is_in_the_browser_s_language_and_repeats_nothing(language, headers):
    answer = post(language=language, **headers)

    html = answer.content.decode()
    assert answer.status_code == 403
    assert f'<html lang="{language}"' in html
    assert answer.headers["Content-Language"] == language
    assert forms_of(html) == []
    assert POSTED not in html + str(answer.headers)
    assert not answer.cookies


@pytest.mark.parametrize("language", ["en", "ru"])
@pytest.mark.parametrize(
    "kind", ["application/x-www-form-urlencoded", "multipart/form-data; boundary=x", "text/plain"]
)
def test_a_body_that_is_too_long_to_check_is_not_read_and_not_repeated(monkeypatch, language, kind):
    def reads(self):
        raise AssertionError("the body was read")

    monkeypatch.setattr("django.core.handlers.wsgi.WSGIRequest._load_post_and_files", reads)
    client = Client(enforce_csrf_checks=True, HTTP_ACCEPT_LANGUAGE=language)
    client.cookies["csrftoken"] = CSRF_TOKEN

    answer = client.generic("POST", f"/quick/?{POSTED}=1", b"a=" + b"9" * 2**16, kind)

    html = answer.content.decode()
    assert answer.status_code == 400
    assert f'<html lang="{language}"' in html
    assert forms_of(html) == []
    assert POSTED not in html


@pytest.mark.parametrize("body", [b"a=1&" * 5000, b"--x\r\n"])
def test_a_body_that_breaks_while_it_is_checked_is_not_repeated(body):
    kind = "multipart/form-data" if body.startswith(b"--") else "application/x-www-form-urlencoded"
    client = Client(enforce_csrf_checks=True)
    client.cookies["csrftoken"] = CSRF_TOKEN

    answer = client.generic("POST", f"/quick/?{POSTED}=1", body, kind)

    assert answer.status_code == 400
    assert forms_of(answer.content.decode()) == []
    assert POSTED not in answer.content.decode()


def test_an_unknown_address_is_checked_too():
    client = Client(enforce_csrf_checks=True)

    assert client.post(f"/{POSTED}/").status_code == 403
    assert client.post(f"/{POSTED}").status_code == 403


# The check runs first -----------------------------------------------------------------------------


def test_the_check_comes_before_all_middleware_that_knows_the_user():
    before = django_settings.MIDDLEWARE[
        : django_settings.MIDDLEWARE.index("config.http.csrf.CsrfMiddleware")
    ]

    assert not [name for name in before if "accounts" in name and "PlainRequest" not in name]
    assert "django.contrib.sessions.middleware.SessionMiddleware" not in before


def test_no_view_is_exempt():
    def views(resolver: URLResolver):
        for pattern in resolver.url_patterns:
            if isinstance(pattern, URLPattern):
                yield pattern.callback
            else:
                yield from views(pattern)

    assert not [view for view in views(get_resolver()) if getattr(view, "csrf_exempt", False)]
