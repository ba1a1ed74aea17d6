"""The legislative session: cards, silence, and the veto."""

from typing import Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext

from games.rules.editions import Options, Reshuffle, Silence, TrackerReset

from .blocks import Block, Chapter, Paragraph, Steps

_RESHUFFLE: Final = {
    Reshuffle.SESSION_END_AND_CHAOS: gettext_lazy(
        "A draw pile of fewer than three policies is shuffled with the discards at the end of a "
        "session, before any power is used, and after chaos."
    ),
    Reshuffle.SESSION_END: gettext_lazy(
        "A draw pile of fewer than three policies is shuffled with the discards at the end of a "
        "session, before any power is used. After chaos it is not: what is left may serve the "
        "next chaos."
    ),
    Reshuffle.BEFORE_DRAW: gettext_lazy(
        "A draw pile of fewer than three policies is shuffled with the discards only when a "
        "President is about to draw or to peek. Until then it stays as it is."
    ),
}
_SILENCE: Final = {
    Silence.PAIR: gettext_lazy(
        "From the draw on, the President and the Chancellor may not talk to each other. "
        "Everybody else may talk, and they may talk to everybody else."
    ),
    Silence.TABLE: gettext_lazy("From the draw on, nobody at the table says a word."),
    Silence.GOVERNMENT: gettext_lazy(
        "From the draw on, the President and the Chancellor may talk to nobody. Everybody else "
        "may talk."
    ),
}
_SILENCE_HERE: Final = {
    Silence.PAIR: gettext_lazy(
        "Everything said at a table is heard by all of it, so these two cannot say anything "
        "until the session is over."
    ),
    Silence.TABLE: gettext_lazy(
        "Until the session is over, the living cannot say anything at the table."
    ),
    Silence.GOVERNMENT: gettext_lazy(
        "Until the session is over, these two cannot say anything at the table."
    ),
}
# By what resets the tracker, and whether a veto advances it.
_VETO_TRACKER: Final = {
    (TrackerReset.POLICY, True): gettext_lazy(
        "An accepted veto advances the election tracker like a rejected government. If that makes "
        "three, chaos follows at once."
    ),
    (TrackerReset.POLICY, False): gettext_lazy(
        "An accepted veto leaves the election tracker where it stands."
    ),
    (TrackerReset.ELECTION, True): gettext_lazy(
        "An accepted veto advances the election tracker. The election had just returned it to 0, "
        "so it stands at 1 then."
    ),
    (TrackerReset.ELECTION, False): gettext_lazy(
        "An accepted veto adds nothing to the election tracker, which the election had returned "
        "to 0."
    ),
}


def session(options: Options) -> Chapter:
    return Chapter(
        "session",
        pgettext("rulebook", "The legislative session"),
        (
            Steps(
                "session-steps",
                (
                    _("The President draws three policies and discards one, face down."),
                    _("The Chancellor gets the other two and discards one, face down."),
                    _("The last one is enacted: it goes to its track for all to see."),
                ),
            ),
            Paragraph(
                "discards",
                _(
                    "The discards are shown to nobody, and neither is their order. What the two "
                    "say about their policies may be a lie."
                ),
            ),
            Paragraph(
                "order-here",
                _("The two policies pass in an order that is always the same and tells nothing."),
                is_of_site=True,
            ),
            Paragraph("reshuffle", str(_RESHUFFLE[options.reshuffle]), ("reshuffle",)),
            Paragraph(
                "reshuffle-else",
                _(
                    "Nobody ever draws or peeks from fewer than three: the pile is shuffled "
                    "first. Chaos takes the top of what is left, and shuffles first only if "
                    "nothing is left."
                ),
            ),
        ),
    )


def silence(options: Options) -> Chapter:
    about = ("silence",)
    return Chapter(
        "silence",
        pgettext("rulebook", "Silence"),
        (
            Paragraph("silence-who", str(_SILENCE[options.silence]), about),
            Paragraph(
                "silence-end",
                _(
                    "It ends with the session, when a policy is enacted or a veto accepted. From "
                    "then on everybody may say what they like about it."
                ),
            ),
            Paragraph("silence-here", str(_SILENCE_HERE[options.silence]), about, is_of_site=True),
        ),
    )


def veto(options: Options) -> Chapter:
    about = ("tracker_resets_on", "veto_advances_tracker")
    key = options.tracker_resets_on, options.veto_advances_tracker
    blocks: list[Block] = [
        Paragraph(
            "veto-how",
            _(
                "After the fifth fascist policy, a Chancellor who holds two policies may propose "
                "a veto. If the President consents, both are discarded and the round is over. If "
                "not, the Chancellor must enact one, and cannot propose a veto again in this "
                "session."
            ),
        ),
        Paragraph("veto-tracker", str(_VETO_TRACKER[key]), about),
    ]
    if key == (TrackerReset.POLICY, True):
        blocks.append(_veto_and_chaos(options))
    return Chapter("veto", pgettext("rulebook", "Veto"), tuple(blocks))


def _veto_and_chaos(options: Options) -> Paragraph:
    if options.reshuffle is Reshuffle.BEFORE_DRAW:
        text = _(
            "When a veto brings chaos, the two policies go to the discards first. Then the top of "
            "what is left is enacted."
        )
    else:
        text = _(
            "When a veto brings chaos, the two policies go to the discards first, and a pile of "
            "fewer than three is shuffled with them. Then its top policy is enacted."
        )
    return Paragraph(
        "veto-chaos", text, ("tracker_resets_on", "veto_advances_tracker", "reshuffle")
    )
