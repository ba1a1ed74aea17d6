"""Find hidden information in everything that reached a person's browser.

The bytes come from the person's own line: headers, pages, fragments and frames alike.
"""

import html
import re

from django.utils import translation

from games import wording
from games.panels import locale_for
from games.rules.record import Record, replay
from games.rules.view import View, view_for

_ROLE = re.compile(r'<div class="role (\w+)"')
_KNOWN = re.compile(r'<ul class="known">(.*?)</ul>', re.S)
_KNOWN_NAME = re.compile(r"<bdi>(.*?)</bdi>")
_LEARNT = re.compile(r'<ul class="learnt">(.*?)</ul>', re.S)
_ITEM = re.compile(r"<li>(.*?)</li>", re.S)
_SEAT_ROLE = re.compile(r'<li class="seat[^"]*\brole-\w+')
_HAND = re.compile(r'value="((?:discard|enact):\w+)"')


def told(heard: list[str]) -> list[str]:
    """Return the texts as HTML: frames carry theirs as JSON strings."""
    return [text.replace('\\"', '"').replace("\\n", "\n").replace("\\/", "/") for text in heard]


def views_of(record: Record, seat: int | None) -> list[View]:
    """Return every view of the seat before the game's end."""
    positions = list(replay(record))
    return [view_for(p.state, seat) for p in positions if p.state.outcome is None]


def leaks(heard: list[str], record: Record, seat: int | None, language: str) -> list[str]:
    """Return what these texts revealed although the rules hide it from the viewer.

    All texts must be from before the game's end, where everything is revealed.
    """
    views = views_of(record, seat)
    names = record.seats
    own = None if seat is None else record.deal.roles[seat]
    known = {
        names[other]
        for other, role in enumerate(views[0].roles)
        if role is not None and other != seat
    }
    with translation.override(locale_for(language, record.edition)):
        learnt = {
            wording.learnt(item, names, html=True) for view in views for item in view.knowledge
        }
    hands = {
        f"{action.kind}:{action.policy}"
        for view in views
        for action in view.legal
        if action.kind in ("discard", "enact")
    }
    found: list[str] = []
    for text in told(heard):
        found += [f"role {role}" for role in _ROLE.findall(text) if role != own]
        found += [f"role at a seat: {seat}" for seat in _SEAT_ROLE.findall(text)]
        for listed in _KNOWN.findall(text):
            found += [
                f"known {name}"
                for name in map(html.unescape, _KNOWN_NAME.findall(listed))
                if name not in known
            ]
        for listed in _LEARNT.findall(text):
            found += [f"learnt {item}" for item in _ITEM.findall(listed) if item not in learnt]
        found += [f"hand {value}" for value in _HAND.findall(text) if value not in hands]
        if record.seal is not None and record.seal.seed in text:
            found.append("the seed")
    return found


def private_marks(heard: list[str]) -> int:
    """Count the private things that the texts contain, to check that the patterns find any."""
    return sum(
        len(pattern.findall(text)) for text in told(heard) for pattern in (_ROLE, _LEARNT, _HAND)
    )
