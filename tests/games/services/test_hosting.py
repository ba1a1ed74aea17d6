"""The host's tools before the game: removing players, shuffling seats, naming another host."""

import pytest

from games.models import Kick, Table, Visibility
from games.rules.chance import order_of
from games.services import hosting, tables
from games.wording.refusals import Refusal
from tests.builders.person import Person
from tests.builders.refusals import refusal_of
from tests.builders.tables import NAMES, contribution, fresh, gather, person, position


@pytest.fixture
def gathering(db) -> Table:
    """Return a table with five players and two free seats; Ada hosts."""
    table = gather()
    Table.objects.filter(pk=table.pk).update(seats_wanted=7)
    return fresh(table)


def kick(table: Table, name: str, by: str = "Ada") -> None:
    seat = table.seats.get(name=name)
    hosting.kick(table=table, user=person(by), number=seat.number, name=name)


def names_at(table: Table) -> list[str]:
    return [seat.name for seat in table.seats.all()]


def test_whom_the_host_removes_has_no_seat_and_cannot_sit_down_again(gathering):
    kick(gathering, "Chika")

    assert names_at(gathering) == ["Ada", "Boris", "Dario", "Ewa"]
    refused = refusal_of(tables.join_table, table=gathering, user=person("Chika"))
    assert refused == Refusal.KICKED
    assert names_at(gathering) == ["Ada", "Boris", "Dario", "Ewa"]


def test_whoever_was_removed_is_told_so_instead_of_a_button_and_may_still_watch(gathering):
    chika = Person(person("Chika"), gathering)
    kick(gathering, "Chika")

    page = chika.page()

    assert "You were removed from this table" in page
    assert 'id="join"' not in page
    answer = chika.post(f"{chika.url}join/")
    assert answer.status_code == 422
    assert "You were removed" in answer.content.decode()


def test_a_removed_person_sees_a_private_table_no_more(db):
    table = gather()
    Table.objects.filter(pk=table.pk).update(visibility=Visibility.PRIVATE)
    chika = Person(person("Chika"), table)
    chika.page()

    kick(fresh(table), "Chika")

    assert chika.get(chika.url).status_code == 404


def test_who_was_removed_from_one_table_may_sit_down_at_another(gathering):
    kick(gathering, "Chika")
    other = gather(["Nadia", "Olga", "Petra", "Quentin", "Rita"])
    Table.objects.filter(pk=other.pk).update(seats_wanted=7)

    tables.join_table(table=other, user=person("Chika"))

    assert "Chika" in names_at(other)


def test_a_bot_that_is_removed_leaves_a_free_seat(gathering):
    tables.fill_with_bots(table=gathering, user=person("Ada"))
    bot = gathering.seats.exclude(bot="").first()

    hosting.kick(table=gathering, user=person("Ada"), number=bot.number, name=bot.name)

    assert gathering.seats.count() == 6
    assert not Kick.objects.exists()


def test_only_the_host_removes_and_only_before_the_game(gathering, table):
    seat = gathering.seats.get(name="Chika")
    chika = {"number": seat.number, "name": "Chika"}

    for other in ("Boris", "Sofia"):
        refused = refusal_of(hosting.kick, table=gathering, user=person(other), **chika)
        assert refused == Refusal.NOT_HOST
    own = {"number": 0, "name": "Ada"}
    assert refusal_of(hosting.kick, table=gathering, user=person("Ada"), **own) == Refusal.OWN_SEAT
    assert refusal_of(hosting.kick, table=table, user=table.host, **chika) == Refusal.NOT_OPEN


def test_no_one_is_removed_who_sat_down_on_that_seat_after_the_host_looked(gathering):
    seat = gathering.seats.get(name="Chika")
    tables.leave_table(table=gathering, user=person("Chika"))
    tables.join_table(table=gathering, user=person("Sofia"))
    assert gathering.seats.get(name="Sofia").number == seat.number

    refused = refusal_of(
        hosting.kick, table=gathering, user=person("Ada"), number=seat.number, name="Chika"
    )

    assert refused == Refusal.STALE
    assert "Sofia" in names_at(gathering)


def test_hosting_is_handed_to_a_person_who_sits_there(gathering):
    tables.fill_with_bots(table=gathering, user=person("Ada"))
    bot = gathering.seats.exclude(bot="").first()
    give = hosting.hand_over_hosting
    to_bot = {"number": bot.number, "name": bot.name}
    assert refusal_of(give, table=gathering, user=person("Ada"), **to_bot) == Refusal.NO_PERSON

    give(table=gathering, user=person("Ada"), number=3, name="Dario")

    assert fresh(gathering).host == person("Dario")
    back = {"number": 0, "name": "Ada"}
    assert refusal_of(give, table=gathering, user=person("Ada"), **back) == Refusal.NOT_HOST


def test_the_host_works_with_plain_forms_and_others_have_none(gathering):
    ada, boris = (Person(person(name), gathering) for name in ("Ada", "Boris"))

    assert ada.press("kick-3").status_code == 303
    assert ada.press("hand-over-1").status_code == 303

    assert names_at(gathering) == ["Ada", "Boris", "Chika", "Ewa"]
    assert "Host tools" in boris.page()
    assert "Host tools" not in ada.page()


# Drawn seats --------------------------------------------------------------------------------------


def drawn(table: Table) -> Table:
    hosting.choose_seating(table=table, user=person("Ada"), shuffles=True)
    return fresh(table)


def test_seats_are_drawn_only_where_the_host_has_said_so_and_everyone_reads_it(gathering):
    boris = Person(person("Boris"), gathering)
    told = "Seats are drawn by lot when the game starts"
    assert told not in boris.page()

    assert Person(person("Ada"), gathering).press("seating").status_code == 303

    assert fresh(gathering).shuffles_seats
    assert told in boris.page()
    assert Person(person("Ada"), gathering).press("seating").status_code == 303
    assert told not in boris.page()
    tables.start_game(table=gathering, user=person("Ada"))
    assert names_at(gathering) == list(NAMES[:5])


def test_drawn_seats_are_the_same_people_each_once_with_what_they_added(gathering):
    # Find a seed that moves at least one player.
    seeds = (bytes([number]) * 32 for number in range(256))
    contributions = [contribution(number) for number in range(5)]
    seed = next(seed for seed in seeds if order_of(seed, contributions) != (0, 1, 2, 3, 4))
    Table.objects.filter(pk=gathering.pk).update(seed=seed)

    tables.start_game(table=drawn(gathering), user=person("Ada"))

    order = order_of(seed, contributions)
    assert names_at(gathering) == [NAMES[place] for place in order]
    assert [seat.number for seat in gathering.seats.all()] == [0, 1, 2, 3, 4]
    assert [seat.contribution for seat in gathering.seats.all()] == [
        contribution(place) for place in order
    ]
    assert position(gathering).state.players == 5


def test_only_the_host_chooses_how_seats_are_given(gathering):
    choose = hosting.choose_seating
    refused = refusal_of(choose, table=gathering, user=person("Boris"), shuffles=True)
    assert refused == Refusal.NOT_HOST
    answer = Person(person("Ada"), gathering).post(f"{gathering.get_absolute_url()}seating/")
    assert answer.status_code == 422
