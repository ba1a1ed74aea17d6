"""The arithmetic of ratings: order, uncertainty and weights."""

from datetime import UTC, datetime, timedelta

from games.rating import SIGMA, Played, Sign, Skill, rate, rested, season_of, weigh
from tests.bench.ratings import simulate

NOW = datetime(2026, 11, 24, tzinfo=UTC)
GAME = Played(True, frozenset({2}), frozenset({3, 4}))


def signs(*recent: Played, devices: dict[int, int] | None = None, thrown: int = 0) -> set[Sign]:
    weight = weigh(recent, GAME, devices=devices or {}, thrown=thrown)
    assert (weight.value < 1) == bool(weight.reasons)
    return {reason.sign for reason in weight.reasons}


def test_after_two_hundred_games_players_stand_in_the_order_of_their_strength():
    found = simulate(players=70, games=200, seed=4)
    assert min(found.correlation.values()) >= 0.9


def test_newcomers_of_unequal_teams_start_even():
    four, three = [Skill()] * 4, [Skill()] * 3
    of_four = rate(four, three, [1.0] * 7)
    of_three = rate(three, four, [1.0] * 7)
    assert of_four[0].mu > 0 > of_four[-1].mu
    # The larger team was no favourite.
    assert abs(of_four[0].mu + of_three[-1].mu) < 1e-9


def test_a_game_of_no_weight_changes_nothing():
    before = [Skill(1.0, 5.0), Skill(-2.0, 4.0)]
    after = rate(before[:1], before[1:], [0.0, 1.0])
    assert after[0] == before[0]
    assert after[1].mu < before[1].mu


def test_a_rest_widens_the_margin_but_never_beyond_a_newcomers():
    known = Skill(3.0, 4.0)
    assert rested(known, NOW - timedelta(days=10), NOW) == known
    month, year = (rested(known, NOW - timedelta(days=days), NOW) for days in (40, 365))
    assert known.sigma < month.sigma < year.sigma <= SIGMA
    assert year.mu == known.mu
    assert rested(known, NOW - timedelta(days=9000), NOW).sigma == SIGMA


def test_a_new_season_widens_the_margin():
    end = datetime(2026, 9, 30, 23, tzinfo=UTC)
    assert season_of(end) == 20263
    assert rested(Skill(0.0, 4.0), end, end + timedelta(hours=2)).sigma > 4.0


def test_only_what_repeats_weighs_a_game_down():
    mixed = [Played(number % 2 == 0, frozenset(), frozenset({10 + number})) for number in range(20)]
    assert signs(*mixed) == set()
    same = [Played(number % 2 == 0, frozenset({2}), frozenset({3, 4})) for number in range(20)]
    assert signs(*same) == {Sign.CIRCLE}
    assert signs(*same[:9]) == set()
    lost = [Played(False, frozenset(), frozenset({3, 20 + number})) for number in range(8)]
    assert signs(*lost) == {Sign.ONE_SIDED}
    assert signs(*lost[:7]) == set()
    assert signs(devices={3: 1}) == {Sign.DEVICE}
    assert signs(thrown=2) == {Sign.THROWN}
