"""What a person wants of the site, and what others see of them."""

from collections.abc import Mapping, Sequence
from typing import Final

from accounts.choices import PAGE_PARTS
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
    *,
    user: User,
    language: str,
    mail_language: str,
    switches: Mapping[str, bool],
    time_zone: str = "",
    theme: str = "",
    motion: str = "",
) -> None:
    """Writes all of them.

    `language` is a code of settings.LANGUAGES, or "" for the browser's; `mail_language` too, or
    "" for the site's;
    `time_zone`, `theme` and `motion` are as the columns of `User` say, or "" for the browser's.
    """
    user.language, user.mail_language = language, mail_language
    user.time_zone = time_zone
    user.theme, user.motion = theme, motion
    for name in SWITCHES:
        setattr(user, name, switches[name])
    user.save(
        update_fields=["language", "mail_language", "time_zone", "theme", "motion", *SWITCHES]
    )


def look_change(*, user: User, theme: str, motion: str) -> None:
    """Writes how the site looks to a person: values of Theme and Motion, or ""."""
    user.theme, user.motion = theme, motion
    user.save(update_fields=["theme", "motion"])


def page_change(
    *, user: User, country: str, spoken: Sequence[str], audiences: Mapping[str, str]
) -> None:
    """Writes what a person says of themselves, and who sees what of their page.

    `country` by ISO 3166 or "", `spoken` codes of accounts.places, `audiences` a value of
    Audience for each of PAGE_PARTS.
    """
    user.country, user.spoken = country, list(spoken)
    for part in PAGE_PARTS:
        setattr(user, f"shows_{part}", audiences[part])
    user.save(update_fields=["country", "spoken", *(f"shows_{part}" for part in PAGE_PARTS)])
