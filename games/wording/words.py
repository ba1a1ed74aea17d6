"""Single words and labels: roles, parties, policies, phases, powers, endings."""

from typing import Final

from django.utils.translation import gettext_lazy, pgettext_lazy

from games.rules.components import Party, Policy, Power, Role
from games.rules.state import Ending, Phase

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
_PHASES: Final = {
    Phase.NOMINATION: pgettext_lazy("phase", "Nomination"),
    Phase.ELECTION: pgettext_lazy("phase", "Election"),
    Phase.PRESIDENT_DISCARDS: pgettext_lazy("phase", "The President discards"),
    Phase.CHANCELLOR_ENACTS: pgettext_lazy("phase", "The Chancellor enacts"),
    Phase.VETO_PROPOSED: pgettext_lazy("phase", "Veto proposed"),
    Phase.INVESTIGATION: pgettext_lazy("phase", "Investigation"),
    Phase.SPECIAL_ELECTION: pgettext_lazy("phase", "Special election"),
    Phase.PEEK: pgettext_lazy("phase", "Policy peek"),
    Phase.EXECUTION: pgettext_lazy("phase", "Execution"),
    Phase.OVER: pgettext_lazy("phase", "Game over"),
}
_POWERS: Final = {
    Power.INVESTIGATION: pgettext_lazy("power", "Investigation"),
    Power.SPECIAL_ELECTION: pgettext_lazy("power", "Special election"),
    Power.PEEK: pgettext_lazy("power", "Policy peek"),
    Power.EXECUTION: pgettext_lazy("power", "Execution"),
}
_POWERS_EXPLAINED: Final = {
    Power.INVESTIGATION: gettext_lazy(
        "The President learns the party membership of a player whom nobody has investigated yet."
    ),
    Power.SPECIAL_ELECTION: gettext_lazy(
        "The President chooses the next presidential candidate. After that election the "
        "candidacy goes on from where it was."
    ),
    Power.PEEK: gettext_lazy(
        "The President looks at the top three policies of the draw pile; they stay in order."
    ),
    Power.EXECUTION: gettext_lazy(
        "The President puts a player out of the game. If it is Hitler, the liberals win."
    ),
}
_ENDINGS: Final = {
    Ending.LIBERAL_POLICIES: gettext_lazy("Five liberal policies are enacted."),
    Ending.HITLER_EXECUTED: gettext_lazy("Hitler is executed."),
    Ending.FASCIST_POLICIES: gettext_lazy("Six fascist policies are enacted."),
    Ending.HITLER_ELECTED: gettext_lazy(
        "Hitler is elected Chancellor after three or more fascist policies."
    ),
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


def phase(value: Phase) -> str:
    """Return the label of the decision that the game is waiting for."""
    return str(_PHASES[value])


def power(value: Power) -> str:
    """Return the name of a presidential power."""
    return str(_POWERS[value])


def power_explained(value: Power) -> str:
    """Return what a presidential power does, as a sentence."""
    return str(_POWERS_EXPLAINED[value])


def ending(value: Ending | str) -> str:
    """Return why the game ended, as a sentence."""
    return str(_ENDINGS[Ending(value)])


def winner(value: Party) -> str:
    """Return who won, as a headline without a full stop."""
    return str(_WINNERS[value])
