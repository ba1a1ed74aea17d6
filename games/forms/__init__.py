"""The forms that validate users' input before a service gets it."""

from .act import ActForm
from .card_inspections import InspectCardsForm
from .lobby import QuickGameForm, TableFiltersForm
from .opening import OpenTableForm, PasswordForm, SavePresetForm

__all__ = [
    "ActForm",
    "InspectCardsForm",
    "OpenTableForm",
    "PasswordForm",
    "QuickGameForm",
    "SavePresetForm",
    "TableFiltersForm",
]
