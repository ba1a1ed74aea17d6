"""What a reasoning bot does, and that what it does in elections does not tell its role."""

from dataclasses import replace
from random import Random

import pytest

from games.bots import Heard, Spoken, choose
from games.bots.reasoning import play
from games.bots.reasoning.mind import Odds
from games.bots.reasoning.play import Temper
from games.bots.reasoning.situation import is_armed, is_hitler
from games.rules.actions import Discard, Enact, Vote
from games.rules.components import Ballot, Party, Policy, Role
from games.rules.editions import options_of
from games.rules.phases import Phase
from games.rules.powers import Execute
from games.rules.state import draft_of, freeze
from games.rules.view import view_for
from games.simulation import games
from games.simulation.games import both, play_game

from .scenes import Scene

FASCIST = Policy.FASCIST


def changed(scene, **values):
    draft = draft_of(scene.state)
    for name, value in values.items():
        setattr(draft, name, value)
    scene.state = freeze(draft)
    return scene


def drawing(seed):
    fraction = Random(seed).random
    return lambda n: int(fraction() * n)


def to_execute(president):
    """Return the view of a President of seven who has to execute a player."""
    scene = Scene(7, "FFF", first=president).elect((president + 1) % 4)
    scene = changed(scene.do(Discard(president, FASCIST)), fascist=3)
    scene.do(Enact((president + 1) % 4, FASCIST))
    return view_for(scene.state, president)


def targets(view, times=60):
    return [choose("reasoner", view, drawing(seed)).target for seed in range(times)]


def test_a_liberal_executes_the_seat_most_likely_to_be_hitler(monkeypatch):
    odds = Odds((0, 0.1, 0.3, 0.3, 0.3, 0.3, 0.9), (0, 0.05, 0.1, 0.1, 0.1, 0.05, 0.6))
    monkeypatch.setattr(play, "odds_for", lambda view, heard: odds)
    aimed = targets(to_execute(0))
    assert aimed.count(6) > 0.9 * len(aimed)


def test_a_fascist_never_executes_hitler_even_if_all_suspect_hitler(monkeypatch):
    odds = Odds((0.1,) * 6 + (0.9,), (0.05,) * 6 + (0.8,))
    monkeypatch.setattr(play, "odds_for", lambda view, heard: odds)
    view = to_execute(4)
    assert isinstance(view.legal[0], Execute) and view.role is Role.FASCIST
    assert 6 not in targets(view, 200)


def test_a_fascist_votes_for_the_government_that_wins():
    view = view_for(changed(Scene(7), fascist=3).nominate(6).state, 4)
    ballots = [choose("reasoner", view, drawing(seed)) for seed in range(40)]
    assert ballots.count(Vote(4, Ballot.JA)) > 35


def decisions(players, number):
    """Return the views and histories in which bots voted or nominated in one game.

    Before each decision, the next seat has accused or praised the one after it, or asked for a Ja.
    """
    found, words = [], []

    def noting(kind, view, below, heard):
        if view.phase in (Phase.NOMINATION, Phase.ELECTION):
            speaker, other = ((view.viewer + step) % players for step in (1, 2))
            code = ("fascist", "liberal", "vote_ja")[len(words) % 3]
            seats = () if code == "vote_ja" else (other,)
            words.append(Spoken(speaker, code, seats, len(heard.told)))
            found.append((view, Heard(tuple(heard.told), tuple(heard.claims), tuple(words))))
        return choose(kind, view, below, heard)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(games, "choose", noting)
        play_game(options_of("en"), players, "cover", number, both("reasoner"))
    return found


def as_a_liberal(view, heard):
    """Return the view of a liberal in this seat who saw what this seat claims to have seen."""
    seat = view.viewer
    return replace(
        view,
        role=Role.LIBERAL,
        roles=tuple(Role.LIBERAL if s == seat else None for s in range(view.players)),
        parties=tuple(Party.LIBERAL if s == seat else None for s in range(view.players)),
        knowledge=tuple(claim for claim in heard.claims if claim.seat == seat),
    )


def wins_at_once(view):
    chancellors = (view.nominee,) if view.phase is Phase.ELECTION else view.eligible
    return is_armed(view) and any(is_hitler(view, seat) for seat in chancellors)


@pytest.mark.parametrize("players", [5, 7])
def test_fascists_vote_and_nominate_as_a_liberal_in_their_seat_unless_that_wins(players):
    compared = 0
    for index, (view, heard) in enumerate(decisions(players, 1)[::2]):
        if view.role is Role.LIBERAL or wins_at_once(view):
            continue
        liberal = as_a_liberal(view, heard)
        for kind in ("reasoner", "contrary"):
            own = choose(kind, view, drawing(index), replace(heard, memory={}))
            other = choose(kind, liberal, drawing(index), replace(heard, memory={}))
            assert own == other
        compared += 1
    assert compared > 5


def test_a_seed_and_a_position_give_the_same_action_with_and_without_memory():
    memory = {}
    for index, (view, heard) in enumerate(decisions(7, 3)):
        remembered = choose("reasoner", view, drawing(index), replace(heard, memory=memory))
        assert remembered == choose("reasoner", view, drawing(index), replace(heard, memory={}))


def test_more_nerve_takes_the_likelier_option_more_often():
    view = view_for(Scene(7).nominate(1).state, 2)

    def ja(nerve):
        ballots = [play.choose(view, Heard(), drawing(s), nerve=nerve) for s in range(300)]
        return ballots.count(Vote(2, Ballot.JA))

    assert ja(0.3) < ja(1.0) < ja(3.0)


def test_a_bold_temper_votes_ja_more_often_than_a_careful_one():
    view = view_for(Scene(7).nominate(1).state, 2)

    def ja(temper):
        ballots = [play.choose(view, Heard(), drawing(s), temper) for s in range(300)]
        return ballots.count(Vote(2, Ballot.JA))

    assert ja(Temper(ja=-1.0)) < ja(Temper()) < ja(Temper(ja=1.0))
