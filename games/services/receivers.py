"""What games do when something changes in accounts, sessions or sign-in.

`GamesConfig.ready` imports this module, and so connects the receivers.
"""

from typing import Any

from django.conf import settings
from django.contrib.auth import SESSION_KEY
from django.contrib.auth.signals import user_logged_in
from django.db.models import Q
from django.db.models.signals import post_delete, post_save, pre_delete
from django.dispatch import receiver

from accounts.auth.trials import guest_signed_in
from accounts.models import BotAccount
from accounts.moderation.act_labels import register_act
from accounts.moderation.audit_fields import register_field
from accounts.services.account_deletion import on_account_erased
from accounts.services.audit import hide_from_audit
from accounts.services.exports import register_exporter
from accounts.services.sanctions import on_standing_changed
from games.models import Guest, Sat, Table
from games.moderation.audit_labels import FIELDS
from games.services.account_deletion import depart_from_tables
from games.services.announcements import (
    announce_bell,
    announce_person,
    announce_sign_out,
    announce_viewer_settings,
)
from games.services.dumps import consent_of, forget_consent
from games.services.game_exports import (
    archived_seats_of,
    game_requests_of,
    games_of,
    messages_of,
    notes_of,
    presets_of,
    puzzles_of,
    ratings_of,
    results_of,
    vacations_of,
)
from games.services.guests import hand_over_seats
from games.services.puzzle_games import consent_of as puzzle_consent_of
from games.services.puzzle_games import forget_consent as forget_puzzle_consent
from games.services.puzzles import VISITORS_ANSWERS, adopt_answers
from games.services.reports import detach_reports, reports_of
from games.services.sanction_effects import apply_sanctions, codes_in_play
from games.services.table_notices import register_checks
from games.services.tables import note_account_gone
from games.services.uploads import uploads_of
from games.wording.audit_labels import ACTS


def register_with_accounts() -> None:
    """Register the games' data and hooks with `accounts`, which does not import `games`."""
    register_exporter("games", games_of)
    register_exporter("results", results_of)
    register_exporter("statistics", archived_seats_of)
    register_exporter("ratings", ratings_of)
    register_exporter("sayings", messages_of)
    register_exporter("notes", notes_of)
    register_exporter("presets", presets_of)
    register_exporter("puzzles", puzzles_of)
    register_exporter("puzzle_games", puzzle_consent_of)
    register_exporter("vacations", vacations_of)
    register_exporter("game_requests", game_requests_of)
    register_checks()
    register_exporter("uploaded_records", uploads_of)
    register_exporter("dumps", consent_of)
    register_exporter("reports", reports_of)
    # Before the seats are freed: they lead to the copies that contain the user's name.
    on_account_erased(detach_reports)
    on_account_erased(forget_consent)
    on_account_erased(forget_puzzle_consent)
    on_account_erased(depart_from_tables)
    on_standing_changed(apply_sanctions)
    hide_from_audit(codes_in_play)
    for act, label in ACTS.items():
        register_act(act, label)
    for (act, field), (label, told) in FIELDS.items():
        register_field(field, label, told, act=act)


@receiver(user_logged_in, dispatch_uid="games.adopt_answers")
def _adopt_answers(sender: Any, request: Any, user: Any, **kwargs: Any) -> None:
    """Give the account the puzzles that the visitor solved before signing in or registering."""
    session = getattr(request, "session", {})
    if VISITORS_ANSWERS in session:
        adopt_answers(user=user, kept=session.pop(VISITORS_ANSWERS))


@receiver(guest_signed_in, dispatch_uid="games.hand_over_seats")
def _hand_over_seats(sender: Any, guest: Any, user: Any, **kwargs: Any) -> None:
    hand_over_seats(guest=guest, user=user)


@receiver(pre_delete, sender="sessions.Session", dispatch_uid="games.close_sockets")
def _close_sockets(sender: Any, instance: Any, **kwargs: Any) -> None:
    """Close a session's sockets when it ends: signing out, on this device or on all."""
    user_pk = instance.get_decoded().get(SESSION_KEY)
    if user_pk is not None:
        announce_sign_out(int(user_pk), instance.session_key)


@receiver(post_save, sender=settings.AUTH_USER_MODEL, dispatch_uid="games.check_sockets")
def _check_sockets(
    sender: Any, instance: Any, created: bool, update_fields: Any, **kwargs: Any
) -> None:
    """Check open sockets after a password change or when an account is closed."""
    if update_fields is not None and not {"mask_words", "language", "is_trial"}.isdisjoint(
        update_fields
    ):
        announce_viewer_settings(instance.pk)
    if not created and update_fields != frozenset({"last_login"}):
        announce_person(instance.pk)


@receiver(pre_delete, sender=settings.AUTH_USER_MODEL, dispatch_uid="games.free_seats")
def _free_seats(sender: Any, instance: Any, **kwargs: Any) -> None:
    note_account_gone(instance.pk)
    announce_person(instance.pk)


@receiver((post_save, post_delete), sender="accounts.Block", dispatch_uid="games.wish_anew")
def _block_changed(sender: Any, instance: Any, **kwargs: Any) -> None:
    """Reconnect the sockets of a user whose blocks have changed.

    The blocked user's messages are hidden from the next frame on.
    """
    announce_viewer_settings(instance.blocker_id)


@receiver(post_save, sender="accounts.Signal", dispatch_uid="games.hear_anew")
def _signal_shared(sender: Any, instance: Any, created: bool, **kwargs: Any) -> None:
    """Stop sending the gallery to guests who turn out to share a browser or address with a seat."""
    if not created:
        return
    sharing = sender.objects.filter(kind=instance.kind, digest=instance.digest).values("user")
    bots = BotAccount.objects.filter(owner__in=sharing).values("user")
    sat = Sat.objects.filter(Q(user__in=sharing) | Q(user__in=bots))
    running = sat.filter(table__stage=Table.Stage.RUNNING).values("table")
    for user_pk in set(Guest.objects.filter(table__in=running).values_list("user", flat=True)):
        announce_viewer_settings(user_pk)


@receiver((post_save, post_delete), sender="mfa.Authenticator", dispatch_uid="games.factor")
def _factor_changed(sender: Any, instance: Any, created: bool = True, **kwargs: Any) -> None:
    """Refresh a moderator's open sockets, whose rights depend on the second factor.

    Each sign-in saves the factor too; only a new or a deleted factor changes any rights.
    """
    if created:
        announce_viewer_settings(instance.user_id)


@receiver(post_save, sender="accounts.Notification", dispatch_uid="games.ring")
def _ring(sender: Any, instance: Any, **kwargs: Any) -> None:
    """Show a new notification at once on the user's open pages."""
    announce_bell(instance.user_id)
