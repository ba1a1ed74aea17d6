"""Presidential powers, and how a game ends.

The words of each edition are those of its document. What a document leaves open stands in a
paragraph of its own, whose key ends in "-open".
"""

from typing import Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext

from games import wording
from games.rules.components import (
    FASCIST_POLICIES_ARM_HITLER,
    FASCIST_POLICIES_TO_WIN,
    Party,
)
from games.rules.editions import SPACES, Options
from games.rules.phases import Ending
from games.rules.powers import Power

from .blocks import Block, Chapter, Grid, Paragraph
from .election import ANOTHER_LIVING_PLAYER
from .overview import counts, players_range
from .telling import NOTHING, WordsOf, rule, told, without_empty

_STRONGER: Final = gettext_lazy("Every fascist policy makes the government stronger.")
_MUST_USE: Final = gettext_lazy(
    "When a government enacts a fascist policy on a space with a power, the President must use "
    "that power, once, before the next round."
)
_WHICHEVER_SIDE: Final = (
    _STRONGER,
    _MUST_USE,
    gettext_lazy("It doesn’t matter which side the President is on."),
    gettext_lazy("A power can’t be saved up or taken into the next round."),
)
_WHEN: Final[WordsOf] = {
    "en": (_MUST_USE, gettext_lazy("You can’t save it up, and you can’t choose yourself.")),
    "ru": _WHICHEVER_SIDE,
    "ru-5-6": gettext_lazy(
        "A fascist policy of the government may give the President exceptional powers. The fascist "
        "track says which."
    ),
    "pl": _WHICHEVER_SIDE,
    "ja": (
        _STRONGER,
        _MUST_USE,
        gettext_lazy("The fascist board shows which powers there are, and when they come."),
    ),
    "it": _MUST_USE,
}
_NOT_SAVED_UP: Final = gettext_lazy("A power can’t be saved up.")
_WHEN_OPEN: Final[WordsOf] = {
    "en": "",
    "ru-5-6": gettext_lazy("They’re used at once."),
    "ja": _NOT_SAVED_UP,
    "it": _NOT_SAVED_UP,
}
_MAY_HEAR: Final = gettext_lazy(
    "As President you may hear what anyone thinks before you use a power."
)
_HOW_AND_WHEN: Final = (
    _MAY_HEAR,
    gettext_lazy(
        "How and when you use it is for you alone to decide, and the game waits until you do."
    ),
)
_ALONE: Final[WordsOf] = {
    "en": (_MAY_HEAR, gettext_lazy("How you use it is for you alone to decide.")),
    "ru": _HOW_AND_WHEN,
    "ru-5-6": "",
    "pl": _HOW_AND_WHEN,
}
_MAY_TELL: Final = gettext_lazy(
    "The President decides whether to tell what they saw, and may lie about it."
)
# Where a document doesn’t say “another player”, the site does, in a part of its own.
_INVESTIGATES: Final = (
    gettext_lazy(
        "The President picks a player who hasn’t been investigated yet and alone sees their party, "
        "never their role."
    ),
    _MAY_TELL,
)
_PICKS_ANYONE: Final = gettext_lazy(
    "The President picks the next presidential candidate: any player, term-limited or not."
)
_PICKS: Final = gettext_lazy(
    "The President picks the next presidential candidate: any other living player, term-limited or "
    "not."
)
_HANDS_OVER: Final = (
    gettext_lazy("The President hands the President placard to the player they chose."),
    gettext_lazy("That player nominates a Chancellor, and you vote as usual."),
)
_BACK_TO_THE_LEFT: Final = (
    gettext_lazy(
        "After that election the placard goes back to the player on the left of the President who "
        "called it, so no turn is skipped."
    ),
    gettext_lazy("Only that next neighbour, if chosen, runs twice in a row."),
)
_BACK_IN_ORDER: Final = gettext_lazy(
    "After that one election, the presidency returns to its original order."
)
_FROM_THE_CALLER: Final = gettext_lazy(
    "The order goes on from the President who called the election. If the pick was the player next "
    "in order, they run twice in a row."
)
_CAN_NO_LONGER: Final = gettext_lazy(
    "The President executes a player, who can no longer speak, vote or run for office."
)
_HITLER_EXECUTED: Final = gettext_lazy("If it was Hitler, the liberals win at once.")
_STAY_SECRET: Final = gettext_lazy("If not, role and party stay secret.")
_EXECUTES: Final = (_CAN_NO_LONGER, _HITLER_EXECUTED, _STAY_SECRET)
_RULES: Final[dict[Power, WordsOf]] = {
    Power.INVESTIGATION: {
        "ru": _INVESTIGATES,
        "pl": _INVESTIGATES,
        "ja": _INVESTIGATES,
        "it": (
            gettext_lazy(
                "The President picks another living player who hasn’t been investigated yet and "
                "alone sees their party, never their role."
            ),
            _MAY_TELL,
        ),
    },
    Power.SPECIAL_ELECTION: {
        "ru": (_PICKS_ANYONE, *_HANDS_OVER, *_BACK_TO_THE_LEFT),
        "pl": (_PICKS, *_HANDS_OVER, *_BACK_TO_THE_LEFT),
        "ja": (_PICKS_ANYONE, *_HANDS_OVER, _BACK_IN_ORDER),
        "it": (_PICKS, *_HANDS_OVER, _BACK_IN_ORDER),
    },
    Power.PEEK: {
        "ru-5-6": gettext_lazy(
            "Only the President looks at the top three policies of the draw pile, and puts them "
            "back in the same order."
        )
    },
    Power.EXECUTION: {
        "ru": (
            gettext_lazy(
                "The President puts the bullet in front of the player who’s to be executed."
            ),
            _HITLER_EXECUTED,
            gettext_lazy(
                "If not, the others don’t learn the role. The dead leave the game: they can’t "
                "speak or vote."
            ),
        ),
        "ru-5-6": (
            gettext_lazy(
                "It’s a purge, a political killing made lawful. The President must execute one of "
                "the players."
            ),
            _HITLER_EXECUTED,
            gettext_lazy("The dead take no part in the game until its end."),
        ),
        "pl": (
            *_EXECUTES,
            gettext_lazy("What that changes, the others must judge for themselves."),
        ),
        "ja": _EXECUTES,
        "it": _EXECUTES,
    },
}
_RULES_OPEN: Final[dict[Power, WordsOf]] = {
    Power.INVESTIGATION: {
        "en": "",
        "ru": ANOTHER_LIVING_PLAYER,
        "pl": ANOTHER_LIVING_PLAYER,
        "ja": ANOTHER_LIVING_PLAYER,
    },
    Power.SPECIAL_ELECTION: {
        "en": "",
        "ru": ANOTHER_LIVING_PLAYER,
        "ja": (ANOTHER_LIVING_PLAYER, _FROM_THE_CALLER),
        "it": _FROM_THE_CALLER,
    },
    Power.EXECUTION: {
        "en": "",
        "ru": (
            ANOTHER_LIVING_PLAYER,
            gettext_lazy("The dead hold no office, and their party stays secret too."),
        ),
        "ru-5-6": (
            ANOTHER_LIVING_PLAYER,
            gettext_lazy(
                "The dead can’t vote, hold office or talk to the living, and their role stays "
                "secret."
            ),
        ),
        "pl": ANOTHER_LIVING_PLAYER,
        "ja": ANOTHER_LIVING_PLAYER,
        "it": ANOTHER_LIVING_PLAYER,
    },
}
_ORDER: Final[WordsOf] = {
    "en": gettext_lazy(
        "The President hands the President placard to the player they chose. After that election "
        "it goes back to the player on the left of the President who called it, so no turn is "
        "skipped. Only that next neighbour, if chosen, runs twice in a row."
    ),
    "ru": "",
    "pl": "",
    "ja": "",
    "it": "",
}
# By whether the executed say truly that they aren't Hitler.
_EXECUTED: Final[dict[bool, WordsOf]] = {
    True: {
        "en": gettext_lazy(
            "If you’re executed, you must say truthfully whether you’re Hitler, and nothing else."
        ),
        "ru-5-6": gettext_lazy(
            "If you’re executed, you must say truthfully whether you’re Hitler."
        ),
    },
    False: {
        "en": gettext_lazy(
            "If you’re executed and you’re Hitler, you must say so. Otherwise say nothing: the "
            "game goes on, so the others know you weren’t Hitler."
        ),
        "it": gettext_lazy(
            "If you’re executed and you’re Hitler, show your secret role card. If you aren’t, show "
            "neither role nor party."
        ),
    },
}
_EXECUTED_OPEN: Final[dict[bool, WordsOf]] = {
    True: NOTHING,
    False: {
        "en": "",
        "it": gettext_lazy("The game goes on, so the others know you weren’t Hitler."),
    },
}


def powers(edition: str, options: Options) -> Chapter:
    groups: dict[tuple[Power | None, ...], list[int]] = {}
    for n in counts(options):
        groups.setdefault(options.powers(n), []).append(n)
    on_tracks = {power for track in groups for power in track}
    says = ("executed_says_not_hitler",)
    blocks: list[Block] = [
        Paragraph("powers-when", told(_WHEN, edition)),
        Paragraph("powers-when-open", told(_WHEN_OPEN, edition)),
        Paragraph("powers-alone", told(_ALONE, edition)),
        Grid(
            "powers-table",
            _("Powers by the number of players who began, and the fascist policy"),
            (_("Players"), *(str(space) for space in range(1, FASCIST_POLICIES_TO_WIN + 1))),
            tuple(
                (players_range(numbers), *_spaces(options, track))
                for track, numbers in groups.items()
            ),
            ("players", "veto_zone", *SPACES),
        ),
        *(
            paragraph
            for power in Power
            if power in on_tracks
            for paragraph in _rule(edition, options, power)
        ),
        Paragraph("executed", told(_EXECUTED[options.executed_says_not_hitler], edition), says),
        Paragraph(
            "executed-open", told(_EXECUTED_OPEN[options.executed_says_not_hitler], edition), says
        ),
    ]
    return Chapter("powers", pgettext("rulebook", "Presidential powers"), without_empty(*blocks))


def _rule(edition: str, options: Options, power: Power) -> tuple[Paragraph, ...]:
    """Return what a power does, and what the document leaves open about it."""
    key = str(power).replace("_", "-")
    about = ("players", *SPACES)
    words: WordsOf = {"en": wording.power_rule(power), **_RULES.get(power, {})}
    return (
        Paragraph(key, told(words, edition), about, wording.power(power)),
        Paragraph(f"{key}-open", told(_RULES_OPEN.get(power, NOTHING), edition), about),
        *(_handed_over(options) if power is Power.INVESTIGATION else ()),
        *(_back_to_the_left(edition) if power is Power.SPECIAL_ELECTION else ()),
    )


def _handed_over(options: Options) -> tuple[Paragraph, ...]:
    """Return how a real table investigates. Without party cards no card can be handed over."""
    if not options.party_cards:
        return ()
    return (
        Paragraph(
            "investigation-card",
            _(
                "At a real table, a player who’s investigated hands the President their party "
                "membership card, never their role. The President looks at it in secret and "
                "gives it back."
            ),
            ("players", "party_cards", *SPACES),
        ),
    )


def _back_to_the_left(edition: str) -> tuple[Paragraph, ...]:
    return (Paragraph("special-election-order", told(_ORDER, edition), ("players", *SPACES)),)


def _spaces(options: Options, track: tuple[Power | None, ...]) -> list[str]:
    """Return what each space of a fascist track triggers."""
    said = ["–" if power is None else wording.power(power) for power in track]
    said[FASCIST_POLICIES_TO_WIN - 1] = wording.winner(Party.FASCIST)
    unlocking = options.veto_zone - 1
    if options.veto_zone < FASCIST_POLICIES_TO_WIN:
        said[unlocking] = _("{power}, veto unlocked").format(power=said[unlocking])
    return said


def endings(edition: str, options: Options) -> Chapter:
    by_winner = (
        (Party.LIBERAL, Ending.LIBERAL_POLICIES),
        (Party.LIBERAL, Ending.HITLER_EXECUTED),
        (Party.FASCIST, Ending.FASCIST_POLICIES),
        (Party.FASCIST, Ending.HITLER_ELECTED),
    )
    return Chapter(
        "endings",
        pgettext("rulebook", "How the game ends"),
        without_empty(
            Grid(
                "ends",
                _("Who wins, and how"),
                (pgettext("rulebook", "Winner"), pgettext("rulebook", "What has happened")),
                tuple(
                    (
                        wording.winner(party),
                        _hitler_elected(options)
                        if ending is Ending.HITLER_ELECTED
                        else wording.ending(ending),
                    )
                    for party, ending in by_winner
                ),
                ("hitler_zone",),
            ),
            *rule(
                edition,
                "end-at-once",
                _("The game ends at once."),
                _(
                    "Nothing moves or is shuffled after the action that wins. Then you see "
                    "everyone’s role."
                ),
            ),
        ),
    )


def _hitler_elected(options: Options) -> str:
    if options.hitler_zone == FASCIST_POLICIES_ARM_HITLER:
        return _("Hitler is elected Chancellor after three or more fascist policies.")
    told = _("Hitler is elected Chancellor from fascist policy {number} on.")
    return told.format(number=options.hitler_zone)
