"""Single words and labels: roles, parties, policies, endings."""

from typing import Final

from django.utils.translation import gettext_lazy, pgettext_lazy

from games.rules.components import Party, Policy, Role
from games.rules.phases import Ending

_ROLES: Final = {
    Role.LIBERAL: pgettext_lazy("role", "Liberal"),
    Role.FASCIST: pgettext_lazy("role", "Fascist"),
    Role.HITLER: pgettext_lazy("role", "Hitler"),
}
_PARTIES: Final = {
    Party.LIBERAL: pgettext_lazy("party", "Liberal"),
    Party.FASCIST: pgettext_lazy("party", "Fascist"),
}
_POLICIES: Final = {
    Policy.LIBERAL: pgettext_lazy("policy", "Liberal policy"),
    Policy.FASCIST: pgettext_lazy("policy", "Fascist policy"),
}
_LISTED_POLICIES: Final = {
    Policy.LIBERAL: pgettext_lazy("policy in a list", "liberal"),
    Policy.FASCIST: pgettext_lazy("policy in a list", "fascist"),
}
_ENDINGS: Final = {
    Ending.LIBERAL_POLICIES: gettext_lazy("Five liberal policies are enacted."),
    Ending.HITLER_EXECUTED: gettext_lazy("Hitler is executed."),
    Ending.FASCIST_POLICIES: gettext_lazy("Six fascist policies are enacted."),
    Ending.HITLER_ELECTED: gettext_lazy("Hitler is elected Chancellor."),
}
_WINNERS: Final = {
    Party.LIBERAL: gettext_lazy("The liberals win"),
    Party.FASCIST: gettext_lazy("The fascists win"),
}


def role(value: Role) -> str:
    """Return the name on a secret role card."""
    return str(_ROLES[value])


def party(value: Party) -> str:
    """Return the name on a party membership card."""
    return str(_PARTIES[value])


def policy(value: Policy) -> str:
    """Return the name of a policy tile."""
    return str(_POLICIES[value])


def policy_in_a_list(value: Policy) -> str:
    """Return the kind of a policy, for use in a list of policies."""
    return str(_LISTED_POLICIES[value])


def ending(value: Ending | str) -> str:
    """Return why the game ended, as a sentence."""
    return str(_ENDINGS[Ending(value)])


def winner(value: Party) -> str:
    """Return who won, as a headline without a full stop."""
    return str(_WINNERS[value])
