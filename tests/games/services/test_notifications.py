"""Notifications: friend requests, invitations, a new game, a turn; and the bell."""

import pytest
from django.utils import timezone

from accounts.models import Notification
from accounts.services import friends, notifications
from games.models import Pace, Table
from games.rules.actions import Nominate, Vote
from games.rules.components import Ballot
from games.services import invitations, tables
from games.wording.refusals import Refusal, Refused
from tests.builders.person import Person
from tests.builders.sockets import Socket, does
from tests.builders.tables import (
    NAMES,
    act,
    fresh,
    gather,
    is_over,
    person,
    play_until,
    run_table,
    state_of,
)

pytestmark = pytest.mark.django_db

PAGE = "/account/notifications/"


def befriend(one: str, other: str) -> None:
    friends.request_friendship(user=person(one), name=person(other).username)
    friends.accept_friend(user=person(other), other=person(one))
    Notification.objects.all().delete()


def told(name: str) -> list[str]:
    return list(person(name).notifications.order_by("at", "pk").values_list("kind", flat=True))


@pytest.fixture
def gathering(db) -> Table:
    """Return a gathering table with Ada and Boris; Ada and Sofia are friends."""
    table = gather(NAMES[:5])
    for name in NAMES[2:5]:
        tables.leave_table(table=table, user=person(name))
    befriend("Ada", "Sofia")
    return fresh(table)


def refused(table: Table, name: str, friend: str) -> Refusal:
    with pytest.raises(Refused) as error:
        invitations.invite_friend(table=table, user=person(name), name=friend)
    return error.value.refusal


def test_a_friend_is_invited_with_one_press_and_finds_the_table(gathering):
    ada, sofia = Person(person("Ada"), gathering), Person(person("Sofia"), gathering)
    assert f"{gathering.get_absolute_url()}invite/" in ada.page()
    answer = ada.post(f"{ada.url}invite/", {"name": "sofia"})
    assert answer.status_code == 200

    page = sofia.get(PAGE).content.decode()

    assert "Ada" in page and "invited you" in page
    assert f'value="{gathering.get_absolute_url()}"' in page
    # An unread invitation is not repeated.
    ada.post(f"{ada.url}invite/", {"name": "Sofia"})
    assert told("Sofia") == ["invited"]


def test_an_invitation_to_a_private_table_opens_it(db):
    table = gather(NAMES[:5], is_private=True)
    tables.leave_table(table=table, user=person("Ewa"))
    befriend("Ada", "Sofia")
    sofia = Person(person("Sofia"), table)
    assert sofia.get(sofia.url).status_code == 404
    invitations.invite_friend(table=fresh(table), user=person("Ada"), name="Sofia")

    way = f"{sofia.url}invitation/{table.invitation}/"
    assert way in sofia.get(PAGE).content.decode()
    assert sofia.get(way).headers["Location"] == sofia.url
    assert sofia.get(sofia.url).status_code == 200


def test_only_friends_are_invited_and_only_from_one_s_own_open_table(gathering):
    person("Gleb")
    assert refused(gathering, "Ada", "Gleb") == Refusal.NOT_A_FRIEND
    assert refused(gathering, "Ada", "Nobody") == Refusal.NOT_A_FRIEND
    assert refused(gathering, "Sofia", "Ada") == Refusal.NOT_SEATED
    befriend("Ada", "Boris")
    assert refused(gathering, "Ada", "Boris") == Refusal.ALREADY_HERE
    assert refused(run_table(["A1", "A2", "A3", "A4", "A5"]), "A1", "Sofia") == Refusal.NOT_OPEN
    assert told("Gleb") == told("Sofia") == []


def test_a_user_without_friends_is_told_so_and_not_that_all_are_invited(db):
    table = gather()
    ada = Person(person("Ada"), table)

    assert "No friends yet" in ada.get(f"{ada.url}invite/").content.decode()

    befriend("Ada", "Boris")
    assert "no friends left" in ada.get(f"{ada.url}invite/").content.decode()


def test_no_one_is_invited_to_a_blind_table_by_name(gathering):
    Table.objects.filter(pk=gathering.pk).update(is_blind=True)
    blind = fresh(gathering)

    assert refused(blind, "Ada", "Sofia") == Refusal.BLIND
    assert "invite-friends" not in Person(person("Ada"), blind).page()
    answer = Person(person("Ada"), blind).get(f"{blind.get_absolute_url()}invite/")
    assert answer.status_code == 422
    assert "Sofia" not in answer.content.decode()


def test_who_is_blocked_is_not_heard_of(gathering):
    friends.block_user(user=person("Sofia"), name="Ada")
    notifications.notify(
        user_pk=person("Sofia").pk, kind=Notification.Kind.INVITED, by=person("Ada").pk
    )

    assert told("Sofia") == []


def test_the_others_are_told_that_their_table_gathers_again_and_not_by_whom(table, seated):
    play_until(table, is_over)

    seated[1].press("again")

    assert told("Boris") == []
    for name in ("Ada", "Chika", "Dario", "Ewa"):
        assert told(name) == ["again"]
    # The new table may be a blind one, so the notification names no player.
    assert "Boris" not in seated[0].get(PAGE).content.decode()
    assert fresh(table).next_table.get_absolute_url() in seated[0].get(PAGE).content.decode()


def test_an_invitation_that_was_accepted_no_longer_waits_to_be_read(table, seated):
    play_until(table, is_over)
    again = tables.play_again(table=fresh(table), user=person("Ada"))
    assert person("Boris").notifications.filter(read_at=None).count() == 1

    tables.play_again(table=fresh(table), user=person("Boris"))

    assert again.seats.filter(user=person("Boris")).exists()
    assert person("Boris").notifications.filter(read_at=None).count() == 0
    assert person("Chika").notifications.filter(read_at=None).count() == 1


def test_where_a_move_may_take_a_day_people_are_told_of_their_turn(db):
    table = run_table(pace=Pace.DAILY)
    assert told("Ada") == ["turn"]

    act(table, Nominate(0, 2))

    # All five vote now. Ada has an unread notification, so she gets no second one.
    assert all(told(name) == ["turn"] for name in NAMES[:5])


def test_a_turn_that_was_read_is_not_told_of_again_with_every_ballot(db):
    table = run_table(pace=Pace.DAILY)
    act(table, Nominate(0, 2))
    notifications.mark_read(user_pk=person("Ewa").pk)

    act(table, Vote(1, Ballot.JA))

    assert not Notification.objects.filter(user=person("Ewa"), read_at=None).exists()


def test_whose_turn_has_passed_is_not_told_of_it_any_more(db):
    table = run_table(pace=Pace.DAILY)
    act(table, Nominate(0, 2))
    play_until(table, lambda state: str(state.phase) == "president_discards")

    assert state_of(table).to_act == (0,)
    assert told("Ada") == ["turn"]
    assert all(told(name) == [] for name in NAMES[1:5])


def test_at_a_quicker_pace_no_one_is_told_of_turns(table):
    act(table, Nominate(0, 2))

    assert not Notification.objects.exists()


def test_the_bell_counts_what_is_not_read(gathering):
    sofia = Person(person("Sofia"), gathering)
    assert 'class="bell-count"' not in sofia.page()
    invitations.invite_friend(table=gathering, user=person("Ada"), name="Sofia")
    assert "1 unread" in sofia.page()

    one = person("Sofia").notifications.get()
    answer = sofia.post(f"{PAGE}read/", {"pk": str(one.pk), "next": gathering.get_absolute_url()})

    assert answer.headers["Location"] == gathering.get_absolute_url()
    assert 'class="bell-count"' not in sofia.page()


def test_no_one_reads_or_marks_what_another_was_told(gathering):
    invitations.invite_friend(table=gathering, user=person("Ada"), name="Sofia")
    one = person("Sofia").notifications.get()
    boris = Person(person("Boris"), gathering)

    for data in ({"pk": str(one.pk)}, {}, {"pk": "x"}, {"pk": "9" * 40}):
        assert boris.post(f"{PAGE}read/", data).status_code == 303

    assert gathering.code not in boris.get(PAGE).content.decode()
    one.refresh_from_db()
    assert one.read_at is None


def test_what_is_told_is_worded_for_who_reads_it(gathering):
    invitations.invite_friend(table=gathering, user=person("Ada"), name="Sofia")
    one = person("Sofia").notifications.get()

    assert (one.kind, one.by, one.about, one.data) == ("invited", person("Ada"), gathering.code, {})


def test_what_is_old_is_forgotten(gathering):
    invitations.invite_friend(table=gathering, user=person("Ada"), name="Sofia")
    now = timezone.now()

    assert notifications.delete_old_notifications(now=now) == 0
    assert notifications.delete_old_notifications(now=now + timezone.timedelta(days=61)) == 1


@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("closed_lines")
async def test_an_open_page_is_told_at_once_to_look_at_the_bell(transactional_db):
    table = await does(gather)(NAMES[:5])
    await does(befriend)("Ada", "Sofia")
    await does(tables.leave_table)(table=table, user=await does(person)("Ewa"))
    sofia = await Socket(await does(lambda: Person(person("Sofia"), table))()).catches_up()
    boris = await Socket(await does(lambda: Person(person("Boris"), table))()).catches_up()

    await does(
        lambda: invitations.invite_friend(table=fresh(table), user=person("Ada"), name="Sofia")
    )()

    assert await sofia.answer() == {"bell": True}
    assert await boris.stays_silent()
    for socket in (sofia, boris):
        await socket.line.disconnect()


@pytest.mark.parametrize("language", ["en", "ru", "pl", "ja", "it"])
def test_the_bell_counts_in_every_language(db, language):
    user = person("Sofia")
    for _ in range(2):
        Notification.objects.create(user=user, kind=Notification.Kind.TURN, at=timezone.now())

    page = Person(user, Table(), language).get("/")

    assert page.status_code == 200
    assert 'class="bell ringing"' in page.content.decode()
