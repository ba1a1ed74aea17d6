"""What people post, checked before a service sees it."""

import json
import secrets
from typing import Any, Final

from django import forms
from django.utils.translation import gettext_lazy as _

from games import wording
from games.models import Look, Pace, Visibility
from games.rules.actions import ACTIONS, Action
from games.rules.components import LEAST_PLAYERS, MOST_PLAYERS
from games.rules.editions import (
    CHOICES,
    EDITIONS,
    OPTION_NAMES,
    SWITCHES,
    Formula,
    OptionError,
    option_json,
    options_of,
)
from games.rules.record import RecordError, read_action

# The third part of a choice, by the action's own key.
_ARGUMENT: Final = {
    "nominate": "target",
    "investigate": "target",
    "call_special_election": "target",
    "execute": "target",
    "vote": "ballot",
    "discard": "policy",
    "enact": "policy",
    "answer_veto": "consent",
}

# The fewest letters of a reason; half of them different.
_REASON_LETTERS: Final = 10


class ActForm(forms.Form):
    """A move: the decision it was drawn for, its key, and the button that was pressed."""

    decision = forms.CharField(max_length=40)
    key = forms.CharField(max_length=40)
    choice = forms.CharField(max_length=40)

    def action_for(self, seat: int, players: int) -> Action | None:
        """The action that the choice asks for from `seat`; None where it asks for nothing known."""
        name, _, argument = self.cleaned_data["choice"].partition(":")
        if name not in ACTIONS:
            return None
        data: dict[str, object] = {"seat": seat, "action": name}
        key = _ARGUMENT.get(name)
        if key == "target":
            data[key] = int(argument) if argument.isascii() and argument.isdigit() else None
        elif key == "consent":
            data[key] = {"true": True, "false": False}.get(argument)
        elif key is not None:
            data[key] = argument
        try:
            return read_action(data, "choice", players)
        except RecordError:
            return None


class OpenTableForm(forms.Form):
    """The rules, the size and the pace of a new table."""

    edition = forms.ChoiceField(label=_("Rules"))
    seats_wanted = forms.TypedChoiceField(
        label=_("Seats"),
        coerce=int,
        initial=7,
        choices=[(n, str(n)) for n in range(LEAST_PLAYERS, MOST_PLAYERS + 1)],
    )
    pace = forms.ChoiceField(label=_("Pace"), choices=Pace, initial=Pace.NORMAL)
    visibility = forms.ChoiceField(
        label=_("Who finds it"), choices=Visibility, initial=Visibility.PUBLIC
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["edition"].choices = [(code, wording.edition_name(code)) for code in EDITIONS]
        for name in OPTION_NAMES:
            self.fields[f"option_{name}"] = _option_field(name)

    def clean(self) -> dict[str, Any]:
        data = super().clean()
        edition = data.get("edition")
        if edition is None:
            return data
        data["house_rules"] = self._house_rules(edition)
        options = options_of(edition, data["house_rules"])
        least, most = options.players
        if "seats_wanted" in data and not least <= data["seats_wanted"] <= most:
            self.add_error(
                "seats_wanted",
                _("These rules are for %(least)s to %(most)s players.")
                % {"least": least, "most": most},
            )
        if data.get("pace") == Pace.UNTIMED and data.get("visibility") == Visibility.PUBLIC:
            self.add_error(
                "pace",
                _(
                    "A public table always has a clock. Choose another pace, or another way to find it."
                ),
            )
        return data

    def _house_rules(self, edition: str) -> dict[str, object]:
        """The option values asked for that are not the edition's own."""
        base = EDITIONS[edition]
        rules: dict[str, object] = {}
        for name in OPTION_NAMES:
            asked = self.cleaned_data.get(f"option_{name}", "")
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
    def has_house_rules(self) -> bool:
        """Whether anything was asked for that is not the edition's own."""
        return any(field.value() for field in self.option_fields)

    @property
    def basic_fields(self) -> list[forms.BoundField]:
        return [self[name] for name in self.fields if not name.startswith("option_")]

    @property
    def option_fields(self) -> list[forms.BoundField]:
        return [self[name] for name in self.fields if name.startswith("option_")]


class BreakGlassForm(forms.Form):
    """Why a moderator looks behind the cards; and the key that makes a form good for one look."""

    reason = forms.CharField(
        label=_("Why do you look?"),
        help_text=_(
            "In a few words. Every player of this table reads them when the game is over, "
            "without your name."
        ),
        max_length=Look._meta.get_field("reason").max_length,
        widget=forms.Textarea(attrs={"rows": 3}),
    )
    key = forms.CharField(
        max_length=Look._meta.get_field("key").max_length, widget=forms.HiddenInput
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.initial.setdefault("key", secrets.token_urlsafe(16))

    def clean_reason(self) -> str:
        """One line of some words. In letters: not every script puts spaces between words."""
        reason = " ".join(self.cleaned_data["reason"].split())
        letters = [character.casefold() for character in reason if character.isalnum()]
        if len(letters) < _REASON_LETTERS or len(set(letters)) < _REASON_LETTERS // 2:
            raise forms.ValidationError(
                _("Say it in a few words: the table has a right to understand it."),
                code="too_short",
            )
        return reason


def _option_field(name: str) -> forms.ChoiceField:
    values: list[object]
    if name in CHOICES:
        values = [str(value) for value in CHOICES[name]]
    elif name in SWITCHES:
        values = [True, False]
    elif name == "players":
        counts = range(LEAST_PLAYERS, MOST_PLAYERS + 1)
        values = [[least, most] for least in counts for most in counts if least <= most]
    else:
        values = _formula_sets()
    choices = [(json.dumps(value), wording.option_value(name, value)) for value in values]
    return forms.ChoiceField(
        label=wording.option_name(name),
        help_text=wording.option_explained(name),
        required=False,
        choices=[("", _("As the edition")), *choices],
    )


def _formula_sets() -> list[object]:
    formulas = [str(formula) for formula in Formula]
    return [
        [formula for i, formula in enumerate(formulas) if mask >> i & 1]
        for mask in range(2 ** len(formulas))
    ]
