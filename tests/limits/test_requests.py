"""Too many requests: clients over a limit wait and read why; others are unaffected."""

import pytest
from django.contrib.auth.models import AnonymousUser
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import get_resolver
from django.utils import translation
from django.utils.html import escape

from accounts.throttling.limits import (
    Limit,
    too_many_requests_sentence,
    when_to_try_again,
)
from accounts.throttling.middleware import _counts_as
from games.models import Table
from tests.builders.person import Person, forms_of
from tests.builders.requests import acts
from tests.builders.tables import is_over, person, play_until, run_table, standing
from tests.nightly import by_day

TOO_MUCH = 429
ALLOWED = 3


def joins(viewer: Person, **how):
    return viewer.post(f"{viewer.url}join/", **how)


def opens_a_table(viewer: Person, **how):
    form = {"edition": "en", "seats_wanted": "7", "pace": "normal", "visibility": "private"}
    return viewer.post("/tables/new/", form, **how)


def plays_quickly(viewer: Person, **how):
    return viewer.post("/quick/", **how)


def looks(viewer: Person, **how):
    return viewer.get(viewer.url, **({"HTTP_HX_REQUEST": "true"} if how.get("htmx") else {}))


def polls(viewer: Person, **how):
    return viewer.get(
        f"{viewer.url}panels/", **({"HTTP_HX_REQUEST": "true"} if how.get("htmx") else {})
    )


def looks_for_what_is_not_there(viewer: Person, **how):
    return viewer.get("/nowhere/", **({"HTTP_HX_REQUEST": "true"} if how.get("htmx") else {}))


def guesses_an_invitation(viewer: Person, **how):
    return viewer.get(
        f"{viewer.url}invitation/guess/",
        **({"HTTP_HX_REQUEST": "true"} if how.get("htmx") else {}),
    )


def chooses_a_language(viewer: Person, **how):
    return viewer.post("/account/language/", {"language": viewer.language, "next": "/"}, **how)


FLOODS = [
    ("actions", acts, "member", "en", True),
    ("actions", chooses_a_language, "stranger", "ru", False),
    ("sayings", joins, "member", "ru", True),
    ("creations", opens_a_table, "member", "en", False),
    ("pages", looks, "member", "ru", True),
    ("pages", looks_for_what_is_not_there, "stranger", "en", False),
    ("invitations", guesses_an_invitation, "member", "en", True),
    ("invitations", guesses_an_invitation, "stranger", "ru", False),
]


@pytest.fixture
def member(table) -> Person:
    return Person(person("Flora"), table)


def of(who: str, table: Table, language: str = "en") -> Person:
    return Person(person("Flora") if who == "member" else None, table, language)


@pytest.mark.parametrize(("limit", "flood", "who", "language", "htmx"), by_day(4, FLOODS))
def test_who_floods_is_told_to_wait_while_another_table_plays_on(
    table, other, limited, limit, flood, who, language, htmx
):
    limited(**{limit: f"{ALLOWED}/minute"})
    flooder = of(who, table, language)

    for _ in range(ALLOWED):
        assert flood(flooder, htmx=htmx).status_code != TOO_MUCH
    before = standing(table), Table.objects.count()
    answers = [flood(flooder, htmx=htmx) for _ in range(5)]

    for answer in answers:
        assert answer.status_code == TOO_MUCH
        assert answer.headers["Retry-After"] == "60"
        assert "no-store" in answer.headers["Cache-Control"]
        assert answer.headers["Content-Language"] == language
        html = answer.content.decode()
        with translation.override(language):
            if htmx:
                assert 'id="notice"' in html
                assert escape(too_many_requests_sentence(60)) in html
                assert "<html" not in html
            else:
                assert f'<html lang="{language}"' in html
                assert escape(when_to_try_again(60)) in html
    assert (standing(table), Table.objects.count()) == before
    assert other.goes_on()


def test_a_flood_of_pages_leaves_those_alone_who_sit_at_the_same_address(table, other, limited):
    limited(pages="20/minute", actions="8/minute")
    flooder = Person(None, table)
    for _ in range(30):
        answer = looks(flooder)
        chooses_a_language(flooder)

    assert answer.status_code == TOO_MUCH
    assert other.goes_on()


def test_strangers_at_other_addresses_are_others(table, limited):
    limited(pages="3/minute")
    for _ in range(4):
        flooded = Client(REMOTE_ADDR="203.0.113.7").get("/")

    assert flooded.status_code == TOO_MUCH
    assert Client(REMOTE_ADDR="203.0.113.8").get("/").status_code == 200
    assert Client(REMOTE_ADDR="2001:db8::7").get("/").status_code == 200


def test_a_client_does_not_become_another_by_another_number_of_its_own_network(table, limited):
    limited(pages="3/minute")

    answers = [Client(REMOTE_ADDR=f"2001:db8:1:2::{n}").get("/") for n in range(5)]

    assert [answer.status_code for answer in answers] == [200, 200, 200, TOO_MUCH, TOO_MUCH]


def test_a_client_does_not_become_another_by_what_it_says_of_itself(table, limited):
    limited(pages="3/minute")

    answers = [
        Client().get("/", headers={"X-Forwarded-For": f"203.0.113.{n}", "Cookie": f"sessionid={n}"})
        for n in range(5)
    ]

    assert [answer.status_code for answer in answers] == [200, 200, 200, TOO_MUCH, TOO_MUCH]


def test_behind_a_proxy_of_ours_strangers_are_told_apart(table, limited, settings):
    settings.TRUSTED_PROXIES = 1
    limited(pages="1/minute")

    def look(address: str):
        return Client().get("/", headers={"X-Forwarded-For": f"9.9.9.9, {address}"}).status_code

    assert [look("203.0.113.7"), look("203.0.113.7"), look("203.0.113.8")] == [200, TOO_MUCH, 200]


def test_one_account_in_many_browsers_is_one(table, limited):
    limited(actions="3/minute")

    answers = [acts(of("member", table)) for _ in range(5)]

    assert [answer.status_code for answer in answers] == [422, 422, 422, TOO_MUCH, TOO_MUCH]


def test_waiting_helps_and_asking_again_meanwhile_does_not_make_it_longer(member, limited, clock):
    limited(actions="2/minute")
    acts(member)
    clock.now += 20
    acts(member)

    clock.now += 39
    assert [acts(member).headers["Retry-After"] for _ in range(9)] == ["1"] * 9

    clock.now += 1.5
    assert acts(member).status_code == 422
    assert acts(member).headers["Retry-After"] == "20"


# Refused forms keep what was typed ----------------------------------------------------------------


def test_a_form_that_was_refused_can_be_sent_again_as_it_was(member, limited, clock):
    limited(creations="1/hour")
    opens_a_table(member)
    form = {
        "edition": "ja",
        "seats_wanted": "8",
        "pace": "relaxed",
        "visibility": "private",
        "option_silence": "",
    }

    refused = member.post("/tables/new/", form)

    assert refused.status_code == TOO_MUCH
    assert refused.headers["Retry-After"] == "3600"
    again = next(f for f in forms_of(refused.content.decode()) if f.action == "/tables/new/")
    token = again.fields.pop("csrfmiddlewaretoken")
    assert token
    assert again.fields == form
    clock.now += 3601
    assert (
        member.client.post(again.action, again.fields | {"csrfmiddlewaretoken": token}).status_code
        == 303
    )
    opened = Table.objects.latest("pk")
    assert (opened.edition, opened.seats_wanted, opened.pace) == ("ja", 8, "relaxed")


def test_a_move_that_was_refused_can_be_sent_again_from_the_page(table, seated, limited, clock):
    limited(actions="1/minute")
    ada = seated[0]
    acts(ada)

    refused = ada.press("nominate:2")

    assert refused.status_code == TOO_MUCH
    again = next(f for f in forms_of(refused.content.decode()) if f.action == f"{ada.url}act/")
    clock.now += 61
    answer = ada.client.post(again.action, again.fields)
    assert (answer.status_code, answer.headers["Location"]) == (303, ada.url)


def test_what_was_typed_is_text_and_no_markup(member, limited):
    limited(actions="1/minute")
    acts(member)

    html = member.post(f"{member.url}act/", {'"><b>': '"><script>'}).content.decode()

    assert "<script>" not in html
    assert "<b>" not in html


def test_htmx_swaps_a_refusal_in_and_does_not_load_the_page_again(member):
    assert '{"code":"409|413|422|429","swap":true}' in member.page()


def test_the_language_can_be_changed_on_the_page_that_says_wait(member, limited):
    limited(actions="1/minute")
    acts(member)

    forms = forms_of(acts(member).content.decode())

    language = next(form for form in forms if form.action == "/account/language/")
    assert language.fields["next"] == "/"


# Waiting times in words ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("seconds", "sentence"),
    [
        (1, "Try again in 1 second."),
        (2, "Try again in 2 seconds."),
        (90, "Try again in 90 seconds."),
        (91, "Try again in 2 minutes."),
        (3600, "Try again in 60 minutes."),
    ],
)
def test_the_time_is_told_in_seconds_or_minutes(seconds, sentence):
    assert when_to_try_again(seconds) == sentence


# Tables of one host -------------------------------------------------------------------------------


@pytest.fixture
def two_tables(settings):
    settings.HOSTED_TABLES = 2


@pytest.mark.usefixtures("two_tables")
def test_one_host_has_only_so_many_tables_that_wait(member, other):
    assert [opens_a_table(member).status_code for _ in range(3)] == [303, 303, 422]

    page = opens_a_table(member).content.decode()

    assert "You have too many tables waiting" in page
    # The form keeps what was typed.
    assert 'value="7" selected' in page
    assert opens_a_table(other.people[0]).status_code == 303
    assert other.goes_on()


@pytest.mark.usefixtures("two_tables")
def test_a_table_that_starts_or_closes_makes_room(member):
    for _ in range(2):
        opens_a_table(member)
    mine = Table.objects.filter(host=member.user)

    member.post(f"{mine[0].get_absolute_url()}close/")
    assert opens_a_table(member).status_code == 303
    member.post(f"{mine[1].get_absolute_url()}fill/")
    member.post(f"{mine[1].get_absolute_url()}start/")
    assert opens_a_table(member).status_code == 303
    assert opens_a_table(member).status_code == 422
    # A quick game waits for no players, so it does not count.
    assert plays_quickly(member).status_code == 303


@pytest.mark.usefixtures("two_tables")
def test_to_play_again_is_to_open_a_table(table, seated):
    for _ in range(2):
        opens_a_table(seated[0])
    play_until(table, is_over)

    refused = seated[0].post(f"{table.get_absolute_url()}again/", htmx=True)

    assert refused.status_code == 422
    assert "You have too many tables waiting" in refused.content.decode()
    assert seated[1].post(f"{table.get_absolute_url()}again/").status_code == 303


# Request bodies -----------------------------------------------------------------------------------


LONG, MANY_FIELDS = b"choice=" + b"9" * 2**17, b"a=1&" * 5000


@pytest.mark.parametrize(
    ("path", "language", "has_header", "body"),
    [
        ("act", "en", True, LONG),
        ("act", "ru", False, MANY_FIELDS),
        ("/account/sign-in/", "ru", False, LONG),
        ("/account/sign-in/", "en", True, MANY_FIELDS),
        ("/tables/new/", "en", False, LONG),
        ("/account/language/", "ru", True, MANY_FIELDS),
    ],
    ids=lambda value: "" if isinstance(value, bytes) else str(value),
)
def test_a_body_that_is_too_large_gets_a_page_of_ours(
    table, other, limited, language, path, has_header, body
):
    limited(actions="2/minute")
    viewer = Person(None if "sign-in" in path else person("Flora"), table, language)
    viewer.client.raise_request_exception = False
    path = f"{viewer.url}act/" if path == "act" else path
    headers = {"X-CSRFToken": viewer.client.cookies["csrftoken"].value} if has_header else {}

    # The fourth request is over the limit as well; its refusal must not fail on reading the body.
    for _ in range(4):
        answer = viewer.client.post(
            path,
            body,
            "application/x-www-form-urlencoded",
            headers={"Accept-Language": language, **headers},
        )
        assert answer.status_code == 400
        assert f'<html lang="{language}"' in answer.content.decode()
    assert other.goes_on()


# Cost of counting ---------------------------------------------------------------------------------


@pytest.mark.parametrize("action", [acts, joins, looks, polls])
def test_counting_asks_the_database_nothing(table, limited, action):
    def statements() -> int:
        viewer = of("member", table)
        action(viewer)
        with CaptureQueriesContext(connection) as queries:
            action(viewer)
        return len(queries)

    without = statements()
    limited(**dict.fromkeys(Limit, "100/minute"))

    assert statements() == without


def test_a_refusal_asks_the_database_only_who_it_is(table, limited, settings):
    # The page reads the site's switches, which a process caches for some seconds.
    settings.SWITCHES_BELIEVED = 60.0
    limited(pages="1/minute", actions="1/minute")
    viewer = of("member", table)
    acts(viewer), looks(viewer)

    for flood in (acts, looks):
        with CaptureQueriesContext(connection) as queries:
            # Not `acts` itself: it reads the position, to fill in the form.
            answer = viewer.post(f"{viewer.url}act/") if flood is acts else looks(viewer)
        assert answer.status_code == TOO_MUCH
        assert len(queries) == 2


# Settings -----------------------------------------------------------------------------------------


def test_a_limit_can_be_off(member, limited):
    limited(actions="off")

    assert {acts(member).status_code for _ in range(9)} == {422}


def test_every_limit_has_a_setting(settings):
    assert set(settings.LIMITS) == {limit.value for limit in Limit}
    assert set(settings.LIMITS_OF_VIEWS.values()) <= set(settings.LIMITS)
    # An exception for a view that no longer exists would hide that another one took its place.
    views = {name for name in get_resolver("games.urls").reverse_dict if isinstance(name, str)}
    assert {name.removeprefix("games:") for name in settings.LIMITS_OF_VIEWS} <= views


@pytest.mark.parametrize(
    ("method", "path", "who", "limit"),
    [
        ("get", "/", "member", "pages"),
        ("head", "/tables/new/", "member", "pages"),
        ("post", "/nowhere/", "member", "actions"),
        ("post", "/tables/new/", "member", "creations"),
        ("post", "/tables/new/", "stranger", "actions"),
        ("post", "notes/", "member", "pages"),
        ("get", "invitation/guess/", "stranger", "invitations"),
        ("post", "invitation/guess/", "member", "invitations"),
        ("get", "/api/v1/seasons/", "stranger", "api"),
        ("get", "/archive/feed/", "member", "api"),
    ],
)
def test_every_request_is_in_one_class_by_its_method_but_for_few_views(
    rf, table, method, path, who, limit
):
    request = getattr(rf, method)(path if path.startswith("/") else f"/tables/{table.code}/{path}")
    request.user = person("Flora") if who == "member" else AnonymousUser()

    assert _counts_as(request) == limit


def test_a_private_table_of_one_s_own_is_not_hidden_by_a_limit_on_guesses(table, limited):
    limited(invitations="2/minute")
    private = run_table([f"{name}3" for name in ("Ada", "Bo", "Cy", "Di", "Ed")], is_private=True)
    guesser = Person(person("Flora"), private)
    for _ in range(3):
        guesses_an_invitation(guesser)

    right = guesser.get(f"{private.get_absolute_url()}invitation/{private.invitation}/")

    assert right.status_code == TOO_MUCH
    assert Person(private.host, private).get(private.get_absolute_url()).status_code == 200
