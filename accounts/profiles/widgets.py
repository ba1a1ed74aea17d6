"""Form widgets."""

from typing import Any

from django import forms
from django.conf.locale import LANG_INFO


class LanguageSelect(forms.Select):
    """A select that shows each language by its own name, marked with its `lang`.

    Among other options, a language's value is its code after "language:".
    """

    def create_option(
        self,
        name: str,
        value: Any,
        label: int | str,
        selected: bool,
        index: int,
        subindex: int | None = None,
        attrs: dict[str, Any] | None = None,
    ) -> dict[str, Any]:
        option = super().create_option(name, value, label, selected, index, subindex, attrs)
        code = str(value).removeprefix("language:")
        if code in LANG_INFO:
            option["attrs"]["lang"] = code
        return option
