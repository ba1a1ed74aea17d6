"""Seating users who look for a game: who sits where, who plays with bots, and who has left."""

from datetime import timedelta
from threading import Thread

import pytest
from django.core.cache import cache
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from accounts.models import Block, Notification, Sanction, User
from accounts.services.signals import new_device, note_signals
from games.models import (
    Chat,
    GameRequest,
    Joiners,
    Presence,
    Seat,
    Starts,
    Table,
    Terms,
    Visibility,
)
from games.services import game_requests, seating, site, tables
from games.services.game_exports import game_requests_of
from games.services.game_requests import How, Search
from games.wording.refusals import Refusal, Refused
from tests.builders.refusals import refusal_of
from tests.builders.tables import NAMES, fresh, person

POLISH = Search(languages=("pl",))
LATER = timedelta(seconds=10)
MINUTE = timedelta(seconds=55)


def people(count: int) -> list[User]:
    return [person(name) for name in NAMES[:count]]


def is_here(*users: User, until: timedelta = timedelta(minutes=20)) -> None:
    for user in users:
        Presence.objects.create(process="p", user=user, seen_at=timezone.now() + until)


def look(*users: User, search: Search = POLISH, bots: bool = False, here: bool = True) -> None:
    for user in users:
        game_requests.request_game(user=user, search=search, takes_bots=bots)
    if here:
        is_here(*users)


def settle(after: timedelta = LATER) -> int:
    return seating.settle(timezone.now() + after)


def seated() -> list[set[str]]:
    return [
        set(table.seats.filter(user__isnull=False).values_list("name", flat=True))
        for table in Table.objects.order_by("pk")
    ]


def opened(host: str = "Sofia", **terms: object) -> Table:
    how = {"edition": "en", "seats_wanted": 7} | terms
    return tables.open_table(host=person(host), terms=Terms(**how))


# A game of their own ------------------------------------------------------------------------------


def test_five_people_who_want_the_same_play_a_rated_game_without_bots(db):
    look(*people(4))
    look(*people(5)[4:], bots=True)

    assert settle() == 1

    table = Table.objects.get()
    assert table.stage in (Table.Stage.SEALING, Table.Stage.RUNNING)
    assert seated() == [set(NAMES[:5])]
    assert not table.seats.exclude(bot="").exists()
    assert (table.edition, table.languages, table.is_rated) == ("pl", ["pl"], True)
    assert (table.pace, table.visibility) == ("normal", Visibility.PUBLIC)


def test_nothing_begins_while_someone_has_just_come(db):
    look(*people(5))

    assert settle(timedelta(0)) == 0
    assert settle() == 1


def test_one_who_agrees_to_bots_starts_with_them_within_a_minute(db):
    [ada] = people(1)
    look(ada, bots=True)

    assert settle(timedelta(seconds=45)) == 0
    assert settle(MINUTE) == 1

    table = Table.objects.get()
    assert seated() == [{"Ada"}]
    assert table.seats.count() == 7
    assert not table.is_rated


def test_only_those_who_agree_play_with_bots_and_they_play_together(db):
    users = people(4)
    look(*users[:2], bots=True)
    GameRequest.objects.filter(user=users[1]).update(bots_at=timezone.now() + timedelta(hours=1))
    look(*users[2:])

    assert settle(MINUTE) == 1

    assert seated() == [{"Ada", "Boris"}]
    assert {request.user for request in GameRequest.objects.filter(found_at=None)} == set(users[2:])


def test_who_asks_for_bots_now_gets_them_in_a_moment(db):
    [ada] = people(1)
    look(ada)
    assert settle(MINUTE) == 0

    game_requests.take_bots(user=ada)

    assert settle(timedelta(0)) == 0
    assert game_requests.wait_of(ada).bots_come
    assert settle() == 1


@pytest.mark.parametrize("is_first", [True, False])
def test_users_who_block_each_other_never_sit_together(db, is_first):
    users = people(5)
    look(*users[:2], bots=True)
    look(*users[2:])
    pair = users[:2] if is_first else users[1::-1]
    Block.objects.create(blocker=pair[0], blocked=pair[1])

    assert settle() == 0

    assert settle(MINUTE) == 2
    assert seated() == [{"Ada"}, {"Boris"}]


def test_two_accounts_of_one_browser_never_sit_together(db):
    users = people(5)
    device = new_device()
    look(*users)
    for user in users[:2]:
        note_signals(user=user, address="203.0.113.7", device=device, now=timezone.now())

    assert settle() == 0


def test_the_number_of_people_who_wait_does_not_tell_that_someone_blocks_another(db):
    users = people(5)
    Block.objects.create(blocker=users[0], blocked=users[1])
    look(*users[:4])
    assert [game_requests.wait_of(user).people for user in users[:4]] == [4] * 4

    look(users[4])
    # Without the block, a game would begin.
    assert settle() == 0
    assert [game_requests.wait_of(user).people for user in users] == [4] * 5


def test_looking_for_pairs_apart_needs_as_many_statements_for_more_people(db):
    def statements(*users: User) -> int:
        look(*users)
        with CaptureQueriesContext(connection) as queries:
            assert settle() == 0
        return len(queries)

    users = people(4)
    assert statements(*users[:2]) == statements(*users[2:])


def test_polls_within_a_second_share_one_run(db, monkeypatch):
    runs = []
    monkeypatch.setattr(seating, "settle", lambda: runs.append(1))
    cache.clear()

    for _ in range(3):
        seating.settle_once_a_second()
    assert len(runs) == 1

    # A second later.
    cache.clear()
    seating.settle_once_a_second()
    assert len(runs) == 2


def test_a_user_who_closed_the_page_is_not_seated_and_leaves_the_search(db):
    users = people(5)
    look(*users)
    Presence.objects.filter(user=users[0]).delete()
    now = timezone.now() + timedelta(seconds=20)

    assert seating.settle(now) == 0

    game_requests.forget_old(now)
    assert not GameRequest.objects.filter(user=users[0]).exists()
    assert GameRequest.objects.count() == 4


def test_a_user_who_stops_looking_is_not_seated(db):
    users = people(5)
    look(*users)
    game_requests.withdraw(user=users[0])

    assert settle() == 0
    assert not Seat.objects.exists()


def test_a_seat_elsewhere_ends_the_search_and_the_page_leads_there(db):
    users = people(5)
    look(*users)
    table = opened(languages=("ru",))
    tables.join_table(table=table, user=users[0])

    assert game_requests.wait_of(users[0]) is None
    assert game_requests.table_found(users[0]) == table
    assert settle() == 0


@pytest.mark.parametrize("change", ["leaves", "wants another", "wants a call"])
def test_a_search_that_changed_after_it_was_read_seats_no_one(db, monkeypatch, change):
    users = people(5)
    look(*users)
    read = seating.waiting_here

    def read_and_change(now):
        found = read(now)
        if change == "leaves":
            game_requests.withdraw(user=users[2])
        else:
            how = How.HOUR if change == "wants a call" else How.SEAT
            search = POLISH if change == "wants a call" else Search(size="9-10")
            game_requests.request_game(user=users[2], search=search, how=how)
        return found

    monkeypatch.setattr(seating, "waiting_here", read_and_change)

    assert settle() == 0
    assert not Table.objects.exists()


def test_the_players_learn_of_their_table_once(db):
    users = people(5)
    look(*users)
    settle()

    table = Table.objects.get()
    told = Notification.objects.filter(user=users[0], kind=Notification.Kind.CALLED)
    assert [notice.about for notice in told] == [table.code]
    assert game_requests.table_found(users[0]) == table
    assert not told.all().exists()
    later = timezone.now() + timedelta(minutes=5)
    assert game_requests.table_found(users[0], later) is None
    game_requests.forget_old(later)
    assert not GameRequest.objects.exists()


def test_people_of_any_pace_and_language_join_those_who_choose(db):
    users = people(5)
    look(*users[:2], search=Search(pace="blitz", languages=("it",)))
    look(*users[2:], search=Search(pace=""))

    assert settle() == 1

    table = Table.objects.get()
    assert (table.pace, table.languages, table.edition) == ("blitz", ["it"], "it")


# A table that gathers -----------------------------------------------------------------------------


def gathered(*guests: str, **terms: object) -> Table:
    """Open a table at which Sofia and these people sit."""
    table = opened(**terms)
    for name in guests:
        tables.join_table(table=table, user=person(name))
    return table


FOUR = ("Nadia", "Oleg", "Pia")


def test_who_completes_a_table_sits_at_the_fullest_that_fits_at_once(db):
    other = opened("Quentin", languages=("pl",), seats_wanted=5)
    for name in ("Rosa", "Stefan"):
        tables.join_table(table=other, user=person(name))
    fuller = gathered(*FOUR, languages=("pl",))
    [ada] = people(1)
    look(ada)

    assert settle(timedelta(0)) == 1

    assert game_requests.table_found(ada) == fuller
    assert fuller.seats.filter(user=ada).exists()


def test_a_table_that_stays_too_small_is_offered_also_to_who_is_blocked_there(db):
    opened("Oleg", pace="daily")
    table = opened(languages=("pl",))
    [ada] = people(1)
    look(ada, search=Search(pace="", languages=("pl",)))
    Block.objects.create(blocker=table.host, blocked=ada)

    assert settle() == 0
    assert seating.table_offered(game_requests.request_of(ada)).code == table.code

    table.kicks.create(user=ada)
    assert seating.table_offered(game_requests.request_of(ada)) is None


def test_who_takes_any_pace_is_not_seated_at_a_game_over_days(db):
    table = gathered(*FOUR, pace="daily")
    [ada] = people(1)
    look(ada, search=Search(pace=""))

    assert settle() == 0
    assert not table.seats.filter(user=ada).exists()


def test_a_user_who_has_too_many_games_by_now_keeps_no_one_from_a_seat(db, settings):
    table = gathered(*FOUR)
    ada, boris = people(2)
    look(ada, boris)
    date = timezone.now() + timedelta(days=2)
    terms = Terms(edition="en", seats_wanted=7)
    tables.open_table(host=boris, terms=terms, scheduled_at=date)
    settings.RUNNING_GAMES = 1

    settle()
    settle()

    assert table.seats.filter(user=ada).exists()
    assert game_requests.request_of(boris) is None


def test_people_who_make_a_table_large_enough_are_ready_and_the_others_are_asked(db):
    table = opened(languages=("pl",), is_rated=True)
    for name in ("Nadia", "Oleg"):
        tables.join_table(table=table, user=person(name))
    look(*people(3))

    assert settle() == 1

    assert fresh(table).asked_until is not None
    ready = dict(table.seats.values_list("name", "is_ready"))
    before, after = ("Sofia", "Nadia", "Oleg"), ("Ada", "Boris", "Chika")
    assert ready == dict.fromkeys(before, False) | dict.fromkeys(after, True)


def test_a_table_is_filled_only_to_the_last_seat(db):
    table = opened(seats_wanted=5, starts=Starts.FULL)
    look(*people(5))

    assert settle() == 1

    assert table.seats.filter(is_ready=True).count() == 4
    assert GameRequest.objects.filter(found_at=None).count() == 1


@pytest.mark.parametrize(
    "terms",
    [
        {"is_blind": True},
        {"chat": Chat.NONE},
        {"visibility": Visibility.UNLISTED},
        {"joiners": Joiners.FRIENDS},
        {"house_rules": {"fascist_start": 1}, "seats_wanted": 6},
        {"languages": ("ru",)},
        {"pace": "blitz"},
        {"bots": 1},
    ],
)
def test_no_one_is_seated_at_a_table_that_they_did_not_ask_for(db, terms):
    table = opened(**terms)
    look(*people(4))

    assert settle() == 0
    assert list(table.seats.filter(user__isnull=False)) == [table.seats.get(user=table.host)]


def test_no_one_is_seated_where_someone_has_left_or_is_blocked(db):
    table = gathered(*FOUR)
    [ada] = people(1)
    look(ada)
    guest = table.seats.get(user=person("Oleg"))
    table.seats.filter(pk=guest.pk).update(is_connected=False)
    assert settle() == 0

    table.seats.update(is_connected=True)
    block = Block.objects.create(blocker=guest.user, blocked=ada)
    assert settle() == 0

    block.delete()
    assert settle() == 1


def test_no_one_is_seated_where_they_were_removed_or_where_their_other_account_sits(db):
    table = gathered(*FOUR)
    ada, boris = people(2)
    look(ada, boris)
    table.kicks.create(user=ada)
    device = new_device()
    for user in (table.host, boris):
        note_signals(user=user, address="203.0.113.7", device=device, now=timezone.now())

    assert settle() == 0


def test_a_table_that_changed_meanwhile_seats_no_one(db, monkeypatch):
    table = gathered(*FOUR)
    [ada] = people(1)
    look(ada)
    gathering = seating._gathering

    def read_and_change():
        found = gathering()
        tables.join_table(table=table, user=person("Rosa"))
        return found

    monkeypatch.setattr(seating, "_gathering", read_and_change)

    assert settle() == 0
    assert not table.seats.filter(user=ada).exists()


# Who may look -------------------------------------------------------------------------------------


def test_a_user_banned_from_rated_games_makes_the_game_casual(db):
    users = people(5)
    look(*users)
    Sanction.objects.create(
        user=users[3], kind=Sanction.Kind.UNRATED, reason="x", at=timezone.now()
    )

    assert settle() == 1
    assert not Table.objects.get().is_rated


@pytest.mark.parametrize("how", [How.SEAT, How.HOUR])
def test_guests_and_users_in_too_many_games_cannot_look(db, settings, how):
    settings.RUNNING_GAMES = 1
    table = opened()

    for user, refusal in (
        (person("Guest", is_trial=True), Refusal.NO_GUESTS),
        (table.host, Refusal.GAMES_ENOUGH),
    ):
        asked = {"user": user, "search": POLISH, "how": how}
        assert refusal_of(game_requests.request_game, **asked) == refusal


def test_a_user_who_may_no_longer_play_leaves_and_the_others_still_play(db, settings):
    users = people(6)
    look(*users)
    settings.RUNNING_GAMES = 1
    Seat.objects.create(table=opened(languages=("ru",)), number=3, user=users[0], name="Ada")

    assert settle() == 0
    assert settle() == 1
    assert {"Boris", "Chika", "Dario", "Ewa", "Fumio"} in seated()


def test_no_game_begins_during_maintenance(db, monkeypatch):
    look(*people(5))

    def refuse():
        raise Refused(Refusal.MAINTENANCE)

    monkeypatch.setattr(site, "refuse_opening", refuse)

    assert settle() == 0
    assert GameRequest.objects.filter(found_at=None).count() == 5


def test_the_export_and_the_deletion_of_an_account_know_the_search(db):
    [ada] = people(1)
    look(ada)

    assert [row["languages"] for row in game_requests_of(ada)] == [["pl"]]
    ada.delete()
    assert not GameRequest.objects.exists()


@pytest.mark.django_db(transaction=True)
def test_two_workers_at_once_begin_one_game():
    look(*people(5))
    now = timezone.now() + LATER

    def work():
        try:
            seating.settle(now)
        finally:
            connection.close()

    workers = [Thread(target=work) for _ in range(2)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()

    assert Table.objects.count() == 1
    assert Seat.objects.count() == 5
