"""Choices that users make: how the site looks, and who sees which part of their page."""

import secrets
from typing import Final

from django.db import models
from django.utils.translation import gettext_lazy, pgettext_lazy

# No 0, 1, l or o, because people read keys aloud and type them.
_KEY_LETTERS: Final = "23456789abcdefghijkmnpqrstuvwxyz"
PERSON_KEY_LENGTH: Final = 10


def new_person_key() -> str:
    """Return a random key for the address of a user's page.

    The key reveals nothing and stays when the name changes. Trying names finds no pages: only
    visitors who were shown the address can open it.
    """
    return "".join(secrets.choice(_KEY_LETTERS) for _ in range(PERSON_KEY_LENGTH))


class Theme(models.TextChoices):
    """A light or dark theme; "" follows the system setting."""

    LIGHT = "light", pgettext_lazy("theme", "Light")
    DARK = "dark", pgettext_lazy("theme", "Dark")


class Animations(models.TextChoices):
    """How much the site animates; "" follows the system setting."""

    REDUCED = "reduced", pgettext_lazy("motion", "No animation")


class Audience(models.TextChoices):
    """Who sees a part of a user's page. The user always sees all of it."""

    ALL = "all", gettext_lazy("Everyone")
    FRIENDS = "friends", gettext_lazy("Friends")
    NOBODY = "nobody", pgettext_lazy("audience", "No one")


# The parts of a page. For each, a column of `User` such as "shows_games" holds its audience.
PAGE_PARTS: Final = ("page", "about", "since", "statistics", "reliability", "games")
MOST_SPOKEN: Final = 5
