"""A person takes only one part in a game, with however many accounts of people and programs."""

from collections.abc import Iterator
from datetime import timedelta

import pytest
from django.core.cache import cache
from django.db.models import F
from django.test import Client
from django.utils import timezone

from accounts.models import Signal, SignalKey, User
from accounts.services.bots import create_bot, delete_bot
from accounts.services.friends import block_account
from accounts.services.signals import accounts_of_same_person, is_device, new_device, note_signals
from games.models import Guest, Motion, Sat, Table
from games.moderation.case_access import cases_before, judge_of
from games.moderation.conflicts_of_interest import is_party
from games.panels import table_panels
from games.selectors.viewer_settings import viewer_settings_of
from games.services import cases, chat, hosting, motions, substitutes, table_moderation, tables
from games.services.sanction_effects import codes_in_play
from games.state.rooms import room_of
from games.wording.refusals import Refusal, Refused
from tests.builders.cases import is_shut, office, reported, taken
from tests.builders.motions import goes_away, moves, votes
from tests.builders.refusals import refusal_of
from tests.builders.tables import NAMES, fresh, gather, is_over, person, play_until, run_table

pytestmark = pytest.mark.django_db

PASSWORD = "a long way to Tipperary"
SENTENCE = str(Refusal.NOT_FOR_YOU.label)


@pytest.fixture(autouse=True)
def _nobody_has_tried_yet() -> Iterator[None]:
    cache.clear()


class Browser:
    """A browser with one cookie jar, in which several people sign in, one after another."""

    def __init__(self, address: str = "203.0.113.7") -> None:
        self.client = Client(REMOTE_ADDR=address)

    def signs_in(self, name: str) -> User:
        user = person(name)
        user.set_password(PASSWORD)
        user.save()
        self.client.post("/account/sign-out/")
        form = {"login": name, "password": PASSWORD}
        assert self.client.post("/account/sign-in/", form).status_code == 302
        return user

    def forgets(self) -> None:
        """Delete all cookies, as in a private window."""
        self.client.cookies.clear()

    def post(self, table: Table, button: str, **data: str):
        return self.client.post(f"{table.get_absolute_url()}{button}/", data)

    def page(self, table: Table) -> str:
        return self.client.get(table.get_absolute_url()).content.decode()


def share_a_device(*names: str) -> None:
    """Sign these people in from one browser."""
    device = new_device()
    for name in names:
        note_signals(user=person(name), address="", device=device, now=timezone.now())


def waiting_table(**terms: object) -> Table:
    """Return a table with Ada and three others; one seat is free."""
    table = gather(NAMES[:4], seats_wanted=5, seed=bytes(32), **terms)
    assert table.seats.count() == 4
    return table


# Seats --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "terms",
    [
        {"is_rated": True},
        {"is_rated": False},
        {"is_blind": True},
        {"is_private": True},
    ],
    ids=["rated", "unrated", "blind", "private"],
)
def test_a_second_account_of_one_browser_gets_no_seat_and_no_reason(terms):
    table, browser = waiting_table(**terms), Browser()
    browser.signs_in("Ada")
    browser.signs_in("Sofia")
    if table.needs_invitation:
        session = browser.client.session
        session["invited"] = [table.pk]
        session.save()

    answer = browser.post(table, "join")

    assert answer.status_code == 422
    assert SENTENCE in answer.content.decode()
    assert "device" not in SENTENCE and "account" not in SENTENCE
    assert not table.seats.filter(user=person("Sofia")).exists()


def test_an_account_that_left_the_table_still_bars_a_second_account():
    table = waiting_table()
    share_a_device("Dario", "Sofia")
    tables.leave_table(table=table, user=person("Dario"))

    assert refusal_of(tables.join_table, table=table, user=person("Sofia")) == Refusal.NOT_FOR_YOU
    tables.join_table(table=table, user=person("Dario"))


def test_playing_again_seats_no_second_account():
    table = run_table()
    play_until(table, is_over)
    again = tables.play_again(table=table, user=person("Ada"))
    share_a_device("Ada", "Boris")

    arguments = {"table": fresh(table), "user": person("Boris")}
    assert refusal_of(tables.play_again, **arguments) == Refusal.NOT_FOR_YOU
    assert not again.seats.filter(user=person("Boris")).exists()


def test_other_tables_bots_and_people_at_one_address_are_unaffected():
    table, browser = waiting_table(), Browser()
    browser.signs_in("Ada")
    other = Browser()
    other.signs_in("Sofia")

    # The same address but another browser: members of a family may play together.
    assert other.post(table, "join").status_code == 303
    # The same browser, but at another table.
    share_a_device("Ada", "Zoe")
    elsewhere = gather(["Boris", "Chika", "Ewa", "Fumio"], seats_wanted=6, seed=bytes(32))
    tables.join_table(table=elsewhere, user=person("Zoe"))
    tables.fill_with_bots(table=elsewhere, user=person("Boris"))
    quick = tables.quick_game(user=person("Zoe"), edition="en")
    assert quick.stage == Table.Stage.RUNNING


def test_a_private_window_has_no_device():
    table, browser = waiting_table(), Browser()
    browser.signs_in("Ada")
    browser.forgets()
    browser.signs_in("Sofia")

    assert browser.post(table, "join").status_code == 303


def test_a_session_that_gets_the_cookie_later_is_noted_when_it_takes_a_seat():
    table, browser = waiting_table(), Browser()
    browser.signs_in("Ada")
    second = Browser()
    second.signs_in("Sofia")
    second.client.cookies["device"] = browser.client.cookies["device"].value

    assert second.post(table, "join").status_code == 422
    assert set(accounts_of_same_person(person("Sofia").pk)) == {person("Ada").pk}


def test_two_accounts_share_a_device_even_if_the_key_changed_between_them(db):
    device, now = new_device(), timezone.now()
    for name, at in (("Ada", now), ("Sofia", now + timedelta(days=31))):
        note_signals(user=person(name), address="203.0.113.7", device=device, now=at)

    assert SignalKey.objects.count() == 2
    assert set(accounts_of_same_person(person("Ada").pk)) == {person("Sofia").pk}
    addresses = Signal.objects.filter(kind=Signal.Kind.ADDRESS)
    assert addresses.values("digest").distinct().count() == 2


def test_a_client_cannot_invent_a_device(settings):
    device = new_device()
    letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
    # The last letter has four unused bits.
    respelt = device[:-1] + letters[letters.index(device[-1]) ^ 1]

    assert is_device(device)
    for forged in (respelt, "A" * 22, device[:-1], device + "A", "", "é" * 22, "=" * 22, "\0" * 22):
        assert not is_device(forged)
    settings.SECRET_KEY = "another"
    assert not is_device(device)


# The waiting list and motions ---------------------------------------------------------------------


def test_a_second_account_does_not_wait_for_a_seat_at_its_own_table(table):
    browser = Browser()
    browser.signs_in("Ada")
    browser.signs_in("Sofia")

    answer = browser.post(table, "waiting", wish="join")

    assert answer.status_code == 422 and SENTENCE in answer.content.decode()
    assert not table.substitutes.exists()


def test_only_one_account_of_a_browser_can_wait(table):
    share_a_device("Sofia", "Zoe")
    substitutes.join_list(table=table, user=person("Sofia"))

    arguments = {"table": table, "user": person("Zoe")}
    assert refusal_of(substitutes.join_list, **arguments) == Refusal.NOT_FOR_YOU


def test_a_motion_lapses_if_its_substitute_turns_out_to_be_a_second_account(table):
    goes_away(table, 3)
    substitutes.join_list(table=table, user=person("Sofia"))
    moves(table)
    votes(table, "Boris")
    share_a_device("Dario", "Sofia")

    votes(table, "Chika")

    assert table.motions.get().outcome == Motion.Outcome.LAPSED
    assert table.seats.get(number=3).user == person("Dario")


def test_players_cannot_move_or_vote_a_seat_to_their_own_second_account(table):
    goes_away(table, 3)
    substitutes.join_list(table=table, user=person("Sofia"))
    share_a_device("Ada", "Sofia")

    assert refusal_of(moves, table=table) == Refusal.NO_VOTE
    moves(table, "Boris")
    vote = {"table": table, "user": person("Ada"), "ordinal": 1, "is_for": True}
    assert refusal_of(motions.vote, **vote) == Refusal.NO_VOTE
    assert table.motions.get().votes == {"1": True}


def test_two_accounts_of_one_browser_have_one_vote(table):
    goes_away(table, 3, 4)
    share_a_device("Ada", "Boris")
    motions.move_stop(table=table, user=person("Ada"))

    vote = {"table": table, "user": person("Boris"), "ordinal": 1, "is_for": True}
    assert refusal_of(motions.vote, **vote) == Refusal.NO_VOTE
    assert fresh(table).stage == Table.Stage.RUNNING
    motions.vote(table=table, user=person("Chika"), ordinal=1, is_for=True)
    assert fresh(table).stage == Table.Stage.OVER


def test_a_moderator_s_replacement_passes_over_a_second_account(table):
    mira = office("Mira")
    for name in ("Sofia", "Zoe"):
        substitutes.join_list(table=table, user=person(name))
    share_a_device("Dario", "Sofia")

    table_moderation.replace_seat(
        actor=mira,
        table=table,
        number=3,
        name="Dario",
        heir=table_moderation.Heir.WAITING,
        because="conduct",
        reason="rude",
    )

    assert table.seats.get(number=3).user == person("Zoe")


# The gallery --------------------------------------------------------------------------------------


def says_in_the_gallery(table: Table, name: str, text: str) -> None:
    chat.enter_gallery(table=table, user=person(name))
    chat.say(table=table, user=person(name), text=text, place="gallery", key=text)


def said_to(table: Table, name: str) -> str:
    user_pk = person(name).pk
    viewer_settings = viewer_settings_of(user_pk, table)
    return table_panels(room_of(table.code), user_pk, "en", viewer_settings=viewer_settings)[
        "talk"
    ].html


def test_a_second_account_does_not_hear_the_dead_and_sees_what_all_see(table):
    says_in_the_gallery(table, "Zoe", "I saw it")
    browser = Browser()
    browser.signs_in("Ada")
    browser.signs_in("Sofia")

    answer = browser.post(table, "gallery")

    assert answer.status_code == 422 and SENTENCE in answer.content.decode()
    assert not Guest.objects.filter(user=person("Sofia")).exists()
    assert "I saw it" not in browser.page(table)
    assert said_to(table, "Sofia") == said_to(table, "Yann")


def test_a_guest_who_turns_out_to_share_a_browser_with_a_seat_hears_and_says_nothing_more(table):
    says_in_the_gallery(table, "Zoe", "I saw it")
    chat.enter_gallery(table=table, user=person("Sofia"))
    assert "I saw it" in said_to(table, "Sofia")

    share_a_device("Boris", "Sofia")

    assert "I saw it" not in said_to(table, "Sofia")
    gallery = {"table": table, "user": person("Sofia")}
    assert refusal_of(chat.enter_gallery, **gallery) == Refusal.NOT_FOR_YOU
    word = {"text": "Hello", "place": "gallery", "key": "k"}
    assert refusal_of(chat.say, **gallery, **word) == Refusal.NOT_FOR_YOU
    mute = {"who": "guest:1"}
    assert refusal_of(chat.mute, **gallery, **mute) == Refusal.NOBODY_THERE
    # When the game is over, all hear it.
    play_until(table, is_over)
    assert "I saw it" in said_to(fresh(table), "Sofia")


def test_open_pages_learn_at_once_that_a_browser_is_shared(
    table, monkeypatch, django_capture_on_commit_callbacks
):
    chat.enter_gallery(table=table, user=person("Sofia"))
    told: list[tuple[str, dict]] = []
    monkeypatch.setattr("games.services.announcements._send", lambda *hint: told.append(hint))
    with django_capture_on_commit_callbacks(execute=True):
        share_a_device("Boris", "Sofia")

    people = {hint["user"] for _, hint in told if hint["type"] == "person.viewer_settings"}
    assert people == {person("Sofia").pk}


def test_after_one_account_hears_the_gallery_the_other_gets_no_seat(table):
    chat.enter_gallery(table=table, user=person("Sofia"))
    share_a_device("Sofia", "Zoe")

    arguments = {"table": table, "user": person("Zoe")}
    assert refusal_of(substitutes.join_list, **arguments) == Refusal.NOT_FOR_YOU


# Moderators ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["Dario", "Ada", "Ewa"])
def test_moderators_cannot_judge_a_game_in_which_their_second_account_sits(table, name):
    mira, case = office("Mira"), reported(table)
    assert cases_before(judge_of(mira)).filter(pk=case.pk).exists()

    share_a_device("Mira", name)

    assert is_shut(mira, case)
    assert is_party(mira.pk, table)
    assert codes_in_play(mira) == {table.code}
    freeze = {"actor": mira, "table": table, "because": "conduct", "reason": "rude"}
    with pytest.raises(PermissionError):
        table_moderation.freeze_table(**freeze)


def test_moderators_cannot_judge_a_game_their_second_account_waits_for_or_reported(table):
    mira, case = office("Mira"), reported(table, "Zoe")
    substitutes.join_list(table=table, user=person("Sofia"))
    share_a_device("Mira", "Sofia")
    assert is_shut(mira, case)

    olaf = office("Olaf")
    share_a_device("Olaf", "Zoe")
    assert is_shut(olaf, case)


def test_the_second_account_of_a_judge_takes_no_part_in_that_game(table):
    mira = office("Mira")
    taken(reported(table), mira)
    chat.enter_gallery(table=table, user=person("Sofia"))
    share_a_device("Mira", "Sofia", "Zoe")

    arguments = {"table": table, "user": person("Zoe")}
    assert refusal_of(substitutes.join_list, **arguments) == Refusal.NOT_FOR_YOU
    word = {"table": table, "user": person("Sofia"), "text": "Hello", "place": "gallery"}
    assert refusal_of(chat.say, **word, key="k") == Refusal.NOT_FOR_YOU
    with pytest.raises(PermissionError):
        cases.claim_case(actor=office("Zoe"), case=reported(table, "Zoe"))


def test_a_blind_table_tells_a_moderator_s_page_nothing_of_second_accounts():
    table = run_table(is_blind=True)
    mira = office("Mira")
    before = viewer_settings_of(mira.pk, table).keeps_order
    share_a_device("Mira", "Dario")

    assert before and viewer_settings_of(mira.pk, table).keeps_order
    assert is_party(mira.pk, table)


def test_the_site_keeps_when_each_player_first_sat_down(table):
    assert Sat.objects.filter(table=table, at__isnull=False).count() == 5


# Bot accounts -------------------------------------------------------------------------------------


def programs_of(owner: str, *names: str) -> list[User]:
    return [create_bot(owner=person(owner), name=name)[0].user for name in names]


def joins(table: Table, user: User) -> Refusal | None:
    """Let this user sit down; return the refusal, or None."""
    try:
        tables.join_table(table=table, user=user)
    except Refused as error:
        return error.refusal
    return None


def at_a_running_table(*programs: User) -> Table:
    """Return a running table where these programs have the last seats."""
    table = run_table()
    for seat, program in zip(reversed(table.seats.all()), programs, strict=False):
        seat.user, seat.name = program, program.username
        seat.save()
    return room_changed(table)


def room_changed(table: Table) -> Table:
    Table.objects.filter(pk=table.pk).update(version=F("version") + 1)
    return fresh(table)


def test_a_program_sits_only_where_the_host_has_let_programs_in():
    (robo,) = programs_of("Sofia", "Robo")

    assert joins(waiting_table(), robo) == Refusal.NO_PROGRAMS
    open_to_all = gather(["Ewa", "Fumio"], seats_wanted=5, takes_programs=True, seed=bytes(32))
    assert joins(open_to_all, robo) is None


@pytest.mark.parametrize("first", ["owner", "program", "other browser account"])
def test_one_seat_is_for_a_person_the_person_s_other_accounts_and_all_their_programs(first):
    table = waiting_table(takes_programs=True)
    Table.objects.filter(pk=table.pk).update(seats_wanted=10)
    robo, rob = programs_of("Sofia", "Robo", "Rob")
    (mech,) = programs_of("Zoe", "Mech")
    share_a_device("Sofia", "Zoe")
    users = [person("Sofia"), robo, person("Zoe"), rob, mech]
    users.insert(0, users.pop({"owner": 0, "program": 1, "other browser account": 2}[first]))

    refusals = [joins(fresh(table), user) for user in users]

    assert refusals == [None] + 4 * [Refusal.NOT_FOR_YOU]


def test_an_owner_of_a_program_at_the_table_hears_no_gallery_and_is_no_impartial_judge():
    robo, rob = programs_of("Sofia", "Robo", "Rob")
    table = run_table()
    says_in_the_gallery(table, "Zoe", "I saw it")
    chat.enter_gallery(table=table, user=person("Sofia"))
    assert "I saw it" in said_to(table, "Sofia")

    seat = table.seats.get(number=4)
    seat.user, seat.name = robo, robo.username
    seat.save()
    table = room_changed(table)

    assert "I saw it" not in said_to(table, "Sofia")
    gallery = {"table": table, "user": person("Sofia")}
    assert refusal_of(chat.enter_gallery, **gallery) == Refusal.NOT_FOR_YOU
    assert is_party(person("Sofia").pk, table)
    assert refusal_of(substitutes.join_list, table=table, user=rob) == Refusal.NOT_FOR_YOU


def test_programs_have_no_vote_and_hold_up_none():
    robo, mech = programs_of("Sofia", "Robo"), programs_of("Zoe", "Mech")
    table = at_a_running_table(*robo, *mech)
    goes_away(table, 1, 2)
    table = fresh(table)

    assert refusal_of(motions.move_stop, table=table, user=robo[0]) == Refusal.NO_VOTE
    motions.move_stop(table=table, user=person("Ada"))

    assert fresh(table).stage == Table.Stage.OVER


def test_who_was_removed_does_not_come_back_with_another_account():
    table = gather(["Ewa", "Fumio"], seats_wanted=7, takes_programs=True, seed=bytes(32))
    robo, rob = programs_of("Sofia", "Robo", "Rob")
    assert joins(table, robo) is None
    hosting.kick(table=fresh(table), user=person("Ewa"), number=2, name=robo.username)

    assert joins(fresh(table), rob) == Refusal.NOT_FOR_YOU
    assert joins(fresh(table), person("Sofia")) == Refusal.NOT_FOR_YOU


def test_the_games_of_a_person_and_their_programs_count_together(settings):
    settings.RUNNING_GAMES = 1
    terms = {"seats_wanted": 5, "takes_programs": True, "seed": bytes(32)}
    first, second = gather(["Ewa"], **terms), gather(["Fumio"], **terms)
    robo, rob = programs_of("Sofia", "Robo", "Rob")

    assert joins(first, robo) is None
    assert joins(second, rob) == Refusal.GAMES_ENOUGH
    assert joins(second, person("Sofia")) == Refusal.GAMES_ENOUGH


def test_who_blocks_a_person_no_longer_reads_what_their_programs_say(table):
    (robo,) = programs_of("Sofia", "Robo")
    block_account(user=person("Ada"), other=person("Sofia"))

    assert robo.pk in viewer_settings_of(person("Ada").pk, table).blocked


def test_an_owner_who_deletes_the_program_does_not_wait_for_its_seat():
    (robo,) = programs_of("Sofia", "Robo")
    table = at_a_running_table(robo)

    assert delete_bot(owner=person("Sofia"), pk=robo.pk)

    assert refusal_of(substitutes.join_list, table=table, user=person("Sofia")) == Refusal.HAS_SAT
    seat = table.seats.get(number=4)
    assert seat.user is None and not seat.has_stayed


def test_who_shares_an_address_with_the_gallery_does_not_wait_for_a_seat(table):
    for name in ("Yara", "Zoe"):
        here = {"address": "203.0.113.9", "device": new_device(), "now": timezone.now()}
        note_signals(user=person(name), **here)
    chat.enter_gallery(table=table, user=person("Yara"))

    arguments = {"table": table, "user": person("Zoe")}
    assert refusal_of(substitutes.join_list, **arguments) == Refusal.NOT_FOR_YOU


def test_new_accounts_and_a_player_s_address_hear_no_gallery_of_a_running_game(table):
    User.objects.create_user("Newcomer")
    for name in ("Ada", "Zoe"):
        here = {"address": "203.0.113.9", "device": new_device(), "now": timezone.now()}
        note_signals(user=person(name), **here)

    for name in ("Newcomer", "Zoe"):
        gallery = {"table": table, "user": person(name)}
        assert refusal_of(chat.enter_gallery, **gallery) == Refusal.NOT_FOR_YOU
    chat.enter_gallery(table=table, user=person("Yara"))


def test_the_address_of_a_player_who_has_not_acted_for_a_month_shuts_the_gallery_too(table):
    now = timezone.now()
    for name, days in (("Ada", -31), ("Zoe", 0)):
        note_signals(
            user=person(name), address="203.0.113.9", device="", now=now + timedelta(days=days)
        )

    gallery = {"table": table, "user": person("Zoe")}
    assert refusal_of(chat.enter_gallery, **gallery) == Refusal.NOT_FOR_YOU


def test_at_a_blind_table_no_spectator_learns_from_the_gallery_who_plays_there():
    table = run_table(is_blind=True)
    player = table.seats.get(number=0).user
    for user in (player, person("Zoe")):
        note_signals(user=user, address="203.0.113.9", device="", now=timezone.now())
    share_a_device(player.username, "Sofia")

    for name in ("Zoe", "Sofia", "Yara"):
        gallery = {"table": table, "user": person(name)}
        assert refusal_of(chat.enter_gallery, **gallery) == Refusal.GALLERY_BLIND
    browser = Browser()
    browser.signs_in("Zoe")
    page = browser.page(table)
    assert str(Refusal.GALLERY_BLIND.label) in page and "gallery-door" not in page

    play_until(table, is_over)
    chat.enter_gallery(table=table, user=person("Zoe"))


def test_the_accounts_of_a_person_are_found_in_three_statements(
    django_assert_num_queries, django_user_model
):
    share_a_device("Sofia", "Zoe")
    programs_of("Zoe", "Mech")
    (robo,) = programs_of("Sofia", "Robo")

    with django_assert_num_queries(3):
        found = accounts_of_same_person(robo.pk)

    names = django_user_model.objects.filter(pk__in=found).values_list("username", flat=True)
    assert set(names) == {"Sofia", "Zoe", "Mech [bot]"}
