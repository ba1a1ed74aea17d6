"""Access control: every URL x method x actor, and every socket message x actor, in one table.

A URL, an admin page or a message without a line in the table fails: decide who may use it and
write it down. Each cell is tried with a real request, at a public table and at a private one.

A new URL is one line in ACCESS, a new model of the admin one line with `admin_pages`:

    "healthz_live": Door("/healthz/live/", get=everybody(OK)),
    **admin_pages("games_report", is_read_only=True),
"""

from collections.abc import Iterator

import pytest
from django.urls import URLPattern, URLResolver, get_resolver

from games.services import tables
from games.wording.refusals import Refusal, Refused
from tests.builders.tables import is_over, person, play_until, run_table
from tests.nightly import NIGHTLY, by_day
from tests.secrecy.access_table import (
    ACCESS,
    ACTORS,
    ADMIN_DOOR,
    AT_EVERY_DOOR,
    IN_TURN,
    METHODS,
    NOT_FOUND,
    OK,
    OTHER_METHODS,
    PRIVATE,
    PUBLIC,
    SET_UP,
    SIGN_IN,
    TRIES_EVERY_METHOD,
    WITHOUT_FACTOR,
    Answer,
    Door,
    is_tried,
    sees,
)
from tests.secrecy.access_world import World, asked, enter, entered, world_of

pytestmark = pytest.mark.usefixtures("quiet")


@pytest.fixture(params=[PUBLIC, PRIVATE])
def world(request, db) -> World:
    return world_of(request.param)


ONE_WORLD = pytest.mark.parametrize("world", by_day(1, [PUBLIC, PRIVATE]), indirect=True)


# The table is complete ----------------------------------------------------------------------------


def addresses(resolver: URLResolver, namespace: str = "", before: str = "") -> Iterator[str]:
    """Yield every URL of the site from the root: its name or, if it has none, its pattern."""
    for pattern in resolver.url_patterns:
        here = before + str(pattern.pattern)
        if isinstance(pattern, URLPattern):
            yield f"{namespace}{pattern.name}" if pattern.name else here
        else:
            inside = f"{pattern.namespace}:" if pattern.namespace else ""
            yield from addresses(pattern, namespace + inside, here)


def test_every_address_stands_in_the_table():
    assert sorted(addresses(get_resolver())) == sorted(ACCESS)


# Every URL x method x actor -----------------------------------------------------------------------


def described(answer) -> Answer:
    """Return the status or, for a redirect to a sign-in or set-up page, which page."""
    location = answer.headers.get("Location", "")
    if location.startswith("/account/sign-in/?next="):
        return SIGN_IN
    if location.startswith("/admin/login/?next="):
        return ADMIN_DOOR
    # The pages to set it up lead back there.
    is_its_own = answer.request["PATH_INFO"].startswith(location or "-")
    if location == "/account/second-factor/" and not is_its_own:
        return SET_UP
    return answer.status_code


def doors_beside(world: World) -> Iterator[tuple[str, Door]]:
    """Yield the addresses; one without a table has the same answers beside either table."""
    for name, door in ACCESS.items():
        if world.kind == PUBLIC or door.is_of_a_table:
            yield name, door


def other_methods(actor: str, number: int) -> tuple[str, ...]:
    """Return which of the other methods the actor tries at the door of this number."""
    if TRIES_EVERY_METHOD:
        return OTHER_METHODS
    if NIGHTLY or actor in IN_TURN:
        return (OTHER_METHODS[number % len(OTHER_METHODS)],)
    return ()


def test_everyone_is_answered_as_the_table_says(world):
    wrong = {}
    for turn, actor in enumerate(ACTORS):
        with entered(actor, world) as viewer:
            for number, (name, door) in enumerate(doors_beside(world), start=turn):
                if not is_tried(actor, name):
                    continue
                path = world.address(door.path)
                for method in METHODS + other_methods(actor, number):
                    form = door.form(world) if method == "POST" else None
                    got = described(asked(viewer, method, path, form))
                    expected = door.answer(name, method, actor, world.kind)
                    if got != expected:
                        wrong[actor, name, method] = (got, expected)
    assert wrong == {}


@ONE_WORLD
def test_rights_need_the_second_factor_at_every_address_also_where_no_page_hints_at_it(
    world, settings
):
    """Without the middleware, which sends them to set one up, they get a stranger's answers."""
    hint = "accounts.auth.middleware.SecondFactorMiddleware"
    settings.MIDDLEWARE = [each for each in settings.MIDDLEWARE if each != hint]
    wrong = {}
    for actor in sorted(WITHOUT_FACTOR):
        with entered(actor, world) as viewer:
            for name, door in doors_beside(world):
                # In `make test` each is tried at every third address, at which no other is.
                if not is_tried(actor, name, (*sorted(WITHOUT_FACTOR), "")):
                    continue
                for method, rule in (("GET", door.get), ("POST", door.post)):
                    form = door.form(world) if method == "POST" else None
                    got = described(asked(viewer, method, world.address(door.path), form))
                    expected = rule("stranger", world.kind)
                    if got != expected:
                        wrong[actor, name, method] = (got, expected)
    assert wrong == {}


def test_the_end_opens_the_record_to_whoever_may_see_the_table(world):
    play_until(world.table, is_over)

    for actor in ACTORS:
        viewer = enter(actor, world)
        expected = OK if sees(actor, world.kind) else NOT_FOUND
        assert viewer.get(f"{viewer.url}record/").status_code == expected, actor


def test_a_service_asks_again_and_does_not_trust_the_view(db):
    table = run_table()
    for service in (tables.leave_table, tables.start_game, tables.close_table):
        with pytest.raises(Refused) as refused:
            service(table=table, user=person("Sofia"))
        assert refused.value.refusal in (Refusal.NOT_OPEN, Refusal.NOT_HOST)


@ONE_WORLD
def test_nothing_is_kept_by_a_cache_or_framed_by_another_site(world):
    for actor in ACTORS if NIGHTLY else (*AT_EVERY_DOOR, "seated"):
        viewer = enter(actor, world)
        for path in ("/", viewer.url, f"{viewer.url}panels/", "/panels/", "/tables/new/"):
            answer = viewer.get(path)
            if answer.status_code == OK:
                assert "no-store" in answer.headers["Cache-Control"], (actor, path)
            assert answer.headers["X-Frame-Options"] == "DENY"
            assert "default-src 'none'" in answer.headers["Content-Security-Policy"]
