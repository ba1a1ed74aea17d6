"""The Atom feeds: what they tell, in which language, and that they are the same for everyone."""

import re
from datetime import UTC, date, datetime

import pytest
from django.test import Client
from lxml import etree

from accounts.models import User
from games.models import Dump, Table
from games.services import archive
from tests.builders.tables import is_over, person, play_until, run_table

pytestmark = pytest.mark.django_db
ATOM = {"a": "http://www.w3.org/2005/Atom"}


def finished(**how) -> Table:
    table = run_table(**how)
    play_until(table, is_over)
    archive.take_in()
    return table


def show_games(name: str, audience: str = "all") -> User:
    person(name)
    User.objects.filter(username=name).update(shows_page="all", shows_games=audience)
    return User.objects.get(username=name)


def feed(path: str) -> etree._Element:
    answer = Client().get(path)
    assert answer.status_code == 200, answer.content
    assert answer["Content-Type"] == "application/atom+xml; charset=utf-8"
    return etree.fromstring(answer.content)


def texts(path: str, what: str) -> list[str]:
    return feed(path).xpath(what, namespaces=ATOM)


def test_the_newest_public_games_stand_in_the_feed():
    run_table(names=[f"{name}1" for name in "ABCDE"])
    finished(names=[f"{name}2" for name in "ABCDE"], is_private=True)
    table = finished()
    (address,) = texts("/archive/feed/", "//a:entry/a:id/text()")
    assert address == f"http://testserver/tables/{table.code}/replay/"
    ended = datetime.fromisoformat(texts("/archive/feed/", "/a:feed/a:updated/text()")[0])
    table.refresh_from_db()
    assert abs((ended - table.game.ended_at).total_seconds()) < 1


def test_a_feed_names_its_author():
    for path in ("/archive/feed/", "/dumps/feed/"):
        assert texts(path, "/a:feed/a:author/a:name/text()") == ["Chancellery"]


def test_the_filters_of_the_search_choose():
    finished()
    assert len(texts("/archive/feed/?edition=en&players=5", "//a:entry")) == 1
    assert texts("/archive/feed/?edition=pl", "//a:entry") == []
    for query in ("edition=xx", "since=yesterday", "colour=red"):
        answer = Client().get(f"/archive/feed/?{query}")
        assert answer.status_code == 400
        assert answer.json()["errors"][0]["parameter"] == query.partition("=")[0]


def test_a_person_has_a_feed_only_while_everyone_may_see_the_games():
    finished()
    ada = show_games("Ada")
    path = f"/people/{ada.person_key}/feed/"
    assert len(texts(path, "//a:entry")) == 1
    assert f'href="{path}?lang=en"' in Client().get(f"/people/{ada.person_key}/").content.decode()
    show_games("Ada", "friends")
    hidden, unknown = Client().get(path), Client().get("/people/nobody/feed/")
    assert hidden.status_code == unknown.status_code == 404
    assert hidden.content == unknown.content
    assert path not in Client().get(f"/people/{ada.person_key}/").content.decode()


def test_names_stand_only_where_everyone_may_see_them():
    finished()
    assert "Ada" not in texts("/archive/feed/", "//a:summary/text()")[0]
    show_games("Ada")
    assert "Ada" in texts("/archive/feed/", "//a:summary/text()")[0]


def test_new_dumps_stand_in_a_feed_and_unfinished_ones_do_not():
    now = datetime(2026, 11, 1, tzinfo=UTC)
    Dump.objects.create(
        month=date(2026, 10, 1), shown=1, made_at=now, games=3, size=9, sha256="ab" * 32
    )
    Dump.objects.create(month=date(2026, 9, 1))
    assert texts("/dumps/feed/", "//a:entry/a:title/text()") == ["October 2026"]


def test_the_address_alone_chooses_the_language_and_no_cookie_is_set():
    finished()
    member = Client()
    member.force_login(person("Boris", language="pl"))
    headers = {"Accept-Language": "ja", "Cookie": "language=it"}
    for query, language in (("", "en"), ("?lang=ru", "ru"), ("?lang=xx", "en")):
        plain = Client().get(f"/archive/feed/{query}", headers=headers)
        signed_in = member.get(f"/archive/feed/{query}")
        assert plain.content == signed_in.content
        assert plain["Content-Language"] == language
        assert f'xml:lang="{language}"' in plain.content.decode()
        assert not plain.cookies and not signed_in.cookies
        assert "Vary" not in plain.headers
    assert re.search("[а-я]", "".join(texts("/archive/feed/?lang=ru", "//a:entry/a:title/text()")))


def test_an_unchanged_feed_is_not_sent_again():
    for path in ("/archive/feed/", "/dumps/feed/"):
        answer = Client().get(path)
        assert answer["Cache-Control"].startswith("public") and answer["Last-Modified"]
        assert Client().get(path, headers={"If-None-Match": answer["ETag"]}).status_code == 304
    finished()
    etag = Client().get("/archive/feed/")["ETag"]
    show_games("Ada")
    changed = Client().get("/archive/feed/", headers={"If-None-Match": etag})
    assert "Ada" in changed.content.decode()


def test_pages_name_their_feeds_with_their_filters():
    page = Client().get("/archive/?edition=pl").content.decode()
    assert '<link rel="alternate" type="application/atom+xml"' in page
    assert 'href="/archive/feed/?edition=pl&amp;lang=en"' in page
    assert 'href="/dumps/feed/?lang=en"' in Client().get("/dumps/").content.decode()
