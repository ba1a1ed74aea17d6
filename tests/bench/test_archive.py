"""The loader of the archive's bench makes real games, and pages about them ask a fixed number of
SQL statements."""

import pytest
from django.test import Client
from django.utils import timezone

from accounts.models import User
from games.models import (
    ArchivedGame,
    ArchivedMoment,
    ArchivedSeat,
    Game,
    GameAction,
    Message,
    RatedGame,
    Result,
    SiteTally,
    Table,
)
from games.rules.record import read_record, record_json, verify
from games.services import archive, ratings
from games.services.records import record_of
from tests.bench.archive_loader import Loader, make_people
from tests.bench.archive_pages import measure
from tests.bench.archive_templates import Template, make_templates

pytestmark = pytest.mark.nightly


@pytest.fixture(scope="module")
def templates() -> list[Template]:
    return make_templates(6, sizes=(5, 6), editions=("en", "ru"))


@pytest.fixture
def loader(transactional_db, templates) -> Loader:
    return Loader(templates, make_people(30), until=timezone.now())


def test_every_loaded_game_replays_to_its_end(loader):
    loader.fill(50)

    tables = list(Table.objects.select_related("game"))
    assert len(tables) == 50
    for table in tables:
        record = record_of(table)
        assert verify(read_record(record_json(record))) == []
        assert record.outcome is not None
        assert str(record.outcome.winner) == table.game.winner
        assert str(record.outcome.ending) == table.game.ending
    assert GameAction.objects.count() == loader.written_actions
    assert Message.objects.filter(kind=Message.Kind.CLAIM).exists()
    assert Result.objects.exists()


def test_loaded_games_are_rated_by_the_site(loader):
    loader.fill(50)

    waiting = RatedGame.objects.filter(state=RatedGame.State.WAITING).count()
    assert ratings.rebuild() == waiting > 0


def test_new_games_follow_those_that_were_loaded(loader):
    loader.fill(5)

    last = Table.objects.order_by("pk").last()
    assert Table.objects.create(edition="en").pk > last.pk
    assert Game.objects.count() == 5


def test_copies_get_the_rows_that_the_site_would_derive(loader):
    loader.fill(60)
    loaded = archive_rows()
    archive.rebuild()

    assert archive_rows() == loaded
    assert len(loaded["games"]) == 60


def archive_rows() -> dict[str, list[tuple[object, ...]]]:
    kinds = {"games": ArchivedGame, "seats": ArchivedSeat, "moments": ArchivedMoment}
    rows = {}
    for name, model in (*kinds.items(), ("tallies", SiteTally)):
        columns = [field.attname for field in model._meta.concrete_fields if field.name != "id"]
        rows[name] = sorted(model.objects.values_list(*columns), key=repr)
    return rows


def test_every_page_asks_as_many_statements_when_there_are_more_games(loader):
    client, visitor = Client(), Client()
    client.force_login(User.objects.order_by("pk")[0])

    def statements() -> dict[str, tuple[int, ...]]:
        ratings.rebuild()
        return {each.page: each.statements for each in measure(client, visitor, 1)}

    loader.fill(150)
    few = statements()
    loader.fill(250)

    assert statements() == few
