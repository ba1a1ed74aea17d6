"""A round, its election, and the election tracker.

The words of each edition are those of its document. What a document leaves open stands in a
paragraph of its own, whose key ends in "-open".
"""

from typing import Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext

from games import wording
from games.rules.components import FASCIST_POLICIES_ARM_HITLER
from games.rules.editions import Limited, Options, SmallTable, TrackerReset

from .blocks import Chapter, Paragraph, Steps
from .telling import NOTHING, WordsOf, rule, told, told_alone, without_empty

# The round ----------------------------------------------------------------------------------------

_PARTS_OF_ROUND: Final = gettext_lazy(
    "A round has three parts: election, legislative session and executive action."
)
_ROUND_PARTS: Final[WordsOf] = {
    "en": "",
    "ru": _PARTS_OF_ROUND,
    "pl": _PARTS_OF_ROUND,
    "ja": _PARTS_OF_ROUND,
    "it": _PARTS_OF_ROUND,
}
_NOMINATES: Final = gettext_lazy(
    "The presidential candidate nominates a Chancellor and hands them the Chancellor placard."
)
_TALK_AND_VOTE: Final = gettext_lazy(
    "Talk it over until all of you are ready. Then everyone alive votes."
)
_REJECTED: Final = gettext_lazy(
    "If the government is rejected, the election tracker advances and the round is over."
)
_ELECTED: Final = gettext_lazy("If it’s elected, the President and the Chancellor enact a policy.")
_USES_POWER: Final = gettext_lazy(
    "A fascist policy may give the President a power. They use it now."
)
_PLACARD_MOVES: Final = gettext_lazy(
    "The President placard moves clockwise, to the next living player on the left, and a new round "
    "begins."
)
_ROUND: Final = {
    "en": (_NOMINATES, _TALK_AND_VOTE, _REJECTED, _ELECTED, _USES_POWER, _PLACARD_MOVES),
    "ru": (
        gettext_lazy(
            "The presidential candidate chooses a candidate for Chancellor and hands them the "
            "Chancellor placard."
        ),
        _TALK_AND_VOTE,
        gettext_lazy(
            "If the government is rejected, the election tracker advances and the President "
            "placard moves clockwise."
        ),
        _ELECTED,
        _USES_POWER,
        gettext_lazy(
            "The President placard moves clockwise to the next player, and a new round begins."
        ),
    ),
    "ru-5-6": (
        gettext_lazy(
            "The President may ask the others first, then proposes a Chancellor and hands them the "
            "office placard."
        ),
        gettext_lazy("Everyone votes, the President and the proposed Chancellor too."),
        gettext_lazy(
            "If the government isn’t confirmed, the President placard goes to the next player, who "
            "proposes a Chancellor of their own."
        ),
        gettext_lazy("If it’s confirmed, the President and the Chancellor enact a policy."),
        gettext_lazy("If a fascist policy gives the President powers, they’re carried out now."),
        gettext_lazy("The office of President goes round the table, and a new round begins."),
    ),
    "pl": (
        _NOMINATES,
        _TALK_AND_VOTE,
        _REJECTED,
        _ELECTED,
        _USES_POWER,
        gettext_lazy(
            "A new round begins: the President placard moves to the next living player on the "
            "left, who is the new presidential candidate."
        ),
    ),
    "ja": (
        gettext_lazy(
            "The President placard moves clockwise to the next player, even one who was just in "
            "the government."
        ),
        _NOMINATES,
        _TALK_AND_VOTE,
        _REJECTED,
        _ELECTED,
        _USES_POWER,
        gettext_lazy("Then the next round begins."),
    ),
}
_PASSES_THE_DEAD: Final = gettext_lazy("The placard passes over the dead.")
_ROUND_OPEN: Final[WordsOf] = {
    "en": "",
    "ru": _PASSES_THE_DEAD,
    "ru-5-6": _PASSES_THE_DEAD,
    "ja": _PASSES_THE_DEAD,
}

# The election -------------------------------------------------------------------------------------

_NOMINATE: Final = gettext_lazy(
    "When you’re the presidential candidate, nominate another living player who isn’t "
    "term-limited: hand them the Chancellor placard."
)
_TALK_IT_OVER: Final = gettext_lazy(
    "You may talk it over with the others first: if they agree, the government is likelier to be "
    "elected."
)
_NOMINATION: Final[WordsOf] = {
    "en": (_NOMINATE, gettext_lazy("You may ask the others first.")),
    "ru": (
        gettext_lazy(
            "When you’re the presidential candidate, choose a candidate for Chancellor and hand "
            "them the Chancellor placard."
        ),
        _TALK_IT_OVER,
        gettext_lazy(
            "The last President and the last Chancellor get the placards of the former President "
            "and Chancellor."
        ),
    ),
    "ru-5-6": (
        gettext_lazy(
            "As President, propose a Chancellor who isn’t term-limited and hand them the office "
            "placard."
        ),
        gettext_lazy("You may ask the others first."),
    ),
    "pl": (_NOMINATE, _TALK_IT_OVER),
    "ja": gettext_lazy(
        "When you’re the presidential candidate, nominate a player who isn’t term-limited: hand "
        "them the Chancellor placard."
    ),
    "it": _NOMINATE,
}
ANOTHER_LIVING_PLAYER: Final = gettext_lazy("It must be another living player.")
_NOMINATION_OPEN: Final[WordsOf] = {
    "en": "",
    "ru": ANOTHER_LIVING_PLAYER,
    "ru-5-6": ANOTHER_LIVING_PLAYER,
    "ja": ANOTHER_LIVING_PLAYER,
}
# By whose terms limit the nomination, and whether limits lapse.
_LIMITS: Final[dict[tuple[Limited, bool], WordsOf]] = {
    (Limited.ELECTED, False): {
        "en": gettext_lazy(
            "The President and the Chancellor of the last elected government are term-limited."
        ),
        "ru": gettext_lazy(
            "The former President and the former Chancellor can’t be nominated Chancellor in the "
            "next turn."
        ),
        "ru-5-6": gettext_lazy(
            "The President and the Chancellor of the previous round can’t be proposed as "
            "Chancellor. After one round their terms no longer count."
        ),
        "pl": gettext_lazy(
            "The President and the Chancellor of the last elected government are term-limited. "
            "Players who were only nominated aren’t."
        ),
    },
    (Limited.ELECTED, True): {
        "en": gettext_lazy(
            "The President and the Chancellor who were elected in the round just before are "
            "term-limited."
        )
    },
    (Limited.ENACTORS, False): {
        "en": gettext_lazy(
            "The President and the Chancellor who last enacted a policy together are term-limited."
        )
    },
    (Limited.ENACTORS, True): {
        "en": gettext_lazy(
            "The President and the Chancellor who enacted a policy in the round just before are "
            "term-limited."
        )
    },
}
_LIMITS_OPEN: Final[dict[tuple[Limited, bool], WordsOf]] = {
    (Limited.ELECTED, False): {
        "en": gettext_lazy(
            "A rejected government changes nothing: the limits stand until another is elected."
        ),
        "ru": gettext_lazy(
            "That’s the last elected government. A rejected one changes nothing: the limits stand "
            "until another is elected."
        ),
        "ru-5-6": gettext_lazy(
            "A government that isn’t confirmed changes nothing: the limits stand until another is."
        ),
        "pl": gettext_lazy("The limits stand until another government is elected."),
    },
    (Limited.ELECTED, True): {
        "en": gettext_lazy("If that round elected no government, there are no limits.")
    },
    (Limited.ENACTORS, False): {
        "en": gettext_lazy(
            "A rejected government changes nothing: the limits stand until another pair enacts one."
        )
    },
    (Limited.ENACTORS, True): {
        "en": gettext_lazy("If that round enacted none, there are no limits.")
    },
}
_AFTER_VETO: Final = {
    Limited.ELECTED: gettext_lazy(
        "A pair whose veto was accepted has held office, and is term-limited like any other."
    ),
    Limited.ENACTORS: gettext_lazy(
        "A pair whose veto was accepted hasn’t enacted anything, so it isn’t limited by that."
    ),
}
_ONLY_FIVE: Final = gettext_lazy(
    "When only five players are left, only the last Chancellor is limited: you may nominate the "
    "last President."
)
_FIVE_OR_FEWER: Final = gettext_lazy(
    "While five or fewer players are alive, only the last Chancellor is limited: you may nominate "
    "the last President."
)
_FEWER_TOO: Final = gettext_lazy(
    "With fewer than five it’s the same, and it holds from the very next nomination."
)
_GAME_OF_FIVE: Final = gettext_lazy(
    "In a game of five, only the last Chancellor is limited: you may nominate the last President."
)
_BEGAN_WITH_FIVE: Final = gettext_lazy(
    "That’s a game that began with five players. One that began with more never gets this "
    "exception, however many die."
)
_SMALL_TABLE: Final[dict[SmallTable, WordsOf]] = {
    SmallTable.ALIVE: {
        "en": _FIVE_OR_FEWER,
        "ru": _ONLY_FIVE,
        "ru-5-6": (
            _FIVE_OR_FEWER,
            gettext_lazy("The document calls this a shortage of staff."),
        ),
        "pl": _ONLY_FIVE,
    },
    SmallTable.STARTED: {
        "en": gettext_lazy(
            "In a game that began with five players, only the last Chancellor is limited: you may "
            "nominate the last President."
        ),
        "ja": _GAME_OF_FIVE,
        "it": _GAME_OF_FIVE,
    },
}
_SMALL_TABLE_OPEN: Final[dict[SmallTable, WordsOf]] = {
    SmallTable.ALIVE: {
        "en": gettext_lazy("This holds from the very next nomination."),
        "ru": _FEWER_TOO,
        "pl": _FEWER_TOO,
    },
    SmallTable.STARTED: {
        "en": gettext_lazy(
            "A game that began with more never gets this exception, however many die."
        ),
        "ja": _BEGAN_WITH_FIVE,
        "it": _BEGAN_WITH_FIVE,
    },
}
_LAY_DOWN: Final = gettext_lazy("Talk goes on until all of you are.")
_DISCUSSION: Final[WordsOf] = {
    "en": gettext_lazy(
        "Before you vote, talk about the proposed government for as long as you like. Vote when "
        "all of you are ready."
    ),
    "ru-5-6": "",
    "ja": (
        gettext_lazy("Lay your ballot in front of you to show that you’re ready."),
        _LAY_DOWN,
    ),
    "it": (
        gettext_lazy("Lay your ballot face down in front of you to show that you’re ready."),
        _LAY_DOWN,
    ),
}
_EVERYONE_VOTES: Final = gettext_lazy("Everyone alive votes, including the two candidates.")
_REVEAL: Final = gettext_lazy(
    "You all reveal your ballots at once, so everyone sees how the others voted."
)
_MAJORITY: Final = gettext_lazy(
    "More than half of the living must vote Ja: a tie rejects the government."
)
_STAY_PUBLIC: Final = gettext_lazy("The ballots stay public.")
_VOTE: Final[WordsOf] = {
    "en": (
        _EVERYONE_VOTES,
        gettext_lazy("You all reveal your ballots at once, and they stay public."),
        _MAJORITY,
    ),
    "ru": (gettext_lazy("You all reveal your ballots at once."), _MAJORITY),
    "ru-5-6": gettext_lazy(
        "Lay your Ja or Nein face down in front of you. On the count of three, you all turn the "
        "cards over. A strict majority of Ja confirms the government."
    ),
    "ja": (_EVERYONE_VOTES, _REVEAL, _MAJORITY),
    "it": (_EVERYONE_VOTES, _REVEAL, _MAJORITY),
}
_VOTE_OPEN: Final[WordsOf] = {
    "en": "",
    "ru": (_EVERYONE_VOTES, _STAY_PUBLIC),
    "ru-5-6": (_STAY_PUBLIC, gettext_lazy("A tie isn’t enough.")),
    "ja": _STAY_PUBLIC,
    "it": _STAY_PUBLIC,
}
# By whether it holds after the third fascist policy, as in every edition.
_HITLER_CHECK: Final[dict[bool, WordsOf]] = {
    True: {
        "en": gettext_lazy(
            "Once three fascist policies are enacted, ask every newly elected Chancellor: “Are you "
            "Hitler?” They must tell the truth. If they say yes, the fascists win at once."
        ),
        "it": gettext_lazy(
            "Once three fascist policies are enacted, every newly elected Chancellor must declare "
            "whether they’re Hitler. If they are, the fascists win at once. If not, the "
            "legislative session begins."
        ),
    },
    False: {
        "en": gettext_lazy(
            "From fascist policy {number} on, ask every newly elected Chancellor: “Are you "
            "Hitler?” They must tell the truth. If they say yes, the fascists win at once."
        ),
        "it": gettext_lazy(
            "From fascist policy {number} on, every newly elected Chancellor must declare whether "
            "they’re Hitler. If they are, the fascists win at once. If not, the legislative "
            "session begins."
        ),
    },
}
_NOT_HITLER: Final = gettext_lazy("If they say no, you all know that this player isn’t Hitler.")
_NOTHING_ELSE: Final = gettext_lazy(
    "If they say no, you all know that this player isn’t Hitler, and nothing else."
)
_HITLER_NO: Final[WordsOf] = {
    "en": _NOTHING_ELSE,
    "ru": _NOT_HITLER,
    "ru-5-6": gettext_lazy("If they say no, the game goes on."),
    "pl": _NOT_HITLER,
    "ja": "",
    "it": "",
}
_NOT_ASKED: Final = gettext_lazy("After a rejected government or chaos, you don’t ask.")
_HITLER_CHECK_OPEN: Final[WordsOf] = {
    "en": _NOT_ASKED,
    "ru-5-6": (
        gettext_lazy("You all know then that this player isn’t Hitler, and nothing else."),
        _NOT_ASKED,
    ),
    "ja": (_NOTHING_ELSE, _NOT_ASKED),
    "it": gettext_lazy(
        "The declaration is true: if the game goes on, you all know that this player isn’t Hitler, "
        "and nothing else. After a rejected government or chaos, no one declares anything."
    ),
}
_BADGE: Final[dict[bool, WordsOf]] = {
    True: {
        "en": gettext_lazy("A Chancellor who says no wears a badge from then on: “Not Hitler”."),
        "ru-5-6": gettext_lazy(
            "A Chancellor who says no is handed the honorary badge: “Not Hitler”."
        ),
    },
    False: {
        "en": gettext_lazy(
            "There’s no badge for it. At a real table you have to remember who said no."
        ),
        "ru": "",
        "pl": "",
        "ja": "",
        "it": "",
    },
}

# The election tracker -----------------------------------------------------------------------------

_TRACKER_ADVANCES: Final[WordsOf] = {
    "en": gettext_lazy(
        "A rejected government moves the election tracker by one. At three there is chaos: the "
        "people lose patience, and the top policy of the draw pile is enacted, whatever it is."
    ),
    "ru": gettext_lazy(
        "A rejected government moves the election tracker by one. At three the country falls into "
        "chaos, and the top policy of the draw pile is enacted at once."
    ),
    "ru-5-6": gettext_lazy(
        "When three governments in a row aren’t confirmed, the Republic falls into chaos, and the "
        "top policy of the draw pile is enacted automatically."
    ),
}
_TRACKER_OPEN: Final[WordsOf] = {
    "en": "",
    "ru-5-6": gettext_lazy("Each of them moves the election tracker by one."),
}
_RESETS: Final = {
    TrackerReset.POLICY: gettext_lazy("The tracker returns to 0 when a policy is enacted."),
    TrackerReset.ELECTION: gettext_lazy(
        "The tracker returns to 0 as soon as a government is elected, before it enacts anything."
    ),
}
_RESETS_OPEN: Final[dict[TrackerReset, WordsOf]] = {
    TrackerReset.POLICY: {"en": gettext_lazy("Electing a government doesn’t move it.")},
    TrackerReset.ELECTION: NOTHING,
}
_CHAOS: Final[WordsOf] = {
    "en": gettext_lazy(
        "Chaos gives no power, clears all term limits and returns the tracker to 0."
    ),
    "ru-5-6": gettext_lazy(
        "Chaos gives no powers, because there’s no government to have them. It clears all term "
        "limits and returns the tracker to 0."
    ),
}
# By whether the third fascist policy arms Hitler, as in every edition.
_CHAOS_POLICY: Final[dict[bool, WordsOf]] = {
    True: {
        "en": gettext_lazy(
            "Its policy counts like any other: it may end the game, unlock the veto, or be the "
            "third fascist one, after which you ask new Chancellors."
        ),
        "it": gettext_lazy(
            "Its policy counts like any other: it may end the game, unlock the veto, or be the "
            "third fascist one, after which new Chancellors must declare whether they’re Hitler."
        ),
    },
    False: {
        "en": gettext_lazy(
            "Its policy counts like any other: it may end the game, unlock the veto, or be the "
            "fascist one after which you ask new Chancellors."
        )
    },
}


def a_round(edition: str, options: Options) -> Chapter:
    return Chapter(
        "round",
        pgettext("rulebook", "A round, step by step"),
        without_empty(
            Paragraph("round-parts", told(_ROUND_PARTS, edition)),
            Steps("round-steps", told_alone(_ROUND, edition)),
            Paragraph("round-open", told(_ROUND_OPEN, edition)),
        ),
    )


def election(edition: str, options: Options) -> Chapter:
    limits = ("limited", "limits_lapse")
    by_limits = options.limited, options.limits_lapse
    return Chapter(
        "election",
        pgettext("rulebook", "The election"),
        without_empty(
            Paragraph("nomination", told(_NOMINATION, edition)),
            Paragraph("nomination-open", told(_NOMINATION_OPEN, edition)),
            *rule(
                edition,
                "limits",
                told(_LIMITS[by_limits], edition),
                told(_LIMITS_OPEN[by_limits], edition),
                limits,
            ),
            Paragraph("limits-veto", str(_AFTER_VETO[options.limited]), ("limited",)),
            *rule(
                edition,
                "small-table",
                told(_SMALL_TABLE[options.small_table], edition),
                told(_SMALL_TABLE_OPEN[options.small_table], edition),
                ("small_table",),
            ),
            *rule(
                edition,
                "limits-else",
                _(
                    "Limits only keep you from being Chancellor: every living player can run for "
                    "President. Chaos clears all limits."
                ),
                _("When a limited player dies, the limit isn’t passed on."),
            ),
            Paragraph("discussion", told(_DISCUSSION, edition)),
            Paragraph("vote", told(_VOTE, edition)),
            Paragraph("vote-open", told(_VOTE_OPEN, edition)),
            Paragraph(
                "ballots-here",
                _(
                    "You can change your ballot until the last one is cast. Until then you can’t "
                    "see anyone else’s."
                ),
                is_of_site=True,
            ),
            *rule(
                edition,
                "hitler-check",
                _hitler_check(edition, options),
                told(_HITLER_CHECK_OPEN, edition),
                ("hitler_zone",),
            ),
            Paragraph(
                "badge", told(_BADGE[options.not_hitler_badge], edition), ("not_hitler_badge",)
            ),
            Paragraph(
                "cleared-here",
                _("Whatever your rules, the log gives the answer every time and marks the seat."),
                is_of_site=True,
            ),
        ),
    )


def _hitler_check(edition: str, options: Options) -> str:
    as_printed = options.hitler_zone == FASCIST_POLICIES_ARM_HITLER
    asked = told(_HITLER_CHECK[as_printed], edition).format(number=options.hitler_zone)
    return wording.together(filter(None, (asked, told(_HITLER_NO, edition))))


def tracker(edition: str, options: Options) -> Chapter:
    as_printed = options.hitler_zone == FASCIST_POLICIES_ARM_HITLER
    return Chapter(
        "tracker",
        pgettext("rulebook", "Election tracker and chaos"),
        without_empty(
            Paragraph("tracker-advances", told(_TRACKER_ADVANCES, edition)),
            Paragraph("tracker-advances-open", told(_TRACKER_OPEN, edition)),
            *rule(
                edition,
                "tracker-resets",
                str(_RESETS[options.tracker_resets_on]),
                told(_RESETS_OPEN[options.tracker_resets_on], edition),
                ("tracker_resets_on",),
            ),
            *rule(
                edition,
                "chaos",
                told(_CHAOS, edition),
                told(_CHAOS_POLICY[as_printed], edition),
                ("hitler_zone",),
            ),
        ),
    )
