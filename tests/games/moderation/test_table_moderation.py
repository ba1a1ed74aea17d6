"""Moderators' acts at a table: all its viewers can read them, and the audit log records them.

A user with a part in the table may not act there.
"""

from datetime import timedelta

import pytest
from django.utils import timezone

from accounts.auth.roles import Rank, rank
from accounts.models import AuditEntry, Friendship
from games.models import Ruling, Table
from games.rules.actions import Nominate
from games.services import (
    chat,
    deadlines,
    motions,
    play,
    substitutes,
    table_moderation,
)
from games.state.rooms import room_of
from games.wording.refusals import Refusal
from tests.builders.moderation import ACTS, STAGES, WHY, freeze, moderator, replace
from tests.builders.motions import goes_away, waits
from tests.builders.person import Person
from tests.builders.refusals import refusal_of
from tests.builders.tables import act, fresh, gather, person, position, run_table
from tests.nightly import by_day

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
    "replace": "A moderator gives",
}


@pytest.mark.parametrize("act_name", ["freeze", "void", "replace"])
def test_everyone_at_a_running_table_reads_it_in_the_minutes_and_no_one_reads_who_or_why(
    table, seated, spectator, mira, act_name
):
    ACTS[act_name](table, mira)

    for viewer in (*seated[:3], spectator):
        page = viewer.page()
        assert SAID[act_name] in page
        assert "We’re looking into a report" in page
        assert "complained" not in page and "Mira" not in page


@pytest.mark.parametrize("act_name", ["freeze", "close", "replace"])
def test_everyone_at_a_gathering_table_reads_it(mira, act_name, db):
    table = gather()

    ACTS[act_name](table, mira)

    page = Person(table.host, table).page()
    assert "A moderator" in page and "We’re looking into a report" in page
    assert "complained" not in page and "Mira" not in page


# Who may act --------------------------------------------------------------------------------------


@pytest.mark.parametrize("act_name", by_day(2, ACTS))
@pytest.mark.parametrize(
    "who", ["player", "without the right", "sits there", "sat there", "friend", "waits", "again"]
)
def test_no_party_and_no_one_without_the_right_rules(db, act_name, who):
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
    assert table_moderation.may_moderate_table(user=mira, table=table)


def test_friends_of_those_who_play_remove_no_messages(table):
    mira = moderator(right="remove_message")
    assert chat.may_remove(user=mira, table=table)

    Friendship.objects.create(
        asked_by=mira, asked=person("Ewa"), asked_at=timezone.now(), accepted_at=timezone.now()
    )

    assert not chat.may_remove(user=mira, table=table)


def test_no_one_takes_the_seat_of_an_equal(table):
    mira = moderator()
    moderator("Dario")
    assert refusal_of(replace, table, mira) == Refusal.NOT_BELOW

    senior = moderator("Senta", "moderate_more")
    assert rank(senior) == Rank.SENIOR
    assert replace(table, senior).gone == person("Dario")


def test_the_order_of_a_table_is_in_no_one_else_s_bytes(table, seated, spectator, stranger, mira):
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


def test_a_frozen_game_moves_for_no_one_and_talk_goes_on(table, seated, mira):
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

    chat.say(table=table, user=person("Ada"), text="What now?", place="table", key="a")
    page = seated[1].page()
    assert "What now?" in page and "A moderator has frozen this table" in page
    assert "Time left for this decision when the table is unfrozen" in page
    assert "data-countdown" not in page
    assert seated[0].choices() == []


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
    assert "already frozen" in again.content.decode()
    assert "a long story" in office.get(url).content.decode()
    assert office.post(url, {"act": "thaw", "thaw-reason": "done"}).status_code == 303
    form = {"replace-seat": "3:Dario", "replace-heir": "bot"}
    form |= {"replace-because": "conduct", "replace-reason": "rude"}
    assert office.post(url, {"act": "replace"} | form).status_code == 303
    # The page no longer has this seat.
    assert office.post(url, {"act": "replace"} | form).status_code == 422


def test_a_moderator_removes_a_message_and_the_page_says_why(table, mira):
    chat.say(table=table, user=person("Ada"), text="You fool", place="table", key="a")
    office = Person(mira, table)
    link = f"/moderation/tables/{table.code}/messages/table/1/"
    assert link in office.page()

    assert office.post(link, {"reason": "an insult"}).status_code == 303

    (entry,) = AuditEntry.objects.all()
    assert (entry.act, entry.about_id) == ("message_remove", person("Ada").pk)
    assert "an insult" in office.get(f"{table.get_absolute_url()}order/").content.decode()
    page = Person(person("Boris"), table).page()
    assert "A moderator removed this message" in page and "an insult" not in page


# Switches -----------------------------------------------------------------------------------------


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
