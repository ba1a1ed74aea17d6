"""What the migrations of the games keep of a database's rows."""

import json
from datetime import timedelta
from pathlib import Path

import pytest
from django.apps import apps
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.utils import timezone

from games.models import GameRequest, Terms, UploadedRecord
from games.services.tables import open_table
from tests.builders.tables import person

RECORDS = Path(__file__).parent.parent / "records"


@pytest.mark.django_db(transaction=True)
def test_users_who_waited_for_a_call_or_a_seat_still_do():
    ada, boris, chika = (person(name) for name in ("Ada", "Boris", "Chika"))
    table = open_table(host=person("Dario"), terms=Terms(edition="en", seats_wanted=7))
    loader = MigrationExecutor(connection).loader
    create, keep, *_ = loader.get_migration("games", "0002_game_requests").operations
    state = loader.project_state([("games", "0001_schema")])
    create.state_forwards("games", state)
    wish, seeker = (state.apps.get_model("games", name) for name in ("Wish", "Seeker"))
    now = timezone.now()
    until = now + timedelta(days=3)
    waits = {"made_at": now, "until": until}
    seeks = {"since": now, "changed_at": now, "ask_at": now, "languages": ["it"]}
    with connection.schema_editor() as editor:
        for model in (wish, seeker):
            editor.create_model(model)
    try:
        wish.objects.create(
            user_id=ada.pk,
            edition="ru-5-6",
            pace="untimed",
            table_id=table.pk,
            called_at=now,
            **waits,
        )
        wish.objects.create(user_id=boris.pk, language="pl", edition="en", pace="blitz", **waits)
        for user in (boris, chika):
            seeker.objects.create(user_id=user.pk, pace="normal", **seeks)
        keep.code(state.apps, None)
    finally:
        with connection.schema_editor() as editor:
            for model in (wish, seeker):
                editor.delete_model(model)

    hers, his, other = GameRequest.objects.order_by("user__username")
    assert (hers.mode, hers.pace, hers.languages, hers.size) == ("call", "", ["ru"], "5-6")
    assert (hers.table, hers.found_at, hers.expires_at) == (table, now, until)
    assert (his.mode, his.pace, his.languages) == ("call", "blitz", ["pl"])
    assert (other.mode, other.pace, other.languages) == ("seat", "normal", ["it"])


@pytest.mark.django_db
def test_the_list_of_records_shows_what_stood_in_those_from_before():
    game = json.loads((RECORDS / "en-sealed.json").read_text(encoding="utf-8"))
    names = ["<b>Ada</b>", "\u202e", "x" * 99, *game["seats"][3:]]
    line = {"record": game | {"seats": names, "seal": None}, "claims": []}
    texts = [json.dumps(game), "\ufeff" + json.dumps(line)]
    for text in texts:
        UploadedRecord.objects.create(owner=person("Ada"), text=text, edition="en", players=5)
    loader = MigrationExecutor(connection).loader
    *_, filling = loader.get_migration("games", "0009_lists_of_records").operations
    filling.code(apps, None)

    first, second = UploadedRecord.objects.order_by("pk")
    assert (first.names, first.has_seal) == (game["seats"], True)
    assert (second.names[:3], second.has_seal) == (["<b>Ada</b>", "2", "x" * 30], False)
