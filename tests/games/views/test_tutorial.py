"""The tutorial: every lesson can be passed, wrong moves are explained, and visitors can resume."""

import re

import pytest

from games.tutorial import LESSONS
from tests.builders.tables import person
from tests.nightly import by_day

LANGUAGES = ("en", "ru", "pl", "ja", "it")
SEE_OTHER, REFUSED, NOT_FOUND = 303, 422, 404

pytestmark = pytest.mark.django_db


def choices_on(page: str) -> list[str]:
    return re.findall(r'name="choice" value="([^"]+)"', page)


def is_right(lesson, choice: str) -> bool:
    return choice in lesson.right or choice.partition(":")[0] in lesson.right


@pytest.fixture(params=by_day(2, LANGUAGES))
def reader(request, client):
    client.cookies["language"] = request.param
    return client


def test_every_lesson_can_be_passed_in_every_language(reader):
    here = "/tutorial/"
    page = reader.get(here).content.decode()
    here = re.search(r'id="tutorial-start" href="([^"]+)"', page)[1]
    for lesson in LESSONS:
        assert here == f"/tutorial/{lesson.slug}/"
        page = reader.get(here).content.decode()
        assert str(lesson.slug) in page
        right = next(choice for choice in choices_on(page) if is_right(lesson, choice))
        answer = reader.post(here, {"choice": right})
        assert answer.status_code == SEE_OTHER
        after = reader.get(answer["Location"]).content.decode()
        assert not choices_on(after)
        here = re.search(r'<form action="([^"]+)"><button[^>]+id="lesson-next"', after)[1]
    assert here == "/tutorial/play/"
    assert reader.get(here).status_code == 200


@pytest.mark.parametrize("lesson", LESSONS, ids=lambda lesson: lesson.slug)
def test_every_button_of_a_lesson_is_right_or_explained(client, lesson):
    here = f"/tutorial/{lesson.slug}/"
    for choice in choices_on(client.get(here).content.decode()):
        answer = client.post(here, {"choice": choice})
        if is_right(lesson, choice) and answer.status_code == SEE_OTHER:
            continue
        assert answer.status_code == REFUSED
        why = re.search(r'class="lesson-why".*?<span>([^<]+)</span>', answer.content.decode(), re.S)
        assert why and why[1].strip()


def test_the_rules_refuse_a_member_of_the_last_government(client):
    answer = client.post("/tutorial/nominate/", {"choice": "nominate:5"})
    assert answer.status_code == REFUSED
    assert "term-limited" in answer.content.decode()


@pytest.mark.parametrize("choice", ["", "nominate:99", "vote:ja", "claim:drawn-1-lll-l", "x" * 500])
def test_a_move_that_is_none_changes_nothing(client, choice):
    assert client.post("/tutorial/nominate/", {"choice": choice}).status_code == REFUSED
    page = client.get("/tutorial/nominate/", {"did": choice})
    assert page.status_code == 200
    assert choices_on(page.content.decode())
    assert "tutorial" not in client.session


def test_a_failed_election_moves_the_tracker(client):
    page = client.post("/tutorial/vote/", {"choice": "vote:nein"}, follow=True).content.decode()
    assert "1/3" in page
    page = client.post("/tutorial/vote/", {"choice": "vote:ja"}, follow=True).content.decode()
    assert "0/3" in page


def test_only_the_player_s_own_secrets_are_shown(client):
    """At the fascist's lesson all fascists are known; a liberal's lesson names no role."""
    assert "Hitler" in client.get("/tutorial/fascist/").content.decode().split('id="panel-you"')[1]
    own = client.get("/tutorial/vote/").content.decode().split('id="panel-you"')[1]
    assert 'class="known"' not in own


def test_a_visitor_leaves_and_resumes_at_the_next_lesson(client):
    client.post("/tutorial/role/", {"choice": "read"})
    client.post("/tutorial/nominate/", {"choice": "nominate:4"})
    page = client.get("/tutorial/").content.decode()
    assert 'id="tutorial-start" href="/tutorial/vote/"' in page
    assert "3 of 16" in page


def test_back_and_skip_lead_to_the_neighbours(client):
    page = client.get("/tutorial/tracker/").content.decode()
    assert 'id="lesson-back" href="/tutorial/vote/"' in page
    assert 'id="lesson-skip" href="/tutorial/president/"' in page


def test_unknown_lessons_are_not_found(client):
    assert client.get("/tutorial/nothing/").status_code == NOT_FOUND
    assert client.post("/tutorial/play/").status_code == NOT_FOUND


def test_the_last_step_starts_a_game_for_visitors_and_for_members(client):
    assert 'action="/play/"' in client.get("/tutorial/play/").content.decode()
    client.force_login(person("Ada"))
    page = client.get("/tutorial/play/").content.decode()
    assert 'action="/quick/"' in page
    assert "Ada" in client.get("/tutorial/vote/").content.decode()


def test_progress_outlives_becoming_a_guest(client):
    client.post("/tutorial/role/", {"choice": "read"})
    client.post("/play/", {"name": "Sofia"})
    assert "2 of 16" in client.get("/tutorial/").content.decode()
