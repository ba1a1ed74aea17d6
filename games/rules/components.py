"""The game's components: roles, parties, policies, powers, and their numbers by player count."""

from enum import StrEnum
from typing import Final


class Role(StrEnum):
    LIBERAL = "liberal"
    FASCIST = "fascist"
    HITLER = "hitler"

    @property
    def party(self) -> "Party":
        """The party membership card that belongs to this role; Hitler's is fascist."""
        return Party.LIBERAL if self is Role.LIBERAL else Party.FASCIST


class Party(StrEnum):
    LIBERAL = "liberal"
    FASCIST = "fascist"


class Policy(StrEnum):
    LIBERAL = "liberal"
    FASCIST = "fascist"


class Ballot(StrEnum):
    JA = "ja"
    NEIN = "nein"


class Power(StrEnum):
    INVESTIGATION = "investigation"
    SPECIAL_ELECTION = "special_election"
    PEEK = "peek"
    EXECUTION = "execution"


LEAST_PLAYERS: Final = 5
MOST_PLAYERS: Final = 10
LIBERAL_POLICIES: Final = 6
FASCIST_POLICIES: Final = 11
POLICIES: Final = LIBERAL_POLICIES + FASCIST_POLICIES

LIBERAL_POLICIES_TO_WIN: Final = 5
FASCIST_POLICIES_TO_WIN: Final = 6
FASCIST_POLICIES_ARM_HITLER: Final = 3
FASCIST_POLICIES_UNLOCK_VETO: Final = 5
FAILED_ELECTIONS_TO_CHAOS: Final = 3
CARDS_DRAWN: Final = 3

_FASCISTS: Final = {5: 1, 6: 1, 7: 2, 8: 2, 9: 3, 10: 3}

_TRACKS: Final[dict[int, tuple[Power | None, ...]]] = {
    5: (None, None, Power.PEEK, Power.EXECUTION, Power.EXECUTION, None),
    7: (None, Power.INVESTIGATION, Power.SPECIAL_ELECTION, Power.EXECUTION, Power.EXECUTION, None),
    9: (
        Power.INVESTIGATION,
        Power.INVESTIGATION,
        Power.SPECIAL_ELECTION,
        Power.EXECUTION,
        Power.EXECUTION,
        None,
    ),
}


def roles_for(players: int) -> tuple[Role, ...]:
    """Return the role cards for `players` (5-10): liberals, then fascists, then Hitler.

    >>> [str(role) for role in roles_for(5)]
    ['liberal', 'liberal', 'liberal', 'fascist', 'hitler']
    """
    fascists = _FASCISTS[players]
    liberals = players - fascists - 1
    return (Role.LIBERAL,) * liberals + (Role.FASCIST,) * fascists + (Role.HITLER,)


def powers_for(players: int) -> tuple[Power | None, ...]:
    """Return the six spaces of the fascist track for the starting number of players (5-10)."""
    return _TRACKS[players - 1 if players % 2 == 0 else players]


def deck() -> tuple[Policy, ...]:
    """Return all seventeen policy tiles, liberal ones first."""
    return (Policy.LIBERAL,) * LIBERAL_POLICIES + (Policy.FASCIST,) * FASCIST_POLICIES
