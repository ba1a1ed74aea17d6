"""The characters of reasoning bots: the same strength, another way to play and to talk."""

from functools import partial
from typing import Final

from games.bots.cues import Character
from games.bots.registry import Kind, Level, gettext_noop

from .claims import claim_about
from .play import NEUTRAL, Temper, choose
from .talk import say

# How much a level trusts its reasoning: the log odds of its choices are multiplied by this. A
# beginner's are only where the choice is close.
_NERVE: Final = {Level.BEGINNER: 0.3, Level.REGULAR: 1.0, Level.EXPERT: 2.0}


def _kind(name: str, label: str, temper: Temper, character: Character) -> Kind:
    levels = {level: partial(choose, temper=temper, nerve=nerve) for level, nerve in _NERVE.items()}
    return Kind(
        name=name,
        label=label,
        choose=levels[Level.REGULAR],
        levels=levels,
        claim=claim_about,
        character=character,
        say=partial(say, temper=temper),
    )


NEUTRAL_KIND: Final = _kind("reasoner", gettext_noop("Reasoning"), NEUTRAL, Character())

CHARACTERS: Final = (
    _kind(
        "careful",
        gettext_noop("Careful"),
        Temper(ja=-0.4, fresh=-1.0, hunts=0.6),
        Character(people=("Klara", "Georg", "Hedwig", "Anton"), talkative=0.5),
    ),
    _kind(
        "bold",
        gettext_noop("Bold"),
        Temper(ja=0.6, fresh=1.0),
        Character(people=("Bruno", "Frieda", "Max", "Greta"), talkative=0.6),
    ),
    _kind(
        "talker",
        gettext_noop("Talkative"),
        Temper(ja=0.2, loyal=1.5),
        Character(people=("Otto", "Lotte", "Elsa", "Hugo"), talkative=1.0),
    ),
    _kind(
        "contrary",
        gettext_noop("Contrary"),
        Temper(contrary=1.2, fresh=0.5, hunts=-0.6),
        Character(people=("Kurt", "Martha", "Fritz", "Ida"), talkative=0.6),
    ),
    _kind(
        "quiet",
        gettext_noop("Quiet"),
        Temper(contrary=-0.8, loyal=0.5, hunts=0.3),
        Character(people=("Emil", "Anna", "Paula", "Oskar"), talkative=0.1),
    ),
)
