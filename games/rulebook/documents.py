"""The documents behind the editions: their origin, their mistakes and their gaps."""

from typing import Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext

from games import wording
from games.rules.components import FASCIST_POLICIES_ARM_HITLER, FASCIST_POLICIES_UNLOCK_VETO
from games.rules.editions import EDITIONS, Limited, Options, Reshuffle, SmallTable

from .blocks import Block, Chapter, Paragraph, Steps

# Names as the documents print them; they are the same in every language.
NAMES: Final = {
    "ru": {"translator": "ruthus"},
    "ru-5-6": {
        "title": "Правила игры для пятерых и шестерых участников",
        "publisher": "teletype.in",
    },
    "pl": {"publisher": "HISTORY"},
    "ja": {"program": "Tabletop Simulator", "publisher": "tabitter.net"},
    "it": {"translator": "Signor Darcy", "publisher": "La Tana dei Goblin"},
}
_DOCUMENTS: Final = {
    "en": gettext_lazy("The final rules of 2016, as English speakers play them."),
    "ru": gettext_lazy(
        "The full Russian rules, translated by {translator}. They follow the final rules of 2016."
    ),
    "ru-5-6": gettext_lazy(
        "The Russian “{title}”, published on {publisher} on 11 June 2020: a free retelling for "
        "five or six players, with rules of its own. We don’t know who wrote it."
    ),
    "pl": gettext_lazy(
        "The Polish edition of the {publisher} channel, to be printed at home. It follows the "
        "final rules of 2016."
    ),
    "ja": gettext_lazy(
        "The Japanese translation for {program}, published on {publisher} in January 2016. It "
        "follows the early print-and-play rules. We don’t know who translated it."
    ),
    "it": gettext_lazy(
        "The Italian rulebook by {translator}, from {publisher}. It follows the early "
        "print-and-play rules."
    ),
}
# Slips that several documents share.
_KNOWS_NO_ONE: Final = gettext_lazy(
    "It says that Hitler doesn’t know the others. That’s true with seven players or more. "
    "With five or six, Hitler and the fascist know each other."
)
_POWER_EACH_TIME: Final = gettext_lazy(
    "It gives the President a power after every fascist policy. Only some spaces of the "
    "fascist track have one."
)
_SLIPS: Final = {
    # Both in the overview.
    "en": (_KNOWS_NO_ONE, _POWER_EACH_TIME),
    "ru": (
        gettext_lazy(
            "The document has the two policies handed over together to judge the Chancellor’s "
            "reaction. The original says the opposite: both at once, so that the President can’t "
            "judge it."
        ),
        _KNOWS_NO_ONE,
        gettext_lazy("It names an author “Voxleiter”. That’s Mike Boxleiter."),
        gettext_lazy("It has you shuffle the “bullet”. It means the draw pile."),
    ),
    "pl": (
        gettext_lazy(
            "The document gives the President the right to use a power. It’s a duty: here the "
            "game waits until the power is used."
        ),
        gettext_lazy(
            "It says that Hitler must still find out who supports him. With five or six players, "
            "Hitler knows the fascist from the start."
        ),
        _POWER_EACH_TIME,
    ),
    "ja": (
        gettext_lazy(
            "One sentence of the document has Hitler win as President. In the rest of it, and "
            "here, Hitler wins as Chancellor."
        ),
        gettext_lazy(
            "In one place it asks for half of the votes or more. We go by what it says of a tie: "
            "a tie rejects the government."
        ),
    ),
    "it": (
        gettext_lazy(
            "The document’s overview leaves out that Hitler’s election wins only after three "
            "fascist policies. Its list of endings has it, and so do we."
        ),
    ),
}
_PREVIOUS_ROUND: Final = {
    "ru-5-6": gettext_lazy(
        "The document limits the government of “the previous round”. Its round is a government, so "
        "a rejected one leaves the limits as they are. Otherwise chaos would have none to clear."
    ),
    "ja": gettext_lazy(
        "The document limits the pair of “the previous round”, and its rounds begin whenever the "
        "candidacy passes on. We read that as the previous candidacy, so a rejected government "
        "leaves no limits."
    ),
}
_CHAOS_FREES: Final = {
    "ja": gettext_lazy(
        "After chaos, the document makes everyone eligible “for the next round”. By our reading of "
        "“the previous round”, the limits are gone by then anyway."
    ),
    "it": gettext_lazy(
        "After chaos, the document makes everyone eligible “during the next election”. We read it "
        "as: chaos clears all limits, until another pair enacts a policy."
    ),
}
_GAME_OF_FIVE: Final = gettext_lazy(
    "The document limits only the last Chancellor in “a game of five”. We read it as a game that "
    "began with five players."
)
# One form everywhere: as the documents and the footer have it.
AUTHORS: Final = ("Mike Boxleiter", "Tommy Maranges", "Max Temkin", "Mac Schubert")


def document(edition: str) -> str:
    """Return which document an edition is based on, and who made it."""
    return str(_DOCUMENTS[edition]).format(**NAMES.get(edition, {}))


def questions(edition: str, options: Options) -> Chapter:
    """Return the chapter on the document's mistakes and gaps, and how the site decides them."""
    blocks: list[Block] = [
        Paragraph(
            "questions-why",
            _(
                "Every document has slips and leaves some questions open. Here’s what we found in "
                "this one, and how we decided."
            ),
        ),
    ]
    if slips := _SLIPS.get(edition):
        items = tuple(str(slip) for slip in slips)
        blocks.append(Steps("slips", items, (), _("Slips"), False))
    else:
        blocks.append(Paragraph("slips", _("We’ve found no slip in this document.")))
    blocks.append(Steps("open", _left_open(edition, options), _ABOUT_OPEN, _("Left open"), False))
    return Chapter("questions", _("Slips and open questions"), tuple(blocks), is_rules=False)


_ABOUT_OPEN: Final = (
    "limited",
    "limits_lapse",
    "small_table",
    "reshuffle",
    "players",
    "hitler_zone",
    "veto_zone",
)


def _left_open(edition: str, options: Options) -> tuple[str, ...]:
    told = []
    base = EDITIONS[edition]
    has_own_limits = (base.limited, base.limits_lapse) == (options.limited, options.limits_lapse)
    if edition in _PREVIOUS_ROUND and has_own_limits:
        told.append(str(_PREVIOUS_ROUND[edition]))
    if edition in _CHAOS_FREES and has_own_limits:
        told.append(str(_CHAOS_FREES[edition]))
    if edition == "it" and options.small_table is SmallTable.STARTED:
        told.append(str(_GAME_OF_FIVE))
    if options.limited is Limited.ENACTORS and not options.limits_lapse:
        told.append(
            _("After a veto the pair that enacted before stays limited: no other has since.")
        )
    if options.reshuffle is not Reshuffle.BEFORE_DRAW:
        told.append(
            _(
                "A session ends when a policy is enacted or a veto accepted. The shuffle at its "
                "end comes before any power is used."
            )
        )
    told += [
        _("If only the last Chancellor is limited and that Chancellor is dead, there’s no limit."),
        *_chaos_and_zones(options),
        _("You can’t nominate yourself, or use a power on yourself."),
        _("A candidate always has a player to nominate: the limits never rule everyone out."),
    ]
    return tuple(told)


def _chaos_and_zones(options: Options) -> tuple[str, ...]:
    if (options.hitler_zone, options.veto_zone) != (
        FASCIST_POLICIES_ARM_HITLER,
        FASCIST_POLICIES_UNLOCK_VETO,
    ):
        return ()
    return (
        _(
            "Chaos may enact the last policy of a side, and that side wins. It may enact the "
            "third fascist policy or the fifth, and what they bring takes effect."
        ),
    )


def credits_of(edition: str) -> Chapter:
    """Return the chapter that credits the authors of the game and of the document."""
    return Chapter(
        "credits",
        pgettext("rulebook", "Credits"),
        (
            Paragraph(
                "authors",
                _("{game} was created by {authors}, and is licensed under {licence}.").format(
                    game="Secret Hitler",
                    authors=wording.listed(AUTHORS),
                    licence="CC BY-NC-SA 4.0",
                ),
            ),
            Paragraph("source", document(edition)),
            Paragraph(
                "wording",
                _(
                    "The wording of this page is our own, built from the same data that runs the "
                    "game. You may use it under the same licence."
                ),
            ),
        ),
        is_rules=False,
    )
