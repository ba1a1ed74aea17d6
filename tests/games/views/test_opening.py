"""Opening a table: what a host may choose, what it changes, and why a form is refused."""

import re
from datetime import timedelta

import pytest
from django.utils import timezone

from accounts.models import Friendship, User
from accounts.throttling import limits
from games.models import Chat, Joiners, Pace, Starts, Table, Terms, Visibility
from games.services import play, tables
from games.services.abandonment import give_up_game
from games.wording.refusals import Refusal
from tests.builders.person import Person, forms_of
from tests.builders.refusals import refusal_of
from tests.builders.tables import (
    NAMES,
    everybody_is_ready,
    fresh,
    gather,
    is_over,
    person,
    play_until,
    run_table,
)

REFUSED, SEE_OTHER, NOT_FOUND, TOO_MUCH = 422, 303, 404, 429
PLAIN = {"edition": "en", "seats_wanted": "7", "pace": "normal"}


@pytest.fixture
def ada(db) -> Person:
    return Person(person("Ada"), Table())


def opened(**terms: object) -> Table:
    how = {"edition": "en", "seats_wanted": 7} | terms
    return tables.open_table(host=person("Ada"), terms=Terms(**how))


def form_on(html: str, action: str):
    return next(form for form in forms_of(html) if form.action == action)


# The form -----------------------------------------------------------------------------------------


def test_all_that_a_host_chooses_is_the_table_s(ada):
    ada.post(
        "/tables/new/",
        PLAIN
        | {
            "least_seats": "6",
            "pace": "relaxed",
            "visibility": "unlisted",
            "starts": "full",
            "languages": ["pl", "de"],
            "joiners": "played",
            "joiners_least": "3",
            "spectators": "on",
            "chat": "phrases",
            "is_blind": "on",
            "is_rated": "on",
        },
    )

    assert Terms.of(Table.objects.get()) == Terms(
        edition="en",
        seats_wanted=7,
        least_seats=6,
        pace=Pace.RELAXED,
        visibility=Visibility.UNLISTED,
        starts=Starts.FULL,
        languages=("pl", "de"),
        joiners=Joiners.PLAYED,
        joiners_least=3,
        spectators=True,
        chat=Chat.PHRASES,
        is_blind=True,
        is_rated=True,
    )


def test_the_form_as_it_comes_opens_a_table_in_the_reader_s_language_and_rules(ada):
    ada.language = "pl"
    html = ada.get("/tables/new/").content.decode()

    checked = re.findall(r'name="(\w+)" value="(\w+)"[^>]*checked', html)
    assert {("pace", "normal"), ("visibility", "public"), ("languages", "pl")} <= set(checked)
    assert '<option value="pl" selected>' in html


@pytest.mark.parametrize(
    ("changes", "field", "why"),
    [
        ({"edition": "ru-5-6", "seats_wanted": "9"}, "seats_wanted", "5 to 6 players"),
        ({"least_seats": "9"}, "least_seats", "can’t be higher than the maximum"),
        ({"pace": "untimed"}, "pace", "need a clock"),
        ({"password": "sesame"}, "password", "Only private tables"),
        ({"joiners": "old"}, "joiners_least", "minimum number of days"),
        ({"joiners": "played", "joiners_least": "-1"}, "joiners_least", "greater than or equal"),
        ({"is_blind": "on", "joiners": "friends"}, "is_blind", "can’t be for friends only"),
        ({"languages": ["tlh"]}, "languages", "not one of the available choices"),
        ({"visibility": "secret"}, "visibility", "not one of the available choices"),
    ],
)
def test_what_does_not_go_together_comes_back_with_why_and_with_all_that_was_typed(
    ada, changes, field, why
):
    typed = PLAIN | {"password": "", "joiners_least": "", "chat": "none", "key": "mine"} | changes

    answer = ada.post("/tables/new/", typed)

    html = answer.content.decode()
    assert answer.status_code == REFUSED
    assert why in html
    assert not Table.objects.exists()
    form = form_on(html, "/tables/new/")
    assert form.fields["password"] == typed["password"]
    assert form.fields["joiners_least"] == typed["joiners_least"]
    assert form.fields["key"] == "mine"
    assert 'value="none" id="id_chat_2" checked' in html
    # The section with the error is open, so that the host does not have to search for it.
    outside, _, fold = html.split(why)[0].rpartition("<details")
    is_folded = outside != "" and "</details>" not in fold
    assert not is_folded or fold.split(">")[0].endswith(" open")


def test_a_number_that_no_one_asks_for_is_not_looked_at(ada):
    assert ada.post("/tables/new/", PLAIN | {"joiners_least": "x"}).status_code == SEE_OTHER
    assert Table.objects.get().joiners_least == 0


def test_a_table_without_a_clock_is_casual(ada):
    ada.post("/tables/new/", PLAIN | {"pace": "untimed", "visibility": "private", "is_rated": "on"})

    assert Table.objects.get().is_rated is False


def test_the_same_form_sent_twice_opens_one_table_and_a_changed_one_another(ada):
    form = PLAIN | {"key": "of this page"}

    first, second = (ada.post("/tables/new/", form).url for _ in range(2))
    changed = ada.post("/tables/new/", form | {"pace": "blitz"}).url

    assert first == second != changed
    assert Table.objects.count() == 2


def test_another_s_key_opens_a_table_of_one_s_own(ada):
    boris = Person(person("Boris"), Table())

    urls = {someone.post("/tables/new/", PLAIN | {"key": "k"}).url for someone in (ada, boris)}

    assert len(urls) == 2


def test_each_page_has_a_key_of_its_own(ada):
    keys = {
        form_on(ada.get("/tables/new/").content.decode(), "/tables/new/").fields["key"]
        for _ in range(3)
    }
    assert len(keys) == 3


# Who may join -------------------------------------------------------------------------------------


def befriend(one: User, other: User, *, accepted: bool = True) -> None:
    Friendship.objects.create(
        asked_by=one, asked=other, accepted_at=timezone.now() if accepted else None
    )


def test_a_table_for_friends_takes_the_host_s_friends_and_no_one_else(db):
    table = opened(joiners=Joiners.FRIENDS)
    boris, chika, dario = person("Boris"), person("Chika"), person("Dario")
    befriend(person("Ada"), boris)
    befriend(chika, person("Ada"), accepted=False)
    befriend(boris, dario)

    tables.join_table(table=table, user=boris)

    for stranger in (chika, dario):
        assert refusal_of(tables.join_table, table=table, user=stranger) == Refusal.FRIENDS_ONLY


def test_a_table_for_old_accounts_takes_no_new_ones(db):
    table = opened(joiners=Joiners.OLD, joiners_least=7)
    now = timezone.now()
    young = person("Young", date_joined=now - timedelta(days=6, hours=23))
    old = person("Old one", date_joined=now - timedelta(days=7, hours=1))

    assert refusal_of(tables.join_table, table=table, user=young) == Refusal.TOO_NEW
    tables.join_table(table=table, user=old)


def test_a_table_for_the_experienced_counts_finished_games(db):
    over = run_table()
    table = opened(joiners=Joiners.PLAYED, joiners_least=1)
    boris = person("Boris")
    assert refusal_of(tables.join_table, table=table, user=boris) == Refusal.TOO_FEW_GAMES

    play_until(over, is_over)

    tables.join_table(table=table, user=boris)
    assert refusal_of(tables.join_table, table=table, user=person("Zoe")) == Refusal.TOO_FEW_GAMES


# When the game starts -----------------------------------------------------------------------------


def test_a_table_that_waits_for_all_begins_with_the_last_seat(db):
    table = gather(NAMES[:4], seats_wanted=5, starts=Starts.FULL, seed=b"\x2a" * 32)
    assert fresh(table).stage == Table.Stage.OPEN

    tables.join_table(table=table, user=person("Ewa"))
    everybody_is_ready(table)

    assert fresh(table).stage == Table.Stage.RUNNING
    assert fresh(table).game.players == 5


def test_bots_may_take_the_last_seats_too(db):
    table = opened(starts=Starts.FULL)

    tables.fill_with_bots(table=table, user=person("Ada"))

    assert fresh(table).stage == Table.Stage.RUNNING


def test_the_host_begins_with_the_least_and_not_with_fewer(db):
    table = gather(NAMES[:5], seats_wanted=8, least_seats=6)
    assert refusal_of(tables.start_game, table=table, user=table.host) == Refusal.TOO_FEW
    assert "disabled" in Person(table.host, table).page().split('id="start"')[1].split(">")[0]

    tables.join_table(table=table, user=person("Fumio"))
    tables.start_game(table=table, user=table.host)

    assert fresh(table).game.players == 6


# Who can find it ----------------------------------------------------------------------------------


def test_an_unlisted_table_is_for_whoever_has_its_address_and_in_no_one_s_lobby(db):
    table = opened(visibility=Visibility.UNLISTED)
    sofia, stranger = Person(person("Sofia"), table), Person(None, table)

    for looker in (sofia, stranger):
        assert table.code not in looker.get("/").content.decode()
        assert looker.page()
    assert sofia.press("join").status_code == SEE_OTHER
    assert table.get_absolute_url() in Person(table.host, table).page().split('id="invite"')[1]


def test_where_no_one_may_watch_one_looks_only_before_the_game(db):
    table = gather(spectators=False)
    sofia = Person(person("Sofia"), table)
    assert sofia.page()

    tables.start_game(table=table, user=table.host)

    for path in ("", "panels/", "record/"):
        assert sofia.get(f"{table.get_absolute_url()}{path}").status_code == NOT_FOUND
    assert table.code not in sofia.get("/").content.decode()
    assert Person(table.host, table).page()
    play_until(table, is_over)
    assert sofia.get(table.get_absolute_url()).status_code == NOT_FOUND
    assert Person(table.host, table).get(f"{table.get_absolute_url()}record/").status_code == 200


# The invitation -----------------------------------------------------------------------------------


def private_table(password: str = "sesame") -> Table:
    terms = Terms(edition="en", seats_wanted=7, visibility=Visibility.PRIVATE)
    return tables.open_table(host=person("Ada"), terms=terms, password=password)


def link_of(table: Table) -> str:
    return f"{table.get_absolute_url()}invitation/{table.invitation}/"


def test_a_private_table_asks_whoever_comes_by_the_link_for_its_password(db):
    table = private_table()
    sofia = Person(person("Sofia"), table)

    asked = sofia.get(link_of(table))
    assert asked.status_code == 200 and 'name="password"' in asked.content.decode()
    assert sofia.get(table.get_absolute_url()).status_code == NOT_FOUND
    wrong = sofia.post(link_of(table), {"password": "Sesame"})
    assert wrong.status_code == REFUSED and "not the right password" in wrong.content.decode()
    assert sofia.get(table.get_absolute_url()).status_code == NOT_FOUND

    assert sofia.post(link_of(table), {"password": "sesame"}).url == table.get_absolute_url()

    assert sofia.press("join").status_code == SEE_OTHER


def test_the_password_is_not_kept_as_it_is_and_asked_of_no_one_twice(db):
    table = private_table()
    assert "sesame" not in table.password
    sofia = Person(person("Sofia"), table)
    sofia.post(link_of(table), {"password": "sesame"})

    assert sofia.get(link_of(table)).url == table.get_absolute_url()
    assert Person(table.host, table).get(link_of(table)).url == table.get_absolute_url()


def test_whoever_guesses_at_a_table_s_password_has_to_wait(db, settings):
    """The limit counts all users together, because one person may have many accounts."""
    limits.forget_all()
    settings.LIMITS = settings.LIMITS | {"invitations": "3/minute"}
    table = private_table()
    tries = [Person(person(name), table) for name in NAMES[1:6]]

    answers = [one.post(link_of(table), {"password": "guess"}).status_code for one in tries]

    assert answers == [REFUSED] * 3 + [TOO_MUCH] * 2
    last = Person(person("Giulia"), table).post(link_of(table), {"password": "sesame"})
    assert last.status_code == TOO_MUCH and "Try again in" in last.content.decode()
    limits.forget_all()


# House rules --------------------------------------------------------------------------------------


def test_a_host_changes_the_track_the_deck_and_the_roles(ada):
    rules = {"option_power_2": '"peek"', "option_hitler_zone": "4", "option_fascist_policies": "10"}
    answer = ada.post("/tables/new/", PLAIN | rules)

    table = Table.objects.get()
    assert answer.url == table.get_absolute_url()
    assert table.house_rules == {"power_2": "peek", "hitler_zone": 4, "fascist_policies": 10}


def test_rules_that_do_not_go_together_are_marked_and_nothing_is_lost(ada):
    rules = {"option_fascist_start": "2", "option_hitler_zone": "2"}
    answer = ada.post("/tables/new/", PLAIN | rules)

    page = answer.content.decode()
    assert answer.status_code == REFUSED and not Table.objects.exists()
    assert "Electing Hitler could end the game in the first round." in page
    assert '<option value="2" selected>' in page


def test_house_rules_by_name_fill_the_form_and_keep_the_rest(ada):
    asked = PLAIN | {"named_rules": "rebalanced-7", "chat": "phrases", "option_silence": '"table"'}
    page = ada.post("/tables/new/", asked).content.decode()

    chosen = dict(
        re.findall(r'<select name="(\w+)".*?<option value="([^"]*)" selected', page, re.S)
    )
    assert chosen["option_fascist_policies"] == "10" and chosen["seats_wanted"] == "7"
    assert re.search(r'name="chat" value="phrases"[^>]*checked', page)
    assert not re.search(r'name="option_silence" value="&quot;table&quot;"[^>]*checked', page)
    # It says what it has done, where the reader has pressed.
    told = page.split('id="house-rules"')[1].split('role="status"')[1].split("</p>")[0]
    assert "Rebalanced 7" in told and "Players: 7" in told
    assert "Fascist policies in the game: 10" in told
    [pressed] = [
        form for form in re.findall(r"<button[^>]*>", page) if 'value="rebalanced-7"' in form
    ]
    assert 'formaction="/tables/new/#house-rules"' in pressed
    assert not Table.objects.exists()


def test_the_balance_is_answered_in_its_place_and_follows_the_form(ada):
    asked = PLAIN | {"balance": "1"}
    page = ada.post("/tables/new/", asked, htmx=True).content.decode()

    assert page.strip().startswith('<div id="balance"')
    assert "the liberals win" in page and "change from:#opening" in page and "<form" not in page


def test_where_rules_do_not_go_together_the_balance_says_what_is_wrong(ada):
    asked = PLAIN | {"balance": "live", "edition": "ru-5-6", "seats_wanted": "7"}
    page = ada.post("/tables/new/", asked, htmx=True).content.decode()

    assert "<li>At most: These rules are for 5 to 6 players.</li>" in page
    assert "change from:#opening" in page


# Giving up a game ---------------------------------------------------------------------------------


def test_a_game_with_bots_only_can_be_given_up(db):
    table = tables.quick_game(user=person("Ada"), edition="en")
    ada = Person(person("Ada"), table)
    assert table.code in ada.get("/").content.decode()

    answer = ada.press("give-up")

    assert answer.url == "/"
    assert fresh(table).stage == Table.Stage.OVER
    lobby = ada.get("/").content.decode()
    assert f'href="{table.get_absolute_url()}"' not in lobby
    assert "Ended early" in lobby and "ended early" in ada.page()
    game = fresh(table).game
    assert game.ended_at is not None and game.winner == "" and game.wakes_at is None


def test_a_game_that_was_given_up_moves_no_more(db):
    table = tables.quick_game(user=person("Ada"), edition="en")
    give_up_game(table=table, user=person("Ada"))
    length = fresh(table).game.length

    play.settle(table.pk, now=timezone.now() + timedelta(days=1))

    assert fresh(table).game.length == length
    assert refusal_of(play.come_back, table=table, user=person("Ada")) == Refusal.GAME_OVER
    assert refusal_of(give_up_game, table=table, user=person("Ada")) == Refusal.GAME_OVER


def test_a_game_of_several_is_given_up_by_none_of_them(table):
    assert refusal_of(give_up_game, table=table, user=table.host) == Refusal.NOT_ALONE
    assert refusal_of(give_up_game, table=table, user=person("Zoe")) == Refusal.NOT_SEATED
    assert refusal_of(give_up_game, table=opened(), user=table.host) == Refusal.NOT_STARTED
    assert 'id="give-up"' not in Person(table.host, table).page()
    play_until(table, is_over)
    assert refusal_of(give_up_game, table=table, user=table.host) == Refusal.GAME_OVER
