"""Presets: saving, sharing by link, opening at once."""

import json
import re
from html import unescape

import pytest

from games.models import Pace, Preset, Table, Terms
from games.services import presets
from games.wording.refusals import Refusal, Refused
from tests.builders.person import Person, forms_of
from tests.builders.tables import person

REFUSED, SEE_OTHER, NOT_FOUND = 422, 303, 404
JA = {"edition": "ja", "seats_wanted": "8", "pace": "relaxed", "option_silence": '"table"'}


@pytest.fixture
def ada(db) -> Person:
    return Person(person("Ada"), Table())


@pytest.fixture
def boris(db) -> Person:
    return Person(person("Boris"), Table())


def terms(**changes: object) -> Terms:
    return Terms(**{"edition": "en", "seats_wanted": 5} | changes)


# Saving and sharing -------------------------------------------------------------------------------


def test_a_preset_from_before_each_officer_had_a_formula_opens_the_table_that_it_meant(ada):
    # When `veto` stood for all who speak at one.
    rules = {"spoken_formula": ["veto", "investigation"]}
    preset = Preset.objects.create(
        owner=ada.user,
        name="Old",
        terms=terms(edition="ru", house_rules=rules, visibility="unlisted").json(),
    )
    own = ["veto_chancellor", "veto_president", "investigation"]

    page = ada.get(f"/presets/{preset.token}/").content.decode()
    chosen = re.search(r'<option value="([^"]*)" selected>[^<]*investigation', page)
    assert chosen is not None
    assert json.loads(unescape(chosen[1])) == own

    ada.post(f"/presets/{preset.token}/open/")
    table = Table.objects.get()
    assert [*table.options.spoken_formula] == own


def test_a_preset_is_saved_from_the_form_and_opened_with_one_press(ada):
    saved = ada.post("/presets/", JA | {"name": "Sundays"})

    preset = Preset.objects.get()
    assert saved.url == f"/presets/{preset.token}/"
    page = ada.get("/tables/new/").content.decode()
    assert "Sundays" in page
    opening = next(form for form in forms_of(page) if form.action.endswith("/open/"))
    fields = opening.fields
    fields.pop("csrfmiddlewaretoken")
    urls = {ada.post(opening.action, fields).url for _ in range(2)}

    table = Table.objects.get()
    assert urls == {table.get_absolute_url()}
    assert (table.edition, table.seats_wanted, table.pace) == ("ja", 8, Pace.RELAXED)
    assert table.house_rules == {"silence": "table"}


def test_whoever_opens_the_link_finds_the_form_filled_in_and_may_save_it(ada, boris):
    ada.post("/presets/", JA | {"name": "Sundays"})
    token = Preset.objects.get().token

    page = boris.get(f"/presets/{token}/").content.decode()

    assert '<option value="ja" selected>' in page
    assert 'value="relaxed" id="id_pace_2" required checked' in page
    assert re.search(r'name="option_silence" value="&quot;table&quot;"[^>]*checked', page)
    boris.post("/presets/", JA | {"name": "From Ada"})
    assert [preset.name for preset in boris.user.presets.all()] == ["From Ada"]
    assert ada.user.presets.count() == 1


def test_a_preset_never_keeps_a_password(ada):
    ada.post("/presets/", JA | {"name": "x", "visibility": "private", "password": "sesame"})

    assert "sesame" not in str(Preset.objects.values())


def test_the_same_name_replaces_and_keeps_the_link(ada):
    first, second = (
        presets.save_preset(user=ada.user, name="Mine", terms=terms(seats_wanted=seats))
        for seats in (5, 9)
    )

    assert first.token == second.token
    assert Preset.objects.get().read() == terms(seats_wanted=9)


def test_only_its_owner_deletes_a_preset(ada, boris):
    token = presets.save_preset(user=ada.user, name="Mine", terms=terms()).token

    assert boris.post(f"/presets/{token}/delete/").status_code == NOT_FOUND
    assert Preset.objects.exists()
    assert ada.post(f"/presets/{token}/delete/").status_code == SEE_OTHER
    assert not Preset.objects.exists()


def test_no_one_keeps_more_than_twenty(ada):
    for number in range(20):
        presets.save_preset(user=ada.user, name=f"No. {number}", terms=terms())

    with pytest.raises(Refused) as refused:
        presets.save_preset(user=ada.user, name="One more", terms=terms())
    assert refused.value.refusal == Refusal.PRESETS_ENOUGH
    presets.save_preset(user=ada.user, name="No. 3", terms=terms(seats_wanted=7))
    answer = ada.post("/presets/", JA | {"name": "One more"})
    assert str(Refusal.PRESETS_ENOUGH.label) in answer.content.decode()
