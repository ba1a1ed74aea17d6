"""The public API: what it tells, to whom, and that its OpenAPI document says the same."""

import json
import re
from datetime import date
from pathlib import Path

import pytest
from django.core.cache import cache
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import get_resolver
from django.utils import timezone
from jsonschema import Draft202012Validator

from accounts.models import User
from accounts.services.bots import create_bot
from games import rules
from games.analysis.moments import Moment
from games.models import Dump, Rating, SeasonStanding, Table
from games.rating import season_of
from games.selectors.game_filters import PLAYER_FILTERS
from games.services import archive
from games.views.public_api.routes import document
from tests.builders.ratings import player
from tests.builders.tables import is_over, person, play_until, run_table, user_at

pytestmark = pytest.mark.django_db
DOCUMENT = json.loads(json.dumps(document("https://site.example")))
ROUTES = {path[1:]: methods["get"] for path, methods in DOCUMENT["paths"].items()}
ROOT = "/api/v1/"
RECORD_SCHEMA = Path(rules.__file__).with_name("record.schema.json")


def ask(path: str, status: int = 200, **headers: str):
    answer = Client().get(ROOT + path, headers=headers)
    assert answer.status_code == status, answer.content
    return answer


def read(path: str) -> dict:
    return json.loads(ask(path).content)


def finished(**how) -> Table:
    """Return the table of a finished game that the archive has."""
    table = run_table(**how)
    play_until(table, is_over)
    archive.take_in()
    return Table.objects.get(pk=table.pk)


def shows(name: str, **fields: str) -> User:
    parts = ("page", "about", "since", "statistics", "reliability", "games")
    all_parts = {f"shows_{part}": "all" for part in parts}
    person(name)
    User.objects.filter(username=name).update(**all_parts | fields)
    return User.objects.get(username=name)


@pytest.fixture
def everything(settings) -> dict[str, str]:
    """Return the path of every route, on a site that has something at each."""
    cache.clear()
    table = finished()
    ada = shows("Ada", country="IT", spoken=["it", "en"])
    now = timezone.now()
    season = season_of(now)
    usual = {"mu": 1.5, "sigma": 4.0, "shown": 1536, "games": 12}
    Rating.objects.create(
        player=player("Ada"), side="liberal", tempo="live", scope="", season=season, at=now, **usual
    )
    SeasonStanding.objects.create(
        player=player("Ada"), side="liberal", tempo="live", season=20261, **usual
    )
    Dump.objects.create(
        month=date(2026, 10, 1), shown=1, made_at=now, games=3, size=99, sha256="ab" * 32
    )
    values = {"code": table.code, "key": ada.person_key}
    return {told["operationId"]: path.format(**values) for path, told in ROUTES.items()}


def strict(schema):
    """Return the schema without room for keys that it does not name."""
    if isinstance(schema, list):
        return [strict(each) for each in schema]
    if not isinstance(schema, dict):
        return schema
    inner = {name: strict(each) for name, each in schema.items()}
    if isinstance(schema.get("properties"), dict):
        inner.setdefault("additionalProperties", False)
    return inner


def validator(schema: dict) -> Draft202012Validator:
    components = {"schemas": strict(DOCUMENT["components"]["schemas"])}
    whole = schema | {"components": components}
    Draft202012Validator.check_schema(whole)
    return Draft202012Validator(whole, format_checker=Draft202012Validator.FORMAT_CHECKER)


def answers_of(told: dict) -> dict:
    return told["responses"]["200"]["content"]["application/json"]["schema"]


PROBLEM = {"$ref": "#/components/schemas/Problem"}


# The document ------------------------------------------------------------------------------------


def test_the_document_and_the_addresses_are_the_same():
    resolver = get_resolver("games.views.public_api.routes")
    served = {pattern.name: str(pattern.pattern) for pattern in resolver.url_patterns}
    told = {
        f"v1_{told['operationId']}": path.replace("{", "<slug:").replace("}", ">")
        for path, told in ROUTES.items()
    }
    assert served == told
    assert len(served) == 10


def test_each_answer_is_as_the_document_says(everything):
    for told in ROUTES.values():
        answer = json.loads(ask(everything[told["operationId"]]).content)
        validator(answers_of(told)).validate(answer)
    record = read(everything["record"])
    whole = RECORD_SCHEMA.read_text()
    Draft202012Validator(json.loads(whole)).validate(record)
    served = read(everything["openapi"])
    assert served["paths"] == DOCUMENT["paths"]
    assert {method for methods in served["paths"].values() for method in methods} == {"get"}


def test_every_reference_of_the_document_leads_somewhere():
    """And every schema is one of JSON Schema's."""
    found = re.findall(r'"\$ref": "#/([^"]+)"', json.dumps(DOCUMENT))
    assert found
    for place in set(found):
        here = DOCUMENT
        for part in place.split("/"):
            here = here[part]
    for schema in DOCUMENT["components"]["schemas"].values():
        validator(schema)


def test_the_fields_that_tests_compare_are_filled(everything):
    """An answer of nothing but empty lists would agree with any document."""
    assert read(everything["games"])["games"][0]["named"][0]["name"] == "Ada"
    assert read(everything["person_games"])["games"]
    assert read(everything["person"])["ratings"][0]["rating"] == 1536
    assert read(everything["person"])["country"] == "IT"
    assert read(everything["leaderboards"])["rows"][0]["name"] == "Ada"
    assert read(everything["leaderboards"] + "?season=20261")["rows"]
    assert len(read(everything["seasons"])["seasons"]) == 2
    assert read(everything["statistics"])["all"]["games"] == 1
    assert read(everything["dumps"])["dumps"][0]["month"] == "2026-10"


def test_each_parameter_is_documented_and_accepted(everything):
    examples = {
        "player": "Ada",
        "result": "won",
        "role": "hitler",
        "edition": "en",
        "players": "5-6",
        "company": "bots",
        "winner": "liberal",
        "ending": "hitler_elected",
        "moment": "veto",
        "length": "20-44",
        "pace": "normal",
        "language": "pl",
        "since": "2026-10-01",
        "until": "2026-10-01",
        "before": "1-1",
        "limit": "3",
        "side": "fascist",
        "tempo": "days",
        "scope": "size:5",
        "season": "20261",
        "after": "1500.1.1",
    }
    told = {name for route in ROUTES.values() for name in parameters_of(route)}
    assert set(examples) == told
    for route in ROUTES.values():
        for name, value in examples.items():
            beside = {"player": "Ada"} if name in PLAYER_FILTERS else {}
            path = everything[route["operationId"]]
            answer = Client().get(ROOT + path, {name: value} | beside)
            is_told = name in parameters_of(route)
            assert answer.status_code == (200 if is_told else 400), (path, name)
            schema = answers_of(route) if is_told else PROBLEM
            validator(schema).validate(json.loads(answer.content))


def parameters_of(route: dict) -> set[str]:
    return {each["name"] for each in route["parameters"] if each["in"] == "query"}


def test_a_blank_parameter_is_none(everything):
    blank = "".join(f"{name}=&" for name in parameters_of(ROUTES["games/"]))
    assert ask(f"games/?{blank}").content == ask("games/").content


# What is told ------------------------------------------------------------------------------------


def test_a_game_is_found_only_once_it_is_over_and_public(db):
    running = run_table()
    private = finished(names=[f"{name}2" for name in "ABCDE"], is_private=True)
    answers = set()
    for code in (running.code, private.code, "nosuchco"):
        for path in (f"games/{code}/", f"games/{code}/record/"):
            answer = ask(path, 404)
            headers = {name: value for name, value in answer.items() if name != "X-Request-ID"}
            answers.add((answer.content, tuple(headers.items())))
    assert len(answers) == 1
    assert read("games/")["games"] == []


def test_a_record_names_only_people_who_show_their_games(db):
    table = finished()
    path = f"games/{table.code}/record/"
    assert read(path)["seats"] == [f"Player {number}" for number in range(1, 6)]
    shows(user_at(table, 1).username)
    assert read(path)["seats"][1] == user_at(table, 1).username
    assert read(path)["seats"][0] == "Player 1"


def test_a_person_s_page_tells_only_what_everyone_sees(db):
    finished()
    ada = shows("Ada", shows_statistics="friends", shows_games="nobody", country="IT")
    told = read(f"people/{ada.person_key}/")
    assert told["country"] == "IT"
    assert told["statistics"] is told["ratings"] is told["games"] is None
    ask(f"people/{ada.person_key}/games/", 404)
    shows("Ada", shows_page="friends")
    hidden, unknown = ask(f"people/{ada.person_key}/", 404), ask("people/nobody/", 404)
    assert hidden.content == unknown.content


def test_the_list_goes_on_where_the_page_before_ended(db):
    codes = {finished(names=[f"{n}{i}" for n in "ABCDE"]).code for i in range(3)}
    first = read("games/?limit=2")
    assert len(first["games"]) == 2
    following = first["next"].partition(ROOT)[2]
    second = read(following)
    assert "limit=2" in following and second["next"] is None
    assert {game["code"] for game in first["games"] + second["games"]} == codes


def test_several_moments_must_all_have_happened(db):
    table = finished()
    happened = set(read("games/")["games"][0]["moments"])
    missing = next(iter(set(Moment) - happened))
    assert read(f"games/?moment={missing}")["games"] == []
    for moment in happened:
        assert [game["code"] for game in read(f"games/?moment={moment}")["games"]] == [table.code]
        assert read(f"games/?moment={moment}&moment={missing}")["games"] == []


def test_a_running_game_changes_no_answer(everything):
    feeds = ("/archive/feed/", f"/people/{person('Ada').person_key}/feed/", "/dumps/feed/")
    paths = [*(ROOT + path for path in everything.values()), *feeds]

    def answers() -> list[tuple[int, bytes, str]]:
        cache.clear()
        given = [Client().get(path) for path in paths]
        return [(each.status_code, each.content, each["ETag"]) for each in given]

    before = answers()
    running = run_table()
    play_until(running, lambda state: state.round == 3)
    archive.take_in()
    assert answers() == before


def test_a_closed_account_leaves_its_name_nowhere(everything):
    assert "Ada" in json.dumps([read(path) for path in everything.values()])
    User.objects.filter(username="Ada").update(is_active=False)
    for name, path in everything.items():
        answer = Client().get(ROOT + path)
        assert answer.status_code == (404 if name.startswith("person") else 200)
        assert "Ada" not in answer.content.decode()
    assert "Ada" not in Client().get("/archive/feed/").content.decode()


@pytest.mark.nightly
@pytest.mark.parametrize("name", ["games", "person_games", "leaderboards"])
def test_more_games_cost_no_more_statements(everything, name):
    def statements() -> int:
        with CaptureQueriesContext(connection) as asked:
            ask(everything[name])
        return len(asked)

    before = statements()
    for _ in range(3):
        finished()
    assert 0 < statements() == before <= 8


# How it answers ----------------------------------------------------------------------------------


def test_an_unchanged_answer_is_not_sent_again(everything):
    for path in everything.values():
        answer = ask(path)
        assert answer["Cache-Control"].startswith("public, max-age=")
        same = ask(path, 304, **{"If-None-Match": answer["ETag"]})
        assert same.content == b"" and same["ETag"] == answer["ETag"]
        assert same["Access-Control-Allow-Origin"] == "*"
    path = everything["games"]
    etag = ask(path)["ETag"]
    shows("Ada", shows_games="nobody")
    assert json.loads(ask(path, **{"If-None-Match": etag}).content)["games"][0]["named"] == []


def test_neither_a_token_nor_a_session_nor_a_language_changes_the_answer(everything):
    _, token = create_bot(owner=person("Otto"), name="Robo")
    member = Client()
    member.force_login(person("Boris"))
    for path in [*everything.values(), "games/nosuchco/", "nowhere/", "games/?limit=x"]:
        plain = Client().get(ROOT + path)
        others = [
            Client().get(ROOT + path, headers={"Authorization": f"Bearer {token}"}),
            Client().get(ROOT + path, headers={"Authorization": "Bearer wrong"}),
            Client().get(ROOT + path, headers={"Accept-Language": "ru", "Cookie": "language=pl"}),
            member.get(ROOT + path),
        ]
        for other in others:
            assert (other.status_code, other.content) == (plain.status_code, plain.content), path
            assert not other.cookies and "Set-Cookie" not in other.headers, path
            assert other["Access-Control-Allow-Origin"] == "*"


def test_errors_are_problems(everything):
    for path, status in {
        "nowhere/": 404,
        "games/?limit=0": 400,
        "games/?limit=101": 400,
        "games/?edition=xx&players=x": 400,
        "games/?since=yesterday": 400,
        "games/?before=now": 400,
        "games/?colour=red": 400,
        "leaderboards/?season=1": 400,
        "leaderboards/?scope=size:99": 400,
        "leaderboards/?after=x": 400,
        "leaderboards/?season=20261&scope=size:5": 400,
        f"games/?player={'x' * 65_000}": 413,
        f"games/?player={'x' * 900}": 400,
        "games/?player=%00": 400,
        f"games/{'x' * 500}/": 404,
    }.items():
        answer = ask(path, status)
        assert answer["Content-Type"] == "application/problem+json", path
        assert answer["Cache-Control"] == "no-store"
        validator(PROBLEM).validate(json.loads(answer.content))
    told = json.loads(ask("games/?limit=0&edition=xx", 400).content)["errors"]
    assert [each["parameter"] for each in told] == ["edition", "limit"]


def test_only_reading_is_possible(everything):
    for path in everything.values():
        assert Client().head(ROOT + path).status_code == 200
        answer = Client().post(ROOT + path, {})
        assert answer.status_code == 405 and answer["Allow"] == "GET, HEAD"
        validator(PROBLEM).validate(json.loads(answer.content))


def test_an_address_may_ask_only_so_often(db, settings):
    settings.LIMITS = settings.LIMITS | {"api": "2/minute"}
    reader = {"REMOTE_ADDR": "203.0.113.77"}
    assert [Client().get(f"{ROOT}seasons/", **reader).status_code for _ in range(2)] == [200, 200]
    refused = Client().get(f"{ROOT}dumps/", **reader)
    assert refused.status_code == 429 and int(refused["Retry-After"]) > 0
    validator(PROBLEM).validate(json.loads(refused.content))
    assert Client().get("/archive/", **reader).status_code == 200
