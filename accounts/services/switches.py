"""Sets the site's switches."""

from collections.abc import Mapping

from django.db import transaction
from django.utils import timezone

from accounts.models import SwitchBoard, User
from accounts.refusals import Refusal, Refused
from accounts.roles import Rank, rank
from accounts.services.audit import audit_write
from accounts.services.sanctions import digest_of_words
from accounts.switches import switches_forget


def switches_set(
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
        raise Refused(Refusal.NOT_BELOW)
    said = {language: text.strip() for language, text in message.items() if text.strip()}
    with transaction.atomic():
        board, _ = SwitchBoard.objects.select_for_update().get_or_create(pk=1)
        board.registration, board.tables, board.maintenance = registration, tables, maintenance
        board.message = said
        board.changed_at = timezone.now()
        board.save()
        audit_write(
            actor=actor,
            act="switches_set",
            data={
                "registration": registration,
                "tables": tables,
                "maintenance": maintenance,
                "message": {key: digest_of_words(text) for key, text in said.items()},
            },
        )
        transaction.on_commit(switches_forget)
    switches_forget()
