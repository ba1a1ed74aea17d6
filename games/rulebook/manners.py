"""Talk and lying; clocks, and what happens at the seat of an absent player."""

from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from games import wording
from games.models import Pace
from games.rules.editions import Options

from .blocks import Chapter, Grid, Paragraph


def talk(options: Options) -> Chapter:
    return Chapter(
        "talk",
        pgettext("rulebook", "Talk and lying"),
        (
            Paragraph(
                "lying",
                _(
                    "Except during the silence, everybody may say anything about roles, policies "
                    "and plans, true or not. Only words count: nobody shows a card to prove them."
                ),
            ),
            Paragraph("set-words", _set_words(options), ("spoken_formula",)),
            Paragraph(
                "claims-here",
                _(
                    "Besides free text, where the table allows it, there are phrases, which "
                    "everybody reads in their own language, and claims about what was drawn, "
                    "handed on or seen. Where two claims cannot both be true, the table is told "
                    "so. A claim may be a lie."
                ),
                is_of_site=True,
            ),
            Paragraph(
                "dead-here",
                _(
                    "The dead talk with the spectators in the gallery, never with the living. "
                    "Telling the secrets of a running game elsewhere spoils it for everybody."
                ),
                is_of_site=True,
            ),
        ),
    )


def _set_words(options: Options) -> str:
    if not options.spoken_formula:
        return _("No formula ever has to be spoken.")
    return _(
        "The President and the Chancellor speak a formula on these occasions: {occasions}. Here "
        "the log speaks it for them."
    ).format(occasions=wording.option_value("spoken_formula", options.spoken_formula))


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
                    "Nobody is skipped. When the time for a decision runs out, a stand-in makes "
                    "it, knowing only what that seat knows, and the log says so."
                ),
                is_of_site=True,
            ),
            Paragraph(
                "away",
                _(
                    "Anybody who is late twice in a row counts as away, and from then on the "
                    "stand-in plays at once, until the player comes back with one press."
                ),
                is_of_site=True,
            ),
            Paragraph(
                "replaced",
                _(
                    "Those present can vote to give the seat of somebody who is away to the "
                    "first person on the waiting list or, if too many have left, to end the game "
                    "without a winner."
                ),
                is_of_site=True,
            ),
            Paragraph(
                "outage",
                _("If the site itself was down, running decisions get the lost time back."),
                is_of_site=True,
            ),
        ),
    )
