"""The bounds on every text, tested alone; tests/secrecy/test_bounds.py tries every address."""

import json
import re
from pathlib import Path

import pytest
import regex
from django.core.exceptions import BadRequest
from django.db import DataError
from django.http import Http404, HttpResponse
from django.test import RequestFactory
from hypothesis import given
from hypothesis import strategies as st

from accounts.profiles.names import LONGEST_COMPARED, name_key, normal_name, skeleton
from config.http.bounds import (
    DEEPEST_JSON,
    LONGEST_TEXT,
    BoundedDecoder,
    BoundsMiddleware,
    TooLong,
    count_graphemes,
    is_fit,
    read_json,
)

ROOT = Path(__file__).parents[3]


def nested(depth: int) -> str:
    return "[" * depth + "]" * depth


def test_json_of_the_site_s_own_forms_is_read():
    for value in ({"a": [1, -2.5, None, True, 'é[{"\\']}, "x", 7, [], {}, "[" * 500):
        assert read_json(json.dumps(value)) == value
    assert read_json(nested(DEEPEST_JSON)) is not None


@pytest.mark.parametrize(
    "text",
    [
        *(nested(DEEPEST_JSON + 1), nested(9_000), '{"a":' * 900, "[" * 9_000, '["",' * 900),
        *("9" * 5_000, "1e999", "-1e999", "NaN", "Infinity", "", "{", '"', '"\\', "\ud800"),
        *('"\\u0000"', '"\\ud800"', '{"\\u0000": 1}', '[{"a": ["\\udfff"]}]', '"a\0b"', "[1] 2"),
        '"' + "x" * LONGEST_TEXT + '"',
    ],
)
def test_json_that_is_too_deep_too_long_or_unfit_is_refused(text):
    with pytest.raises(json.JSONDecodeError):
        read_json(text)


def test_brackets_in_strings_are_not_counted():
    assert read_json(json.dumps(["[" * 100, '\\"' + "{" * 100, "\\"])) is not None


@pytest.mark.parametrize("text", ["a\0", "\ud800", "x\udfff"])
def test_a_text_with_a_nul_or_half_a_character_is_unfit(text):
    assert not is_fit(text) and is_fit("é💥\u202e\n")


@given(st.text(alphabet="a\u0301\u200d👩🔬🇯🇵🇮\u1100\u1161\r\n\u0600", max_size=30))
def test_graphemes_are_counted_as_unicode_says(text):
    assert count_graphemes(text) == len(regex.findall(r"\X", text))


def test_graphemes_are_counted_in_one_place():
    """If other code used `regex` to count them, flags would take quadratic time."""
    counting = {
        str(path.relative_to(ROOT))
        for folder in ("accounts", "config", "games")
        for path in (ROOT / folder).rglob("*.py")
        if re.search(r'(findall|finditer|compile)\(r"\\X"', path.read_text(encoding="utf-8"))
    }
    assert counting == {"config/http/bounds.py"}


@pytest.mark.parametrize("path", ["/\ud800/", "/a\0/", "/" + "x/" * 1_500, "/" + "x" * 201])
def test_an_impossible_path_leads_nowhere(path):
    request = RequestFactory().get("/")
    request.path_info = path
    with pytest.raises(Http404):
        BoundsMiddleware(lambda request: HttpResponse())(request)


@pytest.mark.parametrize("error", [DataError(), "\ud800"])
def test_a_post_that_the_database_cannot_store_is_a_bad_request(error):
    middleware = BoundsMiddleware(lambda request: HttpResponse())
    if isinstance(error, str):
        with pytest.raises(UnicodeError) as caught:
            error.encode()
        error = caught.value
    with pytest.raises(BadRequest):
        middleware.process_exception(RequestFactory().post("/", {"a": "b\0"}), error)
    # A request without such a character is not to blame.
    assert middleware.process_exception(RequestFactory().post("/", {"a": "b"}), error) is None


@pytest.mark.parametrize("compare", [name_key, normal_name, skeleton])
def test_only_short_texts_are_compared_as_names(compare):
    assert compare("x" * LONGEST_COMPARED)
    with pytest.raises(TooLong):
        compare("x" * (LONGEST_COMPARED + 1))


def test_the_decoder_serves_a_form_s_json_field_too():
    assert json.loads('{"a": 1}', cls=BoundedDecoder) == {"a": 1}
