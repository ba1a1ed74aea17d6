"""Appeals: one for each sanction, decided by another moderator, in the person's language."""

import pytest
from django.core import mail
from django.test import Client
from django.utils import timezone

from accounts.auth.roles import Rank
from accounts.models import Appeal, AuditEntry, User
from accounts.moderation.refusals import ModerationRefusal, ModerationRefused
from accounts.services import outbox
from accounts.services.appeals import decide_appeal, make_appeal
from accounts.services.sanctions import lift_sanction
from accounts.services.signals import new_device, note_signals
from tests.accounts.conftest import PASSWORD, a_user, signed_in
from tests.accounts.office import at_the_desk, officer, sanctioned

pytestmark = pytest.mark.django_db


@pytest.fixture
def mira() -> User:
    return officer("Mira", Rank.MODERATOR)


@pytest.fixture
def milo() -> User:
    return officer("Milo", Rank.MODERATOR)


@pytest.fixture
def senior() -> User:
    return officer("Sena", Rank.SENIOR)


def test_who_is_shut_out_appeals_at_the_door_and_comes_in_when_it_is_granted(ada, mira, milo):
    sanction = sanctioned(ada, "suspension", mira)
    browser = Client()
    browser.post("/account/sign-in/", {"login": "Ada", "password": PASSWORD})

    answer = browser.post(f"/account/standing/{sanction.pk}/appeal/", {"text": "It was Boris."})
    assert answer.status_code == 303

    appeal = Appeal.objects.get()
    assert appeal.text == "It was Boris."
    desk = at_the_desk(milo)
    assert "Ada" in desk.get("/moderation/appeals/").content.decode()
    assert "It was Boris." in desk.get(f"/moderation/appeals/{appeal.pk}/").content.decode()
    decision = {"outcome": "lifted", "answer": "So it was.", "language": "en"}
    assert desk.post(f"/moderation/appeals/{appeal.pk}/", decision).status_code == 302

    assert "_auth_user_id" in signed_in("Ada").session
    assert "So it was." in signed_in("Ada").get("/account/standing/").content.decode()


def test_one_appeal_for_a_sanction(ada, at_home, mira):
    sanction = sanctioned(ada, "mute", mira)
    page = f"/account/standing/{sanction.pk}/appeal/"
    assert at_home.post(page, {"text": "No."}).status_code == 303

    answer = at_home.post(page, {"text": "No, no and no."})

    assert answer.status_code == 422
    assert "No, no and no." in answer.content.decode()
    assert Appeal.objects.get().text == "No."


def test_an_empty_or_endless_appeal_comes_back(ada, at_home, mira):
    sanction = sanctioned(ada, "mute", mira)
    for text in ("", "   ", "no " * 1000):
        answer = at_home.post(f"/account/standing/{sanction.pk}/appeal/", {"text": text})
        assert answer.status_code == 422
    assert not Appeal.objects.exists()


def test_against_a_note_another_s_or_one_that_is_over_there_is_none(ada, mira):
    note = sanctioned(ada, "note", mira)
    mute = sanctioned(ada, "mute", mira)
    boris = a_user("Boris")
    for user, sanction in ((ada, note), (boris, mute)):
        with pytest.raises(ModerationRefused) as refused:
            make_appeal(user=user, sanction_pk=sanction.pk, text="No.")
        assert refused.value.refusal == ModerationRefusal.NOT_APPEALABLE


def test_whoever_imposed_it_does_not_decide(ada, mira, milo):
    appeal = make_appeal(user=ada, sanction_pk=sanctioned(ada, "mute", mira).pk, text="No.")

    with pytest.raises(ModerationRefused) as refused:
        decide_appeal(actor=mira, appeal=appeal, outcome="upheld", answer="Yes.", language="en")
    assert refused.value.refusal == ModerationRefusal.OWN_SANCTION
    page = f"/moderation/appeals/{appeal.pk}/"
    form = {"outcome": "upheld", "answer": "Yes.", "language": "en"}
    assert at_the_desk(mira).post(page, form).status_code == 422
    assert 'name="outcome"' not in at_the_desk(mira).get(page).content.decode()
    assert 'name="outcome"' in at_the_desk(milo).get(page).content.decode()


@pytest.mark.parametrize("party", ["Ada", "Mira"])
def test_another_account_of_the_browser_of_a_party_does_not_decide(ada, mira, milo, party):
    sanction = sanctioned(ada, "mute", mira)
    appeal = make_appeal(user=ada, sanction_pk=sanction.pk, text="No.")
    device = new_device()
    for user in (User.objects.get(username=party), milo):
        note_signals(user=user, address="", device=device, now=timezone.now())

    with pytest.raises(ModerationRefused) as refused:
        decide_appeal(actor=milo, appeal=appeal, outcome="lifted", answer="Yes.", language="en")
    assert refused.value.refusal == ModerationRefusal.NOT_BELOW
    page = at_the_desk(milo).get(f"/moderation/appeals/{appeal.pk}/").content.decode()
    assert 'name="outcome"' not in page


def test_no_moderator_lifts_what_weighs_on_another_account_of_their_browser(ada, mira, milo):
    sanction = sanctioned(ada, "mute", mira)
    device = new_device()
    for user in (ada, milo):
        note_signals(user=user, address="", device=device, now=timezone.now())

    with pytest.raises(ModerationRefused) as refused:
        lift_sanction(actor=milo, sanction=sanction, reason="A friend of mine.")
    assert refused.value.refusal == ModerationRefusal.NOT_BELOW


def test_a_ban_is_not_for_a_mere_moderator_to_lift(ada, mira, senior):
    appeal = make_appeal(user=ada, sanction_pk=sanctioned(ada, "ban", senior).pk, text="No.")
    with pytest.raises(ModerationRefused):
        decide_appeal(actor=mira, appeal=appeal, outcome="lifted", answer="Yes.", language="en")
    other = officer("Sina", Rank.SENIOR)
    decide_appeal(actor=other, appeal=appeal, outcome="lifted", answer="Yes.", language="en")


def test_no_one_decides_about_an_equal_or_themselves(ada, senior, mira):
    sanction = sanctioned(mira, "mute", senior)
    appeal = make_appeal(user=mira, sanction_pk=sanction.pk, text="No.")
    for actor in (mira, officer("Milo", Rank.MODERATOR)):
        with pytest.raises(ModerationRefused):
            decide_appeal(
                actor=actor, appeal=appeal, outcome="lifted", answer="Yes.", language="en"
            )


def test_what_is_decided_stays_and_the_person_hears_of_it(ada, mira, milo):
    User.objects.filter(pk=ada.pk).update(language="it")
    appeal = make_appeal(user=ada, sanction_pk=sanctioned(ada, "mute", mira).pk, text="No.")
    outbox.send_due(timezone.now())
    mail.outbox.clear()

    decide_appeal(actor=milo, appeal=appeal, outcome="upheld", answer="Resta.", language="it")
    outbox.send_due(timezone.now())
    with pytest.raises(ModerationRefused) as refused:
        decide_appeal(actor=milo, appeal=appeal, outcome="lifted", answer="Ma no.", language="it")

    assert refused.value.refusal == ModerationRefusal.DECIDED
    assert ada.sanctions.get().lifted_at is None
    assert "Resta." in mail.outbox[0].body
    assert mail.outbox[0].extra_headers["Content-Language"] == "it"
    entry = AuditEntry.objects.filter(act="appeal_decide").get()
    assert entry.actor == milo and entry.about == ada and entry.data["outcome"] == "upheld"
