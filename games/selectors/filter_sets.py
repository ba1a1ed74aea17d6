"""The base of the filters that stand in a page's address: of games, tables and leaderboards."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any, Final, cast

from django import forms
from django.http import QueryDict
from django.utils.choices import flatten_choices
from django.utils.formats import date_format
from django.utils.http import urlencode
from django.utils.translation import gettext, pgettext_lazy
from django_filters import Filter, FilterSet

from games import wording
from games.rules.editions import EDITIONS

Given = QueryDict | dict[str, Any]
ANY: Final = pgettext_lazy("lobby", "Any")


class FilterForm(forms.Form):
    """A form of filters; a page has one."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs | {"auto_id": "filter_%s"})


class AddressFilters(FilterSet):
    """Filters that a page reads from its address. A value that is not valid filters nothing."""

    @property
    def given(self) -> dict[str, Any]:
        """The values that filter, by the parameters of the address."""
        self.form.is_valid()
        cleaned: dict[str, Any] = self.form.cleaned_data
        return {name: value for name, value in cleaned.items() if value}

    def __bool__(self) -> bool:
        return bool(self.given)

    def query(self, **more: Any) -> str:
        """Return the filters and more as a query string: "?edition=en&moment=veto", or ""."""
        return query_string({**self.given, **more})

    def words_of(self, *names: str) -> list[str]:
        """Return what these filters say, in words."""
        return [words for name in names for words in self._words_of(name)]

    def _words_of(self, name: str) -> list[str]:
        value = self.given.get(name)
        if not value:
            return []
        field = self.form.fields[name]
        if value is True:
            return [str(field.label)]
        if isinstance(field, forms.ChoiceField):
            labels: dict[Any, Any] = dict(flatten_choices(cast(Any, field.choices)))
            return [str(labels[each]) for each in (value if isinstance(value, list) else [value])]
        if isinstance(value, date):
            return [f"{field.label}: {date_format(value, 'SHORT_DATE_FORMAT')}"]
        return [f"{field.label}: {str(value).replace('-', '–')}"]


def query_string(given: Mapping[str, Any]) -> str:
    """Return a query string of the values that are not empty."""
    values = {name: "on" if value is True else value for name, value in given.items() if value}
    return f"?{urlencode(values, doseq=True)}" if values else ""


class ChoiceFilter(Filter):
    """Filters by one value. `choices` returns the values with their labels.

    Without an `empty_label` the first value is the usual one.
    """

    field_class = forms.ChoiceField

    def __init__(
        self, *, choices: Callable[[], list[Any]], empty_label: Any = ANY, **more: Any
    ) -> None:
        none = [] if empty_label is None else [("", empty_label)]
        super().__init__(choices=lambda: [*none, *choices()], **more)


class SwitchFilter(Filter):
    """Filters if it is on."""

    field_class = forms.BooleanField


def edition_choices() -> list[tuple[str, str]]:
    return [(code, wording.edition_name(code)) for code in EDITIONS]


def language_choices() -> list[tuple[str, str]]:
    return [(code, wording.spoken_name(code)) for code in wording.SPOKEN]


def company_choices() -> list[tuple[str, str]]:
    return [("people", gettext("People only")), ("bots", gettext("With bots"))]


@dataclass(frozen=True, slots=True)
class Range:
    """Numbers from one to another; None has no end there."""

    least: int | None
    most: int | None

    def __str__(self) -> str:
        """Return the range as an address has it: "7", "5-6", "45-"."""
        ends = ["" if end is None else str(end) for end in (self.least, self.most)]
        return ends[0] if ends[0] == ends[1] else "-".join(ends)


class RangeWidget(forms.MultiWidget):
    """Two fields, `name_min` and `name_max`. An address may have both as `name`: "5-6"."""

    def __init__(self, widgets: Mapping[str, forms.Widget]) -> None:
        super().__init__({**widgets})

    def decompress(self, value: Any) -> list[Any]:
        return [value.least, value.most] if isinstance(value, Range) else [None, None]

    def value_from_datadict(self, data: Any, files: Any, name: str) -> list[Any]:
        least, dash, most = str(data.get(name) or "").partition("-")
        if least or most:
            return [least, most if dash else least]
        return super().value_from_datadict(data, files, name)


def _end_widget(numbers: range, label: Any, *, is_list: bool) -> forms.Widget:
    if is_list:
        choices = [("", label), *((number, number) for number in numbers)]
        return forms.Select(attrs={"aria-label": label}, choices=choices)
    bounds = {"min": numbers[0], "max": numbers[-1], "inputmode": "numeric"}
    return forms.NumberInput(attrs={"aria-label": label, "placeholder": label, **bounds})


class RangeField(forms.MultiValueField):
    """A range within these numbers, its ends in either order. `is_list` offers each number."""

    def __init__(self, *, numbers: range, is_list: bool = False, **kwargs: Any) -> None:
        labels = {"min": pgettext_lazy("number", "From"), "max": pgettext_lazy("number", "To")}
        widgets = {
            end: _end_widget(numbers, label, is_list=is_list) for end, label in labels.items()
        }
        super().__init__(
            fields=[
                forms.IntegerField(
                    min_value=numbers[0], max_value=numbers[-1], required=False, widget=widget
                )
                for widget in widgets.values()
            ],
            widget=RangeWidget(widgets),
            require_all_fields=False,
            **kwargs,
        )

    def compress(self, data_list: list[int | None]) -> Range | None:
        least, most = data_list or (None, None)
        if least is None and most is None:
            return None
        if least is not None and most is not None and most < least:
            least, most = most, least
        return Range(least, most)


class RangeFilter(Filter):
    field_class = RangeField
