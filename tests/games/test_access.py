"""Who may do what: every address x method x person stands in one table.

An address that is not in it fails: decide who may go there, and write it down.
"""

import re

import pytest
from django.urls import URLPattern, URLResolver, get_resolver

from games.models import Table
from games.refusals import Refusal, Refused
from games.routing import websocket_urlpatterns
from games.services import tables
from tests.games.person import CSRF_TOKEN, Person
from tests.games.stories import (
    NAMES,
    fresh,
    gather,
    is_over,
    person,
    play_until,
    run_table,
    state_of,
)

# At a public table that runs: seat 0 is to nominate, and the form says so.
PEOPLE = ("stranger", "spectator", "neighbour", "seated", "dead", "host")
SIGN_IN = "signs in first"
OK, NOT_FOUND, WRONG_METHOD, STALE, REFUSED = 200, 404, 405, 409, 422
EVERYBODY = dict.fromkeys(PEOPLE, OK)


def signed_in(**answers: int) -> dict[str, int | str]:
    """Strangers sign in first; of the others those who are not named get the answer of `rest`."""
    rest = answers.pop("rest")
    return {"stranger": SIGN_IN, **{who: answers.get(who, rest) for who in PEOPLE[1:]}}


NOBODY = signed_in(rest=REFUSED)
# By name: where it is, and what GET and POST answer to whom.
ACCESS: dict[str, tuple[str, dict | None, dict | None]] = {
    "games:lobby": ("/", EVERYBODY, None),
    "games:lobby_panels": ("/panels/", EVERYBODY, None),
    "games:quick_game": ("/quick/", None, signed_in(rest=303)),
    "games:open_table": ("/tables/new/", signed_in(rest=OK), signed_in(rest=REFUSED)),
    "games:table": ("{table}", EVERYBODY, None),
    "games:panels": ("{table}panels/", EVERYBODY, None),
    "games:invitation": (
        "{table}invitation/{token}/",
        dict.fromkeys(PEOPLE, 302),
        None,
    ),
    # The one decision at hand is seat 0's, the host's.
    "games:act": ("{table}act/", None, signed_in(host=303, rest=REFUSED)),
    "games:join": ("{table}join/", None, NOBODY),
    "games:leave": ("{table}leave/", None, NOBODY),
    "games:close": ("{table}close/", None, NOBODY),
    "games:fill": ("{table}fill/", None, NOBODY),
    "games:start": ("{table}start/", None, NOBODY),
    "games:come_back": (
        "{table}back/",
        None,
        signed_in(seated=303, dead=303, host=303, rest=REFUSED),
    ),
    "games:play_again": ("{table}again/", None, NOBODY),
    "games:record": ("{table}record/", dict.fromkeys(PEOPLE, NOT_FOUND), None),
    "account_signup": (
        "/account/register/",
        {"stranger": OK, **dict.fromkeys(PEOPLE[1:], 302)},
        {"stranger": OK, **dict.fromkeys(PEOPLE[1:], 302)},
    ),
    "account_login": (
        "/account/sign-in/",
        {"stranger": OK, **dict.fromkeys(PEOPLE[1:], 302)},
        {"stranger": OK, **dict.fromkeys(PEOPLE[1:], 302)},
    ),
    "account_logout": (
        "/account/sign-out/",
        {"stranger": 302, **dict.fromkeys(PEOPLE[1:], OK)},
        dict.fromkeys(PEOPLE, 302),
    ),
    "account_inactive": ("/account/inactive/", EVERYBODY, None),
    "account_language": ("/account/language/", None, dict.fromkeys(PEOPLE, 302)),
}
SOCKETS = {"live/lobby/", "live/tables/<slug:code>/", "(?s).*"}

# At a private table that runs, for who was not invited: nothing exists.
OF_A_TABLE = sorted(name for name, (path, _, _) in ACCESS.items() if "{table}" in path)


def routes(resolver: URLResolver, namespace: str = "") -> list[tuple[str, str]]:
    """Each address's name and pattern, walked from the root; the admin is Django's own."""
    found = []
    for pattern in resolver.url_patterns:
        if isinstance(pattern, URLPattern):
            found.append((f"{namespace}{pattern.name}", str(pattern.pattern)))
        elif pattern.namespace != "admin":
            prefix = f"{pattern.namespace}:" if pattern.namespace else namespace
            found += routes(pattern, prefix)
    return found


def test_every_address_stands_in_the_table():
    assert {name for name, _ in routes(get_resolver())} == set(ACCESS)


def test_every_socket_is_one_that_the_consumer_tests_know():
    assert {str(route.pattern) for route in websocket_urlpatterns} == SOCKETS


def address(name: str, table: Table) -> str:
    return ACCESS[name][0].format(table=table.get_absolute_url(), token=table.invitation)


def is_answer(answer, expected: int | str) -> bool:
    if expected == SIGN_IN:
        return answer.headers.get("Location", "").startswith("/account/sign-in/?next=")
    return answer.status_code == expected


@pytest.fixture
def people(table, seated, spectator, neighbour, stranger) -> dict[str, Person]:
    """The executed sit at a table of their own, of which they see what the others see."""
    return {
        "host": seated[0],
        "seated": seated[1],
        "spectator": spectator,
        "neighbour": neighbour,
        "stranger": stranger,
    }


def a_move(table: Table) -> dict[str, str]:
    return {"decision": state_of(table).decision, "key": "k", "choice": "nominate:2"}


@pytest.mark.parametrize("name", ACCESS)
@pytest.mark.parametrize("who", [who for who in PEOPLE if who != "dead"])
def test_who_may_go_where(table, people, name, who):
    _, get, post = ACCESS[name]
    path = address(name, table)

    got = people[who].get(path)
    assert is_answer(got, get[who] if get else WRONG_METHOD), got
    posted = people[who].post(path, a_move(table) if "act" in name else None)
    assert is_answer(posted, post[who] if post else WRONG_METHOD), posted


@pytest.mark.parametrize("name", ACCESS)
def test_where_the_dead_may_go(table, dead, name):
    _, get, post = ACCESS[name]
    path = address(name, table)

    got = dead.get(path)
    assert is_answer(got, get["dead"] if get else WRONG_METHOD), got
    posted = dead.post(path, a_move(table) if "act" in name else None)
    assert is_answer(posted, post["dead"] if post else WRONG_METHOD), posted


@pytest.mark.parametrize("method", ["put", "patch", "delete", "trace", "options"])
@pytest.mark.parametrize("name", [name for name in ACCESS if name.startswith("games:")])
def test_no_address_knows_other_methods(table, people, name, method):
    before = fresh(table).version

    answer = getattr(people["host"].client, method)(
        address(name, table), HTTP_X_CSRFTOKEN=CSRF_TOKEN
    )

    assert answer.status_code == WRONG_METHOD
    assert fresh(table).version == before


@pytest.mark.parametrize("name", OF_A_TABLE)
def test_a_private_table_does_not_exist_for_who_was_not_invited(db, name):
    table = run_table(is_private=True)
    for user in (person("Sofia"), None):
        outsider = Person(user, table)
        if name == "games:invitation":
            path = f"{table.get_absolute_url()}invitation/wrong/"
        else:
            path = address(name, table)
        is_page = ACCESS[name][1] is not None

        assert outsider.get(path).status_code == (NOT_FOUND if is_page else WRONG_METHOD)
        posted = outsider.post(path)
        if is_page:
            assert posted.status_code == WRONG_METHOD
        elif user is None:
            assert is_answer(posted, SIGN_IN)
        else:
            assert posted.status_code == NOT_FOUND


def test_unknown_and_private_tables_look_alike(db):
    table = run_table(is_private=True)
    sofia = Person(person("Sofia"), table)

    private = sofia.get(table.get_absolute_url()).content.decode()
    unknown = sofia.get("/tables/zzzzzzzz/").content.decode()

    assert _plain(private).replace(table.code, "zzzzzzzz") == _plain(unknown)


def _plain(html: str) -> str:
    return re.sub(r"[A-Za-z0-9]{64}", "token", html)


def test_the_invitation_lets_one_watch_a_private_table_signed_in_or_not(db):
    table = run_table(is_private=True)
    invitation = address("games:invitation", table)
    for user in (person("Sofia"), None):
        invited = Person(user, table)
        assert invited.get(table.get_absolute_url()).status_code == NOT_FOUND

        assert invited.get(invitation).headers["Location"] == table.get_absolute_url()

        assert invited.get(table.get_absolute_url()).status_code == OK
        assert invited.get(f"{table.get_absolute_url()}panels/").status_code == OK


def test_who_was_invited_before_signing_in_is_still_invited_after(db, settings):
    table = gather(NAMES[:4], bots=1, is_private=True)
    tables.leave_table(table=table, user=person("Dario"))
    sofia = person("Sofia")
    sofia.set_password("a long way to Tipperary")
    sofia.save()
    visitor = Person(None, table)
    visitor.get(address("games:invitation", table))

    visitor.post("/account/sign-in/", {"login": "Sofia", "password": "a long way to Tipperary"})

    assert visitor.press("join").status_code == 303
    assert table.seats.filter(user=sofia).exists()


def test_only_those_who_sit_at_a_gathering_private_table_are_shown_the_invitation(db):
    table = gather(is_private=True)
    sofia = Person(person("Sofia"), table)
    sofia.get(address("games:invitation", table))

    assert table.invitation in Person(table.host, table).page()
    assert table.invitation not in sofia.page()


def test_private_tables_are_in_the_lobby_of_their_own_people_only(db):
    table = run_table(is_private=True)
    public = run_table([f"{name}2" for name in NAMES[:5]])

    for viewer in (Person(None, table), Person(person("Sofia"), table)):
        lobby = viewer.get("/").content.decode()
        assert table.code not in lobby
        assert public.code in lobby
    assert table.code in Person(table.host, table).get("/").content.decode()


def test_the_end_opens_the_record_to_whoever_may_see_the_table(table, people):
    play_until(table, is_over)

    for viewer in people.values():
        assert viewer.get(f"{table.get_absolute_url()}record/").status_code == OK


def test_a_ban_signs_out_at_the_next_request(table, people):
    ada = people["host"]
    ada.user.is_active = False
    ada.user.save()

    assert is_answer(ada.post(f"{table.get_absolute_url()}act/", a_move(table)), SIGN_IN)
    assert ada.choices() == []


def test_a_service_asks_again_and_does_not_trust_the_view(table, spectator):
    for service in (tables.leave_table, tables.start_game, tables.close_table):
        with pytest.raises(Refused) as refused:
            service(table=table, user=spectator.user)
        assert refused.value.refusal in (Refusal.NOT_OPEN, Refusal.NOT_HOST)


def test_nothing_is_kept_by_a_cache_or_framed_by_another_site(table, people):
    for who, viewer in people.items():
        for path in ("/", viewer.url, f"{viewer.url}panels/", "/panels/", "/tables/new/"):
            answer = viewer.get(path)
            if answer.status_code == OK:
                assert "no-store" in answer.headers["Cache-Control"], (who, path)
            assert answer.headers["X-Frame-Options"] == "DENY"
            assert "default-src 'none'" in answer.headers["Content-Security-Policy"]
