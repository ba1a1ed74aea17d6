"""A round, its election, and the election tracker."""

from typing import Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext

from games.rules.components import FASCIST_POLICIES_ARM_HITLER
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
        "term-limited. If that round elected no government, there are no limits."
    ),
    (Limited.ENACTORS, False): gettext_lazy(
        "The President and the Chancellor who last enacted a policy together are term-limited. A "
        "rejected government changes nothing: the limits stand until another pair enacts one."
    ),
    (Limited.ENACTORS, True): gettext_lazy(
        "The President and the Chancellor who enacted a policy in the round just before are "
        "term-limited. If that round enacted none, there are no limits."
    ),
}
_AFTER_VETO: Final = {
    Limited.ELECTED: gettext_lazy(
        "A pair whose veto was accepted has held office, and is term-limited like any other."
    ),
    Limited.ENACTORS: gettext_lazy(
        "A pair whose veto was accepted hasn’t enacted anything, so it isn’t limited by that."
    ),
}
_SMALL_TABLE: Final = {
    SmallTable.ALIVE: gettext_lazy(
        "While five or fewer players are alive, only the last Chancellor is limited: you may "
        "nominate the last President. This holds from the very next nomination."
    ),
    SmallTable.STARTED: gettext_lazy(
        "In a game that began with five players, only the last Chancellor is limited: you may "
        "nominate the last President. A game that began with more never gets this exception, "
        "however many die."
    ),
}
_BADGE: Final = {
    True: gettext_lazy("A Chancellor who says no wears a badge from then on: “Not Hitler”."),
    False: gettext_lazy(
        "There’s no badge for it. At a real table you have to remember who said no."
    ),
}
_RESETS: Final = {
    TrackerReset.POLICY: gettext_lazy(
        "The tracker returns to 0 when a policy is enacted. Electing a government doesn’t move it."
    ),
    TrackerReset.ELECTION: gettext_lazy(
        "The tracker returns to 0 as soon as a government is elected, before it enacts anything."
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
                    _(
                        "The presidential candidate nominates a Chancellor and hands them the "
                        "Chancellor placard."
                    ),
                    _("Talk it over until all of you are ready. Then everyone alive votes."),
                    _(
                        "If the government is rejected, the election tracker advances and the "
                        "round is over."
                    ),
                    _("If it’s elected, the President and the Chancellor enact a policy."),
                    _("A fascist policy may give the President a power. They use it now."),
                    _(
                        "The President placard moves clockwise, to the next living player on the "
                        "left, and a new round begins."
                    ),
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
                    "When you’re the presidential candidate, nominate another living player who "
                    "isn’t term-limited: hand them the Chancellor placard. You may ask the others "
                    "first. If your set has placards for the last President and Chancellor, use "
                    "them to show who’s limited."
                ),
            ),
            Paragraph("limits", str(_LIMITED[options.limited, options.limits_lapse]), limits),
            Paragraph("limits-veto", str(_AFTER_VETO[options.limited]), ("limited",)),
            Paragraph("small-table", str(_SMALL_TABLE[options.small_table]), ("small_table",)),
            Paragraph(
                "limits-else",
                _(
                    "Limits only keep you from being Chancellor: every living player can run for "
                    "President. When a limited player dies, the limit isn’t passed on. Chaos "
                    "clears all limits."
                ),
            ),
            Paragraph(
                "discussion",
                _(
                    "Before you vote, talk about the proposed government for as long as you like. "
                    "Vote when all of you are ready."
                ),
            ),
            Paragraph(
                "vote",
                _(
                    "Everyone alive votes, including the two candidates. You all reveal your "
                    "ballots at once, and they stay public. More than half of the living must "
                    "vote Ja: a tie rejects the government."
                ),
            ),
            Paragraph(
                "ballots-here",
                _(
                    "You can change your ballot until the last one is cast. Until then you can’t "
                    "see anyone else’s."
                ),
                is_of_site=True,
            ),
            Paragraph("hitler-check", _hitler_check(options), ("hitler_zone",)),
            Paragraph("badge", str(_BADGE[options.not_hitler_badge]), ("not_hitler_badge",)),
            Paragraph(
                "cleared-here",
                _("Whatever your rules, the log gives the answer every time and marks the seat."),
                is_of_site=True,
            ),
        ),
    )


def _hitler_check(options: Options) -> str:
    if options.hitler_zone == FASCIST_POLICIES_ARM_HITLER:
        return _(
            "Once three fascist policies are enacted, ask every newly elected Chancellor: "
            "“Are you Hitler?” They must tell the truth. If they say yes, the fascists win "
            "at once. If they say no, you all know that this player isn’t Hitler, and "
            "nothing else. After a rejected government or chaos, you don’t ask."
        )
    told = _(
        "From fascist policy {number} on, ask every newly elected Chancellor: “Are you Hitler?” "
        "They must tell the truth. If they say yes, the fascists win at once. If they say no, you "
        "all know that this player isn’t Hitler, and nothing else. After a rejected government or "
        "chaos, you don’t ask."
    )
    return told.format(number=options.hitler_zone)


def tracker(options: Options) -> Chapter:
    return Chapter(
        "tracker",
        pgettext("rulebook", "Election tracker and chaos"),
        (
            Paragraph(
                "tracker-advances",
                _(
                    "A rejected government moves the election tracker by one. At three there is "
                    "chaos: the people lose patience, and the top policy of the draw pile is "
                    "enacted, whatever it is."
                ),
            ),
            Paragraph(
                "tracker-resets",
                str(_RESETS[options.tracker_resets_on]),
                ("tracker_resets_on",),
            ),
            Paragraph("chaos", _chaos(options), ("hitler_zone",)),
        ),
    )


def _chaos(options: Options) -> str:
    if options.hitler_zone == FASCIST_POLICIES_ARM_HITLER:
        return _(
            "Chaos gives no power, clears all term limits and returns the tracker to 0. "
            "Its policy counts like any other: it may end the game, unlock the veto, or "
            "be the third fascist one, after which you ask new Chancellors."
        )
    return _(
        "Chaos gives no power, clears all term limits and returns the tracker to 0. Its policy "
        "counts like any other: it may end the game, unlock the veto, or be the fascist one after "
        "which you ask new Chancellors."
    )
