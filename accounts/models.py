import re
import unicodedata
from typing import Any

from django.conf import settings
from django.contrib.auth.models import AbstractUser
from django.core.exceptions import ValidationError
from django.core.validators import MaxLengthValidator
from django.db import models
from django.utils.translation import gettext_lazy as _

NAME_LENGTH = 20

_SEPARATORS = "-_. "
_MARKS_ON_A_LETTER = 3
# Letters and marks that show nothing, and so make copies of a name that look the same.
_UNSEEN = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u3164\ufe00-\ufe0f\uffa0\U000e0100-\U000e01ef]"
)


def validate_name(name: str) -> None:
    """Letters and digits of any script, with single separators between them.

    Marks follow their letter: Hindi, Thai and Arabic are not written without them.
    Raises ValidationError.
    """
    before, marks = " ", 0
    for character in f"{name} ":
        category = unicodedata.category(character)[0]
        marks = marks + 1 if category == "M" else 0
        follows = character in _SEPARATORS or category == "M"
        is_misplaced = before in _SEPARATORS if follows else category not in "LN"
        if is_misplaced or marks > _MARKS_ON_A_LETTER or _UNSEEN.match(character):
            raise ValidationError(
                _(
                    "Use letters and digits, with single spaces, dots, hyphens or underscores "
                    "between them."
                ),
                code="invalid_name",
            )
        before = character


username_validators = [MaxLengthValidator(NAME_LENGTH), validate_name]


def name_key(name: str) -> str:
    """Equal for names that differ in case or width only: nobody plays under such a copy.

    SQLite's own comparison knows the case of Latin letters alone.
    """
    return unicodedata.normalize("NFKC", name).casefold()


class User(AbstractUser):
    """A person who plays. The username is the name at the table."""

    name_key = models.CharField(max_length=450, unique=True, editable=False)
    language = models.CharField(
        _("language"),
        max_length=10,
        choices=settings.LANGUAGES,
        blank=True,
        help_text=_("The language of the site and of every table for this person."),
    )

    def save(self, *args: Any, **kwargs: Any) -> None:
        self.name_key = name_key(self.username)
        super().save(*args, **kwargs)
