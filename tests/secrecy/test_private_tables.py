"""A private table is open to its people alone, and closed as if it were not there."""

import re

import pytest
from django.middleware import csrf

from games.services import tables
from tests.builders.person import Person
from tests.builders.tables import NAMES, gather, person, run_table
from tests.nightly import NIGHTLY
from tests.secrecy.access_table import (
    ACCESS,
    METHODS,
    NOT_FOUND,
    OK,
    PRIVATE,
    SEE_OTHER,
    is_tried,
)
from tests.secrecy.access_world import (
    PASSWORD,
    SHUT_OUT,
    UNKNOWN,
    World,
    asked,
    enter,
    entered,
    with_password,
    world_of,
)

pytestmark = pytest.mark.usefixtures("quiet")


def looked_at(answer, code: str) -> tuple[object, ...]:
    """Return all that reaches the browser, except for the table's code, which it sent itself."""
    headers = {name: value for name, value in answer.items() if name != "Expires"}
    # A cookie expires a year from now, to the second; a message is signed with the second.
    cookies = re.sub(r"expires=[^;]*", "", answer.cookies.output())
    cookies = re.sub(r"(messages=[^:;]*):[^;]*", r"\1", cookies)
    seen = answer.status_code, headers, cookies, answer.content
    return tuple(
        part.replace(code.encode(), b"CODE") if isinstance(part, bytes)
        else str(part).replace(code, "CODE")
        for part in seen
    )  # fmt: skip


def test_a_private_table_is_to_others_byte_for_byte_one_that_is_not_there(db, monkeypatch):
    # The mask differs from page to page; the token itself is the browser's.
    monkeypatch.setattr(csrf, "_mask_cipher_secret", lambda secret: secret)
    world = world_of(PRIVATE)
    code = world.table.code
    told_apart = []
    for actor in SHUT_OUT:
        with entered(actor, world) as viewer:
            for name, door in ACCESS.items():
                is_office = name == "games:order"
                may_look = is_office and actor in ("moderator", "superuser")
                if not door.is_of_a_table or may_look or not is_tried(actor, name, SHUT_OUT):
                    continue
                # The request needs neither the right invitation nor one of its length or letters.
                path = world.address(door.path.replace("{token}", "wrong"))
                elsewhere = path.replace(code, UNKNOWN)
                for method in ("HEAD", *METHODS) if NIGHTLY else METHODS:
                    form = door.form(world)
                    private = looked_at(asked(viewer, method, path, form), code)
                    unknown = looked_at(asked(viewer, method, elsewhere, form), UNKNOWN)
                    if private != unknown:
                        told_apart.append((actor, name, method))
    assert told_apart == []


@pytest.mark.parametrize("actor", ["moderator", "superuser"])
def test_a_moderator_who_sits_there_sees_no_more_than_who_may_not_look(db, monkeypatch, actor):
    monkeypatch.setattr(csrf, "_mask_cipher_secret", lambda secret: secret)
    table = run_table(["Ada2", "Mira", "Root", "Di2", "Ed2"], is_private=True)
    viewer = enter(actor, World(PRIVATE, table, {}))

    for method in ("HEAD", *METHODS):
        own, unknown = (
            looked_at(asked(viewer, method, f"/moderation/tables/{code}/", {"reason": "x"}), code)
            for code in (table.code, UNKNOWN)
        )
        assert own == unknown


def test_the_invitation_lets_one_watch_a_private_table_signed_in_or_not(db):
    world = world_of(PRIVATE)
    for user in (person("Sofia"), None):
        invited = Person(user, world.table)
        assert invited.get(invited.url).status_code == NOT_FOUND

        answer = invited.get(world.address("{table}invitation/{token}/"))

        assert invited.url in (
            answer.headers.get("Location"),
            answer.headers.get("Refresh", "")[7:],
        )
        assert invited.get(invited.url).status_code == OK
        assert invited.get(f"{invited.url}panels/").status_code == OK


def test_who_was_invited_before_signing_in_is_still_invited_after(db):
    table = gather(NAMES[:4], bots=1, is_private=True)
    tables.leave_table(table=table, user=person("Dario"))
    sofia = with_password("Sofia")
    visitor = Person(None, table)
    visitor.get(f"{visitor.url}invitation/{table.invitation}/")

    visitor.post("/account/sign-in/", {"login": "Sofia", "password": PASSWORD})

    assert visitor.press("join").status_code == SEE_OTHER
    assert table.seats.filter(user=sofia).exists()


def test_only_those_who_sit_at_a_gathering_private_table_are_shown_the_invitation(db):
    table = gather(is_private=True)
    sofia = Person(person("Sofia"), table)
    sofia.get(f"{sofia.url}invitation/{table.invitation}/")

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
