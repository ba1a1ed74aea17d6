"""The first load of each kind of page takes at most 100 KB over the wire, without fonts.

`make first-load` measures the same in a browser.
"""

import gzip

import pytest
from django.test import Client

from games.models import Table
from games.services import chat
from tests.builders.tables import (
    NAMES,
    act,
    fascist_dream,
    gather,
    is_over,
    person,
    run_table,
    state_of,
    user_at,
)
from tests.weights import KB, assets_of, first_load, weight

LANGUAGES = ["en", pytest.param("ru", marks=pytest.mark.nightly)]
MOST = 100 * KB
MOST_JAVASCRIPT = 40 * KB
MOST_FONTS = 120 * KB

PUBLIC = [
    *("/", "/watch/", "/puzzle/", "/tutorial/", "/tutorial/nominate/", "/tutorial/veto/"),
    *("/rules/", "/rules/ru/", "/rules/compare/", "/rules/glossary/"),
    *("/archive/", "/statistics/", "/ratings/", "/dumps/", "/nowhere/"),
]
VISITORS = [*PUBLIC, "/account/register/", "/account/sign-in/"]
OWN = [
    *PUBLIC,
    *("/games/", "/tables/new/", "/vacation/", "/records/", "/find/"),
    *("/account/", "/account/preferences/", "/account/notifications/", "/account/people/"),
    *("/account/sessions/", "/account/export/", "/report/"),
]


class Reader:
    """A browser that weighs what it opens, and remembers what was too heavy."""

    def __init__(self, language: str) -> None:
        self._language = language
        self._clients: dict[str, Client] = {}
        self._weights: dict[str, int] = {}
        self.opened = 0
        self.heavy: dict[str, int] = {}

    def opens(self, name: str, path: str, who: str = "") -> None:
        """Open a page as this user, or as a visitor, and weigh it."""
        answer = self._client(who).get(path, follow=True)
        html = answer.content
        if answer.headers.get("Content-Encoding") == "gzip":
            html = gzip.decompress(html)
        page = html.decode()
        assert page.startswith("<!doctype html>"), path
        size = first_load(answer, page, self._weights)
        self.opened += 1
        if size > MOST:
            self.heavy[f"{name}, {who or 'a visitor'}"] = size

    def _client(self, who: str) -> Client:
        if who not in self._clients:
            client = Client(HTTP_ACCEPT_LANGUAGE=self._language, HTTP_ACCEPT_ENCODING="gzip, br")
            if who:
                client.force_login(person(who))
            self._clients[who] = client
        return self._clients[who]


def say_much(table: Table) -> None:
    for number in range(30):
        chat.say(
            table=table,
            user=user_at(table, number % 5),
            place="table",
            text=f"Что вы получили в раунде {number}? Я вам не верю.",
            key=f"k{number}",
        )


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_first_load_of_each_page_is_small(db, language):
    table = run_table(names=NAMES)
    reader = Reader(language)
    for path in VISITORS:
        reader.opens(path, path)
    for path in OWN:
        reader.opens(path, path, "Ada")
    gathering = gather(("Vera",), bots=9).get_absolute_url()
    reader.opens("a gathering table", gathering, "Vera")
    reader.opens("a gathering table", gathering)
    say_much(table)
    path = table.get_absolute_url()
    seen = set()

    state = state_of(table)
    while not is_over(state):
        if (state.phase, state.round > 2) not in seen:
            seen.add((state.phase, state.round > 2))
            for who in ("Ada", user_at(table, state.to_act[0]).username, ""):
                reader.opens(f"round {state.round}, {state.phase}", path, who)
        state = act(table, fascist_dream(state, state.to_act[0]))

    for part in ("", "replay/", "replay/?move=30", "truth/", "proof/", "talk/"):
        for who in ("Ada", ""):
            reader.opens(f"the finished table, {part}", f"{path}{part}", who)

    assert reader.opened > 60
    assert reader.heavy == {}


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_scripts_and_fonts_of_a_table_are_small(db, language):
    table = run_table()
    client = Client(HTTP_ACCEPT_LANGUAGE=language)
    names = assets_of(client.get(table.get_absolute_url()).content.decode())

    assert 0 < sum(weight(name) for name in names if name.endswith(".woff2")) <= MOST_FONTS
    assert 0 < sum(weight(name) for name in names if name.endswith(".js")) <= MOST_JAVASCRIPT
