"""A table where everyone floods the chat, and the table beside it."""

import asyncio

import pytest

from games.models import Table
from tests.builders.person import Person
from tests.builders.sockets import Socket, does
from tests.builders.tables import run_table
from tests.limits.conftest import OtherTable

MESSAGES = 150


def say(viewer: Person, text: str, key: str = "", *, htmx: bool = True):
    data = {"text": text, "place": "table", "key": key}
    return viewer.post(f"{viewer.url}say/", data, htmx=htmx)


def test_whoever_says_too_much_is_told_when_to_go_on_and_loses_no_word(seated, limited, clock):
    limited(sayings="2/minute")
    for text in ("One", "Two"):
        assert say(seated[0], text).status_code == 200

    by_htmx = say(seated[0], "Three")
    by_form = say(seated[0], "Three", htmx=False)

    assert by_htmx.status_code == by_form.status_code == 429
    assert by_htmx.headers["Retry-After"] == "60"
    # htmx leaves the page as it is; the answer to a plain form holds the text, to be sent again.
    assert 'value="Three"' in by_form.content.decode()
    assert seated[0].press("nominate:2").status_code == 303
    assert say(seated[1], "I may still speak").status_code == 200
    clock.now += 61
    assert say(seated[0], "Three").status_code == 200


@pytest.mark.nightly
@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("closed_lines")
async def test_a_flood_of_messages_at_one_table_keeps_another_from_nothing(transactional_db):
    """The others play a whole round meanwhile: every click counts and every frame arrives."""

    def gather() -> tuple[Table, list[Person], OtherTable]:
        table = run_table()
        people = [Person(seat.user, table) for seat in table.seats.select_related("user")]
        return table, people, OtherTable()

    table, loud, other = await does(gather)()
    reader = await Socket(loud[0]).catches_up()
    watcher = await Socket(other.people[3]).catches_up()

    async def shout(start: int) -> None:
        for number in range(start, start + MESSAGES // 5):
            answer = await does(say)(loud[number % 5], f"Word {number}!", str(number))
            assert answer.status_code == 200

    async def play() -> None:
        assert await does(other.goes_on)()
        while not {"banner", "log"} <= await watcher.frame():
            pass

    for fifth in range(5):
        work = [shout(fifth * MESSAGES // 5)] + ([play()] if fifth == 2 else [])
        await asyncio.gather(*work)

    assert await does(table.messages.count)() == MESSAGES
    page = await does(loud[1].page)()
    assert f"Word {MESSAGES - 1}!" in page
    # A socket that reads along shows what a fresh page shows.
    shown: dict[str, str] = {}
    while f"Word {MESSAGES - 1}!" not in str(shown):
        answer = await reader.answer()
        reader.frames += 1
        await reader.send(ack=reader.frames)
        shown = answer
    await reader.line.disconnect()
    await watcher.line.disconnect()
