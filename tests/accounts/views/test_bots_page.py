"""The owner's page of bot accounts."""

import re

import pytest
from django.contrib.auth.hashers import make_password

from accounts.models import BotAccount, Notification, User
from accounts.services.bots import bot_with, create_bot, report_late
from accounts.services.trials import create_trial
from games.models import Table, Terms
from games.services import hosting, tables
from games.wording.refusals import Refusal, Refused
from tests.builders.tables import gather, person

pytestmark = pytest.mark.django_db
PAGE = "/account/bots/"


@pytest.fixture
def otto(client) -> User:
    otto = person("Otto")
    client.force_login(otto)
    return otto


def token_in(answer) -> str:
    return re.search(r'<code translate="no">([\w-]{43})</code>', answer.content.decode())[1]


def test_a_bot_is_made_and_its_token_shown_once(client, otto):
    answer = client.post(PAGE, {"name": "Robo"})

    assert bot_with(token_in(answer)).username == "Robo [bot]"
    assert "<code" not in client.get(PAGE).content.decode()


@pytest.mark.parametrize("name", ["", "x", "far too long a name", "Hitler"])
def test_a_bad_name_makes_nothing_and_stays_in_the_form(client, otto, name):
    answer = client.post(PAGE, {"name": name})

    assert answer.status_code == 422
    assert f'value="{name}"' in answer.content.decode()
    assert not BotAccount.objects.exists()


def test_an_owner_has_a_limited_number_of_bots(client, otto, settings):
    settings.BOTS_OF_A_USER = 1
    client.post(PAGE, {"name": "Robo"})
    assert client.post(PAGE, {"name": "Bobo"}).status_code == 422
    assert BotAccount.objects.count() == 1


def test_a_new_token_ends_the_old_one_and_revoking_ends_it_too(client, otto):
    first = token_in(client.post(PAGE, {"name": "Robo"}))
    pk = BotAccount.objects.get().pk
    second = token_in(client.post(PAGE, {"bot": pk, "what": "renew"}))
    assert bot_with(first) is None and bot_with(second).pk == pk

    client.post(PAGE, {"bot": pk, "what": "revoke"})
    assert bot_with(second) is None


def test_a_deleted_bot_is_gone_with_its_seat(client, otto):
    bot, _ = create_bot(owner=otto, name="Robo")
    table = gather(seats_wanted=6, takes_programs=True)
    tables.join_table(table=table, user=bot.user)

    client.post(PAGE, {"bot": bot.pk, "what": "delete"})

    assert not User.objects.filter(username="Robo [bot]").exists()
    assert not table.seats.filter(name="Robo [bot]").exists()
    create_bot(owner=otto, name="Robo")


@pytest.mark.parametrize("what", ["renew", "revoke", "delete"])
def test_no_one_touches_the_bot_of_another(client, otto, what):
    bot, token = create_bot(owner=person("Ada"), name="Robo")
    client.post(PAGE, {"bot": bot.pk, "what": what})
    assert bot_with(token).pk == bot.pk


def test_a_guest_makes_no_bot():
    with pytest.raises(Exception, match="as many bots"):
        create_bot(owner=create_trial(name="Zosia"), name="Robo")


def test_a_token_lets_no_one_in_while_a_warning_waits(client, otto):
    bot, token = create_bot(owner=otto, name="Robo")
    User.objects.filter(pk=bot.pk).update(is_warned=True)
    answer = client.get("/api/tables/", headers={"Authorization": f"Bearer {token}"})
    assert (answer.status_code, answer.json()["error"]) == (403, "forbidden")


# At tables ----------------------------------------------------------------------------------------


def join(client, token: str, table: Table, **posted: str):
    return client.post(
        f"/api/tables/{table.code}/join/",
        posted,
        content_type="application/json",
        headers={"Authorization": f"Bearer {token}"},
    )


def test_a_bot_sits_at_a_private_table_with_its_invitation(client, otto):
    _, token = create_bot(owner=otto, name="Robo")
    table = gather(is_private=True, seats_wanted=6, takes_programs=True)

    assert join(client, token, table).status_code == 404
    assert join(client, token, table, invitation="wrong").status_code == 404
    answer = join(client, token, table, invitation=table.invitation)
    assert answer.status_code == 200 and answer.json()["seat"] == 5


def test_an_invitation_with_a_password_needs_the_password(client, otto):
    _, token = create_bot(owner=otto, name="Robo")
    terms = gather(is_private=True, seats_wanted=6, takes_programs=True)
    Table.objects.filter(pk=terms.pk).update(password=make_password("swordfish"))

    assert join(client, token, terms, invitation=terms.invitation).status_code == 404
    wrong = join(client, token, terms, invitation=terms.invitation, password="x")
    assert wrong.status_code == 404
    right = join(client, token, terms, invitation=terms.invitation, password="swordfish")
    assert right.status_code == 200


def test_a_bot_never_becomes_the_host(otto):
    bot, _ = create_bot(owner=otto, name="Robo")
    terms = Terms(edition="en", seats_wanted=5, takes_programs=True)
    table = tables.open_table(host=person("Ada"), terms=terms)
    tables.join_table(table=table, user=bot.user)
    with pytest.raises(Refused) as refused:
        hosting.hand_over_hosting(table=table, user=person("Ada"), number=1, name=bot.user.username)
    assert refused.value.refusal == Refusal.NO_PERSON

    tables.leave_table(table=table, user=person("Ada"))
    table.refresh_from_db()
    assert table.stage == Table.Stage.CLOSED


def test_the_owner_s_notifications_name_the_bot(client, otto):
    bot, _ = create_bot(owner=otto, name="Robo")
    report_late(user_pk=bot.pk, table="abcdefgh")
    assert Notification.objects.get().user == otto
    assert "Robo [bot]" in client.get("/account/notifications/").content.decode()
