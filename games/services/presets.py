"""Presets: terms that a user saves and may share by a link."""

from typing import Final

from django.db import transaction

from accounts.models import User
from games.models import Preset, Terms
from games.wording.refusals import Refusal, Refused

_MOST: Final = 20


def save_preset(*, user: User, name: str, terms: Terms) -> Preset:
    """Save the terms under a name. A preset of that name is replaced and keeps its link.

    Raises Refused: PRESETS_ENOUGH.
    """
    with transaction.atomic():
        # Two concurrent forms must not both pass the limit.
        User.objects.select_for_update(no_key=True).get(pk=user.pk)
        preset = Preset.objects.filter(owner=user, name=name).first()
        if preset is None:
            if Preset.objects.filter(owner=user).count() >= _MOST:
                raise Refused(Refusal.PRESETS_ENOUGH)
            preset = Preset(owner=user, name=name)
        preset.terms = terms.json()
        preset.save()
        return preset


def delete_preset(*, user: User, token: str) -> bool:
    """Delete one of the user's presets, and return whether it existed."""
    return bool(Preset.objects.filter(owner=user, token=token).delete()[0])
