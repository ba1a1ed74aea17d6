"""The forms that validate users' input before a service gets it."""

from .act import ActForm
from .glass import BreakGlassForm
from .lobby import WantedForm
from .opening import OpenTableForm, PasswordForm, SavePresetForm

__all__ = [
    "ActForm",
    "BreakGlassForm",
    "OpenTableForm",
    "PasswordForm",
    "SavePresetForm",
    "WantedForm",
]
