"""The detective: what it can know it knows, and what it cannot know it does not."""

import pytest

from games import bots
from games.bots.registry import Kind
from games.rules.components import Role
from games.rules.editions import options_of
from games.rules.phases import Phase

from .detecting import EVIDENCE, watched_game
from .detective import auc_of, follow, judged, report

pytestmark = pytest.mark.nightly


def choose(view, heard, below):
    """Play at random, but vote Ja as a liberal nine times of ten, and as a fascist never."""
    if view.phase is Phase.ELECTION:
        return view.legal[0 if view.role is Role.LIBERAL and below(10) else 1]
    return view.legal[below(len(view.legal))]


@pytest.fixture
def traitor(monkeypatch):
    monkeypatch.setattr("games.bots.registry._kinds", dict(bots.registry._kinds))
    bots.register(Kind(name="traitor", label="", choose=choose))
    return "traitor"


def verdicts(kind, games=6):
    return [judged(kind, options_of("en"), 7, "test", number + 1) for number in range(games)]


def test_a_trait_of_fascists_gives_them_away_by_its_own_kind_of_evidence(traitor):
    found = verdicts(traitor)
    assert auc_of("all evidence", found) > 0.95
    assert auc_of("ALL BALLOTS", found) > 0.95
    assert auc_of("without ballots", found) == auc_of("what is certain", found)


def test_bots_that_play_at_random_tell_no_more_than_what_is_certain():
    found = verdicts("uniform")
    assert auc_of("all evidence", found) == auc_of("what is certain", found)


def test_the_truth_is_never_held_for_impossible():
    for kind in ("reasoner",):
        game = watched_game(kind, options_of("en"), 7, "test", 1)
        detective = follow(kind, game)
        [truth] = [h for h in detective.hypotheses if h.roles == game.record.deal.roles]
        assert truth.is_possible
        assert all(truth.logs[evidence] > -18 for evidence in EVIDENCE)


def test_the_report_has_every_kind_of_evidence_with_intervals(traitor):
    told = report(traitor, 7, verdicts(traitor, games=2))
    assert {*EVIDENCE, "all evidence"} <= set(told["evidence"])
    for row in told["evidence"].values():
        share, low, high = row["named"]
        assert low <= share <= high
