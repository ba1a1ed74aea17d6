"""The loader of the archive's bench makes real games, and pages about them ask a fixed number of
SQL statements."""

import pytest
from django.test import Client
from django.utils import timezone

from accounts.models import User
from games.models import Game, GameAction, Message, RatedGame, Result, Table
from games.rules.record import read_record, record_json, verify
from games.services import ratings
from games.services.fairness import rebuild_fairness
from games.services.records import record_of
from tests.bench.archive_loader import Loader, make_people
from tests.bench.archive_pages import VARIES, measure
from tests.bench.archive_templates import Template, make_templates


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


def test_no_page_asks_more_statements_when_there_are_more_games(loader):
    client = Client()

    def statements() -> dict[str, int]:
        ratings.rebuild()
        rebuild_fairness()
        return {measured.page: measured.statements for measured in measure(client, 6)}

    client.force_login(User.objects.order_by("pk")[0])
    loader.fill(50)
    few = statements()
    loader.fill(150)
    many = statements()

    grown = {page for page, count in many.items() if count > few[page] + VARIES}
    assert grown == set()
