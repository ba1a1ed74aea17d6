"""What reasoning bots say in whole games: no broken rule, contradiction or repetition."""

import random
from itertools import cycle, islice, pairwise

import pytest

from games import bots
from games.bots import cues
from games.bots.cues import Character, Occasion
from games.rules.claims import sight_of, sights
from games.rules.components import Ballot, Policy, Role
from games.rules.editions import options_of
from games.rules.events import Ballots, Elected, Enacted, Nominated
from games.rules.knowledge import Drawn, Received
from games.rules.phases import Phase
from games.rules.powers import PowerUsed
from games.rules.record import replay
from games.rules.view import public_event, view_for
from games.simulation.games import both, play_game
from games.wording.phrases import PHRASES

AGAINST = {"suspect", "fascist", "hitler", "nein_distrust", "nein_hitler"}
FOR = {"trust", "liberal", "believe", "good_pair", "ja_trust"}
ANSWERS = {"perhaps", "no_idea", "agree", "disagree", "me_truth", "me_liberal", "hello", "thanks"}


def kinds_of(players):
    return tuple(islice(cycle(bots.CHARACTERS), players))


def moments(talk):
    """Yield what was said, with the public events of all actions before it."""
    told = []
    for line in talk.lines:
        if isinstance(line.what, tuple):
            told.append(line.what)
        else:
            yield told, line


def test_every_officer_claims_what_they_saw_once(ten):
    for talk in ten:
        told = [line.what for line in talk.lines if isinstance(line.what, tuple)]
        said = [
            sight_of(line.what)
            for line in talk.lines
            if not isinstance(line.what, tuple | bots.Spoken)
        ]
        assert len(said) == len(set(said))
        # Each is one of the claims that a person could make.
        assert all(
            line.what in sight_of(line.what).claims
            for line in talk.lines
            if not isinstance(line.what, tuple | bots.Spoken)
        )
        assert set(said) <= set(sights(told))
        # Those that are missing came at the very end, or their seat was executed.
        assert len(said) >= len(sights(told)) - 4


def test_liberals_claim_the_truth(ten):
    lies = 0
    for talk in ten:
        for line in talk.lines:
            claim = line.what
            if isinstance(claim, Drawn | Received):
                truth = next(k for k in talk.state.knowledge if sight_of(k) == sight_of(claim))
                is_true = sorted(claim.policies) == sorted(truth.policies)
                if talk.state.setup.roles[claim.seat] is Role.LIBERAL:
                    assert is_true
                lies += not is_true
    assert lies


def test_a_fascist_does_not_contradict_a_fascist_partner(ten):
    pairs = 0
    for talk in ten:
        said = {}
        for line in talk.lines:
            claim = line.what
            if not isinstance(claim, Drawn | Received):
                continue
            said[type(claim), claim.round] = claim.policies.count(Policy.LIBERAL)
            partner = said.get((Received, claim.round)) if isinstance(claim, Drawn) else None
            if partner is None or not is_fascist_government(talk, claim.round):
                continue
            pairs += 1
            assert said[Drawn, claim.round] - partner in (0, 1)
    # Such governments are rare.
    assert pairs >= len(ten) // 24


def is_fascist_government(talk, round_number):
    """Return whether both officers are fascists and the President knows it."""
    found = next(g for g in talk.state.governments if g.round == round_number)
    roles = talk.state.setup.roles
    return roles[found.president] is Role.FASCIST and roles[found.chancellor] is not Role.LIBERAL


def test_the_dead_say_nothing_before_the_end(ten):
    for talk in ten:
        for told, line in moments(talk):
            if isinstance(line.what, bots.Spoken) and line.what.code.startswith("end_"):
                continue
            dead = {
                event.target
                for _, _, events in told
                for event in events
                if isinstance(event, PowerUsed) and event.kind == "executed"
            }
            assert line.seat not in dead


def test_no_officer_speaks_during_a_session(ten):
    for talk in ten:
        if talk.state.setup.options.silence is None:
            continue
        officers = None
        for line in talk.lines:
            if isinstance(line.what, tuple):
                for event in line.what[2]:
                    if event.kind == "elected":
                        officers = (event.president, event.chancellor)
                    elif event.kind in ("enacted", "over") or (
                        event.kind == "veto" and event.consent
                    ):
                        officers = None
            elif officers is not None:
                assert line.seat not in officers


def test_no_bot_repeats_itself(ten):
    for talk in ten:
        for number, spoken in enumerate(talk.spoken):
            if spoken.code not in ANSWERS:
                before = talk.spoken[max(0, number - 25) : number]
                same = (spoken.seat, spoken.code, spoken.seats)
                assert same not in [(one.seat, one.code, one.seats) for one in before]


def test_bots_talk_but_not_without_pause(ten):
    for talk in ten:
        minutes = talk.lines[-1].at / 60
        # Ten bots: at most two phrases a minute each, and no silent game.
        assert 2 <= len(talk.spoken) <= 20 * minutes + 3


def test_most_claims_come_within_three_seconds_and_the_president_is_first(ten):
    waits, first = [], []
    for talk in ten:
        enacted_at, government = 0.0, []
        for line in talk.lines:
            if isinstance(line.what, tuple):
                if any(isinstance(event, Enacted) for event in line.what[2]):
                    enacted_at, government = line.at, []
            elif isinstance(line.what, Drawn | Received):
                waits.append(line.at - enacted_at)
                government.append(isinstance(line.what, Drawn))
                if len(government) == 2:
                    first.append(government[0])
    assert 0.5 < sum(wait <= 3 for wait in waits) / len(waits) < 0.75
    assert 0.4 < sum(first) / len(first) < 0.75


def test_a_talkative_bot_says_more_than_a_quiet_one(ten):
    said = dict.fromkeys(bots.CHARACTERS, 0)
    for talk in ten:
        for spoken in talk.spoken:
            said[talk.kinds[spoken.seat]] += 1
    assert said["talker"] > 2 * said["quiet"]


def test_every_phrase_is_in_the_book_and_names_as_many_seats_as_it_can(ten):
    used = set()
    for talk in ten:
        for spoken in talk.spoken:
            assert len(spoken.seats) in PHRASES[spoken.code].sentences
            used.add(spoken.code)
    assert len(used) >= 15


# Cues ------------------------------------------------------------------------------------------


def below(n):
    return 0


SPEAKERS = {1: Character(talkative=1.0), 2: Character(talkative=1.0)}


def test_a_question_is_answered_by_the_seat_that_it_names():
    spoken = bots.Spoken(0, "whom_suspect", (2,))
    [cue] = cues.cues_after_phrase(spoken, SPEAKERS, (None, None), False, below)
    assert (cue.seat, cue.occasion, cue.seats) == (2, Occasion.ANSWER, (0, 2))


def test_a_question_to_the_president_is_answered_by_the_last_one():
    spoken = bots.Spoken(0, "what_drawn")
    [cue] = cues.cues_after_phrase(spoken, SPEAKERS, (1, 2), False, below)
    assert cue.seat == 1


def test_a_request_about_a_seat_does_not_address_it():
    spoken = bots.Spoken(0, "nominate", (2,))
    assert cues.cues_after_phrase(spoken, SPEAKERS, (1, 2), False, below) == []


def test_an_answer_leads_to_no_further_answer():
    for code in ANSWERS - {"hello", "thanks"}:
        spoken = bots.Spoken(1, code, (2,) if 1 in PHRASES[code].sentences else ())
        assert cues.cues_after_phrase(spoken, SPEAKERS, (1, 2), True, below) == []


def test_a_person_who_has_claimed_nothing_is_asked():
    heard = bots.Heard(
        [
            (1, 0, [Ballots((Ballot.JA,) * 5)]),
            (1, 3, [Elected(3, 1), Enacted(Policy.FASCIST, "government")]),
        ]
    )
    planned = cues.cues_after_action(heard, SPEAKERS, 1, below)
    claims = [cue for cue in planned if cue.occasion is Occasion.CLAIM]
    asks = [cue for cue in planned if cue.occasion is Occasion.ASK]
    assert [cue.seat for cue in claims] == [1]
    assert [cue.seats for cue in asks] == [(3,)]


def test_bots_for_beginners_explain_their_ballots_more_often():
    heard = bots.Heard([(1, 0, [Nominated(0, 1), Ballots((Ballot.JA,) * 5)])])

    def explained(explains):
        speakers = {seat: Character(talkative=0.5, explains=explains) for seat in range(5)}
        rng = random.Random(1)
        planned = (cues.cues_after_action(heard, speakers, 0, rng.randrange) for _ in range(300))
        return sum(cue.occasion is Occasion.BALLOT for some in planned for cue in some)

    assert explained(True) > 1.3 * explained(False)


# What is said at a cue --------------------------------------------------------------------------


def moments_of_a_game(number):
    """Yield each seat's view of a game of bots before nominations, with what it has heard."""
    game = play_game(options_of("en"), 7, "say", number, both(bots.SKILLED))
    told = []
    for before, after in pairwise(replay(game.record("en"))):
        events = tuple(public_event(event) for event in after.events)
        told.append((before.state.round, after.entry.action.seat, events))
        if after.state.phase is Phase.NOMINATION and after.state.governments:
            for seat in range(7):
                view = view_for(after.state, seat)
                if seat in view.alive:
                    yield view, list(told)


@pytest.mark.nightly
def test_an_opinion_is_not_turned_round_before_there_is_news():
    opposite = dict.fromkeys(AGAINST, "trust") | dict.fromkeys(FOR, "suspect")
    tried = 0
    for view, told in (moment for number in range(5) for moment in moments_of_a_game(number)):
        cue = cues.Cue(0, view.viewer, Occasion.POLICY)
        say = bots.kind_named(bots.SKILLED).say
        words = say(view, bots.Heard(told), cue, below)
        if words is None or words[0] not in opposite:
            continue
        before = bots.Spoken(view.viewer, opposite[words[0]], words[1], len(told))
        assert say(view, bots.Heard(told, (), (before,)), cue, below) != words
        # After news, the bot may change its mind.
        earlier = bots.Spoken(view.viewer, opposite[words[0]], words[1], 0)
        assert say(view, bots.Heard(told, (), (earlier,)), cue, below) == words
        tried += 1
    assert tried > 20


def test_a_bot_that_has_claimed_stands_by_it_when_asked_again():
    tried = 0
    for view, told in moments_of_a_game(1):
        own = [item for item in view.knowledge if isinstance(item, Drawn)]
        if not own:
            continue
        cue = cues.Cue(0, view.viewer, Occasion.ANSWER, "what_drawn", (0, view.viewer))
        say = bots.kind_named(bots.SKILLED).say
        claim = say(view, bots.Heard(told), cue, below)
        assert isinstance(claim, Drawn)
        assert say(view, bots.Heard(told, (claim,)), cue, below) == ("me_truth", ())
        tried += 1
    assert tried
