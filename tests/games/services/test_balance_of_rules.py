"""The balance of rules: known ahead of time for editions, and for house rules after a night."""

import json
from datetime import UTC, datetime

import pytest
from celery import Celery
from celery.app.task import Task

from accounts.throttling import limits
from games.models import Balance, Pace, Table, Terms
from games.rules.editions import EDITIONS
from games.services import balance
from games.tasks import measure_balances
from tests.builders.person import Person
from tests.builders.tables import person

JA = {"edition": "ja", "seats_wanted": "8", "pace": "relaxed", "option_silence": '"table"'}
# No edition has these together.
ODD = {"tracker_resets_on": "election", "veto_advances_tracker": False, "limited": "enactors"}
# Odd in the form.
ODD_FORM = {f"option_{name}": json.dumps(value) for name, value in ODD.items()}


@pytest.fixture
def ada(db) -> Person:
    return Person(person("Ada"), Table())


@pytest.fixture
def boris(db) -> Person:
    return Person(person("Boris"), Table())


@pytest.fixture
def few_games(monkeypatch) -> None:
    monkeypatch.setattr(balance, "GAMES", 4)
    monkeypatch.setattr(balance, "_SLICE", 2)


@pytest.fixture(autouse=True)
def no_game_is_played_on_a_request(monkeypatch) -> None:
    def refuse(*args: object, **how: object) -> None:
        raise AssertionError("a visitor's request started a game or a task")

    monkeypatch.setattr(Celery, "send_task", refuse)


def odd(**changes: object) -> Terms:
    return Terms(**{"edition": "en", "seats_wanted": 5, "house_rules": ODD} | changes)


def shares_of(*asked: Terms, of: Person) -> list[balance.Found]:
    return balance.shares_of(asked, asker=of.user)


def a_night() -> int:
    """Measure all that waits as a worker does; return the number of runs."""
    runs = 1
    while balance.measure_next():
        runs += 1
    return runs


# Editions -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("edition", EDITIONS)
def test_every_edition_is_known_at_every_size_and_costs_no_note(ada, edition):
    least, most = EDITIONS[edition].players
    for players in range(least, most + 1):
        (found,) = shares_of(Terms(edition=edition, seats_wanted=players), of=ada)

        assert found.share is not None and found.share.players == players
        assert 0 <= found.share.baseline_wins <= found.share.games
        assert 0 <= found.share.skilled_wins <= found.share.games
    assert not Balance.objects.exists()


def test_house_rules_that_bots_cannot_tell_from_the_edition_are_known_too(ada):
    alike: list[dict[str, object]] = [
        {"silence": "table"},
        {"party_cards": False, "hitler_signal": "none"},
        {"spoken_formula": [], "not_hitler_badge": True, "executed_says_not_hitler": True},
        # It limits the same players at five seats.
        {"small_table": "started"},
    ]
    (plain,) = shares_of(Terms(edition="en", seats_wanted=5), of=ada)

    for rules in alike:
        terms = Terms(edition="en", seats_wanted=5, house_rules=rules)
        assert shares_of(terms, of=ada) == [plain]


# House rules --------------------------------------------------------------------------------------


def test_a_mix_that_is_not_measured_is_noted_and_known_after_a_night(ada, few_games):
    (before,) = shares_of(odd(), of=ada)
    assert before.share is None
    assert before.nearest == shares_of(Terms(edition="en", seats_wanted=5), of=ada)[0].share

    assert a_night() == 2

    (after,) = shares_of(odd(), of=ada)
    assert after.share is not None and (after.share.players, after.share.games) == (5, 4)
    assert after.nearest is None
    assert a_night() == 1, "what is known is not measured again"


def test_many_who_look_note_it_once_and_other_rules_or_sizes_apart(ada, boris):
    for viewer in (ada, boris, ada):
        shares_of(odd(), odd(pace=Pace.BLITZ, is_blind=True), of=viewer)
    assert Balance.objects.count() == 1

    shares_of(odd(seats_wanted=6), odd(house_rules=ODD | {"limits_lapse": True}), of=ada)
    assert Balance.objects.count() == 3


def test_only_so_many_mixes_wait_at_one_time(ada, boris, few_games, monkeypatch):
    monkeypatch.setattr(balance, "MOST_WAITING", 2)
    for number, players in enumerate(range(5, 11)):
        (found,) = shares_of(odd(seats_wanted=players), of=(ada, boris)[number % 2])
        assert found.share is None
    assert Balance.objects.count() == 2

    # After the night there is room for others.
    a_night()
    shares_of(odd(seats_wanted=10), of=ada)
    assert Balance.objects.count() == 3


def test_an_account_notes_a_few_mixes_in_an_hour_and_others_still_theirs(ada, boris, settings):
    limits.forget_all()
    settings.LIMITS = settings.LIMITS | {"creations": "2/hour"}
    for size in (5, 6, 7):
        [found] = shares_of(odd(seats_wanted=size), of=ada)
        # The answer is the same as for a mix that waits.
        assert found.share is None
    assert Balance.objects.count() == 2

    # A mix that waits already costs nothing.
    for size in (5, 7, 8):
        shares_of(odd(seats_wanted=size), of=boris)
    assert Balance.objects.count() == 4


def test_the_mix_that_has_waited_longest_comes_first(ada, few_games):
    for players in (6, 5):
        shares_of(odd(seats_wanted=players), of=ada)

    balance.measure_next()

    assert Balance.objects.get(games=2).players == 6


def test_a_run_that_comes_twice_counts_once(ada, few_games, monkeypatch):
    shares_of(odd(), of=ada)
    real = balance.liberals_win

    def while_another_measures(*args):
        monkeypatch.setattr(balance, "liberals_win", real)
        balance.measure_next()
        return real(*args)

    monkeypatch.setattr(balance, "liberals_win", while_another_measures)
    assert balance.measure_next() is False
    assert Balance.objects.get().games == 2


def test_the_night_s_task_goes_on_until_all_is_measured_or_the_morning(ada, few_games, monkeypatch):
    sent: list[str] = []
    monkeypatch.setattr(Task, "apply_async", lambda self, args, **how: sent.append(*args))
    shares_of(odd(), of=ada)

    measure_balances()
    (morning,) = sent
    assert datetime.fromisoformat(morning) > datetime.now(UTC)
    measure_balances(morning)
    assert len(sent) == 1, "all is measured"

    shares_of(odd(seats_wanted=6), of=ada)
    measure_balances(datetime(2026, 1, 1, tzinfo=UTC).isoformat())
    assert not Balance.objects.filter(games=2).exists()


# The page -----------------------------------------------------------------------------------------


def test_the_form_s_own_balance_is_shown_and_nothing_is_opened(ada):
    answer = ada.post("/tables/new/", JA | {"balance": "1", "joiners": "friends"})

    html = answer.content.decode()
    assert answer.status_code == 200
    assert "With 8 players, the liberals win" in html
    assert '<option value="ja" selected>' in html
    assert not Table.objects.exists()
