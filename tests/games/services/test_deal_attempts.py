"""Attempts at a sealed deal that are called off."""

from django.utils import timezone

from games.models import Starts, Table
from games.rules import record, seals
from games.services import play, sealing, tables, timed_questions
from games.services.account_deletion import depart_from_tables
from games.wording.refusals import Refusal
from tests.builders.person import Person
from tests.builders.refusals import refusal_of
from tests.builders.sealing import begin, finish, gather, time_runs_out
from tests.builders.tables import NAMES, fresh, person, run_table


def test_nothing_is_published_while_browsers_draw_anew(browsers):
    """A file saved then would not fit the record, and accuse an honest server."""
    table = begin(gather(browsers))
    browsers[0].reveal(table)
    time_runs_out(table)
    address = f"{table.get_absolute_url()}seal/"
    assert Person(None, table).get(address).status_code == 404

    browsers[0].offer(table)
    assert Person(None, table).get(address).status_code == 200


def test_nothing_drawn_for_an_attempt_is_used_again(browsers):
    table = begin(gather(browsers))
    browsers[0].reveal(table)
    before = set(table.seats.values_list("contribution_hash", flat=True))
    time_runs_out(table)
    browsers[0].offer(table)
    after = set(table.seats.values_list("contribution_hash", flat=True)) - {""}
    assert len(after) == 1
    assert not after & before


def test_a_hash_of_an_attempt_that_was_called_off_is_refused(browsers):
    table = begin(gather(browsers))
    first = browsers[0].seat(table).contribution_hash
    browsers[0].reveal(table)
    table = time_runs_out(table)

    for name in ("Ada", "Boris"):
        refusal = refusal_of(
            sealing.offer_hash,
            table=table,
            user=person(name),
            commitment=table.commitment,
            contribution_hash=first,
        )
        assert refusal == (Refusal.UNCLEAR if name == "Ada" else Refusal.STALE)


def test_the_time_runs_out_for_the_new_hash_too_and_the_server_draws(browsers):
    table = begin(gather(browsers))
    for browser in browsers[:4]:
        browser.reveal(table)
    time_runs_out(table)
    for browser in browsers[:3]:
        browser.offer(table)

    time_runs_out(table)
    for browser in browsers[:3]:
        browser.reveal(table)

    told = finish(table)
    assert told.seal.by == ("player",) * 3 + ("server",) * 2
    # The hash was never frozen, so no attempt was called off.
    assert [attempt.missing for attempt in told.seal.attempts] == [(4,)]


def test_a_table_has_at_most_as_many_attempts_as_browsers(browsers):
    table = begin(gather(browsers))
    for left in range(4, -1, -1):
        assert fresh(table).stage == Table.Stage.SEALING
        for browser in browsers[:left]:
            browser.reveal(table)
        time_runs_out(table)
        for browser in browsers[:left]:
            browser.offer(table)

    assert fresh(table).stage == Table.Stage.RUNNING
    told = finish(table)
    assert [attempt.missing for attempt in told.seal.attempts] == [(4,), (3,), (2,), (1,), (0,)]
    assert record.verify(told) == []


def test_the_clock_does_nothing_while_there_is_time(browsers):
    table = begin(gather(browsers))
    timed_questions.settle(table.pk, now=timezone.now())
    assert fresh(table).commitment == table.commitment
    assert fresh(table).seal_attempts == []


def test_attempts_follow_the_seats_when_they_are_drawn_by_lot(browsers):
    table = gather(browsers)
    Table.objects.filter(pk=table.pk).update(shuffles_seats=True)
    begin(fresh(table))
    for browser in browsers[:4]:
        browser.reveal(table)
    time_runs_out(table)
    for browser in browsers[:4]:
        browser.offer(table)
    published = Person(None, table).get(f"{table.get_absolute_url()}seal/").json()
    for browser in browsers[:4]:
        browser.reveal(table)

    told = finish(table)

    assert record.verify(told) == []
    assert told.seal.seats_drawn
    (attempt,) = told.seal.attempts
    assert [told.seats[seat] for seat in attempt.missing] == ["Ewa"]
    assert seals.verify_published(told.seal, seals.read_published(published)) == []


def test_an_account_that_departs_while_the_cards_are_dealt_stops_nothing(browsers):
    table = begin(gather(browsers))

    depart_from_tables(person("Ewa"))
    for browser in browsers[:4]:
        browser.reveal(table)
    time_runs_out(table)
    for browser in browsers[:4]:
        browser.offer(table)
    for browser in browsers[:4]:
        browser.reveal(table)
    assert fresh(table).stage == Table.Stage.RUNNING


def test_a_game_that_begins_while_an_account_goes_does_not_wait_for_it(browsers, monkeypatch):
    other = run_table(["Ewa", *NAMES[:4]])
    table = begin(gather(browsers, pace="untimed", visibility="unlisted"))
    for browser in browsers[:4]:
        browser.reveal(table)
    leave = play.leave_seat_for_good

    def and_meanwhile_the_last_browser_reveals(**about: object) -> None:
        if about["table"] == other:
            browsers[4].reveal(table)
        leave(**about)

    monkeypatch.setattr(play, "leave_seat_for_good", and_meanwhile_the_last_browser_reveals)
    told = []
    monkeypatch.setattr(
        play.LockedGame, "set_alarms", lambda locked_game, **_: told.append(locked_game.table)
    )
    depart_from_tables(person("Ewa"))

    assert fresh(table).stage == Table.Stage.RUNNING
    assert not table.seats.filter(user__isnull=False, name="Ewa").exists()
    assert table in told


def test_a_full_table_that_asks_whether_all_are_ready_deals_in_the_same_way(browsers):
    from games.services import ready

    table = gather(browsers, starts=Starts.FULL)
    for browser in browsers[:-1]:
        ready.confirm_ready(table=table, user=browser.user)
    assert fresh(table).stage == Table.Stage.SEALING
    for browser in browsers:
        browser.reveal(table)
    assert fresh(table).stage == Table.Stage.RUNNING


def test_a_table_from_before_keeps_version_1_of_the_seal(browsers):
    table = gather(browsers)
    Table.objects.filter(pk=table.pk).update(seal_version=1)
    for number, seat in enumerate(table.seats.all()):
        table.seats.filter(pk=seat.pk).update(contribution=f"{number:032x}", contribution_hash="")

    begin(fresh(table))

    told = finish(fresh(table))
    assert told.seal.version == 1
    assert record.verify(told) == []
    assert Person(None, table).get(f"{table.get_absolute_url()}seal/").status_code == 404


def test_the_page_tells_its_script_what_to_do(browsers):
    table = gather(browsers[:4], seats_wanted=5)
    tables.join_table(table=table, user=person("Ewa"))
    ada, ewa, watcher = (Person(person(name), table) for name in ("Ada", "Ewa", "Sofia"))
    own = browsers[0].seat(table).contribution_hash
    assert f'data-step="offer" data-hash="{own}"' in ada.page()
    assert 'data-step="offer" data-hash=""' in ewa.page()

    begin(table)

    assert f'data-step="reveal" data-hash="{own}"' in ada.page()
    assert "data-step" not in ewa.page()
    assert "data-step" not in watcher.page()
    contribution = browsers[0].kept[own]
    data = {"commitment": fresh(table).commitment, "contribution": contribution}
    assert ada.post(f"{ada.url}seal/", data).status_code == 204
    assert ada.post(f"{ada.url}seal/", {"commitment": "", "hash": ""}).status_code == 409
    assert ewa.post(f"{ewa.url}seal/", data).status_code == 409
    assert watcher.post(f"{ada.url}seal/", data).status_code == 422
