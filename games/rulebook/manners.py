"""Talk and lying; clocks, and what happens at the seat of an absent player."""

from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from games import wording
from games.models import Pace
from games.rules.components import FASCIST_POLICIES_ARM_HITLER
from games.rules.editions import Options

from .blocks import Chapter, Grid, Paragraph


def _truth(options: Options) -> str:
    if options.hitler_zone == FASCIST_POLICIES_ARM_HITLER:
        return _(
            "There’s one limit on lying. Elected Chancellor after the third fascist "
            "policy, you must say whether you’re Hitler. Executed as Hitler, you must say "
            "so."
        )
    told = _(
        "There’s one limit on lying. Elected Chancellor from fascist policy {number} on, you must "
        "say whether you’re Hitler. Executed as Hitler, you must say so."
    )
    return told.format(number=options.hitler_zone)


def talk(options: Options) -> Chapter:
    return Chapter(
        "talk",
        pgettext("rulebook", "Talk and lying"),
        (
            Paragraph(
                "lying",
                _(
                    "Except during the silence, say what you like about roles, policies and plans, "
                    "true or not. You can’t show a card to prove it."
                ),
            ),
            Paragraph("truth", _truth(options), ("hitler_zone",)),
            Paragraph("set-words", _set_words(options), ("spoken_formula",)),
            *_spoken_by_the_log(options),
            Paragraph(
                "claims-here",
                _(
                    "You can write freely where the table allows it, pick phrases that each player "
                    "reads in their own language, and make claims about what you drew, handed on "
                    "or saw. A claim may be a lie. If two claims can’t both be true, we point that "
                    "out to all of you."
                ),
                is_of_site=True,
            ),
            Paragraph(
                "dead-here",
                _(
                    "Once you’re dead, you chat with the spectators in the gallery, and not with "
                    "the living. Don’t tell a running game’s secrets anywhere else: it spoils the "
                    "game for everyone."
                ),
                is_of_site=True,
            ),
        ),
    )


def _set_words(options: Options) -> str:
    if not options.spoken_formula:
        return _("No act has set words: say what you do in your own.")
    return wording.together(
        wording.prescribed(formula, options) for formula in options.spoken_formula
    )


def _spoken_by_the_log(options: Options) -> tuple[Paragraph, ...]:
    if not options.spoken_formula:
        return ()
    told = _("The log says these words for you.")
    return (Paragraph("set-words-here", told, ("spoken_formula",), is_of_site=True),)


def clocks(options: Options) -> Chapter:
    return Chapter(
        "clocks",
        pgettext("rulebook", "Clocks and absence"),
        (
            Grid(
                "paces",
                _("Time to decide"),
                (_("Pace"), pgettext("rulebook", "Time")),
                tuple((str(pace.label), wording.time_in_words(pace.time)) for pace in Pace),
            ),
            Paragraph(
                "stand-in",
                _(
                    "No turn is skipped. When your time runs out, a bot decides for you. It knows "
                    "only what you know, and the log says that a bot moved."
                ),
                is_of_site=True,
            ),
            Paragraph(
                "away",
                _("Miss two turns in a row and a bot plays for you until you come back."),
                is_of_site=True,
            ),
            Paragraph(
                "replaced",
                _(
                    "If a player is away, the others can vote to give the seat to the first person "
                    "on the waiting list. If too many have left, they can vote to end the game "
                    "without a winner."
                ),
                is_of_site=True,
            ),
            Paragraph(
                "outage",
                _("If the site was down, you get the lost time back."),
                is_of_site=True,
            ),
        ),
    )
