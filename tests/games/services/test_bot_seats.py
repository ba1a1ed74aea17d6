"""Bots on the seats of a table: the host chooses their kinds, characters and levels."""

from collections import Counter

import pytest

from games import bots
from games.models import Level, Seat, Starts, Table, Terms
from games.services import bot_seats, tables
from games.services.bot_seats import BotWish
from games.wording.refusals import Refusal
from tests.builders.person import Person
from tests.builders.refusals import refusal_of
from tests.builders.tables import fresh, gather, person

SEE_OTHER, STALE, REFUSED = 303, 409, 422


@pytest.fixture
def gathering(db) -> Table:
    """Return a table with two players and five free seats; Ada hosts."""
    table = gather(["Ada", "Boris", "Chika", "Dario", "Ewa"])
    table.seats.filter(number__gt=1).delete()
    Table.objects.filter(pk=table.pk).update(seats_wanted=7)
    return fresh(table)


def arrange(table: Table, number: int, name: str = "", by: str = "Ada", **wish: object) -> None:
    bot_seats.arrange_bot(
        table=table, user=person(by), number=number, name=name, wish=BotWish(**wish)
    )


def bot_at(table: Table, number: int) -> Seat:
    return table.seats.exclude(bot="").get(number=number)


# One seat -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", bots.CHARACTERS)
def test_a_character_sits_down_under_a_name_of_its_own(gathering, kind):
    arrange(gathering, 4, kind=kind, level=Level.EXPERT)

    bot = bot_at(gathering, 4)
    assert (bot.bot, bot.level) == (kind, Level.EXPERT)
    assert bot.name in bots.people(kind)
    assert fresh(gathering).version > gathering.version


def test_any_character_is_one_that_the_table_does_not_have_yet(gathering):
    for number in range(2, 7):
        arrange(gathering, number)

    kinds = [seat.bot for seat in gathering.seats.exclude(bot="")]
    assert sorted(kinds) == sorted(bots.CHARACTERS)


def test_another_character_is_another_bot_and_another_level_the_same_one(gathering):
    arrange(gathering, 4, kind="careful")
    name = bot_at(gathering, 4).name

    arrange(gathering, 4, name, kind="careful", level=Level.BEGINNER)
    bot = bot_at(gathering, 4)
    assert (bot.name, bot.level) == (name, Level.BEGINNER)

    arrange(gathering, 4, name, kind="bold", level=Level.BEGINNER)
    bot = bot_at(gathering, 4)
    assert bot.name in bots.people("bold")
    assert gathering.seats.count() == 3


def test_only_the_host_chooses_bots_and_only_before_the_game(gathering, table):
    for other in ("Boris", "Sofia"):
        assert refusal_of(arrange, gathering, 4, by=other) == Refusal.NOT_HOST
    assert refusal_of(arrange, table, 0, by=table.host.username) == Refusal.NOT_OPEN
    assert not gathering.seats.exclude(bot="").exists()


@pytest.mark.parametrize(
    ("number", "name"),
    [(1, ""), (1, "Boris"), (4, "Klara"), (7, ""), (9, ""), (0, "Ada")],
    ids=["taken", "a person's", "free", "no such seat", "nor that", "the host's own"],
)
def test_a_seat_that_is_not_as_the_host_saw_it_stays(gathering, number, name):
    assert refusal_of(arrange, gathering, number, name) == Refusal.STALE
    assert [seat.name for seat in gathering.seats.all()] == ["Ada", "Boris"]


def test_the_last_bot_of_a_table_that_starts_when_full_asks_if_all_are_ready(gathering):
    Table.objects.filter(pk=gathering.pk).update(starts=Starts.FULL, seats_wanted=5)
    for number in (2, 3):
        arrange(gathering, number)
    assert fresh(gathering).asked_until is None

    arrange(gathering, 4)

    assert fresh(gathering).asked_until is not None


# All seats ----------------------------------------------------------------------------------------


def test_bots_that_fill_a_table_have_one_level_and_mixed_characters(gathering):
    tables.fill_with_bots(table=gathering, user=person("Ada"), level=Level.BEGINNER)

    seated = list(gathering.seats.exclude(bot=""))
    assert {bot.level for bot in seated} == {Level.BEGINNER}
    assert {bot.bot for bot in seated} == set(bots.CHARACTERS)
    assert all(bot.name in bots.people(bot.bot) for bot in seated)


def test_ten_seats_have_each_character_at_most_twice(db):
    table = gather(["Ada"], bots=9)

    kinds = Counter(seat.bot for seat in table.seats.exclude(bot=""))
    assert max(kinds.values()) == 2
    assert len({seat.name for seat in table.seats.all()}) == 10


def test_a_bot_that_gives_up_its_name_gets_another_of_its_character(gathering):
    arrange(gathering, 4, kind="quiet")
    name = bot_at(gathering, 4).name

    tables.join_table(table=gathering, user=person(name))

    bot = bot_at(gathering, 4)
    assert bot.name != name
    assert bot.name in bots.people("quiet")


# A table that opens with bots ---------------------------------------------------------------------


def test_a_table_opens_with_its_bots(db):
    table = tables.open_table(
        host=person("Ada"),
        terms=Terms(edition="en", seats_wanted=7, bots=4, bot="bold", bot_level=Level.EXPERT),
    )

    seated = list(table.seats.exclude(bot=""))
    assert [(bot.bot, bot.level) for bot in seated] == [("bold", Level.EXPERT)] * 4
    assert table.seats.count() == 5
    assert fresh(table).stage == Table.Stage.OPEN


def test_bots_of_the_form_sit_down_and_are_part_of_a_preset(db):
    ada = Person(person("Ada"), Table())
    form = {"edition": "en", "seats_wanted": "7", "pace": "normal"}
    asked = form | {"bots": "3", "bot": "", "bot_level": "beginner"}

    ada.post("/presets/", asked | {"name": "Training"})
    preset = ada.user.presets.get()
    page = ada.get(f"/presets/{preset.token}/").content.decode()
    assert '<option value="3" selected>3</option>' in page
    ada.post(f"/presets/{preset.token}/open/")

    seated = Table.objects.get().seats.exclude(bot="")
    assert [bot.level for bot in seated] == [Level.BEGINNER] * 3
    assert len({bot.bot for bot in seated}) == 3


def test_a_table_without_a_seat_for_its_host_is_refused(db):
    ada = Person(person("Ada"), Table())
    form = {"edition": "en", "seats_wanted": "5", "pace": "normal", "bots": "5"}

    answer = ada.post("/tables/new/", form)

    assert answer.status_code == REFUSED
    assert "There’s room for 4 bots beside you." in answer.content.decode()
    assert not Table.objects.exists()


def test_a_preset_with_a_kind_that_is_gone_opens_with_any_character(db):
    old = Terms(edition="en", seats_wanted=7, bots=2).json() | {"bot": "gone"}

    terms = Terms.read(old)

    assert terms is not None and (terms.bots, terms.bot) == (2, "")


# Quick games and playing again --------------------------------------------------------------------


def test_a_quick_game_has_characters_of_one_level(db):
    table = tables.quick_game(user=person("Ada"), edition="en", level=Level.EXPERT)

    seated = list(table.seats.exclude(bot=""))
    assert {bot.level for bot in seated} == {Level.EXPERT}
    assert {bot.bot for bot in seated} == set(bots.CHARACTERS)


@pytest.mark.parametrize(("asked", "seats"), [("5", 5), ("10", 10), ("4", 7), ("", 7)])
def test_a_quick_game_has_as_many_seats_as_one_asks_for(db, asked, seats):
    ada = Person(person("Ada"), Table())

    ada.post("/quick/", {"players": asked})

    assert Seat.objects.count() == seats
    assert f'<option value="{seats}" selected>{seats} players' in ada.get("/").content.decode()


def test_playing_again_is_with_the_same_bots(gathering):
    arrange(gathering, 2, kind="contrary", level=Level.EXPERT)
    arrange(gathering, 3, kind="uniform")
    arrange(gathering, 4, kind="quiet", level=Level.BEGINNER)
    Table.objects.filter(pk=gathering.pk).update(seats_wanted=5, stage=Table.Stage.OVER)
    before = {s.number: (s.bot, s.level, s.name) for s in gathering.seats.exclude(bot="")}

    again = tables.play_again(table=fresh(gathering), user=person("Ada"))

    after = {s.number: (s.bot, s.level, s.name) for s in again.seats.exclude(bot="")}
    assert after == {(number + 1) % 5: bot for number, bot in before.items()}


# What the page shows ------------------------------------------------------------------------------


def test_everyone_sees_a_bot_s_character_and_level(gathering):
    arrange(gathering, 4, kind="contrary", level=Level.EXPERT)

    for viewer in (person("Ada"), person("Boris"), None):
        page = Person(viewer, gathering).page()
        assert 'title="bot · Contrary · Expert"' in page


def test_a_kind_that_is_gone_is_shown_as_a_bot(gathering):
    arrange(gathering, 4)
    gathering.seats.filter(number=4).update(bot="gone")
    Table.objects.filter(pk=gathering.pk).update(version=gathering.version + 50)

    assert '<li class="mark-bot">' in Person(None, fresh(gathering)).page()


def test_the_host_works_with_plain_forms_and_others_have_none(gathering):
    ada, boris = (Person(person(name), gathering) for name in ("Ada", "Boris"))

    assert ada.press("bot-4", bot="bold", level="expert").status_code == SEE_OTHER
    assert (bot_at(gathering, 4).bot, bot_at(gathering, 4).level) == ("bold", "expert")
    assert ada.press("bot-4", bot="quiet", level="expert").status_code == SEE_OTHER
    assert bot_at(gathering, 4).bot == "quiet"
    assert ada.press("kick-4").status_code == SEE_OTHER
    assert gathering.seats.count() == 2
    assert ada.press("fill", level="beginner").status_code == SEE_OTHER
    assert {bot.level for bot in gathering.seats.exclude(bot="")} == {Level.BEGINNER}
    assert "bot-choice" not in boris.page()


@pytest.mark.parametrize(
    "asked",
    [
        {},
        {"seat": "4"},
        {"seat": "x:"},
        {"seat": "999:"},
        {"seat": "4:", "bot": "nobody"},
        {"seat": "4:", "level": "god"},
        {"seat": "4:" + "x" * 900},
    ],
)
def test_nonsense_about_a_bot_is_refused_and_changes_nothing(gathering, asked):
    ada = Person(person("Ada"), gathering)

    assert ada.post(f"{ada.url}bot/", asked).status_code == REFUSED
    assert gathering.seats.count() == 2
