"""A page of another site cannot use up limits, or make users send what it has written."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from accounts.models import Block, User
from accounts.throttling import limits
from tests.builders.person import Person, forms_of
from tests.builders.tables import person

TOO_MUCH, FORBIDDEN = 429, 403
# The audit's page posted this often, so that the next click was one too many.
POSTS = 58
BLOCK = "/account/people/block/"
LANGUAGE = "/account/language/"

FORGERIES = {
    "a sibling's page": {
        "HTTP_ORIGIN": "http://cards.testserver",
        "HTTP_SEC_FETCH_SITE": "same-site",
    },
    "a stranger's page": {"HTTP_ORIGIN": "https://evil.example"},
    "a page without an origin": {"HTTP_SEC_FETCH_SITE": "cross-site"},
    "an old browser": {},
}


def forged(viewer: Person, path: str, how: str, **fields: str):
    """Post as a page of another site makes the browser of `viewer` do: with its cookies."""
    return viewer.client.post(path, fields, **FORGERIES[how])


def blocked() -> int:
    return Block.objects.count()


@pytest.mark.parametrize("how", FORGERIES)
def test_the_click_after_58_forged_posts_sends_nothing(table, limited, how):
    limited(actions=f"{POSTS}/hour")
    flora = Person(person("Flora"), table)
    for _ in range(POSTS):
        assert forged(flora, BLOCK, how, name="Ada").status_code == FORBIDDEN

    page = forged(flora, BLOCK, how, name="Ada")

    assert page.status_code == FORBIDDEN
    assert "Ada" not in page.content.decode()
    assert forms_of(page.content.decode()) == []
    assert blocked() == 0


@pytest.mark.parametrize("how", FORGERIES)
@pytest.mark.parametrize("is_member", [True, False])
def test_forged_posts_do_not_use_up_the_visitor_s_limit(table, limited, how, is_member):
    limited(actions=f"{POSTS}/hour", strangers=f"{POSTS}/hour")
    viewer = Person(person("Flora") if is_member else None, table)
    for _ in range(POSTS):
        forged(viewer, BLOCK, how, name="Ada")

    own = [viewer.post(LANGUAGE, {"language": "en", "next": "/"}) for _ in range(POSTS)]
    more = viewer.post(LANGUAGE, {"language": "pl", "next": "/rules/"})

    assert {answer.status_code for answer in own} == {302}
    assert more.status_code == TOO_MUCH
    # The viewer's own form can be sent again.
    again = [form for form in forms_of(more.content.decode()) if "language" in form.fields]
    assert [form.fields["next"] for form in again] == ["/rules/"]


@pytest.mark.parametrize("how", FORGERIES)
def test_after_the_limit_a_forged_post_still_gets_no_form(table, limited, how):
    limited(actions="1/hour")
    flora = Person(person("Flora"), table)
    flora.post(LANGUAGE, {"language": "en", "next": "/"})
    assert flora.post(BLOCK, {"name": "Ada"}).status_code == TOO_MUCH

    page = forged(flora, BLOCK, how, name="Ada")

    assert page.status_code == FORBIDDEN
    assert "Ada" not in page.content.decode()
    assert forms_of(page.content.decode()) == []


@pytest.mark.parametrize("how", FORGERIES)
def test_a_forged_sign_in_counts_as_no_try(db, table, limited, settings, how):
    settings.ACCOUNT_RATE_LIMITS = {"login": "2/m/ip", "login_failed": "2/5m/ip,2/5m/key"}
    User.objects.create_user("Nadine", password="correct horse battery")
    viewer = Person(None, table)
    for _ in range(POSTS):
        forged(viewer, "/account/sign-in/", how, login="Nadine", password="wrong")

    right = {"login": "Nadine", "password": "correct horse battery"}
    assert viewer.post("/account/sign-in/", right).status_code == 302


@pytest.mark.parametrize("how", FORGERIES)
def test_a_flood_of_forged_posts_costs_no_statement_and_is_kept_nowhere(table, limited, how):
    limited(**dict.fromkeys(limits.Limit, "1/hour"))
    flora = Person(person("Flora"), table)
    flora.client.cookies  # noqa: B018  she signs in here

    with CaptureQueriesContext(connection) as queries:
        answers = [forged(flora, BLOCK, how, name="Ada") for _ in range(POSTS)]

    assert len(queries) == 0
    assert len({answer.content for answer in answers}) == 1
    assert len(answers[0].content) < 8 * 1024
    assert not limits._memory._windows
    assert not limits._memory._closed_until
