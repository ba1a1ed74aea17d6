import gc

from django.apps import AppConfig
from django.conf import settings

from config.i18n.catalogs import compile_catalogs


class GamesConfig(AppConfig):
    name = "games"

    def ready(self) -> None:
        # Before the first lookup of a translation.
        for locale_dir in settings.LOCALE_PATHS:
            compile_catalogs(locale_dir)

        from games.services.receivers import register_with_accounts

        register_with_accounts()
        # See `config`: objects loaded by now stay, so freeze them.
        gc.freeze()
        gc.enable()
