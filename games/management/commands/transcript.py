"""`manage.py transcript`: prints a game of bots as its table hears it."""

from argparse import ArgumentParser
from collections.abc import Sequence
from itertools import cycle, islice
from random import Random
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils import translation
from django.utils.translation import gettext as _

from games import bots
from games.management.languages import add_language_argument
from games.rules.editions import EDITIONS, options_of
from games.simulation.talk import Line, play_with_talk
from games.wording import labels
from games.wording.claims import claimed
from games.wording.log import event_sentences
from games.wording.phrases import phrase


class Command(BaseCommand):
    """Needs no database, and writes no file."""

    help = "Let bots of all characters play a game, and print what everyone sees and hears."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--edition", default="en", choices=tuple(EDITIONS))
        parser.add_argument("--players", type=int, default=7)
        parser.add_argument("--seed", default="1", help="any text; the same seed, the same game")
        parser.add_argument("--roles", action="store_true", help="say who is who")
        add_language_argument(parser)

    def handle(self, *args: Any, language: str, **given: Any) -> None:
        options = options_of(given["edition"])
        least, most = options.players
        if not least <= given["players"] <= most:
            raise CommandError(f"{given['edition']} is for {least} to {most} players")
        random = Random(given["seed"])  # noqa: S311  the same seed must give the same game
        order = random.sample(bots.CHARACTERS, len(bots.CHARACTERS))
        kinds = tuple(islice(cycle(order), given["players"]))
        names = _names(kinds)
        talk = play_with_talk(options, kinds, given["seed"])
        with translation.override(language):
            if given["roles"]:
                for name, kind, role in zip(names, kinds, talk.state.setup.roles, strict=True):
                    label = dict(bots.labels())[kind]
                    self.stdout.write(f"{name} ({_(label)}): {labels.role(role)}")
            for line in talk.lines:
                for sentence in _sentences(line, names, given["edition"]):
                    minutes, seconds = divmod(int(line.at), 60)
                    self.stdout.write(f"{minutes:2}:{seconds:02}  {sentence}")


def _names(kinds: Sequence[str]) -> list[str]:
    names: list[str] = []
    for kind in kinds:
        names.append(next(name for name in bots.people(kind) if name not in names))
    return names


def _sentences(line: Line, names: Sequence[str], edition: str) -> list[str]:
    what = line.what
    if isinstance(what, bots.Spoken):
        said = phrase(what.code, what.seats, dict(enumerate(names)))
        return [f"    {names[what.seat]}: {said}"]
    if isinstance(what, tuple):
        _round, actor, events = what
        return event_sentences(events, actor, names, options_of(edition))
    return [f"    {claimed(what, names)}"]
