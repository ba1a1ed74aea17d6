"""`manage.py play`: runs the whole site on this machine with one command. See `config/launcher`."""

import asyncio
import os
import signal
import sys
from argparse import ArgumentParser
from contextlib import ExitStack
from pathlib import Path
from types import FrameType
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.utils import translation
from django.utils.translation import gettext as _

from config.launcher import processes
from config.launcher.address import Address, a_name_of, allowed_hosts, choose_address, own_names
from config.launcher.data import DataFolder, run_folder
from config.launcher.errors import PlayError
from config.launcher.log import Log
from config.launcher.prepare import collect_static, prepare_catalogs, prepare_database
from config.launcher.probe import wait_for_answer
from config.launcher.supervisor import STOP_SIGNALS, Supervisor
from config.launcher.valkey import check_redis, find_valkey
from games.management.languages import environment_language


class Command(BaseCommand):
    help = "Runs the whole site on this machine, until Ctrl-C."
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--port",
            type=int,
            default=8000,
            help=_("port to listen on (default: 8000); 0 picks any free port"),
        )
        parser.add_argument(
            "--host",
            default="127.0.0.1",
            help=_(
                "address to listen on (default: 127.0.0.1, this machine only); 0.0.0.0 lets "
                "your network in"
            ),
        )
        parser.add_argument(
            "--data",
            type=Path,
            default=settings.DATA_DIR,
            help=_("folder for the database and the secrets (default: data)"),
        )
        parser.add_argument(
            "--with-parent",
            action="store_true",
            help=_("stop when the process that started this one ends, as `make play` asks"),
        )

    def handle(self, **options: Any) -> None:
        parent = os.getppid() if options["with_parent"] else None
        for number in STOP_SIGNALS:
            signal.signal(number, _raise_stopped)
        try:
            # Before this process looks up its own translations.
            prepare_catalogs()
            with translation.override(environment_language()):
                play(options["data"].absolute(), options["host"], options["port"], parent)
        except PlayError as error:
            raise CommandError(str(error)) from error
        except KeyboardInterrupt:
            pass


def play(data: Path, host: str, port: int, parent: int | None) -> None:
    folder = DataFolder(data)
    with ExitStack() as until_the_end:
        until_the_end.enter_context(folder.lock())
        if data != settings.DATA_DIR:
            # The settings were loaded for another folder: restart with this one. The lock ends with
            # the old program, and the new one takes it again.
            os.environ["CHANCELLERY_DATA"] = str(data)
            os.execv(sys.executable, [sys.executable, *sys.orig_argv[1:]])  # noqa: S606  itself again
        address = choose_address(host, port)
        if not os.environ.get("SECRET_KEY"):
            folder.make_secret_key()
        if not os.environ.get("VAPID_KEY"):
            folder.make_push_key()
        if not settings.DATABASE_IS_NAMED:
            folder.make_database()
        log = Log.on_stdout()
        until_the_end.callback(log.close)
        run_dir = until_the_end.enter_context(run_folder())
        folder.note(address=address.url(), run_dir=run_dir)

        environment = _environment(address, data)
        site = [
            *(processes.beat(run_dir), processes.clock(), processes.worker()),
            processes.web(address),
        ]
        if settings.REDIS_URL:
            check_redis(settings.REDIS_URL)
        else:
            socket = run_dir / "valkey.sock"
            site.insert(0, processes.valkey(find_valkey(), socket))
            environment["REDIS_URL"] = f"unix://{socket}"

        log.say(_("Preparing the database and the static files."))
        prepare_database()
        collect_static()
        host_header = a_name_of(environment["ALLOWED_HOSTS"].split(","), address)

        async def announce() -> None:
            await wait_for_answer(address, host_header)
            log.say(_where_to_go(address))

        supervisor = Supervisor(site, environment=environment, log=log, parent=parent)
        asyncio.run(supervisor.run(announce))


def _environment(address: Address, data: Path) -> dict[str, str]:
    hosts = allowed_hosts(
        address, settings.ALLOWED_HOSTS, by_the_owner=bool(os.environ.get("ALLOWED_HOSTS"))
    )
    return {
        **os.environ,
        # Set explicitly, so that no process has to guess: config/serving/required_settings.py.
        "DATABASE_URL": os.environ.get("DATABASE_URL") or f"sqlite:///{data / 'db.sqlite3'}",
        "CHANCELLERY_DATA": str(data),
        "ALLOWED_HOSTS": ",".join(hosts),
        # Write log lines at once, without buffering.
        "PYTHONUNBUFFERED": "1",
    }


def _where_to_go(address: Address) -> str:
    lines = [_("The site is ready: %(url)s (press Ctrl-C to stop it)") % {"url": address.url()}]
    if address.everywhere:
        lines += [
            _("From your network: %(url)s") % {"url": address.url(name)} for name in own_names()
        ]
    return "\n".join(lines)


def _raise_stopped(number: int, frame: FrameType | None) -> None:
    """Handle a signal before anything runs that must be stopped: exit at once, and only once."""
    for each in STOP_SIGNALS:
        signal.signal(each, signal.SIG_IGN)
    raise KeyboardInterrupt
