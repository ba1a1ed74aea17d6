"""What a reasoning bot answers to questions and requests, and says to arguments."""

from collections.abc import Iterator
from typing import Final

from games.bots.cues import Cue, Occasion
from games.bots.opinions import opinions
from games.bots.registry import Words
from games.rules.claims import About, sights
from games.rules.knowledge import Knowledge

from .claims import claim_once
from .mind import odds_for
from .play import ballot_intended, nomination_intended
from .reasons import reasons
from .reputations import PLEAS, opinion_steps
from .situation import suspicion
from .speaker import NOTABLE, Speaker

# What a question asks the bot to claim; None for anything.
_SHOW: Final = {
    "what_drawn": About.DRAWN,
    "what_handed": About.RECEIVED,
    "what_seen": None,
    "say_what": None,
}
# A bot says so if words have moved its estimate, or the chance of its Ja, by more than this.
_MOVED: Final = 0.46
_MOVED_BALLOT: Final = 0.08
# What a bot has said within this many phrases of the table, it has just said.
_JUST: Final = 4


def answers(bot: Speaker, cue: Cue) -> Iterator[Knowledge | Words]:
    """Yield answers to a question or a request; none where a player would rather say nothing."""
    by, *named = cue.seats
    asked = [seat for seat in named if seat != bot.seat]
    code = cue.code
    if code in ("why", "do_you_trust") and len(named) == 2:
        if named[1] == bot.seat:
            yield "me_liberal", (by,)
        yield from bot.opinion(named[1])
        yield "perhaps", (by,)
    elif code in ("why", "why_this_vote"):
        yield from reasons(bot)
    elif code in _SHOW:
        yield from _shown(bot, _SHOW[code])
    elif code == "whom_nominate" and bot.sees_nominating(bot.seat):
        yield "me_nominate", (nomination_intended(bot.view, bot.heard, bot.temper),)
    elif code in ("whom_trust", "whom_nominate"):
        yield from map(bot.praise, bot.trusted()[:2])
        yield "no_idea", (by,)
    elif code in ("whom_suspect", "whom_investigate", "whom_execute"):
        yield from map(bot.accusation, bot.suspected()[:2])
        yield "no_idea", (by,)
    elif code in PLEAS:
        number = bot.heard.index(by, code, tuple(named))
        if number is not None:
            yield from _on_a_plea(bot, number, by)
        yield "perhaps", (by,)
    elif code == "how_vote":
        ballot = bot.ballot()
        if ballot is not None:
            yield f"me_vote_{ballot}", ()
        yield "perhaps", (by,)
    elif code == "are_you_liberal":
        yield "me_liberal", (by,)
    elif code in ("nominate", "nominate_me"):
        wanted = [by] if code == "nominate_me" else asked
        if wanted and bot.sees_nominating(bot.seat):
            if nomination_intended(bot.view, bot.heard, bot.temper) == wanted[-1]:
                yield "me_nominate", (wanted[-1],)
            yield ("disagree" if bot.suspects(wanted[-1]) else "perhaps"), (by,)
        yield from _verdict(bot, wanted, by, 1)
    elif code == "spare":
        yield from _verdict(bot, asked, by, 1)
    elif code in ("not_nominate", "investigate", "execute"):
        yield from _verdict(bot, asked, by, -1)
    elif code == "investigate_me":
        yield from _verdict(bot, [by], by, -1)
    elif code in ("propose_veto", "refuse_veto"):
        # The cards decide that.
        yield "perhaps", (by,)


def _shown(bot: Speaker, about: About | None) -> Iterator[Knowledge | Words]:
    """Yield a claim about the last thing seen, or stand by the one that was made."""
    own = [sight for sight in sights(bot.heard.told) if sight.seat == bot.seat]
    if about is not None:
        own = [sight for sight in own if sight.about is about]
    if own:
        claim = claim_once(bot.view, bot.heard, own[-1], bot.below)
        yield ("me_truth", ()) if claim is None else claim


def _verdict(bot: Speaker, asked: list[int], by: int, sign: int) -> Iterator[Words]:
    """Yield agreement if the bot trusts (sign 1) or suspects (-1) the last of the seats asked."""
    if asked:
        agreement = -sign * bot.suspicion(asked[-1])
        is_clear = abs(agreement) > NOTABLE
        yield (("agree" if agreement > 0 else "disagree") if is_clear else "perhaps"), (by,)


def reactions(bot: Speaker, cue: Cue) -> Iterator[Words]:
    """Yield what to say to an argument: whether it has moved the bot."""
    by, *named = cue.seats
    number = bot.heard.index(by, cue.code, tuple(named))
    # No one agrees with whom they have just accused or called a possible liar, and the rest goes
    # without saying.
    is_doubted = any(
        word.seat == bot.seat and word.code == "lying" and by in word.seats
        for word in bot.heard.phrases[-_JUST:]
    )
    if number is None or is_doubted or opinions(bot.heard, bot.seat).get(by) == -1:
        return
    if cue.code in PLEAS:
        yield from _on_a_plea(bot, number, by)
        return
    steps = opinion_steps(bot.heard.phrases[number])
    about = [seat for seat in steps if seat != bot.seat]
    if not about:
        return
    without = odds_for(bot.view, bot.heard.without(number))
    sign = 1 if steps[about[0]] > 0 else -1
    before = [sign * suspicion(bot.view, without, seat) for seat in about]
    after = [sign * bot.suspicion(seat) for seat in about]
    if min(before) > NOTABLE:
        yield bot.praise(by) if by in about else ("agree", (by,))
    elif max(a - b for a, b in zip(after, before, strict=True)) > _MOVED:
        yield "point", (by,)
    elif cue.occasion is Occasion.ARGUMENT:
        yield "not_convinced", (by,)


def _on_a_plea(bot: Speaker, number: int, by: int) -> Iterator[Words]:
    """Yield the answer to a request to vote Ja or Nein. The bot's ballot keeps to it."""
    ballot = bot.ballot()
    if ballot is None:
        return
    said = f"vote_{ballot}"
    if bot.heard.phrases[number].code != said:
        yield "not_convinced", (by,)
    else:
        before, after = (
            ballot_intended(bot.view, heard, bot.temper)
            for heard in (bot.heard.without(number), bot.heard)
        )
        if abs(after - before) > _MOVED_BALLOT:
            yield "point", (by,)
    yield f"me_{said}", ()
