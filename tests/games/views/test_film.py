"""The game on the front page: a finished public one, which anyone may have seen."""

import json
import re

import pytest
from django.test import Client
from django.utils import timezone

from games.models import Game, Table, Visibility
from games.panels import film_of
from games.rules.record import replay, verify
from games.selectors.featured import featured_room
from games.services import presence
from games.services.tables import quick_game
from games.state.bundled_game import bundled_record, bundled_room
from games.state.rooms import room_of
from tests.builders.person import Person
from tests.builders.tables import NAMES, fresh, is_over, person, play_until, run_table

pytestmark = pytest.mark.django_db


def finished(**how: object) -> Table:
    table = run_table(**how)
    play_until(table, is_over)
    return fresh(table)


def film(client: Client, language: str = "en") -> dict[str, object]:
    answer = client.get(f"/film/{language}/")
    assert answer.status_code == 200
    return json.loads(answer.content)


def names_in(text: str) -> set[str]:
    return {name for name in NAMES if f"<bdi>{name}</bdi>" in text}


# Which game it is ---------------------------------------------------------------------------------


def test_a_new_site_shows_the_game_that_comes_with_the_program(client):
    html = client.get("/").content.decode()
    assert "A game that bots played" in html
    assert "<bdi>Klara</bdi>" in html
    assert len(film(client)["stills"]) == len(film_of(bundled_room(), "en").stills)


def test_the_bundled_game_holds_its_seal_and_reaches_its_outcome():
    record = bundled_record()
    assert not verify(record)
    *_, last = replay(record)
    assert last.state.outcome == record.outcome
    assert bundled_room().public_view().outcome == record.outcome


def test_it_is_the_public_game_that_ended_last(client):
    finished()
    last = finished(names=NAMES[1:7])
    html = client.get("/").content.decode()
    assert "A game that was played here" in html
    assert f"/tables/{last.code}/replay/?move=0" in html
    assert names_in(html.split('id="panel-tables"')[0]) == set(NAMES[1:7])
    assert names_in(json.dumps(film(client), ensure_ascii=False)) == set(NAMES[1:7])


def test_a_running_game_is_never_shown(client):
    before = client.get("/film/en/").content
    table = run_table()
    play_until(table, lambda state: state.round == 3)
    assert client.get("/film/en/").content == before
    assert not names_in(client.get("/").content.decode().split('id="panel-tables"')[0])


@pytest.mark.parametrize("how", ["private", "unlisted", "unwatched", "voided", "abandoned"])
def test_a_game_that_not_everyone_could_watch_or_that_does_not_count_is_never_shown(client, how):
    before = client.get("/film/en/").content
    table = finished()
    tables, games = Table.objects.filter(pk=table.pk), Game.objects.filter(table=table)
    match how:
        case "private":
            tables.update(visibility=Visibility.PRIVATE)
        case "unlisted":
            tables.update(visibility=Visibility.UNLISTED)
        case "unwatched":
            tables.update(spectators=False)
        case _:
            games.update(stopped=how)
    assert client.get("/film/en/").content == before
    assert not names_in(client.get("/").content.decode().split('id="panel-tables"')[0])


# What it shows ------------------------------------------------------------------------------------


def test_there_is_a_still_for_each_move_that_everyone_learns_something_of_and_one_of_the_roles():
    room = room_of(finished().code)
    told = [step for step in room.public_steps if step.events]
    assert len(film_of(room, "en").stills) == len(told) + 1 > 10


def test_roles_appear_only_when_the_game_is_over():
    stills = film_of(bundled_room(), "en").stills
    shown = ["seat-role" in "".join(still.seats) for still in stills]
    assert shown == [False] * (len(stills) - 2) + [True] * 2


def test_the_last_still_says_who_was_who():
    *_, last = film_of(bundled_room(), "en").stills
    told = re.sub(r"<[^>]+>", " ", last.caption)
    assert "Hitler: Klara" in " ".join(told.split())
    assert "Fascists: Otto and Frieda" in " ".join(told.split())


def test_a_still_shows_the_board_as_it_stood_then():
    stills = film_of(bundled_room(), "en").stills
    enacted = [
        "".join(still.tracks).count('<span class="sr-only">enacted</span>') for still in stills
    ]
    assert enacted[0] == 0
    assert enacted == sorted(enacted)
    view = bundled_room().public_view()
    assert enacted[-1] == view.liberal + view.fascist


def test_names_are_escaped(client):
    table = finished()
    table.seats.filter(number=0).update(name="<script>x</script>")
    Table.objects.filter(pk=table.pk).update(version=table.version + 1)
    for path in ("/", "/film/en/"):
        assert b"<script>x" not in client.get(path).content


def test_it_has_no_links_to_people_and_no_button_of_the_table(client):
    finished()
    pieces = "".join(film(client)["pieces"])
    assert "<a " not in pieces
    assert "<button" not in pieces
    assert "<form" not in pieces


def test_each_language_has_its_own(client):
    assert "Раунд 1" in "".join(film(client, "ru")["pieces"])
    assert "ラウンド1" in "".join(film(client, "ja")["pieces"])
    assert client.get("/film/xx/").status_code == 404


# How it travels -----------------------------------------------------------------------------------


def test_any_cache_may_keep_it_and_asks_again_with_its_tag(client):
    answer = client.get("/film/en/")
    assert "public" in answer.headers["Cache-Control"]
    assert not answer.cookies
    again = client.get("/film/en/", headers={"If-None-Match": answer.headers["ETag"]})
    assert again.status_code == 304
    assert again.content == b""


def test_it_is_the_same_for_everyone(client):
    table = finished()
    ada = Person(person("Ada"), table)
    assert ada.get("/film/en/").content == client.get("/film/en/").content


# The page -----------------------------------------------------------------------------------------


def test_without_scripts_each_move_is_a_link(client):
    html = client.get("/").content.decode()
    [link] = re.findall(r'id="film-next"[^>]*href="([^"#]+)#film"', html)
    after = client.get(f"/{link}").content.decode()
    caption = re.compile(r"data-film-caption>(.*?)</p>")
    assert caption.search(after)[1] != caption.search(html)[1]
    last = len(film_of(bundled_room(), "en").stills) - 1
    assert "?still=0#film" in client.get(f"/?still={last}").content.decode()


@pytest.mark.parametrize("still", ["-1", "99999", "x", "", "٣"])
def test_a_still_that_does_not_exist_is_the_usual_one(client, still):
    usual = client.get("/").content.decode().split("data-film-caption")[1].split("</p>")[0]
    answer = client.get("/", {"still": still})
    assert answer.status_code == 200
    assert usual in answer.content.decode()


# What there is to watch ---------------------------------------------------------------------------


def test_one_watches_the_newest_running_game(client):
    finished()
    run_table()
    table = run_table(names=NAMES[5:10])
    assert client.get("/watch/").headers["Location"] == f"/tables/{table.code}/"


def test_with_none_running_one_watches_the_newest_replay(client):
    table = finished()
    answer = client.get("/watch/", follow=True)
    assert answer.redirect_chain[0][0].startswith(f"/tables/{table.code}/replay/?move=0")
    assert answer.status_code == 200


@pytest.mark.parametrize("name", ["", "Ada"])
def test_on_a_new_site_one_watches_the_bundled_game(client, name):
    if name:
        client.force_login(person(name))
    answer = client.get("/watch/")
    assert answer.status_code == 200
    assert b"data-film=" in answer.content
    # From its beginning, and with what to do next.
    assert b'data-still="0"' in answer.content
    for way in (b'action="/play/"', b'href="/archive/"'):
        assert way in answer.content


def test_nobody_is_led_to_a_table_that_is_not_theirs_to_watch(client):
    run_table(is_private=True)
    quick_game(user=person("Ada"), edition="en")
    assert client.get("/watch/").status_code == 200


# Who is here --------------------------------------------------------------------------------------


def crowd(client: Client) -> str:
    html = client.get("/").content.decode()
    panel = html.split('id="panel-here"')[1].split("</section>")[0]
    return re.sub(r"<[^>]+>", "|", panel)


def test_visitors_see_how_many_are_here_and_play(client):
    table = run_table(NAMES[:5])
    quick_game(user=person("Zora"), edition="en")
    places = {(person(name).pk, table.pk) for name in NAMES[:2]}
    presence.report(process="one", came=places, went=set(), now=timezone.now())
    told = crowd(client)
    assert "2 people here" in told
    assert "2 games running" in told
    assert "6 people playing" in told


def test_the_featured_room_is_read_again_when_it_changes():
    table = finished()
    assert featured_room().seats[0].name == "Ada"
    table.seats.filter(number=0).update(name="Player 1")
    Table.objects.filter(pk=table.pk).update(version=table.version + 1)
    assert featured_room().seats[0].name == "Player 1"
