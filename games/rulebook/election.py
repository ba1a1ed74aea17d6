"""A round, its election, and the election tracker."""

from typing import Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext

from games.rules.editions import Limited, Options, SmallTable, TrackerReset

from .blocks import Chapter, Paragraph, Steps

# By whose terms limit the nomination, and whether limits lapse.
_LIMITED: Final = {
    (Limited.ELECTED, False): gettext_lazy(
        "The President and the Chancellor of the last elected government are term-limited. A "
        "rejected government changes nothing: the limits stand until another is elected."
    ),
    (Limited.ELECTED, True): gettext_lazy(
        "The President and the Chancellor who were elected in the round just before are "
        "term-limited. If that round elected no government, nobody is."
    ),
    (Limited.ENACTORS, False): gettext_lazy(
        "The President and the Chancellor who last enacted a policy together are term-limited. A "
        "rejected government changes nothing: the limits stand until another pair enacts one."
    ),
    (Limited.ENACTORS, True): gettext_lazy(
        "The President and the Chancellor who enacted a policy in the round just before are "
        "term-limited. If that round enacted none, nobody is."
    ),
}
_AFTER_VETO: Final = {
    Limited.ELECTED: gettext_lazy(
        "A pair whose veto was accepted has held office, and is term-limited like any other."
    ),
    Limited.ENACTORS: gettext_lazy(
        "A pair whose veto was accepted has enacted nothing, and is not limited by it."
    ),
}
_SMALL_TABLE: Final = {
    SmallTable.ALIVE: gettext_lazy(
        "While five or fewer players are alive, only the last Chancellor is limited, and the last "
        "President may be nominated. This holds from the very next nomination."
    ),
    SmallTable.STARTED: gettext_lazy(
        "In a game that began with five players, only the last Chancellor is limited, and the "
        "last President may be nominated. A game that began with more never gets this exception, "
        "however many die."
    ),
}
_BADGE: Final = {
    True: gettext_lazy(
        "A Chancellor who is cleared like this wears a badge from then on that says so."
    ),
    False: gettext_lazy(
        "No badge is worn for it: at a real table, you have to remember who has been cleared."
    ),
}
_RESETS: Final = {
    TrackerReset.POLICY: gettext_lazy(
        "The tracker returns to 0 when a policy is enacted. The election of a government alone "
        "does not move it."
    ),
    TrackerReset.ELECTION: gettext_lazy(
        "The tracker returns to 0 as soon as a government is elected, before it has enacted "
        "anything."
    ),
}


def a_round(options: Options) -> Chapter:
    return Chapter(
        "round",
        pgettext("rulebook", "A round, step by step"),
        (
            Steps(
                "round-steps",
                (
                    _("The presidential candidate nominates a Chancellor."),
                    _("Everybody alive votes Ja or Nein."),
                    _(
                        "If the government is rejected, the election tracker advances, and the "
                        "round is over."
                    ),
                    _("If it is elected, the President and the Chancellor enact a policy."),
                    _("A fascist policy may give the President a power, which is used now."),
                    _("The candidacy passes to the next living player, and a new round begins."),
                ),
            ),
        ),
    )


def election(options: Options) -> Chapter:
    limits = ("limited", "limits_lapse")
    return Chapter(
        "election",
        pgettext("rulebook", "The election"),
        (
            Paragraph(
                "nomination",
                _(
                    "The presidential candidate nominates another living player as Chancellor: "
                    "anybody who is not term-limited."
                ),
            ),
            Paragraph("limits", str(_LIMITED[options.limited, options.limits_lapse]), limits),
            Paragraph("limits-veto", str(_AFTER_VETO[options.limited]), ("limited",)),
            Paragraph("small-table", str(_SMALL_TABLE[options.small_table]), ("small_table",)),
            Paragraph(
                "limits-else",
                _(
                    "Limits are about the Chancellor’s office only: anybody alive may be "
                    "presidential candidate. A dead officer’s limit passes to nobody, and chaos "
                    "clears all of them."
                ),
            ),
            Paragraph(
                "vote",
                _(
                    "Everybody alive votes, including the two candidates. The ballots are "
                    "revealed all at once and stay public. More than half of the living must "
                    "vote Ja: a tie rejects the government."
                ),
            ),
            Paragraph(
                "ballots-here",
                _(
                    "A ballot can be changed until the last one is cast. Until then nobody sees "
                    "any of them."
                ),
                is_of_site=True,
            ),
            Paragraph(
                "hitler-check",
                _(
                    "Once three fascist policies are enacted, every elected government is put to "
                    "the test. If the Chancellor is Hitler, the fascists win at once. If not, "
                    "everybody now knows that this Chancellor is not Hitler. A rejected "
                    "government and chaos test nobody."
                ),
            ),
            Paragraph("badge", str(_BADGE[options.not_hitler_badge]), ("not_hitler_badge",)),
            Paragraph(
                "cleared-here",
                _("Whatever the rules, the log says so every time, and the seat is marked."),
                is_of_site=True,
            ),
        ),
    )


def tracker(options: Options) -> Chapter:
    return Chapter(
        "tracker",
        pgettext("rulebook", "Election tracker and chaos"),
        (
            Paragraph(
                "tracker-advances",
                _(
                    "A rejected government moves the election tracker by one. At three there is "
                    "chaos: the top policy of the draw pile is enacted, whatever it is."
                ),
            ),
            Paragraph(
                "tracker-resets",
                str(_RESETS[options.tracker_resets_on]),
                ("tracker_resets_on",),
            ),
            Paragraph(
                "chaos",
                _(
                    "Chaos gives nobody a power, clears all term limits and returns the tracker "
                    "to 0. Its policy counts like any other: it may end the game, put Chancellors "
                    "to the test from then on, or unlock the veto."
                ),
            ),
        ),
    )
