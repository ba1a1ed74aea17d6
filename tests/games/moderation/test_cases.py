"""The moderators' queue: which cases each sees, what a case shows, and its outcomes."""

import json
from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from accounts.auth.roles import rank
from accounts.models import AuditEntry, Friendship, NameChange, Notification, Sanction, User
from accounts.moderation.act_labels import act_label
from accounts.services import friends
from games.models import Case, CaseStep, Report, Ruling, Table
from games.services import cases, chat, reports, substitutes
from games.state.rooms import room_of
from games.wording.refusals import Refusal, Refused
from tests.bench.moderation import fill
from tests.builders.cases import (
    ACTS,
    NOT_FOUND,
    OK,
    REFUSED,
    SEE_OTHER,
    browser,
    is_shut,
    of,
    office,
    read,
    reported,
    status,
    taken,
)
from tests.builders.person import Person
from tests.builders.tables import (
    NAMES,
    fresh,
    gather,
    is_over,
    person,
    play_until,
    run_table,
)
from tests.nightly import by_day
from tests.second_factor import with_second_factor

pytestmark = pytest.mark.django_db
RIGHTS = {"moderate": 1, "moderate_more": 2, "moderate_all": 3}


@pytest.fixture
def mira(db) -> User:
    return office("Mira")


def test_no_one_but_moderators_finds_the_queue(table):
    case = reported(table)
    staff = with_second_factor(person("Stan", is_staff=True))

    for user in (person("Sofia"), person("Ada"), staff):
        for path in ("/moderation/", of(case), f"{of(case)}record/"):
            assert status(user, path) == NOT_FOUND
        for act in ACTS:
            assert status(user, f"{of(case)}{act}/", {}) == NOT_FOUND
    assert Person(None, table).get("/moderation/").status_code == NOT_FOUND


def test_a_moderator_finds_the_case_and_takes_it(table, mira):
    case = reported(table)

    assert of(case) in read(mira)
    assert status(mira, f"{of(case)}claim/", {}) == SEE_OTHER
    case.refresh_from_db()
    assert case.claimed_by == mira


def test_no_moderator_judges_a_game_in_which_they_have_a_seat(db):
    case = reported(run_table(["Ada", "Boris", "Chika", "Dario", "Mira"]))

    assert is_shut(office("Mira"), case)


def test_nor_one_in_which_they_had_a_seat_before_it_began(db):
    table = gather(["Ada", "Boris", "Chika", "Dario", "Mira"])
    case = reported(table)
    table.seats.filter(user=person("Mira")).delete()

    assert is_shut(office("Mira"), case)


def test_nor_one_for_which_they_wait(table, mira):
    case = reported(table)
    substitutes.join_list(table=table, user=mira)

    assert is_shut(mira, case)


def befriend(one: User, other: User) -> None:
    friends.request_friendship(user=one, name=other.username)
    friends.accept_friend(user=other, other=one)
    assert Friendship.objects.between(one.pk, other.pk).accepted().exists()


@pytest.mark.parametrize("friend", by_day(1, ["Dario", "Ada", "Ewa"]))
def test_nor_one_with_a_friend_in_it(table, mira, friend):
    """The friend is the reported player, the reporter, or another player at the table."""
    case = reported(table)
    befriend(mira, person(friend))

    assert is_shut(mira, case)


def test_nor_what_a_friend_has_reported_from_the_gallery(table, mira):
    case = reported(table, "Sofia")
    assert of(case) in read(mira)
    befriend(mira, person("Sofia"))

    assert is_shut(mira, case)


def test_nor_what_is_about_themselves_or_what_they_reported(table, mira):
    found = reports.reported_profile(user=person("Ada"), name="Mira")
    about = reports.file_report(
        reporter=person("Ada"), reported=found, reason="name", words="", language="en"
    ).case

    assert is_shut(mira, about)
    assert is_shut(mira, reported(table, "Mira"))


def test_an_equal_s_case_is_for_those_above(table):
    office("Dario")
    mira, senior = office("Mira"), office("Sven", "moderate", "moderate_more")
    case = reported(table)

    assert is_shut(mira, case)
    assert of(case) in read(senior)


def test_who_becomes_a_friend_after_taking_it_cannot_decide_it(table, mira):
    case = taken(reported(table), mira)
    befriend(mira, person("Dario"))

    assert status(mira, f"{of(case)}decide/", {"kind": "dismiss"}) == NOT_FOUND
    case.refresh_from_db()
    assert case.is_open


def test_one_that_another_has_taken_is_not_taken_again_but_by_a_senior(table, mira):
    case = taken(reported(table), mira)
    other, senior = office("Olaf"), office("Sven", "moderate", "moderate_more")

    with pytest.raises(Refused) as refused:
        taken(case, other)
    assert refused.value.refusal == Refusal.CASE_CLAIMED
    assert status(other, f"{of(case)}decide/", {"kind": "dismiss"}) == REFUSED
    assert taken(case, senior).claimed_by == senior


def test_a_case_is_handed_over_and_given_back(table, mira):
    case, other = taken(reported(table), mira), office("Olaf")
    befriend(person("Chika"), office("Freda"))

    for cannot in ("Freda", "Sofia", "Mira"):
        assert status(mira, f"{of(case)}hand-over/", {"to": person(cannot).pk}) == REFUSED
    page = read(mira, of(case))
    assert f'value="{other.pk}"' in page and f'value="{person("Freda").pk}"' not in page
    assert status(mira, f"{of(case)}hand-over/", {"to": other.pk}) == SEE_OTHER
    assert status(other, f"{of(case)}release/", {}) == SEE_OTHER

    case.refresh_from_db()
    assert case.claimed_by is None
    assert list(case.steps.values_list("kind", flat=True)) == ["claim", "hand_over", "release"]
    acts = AuditEntry.objects.order_by("number").values_list("act", "actor", "table")
    assert list(acts) == [
        ("case_claim", mira.pk, table.code),
        ("case_hand_over", mira.pk, table.code),
        ("case_release", other.pk, table.code),
    ]


def test_who_has_had_a_case_takes_no_part_in_its_game(table, mira):
    taken(reported(table), mira)
    cases.release_case(actor=mira, case=Case.objects.get())

    with pytest.raises(Refused) as refused:
        substitutes.join_list(table=table, user=mira)
    assert refused.value.refusal == Refusal.JUDGES
    chat.enter_gallery(table=table, user=mira)
    with pytest.raises(Refused) as refused:
        chat.say(table=table, user=mira, text="I know", place="gallery", key="k")
    assert refused.value.refusal == Refusal.JUDGES


# What a case shows --------------------------------------------------------------------------------


def test_reports_of_one_person_in_one_game_are_one_case(table, mira):
    other = run_table(["Ada2", "Boris2", "Chika2", "Dario", "Ewa2"])
    first = reported(table, "Ada", words="He insults me")
    assert reported(table, "Boris", reason="spam", words="All the time") == first
    assert reported(other, "Ada2") != first

    page = read(mira, of(taken(first, mira)))

    assert "He insults me" in page and "All the time" in page
    assert read(mira).count("/moderation/cases/") == 2


def test_what_a_reporter_writes_of_a_running_game_is_for_who_has_the_case(table, mira):
    case = reported(table, words="Ewa told me that she is Hitler")

    assert "she is Hitler" not in read(mira, of(case))
    taken(case, mira)
    assert "she is Hitler" in read(mira, of(case))
    assert "she is Hitler" not in read(office("Olaf"), of(case))


def test_when_the_game_is_over_its_words_and_record_are_open_to_all_judges(table, mira):
    case = reported(table, words="He threw it")
    play_until(table, is_over)

    assert "He threw it" in read(mira, of(case))
    record = json.loads(browser(mira).get(f"{of(case)}record/").content)
    assert record["seats"] == list(NAMES[:5])


def test_of_a_running_game_a_moderator_sees_what_spectators_see(table, mira):
    case = taken(reported(table), mira)
    play_until(table, lambda state: state.fascist >= 2)

    page = read(mira, of(case))

    assert "Round 2" in page and "role-" not in page
    assert status(mira, f"{of(case)}record/") == NOT_FOUND
    assert status(mira, f"{of(case)}replay/") == NOT_FOUND


def test_a_private_game_s_record_is_open_to_its_judge(db, mira):
    table = run_table(is_private=True)
    case = reported(table)
    play_until(table, is_over)

    assert status(mira, f"{of(case)}record/") == OK
    replay = read(mira, f"{of(case)}replay/?move=3")
    assert f'href="{of(case)}"' in replay and "Round 1" in replay
    assert status(mira, table.get_absolute_url()) == NOT_FOUND
    assert table.get_absolute_url() not in read(mira, of(case))


def test_what_the_gallery_of_a_running_game_said_is_sealed_from_moderators_too(table, mira):
    for name in ("Sofia", "Vera"):
        chat.enter_gallery(table=table, user=person(name))
    chat.say(table=table, user=person("Vera"), text="Boris is Hitler", place="gallery", key="1")
    row = table.messages.get()
    found = reports.reported_message(
        room=room_of(table.code), user=person("Sofia"), row=row, called="Vera"
    )
    case = reports.file_report(
        reporter=person("Sofia"), reported=found, reason="abuse", words="", language="en"
    ).case

    assert "Boris is Hitler" not in read(mira, of(case))
    assert "There are more messages in the gallery" in read(mira, of(case))
    chat.enter_gallery(table=table, user=mira)
    assert "Boris is Hitler" in read(mira, of(case))


def test_the_past_of_a_person_stands_beside_the_case(table, mira):
    dario = person("Dario")
    NameChange.objects.create(user=dario, old="Pest", new="Dario", at=timezone.now())
    Sanction.objects.create(
        user=dario, kind="warning", reason="Be kind", language="en", at=timezone.now()
    )
    old = taken(reported(run_table(["Ada2", "B2", "C2", "Dario", "E2"]), "Ada2"), mira)
    cases.dismiss_case(actor=mira, case=old, remark="Not this time")
    case = reported(table)

    page = read(mira, of(case))

    for text in ("Pest", "Be kind", "Not this time", f"Case {old.pk}"):
        assert text in page


def test_at_a_blind_table_no_moderator_learns_who_it_is_before_the_end(db, mira):
    table = run_table(is_blind=True)
    ada = person("Ada")
    seat = table.seats.exclude(user=ada).first()
    NameChange.objects.create(user=seat.user, old="Pest", new="x", at=timezone.now())
    case = reported(table, "Ada", seat.number)
    taken(case, mira)
    hidden = list(NAMES[:5])

    for page in (read(mira), read(mira, of(case))):
        main = page.partition("<main")[2]
        assert seat.name in main and "Pest" not in main
        assert not [name for name in hidden if f">{name}<" in main]
    # A case at another table is not listed either: it would reveal that the account sits here.
    elsewhere = reported(run_table(["P", "Q", "R", seat.user.username, "T"]), "P")
    assert f"Case {case.pk}" not in read(mira, of(elsewhere))
    assert not AuditEntry.objects.filter(about=seat.user).exists()

    play_until(table, is_over)
    assert f"<bdi>{seat.user.username}</bdi>" in read(mira, of(case))


# Outcomes -----------------------------------------------------------------------------------------


def outcome_told(name: str, language: str = "en") -> str:
    answer = Person(person(name), Table(code="x"), language).get("/account/notifications/")
    return answer.content.decode()


def test_a_dismissed_case_is_told_to_its_reporters_once_each(table, mira):
    case = reported(table, "Ada")
    reported(table, "Boris")
    taken(case, mira)

    assert status(mira, f"{of(case)}decide/", {"kind": "dismiss", "remark": "A joke"}) == SEE_OTHER

    case.refresh_from_db()
    assert (case.outcome, case.decided_by, case.remark) == ("dismissed", mira, "A joke")
    for name in ("Ada", "Boris"):
        assert "found no reason to act" in outcome_told(name)
        assert person(name).notifications.count() == 1
    assert not person("Dario").notifications.exists()
    assert not Report.objects.filter(is_open=True).exists()
    assert of(case) not in read(mira) and of(case) in read(mira, "/moderation/?state=decided")


def test_a_decision_lasts_a_day_unless_another_term_is_chosen(table, mira):
    case = taken(reported(table), mira)
    assert '<option value="1" selected>' in read(mira, of(case))

    data = {"kind": "warning", "days": "1", "reason": "Once more and you go"}
    assert status(mira, f"{of(case)}decide/", data) == SEE_OTHER
    assert person("Dario").sanctions.get().ends_at is None


def test_the_reporter_learns_that_something_was_done_and_not_what(table, mira):
    case = taken(reported(table), mira)
    data = {"kind": "suspension", "days": "30", "reason": "A secret of theirs"}

    assert status(mira, f"{of(case)}decide/", data) == SEE_OTHER

    told = outcome_told("Ada")
    assert "took action" in told and "Dario" in told
    kept = json.dumps(list(Notification.objects.filter(user=person("Ada")).values("data")))
    for text in (told, kept, browser(person("Ada")).get("/report/").content.decode()):
        assert "uspen" not in text and "secret of theirs" not in text and "Mira" not in text


def test_a_table_as_a_whole_can_only_be_dismissed(table, mira):
    found = reports.reported_table(room=room_of(table.code))
    case = reports.file_report(
        reporter=person("Ada"), reported=found, reason="cheating", words="", language="en"
    ).case
    taken(case, mira)

    assert status(mira, f"{of(case)}decide/", {"kind": "mute", "reason": "x"}) == REFUSED
    assert status(mira, f"{of(case)}decide/", {"kind": "dismiss"}) == SEE_OTHER


def test_a_decided_case_is_decided(table, mira):
    case = taken(reported(table), mira)
    cases.dismiss_case(actor=mira, case=case)

    answers = {status(mira, f"{of(case)}{act}/", {"kind": "dismiss"}) for act in ACTS}
    assert answers == {REFUSED}
    assert AuditEntry.objects.filter(act="case_decide").count() == 1


# The queue ----------------------------------------------------------------------------------------


def test_the_queue_is_narrowed_by_reason_age_holder_and_language(table, mira):
    User.objects.filter(username="Boris").update(language="pl")
    old = reported(table, seat=3, reason="throwing")
    Case.objects.filter(pk=old.pk).update(opened_at=timezone.now() - timedelta(days=2))
    new = taken(reported(table, seat=1, reason="spam"), mira)

    def shown(query: str) -> set[int]:
        page = read(mira, f"/moderation/?{query}")
        return {case.pk for case in (old, new) if of(case) in page}

    both = {old.pk, new.pk}
    assert shown("") == shown("reason=nonsense&page=99&language=xx") == both
    assert shown("reason=throwing") == shown("age=day") == shown("held=nobody") == {old.pk}
    assert shown("reason=spam") == shown("held=mine") == shown("language=pl") == {new.pk}
    assert shown("age=week") == shown("reason=spam&held=nobody") == set()


def queries_of(user: User, path: str) -> int:
    ask = browser(user)
    ask.get(path)
    with CaptureQueriesContext(
        connection,
    ) as queries:
        assert ask.get(path).status_code == OK
    return len(queries)


def test_the_queue_asks_the_database_no_more_often_the_longer_it_is(mira):
    fill(reports_count=20)
    few = {path: queries_of(mira, path) for path in ("/moderation/", "/moderation/?reason=spam")}
    fill(reports_count=160, beginning=20)

    assert Report.objects.count() == 180
    assert {path: queries_of(mira, path) for path in few} == few
    assert rank(mira) == RIGHTS["moderate"]


def test_a_case_asks_no_more_often_for_many_reports_than_for_a_few(table, mira):
    case = taken(reported(table, "Ada"), mira)
    reported(table, "Boris")
    few = queries_of(mira, of(case))
    for name in ("Chika", "Ewa", "Sofia", "Vera", "Nadia"):
        reported(table, name, words="and me")

    assert queries_of(mira, of(case)) == few
    assert fresh(table).cases.get().reports_count == 7


def test_every_act_is_called_by_a_name_in_the_audit():
    written = {f"case_{step}" for step in CaseStep.Kind} | {f"table_{kind}" for kind in Ruling.Kind}
    for act in written | {"glass_break", "message_remove"}:
        assert act_label(act) != act
