"""Django's admin looks after accounts and rights, and shows no game."""

import pytest
from allauth.account.models import EmailAddress
from django.contrib.auth.models import Permission

from accounts.models import AuditEntry
from games.models import Table
from tests.builders.person import Person
from tests.builders.tables import (
    gather,
    person,
    run_table,
)
from tests.second_factor import with_second_factor


def root(table: Table, name: str = "Root") -> Person:
    user = person(name)
    user.is_staff = user.is_superuser = True
    user.save()
    return Person(with_second_factor(user), table)


def staff(table: Table, *rights: str) -> Person:
    user = person("Stan", is_staff=True)
    user.user_permissions.set(Permission.objects.filter(codename__in=rights))
    return Person(with_second_factor(user), table)


LOOKS_AFTER = ("view_user", "change_user", "add_user", "delete_user", "view_group", "change_group")


def test_who_looks_after_accounts_gives_themselves_no_right(db):
    table = gather()
    stan = staff(table, *LOOKS_AFTER)
    path = f"/admin/accounts/user/{stan.user.pk}/change/"
    page = stan.get(path)
    assert page.status_code == 200
    assert 'name="is_superuser"' not in page.content.decode()

    rights = [p.pk for p in Permission.objects.filter(codename="remove_message")]
    form = {
        "username": "Stan", "language": "pl", "is_active": "on", "is_superuser": "on",
        "user_permissions": rights, "date_joined_0": "2026-01-01", "date_joined_1": "00:00:00",
    }  # fmt: skip
    assert stan.post(path, form).status_code == 302

    user = type(stan.user).objects.get(pk=stan.user.pk)
    assert user.language == "pl"
    assert not user.is_superuser and not user.has_perm("games.remove_message")


def test_who_looks_after_accounts_does_not_become_one_with_rights(db):
    table = gather()
    stan = staff(table, *LOOKS_AFTER)
    mira = person("Mira")
    mira.user_permissions.add(Permission.objects.get(codename="remove_message"))
    player = person("Ewa")

    for user, status in ((mira, 403), (root(table).user, 403), (player, 200)):
        assert stan.get(f"/admin/accounts/user/{user.pk}/password/").status_code == status
        posted = stan.post(f"/admin/accounts/user/{user.pk}/change/", {"username": "x"})
        assert posted.status_code == status
        assert stan.get(f"/admin/accounts/user/{user.pk}/delete/").status_code == status


@pytest.mark.parametrize("name", ["ADA", "Ａｄａ", "Ada\u3164", "a" * 30])
def test_the_admin_makes_no_name_that_the_site_s_own_door_would_refuse(db, name):
    table = gather()
    viewer = root(table)
    before = type(viewer.user).objects.count()

    answer = viewer.post(
        "/admin/accounts/user/add/",
        {"username": name, "password1": "a long way 77", "password2": "a long way 77",
         "usable_password": "true"},
    )  # fmt: skip

    assert answer.status_code == 200
    assert "errorlist" in answer.content.decode()
    assert type(viewer.user).objects.count() == before


def test_the_admin_s_door_takes_no_passwords_from_who_is_in_already(db):
    table = gather()
    answer = root(table).post("/admin/login/", {"username": "Ada", "password": "guess"})
    assert answer.status_code == 302
    assert answer.headers["Location"] == "/admin/"


# The audit log, and deletion ----------------------------------------------------------------------


def test_what_is_changed_in_the_admin_stands_in_the_audit(db):
    table = gather()
    stan = staff(table, *LOOKS_AFTER)
    path = f"/admin/accounts/user/{stan.user.pk}/change/"
    form = {"username": "Stan", "language": "pl", "is_active": "on",
            "date_joined_0": "2026-01-01", "date_joined_1": "00:00:00"}  # fmt: skip

    assert stan.post(path, form).status_code == 302

    (entry,) = AuditEntry.objects.filter(act="admin_change_user")
    assert (entry.actor_id, entry.about_id) == (stan.user.pk, stan.user.pk)


def test_an_account_that_the_admin_deletes_leaves_its_seats_to_no_one(db):
    table = run_table()
    viewer, dario = root(table), person("Dario")

    answer = viewer.post(f"/admin/accounts/user/{dario.pk}/delete/", {"post": "yes"})

    assert answer.status_code == 302
    seat = table.seats.get(number=3)
    assert seat.user is None and "Dario" not in seat.name
    assert AuditEntry.objects.filter(act="admin_delete_user").exists()


def test_who_looks_after_addresses_does_not_touch_those_of_an_office(db):
    table = gather()
    stan = staff(table, "view_emailaddress", "change_emailaddress", "delete_emailaddress")
    boss = EmailAddress.objects.create(user=root(table).user, email="root@example.org")
    path = f"/admin/account/emailaddress/{boss.pk}"
    assert stan.post(f"{path}/change/", {"email": "stan@example.org"}).status_code == 403
    assert stan.post(f"{path}/delete/", {"post": "yes"}).status_code == 403
