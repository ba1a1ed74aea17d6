"""The words of the presidential powers. Each power is one entry in `WORDS`."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

from django.utils.functional import Promise
from django.utils.html import conditional_escape
from django.utils.safestring import mark_safe
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext_lazy

from games.rules.components import Party
from games.rules.editions import Formula, Options
from games.rules.powers import (
    POWERS,
    Aim,
    Executed,
    Investigated,
    Peeked,
    Power,
    PowerUsed,
    SpecialElection,
    power_of,
)
from games.rules.truth import Answer

from .formulas import hitler_asked, spoken
from .sentences import Speech

Text = str | Promise


@dataclass(frozen=True, slots=True)
class Told:
    """The use of a power, as the log tells it."""

    speech: Speech
    president: str
    options: Options | None
    # Whether the game goes on after it.
    game_goes_on: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class PowerWords:
    """All words of one power."""

    name: Text
    # The label of the decision that the game waits for.
    phase: Text
    # What the power does, for the table and for the rulebook.
    explained: Text
    rule: Text
    # What the President must do, above the table; with the President's %(name)s.
    headline: Text
    # The President's form.
    title: Text
    help: Text
    # The button of a power that needs no seat.
    button: Text = ""
    # Returns the sentence of the log. It takes the event of its own power.
    tell: Callable[[Told, Any], str]


def power(value: Power) -> str:
    """Return the name of a presidential power."""
    return str(WORDS[value].name)


def power_explained(value: Power) -> str:
    """Return what a presidential power does, as a sentence."""
    return str(WORDS[value].explained)


def power_headline(value: str, name: str) -> str:
    """Return what President `name` must do, where `value` is the phase. `name` is safe HTML."""
    sentence = str(WORDS[Power(value)].headline)
    # Message catalogs are trusted, as in templates.
    return mark_safe(sentence % {"name": conditional_escape(name)})  # noqa: S308


def power_rule(value: Power) -> str:
    """Return the rule of a presidential power, as a paragraph of the rulebook."""
    return str(WORDS[value].rule)


@dataclass(frozen=True, slots=True)
class PowerForm:
    """The form with which a President uses a power."""

    icon: str
    title: str
    help: str
    button: str
    has_target: bool
    is_grave: bool


def power_form(value: str) -> PowerForm:
    """Return the form for the power that is the phase of the game."""
    words, entry = WORDS[Power(value)], POWERS[Power(value)]
    return PowerForm(
        entry.icon,
        str(words.title),
        str(words.help),
        str(words.button),
        entry.has_target,
        entry.aim is Aim.ELIMINATE,
    )


def tell_power(
    speech: Speech, actor: int, event: PowerUsed, options: Options | None, game_goes_on: bool
) -> str:
    """Return the sentence of the log for the use of a power by seat `actor`."""
    told = Told(speech, speech.name(actor), options, game_goes_on)
    return WORDS[power_of(event)].tell(told, event)


_INVESTIGATED: Final = {
    None: gettext_lazy(
        "President {president} looks at the <investigation>party membership</investigation> of "
        "{target}."
    ),
    Party.LIBERAL: gettext_lazy(
        "President {president} looks at the <investigation>party membership</investigation> of "
        "{target}: liberal."
    ),
    Party.FASCIST: gettext_lazy(
        "President {president} looks at the <investigation>party membership</investigation> of "
        "{target}: fascist."
    ),
}


def _investigated(told: Told, event: Investigated) -> str:
    speech, target = told.speech, told.speech.name(event.target)
    sentence = speech.say(str(_INVESTIGATED[event.party]), president=told.president, target=target)
    words = spoken(speech, Formula.INVESTIGATION, told.options, event.target)
    if not words:
        return sentence
    said = speech.say(_("President {president}: “{words}.”"), president=told.president, words=words)
    return speech.both(said, sentence)


def _special_election(told: Told, event: SpecialElection) -> str:
    return told.speech.say(
        _(
            "President {president} calls a <special-election>special election</special-election> "
            "and chooses {target} as presidential candidate."
        ),
        president=told.president,
        target=told.speech.name(event.target),
    )


def _peeked(told: Told, event: Peeked) -> str:
    if event.policies is None:
        return told.speech.say(
            _("President {president} <peek>peeks</peek> at the top three policies."),
            president=told.president,
        )
    return told.speech.say(
        _("President {president} <peek>peeks</peek> at the top three policies: {policies}."),
        president=told.president,
        policies=told.speech.policies(event.policies),
    )


# Without set words. The bullet is a part of one edition's box.
_EXECUTED: Final = {
    "": gettext_lazy("President {president} <execution>executes</execution> {target}."),
    "ru": gettext_lazy(
        "President {president} puts the bullet in front of {target}, who is "
        "<execution>executed</execution>."
    ),
}


def _executed(told: Told, event: Executed) -> str:
    speech, target = told.speech, told.speech.name(event.target)
    if words := spoken(speech, Formula.EXECUTION, told.options, event.target):
        sentence = speech.say(
            _("President {president} <execution>executes</execution> {target}: “{words}.”"),
            president=told.president,
            target=target,
            words=words,
        )
    else:
        edition = "" if told.options is None else told.options.edition
        sentence = speech.say(
            str(_EXECUTED.get(edition, _EXECUTED[""])), president=told.president, target=target
        )
    if told.game_goes_on and told.options is not None and told.options.executed_says_not_hitler:
        answer = Answer(event.target, is_chancellor=False, is_hitler=False)
        sentence = speech.both(sentence, hitler_asked(speech, answer, told.options))
    return sentence


WORDS: Final[dict[Power, PowerWords]] = {
    Power.INVESTIGATION: PowerWords(
        name=pgettext_lazy("power", "Investigation"),
        phase=pgettext_lazy("phase", "Investigation"),
        explained=gettext_lazy(
            "The President secretly sees the party membership of a player who hasn’t been "
            "investigated yet."
        ),
        rule=gettext_lazy(
            "The President picks another living player who hasn’t been investigated yet and "
            "alone sees their party, never their role: Hitler’s party is fascist. The "
            "President may lie about what they saw."
        ),
        headline=gettext_lazy("President %(name)s must investigate a player’s loyalty"),
        title=gettext_lazy("Investigate a player"),
        help=gettext_lazy(
            "Only you will see the party membership. What you say about it is up to you."
        ),
        tell=_investigated,
    ),
    Power.SPECIAL_ELECTION: PowerWords(
        name=pgettext_lazy("power", "Special election"),
        phase=pgettext_lazy("power", "Special election"),
        explained=gettext_lazy(
            "The President picks the next presidential candidate. After that election, the "
            "order carries on from where it was."
        ),
        rule=gettext_lazy(
            "The President picks the next presidential candidate: any other living player, "
            "term-limited or not. After that one election, the order carries on from the "
            "President who called it. If the pick was the player next in order, they run "
            "twice in a row."
        ),
        headline=gettext_lazy("President %(name)s must choose the next presidential candidate"),
        title=gettext_lazy("Call a special election"),
        help=gettext_lazy(
            "Pick the next presidential candidate, for one round. Term limits don’t matter."
        ),
        tell=_special_election,
    ),
    Power.PEEK: PowerWords(
        name=pgettext_lazy("power", "Policy peek"),
        phase=pgettext_lazy("power", "Policy peek"),
        explained=gettext_lazy(
            "The President looks at the top three policies of the draw pile. They stay in order."
        ),
        rule=gettext_lazy(
            "Only the President looks at the top three policies of the draw pile. They stay "
            "where they are, in the same order."
        ),
        headline=gettext_lazy("President %(name)s must look at the top three policies"),
        title=gettext_lazy("Peek at the policies"),
        help=gettext_lazy(
            "Only you see the top three policies. They stay where they are, in the same order."
        ),
        button=gettext_lazy("Look at them"),
        tell=_peeked,
    ),
    Power.EXECUTION: PowerWords(
        name=pgettext_lazy("power", "Execution"),
        phase=pgettext_lazy("power", "Execution"),
        explained=gettext_lazy(
            "The President executes a player, who’s out of the game. If it’s Hitler, the "
            "liberals win."
        ),
        rule=gettext_lazy(
            "The President executes another living player, who can no longer vote, hold "
            "office or talk to the living. If it was Hitler, the liberals win at once. If "
            "not, role and party stay secret."
        ),
        headline=gettext_lazy("President %(name)s must order an execution"),
        title=gettext_lazy("Order an execution"),
        help=gettext_lazy(
            "The player will be out of the game. If they’re Hitler, the liberals win."
        ),
        tell=_executed,
    ),
}
