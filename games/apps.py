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
        # Before anybody looks a sentence up.
        for locale_dir in settings.LOCALE_PATHS:
            compile_catalogs(locale_dir)
        session = "sessions.Session"
        pre_delete.connect(_close_sockets, sender=session, dispatch_uid="games.close_sockets")
        user = settings.AUTH_USER_MODEL
        post_save.connect(_check_sockets, sender=user, dispatch_uid="games.check_sockets")
        pre_delete.connect(_free_seats, sender=user, dispatch_uid="games.free_seats")
        for changed in (post_save, post_delete):
            changed.connect(_wish_anew, sender="accounts.Block", dispatch_uid="games.wish_anew")
        told = "accounts.Notification"
        post_save.connect(_ring, sender=told, dispatch_uid="games.ring")
        _tell_accounts()
        # See `config`: what is loaded by now stays.
        gc.freeze()
        gc.enable()


def _tell_accounts() -> None:
    """What accounts, which know no games, ask of whoever keeps something about people."""
    from accounts.acts import Counted, count_act, name_act
    from accounts.facts import name_field
    from accounts.services.audit import audit_hide
    from accounts.services.departures import on_departure
    from accounts.services.exports import provide
    from accounts.services.sanctions import on_standing
    from games.acts import FIELDS
    from games.services.departures import person_depart
    from games.services.own_games import games_of, notes_of, presets_of, results_of, sayings_of
    from games.services.reports import reports_depart, reports_of
    from games.services.standing import codes_in_play, standing_follow
    from games.wording.acts import ACTS, COUNTED

    provide("games", games_of)
    provide("results", results_of)
    provide("sayings", sayings_of)
    provide("notes", notes_of)
    provide("presets", presets_of)
    provide("reports", reports_of)
    # Before the seats: by them it is found where a name stands in a copy.
    on_departure(reports_depart)
    on_departure(person_depart)
    on_standing(standing_follow)
    audit_hide(codes_in_play)
    for act, label in ACTS.items():
        name_act(act, label)
    for (act, field), (label, told) in FIELDS.items():
        name_field(field, label, told, act=act)
    for act, label in COUNTED.items():
        count_act(Counted(label, act))


def _close_sockets(sender: Any, instance: Any, **kwargs: Any) -> None:
    """Signing out, here or everywhere, ends what the session opened."""
    from games.services.live import announce_sign_out

    user_pk = instance.get_decoded().get(SESSION_KEY)
    if user_pk is not None:
        announce_sign_out(int(user_pk), instance.session_key)


def _check_sockets(
    sender: Any, instance: Any, created: bool, update_fields: Any, **kwargs: Any
) -> None:
    """A new password or a closed account ends what the old one opened."""
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
    """Whom somebody has blocked is not heard from the next frame on."""
    from games.services.live import announce_wishes

    announce_wishes(instance.blocker_id)


def _ring(sender: Any, instance: Any, **kwargs: Any) -> None:
    """Whoever is told something sees it at once on the pages that are open."""
    from games.services.live import announce_bell

    announce_bell(instance.user_id)
