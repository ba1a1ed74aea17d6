from django.apps import AppConfig


class GamesConfig(AppConfig):
    name = "games"

    def ready(self) -> None:
        from games.selectors.metrics import register_figures
        from games.services.receivers import register_with_accounts

        register_figures()
        register_with_accounts()
