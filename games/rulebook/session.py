"""The legislative session: cards, silence, and the veto."""

from typing import Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext

from games.rules.components import FASCIST_POLICIES_TO_WIN, FASCIST_POLICIES_UNLOCK_VETO
from games.rules.editions import Options, Reshuffle, Silence, TrackerReset

from .blocks import Block, Chapter, Paragraph, Steps
from .lineage import Lineage, lineage_of

_RESHUFFLE: Final = {
    Reshuffle.SESSION_END_AND_CHAOS: gettext_lazy(
        "A draw pile of fewer than three policies is shuffled with the discards at the end of a "
        "session, before any power is used, and after chaos."
    ),
    Reshuffle.SESSION_END: gettext_lazy(
        "A draw pile of fewer than three policies is shuffled with the discards at the end of a "
        "session, before any power is used. After chaos it isn’t: the rest of the pile stays for "
        "the next chaos."
    ),
    Reshuffle.BEFORE_DRAW: gettext_lazy(
        "A draw pile of fewer than three policies is shuffled with the discards only when a "
        "President is about to draw or peek. Until then it stays as it is."
    ),
}
_SILENCE: Final = {
    Silence.PAIR: gettext_lazy(
        "From the draw on, the President and the Chancellor can’t talk to each other. They can "
        "talk to the other players, and the others can talk."
    ),
    Silence.TABLE: gettext_lazy("From the draw on, the whole table is silent."),
    Silence.GOVERNMENT: gettext_lazy(
        "From the draw on, the President and the Chancellor can’t talk to anyone. The other "
        "players can."
    ),
}
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
        "An accepted veto adds nothing to the election tracker, which the election returned to 0."
    ),
}


def _deliberate(edition: str) -> tuple[Paragraph, ...]:
    """Return how policies are chosen and handed over. Only the final rules say it."""
    if lineage_of(edition) is not Lineage.FINAL:
        return ()
    return (
        Paragraph(
            "deliberate",
            _(
                "Choose your discard on purpose: don’t draw it at random, and don’t shuffle or "
                "rearrange the policies. The President hands both policies over together, so as "
                "not to judge the Chancellor’s reaction to one of them."
            ),
        ),
    )


def session(edition: str, options: Options) -> Chapter:
    return Chapter(
        "session",
        pgettext("rulebook", "The legislative session"),
        (
            Steps(
                "session-steps",
                (
                    _("The President draws three policies and discards one, face down."),
                    _("The Chancellor gets the other two and discards one, face down."),
                    _("The Chancellor enacts the last one: it goes on its track, face up."),
                ),
            ),
            *_deliberate(edition),
            Paragraph(
                "discards",
                _(
                    "Never show the discards or their order. What the two say about their policies "
                    "may be a lie."
                ),
            ),
            Paragraph(
                "order-here",
                _("The Chancellor gets both policies together, in an order that says nothing."),
                is_of_site=True,
            ),
            Paragraph("reshuffle", str(_RESHUFFLE[options.reshuffle]), ("reshuffle",)),
            Paragraph(
                "reshuffle-else",
                _(
                    "You never draw or peek from fewer than three: the pile is shuffled first. "
                    "Chaos takes the top policy of what’s left, and only an empty pile is shuffled "
                    "for it. Don’t show the policies that are left when you shuffle."
                ),
            ),
        ),
    )


def _gestures(edition: str) -> tuple[Paragraph, ...]:
    if lineage_of(edition) is not Lineage.FINAL:
        return ()
    return (Paragraph("gestures", _("Gestures, nods and other signals count as talk too.")),)


def silence(edition: str, options: Options) -> Chapter:
    about = ("silence",)
    return Chapter(
        "silence",
        pgettext("rulebook", "Silence"),
        (
            Paragraph("silence-who", str(_SILENCE[options.silence]), about),
            *_gestures(edition),
            Paragraph(
                "silence-end",
                _(
                    "The silence ends with the session, when a policy is enacted or a veto "
                    "accepted. After that, say what you like about it."
                ),
            ),
            Paragraph("silence-here", str(_SILENCE_HERE[options.silence]), about, is_of_site=True),
        ),
    )


def veto(options: Options) -> Chapter:
    about = ("tracker_resets_on", "veto_advances_tracker")
    key = options.tracker_resets_on, options.veto_advances_tracker
    blocks: list[Block] = [
        Paragraph("veto-how", _veto_how(options), ("veto_zone",)),
        Paragraph("veto-tracker", str(_VETO_TRACKER[key]), about),
    ]
    if key == (TrackerReset.POLICY, True):
        blocks.append(_veto_and_chaos(options))
    return Chapter("veto", pgettext("rulebook", "Veto"), tuple(blocks))


def _veto_how(options: Options) -> str:
    if options.veto_zone == FASCIST_POLICIES_UNLOCK_VETO:
        return _(
            "After the fifth fascist policy, a Chancellor who holds two policies may propose "
            "a veto. If the President consents, both are discarded and the President placard "
            "moves on. If not, the Chancellor must enact one, and can’t propose a veto again "
            "in this session."
        )
    if options.veto_zone == FASCIST_POLICIES_TO_WIN:
        return _("By these house rules there’s no veto.")
    told = _(
        "From fascist policy {number} on, a Chancellor who holds two policies may propose a veto. "
        "If the President consents, both are discarded and the President placard moves on. If "
        "not, the Chancellor must enact one, and can’t propose a veto again in this session."
    )
    return told.format(number=options.veto_zone)


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
