"""Sentences about what a player's own cards and powers showed, in the third person.

At the end everyone reads everyone's, so "you" would be wrong half of the time.
"""

from collections.abc import Sequence
from typing import Final, assert_never

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games.rules.components import Party, Policy
from games.rules.knowledge import Drawn, Knowledge, PartySeen, Received, TopSeen

from .sentences import Speech

_DRAWN: Final = {
    Policy.LIBERAL: gettext_lazy(
        "Round {round}: President {president} draws {policies}, then discards a liberal policy."
    ),
    Policy.FASCIST: gettext_lazy(
        "Round {round}: President {president} draws {policies}, then discards a fascist policy."
    ),
}
_LEARNT: Final = {
    Party.LIBERAL: gettext_lazy(
        "Round {round}: President {president} learns that {target} is a liberal."
    ),
    Party.FASCIST: gettext_lazy(
        "Round {round}: President {president} learns that {target} is a fascist."
    ),
}


def learnt(item: Knowledge, names: Sequence[str], html: bool = False) -> str:
    """Return a piece of knowledge as a sentence that names its round."""
    speech = Speech(names, html)
    name = speech.name(item.seat)
    match item:
        case Drawn(round=number, policies=policies, discarded=discarded):
            return speech.say(
                str(_DRAWN[discarded]),
                round=number,
                president=name,
                policies=speech.policies(policies),
            )
        case Received(round=number, policies=policies):
            return speech.say(
                _("Round {round}: Chancellor {chancellor} is handed {policies}."),
                round=number,
                chancellor=name,
                policies=speech.policies(policies),
            )
        case PartySeen(round=number, target=target, party=party):
            return speech.say(
                str(_LEARNT[party]), round=number, president=name, target=speech.name(target)
            )
        case TopSeen(round=number, policies=policies):
            return speech.say(
                _("Round {round}: President {president} peeks at {policies}, top first."),
                round=number,
                president=name,
                policies=speech.policies(policies),
            )
        case _ as unreachable:
            assert_never(unreachable)


def draws(
    president: int, policies: Sequence[Policy], names: Sequence[str], html: bool = False
) -> str:
    """Return the three policies that a President draws, for viewers who may know them."""
    speech = Speech(names, html)
    return speech.say(
        _("President {president} draws {policies}."),
        president=speech.name(president),
        policies=speech.policies(policies),
    )
