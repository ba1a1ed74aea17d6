"""Prints a game of bots as its table hears it: `python -m tests.lab.transcript`."""

from collections.abc import Iterator, Sequence
from itertools import cycle, islice
from random import Random

from django.conf import settings
from django.utils import translation
from django.utils.translation import gettext as _

from games import bots
from games.rules.editions import EDITIONS, options_of
from games.simulation.talk import Line, Talk, play_with_talk

from .frame import arguments, with_django


def main(argv: Sequence[str] | None = None) -> None:
    with_django()
    parser = arguments(__doc__, seed="1")
    parser.add_argument("--edition", default="en", choices=tuple(EDITIONS))
    parser.add_argument("--players", type=int, default=7)
    parser.add_argument("--roles", action="store_true", help="say who is who")
    parser.add_argument("--language", default="en", choices=dict(settings.LANGUAGES))
    given = parser.parse_args(argv)
    least, most = options_of(given.edition).players
    if not least <= given.players <= most:
        parser.error(f"{given.edition} is for {least} to {most} players")
    order = Random(given.seed).sample(bots.CHARACTERS, len(bots.CHARACTERS))
    kinds = tuple(islice(cycle(order), given.players))
    names: list[str] = []
    for kind in kinds:
        names.append(next(name for name in bots.people(kind) if name not in names))
    talk = play_with_talk(options_of(given.edition), kinds, given.seed)
    with translation.override(given.language):
        if given.roles:
            for name, kind, role in zip(names, kinds, talk.state.setup.roles, strict=True):
                print(f"{name} ({_(dict(bots.labels())[kind])}): {role}")
        for line in talk.lines:
            for sentence in _sentences(line, talk, names, given.edition):
                minutes, seconds = divmod(int(line.at), 60)
                print(f"{minutes:2}:{seconds:02}  {sentence}")


def _sentences(line: Line, talk: Talk, names: Sequence[str], edition: str) -> Iterator[str]:
    from games.wording.claims import claim_choice, claim_line, claim_words
    from games.wording.log import event_sentences
    from games.wording.phrases import phrase

    what, voice = line.what, talk.kinds[line.seat]
    if isinstance(what, bots.Spoken):
        places = dict(enumerate(names))
        said = phrase(what.code, what.seats, places, voice=voice, line=line.number)
        yield f"    {names[what.seat]}: {said}"
    elif isinstance(what, tuple):
        _round, actor, events = what
        yield from event_sentences(events, actor, names, options_of(edition))
    else:
        cards = claim_words(what, names, claim_choice(what))
        seats = [one.president for one in talk.state.governments if one.round == what.round]
        said = claim_line(what, names, voice=voice, line=line.number, seats=seats) or ""
        yield f"    {names[what.seat]}: [{cards}] {said}"


if __name__ == "__main__":
    main()
