"""The door for programs: what a bot account may see and do, and what its owner learns."""

import json
import random
import re
import subprocess
import sys
import time
from datetime import timedelta
from pathlib import Path
from types import SimpleNamespace

import pytest
from jsonschema import Draft202012Validator

from accounts.models import BotAccount, Notification
from accounts.services.bots import create_bot, revoke_token
from games.bots import pick, registry
from games.models import Pace, Table
from games.rules.editions import EDITIONS
from games.services import play
from games.services.joining import check_standing
from games.state.rooms import forget_all, room_of
from games.views.api import SCHEMA
from games.views.seat_json import choice_of, seat_json
from games.wording.refusals import Refusal, Refused
from tests.builders.tables import person, run_table, state_of
from tests.nightly import by_day

ROOT = Path(__file__).resolve().parents[3]
VALID = Draft202012Validator(json.loads(SCHEMA.read_text()))


@pytest.fixture
def bot(db):
    """Return the account of a bot of Otto's, and its token."""
    account, token = create_bot(owner=person("Otto"), name="Robo")
    return account.user, token


def asked(client, token, path, data=None, **headers):
    headers["Authorization"] = f"Bearer {token}"
    if data is None:
        return client.get(f"/api/tables/{path}", headers=headers)
    return client.post(
        f"/api/tables/{path}", json.dumps(data), content_type="application/json", headers=headers
    )


def at_a_running_table(bot) -> Table:
    """Return a running table where the bot has the seat that was Boris's."""
    table = run_table()
    seat = table.seats.get(number=1)
    seat.user, seat.name = bot[0], bot[0].username
    seat.save()
    Table.objects.filter(pk=table.pk).update(version=table.version + 1)
    forget_all()
    return Table.objects.get(pk=table.pk)


def test_the_name_of_a_bot_ends_in_the_mark_that_no_person_may_have(bot, client):
    assert bot[0].username == "Robo [bot]" and bot[0].is_bot
    assert not person("Ada").is_bot


def test_only_a_digest_of_the_token_is_stored(bot):
    row = BotAccount.objects.values().get()
    assert bot[1] not in str(row)


def test_no_token_and_a_revoked_token_open_nothing(bot, client):
    assert asked(client, "x" * 43, "").status_code == 401
    revoke_token(owner=person("Otto"), pk=bot[0].pk)
    assert asked(client, bot[1], "").status_code == 401


def test_a_cookie_opens_nothing_and_none_is_set(bot, client):
    client.force_login(person("Ada"))
    answer = client.get("/api/tables/")
    assert answer.status_code == 401
    assert not answer.cookies
    assert "no-store" in answer.headers["Cache-Control"]


def test_a_token_opens_no_page(bot, client):
    answer = client.get("/account/", headers={"Authorization": f"Bearer {bot[1]}"})
    assert answer.status_code == 302


@pytest.mark.parametrize("terms", [{"is_rated": True}, {"is_blind": True}, {"pace": Pace.UNTIMED}])
def test_a_bot_gets_no_seat_at_rated_blind_and_untimed_tables(bot, terms):
    table = Table(**{"pace": Pace.NORMAL, **terms})
    with pytest.raises(Refused) as refused:
        check_standing(table=table, user=bot[0])
    assert refused.value.refusal is Refusal.NO_BOT_ACCOUNTS


def test_a_move_by_the_door_counts_and_an_illegal_one_is_told_to_the_owner_once(bot, client):
    table = at_a_running_table(bot)
    view = asked(client, bot[1], f"{table.code}/").json()
    assert view["seat"] == 1
    decision = view["game"]["decision"]
    for key in "ab":
        wrong = {"action": "nominate:1", "decision": decision, "key": key}
        assert asked(client, bot[1], f"{table.code}/act/", wrong).status_code == 422
    assert BotAccount.objects.get().times_refused == 2
    assert Notification.objects.filter(user__username="Otto", kind="bot").count() == 1


def test_a_late_bot_is_stood_in_for_and_its_owner_is_told(bot, client):
    table = at_a_running_table(bot)
    client.force_login(person("Ada"))
    play.act(
        table=table,
        user=person("Ada"),
        action=pick(room_of(table.code).view(0).legal, lambda n: 0),
        decision=state_of(table).decision,
        key="k",
    )
    late = room_of(table.code).game.deadline + timedelta(seconds=1)
    play.settle(table.pk, now=late)
    assert BotAccount.objects.get().times_late == 1
    assert Notification.objects.filter(user__username="Otto", kind="bot").count() == 1


def test_an_unknown_and_a_hidden_table_are_answered_alike(bot, client):
    hidden = run_table(is_private=True)
    answers = [asked(client, bot[1], f"{code}/") for code in (hidden.code, "nosuch")]
    assert [answer.status_code for answer in answers] == [404, 404]
    assert answers[0].content == answers[1].content


def test_an_unchanged_view_is_not_sent_again(bot, client):
    table = at_a_running_table(bot)
    first = asked(client, bot[1], f"{table.code}/")
    again = asked(client, bot[1], f"{table.code}/", **{"If-None-Match": first.headers["ETag"]})
    assert again.status_code == 304


@pytest.mark.parametrize("edition", by_day(1, sorted(EDITIONS)))
def test_every_view_of_a_played_game_fits_the_schema(db, edition):
    table = run_table(edition=edition)
    phase = None
    for number in range(400):
        room = room_of(table.code)
        public = room.public_view()
        # Within a phase, such as that of the ballots, few views change.
        has_changed, phase = public.phase is not phase, public.phase
        some = room.seats if has_changed else [room.seats[seat] for seat in public.to_act[:1]]
        for seat in (None, *some):
            VALID.validate(seat_json(room, seat))
        if room.is_over:
            break
        mover = public.to_act[0]
        action = pick(room.view(mover).legal, lambda n, number=number: number % n)
        assert choice_of(action) in seat_json(room, room.seats[mover])["actions"]
        play.act(
            table=table,
            user=room.seats[mover].user,
            action=action,
            decision=room.public_view().decision,
            key=str(number),
        )
    assert room.is_over


def client_of_the_readme() -> str:
    text = (ROOT / "games/bots/README.md").read_text()
    return re.search(r"```python\n(.*?)```", text, re.DOTALL)[1]


def test_the_example_has_at_most_60_lines():
    assert len(client_of_the_readme().splitlines()) <= 60


@pytest.mark.django_db(transaction=True)
def test_the_example_of_the_readme_plays_a_whole_game(live_server, bot):
    table = at_a_running_table(bot)
    client = subprocess.Popen(
        [sys.executable, "-c", client_of_the_readme(), live_server.url, bot[1], table.code],
        stdout=subprocess.PIPE,
        text=True,
    )
    until = time.monotonic() + 90
    try:
        while time.monotonic() < until and not (room := room_of(table.code)).is_over:
            to_act = room.public_view().to_act
            movers = [seat for seat in to_act if seat != 1 and not room.view(seat).ballot]
            if not movers:
                time.sleep(0.1)
                continue
            play.act(
                table=table,
                user=room.seats[movers[0]].user,
                action=pick(room.view(movers[0]).legal, random.Random(1).randrange),
                decision=room.public_view().decision,
                key=str(time.monotonic()),
            )
        said, _ = client.communicate(timeout=20)
    finally:
        client.kill()
    assert said.startswith("The game is over:") and "winner" in said
    acted = {step.by for step in room.public_steps if step.seat == 1}
    assert acted == {"player"}
    assert not Notification.objects.filter(kind="bot").exists()


def test_an_installed_kind_is_found_and_a_bad_one_is_left_out(monkeypatch, caplog):
    class First:
        name, label = "first", "The first that is legal"

        def choose(self, view, heard, below):
            return view.legal[0]

    class Bad:
        name = "longer than any"

    monkeypatch.setattr(
        registry,
        "entry_points",
        lambda group: [
            SimpleNamespace(value="good", load=lambda: First),
            SimpleNamespace(value="bad", load=lambda: Bad),
        ],
    )
    assert [kind.name for kind in registry.installed_kinds()] == ["first"]
    assert "the bots of bad could not be loaded" in caplog.text
