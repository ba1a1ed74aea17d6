"""A player's consent to share the replay of a private game: see `games.state.sharing`."""

from django.db import transaction

from accounts.models import User
from games.models import Table
from games.services.announcements import announce_table
from games.wording.refusals import Refusal, Refused


def allow_sharing(*, table: Table, user: User, is_allowed: bool) -> None:
    """Give or take back the user's consent. Raises Refused: NOT_OVER or NOT_SEATED."""
    with transaction.atomic():
        locked = Table.objects.select_for_update().get(pk=table.pk)
        if locked.stage != Table.Stage.OVER:
            raise Refused(Refusal.NOT_OVER)
        own = locked.seats.filter(user=user).first()
        if own is None:
            raise Refused(Refusal.NOT_SEATED)
        if own.shares_replay == is_allowed:
            return
        own.shares_replay = is_allowed
        own.save(update_fields=["shares_replay"])
        locked.version += 1
        locked.save(update_fields=["version"])
        announce_table(locked)
