"""The reasons that a bot gives for its last ballot."""

from collections.abc import Iterator

from games.bots.heard import Heard
from games.bots.opinions import opinions
from games.bots.registry import Words
from games.rules.components import FAILED_ELECTIONS_TO_CHAOS, Ballot
from games.rules.events import Ballots, Enacted, Nominated, Tracker

from .situation import is_armed
from .speaker import Speaker


def reasons(bot: Speaker) -> Iterator[Words]:
    """Yield reasons for the bot's last ballot, best first."""
    last = _last_vote(bot.heard)
    if last is None:
        return
    nominated, ballots, tracker = last
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
        if seat == chancellor:
            yield "nein_me", ()
        elif (
            is_armed(bot.view) and chancellor not in bot.view.cleared and bot.danger(chancellor) > 1
        ):
            yield "nein_hitler", (chancellor,)
        for other in sorted(officers, key=lambda s: -bot.odds.fascist[s]):
            if bot.suspects(other):
                yield "nein_distrust", (other,)
        if said.get(chancellor) != 1:
            yield "nein_other", ()


def _last_vote(heard: Heard) -> tuple[Nominated, Ballots, int] | None:
    """Return the last finished vote, with the tracker's value before it."""
    nominated = ballots = None
    tracker = before = 0
    for _, _, events in heard.told:
        for event in events:
            if isinstance(event, Nominated):
                named = event
            elif isinstance(event, Ballots):
                nominated, ballots, before = named, event, tracker
            elif isinstance(event, Tracker):
                tracker = event.value
            elif isinstance(event, Enacted):
                tracker = 0
    return None if nominated is None or ballots is None else (nominated, ballots, before)
