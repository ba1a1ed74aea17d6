"""Games from a physical table: entered step by step, then kept like an uploaded record."""

import json
from typing import Any

from django.conf import settings
from django.db import transaction

from accounts.models import User
from games.models import EnteredGame, UploadedRecord
from games.rules import entered, entered_json
from games.rules.record import record_json
from games.services.uploads import keep_upload
from games.wording.refusals import Refusal, Refused


def start_entry(*, user: User, setup: entered.EnteredSetup) -> EnteredGame:
    """Begin to enter a game. Raises EntryError, and Refused (ENTERED_ENOUGH)."""
    entered.EnteredGame(setup)
    with transaction.atomic():
        # Two concurrent forms must not both pass the limit.
        User.objects.select_for_update(no_key=True).get(pk=user.pk)
        most = settings.ENTERED_GAMES_OF_A_USER
        if most and EnteredGame.objects.filter(owner=user).count() >= most:
            raise Refused(Refusal.ENTERED_ENOUGH)
        return EnteredGame.objects.create(owner=user, setup=entered_json.setup_json(setup))


def read_entered(draft: EnteredGame) -> entered.EnteredGame:
    """Return the game as far as it has been entered. Raises EntryError or RecordError.

    Both happen only to a game that an earlier version of the site kept.
    """
    setup = entered_json.read_setup(draft.setup)
    steps = (entered_json.read_step(step, len(setup.names)) for step in draft.steps)
    return entered.entered_game(setup, steps)


def enter_step(*, user: User, code: str, after: int, step: entered.EnteredStep) -> EnteredGame:
    """Add a step to one of the user's games, which has `after` steps.

    Raises EntryError for a step that cannot be true, Refused (ENTRY_STALE, ENTRY_TOO_LONG), and
    EnteredGame.DoesNotExist.
    """
    with transaction.atomic():
        draft = _locked(user, code, after)
        if after >= settings.MOST_STEPS_OF_AN_ENTERED_GAME:
            raise Refused(Refusal.ENTRY_TOO_LONG)
        read_entered(draft).enter(step)
        draft.steps = [*draft.steps, entered_json.step_json(step)]
        draft.save(update_fields=["steps", "updated_at"])
        return draft


def undo_step(*, user: User, code: str, after: int) -> EnteredGame:
    """Take the last step back. Raises Refused (ENTRY_STALE) and EnteredGame.DoesNotExist."""
    with transaction.atomic():
        draft = _locked(user, code, after)
        draft.steps = draft.steps[:-1]
        draft.save(update_fields=["steps", "updated_at"])
        return draft


def finish_entry(*, user: User, code: str, after: int) -> UploadedRecord:
    """Keep the game as a record of the user, and delete the draft.

    Raises Refused (ENTRY_STALE, ENTRY_UNFINISHED, RECORDS_ENOUGH) and EnteredGame.DoesNotExist.
    """
    with transaction.atomic():
        draft = _locked(user, code, after)
        game = read_entered(draft)
        if not draft.steps or game.standing.asked is entered.Asked.CHAOS:
            raise Refused(Refusal.ENTRY_UNFINISHED)
        written = record_json(game.record())
        # Readers ignore unknown keys: see `games.state.written_games`.
        written["unknown_hands"] = list(game.unknown_hands)
        written["unknown_peeks"] = list(game.unknown_peeks)
        kept = keep_upload(user=user, data=json.dumps(written, ensure_ascii=False).encode())
        draft.delete()
        return kept


def delete_entry(*, user: User, code: str) -> bool:
    """Delete one of the user's drafts, and return whether it existed."""
    return bool(EnteredGame.objects.filter(owner=user, code=code).delete()[0])


def entered_games_of(user: User) -> list[dict[str, Any]]:
    """Return the games that this user is entering, for the data export."""
    found = EnteredGame.objects.filter(owner=user).order_by("pk")
    fields = ("code", "created_at", "updated_at", "setup", "steps")
    return [{name: getattr(draft, name) for name in fields} for draft in found.iterator()]


def _locked(user: User, code: str, after: int) -> EnteredGame:
    draft = EnteredGame.objects.select_for_update().get(owner=user, code=code)
    if len(draft.steps) != after:
        raise Refused(Refusal.ENTRY_STALE)
    return draft
