"""The steps of an entered game as JSON, as they are stored between two requests."""

from collections.abc import Mapping
from typing import Final, assert_never

from .components import Policy, Role
from .editions import EDITIONS
from .entered import (
    EnteredChaos,
    EnteredElection,
    EnteredPower,
    EnteredSession,
    EnteredSetup,
    EnteredStep,
)
from .reading import (
    read_boolean,
    read_choice,
    read_list,
    read_object,
    read_seat,
    required,
)

_KINDS: Final = {
    "election": EnteredElection,
    "session": EnteredSession,
    "chaos": EnteredChaos,
    "power": EnteredPower,
}


def setup_json(setup: EnteredSetup) -> dict[str, object]:
    return {
        "edition": setup.edition,
        "names": list(setup.names),
        "roles": [str(role) for role in setup.roles],
        "first_candidate": setup.first_candidate,
    }


def read_setup(data: object) -> EnteredSetup:
    """Return the table of `setup_json`. Raises RecordError."""
    item = read_object(data, "")
    names = tuple(str(name) for name in read_list(required(item, "names", ""), "names"))
    roles = read_list(required(item, "roles", ""), "roles")
    return EnteredSetup(
        read_choice(required(item, "edition", ""), "edition", tuple(EDITIONS)),
        names,
        tuple(Role(read_choice(role, "roles", tuple(Role))) for role in roles),
        read_seat(required(item, "first_candidate", ""), "first_candidate", len(names)),
    )


def step_json(step: EnteredStep) -> dict[str, object]:
    """Return the step as JSON.

    >>> step_json(EnteredSession(2, None, Policy.LIBERAL))["enacted"]
    'liberal'
    """
    match step:
        case EnteredElection():
            return {"step": "election", "nominee": step.nominee, "ja": list(step.ja)}
        case EnteredSession():
            return {
                "step": "session",
                "drawn": step.drawn,
                "passed": step.passed,
                "enacted": None if step.enacted is None else str(step.enacted),
                "is_veto_refused": step.is_veto_refused,
            }
        case EnteredChaos():
            return {"step": "chaos", "policy": str(step.policy)}
        case EnteredPower():
            return {"step": "power", "target": step.target}
        case _:
            assert_never(step)


def read_step(data: object, seats: int) -> EnteredStep:
    """Return the step of `step_json` at a table with `seats` seats. Raises RecordError."""
    item = read_object(data, "")
    kind = _KINDS[read_choice(required(item, "step", ""), "step", tuple(_KINDS))]
    if kind is EnteredElection:
        ja = read_list(required(item, "ja", ""), "ja")
        return EnteredElection(
            read_seat(required(item, "nominee", ""), "nominee", seats),
            tuple(sorted({read_seat(seat, "ja", seats) for seat in ja})),
        )
    if kind is EnteredSession:
        enacted = required(item, "enacted", "")
        return EnteredSession(
            _read_count(item, "drawn", 3),
            _read_count(item, "passed", 2),
            None if enacted is None else _read_policy(enacted, "enacted"),
            read_boolean(required(item, "is_veto_refused", ""), "is_veto_refused"),
        )
    if kind is EnteredChaos:
        return EnteredChaos(_read_policy(required(item, "policy", ""), "policy"))
    return EnteredPower(read_seat(required(item, "target", ""), "target", seats))


def _read_policy(value: object, path: str) -> Policy:
    return Policy(read_choice(value, path, tuple(Policy)))


def _read_count(item: Mapping[str, object], key: str, most: int) -> int | None:
    value = required(item, key, "")
    return None if value is None else read_seat(value, key, most + 1)
