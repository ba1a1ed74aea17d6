"""Profile pages: which viewer sees which part, the statistics, and permanent addresses."""

import re

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from accounts.models import Block, Friendship, User
from accounts.profiles.choices import Audience
from accounts.services.account_deletion import erase_due_accounts
from accounts.services.bots import create_bot
from accounts.services.names import change_name
from games.models import Game, Result, Table, Visibility
from games.panels.profile import page_of, statistics_of
from games.panels.tallies import Tally
from tests.builders.motions import goes_away, replaced, stopped
from tests.builders.person import forms_of
from tests.builders.tables import NAMES, fresh, gather, is_over, person, play_until, run_table

pytestmark = pytest.mark.django_db

# By part: the text on the page that shows it.
SHOWN_BY = {
    "about": "Poland",
    "since": "Here since",
    "statistics": 'id="played"',
    "reliability": "Reliability",
    "games": 'id="last"',
}
FOR_ALL, FOR_FRIENDS, FOR_NOBODY = Audience.ALL, Audience.FRIENDS, Audience.NOBODY


def browser_of(user: User | None, language: str = "en") -> Client:
    client = Client(headers={"accept-language": language})
    if user is not None:
        client.force_login(user)
    return client


def url_of(user: User) -> str:
    return f"/people/{user.person_key}/"


def shows(user: User, **audiences: str) -> User:
    for part, audience in audiences.items():
        setattr(user, f"shows_{part}", audience)
    user.save()
    return user


def befriend(one: User, other: User) -> None:
    Friendship.objects.create(asked_by=one, asked=other, accepted_at=timezone.now())


@pytest.fixture
def ada() -> User:
    """Return Ada, whose profile is filled in and who has played five games to the end."""
    table = played()
    ada = person("Ada")
    ada.country, ada.spoken = "PL", ["pl", "uk"]
    ada.save()
    for number in range(4):
        other = run_table([f"{letter}{number}" for letter in "vwxyz"])
        other.game.attendances.create(user=ada, is_abandoned=False)
    assert table.game.attendances.filter(user=ada).exists()
    return ada


@pytest.fixture
def cast(ada) -> dict[str, User | None]:
    """Return the viewers: Ada, a friend, another user, a user she has blocked, and a visitor."""
    befriend(person("Frida"), ada)
    Block.objects.create(blocker=ada, blocked=person("Bodo"))
    return {
        "owner": ada,
        "friend": person("Frida"),
        "other": person("Otto2"),
        "blocked": person("Bodo"),
        "visitor": None,
    }


def played(**how: object) -> Table:
    """Return a finished game of five: the fascists won; Ada, Boris and Chika are liberals."""
    table = run_table(**how)
    play_until(table, is_over)
    return fresh(table)


def tally(user: User, edition: str = "", role: str | None = None) -> Tally:
    for row in statistics_of(user).rows:
        if row.edition == edition:
            return row.together if role is None else dict(row.roles)[role]
    return Tally()


# Which viewer sees which part ---------------------------------------------------------------------


def test_each_part_is_seen_by_those_for_whom_it_is_and_by_its_owner(ada, cast):
    for part in SHOWN_BY:
        for audience in Audience.values:
            shows(ada, **dict.fromkeys(SHOWN_BY, FOR_NOBODY) | {part: audience})
            sees = {
                FOR_ALL: set(cast),
                FOR_FRIENDS: {"owner", "friend"},
                FOR_NOBODY: {"owner"},
            }[Audience(audience)]

            for who, user in cast.items():
                answer = browser_of(user).get(url_of(ada))
                page = answer.content.decode()
                assert answer.status_code == 200
                assert (SHOWN_BY[part] in page) == (who in sees), who
                others = [words for name, words in SHOWN_BY.items() if name != part]
                assert who == "owner" or not any(words in page for words in others), who


def test_the_page_itself_is_there_for_its_audience_alone(ada, cast):
    for audience in Audience.values:
        shows(ada, page=audience, **dict.fromkeys(SHOWN_BY, FOR_ALL))
        sees = {
            FOR_ALL: set(cast),
            FOR_FRIENDS: {"owner", "friend"},
            FOR_NOBODY: {"owner"},
        }[Audience(audience)]

        for who, user in cast.items():
            assert (browser_of(user).get(url_of(ada)).status_code == 200) == (who in sees), who


def test_who_asked_to_be_a_friend_is_none_yet(ada):
    shows(ada, since=FOR_FRIENDS)
    Friendship.objects.create(asked_by=person("Hans"), asked=ada)

    page = browser_of(person("Hans")).get(url_of(ada)).content.decode()
    assert "Here since" not in page and "Cancel request" in page


def test_a_hidden_page_is_byte_for_byte_one_that_is_not_there(ada, monkeypatch):
    from django.middleware import csrf

    monkeypatch.setattr(csrf, "_mask_cipher_secret", lambda secret: secret)
    shows(ada, page=FOR_NOBODY)
    for user in (None, person("Otto2")):
        browser = browser_of(user)
        browser.get("/")
        hidden = browser.get(url_of(ada))
        unknown = browser.get("/people/zzzzzzzzzz/")

        assert hidden.status_code == unknown.status_code == 404
        said = [
            answer.content.decode().replace(key, "KEY")
            for answer, key in ((hidden, ada.person_key), (unknown, "zzzzzzzzzz"))
        ]
        assert said[0] == said[1]


def test_a_block_on_a_user_s_own_page_is_shown_by_the_page_alone(db):
    ada, boris = person("Ada"), person("Boris")
    browser = browser_of(ada)
    form = {"name": "Boris"}

    there = browser.post("/account/people/block/", form | {"next": url_of(boris)}, follow=True)
    by_name = browser.post("/account/people/block/", form, follow=True)

    assert "You’ve blocked this person." in there.content.decode()
    assert "If a player has that name" not in there.content.decode()
    assert "If a player has that name" in by_name.content.decode()


def test_whoever_is_blocked_reads_what_everyone_reads(ada, cast):
    def read(user: User) -> str:
        page = browser_of(user).get(url_of(ada)).content.decode()
        page = re.sub(r'(csrfmiddlewaretoken" value|X-CSRFToken&quot;: &quot;)[^>]*', "", page)
        page = page.replace(f'data-reader="{user.pk}"', "")
        return page.replace(user.username, "WHO").replace(user.person_key, "KEY")

    strip = re.compile(r"data-hx-headers='[^']*'")
    assert strip.sub("", read(cast["blocked"])) == strip.sub("", read(cast["other"]))


def test_what_is_public_at_first_says_nothing_of_the_tables_that_one_goes_to(ada):
    page = browser_of(None).get(url_of(ada)).content.decode()

    assert all(words in page for part, words in SHOWN_BY.items() if part != "games")
    assert SHOWN_BY["games"] not in page
    assert not re.search("/tables/", page)


def test_the_owner_can_look_as_friends_and_as_everyone_do(ada, cast):
    shows(ada, about=FOR_FRIENDS, since=FOR_NOBODY, statistics=FOR_ALL)
    browser = browser_of(ada)
    seen = {
        who: {
            part
            for part, words in SHOWN_BY.items()
            if words in browser.get(url_of(ada), {"as": who} if who else {}).content.decode()
        }
        for who in ("", "friends", "all", "superuser")
    }

    assert seen[""] == seen["superuser"] == set(SHOWN_BY)
    assert seen["friends"] == {"about", "statistics", "reliability", "games"}
    assert seen["all"] == {"statistics", "reliability"}


def test_no_one_else_can_look_as_a_friend(ada):
    shows(ada, since=FOR_FRIENDS)
    for user in (None, person("Otto2")):
        page = browser_of(user).get(f"{url_of(ada)}?as=friends").content.decode()
        assert "Here since" not in page


# The page's address -------------------------------------------------------------------------------


def test_the_address_stays_with_the_person_and_no_name_leads_there(ada):
    before = url_of(ada)
    change_name(user=ada, name="Lovelace")

    assert "Lovelace" in browser_of(None).get(before).content.decode()
    for name in ("Ada", "Lovelace", "ada", str(ada.pk)):
        assert browser_of(None).get(f"/people/{name}/").status_code == 404


@pytest.mark.parametrize("key", ["x" * 3000, "%00", "é", "-", "0", "..%2f", "'--", "a b"])
def test_an_address_that_is_none_leads_nowhere(key):
    assert browser_of(None).get(f"/people/{key}/").status_code == 404


def test_who_closes_the_account_has_no_page_from_then_on(ada):
    ada.closes_at = timezone.now()
    ada.save()
    assert browser_of(person("Otto2")).get(url_of(ada)).status_code == 404

    erase_due_accounts(now=timezone.now())

    assert browser_of(None).get(url_of(ada)).status_code == 404
    assert not Result.objects.filter(user=ada.pk).exists()
    assert not User.objects.filter(country="PL").exists()
    table = Table.objects.get(seats__name__startswith="N. N.")
    assert browser_of(None).get(f"{table.get_absolute_url()}seats/0/").status_code == 404
    assert browser_of(None).get(table.get_absolute_url()).status_code == 200


def test_the_page_of_a_bot_names_its_owner_while_the_owner_is_there(db):
    olga = person("Olga")
    bot, _ = create_bot(owner=olga, name="Robo")

    assert "<bdi>Olga</bdi>" in browser_of(None).get(url_of(bot.user)).content.decode()
    assert ">Owner<" not in browser_of(None).get(url_of(olga)).content.decode()
    User.objects.filter(pk=olga.pk).update(closes_at=timezone.now())
    assert "Olga" not in browser_of(None).get(url_of(bot.user)).content.decode()


def test_no_search_engine_keeps_it(ada):
    answer = browser_of(None).get(url_of(ada))
    assert answer.headers["X-Robots-Tag"] == "noindex"
    assert "no-store" in answer.headers["Cache-Control"]


# The link from a seat -----------------------------------------------------------------------------


def test_a_seat_leads_to_whoever_sits_there():
    table = run_table()
    answer = browser_of(None).get(f"{table.get_absolute_url()}seats/1/")

    assert answer.headers["Location"] == url_of(person("Boris"))


@pytest.mark.parametrize("number", ["5", "99", "9" * 40])
def test_no_seat_leads_nowhere(number):
    table = run_table(NAMES[:4], bots=1)
    for seat in ("4", number):
        path = f"{table.get_absolute_url()}seats/{seat}/"
        assert browser_of(None).get(path).status_code == 404


def test_a_seat_of_a_hidden_person_leads_nowhere():
    table = run_table()
    shows(person("Boris"), page=FOR_FRIENDS)
    path = f"{table.get_absolute_url()}seats/1/"

    assert browser_of(None).get(path).status_code == 404
    assert browser_of(person("Boris")).get(path).status_code == 302


def test_a_blind_table_leads_to_no_one_before_its_end():
    table = run_table(is_blind=True)
    paths = [f"{table.get_absolute_url()}seats/{number}/" for number in range(5)]
    for user in (None, person("Ada"), person("Boris")):
        assert {browser_of(user).get(path).status_code for path in paths} == {404}
        page = browser_of(user).get(table.get_absolute_url()).content.decode()
        assert "person-link" not in page and "person-mark" not in page

    play_until(table, is_over)

    found = {browser_of(None).get(path).headers["Location"] for path in paths}
    assert found == {url_of(person(name)) for name in NAMES[:5]}


def test_names_lead_to_pages_while_a_table_gathers_and_after_the_game_and_not_between():
    table = gather(NAMES[:5])
    linked = []
    for _ in range(3):
        page = browser_of(None).get(table.get_absolute_url()).content.decode()
        linked.append(page.count('class="person-link"'))
        if fresh(table).stage == Table.Stage.OPEN:
            from games.services import tables

            tables.start_game(table=table, user=table.host)
        else:
            play_until(table, is_over)
    assert linked == [5, 0, 5]


# Statistics ---------------------------------------------------------------------------------------


def test_a_game_counts_for_each_as_their_role_and_for_the_side_that_won():
    played()

    assert tally(person("Ada")) == tally(person("Ada"), "en", "liberal") == Tally(1, 0)
    assert tally(person("Dario")) == tally(person("Dario"), "en", "fascist") == Tally(1, 1)
    assert tally(person("Ewa")) == tally(person("Ewa"), "en", "hitler") == Tally(1, 1)
    assert dict(statistics_of(person("Ewa")).endings) == {"fascist_policies": Tally(1, 1)}


def test_editions_and_house_rules_are_counted_apart():
    played()
    played(edition="pl")
    played(house_rules={"veto_advances_tracker": False})

    rows = statistics_of(person("Ada")).rows
    assert rows[0].edition == ""
    assert {row.edition for row in rows} == {
        *("", "en", "pl", "custom"),
    }
    assert tally(person("Ada")) == Tally(3, 0)
    page = browser_of(None).get(url_of(person("Ada"))).content.decode()
    assert "House rules" in page and "won 0 of 3" in page


def test_running_stopped_and_voided_games_count_for_no_one():
    play_until(run_table(), lambda state: state.fascist == 5)
    table = run_table(NAMES[:5])
    stopped(table)
    assert not Result.objects.exists()

    over = played()
    assert tally(person("Ada")) == Tally(1, 0)
    Game.objects.filter(pk=over.game.pk).update(stopped="voided")
    assert tally(person("Ada")) == Tally()
    assert page_of(person("Ada").person_key, person("Ada")).games == ()


def test_a_blind_game_is_counted_once_it_is_over():
    table = run_table(is_blind=True)
    before = {
        name: browser_of(None).get(url_of(person(name))).content.decode().split("<main")[1]
        for name in NAMES[:5]
    }
    play_until(table, lambda state: state.fascist == 5)
    for name in NAMES[:5]:
        page = browser_of(None).get(url_of(person(name))).content.decode()
        assert page.split("<main")[1] == before[name]

    play_until(table, is_over)
    assert {tally(person(name)).games for name in NAMES[:5]} == {1}


def test_who_was_replaced_at_a_blind_table_is_not_known_by_their_page_while_it_runs():
    table = run_table(is_blind=True)
    user = person("Ada")
    for number in range(5):
        other = run_table([f"{letter}{number}" for letter in "vwxyz"])
        other.game.attendances.create(user=user, is_abandoned=False)
    table.game.attendances.create(user=user, is_abandoned=True)
    assert "100% of 5 games" in browser_of(None).get(url_of(user)).content.decode()

    play_until(table, is_over)
    assert "83% of 6 games" in browser_of(None).get(url_of(user)).content.decode()


def test_whoever_took_a_seat_over_has_the_result_and_who_left_has_none():
    table = run_table()
    replaced(table)
    play_until(table, is_over)

    assert tally(person("Sofia")).games == 1
    assert tally(person("Dario")).games == 0


def test_who_is_away_at_the_end_has_the_result_all_the_same():
    table = run_table()
    play_until(table, lambda state: state.fascist == 5)
    goes_away(table, 3)
    play_until(table, is_over)

    assert tally(person("Dario")) == Tally(1, 1)


# The last games -----------------------------------------------------------------------------------


def test_games_that_are_not_listed_are_shown_to_those_who_sat_there():
    tables = {visibility: played(visibility=visibility) for visibility in Visibility}
    shut = played(spectators=False)
    ada = shows(person("Ada"), games=FOR_ALL)
    befriend(person("Frida"), ada)

    def codes(viewer: User | None, **how: str) -> set[str]:
        return {game.code for game in page_of(ada.person_key, viewer, **how).games}

    public = {tables[Visibility.PUBLIC].code}
    everything = {shut.code, *(table.code for table in tables.values())}
    assert codes(None) == codes(person("Frida")) == codes(ada, seen_as="all") == public
    assert codes(ada) == codes(person("Boris")) == everything


# Buttons ------------------------------------------------------------------------------------------


def press(browser: Client, page: str, action: str):
    form = next(
        form for form in forms_of(browser.get(page).content.decode()) if action in form.action
    )
    return browser.post(form.action, form.fields)


def test_friends_are_made_and_parted_from_the_page(ada):
    hans = person("Hans")
    his, hers = browser_of(hans), browser_of(ada)

    assert press(his, url_of(ada), "/ask/").headers["Location"] == url_of(ada)
    press(hers, url_of(hans), "/accept/")
    assert "Your friend" in his.get(url_of(ada)).content.decode()
    press(his, url_of(ada), "/remove/")
    assert not Friendship.objects.exists()
    press(his, url_of(ada), "/block/")
    assert Block.objects.filter(blocker=hans, blocked=ada).exists()
    press(his, url_of(ada), "/unblock/")
    assert not Block.objects.exists()


# Cost ---------------------------------------------------------------------------------------------


def many_games(user: User, number: int) -> None:
    """Create finished games of one user directly in the database."""
    tables = Table.objects.bulk_create(
        Table(host=user, edition="en", stage=Table.Stage.OVER) for _ in range(number)
    )
    games = Game.objects.bulk_create(
        Game(
            table=table,
            players=7,
            winner="liberal",
            ending="liberal_policies",
            ended_at=timezone.now(),
        )
        for table in tables
    )
    Result.objects.bulk_create(
        Result(game=game, user=user, role="liberal", has_won=True, people=7) for game in games
    )


def test_more_games_take_no_more_statements(ada):
    shows(ada, games=FOR_ALL)
    browser = browser_of(person("Otto2"))
    browser.get(url_of(ada))

    def statements() -> int:
        with CaptureQueriesContext(connection) as queries:
            assert browser.get(url_of(ada)).status_code == 200
        return len(queries)

    few = statements()
    many_games(ada, 300)
    assert statements() == few <= 16
    assert tally(ada) == Tally(301, 300)
