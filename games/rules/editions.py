"""Editions as data: each is one frozen record of option values. See RULES.md, "What differs".

The site plays five documents and `en`, and any custom mix of their options.
"""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from enum import StrEnum
from typing import Any, Final

from .components import LEAST_PLAYERS, MOST_PLAYERS


class Limited(StrEnum):
    """Which government's terms limit the next nomination."""

    ELECTED = "elected"
    ENACTORS = "enactors"


class SmallTable(StrEnum):
    """Which player count makes a table small, so that only the last Chancellor is term-limited."""

    ALIVE = "alive"
    STARTED = "started"


class TrackerReset(StrEnum):
    """What resets the election tracker to 0, in addition to chaos."""

    POLICY = "policy"
    ELECTION = "election"


class Reshuffle(StrEnum):
    """When a draw pile of fewer than three tiles is shuffled with the discard pile."""

    SESSION_END_AND_CHAOS = "session_end_and_chaos"
    SESSION_END = "session_end"
    BEFORE_DRAW = "before_draw"


class Silence(StrEnum):
    """Who may not talk during a legislative session."""

    PAIR = "pair"
    TABLE = "table"
    GOVERNMENT = "government"


class HitlerSignal(StrEnum):
    """How Hitler is revealed to the fascists on the first night with seven to ten players."""

    MOUSE_AFTER = "mouse_after"
    THUMB_AFTER = "thumb_after"
    THUMB_BEFORE = "thumb_before"
    NONE = "none"


class Formula(StrEnum):
    """The acts for which an edition prescribes words, each of one officer."""

    # The Chancellor proposes a veto; the President consents to it.
    VETO_CHANCELLOR = "veto_chancellor"
    VETO_PRESIDENT = "veto_president"
    # The President's.
    EXECUTION = "execution"
    INVESTIGATION = "investigation"


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """All options in which the translations differ. Names and values are RECORD.md's."""

    players: tuple[int, int]
    limited: Limited
    limits_lapse: bool
    small_table: SmallTable
    tracker_resets_on: TrackerReset
    veto_advances_tracker: bool
    reshuffle: Reshuffle
    silence: Silence
    not_hitler_badge: bool
    executed_says_not_hitler: bool
    party_cards: bool
    hitler_signal: HitlerSignal
    spoken_formula: tuple[Formula, ...]


# The formulas of a veto. RECORD.md has one value for both.
VETO_FORMULAS: Final = (Formula.VETO_CHANCELLOR, Formula.VETO_PRESIDENT)
VETO: Final = "veto"

OPTION_NAMES: Final = tuple(field.name for field in fields(Options))

CHOICES: Final[dict[str, type[StrEnum]]] = {
    "limited": Limited,
    "small_table": SmallTable,
    "tracker_resets_on": TrackerReset,
    "reshuffle": Reshuffle,
    "silence": Silence,
    "hitler_signal": HitlerSignal,
}
SWITCHES: Final = (
    "limits_lapse",
    "veto_advances_tracker",
    "not_hitler_badge",
    "executed_says_not_hitler",
    "party_cards",
)

_FINAL: Final = Options(
    players=(5, 10),
    limited=Limited.ELECTED,
    limits_lapse=False,
    small_table=SmallTable.ALIVE,
    tracker_resets_on=TrackerReset.POLICY,
    veto_advances_tracker=True,
    reshuffle=Reshuffle.SESSION_END_AND_CHAOS,
    silence=Silence.PAIR,
    not_hitler_badge=False,
    executed_says_not_hitler=False,
    party_cards=True,
    hitler_signal=HitlerSignal.THUMB_AFTER,
    spoken_formula=(*VETO_FORMULAS, Formula.EXECUTION),
)
_EARLY: Final = Options(
    players=(5, 10),
    limited=Limited.ENACTORS,
    limits_lapse=False,
    small_table=SmallTable.STARTED,
    tracker_resets_on=TrackerReset.ELECTION,
    veto_advances_tracker=True,
    reshuffle=Reshuffle.SESSION_END,
    silence=Silence.GOVERNMENT,
    not_hitler_badge=False,
    executed_says_not_hitler=False,
    party_cards=True,
    hitler_signal=HitlerSignal.THUMB_BEFORE,
    spoken_formula=(Formula.VETO_CHANCELLOR, Formula.EXECUTION, Formula.INVESTIGATION),
)


def _with(options: Options, **changes: Any) -> Options:
    return Options(**{name: getattr(options, name) for name in OPTION_NAMES} | changes)


EDITIONS: Final[dict[str, Options]] = {
    "en": _FINAL,
    "ru": _with(_FINAL, hitler_signal=HitlerSignal.MOUSE_AFTER, spoken_formula=VETO_FORMULAS),
    "ru-5-6": Options(
        players=(5, 6),
        limited=Limited.ELECTED,
        limits_lapse=False,
        small_table=SmallTable.ALIVE,
        tracker_resets_on=TrackerReset.ELECTION,
        veto_advances_tracker=False,
        reshuffle=Reshuffle.BEFORE_DRAW,
        silence=Silence.TABLE,
        not_hitler_badge=True,
        executed_says_not_hitler=True,
        party_cards=False,
        hitler_signal=HitlerSignal.NONE,
        spoken_formula=(Formula.VETO_CHANCELLOR,),
    ),
    "pl": _FINAL,
    "ja": _with(_EARLY, limits_lapse=True),
    "it": _EARLY,
}


class OptionError(ValueError):
    """An option that does not exist or cannot have this value.

    `code` is `unknown_edition` or `unknown_option`, or else the expected kind of value: `choice`,
    `switch`, `players` or `formulas`. `name` is the name of the option, and `allowed` lists its
    values.
    """

    def __init__(self, code: str, name: str, value: object = None, allowed: tuple[str, ...] = ()):
        super().__init__(f"{code}: {name}")
        self.code = code
        self.name = name
        self.value = value
        self.allowed = allowed


def options_of(edition: str, differences: Mapping[str, object] | None = None) -> Options:
    """Return the edition's options, overridden by the `differences` (JSON values) of a custom mix.

    Raises OptionError for an unknown edition, option or value.
    """
    base = EDITIONS.get(edition)
    if base is None:
        raise OptionError("unknown_edition", "edition", edition, tuple(EDITIONS))
    if not differences:
        return base
    return _with(base, **{name: _checked(name, value, base) for name, value in differences.items()})


def differences(edition: str, options: Options) -> dict[str, object]:
    """Return the option values, as JSON, in which `options` differ from the edition's."""
    base = EDITIONS[edition]
    return {
        name: option_json(getattr(options, name))
        for name in OPTION_NAMES
        if getattr(options, name) != getattr(base, name)
    }


def option_json(value: object) -> object:
    """Return an option's value as JSON, which `options_of` reads.

    >>> option_json(Silence.PAIR), option_json((5, 10)), option_json(True)
    ('pair', [5, 10], True)
    """
    if isinstance(value, tuple):
        return [option_json(item) for item in value]
    return str(value) if isinstance(value, StrEnum) else value


def _checked(name: str, value: object, base: Options) -> object:
    if name in CHOICES:
        choices = CHOICES[name]
        if isinstance(value, str) and value in tuple(choices):
            return choices(value)
        raise OptionError("choice", name, value, tuple(str(item) for item in choices))
    if name in SWITCHES:
        if isinstance(value, bool):
            return value
        raise OptionError("switch", name, value, ("true", "false"))
    if name == "players":
        return _players(value)
    if name == "spoken_formula":
        return _formulas(value, base)
    raise OptionError("unknown_option", name, value, OPTION_NAMES)


def _players(value: object) -> tuple[int, int]:
    match value:
        case [int(least), int(most)] if LEAST_PLAYERS <= least <= most <= MOST_PLAYERS:
            return least, most
    raise OptionError("players", "players", value, (f"[{LEAST_PLAYERS}, {MOST_PLAYERS}]",))


def _formulas(value: object, base: Options) -> tuple[Formula, ...]:
    """Return the formulas of a list.

    It may also have `veto`, as records do, and tables from before each officer had a value of their
    own: the veto's words as the edition has them, or both officers' if it has none.
    """
    names = (VETO, *(str(item) for item in Formula))
    if (
        isinstance(value, list | tuple)
        and all(isinstance(item, str) and item in names for item in value)
        and len(set(value)) == len(value)
    ):
        spoken = {*value}
        if VETO in value:
            spoken.update(veto_formulas(base) or VETO_FORMULAS)
        # Stored in a fixed order, so that equal mixes give equal records.
        return tuple(item for item in Formula if item in spoken)
    raise OptionError("formulas", "spoken_formula", value, names)


def veto_formulas(options: Options) -> tuple[Formula, ...]:
    """Return which of the veto's formulas are spoken."""
    return tuple(item for item in VETO_FORMULAS if item in options.spoken_formula)
