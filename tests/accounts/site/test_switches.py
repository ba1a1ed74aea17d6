"""The site's switches: registration, maintenance, and a message on every page."""

import pytest

from accounts.auth.roles import Rank
from accounts.models import User
from accounts.site.switches import switches
from tests.accounts.conftest import PASSWORD, a_user, signed_in
from tests.accounts.office import at_the_desk, officer

pytestmark = pytest.mark.django_db

ON = {"registration": "on", "tables": "on"}


@pytest.fixture
def desk():
    return at_the_desk(officer("Adam", Rank.ADMIN))


def test_without_a_word_of_anyone_everything_is_on(client):
    now = switches()
    assert now.registration and now.tables and not now.maintenance and not now.message


def test_an_admin_closes_registration_and_opens_it_again(client, desk):
    form = {"username": "Newcomer", "password1": PASSWORD, "email": ""}

    assert desk.post("/moderation/switches/", {"tables": "on"}).status_code == 302
    page = client.get("/account/register/").content.decode()
    assert "Registration is closed" in page
    client.post("/account/register/", form)
    assert not User.objects.filter(username="Newcomer").exists()
    # Users with an account can still sign in.
    a_user("Ada")
    signed_in("Ada")

    desk.post("/moderation/switches/", ON)
    assert client.post("/account/register/", form).status_code == 302
    assert User.objects.filter(username="Newcomer").exists()


def test_everyone_reads_the_message_of_the_day_in_their_language(client, desk):
    message = {"message_en": "Tea at <five>", "message_pl": "Herbata o piątej"}
    desk.post("/moderation/switches/", ON | message)

    def page(language: str, path: str = "/") -> str:
        return client.get(path, headers={"Accept-Language": language}).content.decode()

    for path in ("/", "/account/sign-in/", "/rules/"):
        assert "Tea at &lt;five&gt;" in page("en", path)
        assert "Herbata o piątej" in page("pl", path) and "Tea" not in page("pl", path)
    # Readers of a language without a message see the one in the site's first language.
    assert 'lang="en" dir="auto">Tea' in page("ja")

    desk.post("/moderation/switches/", ON)
    assert "Tea" not in page("en")


def test_maintenance_is_said_on_every_page(client, desk):
    desk.post("/moderation/switches/", ON | {"maintenance": "on"})
    assert switches().maintenance
    assert "Maintenance soon" in client.get("/account/sign-in/").content.decode()


def test_a_process_believes_for_some_seconds_what_it_has_read(
    desk, settings, django_assert_num_queries
):
    settings.SWITCHES_BELIEVED = 60.0
    switches()
    with django_assert_num_queries(0):
        switches()
    # The process that changed a switch sees the change at once.
    desk.post("/moderation/switches/", ON | {"message_en": "News"})
    assert switches().message == {"en": "News"}
    settings.SWITCHES_BELIEVED = 0.0
