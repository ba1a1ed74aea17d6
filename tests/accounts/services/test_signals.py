"""Signals: they hint that two accounts are one person, reveal nothing else, and are deleted."""

from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from accounts.auth.roles import Rank
from accounts.models import Signal, SignalKey
from accounts.moderation.refusals import ModerationRefused
from accounts.services.account_deletion import erase_account
from accounts.services.appeals import make_appeal, may_decide
from accounts.services.exports import export_data_of
from accounts.services.sanctions import lift_sanction
from accounts.services.signals import (
    delete_old_signals,
    new_device,
    note_signals,
    shared_signals,
    signal_matches_of,
)
from accounts.tasks import sweep_accounts
from tests.accounts.conftest import PASSWORD, a_user
from tests.accounts.office import at_the_desk, officer, sanctioned

pytestmark = pytest.mark.django_db


def come_in(name: str, browser: Client | None = None, address: str = "203.0.113.7") -> Client:
    browser = browser or Client()
    answer = browser.post(
        "/account/sign-in/", {"login": name, "password": PASSWORD}, REMOTE_ADDR=address
    )
    assert answer.status_code == 302
    return browser


def test_one_browser_and_one_network_are_hints_on_the_page_of_either(ada):
    boris, chika, dario = (a_user(name) for name in ("Boris", "Chika", "Dario"))
    browser = come_in("Ada")
    browser.post("/account/sign-out/")
    come_in("Boris", browser, address="198.51.100.1")
    come_in("Chika")
    come_in("Dario", address="198.51.100.2")

    # Ada and Boris share a browser, Ada and Chika a network, Dario nothing.
    assert [(hint.user, hint.devices, hint.addresses) for hint in signal_matches_of(ada)] == [
        (boris, 1, 0),
        (chika, 0, 1),
    ]
    assert signal_matches_of(dario) == []
    desk = at_the_desk(officer("Mira", Rank.MODERATOR))
    page = desk.get(f"/moderation/people/{ada.pk}/").content.decode()
    assert "Boris" in page and "Chika" in page and "Dario" not in page


def test_a_hint_does_nothing_by_itself(ada):
    boris = a_user("Boris")
    browser = come_in("Ada")
    browser.post("/account/sign-out/")
    come_in("Boris", browser)
    assert not boris.sanctions.exists() and not ada.sanctions.exists()


def test_nothing_that_is_kept_tells_an_address(ada):
    come_in("Ada")
    kept = str(list(Signal.objects.values())) + str(list(SignalKey.objects.values()))
    assert Signal.objects.count() == 2
    assert "203.0.113" not in kept


def test_the_key_changes_and_the_same_address_looks_different(ada):
    now = timezone.now()
    for days in (0, 31):
        note_signals(user=ada, address="203.0.113.7", device="", now=now + timedelta(days=days))
    digests = set(Signal.objects.values_list("digest", flat=True))
    assert SignalKey.objects.count() == 2 and len(digests) == 2


def test_the_site_s_own_key_is_needed_too(ada, settings):
    now = timezone.now()
    note_signals(user=ada, address="203.0.113.7", device="", now=now)
    settings.SECRET_KEY = "another"
    note_signals(user=ada, address="203.0.113.7", device="", now=now)
    assert Signal.objects.count() == 2


def test_with_a_key_everything_goes_that_was_made_by_it(ada):
    come_in("Ada")
    sweep_accounts()
    assert Signal.objects.exists()
    delete_old_signals(now=timezone.now() + timedelta(days=91))
    assert not Signal.objects.exists() and not SignalKey.objects.exists()


def test_a_cookie_of_nonsense_is_taken_for_none(ada):
    browser = Client()
    browser.cookies["device"] = "x" * 5000
    come_in("Ada", browser)
    assert len(browser.cookies["device"].value) == 22
    assert browser.cookies["device"]["httponly"] and browser.cookies["device"]["samesite"] == "Lax"


def test_one_browser_is_one_signal_even_under_two_keys(ada):
    boris, device, now = a_user("Boris"), new_device(), timezone.now()
    for user in (ada, boris):
        for days in (0, 31):
            note_signals(user=user, address="", device=device, now=now + timedelta(days=days))

    assert [(hint.user, hint.devices) for hint in signal_matches_of(ada)] == [(boris, 1)]


def test_moderators_cannot_lift_a_sanction_of_their_second_account(ada):
    mira, olaf = (officer(name, Rank.MODERATOR) for name in ("Mira", "Olaf"))
    device = new_device()
    for user in (ada, mira):
        note_signals(user=user, address="", device=device, now=timezone.now())
    sanction = sanctioned(ada, "mute", olaf)
    make_appeal(user=ada, sanction_pk=sanction.pk, text="It was not me.")

    assert not may_decide(actor=mira, sanction=sanction)
    with pytest.raises(ModerationRefused):
        lift_sanction(actor=mira, sanction=sanction, reason="Why not")
    assert may_decide(actor=officer("Sena", Rank.SENIOR), sanction=sanction)


def test_signals_are_exported_without_their_digests_and_go_with_the_account(ada):
    come_in("Ada")
    kept = export_data_of(ada)["sign_in_signals"]
    assert [each["kind"] for each in kept] == ["address", "device"]
    assert set(kept[0]) == {"kind", "first_at", "last_at"}

    erase_account(user=ada)
    assert not Signal.objects.exists()


def test_a_session_notes_its_browser_once(ada, django_assert_num_queries):
    browser = come_in("Ada")
    signals = Signal.objects.count()
    for _ in range(2):
        browser.post("/games/quick/")
    assert Signal.objects.count() == signals
    session = str(dict(browser.session))
    assert "203.0.113" not in session and browser.cookies["device"].value not in session


def test_an_address_matches_one_that_was_noted_under_an_older_key_and_counts_once(ada):
    boris, now = a_user("Boris"), timezone.now()
    for user, days in ((ada, 0), (boris, 35), (ada, 40)):
        at = now + timedelta(days=days)
        note_signals(user=user, address="203.0.113.7", device="", now=at)

    assert [(hint.user, hint.addresses) for hint in signal_matches_of(ada)] == [(boris, 1)]
    assert shared_signals([ada.pk, boris.pk]) == {(ada.pk, boris.pk): {"address": 1}}
