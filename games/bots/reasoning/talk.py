"""What a reasoning bot says at a cue: a claim, a phrase, or nothing.

Liberals say what they believe. Fascists say what a liberal in their seat would believe, as they
also act by that: their words must not tell them apart.
"""

from collections.abc import Iterator, Sequence
from typing import Final, assert_never

from games.bots.chance import Below
from games.bots.cues import GREETINGS, Cue, Occasion
from games.bots.heard import Heard, Spoken
from games.bots.opinions import last_news, opinion, opinions
from games.bots.registry import Words
from games.rules.claims import About, passed, sight_of
from games.rules.components import FAILED_ELECTIONS_TO_CHAOS, Ballot, Party, Policy
from games.rules.events import Ballots, Enacted, Event, Nominated
from games.rules.knowledge import Drawn, Knowledge, PartySeen, Received
from games.rules.phases import Phase
from games.rules.view import View

from .answers import answers, reactions
from .claims import claim_once
from .mind import odds_for
from .persuasion import promised_ballot
from .play import NEUTRAL, Temper
from .reasons import ballots_on, has_refused_to_govern, reasons
from .speaker import STRONG, Speaker

# How to ask for a claim about something.
_ASKS: Final = {
    About.DRAWN: "what_drawn",
    About.RECEIVED: "what_handed",
    About.PARTY: "say_what",
    About.PEEKED: "say_what",
}
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
        return claim_once(view, heard, cue.sight, below)
    bot = Speaker(cue.seat, view, heard, odds_for(view, heard), below, temper)
    for said in _options(bot, cue):
        if not isinstance(said, tuple) or _may_say(bot, cue, said):
            return said
    return None


def _options(bot: Speaker, cue: Cue) -> Iterator[Knowledge | Words]:
    """Yield what fits a cue, best first."""
    match cue.occasion:
        case Occasion.GREETING:
            yield bot.one_of((("hello", ()), ("good_luck", ())))
        case Occasion.CLAIM | Occasion.ENDING:
            raise AssertionError("the words of these follow from elsewhere")
        case Occasion.BALLOT:
            is_fresh = _is_latest(bot.heard, Ballots, Nominated, Enacted)
            if is_fresh or has_refused_to_govern(bot):
                yield from reasons(bot)
        case Occasion.STRANGE:
            if _is_latest(bot.heard, Ballots, Nominated, Enacted):
                yield bot.one_of((("strange_vote", cue.seats), ("why_this_vote", cue.seats)))
        case Occasion.ASK:
            assert cue.sight is not None
            if not any(sight_of(claim) == cue.sight for claim in bot.heard.claims):
                yield _ASKS[cue.sight.about], (cue.sight.seat,)
        case Occasion.POLICY:
            if _is_latest(bot.heard, Enacted, Ballots):
                yield from _about_policy(bot)
        case Occasion.NOMINATION:
            if bot.view.phase is Phase.NOMINATION:
                yield from _advice(bot)
        case Occasion.DANGER:
            yield from _warning(bot, cue.seats[1])
        case Occasion.CONFLICT:
            if cue.sight is None:
                yield from _about_conflict(bot, cue)
            else:
                yield from _about_investigation(bot, cue)
        case Occasion.CONFESSION:
            # One bot names it, the next draws the conclusion.
            if cue.code:
                yield cue.code, cue.seats
            yield from map(bot.accusation, filter(bot.suspects, cue.seats))
        case Occasion.ACCUSED:
            if cue.code == "strange_vote":
                yield from reasons(bot)
            yield from _defence(bot, cue)
        case Occasion.ANSWER:
            yield from answers(bot, cue)
        case Occasion.ARGUMENT | Occasion.ASSENT:
            yield from reactions(bot, cue)
        case Occasion.QUESTION:
            yield from _questions(bot, cue)
        case Occasion.SILENCE:
            yield from _about_silence(bot, cue)
        case Occasion.KINDNESS:
            yield ("hello" if cue.code in GREETINGS else "thanks"), cue.seats[:1]
        case Occasion.UNCLEAR:
            yield "only_bot", ()
        case _:
            assert_never(cue.occasion)


def _about_policy(bot: Speaker) -> Iterator[Words]:
    """Yield remarks on the government that has just enacted a policy."""
    if not bot.view.governments:
        return
    government = bot.view.governments[-1]
    officers = [s for s in (government.president, government.chancellor) if s != bot.seat]
    suspected, trusted = bot.suspected(), bot.trusted()
    if government.policy is Policy.FASCIST:
        blamed = [seat for seat in suspected if seat in officers]
        if len(blamed) == 2:
            yield "suspect", (blamed[0], blamed[1])
        yield from map(bot.accusation, blamed)
        own = [c for c in bot.heard.claims if (c.seat, c.round) == (bot.seat, government.round)]
        # Once it has spoken of something else, an excuse comes too late.
        since = [word for word in bot.heard.phrases if word.length >= last_news(bot.heard)]
        is_late = any(word.seat == bot.seat for word in since)
        if len(officers) == 1 and own and not is_late and not _claims_liberal(own[-1]):
            yield "me_no_choice", ()
        yield from map(bot.accusation, suspected[:1])
    else:
        praised = [seat for seat in trusted if seat in officers]
        # A pair is not praised beside the next one.
        is_free = bot.view.phase is Phase.NOMINATION and bot.view.candidate != bot.seat
        if len(praised) == 2 and is_free:
            yield "good_pair", (praised[0], praised[1])
        yield from map(bot.praise, praised)
        yield from map(bot.praise, trusted[:1])


def _claims_liberal(claim: Knowledge) -> bool:
    """Return whether a claim says that the Chancellor had a liberal policy."""
    return isinstance(claim, Drawn | Received) and Policy.LIBERAL in passed(claim)


def _advice(bot: Speaker) -> Iterator[Words]:
    """Yield advice to the candidate, though not against the bot's own ballots."""
    for code, seats, contrary in (
        ("nominate", bot.trusted(), Ballot.NEIN),
        ("not_nominate", bot.suspected(), Ballot.JA),
    ):
        for seat in seats:
            is_possible = seat in bot.view.eligible and seat != bot.view.candidate
            if is_possible and contrary not in ballots_on(bot, seat):
                yield code, (seat,)


def _warning(bot: Speaker, chancellor: int) -> Iterator[Words]:
    """Yield a warning of a nominee who may be Hitler."""
    is_nominated = bot.view.phase is Phase.ELECTION and bot.view.nominee == chancellor
    has_agreed = Ballot.JA in ballots_on(bot, chancellor)
    if is_nominated and not has_agreed and bot.danger(chancellor) > _DANGEROUS:
        # Before a third refusal even a bot that fears Hitler may have to vote Ja.
        if bot.view.tracker < FAILED_ELECTIONS_TO_CHAOS - 1:
            yield "hitler", (chancellor,)
        yield "beware_hitler", ()


def _about_conflict(bot: Speaker, cue: Cue) -> Iterator[Words]:
    first, second = cue.seats
    if bot.seat in cue.seats:
        yield "lying", (second if bot.seat == first else first,)
        return
    difference = bot.suspicion(first) - bot.suspicion(second)
    if abs(difference) > STRONG:
        yield "lying", (first if difference > 0 else second,)
    yield "lying", (first, second)


def _about_investigation(bot: Speaker, cue: Cue) -> Iterator[Words]:
    """Yield what follows if the first of two seats says that the other is a fascist."""
    by, found = cue.seats
    difference = bot.suspicion(found) - bot.suspicion(by)
    if difference > STRONG:
        yield bot.accusation(found)
    elif difference < -STRONG:
        yield "lying", (by,)
    yield "lying", (by, found)


def _defence(bot: Speaker, cue: Cue) -> Iterator[Words]:
    """Yield answers to an accusation."""
    by = cue.seats[0]
    if not cue.code:
        yield "lying", (by,)
    elif cue.code == "hitler":
        yield "me_not_hitler", ()
    elif cue.code in ("lying", "no_sense"):
        yield "me_truth", (by,)
    elif cue.code == "too_quiet":
        # The best answer is to say something.
        yield from map(bot.accusation, bot.suspected()[:1])
        yield from map(bot.praise, bot.trusted()[:1])
        yield "no_idea", (by,)
        return
    yield "me_wronged", (by,)


# Questions to people ---------------------------------------------------------------------------


def _questions(bot: Speaker, cue: Cue) -> Iterator[Words]:
    """Yield a question to a person that no one has asked lately."""
    question = cue.code, cue.seats
    if not _is_late(bot, cue) and question not in _said(bot.heard, last=_NOT_AGAIN):
        yield question


def _about_silence(bot: Speaker, cue: Cue) -> Iterator[Words]:
    """Yield a remark, once a game, on a person who has said nothing since a question."""
    [person] = cue.seats
    asked = bot.heard.index(cue.seat, cue.code, cue.seats)
    remark = "too_quiet", (person,)
    if (
        asked is not None
        and person in bot.view.alive
        and all(word.seat != person for word in bot.heard.phrases[asked:])
        and remark not in _said(bot.heard)
        and not _is_late(bot, cue)
    ):
        yield remark


def _is_late(bot: Speaker, cue: Cue) -> bool:
    """Return whether a question about a nomination comes after the nomination."""
    return cue.code == "whom_nominate" and not bot.sees_nominating(cue.seats[0])


# What may be said ------------------------------------------------------------------------------


def _said(heard: Heard, last: int = 0, by: int | None = None) -> list[Words]:
    """Return the words of the last phrases, or of all, perhaps only those of one seat."""
    return [(one.code, one.seats) for one in heard.phrases[-last:] if by in (None, one.seat)]


def _may_say(bot: Speaker, cue: Cue, words: Words) -> bool:
    """Return whether words are neither a repetition nor a contradiction."""
    code, seats = words
    if not set(seats) <= set(bot.view.alive):
        return False
    if cue.occasion is not Occasion.ANSWER and _is_said(bot.heard.phrases[-4:], bot.seat, words):
        return False
    if code not in _AGAIN_AND_AGAIN and words in _said(bot.heard, last=_NOT_AGAIN, by=bot.seat):
        return False
    about = opinion(code, seats)
    nominees = bot.view.candidate, bot.view.nominee
    if bot.hides_ballot() and not about.keys().isdisjoint(nominees):
        return False
    # A confession is news, whatever was said before.
    sides = opinions(bot.heard, bot.seat) | _sides_taken(bot) | _opponents(bot)
    if code == "confessed":
        sides = {}
    if code == "lying" and len(seats) > 1 and any(sides.get(seat) for seat in seats):
        # Who has taken a side can't leave it open.
        return False
    return all(sides.get(seat) != -side for seat, side in about.items())


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


def _is_latest(heard: Heard, kind: type[Event], *others: type[Event]) -> bool:
    """Return whether the last event of these kinds is of the first one."""
    events = (event for _, _, events in reversed(heard.told) for event in reversed(events))
    return isinstance(next((one for one in events if isinstance(one, (kind, *others))), None), kind)


def _opponents(bot: Speaker) -> dict[int, int]:
    """Return -1 by seat for whom no news clears: they lie by the bot's own claims, or confessed."""
    own = [word for word in bot.heard.phrases if word.seat == bot.seat]
    found = {seat: -1 for word in own if word.code == "confessed" for seat in word.seats}
    for claim in bot.heard.claims:
        if isinstance(claim, PartySeen):
            pair = claim.seat, claim.target
            if bot.seat in pair and claim.party is Party.FASCIST:
                found |= {seat: -1 for seat in pair if seat != bot.seat}
        elif isinstance(claim, Drawn | Received) and claim.seat == bot.seat:
            kind = Received if isinstance(claim, Drawn) else Drawn
            other = bot.heard.claimed(claim.round, kind)
            if other is not None and passed(other) != passed(claim):
                found[other.seat] = -1
    return found


def _sides_taken(bot: Speaker) -> dict[int, int]:
    """Return by seat the side that the bot has taken in the current election."""
    view = bot.view
    president, chancellor = view.candidate, view.nominee
    if view.phase is not Phase.ELECTION or president is None or chancellor is None:
        return {}
    if bot.seat == president:
        return {chancellor: 1}
    ballot = view.ballot or promised_ballot(bot.heard, bot.seat)
    if ballot is Ballot.JA:
        return {president: 1, chancellor: 1}
    return {chancellor: -1} if ballot is Ballot.NEIN else {}
