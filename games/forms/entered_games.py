"""The forms with which users enter a game from a physical table: the table, then each step."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any, Final

from django import forms
from django.http import QueryDict
from django.utils.translation import gettext, pgettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _

from accounts.site.choice_fields import choice_field
from games import wording
from games.rules.components import MOST_PLAYERS, Policy, Role
from games.rules.editions import EDITIONS
from games.rules.entered import (
    Asked,
    EnteredChaos,
    EnteredElection,
    EnteredPosition,
    EnteredPower,
    EnteredSession,
    EnteredSetup,
    EnteredStep,
)

_LONGEST_NAME: Final = 30
_VETO: Final = "veto"
_UNKNOWN: Final = [("", pgettext_lazy("cards", "Not known"))]


class EnteredSetupForm(forms.Form):
    """The table. Seats without a name are left out."""

    edition = forms.ChoiceField(label=_("Rules"))
    first = forms.TypedChoiceField(
        label=_("Seat of the first presidential candidate"),
        coerce=int,
        choices=[(n, str(n)) for n in range(1, MOST_PLAYERS + 1)],
    )

    def __init__(self, data: QueryDict | None = None, *, edition: str = "en") -> None:
        super().__init__(data, initial={"edition": edition, "first": 1})
        choice_field(self, "edition").choices = [
            (code, wording.edition_name(code)) for code in EDITIONS
        ]
        roles = [(str(role), wording.role(role)) for role in Role]
        for n in range(1, MOST_PLAYERS + 1):
            self.fields[f"name_{n}"] = forms.CharField(
                label=gettext("Seat {number}: name").format(number=n),
                max_length=_LONGEST_NAME,
                required=False,
                widget=forms.TextInput(attrs={"autocomplete": "off"}),
            )
            self.fields[f"role_{n}"] = forms.ChoiceField(
                label=gettext("Seat {number}: role").format(number=n), choices=roles
            )

    def rows(self) -> list[tuple[int, forms.BoundField, forms.BoundField]]:
        """Return each seat's number, name and role."""
        return [(n, self[f"name_{n}"], self[f"role_{n}"]) for n in range(1, MOST_PLAYERS + 1)]

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        if "first" in cleaned and not cleaned.get(f"name_{cleaned['first']}"):
            self.add_error("first", _("The first presidential candidate’s seat has no name."))
        return cleaned

    def setup(self) -> EnteredSetup:
        """Return the table of a valid form."""
        cleaned = self.cleaned_data
        taken = [n for n in range(1, MOST_PLAYERS + 1) if cleaned[f"name_{n}"]]
        return EnteredSetup(
            cleaned["edition"],
            tuple(cleaned[f"name_{n}"] for n in taken),
            tuple(Role(cleaned[f"role_{n}"]) for n in taken),
            taken.index(cleaned["first"]),
        )


class _StepForm(forms.Form):
    """A step of the game. The rules check it; the form offers what the table could see.

    Each kind has a method `step`, which returns the step of a valid form.
    """

    def __init__(
        self,
        data: Mapping[str, Any] | None,
        *,
        position: EnteredPosition,
        names: Sequence[str],
    ) -> None:
        super().__init__(data)
        self.offer(position, names)

    def offer(self, position: EnteredPosition, names: Sequence[str]) -> None:
        """Set the choices of the form's fields."""


class _NomineeSelect(forms.RadioSelect):
    """Shows players who cannot be nominated, but does not let them be chosen."""

    barred: Collection[int] = ()

    def create_option(self, name: str, value: Any, *args: Any, **kwargs: Any) -> dict[str, Any]:
        option = super().create_option(name, value, *args, **kwargs)
        if value in self.barred:
            option["attrs"]["disabled"] = True
        return option


class ElectionForm(_StepForm):
    nominee = forms.TypedChoiceField(
        label=_("Nominated for Chancellor"), coerce=int, widget=_NomineeSelect
    )
    ja = forms.TypedMultipleChoiceField(
        label=_("Who voted Ja?"),
        coerce=int,
        required=False,
        widget=forms.CheckboxSelectMultiple,
    )

    def offer(self, position: EnteredPosition, names: Sequence[str]) -> None:
        limited = pgettext("seat", "term-limited")
        living = [(seat, names[seat]) for seat in position.alive]
        barred = {
            seat
            for seat in position.alive
            if seat != position.candidate and seat not in position.choices
        }
        nominee = choice_field(self, "nominee")
        nominee.widget.barred = barred
        # The rules refuse them, with their reason, if they are sent all the same.
        nominee.choices = [
            (seat, f"{name} ({limited})" if seat in barred else name)
            for seat, name in living
            if seat != position.candidate
        ]
        choice_field(self, "ja").choices = living

    def step(self) -> EnteredStep:
        return EnteredElection(self.cleaned_data["nominee"], tuple(self.cleaned_data["ja"]))


class SessionForm(_StepForm):
    drawn = forms.TypedChoiceField(
        label=_("Liberal policies among the three drawn"),
        coerce=int,
        empty_value=None,
        required=False,
        choices=[*_UNKNOWN, *((n, str(n)) for n in range(4))],
    )
    passed = forms.TypedChoiceField(
        label=_("Liberal policies among the two passed on"),
        coerce=int,
        empty_value=None,
        required=False,
        choices=[*_UNKNOWN, *((n, str(n)) for n in range(3))],
    )
    enacted = forms.ChoiceField(label=_("What was enacted?"), widget=forms.RadioSelect)
    is_veto_refused = forms.BooleanField(
        label=_("The President refused a veto in this session"), required=False
    )

    def offer(self, position: EnteredPosition, names: Sequence[str]) -> None:
        choices = [(str(policy), wording.policy(policy)) for policy in Policy]
        if position.veto_unlocked:
            choices.append((_VETO, str(pgettext_lazy("session", "Nothing: the veto was accepted"))))
        else:
            del self.fields["is_veto_refused"]
        choice_field(self, "enacted").choices = choices

    def step(self) -> EnteredStep:
        cleaned = self.cleaned_data
        enacted = cleaned["enacted"]
        return EnteredSession(
            cleaned["drawn"],
            cleaned["passed"],
            None if enacted == _VETO else Policy(enacted),
            cleaned.get("is_veto_refused", False),
        )


class ChaosForm(_StepForm):
    policy = forms.ChoiceField(label=_("The top policy of the pile"), widget=forms.RadioSelect)

    def offer(self, position: EnteredPosition, names: Sequence[str]) -> None:
        choice_field(self, "policy").choices = [
            (str(policy), wording.policy(policy)) for policy in Policy
        ]

    def step(self) -> EnteredStep:
        return EnteredChaos(Policy(self.cleaned_data["policy"]))


class PowerForm(_StepForm):
    target = forms.TypedChoiceField(
        label=_("Whom did the President choose?"), coerce=int, widget=forms.RadioSelect
    )

    def offer(self, position: EnteredPosition, names: Sequence[str]) -> None:
        choice_field(self, "target").choices = [
            (seat, names[seat]) for seat in position.alive if seat != position.president
        ]

    def step(self) -> EnteredStep:
        return EnteredPower(self.cleaned_data["target"])


StepForm = ElectionForm | SessionForm | ChaosForm | PowerForm
_FORMS: Final[dict[Asked, type[StepForm]]] = {
    Asked.ELECTION: ElectionForm,
    Asked.SESSION: SessionForm,
    Asked.CHAOS: ChaosForm,
    Asked.POWER: PowerForm,
}


def entry_form(
    position: EnteredPosition, names: Sequence[str], data: Mapping[str, Any] | None = None
) -> StepForm | None:
    """Return the form for what is asked next, or None when the game is over."""
    form = _FORMS.get(position.asked)
    return None if form is None else form(data, position=position, names=names)
