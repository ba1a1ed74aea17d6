"""All assignments of roles to seats. A role is a small number here, because tables index by it."""

from collections.abc import Sequence
from functools import cache
from itertools import combinations
from typing import Final

from games.rules.components import Role, roles_for

LIBERAL: Final = 0
FASCIST: Final = 1
HITLER: Final = 2
ROLES: Final = (LIBERAL, FASCIST, HITLER)

CODES: Final = {Role.LIBERAL: LIBERAL, Role.FASCIST: FASCIST, Role.HITLER: HITLER}
NAMES: Final = tuple(CODES)


@cache
def assignments(players: int, fascists: int | None = None) -> tuple[bytes, ...]:
    """Return every assignment for so many players: one byte for each seat.

    `fascists` is their number besides Hitler, if a house rule sets it. Without one, there are 20
    at five seats, 105 at seven and 840 at ten.

    >>> len(assignments(7)), assignments(5)[0].hex(" ")
    (105, '02 01 00 00 00')
    """
    others_fascist = roles_for(players, fascists).count(Role.FASCIST)
    found = []
    for hitler in range(players):
        others = [seat for seat in range(players) if seat != hitler]
        for chosen in combinations(others, others_fascist):
            roles = bytearray(players)
            roles[hitler] = HITLER
            for seat in chosen:
                roles[seat] = FASCIST
            found.append(bytes(roles))
    return tuple(found)


@cache
def roles_by_seat(players: int, fascists: int | None = None) -> tuple[bytes, ...]:
    """Return for each seat its role in every assignment, in the order of `assignments`."""
    every = assignments(players, fascists)
    return tuple(bytes(roles[seat] for roles in every) for seat in range(players))


@cache
def has_hitler(players: int, seat: int, fascists: int | None = None) -> tuple[bool, ...]:
    """Return for every assignment whether this seat is Hitler in it."""
    return tuple(role == HITLER for role in roles_by_seat(players, fascists)[seat])


@cache
def joint_roles(
    players: int, seats: tuple[int, ...], fascists: int | None = None
) -> tuple[int, ...]:
    """Return the roles of these seats in every assignment, as one number in base three."""
    columns = [roles_by_seat(players, fascists)[seat] for seat in seats]
    result = [0] * len(assignments(players, fascists))
    for column in columns:
        result = [3 * value + role for value, role in zip(result, column, strict=True)]
    return tuple(result)


def role_codes(roles: Sequence[Role]) -> bytes:
    """Return roles as an assignment."""
    return bytes(CODES[role] for role in roles)
