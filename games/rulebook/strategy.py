"""Strategy hints for each side, for first-time players and for those with some experience."""

from math import comb
from typing import assert_never

from django.utils.translation import gettext as _
from django.utils.translation import pgettext

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
from .lineage import Lineage, lineage_of
from .overview import counts, large, small


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
    """Return the advice of the edition's document, by side; the retelling gives none of its own."""
    lineage = lineage_of(edition)
    blocks: tuple[Block, ...] = (
        *_majority(options),
        *_for_all(lineage),
        Grid(
            "odds",
            _("What the first President draws"),
            (_("Fascist policies among the three"), _("How often")),
            tuple(
                (str(fascist), wording.percent(chance_of(fascist, options)))
                for fascist in range(CARDS_DRAWN, -1, -1)
            ),
            _ABOUT_PILE,
        ),
        Steps(
            "liberals",
            _liberals(lineage, options),
            ("players", "liberal_policies", *_ABOUT_VETO),
            _("For liberals"),
            False,
        ),
        Steps(
            "fascists",
            _fascists(lineage, options),
            ("players", "hitler_zone"),
            _("For fascists"),
            False,
        ),
        Steps("hitler", _hitler(lineage, options), _ABOUT_HITLER, _("For Hitler"), False),
    )
    return Chapter("strategy", pgettext("rulebook", "Hints for playing well"), blocks, False)


_ABOUT_HITLER = ("players", "hitler_knows", "hitler_zone", *SPACES)
_ABOUT_PILE = ("liberal_policies", "fascist_policies", "liberal_start", "fascist_start")
_ABOUT_VETO = ("tracker_resets_on", "veto_advances_tracker")


def _investigates(options: Options) -> bool:
    return any(Power.INVESTIGATION in options.powers(n) for n in counts(options))


def _majority(options: Options) -> tuple[Grid, ...]:
    """Return how many votes elect a government, beside the number of liberals."""
    return (
        Grid(
            "majority",
            _("The liberals can elect a government on their own"),
            (_("Players"), _("Liberals"), _("Votes needed")),
            tuple(
                (str(n), str(options.roles(n).count(Role.LIBERAL)), str(n // 2 + 1))
                for n in counts(options)
            ),
            ("players", "fascists"),
        ),
    )


def _for_all(lineage: Lineage) -> tuple[Paragraph, ...]:
    if lineage is Lineage.RETOLD:
        return ()
    return (
        Paragraph(
            "claim-liberal",
            _(
                "Whatever you are, say you’re a liberal. The liberals have enough votes to shut "
                "out anyone who admits to being a fascist."
            ),
        ),
    )


def _liberals(lineage: Lineage, options: Options) -> tuple[str, ...]:
    hints = []
    if lineage is not Lineage.RETOLD:
        hints += [
            _("Slow down. The more you compare what you know before a vote, the better for you."),
            _(
                "Before you vote, ask the candidates how they’d use the power that this "
                "government may unlock."
            ),
        ]
    hints.append(
        _(
            "A fascist policy has three suspects: the President, the Chancellor and the draw "
            "pile. One proves nothing; two from the same pair are worth a question."
        )
    )
    match lineage:
        case Lineage.EARLY:
            hints += [
                _(
                    "Sometimes you may want a fascist policy yourself: its power lets you keep "
                    "control of the table and execute your enemies. Say why before you enact it."
                ),
                _("Watch the seat order: work out who’ll be President when a power comes."),
            ]
        case Lineage.FINAL:
            hints += [
                _("Tell the truth in most cases. You’re solving a puzzle, and lies spoil it."),
                _(
                    "A fascist policy can tempt you too, for the power it brings. Weigh that "
                    "against how it’ll look."
                ),
                _("Ask players why they did what they did."),
            ]
        case Lineage.RETOLD:
            pass
        case _:
            assert_never(lineage)
    hints.append(_("Say at once what you drew or were handed, and remember what the others said."))
    if options.liberal_policies == LIBERAL_POLICIES:
        hints.append(
            _(
                "Count the policies: six are liberal. Until the next shuffle, each fascist one you "
                "see makes a liberal one likelier."
            )
        )
    if options.tracker_resets_on is TrackerReset.POLICY and options.veto_advances_tracker:
        hints.append(_("Count the tracker before you consent to a veto: at two it brings chaos."))
    return tuple(hints)


def _fascists(lineage: Lineage, options: Options) -> tuple[str, ...]:
    hints = []
    if lineage is not Lineage.RETOLD:
        hints.append(_("Hurry the votes and add to the confusion: it helps you."))
    match lineage:
        case Lineage.EARLY:
            hints.append(_("Find quiet ways to signal to your fellow fascists."))
            if _investigates(options):
                hints.append(
                    _("As President, investigate Hitler early and tell the others they’re liberal.")
                )
            hints.append(_("Execute a liberal and call it a mistake."))
        case Lineage.FINAL:
            hints += [
                _("Steer quietly and wait for cover: you rarely win by showing your hand."),
                _(
                    "Set the liberals against each other. Even if Hitler is never elected, "
                    "distrust gets other fascists elected late in the game."
                ),
            ]
        case Lineage.RETOLD:
            pass
        case _:
            assert_never(lineage)
    hints.append(_("Have your story ready before the policy lies on the table."))
    if options.hitler_zone == FASCIST_POLICIES_ARM_HITLER:
        hints.append(
            _(
                "Most of your wins come from Hitler as Chancellor after the third fascist policy. "
                "Build that trust early, and let others propose it."
            )
        )
    return tuple(hints)


def _hitler(lineage: Lineage, options: Options) -> tuple[str, ...]:
    hints = []
    is_usual = options.hitler_knows is HitlerKnows.SMALL_TABLES
    if is_usual and small(options):
        hints.append(
            _(
                "With five or six players you know your fascist. Let them take the blame, and "
                "don’t vouch for each other too loudly."
            )
        )
    if is_usual and large(options):
        hints.append(
            _(
                "With seven players or more you don’t know your fascists. Play like an honest "
                "liberal: they know you and will make room for you."
            )
        )
    if options.hitler_zone == FASCIST_POLICIES_ARM_HITLER:
        hints.append(
            _(
                "Be as liberal as you can: enact liberal policies and vote for liberal "
                "governments. You win when the others want you as Chancellor after the third "
                "fascist policy."
            )
        )
    if lineage is not Lineage.RETOLD:
        hints.append(_("Keep out of lies and quarrels. You need the liberals’ trust at the end."))
    hints.append(
        _("Don’t lead a faction. Leaders get investigated and executed; useful people get elected.")
        if _investigates(options)
        else _("Don’t lead a faction. Leaders get executed; useful people get elected.")
    )
    return tuple(hints)
