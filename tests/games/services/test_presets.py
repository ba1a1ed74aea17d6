"""Presets: saving, sharing by link, opening at once; and the balance that bots compute."""

import json
import re
from html import unescape

import pytest
from celery import Celery

from games.models import Balance, Pace, Preset, Table, Terms
from games.services import balance, presets
from games.tasks import count_balance
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


@pytest.fixture(autouse=True)
def asked(monkeypatch) -> list[str]:
    """Return the keys of the balances that were sent to a worker."""
    keys: list[str] = []
    monkeypatch.setattr(Celery, "send_task", lambda self, name, args, **how: keys.append(args[0]))
    return keys


def terms(**changes: object) -> Terms:
    return Terms(**{"edition": "en", "seats_wanted": 5} | changes)


def shares_of(*asked: Terms, of: Person) -> list[balance.Share | None]:
    return balance.shares_of(asked, asker=of.user)


def counted(key: str) -> int:
    """Compute a balance to the end as a worker does; return the number of slices."""
    slices = 1
    while balance.measure(key):
        slices += 1
    return slices


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


def test_a_preset_without_a_name_comes_back_with_all_that_was_typed(ada):
    answer = ada.post("/presets/", JA | {"key": "k"})

    html = answer.content.decode()
    assert answer.status_code == REFUSED
    assert '<option value="ja" selected>' in html
    assert "This field is required" in html
    assert not Preset.objects.exists()


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


def test_a_preset_of_rules_that_are_no_more_is_left_out(ada):
    kept = presets.save_preset(user=ada.user, name="Old", terms=terms())
    for gone in ({"edition": "xx"}, {"seats_wanted": 40}, {"house_rules": {"no_such": 1}}):
        Preset.objects.filter(pk=kept.pk).update(terms=kept.terms | gone)

        assert ada.get(f"/presets/{kept.token}/").status_code == NOT_FOUND
        assert "Old" not in ada.get("/tables/new/").content.decode()


# Balance ------------------------------------------------------------------------------------------


@pytest.fixture
def few_games(monkeypatch) -> None:
    monkeypatch.setattr(balance, "GAMES", 6)
    monkeypatch.setattr(balance, "_SLICE", 2)


def test_balance_is_counted_by_slices_and_then_known(
    ada, few_games, asked, django_capture_on_commit_callbacks
):
    with django_capture_on_commit_callbacks(execute=True):
        assert shares_of(terms(), of=ada) == [None]
    (key,) = asked

    assert counted(key) == 3

    (share,) = shares_of(terms(), of=ada)
    assert share is not None and (share.players, share.games) == (5, 6)
    assert 0 <= share.uniform <= 1 and 0 <= share.cautious <= 1
    assert counted(key) == 1, "what is known is not counted again"
    assert Balance.objects.get().games == 6


def test_a_worker_asks_itself_for_the_next_slice_until_it_is_done(
    ada, few_games, asked, django_capture_on_commit_callbacks
):
    with django_capture_on_commit_callbacks(execute=True):
        shares_of(terms(), of=ada)
    for key in asked:
        count_balance(key)

    assert len(asked) == 3
    assert shares_of(terms(), of=ada) != [None]


def test_many_who_look_ask_once_and_other_rules_or_sizes_apart(
    ada, few_games, asked, django_capture_on_commit_callbacks
):
    with django_capture_on_commit_callbacks(execute=True):
        for _ in range(3):
            shares_of(terms(), terms(pace=Pace.BLITZ, is_blind=True), of=ada)
    assert len(set(asked)) == len(asked) == 1

    with django_capture_on_commit_callbacks(execute=True):
        shares_of(terms(seats_wanted=6), terms(house_rules={"limited": "enactors"}), of=ada)
    assert len(set(asked)) == 3


def test_rules_that_are_equal_are_counted_once_whatever_edition_they_are_called_after(
    ada, asked, django_capture_on_commit_callbacks
):
    with django_capture_on_commit_callbacks(execute=True):
        shares_of(terms(edition="en"), terms(edition="pl"), of=ada)

    assert len(asked) == 1


def test_mixes_that_bots_cannot_tell_apart_are_counted_once(
    ada, asked, django_capture_on_commit_callbacks
):
    alike: list[dict[str, object]] = [
        {},
        {"silence": "table"},
        {"party_cards": False, "hitler_signal": "none"},
        {"spoken_formula": [], "not_hitler_badge": True, "executed_says_not_hitler": True},
        {"players": [5, 7]},
        # It limits the same players at five seats.
        {"small_table": "started"},
    ]
    with django_capture_on_commit_callbacks(execute=True):
        for rules in alike:
            shares_of(terms(house_rules=rules), of=ada)

    assert len(asked) == 1
    assert Balance.objects.count() == 1


def test_only_a_few_new_mixes_are_counted_at_one_time(
    ada, boris, few_games, asked, django_capture_on_commit_callbacks
):
    tracker = [{}, {"tracker_resets_on": "election"}, {"veto_advances_tracker": False}]
    mixes = [
        terms(seats_wanted=size, house_rules=rules) for size in range(5, 11) for rules in tracker
    ]
    with django_capture_on_commit_callbacks(execute=True):
        for number, mix in enumerate(mixes):
            assert shares_of(mix, of=(ada, boris)[number % 2]) == [None]

    assert len(asked) == balance.MOST_PENDING < len(mixes)
    assert Balance.objects.count() == len(asked)

    # When one count is done, there is room for another.
    counted(asked[0])
    with django_capture_on_commit_callbacks(execute=True):
        for mix in mixes:
            shares_of(mix, of=ada)
    assert len(asked) == balance.MOST_PENDING + 1


def test_an_account_gets_a_few_mixes_in_an_hour_and_others_still_get_theirs(
    ada, boris, few_games, asked, settings, django_capture_on_commit_callbacks
):
    settings.LIMITS = settings.LIMITS | {"balances": "2/hour"}
    with django_capture_on_commit_callbacks(execute=True):
        for size in (5, 6, 7):
            page = ada.post("/tables/new/", JA | {"seats_wanted": size, "balance": "1"})
            # The answer is the same as for a mix that bots are playing out.
            assert page.status_code == 200
            assert "still playing" in page.content.decode()
    assert len(asked) == 2

    with django_capture_on_commit_callbacks(execute=True):
        # A mix that is known or counted already costs nothing.
        boris.post("/tables/new/", JA | {"seats_wanted": 5, "balance": "1"})
        boris.post("/tables/new/", JA | {"seats_wanted": 7, "balance": "1"})
        boris.post("/tables/new/", JA | {"seats_wanted": 8, "balance": "1"})
    assert len(asked) == 4


def test_a_slice_that_comes_twice_counts_once(
    ada, few_games, asked, monkeypatch, django_capture_on_commit_callbacks
):
    with django_capture_on_commit_callbacks(execute=True):
        shares_of(terms(), of=ada)
    real = balance._wins

    def while_another_counts(*args):
        monkeypatch.setattr(balance, "_wins", real)
        balance.measure(asked[0])
        return real(*args)

    monkeypatch.setattr(balance, "_wins", while_another_counts)
    assert balance.measure(asked[0]) is False
    assert Balance.objects.get().games == 2


def test_what_bots_have_shown_stands_beside_a_preset_with_its_sample(ada, few_games, asked):
    presets.save_preset(user=ada.user, name="Mine", terms=terms())
    assert "still playing" in ada.get("/tables/new/").content.decode()
    Balance.objects.update(games=6, uniform_wins=3, cautious_wins=2)

    page = ada.get("/tables/new/").content.decode()

    assert "With 5 players, the liberals win 50% of the games" in page
    assert "33% between careful bots" in page
    assert "6 games of each. Bots don’t talk" in page


def test_the_form_s_own_balance_is_shown_and_nothing_is_opened(ada, few_games):
    answer = ada.post("/tables/new/", JA | {"balance": "1", "joiners": "friends"})

    html = answer.content.decode()
    assert answer.status_code == 200
    assert "still playing" in html
    assert '<option value="ja" selected>' in html
    assert not Table.objects.exists()
