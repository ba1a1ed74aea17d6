"""Sentences about players' claims and about contradictions between them."""

from collections.abc import Sequence
from typing import Final, assert_never

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext_lazy

from games.bots.rhythm import claim_key
from games.rules.claims import About, Sight, passed, sight_of
from games.rules.components import Party, Policy
from games.rules.knowledge import Drawn, Knowledge, PartySeen, Received, TopSeen

from .sentences import Speech
from .voices import line_of

_DRAWN: Final = {
    Policy.LIBERAL: gettext_lazy(
        "{name} claims to have drawn {policies} in round {round} and discarded a liberal policy."
    ),
    Policy.FASCIST: gettext_lazy(
        "{name} claims to have drawn {policies} in round {round} and discarded a fascist policy."
    ),
}
_PARTY: Final = {
    Party.LIBERAL: gettext_lazy("{name} claims that {target} is a liberal (round {round})."),
    Party.FASCIST: gettext_lazy("{name} claims that {target} is a fascist (round {round})."),
}
_CHOICES: Final = {
    Policy.LIBERAL: gettext_lazy("{policies}; discarded a liberal policy"),
    Policy.FASCIST: gettext_lazy("{policies}; discarded a fascist policy"),
}
_ASKED: Final = {
    About.DRAWN: gettext_lazy("Round {round}: what did you draw and discard?"),
    About.RECEIVED: gettext_lazy("Round {round}: what were you handed?"),
    About.PEEKED: gettext_lazy("Round {round}: what did you see on top of the pile?"),
    About.PARTY: gettext_lazy("Round {round}: which party does {target} belong to?"),
}
# {what} is drawn, and in words for screen readers.
_SHORT: Final = {
    About.DRAWN: gettext_lazy("drew {what}"),
    About.RECEIVED: gettext_lazy("was handed {what}"),
    About.PEEKED: gettext_lazy("saw {what} on top"),
    About.PARTY: gettext_lazy("{target} is {what}"),
}
_ENACTED: Final = {
    Policy.LIBERAL: gettext_lazy("Everyone saw a liberal policy enacted."),
    Policy.FASCIST: gettext_lazy("Everyone saw a fascist policy enacted."),
}
_SAW: Final = {
    Policy.LIBERAL: gettext_lazy(
        "In round {round}, everyone saw a liberal policy come from those cards."
    ),
    Policy.FASCIST: gettext_lazy(
        "In round {round}, everyone saw a fascist policy come from those cards."
    ),
}
_PARTIES: Final = {
    Party.LIBERAL: pgettext_lazy("claimed party", "liberal"),
    Party.FASCIST: pgettext_lazy("claimed party", "fascist"),
}


def claimed(claim: Knowledge, names: Sequence[str], html: bool = False) -> str:
    """Return a claim as a sentence in the third person, because it may be a lie."""
    speech = Speech(names, html)
    places = {"name": speech.name(claim.seat), "round": claim.round}
    match claim:
        case Drawn(policies=policies, discarded=discarded):
            places["policies"] = speech.policies(policies)
            return speech.say(str(_DRAWN[discarded]), **places)
        case Received(policies=policies):
            places["policies"] = speech.policies(policies)
            return speech.say(
                _("{name} claims to have been handed {policies} in round {round}."), **places
            )
        case TopSeen(policies=policies):
            places["policies"] = speech.policies(policies)
            return speech.say(
                _("{name} claims to have seen {policies} on top of the pile in round {round}."),
                **places,
            )
        case PartySeen(target=target, party=party):
            return speech.say(str(_PARTY[party]), target=speech.name(target), **places)
        case _ as unreachable:
            assert_never(unreachable)


def claim_words(claim: Knowledge, names: Sequence[str], what: str, html: bool = False) -> str:
    """Return a claim in a few words, with `what` for its cards or its party.

    For places where the name of its speaker stands before it.
    """
    speech = Speech(names, html)
    target = speech.name(claim.target) if isinstance(claim, PartySeen) else ""
    return speech.say(str(_SHORT[sight_of(claim).about]), target=target, what=what)


def claim_line(
    claim: Knowledge,
    names: Sequence[str],
    html: bool = False,
    *,
    voice: str,
    line: int,
    seats: Sequence[int] = (),
) -> str | None:
    """Return what a character says beside a claim's cards; None where it has no line for that.

    `seats` are those that the line names and the claim doesn't.
    """
    own = line_of(voice, claim_key(claim), line)
    if own is None or (isinstance(claim, Received) and not seats):
        return None
    speech = Speech(names, html)
    named = (claim.target,) if isinstance(claim, PartySeen) else seats
    places = dict(zip(("first",), map(speech.name, named), strict=False))
    return speech.say(own, **places)


def of_round(number: int, words: str, html: bool = False) -> str:
    """Return a claim's words with the round that it is about."""
    return Speech((), html).say(_("Round {round}: {claim}"), round=number, claim=words)


def claim_question(sight: Sight, names: Sequence[str], html: bool = False) -> str:
    """Return the question that a player answers by claiming something about this sight."""
    speech = Speech(names, html)
    target = "" if sight.target is None else speech.name(sight.target)
    return speech.say(str(_ASKED[sight.about]), round=sight.round, target=target)


def claim_choice(claim: Knowledge) -> str:
    """Return the short text of a claim, for a button next to its question."""
    speech = Speech(())
    match claim:
        case Drawn(policies=policies, discarded=discarded):
            return speech.say(str(_CHOICES[discarded]), policies=speech.policies(policies))
        case Received(policies=policies) | TopSeen(policies=policies):
            return speech.policies(policies)
        case PartySeen(party=party):
            return str(_PARTIES[party])
        case _ as unreachable:
            assert_never(unreachable)


def contradiction(
    claim: Knowledge,
    other: Knowledge | None,
    policy: Policy | None,
    number: int,
    names: Sequence[str],
    html: bool = False,
) -> str:
    """Return why a claim contradicts another one, or what everyone saw in round `number`."""
    speech = Speech(names, html)
    name = speech.name(claim.seat)
    match claim, other:
        case Drawn(), Received(policies=policies):
            return speech.say(
                _(
                    "{name} claims to have passed on {passed}. {other} claims to have been "
                    "handed {handed}."
                ),
                name=name,
                passed=speech.policies(passed(claim)),
                other=speech.name(other.seat),
                handed=speech.policies(policies),
            )
        case PartySeen(target=target), _:
            return speech.say(
                _("{name} calls {target} a fascist. They can’t both be liberals."),
                name=name,
                target=speech.name(target),
            )
        case TopSeen(), None if policy is not None:
            saw = speech.say(str(_SAW[policy]), round=number)
            return speech.both(claimed(claim, names, html), saw)
        case _, None if policy is not None:
            return speech.both(claimed(claim, names, html), str(_ENACTED[policy]))
        case _, (Drawn() | Received() | PartySeen() | TopSeen()):
            return speech.both(claimed(claim, names, html), claimed(other, names, html))
        case _:
            raise AssertionError("these do not contradict each other")
