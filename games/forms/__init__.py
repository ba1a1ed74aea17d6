"""What people post, checked before a service sees it."""

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
