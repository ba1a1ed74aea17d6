"""The reasons that a bot gives for its last ballot."""

from collections.abc import Iterator
from dataclasses import replace

from games.bots.opinions import opinions
from games.bots.registry import Words
from games.rules.components import FAILED_ELECTIONS_TO_CHAOS, Ballot, Policy
from games.rules.events import Ballots, Enacted, Nominated, Tracker

from .situation import is_armed
from .speaker import Speaker


def reasons(bot: Speaker) -> Iterator[Words]:
    """Yield reasons for the bot's last ballot, best first."""
    last = _last_vote(bot)
    if last is None:
        return
    nominated, ballots, tracker, was_armed = last
    seat, chancellor = bot.seat, nominated.chancellor
    said = opinions(bot.heard, seat)
    officers = [s for s in (nominated.president, chancellor) if s != seat]
    ballot = ballots.ballots[seat]
    if ballot is Ballot.JA:
        if seat == chancellor:
            yield "me_liberal", ()
        for other in sorted(officers, key=lambda s: bot.odds.fascist[s]):
            if bot.trusts(other):
                yield "ja_trust", (other,)
        if tracker == FAILED_ELECTIONS_TO_CHAOS - 1:
            yield "ja_chaos", ()
        if all(said.get(other) != -1 for other in officers):
            yield "ja_chance", ()
    elif ballot is Ballot.NEIN:
        if Ballot.JA in ballots_on(bot, chancellor):
            # A moment ago it would have had this Chancellor.
            officers = [other for other in officers if other != chancellor]
        is_possible = was_armed and chancellor not in bot.view.cleared
        if seat == chancellor:
            yield "nein_me", ()
        elif is_possible and chancellor in officers and bot.danger(chancellor) > 1:
            yield "nein_hitler", (chancellor,)
        for other in sorted(officers, key=lambda s: -bot.odds.fascist[s]):
            if bot.suspects(other):
                yield "nein_distrust", (other,)
        if said.get(chancellor) != 1:
            yield "nein_other", ()


def ballots_on(bot: Speaker, chancellor: int) -> list[Ballot | None]:
    """Return the bot's ballots on a seat as Chancellor since a government last enacted a policy."""
    found: list[Ballot | None] = []
    for _, _, events in bot.heard.told:
        for event in events:
            if isinstance(event, Nominated):
                named = event.chancellor
            elif isinstance(event, Ballots) and named == chancellor:
                found.append(event.ballots[bot.seat])
            elif isinstance(event, Enacted) and event.by == "government":
                found.clear()
    return found


def has_refused_to_govern(bot: Speaker) -> bool:
    """Return whether the bot has voted Nein on itself in the last vote: that needs a reason."""
    last = _last_vote(bot)
    if last is None:
        return False
    nominated, ballots, _, _ = last
    return nominated.chancellor == bot.seat and ballots.ballots[bot.seat] is Ballot.NEIN


def _last_vote(bot: Speaker) -> tuple[Nominated, Ballots, int, bool] | None:
    """Return the last finished vote, the tracker before it, and whether Hitler could win by it."""
    nominated = ballots = None
    tracker = before = fascist = fascist_before = 0
    for _, _, events in bot.heard.told:
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
    return nominated, ballots, before, is_armed(replace(bot.view, fascist=fascist_before))
