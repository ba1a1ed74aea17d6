"""Talk and lying; clocks, and what happens at the seat of an absent player."""

from typing import Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext

from games import wording
from games.models import Pace
from games.rules.components import FASCIST_POLICIES_ARM_HITLER
from games.rules.editions import Options

from .blocks import Chapter, Grid, Paragraph
from .telling import NOTHING, WordsOf, told, without_empty

_KNOWLEDGE: Final = gettext_lazy(
    "Some of you know what the others don’t: a hand of policies, or a party they investigated."
)
_SAY_WHAT_YOU_LIKE: Final = gettext_lazy(
    "Except during the silence, say what you like about roles, policies and plans, true or not."
)
_LYING: Final[WordsOf] = {
    "en": _SAY_WHAT_YOU_LIKE,
    "ru": (_KNOWLEDGE, _SAY_WHAT_YOU_LIKE),
    "pl": (_KNOWLEDGE, _SAY_WHAT_YOU_LIKE),
}
_NO_CARDS: Final[WordsOf] = {
    "en": gettext_lazy("You can’t show a card to prove it."),
    "it": gettext_lazy("You can’t show a card to prove it, unless you’re Hitler and executed."),
}
# By whether the executed say truly that they aren't Hitler.
_LIMITS_OF_LYING: Final[dict[bool, WordsOf]] = {
    True: NOTHING,
    False: {
        "en": gettext_lazy("Lying has two limits."),
        "ru": gettext_lazy("You must tell the truth in one case only."),
        "ru-5-6": "",
        "pl": gettext_lazy("There’s one limit on lying, and it ends the game."),
        "ja": "",
        "it": "",
    },
}
# By whether the third fascist policy arms Hitler, as in every edition.
_TRUE_CHANCELLOR: Final[dict[bool, WordsOf]] = {
    True: {
        "en": gettext_lazy(
            "Elected Chancellor after the third fascist policy, you must say whether you’re Hitler."
        ),
        "pl": gettext_lazy(
            "If you’re Hitler and elected Chancellor after the third fascist policy, you must say "
            "so."
        ),
        "it": gettext_lazy(
            "Elected Chancellor after the third fascist policy, you must declare whether you’re "
            "Hitler."
        ),
    },
    False: {
        "en": gettext_lazy(
            "Elected Chancellor from fascist policy {number} on, you must say whether you’re "
            "Hitler."
        )
    },
}
_EXECUTED_HITLER: Final = gettext_lazy("Executed as Hitler, you must say so.")
_TRUE_EXECUTED: Final[dict[bool, WordsOf]] = {
    True: {"en": gettext_lazy("Executed, you must say whether you were Hitler.")},
    False: {
        "en": _EXECUTED_HITLER,
        "ru": "",
        "it": gettext_lazy("Executed as Hitler, you must show your secret role card."),
    },
}
_TRUTH_OPEN: Final[dict[bool, WordsOf]] = {
    True: NOTHING,
    False: {"en": "", "ru": _EXECUTED_HITLER},
}


def talk(edition: str, options: Options) -> Chapter:
    says = options.executed_says_not_hitler
    about = ("hitler_zone", "executed_says_not_hitler")
    return Chapter(
        "talk",
        pgettext("rulebook", "Talk and lying"),
        without_empty(
            Paragraph("lying", told(_LYING, edition)),
            Paragraph("lying-cards", told(_NO_CARDS, edition)),
            Paragraph("truth", _truth(edition, options), about),
            Paragraph("truth-open", told(_TRUTH_OPEN[says], edition), about),
            Paragraph("set-words", _set_words(options), ("spoken_formula",)),
            Paragraph(
                "set-words-here",
                _("The log says these words for you.") if options.spoken_formula else "",
                ("spoken_formula",),
                is_of_site=True,
            ),
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


def _truth(edition: str, options: Options) -> str:
    says = options.executed_says_not_hitler
    as_printed = options.hitler_zone == FASCIST_POLICIES_ARM_HITLER
    sentences = (
        told(_LIMITS_OF_LYING[says], edition),
        told(_TRUE_CHANCELLOR[as_printed], edition).format(number=options.hitler_zone),
        told(_TRUE_EXECUTED[says], edition),
    )
    return wording.together(filter(None, sentences))


def _set_words(options: Options) -> str:
    if not options.spoken_formula:
        return _("No act has set words: say what you do in your own.")
    return wording.together(
        wording.prescribed(formula, options) for formula in options.spoken_formula
    )


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
                is_of_site=True,
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
