"""The monthly dumps: public games that are over, with names only by consent."""

import gzip
import json
from datetime import UTC, datetime
from hashlib import sha256

import pytest
from asgiref.sync import async_to_sync
from django.core.management import call_command
from django.core.management.base import CommandError
from django.test import AsyncClient, Client

from config.celery import app
from games.models import Dump, Game, Table
from games.rules.claims import claim_code, sight_of
from games.rules.record import read_record, verify
from games.rules.record_claims import read_claims
from games.services import dumps
from games.services.claims import make_claim
from games.services.dumps import forget_consent, set_consent, write_dump
from tests.builders.tables import NAMES, fresh, is_over, person, play_until, run_table, state_of

pytestmark = pytest.mark.django_db
MONTH = datetime(2026, 3, 1, tzinfo=UTC)


def finished(**how: object) -> Table:
    table = run_table(NAMES[:5], **how)
    play_until(table, is_over)
    Game.objects.filter(table=table).update(ended_at=MONTH.replace(day=15))
    return fresh(table)


def downloaded() -> bytes:
    async def get() -> bytes:
        answer = await AsyncClient().get("/dumps/2026-03/")
        assert answer.status_code == 200
        return b"".join([part async for part in answer])

    return async_to_sync(get)()


def games() -> list[dict]:
    return [json.loads(line) for line in gzip.decompress(downloaded()).splitlines()]


def test_a_dump_holds_the_public_games_of_its_month_and_no_others():
    public = finished()
    finished(is_private=True)
    run_table(NAMES[:5])
    other = finished()
    Game.objects.filter(table=other).update(ended_at=MONTH.replace(month=4))
    voided = finished()
    Game.objects.filter(table=voided).update(stopped="voided")

    dump = write_dump(month=MONTH.date())

    [game] = games()
    assert game["record"]["seal"]["commitment"] == public.commitment
    assert (dump.games, dump.total) == (1, 1)


def test_the_lines_are_records_that_verify_and_the_checksum_is_of_the_file():
    finished()
    dump = write_dump(month=MONTH.date())

    [game] = games()

    assert verify(read_record(game["record"])) == []
    read_claims(game, read_record(game["record"]))
    assert sha256(downloaded()).hexdigest() == dump.sha256
    assert write_dump(month=MONTH.date()).sha256 == dump.sha256
    assert dump.sha256 in Client().get("/dumps/").content.decode()


def test_claims_are_told():
    table = run_table(NAMES[:5])
    play_until(table, lambda state: bool(state.knowledge) or is_over(state))
    play_until(table, lambda state: state.liberal + state.fascist > 0)
    seen = state_of(table).knowledge[0]
    claim = sight_of(seen).claims[0]

    make_claim(
        table=table, user=table.seats.get(number=seen.seat).user, code=claim_code(claim), key="a"
    )
    play_until(table, is_over)
    Game.objects.filter(table=table).update(ended_at=MONTH)
    write_dump(month=MONTH.date())

    [game] = games()

    assert [claim["seat"] for claim in game["claims"]] == [seen.seat]
    assert game["claims"][0]["claimed"] == [str(policy) for policy in claim.policies]
    assert len(read_claims(game, read_record(game["record"]))) == 1


def test_names_stand_there_by_consent_only():
    finished()
    write_dump(month=MONTH.date())
    assert games()[0]["record"]["seats"] == [f"Player {number}" for number in range(1, 6)]

    set_consent(user=person("Boris"), is_given=True)
    write_dump(month=MONTH.date())

    assert games()[0]["record"]["seats"][:3] == ["Player 1", "Boris", "Player 3"]


@pytest.mark.parametrize(
    "leave", [lambda user: set_consent(user=user, is_given=False), forget_consent]
)
def test_a_name_that_is_taken_back_leaves_the_file_at_once(leave):
    finished()
    set_consent(user=person("Boris"), is_given=True)
    write_dump(month=MONTH.date())

    leave(person("Boris"))

    assert Client().get("/dumps/2026-03/").status_code == 404
    assert Dump.objects.get().parts.count() == 0
    write_dump(month=MONTH.date())
    assert "Boris" not in json.dumps(games())


def test_a_file_without_a_name_is_made_anew_by_a_worker_which_alone_knows_the_task(
    monkeypatch, django_capture_on_commit_callbacks
):
    sent = []
    monkeypatch.setattr(app, "send_task", lambda name, args, **how: sent.append((name, args)))
    finished()
    set_consent(user=person("Boris"), is_given=True)
    write_dump(month=MONTH.date())

    with django_capture_on_commit_callbacks(execute=True):
        set_consent(user=person("Boris"), is_given=False)

    assert sent == [("games.tasks.write_dump", ("2026-03-01",))]


def test_the_page_sets_the_consent(client):
    client.force_login(person("Ada"))
    assert "Show my name" in client.get("/dumps/").content.decode()
    client.post("/dumps/name/", {"allow": "on"})
    assert "Your name is shown." in client.get("/dumps/").content.decode()
    client.post("/dumps/name/", {"stop": "on"})
    assert "Show my name" in client.get("/dumps/").content.decode()


@pytest.mark.parametrize("month", ["2026-13", "x", "2026-02", "0000-00"])
def test_a_month_without_a_dump_is_unknown(client, month):
    assert client.get(f"/dumps/{month}/").status_code == 404


def test_the_command_writes_the_same_file(tmp_path, capsys):
    finished()
    dump = write_dump(month=MONTH.date())
    file = tmp_path / "games.jsonl.gz"

    call_command("dump", month="2026-03", out=str(file))

    assert sha256(file.read_bytes()).hexdigest() == dump.sha256


@pytest.mark.parametrize(
    ("given", "reason"),
    [
        ({"month": "9999-12"}, "has not begun"),
        ({"month": "2026-13"}, "YYYY-MM"),
        ({"month": "2026-03", "out": "/nowhere/at/all"}, "No such file or directory"),
    ],
)
def test_the_command_says_in_a_sentence_why_it_cannot(given, reason):
    with pytest.raises(CommandError, match=reason):
        call_command("dump", **given)
    assert not Dump.objects.exists()


def test_a_name_that_leaves_while_the_file_is_written_is_not_published(monkeypatch):
    finished()
    boris = person("Boris")
    set_consent(user=boris, is_given=True)
    real = dumps._lines
    monkeypatch.setattr(dumps, "_lines", lambda games: leaves_after(real(games)))

    def leaves_after(lines):
        yield from lines
        set_consent(user=boris, is_given=False)

    write_dump(month=MONTH.date())

    assert "Boris" not in json.dumps(games())
    assert Dump.objects.get().parts.count() == 1
