"""What people choose among: how the site looks to them, and who sees what of their page."""

import secrets
from typing import Final

from django.db import models
from django.utils.translation import pgettext_lazy

# Without 0, 1, l, o: read aloud and typed by people.
_KEY_LETTERS: Final = "23456789abcdefghijkmnpqrstuvwxyz"
PERSON_KEY_LENGTH: Final = 10


def new_person_key() -> str:
    """The address of somebody's page. It says nothing, and stays when the name changes: who
    finds it has been shown it, and trying names finds nobody."""
    return "".join(secrets.choice(_KEY_LETTERS) for _ in range(PERSON_KEY_LENGTH))


class Theme(models.TextChoices):
    """Which of the two; "" leaves it to the system."""

    LIGHT = "light", pgettext_lazy("theme", "Light")
    DARK = "dark", pgettext_lazy("theme", "Dark")


class Motion(models.TextChoices):
    """How much moves; "" leaves it to the system."""

    REDUCED = "reduced", pgettext_lazy("motion", "No animation")


class Audience(models.TextChoices):
    """Who sees a part of somebody's page. Its owner always does."""

    ALL = "all", pgettext_lazy("audience", "Everybody")
    FRIENDS = "friends", pgettext_lazy("audience", "Friends")
    NOBODY = "nobody", pgettext_lazy("audience", "Nobody")


# The parts of a page, each with a column of `User` that says who sees it: "shows_games".
PAGE_PARTS: Final = ("page", "about", "since", "statistics", "reliability", "games")
MOST_SPOKEN: Final = 5
