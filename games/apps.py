from django.apps import AppConfig


class GamesConfig(AppConfig):
    name = "games"

    def ready(self) -> None:
        from games.services.receivers import register_with_accounts

        register_with_accounts()
