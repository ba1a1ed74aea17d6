"""The button "Register and take a seat": who registers or signs in on its way sits down."""

from datetime import timedelta

import pytest
from django.contrib.auth.hashers import make_password
from django.test import Client
from django.utils import timezone

from accounts.models import User
from games.models import Table, Terms, Visibility
from games.services import hosting, tables
from games.wording.refusals import Refusal
from tests.builders.tables import NAMES, fresh, gather, person

pytestmark = pytest.mark.django_db

PASSWORD = "a long way to Tipperary"
FOUND, FORBIDDEN = 302, 403


def open_table(**how: object) -> Table:
    chosen = {"edition": "en", "seats_wanted": 5, "visibility": Visibility.PUBLIC}
    date = how.pop("scheduled_at", None)
    terms = Terms(**chosen | how)
    return tables.open_table(host=person("Ada"), terms=terms, scheduled_at=date)


def way_to_seat(table: Table) -> str:
    return f"{table.get_absolute_url()}take-seat/"


def register(client: Client, table: Table, name: str = "Sofia"):
    form = {"username": name, "password1": PASSWORD, "next": way_to_seat(table)}
    return client.post("/account/register/", form)


def names_at(table: Table) -> list[str]:
    return [seat.name for seat in table.seats.order_by("number")]


def test_the_table_s_button_leads_through_registration_to_a_seat(client):
    table = open_table()
    assert (
        f"/account/register/?next={way_to_seat(table)}"
        in client.get(table.get_absolute_url()).content.decode()
    )
    page = client.get(f"/account/register/?next={way_to_seat(table)}").content.decode()
    assert f'name="next" value="{way_to_seat(table)}"' in page

    answer = register(client, table)

    assert names_at(table) == ["Ada", "Sofia"]
    assert answer.status_code == FOUND
    arrived = client.get(answer.headers["Location"])
    assert arrived.headers["Location"] == table.get_absolute_url()
    assert 'id="leave"' in client.get(table.get_absolute_url()).content.decode()


def test_registering_elsewhere_takes_no_seat(client):
    table = open_table()
    form = {"username": "Sofia", "password1": PASSWORD, "next": table.get_absolute_url()}
    client.post("/account/register/", form)

    assert User.objects.filter(username="Sofia").exists()
    assert names_at(table) == ["Ada"]


def test_a_link_alone_takes_no_seat(client):
    table = open_table()
    client.force_login(person("Boris"))

    answer = client.get(way_to_seat(table))

    assert answer.headers["Location"] == table.get_absolute_url()
    assert names_at(table) == ["Ada"]


def test_a_form_of_another_site_takes_no_seat():
    table = open_table()

    answer = register(Client(enforce_csrf_checks=True), table)

    assert answer.status_code == FORBIDDEN
    assert names_at(table) == ["Ada"]


def test_a_private_table_needs_its_invitation_first(client):
    table = open_table(visibility=Visibility.PRIVATE)
    register(client, table)
    assert names_at(table) == ["Ada"]

    invited = Client()
    invited.get(f"/tables/{table.code}/invitation/{table.invitation}/")
    register(invited, table, "Boris")
    assert names_at(table) == ["Ada", "Boris"]


def test_a_table_that_is_full_by_then_says_so(client):
    table = gather(NAMES[:5])

    answer = register(client, table)

    page = client.get(answer.headers["Location"], follow=True).content.decode()
    assert str(Refusal.FULL.label) in page
    assert len(names_at(table)) == 5


def test_who_was_removed_does_not_come_back_by_signing_in(client):
    table = open_table()
    user = person("Boris")
    user.set_password(PASSWORD)
    user.save()
    tables.join_table(table=table, user=user)
    hosting.kick(table=fresh(table), user=person("Ada"), number=1, name="Boris")

    form = {"login": "Boris", "password": PASSWORD, "next": way_to_seat(table)}
    answer = client.post("/account/sign-in/", form)

    page = client.get(answer.headers["Location"], follow=True).content.decode()
    assert str(Refusal.KICKED.label) in page
    assert names_at(table) == ["Ada"]


def test_at_a_table_for_a_date_the_visitor_is_still_asked(client):
    table = open_table(scheduled_at=timezone.now() + timedelta(days=2), seats_wanted=7)
    page = client.get(table.get_absolute_url()).content.decode()
    assert "Register and take a seat" not in page
    assert f"/account/register/?next={table.get_absolute_url()}" in page

    register(client, table)

    assert names_at(table) == ["Ada"]


def test_registration_tells_no_host_that_the_table_itself_does_not_tell(client):
    private = open_table(visibility=Visibility.PRIVATE)
    Table.objects.filter(pk=private.pk).update(password=make_password("sesame"))
    blind = open_table(is_blind=True)
    link = f"/tables/{private.code}/invitation/{private.invitation}/"
    told = {
        way: "Ada" in client.get("/account/register/", {"next": way}).content.decode()
        for way in (link, way_to_seat(private), f"{link[:-3]}x/", way_to_seat(blind), "/", "//x[")
    }
    assert [way for way, is_told in told.items() if is_told] == [link]
    assert "Ada" in client.get(link).content.decode()


# Guests -------------------------------------------------------------------------------------------


def as_guest(client: Client) -> User:
    client.post("/play/", {"name": "Gast"})
    return User.objects.get(pk=client.session["_auth_user_id"])


def keep(client: Client, table: Table):
    form = {"username": "Sofia", "password": PASSWORD, "next": way_to_seat(table)}
    return client.post("/account/keep/", form)


def test_a_guest_where_none_may_sit_is_led_through_registration_to_the_seat(client):
    table = open_table()
    guest = as_guest(client)
    page = client.get(table.get_absolute_url()).content.decode()
    assert f'href="/account/keep/?next={way_to_seat(table)}">Register and take a seat<' in page
    assert 'id="join"' not in page

    answer = keep(client, table)

    assert answer.headers["Location"] == way_to_seat(table)
    assert list(table.seats.values_list("user", flat=True)) == [table.host_id, guest.pk]
    assert not User.objects.get(pk=guest.pk).is_trial
    arrived = client.get(way_to_seat(table), follow=True)
    assert 'id="leave"' in arrived.content.decode()


def test_a_guest_is_led_to_registration_for_a_date_and_joins_where_guests_may_sit(client):
    ahead = open_table(scheduled_at=timezone.now() + timedelta(days=2))
    open_to_all = open_table(takes_guests=True, visibility=Visibility.UNLISTED)
    as_guest(client)

    page = client.get(ahead.get_absolute_url()).content.decode()
    assert f'href="/account/keep/?next={ahead.get_absolute_url()}">Register<' in page
    assert 'id="join"' not in page
    assert 'id="join"' in client.get(open_to_all.get_absolute_url()).content.decode()
