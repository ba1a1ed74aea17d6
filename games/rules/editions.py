"""Editions as data: each is one frozen record of option values. See RULES.md, "What differs".

The site plays five documents and `en`, and any custom mix of their options. House rules can also
change what all documents have in common, such as the powers on the fascist track.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from enum import StrEnum
from typing import Any, Final

from .components import (
    FASCIST_POLICIES,
    FASCIST_POLICIES_ARM_HITLER,
    FASCIST_POLICIES_TO_WIN,
    FASCIST_POLICIES_UNLOCK_VETO,
    LEAST_PLAYERS,
    LIBERAL_POLICIES,
    MOST_PLAYERS,
    Policy,
    Role,
    deck,
    roles_for,
)
from .powers import POWERS, Aim, Power, powers_for


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


class HitlerKnows(StrEnum):
    """At which tables Hitler learns on the first night who the fascists are."""

    SMALL_TABLES = "small_tables"
    ALWAYS = "always"
    NEVER = "never"


class Space(StrEnum):
    """What a house rule puts on a space of the fascist track: a power, by its name, or nothing."""

    NOTHING = "none"
    INVESTIGATION = "investigation"
    SPECIAL_ELECTION = "special_election"
    PEEK = "peek"
    EXECUTION = "execution"


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
    """All options in which the translations differ, and those of house rules.

    Names and values are RECORD.md's.
    """

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

    # House rules only. All documents have these values; None means by the number of players.
    fascists: int | None = None
    hitler_knows: HitlerKnows = HitlerKnows.SMALL_TABLES
    power_1: Space | None = None
    power_2: Space | None = None
    power_3: Space | None = None
    power_4: Space | None = None
    power_5: Space | None = None
    liberal_policies: int = LIBERAL_POLICIES
    fascist_policies: int = FASCIST_POLICIES
    # The policies that are enacted before the first round; they come from the numbers above.
    liberal_start: int = 0
    fascist_start: int = 0
    # The number of fascist policies from which Hitler's election wins, and vetoes are allowed.
    hitler_zone: int = FASCIST_POLICIES_ARM_HITLER
    veto_zone: int = FASCIST_POLICIES_UNLOCK_VETO

    # The edition whose words and gestures the table uses. It is no option: it changes no rule, so
    # options that differ only in it are equal.
    edition: str = field(default="en", compare=False)

    @property
    def start(self) -> tuple[int, int]:
        """The liberal and the fascist policies enacted before the first round."""
        return self.liberal_start, self.fascist_start

    def roles(self, players: int) -> tuple[Role, ...]:
        """Return the role cards for this number of players."""
        return roles_for(players, self.fascists)

    def pile(self) -> tuple[Policy, ...]:
        """Return the policies of the first draw pile, liberal ones first."""
        liberal, fascist = self.start
        return deck(self.liberal_policies - liberal, self.fascist_policies - fascist)

    def powers(self, players: int) -> tuple[Power | None, ...]:
        """Return the six spaces of the fascist track for this number of players at the start."""
        return tuple(
            power if space is None else None if space is Space.NOTHING else Power(space)
            for power, space in zip(powers_for(players), self._spaces(), strict=True)
        )

    def has_power(self, power: Power, players: int | None = None) -> bool:
        """Return whether the track for `players`, or for any number of them, has this power."""
        least, most = self.players if players is None else (players, players)
        return any(power in self.powers(number) for number in range(least, most + 1))

    def _spaces(self) -> tuple[Space | None, ...]:
        return self.power_1, self.power_2, self.power_3, self.power_4, self.power_5, None


# The formulas of a veto. RECORD.md has one value for both.
VETO_FORMULAS: Final = (Formula.VETO_CHANCELLOR, Formula.VETO_PRESIDENT)
VETO: Final = "veto"

OPTION_NAMES: Final = tuple(option.name for option in fields(Options) if option.compare)

CHOICES: Final[dict[str, type[StrEnum]]] = {
    "limited": Limited,
    "small_table": SmallTable,
    "tracker_resets_on": TrackerReset,
    "reshuffle": Reshuffle,
    "silence": Silence,
    "hitler_signal": HitlerSignal,
}
# The choices that only house rules make.
SPACES: Final = ("power_1", "power_2", "power_3", "power_4", "power_5")
HOUSE_CHOICES: Final[dict[str, type[StrEnum]]] = {
    "hitler_knows": HitlerKnows,
    **dict.fromkeys(SPACES, Space),
}
# The options that are numbers, each with those allowed.
NUMBERS: Final = {
    "fascists": range(1, 4),
    "liberal_policies": range(5, 9),
    "fascist_policies": range(8, 15),
    "liberal_start": range(3),
    "fascist_start": range(3),
    "hitler_zone": range(1, FASCIST_POLICIES_TO_WIN),
    # With the sixth fascist policy the game is over, so this value means no vetoes.
    "veto_zone": range(1, FASCIST_POLICIES_TO_WIN + 1),
}
# Without a value, these follow the number of players.
BY_PLAYERS: Final = ("fascists", *SPACES)
# The options that no document sets.
HOUSE_ONLY: Final = (*HOUSE_CHOICES, *NUMBERS)
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


_EDITIONS: Final[dict[str, Options]] = {
    "en": _FINAL,
    "ru": replace(_FINAL, hitler_signal=HitlerSignal.MOUSE_AFTER, spoken_formula=VETO_FORMULAS),
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
    "ja": replace(_EARLY, limits_lapse=True),
    "it": _EARLY,
}
EDITIONS: Final = {name: replace(options, edition=name) for name, options in _EDITIONS.items()}


# House rules that players know by name, each with the number of players that it is for.
NAMED_RULES: Final[dict[str, tuple[int, dict[str, object]]]] = {
    "rebalanced-6": (6, {"fascist_start": 1}),
    "rebalanced-7": (7, {"fascist_policies": 10}),
    "rebalanced-9": (9, {"fascist_policies": 9}),
}


class OptionError(ValueError):
    """An option that does not exist or cannot have this value.

    `code` is `unknown_edition` or `unknown_option`, or else the expected kind of value: `choice`,
    `switch`, `players`, `number` or `formulas`. It is `no_players` if no number of players fits the
    options together, and `hitler_at_once` if the first election could end the game. `name` is the
    name of the option, and `allowed` lists its values.
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
    changes: dict[str, Any] = {
        name: _checked(name, value, base) for name, value in differences.items()
    }
    options = replace(base, **changes)
    if options.fascist_start >= options.hitler_zone:
        raise OptionError("hitler_at_once", "fascist_start", options.fascist_start)
    return _for_enough_players(options)


def _for_enough_players(options: Options) -> Options:
    """Return the options with the smaller player counts left out that they do not fit."""
    least, most = options.players
    while least <= most and not all(_fits(options, n) for n in range(least, most + 1)):
        least += 1
    if least > most:
        raise OptionError("no_players", "fascists" if options.fascists else "power_1")
    return replace(options, players=(least, most))


def _fits(options: Options, players: int) -> bool:
    """Return whether so many players can play to the end: liberals are the majority, a candidate
    always has an eligible Chancellor, and a President someone to investigate.
    """
    aims = [POWERS[power].aim for power in options.powers(players) if power is not None]
    executions, exposures = aims.count(Aim.ELIMINATE), aims.count(Aim.EXPOSE)
    liberals = options.roles(players).count(Role.LIBERAL)
    return (
        liberals * 2 > players
        and executions <= max(2, players - 4)
        and executions + exposures < players
    )


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
    if value is None and name in BY_PLAYERS:
        return None
    if name in CHOICES or name in HOUSE_CHOICES:
        choices = CHOICES.get(name) or HOUSE_CHOICES[name]
        if isinstance(value, str) and value in tuple(choices):
            return choices(value)
        raise OptionError("choice", name, value, tuple(str(item) for item in choices))
    if name in SWITCHES:
        if isinstance(value, bool):
            return value
        raise OptionError("switch", name, value, ("true", "false"))
    if name in NUMBERS:
        numbers = NUMBERS[name]
        # A bool is an int, but no number of policies.
        if isinstance(value, int) and not isinstance(value, bool) and value in numbers:
            return value
        raise OptionError("number", name, value, tuple(str(number) for number in numbers))
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
