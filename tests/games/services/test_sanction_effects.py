"""What a sanction closes at the tables: chat, rated games, all seats, open sockets."""

from datetime import timedelta

import pytest
from django.contrib.auth.models import Group
from django.utils import timezone

from accounts.auth.roles import GROUPS, Rank
from accounts.models import AuditEntry, Sanction, User
from accounts.services.audit import entries_for, write_audit
from accounts.services.sanctions import expire_sanctions, impose_sanction, lift_sanction
from games.live.hub import RECONNECT, SIGNED_OUT
from games.models import Message, Table, Terms
from games.services import chat, substitutes, table_moderation, tables
from games.wording.refusals import Refusal, Refused
from tests.builders.person import Person
from tests.builders.sealing import Browser, begin, gather
from tests.builders.sockets import Socket, does
from tests.builders.tables import NAMES, fresh, person, run_table
from tests.second_factor import with_second_factor


def officer(name: str = "Mira", rank: Rank = Rank.SENIOR) -> User:
    user = person(name)
    user.groups.add(Group.objects.get(name=GROUPS[rank]))
    return with_second_factor(User.objects.get(pk=user.pk))


def sanctioned(user: User, kind: str) -> Sanction:
    ends_at = timezone.now() + timedelta(days=1) if kind == "suspension" else None
    return impose_sanction(
        actor=officer(), user=user, kind=kind, reason="Shouting.", language="en", ends_at=ends_at
    )


def refusal_of(call, **how: object) -> Refusal:
    with pytest.raises(Refused) as refused:
        call(**how)
    return refused.value.refusal


# Chat ---------------------------------------------------------------------------------------------


def say(viewer: Person, **changes: str):
    data = {"text": "Good evening", "place": "table", "key": ""} | changes
    return viewer.post(f"{viewer.url}say/", data, htmx=True)


def test_who_is_muted_writes_nowhere_and_is_told_why(seated, spectator):
    ada = seated[0]
    chat.enter_gallery(table=spectator.table, user=spectator.user)
    for viewer, place in ((ada, "table"), (spectator, "gallery")):
        sanctioned(viewer.user, "mute")
        answer = say(viewer, place=place)
        assert answer.status_code == 422
        assert str(Refusal.GAGGED.label) in answer.content.decode()
        assert "/account/standing/" in viewer.page() and "Send</button>" not in viewer.page()
    assert not Message.objects.exists()


def test_phrases_stay_open_to_who_is_muted(seated):
    sanctioned(seated[0].user, "mute")
    answer = seated[0].post(f"{seated[0].url}phrase/", {"phrase": "hello", "place": "table"})
    assert answer.status_code == 303
    assert Message.objects.get().kind == Message.Kind.PHRASE


def test_who_is_no_longer_muted_writes_again(seated):
    sanction = sanctioned(seated[0].user, "mute")
    lift_sanction(actor=officer(), sanction=sanction, reason="Enough.")
    assert say(seated[0]).status_code == 200


@pytest.mark.parametrize("kind", ["note", "unrated"])
def test_no_other_sanction_closes_the_chat_to_who_may_be_here(seated, kind):
    sanctioned(seated[0].user, kind)
    assert say(seated[0]).status_code == 200


# Rated games --------------------------------------------------------------------------------------


def open_table(host: User, **terms: object) -> Table:
    return tables.open_table(host=host, terms=Terms(edition="en", seats_wanted=5, **terms))


def rated(host: User) -> Table:
    return open_table(host, is_rated=True)


def test_who_may_play_no_rated_games_neither_opens_nor_joins_one(db):
    ada, boris = person("Ada"), person("Boris")
    table = rated(boris)
    sanctioned(ada, "unrated")

    assert refusal_of(tables.join_table, table=table, user=ada) == Refusal.UNRATED
    assert refusal_of(rated, host=ada) == Refusal.UNRATED
    assert Table.objects.count() == 1
    # Unrated tables stay open to her.
    open_table(ada)


def test_nor_waits_for_a_seat_at_one(db):
    table = run_table(is_rated=True)
    sofia = person("Sofia")
    sanctioned(sofia, "unrated")
    assert refusal_of(substitutes.join_list, table=table, user=sofia) == Refusal.UNRATED


def test_a_rated_table_that_gathers_is_left_and_another_is_not(
    db, django_capture_on_commit_callbacks
):
    boris = person("Boris")
    counted, other, ada = rated(boris), open_table(boris), person("Ada")
    for table in (counted, other):
        tables.join_table(table=table, user=ada)

    with django_capture_on_commit_callbacks(execute=True):
        sanctioned(ada, "unrated")

    assert not counted.seats.filter(user=ada).exists()
    assert other.seats.filter(user=ada).exists()


# The site -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["suspension", "ban"])
def test_who_is_shut_out_is_at_no_table(seated, kind, django_capture_on_commit_callbacks):
    ada, table = seated[0], seated[0].table
    gathering, waiting = open_table(person("Boris")), run_table(["Nadia", *NAMES[1:5]])
    tables.join_table(table=gathering, user=ada.user)
    substitutes.join_list(table=waiting, user=ada.user)

    with django_capture_on_commit_callbacks(execute=True):
        sanctioned(ada.user, kind)

    # A gathering table loses the player; in a running game a stand-in plays the seat.
    assert not gathering.seats.filter(user=ada.user).exists()
    assert not waiting.substitutes.exists()
    seat = table.seats.get(user=ada.user)
    assert seat.is_away and fresh(table).stage == Table.Stage.RUNNING
    assert fresh(table).game.wakes_at is not None
    # Every button redirects, and no service gives them a seat either.
    for path in ("act/", "say/", "join/", "back/", "waiting/", ""):
        ada.client.force_login(ada.user)
        call = ada.post if path else ada.get
        assert call(f"{ada.url}{path}").headers["Location"] == "/account/standing/"
    other = open_table(person("Nadia"))
    shut = User.objects.get(pk=ada.user.pk)
    assert refusal_of(tables.join_table, table=other, user=shut) == Refusal.SHUT_OUT


def test_who_is_shut_out_leaves_frozen_tables_too(seated, django_capture_on_commit_callbacks):
    """A moderator freezes a table first, and then suspends a player of it."""
    ada, table = seated[0], seated[0].table
    gathering, waiting = open_table(person("Boris")), run_table(["Nadia", *NAMES[1:5]])
    tables.join_table(table=gathering, user=ada.user)
    substitutes.join_list(table=waiting, user=ada.user)
    mira = officer()
    for each in (table, gathering, waiting):
        table_moderation.freeze_table(
            actor=mira, table=each, because="report", reason="A look at it."
        )

    with django_capture_on_commit_callbacks(execute=True):
        sanctioned(ada.user, "suspension")

    assert table.seats.get(user=ada.user).is_away
    assert fresh(table).is_frozen and fresh(table).game.wakes_at is None
    assert not gathering.seats.filter(user=ada.user).exists()
    assert not waiting.substitutes.exists()
    table_moderation.thaw_table(actor=mira, table=table, reason="Done.")
    assert fresh(table).game.wakes_at is not None


def test_a_stand_in_plays_for_who_is_shut_out_while_the_cards_are_dealt(
    db, django_capture_on_commit_callbacks
):
    browsers = [Browser(name) for name in NAMES[:5]]
    table = begin(gather(browsers, pace="untimed", visibility="unlisted"))
    ewa = browsers[4]

    with django_capture_on_commit_callbacks(execute=True):
        sanctioned(ewa.user, "suspension")
    for browser in browsers:
        browser.reveal(table)

    assert fresh(table).stage == Table.Stage.RUNNING
    assert ewa.seat(table).is_away


def test_who_was_suspended_takes_the_seat_again_when_it_is_over(
    seated, django_capture_on_commit_callbacks
):
    ada = seated[0]
    with django_capture_on_commit_callbacks(execute=True):
        sanction = sanctioned(ada.user, "suspension")
    Sanction.objects.filter(pk=sanction.pk).update(ends_at=timezone.now())
    expire_sanctions(now=timezone.now())

    ada.client.force_login(ada.user)
    assert ada.post(f"{ada.url}back/").status_code == 303
    assert not ada.table.seats.get(user=ada.user).is_away


# Open sockets -------------------------------------------------------------------------------------


async def ending(socket: Socket) -> int:
    """Return the code with which the socket closes. The bell may ring first."""
    while True:
        message = await socket.line.receive_output(timeout=20)
        if message["type"] == "websocket.close":
            return message["code"]


with_sockets = pytest.mark.usefixtures("closed_lines")


@with_sockets
@pytest.mark.parametrize("kind", ["suspension", "ban", "warning"])
async def test_an_open_socket_closes_at_once_and_no_other_opens(transactional_db, kind):
    table = await does(run_table)()
    ada, boris = await does(lambda: [Person(person(name), table) for name in ("Ada", "Boris")])()
    own = await Socket(ada).catches_up()
    lobby = Socket(ada, "/live/lobby/")
    assert await lobby.opens()
    other = await Socket(boris).catches_up()

    await does(sanctioned)(ada.user, kind)

    assert await ending(own) == SIGNED_OUT
    assert await ending(lobby) == SIGNED_OUT
    assert not await Socket(ada).opens()
    assert not await Socket(ada, "/live/lobby/").opens()
    # The others see at most that a stand-in plays there.
    await other.line.disconnect()


@with_sockets
@pytest.mark.parametrize("kind", ["mute", "unrated"])
async def test_an_open_socket_is_called_back_for_what_holds_now(transactional_db, kind):
    table = await does(run_table)()
    ada = await does(lambda: Person(person("Ada"), table))()
    own = await Socket(ada).catches_up()

    await does(sanctioned)(ada.user, kind)

    assert await ending(own) == RECONNECT
    again = await Socket(ada).catches_up()
    await again.line.disconnect()


# The audit log ------------------------------------------------------------------------------------


def test_a_moderator_who_plays_reads_nothing_of_that_table_before_it_is_over(table):
    ada, sofia = officer("Ada"), officer("Sofia")
    write_audit(actor=None, act="glass_broken", table=table.code)

    assert not entries_for(ada).exists() and not entries_for(ada, "glass").exists()
    assert entries_for(sofia).count() == 1
    Table.objects.filter(pk=table.pk).update(stage=Table.Stage.OVER)
    assert entries_for(ada).count() == AuditEntry.objects.count() == 1
