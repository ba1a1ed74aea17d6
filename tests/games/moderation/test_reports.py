"""Reports: two clicks away, with copies of what was said, and never naming the reporter."""

import re

import pytest

from accounts.models import Notification
from accounts.services.account_deletion import erase_due_accounts
from accounts.services.exports import export_data_of
from accounts.throttling import limits
from games.models import Case, Message, Reason, Report, Table
from games.services import cases, chat, reports
from games.state.rooms import room_of
from games.wording.refusals import Refusal, Refused
from tests.builders.person import Person, forms_of
from tests.builders.tables import fresh, person, run_table
from tests.second_factor import with_second_factor

pytestmark = pytest.mark.django_db

OK, SEE_OTHER, NOT_FOUND, CONFLICT, REFUSED = 200, 303, 404, 409, 422


def say(table: Table, name: str, text: str, place: str = "table") -> Message:
    chat.say(table=table, user=person(name), text=text, place=place, key=text)
    return table.messages.get(text=text)


def flags(html: str) -> list[str]:
    return re.findall(r'<a class="report[^"]*" href="([^"]+)"', html)


def report_seat(table: Table, who: str, seat: int, reason: str = "abuse", words: str = ""):
    return Person(person(who), table).post(
        f"/report/{table.code}/seat/{seat}/", {"reason": reason, "words": words}
    )


def test_a_seat_is_reported_in_two_clicks(table, seated):
    ada = seated[0]
    [flag] = [link for link in flags(ada.page()) if link.endswith("/seat/3/")]

    page = ada.get(flag).content.decode()
    form = next(form for form in forms_of(page) if ("", "reason", "throwing") in form.buttons)
    answer = ada.post(flag, form.fields | {"reason": "throwing"})

    assert answer.status_code == SEE_OTHER and answer.headers["Location"] == ada.url
    report = Report.objects.get()
    assert (report.reporter, report.case.person) == (person("Ada"), person("Dario"))
    assert (report.case.table, report.seat, report.reason) == (table, 3, Reason.THROWING)
    assert (report.called, report.round) == ("Dario", 1)


def test_a_message_is_reported_with_a_copy_of_it_and_of_its_neighbours(table, seated):
    for number in range(14):
        say(table, "Boris", f"before {number}")
    bad = say(table, "Dario", "an ugly word")
    say(table, "Chika", "what came after")
    [flag] = [link for link in flags(seated[0].page()) if link.endswith(f"/table/{bad.nth}/")]
    assert "an ugly word" in seated[0].get(flag).content.decode()

    seated[0].post(flag, {"reason": "abuse", "words": "Look at this"})
    Message.objects.all().update(text="changed since")

    report = Report.objects.get()
    texts = [copy["text"] for copy in report.copies]
    assert texts == [f"before {n}" for n in range(4, 14)] + ["an ugly word", "what came after"]
    assert [copy["text"] for copy in report.copies if copy["is_reported"]] == ["an ugly word"]
    assert report.words == "Look at this" and report.case.person == person("Dario")


def test_a_table_and_a_name_are_reported_too(table, seated):
    say(table, "Boris", "we all know each other")
    ada = seated[0]

    assert f"/report/{table.code}/" in flags(ada.page())
    assert ada.post(f"/report/{table.code}/", {"reason": "cheating"}).status_code == SEE_OTHER
    assert ada.post("/report/people/Dario/", {"reason": "name"}).status_code == SEE_OTHER

    of_table, of_name = Report.objects.order_by("pk")
    assert of_table.case.person is None and of_table.case.table == table
    assert [copy["text"] for copy in of_table.copies] == ["we all know each other"]
    assert of_name.case.person == person("Dario") and of_name.case.table is None


def test_bots_have_no_flag_and_cannot_be_reported(db):
    table = run_table(["Ada"], bots=4)
    ada = Person(person("Ada"), table)

    assert flags(ada.page()) == [f"/report/{table.code}/seat/0/", f"/report/{table.code}/"]
    assert ada.get(f"/report/{table.code}/seat/1/").status_code == NOT_FOUND
    assert ada.post(f"/report/{table.code}/seat/1/", {"reason": "abuse"}).status_code == REFUSED
    assert not Report.objects.exists()


def test_no_one_reports_themselves(table, seated):
    mine = say(table, "Ada", "hello")

    for path in (
        f"/report/{table.code}/seat/0/",
        f"/report/{table.code}/table/{mine.nth}/",
        "/report/people/Ada/",
    ):
        answer = seated[0].post(path, {"reason": "abuse"})
        assert answer.status_code == REFUSED, path
        assert "You can’t report yourself." in answer.content.decode()
    assert not Report.objects.exists()


def test_a_reason_that_makes_no_sense_of_the_thing_is_refused(table):
    said = say(table, "Dario", "hello")
    room = room_of(table.code)
    found = reports.reported_message(room=room, user=person("Ada"), row=said, called="Dario")

    with pytest.raises(Refused) as refused:
        reports.file_report(
            reporter=person("Ada"), reported=found, reason="stalling", words="", language="en"
        )

    assert refused.value.refusal == Refusal.UNCLEAR


def test_one_thing_is_reported_once_by_one_person_until_it_is_decided(table, seated):
    assert report_seat(table, "Ada", 3).status_code == SEE_OTHER
    assert report_seat(table, "Ada", 3, reason="spam").status_code == CONFLICT
    assert report_seat(table, "Boris", 3).status_code == SEE_OTHER
    assert report_seat(table, "Ada", 2).status_code == SEE_OTHER

    # There is one case for each person at each table.
    assert Case.objects.count() == 2
    assert Case.objects.get(person=person("Dario")).reports_count == 2

    Case.objects.update(outcome="dismissed")
    Report.objects.update(is_open=False)
    assert report_seat(table, "Ada", 3).status_code == SEE_OTHER
    assert Case.objects.filter(person=person("Dario")).count() == 2


def test_no_one_has_more_open_reports_than_moderators_can_read(table, seated, monkeypatch):
    monkeypatch.setattr(reports, "MOST_OPEN", 2)
    for seat in (1, 2):
        assert report_seat(table, "Ada", seat).status_code == SEE_OTHER

    answer = report_seat(table, "Ada", 3, words="and this one")

    assert answer.status_code == REFUSED and "and this one" in answer.content.decode()
    assert Report.objects.count() == 2


def test_a_flood_of_reports_is_told_to_wait(table, settings):
    limits.forget_all()
    settings.LIMITS = settings.LIMITS | {"creations": "2/hour"}

    answers = [report_seat(table, "Ada", seat).status_code for seat in (1, 2, 3)]

    assert answers == [SEE_OTHER, SEE_OTHER, 429]


def test_no_one_learns_from_a_report_who_is_registered(table, seated):
    known, unknown = (
        [
            (answer.status_code, answer.headers.get("Location"))
            for answer in (
                seated[0].get(f"/report/people/{name}/"),
                seated[0].post(f"/report/people/{name}/", {"reason": "name"}),
                seated[0].post(f"/report/people/{name}/", {"reason": "name"}),
            )
        ]
        for name in ("Dario", "Nobody9")
    )

    assert known == unknown
    assert Report.objects.count() == 1


def test_no_page_reveals_later_whether_a_reported_name_is_registered(table, seated):
    boris = seated[1]
    for who, name in ((seated[0], "Dario"), (boris, "Nobody9")):
        thanks = who.client.post(
            f"/report/people/{name}/",
            {"reason": "name"},
            follow=True,
            HTTP_X_CSRFTOKEN=who.client.cookies["csrftoken"].value,
        )
        assert "You won’t hear back about this one." in thanks.content.decode()
    case = Case.objects.get()
    root = with_second_factor(person("Root", is_superuser=True))
    cases.claim_case(actor=root, case=case)
    cases.dismiss_case(actor=root, case=case)

    for who, name in ((seated[0], "Dario"), (boris, "Nobody9")):
        page = who.get("/report/").content.decode().partition("<main")[2]
        assert name not in page and "You haven’t reported anything." in page
        assert export_data_of(who.user)["reports"] == []
        assert not Notification.objects.filter(user=who.user).exists()


def test_a_report_by_name_does_not_count_towards_the_limit(table, seated, monkeypatch):
    monkeypatch.setattr(reports, "MOST_OPEN", 1)
    names = ("Dario", "Nobody9", "Chika", "Ewa")
    answers = [seated[0].post(f"/report/people/{name}/", {"reason": "name"}) for name in names]

    assert {answer.status_code for answer in answers} == {SEE_OTHER}
    assert report_seat(table, "Ada", 3).status_code == SEE_OTHER


def test_a_seat_that_is_someone_else_s_by_now_is_not_reported_for_them(table, seated):
    table.seats.filter(number=3).update(name="Somebody")
    Table.objects.filter(pk=table.pk).update(version=99)

    answer = seated[0].post(
        f"/report/{table.code}/seat/3/", {"reason": "abuse", "called": "Dario", "words": "he did"}
    )

    assert answer.status_code == REFUSED and not Report.objects.exists()


def test_at_a_blind_table_the_reporter_learns_no_name(db):
    table = run_table(is_blind=True)
    ada = Person(person("Ada"), table)
    seat = table.seats.exclude(user=person("Ada")).first()
    other = seat.user.username

    page = ada.get(f"/report/{table.code}/seat/{seat.number}/").content.decode()
    answer = report_seat(table, "Ada", seat.number)
    again = report_seat(table, "Ada", seat.number)

    report = Report.objects.get()
    assert report.called == seat.name and report.case.person == seat.user
    shown = [page, again.content.decode(), ada.get("/report/").content.decode(), ada.page()]
    assert all(other not in text for text in shown)
    assert seat.name in shown[0] and answer.headers["Location"] == ada.url
    assert all(other not in str(copy) for copy in report.copies)


def test_what_the_gallery_says_is_reported_by_those_who_hear_it(table, seated, spectator):
    chat.enter_gallery(table=table, user=person("Sofia"))
    chat.enter_gallery(table=table, user=person("Vera"))
    said = say(table, "Vera", "psst", place="gallery")
    path = f"/report/{table.code}/gallery/{said.nth}/"

    assert spectator.get(path).status_code == OK
    for deaf in (seated[0], Person(person("Nadia"), table)):
        assert deaf.get(path).status_code == NOT_FOUND
        assert deaf.post(path, {"reason": "abuse"}).status_code == NOT_FOUND
    assert spectator.post(path, {"reason": "abuse"}).status_code == SEE_OTHER
    assert Report.objects.get().case.person == person("Vera")


def test_a_private_table_s_people_and_messages_are_reported_by_those_who_see_it(db):
    table = run_table(is_private=True)
    said = say(table, "Dario", "hello")

    for path in ("", "seat/3/", f"table/{said.nth}/"):
        stranger = Person(person("Sofia"), table)
        assert stranger.get(f"/report/{table.code}/{path}").status_code == NOT_FOUND
        assert report_status(stranger, f"/report/{table.code}/{path}") == NOT_FOUND
        assert report_status(Person(person("Ada"), table), f"/report/{table.code}/{path}") == 303


def report_status(who: Person, path: str) -> int:
    return who.post(path, {"reason": "abuse"}).status_code


def test_a_report_changes_nothing_that_the_table_could_see(table):
    before = fresh(table).version, fresh(table).talk

    report_seat(table, "Ada", 3)

    assert (fresh(table).version, fresh(table).talk) == before
    assert not Notification.objects.exists()


def test_one_reads_what_one_has_reported_and_what_came_of_it(table, seated):
    report_seat(table, "Ada", 3)
    assert "waiting for a moderator" in seated[0].get("/report/").content.decode()

    Case.objects.update(outcome="acted")
    Report.objects.update(is_open=False)

    assert "action taken" in seated[0].get("/report/").content.decode()
    assert "Dario" not in seated[1].get("/report/").content.decode().partition("<main")[2]


def test_an_export_has_one_s_own_reports_and_not_those_of_others(table):
    report_seat(table, "Ada", 3, words="He threw it")

    [mine] = export_data_of(person("Ada"))["reports"]
    assert (mine["called"], mine["words"]) == ("Dario", "He threw it")
    assert export_data_of(person("Dario"))["reports"] == []


def close(name: str) -> None:
    from datetime import timedelta

    from django.utils import timezone

    user = person(name)
    user.closes_at = timezone.now() - timedelta(days=1)
    user.save()
    assert erase_due_accounts(now=timezone.now()) == 1


def test_with_an_account_goes_what_was_reported_of_it(table, seated):
    say(table, "Dario", "an ugly word")
    report_seat(table, "Ada", 3)
    report_seat(table, "Boris", 2)

    close("Dario")

    report = Report.objects.get(seat=3)
    assert (report.called, report.copies, report.case.person) == ("N. N.", [], None)
    assert report.case.outcome == Case.Outcome.LAPSED
    # The name is removed from the copies in other cases too.
    assert "Dario" not in str(Report.objects.get(seat=2).copies)
    assert Notification.objects.get(user=person("Ada")).kind == Notification.Kind.REPORT


def test_what_a_closed_account_has_reported_is_no_one_s(table):
    report_seat(table, "Ada", 3, words="I am Ada")

    close("Ada")

    report = Report.objects.get()
    assert (report.reporter, report.words) == (None, "")
    assert report.case.is_open and report.case.person == person("Dario")
