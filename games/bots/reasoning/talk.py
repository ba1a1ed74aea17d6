"""What a reasoning bot says at a cue: a claim, a phrase, or nothing.

Liberals say what they believe. Fascists say what a liberal in their seat would believe, as they
also act by that: their words must not tell them apart.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final, assert_never

from games.bots.chance import Below
from games.bots.cues import GREETINGS, Cue, Occasion
from games.bots.heard import Heard, Spoken
from games.bots.registry import Words
from games.rules.claims import About, Sight, passed, sight_of, sights
from games.rules.components import FAILED_ELECTIONS_TO_CHAOS, Ballot, Policy
from games.rules.events import Ballots, Enacted, Event, Nominated, Tracker
from games.rules.knowledge import Drawn, Knowledge, Received
from games.rules.phases import Phase
from games.rules.view import View

from .claims import claim_about
from .mind import Odds, odds_for, odds_without
from .opinions import opinion, opinions
from .persuasion import PLEAS, side_of
from .play import NEUTRAL, Temper, ballot_intended, nomination_intended
from .situation import is_armed, suspicion

# What a question asks to be shown; None for all.
_SHOW: Final = {
    "what_drawn": About.DRAWN,
    "what_handed": About.RECEIVED,
    "what_seen": None,
    "say_what": None,
}
# How to ask for a claim about something.
_ASKS: Final = {
    About.DRAWN: "what_drawn",
    About.RECEIVED: "what_handed",
    About.PARTY: "say_what",
    About.PEEKED: "say_what",
}
# How far the log odds of being a fascist must have moved before a bot says so.
_NOTABLE: Final = 0.35
_STRONG: Final = 1.4
# How far the words of another must have moved an estimate, or a ballot, before a bot says so.
_MOVED: Final = 0.46
_MOVED_BALLOT: Final = 0.08
# A bot announces a ballot that it casts with more than this probability.
_SURE: Final = 0.65
# A nominee with this many times the usual odds of being Hitler is worth a warning.
_DANGEROUS: Final = 1.2
# A bot doesn't say the same again within this many phrases of the table.
_NOT_AGAIN: Final = 25
# One of these is enough for a while, whoever accuses.
_DEFENCES: Final = frozenset({"me_liberal", "me_wronged", "me_truth", "me_not_hitler"})
# These say more than any accusation before them.
_NEWS: Final = frozenset({"confessed", "hitler"})
# Except for such short answers.
_AGAIN_AND_AGAIN: Final = frozenset(
    {
        *("perhaps", "no_idea", "agree", "disagree", "me_truth", "me_liberal", "hello", "thanks"),
        *("me_vote_ja", "me_vote_nein", "me_nominate"),
    }
)


def say(
    view: View, heard: Heard, cue: Cue, below: Below, temper: Temper = NEUTRAL
) -> Knowledge | Words | None:
    """Return what the viewer says at a cue of its own; None for nothing."""
    assert view.viewer == cue.seat
    if cue.occasion is Occasion.CLAIM:
        assert cue.sight is not None
        return _claim(view, heard, cue.sight, below)
    odds = odds_for(view, heard)
    for said in _options(view, heard, odds, cue, below, temper):
        if not isinstance(said, tuple) or _may_say(view, heard, cue, said):
            return said
    return None


def _options(
    view: View, heard: Heard, odds: Odds, cue: Cue, below: Below, temper: Temper
) -> Iterator[Knowledge | Words]:
    """Yield what fits a cue, best first."""
    me = cue.seat
    match cue.occasion:
        case Occasion.GREETING:
            yield _one_of((("hello", ()), ("good_luck", ())), below)
        case Occasion.CLAIM | Occasion.ENDING:
            raise AssertionError("the words of these follow from elsewhere")
        case Occasion.BALLOT:
            is_fresh = _is_latest(heard, Ballots, Nominated, Enacted)
            if is_fresh or _has_refused_to_govern(view, heard, me):
                yield from _reasons(view, heard, odds, me)
        case Occasion.STRANGE:
            [other] = cue.seats
            if _is_latest(heard, Ballots, Nominated, Enacted):
                yield _one_of((("strange_vote", (other,)), ("why_this_vote", (other,))), below)
        case Occasion.ASK:
            assert cue.sight is not None
            if not any(sight_of(claim) == cue.sight for claim in heard.claims):
                yield _ASKS[cue.sight.about], (cue.sight.seat,)
        case Occasion.POLICY:
            if _is_latest(heard, Enacted, Ballots):
                yield from _about_policy(view, heard, odds)
        case Occasion.NOMINATION:
            if view.phase is Phase.NOMINATION:
                yield from _advice(view, odds)
        case Occasion.DANGER:
            chancellor = cue.seats[1]
            is_nominated = view.phase is Phase.ELECTION and view.nominee == chancellor
            if is_nominated and _danger(view, odds, chancellor) > _DANGEROUS:
                # Before a third refusal even who fears Hitler may have to vote Ja.
                if view.tracker < FAILED_ELECTIONS_TO_CHAOS - 1:
                    yield "hitler", (chancellor,)
                yield "beware_hitler", ()
        case Occasion.CONFLICT:
            if cue.sight is None:
                yield from _about_conflict(view, odds, cue.seats, me)
            else:
                yield from _about_investigation(view, odds, *cue.seats)
        case Occasion.CONFESSION:
            yield from _about_confession(view, odds, cue)
        case Occasion.ACCUSED:
            if cue.code == "strange_vote":
                yield from _reasons(view, heard, odds, me)
            yield from _defence(view, odds, cue)
        case Occasion.ANSWER:
            yield from _answers(view, heard, odds, cue, below, temper)
        case Occasion.ARGUMENT | Occasion.ASSENT:
            yield from _reactions(view, heard, odds, cue, temper)
        case Occasion.QUESTION:
            yield from _questions(view, heard, cue)
        case Occasion.SILENCE:
            yield from _about_silence(view, heard, cue)
        case Occasion.KINDNESS:
            by = cue.seats[0]
            yield ("hello", (by,)) if cue.code in GREETINGS else ("thanks", (by,))
        case Occasion.UNCLEAR:
            yield "only_bot", ()
        case _:
            assert_never(cue.occasion)


def _claim(view: View, heard: Heard, sight: Sight, below: Below) -> Knowledge | None:
    """Claim something once: a bot keeps to what it has said."""
    if any(sight_of(claim) == sight for claim in heard.claims):
        return None
    return claim_about(view, heard, sight, below)


# Beliefs in words ------------------------------------------------------------------------------


def _others(view: View) -> list[int]:
    return [seat for seat in view.alive if seat != view.viewer]


def _suspects(view: View, odds: Odds) -> list[int]:
    """Return the living seats that the viewer suspects, most of all first."""
    seats = sorted(_others(view), key=lambda seat: -odds.fascist[seat])
    return [seat for seat in seats if suspicion(view, odds, seat) > _NOTABLE]


def _trusted(view: View, odds: Odds) -> list[int]:
    """Return the living seats that the viewer trusts, most of all first."""
    seats = sorted(_others(view), key=lambda seat: odds.fascist[seat])
    return [seat for seat in seats if suspicion(view, odds, seat) < -_NOTABLE]


def _danger(view: View, odds: Odds, seat: int) -> float:
    """Return how many times the usual odds of being Hitler a seat has."""
    return odds.hitler[seat] * (view.players - 1)


def _accusation(view: View, odds: Odds, seat: int) -> Words:
    if suspicion(view, odds, seat) > _STRONG:
        return "fascist", (seat,)
    return "suspect", (seat,)


def _praise(view: View, odds: Odds, seat: int) -> Words:
    if suspicion(view, odds, seat) < -_STRONG:
        return "liberal", (seat,)
    return "trust", (seat,)


def _about_policy(view: View, heard: Heard, odds: Odds) -> Iterator[Words]:
    """Yield remarks on the government that has just enacted a policy."""
    if not view.governments:
        return
    government = view.governments[-1]
    officers = [s for s in (government.president, government.chancellor) if s != view.viewer]
    suspects, trusted = _suspects(view, odds), _trusted(view, odds)
    if government.policy is Policy.FASCIST:
        blamed = [seat for seat in suspects if seat in officers]
        if len(blamed) == 2 and len(officers) == 2:
            yield "suspect", (blamed[0], blamed[1])
        for seat in blamed:
            yield _accusation(view, odds, seat)
        if view.viewer in (government.president, government.chancellor):
            own = [one for one in heard.claims if one.seat == view.viewer]
            if own and own[-1].round == government.round and not _claims_liberal(own[-1]):
                yield "me_no_choice", ()
        yield from (_accusation(view, odds, seat) for seat in suspects[:1])
    else:
        praised = [seat for seat in trusted if seat in officers]
        if len(praised) == 2:
            yield "good_pair", (praised[0], praised[1])
        for seat in praised:
            yield _praise(view, odds, seat)
        yield from (_praise(view, odds, seat) for seat in trusted[:1])


def _advice(view: View, odds: Odds) -> Iterator[Words]:
    """Yield advice to the candidate."""
    for seat in _trusted(view, odds):
        if seat in view.eligible and seat != view.candidate:
            yield "nominate", (seat,)
    for seat in _suspects(view, odds):
        if seat in view.eligible and seat != view.candidate:
            yield "not_nominate", (seat,)


def _about_conflict(view: View, odds: Odds, officers: Sequence[int], me: int) -> Iterator[Words]:
    first, second = officers
    if me in officers:
        yield "lying", (second if me == first else first,)
        return
    difference = suspicion(view, odds, first) - suspicion(view, odds, second)
    if abs(difference) > _STRONG:
        yield "lying", (first if difference > 0 else second,)
    yield "lying", (first, second)


def _claims_liberal(claim: Knowledge) -> bool:
    """Return whether a claim says that the Chancellor had a liberal policy."""
    held = passed(claim) if isinstance(claim, Drawn) else ()
    if isinstance(claim, Received):
        held = claim.policies
    return Policy.LIBERAL in held


def _about_investigation(view: View, odds: Odds, by: int, found: int) -> Iterator[Words]:
    """Yield what follows if `by` says that `found` is a fascist."""
    difference = suspicion(view, odds, found) - suspicion(view, odds, by)
    if difference > _STRONG:
        yield _accusation(view, odds, found)
    elif difference < -_STRONG:
        yield "lying", (by,)
    yield "lying", (by, found)


def _about_confession(view: View, odds: Odds, cue: Cue) -> Iterator[Words]:
    """Yield what follows from a confession: one bot names it, the next draws the conclusion."""
    [seat] = cue.seats
    if cue.code:
        yield cue.code, (seat,)
    if suspicion(view, odds, seat) > _NOTABLE:
        yield _accusation(view, odds, seat)


def _defence(view: View, odds: Odds, cue: Cue) -> Iterator[Words]:
    by = cue.seats[0]
    if not cue.code:
        yield "lying", (by,)
    elif cue.code == "hitler":
        yield "me_not_hitler", ()
    elif cue.code in ("lying", "no_sense"):
        yield "me_truth", (by,)
    elif cue.code == "too_quiet":
        # The best answer is to say something.
        yield from (_accusation(view, odds, seat) for seat in _suspects(view, odds)[:1])
        yield from (_praise(view, odds, seat) for seat in _trusted(view, odds)[:1])
        yield "no_idea", (by,)
        return
    yield "me_wronged", (by,)


# Arguments and questions -----------------------------------------------------------------------


def _reactions(view: View, heard: Heard, odds: Odds, cue: Cue, temper: Temper) -> Iterator[Words]:
    """Yield what to say to an argument: whether it has moved the viewer."""
    by, *named = cue.seats
    if opinions(heard, cue.seat).get(by) == -1:
        # Nobody agrees with whom they have just accused, and the rest goes without saying.
        return
    number = _index_of(heard, by, cue.code, tuple(named))
    side = side_of(cue.code)
    about = [seat for seat in named or (by,) if seat != view.viewer]
    # Who says that one of two lies takes no side.
    if number is None or side == 0 or (cue.code == "lying" and len(named) > 1):
        return
    if cue.code in PLEAS:
        yield from _on_a_plea(view, heard, number, by, temper)
    elif about:
        without = odds_without(view, heard, number)
        moves = [
            side * (suspicion(view, odds, seat) - suspicion(view, without, seat)) for seat in about
        ]
        if min(side * suspicion(view, without, seat) for seat in about) > _NOTABLE:
            yield ("agree", (by,)) if named else _praise(view, odds, by)
        elif max(moves) > _MOVED:
            yield "point", (by,)
        elif cue.occasion is Occasion.ARGUMENT:
            yield "not_convinced", (by,)


def _on_a_plea(view: View, heard: Heard, number: int, by: int, temper: Temper) -> Iterator[Words]:
    """Yield the answer to a request to vote Ja or Nein. The viewer's ballot keeps to it."""
    ballot = _intention(view, heard, temper)
    if ballot is None:
        return
    said = f"vote_{ballot}"
    if heard.phrases[number].code != said:
        yield "not_convinced", (by,)
    else:
        phrases = [*heard.phrases[:number], *heard.phrases[number + 1 :]]
        without = replace(heard, phrases=phrases, memory=dict(heard.memory))
        before = ballot_intended(view, without, temper)
        if abs(ballot_intended(view, heard, temper) - before) > _MOVED_BALLOT:
            yield "point", (by,)
    yield f"me_{said}", ()


def _intention(view: View, heard: Heard, temper: Temper) -> Ballot | None:
    """Return the ballot that the viewer is almost sure to cast in this vote, if any."""
    if view.phase is not Phase.ELECTION or _hides_ballot(view):
        return None
    ja = ballot_intended(view, heard, temper)
    return Ballot.JA if ja > _SURE else Ballot.NEIN if ja < 1 - _SURE else None


def _hides_ballot(view: View) -> bool:
    """Return whether the viewer has cast a ballot of which its words must tell nothing.

    Once electing Hitler wins, a ballot may come from what only a fascist knows.
    """
    return view.phase is Phase.ELECTION and view.ballot is not None and is_armed(view)


def _questions(view: View, heard: Heard, cue: Cue) -> Iterator[Words]:
    """Yield a question to a person that no one has asked lately."""
    [person] = cue.seats
    recent = heard.phrases[-_NOT_AGAIN:]
    is_asked = any((word.code, word.seats) == (cue.code, cue.seats) for word in recent)
    is_late = cue.code == "whom_nominate" and not _is_nominating(view, person)
    if not is_asked and not is_late:
        yield cue.code, (person,)


def _about_silence(view: View, heard: Heard, cue: Cue) -> Iterator[Words]:
    """Yield a remark, once a game, on a person who has said nothing since a question."""
    [person] = cue.seats
    asked = _index_of(heard, cue.seat, cue.code, cue.seats)
    if (
        asked is not None
        and person in view.alive
        and all(word.seat != person for word in heard.phrases[asked:])
        and ("too_quiet", (person,)) not in [(word.code, word.seats) for word in heard.phrases]
        and (cue.code != "whom_nominate" or _is_nominating(view, person))
    ):
        yield "too_quiet", (person,)


def _index_of(heard: Heard, seat: int, code: str, seats: tuple[int, ...]) -> int | None:
    """Return the index of the last phrase that is this one."""
    for number in range(len(heard.phrases) - 1, -1, -1):
        word = heard.phrases[number]
        if (word.seat, word.code, word.seats) == (seat, code, seats):
            return number
    return None


def _is_nominating(view: View, seat: int) -> bool:
    return view.phase is Phase.NOMINATION and view.candidate == seat


# Reasons for a ballot --------------------------------------------------------------------------


def _reasons(view: View, heard: Heard, odds: Odds, seat: int) -> Iterator[Words]:
    """Yield reasons for the seat's last ballot."""
    last = _last_vote(view, heard)
    if last is None:
        return
    nominated, ballots, tracker, was_armed = last
    said = opinions(heard, seat)
    officers = [s for s in (nominated.president, nominated.chancellor) if s != seat]
    ballot = ballots.ballots[seat]
    if ballot is Ballot.JA:
        if seat == nominated.chancellor:
            yield "me_liberal", ()
        for other in sorted(officers, key=lambda s: odds.fascist[s]):
            if suspicion(view, odds, other) < -_NOTABLE:
                yield "ja_trust", (other,)
        if tracker == FAILED_ELECTIONS_TO_CHAOS - 1:
            yield "ja_chaos", ()
        if all(said.get(other) != -1 for other in officers):
            yield "ja_chance", ()
    elif ballot is Ballot.NEIN:
        chancellor = nominated.chancellor
        if seat == chancellor:
            yield "nein_me", ()
        cautious = was_armed and chancellor not in view.cleared and chancellor != seat
        if cautious and _danger(view, odds, chancellor) > 1:
            yield "nein_hitler", (chancellor,)
        for other in sorted(officers, key=lambda s: -odds.fascist[s]):
            if suspicion(view, odds, other) > _NOTABLE:
                yield "nein_distrust", (other,)
        if said.get(chancellor) != 1:
            yield "nein_other", ()


def _has_refused_to_govern(view: View, heard: Heard, seat: int) -> bool:
    """Return whether the seat has voted Nein on itself in the last vote: that needs a reason."""
    last = _last_vote(view, heard)
    if last is None:
        return False
    nominated, ballots, _, _ = last
    return nominated.chancellor == seat and ballots.ballots[seat] is Ballot.NEIN


def _is_latest(heard: Heard, kind: type[Event], *others: type[Event]) -> bool:
    """Return whether the last event of these kinds is of the first one."""
    events = (event for _, _, events in reversed(heard.told) for event in reversed(events))
    return isinstance(next((one for one in events if isinstance(one, (kind, *others))), None), kind)


def _last_vote(view: View, heard: Heard) -> tuple[Nominated, Ballots, int, bool] | None:
    """Return the last finished vote, the tracker before it, and whether Hitler could win by it."""
    nominated = ballots = None
    tracker = before = fascist = fascist_before = 0
    for _, _, events in heard.told:
        for event in events:
            if isinstance(event, Nominated):
                named = event
            elif isinstance(event, Ballots):
                nominated, ballots, before = named, event, tracker
                fascist_before = fascist
            elif isinstance(event, Tracker):
                tracker = event.value
            elif isinstance(event, Enacted):
                tracker = 0
                fascist += event.policy is Policy.FASCIST
    if nominated is None or ballots is None:
        return None
    return nominated, ballots, before, is_armed(replace(view, fascist=fascist_before))


# Answers --------------------------------------------------------------------------------------


def _answers(
    view: View, heard: Heard, odds: Odds, cue: Cue, below: Below, temper: Temper
) -> Iterator[Knowledge | Words]:
    """Yield answers to a question or a request; none where a player would rather say nothing."""
    by, *named = cue.seats
    asked = [seat for seat in named if seat != cue.seat]
    code = cue.code
    if code in ("why", "do_you_trust") and len(named) == 2:
        yield from _opinion(view, odds, named[1], by)
    elif code in ("why", "why_this_vote"):
        yield from _reasons(view, heard, odds, cue.seat)
    elif code in _SHOW:
        yield from _shown(view, heard, _SHOW[code], below)
    elif code == "whom_nominate" and _is_nominating(view, cue.seat):
        yield "me_nominate", (nomination_intended(view, heard, temper),)
    elif code in ("whom_trust", "whom_nominate"):
        yield from (_praise(view, odds, seat) for seat in _trusted(view, odds)[:2])
        yield "no_idea", (by,)
    elif code in ("whom_suspect", "whom_investigate", "whom_execute"):
        yield from (_accusation(view, odds, seat) for seat in _suspects(view, odds)[:2])
        yield "no_idea", (by,)
    elif code in PLEAS:
        number = _index_of(heard, by, code, tuple(named))
        if number is not None:
            yield from _on_a_plea(view, heard, number, by, temper)
        yield "perhaps", (by,)
    elif code == "how_vote":
        ballot = _intention(view, heard, temper)
        if ballot is not None:
            yield f"me_vote_{ballot}", ()
        yield "perhaps", (by,)
    elif code == "are_you_liberal":
        yield "me_liberal", (by,)
    elif code in ("nominate", "nominate_me"):
        wanted = [by] if code == "nominate_me" else asked
        if wanted and _is_nominating(view, cue.seat):
            if nomination_intended(view, heard, temper) == wanted[-1]:
                yield "me_nominate", (wanted[-1],)
            is_suspect = suspicion(view, odds, wanted[-1]) > _NOTABLE
            yield ("disagree" if is_suspect else "perhaps"), (by,)
        yield from _verdict(view, odds, wanted, by, 1)
    elif code == "spare":
        yield from _verdict(view, odds, asked, by, 1)
    elif code in ("not_nominate", "investigate", "execute"):
        yield from _verdict(view, odds, asked, by, -1)
    elif code == "investigate_me":
        yield from _verdict(view, odds, [by], by, -1)
    elif code in ("propose_veto", "refuse_veto"):
        # The cards decide that.
        yield "perhaps", (by,)


def _opinion(view: View, odds: Odds, seat: int, by: int) -> Iterator[Words]:
    """Yield what the viewer thinks of a seat."""
    if seat == view.viewer:
        yield "me_liberal", (by,)
    elif suspicion(view, odds, seat) > _NOTABLE:
        yield _accusation(view, odds, seat)
    elif suspicion(view, odds, seat) < -_NOTABLE:
        yield _praise(view, odds, seat)
    yield "perhaps", (by,)


def _shown(
    view: View, heard: Heard, about: About | None, below: Below
) -> Iterator[Knowledge | Words]:
    """Yield a claim about the last thing seen, or stand by the one that was made."""
    own = [sight for sight in sights(heard.told) if sight.seat == view.viewer]
    if about is not None:
        own = [sight for sight in own if sight.about is about]
    if own:
        claim = _claim(view, heard, own[-1], below)
        yield ("me_truth", ()) if claim is None else claim


def _verdict(view: View, odds: Odds, asked: list[int], by: int, sign: int) -> Iterator[Words]:
    """Yield an opinion about a seat: agreement where it is trusted (sign 1) or suspected (-1)."""
    if not asked:
        return
    opinion = -sign * suspicion(view, odds, asked[-1])
    if opinion > _NOTABLE:
        yield "agree", (by,)
    elif opinion < -_NOTABLE:
        yield "disagree", (by,)
    else:
        yield "perhaps", (by,)


# What may be said ------------------------------------------------------------------------------


def _may_say(view: View, heard: Heard, cue: Cue, words: Words) -> bool:
    """Return whether words are neither a repetition nor a contradiction."""
    code, seats = words
    if not set(seats) <= set(view.alive):
        return False
    if cue.occasion is not Occasion.ANSWER and _is_said(heard.phrases[-4:], cue.seat, words):
        return False
    recent = heard.phrases[-_NOT_AGAIN:]
    if code not in _AGAIN_AND_AGAIN and any(
        spoken.seat == cue.seat and (spoken.code, spoken.seats) == words for spoken in recent
    ):
        return False
    sides = opinion(code, seats)
    if _hides_ballot(view) and not sides.keys().isdisjoint((view.candidate, view.nominee)):
        return False
    # A confession is news, whatever was said before.
    said = {} if code == "confessed" else opinions(heard, cue.seat) | _side_in_election(view)
    if code == "lying" and len(seats) > 1 and any(said.get(seat) for seat in seats):
        # Who has taken a side can't leave it open.
        return False
    return all(said.get(seat) != -side for seat, side in sides.items())


def _is_said(phrases: Sequence[Spoken], seat: int, words: Words) -> bool:
    """Return whether anyone has said this, or the seat itself the same in other words."""
    code, seats = words
    side = {} if code in _NEWS else opinion(code, seats)
    own = [one for one in phrases if one.seat == seat]
    return (
        any((one.code, sorted(one.seats)) == (code, sorted(seats)) for one in phrases)
        or (bool(side) and any(opinion(one.code, one.seats) == side for one in own))
        or (code in _DEFENCES and any(one.code in _DEFENCES for one in own))
    )


def _side_in_election(view: View) -> dict[int, int]:
    """Return by seat the side that the viewer has taken in the current election."""
    president, chancellor = view.candidate, view.nominee
    if view.phase is not Phase.ELECTION or president is None or chancellor is None:
        return {}
    if view.viewer == president:
        return {chancellor: 1}
    match view.ballot:
        case Ballot.JA:
            return {president: 1, chancellor: 1}
        case Ballot.NEIN:
            return {chancellor: -1}
        case None:
            return {}
        case _:
            assert_never(view.ballot)


def _one_of(options: Sequence[Words], below: Below) -> Words:
    return options[below(len(options))]
