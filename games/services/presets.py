"""Presets: terms that somebody keeps, and lends to others by a link."""

from typing import Final

from django.db import transaction

from accounts.models import User
from games.models import Preset, Terms
from games.refusals import Refusal, Refused

_MOST: Final = 20


def save_preset(*, user: User, name: str, terms: Terms) -> Preset:
    """Keeps the terms under a name; what had that name before is replaced, and keeps its link.

    Raises Refused: PRESETS_ENOUGH.
    """
    with transaction.atomic():
        # Two forms at once must not both find room.
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
    """Deletes a preset of one's own; answers whether there was one."""
    return bool(Preset.objects.filter(owner=user, token=token).delete()[0])
