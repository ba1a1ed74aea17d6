"""The moments of a finished game that can be searched for. `summary` finds them."""

from enum import StrEnum
from typing import Final

from games.rules.powers import Power


class Moment(StrEnum):
    """A moment of a game. The values stand in the database, in addresses and in the public API."""

    HITLER_ELECTED = "hitler_elected"
    HITLER_EXECUTED = "hitler_executed"
    # A veto that the President agreed to, and one that the President refused.
    VETO = "veto"
    VETO_REFUSED = "veto_refused"
    # The election tracker enacted a policy.
    CHAOS = "chaos"
    # A liberal President executed Hitler, or another liberal.
    LIBERAL_SHOT_HITLER = "liberal_shot_hitler"
    LIBERAL_SHOT_LIBERAL = "liberal_shot_liberal"
    # A liberal President truthfully accused a fascist, in vain.
    HONEST_ACCUSER_IGNORED = "honest_accuser_ignored"
    # No policy of this kind was enacted, by a government or by chaos.
    NO_LIBERAL_POLICY = "no_liberal_policy"
    NO_FASCIST_POLICY = "no_fascist_policy"
    # A President used the power of this name.
    PEEK = "peek"
    SPECIAL_ELECTION = "special_election"
    INVESTIGATION = "investigation"
    EXECUTION = "execution"


# The powers whose use is a moment. Most games have some of these.
POWER_MOMENTS: Final = {
    Power.PEEK: Moment.PEEK,
    Power.SPECIAL_ELECTION: Moment.SPECIAL_ELECTION,
    Power.INVESTIGATION: Moment.INVESTIGATION,
    Power.EXECUTION: Moment.EXECUTION,
}
