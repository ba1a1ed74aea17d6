import gc
from typing import Any

from django.apps import AppConfig
from django.conf import settings
from django.contrib.auth import SESSION_KEY
from django.db.models.signals import post_delete, post_save, pre_delete

from config.catalogs import compile_catalogs


class GamesConfig(AppConfig):
    name = "games"

    def ready(self) -> None:
        # Before the first lookup of a translation.
        for locale_dir in settings.LOCALE_PATHS:
            compile_catalogs(locale_dir)
        session = "sessions.Session"
        pre_delete.connect(_close_sockets, sender=session, dispatch_uid="games.close_sockets")
        user = settings.AUTH_USER_MODEL
        post_save.connect(_check_sockets, sender=user, dispatch_uid="games.check_sockets")
        pre_delete.connect(_free_seats, sender=user, dispatch_uid="games.free_seats")
        for changed in (post_save, post_delete):
            changed.connect(_wish_anew, sender="accounts.Block", dispatch_uid="games.wish_anew")
            changed.connect(
                _factor_changed, sender="mfa.Authenticator", dispatch_uid="games.factor"
            )
        signal = "accounts.Signal"
        post_save.connect(_hear_anew, sender=signal, dispatch_uid="games.hear_anew")
        told = "accounts.Notification"
        post_save.connect(_ring, sender=told, dispatch_uid="games.ring")
        _tell_accounts()
        # See `config`: objects loaded by now stay, so freeze them.
        gc.freeze()
        gc.enable()


def _tell_accounts() -> None:
    """Register the games' data and hooks with `accounts`, which does not import `games`."""
    from accounts.acts import Counted, count_act, name_act
    from accounts.facts import name_field
    from accounts.services.audit import audit_hide
    from accounts.services.counts import withhold_counts
    from accounts.services.departures import on_departure
    from accounts.services.exports import provide
    from accounts.services.sanctions import on_standing
    from games.acts import FIELDS
    from games.services.departures import person_depart
    from games.services.own_games import games_of, notes_of, presets_of, results_of, sayings_of
    from games.services.reports import reports_depart, reports_of
    from games.services.standing import codes_in_play, counts_withheld, standing_follow
    from games.wording.acts import ACTS, COUNTED

    provide("games", games_of)
    provide("results", results_of)
    provide("sayings", sayings_of)
    provide("notes", notes_of)
    provide("presets", presets_of)
    provide("reports", reports_of)
    # Before the seats are freed: they lead to the copies that contain the user's name.
    on_departure(reports_depart)
    on_departure(person_depart)
    on_standing(standing_follow)
    audit_hide(codes_in_play)
    withhold_counts(counts_withheld)
    for act, label in ACTS.items():
        name_act(act, label)
    for (act, field), (label, told) in FIELDS.items():
        name_field(field, label, told, act=act)
    for act, label in COUNTED.items():
        count_act(Counted(label, act))


def _close_sockets(sender: Any, instance: Any, **kwargs: Any) -> None:
    """Close a session's sockets when it ends: signing out, on this device or on all."""
    from games.services.live import announce_sign_out

    user_pk = instance.get_decoded().get(SESSION_KEY)
    if user_pk is not None:
        announce_sign_out(int(user_pk), instance.session_key)


def _check_sockets(
    sender: Any, instance: Any, created: bool, update_fields: Any, **kwargs: Any
) -> None:
    """Check open sockets after a password change or when an account is closed."""
    from games.services.live import announce_person, announce_wishes

    if update_fields is not None and not {"mask_words", "language"}.isdisjoint(update_fields):
        announce_wishes(instance.pk)
    if not created and update_fields != frozenset({"last_login"}):
        announce_person(instance.pk)


def _free_seats(sender: Any, instance: Any, **kwargs: Any) -> None:
    from games.services.live import announce_person
    from games.services.tables import note_account_gone

    note_account_gone(instance.pk)
    announce_person(instance.pk)


def _wish_anew(sender: Any, instance: Any, **kwargs: Any) -> None:
    """Reconnect the sockets of a user whose blocks have changed.

    The blocked user's messages are hidden from the next frame on.
    """
    from games.services.live import announce_wishes

    announce_wishes(instance.blocker_id)


def _hear_anew(sender: Any, instance: Any, created: bool, **kwargs: Any) -> None:
    """Stop sending the gallery to guests who turn out to share a browser with a seat."""
    from games.services.live import announce_wishes

    if not (created and instance.kind == instance.Kind.DEVICE):
        return
    of_device = sender.objects.filter(kind=instance.kind, digest=instance.digest)
    people = set(of_device.values_list("user", flat=True))
    # An account that is alone in its browser keeps its sockets.
    for user_pk in people if len(people) > 1 else ():
        announce_wishes(user_pk)


def _factor_changed(sender: Any, instance: Any, created: bool = True, **kwargs: Any) -> None:
    """Refresh a moderator's open sockets, whose rights depend on the second factor.

    Each sign-in saves the factor too; only a new or a deleted factor changes any rights.
    """
    from games.services.live import announce_wishes

    if created:
        announce_wishes(instance.user_id)


def _ring(sender: Any, instance: Any, **kwargs: Any) -> None:
    """Show a new notification at once on the user's open pages."""
    from games.services.live import announce_bell

    announce_bell(instance.user_id)
