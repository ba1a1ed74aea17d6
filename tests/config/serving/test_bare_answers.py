"""What the server answers without Django: its pages have the headers of all others."""

from typing import Any

import pytest

from config.serving.bare_answers import bare_headers
from config.serving.server import _BoundedRequest

from twisted.web.http_headers import Headers  # isort: skip  after the server, which chooses the reactor


def answer_to(cookie: bytes, status: int) -> tuple[int, dict[str, str], str]:
    """Return what Daphne answers by itself: to what it cannot read, or has waited for too long."""
    sent: list[dict[str, Any]] = []
    # Without a connection.
    request = _BoundedRequest.__new__(_BoundedRequest)
    request.method = b"GET"
    request.requestHeaders = Headers({b"cookie": [cookie], b"accept-language": [b"pl"]})
    request.handle_reply = sent.append
    request.basic_error(status, b"", "an answer of Daphne's own")
    start, body = sent
    headers = {name.decode(): value.decode() for name, value in start["headers"]}
    return start["status"], headers, body["body"].decode()


@pytest.mark.django_db
def test_answers_without_django_have_the_headers_of_all_answers(client):
    usual = client.get("/nowhere/").headers
    headers = {name.decode(): value.decode() for name, value in bare_headers()}
    assert headers.pop("cache-control") == "no-store"
    for name, value in headers.items():
        assert set(usual[name].split("; ")) == set(value.split("; ")), name
    of_a_page = {"content-type", "content-length", "content-language", "vary", "x-request-id"}
    kept = {"cache-control", "expires"}
    assert {name.lower() for name in usual} - of_a_page - kept == set(headers)


@pytest.mark.parametrize("status", [400, 413, 500, 503])
def test_daphne_s_own_answers_are_pages_in_the_reader_s_language(status):
    answered, headers, page = answer_to(b"django_language=ru", status)
    assert answered == status
    assert (
        dict(bare_headers()).items() <= {k.encode(): v.encode() for k, v in headers.items()}.items()
    )
    assert '<html lang="ru"' in page
    assert "Daphne" not in page
    assert '<html lang="pl"' in answer_to(b"", status)[2]
