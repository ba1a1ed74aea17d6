"""Words move a bot by what the table knows of the speaker, within bounds, and alike for all."""

import pytest

from games.bots import Heard, Spoken, choose
from games.bots.reasoning.mind import odds_for
from games.bots.reasoning.persuasion import ballot_shift, shifts
from games.bots.reasoning.reputations import reputations_in
from games.bots.reasoning.situation import logit
from games.rules.components import Ballot, Party, Policy
from games.rules.events import Ballots, Elected, Enacted, Nominated, NotHitler
from games.rules.knowledge import Drawn, PartySeen, Received
from games.rules.view import view_for

from .scenes import Scene

L, F = Policy.LIBERAL, Policy.FASCIST
EVEN = (0.5,) * 7


def round_of(number, president, chancellor, policy, *, ballot=Ballot.JA):
    """Return what the table sees of a round: seven ballots, and a policy."""
    return [
        (number, president, [Nominated(president, chancellor)]),
        (number, 6, [Ballots((ballot,) * 7), Elected(president, chancellor)]),
        (number, chancellor, [Enacted(policy, "government")]),
    ]


ONE_POLICY = round_of(1, 0, 1, F)


def credit(heard, seat):
    return reputations_in(heard).credit(seat)


def said(code, *seats, by=5, after=3):
    return Spoken(by, code, seats, after)


@pytest.mark.parametrize(
    ("word", "is_true"),
    [
        (said("me_vote_ja", after=1), True),
        (said("me_vote_nein", after=1), False),
        (said("me_nominate", 1, by=0, after=0), True),
        (said("me_nominate", 2, by=0, after=0), False),
        (said("fascist", 1, after=0), True),
        (said("liberal", 1, after=0), False),
        (said("vote_ja", after=1), False),
        (said("not_hitler", 1, after=0), True),
        (said("hitler", 1, by=4, after=0), False),
    ],
)
def test_what_happens_later_proves_words_true_or_false(word, is_true):
    cleared = [(1, 6, [NotHitler(1)])] if "hitler" in word.code else []
    told = [*ONE_POLICY[:2], *cleared, *([] if cleared else ONE_POLICY[2:])]
    found = credit(Heard(told, (), (word,)), word.seat)
    assert (found > 0.5) is is_true and (found < 0.5) is not is_true
    # It proves nothing about what is said afterwards, and the same word doesn't count twice.
    late = Spoken(word.seat, word.code, word.seats, len(told))
    assert credit(Heard(told, (), (late,)), word.seat) == 0.5
    assert credit(Heard(told, (), (word, word)), word.seat) == found


def test_claims_that_something_contradicts_cost_credit():
    passed_two = Drawn(1, 0, (L, F, F), F)
    no_choice = Drawn(1, 0, (F, F, F), F)
    got_none, got_one = Received(1, 1, (F, F)), Received(1, 1, (L, F))
    assert credit(Heard(ONE_POLICY, (no_choice, got_none)), 0) > 0.5
    denied = Heard(ONE_POLICY, (passed_two, got_none))
    assert credit(denied, 0) == credit(denied, 1) < 0.5
    impossible = Heard(ONE_POLICY, (Received(1, 1, (L, L)),))
    assert credit(impossible, 1) < credit(denied, 1)
    taken_back = Heard(ONE_POLICY, (got_one, got_none))
    assert credit(taken_back, 1) < 0.5


def shift(phrases, viewer=6, told=ONE_POLICY, claims=(), fascist=EVEN):
    return shifts(Heard(told, claims, tuple(phrases)), viewer, fascist)


def test_an_opinion_that_the_record_supports_moves_more_and_one_that_it_contradicts_nothing():
    supported, silent = shift([said("suspect", 1)])[1], shift([said("suspect", 3)])[3]
    assert supported > silent > 0
    assert shift([said("trust", 3)])[3] == -silent
    assert shift([said("liberal", 1)]) == {}
    cleared_by_check = [PartySeen(1, 0, 3, Party.LIBERAL)]
    assert shift([said("suspect", 3)], claims=cleared_by_check) == {}
    assert shift([said("me_liberal", by=3)], claims=cleared_by_check)[3] < 0
    assert shift([said("me_liberal", by=1)]) == {}


def test_repeated_words_add_nothing_own_words_do_nothing_and_a_new_side_takes_back_the_old():
    once = shift([said("suspect", 1)])
    assert shift([said("suspect", 1)] * 5) == once
    assert shift([said("suspect", 1)], viewer=5) == {}
    # No one voted oddly, so that word is empty.
    assert shift([said("suspect", 1), said("strange_vote", 1)]) == once
    turned = shift([said("suspect", 3), said("trust", 3)])
    assert turned == shift([said("trust", 3)])


def test_words_fade_with_news_and_a_doubtful_speaker_moves_less():
    word = [said("suspect", 3)]
    now = shift(word)[3]
    later = shift(word, told=[*ONE_POLICY, *round_of(2, 1, 2, L)])[3]
    assert 0 < later < now
    doubted = shift(word, fascist=(0.5,) * 5 + (0.9, 0.5))[3]
    assert 0 < doubted < now / 3
    assert shift(word, fascist=(0.5,) * 5 + (1.0, 0.5)) == {}


def test_words_are_bounded_for_a_seat_for_a_speaker_and_altogether():
    crowd = [said("fascist", 1, by=seat) for seat in (0, 2, 3, 4, 5)]
    assert shift(crowd[:1])[1] < shift(crowd[:2])[1] < shift(crowd)[1] <= 1.4
    flood = [said("fascist", seat) for seat in range(5)]
    assert sum(map(abs, shift(flood).values())) <= 1.8 + 1e-9
    everyone = [said("fascist", seat, by=by) for by in range(6) for seat in range(6) if seat != by]
    assert sum(map(abs, shift(everyone).values())) <= 3 + 1e-9
    pleas = [said("vote_ja", by=by, after=4) for by in range(6)]
    told = [*ONE_POLICY, (2, 1, [Nominated(1, 2)])]
    assert ballot_shift(Heard(told, (), pleas[:1]), 6, EVEN) > 0
    assert ballot_shift(Heard(told, (), pleas), 6, EVEN) <= 0.8


def test_a_plea_moves_those_whom_it_asks_and_for_this_vote_only():
    told = [*ONE_POLICY, (2, 1, [Nominated(1, 2)])]
    to_one = said("vote_nein", 4, after=4)
    assert ballot_shift(Heard(told, (), (to_one,)), 4, EVEN) < 0
    assert ballot_shift(Heard(told, (), (to_one,)), 6, EVEN) == 0
    before = said("vote_nein", after=3)
    assert ballot_shift(Heard(told, (), (before,)), 4, EVEN) == 0


def test_words_move_an_estimate_and_what_is_certain_stays():
    scene = Scene(7).nominate(1)
    words = [Spoken(6, "fascist", (1,), 1)]
    for viewer in (2, 4):
        view = view_for(scene.state, viewer)
        before, after = odds_for(view, Heard()), odds_for(view, Heard((), (), words))
        moved = logit(after.fascist[1], 0.001) - logit(before.fascist[1], 0.001)
        assert moved == pytest.approx(shifts(Heard((), (), words), viewer, before.fascist)[1])
        assert moved > 0.2 and after.hitler[1] > before.hitler[1]
        assert sum(after.fascist) == pytest.approx(sum(before.fascist))
        # Its own seat is certain, whatever others say.
        about_me = [Spoken(6, "fascist", (viewer,), 1)]
        assert odds_for(view, Heard((), (), about_me)) == before


def test_a_bot_votes_and_nominates_as_it_has_announced():
    scene = Scene(7)
    told = []
    view = view_for(scene.state, 0)
    for seat in (1, 3, 5):
        words = [Spoken(0, "me_nominate", (seat,), 0)]
        assert choose("reasoner", view, lambda n: 0, Heard(told, (), words)).target == seat
    view = view_for(scene.nominate(1).state, 2)
    told = [(1, 0, [Nominated(0, 1)])]
    plea = Spoken(5, "vote_nein", (), 1)
    for words, ballot in [
        ([Spoken(2, "me_vote_ja", (), 1)], Ballot.JA),
        ([Spoken(2, "me_vote_nein", (), 1)], Ballot.NEIN),
        ([plea, Spoken(2, "point", (5,), 1)], Ballot.NEIN),
        ([plea, Spoken(2, "not_convinced", (5,), 1)], Ballot.JA),
    ]:
        for draw in (0, (1 << 30) - 1):
            vote = choose("reasoner", view, lambda n, d=draw: d % n, Heard(told, (), words))
            assert vote.ballot is ballot
