"""The game's components: roles, parties, policies, and their numbers by player count."""

from enum import StrEnum
from typing import Final, assert_never


class Role(StrEnum):
    LIBERAL = "liberal"
    FASCIST = "fascist"
    HITLER = "hitler"

    @property
    def party(self) -> "Party":
        """The party membership card that belongs to this role; Hitler's is fascist."""
        match self:
            case Role.LIBERAL:
                return Party.LIBERAL
            case Role.FASCIST | Role.HITLER:
                return Party.FASCIST
            case _:
                assert_never(self)


class Party(StrEnum):
    LIBERAL = "liberal"
    FASCIST = "fascist"


class Policy(StrEnum):
    LIBERAL = "liberal"
    FASCIST = "fascist"


class Ballot(StrEnum):
    JA = "ja"
    NEIN = "nein"


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


def roles_for(players: int, fascists: int | None = None) -> tuple[Role, ...]:
    """Return the role cards for `players` (5-10): liberals, then fascists, then Hitler.

    `fascists` is their number besides Hitler, if a house rule sets it.

    >>> [str(role) for role in roles_for(5)]
    ['liberal', 'liberal', 'liberal', 'fascist', 'hitler']
    """
    if fascists is None:
        fascists = _FASCISTS[players]
    liberals = players - fascists - 1
    return (Role.LIBERAL,) * liberals + (Role.FASCIST,) * fascists + (Role.HITLER,)


def deck(liberal: int = LIBERAL_POLICIES, fascist: int = FASCIST_POLICIES) -> tuple[Policy, ...]:
    """Return so many policy tiles, liberal ones first; without house rules, all seventeen."""
    return (Policy.LIBERAL,) * liberal + (Policy.FASCIST,) * fascist
