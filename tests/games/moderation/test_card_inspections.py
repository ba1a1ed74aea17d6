"""The emergency look at hidden cards: who may, what it requires, what it shows, who is informed."""

import re
from datetime import timedelta
from html import unescape

import pytest
from django.contrib.auth.models import Permission
from django.core.cache import cache
from django.db import IntegrityError, transaction
from django.db.models import ProtectedError
from django.utils import timezone

from accounts.models import AuditEntry
from games.models import CardInspection, CardInspectionIsKept, Sat, Table
from games.moderation.card_inspections import inspection_notes
from games.rules.actions import Vote
from games.rules.components import Ballot
from games.rules.phases import Phase
from games.rules.view import GlassView
from games.services import card_inspections, tables
from games.wording.refusals import Refusal, Refused
from tests.builders.person import Person, forms_of
from tests.builders.tables import (
    act,
    fresh,
    gather,
    in_phase,
    is_over,
    person,
    play_until,
    run_table,
    standing,
    state_of,
)
from tests.second_factor import with_second_factor

REASON = "Two players say that one account plays twice"
PASSWORD = "a long way to Tipperary"


@pytest.fixture(autouse=True)
def _nobody_has_tried_yet():
    cache.clear()


def moderator(name: str = "Mira"):
    user = person(name)
    user.set_password(PASSWORD)
    user.save()
    user.user_permissions.add(Permission.objects.get(codename="break_glass"))
    return with_second_factor(type(user).objects.get(pk=user.pk))


def confirmed(user, table: Table) -> Person:
    """Return a browser of this moderator, who has just confirmed the password."""
    viewer = Person(with_second_factor(user), table)
    answer = viewer.post("/account/confirm/", {"password": PASSWORD, "next": address(table)})
    assert answer.headers["Location"] == address(table)
    return viewer


def address(table: Table) -> str:
    return f"/moderation/tables/{table.code}/"


def a_form(viewer: Person, table: Table) -> dict[str, str]:
    page = viewer.get(address(table)).content.decode()
    form = next(form for form in forms_of(page) if form.action == address(table))
    return {"key": form.fields["key"], "reason": REASON}


def breaks(viewer: Person, table: Table, **changes: str):
    return viewer.post(address(table), a_form(viewer, table) | changes)


def words(answer) -> str:
    """Return the visible text of the page."""
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", answer.content.decode())).split())


@pytest.fixture
def mira(table) -> Person:
    return confirmed(moderator(), table)


# Who may look ------------------------------------------------------------------------------------


def test_no_one_without_the_right_learns_that_there_is_such_a_page(table, seated, stranger):
    host = seated[0]
    host.user.is_staff = True
    host.user.save()
    with_second_factor(host.user)
    for viewer in (stranger, host, Person(person("Sofia"), table)):
        for answer in (viewer.get(address(table)), viewer.post(address(table), {"reason": REASON})):
            assert answer.status_code == 404
    assert not CardInspection.objects.exists()


def test_a_superuser_may_and_a_moderator_whose_account_is_closed_may_not(table):
    root = person("Root", is_superuser=True)
    root.set_password(PASSWORD)
    root.save()
    assert confirmed(root, table).get(address(table)).status_code == 200

    mira = confirmed(moderator(), table)
    mira.user.is_active = False
    mira.user.save()
    assert mira.get(address(table)).status_code == 404


def test_who_sits_at_the_table_finds_nothing_there_whatever_their_rights(table, seated):
    ada = moderator("Ada")
    assert confirmed(ada, table).get(address(table)).status_code == 404
    assert confirmed(ada, table).post(address(table), {"reason": REASON}).status_code == 404
    with pytest.raises(PermissionError):
        card_inspections.inspect_cards(table=table, user=ada, reason=REASON, key="k")
    assert not CardInspection.objects.exists()


def test_who_sat_there_and_left_is_still_a_party(db):
    table = gather()
    ewa = moderator("Ewa")
    tables.leave_table(table=table, user=ewa)
    tables.fill_with_bots(table=table, user=table.host)
    tables.start_game(table=fresh(table), user=table.host)

    assert not card_inspections.may_inspect_cards(user=ewa, table=fresh(table))
    assert card_inspections.may_inspect_cards(user=moderator("Mira"), table=fresh(table))


def test_the_company_that_plays_again_is_still_the_same_company(table):
    play_until(table, is_over)
    again = tables.play_again(table=table, user=table.host)
    ewa = moderator("Ewa")
    assert not again.seats.filter(user=ewa).exists()

    assert not card_inspections.may_inspect_cards(user=ewa, table=again)
    assert card_inspections.may_inspect_cards(user=ewa, table=run_table([f"{n}2" for n in "ABCDE"]))


# What a look requires ----------------------------------------------------------------------------


def test_the_password_is_asked_for_again_and_what_was_written_is_not_lost(table):
    mira = Person(moderator(), table)
    asked = mira.get(address(table))
    assert (
        asked.headers["Location"] == f"/account/confirm/?next={address(table).replace('/', '%2F')}"
    )

    posted = mira.post(address(table), {"reason": REASON, "key": "k"})
    assert posted.headers["Location"].startswith("/account/confirm/")
    assert not CardInspection.objects.exists()

    page = mira.get(posted.headers["Location"])
    assert "Confirm it’s you" in page.content.decode()
    wrong = mira.post("/account/confirm/", {"password": "wrong", "next": address(table)})
    assert "errorlist" in wrong.content.decode()
    back = mira.post("/account/confirm/", {"password": PASSWORD, "next": address(table)})
    # The look does not happen by itself: the form is shown again.
    assert back.status_code == 302 and back.headers["Location"] == address(table)
    assert not CardInspection.objects.exists()
    assert REASON in mira.get(address(table)).content.decode()


def test_a_password_given_long_ago_does_not_count(table, mira):
    session = mira.client.session
    for record in session["account_authentication_methods"]:
        record["at"] -= 3600
    session.save()

    assert mira.get(address(table)).headers["Location"].startswith("/account/confirm/")


def test_an_account_without_a_password_breaks_no_glass(table, mira):
    mira.user.set_unusable_password()
    mira.user.save()
    mira.client.force_login(mira.user)

    assert mira.get(address(table)).status_code == 404


@pytest.mark.parametrize(
    "reason",
    ["", "  ", "why not", "!!! ... ???", "aaaaaaaaaaaaaa", "\0" * 20, "x" * 301, "\u202e" * 30],
)
def test_a_reason_is_a_few_words_and_what_is_none_is_said_so(table, mira, reason):
    answer = breaks(mira, table, reason=reason)

    assert answer.status_code == 422
    assert "errorlist" in answer.content.decode()
    assert not CardInspection.objects.exists()


def test_it_is_written_down_who_looked_where_when_why_and_at_which_action(table, mira):
    play_until(table, in_phase(Phase.PRESIDENT_DISCARDS))
    before = timezone.now()

    breaks(mira, table, reason=f"  {REASON}\n\n again ")

    inspection = CardInspection.objects.get()
    assert (inspection.table, inspection.moderator, inspection.reason) == (
        table,
        mira.user,
        f"{REASON} again",
    )
    assert (inspection.length, inspection.round) == (fresh(table).game.length, 1)
    assert before <= inspection.at <= timezone.now()


def test_a_form_is_good_for_one_look(table, mira):
    form = a_form(mira, table)
    assert mira.post(address(table), form).status_code == 200

    again = mira.post(address(table), form)

    assert again.status_code == 409
    assert "Secret roles" not in words(again)
    assert REASON in words(again)
    assert CardInspection.objects.count() == 1


def test_a_moderator_looks_only_so_often_within_an_hour(table, mira, settings):
    settings.LOOKS_PER_HOUR = 2
    assert breaks(mira, table).status_code == 200
    assert breaks(mira, table).status_code == 200

    refused = breaks(mira, table)

    assert refused.status_code == 429
    assert str(Refusal.TOO_MANY_LOOKS.label) in words(refused)
    assert CardInspection.objects.count() == 2
    assert breaks(confirmed(moderator("Milo"), table), table).status_code == 200
    later = timezone.now() + timedelta(minutes=61)
    assert card_inspections.inspect_cards(
        table=table, user=mira.user, reason=REASON, key="k", now=later
    )


def test_a_look_is_neither_changed_nor_taken_back(table, mira):
    breaks(mira, table)
    inspection = CardInspection.objects.get()
    inspection.reason = "another"
    forged = CardInspection(
        pk=inspection.pk,
        table=table,
        moderator=mira.user,
        reason="no",
        length=0,
        round=1,
        at=inspection.at,
        key="other",
    )

    for change in (
        inspection.save,
        lambda: inspection.save(force_update=True),
        inspection.delete,
        lambda: CardInspection.objects.update(reason="another"),
        lambda: CardInspection.objects.filter(pk=inspection.pk).delete(),
        lambda: table.card_inspections.all().update(reason="another"),
        lambda: CardInspection._base_manager.all().delete(),
        lambda: CardInspection.objects.bulk_update([inspection], ["reason"]),
        lambda: CardInspection.objects.update_or_create(
            key=inspection.key, defaults={"reason": "another"}
        ),
        lambda: CardInspection.objects.bulk_create(
            [forged], update_conflicts=True, update_fields=["reason"], unique_fields=["id"]
        ),
    ):
        with pytest.raises(CardInspectionIsKept):
            change()
    with pytest.raises(ProtectedError):
        table.delete()
    assert CardInspection.objects.get().reason == REASON


def test_a_moderator_s_account_may_go_and_the_look_stays(table, mira):
    breaks(mira, table)
    pk = mira.user.pk
    mira.user.delete()
    assert CardInspection.objects.get().moderator is None
    (entry,) = AuditEntry.objects.filter(act="glass_break")
    assert entry.actor_id == pk


def test_a_row_is_not_written_over_by_one_that_takes_its_number(table, mira):
    breaks(mira, table)
    kept = CardInspection.objects.get()
    forged = CardInspection(
        pk=kept.pk,
        table=table,
        moderator=mira.user,
        reason="no",
        length=0,
        round=1,
        at=kept.at,
        key="other",
    )

    with pytest.raises(IntegrityError), transaction.atomic():
        forged.save()
    assert CardInspection.objects.get().reason == REASON


def gathering() -> Table:
    return gather()


def ended() -> Table:
    table = run_table()
    play_until(table, is_over)
    return table


def closed() -> Table:
    table = gather()
    tables.close_table(table=table, user=table.host)
    return table


@pytest.mark.parametrize("make", [gathering, ended, closed])
def test_where_no_game_runs_there_is_nothing_to_look_at(db, make):
    table = make()
    mira = confirmed(moderator(), table)

    assert "nothing hidden here to look at" in words(mira.get(address(table)))
    posted = mira.post(address(table), {"reason": REASON, "key": "k"})
    assert posted.status_code == 422
    assert "nothing hidden here to look at" in words(posted)
    assert not CardInspection.objects.exists()


# What the page shows -----------------------------------------------------------------------------


def test_all_that_is_hidden_is_shown_as_it_stands(db):
    table = run_table()
    mira = confirmed(moderator(), table)
    play_until(table, lambda state: state.round == 2 and state.phase is Phase.PRESIDENT_DISCARDS)

    answer = breaks(mira, table)

    told = words(answer)
    assert answer.status_code == 200
    assert "Ewa Hitler" in told and "Dario Fascist" in told and "Ada Liberal" in told
    assert "President Boris holds" in told
    assert "Round 1: President Ada draws" in told
    assert REASON in told


def test_running_ballots_are_shown_and_those_not_cast_are_not_made_up(table, mira):
    play_until(table, in_phase(Phase.ELECTION))
    act(table, Vote(1, Ballot.JA))
    act(table, Vote(2, Ballot.NEIN))

    told = words(breaks(mira, table))

    assert re.search(r"Boris Liberal voted Ja", told)
    assert re.search(r"Chika Liberal voted Nein", told)
    assert re.search(r"Dario Fascist no ballot yet", told)


def test_what_is_to_come_is_not_shown(table, mira):
    disclosure = card_inspections.inspect_cards(table=table, user=mira.user, reason=REASON, key="k")
    assert type(disclosure.view) is GlassView
    told = breaks(mira, table).content.decode()

    assert not {"draw", "seed", "shuffles"} & set(GlassView.__dataclass_fields__)
    assert bytes(table.seed).hex() not in told


def test_no_page_shows_it_again_and_none_is_kept(table, mira):
    shown = breaks(mira, table)
    assert "no-store" in shown.headers["Cache-Control"]

    for path in (address(table), table.get_absolute_url()):
        again = mira.get(path)
        assert "no-store" in again.headers["Cache-Control"]
        assert "Secret roles" not in words(again)
    assert CardInspection.objects.count() == 1


# Who is informed ---------------------------------------------------------------------------------


def test_during_the_game_no_one_can_tell_that_a_moderator_looked(table, seated, spectator, mira):
    viewers = (*seated, spectator)
    before = [viewer.get(f"{viewer.url}panels/").content for viewer in viewers]
    stood = standing(table)

    breaks(mira, table)

    assert standing(table) == stood
    assert [viewer.get(f"{viewer.url}panels/").content for viewer in viewers] == before
    assert inspection_notes(fresh(table)) == ()


def test_at_the_end_those_who_sat_there_learn_when_and_why_and_no_one_else(
    table, seated, spectator, stranger, mira
):
    play_until(table, lambda state: state.round == 2)
    breaks(mira, table)
    breaks(mira, table, reason="A second complaint came in")
    play_until(table, is_over)

    first, second = inspection_notes(fresh(table))
    assert (first.round, first.by, first.reason) == (2, "moderator", REASON)
    assert second.reason == "A second complaint came in"
    for viewer in seated:
        html = viewer.page()
        assert REASON in html and "A second complaint came in" in html
        assert f'Round 2, <time datetime="{first.at:%Y-%m-%dT%H:%M}' in html
        assert "Mira" not in html
    for viewer in (spectator, stranger):
        assert REASON not in viewer.page()


def test_who_has_looked_takes_no_part_in_that_game(table, mira):
    other = run_table([f"{name}2" for name in "ABCDE"])
    assert not card_inspections.has_inspected(user=mira.user, table=table)
    breaks(mira, table)

    assert card_inspections.has_inspected(user=mira.user, table=table)
    assert not card_inspections.has_inspected(user=mira.user, table=other)
    assert not card_inspections.has_inspected(user=table.host, table=table)
    with pytest.raises(Refused) as refused:
        card_inspections.refuse_inspector(user=mira.user, table=table)
    assert refused.value.refusal == Refusal.HAS_LOOKED
    card_inspections.refuse_inspector(user=table.host, table=table)


def test_a_look_settles_what_is_overdue_as_any_look_does(table, mira):
    game = fresh(table).game
    type(game).objects.filter(pk=game.pk).update(
        deadline=timezone.now() - timedelta(seconds=1), wakes_at=timezone.now()
    )

    breaks(mira, table)

    assert state_of(table).phase is Phase.ELECTION
    assert CardInspection.objects.get().length == 1


def test_every_seat_that_is_taken_is_remembered(db):
    table = gather()
    assert Sat.objects.filter(table=table).count() == 5
    seat = table.seats.get(number=2)
    seat.user = person("Zoe")
    seat.save(update_fields=["user"])
    seat.name = "Zoe"
    seat.save(update_fields=["name"])

    assert Sat.objects.filter(table=table).count() == 6
