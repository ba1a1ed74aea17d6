"""How form fields are drawn, both the site's own and those of libraries."""

import re

import pytest

from tests.accounts.conftest import confirms


def test_no_field_says_its_label_once_more_as_a_placeholder(ada, at_home, client) -> None:
    confirms(at_home)
    pages = [
        at_home.get(path).content.decode()
        for path in ("/account/password/", "/account/e-mail/", "/account/second-factor/app/")
    ]
    pages += [client.get(path).content.decode() for path in ("/account/sign-in/",)]

    assert all('<input type="' in page for page in pages)
    assert not [page for page in pages if "placeholder=" in page]


def test_the_languages_someone_speaks_stand_where_those_of_a_table_do(at_home) -> None:
    languages = re.compile(r'name="(?:spoken|languages)" value="([\w-]+)".*?<span lang="\1">(.+?)<')

    mine, tables = (
        languages.findall(at_home.get(path, headers={"accept-language": "ja"}).content.decode())
        for path in ("/account/preferences/", "/tables/new/")
    )

    assert mine == tables and len(mine) > 30
    assert [code for code, _ in mine[:5]] == ["en", "ru", "pl", "ja", "it"]
    assert all(name[:1] == name[:1].upper() for _, name in mine)


@pytest.mark.parametrize(
    ("path", "host"), [("/", "elsewhere.example"), ("/nowhere/", "testserver")]
)
@pytest.mark.django_db
def test_a_page_that_failed_does_not_call_itself_the_lobby(client, path, host) -> None:
    page = client.get(path, headers={"host": host})

    assert page.status_code in (400, 404)
    assert 'aria-current="page"' not in page.content.decode()
