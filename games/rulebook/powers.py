"""Presidential powers, and how a game ends."""

from typing import Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext

from games import wording
from games.rules.components import (
    FASCIST_POLICIES_ARM_HITLER,
    FASCIST_POLICIES_TO_WIN,
    Party,
)
from games.rules.editions import SPACES, Options
from games.rules.phases import Ending
from games.rules.powers import Power

from .blocks import Block, Chapter, Grid, Paragraph
from .overview import counts, players_range

_EXECUTED: Final = {
    True: gettext_lazy(
        "If you’re executed, you must say truthfully whether you’re Hitler, and nothing else."
    ),
    False: gettext_lazy(
        "If you’re executed and you’re Hitler, you must say so. Otherwise say nothing: the game "
        "goes on, so the others know you weren’t Hitler."
    ),
}


def powers(options: Options) -> Chapter:
    groups: dict[tuple[Power | None, ...], list[int]] = {}
    for n in counts(options):
        groups.setdefault(options.powers(n), []).append(n)
    on_tracks = {power for track in groups for power in track}
    blocks: list[Block] = [
        Paragraph(
            "powers-when",
            _(
                "When a government enacts a fascist policy on a space with a power, the President "
                "must use that power, once, before the next round. You can’t save it up, and "
                "you can’t choose yourself. A policy of chaos gives no power."
            ),
        ),
        Paragraph(
            "powers-alone",
            _(
                "As President you may hear what anyone thinks before you use a power. How you use "
                "it is for you alone to decide."
            ),
        ),
        Grid(
            "powers-table",
            _("Powers by the number of players who began, and the fascist policy"),
            (_("Players"), *(str(space) for space in range(1, FASCIST_POLICIES_TO_WIN + 1))),
            tuple(
                (players_range(numbers), *_spaces(options, track))
                for track, numbers in groups.items()
            ),
            ("players", "veto_zone", *SPACES),
        ),
        *(
            Paragraph(
                str(power).replace("_", "-"),
                wording.power_rule(power),
                ("players", *SPACES),
                wording.power(power),
            )
            for power in Power
            if power in on_tracks
        ),
        *_handed_over(options, on_tracks),
        *_back_to_the_left(on_tracks),
        Paragraph(
            "executed",
            str(_EXECUTED[options.executed_says_not_hitler]),
            ("executed_says_not_hitler",),
        ),
    ]
    return Chapter("powers", pgettext("rulebook", "Presidential powers"), tuple(blocks))


def _handed_over(options: Options, on_tracks: set[Power | None]) -> tuple[Paragraph, ...]:
    """Return how a real table investigates. Without party cards no card can be handed over."""
    if Power.INVESTIGATION not in on_tracks or not options.party_cards:
        return ()
    return (
        Paragraph(
            "investigation-card",
            _(
                "At a real table, a player who’s investigated hands the President their party "
                "membership card, never their role. The President looks at it in secret and "
                "gives it back."
            ),
            ("players", "party_cards", *SPACES),
        ),
    )


def _back_to_the_left(on_tracks: set[Power | None]) -> tuple[Paragraph, ...]:
    if Power.SPECIAL_ELECTION not in on_tracks:
        return ()
    return (
        Paragraph(
            "special-election-order",
            _(
                "The President hands the President placard to the player they chose. After that "
                "election it goes back to the player on the left of the President who called it, "
                "so no turn is skipped. Only that next neighbour, if chosen, runs twice in a row."
            ),
            ("players", *SPACES),
        ),
    )


def _spaces(options: Options, track: tuple[Power | None, ...]) -> list[str]:
    """Return what each space of a fascist track triggers."""
    said = ["–" if power is None else wording.power(power) for power in track]
    said[FASCIST_POLICIES_TO_WIN - 1] = wording.winner(Party.FASCIST)
    unlocking = options.veto_zone - 1
    if options.veto_zone < FASCIST_POLICIES_TO_WIN:
        said[unlocking] = _("{power}, veto unlocked").format(power=said[unlocking])
    return said


def endings(options: Options) -> Chapter:
    by_winner = (
        (Party.LIBERAL, Ending.LIBERAL_POLICIES),
        (Party.LIBERAL, Ending.HITLER_EXECUTED),
        (Party.FASCIST, Ending.FASCIST_POLICIES),
        (Party.FASCIST, Ending.HITLER_ELECTED),
    )
    return Chapter(
        "endings",
        pgettext("rulebook", "How the game ends"),
        (
            Grid(
                "ends",
                _("Who wins, and how"),
                (pgettext("rulebook", "Winner"), pgettext("rulebook", "What has happened")),
                tuple(
                    (
                        wording.winner(party),
                        _hitler_elected(options)
                        if ending is Ending.HITLER_ELECTED
                        else wording.ending(ending),
                    )
                    for party, ending in by_winner
                ),
                ("hitler_zone",),
            ),
            Paragraph(
                "end-at-once",
                _(
                    "The game ends at once: nothing moves or is shuffled after the action that "
                    "wins. Then you see everyone’s role."
                ),
            ),
        ),
    )


def _hitler_elected(options: Options) -> str:
    if options.hitler_zone == FASCIST_POLICIES_ARM_HITLER:
        return _("Hitler is elected Chancellor after three or more fascist policies.")
    told = _("Hitler is elected Chancellor from fascist policy {number} on.")
    return told.format(number=options.hitler_zone)
