"""The documents behind the editions: their origin, their mistakes and their gaps."""

from typing import Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext

from games import wording
from games.rules.editions import EDITIONS, Limited, Options

from .blocks import Block, Chapter, Paragraph, Steps

# Names as the documents print them; they are the same in every language.
NAMES: Final = {
    "ru": {"translator": "ruthus"},
    "ru-5-6": {"title": "Правила игры для пятерых и шестерых участников"},
    "pl": {"publisher": "HISTORY"},
    "ja": {"program": "Tabletop Simulator"},
    "it": {"translator": "Signor Darcy", "publisher": "La Tana dei Goblin"},
}
_DOCUMENTS: Final = {
    "en": gettext_lazy("The final rules of 2016, as English speakers play them."),
    "ru": gettext_lazy(
        "The full Russian rules, translated by {translator}. They follow the final rules of 2016."
    ),
    "ru-5-6": gettext_lazy(
        "The Russian “{title}” of 11 June 2020: a free retelling for five or six players, with "
        "rules of its own. We do not know who wrote it."
    ),
    "pl": gettext_lazy(
        "The Polish edition of the {publisher} channel, to be printed at home. It follows the "
        "final rules of 2016."
    ),
    "ja": gettext_lazy(
        "The Japanese translation for {program}, of January 2016. It follows the early "
        "print-and-play rules. We do not know who translated it."
    ),
    "it": gettext_lazy(
        "The Italian rulebook by {translator}, from {publisher}. It follows the early "
        "print-and-play rules."
    ),
}
_SLIPS: Final = {
    "ru": (
        gettext_lazy(
            "The document has the two policies handed over together so that the Chancellor’s "
            "reaction can be judged. In the original it is so that their order says nothing, and "
            "that is what happens here."
        ),
        gettext_lazy(
            "It says that Hitler does not know the others. That is so with seven players or more; "
            "with five or six, Hitler and the fascist know each other."
        ),
    ),
    "pl": (
        gettext_lazy(
            "The document gives the President the right to use a power. It is a duty: the game "
            "waits here until the power is used."
        ),
    ),
    "ja": (
        gettext_lazy(
            "One sentence of the document has Hitler win as President. Elsewhere in it, and here, "
            "it is as Chancellor."
        ),
        gettext_lazy(
            "It asks for half of the votes or more in one place. What it says of a tie decides: a "
            "tie rejects the government."
        ),
    ),
    "it": (
        gettext_lazy(
            "The document’s overview leaves out that Hitler’s election wins only after three "
            "fascist policies. Here it does only then."
        ),
    ),
}
_PREVIOUS_ROUND: Final = {
    "ru-5-6": gettext_lazy(
        "The document limits those of “the previous round”. Its round is a government, so a "
        "rejected one leaves the limits as they are: chaos would have none to clear otherwise."
    ),
    "ja": gettext_lazy(
        "The document limits those of “the previous round”, and its rounds begin whenever the "
        "candidacy passes on. So after a rejected government nobody is limited."
    ),
}
AUTHORS: Final = ("Mike Boxleiter", "Tommy Maranges", "Max Temkin", "Mackenzie Schubert")


def document(edition: str) -> str:
    """Return which document an edition is based on, and who made it."""
    return str(_DOCUMENTS[edition]).format(**NAMES.get(edition, {}))


def questions(edition: str, options: Options) -> Chapter:
    """Return the chapter on the document's mistakes and gaps, and how the site decides them."""
    blocks: list[Block] = [
        Paragraph(
            "questions-why",
            _(
                "Every document slips somewhere and leaves something open. This is what we found "
                "in this one, and how it is decided here."
            ),
        ),
    ]
    if slips := _SLIPS.get(edition):
        items = tuple(str(slip) for slip in slips)
        blocks.append(Steps("slips", items, (), _("Slips"), False))
    else:
        blocks.append(Paragraph("slips", _("We have found no slip in this document.")))
    blocks.append(Steps("open", _left_open(edition, options), _ABOUT_OPEN, _("Left open"), False))
    return Chapter("questions", _("Slips and open questions"), tuple(blocks), is_rules=False)


_ABOUT_OPEN: Final = ("limited", "limits_lapse", "small_table")


def _left_open(edition: str, options: Options) -> tuple[str, ...]:
    told = []
    base = EDITIONS[edition]
    has_own_limits = (base.limited, base.limits_lapse) == (options.limited, options.limits_lapse)
    if edition in _PREVIOUS_ROUND and has_own_limits:
        told.append(str(_PREVIOUS_ROUND[edition]))
    if options.limited is Limited.ENACTORS and not options.limits_lapse:
        told.append(
            _("After a veto those who enacted before stay limited: nobody has enacted since.")
        )
    told += [
        _(
            "A session ends when a policy is enacted or a veto accepted, and what is shuffled "
            "then is shuffled before a power is used."
        ),
        _("Where only the last Chancellor is limited and that Chancellor is dead, nobody is."),
        _(
            "Chaos may enact the last policy of a side, and that side wins. It may enact the "
            "third fascist policy or the fifth, and what they bring takes effect."
        ),
        _(
            "Nobody nominates, investigates or executes themselves, or calls a special election "
            "for themselves."
        ),
        _("A candidate never runs out of people to nominate: the limits always leave somebody."),
    ]
    return tuple(told)


def credits_of(edition: str) -> Chapter:
    """Return the chapter that credits the authors of the game and of the document."""
    return Chapter(
        "credits",
        pgettext("rulebook", "Whose work this is"),
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
                    "The wording of this page is our own, made from the same data that the game "
                    "is played by. It is offered under the same licence."
                ),
            ),
        ),
        is_rules=False,
    )
