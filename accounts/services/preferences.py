"""What a person wants of the site."""

from typing import Final

from accounts.models import User

# What one press turns on or off, beside the page of preferences.
SWITCHES: Final = ("mask_words", "hides_role", "sounds", "calls_title", "notifies")


def preference_switch(*, user: User, name: str, is_on: bool) -> None:
    """Turns one of SWITCHES on or off. Raises ValueError for another name."""
    if name not in SWITCHES:
        raise ValueError(name)
    if getattr(user, name) != is_on:
        setattr(user, name, is_on)
        user.save(update_fields=[name])


def preferences_change(
    *, user: User, language: str, mail_language: str, switches: dict[str, bool]
) -> None:
    """Writes all of them.

    `language` is a code of settings.LANGUAGES, or "" for the browser's; `mail_language` too, or
    "" for the site's.
    """
    user.language = language
    user.mail_language = mail_language
    for name in SWITCHES:
        setattr(user, name, switches[name])
    user.save(update_fields=["language", "mail_language", *SWITCHES])
