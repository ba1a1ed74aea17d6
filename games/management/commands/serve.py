"""`manage.py serve`: one web process that shuts down gracefully. See `config/serving`."""

import logging
import os
from argparse import ArgumentParser
from typing import Any, Final

from channels.routing import get_default_application
from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from django.core.management.base import BaseCommand, CommandError
from django.db import connection
from django.utils import translation
from django.utils.translation import gettext as _

from config.cache.redis_cache import cache_fault
from config.serving.required_settings import check_serving_database, check_serving_settings

# Installs Twisted's reactor. Django loads this module for this command only.
from config.serving.server import Drain, DrainingServer
from games.management.languages import environment_language
from games.management.seconds import seconds

_NO_CACHE: Final = (
    "The server of CACHE_URL refuses its database (%s). Until CACHE_URL names a database that it "
    "has, such as that of REDIS_URL, each process counts attempts for itself."
)

logger = logging.getLogger(__name__)


class Command(BaseCommand):
    help = "Serves pages and sockets, until SIGTERM or Ctrl-C; then finishes what it began."
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--port", type=int, default=8000, help=_("port to listen on (default: 8000)")
        )
        parser.add_argument(
            "--host", default="127.0.0.1", help=_("address to listen on (default: 127.0.0.1)")
        )
        parser.add_argument(
            "--grace",
            type=seconds,
            default=5.0,
            help=_("seconds to keep listening after the signal (default: 5)"),
        )
        parser.add_argument(
            "--spread",
            type=seconds,
            default=3.0,
            help=_("seconds over which the sockets are closed after that (default: 3)"),
        )
        parser.add_argument(
            "--patience",
            type=seconds,
            default=20.0,
            help=_("seconds for requests in flight to finish after that (default: 20)"),
        )

    def handle(self, **options: Any) -> None:
        with translation.override(environment_language()):
            host, port = options["host"], options["port"]
            if connection.vendor == "postgresql":
                # Only this backend has the method.
                postgres: Any = connection
                postgres.bound_waits()
            try:
                check_serving_settings()
                check_serving_database()
                application = get_default_application()
            except ImproperlyConfigured as error:
                raise CommandError(str(error)) from error
            fault = cache_fault(settings.CACHE_URL)
            if fault:
                logger.warning(_NO_CACHE, fault)
            drain = Drain(options["grace"], options["spread"], options["patience"])
            server = DrainingServer(application, host=host, port=port, drain=drain)
            server.run()
            if server.cut_off:
                # A thread may still be working on a request that was cut off. What it has not
                # committed, it has not acknowledged either.
                logging.shutdown()
                os._exit(0)
            if server.failed:
                raise CommandError(
                    _("Can’t listen on %(host)s, port %(port)s.") % {"host": host, "port": port}
                )
