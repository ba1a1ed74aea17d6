"""A complete rulebook, from its first chapter to its last."""

from dataclasses import dataclass, replace

from django.utils.translation import gettext as _

from games import wording
from games.rules.editions import HOUSE_ONLY, OPTION_NAMES, Options, options_of

from .blocks import Chapter, Grid
from .documents import credits_of, questions
from .election import a_round, election, tracker
from .manners import clocks, talk
from .overview import aim, box, night, setup
from .powers import endings, powers
from .session import session, silence, veto
from .strategy import strategy


@dataclass(frozen=True, slots=True)
class Book:
    """The rules of an edition, or of a mix based on it, in the active language."""

    edition: str
    options: Options
    chapters: tuple[Chapter, ...]

    @property
    def house_rules(self) -> tuple[tuple[str, object], ...]:
        """The option values that differ from the edition's, by option."""
        base = options_of(self.edition)
        return tuple(
            (name, getattr(self.options, name))
            for name in OPTION_NAMES
            if getattr(self.options, name) != getattr(base, name)
        )


def book_of(edition: str, options: Options) -> Book:
    """Return the complete rulebook of `options`, in the words of `edition`."""
    options = replace(options, edition=edition)
    chapters = (
        aim(edition, options),
        box(edition, options),
        setup(edition, options),
        night(edition, options),
        a_round(edition, options),
        election(edition, options),
        tracker(edition, options),
        session(edition, options),
        silence(edition, options),
        veto(edition, options),
        powers(edition, options),
        endings(edition, options),
        talk(edition, options),
        clocks(options),
        strategy(edition, options),
        _at_a_glance(options),
        questions(edition, options),
        credits_of(edition),
    )
    return Book(edition, options, chapters)


def short_rules(edition: str, options: Options) -> Book:
    """Return a book of two chapters: the aim, without the setting, and a round step by step."""
    about = aim(edition, options)
    told = tuple(block for block in about.blocks if block.key != "setting")
    return Book(edition, options, (replace(about, blocks=told), a_round(edition, options)))


def _at_a_glance(options: Options) -> Chapter:
    """Return a chapter that lists the options in which editions differ, and all house rules."""
    usual = options_of("en")
    names = tuple(
        name
        for name in OPTION_NAMES
        if name not in HOUSE_ONLY or getattr(options, name) != getattr(usual, name)
    )
    rows = tuple(
        (wording.option_name(name), wording.option_value(name, getattr(options, name)))
        for name in names
    )
    grid = Grid("options", _("Where editions differ"), (_("Rule"), _("Here")), rows, OPTION_NAMES)
    return Chapter("glance", _("At a glance"), (grid,), is_rules=False)
