"""The legislative session: cards, silence, and the veto.

The words of each edition are those of its document. What a document leaves open stands in a
paragraph of its own, whose key ends in "-open".
"""

from typing import Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext

from games import wording
from games.rules.components import FASCIST_POLICIES_TO_WIN, FASCIST_POLICIES_UNLOCK_VETO
from games.rules.editions import Options, Reshuffle, Silence, TrackerReset

from .blocks import Block, Chapter, Paragraph, Steps
from .telling import NOTHING, WordsOf, rule, told, told_alone, without_empty

# The session --------------------------------------------------------------------------------------

_CHANCELLOR_DISCARDS: Final = gettext_lazy(
    "The Chancellor gets the other two, looks at them in secret and discards one."
)
_CHANCELLOR_ENACTS: Final = gettext_lazy(
    "The Chancellor enacts the last one: it goes on its track, face up."
)
_PRESIDENT_LOOKS: Final = gettext_lazy(
    "The President draws three policies, looks at them in secret and discards one, face down."
)
_SESSION: Final = {
    "en": (
        gettext_lazy("The President draws three policies and discards one, face down."),
        gettext_lazy("The Chancellor gets the other two and discards one, face down."),
        _CHANCELLOR_ENACTS,
    ),
    "ru": (_PRESIDENT_LOOKS, _CHANCELLOR_DISCARDS, _CHANCELLOR_ENACTS),
    "ru-5-6": (
        gettext_lazy(
            "The President draws three policies, looks at them in secret and discards one."
        ),
        _CHANCELLOR_DISCARDS,
        gettext_lazy("The Chancellor enacts the last one: it goes on its track."),
    ),
    "pl": (
        _PRESIDENT_LOOKS,
        gettext_lazy(
            "The Chancellor gets the other two, looks at them in secret and discards one, face "
            "down."
        ),
        _CHANCELLOR_ENACTS,
    ),
    "it": (_PRESIDENT_LOOKS, _CHANCELLOR_DISCARDS, _CHANCELLOR_ENACTS),
}
_ALSO_FACE_DOWN: Final = gettext_lazy("The Chancellor’s discard lies face down too.")
_SESSION_OPEN: Final[WordsOf] = {
    "en": "",
    "ru": _ALSO_FACE_DOWN,
    "ru-5-6": gettext_lazy("Discards lie face down, and enacted policies face up."),
    "it": _ALSO_FACE_DOWN,
}
_DELIBERATE: Final[WordsOf] = {
    "en": gettext_lazy(
        "Choose your discard on purpose: don’t draw it at random, and don’t shuffle or rearrange "
        "the policies. The President hands both policies over together, so as not to judge the "
        "Chancellor’s reaction to one of them."
    ),
    "ru": gettext_lazy(
        "Choose in secret and on purpose what to discard: don’t draw it at random, and don’t "
        "shuffle the policies first. Odd ways of choosing spoil the spirit of the game. The "
        "President hands both policies over together."
    ),
    "pl": gettext_lazy(
        "Choose your discard on purpose: don’t draw it at random, don’t shuffle or rearrange the "
        "policies, and don’t steer the choice in secret in any other way. The President hands both "
        "policies over together, so as not to prompt the Chancellor’s choice."
    ),
    "ru-5-6": "",
    "ja": "",
    "it": "",
}
_WORD_OF_THE_TWO: Final = gettext_lazy(
    "Never show the discards. You can only go by what the two say, and they may lie."
)
_DISCARDS: Final[WordsOf] = {
    "en": gettext_lazy(
        "Never show the discards or their order. What the two say about their policies may be a "
        "lie."
    ),
    "ru": _WORD_OF_THE_TWO,
    "ru-5-6": gettext_lazy(
        "After the policy is enacted, the two may tell what they got and discarded, if they like "
        "or when asked. They may lie."
    ),
    "pl": _WORD_OF_THE_TWO,
    "ja": _WORD_OF_THE_TWO,
    "it": _WORD_OF_THE_TWO,
}
_ORDER_SECRET: Final = gettext_lazy("Their order stays secret too.")
_DISCARDS_OPEN: Final[WordsOf] = {
    "en": "",
    "ru": _ORDER_SECRET,
    "ru-5-6": gettext_lazy("Never show the discards or their order."),
    "pl": _ORDER_SECRET,
    "ja": _ORDER_SECRET,
    "it": _ORDER_SECRET,
}
_RESHUFFLE: Final[dict[Reshuffle, WordsOf]] = {
    Reshuffle.SESSION_END_AND_CHAOS: {
        "en": gettext_lazy(
            "A draw pile of fewer than three policies is shuffled with the discards at the end of "
            "a session, before any power is used, and after chaos."
        ),
        "ru": gettext_lazy(
            "A draw pile of fewer than three policies is shuffled with the discards at the end of "
            "a session and after chaos."
        ),
    },
    Reshuffle.SESSION_END: {
        "en": gettext_lazy(
            "A draw pile of fewer than three policies is shuffled with the discards at the end of "
            "a session."
        )
    },
    Reshuffle.BEFORE_DRAW: {
        "en": gettext_lazy(
            "A draw pile of fewer than three policies is shuffled with the discards only when a "
            "President is about to draw."
        )
    },
}
_BEFORE_POWERS: Final = gettext_lazy("The shuffle comes before any power is used.")
_RESHUFFLE_OPEN: Final[dict[Reshuffle, WordsOf]] = {
    Reshuffle.SESSION_END_AND_CHAOS: {"en": "", "ru": _BEFORE_POWERS},
    Reshuffle.SESSION_END: {
        "en": (
            _BEFORE_POWERS,
            gettext_lazy(
                "After chaos the pile isn’t shuffled: the rest of it stays for the next chaos."
            ),
        )
    },
    Reshuffle.BEFORE_DRAW: {
        "en": gettext_lazy("The same goes for a peek. Until then the pile stays as it is.")
    },
}
_SHUFFLE_IN: Final = gettext_lazy(
    "Don’t show the policies that are left, and don’t just put them on top of the new pile: "
    "shuffle them in."
)
_LEFT: Final[WordsOf] = {
    "en": gettext_lazy("Don’t show the policies that are left when you shuffle."),
    "ru": _SHUFFLE_IN,
    "ru-5-6": "",
    "pl": _SHUFFLE_IN,
    "it": _SHUFFLE_IN,
}

# Silence ------------------------------------------------------------------------------------------

_SACRED: Final = gettext_lazy(
    "The legislative session is sacred: from the draw on, the President and the Chancellor can’t "
    "talk to anyone."
)
_NO_COMMUNICATION: Final = gettext_lazy(
    "During the session, any communication between the President and the Chancellor is forbidden."
)
_WHOLE_TABLE: Final = gettext_lazy("From the draw on, the whole table is silent.")
_SILENCE: Final[dict[Silence, WordsOf]] = {
    Silence.PAIR: {
        "en": gettext_lazy(
            "From the draw on, the President and the Chancellor can’t talk to each other."
        ),
        "ru": _NO_COMMUNICATION,
        "pl": _NO_COMMUNICATION,
    },
    Silence.TABLE: {
        "en": _WHOLE_TABLE,
        "ru-5-6": gettext_lazy(
            "Policies are enacted in absolute silence. During the session the President may give "
            "the Chancellor no message, in words or without."
        ),
    },
    Silence.GOVERNMENT: {
        "en": gettext_lazy(
            "From the draw on, the President and the Chancellor can’t talk to anyone."
        ),
        "ja": _SACRED,
        "it": _SACRED,
    },
}
_SILENCE_OPEN: Final[dict[Silence, WordsOf]] = {
    Silence.PAIR: {
        "en": gettext_lazy("They can talk to the other players, and the others can talk.")
    },
    Silence.TABLE: {"en": "", "ru-5-6": _WHOLE_TABLE},
    Silence.GOVERNMENT: {"en": gettext_lazy("The other players can talk.")},
}
_GESTURES: Final[WordsOf] = {
    "en": gettext_lazy("Gestures, nods and other signals count as talk too."),
    "ru": "",
    "ru-5-6": "",
    "pl": gettext_lazy(
        "Hinting at policies by gesture or manner is against the spirit of the game, and forbidden."
    ),
    "ja": "",
    "it": "",
}
_SILENCE_ENDS: Final = gettext_lazy(
    "The silence ends with the session, when a policy is enacted or a veto accepted."
)
_SILENCE_LASTS: Final = gettext_lazy("The silence lasts until a policy is enacted.")
_SAY_WHAT_YOU_LIKE: Final = gettext_lazy("After that, say what you like about it.")
_SILENCE_END: Final[WordsOf] = {
    "en": (_SILENCE_ENDS, _SAY_WHAT_YOU_LIKE),
    "ru": _SILENCE_ENDS,
    "ru-5-6": _SILENCE_ENDS,
    "pl": _SILENCE_ENDS,
    "ja": (_SILENCE_LASTS, _SAY_WHAT_YOU_LIKE),
    "it": (_SILENCE_LASTS, _SAY_WHAT_YOU_LIKE),
}
_VETO_ENDS_IT: Final = gettext_lazy("An accepted veto ends the silence too.")
_SILENCE_END_OPEN: Final[WordsOf] = {"en": "", "ja": _VETO_ENDS_IT, "it": _VETO_ENDS_IT}
_AFTER_SILENCE: Final[WordsOf] = {"en": "", "ru": _SAY_WHAT_YOU_LIKE, "pl": _SAY_WHAT_YOU_LIKE}
_SILENCE_HERE: Final = {
    Silence.PAIR: gettext_lazy(
        "Every player at the table reads the chat, so these two can’t write anything until the "
        "session is over."
    ),
    Silence.TABLE: gettext_lazy(
        "Until the session is over, living players can’t write in the table’s chat."
    ),
    Silence.GOVERNMENT: gettext_lazy(
        "Until the session is over, these two can’t write in the table’s chat."
    ),
}

# The veto -----------------------------------------------------------------------------------------

_EVERY_SESSION: Final = gettext_lazy(
    "In every session after the fifth fascist policy, a Chancellor who holds two policies may "
    "propose a veto."
)
# By whether it is unlocked by the fifth fascist policy, as in every edition.
_VETO: Final[dict[bool, WordsOf]] = {
    True: {
        "en": gettext_lazy(
            "After the fifth fascist policy, a Chancellor who holds two policies may propose a "
            "veto."
        ),
        "ru": _EVERY_SESSION,
        "ru-5-6": gettext_lazy(
            "After the fifth fascist policy, every government has the right of veto: a Chancellor "
            "who holds two policies may veto instead of enacting one."
        ),
        "pl": _EVERY_SESSION,
    },
    False: {
        "en": gettext_lazy(
            "From fascist policy {number} on, a Chancellor who holds two policies may propose a "
            "veto."
        )
    },
}
_CONSENT: Final = gettext_lazy(
    "If the President consents, both are discarded and the President placard moves on. If not, the "
    "Chancellor must enact one of the two."
)
_ALL_THREE_GONE: Final = gettext_lazy(
    "If the President consents, both are discarded, so all three policies drawn are gone, and the "
    "President placard moves on. If not, the Chancellor must enact one of the two."
)
_VETO_ANSWER: Final[WordsOf] = {
    "en": _CONSENT,
    "ru": _ALL_THREE_GONE,
    "ru-5-6": gettext_lazy(
        "If the President confirms it, nothing is enacted and both are discarded. If the President "
        "overcomes it, the Chancellor must enact one and discard the other."
    ),
    "pl": _ALL_THREE_GONE,
}
_INACTIVE: Final = gettext_lazy(
    "A veto shows a government that doesn’t act, so it moves the election tracker by one."
)
# By what resets the tracker, and whether a veto advances it.
_VETO_TRACKER: Final[dict[tuple[TrackerReset, bool], WordsOf]] = {
    (TrackerReset.POLICY, True): {
        "en": gettext_lazy(
            "An accepted veto advances the election tracker like a rejected government. If that "
            "makes three, chaos follows at once."
        ),
        "ru": _INACTIVE,
        "pl": gettext_lazy(
            "A veto costs the government the initiative, so it moves the election tracker by one."
        ),
    },
    (TrackerReset.POLICY, False): {
        "en": gettext_lazy("An accepted veto leaves the election tracker where it stands.")
    },
    (TrackerReset.ELECTION, True): {
        "en": gettext_lazy(
            "An accepted veto advances the election tracker. The election had just returned it to "
            "0, so it stands at 1 then."
        ),
        "ja": _INACTIVE,
        "it": _INACTIVE,
    },
    (TrackerReset.ELECTION, False): {
        "en": gettext_lazy(
            "An accepted veto adds nothing to the election tracker, which the election returned to "
            "0."
        )
    },
}
_ONLY_ACCEPTED: Final = gettext_lazy("Only an accepted veto counts.")
_THREE: Final = (_ONLY_ACCEPTED, gettext_lazy("If that makes three, chaos follows at once."))
_ONE: Final = (
    _ONLY_ACCEPTED,
    gettext_lazy("The election had just returned the tracker to 0, so it stands at 1 then."),
)
_VETO_TRACKER_OPEN: Final[dict[tuple[TrackerReset, bool], WordsOf]] = {
    (TrackerReset.POLICY, True): {"en": "", "ru": _THREE, "pl": _THREE},
    (TrackerReset.POLICY, False): NOTHING,
    (TrackerReset.ELECTION, True): {"en": "", "ja": _ONE, "it": _ONE},
    (TrackerReset.ELECTION, False): NOTHING,
}


def session(edition: str, options: Options) -> Chapter:
    return Chapter(
        "session",
        _("The legislative session"),
        without_empty(
            Steps("session-steps", told_alone(_SESSION, edition)),
            Paragraph("session-open", told(_SESSION_OPEN, edition)),
            Paragraph("deliberate", told(_DELIBERATE, edition)),
            Paragraph("discards", told(_DISCARDS, edition)),
            Paragraph("discards-open", told(_DISCARDS_OPEN, edition)),
            Paragraph(
                "order-here",
                _("The Chancellor gets both policies together, in an order that says nothing."),
                is_of_site=True,
            ),
            *rule(
                edition,
                "reshuffle",
                told(_RESHUFFLE[options.reshuffle], edition),
                told(_RESHUFFLE_OPEN[options.reshuffle], edition),
                ("reshuffle",),
            ),
            Paragraph("reshuffle-left", told(_LEFT, edition)),
            Paragraph(
                "reshuffle-else",
                _(
                    "You never draw or peek from fewer than three: the pile is shuffled first. "
                    "Chaos takes the top policy of what’s left, and only an empty pile is shuffled "
                    "for it."
                ),
            ),
        ),
    )


def silence(edition: str, options: Options) -> Chapter:
    about = ("silence",)
    return Chapter(
        "silence",
        pgettext("option", "Silence"),
        without_empty(
            *rule(
                edition,
                "silence-who",
                told(_SILENCE[options.silence], edition),
                told(_SILENCE_OPEN[options.silence], edition),
                about,
            ),
            Paragraph("gestures", told(_GESTURES, edition)),
            Paragraph("silence-end", told(_SILENCE_END, edition)),
            Paragraph("silence-end-open", told(_SILENCE_END_OPEN, edition)),
            Paragraph("after-silence", told(_AFTER_SILENCE, edition)),
            Paragraph("silence-here", str(_SILENCE_HERE[options.silence]), about, is_of_site=True),
        ),
    )


def veto(edition: str, options: Options) -> Chapter:
    if options.veto_zone == FASCIST_POLICIES_TO_WIN:
        how: tuple[Block, ...] = (
            Paragraph("veto-how", _("By these house rules there’s no veto."), ("veto_zone",)),
        )
    else:
        as_printed = options.veto_zone == FASCIST_POLICIES_UNLOCK_VETO
        unlocked = told(_VETO[as_printed], edition).format(number=options.veto_zone)
        how = rule(
            edition,
            "veto-how",
            wording.together((unlocked, told(_VETO_ANSWER, edition))),
            _("A veto can’t be proposed again in the same session."),
            ("veto_zone",),
        )
    about = ("tracker_resets_on", "veto_advances_tracker")
    key = options.tracker_resets_on, options.veto_advances_tracker
    return Chapter(
        "veto",
        pgettext("rulebook", "Veto"),
        without_empty(
            *how,
            Paragraph("veto-tracker", told(_VETO_TRACKER[key], edition), about),
            Paragraph("veto-tracker-open", told(_VETO_TRACKER_OPEN[key], edition), about),
            Paragraph(
                "veto-chaos",
                _veto_and_chaos(options) if key == (TrackerReset.POLICY, True) else "",
                (*about, "reshuffle"),
            ),
        ),
    )


def _veto_and_chaos(options: Options) -> str:
    if options.reshuffle is Reshuffle.BEFORE_DRAW:
        return _(
            "When a veto brings chaos, the two policies go to the discards first. Then the top of "
            "what is left is enacted."
        )
    return _(
        "When a veto brings chaos, the two policies go to the discards first, and a pile of fewer "
        "than three is shuffled with them. Then its top policy is enacted."
    )
