"""Playing at once: who is seated where, who is asked about bots, and who leaves the search."""

from datetime import timedelta
from threading import Thread

import pytest
from django.core.cache import cache
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from accounts.models import Block, Notification, Sanction, User
from accounts.services.signals import new_device, note_signals
from games.models import Chat, Joiners, Presence, Seat, Seeker, Starts, Table, Terms, Visibility
from games.services import seekers, site, tables
from games.services.game_exports import searches_of
from games.services.seekers import Search
from games.wording.refusals import Refusal, Refused
from tests.builders.tables import NAMES, fresh, person

POLISH = Search(languages=("pl",))
LATER = timedelta(seconds=10)


def people(count: int) -> list[User]:
    return [person(name) for name in NAMES[:count]]


def is_here(*users: User, until: timedelta = timedelta(minutes=20)) -> None:
    for user in users:
        Presence.objects.create(process="p", user=user, seen_at=timezone.now() + until)


def seek(*users: User, search: Search = POLISH, here: bool = True) -> None:
    for user in users:
        seekers.seek(user=user, search=search)
    if here:
        is_here(*users)


def settle(after: timedelta = LATER) -> int:
    return seekers.settle(timezone.now() + after)


def seated() -> list[set[str]]:
    return [
        set(table.seats.filter(user__isnull=False).values_list("name", flat=True))
        for table in Table.objects.order_by("pk")
    ]


def opened(host: str = "Sofia", **terms: object) -> Table:
    how = {"edition": "en", "seats_wanted": 7} | terms
    return tables.open_table(host=person(host), terms=Terms(**how))


def test_five_people_who_want_the_same_play_a_rated_game_without_bots(db):
    seek(*people(5))

    assert settle() == 1

    table = Table.objects.get()
    assert table.stage in (Table.Stage.SEALING, Table.Stage.RUNNING)
    assert seated() == [set(NAMES[:5])]
    assert not table.seats.exclude(bot="").exists()
    assert (table.edition, table.languages, table.is_rated) == ("pl", ["pl"], True)
    assert table.visibility == Visibility.PUBLIC


def test_nothing_begins_while_someone_has_just_come(db):
    seek(*people(5))

    assert settle(timedelta(0)) == 0
    assert settle() == 1


def test_four_people_wait_and_are_asked_about_bots_after_a_minute(db):
    users = people(4)
    seek(*users)
    settle()

    now = timezone.now()
    wait = seekers.wait_of(users[0], now)
    assert (wait.people, wait.is_asked) == (4, False)
    assert seekers.wait_of(users[0], now + timedelta(minutes=1, seconds=1)).is_asked
    assert not Table.objects.exists()


def test_only_those_who_agree_play_with_bots_and_they_play_together(db):
    users = people(4)
    seek(*users)
    for user in users[:2]:
        seekers.take_bots(user=user)

    assert settle() == 1

    table = Table.objects.get()
    assert seated() == [{"Ada", "Boris"}]
    assert table.seats.count() == 7
    assert not table.is_rated
    assert {seeker.user for seeker in Seeker.objects.filter(table=None)} == set(users[2:])


def test_a_user_who_would_rather_wait_is_asked_again_a_minute_later(db):
    [ada] = people(1)
    seek(ada)
    seekers.take_bots(user=ada)
    later = timezone.now() + timedelta(minutes=2)

    seekers.wait_on(user=ada, now=later)

    assert seekers.settle(later + LATER) == 0
    assert not seekers.wait_of(ada, later).is_asked
    assert seekers.wait_of(ada, later + timedelta(seconds=61)).is_asked


def test_five_people_play_without_bots_although_some_agreed_to_them(db):
    users = people(5)
    seek(*users)
    seekers.take_bots(user=users[0])

    settle()

    assert seated() == [set(NAMES[:5])]


@pytest.mark.parametrize("is_first", [True, False])
def test_users_who_block_each_other_never_sit_together(db, is_first):
    users = people(5)
    seek(*users)
    pair = users[:2] if is_first else users[1::-1]
    Block.objects.create(blocker=pair[0], blocked=pair[1])

    assert settle() == 0

    for user in users[:2]:
        seekers.take_bots(user=user)
    assert settle() == 2
    assert seated() == [{"Ada"}, {"Boris"}]


def test_two_accounts_of_one_browser_never_sit_together(db):
    users = people(5)
    device = new_device()
    seek(*users)
    for user in users[:2]:
        note_signals(user=user, address="203.0.113.7", device=device, now=timezone.now())

    assert settle() == 0


def test_the_number_of_people_who_wait_does_not_tell_that_someone_blocks_another(db):
    users = people(5)
    Block.objects.create(blocker=users[0], blocked=users[1])
    seek(*users[:4])
    assert [seekers.wait_of(user).people for user in users[:4]] == [4] * 4

    seek(users[4])
    # Without the block, a game would begin.
    assert settle() == 0
    assert [seekers.wait_of(user).people for user in users] == [4] * 5


def test_looking_for_pairs_apart_needs_as_many_statements_for_more_people(db):
    def statements(*users: User) -> int:
        seek(*users)
        with CaptureQueriesContext(connection) as queries:
            assert settle() == 0
        return len(queries)

    users = people(4)
    assert statements(*users[:2]) == statements(*users[2:])


def test_polls_within_a_second_share_one_run(db, monkeypatch):
    runs = []
    monkeypatch.setattr(seekers, "settle", lambda: runs.append(1))
    cache.clear()

    for _ in range(3):
        seekers.settle_once_a_second()
    assert len(runs) == 1

    # A second later.
    cache.clear()
    seekers.settle_once_a_second()
    assert len(runs) == 2


def test_a_user_who_closed_the_page_leaves_the_search_and_is_not_seated(db):
    users = people(5)
    seek(*users)
    Presence.objects.filter(user=users[0]).delete()

    assert settle(timedelta(seconds=20)) == 0

    assert not Seeker.objects.filter(user=users[0]).exists()
    assert Seeker.objects.count() == 4


def test_a_user_who_stops_looking_is_not_seated(db):
    users = people(5)
    seek(*users)
    seekers.stop_seeking(user=users[0])

    assert settle() == 0
    assert not Seat.objects.exists()


def test_a_seat_elsewhere_ends_the_search_and_the_page_leads_there(db):
    users = people(5)
    seek(*users)
    table = opened(languages=("ru",))
    tables.join_table(table=table, user=users[0])

    assert seekers.wait_of(users[0]) is None
    assert seekers.table_found(users[0]) == table
    assert settle() == 0


def test_a_search_that_changed_after_it_was_read_seats_no_one(db, monkeypatch):
    users = people(5)
    seek(*users)
    present = seekers._present

    def read_and_leave(now):
        found = present(now)
        seekers.stop_seeking(user=users[2])
        return found

    monkeypatch.setattr(seekers, "_present", read_and_leave)

    assert settle() == 0
    assert not Table.objects.exists()


def test_the_players_learn_of_their_table_once(db):
    users = people(5)
    seek(*users)
    settle()

    table = Table.objects.get()
    told = Notification.objects.filter(user=users[0], kind=Notification.Kind.CALLED)
    assert [notice.about for notice in told] == [table.code]
    assert seekers.table_found(users[0]) == table
    assert not told.all().exists()
    assert seekers.table_found(users[0], timezone.now() + timedelta(minutes=5)) is None


def test_a_second_press_keeps_the_place_and_another_choice_begins_anew(db):
    [ada] = people(1)
    before = timezone.now() - timedelta(minutes=3)
    seekers.seek(user=ada, search=POLISH, now=before)

    seekers.seek(user=ada, search=POLISH)
    assert Seeker.objects.get().since == before

    seekers.seek(user=ada, search=Search())
    assert Seeker.objects.get().since > before


def test_a_public_table_is_filled_when_that_makes_a_game_and_the_others_are_asked(db):
    table = opened(languages=("pl",), is_rated=True)
    for name in ("Nadia", "Oleg"):
        tables.join_table(table=table, user=person(name))
    seek(*people(1))
    assert settle() == 0

    seek(*people(3)[1:])
    assert settle() == 1

    assert seated() == [{"Sofia", "Nadia", "Oleg", "Ada", "Boris", "Chika"}]
    assert fresh(table).asked_until is not None
    ready = dict(table.seats.values_list("name", "is_ready"))
    assert ready == {
        "Sofia": False,
        "Nadia": False,
        "Oleg": False,
        "Ada": True,
        "Boris": True,
        "Chika": True,
    }


def test_a_table_that_begins_when_it_is_full_is_filled_only_to_the_last_seat(db):
    table = opened(seats_wanted=5, starts=Starts.FULL)
    seek(*people(3))
    assert settle() == 0

    seek(*people(4)[3:])
    assert settle() == 1
    assert table.seats.filter(is_ready=True).count() == 4


@pytest.mark.parametrize(
    "terms",
    [
        {"is_blind": True},
        {"chat": Chat.NONE},
        {"visibility": Visibility.UNLISTED},
        {"joiners": Joiners.FRIENDS},
        {"house_rules": {"fascist_start": 1}, "seats_wanted": 6},
        {"languages": ("ru",)},
        {"bots": 1},
        {"least_seats": 7},
    ],
)
def test_no_one_is_seated_at_a_table_that_they_did_not_ask_for(db, terms):
    table = opened(**terms)
    seek(*people(4))

    assert settle() == 0
    assert list(table.seats.filter(user__isnull=False)) == [table.seats.get(user=table.host)]


def test_no_one_is_seated_beside_a_host_who_has_left_or_whom_they_block(db):
    table = opened()
    users = people(4)
    seek(*users)
    table.seats.update(is_connected=False)
    assert settle() == 0

    table.seats.update(is_connected=True)
    Block.objects.create(blocker=table.host, blocked=users[0])
    assert settle() == 0


def test_a_user_banned_from_rated_games_makes_the_game_casual(db):
    users = people(5)
    seek(*users)
    Sanction.objects.create(
        user=users[3], kind=Sanction.Kind.UNRATED, reason="x", at=timezone.now()
    )

    assert settle() == 1
    assert not Table.objects.get().is_rated


def test_guests_and_users_in_too_many_games_cannot_look(db, settings):
    settings.RUNNING_GAMES = 1
    with pytest.raises(Refused) as refused:
        seek(person("Guest", is_trial=True))
    assert refused.value.refusal == Refusal.NO_GUESTS

    table = opened()
    with pytest.raises(Refused) as refused:
        seek(table.host)
    assert refused.value.refusal == Refusal.GAMES_ENOUGH


def test_a_user_who_may_no_longer_play_leaves_and_the_others_still_play(db, settings):
    users = people(6)
    seek(*users)
    settings.RUNNING_GAMES = 1
    Seat.objects.create(table=opened(languages=("ru",)), number=3, user=users[0], name="Ada")

    assert settle() == 0
    assert settle() == 1
    assert {"Boris", "Chika", "Dario", "Ewa", "Fumio"} in seated()


def test_no_game_begins_during_maintenance(db, monkeypatch):
    seek(*people(5))

    def refuse():
        raise Refused(Refusal.MAINTENANCE)

    monkeypatch.setattr(site, "refuse_opening", refuse)

    assert settle() == 0
    assert Seeker.objects.filter(table=None).count() == 5


def test_the_export_and_the_deletion_of_an_account_know_the_search(db):
    [ada] = people(1)
    seek(ada)

    assert [row["languages"] for row in searches_of(ada)] == [["pl"]]
    ada.delete()
    assert not Seeker.objects.exists()


@pytest.mark.django_db(transaction=True)
def test_two_workers_at_once_begin_one_game():
    seek(*people(5))
    now = timezone.now() + LATER

    def work():
        try:
            seekers.settle(now)
        finally:
            connection.close()

    workers = [Thread(target=work) for _ in range(2)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()

    assert Table.objects.count() == 1
    assert Seat.objects.count() == 5
