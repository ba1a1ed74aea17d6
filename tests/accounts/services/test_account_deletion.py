"""Exporting one's data, and closing an account: first for a grace period, then for good."""

import json
from datetime import timedelta
from time import monotonic

import pytest
from allauth.account.models import EmailAddress
from django.core import mail
from django.test import Client
from django.utils import timezone

from accounts.models import Export, NameChange, User
from accounts.services import exports
from accounts.services.account_deletion import erase_due_accounts
from accounts.services.exports import delete_old_exports
from accounts.services.names import change_name
from config.cache.circuit_breaker import FUSE
from games.models import GameAction, Pace, Seat, Table
from games.services import play
from games.services.deadlines import claim_due_games
from tests.accounts.conftest import PASSWORD, a_user, confirms, signed_in
from tests.builders.tables import fresh, gather, is_over, play_until, run_table, state_of
from tests.second_factor import SECRET, with_second_factor

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]

AFTER_GRACE = timedelta(days=15)


def asks(browser: Client, on_commit) -> Export | None:
    with on_commit(execute=True):
        browser.post("/account/export/")
    return Export.objects.first()


def closes(name: str) -> User:
    browser = confirms(signed_in(name))
    assert browser.post("/account/close/").status_code == 200
    return User.objects.get(username=name)


# Exporting data -----------------------------------------------------------------------------------


def test_all_that_is_kept_about_one_is_one_file(ada, at_home, django_capture_on_commit_callbacks):
    change_name(user=ada, name="Lovelace")
    with_second_factor(ada)

    export = asks(at_home, django_capture_on_commit_callbacks)
    link = next(line for line in mail.outbox[-1].body.splitlines() if line.startswith("http"))
    answer = at_home.get(link.removeprefix("http://testserver"))

    assert link == f"http://testserver/account/export/{export.code}/"
    assert "attachment" in answer.headers["Content-Disposition"]
    account = json.loads(answer.content)["account"]
    assert (account["username"], account["email"]) == ("Lovelace", "ada@example.com")
    assert [(change["old"], change["new"]) for change in account["name_changes"]] == [
        ("Ada", "Lovelace")
    ]
    assert len(account["sessions"]) == 1 and len(account["second_factors"]) == 1
    whole = answer.content.decode()
    for secret in (ada.password, SECRET, at_home.session.session_key):
        assert secret not in whole


def test_an_export_that_no_worker_will_write_can_be_asked_for_again(
    at_home, django_capture_on_commit_callbacks, monkeypatch
):
    with monkeypatch.context() as away:
        away.setattr(FUSE, "_tries_again_at", monotonic() + 60)
        asks(at_home, django_capture_on_commit_callbacks)
    assert "Please try again" in at_home.get("/account/export/").content.decode()

    assert asks(at_home, django_capture_on_commit_callbacks)
    assert "Until" in at_home.get("/account/export/").content.decode()


def test_one_s_own_moves_are_in_it_and_no_one_else_s():
    table = run_table(pace=Pace.DAILY)
    play_until(table, lambda state: state.round == 2)
    seat = table.seats.get(name="Ada")

    (game,) = exports.export_data_of(seat.user)["games"]

    own = GameAction.objects.filter(game=fresh(table).game, seat=seat.number)
    assert [move["number"] for move in game["moves"]] == list(
        own.order_by("number").values_list("number", flat=True)
    )
    assert game["table"] == table.code
    told = json.dumps(exports.export_data_of(seat.user), default=str)
    for hidden in (table.invitation, bytes(table.seed).hex(), '"role"', "contribution", "Boris"):
        assert hidden not in told, hidden


def test_no_one_else_can_fetch_it(ada, at_home, django_capture_on_commit_callbacks):
    export = asks(at_home, django_capture_on_commit_callbacks)
    path = f"/account/export/{export.code}/"
    a_user("Boris", is_staff=True, is_superuser=True)

    unknown = signed_in("Boris").get("/account/export/not-there/")
    assert signed_in("Boris").get(path).status_code == unknown.status_code == 404
    assert Client().get(path).headers["Location"].startswith("/account/sign-in/")
    assert at_home.get(path).status_code == 200
    assert at_home.get("/account/export/%00/").status_code == 404


def test_it_is_gone_after_a_week(ada, at_home, django_capture_on_commit_callbacks):
    export = asks(at_home, django_capture_on_commit_callbacks)
    Export.objects.update(expires_at=timezone.now() - timedelta(seconds=1))

    assert at_home.get(f"/account/export/{export.code}/").status_code == 404
    delete_old_exports(now=timezone.now())
    assert not Export.objects.exists()


def test_it_can_be_asked_for_once_a_day(ada, at_home, django_capture_on_commit_callbacks):
    asks(at_home, django_capture_on_commit_callbacks)
    asks(at_home, django_capture_on_commit_callbacks)
    assert Export.objects.count() == len(mail.outbox) == 1
    assert "in the last 24 hours" in at_home.get("/account/export/").content.decode()

    Export.objects.update(asked_at=timezone.now() - timedelta(days=2))
    asks(at_home, django_capture_on_commit_callbacks)
    assert Export.objects.count() == 2


def test_an_export_that_fails_is_told_and_may_be_asked_for_again_and_the_log_quotes_nothing(
    ada, at_home, django_capture_on_commit_callbacks, monkeypatch, caplog
):
    def fails(user):
        raise UnicodeEncodeError("utf-8", f"{user.email} \ud800", 16, 17, "not allowed")

    with monkeypatch.context() as broken:
        broken.setitem(exports._providers, "account", fails)
        export = asks(at_home, django_capture_on_commit_callbacks)
    page = at_home.get("/account/export/").content.decode()
    assert "We couldn’t prepare this file" in page and str(export.code) not in page
    assert at_home.get(f"/account/export/{export.code}/").status_code == 404
    assert "UnicodeEncodeError" in caplog.text and "ada@" not in caplog.text
    assert mail.outbox == []

    again = asks(at_home, django_capture_on_commit_callbacks)
    assert again != export
    assert at_home.get(f"/account/export/{again.code}/").status_code == 200


def test_an_export_whose_worker_was_lost_may_be_asked_for_again(ada, at_home, monkeypatch):
    at_home.post("/account/export/")
    assert "We’re preparing it" in at_home.get("/account/export/").content.decode()
    Export.objects.update(asked_at=timezone.now() - exports.PATIENCE)

    assert "We couldn’t prepare this file" in at_home.get("/account/export/").content.decode()
    at_home.post("/account/export/")
    assert Export.objects.count() == 2


def test_a_lone_surrogate_of_long_ago_stays_an_escape_in_the_export(
    ada, at_home, django_capture_on_commit_callbacks, monkeypatch
):
    monkeypatch.setitem(exports._providers, "account", lambda user: "Zoë \ud800")

    export = asks(at_home, django_capture_on_commit_callbacks)

    told = at_home.get(f"/account/export/{export.code}/").content.decode()
    assert "Zoë \\ud800" in told and json.loads(told)["account"] == "Zoë \ud800"


def test_without_an_address_it_is_on_the_page(django_capture_on_commit_callbacks):
    a_user("Boris")
    browser = signed_in("Boris")
    export = asks(browser, django_capture_on_commit_callbacks)

    assert mail.outbox == []
    assert f"/account/export/{export.code}/" in browser.get("/account/export/").content.decode()


# Closing an account -------------------------------------------------------------------------------


def test_leaving_asks_for_the_password(ada, at_home):
    answer = at_home.post("/account/close/")

    assert answer.headers["Location"].startswith("/account/confirm/")
    ada.refresh_from_db()
    assert ada.closes_at is None


def test_who_leaves_is_signed_out_everywhere_and_may_come_back(ada):
    phone = signed_in("Ada")
    gone = closes("Ada")

    assert timedelta(days=13) < gone.closes_at - timezone.now() < timedelta(days=15)
    assert phone.get("/account/").status_code == 302
    assert "will be deleted" in mail.outbox[-1].subject

    back = signed_in("Ada")
    assert "Your account won’t be deleted" in back.get("/account/").content.decode()
    assert erase_due_accounts(now=timezone.now() + AFTER_GRACE) == 0
    assert User.objects.filter(username="Ada").exists()


def test_a_wrong_password_takes_nothing_back(ada):
    closes("Ada")
    Client().post("/account/sign-in/", {"login": "Ada", "password": "wrong"})

    ada.refresh_from_db()
    assert ada.closes_at is not None


def test_after_the_grace_nothing_is_left_of_the_account(ada):
    change_name(user=ada, name="Lovelace")
    closes("Lovelace")

    assert erase_due_accounts(now=timezone.now() + timedelta(days=13)) == 0
    assert erase_due_accounts(now=timezone.now() + AFTER_GRACE) == 1

    for model in (User, EmailAddress, NameChange, Export):
        assert not model.objects.exists()
    answer = Client().post("/account/sign-in/", {"login": "Lovelace", "password": PASSWORD})
    assert answer.status_code == 200


def with_password(name: str) -> User:
    user = User.objects.get(username=name)
    user.set_password(PASSWORD)
    user.save()
    return user


def test_a_running_game_goes_on_without_a_name_and_no_one_waits():
    table = run_table(pace=Pace.UNTIMED, is_private=True)
    seat = table.seats.get(number=state_of(table).candidate)
    name, version = seat.name, fresh(table).version
    with_password(name)
    closes(name)

    assert erase_due_accounts(now=timezone.now() + AFTER_GRACE) == 1

    seat.refresh_from_db()
    assert (seat.user, seat.name) == (None, f"N. N. {seat.number + 1}")
    assert fresh(table).version > version
    assert seat.is_moved_for
    # An untimed table has no other clock than this one.
    assert fresh(table).game.wakes_at is not None
    length = fresh(table).game.length
    play.settle(table.pk, timezone.now() + timedelta(minutes=5))
    assert fresh(table).game.length == length + 1
    viewer = Client()
    viewer.get(f"{table.get_absolute_url()}invitation/{table.invitation}/")
    page = viewer.get(table.get_absolute_url())
    assert f"N. N. {seat.number + 1}" in page.content.decode()
    assert not claim_due_games(timezone.now() - timedelta(days=1))


def test_a_game_that_is_over_keeps_its_moves_and_loses_the_name():
    table = run_table()
    play_until(table, is_over)
    moves = fresh(table).game.actions.count()
    with_password("Ada")
    closes("Ada")

    erase_due_accounts(now=timezone.now() + AFTER_GRACE)

    assert fresh(table).game.actions.count() == moves
    assert not Seat.objects.filter(name="Ada").exists()
    record = Client().get(f"{table.get_absolute_url()}record/").content.decode()
    assert "Ada" not in record


def test_a_table_that_gathers_is_left():
    table = gather()
    host = with_password(table.host.username)
    closes(host.username)

    erase_due_accounts(now=timezone.now() + AFTER_GRACE)

    table = Table.objects.get(pk=table.pk)
    assert table.host_id not in (None, host.pk)
    assert not table.seats.filter(name=host.username).exists()


def test_one_account_that_cannot_go_keeps_no_other(ada, monkeypatch):
    from accounts.services import account_deletion

    a_user("Boris")
    User.objects.update(closes_at=timezone.now())

    def breaks(user: User) -> None:
        if user.pk == ada.pk:
            raise RuntimeError

    monkeypatch.setattr(account_deletion, "_departures", [breaks])

    assert erase_due_accounts(now=timezone.now() + timedelta(minutes=1)) == 1
    assert list(User.objects.all()) == [ada]
