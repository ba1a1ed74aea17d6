"""The forms that validate users' input before a service gets it."""

from .act import ActForm
from .appointments import DateForm, MoveDateForm
from .entered_games import EnteredSetupForm, entry_form
from .lobby import OwnGamesForm, QuickGameForm, TableFiltersForm
from .opening import OpenTableForm, PasswordForm, SavePresetForm

__all__ = [
    "ActForm",
    "DateForm",
    "EnteredSetupForm",
    "MoveDateForm",
    "OpenTableForm",
    "OwnGamesForm",
    "PasswordForm",
    "QuickGameForm",
    "SavePresetForm",
    "TableFiltersForm",
    "entry_form",
]
