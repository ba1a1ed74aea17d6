"""Django's admin searches and reads; of a running game it shows what a spectator sees."""

import base64
from collections.abc import Iterator

import pytest
from allauth.account.models import EmailAddress
from django.contrib import admin
from django.contrib.admin.models import LogEntry
from django.contrib.auth.models import Permission
from django.db import connection, models
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from accounts.models import AuditEntry, Sanction
from accounts.services.audit import write_audit
from games.models import CardInspection, Game, GameAction, Ruling, Seat, Table
from games.rules.phases import Phase
from games.services import tables
from tests.builders.person import Person
from tests.builders.tables import (
    gather,
    in_phase,
    is_over,
    person,
    play_until,
    run_table,
)
from tests.second_factor import with_second_factor

GAME_MODELS = ("table", "gameaction", "cardinspection", "ruling")


def root(table: Table, name: str = "Root") -> Person:
    user = person(name)
    user.is_staff = user.is_superuser = True
    user.save()
    return Person(with_second_factor(user), table)


def staff(table: Table, *rights: str) -> Person:
    user = person("Stan", is_staff=True)
    user.user_permissions.set(Permission.objects.filter(codename__in=rights))
    return Person(with_second_factor(user), table)


def pages(viewer: Person, table: Table) -> Iterator[tuple[str, object]]:
    """Yield every admin page that could show something of this game."""
    game = Game.objects.filter(table=table).first()
    action = game.actions.first() if game else None
    seat = table.seats.first()
    paths = [
        "/admin/",
        "/admin/games/",
        *(f"/admin/games/{model}/" for model in GAME_MODELS),
        *(f"/admin/games/{model}/?q={table.code}" for model in GAME_MODELS),
        *(f"/admin/games/table/{table.pk}/{page}/" for page in ("change", "history", "delete")),
        f"/admin/accounts/user/{seat.user_id}/change/",
        f"/admin/accounts/user/{seat.user_id}/history/",
        f"/admin/accounts/user/{seat.user_id}/delete/",
    ]
    if action:
        paths += [f"/admin/games/gameaction/{action.pk}/{p}/" for p in ("change", "history")]
    for path in paths:
        yield path, viewer.get(path, follow=True)


def break_the_glass(table: Table, moderator: Person) -> CardInspection:
    return CardInspection.objects.create(
        table=table,
        moderator=moderator.user,
        reason="somebody <b>complained</b>",
        length=1,
        round=1,
        at=timezone.now(),
        key=f"key {CardInspection.objects.count()}",
    )


def test_neither_seed_nor_invitation_nor_actions_are_anywhere(db):
    table = run_table(is_private=True)
    play_until(table, in_phase(Phase.PRESIDENT_DISCARDS))
    viewer = root(table, "Ada")
    seed = bytes(table.seed)
    secrets = [seed.hex(), base64.b64encode(seed).decode(), repr(seed)[2:-1], table.invitation]
    secrets += list(table.seats.values_list("contribution", flat=True))

    for path, answer in pages(viewer, table):
        html = answer.content.decode()
        assert not [secret for secret in secrets if secret in html], path
        assert "nominate" not in html, path


@pytest.mark.parametrize(
    "query",
    [
        "seed__gte=a",
        "seed=a",
        "invitation__startswith=a",
        "version__gt=3",
        "seats__contribution__startswith=0",
        "game__actions__action__contains=nominate",
        "game__length__gt=3",
        "stage__regex=^r",
    ],
)
@pytest.mark.parametrize("model", GAME_MODELS)
def test_a_hidden_field_cannot_be_asked_bit_by_bit(db, model, query):
    table = run_table()
    viewer = root(table)
    offered = model == "table" and query.startswith("stage")

    assert viewer.get(f"/admin/games/{model}/?{query}").status_code == (200 if offered else 400)


def test_games_that_are_over_may_be_read_and_running_ones_may_not(db):
    over, running = run_table(), run_table([f"{name}2" for name in "ABCDE"])
    play_until(over, is_over)
    play_until(running, lambda state: state.round == 3)
    viewer = root(over)

    listed = viewer.get("/admin/games/gameaction/").content.decode()

    assert over.code in listed and running.code not in listed
    assert "nominate" in listed
    found = viewer.get(f"/admin/games/gameaction/?q={running.code}").content.decode()
    assert "nominate" not in found


def test_tables_are_found_by_code_host_and_whoever_sits_there(db):
    table, other = run_table(), run_table([f"{name}2" for name in "ABCDE"])
    viewer = root(table)

    for asked in (table.code, "Ada", "Ewa"):
        html = viewer.get(f"/admin/games/table/?q={asked}").content.decode()
        assert table.code in html and other.code not in html
        assert "5/5" in html


def test_longer_lists_take_no_more_statements(db):
    tables = [run_table([f"{name}{i}" for name in "ABCDE"]) for i in range(2)]
    viewer = root(tables[0])
    paths = [*(f"games/{model}" for model in GAME_MODELS), "accounts/user"]

    def statements() -> dict[str, int]:
        for table in tables:
            break_the_glass(table, viewer)
        counted = {}
        for path in paths:
            with CaptureQueriesContext(connection) as queries:
                assert viewer.get(f"/admin/{path}/").status_code == 200
            counted[path] = len(queries)
        return counted

    play_until(tables[0], is_over)
    # The first count includes the statements of signing in.
    statements()
    few = statements()
    for i in range(2, 8):
        tables.append(run_table([f"{name}{i}" for name in "ABCDE"]))
        play_until(tables[-1], is_over)
    assert statements() == few


def test_reading_leaves_nothing_in_the_admin_s_own_log(db):
    table = run_table()
    for _ in pages(root(table), table):
        pass
    assert not LogEntry.objects.exists()


def test_no_model_of_the_game_can_be_changed_by_way_of_the_admin(db, rf):
    request = rf.get("/")
    request.user = root(run_table()).user
    ours = {model: site for model, site in admin.site._registry.items() if "games" in str(model)}
    assert set(ours) == {Table, GameAction, CardInspection, Ruling}
    for site in ours.values():
        inlines = site.get_inline_instances(request)
        for page in (site, *inlines):
            assert not page.has_add_permission(request, None)
            assert not page.has_change_permission(request)
            assert not page.has_delete_permission(request)
        assert not site.get_actions(request)
    assert {page.model for page in ours[Table].get_inline_instances(request)} <= {Seat}
    assert not any(isinstance(field, models.BinaryField) for field in CardInspection._meta.fields)


def test_who_plays_at_a_table_does_not_read_in_the_admin_that_a_moderator_looked(db):
    table, other = run_table(), run_table([f"{name}2" for name in "ABCDE"])
    mira = Person(person("Mira"), table)
    looks = [break_the_glass(table, mira), break_the_glass(other, mira)]
    ada = root(table, "Ada")

    html = ada.get("/admin/games/cardinspection/").content.decode()
    assert other.code in html and table.code not in html
    assert "<bdi>somebody &lt;b&gt;complained&lt;/b&gt;</bdi>" in html
    assert ada.get(f"/admin/games/cardinspection/{looks[0].pk}/change/").status_code == 302

    play_until(table, is_over)
    assert table.code in ada.get("/admin/games/cardinspection/").content.decode()


# Accounts -----------------------------------------------------------------------------------------

LOOKS_AFTER = ("view_user", "change_user", "add_user", "delete_user", "view_group", "change_group")


def test_who_looks_after_accounts_gives_themselves_no_right(db):
    table = gather()
    stan = staff(table, *LOOKS_AFTER)
    path = f"/admin/accounts/user/{stan.user.pk}/change/"
    page = stan.get(path)
    assert page.status_code == 200
    assert 'name="is_superuser"' not in page.content.decode()

    rights = [p.pk for p in Permission.objects.filter(codename="break_glass")]
    form = {
        "username": "Stan", "language": "pl", "is_active": "on", "is_superuser": "on",
        "user_permissions": rights, "date_joined_0": "2026-01-01", "date_joined_1": "00:00:00",
    }  # fmt: skip
    assert stan.post(path, form).status_code == 302

    user = type(stan.user).objects.get(pk=stan.user.pk)
    assert user.language == "pl"
    assert not user.is_superuser and not user.has_perm("games.break_glass")


def test_who_looks_after_accounts_does_not_become_one_with_rights(db):
    table = gather()
    stan = staff(table, *LOOKS_AFTER)
    mira = person("Mira")
    mira.user_permissions.add(Permission.objects.get(codename="break_glass"))
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


def test_sanctions_and_the_audit_are_read_in_the_admin_and_never_written(db):
    viewer = root(gather())
    entry = write_audit(actor=None, act="a_beginning")
    sanction = Sanction.objects.create(
        user=person("Ewa"), kind="note", reason="rude", language="en", at=timezone.now()
    )
    for model, pk in (("auditentry", entry.pk), ("sanction", sanction.pk)):
        path = f"/admin/accounts/{model}/"
        assert viewer.get(f"{path}?q=a_beginning").status_code == 200
        assert viewer.get(f"{path}{pk}/change/").status_code == 200
        assert viewer.post(f"{path}{pk}/change/", {"reason": "x"}).status_code == 403
        assert viewer.post(f"{path}{pk}/delete/", {"post": "yes"}).status_code == 403
        assert viewer.get(f"{path}add/").status_code == 403


def test_an_account_that_the_admin_deletes_leaves_its_seats_to_no_one(db):
    table = run_table()
    viewer, dario = root(table), person("Dario")

    answer = viewer.post(f"/admin/accounts/user/{dario.pk}/delete/", {"post": "yes"})

    assert answer.status_code == 302
    seat = table.seats.get(number=3)
    assert seat.user is None and "Dario" not in seat.name
    assert AuditEntry.objects.filter(act="admin_delete_user").exists()


def test_a_table_that_never_began_may_be_deleted_and_a_game_may_not(db):
    running, closed = run_table(), gather([f"{name}2" for name in "ABCDE"])
    tables.close_table(table=closed, user=closed.host)
    viewer = root(running)
    form = {"post": "yes"}

    assert viewer.post(f"/admin/games/table/{running.pk}/delete/", form).status_code == 403
    assert viewer.post(f"/admin/games/table/{closed.pk}/delete/", form).status_code == 302

    assert list(Table.objects.all()) == [running]
    assert AuditEntry.objects.filter(act="admin_delete_table", table=closed.code).exists()


def test_who_looks_after_addresses_does_not_touch_those_of_an_office(db):
    table = gather()
    stan = staff(table, "view_emailaddress", "change_emailaddress", "delete_emailaddress")
    boss = EmailAddress.objects.create(user=root(table).user, email="root@example.org")
    path = f"/admin/account/emailaddress/{boss.pk}"
    assert stan.post(f"{path}/change/", {"email": "stan@example.org"}).status_code == 403
    assert stan.post(f"{path}/delete/", {"post": "yes"}).status_code == 403
