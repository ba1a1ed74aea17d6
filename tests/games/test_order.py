"""Moderators' acts at a table: all its viewers can read them, and the audit log records them.

A user with a part in the table may not act there.
"""

import json
from collections.abc import Callable
from datetime import timedelta

import pytest
from django.contrib.auth.models import Permission
from django.utils import timezone
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from accounts.models import AuditEntry, Friendship, Notification, SwitchBoard
from accounts.roles import Rank, rank
from accounts.switches import switches_forget
from games import screens
from games.models import Game, Interruption, Look, Motion, Pace, Ruling, Showing, Starts, Table
from games.refusals import Refusal, Refused
from games.rooms import room_of
from games.rules.actions import Nominate, Vote
from games.rules.components import Ballot
from games.rules.record import read_record, replay
from games.rules.state import Phase
from games.services import (
    deadlines,
    glass,
    hosting,
    motions,
    order,
    outages,
    play,
    questions,
    ready,
    records,
    substitutes,
    tables,
    talk,
)
from games.services.departures import person_depart
from games.services.giving_up import give_up_game
from games.services.joining import games_finished
from tests.games.person import Person, forms_of
from tests.games.stories import (
    NAMES,
    act,
    fresh,
    gather,
    in_phase,
    is_over,
    person,
    play_until,
    position,
    run_table,
    state_of,
)
from tests.games.test_motions import goes_away, waits
from tests.second_factor import with_second_factor

SECOND = timedelta(seconds=1)
HOUR = timedelta(hours=1)
WHY = {"because": "report", "reason": "somebody <b>complained</b>"}


@pytest.fixture(autouse=True)
def _as_in_the_morning():
    outages.forget()
    switches_forget()
    yield
    outages.forget()
    switches_forget()


def moderator(name: str = "Mira", right: str = "moderate"):
    user = person(name)
    user.user_permissions.add(Permission.objects.get(codename=right))
    # Django caches permissions on the object.
    return with_second_factor(type(user).objects.get(pk=user.pk))


@pytest.fixture
def mira(db):
    return moderator()


def over(**how: object) -> Table:
    table = run_table(**how)
    play_until(table, is_over)
    return fresh(table)


def closed() -> Table:
    table = gather(["Nadia", *(f"Late {number}" for number in range(4))])
    tables.close_table(table=table, user=table.host)
    return fresh(table)


STAGES: dict[str, Callable[[], Table]] = {
    "open": gather,
    "running": run_table,
    "over": over,
    "closed": closed,
}


def freeze(table: Table, mira, now=None, **why: str) -> Ruling:
    return order.table_freeze(actor=mira, table=table, **(WHY | why), now=now)


def thaw(table: Table, mira, now=None) -> Ruling:
    return order.table_thaw(actor=mira, table=table, reason="seen to", now=now)


def close(table: Table, mira) -> Ruling:
    return order.table_close(actor=mira, table=table, **WHY)


def void(table: Table, mira) -> Ruling:
    return order.game_void(actor=mira, table=table, **WHY)


def replace(table: Table, mira, number: int = 3, name: str = "Dario", heir: str = "bot") -> Ruling:
    return order.seat_replace(actor=mira, table=table, number=number, name=name, heir=heir, **WHY)


ACTS = {"freeze": freeze, "thaw": thaw, "close": close, "void": void, "replace": replace}


def refusal_of(service: Callable[..., object], *arguments: object, **named: object) -> Refusal:
    with pytest.raises(Refused) as refused:
        service(*arguments, **named)
    return refused.value.refusal


# Each act at each stage ---------------------------------------------------------------------------

EXPECTED: dict[tuple[str, str], Refusal | None] = {
    ("freeze", "open"): None,
    ("freeze", "running"): None,
    ("freeze", "over"): Refusal.GAME_OVER,
    ("freeze", "closed"): Refusal.NOT_OPEN,
    ("thaw", "open"): Refusal.NOT_FROZEN,
    ("thaw", "running"): Refusal.NOT_FROZEN,
    ("thaw", "over"): Refusal.GAME_OVER,
    ("thaw", "closed"): Refusal.NOT_OPEN,
    ("close", "open"): None,
    ("close", "running"): Refusal.HAS_BEGUN,
    ("close", "over"): Refusal.HAS_BEGUN,
    ("close", "closed"): Refusal.NOT_OPEN,
    ("void", "open"): Refusal.NOT_STARTED,
    ("void", "running"): None,
    ("void", "over"): None,
    ("void", "closed"): Refusal.NOT_OPEN,
    ("replace", "open"): None,
    ("replace", "running"): None,
    ("replace", "over"): Refusal.GAME_OVER,
    ("replace", "closed"): Refusal.NOT_OPEN,
}


@pytest.mark.parametrize(("act_name", "stage"), EXPECTED)
def test_each_act_is_for_its_stages_and_is_audited_and_told_once(mira, act_name, stage):
    table = STAGES[stage]()
    before, version = AuditEntry.objects.count(), table.version
    expected = EXPECTED[act_name, stage]

    if expected is not None:
        assert refusal_of(ACTS[act_name], table, mira) == expected
        assert AuditEntry.objects.count() == before
        assert not table.rulings.exists() and fresh(table).version == version
        return
    ACTS[act_name](table, mira)

    (entry,) = AuditEntry.objects.all()[: AuditEntry.objects.count() - before]
    assert (entry.act, entry.actor_id, entry.table) == (f"table_{act_name}", mira.pk, table.code)
    assert entry.data["because"] == "report"
    (ruling,) = table.rulings.all()
    assert (ruling.kind, ruling.by, ruling.reason) == (act_name, mira, WHY["reason"])
    # The higher version makes sockets send the change.
    assert fresh(table).version > version


SAID = {
    "freeze": "A moderator freezes the table",
    "void": "A moderator voids this game",
    "replace": "A moderator gives the seat of",
}


@pytest.mark.parametrize("act_name", ["freeze", "void", "replace"])
def test_everybody_at_a_running_table_reads_it_in_the_minutes_and_nobody_reads_who_or_why(
    table, seated, spectator, mira, act_name
):
    ACTS[act_name](table, mira)

    for viewer in (*seated[:3], spectator):
        page = viewer.page()
        assert SAID[act_name] in page
        assert "A report is being looked into" in page
        assert "complained" not in page and "Mira" not in page


@pytest.mark.parametrize("act_name", ["freeze", "close", "replace"])
def test_everybody_at_a_gathering_table_reads_it(mira, act_name, db):
    table = gather()

    ACTS[act_name](table, mira)

    page = Person(table.host, table).page()
    assert "A moderator" in page and "A report is being looked into" in page
    assert "complained" not in page and "Mira" not in page


# Who may act --------------------------------------------------------------------------------------


@pytest.mark.parametrize("act_name", ACTS)
@pytest.mark.parametrize(
    "who", ["player", "without the right", "sits there", "sat there", "friend", "waits", "again"]
)
def test_no_party_and_nobody_without_the_right_rules(db, act_name, who):
    table = run_table()
    match who:
        case "player":
            actor = person("Ada")
        case "without the right":
            actor = person("Sofia")
        case "sits there":
            actor = moderator("Ada")
        case "sat there":
            actor = moderator("Dario")
            replace(table, moderator("Other", "moderate_more"))
        case "friend":
            actor = moderator()
            Friendship.objects.create(
                asked_by=person("Ewa"),
                asked=actor,
                asked_at=timezone.now(),
                accepted_at=timezone.now(),
            )
        case "waits":
            actor = moderator()
            waits(table, "Mira")
        case "again":
            actor = moderator()
            earlier = gather(["Old 1", "Old 2", "Old 3", "Old 4", "Mira"])
            Table.objects.filter(pk=earlier.pk).update(next_table=table)
    before = AuditEntry.objects.count()

    with pytest.raises(PermissionError):
        ACTS[act_name](table, actor)

    assert AuditEntry.objects.count() == before
    page = Person(actor, table)
    assert page.get(f"{table.get_absolute_url()}order/").status_code == 404
    assert page.post(f"{table.get_absolute_url()}order/", {"act": act_name}).status_code == 404


def test_a_request_to_be_friends_makes_no_party(table, mira):
    Friendship.objects.create(asked_by=person("Ewa"), asked=mira, asked_at=timezone.now())
    assert order.may_keep_order(user=mira, table=table)


def test_friends_of_those_who_play_neither_break_the_glass_nor_remove_messages(table):
    mira = moderator(right="break_glass")
    mira.user_permissions.add(Permission.objects.get(codename="remove_message"))
    mira = type(mira).objects.get(pk=mira.pk)
    assert glass.may_look(user=mira, table=table) and talk.may_remove(user=mira, table=table)

    Friendship.objects.create(
        asked_by=mira, asked=person("Ewa"), asked_at=timezone.now(), accepted_at=timezone.now()
    )

    assert not glass.may_look(user=mira, table=table)
    assert not talk.may_remove(user=mira, table=table)


def test_nobody_takes_the_seat_of_an_equal(table):
    mira = moderator()
    moderator("Dario")
    assert refusal_of(replace, table, mira) == Refusal.NOT_BELOW

    senior = moderator("Senta", "moderate_more")
    assert rank(senior) == Rank.SENIOR
    assert replace(table, senior).gone == person("Dario")


def test_the_order_of_a_table_is_in_nobody_else_s_bytes(table, seated, spectator, stranger, mira):
    office = Person(mira, table)
    assert f"{table.get_absolute_url()}order/" in office.page()
    for viewer in (*seated, spectator, stranger):
        page = viewer.page().lower()
        assert "/order/" not in page and "keep order" not in page
        assert viewer.get(f"{viewer.url}order/").status_code == 404


def test_a_private_table_is_kept_in_order_by_its_code(mira):
    table = run_table(is_private=True)
    office = Person(mira, table)
    assert office.get(table.get_absolute_url()).status_code == 404

    page = office.get(f"{table.get_absolute_url()}order/")

    assert page.status_code == 200
    html = page.content.decode()
    assert table.invitation not in html and bytes(table.seed).hex() not in html


# Freeze and thaw ----------------------------------------------------------------------------------


def test_a_frozen_game_moves_for_nobody_and_talk_goes_on(table, seated, mira):
    now = timezone.now()
    freeze(table, mira, now)
    late = now + timedelta(days=3)

    play.settle(table.pk, now=late)
    assert deadlines.claim_due_games(late) == []
    assert not play.is_due(room_of(table.code))
    assert position(table).length == 0 and table.seats.get(number=0).times_late == 0

    assert refusal_of(act, table, Nominate(0, 2)) == Refusal.FROZEN
    answer = seated[0].post(f"{table.get_absolute_url()}back/")
    assert answer.status_code == 422
    goes_away(table, 3, 4)
    assert refusal_of(motions.move_stop, table=table, user=person("Ada")) == Refusal.FROZEN
    zoe = person("Zoe")
    assert refusal_of(substitutes.join_list, table=table, user=zoe) == Refusal.FROZEN

    talk.say(table=table, user=person("Ada"), text="What now?", place="table", key="a")
    page = seated[1].page()
    assert "What now?" in page and "A moderator has frozen this table" in page
    assert "Time left for this decision after the thaw" in page
    assert "data-countdown" not in page
    assert seated[0].choices() == []


def test_who_holds_policies_still_sees_them_while_the_table_is_frozen(table, seated, mira):
    play_until(table, in_phase(Phase.PRESIDENT_DISCARDS))
    holder = state_of(table).president
    freeze(table, mira)
    assert 'class="hand held secret"' in seated[holder].page()
    assert 'class="hand held secret"' not in seated[(holder + 1) % 5].page()


@pytest.mark.django_db
@settings(
    max_examples=25,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(
    spent=st.integers(0, 55),
    stood=st.lists(st.integers(0, 10**6), min_size=1, max_size=3),
    between=st.integers(0, 1),
)
def test_what_was_left_of_every_clock_comes_back_at_the_thaw(spent, stood, between):
    Table.objects.update(stage=Table.Stage.CLOSED)
    screens.forget_all()
    mira = moderator()
    table = run_table(pace=Pace.NORMAL)
    begun = fresh(table).game.deadline
    now = timezone.now() + spent * SECOND
    left = begun - now
    for seconds in stood:
        freeze(table, mira, now)
        game = fresh(table).game
        assert game.wakes_at is None and game.deadline is not None
        now += seconds * SECOND
        thaw(table, mira, now)
        game = fresh(table).game
        assert game.deadline - now == left
        assert game.wakes_at == min(m for m in (game.deadline, game.bot_moves_at) if m)
        now += between * SECOND
        left -= between * SECOND


def test_bots_stand_still_and_move_when_the_table_thaws(mira, db):
    table = run_table(NAMES[:1], bots=4)
    act(table, Nominate(0, 2))
    now = timezone.now()
    moment = fresh(table).game.bot_moves_at
    freeze(table, mira, now)
    play.settle(table.pk, now=moment + HOUR)
    assert position(table).length == 1

    thaw(table, mira, now + HOUR)

    assert fresh(table).game.bot_moves_at == moment + HOUR
    play.settle(table.pk, now=moment + HOUR)
    assert position(table).length == 2


def test_an_outage_during_a_freeze_gives_its_time_back_once(table, mira):
    now = timezone.now()
    left = fresh(table).game.deadline - now
    outages.note_open(now)
    freeze(table, mira, now)

    outages.note_open(now + HOUR)
    assert not Interruption.objects.filter(table=table).exists()
    thaw(table, mira, now + 2 * HOUR)

    assert fresh(table).game.deadline == now + 2 * HOUR + left


def test_a_motion_does_not_run_out_while_the_table_is_frozen(table, mira):
    goes_away(table, 3, 4)
    now = timezone.now()
    motions.move_stop(table=table, user=person("Ada"), now=now)
    until = fresh(table).asked_until
    freeze(table, mira, now)
    late = now + HOUR

    assert questions.due_tables(late) == []
    questions.settle(table.pk, late)
    motions.expire(table, late)
    assert table.motions.get().is_open
    boris = person("Boris")
    vote = {"table": table, "user": boris, "ordinal": 1, "is_for": True}
    assert refusal_of(motions.vote, **vote) == Refusal.FROZEN

    thaw(table, mira, late)
    assert fresh(table).asked_until == until + HOUR
    motions.vote(**vote, now=late)
    assert fresh(table).stage == Table.Stage.OVER


def test_a_ready_check_does_not_run_out_while_the_table_is_frozen(mira, db):
    table = gather()
    ready.call_ready(table=table, user=table.host)
    until, now = fresh(table).asked_until, timezone.now()
    freeze(table, mira, now)
    late = now + HOUR

    questions.settle(table.pk, late)
    assert not questions.is_due(room_of(table.code), late)
    assert table.seats.count() == 5
    assert refusal_of(ready.say_ready, table=table, user=person("Boris")) == Refusal.FROZEN

    thaw(table, mira, late)
    assert fresh(table).asked_until == until + HOUR
    questions.settle(table.pk, until + HOUR)
    assert table.seats.count() == 1


def test_nothing_is_arranged_at_a_frozen_table_that_gathers(mira, db):
    table = gather(NAMES[:4], bots=1)
    freeze(table, mira)
    ada, zoe = table.host, person("Zoe")
    for service, named in (
        (tables.join_table, {"user": zoe}),
        (tables.leave_table, {"user": person("Boris")}),
        (tables.close_table, {"user": ada}),
        (tables.start_game, {"user": ada}),
        (ready.call_ready, {"user": ada}),
        (hosting.choose_seating, {"user": ada, "shuffles": True}),
        (hosting.kick, {"user": ada, "number": 1, "name": "Boris"}),
    ):
        assert refusal_of(service, table=table, **named) == Refusal.FROZEN, service
    assert forms_of(Person(ada, table).page()) is not None
    assert 'id="start"' not in Person(ada, table).page()
    Table.objects.filter(pk=table.pk).update(created_at=timezone.now() - timedelta(days=2))
    assert tables.close_forgotten_tables() == 0


def test_who_closes_their_account_does_not_wait_for_a_thaw(mira, db):
    table = gather(NAMES[:5], starts=Starts.FULL, seats_wanted=6)
    freeze(table, mira)
    person_depart(person("Boris"))
    assert table.seats.count() == 4 and fresh(table).asked_until is None
    thaw(table, mira)


def test_a_game_given_up_or_voided_while_frozen_is_frozen_no_more(table, mira):
    freeze(table, mira)
    void(table, mira)
    assert fresh(table).frozen_at is None
    page = Person(person("Ada"), table).page()
    assert "has frozen this table" not in page and "A moderator has voided this game" in page


def test_a_frozen_table_is_frozen_once_and_thawed_once(table, mira):
    freeze(table, mira)
    assert refusal_of(freeze, table, mira) == Refusal.IS_FROZEN
    thaw(table, mira)
    assert refusal_of(thaw, table, mira) == Refusal.NOT_FROZEN


# Void ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("stage", ["running", "over"])
def test_a_voided_game_has_no_winner_and_is_in_nobody_s_figures(mira, stage):
    table = STAGES[stage]()
    void(table, mira)

    table = fresh(table)
    assert table.stage == Table.Stage.OVER
    game = table.game
    assert (game.stopped, game.winner, game.ending) == ("voided", "", "")
    assert game.wakes_at is None and game.ended_at is not None
    assert not Showing.objects.filter(game=game).exists()
    assert games_finished(person("Ada")) == 0
    lobby = Person(None, table).get("/").content.decode()
    assert table.code not in lobby
    # Players get the notification even when they are not at the table.
    assert set(Notification.objects.filter(kind="ruled").values_list("user__username", flat=True))\
        == set(NAMES[:5])  # fmt: skip
    assert refusal_of(void, table, mira) == Refusal.IS_VOID


@pytest.mark.parametrize("stage", ["running", "over"])
def test_the_record_of_a_voided_game_says_so_and_replays(mira, stage):
    table = STAGES[stage]()
    void(table, mira)
    table = fresh(table)
    viewer = Person(person("Ada"), table)

    data = json.loads(viewer.get(f"{viewer.url}record/").content)

    assert data["stopped"] == "voided"
    assert (data["outcome"] is None) == (stage == "running")
    assert list(replay(read_record(data)))


def test_the_end_of_a_voided_game_tells_those_who_played_that_a_moderator_looked(table, mira):
    Look.objects.create(
        table=table, moderator=mira, reason="to see", length=0, round=1, at=timezone.now(), key="k"
    )
    void(table, mira)
    assert "to see" in Person(person("Ada"), table).page()


def test_a_departed_account_wakes_no_stopped_game(table, mira):
    void(table, mira)
    ended = fresh(table).game.ended_at
    person_depart(person("Dario"))
    game = fresh(table).game
    assert game.wakes_at is None and game.ended_at == ended


def test_a_game_that_was_given_up_counts_for_nothing_and_shows_its_cards(db):
    table = tables.quick_game(user=person("Ada"), edition="en")
    give_up_game(table=table, user=person("Ada"))
    assert fresh(table).game.stopped == "given_up"
    assert games_finished(person("Ada")) == 0
    assert "This game was given up" in Person(person("Ada"), table).page()


# A seat is replaced -------------------------------------------------------------------------------


def test_a_bot_takes_over_a_seat_and_plays_it(table, mira):
    replace(table, mira, 0, "Ada")

    seat = table.seats.get(number=0)
    assert seat.is_bot and seat.user is None and seat.name != "Ada"
    assert fresh(table).host == person("Boris")
    # The player was present, so no abandoned game is counted.
    assert not Showing.objects.exists()
    play.settle(table.pk, now=fresh(table).game.bot_moves_at)
    assert position(table).length == 1 and position(table).steps[0].by == "bot"
    page = Person(person("Boris"), table).page()
    assert 'A moderator gives the seat of <bdi class="name">Ada</bdi> to the bot' in page
    (told,) = Notification.objects.filter(kind="ruled")
    assert told.user == person("Ada") and told.by is None
    html = Person(person("Ada"), table).get("/account/notifications/").content.decode()
    assert "A moderator has given your seat" in html


def test_the_first_who_waits_takes_over_a_seat_without_a_vote(table, mira):
    waits(table, "Sofia", "Zoe")
    goes_away(table, 3)

    replace(table, mira, heir="waiting")

    seat = table.seats.get(number=3)
    assert (seat.user, seat.name, seat.is_away) == (person("Sofia"), "Sofia", False)
    assert Showing.objects.get().user == person("Dario")
    page = Person(person("Ada"), table).page()
    assert "to <bdi" in page and "Sofia" in page
    play_until(table, is_over)
    notes = records.server_notes_of(fresh(table))
    assert notes["replacements"] == [{"seat": 3, "after": 0, "from": "Dario", "to": "Sofia"}]


def test_a_replaced_seat_ends_a_motion_in_which_it_had_a_part(table, mira):
    goes_away(table, 3, 4)
    motions.move_stop(table=table, user=person("Ada"))
    replace(table, mira, 0, "Ada")
    assert table.motions.get().outcome == Motion.Outcome.LAPSED


def test_a_seat_is_replaced_while_the_table_is_frozen_and_its_clock_still_stands(table, mira):
    now = timezone.now()
    freeze(table, mira, now)
    replace(table, mira, 0, "Ada")
    assert fresh(table).game.wakes_at is None
    thaw(table, mira, now + HOUR)
    game = fresh(table).game
    assert now + HOUR < game.wakes_at < now + HOUR + 10 * SECOND


def test_who_was_seen_there_is_who_is_replaced(table, mira):
    assert refusal_of(replace, table, mira, 3, "Ewa") == Refusal.STALE
    assert refusal_of(replace, table, mira, heir="waiting") == Refusal.NOBODY_WAITS
    bot = replace(table, mira).newcomer_name
    assert refusal_of(replace, table, mira, 3, bot) == Refusal.IS_A_BOT


def test_a_blind_table_keeps_its_names(mira, db):
    table = run_table(is_blind=True)
    name = table.seats.get(number=3).name
    replace(table, mira, 3, name)
    assert table.seats.get(number=3).name == name
    page = Person(table.host, table).page()
    assert f'A moderator gives the seat of <bdi class="name">{name}</bdi> to a bot' in page


def test_before_the_game_a_bot_sits_down_and_the_person_does_not_come_back(mira, db):
    table = gather()
    replace(table, mira, 0, "Ada")
    assert table.seats.get(number=0).is_bot
    assert fresh(table).host == person("Boris")
    hosting.kick(table=table, user=person("Boris"), number=4, name="Ewa")
    assert refusal_of(tables.join_table, table=table, user=person("Ada")) == Refusal.KICKED


def test_whoever_leaves_the_site_leaves_no_name_in_a_ruling(table, mira):
    replace(table, mira)
    person_depart(person("Dario"))
    screens.forget_all()
    assert "Dario" not in Person(person("Ada"), table).page()


# The page -----------------------------------------------------------------------------------------


def office_of(table: Table, mira) -> Person:
    viewer = Person(mira, table)
    viewer.table = type("", (), {"get_absolute_url": lambda self: f"/tables/{table.code}/order/"})()
    return viewer


@pytest.mark.parametrize(
    ("stage", "acts"),
    [
        ("open", {"freeze", "replace", "close"}),
        ("running", {"freeze", "replace", "void"}),
        ("over", {"void"}),
        ("closed", set()),
    ],
)
def test_the_page_offers_what_may_be_done(mira, stage, acts):
    table = STAGES[stage]()
    forms = forms_of(Person(mira, table).get(f"{table.get_absolute_url()}order/").content.decode())
    assert {form.fields["act"] for form in forms if "act" in form.fields} == acts


def test_an_act_is_done_by_a_plain_form_and_a_refusal_keeps_what_was_typed(table, mira):
    office, url = Person(mira, table), f"{table.get_absolute_url()}order/"
    typed = {"act": "freeze", "freeze-because": "report", "freeze-reason": "a long story"}

    empty = office.post(url, typed | {"freeze-because": ""})
    assert empty.status_code == 422 and "a long story" in empty.content.decode()
    assert office.post(url, {"act": "dance"}).status_code == 422
    assert not fresh(table).is_frozen

    assert office.post(url, typed).status_code == 303
    assert fresh(table).is_frozen
    again = office.post(url, typed)
    assert again.status_code == 422
    assert "frozen already" in again.content.decode()
    assert "a long story" in office.get(url).content.decode()
    assert office.post(url, {"act": "thaw", "thaw-reason": "done"}).status_code == 303
    form = {"replace-seat": "3:Dario", "replace-heir": "bot"}
    form |= {"replace-because": "conduct", "replace-reason": "rude"}
    assert office.post(url, {"act": "replace"} | form).status_code == 303
    # The page no longer has this seat.
    assert office.post(url, {"act": "replace"} | form).status_code == 422


def test_the_glass_is_offered_to_those_alone_who_may_break_it(table, mira):
    url = f"{table.get_absolute_url()}order/"
    glass_url = f"/moderation/tables/{table.code}/"
    assert glass_url not in Person(mira, table).get(url).content.decode()
    both = moderator(right="break_glass")
    assert f'href="{glass_url}"' in Person(both, table).get(url).content.decode()


def test_a_moderator_removes_a_message_and_the_page_says_why(table, mira):
    talk.say(table=table, user=person("Ada"), text="You fool", place="table", key="a")
    office = Person(mira, table)
    link = f"/moderation/tables/{table.code}/messages/table/1/"
    assert link in office.page()

    assert office.post(link, {"reason": "an insult"}).status_code == 303

    (entry,) = AuditEntry.objects.all()
    assert (entry.act, entry.about_id) == ("message_remove", person("Ada").pk)
    assert "an insult" in office.get(f"{table.get_absolute_url()}order/").content.decode()
    page = Person(person("Boris"), table).page()
    assert "A moderator has removed what was said here" in page and "an insult" not in page


# Switches -----------------------------------------------------------------------------------------


def switch(**switches: bool) -> None:
    SwitchBoard.objects.update_or_create(pk=1, defaults=switches)
    switches_forget()


def test_where_no_tables_are_opened_everybody_is_told_so_and_games_begin(db):
    table = gather()
    over_table = over(names=[f"{name}2" for name in NAMES[:5]])
    switch(tables=False)
    ada = Person(table.host, table)

    assert "No new tables can be opened" in ada.get("/").content.decode()
    answer = ada.client.post(
        "/quick/", {}, follow=True, HTTP_X_CSRFTOKEN=ada.client.cookies["csrftoken"].value
    )
    assert "No new tables can be opened" in answer.content.decode()
    host = over_table.host
    assert refusal_of(tables.play_again, table=over_table, user=host) == Refusal.TABLES_SHUT
    assert "No new tables can be opened" in ada.get("/tables/new/").content.decode()
    assert Table.objects.count() == 2

    tables.start_game(table=table, user=table.host)
    assert fresh(table).stage == Table.Stage.RUNNING


def test_in_maintenance_running_games_are_finished_and_none_begins(db):
    running, gathering = run_table(), gather([f"{name}2" for name in NAMES[:5]])
    asked = gather([f"{name}3" for name in NAMES[:5]])
    ready.call_ready(table=asked, user=asked.host)
    switch(maintenance=True)

    play_until(running, is_over)
    host = gathering.host
    assert refusal_of(tables.start_game, table=gathering, user=host) == Refusal.MAINTENANCE
    assert refusal_of(ready.call_ready, table=gathering, user=host) == Refusal.MAINTENANCE
    assert refusal_of(tables.quick_game, user=host, edition="en") == Refusal.MAINTENANCE
    boris = person("Boris3")
    assert refusal_of(ready.say_ready, table=asked, user=boris) == Refusal.MAINTENANCE
    # Players keep their seats, and the ready check ends.
    until = fresh(asked).asked_until
    questions.settle(asked.pk, until)
    assert asked.seats.count() == 5 and fresh(asked).asked_until is None
    for path in ("/", gathering.get_absolute_url()):
        assert (
            "about to go down for maintenance" in Person(host, gathering).get(path).content.decode()
        )

    switch(maintenance=False)
    tables.start_game(table=gathering, user=host)
    assert Game.objects.count() == 2


def test_a_table_that_begins_by_itself_does_not_in_maintenance(db):
    table = gather(starts=Starts.FULL, seats_wanted=6)
    switch(maintenance=True)
    tables.join_table(table=table, user=person("Zoe"))
    assert fresh(table).asked_until is None and fresh(table).stage == Table.Stage.OPEN


def test_votes_and_a_freeze_keep_their_place_in_the_minutes(table, mira):
    act(table, Nominate(0, 2))
    freeze(table, mira)
    thaw(table, mira)
    for seat in range(5):
        act(table, Vote(seat, Ballot.JA))
    page = Person(person("Ada"), table).page()
    assert page.index("nominates") < page.index("freezes the table")
    assert page.index("freezes the table") < page.index("thaws the table")
    assert page.index("thaws the table") < page.index("Everybody votes Ja")


def test_a_moderator_whose_friend_sits_at_a_blind_table_sees_the_acts_and_does_none(mira, db):
    table = run_table(is_blind=True)
    viewer, page = Person(mira, table), f"/tables/{table.code}/order/"
    before = viewer.page()
    Friendship.objects.create(asked_by=mira, asked=person("Boris"), accepted_at=timezone.now())

    assert viewer.page().count("/order/") == before.count("/order/") == 1
    assert viewer.get(page).status_code == 200
    answer = viewer.post(page, {"act": "freeze", "freeze-because": "report", "freeze-reason": "so"})

    assert answer.status_code == 404
    assert not fresh(table).is_frozen and not Ruling.objects.exists()
