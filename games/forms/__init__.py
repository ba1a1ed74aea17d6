"""The forms that validate users' input before a service gets it."""

from .act import ActForm
from .appointments import DateForm, MoveDateForm
from .card_inspections import InspectCardsForm
from .entered_games import EnteredSetupForm, entry_form
from .lobby import QuickGameForm
from .opening import OpenTableForm, PasswordForm, SavePresetForm

__all__ = [
    "ActForm",
    "DateForm",
    "EnteredSetupForm",
    "InspectCardsForm",
    "MoveDateForm",
    "OpenTableForm",
    "PasswordForm",
    "QuickGameForm",
    "SavePresetForm",
    "entry_form",
]
