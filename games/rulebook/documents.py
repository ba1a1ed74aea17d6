"""The documents behind the editions: their origin, their mistakes and their gaps."""

from dataclasses import dataclass
from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext

from games import wording
from games.rules.components import FASCIST_POLICIES_ARM_HITLER, FASCIST_POLICIES_UNLOCK_VETO
from games.rules.editions import EDITIONS, Limited, Options, Reshuffle

from .blocks import Block, Chapter, Paragraph, Steps
from .telling import WordsOf, told, without_empty

# Names as the documents print them; they are the same in every language.
NAMES: Final = {
    "ru": {"translator": "ruthus", "guide": "serega6531"},
    "ru-5-6": {
        "title": "Правила игры для пятерых и шестерых участников",
        "publisher": "teletype.in",
    },
    "pl": {"publisher": "HISTORY", "programme": "Polowanie na Hitlera"},
    "ja": {"program": "Tabletop Simulator", "publisher": "tabitter.net"},
    "it": {"translator": "Signor Darcy", "publisher": "La Tana dei Goblin"},
}
_DOCUMENTS: Final = {
    "en": gettext_lazy("The final rules of 2016, as English speakers play them."),
    "ru": gettext_lazy(
        "The full Russian rules, translated by {translator} with the help of a Steam guide by "
        "{guide}."
    ),
    "ru-5-6": gettext_lazy(
        "The Russian “{title}”, published on {publisher} on 11 June 2020: a free retelling for "
        "five or six players, with rules of its own."
    ),
    "pl": gettext_lazy(
        "The Polish edition of the {publisher} channel, to be printed at home, made for the "
        "programme “{programme}”."
    ),
    "ja": gettext_lazy(
        "The Japanese translation for {program}, published on {publisher} in January 2016."
    ),
    "it": gettext_lazy(
        "The Italian rulebook, freely translated from English by {translator}, from {publisher}. "
        "It refers to the English rules in doubt."
    ),
}
_FINAL_RULES: Final = gettext_lazy("It follows the final rules of 2016.")
_EARLY_RULES: Final = gettext_lazy("It follows the early print-and-play rules.")
# What the site knows of a document’s origin, and the document doesn’t say.
_FOLLOWS: Final[WordsOf] = {
    "en": "",
    "ru": _FINAL_RULES,
    "ru-5-6": gettext_lazy("We don’t know who wrote it."),
    "pl": _FINAL_RULES,
    "ja": (_EARLY_RULES, gettext_lazy("We don’t know who translated it.")),
    "it": _EARLY_RULES,
}
# Whom the Polish document thanks by name.
_THANKED: Final = (
    "Shari Spiro",
    "Ginny Miller",
    "Dan Shapiro",
    "Elan Lee",
    "Mike Selinker",
    "Luke Crane",
)
_THANKS: Final = {
    "ru": gettext_lazy("The game was funded on Kickstarter."),
    "pl": gettext_lazy(
        "34,565 people funded the game on Kickstarter. The authors thank, among others, {names}, "
        "and the first testers."
    ),
}
# Slips that several documents share.
_KNOWS_NO_ONE: Final = gettext_lazy(
    "It says that Hitler doesn’t know the others. That’s true with seven players or more. "
    "With five or six, Hitler and the fascist know each other."
)
_POWER_EACH_TIME: Final = gettext_lazy(
    "It gives the President a power after every fascist policy. Only some spaces of the "
    "fascist track have one."
)
_FASCISTS_OF_FEW: Final = gettext_lazy(
    "With five or six players it has the fascists open their eyes. There’s only one besides Hitler."
)
_HANDS: Final = gettext_lazy(
    "With five or six players, it has you lower hands that no one held out."
)
_SLIPS: Final = {
    # Both in the overview.
    "en": (_KNOWS_NO_ONE, _POWER_EACH_TIME),
    "ru": (
        gettext_lazy(
            "The document has the two policies handed over together to judge the Chancellor’s "
            "reaction. The original says the opposite: both at once, so that the President can’t "
            "judge it."
        ),
        _KNOWS_NO_ONE,
        _POWER_EACH_TIME,
        gettext_lazy("It has the President shuffle the bullet to a player. It means: move it."),
        gettext_lazy(
            "It calls the Chancellor’s answer the end of the game. If the answer is no, the game "
            "goes on."
        ),
        gettext_lazy(
            "It has the liberals shut out anyone whom they call a fascist. In the original, it’s "
            "a player who admits to being one."
        ),
        gettext_lazy("A word is missing from its sentence on the ballots. You vote with them."),
        gettext_lazy("It writes “Ya” for “Ja”."),
        gettext_lazy(
            "On veto sessions, it once says “five policies”. It means five fascist ones, as in the "
            "sentence before."
        ),
        gettext_lazy("It names an author “Voxleiter”. That’s Mike Boxleiter."),
    ),
    "ru-5-6": (
        gettext_lazy(
            "Its list of parts leaves out the envelopes, the liberal track, the bullets and the "
            "honorary badge."
        ),
        gettext_lazy(
            "It lists tracks for up to ten players and party cards, but its rules are for five and "
            "six only."
        ),
        gettext_lazy(
            "One sentence gives the powers to the government. Everywhere else the President has "
            "them."
        ),
        gettext_lazy(
            "After chaos it resets counters of terms, and its list has no such counters. It "
            "doesn’t say what the honorary placards are for."
        ),
    ),
    "pl": (
        gettext_lazy(
            "In one place the document gives the President the right to use a power. In two "
            "others, and here, it’s a duty."
        ),
        gettext_lazy(
            "It says that Hitler must still find out who supports him. With five or six players, "
            "Hitler knows the fascist from the start."
        ),
        _POWER_EACH_TIME,
        gettext_lazy(
            "It says that the veto and the election tracker limit eligibility too. The tracker "
            "only lifts the limits, and of the veto it says nothing more."
        ),
        gettext_lazy(
            "It says that an investigation is possible only while Hitler’s role isn’t revealed. "
            "It means that an investigation must not reveal it."
        ),
        gettext_lazy("It calls the veto a special policy. It’s a right, and no card."),
        _FASCISTS_OF_FEW,
        gettext_lazy(
            "It speaks of voting for policies. No one votes on a policy: the President and the "
            "Chancellor enact it."
        ),
        gettext_lazy("It says that you must tell the truth in one case only, and names two."),
        gettext_lazy(
            "Among the powers to ask about, it has making someone Chancellor. It means the special "
            "election."
        ),
    ),
    "ja": (
        gettext_lazy(
            "One sentence of the document has Hitler win as President. In the rest of it, and "
            "here, Hitler wins as Chancellor."
        ),
        gettext_lazy(
            "In one place it asks for half of the votes or more. We go by what it says of a tie: "
            "a tie rejects the government."
        ),
        _POWER_EACH_TIME,
        _HANDS,
        gettext_lazy(
            "It doesn’t say how many policies the President discards. Two are left, so it’s one."
        ),
        gettext_lazy(
            "Two words are misspelt: “{leave}” stands for “{become}”, and “{prize}” for “{target}”."
        ),
    ),
    "it": (
        gettext_lazy(
            "The document’s overview leaves out that Hitler’s election wins only after three "
            "fascist policies. Its list of endings has it, and so do we."
        ),
        gettext_lazy(
            "It says that Hitler mostly doesn’t know the others. With seven or more that’s true; "
            "with five or six, Hitler and the fascist know each other from the start."
        ),
        gettext_lazy(
            "Its overview reads as if every fascist policy gave a power. Further on it says, as we "
            "do, that only some do."
        ),
        _FASCISTS_OF_FEW,
        _HANDS,
        gettext_lazy(
            "Its sentence on the execution breaks off after the set words. It means that the "
            "President executes a player."
        ),
        gettext_lazy("It calls the power of veto a veto on the power."),
    ),
}
# As the Japanese document writes them, and as it means them.
_MISSPELT: Final = {
    "leave": "離れません",
    "become": "なれません",
    "prize": "大賞",
    "target": "対象",
}


@dataclass(frozen=True, slots=True)
class _Question:
    """A question that a document leaves open, and how the site decides it."""

    text: str | Promise
    # It's asked only if these options are the edition's own.
    about: tuple[str, ...] = ()

    def is_asked(self, base: Options, options: Options) -> bool:
        return all(getattr(base, name) == getattr(options, name) for name in self.about)


_LIMITS: Final = ("limited", "limits_lapse")
_ONLY_FIVE: Final = _Question(
    gettext_lazy(
        "It frees the last President when “only five players” are left. We read it as five or "
        "fewer."
    ),
    ("small_table",),
)
_THREE_IN_A_ROW: Final = _Question(
    gettext_lazy(
        "It counts three rejected governments in a row, yet a veto moves the tracker too. We go by "
        "the tracker."
    ),
    ("veto_advances_tracker",),
)
_EACH_VETO: Final = _Question(
    gettext_lazy(
        "It says that each use of the veto moves the election tracker. We count only an accepted "
        "one."
    ),
    ("veto_advances_tracker",),
)
_VETO_IN_SILENCE: Final = _Question(
    gettext_lazy(
        "It doesn’t say how a veto fits the silence. Here its words may be spoken, and an accepted "
        "veto ends the silence."
    ),
    ("silence",),
)
_TWO_LIMITS: Final = _Question(
    gettext_lazy(
        "One sentence limits those who enacted the last policy, another the last President and "
        "Chancellor. We go by the first."
    ),
    _LIMITS,
)
_ONE_MOVE: Final = _Question(
    gettext_lazy(
        "It moves the President placard on after a rejected vote or a veto, and again at the start "
        "of a round. We read these as one move."
    )
)
_FIRST_ROUND: Final = _Question(
    gettext_lazy(
        "It passes the President placard on at the start of every round. In the first round the "
        "player drawn by lot keeps it."
    )
)
_OPEN: Final = {
    "en": (),
    "ru": (
        _Question(
            gettext_lazy(
                "It limits the last pair “in the next turn”, and chaos frees everyone “for the "
                "next turn”. We read it as: limits last until another government is elected, or "
                "until chaos."
            ),
            _LIMITS,
        ),
        _ONLY_FIVE,
        _THREE_IN_A_ROW,
        _EACH_VETO,
    ),
    "ru-5-6": (
        _Question(
            gettext_lazy(
                "The document limits the government of “the previous round”. Its round is a "
                "government, so a rejected one leaves the limits as they are. Otherwise chaos "
                "would have none to clear."
            ),
            _LIMITS,
        ),
        _Question(
            gettext_lazy(
                "It counts rejected governments in a row, and doesn’t say when the count ends. We "
                "read it as: electing a government returns the tracker to 0."
            ),
            ("tracker_resets_on",),
        ),
        _Question(
            gettext_lazy("It doesn’t say that a veto moves the tracker. Here it doesn’t."),
            ("veto_advances_tracker",),
        ),
        _VETO_IN_SILENCE,
        _Question(
            gettext_lazy(
                "The fifth space gives “the government” the veto; a later sentence gives it to "
                "every following one. We go by the second."
            ),
            ("veto_zone",),
        ),
        _Question(
            gettext_lazy(
                "It doesn’t say whether a Chancellor with the badge is asked again. Here they are, "
                "and get no second badge."
            ),
            ("not_hitler_badge",),
        ),
    ),
    "pl": (
        _Question(
            gettext_lazy(
                "It lists three boards, liberal and fascist. You need a fascist one for your "
                "number of players, and a liberal one."
            )
        ),
        _ONLY_FIVE,
        _THREE_IN_A_ROW,
        _EACH_VETO,
        _ONE_MOVE,
        _Question(
            gettext_lazy(
                "It obliges only Hitler to tell the truth. Here every answer to the question is "
                "true, so that a no counts."
            )
        ),
    ),
    "ja": (
        _Question(
            gettext_lazy(
                "The document limits the pair of “the previous round”, and its rounds begin "
                "whenever the candidacy passes on. We read that as the previous candidacy, so a "
                "rejected government leaves no limits."
            ),
            _LIMITS,
        ),
        _Question(
            gettext_lazy(
                "After chaos, the document makes everyone eligible “for the next round”. By our "
                "reading of “the previous round”, the limits are gone by then anyway."
            ),
            _LIMITS,
        ),
        _TWO_LIMITS,
        _Question(
            gettext_lazy(
                "“When five play” may mean five who began or five who are alive. We read it as a "
                "game that began with five."
            ),
            ("small_table",),
        ),
        _THREE_IN_A_ROW,
        _VETO_IN_SILENCE,
        _FIRST_ROUND,
    ),
    "it": (
        _TWO_LIMITS,
        _Question(
            gettext_lazy(
                "After chaos, the document makes everyone eligible “during the next election”. We "
                "read it as: chaos clears all limits, until another pair enacts a policy."
            ),
            _LIMITS,
        ),
        _Question(
            gettext_lazy(
                "The document limits only the last Chancellor in “a game of five”. We read it as a "
                "game that began with five players."
            ),
            ("small_table",),
        ),
        _THREE_IN_A_ROW,
        _EACH_VETO,
        _VETO_IN_SILENCE,
        _FIRST_ROUND,
        _ONE_MOVE,
    ),
}
# Where a document doesn’t say that it must be another player.
_NOT_YOURSELF: Final[WordsOf] = {
    "en": gettext_lazy("You can’t nominate yourself, or use a power on yourself."),
    "pl": gettext_lazy("You can’t investigate or execute yourself."),
    "it": gettext_lazy("You can’t execute yourself."),
}
# One form everywhere: as the documents and the footer have it.
AUTHORS: Final = ("Mike Boxleiter", "Tommy Maranges", "Max Temkin", "Mac Schubert")


def document(edition: str) -> str:
    """Return which document an edition is based on, and who made it."""
    return str(_DOCUMENTS[edition]).format(**NAMES.get(edition, {}))


def questions(edition: str, options: Options) -> Chapter:
    """Return the chapter on the document's mistakes and gaps, and how the site decides them."""
    blocks: list[Block] = [
        Paragraph(
            "questions-why",
            _(
                "Every document has slips and leaves some questions open. Here’s what we found in "
                "this one, and how we decided."
            ),
        ),
    ]
    slips = tuple(str(slip).format(**_MISSPELT) for slip in _SLIPS[edition])
    blocks.append(Steps("slips", slips, (), _("Slips"), False))
    blocks.append(Steps("open", _left_open(edition, options), _ABOUT_OPEN, _("Left open"), False))
    return Chapter("questions", _("Slips and open questions"), tuple(blocks), is_rules=False)


_ABOUT_OPEN: Final = (
    *_LIMITS,
    "small_table",
    "tracker_resets_on",
    "veto_advances_tracker",
    "reshuffle",
    "silence",
    "not_hitler_badge",
    "hitler_zone",
    "veto_zone",
)


def _left_open(edition: str, options: Options) -> tuple[str, ...]:
    base = EDITIONS[edition]
    items = [str(question.text) for question in _OPEN[edition] if question.is_asked(base, options)]
    if options.limited is Limited.ENACTORS and not options.limits_lapse:
        items.append(
            _("After a veto the pair that enacted before stays limited: no other has since.")
        )
    if options.reshuffle is not Reshuffle.BEFORE_DRAW:
        items.append(
            # Its document says itself when the shuffle comes.
            _("A session ends when a policy is enacted or a veto accepted.")
            if edition == "pl"
            else _(
                "A session ends when a policy is enacted or a veto accepted. The shuffle at its "
                "end comes before any power is used."
            )
        )
    items += [
        _("If only the last Chancellor is limited and that Chancellor is dead, there’s no limit."),
        *_chaos_and_zones(options),
        told(_NOT_YOURSELF, edition),
        _("There’s always a player to nominate: the limits never rule everyone out."),
    ]
    return tuple(items)


def _chaos_and_zones(options: Options) -> tuple[str, ...]:
    if (options.hitler_zone, options.veto_zone) != (
        FASCIST_POLICIES_ARM_HITLER,
        FASCIST_POLICIES_UNLOCK_VETO,
    ):
        return ()
    return (
        _(
            "Chaos may enact the last policy of a side, and that side wins. It may enact the "
            "third fascist policy or the fifth, and what they bring takes effect."
        ),
    )


def credits_of(edition: str) -> Chapter:
    """Return the chapter that credits the authors of the game and of the document."""
    return Chapter(
        "credits",
        pgettext("rulebook", "Credits"),
        without_empty(
            Paragraph(
                "authors",
                _("{game} was created by {authors}, and is licensed under {licence}.").format(
                    game=_("Secret Hitler"),
                    authors=wording.listed(AUTHORS),
                    licence="CC BY-NC-SA 4.0",
                ),
            ),
            Paragraph("source", document(edition)),
            Paragraph("source-open", told(_FOLLOWS, edition), is_of_site=True),
            *_thanks(edition),
            Paragraph(
                "wording",
                _(
                    "The wording of this page is our own, built from the same data that runs the "
                    "game. You may use it under the same licence."
                ),
            ),
        ),
        is_rules=False,
    )


def _thanks(edition: str) -> tuple[Paragraph, ...]:
    if edition not in _THANKS:
        return ()
    return (Paragraph("thanks", str(_THANKS[edition]).format(names=wording.listed(_THANKED))),)
