"""How a cautious bot plays each side, decision by decision."""

from games.bots import choose
from games.bots.liberal import trusts_government
from games.bots.suspicion import Suspicion, own_suspicion, public_suspicion
from games.rules.actions import AnswerVeto, Discard, Enact, Nominate, ProposeVeto, Vote
from games.rules.components import Ballot, Policy
from games.rules.powers import Execute, Investigate, Peek
from games.rules.state import draft_of, freeze
from games.rules.view import view_for

from .scenes import Scene

LIBERAL, FASCIST = Policy.LIBERAL, Policy.FASCIST


def choice(scene, seat):
    return choose("cautious", view_for(scene.state, seat), lambda n: 0)


def choices(scene, seat, ways=4):
    return {
        choose("cautious", view_for(scene.state, seat), lambda n, k=k: k % n) for k in range(ways)
    }


def changed(scene, **values):
    """Set values of the scene's state directly, where the way to that state does not matter."""
    draft = draft_of(scene.state)
    for name, value in values.items():
        setattr(draft, name, value)
    scene.state = freeze(draft)
    return scene


# Liberals: seats 0 to 2 of five, seats 0 to 3 of seven.


def test_a_liberal_president_discards_a_fascist_policy():
    assert choice(Scene(5, "LFF").elect(1), 0) == Discard(0, FASCIST)


def test_a_liberal_chancellor_enacts_a_liberal_policy():
    scene = Scene(5, "LFF").elect(1).do(Discard(0, FASCIST))
    assert choice(scene, 1) == Enact(1, LIBERAL)


def test_a_liberal_trusts_an_unknown_first_government():
    assert choice(Scene(7).nominate(4), 1) == Vote(1, Ballot.JA)


def test_a_liberal_suspects_the_pair_that_enacted_a_fascist_policy_the_chancellor_most():
    scene = Scene(7, "FFFLLF").govern(5, "F", "F").govern(2, "F", "L")
    suspicion = own_suspicion(view_for(scene.state, 3))
    assert suspicion.fascist[5] > suspicion.fascist[0] > suspicion.fascist[6]
    assert suspicion.fascist[6] > suspicion.fascist[1] > suspicion.fascist[2]


def test_a_liberal_rejects_a_government_whose_members_enacted_fascist_policies():
    scene = Scene(7, "FFFLLF", first=5).govern(0, "F", "F").govern(1, "F", "L")
    scene.nominate(5)
    assert choice(scene, 2) == Vote(2, Ballot.NEIN)


def test_a_liberal_nominates_a_chancellor_who_enacted_a_liberal_policy():
    scene = Scene(7, "FFFLLF", first=4).govern(6, "F", "F").govern(2, "F", "L")
    scene.reject(0)
    # Seat 2 was Chancellor last and is limited. Of the others, 4 and 6 enacted a fascist policy.
    assert choice(scene, 0).target not in (4, 6)


def test_a_liberal_president_knows_the_chancellor_who_had_the_choice():
    scene = Scene(7, "LFF").govern(5, "F", "F")
    assert own_suspicion(view_for(scene.state, 0)).fascist[5] > 0.9
    assert public_suspicion(view_for(scene.state, 0)).fascist[5] < 0.9


def test_a_liberal_chancellor_who_was_handed_two_fascist_policies_suspects_the_president():
    scene = Scene(7, "FFF").govern(1, "F", "F")
    suspicion = own_suspicion(view_for(scene.state, 1)).fascist
    assert suspicion[0] > max(suspicion[2:])


def test_a_liberal_trusts_an_investigated_liberal_and_no_investigated_fascist():
    scene = Scene(9, "FFF").govern(8, "F", "F").do(Investigate(0, 5))
    suspicion = own_suspicion(view_for(scene.state, 0))
    assert suspicion.fascist[5] == 1.0
    scene = Scene(9, "FFF").govern(8, "F", "F").do(Investigate(0, 1))
    assert own_suspicion(view_for(scene.state, 0)).fascist[1] == 0.0


def test_a_liberal_investigates_the_most_suspect():
    assert choice(Scene(9, "LFF").govern(7, "F", "F"), 0) == Investigate(0, 7)


def armed(scene):
    return changed(scene, fascist=3)


def test_with_three_fascist_policies_a_liberal_prefers_a_cleared_chancellor():
    scene = changed(armed(Scene(7)), cleared=(4,))
    assert choices(scene, 0) == {Nominate(0, 4)}


def test_with_three_fascist_policies_a_liberal_fears_a_chancellor_whom_a_suspect_nominates():
    scene = Scene(7, "LFFLFF").govern(5, "F", "F").govern(4, "F", "L")
    scene.reject(3).reject(6).reject(0)
    scene = armed(scene)
    # Seat 5 betrayed seat 0 and is now the candidate, with a nominee of unknown party.
    assert scene.state.candidate == 5
    assert choice(scene.nominate(6), 0) == Vote(0, Ballot.NEIN)


def test_a_nominee_is_feared_for_the_company_they_keep():
    view = view_for(armed(Scene(7)).nominate(1).state, 2)
    # The pair looks no worse than the other seats; only the suspicion of the President differs.
    others = (0.6, 0.6, 0.6, 0.6)
    hitler = (0.15,) * 7
    assert trusts_government(view, Suspicion((0.1, 0.3, 0.0, *others), hitler))
    assert not trusts_government(view, Suspicion((0.6, 0.3, 0.0, *others), hitler))


def test_a_liberal_votes_ja_to_avoid_chaos_where_the_government_is_not_suspect():
    scene = Scene(7, "FFFLLF").govern(6, "F", "F").govern(2, "F", "L")
    scene.reject(0).reject(4)
    assert scene.state.tracker == 2
    assert choice(scene.nominate(3), 1) == Vote(1, Ballot.JA)


def test_a_liberal_executes_the_chancellor_who_betrayed_them():
    scene = Scene(7, "FLF").elect(5).do(Discard(0, FASCIST))
    scene = changed(scene, fascist=3)
    scene.do(Enact(5, FASCIST))
    assert choice(scene, 0) == Execute(0, 5)


def test_a_liberal_chancellor_proposes_a_veto_of_two_fascist_policies():
    scene = changed(Scene(7, "FFF"), fascist=5, cleared=(1,)).elect(1).do(Discard(0, FASCIST))
    assert choice(scene, 1) == ProposeVeto(1)
    assert choice(scene.do(ProposeVeto(1)), 0) == AnswerVeto(0, True)


def test_a_liberal_president_refuses_a_veto_of_two_liberal_policies():
    scene = changed(Scene(7, "LLF"), fascist=5).elect(4).do(Discard(0, FASCIST), ProposeVeto(4))
    assert choice(scene, 0) == AnswerVeto(0, False)


# Fascists: seat 3 of five, seats 4 and 5 of seven. Hitler has the last seat.


def test_a_fascist_sometimes_hides_early():
    scene = Scene(7, "LFF", first=4).elect(0)
    assert choices(scene, 4) == {Discard(4, LIBERAL), Discard(4, FASCIST)}


def test_a_fascist_strikes_late():
    scene = changed(Scene(7, "LFF", first=4), fascist=2).elect(0)
    assert choices(scene, 4) == {Discard(4, LIBERAL)}


def test_a_fascist_strikes_before_the_last_liberal_policy():
    scene = changed(Scene(7, "LFF", first=4), liberal=4).elect(0)
    assert choices(scene, 4) == {Discard(4, LIBERAL)}


def test_a_fascist_nominates_hitler_once_that_wins():
    scene = armed(Scene(7, first=4))
    assert choice(scene, 4) == Nominate(4, 6)
    assert choice(scene.nominate(6), 5) == Vote(5, Ballot.JA)


def test_a_fascist_never_executes_hitler_or_a_friend():
    scene = Scene(7, "FFF", first=4).elect(0).do(Discard(4, FASCIST))
    scene = changed(scene, fascist=3).do(Enact(0, FASCIST))
    assert {action.target for action in choices(scene, 4)} <= {0, 1, 2, 3}


def test_a_fascist_looks_at_a_friend_so_that_no_one_else_does():
    scene = Scene(9, "FFF", first=5).govern(0, "F", "F")
    assert {action.target for action in choices(scene, 5, ways=9)} == {6, 7, 8}


def test_a_fascist_chancellor_vetoes_two_liberal_policies_and_never_two_fascist_ones():
    scene = changed(Scene(7, "LLF"), fascist=5).elect(4).do(Discard(0, FASCIST))
    assert choice(scene, 4) == ProposeVeto(4)
    scene = changed(Scene(7, "FFF"), fascist=5).elect(4).do(Discard(0, FASCIST))
    assert choice(scene, 4) == Enact(4, FASCIST)


def test_a_fascist_president_refuses_the_veto_that_would_save_the_liberals():
    scene = changed(Scene(7, "FFF", first=4), fascist=5).elect(0)
    scene.do(Discard(4, FASCIST), ProposeVeto(0))
    assert choice(scene, 4) == AnswerVeto(4, False)


def test_a_fascist_votes_like_a_liberal_where_nothing_is_to_gain():
    scene = Scene(7).nominate(1)
    assert choice(scene, 4).ballot is choice(scene, 2).ballot is Ballot.JA


def test_hitler_plays_like_a_liberal_early():
    scene = Scene(7, "LFF", first=6).elect(0)
    assert choices(scene, 6) == {Discard(6, FASCIST)}
    scene = Scene(7, "LFF").elect(6).do(Discard(0, FASCIST))
    assert choices(scene, 6) == {Enact(6, LIBERAL)}


def test_hitler_strikes_when_one_more_policy_decides():
    scene = changed(Scene(7, "LFF", first=6), fascist=5).elect(0)
    assert choices(scene, 6) == {Discard(6, LIBERAL)}


def test_hitler_votes_for_a_government_of_their_own_that_wins():
    assert choice(armed(Scene(7)).nominate(6), 6) == Vote(6, Ballot.JA)


def test_hitler_never_executes_the_known_fascist():
    scene = Scene(5, "FFF", first=4).elect(0).do(Discard(4, FASCIST))
    scene = changed(scene, fascist=3).do(Enact(0, FASCIST))
    assert {action.target for action in choices(scene, 4)} <= {0, 1, 2}


def test_anyone_peeks_when_they_must():
    scene = Scene(5, "FFF").elect(1).do(Discard(0, FASCIST))
    scene = changed(scene, fascist=2).do(Enact(1, FASCIST))
    assert choice(scene, 0) == Peek(0)


def test_fear_adds_up_to_the_fascists_that_are_hidden():
    scene = Scene(9, "FFFFFF").govern(1, "F", "F")
    view = view_for(scene.state, 3)
    suspicion = own_suspicion(view)
    assert abs(sum(suspicion.fascist) - 4) < 0.01
    assert abs(sum(suspicion.hitler) - 1) < 0.01
    assert suspicion.fascist[3] == 0.0
