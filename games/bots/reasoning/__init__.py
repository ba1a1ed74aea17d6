"""A bot that reasons: it believes, weighs what wins, plays like people, and says what it saw."""

from games.bots.registry import Kind, gettext_noop

from .claims import claim_about
from .play import choose

KIND = Kind(name="reasoner", label=gettext_noop("Reasoning"), choose=choose, claim=claim_about)
