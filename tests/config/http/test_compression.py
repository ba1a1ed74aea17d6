"""Which pages are compressed, with a random length added: public ones and finished games."""

import gzip

import pytest
from django.test import Client

from tests.builders.person import Person
from tests.builders.tables import NAMES, is_over, person, play_until, run_table

pytestmark = pytest.mark.django_db

GZIP = {"Accept-Encoding": "gzip, br"}


@pytest.mark.parametrize("path", ["/", "/rules/en/", "/rules/", "/account/register/"])
def test_a_public_page_of_a_visitor_is_compressed(path):
    plain = Client().get(path)
    small = Client().get(path, headers=GZIP)

    assert small.headers["Content-Encoding"] == "gzip"
    assert "Content-Encoding" not in plain.headers
    assert "Accept-Encoding" in plain.headers["Vary"]
    assert len(small.content) < len(plain.content) / 2
    assert gzip.decompress(small.content).startswith(b"<!doctype html>")


def test_the_length_of_a_compressed_page_tells_nothing_exact():
    sizes = {len(Client().get("/rules/en/", headers=GZIP).content) for _ in range(12)}
    assert len(sizes) > 1


@pytest.mark.parametrize("path", ["/", "/rules/en/"])
def test_no_page_of_a_signed_in_user_is_compressed(client, path):
    client.force_login(person("Ada"))
    assert "Content-Encoding" not in client.get(path, headers=GZIP).headers


def test_a_running_table_is_compressed_for_no_one():
    table = run_table(NAMES[:5])
    for viewer in (Person(person("Ada"), table).client, Client()):
        for path in ("", "panels/"):
            answer = viewer.get(table.get_absolute_url() + path, headers=GZIP)
            assert "Content-Encoding" not in answer.headers, path


FINISHED = ("", "replay/", "truth/", "proof/")


@pytest.fixture
def finished():
    table = run_table(NAMES[:5])
    play_until(table, is_over)
    return table


@pytest.mark.parametrize("part", FINISHED)
def test_the_pages_of_a_finished_game_are_compressed_for_everyone(finished, part):
    for viewer in (Person(person("Ada"), finished).client, Client()):
        answer = viewer.get(finished.get_absolute_url() + part, headers=GZIP)
        assert answer.headers["Content-Encoding"] == "gzip"
        assert "Accept-Encoding" in answer.headers["Vary"]


def test_a_replay_with_the_reader_s_notes_is_not_compressed(finished):
    ada = Person(person("Ada"), finished)
    ada.post(f"{ada.url}notes/", {"text": "Boris looked away."})
    answer = ada.client.get(f"{ada.url}replay/", headers=GZIP)

    assert "Boris looked away." in answer.content.decode()
    assert "Content-Encoding" not in answer.headers
