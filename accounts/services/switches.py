"""Sets the site's switches."""

from collections.abc import Mapping

from django.db import transaction
from django.utils import timezone

from accounts.auth.roles import Rank, rank
from accounts.models import SwitchBoard, User
from accounts.moderation.refusals import ModerationRefusal, ModerationRefused
from accounts.services.audit import write_audit
from accounts.services.sanctions import digest_of_words
from accounts.site.switches import forget_switches


def set_switches(
    *,
    actor: User,
    registration: bool,
    tables: bool,
    maintenance: bool,
    message: Mapping[str, str],
) -> None:
    """Set all switches; other processes follow within seconds.

    `message` is by language, and languages with an empty text are left out. Raises Refused if the
    actor is below an admin.
    """
    if rank(actor) < Rank.ADMIN:
        raise ModerationRefused(ModerationRefusal.NOT_BELOW)
    said = {language: text.strip() for language, text in message.items() if text.strip()}
    with transaction.atomic():
        board, _ = SwitchBoard.objects.select_for_update().get_or_create(pk=1)
        board.registration, board.tables, board.maintenance = registration, tables, maintenance
        board.message = said
        board.changed_at = timezone.now()
        board.save()
        write_audit(
            actor=actor,
            act="switches_set",
            data={
                "registration": registration,
                "tables": tables,
                "maintenance": maintenance,
                "message": {key: digest_of_words(text) for key, text in said.items()},
            },
        )
        transaction.on_commit(forget_switches)
    forget_switches()
