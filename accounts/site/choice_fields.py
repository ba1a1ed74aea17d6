"""Access to the choices of a form's field. `Form.fields` does not tell what kind a field is."""

from collections.abc import Iterable
from typing import Any, cast

from django import forms


def choice_field(form: forms.BaseForm, name: str) -> forms.ChoiceField:
    """Return the form's field of this name, which has choices."""
    field = form.fields[name]
    assert isinstance(field, forms.ChoiceField)
    return field


def choices_of(form: forms.BaseForm, name: str) -> list[tuple[str, Any]]:
    """Return the values and labels of a field whose choices are not in groups."""
    return list(cast(Iterable[tuple[str, Any]], choice_field(form, name).choices))
