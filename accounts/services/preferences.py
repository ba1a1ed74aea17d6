"""Writes a user's preferences and profile."""

from collections.abc import Mapping, Sequence
from typing import Final

from accounts.models import User
from accounts.profiles.choices import PAGE_PARTS

# Preferences that one click can switch on other pages too.
SWITCHES: Final = ("mask_words", "hides_role", "sounds", "calls_title", "notifies", "hints")


def switch_preference(*, user: User, name: str, is_on: bool) -> None:
    """Turn one of SWITCHES on or off. Raises ValueError for another name."""
    if name not in SWITCHES:
        raise ValueError(name)
    if getattr(user, name) != is_on:
        setattr(user, name, is_on)
        user.save(update_fields=[name])


def change_preferences(
    *,
    user: User,
    language: str,
    mail_language: str,
    switches: Mapping[str, bool],
    time_zone: str = "",
    theme: str = "",
    motion: str = "",
) -> None:
    """Save all preferences.

    `language` is a code of settings.LANGUAGES, or "" for the browser's. `mail_language` is one too,
    or "" for the site's. `time_zone`, `theme` and `motion` hold values of the columns of `User`, or
    "" for the browser's.
    """
    user.language, user.mail_language = language, mail_language
    user.time_zone = time_zone
    user.theme, user.motion = theme, motion
    for name in SWITCHES:
        setattr(user, name, switches[name])
    user.save(
        update_fields=["language", "mail_language", "time_zone", "theme", "motion", *SWITCHES]
    )


def change_appearance(*, user: User, theme: str, motion: str) -> None:
    """Save how the site looks to a user: values of Theme and Motion, or ""."""
    user.theme, user.motion = theme, motion
    user.save(update_fields=["theme", "motion"])


def change_profile(
    *, user: User, country: str, spoken: Sequence[str], audiences: Mapping[str, str]
) -> None:
    """Save a user's profile, and who sees which part of their page.

    `country` is an ISO 3166 code or "", `spoken` holds codes of accounts.profiles.locale_names, and
    `audiences` a value of Audience for each of PAGE_PARTS.
    """
    user.country, user.spoken = country, list(spoken)
    for part in PAGE_PARTS:
        setattr(user, f"shows_{part}", audiences[part])
    user.save(update_fields=["country", "spoken", *(f"shows_{part}" for part in PAGE_PARTS)])
