"""What the page tells its script of the seal, and equal or missed contributions."""

from django.db import transaction
from django.utils import timezone

from games.services import play
from games.services.seat_transfer import transfer_seat
from tests.builders.person import Person
from tests.builders.sealing import begin, gather, time_runs_out
from tests.builders.tables import fresh, person


def test_two_seats_with_one_hash_have_one_contribution(browsers):
    table = gather(browsers)
    copied = browsers[0].seat(table).contribution_hash
    table.seats.filter(user=browsers[1].user).update(contribution_hash=copied)

    begin(table)

    assert browsers[0].seat(table).contribution_hash == copied
    assert browsers[1].seat(table).contribution_hash == ""
    assert browsers[1].seat(table).contribution != ""


def test_a_player_who_takes_over_a_seat_is_not_named_for_the_reveal_that_was_missed(browsers):
    table = begin(gather(browsers))
    for browser in browsers[:4]:
        browser.reveal(table)
    time_runs_out(table)
    for browser in browsers[:4]:
        browser.offer(table)
    for browser in browsers[:4]:
        browser.reveal(table)
    assert "No answer from <bdi>Ewa</bdi>" in Person(None, table).page()

    with transaction.atomic():
        locked_game = play.lock_game_at(fresh(table), timezone.now())
        transfer_seat(locked_game, 4, newcomer=person("Sofia"), name="Sofia")
        locked_game.save()

    assert "No answer from" not in Person(None, table).page()
