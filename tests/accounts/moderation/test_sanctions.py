"""Sanctions: who may impose which on whom, what each one forbids, and how they end."""

from datetime import timedelta

import pytest
from django.core import mail
from django.test import Client
from django.utils import timezone

from accounts.auth.roles import Rank
from accounts.models import AuditEntry, Notification, Sanction, User
from accounts.moderation.refusals import ModerationRefusal, ModerationRefused
from accounts.moderation.sanctions import standing
from accounts.services import outbox
from accounts.services.exports import export_data_of
from accounts.services.sanctions import expire_sanctions, lift_sanction
from accounts.tasks import end_sanctions
from tests.accounts.conftest import PASSWORD, a_user, signed_in
from tests.accounts.office import TOMORROW, at_the_desk, officer, owner, sanctioned

pytestmark = pytest.mark.django_db

# Pages of every kind: the lobby, the account, the games.
PAGES = (
    "/",
    "/panels/",
    "/account/",
    "/account/people/",
    "/tables/new/",
    "/account/notifications/",
)


@pytest.fixture
def mira() -> User:
    return officer("Mira", Rank.MODERATOR)


@pytest.fixture
def senior() -> User:
    return officer("Sena", Rank.SENIOR)


def later(user: User, **span: float):
    return standing(user, timezone.now() + timedelta(**span))


def is_signed_in(client: Client) -> bool:
    return "_auth_user_id" in client.session


# Who may sanction whom ----------------------------------------------------------------------------


@pytest.mark.parametrize("kind", Sanction.Kind.values)
def test_no_one_acts_on_an_equal_a_higher_one_or_themselves(mira, senior, kind):
    for user in (mira, officer("Milo", Rank.MODERATOR), senior, owner()):
        with pytest.raises(ModerationRefused) as refused:
            sanctioned(user, kind, mira)
        assert refused.value.refusal == ModerationRefusal.NOT_BELOW
    assert not Sanction.objects.exists() and not AuditEntry.objects.exists()


def test_someone_without_a_role_acts_on_no_one(ada):
    with pytest.raises(ModerationRefused):
        sanctioned(ada, "note", a_user("Boris"))


def test_a_ban_takes_a_senior_moderator(ada, mira, senior):
    with pytest.raises(ModerationRefused) as refused:
        sanctioned(ada, "ban", mira)
    assert refused.value.refusal == ModerationRefusal.RANK_TOO_LOW

    sanctioned(ada, "ban", senior)
    assert later(ada).shut


@pytest.mark.parametrize(
    ("kind", "ends_in", "refusal"),
    [
        ("note", 1, ModerationRefusal.HAS_NO_END),
        ("warning", 1, ModerationRefusal.HAS_NO_END),
        ("ban", 1, ModerationRefusal.HAS_NO_END),
        ("suspension", None, ModerationRefusal.NEEDS_END),
        ("mute", -1, ModerationRefusal.ENDS_BEFORE),
    ],
)
def test_an_end_has_to_fit_the_kind(ada, senior, kind, ends_in, refusal):
    ends_at = None if ends_in is None else timezone.now() + timedelta(days=ends_in)
    with pytest.raises(ModerationRefused) as refused:
        sanctioned(ada, kind, senior, ends_at=ends_at)
    assert refused.value.refusal == refusal


def test_a_reason_is_needed(ada, mira):
    with pytest.raises(ModerationRefused) as refused:
        sanctioned(ada, "mute", mira, reason=" \n ")
    assert refused.value.refusal == ModerationRefusal.NO_REASON


# What each sanction forbids -----------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["suspension", "ban"])
def test_whoever_is_shut_out_finds_every_page_closed_but_the_one_that_says_why(ada, senior, kind):
    browser = signed_in("Ada")
    sanctioned(ada, kind, senior)

    for page in PAGES:
        # Sign in again, so that each page is the first that this session requests.
        browser.force_login(ada)
        answer = browser.get(page)
        assert answer.headers["Location"] == "/account/standing/", page
        assert not is_signed_in(browser)

    answer = browser.get("/account/standing/")
    assert answer.status_code == 200
    assert "You shouted at Boris." in answer.content.decode()


@pytest.mark.parametrize("kind", ["suspension", "ban"])
def test_whoever_is_shut_out_cannot_sign_in_and_is_told_why(ada, senior, kind):
    sanctioned(ada, kind, senior)
    browser = Client()

    answer = browser.post("/account/sign-in/", {"login": "Ada", "password": PASSWORD})

    assert answer.headers["Location"] == "/account/standing/"
    assert not is_signed_in(browser)
    assert "You shouted at Boris." in browser.get("/account/standing/").content.decode()
    # No other page opens.
    assert browser.get("/account/").status_code == 302


def test_a_wrong_password_learns_nothing_of_it(ada, senior):
    sanctioned(ada, "ban", senior)
    browser = Client()

    answer = browser.post("/account/sign-in/", {"login": "Ada", "password": "wrong"})

    assert answer.status_code == 200
    assert browser.get("/account/standing/").status_code == 302


def test_what_was_shown_at_the_door_is_shown_for_an_hour(ada, senior, monkeypatch):
    sanctioned(ada, "ban", senior)
    browser = Client()
    browser.post("/account/sign-in/", {"login": "Ada", "password": PASSWORD})
    session = browser.session
    pk, since = session["standing_of"]
    session["standing_of"] = [pk, since - 3601]
    session.save()

    assert browser.get("/account/standing/").headers["Location"].startswith("/account/sign-in/")


def test_a_warning_has_to_be_read_before_anything_else(ada, mira):
    browser = signed_in("Ada")
    sanction = sanctioned(ada, "warning", mira)

    for page in PAGES:
        answer = browser.get(page)
        assert answer.headers["Location"].startswith("/account/standing/?next="), page
    assert browser.post("/account/people/ask/", {"name": "B"}).status_code == 303
    page = browser.get("/account/standing/?next=/tables/new/").content.decode()
    assert "You shouted at Boris." in page

    answer = browser.post(
        "/account/standing/read/", {"warning": sanction.pk, "next": "/tables/new/"}
    )

    assert answer.headers["Location"] == "/tables/new/"
    assert browser.get("/tables/new/").status_code == 200
    sanction.refresh_from_db()
    assert sanction.read_at is not None
    assert is_signed_in(browser)


def test_no_one_reads_another_s_warning_for_them(ada, mira):
    sanction = sanctioned(ada, "warning", mira)
    a_user("Boris")

    signed_in("Boris").post("/account/standing/read/", {"warning": sanction.pk})

    ada.refresh_from_db()
    assert ada.is_warned


@pytest.mark.parametrize("kind", ["note", "mute", "unrated"])
def test_the_others_leave_the_site_open(ada, mira, kind):
    browser = signed_in("Ada")
    sanctioned(ada, kind, mira)
    assert [browser.get(page).status_code for page in PAGES] == [200] * len(PAGES)


def test_each_is_in_force_for_what_it_says(ada, senior):
    found = {}
    for kind in Sanction.Kind.values:
        person = a_user(f"Of {kind}")
        sanctioned(person, kind, senior)
        stands = later(person)
        found[kind] = (stands.muted, stands.unrated, stands.shut, len(stands.warnings))
    assert found == {
        "note": (False, False, False, 0),
        "warning": (False, False, False, 1),
        "mute": (True, False, False, 0),
        "unrated": (False, True, False, 0),
        "suspension": (False, False, True, 0),
        "ban": (False, False, True, 0),
    }


# Notes, and what the sanctioned user reads --------------------------------------------------------


def test_a_note_is_for_moderators_alone(ada, at_home, mira):
    sanctioned(ada, "note", mira, reason="Perhaps a second account.")
    outbox.send_due(timezone.now())

    assert not mail.outbox and not Notification.objects.exists()
    assert "second account" not in at_home.get("/account/standing/").content.decode()
    assert "second account" not in str(export_data_of(ada))
    page = at_the_desk(mira).get(f"/moderation/people/{ada.pk}/").content.decode()
    assert "Perhaps a second account." in page


def test_the_person_is_told_once_and_in_their_own_language(ada, mira, with_mail):
    ada.language = "pl"
    ada.save()
    sanctioned(ada, "mute", mira, reason="Krzyk.", ends_at=timezone.now() + TOMORROW)
    for _ in range(2):
        outbox.send_due(timezone.now())

    [letter] = mail.outbox
    assert letter.to == ["ada@example.com"]
    assert letter.extra_headers["Content-Language"] == "pl"
    assert "Krzyk." in letter.body and letter.alternatives
    [told] = Notification.objects.filter(user=ada)
    assert told.kind == "standing" and told.by is None
    assert "standing" in signed_in("Ada").get("/account/notifications/").content.decode()


# How sanctions end --------------------------------------------------------------------------------


def test_it_ends_by_the_clock_even_if_nothing_runs(ada, senior):
    for kind in ("mute", "unrated", "suspension"):
        sanctioned(ada, kind, senior, ends_at=timezone.now() + TOMORROW)
    assert later(ada).shut and later(ada).muted and later(ada).unrated

    after = later(ada, days=1, seconds=1)
    assert not (after.shut or after.muted or after.unrated)
    # Signing in follows the clock too, although no task has updated the account.
    User.objects.filter(pk=ada.pk).update(shut_until=timezone.now() - timedelta(seconds=1))
    assert is_signed_in(signed_in("Ada"))


def test_the_longest_of_several_counts(ada, senior):
    sanctioned(ada, "suspension", senior, ends_at=timezone.now() + 3 * TOMORROW)
    short = sanctioned(ada, "suspension", senior)
    lift_sanction(actor=senior, sanction=short, reason="Once is enough.")

    ada.refresh_from_db()
    assert ada.shut_until > timezone.now() + 2 * TOMORROW
    assert later(ada, days=2).shut


def test_whoever_it_is_over_for_is_told_once(ada, mira):
    sanction = sanctioned(ada, "mute", mira, ends_at=timezone.now() + TOMORROW)
    sanctioned(ada, "mute", mira)
    Sanction.objects.filter(pk=sanction.pk).update(ends_at=timezone.now())
    outbox.send_due(timezone.now())
    mail.outbox.clear()

    end_sanctions()
    assert expire_sanctions(now=timezone.now()) == 0
    outbox.send_due(timezone.now())

    assert [letter.subject for letter in mail.outbox] == ["A sanction has ended"]
    # The second mute is still in force.
    assert later(ada).muted


def test_it_can_be_lifted_before_its_time_with_a_reason(ada, mira):
    sanction = sanctioned(ada, "suspension", mira)
    outbox.send_due(timezone.now())
    mail.outbox.clear()
    with pytest.raises(ModerationRefused):
        lift_sanction(actor=mira, sanction=sanction, reason="")

    lift_sanction(actor=officer("Milo", Rank.MODERATOR), sanction=sanction, reason="A mistake.")
    outbox.send_due(timezone.now())

    assert is_signed_in(signed_in("Ada"))
    assert "A mistake." in mail.outbox[0].body
    with pytest.raises(ModerationRefused) as refused:
        lift_sanction(actor=mira, sanction=sanction, reason="Again")
    assert refused.value.refusal == ModerationRefusal.NOT_RUNNING


# The moderators' page -----------------------------------------------------------------------------


def test_a_moderator_imposes_and_lifts_it_on_the_person_s_page(ada, mira):
    desk = at_the_desk(mira)
    page = f"/moderation/people/{ada.pk}/"
    form = {"kind": "mute", "term": "7d", "reason": "Insults", "language": "it"}

    assert desk.post(f"{page}impose/", form).headers["Location"] == page

    sanction = ada.sanctions.get()
    assert sanction.by == mira and sanction.language == "it"
    assert timedelta(days=6) < sanction.ends_at - timezone.now() < timedelta(days=8)
    assert "Insults" in desk.get(page).content.decode()
    answer = desk.post(f"/moderation/sanctions/{sanction.pk}/lift/", {"reason": "Enough"})
    assert answer.headers["Location"] == page
    assert not later(ada).muted


def test_a_sanction_lasts_a_day_unless_another_term_is_chosen(ada, mira):
    desk = at_the_desk(mira)
    page = f"/moderation/people/{ada.pk}/"
    assert '<option value="1d" selected>' in desk.get(page).content.decode()
    form = {"term": "1d", "reason": "Insults", "language": "en"}

    # A note has no end, whatever the form proposes; a ban needs the choice.
    assert desk.post(f"{page}impose/", form | {"kind": "note"}).status_code == 302
    assert ada.sanctions.get().ends_at is None
    senior = at_the_desk(officer("Sven", Rank.SENIOR))
    assert senior.post(f"{page}impose/", form | {"kind": "ban"}).status_code == 422
    assert ada.sanctions.count() == 1


def test_the_page_shows_former_names_and_finds_by_them(ada, mira):
    ada.name_changes.create(old="Adelheid", new="Ada", at=timezone.now())
    desk = at_the_desk(mira)

    assert "Adelheid" in desk.get(f"/moderation/people/{ada.pk}/").content.decode()
    found = desk.get("/moderation/people/", {"q": "adelh"}).content.decode()
    assert f"/moderation/people/{ada.pk}/" in found


def test_the_pages_of_an_office_ask_for_a_second_factor(ada, mira):
    mira.authenticator_set.all().delete()
    assert (
        at_the_desk(mira)
        .get("/moderation/people/")
        .headers["Location"]
        .endswith("/account/second-factor/")
    )
    assert at_the_desk(ada).get("/moderation/people/").status_code == 404


def test_every_act_leaves_a_row_of_the_audit(ada, senior):
    first = sanctioned(ada, "mute", senior)
    lift_sanction(actor=senior, sanction=first, reason="Enough")
    second = sanctioned(ada, "mute", senior, ends_at=timezone.now() + TOMORROW)
    Sanction.objects.filter(pk=second.pk).update(ends_at=timezone.now())
    expire_sanctions(now=timezone.now())

    rows = AuditEntry.objects.order_by("number").values_list("act", "actor", "about")
    assert list(rows) == [
        ("sanction_impose", senior.pk, ada.pk),
        ("sanction_lift", senior.pk, ada.pk),
        ("sanction_impose", senior.pk, ada.pk),
        ("sanction_end", None, ada.pk),
    ]
