"""What officers say in set words, and what players answer truly: for log, table, buttons and book.

The words are our own: they say formally what the formulas of the documents say. Each language puts
its own terms into them, and so does an edition that has its own catalog.

They end without a full stop: languages differ in where it stands beside a closing quotation mark.
"""

from typing import Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext, pgettext_lazy

from games.rules.editions import Formula, Options
from games.rules.truth import Answer

from .sentences import Speech

_FORMULAS: Final = {
    Formula.VETO_CHANCELLOR: pgettext_lazy("formula", "President, I move that we veto this agenda"),
    Formula.VETO_PRESIDENT: pgettext_lazy("formula", "I consent to the veto of this agenda"),
    Formula.EXECUTION: pgettext_lazy("formula", "{target}, I hereby formally execute you"),
    Formula.INVESTIGATION: pgettext_lazy(
        "formula", "{target}, I hereby formally investigate your loyalty"
    ),
}
# The sentences of the book that quote them.
_PRESCRIBED: Final = {
    Formula.VETO_CHANCELLOR: gettext_lazy("A Chancellor who proposes a veto says: “{words}.”"),
    Formula.VETO_PRESIDENT: gettext_lazy("A President who consents to a veto says: “{words}.”"),
    Formula.EXECUTION: gettext_lazy("A President who executes a player says: “{words}.”"),
    Formula.INVESTIGATION: gettext_lazy("A President who investigates a player says: “{words}.”"),
}


def is_spoken(formula: Formula, options: Options | None) -> bool:
    """Return whether an officer says this formula under these options."""
    return options is not None and formula in options.spoken_formula


def spoken(speech: Speech, formula: Formula, target: int | None = None) -> str:
    """Return the words of a formula, to the player at seat `target` if it is said to one."""
    words = str(_FORMULAS[formula])
    return speech.say(words) if target is None else speech.say(words, target=speech.name(target))


def set_words(formula: Formula) -> str:
    """Return the words of a formula before it is known to which player they will be said."""
    return str(_FORMULAS[formula]).format(target=pgettext("formula", "[player]"))


def prescribed(formula: Formula) -> str:
    """Return who says a formula on which occasion, and its words, as a sentence of the book."""
    return str(_PRESCRIBED[formula]).format(words=set_words(formula))


# The moment of truth: whether a player is Hitler is asked and answered in front of everyone, and
# the answer is true.


def hitler_question(speech: Speech, answer: Answer) -> str:
    """Return the question that was answered: to a new Chancellor, or to an executed player."""
    name = speech.name(answer.seat)
    if answer.is_chancellor:
        return speech.say(_("Chancellor {name}, are you Hitler?"), name=name)
    return speech.say(_("{name}, are you Hitler?"), name=name)


def hitler_answer(answer: Answer) -> str:
    """Return the words of the answer."""
    return _("Yes, I am Hitler") if answer.is_hitler else _("No, I am not Hitler")


def hitler_asked(speech: Speech, answer: Answer) -> str:
    """Return question and answer in one line."""
    return speech.say(
        pgettext("question and answer", "“{question}” – “{answer}.”"),
        question=hitler_question(speech, answer),
        answer=hitler_answer(answer),
    )


def not_hitler_badge() -> str:
    """Return the name of the badge that a Chancellor who answered no may wear."""
    return pgettext("badge", "Not Hitler")
