"""What officers say in set words, and what players answer truly: for log, table, buttons and book.

In its own language, the set words of an edition are exactly those of its document. Acts for which
the document has none are said as in `en`, where a house rule wants words.

They end without a full stop: languages differ in where it stands beside a closing quotation mark.
"""

from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext, pgettext_lazy

from games.rules.editions import Formula, Options
from games.rules.truth import Answer

from .sentences import Speech

_FORMULAS: Final[dict[str, dict[Formula, Promise]]] = {
    "en": {
        Formula.VETO_CHANCELLOR: pgettext_lazy(
            "formula", "President, I move that we veto this agenda"
        ),
        Formula.VETO_PRESIDENT: pgettext_lazy("formula", "I consent to the veto of this agenda"),
        Formula.EXECUTION: pgettext_lazy("formula", "{target}, I hereby formally execute you"),
        Formula.INVESTIGATION: pgettext_lazy(
            "formula", "{target}, I hereby formally investigate your loyalty"
        ),
    },
    "ru": {
        Formula.VETO_CHANCELLOR: pgettext_lazy("formula of ru", "I want to veto"),
        Formula.VETO_PRESIDENT: pgettext_lazy("formula of ru", "I agree with the veto"),
    },
    "ru-5-6": {Formula.VETO_CHANCELLOR: pgettext_lazy("formula of ru-5-6", "I veto")},
    "pl": {
        Formula.VETO_CHANCELLOR: pgettext_lazy("formula of pl", "I want to veto this programme"),
        Formula.VETO_PRESIDENT: pgettext_lazy("formula of pl", "I consent to the veto"),
        Formula.EXECUTION: pgettext_lazy("formula of pl", "I carry out the execution of {target}"),
    },
    "ja": {
        Formula.VETO_CHANCELLOR: pgettext_lazy("formula of ja", "I want to invoke the veto"),
        Formula.EXECUTION: pgettext_lazy(
            "formula of ja", "By my lawful authority I execute {target}"
        ),
        Formula.INVESTIGATION: pgettext_lazy(
            "formula of ja", "By my lawful authority I investigate {target}"
        ),
    },
    "it": {
        Formula.VETO_CHANCELLOR: pgettext_lazy("formula of it", "I want to veto this agenda"),
        Formula.EXECUTION: pgettext_lazy("formula of it", "I formally execute {target}"),
        Formula.INVESTIGATION: pgettext_lazy("formula of it", "I formally question {target}"),
    },
}
# The sentences of the book that quote them.
_PRESCRIBED: Final = {
    Formula.VETO_CHANCELLOR: gettext_lazy("A Chancellor who proposes a veto says: “{words}.”"),
    Formula.VETO_PRESIDENT: gettext_lazy("A President who consents to a veto says: “{words}.”"),
    Formula.EXECUTION: gettext_lazy("A President who executes a player says: “{words}.”"),
    Formula.INVESTIGATION: gettext_lazy("A President who investigates a player says: “{words}.”"),
}
# A veto that needs no proposal.
_DECLARED_VETO: Final = {
    "ru-5-6": gettext_lazy("A Chancellor who declares a veto says: “{words}.”"),
}
# In these editions no one asks: a new Chancellor declares it, and an executed Hitler shows a card.
_UNASKED: Final = ("it",)
# By whether a Chancellor is meant, and whether they are Hitler.
_DECLARED: Final = {
    (True, True): gettext_lazy("Chancellor {name} declares: “I am Hitler.”"),
    (True, False): gettext_lazy("Chancellor {name} declares: “I am not Hitler.”"),
    (False, True): gettext_lazy("{name} shows the secret role card: Hitler."),
    (False, False): gettext_lazy("{name} declares: “I am not Hitler.”"),
}


def _words(formula: Formula, options: Options) -> str:
    own = _FORMULAS.get(options.edition, {})
    return str(own.get(formula) or _FORMULAS["en"][formula])


def spoken(
    speech: Speech, formula: Formula, options: Options | None, target: int | None = None
) -> str:
    """Return the words of a formula, with the player at seat `target` if it names one.

    It is "" where the officer does not say it.
    """
    if options is None or formula not in options.spoken_formula:
        return ""
    words = _words(formula, options)
    return speech.say(words) if target is None else speech.say(words, target=speech.name(target))


def set_words(formula: Formula, options: Options) -> str:
    """Return the words of a formula before it is known which player they will name."""
    return _words(formula, options).format(target=pgettext("formula", "[player]"))


def prescribed(formula: Formula, options: Options) -> str:
    """Return who says a formula on which occasion, and its words, as a sentence of the book."""
    sentence = _PRESCRIBED[formula]
    if formula is Formula.VETO_CHANCELLOR:
        sentence = _DECLARED_VETO.get(options.edition, sentence)
    return str(sentence).format(words=set_words(formula, options))


# The moment of truth: whether a player is Hitler comes out in front of everyone, and truly.


def hitler_question(speech: Speech, answer: Answer, options: Options | None) -> str:
    """Return the question to a new Chancellor or an executed player, or "" if no one asks."""
    if options is not None and options.edition in _UNASKED:
        return ""
    name = speech.name(answer.seat)
    if answer.is_chancellor:
        return speech.say(_("Chancellor {name}, are you Hitler?"), name=name)
    return speech.say(_("{name}, are you Hitler?"), name=name)


def hitler_answer(answer: Answer) -> str:
    """Return the words of the answer."""
    return _("Yes, I am Hitler") if answer.is_hitler else _("No, I am not Hitler")


def hitler_declared(speech: Speech, answer: Answer) -> str:
    """Return how it comes out where no one asks."""
    sentence = str(_DECLARED[answer.is_chancellor, answer.is_hitler])
    return speech.say(sentence, name=speech.name(answer.seat))


def hitler_asked(speech: Speech, answer: Answer, options: Options | None) -> str:
    """Return question and answer in one line."""
    question = hitler_question(speech, answer, options)
    if not question:
        return hitler_declared(speech, answer)
    return speech.say(
        pgettext("question and answer", "“{question}” – “{answer}.”"),
        question=question,
        answer=hitler_answer(answer),
    )


def not_hitler_badge() -> str:
    """Return the name of the badge that a Chancellor who answered no may wear."""
    return pgettext("badge", "Not Hitler")
