"""Blind tables: other names from the first seat to the last move, and then the real ones."""

import pytest
from django.db import IntegrityError, transaction
from django.utils import timezone

from accounts.models import Friendship
from games.models import Seat, Table, Terms
from games.rules.record import record_json
from games.services import records, tables
from games.services.bot_seats import BOT_NAMES
from games.services.pseudonyms import PSEUDONYMS, real_names
from games.wording.refusals import Refusal, Refused
from tests.builders.person import Person
from tests.builders.sockets import Socket, does
from tests.builders.tables import (
    NAMES,
    act,
    fascist_dream,
    fresh,
    gather,
    is_over,
    person,
    play_until,
    run_table,
    state_of,
)
from tests.second_factor import with_second_factor


def names_of(table: Table) -> list[str]:
    return [seat.name for seat in table.seats.all()]


def blind_table(**how: object) -> Table:
    return run_table(is_blind=True, **how)


def test_everyone_sits_under_a_town_s_name(db):
    table = gather(NAMES[:6], bots=2, is_blind=True)

    people = [seat.name for seat in table.seats.exclude(user=None)]
    assert set(people) <= set(PSEUDONYMS)
    assert len(set(people)) == 6
    assert not set(PSEUDONYMS) & set(BOT_NAMES)


def test_seats_are_taken_by_chance_and_not_in_the_order_of_coming(db):
    orders = set()
    for number in range(6):
        table = gather([f"{name}{number}" for name in NAMES], is_blind=True)
        orders.add(tuple(seat.user.username[:-1] for seat in table.seats.all()))

    assert len(orders) > 1


def test_a_bot_of_someone_s_name_keeps_it_and_tells_nothing(db):
    table = gather(["Ada"], bots=4, is_blind=True)
    Table.objects.filter(pk=table.pk).update(seats_wanted=6)
    bot = table.seats.filter(user=None).first()

    tables.join_table(table=table, user=person(bot.name))

    assert table.seats.get(pk=bot.pk).name == bot.name


def test_no_page_names_anyone_before_the_end_and_all_of_them_after(db):
    table = blind_table()
    lookers = [Person(person(name), table) for name in ("Ada", "Sofia")] + [Person(None, table)]
    people = [seat.user.username for seat in table.seats.all()]

    def told() -> set[str]:
        html = ""
        for looker in lookers:
            looker_s_own = f"<bdi>{looker.user.username}</bdi>" if looker.user else "-"
            for path in (looker.url, "/", f"{looker.url}panels/"):
                html += looker.get(path).content.decode().replace(looker_s_own, "", 1)
        return {name for name in people if f">{name}<" in html}

    assert told() == set()
    play_until(table, lambda state: state.fascist == 4)
    assert told() == set()
    play_until(table, is_over)
    assert told() == set(people)


def test_the_end_gives_the_seats_their_own_names_in_minutes_and_record(db):
    table = blind_table()
    towns = names_of(table)
    play_until(table, lambda state: state.fascist == 4)
    before = fresh(table).version

    play_until(table, is_over)

    now = fresh(table)
    own = [seat.user.username for seat in now.seats.all()]
    assert names_of(now) == own
    assert now.version > before
    assert record_json(records.record_of(now))["seats"] == own
    page = Person(None, now).page()
    assert not any(town in page for town in towns)


def test_a_game_that_is_not_blind_keeps_its_names_though_accounts_are_renamed(table):
    person("Ada").save()
    Table.objects.filter(pk=table.pk).update(host=person("Ada"))
    user = person("Ada")
    user.username = "Adelheid"
    user.save()

    play_until(table, is_over)

    assert "Ada" in names_of(table)


def test_at_the_end_no_two_are_called_alike(db):
    table = gather(["Ada", "Otto", "Weimar", "Chika"], bots=3, is_blind=True)
    bot = table.seats.filter(user=None).first()
    Seat.objects.filter(pk=bot.pk).update(name="Otto")
    gone = table.seats.get(user=person("Chika"))
    Seat.objects.filter(pk=gone.pk).update(name="Weimar", user=None)

    names = real_names(list(table.seats.all()))

    after = [names.get(seat.number, seat.name) for seat in table.seats.all()]
    assert len({name.casefold() for name in after}) == len(after)
    assert {"Ada", "Otto", "Weimar"} <= set(after)
    assert names[bot.number] != "Otto" and names[gone.number] != "Weimar"


def test_a_blind_table_is_not_for_friends_only(db):
    terms = Terms(edition="en", seats_wanted=5, is_blind=True, joiners="friends")

    with pytest.raises(Refused) as refused:
        tables.open_table(host=person("Ada"), terms=terms)
    assert refused.value.refusal == Refusal.BLIND_FRIENDS
    with pytest.raises(IntegrityError), transaction.atomic():
        Table.objects.create(**terms.columns())


def test_no_one_finds_a_friend_at_a_blind_table_before_the_end(db):
    table = blind_table()
    sofia = Person(person("Sofia"), table)
    Friendship.objects.create(
        asked_by=sofia.user, asked=person("Boris"), accepted_at=timezone.now()
    )
    assert table.code not in sofia.get("/?friends=on").content.decode()
    assert table.code in sofia.get("/").content.decode()

    play_until(table, is_over)

    assert table.code in sofia.get("/?friends=on").content.decode()


def test_the_staff_find_no_one_at_a_blind_table(db):
    table = blind_table()
    root = person("Root")
    root.is_staff = root.is_superuser = True
    root.save()
    moderator = Person(with_second_factor(root), table)
    boris = person("Boris")
    page = moderator.get(f"/admin/accounts/user/{boris.pk}/delete/").content.decode()
    assert table.code not in page
    assert "#" not in page.split("<main")[1].split("<form")[0]


@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("closed_lines")
async def test_the_frame_of_the_last_move_brings_the_names():
    table = await does(blind_table)()
    sofia = await does(lambda: Person(person("Sofia"), table))()
    await does(play_until)(table, lambda state: state.fascist == 5 and len(state.to_act) == 1)
    socket = Socket(sofia)
    assert await socket.opens()
    await socket.send(have={})
    first = (await socket.answer())["html"]
    assert not any(f">{name}<" in first for name in NAMES[:5])

    while (state := await does(state_of)(table)).outcome is None:
        await does(act)(table, fascist_dream(state, state.to_act[0]))
    html = ""
    while "extra-reason" not in html:
        html += (await socket.answer())["html"]

    last = html[html.rindex('id="panel-banner"') :]
    assert all(f">{name}<" in html for name in NAMES[:5]), last[:500]
    await socket.line.disconnect()
