"""Playing as a guest, and keeping what one has played."""

import re
from datetime import timedelta

import pytest
from allauth.usersessions.models import UserSession
from django.test import Client
from django.utils import timezone

from accounts.models import User
from accounts.services.bots import create_bot
from accounts.services.trials import erase_idle_trials
from accounts.tasks import sweep_accounts
from accounts.throttling import limits
from games.models import Kick, Sat, Seat, Table, Terms, Visibility
from games.services import chat, guests, tables
from games.wording.refusals import Refusal, Refused
from tests.builders.tables import fresh, person
from tests.second_factor import with_second_factor

SEE_OTHER, REFUSED, TOO_MANY = 303, 422, 429
PASSWORD = "a long way to Tipperary"

pytestmark = pytest.mark.django_db


def as_guest(client: Client, name: str = "", **more: str) -> User:
    """Press "Play now", and return the new account."""
    answer = client.post("/play/", {"name": name}, **more)
    assert answer.status_code == SEE_OTHER
    return User.objects.get(pk=client.session["_auth_user_id"])


def open_table(**terms: object) -> Table:
    chosen = {"edition": "en", "seats_wanted": 5, "visibility": Visibility.PRIVATE} | terms
    return tables.open_table(host=person("Ada"), terms=Terms(**chosen))


def follow_invitation(client: Client, table: Table) -> None:
    client.get(f"/tables/{table.code}/invitation/{table.invitation}/")


# At once ------------------------------------------------------------------------------------------


def test_one_press_on_the_front_page_deals_a_game_with_bots(client):
    assert "/play/" in client.get("/").content.decode()

    answer = client.post("/play/", {"name": "Sofia"}, follow=True)

    table = Table.objects.get()
    assert answer.redirect_chain[-1][0] == table.get_absolute_url()
    assert table.seats.get(user__isnull=False).name == "Sofia"
    assert table.seats.filter(user=None).count() == 6
    header = answer.content.decode().split("</header>")[0]
    # A guest may also have an account.
    for path, words in (("keep", "Register"), ("sign-in", "Sign in")):
        assert re.search(rf'href="/account/{path}/\?next=[^"#]+"[^>]*>{words}<', header)
    assert 'title="Your seat and your games stay yours."' in header
    assert 'href="/account/sign-in/"' in client.get("/account/keep/").content.decode()


@pytest.mark.parametrize("name", ["x", "Ada", "Robo [bot]", "a" * 200])
def test_a_name_that_no_one_may_have_is_refused_and_stays_in_the_form(client, name):
    person("Ada")
    answer = client.post("/play/", {"name": name})

    assert answer.status_code == REFUSED
    assert f'value="{name}"' in answer.content.decode()
    assert User.objects.filter(is_trial=True).count() == 0


def test_a_signed_in_user_plays_under_the_own_account(client):
    client.force_login(person("Ada"))
    client.post("/play/", {"name": "Sofia"})

    assert Seat.objects.get(user__isnull=False).user == person("Ada")


def test_an_address_makes_a_limited_number_of_guests(client, settings):
    limits.forget_all()
    settings.LIMITS = settings.LIMITS | {"creations": "2/hour"}
    for number in range(2):
        as_guest(Client(REMOTE_ADDR="192.0.2.7"), f"Zosia{number}")

    answer = Client(REMOTE_ADDR="192.0.2.7").post("/play/", {"name": "Sofia"})
    assert answer.status_code == TOO_MANY
    as_guest(Client(REMOTE_ADDR="192.0.2.8"), "Sofia")


# What a guest may do ------------------------------------------------------------------------------


def test_a_guest_says_phrases_but_types_nothing(client):
    guest = as_guest(client)
    table = Table.objects.get()
    with pytest.raises(Refused) as refused:
        chat.say(table=table, user=guest, text="hello", place="table", key="k")
    assert refused.value.refusal == Refusal.GUEST_PHRASES

    page = client.get(table.get_absolute_url()).content.decode()
    assert "may-write" not in page
    assert "As a guest you use phrases and claims." in page


@pytest.mark.parametrize("path", ["/tables/new/", "/account/bots/", "/account/password/new/"])
def test_pages_for_registered_users_lead_a_guest_to_registration(client, path):
    as_guest(client)
    assert client.get(path).headers["Location"] == "/account/keep/"


def test_a_guest_takes_a_seat_where_the_host_allows_guests_and_nowhere_else(client):
    guest = as_guest(client)
    for table in (open_table(visibility=Visibility.PUBLIC), open_table()):
        with pytest.raises(Refused) as refused:
            tables.join_table(table=table, user=guest)
        assert refused.value.refusal == Refusal.NO_GUESTS

    tables.join_table(table=open_table(takes_guests=True), user=guest)


def test_the_opening_form_allows_guests_at_no_public_table(client):
    client.force_login(person("Ada"))
    for visibility in Visibility.values:
        client.post(
            "/tables/new/",
            {"edition": "en", "seats_wanted": 5, "least_seats": 5, "pace": "normal"}
            | {"visibility": visibility, "takes_guests": "on"},
        )
    takes_guests = dict(Table.objects.values_list("visibility", "takes_guests"))
    assert takes_guests == {"public": False, "unlisted": True, "private": True}


def test_a_host_who_lets_guests_in_gets_them_although_tables_are_rated_at_first(client):
    client.force_login(person("Ada"))
    client.post(
        "/tables/new/",
        {"edition": "en", "seats_wanted": 5, "least_seats": 5, "pace": "normal"}
        | {"visibility": "private", "takes_guests": "on", "is_rated": "on"},
    )
    table = Table.objects.get()
    visitor = Client()
    follow_invitation(visitor, table)

    assert not table.is_rated
    assert "Play as a guest" in visitor.get(table.get_absolute_url()).content.decode()


def test_an_invited_stranger_sits_down_as_a_guest(client):
    table = open_table(takes_guests=True)
    follow_invitation(client, table)
    assert "Play as a guest" in client.get(table.get_absolute_url()).content.decode()

    answer = client.post(f"/tables/{table.code}/guest/", {"name": "Sofia"}, follow=True)

    assert answer.status_code == 200
    assert [seat.name for seat in table.seats.all()] == ["Ada", "Sofia"]
    assert fresh(table).seats.get(name="Sofia").user.is_trial


def test_a_messenger_s_preview_sees_a_page_and_a_browser_goes_on_to_the_table(client):
    table = open_table(takes_guests=True)
    path = f"/tables/{table.code}/invitation/{table.invitation}/"

    preview = client.get(path)
    assert preview.status_code == 200
    assert 'property="og:title"' in preview.content.decode()
    assert preview.headers["Refresh"] == f"0; url=/tables/{table.code}/"
    assert client.get(f"/tables/{table.code}/").status_code == 200
    assert client.get(path).headers["Location"] == f"/tables/{table.code}/"


def registered(name: str) -> User:
    user = person(name)
    user.set_password(PASSWORD)
    user.save()
    return user


def signs_in(client: Client, name: str, password: str = PASSWORD, back: str = "/"):
    form = {"login": name, "password": password}
    return client.post(f"/account/sign-in/?next={back}", form)


def test_a_guest_stays_a_guest_until_the_password_is_right_and_then_hands_over_the_seat(client):
    table = open_table(takes_guests=True)
    follow_invitation(client, table)
    path = f"/tables/{table.code}/"
    client.post(f"{path}guest/", {"name": "Sofia"})
    boris = registered("Boris")

    page = client.get(f"/account/keep/?next={path}").content.decode()
    assert f"/account/sign-in/?next={path}" in page
    assert client.get(f"/account/sign-in/?next={path}").status_code == 200
    signs_in(client, "Boris", "wrong", path)
    assert fresh(table).seats.get(name="Sofia").user.is_trial
    assert client.session["_auth_user_id"] == str(User.objects.get(username="Sofia").pk)

    answer = signs_in(client, "Boris", back=path)

    assert answer.headers["Location"] == path
    assert [(seat.user.username, seat.name) for seat in fresh(table).seats.all()] == [
        *(("Ada", "Ada"), ("Boris", "Boris"))
    ]
    assert client.get(path).status_code == 200
    assert Sat.objects.filter(table=table, user=boris).exists()


def test_a_guest_who_signs_in_plays_on_in_the_seat_of_a_running_game(client):
    guest = as_guest(client, "Sofia")
    table = Table.objects.get()
    boris = registered("Boris")

    signs_in(client, "Boris")

    assert not table.seats.filter(user=guest).exists()
    assert table.seats.get(user=boris).name == "Sofia"


def test_a_guest_s_seat_is_freed_where_the_account_may_not_sit(client):
    table = open_table(takes_guests=True)
    follow_invitation(client, table)
    client.post(f"/tables/{table.code}/guest/", {"name": "Sofia"})
    Kick.objects.create(table=table, user=registered("Boris"))

    signs_in(client, "Boris")

    assert [seat.name for seat in fresh(table).seats.all()] == ["Ada"]


def test_signing_out_of_an_account_forgets_invitations(client):
    table = open_table()
    client.force_login(person("Boris"))
    follow_invitation(client, table)

    client.post("/account/sign-out/", {"next": "/"})
    client.force_login(person("Chika"))

    assert client.get(f"/tables/{table.code}/").status_code == 404


def guest_at(client: Client, **terms: object) -> Table:
    """Return a table at which the client has sat down as the guest Sofia, after the host Ada."""
    table = open_table(takes_guests=True, **terms)
    follow_invitation(client, table)
    client.post(f"/tables/{table.code}/guest/", {"name": "Sofia"})
    assert table.seats.filter(name="Sofia").exists()
    return table


def test_a_guest_signs_in_with_a_second_factor_too(client):
    guest_at(client)
    with_second_factor(registered("Boris"))

    assert signs_in(client, "Boris").headers["Location"].startswith("/account/sign-in/second-fac")
    assert client.get("/account/sign-in/second-factor/").status_code == 200


def test_an_error_in_the_hand_over_costs_no_sign_in(client, monkeypatch):
    guest_at(client)
    boris = registered("Boris")
    monkeypatch.setattr(guests, "lock_gathering_table", lambda *_, **__: 1 / 0)

    signs_in(client, "Boris")

    assert client.session["_auth_user_id"] == str(boris.pk)


def test_a_guest_who_signs_in_while_the_cards_are_dealt_keeps_the_seat(client):
    table = guest_at(client)
    boris = registered("Boris")
    Table.objects.filter(pk=table.pk).update(stage=Table.Stage.SEALING)

    signs_in(client, "Boris")

    assert table.seats.get(user=boris).name == "Sofia"


def test_a_guest_does_not_become_a_second_account_at_the_table(client):
    table = guest_at(client, takes_programs=True)
    bot, _ = create_bot(owner=registered("Boris"), name="Robo")
    tables.join_table(table=fresh(table), user=bot.user)

    signs_in(client, "Boris")

    assert [seat.name for seat in fresh(table).seats.all()] == ["Ada", "Robo [bot]"]


def test_names_stay_unique_and_who_leaves_may_come_back(client):
    table = guest_at(client)
    tables.fill_with_bots(table=table, user=person("Ada"))
    bot = table.seats.filter(user=None).first()
    user = registered(bot.name)

    signs_in(client, bot.name)

    names = [seat.name for seat in fresh(table).seats.all()]
    assert names[1] == user.username and len(set(names)) == len(names)
    tables.leave_table(table=table, user=user)
    tables.join_table(table=table, user=user)


# Keeping the account ------------------------------------------------------------------------------


def test_a_guest_who_chooses_a_password_keeps_seat_and_games(client):
    guest = as_guest(client, "Sofia")
    table = Table.objects.get()

    answer = client.post(
        "/account/keep/",
        {"username": "Zofia", "password": PASSWORD, "next": table.get_absolute_url()},
    )

    assert (answer.status_code, answer.headers["Location"]) == (303, table.get_absolute_url())
    guest.refresh_from_db()
    assert (guest.username, guest.is_trial) == ("Zofia", False)
    assert table.seats.get(user=guest).name == "Sofia"
    # The browser stays signed in, and so does anyone who knows the password.
    assert client.get("/account/").status_code == 200
    assert UserSession.objects.filter(user=guest).exists()
    other = Client()
    other.post("/account/sign-in/", {"login": "Zofia", "password": PASSWORD})
    assert "_auth_user_id" in other.session


@pytest.mark.parametrize(
    "form",
    [
        {"username": "Ada", "password": PASSWORD},
        {"username": "Sofia", "password": "12345678"},
        {"username": "Sofia", "password": ""},
        {},
    ],
)
def test_a_bad_name_or_password_keeps_nothing_and_says_why(client, form):
    person("Ada")
    guest = as_guest(client, "Sofia")

    answer = client.post("/account/keep/", form)

    assert answer.status_code == REFUSED
    assert "errorlist" in answer.content.decode()
    guest.refresh_from_db()
    assert guest.is_trial


def test_keeping_leads_to_no_other_site(client):
    as_guest(client, "Sofia")
    form = {"username": "Sofia", "password": PASSWORD, "next": "https://evil.example/"}
    assert client.post("/account/keep/", form).headers["Location"] == "/"


# Going --------------------------------------------------------------------------------------------


def test_a_guest_is_deleted_after_seven_idle_days_with_what_the_account_kept(client):
    guest = as_guest(client, "Sofia")
    table = Table.objects.get()
    sweep_accounts()
    assert User.objects.filter(pk=guest.pk).exists()
    left = client.session.get_expiry_date() - timezone.now()
    assert timedelta(days=6) < left <= timedelta(days=7)

    client.session.flush()
    sweep_accounts()
    # Its session may be about to be made.
    assert User.objects.filter(pk=guest.pk).exists()

    User.objects.filter(pk=guest.pk).update(date_joined=timezone.now() - timedelta(hours=2))
    sweep_accounts()

    assert not User.objects.filter(pk=guest.pk).exists()
    assert not table.seats.filter(name="Sofia").exists()


def test_each_visit_begins_the_seven_days_again(client):
    as_guest(client, "Sofia")
    session = client.session
    session.set_expiry(timedelta(days=2))
    session.save()

    client.get("/")

    assert client.session.get_expiry_date() - timezone.now() > timedelta(days=6)


def test_registered_users_are_never_idle_guests():
    person("Ada")
    assert erase_idle_trials(now=timezone.now()) == 0


# The way back ---------------------------------------------------------------------------------


def links_of_the_header(html: str) -> set[str]:
    header = html.split("<header")[1].split("</header>")[0]
    return set(re.findall(r'href="(/account/(?:register|sign-in)/[^"]*)"', header))


def test_a_wrong_table_password_keeps_the_way_back(client):
    table = tables.open_table(
        host=person("Ada"),
        terms=Terms(edition="en", seats_wanted=5, visibility=Visibility.PRIVATE),
        password="swordfish",
    )
    url = f"/tables/{table.code}/invitation/{table.invitation}/"
    for answer in (client.get(url), client.post(url, {"password": "wrong"})):
        page = answer.content.decode()
        for fact in ("Ada</bdi> is the host", "1 of 5 seats taken"):
            assert fact in page
        assert links_of_the_header(page) == {
            f"/account/register/?next={url}",
            f"/account/sign-in/?next={url}",
        }


def test_the_lobby_offers_a_guest_only_what_a_guest_may_do(client):
    as_guest(client)

    page = client.get("/").content.decode()

    for way in ("/quick/", "/account/keep/"):
        assert way in page
    for way in ('action="/find/"', "/tables/new/"):
        assert way not in page


# What is for registered users ---------------------------------------------------------------------


@pytest.mark.parametrize("press", ["get", "post"])
def test_finding_a_game_leads_a_guest_to_registration_and_back(client, press):
    as_guest(client)

    answer = getattr(client, press)("/find/")

    assert answer.headers["Location"] == "/account/keep/?next=%2Ffind%2F"
    form = {"username": "Sofia", "password": PASSWORD, "next": "/find/"}
    assert client.post("/account/keep/", form).headers["Location"] == "/find/"
    assert 'id="find"' in client.get("/find/").content.decode()


def test_the_leaderboards_offer_a_guest_to_register_and_nothing_that_needs_it(client):
    as_guest(client)
    page = client.get("/ratings/").content.decode().split("<main", 1)[1]

    assert 'href="/account/keep/?next=/ratings/%3Fside%3Dliberal%26tempo%3Dlive">Register' in page
    for words in ("rated games</p>", "Keep me off", "Your own ratings", "Find me a game", "/find/"):
        assert words not in page

    client.force_login(person("Ada"))
    page = client.get("/ratings/").content.decode().split("<main", 1)[1]
    assert "Keep me off" in page and "/find/" in page and "/account/keep/" not in page
