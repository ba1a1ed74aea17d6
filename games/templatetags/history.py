"""Filters and tags for the templates of claims, phrases and the history."""

import json
from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import assert_never

from django import template
from django.template.loader import render_to_string
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language, pgettext

from games import wording
from games.panels.chat import MessageRow
from games.panels.government_history import ConflictRow
from games.panels.phrasebook import Ask
from games.rules.claims import claim_code, passed
from games.rules.components import Ballot, Party, Policy
from games.rules.knowledge import Drawn, Knowledge, PartySeen, Received, TopSeen
from games.rules.phases import Ending
from games.state.chat import said_claim
from games.state.government_history import Term
from games.wording.phrases import PHRASES

register = template.Library()
register.filter("claim_code", claim_code)
register.filter("claim_choice", wording.claim_choice)


@register.filter
def nth(items: Sequence[str], number: int) -> str:
    """Return the item at this index."""
    return items[number]


@register.filter
def cards(claim: Knowledge) -> SafeString:
    """Return a claim drawn as tiles, with a label for screen readers."""
    # Round and seat make no difference, and without them there are few variants to cache.
    return _cards(get_language(), replace(claim, round=0, seat=0))


@lru_cache(1000)
def _cards(language: str | None, claim: Knowledge) -> SafeString:
    return format_html(
        '<span class="cards" role="img" aria-label="{}">{}</span>',
        wording.claim_choice(claim),
        _drawn(claim),
    )


@register.filter
def cards_only(claim: Knowledge) -> SafeString:
    """Return the tiles alone, for use beside the words."""
    return format_html('<span class="cards" aria-hidden="true">{}</span>', _drawn(claim))


def _drawn(claim: Knowledge) -> SafeString:
    return format_html_join("", '<i class="{}"></i>', ((css,) for css in _tiles(claim)))


def _tiles(claim: Knowledge) -> Iterable[str]:
    """Return the CSS classes of the tiles: l and f, and x for the discarded one."""
    match claim:
        case PartySeen(party=party):
            return [f"{party[0]} party"]
        case Drawn(discarded=discarded):
            return [*(policy[0] for policy in passed(claim)), f"{discarded[0]} x"]
        case Received() | TopSeen():
            return [policy[0] for policy in claim.policies]
        case _:
            assert_never(claim)


@register.filter
def outcome(term: Term) -> str:
    """Return the outcome of a candidacy in a word or two; "" while there is none."""
    if term.policy is not None:
        return _policy(term.policy)
    if term.ending == Ending.HITLER_ELECTED:
        return pgettext("moment", "Hitler elected")
    if term.is_vetoed:
        return pgettext("history", "Veto")
    if term.is_elected is None:
        return ""
    return pgettext("history", "Elected") if term.is_elected else pgettext("history", "Rejected")


@register.filter
def chaos_told(policy: Policy) -> str:
    """Return the text for a policy that chaos enacted."""
    match policy:
        case Policy.LIBERAL:
            return pgettext("history", "Chaos: liberal policy")
        case Policy.FASCIST:
            return pgettext("history", "Chaos: fascist policy")
        case _:
            assert_never(policy)


@register.filter
def outcome_kind(term: Term) -> str:
    """Return the CSS class of an outcome's mark: the enacted policy, or why there was none."""
    if term.policy is not None:
        return str(term.policy)
    if term.ending == Ending.HITLER_ELECTED:
        return "hitler"
    if term.is_vetoed:
        return "vetoed"
    return {None: "", True: "elected", False: "rejected"}[term.is_elected]


@register.filter
def contradiction(row: ConflictRow) -> SafeString:
    """Return why the two claims, or the claim and a public fact, cannot both be true."""
    conflict = row.conflict
    sentence = wording.contradiction(
        conflict.claim, conflict.other, conflict.policy, conflict.round, row.names, html=True
    )
    return mark_safe(sentence)  # noqa: S308  `wording` escapes the names


@register.filter
def conflict_round(row: ConflictRow) -> int:
    """Return the round in which the contradiction arose."""
    other = row.conflict.other
    return max(row.conflict.claim.round, row.conflict.round, 0 if other is None else other.round)


@register.filter
def asked(ask: Ask) -> SafeString:
    """Return the question that a claim would answer."""
    return mark_safe(wording.claim_question(ask.sight, ask.names, html=True))  # noqa: S308  as above


@register.simple_tag
def phrase_options(chosen: str, may_investigate: bool) -> SafeString:
    """Return the options of the phrasebook in the active language, with `chosen` selected."""
    # A posted value that is no phrase selects nothing.
    chosen = chosen if chosen in PHRASES else ""
    return _phrase_options(get_language() or "en", chosen, may_investigate=may_investigate)


@lru_cache(100)
def _phrase_options(language: str, chosen: str, *, may_investigate: bool) -> SafeString:
    groups = wording.phrase_groups(language, may_investigate=may_investigate)
    shown = {"groups": groups, "chosen": chosen}
    return render_to_string("games/_phrase_options.html", shown)


@register.filter
def phrase_said(message: MessageRow) -> SafeString:
    """Return a phrase in this reader's language.

    A phrase from before the game uses the names stored with it, because players may change seats
    then.
    """
    data = json.loads(message.data)
    seats = data["seats"]
    names = dict(zip(seats, data["names"], strict=True))
    if message.round:
        names = {seat: message.names[seat] for seat in seats}
    said = wording.phrase(
        data["phrase"],
        seats,
        names,
        html=True,
        voice=data.get("voice", ""),
        line=data.get("line", 0),
    )
    return mark_safe(said)  # noqa: S308  as above


@register.filter
def claim_said(message: MessageRow) -> SafeString:
    """Return a claim: its cards drawn, and beside them a few words or what a bot says."""
    data = json.loads(message.data)
    claim = said_claim(data)
    names, choice = message.names, wording.claim_choice(claim)
    own = None
    if "voice" in data:
        own = wording.claim_line(
            claim, names, html=True, voice=data["voice"], line=data["line"], seats=data["seats"]
        )
    if own is None:
        words = wording.claim_words(claim, names, _drawn_and_told(claim, choice), html=True)
    else:
        told = wording.claim_words(claim, names, choice, html=True)
        # What was claimed must be whole without the drawing and the manner.
        drawn = _drawn_and_told(claim, format_html("{}. ", mark_safe(told)))  # noqa: S308  as above
        words = format_html("{} {}", drawn, mark_safe(own))  # noqa: S308  as above
    # The next round begins with the policy, before anyone claims what led to it.
    if claim.round < message.round - 1:
        words = wording.of_round(claim.round, mark_safe(words), html=True)  # noqa: S308  as above
    return mark_safe(words)  # noqa: S308  as above


def _drawn_and_told(claim: Knowledge, told: str) -> SafeString:
    """Return a claim's tiles, with words that only screen readers have."""
    return format_html('{}<span class="sr-only">{}</span>', cards_only(claim), told)


@register.filter
def ballot_class(ballot: Ballot | None) -> str:
    return "" if ballot is None else str(ballot)


def _policy(policy: Policy) -> str:
    match policy:
        case Policy.LIBERAL:
            return pgettext("policy", "Liberal policy")
        case Policy.FASCIST:
            return pgettext("policy", "Fascist policy")
        case _:
            assert_never(policy)


assert {party[0] for party in Party} == {"l", "f"}
