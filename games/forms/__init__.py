"""The forms that validate users' input before a service gets it."""

from .act import ActForm
from .card_inspections import InspectCardsForm
from .lobby import OwnGamesForm, QuickGameForm, TableFiltersForm
from .opening import NAMED_RULES, OpenTableForm, PasswordForm, SavePresetForm

__all__ = [
    "NAMED_RULES",
    "ActForm",
    "InspectCardsForm",
    "OpenTableForm",
    "OwnGamesForm",
    "PasswordForm",
    "QuickGameForm",
    "SavePresetForm",
    "TableFiltersForm",
]
