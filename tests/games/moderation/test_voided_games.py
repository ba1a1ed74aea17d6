"""A moderator voids a game, or a game is given up: it has no winner."""

import json

import pytest

from accounts.models import Notification
from games.models import Attendance
from games.rules.record import read_record, replay
from games.services import play, tables
from games.services.abandonment import give_up_game
from games.services.account_deletion import depart_from_tables
from games.services.joining import games_finished
from tests.builders.moderation import STAGES, replace, void
from tests.builders.person import Person
from tests.builders.tables import fresh, person, position


@pytest.mark.parametrize("stage", ["running", "over"])
def test_the_record_of_a_voided_game_says_so_and_replays(mira, stage):
    table = STAGES[stage]()
    void(table, mira)
    table = fresh(table)
    viewer = Person(person("Ada"), table)

    data = json.loads(viewer.get(f"{viewer.url}record/").content)

    assert data["stopped"] == "voided"
    assert (data["outcome"] is None) == (stage == "running")
    assert list(replay(read_record(data)))


def test_a_departed_account_wakes_no_stopped_game(table, mira):
    void(table, mira)
    ended = fresh(table).game.ended_at
    depart_from_tables(person("Dario"))
    game = fresh(table).game
    assert game.wakes_at is None and game.ended_at == ended


def test_a_game_that_was_given_up_counts_for_nothing_and_shows_its_cards(db):
    table = tables.quick_game(user=person("Ada"), edition="en")
    give_up_game(table=table, user=person("Ada"))
    assert fresh(table).game.stopped == "given_up"
    assert games_finished(person("Ada")) == 0
    assert "This game ended early" in Person(person("Ada"), table).page()


def test_a_bot_takes_over_a_seat_and_plays_it(table, mira):
    replace(table, mira, 0, "Ada")

    seat = table.seats.get(number=0)
    assert seat.is_bot and seat.user is None and seat.name != "Ada"
    assert fresh(table).host == person("Boris")
    # The player was present, so no abandoned game is counted.
    assert not Attendance.objects.exists()
    play.settle(table.pk, now=fresh(table).game.bot_moves_at)
    assert position(table).length == 1 and position(table).steps[0].by == "bot"
    page = Person(person("Boris"), table).page()
    assert 'A moderator gives <bdi class="name">Ada</bdi>’s seat to the bot' in page
    (told,) = Notification.objects.filter(kind="ruled")
    assert told.user == person("Ada") and told.by is None
    html = Person(person("Ada"), table).get("/account/notifications/").content.decode()
    assert "A moderator gave your seat" in html
