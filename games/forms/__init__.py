"""The forms that validate users' input before a service gets it."""

from .act import ActForm
from .appointments import DateForm, MoveDateForm
from .entered_games import EnteredSetupForm, entry_form
from .lobby import QuickGameForm
from .opening import OpenTableForm, PasswordForm, SavePresetForm

__all__ = [
    "ActForm",
    "DateForm",
    "EnteredSetupForm",
    "MoveDateForm",
    "OpenTableForm",
    "PasswordForm",
    "QuickGameForm",
    "SavePresetForm",
    "entry_form",
]
