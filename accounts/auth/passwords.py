"""What a password must be, said in one line."""

from typing import Final

from django.contrib.auth import password_validation as django_validation
from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from accounts.models import User

_LEAST: Final = 8
# One line for all the rules. The rarer ones are told when they are broken.
HELP: Final = gettext_lazy("At least 8 characters, and not a common password.")


class PasswordValidator:
    """Django's four validators as one: one line of help, and only the first thing that is wrong."""

    def __init__(self) -> None:
        self._others = (
            django_validation.CommonPasswordValidator(),
            django_validation.NumericPasswordValidator(),
            django_validation.UserAttributeSimilarityValidator(),
        )

    def validate(self, password: str, user: User | None = None) -> None:
        if len(password) < _LEAST:
            raise ValidationError(_("This password is too short."), code="password_too_short")
        for validator in self._others:
            validator.validate(password, user)

    def get_help_text(self) -> str:
        return str(HELP)
