"""The forms that validate users' input before a service gets it."""

from .act import ActForm
from .appointments import DateForm, MoveDateForm
from .card_inspections import InspectCardsForm
from .lobby import OwnGamesForm, QuickGameForm, TableFiltersForm
from .opening import OpenTableForm, PasswordForm, SavePresetForm

__all__ = [
    "ActForm",
    "DateForm",
    "InspectCardsForm",
    "MoveDateForm",
    "OpenTableForm",
    "OwnGamesForm",
    "PasswordForm",
    "QuickGameForm",
    "SavePresetForm",
    "TableFiltersForm",
]
