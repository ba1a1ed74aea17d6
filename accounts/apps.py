from django.apps import AppConfig


class AccountsConfig(AppConfig):
    name = "accounts"

    def ready(self) -> None:
        # These imports connect signals, register the handlers for account deletion and data export,
        # and make the tasks known, which are sent by name.
        import accounts.services.receivers
        import accounts.services.sanctions
        import accounts.tasks  # noqa: F401
        from accounts.mail.outcomes import register_figures

        register_figures()
