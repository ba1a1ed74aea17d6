"""How many games an account may have at one time, and how games without moves end."""

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from threading import Barrier

import pytest
from django.db import connection
from django.utils import timezone

from accounts.models import User
from games import tasks
from games.models import (
    Game,
    GameAction,
    Motion,
    Pace,
    Pulse,
    Ruling,
    Seat,
    Substitute,
    Table,
    Terms,
    Visibility,
)
from games.rules.actions import Nominate
from games.services import (
    abandonment,
    motions,
    outages,
    play,
    sealing,
    substitutes,
    table_moderation,
    tables,
)
from games.services.game_requests import Search, request_game
from games.wording.refusals import Refusal, Refused
from tests.builders.person import Person
from tests.builders.tables import (
    NAMES,
    act,
    fresh,
    is_over,
    person,
    play_until,
    run_table,
)
from tests.second_factor import with_second_factor

DAY = timedelta(days=1)


@pytest.fixture
def three_games(settings):
    settings.RUNNING_GAMES = 3


@pytest.fixture
def two_quick_games(settings):
    settings.QUICK_GAMES = 2


def refusal_of(call, **kwargs) -> Refusal | None:
    try:
        call(**kwargs)
    except Refused as refused:
        return refused.refusal
    return None


def quick(user: User) -> Table:
    return tables.quick_game(user=user, edition="en")


def opened(host: str) -> Table:
    terms = Terms(edition="en", seats_wanted=5, pace=Pace.NORMAL, visibility=Visibility.PUBLIC)
    return tables.open_table(host=person(host), terms=terms)


def games_of(user: User) -> int:
    return Seat.objects.filter(
        user=user, table__stage__in=(Table.Stage.OPEN, Table.Stage.RUNNING)
    ).count()


# The limit ----------------------------------------------------------------------------------------


@pytest.mark.usefixtures("three_games")
def test_an_account_has_a_limit_of_games_however_it_gets_them(db):
    flora = person("Flora")
    elsewhere, last = opened("Nadia"), opened("Olek")
    quick(flora)
    opened("Flora")
    tables.join_table(table=elsewhere, user=flora)

    assert refusal_of(tables.join_table, table=last, user=flora) == Refusal.GAMES_ENOUGH
    assert refusal_of(quick, user=flora) == Refusal.GAMES_ENOUGH
    assert refusal_of(opened, host="Flora") == Refusal.GAMES_ENOUGH
    assert refusal_of(request_game, user=flora, search=Search()) == Refusal.GAMES_ENOUGH

    assert games_of(flora) == 3
    assert refusal_of(tables.join_table, table=last, user=person("Petra")) is None


@pytest.mark.usefixtures("three_games")
def test_a_game_that_ends_and_a_table_that_is_left_make_room(db):
    flora = person("Flora")
    games = [quick(flora) for _ in range(2)]
    mine = opened("Flora")
    assert refusal_of(quick, user=flora) == Refusal.GAMES_ENOUGH

    abandonment.give_up_game(table=games[0], user=flora)
    assert refusal_of(quick, user=flora) is None
    tables.leave_table(table=mine, user=flora)
    assert refusal_of(quick, user=flora) is None
    assert refusal_of(quick, user=flora) == Refusal.GAMES_ENOUGH


@pytest.mark.usefixtures("three_games")
def test_to_play_again_is_one_more_game(db):
    table = run_table()
    play_until(table, is_over)
    ada, boris = person("Ada"), person("Boris")
    for user in (ada, boris):
        for _ in range(3):
            quick(user)

    assert refusal_of(tables.play_again, table=table, user=ada) == Refusal.GAMES_ENOUGH
    assert fresh(table).next_table is None
    tables.play_again(table=table, user=person("Chika"))
    assert refusal_of(tables.play_again, table=table, user=boris) == Refusal.GAMES_ENOUGH
    assert refusal_of(tables.play_again, table=table, user=person("Dario")) is None


@pytest.mark.usefixtures("three_games")
def test_an_account_with_too_many_games_cannot_wait_for_a_seat(db):
    table, zoe = run_table(), person("Zoe")
    for _ in range(3):
        quick(zoe)

    assert refusal_of(substitutes.join_list, table=table, user=zoe) == Refusal.GAMES_ENOUGH
    assert not Substitute.objects.exists()


def waits_for_the_seat_of_boris() -> tuple[Table, User]:
    """Zoe waits at a table where Boris is away, and has started three games since."""
    table, zoe = run_table(), person("Zoe")
    substitutes.join_list(table=table, user=zoe)
    Seat.objects.filter(table=table, name="Boris").update(is_away=True)
    for _ in range(3):
        quick(zoe)
    return table, zoe


@pytest.mark.usefixtures("three_games")
def test_a_substitute_with_too_many_games_gets_no_seat_by_a_vote(db):
    table, zoe = waits_for_the_seat_of_boris()
    motions.move_replacement(
        table=table, user=person("Ada"), number=1, name="Boris", substitute="Zoe"
    )

    for name in ("Chika", "Dario"):
        motions.vote(table=table, user=person(name), ordinal=1, is_for=True)

    assert Motion.objects.get(table=table).outcome == Motion.Outcome.LAPSED
    assert not table.seats.filter(user=zoe).exists()


@pytest.mark.usefixtures("three_games")
def test_a_substitute_with_too_many_games_gets_no_seat_by_a_moderator(db):
    table, _ = waits_for_the_seat_of_boris()
    mira = with_second_factor(User.objects.create_superuser("Mira", password="a long way home"))

    def replace() -> None:
        table_moderation.replace_seat(
            actor=mira,
            table=table,
            number=1,
            name="Boris",
            heir=table_moderation.Heir.WAITING,
            because=Ruling.Because.STALLING,
            reason="away",
        )

    assert refusal_of(replace) == Refusal.NOBODY_WAITS
    substitutes.join_list(table=table, user=person("Yuri"))
    replace()
    assert table.seats.get(number=1).user == person("Yuri")


@pytest.mark.usefixtures("two_quick_games")
def test_an_account_has_a_limit_of_quick_games(db):
    flora = person("Flora")
    first = quick(flora)
    quick(flora)
    # A game with a clock or with another person is not a quick game.
    run_table(["Flora"], bots=4)
    run_table(["Flora", "Nadia"], bots=3, pace=Pace.UNTIMED, is_private=True)

    assert refusal_of(quick, user=flora) == Refusal.BOT_GAMES_ENOUGH
    assert refusal_of(quick, user=person("Nadia")) is None
    abandonment.give_up_game(table=first, user=flora)
    assert refusal_of(quick, user=flora) is None


@pytest.mark.usefixtures("two_quick_games")
def test_quick_games_count_before_the_browser_has_revealed(db):
    flora = person("Flora")
    for _ in range(2):
        tables.quick_game(
            user=flora,
            edition="en",
            commitment=sealing.prepared_commitment(flora),
            contribution_hash="ab" * 32,
        )
    assert {seat.table.stage for seat in flora.seats.all()} == {Table.Stage.SEALING}

    assert refusal_of(quick, user=flora) == Refusal.BOT_GAMES_ENOUGH


@pytest.mark.usefixtures("two_quick_games", "three_games")
def test_the_page_says_why_there_is_no_other_game(db, client):
    flora, table = person("Flora"), opened("Nadia")
    client.force_login(flora)
    for _ in range(2):
        client.post("/quick/")

    page = client.post("/quick/", follow=True).content.decode()
    assert "You’re in too many quick games at once." in page

    opened("Flora")
    refused = Person(flora, table).post(f"{table.get_absolute_url()}join/")
    assert refused.status_code == 422
    assert "You’re in too many games at once." in refused.content.decode()


@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("three_games")
def test_eight_requests_at_once_do_not_get_past_the_limit(transactional_db):
    flora = person("Flora")
    waiting = [opened(name) for name in NAMES[:4]]
    barrier = Barrier(8)

    def at_once(number: int) -> Refusal | None:
        try:
            barrier.wait(timeout=10)
            if number < 4:
                return refusal_of(tables.join_table, table=waiting[number], user=flora)
            return refusal_of(quick, user=flora)
        finally:
            connection.close()

    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(at_once, range(8)))

    assert games_of(flora) == 3
    assert sorted(answers, key=str) == sorted([None] * 3 + [Refusal.GAMES_ENOUGH] * 5, key=str)


# Games without moves ------------------------------------------------------------------------------


@pytest.fixture
def alone(db) -> Table:
    """Return an untimed game of Ada's with bots, which has just begun and waits for her."""
    return run_table(["Ada"], bots=4, pace=Pace.UNTIMED, is_private=True)


@pytest.fixture
def together(db) -> Table:
    """Return an untimed game of five people."""
    return run_table(pace=Pace.UNTIMED, is_private=True)


def end_after(**time: int) -> int:
    """Return how many games end after this much time."""
    return abandonment.end_abandoned_games(timezone.now() + timedelta(**time))


def test_an_untimed_game_with_bots_ends_a_day_after_its_person_moved(alone):
    act(alone, Nominate(0, 2), now=timezone.now() + timedelta(hours=5))

    assert end_after(hours=28) == 0
    assert end_after(hours=30) == 1
    assert end_after(hours=40) == 0

    table = fresh(alone)
    assert table.stage == Table.Stage.OVER
    assert (table.game.stopped, table.game.winner) == (Game.Stopped.GIVEN_UP, "")
    assert table.game.wakes_at is None
    assert not table.game.results.exists() and not table.game.attendances.exists()
    assert "This game ended early" in Person(person("Ada"), table).page()


def test_a_quick_game_in_which_nothing_was_done_ends_after_a_day(db):
    quick(person("Ada"))

    assert end_after(hours=23) == 0
    assert end_after(hours=25) == 1


def test_an_untimed_game_among_people_ends_after_thirty_days(together):
    act(together, Nominate(0, 2), now=timezone.now() + timedelta(days=2))

    assert end_after(days=31) == 0
    assert end_after(days=33) == 1
    assert fresh(together).game.stopped == Game.Stopped.GIVEN_UP


def test_a_game_with_a_clock_is_not_ended(db):
    run_table(["Ada"], bots=4, pace=Pace.DAILY)

    assert end_after(days=90) == 0


def test_moves_of_bots_do_not_keep_a_game_going(alone):
    act(alone, Nominate(0, 2))
    play.settle(alone.pk, now=timezone.now() + timedelta(hours=20))
    assert alone.game.actions.filter(by=GameAction.By.BOT).exists()

    assert end_after(hours=25) == 1


def test_a_frozen_game_is_not_ended_and_waits_a_day_when_it_has_thawed(alone, monkeypatch):
    mira = with_second_factor(User.objects.create_superuser("Mira", password="a long way home"))
    act_of_mira = {"actor": mira, "table": alone, "reason": "a look"}
    table_moderation.freeze_table(because=Ruling.Because.REPORT, **act_of_mira)
    assert end_after(hours=25) == 0

    table_moderation.thaw_table(now=timezone.now() + timedelta(hours=26), **act_of_mira)

    assert end_after(hours=49) == 0
    assert end_after(hours=51) == 1


def test_after_an_outage_people_have_an_hour_to_go_on(alone):
    start = timezone.now()
    outages.note_open(start)
    back = start + timedelta(days=2)
    try:
        # No one has noted yet that the site is back.
        assert end_after(hours=47) == 0
        outages.note_open(back)

        assert end_after(hours=48, minutes=30) == 0
        for minutes in (30, 61):
            outages.note_open(back + timedelta(minutes=minutes))
        Pulse.objects.filter(pk=Pulse.Of.OPENED).update(at=back)
        assert abandonment.end_abandoned_games(back + timedelta(minutes=61)) == 1
    finally:
        outages.forget()


def test_a_game_that_cannot_be_ended_does_not_keep_the_others(alone, monkeypatch, db):
    quick(person("Boris"))
    ends = abandonment._end_abandoned

    def fails_at_ada(table: Table, now) -> bool:
        if table.pk == alone.pk:
            raise RuntimeError("broken")
        return ends(table, now)

    monkeypatch.setattr(abandonment, "_end_abandoned", fails_at_ada)

    assert end_after(hours=25) == 1


def test_a_player_who_moves_at_the_last_moment_keeps_the_game(alone, monkeypatch):
    """The list of games was read before the move, and the game is locked after it."""
    late = timezone.now() + timedelta(hours=25)
    found = abandonment._abandoned

    def then_moves(now):
        tables = list(found(now))
        act(alone, Nominate(0, 2), now=now)
        return Table.objects.filter(pk__in=[table.pk for table in tables])

    monkeypatch.setattr(abandonment, "_abandoned", then_moves)

    assert abandonment.end_abandoned_games(late) == 0
    assert fresh(alone).stage == Table.Stage.RUNNING


def test_the_beat_ends_them(alone, settings):
    Game.objects.update(started_at=timezone.now() - DAY - timedelta(minutes=1))

    tasks.end_abandoned_games()

    assert fresh(alone).stage == Table.Stage.OVER
    names = {entry["task"] for entry in settings.CELERY_BEAT_SCHEDULE.values()}
    assert "games.tasks.end_abandoned_games" in names
