"""Hints for playing well: those that the edition's document gives, and two tables of numbers."""

from collections.abc import Callable
from dataclasses import dataclass
from math import comb
from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext

from games import wording
from games.rules.components import (
    CARDS_DRAWN,
    FASCIST_POLICIES_ARM_HITLER,
    LIBERAL_POLICIES,
    Policy,
    Role,
)
from games.rules.editions import SPACES, HitlerKnows, Options, TrackerReset
from games.rules.powers import Power

from .blocks import Block, Chapter, Grid, Paragraph, Steps
from .overview import counts, large, meets, small


def _always(options: Options) -> bool:
    return True


def _arms_hitler_at_three(options: Options) -> bool:
    return options.hitler_zone == FASCIST_POLICIES_ARM_HITLER


def _six_are_liberal(options: Options) -> bool:
    return options.liberal_policies == LIBERAL_POLICIES


def _veto_may_bring_chaos(options: Options) -> bool:
    return options.tracker_resets_on is TrackerReset.POLICY and options.veto_advances_tracker


def _hitler_knows_at_small_tables(options: Options) -> bool:
    return options.hitler_knows is HitlerKnows.SMALL_TABLES and bool(small(options))


def _hitler_knows_none_at_large_tables(options: Options) -> bool:
    return options.hitler_knows is HitlerKnows.SMALL_TABLES and bool(large(options))


def _has_special_elections(options: Options) -> bool:
    return meets(Power.SPECIAL_ELECTION, options)


def _has_investigations(options: Options) -> bool:
    return meets(Power.INVESTIGATION, options)


def _no_investigation(options: Options) -> bool:
    return not meets(Power.INVESTIGATION, options)


@dataclass(frozen=True, slots=True)
class _Hint:
    text: str | Promise
    # Whether it makes sense with these options.
    fits: Callable[[Options], bool] = _always


# Hints that several documents give.
_SAY_LIBERAL: Final = _Hint(
    gettext_lazy(
        "Whatever you are, say you’re a liberal. The liberals have enough votes to shut "
        "out anyone who admits to being a fascist."
    )
)
_ASK_WHY: Final = _Hint(
    gettext_lazy(
        "Ask players why they did what they did, above all when they used a presidential power."
    )
)
_THREE_CAUSES: Final = _Hint(
    gettext_lazy(
        "A fascist policy has three possible causes: the President, the Chancellor and the draw "
        "pile. Try to find out which it was."
    )
)
_THINK_FIRST: Final = _Hint(
    gettext_lazy(
        "Before you elect a government, think well about what you know. Power in the wrong hands "
        "endangers the whole country."
    )
)
_SLOW_DOWN: Final = _Hint(
    gettext_lazy(
        "Slow down. The more you discuss and compare what you know before a vote, the better for "
        "you."
    )
)
_TELL_THE_TRUTH: Final = _Hint(
    gettext_lazy("Tell the truth in most cases. You’re solving a puzzle, and lies spoil it.")
)
_TEMPTED: Final = _Hint(
    gettext_lazy("A fascist policy can tempt you too, for the power it brings.")
)
_TEMPTED_TO_KILL: Final = _Hint(
    gettext_lazy(
        "Sometimes you may want a fascist policy yourself: its power lets you keep control of the "
        "table and execute your enemies."
    )
)
_HURRY: Final = _Hint(gettext_lazy("Hurry the votes and add to the confusion: it helps you."))
_STEER: Final = _Hint(
    gettext_lazy("Steer quietly and wait for cover: you rarely win by showing your hand.")
)
_ELECT_HITLER: Final = _Hint(
    gettext_lazy(
        "You win more often by electing Hitler than with six policies. That’s no side aim: build "
        "your plan on it."
    )
)
_DISTRUST: Final = _Hint(
    gettext_lazy(
        "Even if Hitler is never elected, distrust among the liberals gets other fascists elected "
        "late in the game."
    )
)
_FIRST_TIME_HITLER: Final = _Hint(
    gettext_lazy(
        "Are you Hitler for the first time? Be as liberal as you can: enact liberal policies, vote "
        "for liberal governments and kiss babies."
    )
)
_TRUST_FASCISTS: Final = _Hint(
    gettext_lazy(
        "Trust your fascists: they’ll let you enact liberal policies, and further fascism "
        "themselves."
    )
)
_NO_QUARRELS: Final = _Hint(
    gettext_lazy("Keep out of lies and quarrels. You need the liberals’ trust at the end.")
)

_FOR_ALL: Final = {
    "en": (_SAY_LIBERAL,),
    "ru": (
        _Hint(
            gettext_lazy(
                "Whatever you are, say you’re a liberal. The liberals have enough votes to shut "
                "anyone out: it’s enough to call that player a fascist."
            )
        ),
        _Hint(gettext_lazy("A fascist gains nothing by standing apart from the majority.")),
        _ASK_WHY,
        _THREE_CAUSES,
    ),
    "pl": (
        _SAY_LIBERAL,
        _Hint(gettext_lazy("A fascist gains nothing by admitting it.")),
        _ASK_WHY,
        _Hint(
            gettext_lazy(
                "Ask the candidates beforehand whom they’d investigate, make Chancellor or execute."
            ),
            _has_investigations,
        ),
        _THREE_CAUSES,
    ),
    "ja": (
        _THINK_FIRST,
        _Hint(gettext_lazy("Beware of those who stir up confusion for plans of their own.")),
        _Hint(gettext_lazy("Don’t forget that the President or the Chancellor may be a fascist.")),
    ),
    "it": (
        _SAY_LIBERAL,
        _THINK_FIRST,
        _Hint(gettext_lazy("Slow the game down and discuss every decision.")),
        _Hint(
            gettext_lazy(
                "Work out which power a fascist policy would give the President, and ask those who "
                "may become President how they’d use it."
            )
        ),
        _Hint(
            gettext_lazy(
                "Watch the seats, and who may be the next President: you don’t want to be forced "
                "to vote for a fascist."
            )
        ),
        _Hint(
            gettext_lazy(
                "The special election is a very strong power: keep it out of the wrong hands."
            ),
            _has_special_elections,
        ),
        _Hint(
            gettext_lazy("Don’t forget that the President, the Chancellor or both may be fascists.")
        ),
    ),
}
_FOR_LIBERALS: Final = {
    "en": (
        _SLOW_DOWN,
        _Hint(
            gettext_lazy(
                "Before you vote, ask the candidates how they’d use the power that this "
                "government may unlock."
            )
        ),
        _Hint(
            gettext_lazy(
                "A fascist policy has three suspects: the President, the Chancellor and the draw "
                "pile. One proves nothing; two from the same pair are worth a question."
            )
        ),
        _TELL_THE_TRUTH,
        _Hint(
            gettext_lazy(
                "A fascist policy can tempt you too, for the power it brings. Weigh that against "
                "how it’ll look."
            )
        ),
        _Hint(gettext_lazy("Ask players why they did what they did.")),
        _Hint(
            gettext_lazy(
                "Say at once what you drew or were handed, and remember what the others said."
            )
        ),
        _Hint(
            gettext_lazy(
                "Count the policies: six are liberal. Until the next shuffle, each fascist one you "
                "see makes a liberal one likelier."
            ),
            _six_are_liberal,
        ),
        _Hint(
            gettext_lazy("Count the tracker before you consent to a veto: at two it brings chaos."),
            _veto_may_bring_chaos,
        ),
    ),
    "ru": (
        _SLOW_DOWN,
        _Hint(gettext_lazy("Tell the truth in most cases. A lie can cost your own side.")),
        _TEMPTED,
    ),
    "pl": (_SLOW_DOWN, _TELL_THE_TRUTH, _TEMPTED),
    "ja": (_TEMPTED_TO_KILL,),
    "it": (
        _Hint(gettext_lazy("Don’t pose as a fascist: it does your own side great harm.")),
        _Hint(
            gettext_lazy(
                "You’re the majority, and still it’s very hard for you to win. You have to trust "
                "one another: use your votes to keep fascists out of office and away from the "
                "powers."
            )
        ),
        _TEMPTED_TO_KILL,
        _Hint(
            gettext_lazy(
                "After the third fascist policy the game is critical for you. The only certain "
                "test of a player you suspect is to elect them Chancellor: either the game ends or "
                "it doesn’t."
            ),
            _arms_hitler_at_three,
        ),
    ),
}
_FOR_FASCISTS: Final = {
    "en": (
        _HURRY,
        _STEER,
        _Hint(
            gettext_lazy(
                "Set the liberals against each other. Even if Hitler is never elected, "
                "distrust gets other fascists elected late in the game."
            )
        ),
        _Hint(gettext_lazy("Have your story ready before the policy lies on the table.")),
        _Hint(
            gettext_lazy(
                "Most of your wins come from Hitler as Chancellor after the third fascist policy. "
                "Build that trust early, and let others propose it."
            ),
            _arms_hitler_at_three,
        ),
    ),
    "ru": (_HURRY, _STEER, _ELECT_HITLER, _DISTRUST),
    "pl": (_HURRY, _STEER, _ELECT_HITLER, _DISTRUST),
    "it": (
        _Hint(gettext_lazy("Speed the game up and hope that the others make mistakes.")),
        _Hint(
            gettext_lazy(
                "Find a secret way to show Hitler that you’re loyal: signs without words, or moves "
                "that protect Hitler."
            )
        ),
        _Hint(
            gettext_lazy(
                "As President, investigate Hitler early and tell the others they’re liberal. Then "
                "no liberal President can unmask Hitler."
            ),
            _has_investigations,
        ),
        _Hint(
            gettext_lazy("After the third fascist policy, try to get Hitler elected Chancellor."),
            _arms_hitler_at_three,
        ),
        _Hint(
            gettext_lazy(
                "As President, execute a liberal and pretend that you were confused. Once the "
                "fascists are the majority, elect Hitler, or reject governments until the fascist "
                "track is full."
            )
        ),
    ),
}
_FOR_HITLER: Final = {
    "en": (
        _Hint(
            gettext_lazy(
                "With five or six players you know your fascist. Let them take the blame, and "
                "don’t vouch for each other too loudly."
            ),
            _hitler_knows_at_small_tables,
        ),
        _Hint(
            gettext_lazy(
                "With seven players or more you don’t know your fascists. Play like an honest "
                "liberal: they know you and will make room for you."
            ),
            _hitler_knows_none_at_large_tables,
        ),
        _Hint(
            gettext_lazy(
                "Be as liberal as you can: enact liberal policies and vote for liberal "
                "governments. You win when the others want you as Chancellor after the third "
                "fascist policy."
            ),
            _arms_hitler_at_three,
        ),
        _NO_QUARRELS,
        _Hint(
            gettext_lazy(
                "Don’t lead a faction. Leaders get investigated and executed; useful people get "
                "elected."
            ),
            _has_investigations,
        ),
        _Hint(
            gettext_lazy("Don’t lead a faction. Leaders get executed; useful people get elected."),
            _no_investigation,
        ),
    ),
    "ru": (_FIRST_TIME_HITLER, _TRUST_FASCISTS, _NO_QUARRELS),
    "pl": (_FIRST_TIME_HITLER, _TRUST_FASCISTS, _NO_QUARRELS),
    "it": (
        _Hint(
            gettext_lazy(
                "Play a convinced liberal: then the others will elect you Chancellor more readily "
                "late in the game."
            )
        ),
    ),
}


def chance_of(fascist: int, options: Options) -> float:
    """Return the probability that `fascist` of the first three policies are fascist.

    >>> from games.rules.editions import options_of
    >>> round(chance_of(3, options_of("en")), 4)
    0.2426
    """
    pile = options.pile()
    liberals = pile.count(Policy.LIBERAL)
    ways = comb(len(pile) - liberals, fascist) * comb(liberals, CARDS_DRAWN - fascist)
    return ways / comb(len(pile), CARDS_DRAWN)


def strategy(edition: str, options: Options) -> Chapter:
    """Return the hints of the edition's document, by side, after the tables of numbers."""
    blocks = [*_tables(options), *_hints(edition, options)]
    if edition not in _FOR_ALL:
        blocks.append(Paragraph("no-hints", _("The document gives no hints.")))
    return Chapter("strategy", pgettext("rulebook", "Hints for playing well"), tuple(blocks), False)


_ABOUT_HITLER: Final = ("players", "hitler_knows", "hitler_zone", *SPACES)
_ABOUT_LIBERALS: Final = (
    "players",
    "liberal_policies",
    "hitler_zone",
    "tracker_resets_on",
    "veto_advances_tracker",
)
_ABOUT_PILE: Final = ("liberal_policies", "fascist_policies", "liberal_start", "fascist_start")


def _tables(options: Options) -> tuple[Grid, Grid]:
    majority = tuple(
        (str(n), str(options.roles(n).count(Role.LIBERAL)), str(n // 2 + 1))
        for n in counts(options)
    )
    odds = tuple(
        (str(fascist), wording.percent(chance_of(fascist, options)))
        for fascist in range(CARDS_DRAWN, -1, -1)
    )
    return (
        # How many votes elect a government, beside the number of liberals.
        Grid(
            "majority",
            _("The liberals can elect a government on their own"),
            (_("Players"), _("Liberals"), _("Votes needed")),
            majority,
            ("players", "fascists"),
        ),
        Grid(
            "odds",
            _("What the first President draws"),
            (_("Fascist policies among the three"), _("How often")),
            odds,
            _ABOUT_PILE,
        ),
    )


def _hints(edition: str, options: Options) -> list[Block]:
    sides = (
        ("for-all", _("For everyone"), _FOR_ALL, ("players", *SPACES)),
        ("liberals", _("For liberals"), _FOR_LIBERALS, _ABOUT_LIBERALS),
        ("fascists", _("For fascists"), _FOR_FASCISTS, ("players", "hitler_zone", *SPACES)),
        ("hitler", _("For Hitler"), _FOR_HITLER, _ABOUT_HITLER),
    )
    blocks: list[Block] = []
    for key, title, table, about in sides:
        items = tuple(str(hint.text) for hint in table.get(edition, ()) if hint.fits(options))
        if items:
            blocks.append(Steps(key, items, about, title, False))
    return blocks
