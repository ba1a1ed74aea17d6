"""The house rules of the form for a new table."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

from django import forms
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.text import capfirst
from django.utils.translation import gettext, gettext_noop, pgettext
from django.utils.translation import gettext_lazy as _

from games import wording
from games.rules.components import LEAST_PLAYERS, MOST_PLAYERS
from games.rules.editions import (
    CHOICES,
    EDITIONS,
    HOUSE_CHOICES,
    HOUSE_ONLY,
    NAMED_RULES,
    NUMBERS,
    OPTION_NAMES,
    SPACES,
    SWITCHES,
    Formula,
    OptionError,
    option_json,
    options_of,
)

# The prefix of the fields of options.
OPTION: Final = "option_"
# House rules that do not go together, by the code of the error.
CLASHES: Final = {
    "no_players": _(
        "No player count works with this many fascists and these powers. The liberals must be "
        "the majority, someone must be left to nominate, and no one can be investigated twice."
    ),
    "hitler_at_once": _(
        "Electing Hitler could end the game in the first round. Start with fewer fascist "
        "policies, or let the Hitler zone begin later."
    ),
}
# The options by what they are about; each title with its context for translators.
_HOUSE_GROUPS: Final = {
    ("", gettext_noop("Players")): ("players", "fascists", "hitler_knows"),
    ("rulebook", "Presidential powers"): SPACES,
    ("", gettext_noop("Policies")): (
        *("liberal_policies", "fascist_policies", "liberal_start", "fascist_start"),
    ),
    ("", gettext_noop("Hitler zone and veto zone")): ("hitler_zone", "veto_zone"),
    ("phase", "Election"): (
        *("limited", "limits_lapse", "small_table"),
        *("tracker_resets_on", "veto_advances_tracker"),
    ),
    ("", gettext_noop("The legislative session")): ("reshuffle", "silence"),
    ("", gettext_noop("What is said and shown")): (
        *("not_hitler_badge", "executed_says_not_hitler", "party_cards"),
        *("hitler_signal", "spoken_formula"),
    ),
}


@dataclass(frozen=True, slots=True)
class NamedRules:
    """What house rules with a name set: the number of players, and each option and its value."""

    players: int
    rules: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class HouseGroup:
    """House rules about one thing."""

    title: str
    fields: tuple[forms.BoundField, ...]

    @property
    def changed(self) -> int:
        """How many of them differ from the edition's."""
        return sum(bool(field.value()) for field in self.fields)

    @property
    def is_open(self) -> bool:
        """Whether there is something to see before anyone asks."""
        return bool(self.changed) or any(field.errors for field in self.fields)

    @property
    def is_short(self) -> bool:
        """Whether all of them are boxes, which can stand side by side."""
        return all(field.widget_type == "select" for field in self.fields)


class HouseRulesForm(forms.Form):
    """One field for each option of the rules."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for name in OPTION_NAMES:
            self.fields[f"{OPTION}{name}"] = _option_field(name)

    def house_rules_beside(self, edition: str) -> dict[str, object]:
        """Return the submitted option values that differ from the edition's."""
        base = EDITIONS[edition]
        rules: dict[str, object] = {}
        for name in OPTION_NAMES:
            asked = self.cleaned_data.get(f"{OPTION}{name}", "")
            if asked == "":
                continue
            value = json.loads(asked)
            try:
                checked = getattr(options_of(edition, {name: value}), name)
            except OptionError:
                continue
            if checked != getattr(base, name):
                rules[name] = option_json(checked)
        return rules

    @property
    def named_rules(self) -> list[tuple[str, int]]:
        """The house rules with a name, each with its number of players."""
        return [(name, players) for name, (players, _rules) in NAMED_RULES.items()]

    @property
    def option_fields(self) -> list[forms.BoundField]:
        return [self[name] for name in self.fields if name.startswith(OPTION)]

    @property
    def house_groups(self) -> list[HouseGroup]:
        """All options by what they are about."""
        return [
            HouseGroup(
                pgettext(context, words) if context else gettext(words),
                tuple(self[f"{OPTION}{name}"] for name in names),
            )
            for (context, words), names in _HOUSE_GROUPS.items()
        ]

    @property
    def house_rules_chosen(self) -> int:
        """How many options differ from the edition's."""
        return sum(group.changed for group in self.house_groups)

    @property
    def has_house_rules(self) -> bool:
        """Whether any option differs from the edition's."""
        return any(field.value() or field.errors for field in self.option_fields)


def explained(label: object, words: object) -> SafeString:
    """Return the HTML of a choice with its explanation."""
    return format_html(
        '<span class="choice-name">{}</span> <span class="choice-words">{}</span>', label, words
    )


def _option_field(name: str) -> forms.ChoiceField:
    is_list = name in ("players", "spoken_formula", *HOUSE_ONLY)
    usual = str(_("As in the edition"))
    if name in HOUSE_ONLY:
        # All editions agree, so the value can be told without knowing which is chosen.
        value = getattr(EDITIONS["en"], name)
        usual = wording.option_value(name, value)
        if value is not None:
            # The value comes first: a narrow box cuts the end.
            usual = _("{value} (as in the book)").format(value=usual)
    return forms.ChoiceField(
        label=wording.option_name(name),
        help_text=wording.option_explained(name),
        required=False,
        choices=[("", usual), *_option_choices(name, is_list)],
        widget=forms.Select if is_list else forms.RadioSelect,
    )


def _option_choices(name: str, is_list: bool) -> Iterator[tuple[str, str]]:
    """Yield each value with its label and the editions that use it."""
    for value in _values(name):
        said = wording.option_value(name, value)
        if name in HOUSE_ONLY:
            if value != option_json(getattr(EDITIONS["en"], name)):
                yield json.dumps(value), said
            continue
        editions = wording.editions_with(name, value)
        if not is_list:
            yield json.dumps(value), explained(said, capfirst(wording.listed(editions)))
        elif editions:
            yield json.dumps(value), f"{said} ({wording.listed(editions)})"
        else:
            yield json.dumps(value), said


def _values(name: str) -> list[object]:
    if name in CHOICES:
        return [str(value) for value in CHOICES[name]]
    if name in HOUSE_CHOICES:
        return [str(value) for value in HOUSE_CHOICES[name]]
    if name in NUMBERS:
        return list(NUMBERS[name])
    if name in SWITCHES:
        return [True, False]
    if name == "players":
        counts = range(LEAST_PLAYERS, MOST_PLAYERS + 1)
        return [[least, most] for least in counts for most in counts if least <= most]
    formulas = [str(formula) for formula in Formula]
    return [
        [formula for i, formula in enumerate(formulas) if mask >> i & 1]
        for mask in range(2 ** len(formulas))
    ]
