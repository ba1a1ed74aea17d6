"""When bots speak: cues that follow from public events and from what others say.

A cue names a seat, an occasion and a time. It is planned from what everyone knows, so neither the
time nor the choice of the speaker can depend on a role. What the bot says at a cue is decided when
its time comes, by the bot's kind.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from enum import StrEnum
from math import cos, exp, log, pi, sqrt
from typing import Final

from games.rules.claims import Sight, is_confession, passed, sight_of, sights
from games.rules.components import Ballot, Party, Policy
from games.rules.events import Ballots, Candidate, Enacted, Nominated
from games.rules.knowledge import Drawn, Knowledge, PartySeen, Received

from .chance import FINE, Below, drawn, happens
from .heard import Heard, Spoken


@dataclass(frozen=True, slots=True, kw_only=True)
class Character:
    """How a bot talks. It is public and does not depend on the bot's role."""

    # The names that its bots have at tables.
    people: tuple[str, ...] = ()
    # How often it says something without being asked, from 0 to 1.
    talkative: float = 0.5
    # Whether it often says why it votes as it does, as bots for beginners do.
    explains: bool = False


class Occasion(StrEnum):
    """What a bot speaks about."""

    GREETING = "greeting"
    # Something that the seat has seen: `sight`. Every bot claims what it can.
    CLAIM = "claim"
    # The ballot that the seat has just cast.
    BALLOT = "ballot"
    # The only player, `seats`, who voted against all others.
    STRANGE = "strange"
    # The policy that was just enacted.
    POLICY = "policy"
    # The coming nomination.
    NOMINATION = "nomination"
    # An officer, `seats`, who has claimed nothing yet about `sight`.
    ASK = "ask"
    # A nominee who could be Hitler.
    DANGER = "danger"
    # Two officers, `seats`, whose claims contradict each other; or, with `sight`, the officer who
    # claims to have found a fascist, and that fascist.
    CONFLICT = "conflict"
    # An officer, `seats`, who claims to have withheld a liberal policy: the phrase `code`, or "".
    CONFESSION = "confession"
    # An accusation by the first of `seats`: the phrase `code`, or "" for a claimed investigation.
    ACCUSED = "accused"
    # A question or request, `code`, by the first of `seats`; the others are named in it.
    ANSWER = "answer"
    # A kind word or a greeting, `code`, by the first of `seats`.
    KINDNESS = "kindness"
    # An opinion, a defence or a plea, `code`, by the first of `seats`; the others are named in it.
    ARGUMENT = "argument"
    # The same by a bot: only a bot that is moved by it says so.
    ASSENT = "assent"
    # A question, `code`, to a person, `seats`; and a remark if the person does not answer.
    QUESTION = "question"
    SILENCE = "silence"
    # Typed text to the seat that was not understood.
    UNCLEAR = "unclear"
    # The end of the game: the phrase is `code`, and `seats` are those that it names.
    ENDING = "ending"


# Occasions that wait until the speaker may talk; the others pass.
PATIENT: Final = frozenset(
    {Occasion.CLAIM, Occasion.ANSWER, Occasion.ACCUSED, Occasion.CONFESSION, Occasion.UNCLEAR}
)


@dataclass(frozen=True, slots=True)
class Cue:
    """A moment at which a seat speaks, in seconds from now."""

    after: float
    seat: int
    occasion: Occasion
    code: str = ""
    seats: tuple[int, ...] = ()
    sight: Sight | None = None


# Questions and requests to which an addressed player owes a word.
QUESTIONS: Final = frozenset(
    {
        *("why", "why_this_vote", "what_drawn", "what_handed", "what_seen", "whom_trust"),
        *("whom_suspect", "whom_nominate", "whom_investigate", "whom_execute", "how_vote"),
        *("are_you_liberal", "do_you_trust", "say_what"),
        *("vote_ja", "vote_nein", "nominate", "not_nominate", "nominate_me", "investigate"),
        *("investigate_me", "execute", "spare", "propose_veto", "refuse_veto"),
    }
)
# Requests whose only seat is the one that they are about: no one is addressed then.
_ABOUT_ONE: Final = frozenset({"nominate", "not_nominate", "investigate", "execute", "spare"})
# Questions and requests to the candidate, if they address no one.
_TO_CANDIDATE: Final = frozenset({"whom_nominate", "nominate", "not_nominate", "nominate_me"})
# Open questions that a player may answer without being named.
_TO_ALL: Final = frozenset(
    {"why_this_vote", "whom_trust", "whom_suspect", "what_seen", "say_what", "how_vote"}
)
_CHARGES: Final = frozenset({"suspect", "fascist", "hitler", "lying", "together", "strange_vote"})
_ACCUSATIONS: Final = _CHARGES | {"blames", "no_sense", "too_quiet"}
GREETINGS: Final = frozenset({"hello", "good_luck"})
_KINDNESSES: Final = GREETINGS | {"trust", "liberal", "believe", "well_played"}
# Phrases that may move those who hear them.
_ARGUMENTS: Final = _CHARGES | {
    *("confessed", "trust", "liberal", "believe", "good_pair", "me_truth", "me_wronged"),
    *("vote_ja", "vote_nein"),
}
# Questions of bots that a person should answer.
_AWAITED: Final = frozenset(
    {"what_drawn", "what_handed", "say_what", "whom_nominate", "why_this_vote"}
)

# Seconds until a claim: half of all claims come within two seconds, and of two officers the
# President is the first in six of ten games.
_PRESIDENT: Final = 1.75
_CHANCELLOR: Final = 2.2
_POWER: Final = 3.0
_SPREAD: Final = 0.6
_ANSWER: Final = 2.8
_REMARK: Final = 4.5
# A reason for a ballot, before the session ends.
_REASON: Final = 2.0
_ASK: Final = 11.0
# How long bots wait for a person's answer.
_PATIENCE: Final = 40.0
_MOST: Final = 9.0
# After this time no one knows any more which argument a reaction means.
_MOST_FOR_AN_ARGUMENT: Final = 4.0
# For what cannot wait: a reason for Nein, and a confession.
_SOON: Final = 1.5


def cues_at_the_start(speakers: Mapping[int, Character], below: Below) -> list[Cue]:
    """Return the cues of a game that has just begun: one or two bots greet the table."""
    chosen = _some(speakers, 0.35, 2, below) or [_one(speakers, below)] if speakers else []
    return [Cue(_time(_REMARK, below), seat, Occasion.GREETING) for seat in chosen]


def cues_after_action(
    heard: Heard,
    speakers: Mapping[int, Character],
    armed: bool,
    below: Below,
    people: Collection[int] = (),
) -> list[Cue]:
    """Return the cues that follow from the last action.

    `speakers` has the character of each living bot, `armed` says whether electing Hitler would end
    the game, and `people` are the seats of living people who are present.
    """
    if not heard.told:
        return []
    cues: list[Cue] = []
    before = len(sights(heard.told[:-1]))
    for sight in sights(heard.told)[before:]:
        if sight.seat in speakers:
            median = {"drawn": _PRESIDENT, "received": _CHANCELLOR}.get(sight.about, _POWER)
            cue = Cue(_time(median, below), sight.seat, Occasion.CLAIM, sight=sight)
            cues.append(cue)
        else:
            for seat in _some(speakers, 0.8, 1, below):
                after = _time(_ASK, below, 1.5 * _ASK)
                cues.append(Cue(after, seat, Occasion.ASK, "", (sight.seat,), sight))
    for event in heard.told[-1][2]:
        if isinstance(event, Ballots):
            cues += _about_ballots(heard, event.ballots, speakers, below, people)
        elif isinstance(event, Enacted) and event.by == "government":
            for seat in _some(speakers, 0.35, 2, below):
                cues.append(Cue(_time(_REMARK, below), seat, Occasion.POLICY))
        elif isinstance(event, Candidate):
            for seat in _some(_without(speakers, event.seat), 0.2, 1, below):
                cues.append(Cue(_time(_ANSWER, below), seat, Occasion.NOMINATION))
            if event.seat in people:
                cues += _question("whom_nominate", event.seat, speakers, 0.3, below)
        elif isinstance(event, Nominated) and armed:
            officers = (event.president, event.chancellor)
            for seat in _some(_without(speakers, *officers), 0.15, 1, below):
                cues.append(Cue(_time(1.2, below), seat, Occasion.DANGER, seats=officers))
    return cues


def cues_after_claim(
    heard: Heard, claim: Knowledge, speakers: Mapping[int, Character], below: Below
) -> list[Cue]:
    """Return the cues that follow from a new claim, the last of `heard.claims`."""
    if isinstance(claim, PartySeen):
        return _about_investigation(claim, speakers, below) if claim.party is Party.FASCIST else []
    cues = _about_confession(heard, claim, speakers, below)
    officers = _contradiction(heard, claim)
    if not officers:
        return cues
    cues += [
        Cue(_time(_ANSWER, below), seat, Occasion.CONFLICT, seats=officers)
        for seat in officers
        if seat in speakers and happens(0.8, below)
    ]
    for seat in _some(_without(speakers, *officers), 0.5, 1, below):
        cues.append(Cue(_time(_REMARK, below), seat, Occasion.CONFLICT, seats=officers))
    return cues


def cues_after_phrase(
    spoken: Spoken,
    speakers: Mapping[int, Character],
    officers: tuple[int | None, int | None],
    by_bot: bool,
    below: Below,
    people: Collection[int] = (),
    candidate: int | None = None,
) -> list[Cue]:
    """Return the cues that follow from a phrase.

    `officers` are the last President and Chancellor in office, and `candidate` is who nominates
    now. What a bot says to another leads to fewer cues than what a person says, and an answer leads
    to none. `people` are the seats of living people who are present.
    """
    code, author = spoken.code, spoken.seat
    others = _without(speakers, author)
    seats = (author, *spoken.seats)

    def reply(seat: int, occasion: Occasion) -> Cue:
        return Cue(_time(_ANSWER, below), seat, occasion, code, seats)

    addressed = spoken.seats[0] if len(spoken.seats) > (code in _ABOUT_ONE) else None
    if addressed is None:
        if code == "what_drawn":
            addressed = officers[0]
        elif code == "what_handed":
            addressed = officers[1]
        elif code in _TO_CANDIDATE and not by_bot:
            addressed = candidate
        elif code in _TO_ALL:
            chosen = _some(others, 0.5, 2, below)
            if not chosen and others and not by_bot:
                chosen = [_one(others, below)]
            return [reply(seat, Occasion.ANSWER) for seat in chosen]
    if code in QUESTIONS and addressed is not None:
        if addressed in others:
            return [reply(addressed, Occasion.ANSWER)]
        if by_bot and code in _AWAITED and addressed in people:
            after = max(_PATIENCE / 2, _time(_PATIENCE, below, 2 * _PATIENCE))
            return [Cue(after, author, Occasion.SILENCE, code, (addressed,))]
    cues: list[Cue] = []
    if code in _ARGUMENTS:
        occasion = Occasion.ASSENT if by_bot else Occasion.ARGUMENT
        for seat in _some(_without(others, *spoken.seats), 0.08 if by_bot else 0.35, 1, below):
            after = _time(_ANSWER, below, _MOST_FOR_AN_ARGUMENT)
            cues.append(Cue(after, seat, occasion, code, seats))
    named = [seat for seat in spoken.seats if seat in others][:1]
    if code in _ACCUSATIONS and not (code == "lying" and by_bot):
        share = 0.5 if by_bot else 1.0
        cues += [reply(seat, Occasion.ACCUSED) for seat in named if happens(share, below)]
    elif code in _KINDNESSES and not by_bot:
        chosen = named or ([_one(others, below)] if code in GREETINGS and others else [])
        cues += [reply(seat, Occasion.KINDNESS) for seat in chosen]
    return cues


def _question(
    code: str, person: int, speakers: Mapping[int, Character], share: float, below: Below
) -> list[Cue]:
    """Return a question of one bot to a person, if a bot asks."""
    return [
        Cue(_time(_REMARK, below), seat, Occasion.QUESTION, code, (person,))
        for seat in _some(speakers, share, 1, below)
    ]


def cues_after_unclear_text(seat: int, below: Below) -> list[Cue]:
    """Return the cues that follow from typed text to a bot that isn't understood."""
    return [Cue(_time(_ANSWER, below), seat, Occasion.UNCLEAR)]


def _about_ballots(
    heard: Heard,
    ballots: tuple[Ballot | None, ...],
    speakers: Mapping[int, Character],
    below: Below,
    people: Collection[int],
) -> list[Cue]:
    nominated = heard.last_nomination()
    assert nominated is not None
    nominee = nominated.chancellor
    # The officers' Ja goes without saying.
    voters = _without(speakers, nominated.president, nominee)
    share, median = 0.3, _REASON
    if 2 * ballots.count(Ballot.JA) <= len(ballots) - ballots.count(None):
        # Those who refuse a government owe the table a reason, before someone else is nominated.
        voters = {seat: who for seat, who in voters.items() if ballots[seat] is Ballot.NEIN}
        share, median = 0.6, _SOON
    explaining = {seat: who for seat, who in voters.items() if who.explains}
    chosen = _some(voters, share, 2, below) or _some(explaining, 0.6, 1, below)
    cues = [Cue(_time(median, below), seat, Occasion.BALLOT) for seat in chosen]
    if nominee in speakers and ballots[nominee] is Ballot.NEIN:
        # It always says why.
        cues.append(Cue(_SOON, nominee, Occasion.BALLOT))
    for ballot in Ballot:
        against = [seat for seat, cast in enumerate(ballots) if cast is ballot]
        is_surprise = 0 < len(against) <= len(ballots) // 3
        asked = [seat for seat in against if seat in people]
        if asked and (len(against) == 1 or (ballot is Ballot.JA and is_surprise)):
            cues += _question("why_this_vote", asked[0], speakers, 0.5, below)
        elif len(against) == 1:
            for seat in _some(_without(speakers, against[0]), 0.25, 1, below):
                after = _time(_ANSWER, below)
                cues.append(Cue(after, seat, Occasion.STRANGE, seats=(against[0],)))
    return cues


def _about_investigation(
    claim: PartySeen, speakers: Mapping[int, Character], below: Below
) -> list[Cue]:
    """Return the answer of a seat that is said to be a fascist, and what another thinks of it."""
    pair = claim.seat, claim.target
    cues = [
        Cue(_time(_ANSWER, below), seat, Occasion.ACCUSED, seats=(claim.seat,))
        for seat in (claim.target,)
        if seat in speakers
    ]
    for seat in _some(_without(speakers, *pair), 0.5, 1, below):
        after = _time(_REMARK, below)
        cues.append(Cue(after, seat, Occasion.CONFLICT, seats=pair, sight=sight_of(claim)))
    return cues


def _about_confession(
    heard: Heard, claim: Knowledge, speakers: Mapping[int, Character], below: Below
) -> list[Cue]:
    """Return the cues of two bots, one soon after the other, if this claim is a confession."""
    others = _without(speakers, claim.seat)
    if not others or not is_confession(claim, _enacted(heard, claim.round)):
        return []
    first = _one(others, below)
    seats = [first, *_some(_without(others, first), 0.8, 1, below)]
    code = "confessed" if isinstance(claim, Received) else ""
    return [
        Cue(after, seat, Occasion.CONFESSION, code, (claim.seat,))
        for after, seat in zip((_SOON, 2 * _SOON), seats, strict=False)
    ]


def _enacted(heard: Heard, number: int) -> Policy | None:
    """Return the policy that the government of a round enacted."""
    events = (event for at, _, events in heard.told if at == number for event in events)
    return next((e.policy for e in events if isinstance(e, Enacted) and e.by == "government"), None)


def _contradiction(heard: Heard, claim: Knowledge) -> tuple[int, ...]:
    """Return the President and the Chancellor if this claim contradicts the other's, or ()."""
    drawn, received = heard.claimed(claim.round, Drawn), heard.claimed(claim.round, Received)
    if drawn is None or received is None or passed(drawn) == passed(received):
        return ()
    return drawn.seat, received.seat


def _without(speakers: Mapping[int, Character], *seats: int) -> dict[int, Character]:
    return {seat: character for seat, character in speakers.items() if seat not in seats}


def _some(speakers: Mapping[int, Character], share: float, most: int, below: Below) -> list[int]:
    """Draw up to `most` speakers; a talkative one comes more often, a quiet one hardly ever."""
    seats = list(speakers)
    found: list[int] = []
    while seats and len(found) < most:
        seat = seats.pop(below(len(seats)))
        if happens(share * speakers[seat].talkative, below):
            found.append(seat)
    return found


def _one(speakers: Mapping[int, Character], below: Below) -> int:
    """Draw one speaker, a talkative one more often."""
    seats = list(speakers)
    return seats[drawn([speakers[seat].talkative for seat in seats], below)]


def _time(median: float, below: Below, most: float = _MOST) -> float:
    """Draw seconds from a log-normal distribution, as people's times are."""
    first, second = ((below(FINE) + 1) / (FINE + 1) for _ in range(2))
    normal = sqrt(-2 * log(first)) * cos(2 * pi * second)
    return min(max(median * exp(_SPREAD * normal), 0.6), most)
