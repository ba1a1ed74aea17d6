"""The forms that validate users' input before a service gets it."""

from .act import ActForm
from .appointments import DateForm, MoveDateForm
from .lobby import QuickGameForm
from .opening import OpenTableForm, PasswordForm, SavePresetForm

__all__ = [
    "ActForm",
    "DateForm",
    "MoveDateForm",
    "OpenTableForm",
    "PasswordForm",
    "QuickGameForm",
    "SavePresetForm",
]
