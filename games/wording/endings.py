"""The end of a game in words: who won, what a player had to do with it, and what decided it."""

from collections.abc import Sequence
from typing import Final, assert_never

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from games.rules.components import Ballot, Policy
from games.rules.endings import Deed, OwnPart, TurningPoint
from games.rules.phases import Ending

from .sentences import Speech

_WON: Final = {
    Ending.LIBERAL_POLICIES: gettext_lazy("You won: five liberal policies were enacted"),
    Ending.HITLER_EXECUTED: gettext_lazy("You won: Hitler was executed"),
    Ending.FASCIST_POLICIES: gettext_lazy("You won: six fascist policies were enacted"),
    Ending.HITLER_ELECTED: gettext_lazy("You won: Hitler was elected Chancellor"),
}
_LOST: Final = {
    Ending.LIBERAL_POLICIES: gettext_lazy("You lost: five liberal policies were enacted"),
    Ending.HITLER_EXECUTED: gettext_lazy("You lost: Hitler was executed"),
    Ending.FASCIST_POLICIES: gettext_lazy("You lost: six fascist policies were enacted"),
    Ending.HITLER_ELECTED: gettext_lazy("You lost: Hitler was elected Chancellor"),
}
_PLAIN: Final = {
    Deed.ELECTED_AS_HITLER: gettext_lazy("You were Hitler, and they elected you."),
    Deed.NOMINATED_HITLER: gettext_lazy("You nominated Hitler as your Chancellor."),
    Deed.EXECUTED_HITLER: gettext_lazy("You gave the order to execute Hitler."),
    Deed.PRESIDENT_AT_LAST: gettext_lazy("You were President when the last policy was enacted."),
    Deed.CHANCELLOR_AT_LAST: gettext_lazy("You enacted the last policy as Chancellor."),
}
_VOTED: Final = {
    Ballot.JA: gettext_lazy("You voted Ja for the last government."),
    Ballot.NEIN: gettext_lazy("You voted Nein to the last government."),
}


def own_ending(ending: Ending | str, has_won: bool) -> str:
    """Return how the game ended for a player, as a headline without a full stop."""
    return str((_WON if has_won else _LOST)[Ending(ending)])


def own_part(part: OwnPart) -> str:
    """Return a player's part in a game as a sentence to that player."""
    match part.deed:
        case Deed.WAS_EXECUTED:
            return _("You were executed in round {round}.").format(round=part.round)
        case Deed.PRESIDENT | Deed.CHANCELLOR:
            return _in_office(part).format(count=part.count)
        case Deed.VOTED:
            assert part.ballot is not None
            return str(_VOTED[part.ballot])
        case (
            Deed.ELECTED_AS_HITLER
            | Deed.NOMINATED_HITLER
            | Deed.EXECUTED_HITLER
            | Deed.PRESIDENT_AT_LAST
            | Deed.CHANCELLOR_AT_LAST
        ):
            return str(_PLAIN[part.deed])
        case _ as unreachable:
            assert_never(unreachable)


def _in_office(part: OwnPart) -> str:
    if part.deed is Deed.PRESIDENT:
        if part.policy is Policy.LIBERAL:
            return ngettext(
                "You were President for {count} liberal policy.",
                "You were President for {count} liberal policies.",
                part.count,
            )
        return ngettext(
            "You were President for {count} fascist policy.",
            "You were President for {count} fascist policies.",
            part.count,
        )
    if part.policy is Policy.LIBERAL:
        return ngettext(
            "You were Chancellor for {count} liberal policy.",
            "You were Chancellor for {count} liberal policies.",
            part.count,
        )
    return ngettext(
        "You were Chancellor for {count} fascist policy.",
        "You were Chancellor for {count} fascist policies.",
        part.count,
    )


def turning_point(point: TurningPoint, names: Sequence[str], html: bool = False) -> str:
    """Return what decided a game, as a sentence."""
    speech = Speech(names, html)
    if point.other is None:
        return speech.say(
            _("Round {round}: the election failed again, and chaos enacted the last policy."),
            round=point.round,
        )
    president, other = speech.name(point.president), speech.name(point.other)
    match point.ending:
        case Ending.HITLER_EXECUTED:
            return speech.say(
                _("Round {round}: President {president} has {target} executed."),
                round=point.round,
                president=president,
                target=other,
            )
        case Ending.HITLER_ELECTED:
            return speech.say(
                _(
                    "Round {round}: {president} and {chancellor} are elected, "
                    "{ja} Ja to {nein} Nein."
                ),
                round=point.round,
                president=president,
                chancellor=other,
                ja=point.ja,
                nein=point.nein,
            )
        case Ending.LIBERAL_POLICIES:
            return speech.say(
                _(
                    "Round {round}: President {president} and Chancellor {chancellor} enact "
                    "the fifth liberal policy."
                ),
                round=point.round,
                president=president,
                chancellor=other,
            )
        case Ending.FASCIST_POLICIES:
            return speech.say(
                _(
                    "Round {round}: President {president} and Chancellor {chancellor} enact "
                    "the sixth fascist policy."
                ),
                round=point.round,
                president=president,
                chancellor=other,
            )
        case _ as unreachable:
            assert_never(unreachable)
