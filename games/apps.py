from typing import Any

from django.apps import AppConfig
from django.conf import settings
from django.contrib.auth.signals import user_logged_out

from config.catalogs import compile_catalogs


class GamesConfig(AppConfig):
    name = "games"

    def ready(self) -> None:
        # Before anybody looks a sentence up.
        for locale_dir in settings.LOCALE_PATHS:
            compile_catalogs(locale_dir)
        user_logged_out.connect(_close_sockets, dispatch_uid="games.close_sockets")


def _close_sockets(sender: Any, request: Any, user: Any, **kwargs: Any) -> None:
    from games.services.live import announce_sign_out

    if user is not None:
        announce_sign_out(user.pk, request.session.session_key)
