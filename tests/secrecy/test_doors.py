"""Claims of a request about itself that the site must not trust."""

import asyncio

import pytest
from asgiref.sync import async_to_sync
from django.core.asgi import get_asgi_application

from games.panels import forget_all
from tests.builders.person import Person
from tests.builders.tables import form_of, gather, run_table, standing
from tests.secrecy.mutations import Request, plain


@pytest.mark.parametrize("length", ["true", "-1", "1e3", "٣", "9" * 5000, "47, 47", " "])
def test_a_length_that_is_no_number_is_refused_on_a_page_of_ours(db, length):
    table = run_table()
    ada = Person(table.host, table)
    before = standing(table)

    answer = ada.post(f"{ada.url}act/", form_of(table, "nominate:2"), CONTENT_LENGTH=length)

    assert answer.status_code == 400
    assert "<html" in answer.content.decode()
    assert standing(table) == before


@pytest.mark.parametrize("prefix", ["/x", "//evil.example", "x", "/" * 99])
def test_no_one_moves_our_links_to_another_site(transactional_db, prefix):
    """The prefix comes from a header that a server trusts.

    Other viewers would get the wrong links as long as the rendered panels are kept.
    """
    table = gather()
    ada = Person(table.host, table)
    cookies = "; ".join(f"{name}={c.value}" for name, c in ada.client.cookies.items())
    request = plain("GET", ada.url, {}, cookies, "")
    request.root_path = prefix
    button = f'action="{ada.url}start/"'
    forget_all()

    moved = async_to_sync(page)(request)

    assert button in moved
    assert "evil.example" not in moved


async def page(request: Request) -> str:
    """Return the body of the ASGI application's answer."""
    parts: list[bytes] = []

    async def receive() -> dict[str, object]:
        if not parts:
            parts.append(b"")
            return {"type": "http.request", "body": b"", "more_body": False}
        await asyncio.Event().wait()
        raise AssertionError

    async def send(message: dict[str, object]) -> None:
        parts.append(message.get("body", b""))

    await get_asgi_application()(request.scope(), receive, send)
    return b"".join(parts).decode()
