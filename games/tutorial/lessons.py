"""The lessons: one rule each, the position that shows it, and what each press leads to."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from games.tutorial import scripts
from games.tutorial.scripts import Script

# What the player does in a lesson, besides the decisions of the game.
READ: Final = "read"
CLAIM: Final = "claim"

_Words = str | Promise


@dataclass(frozen=True, slots=True, eq=False)
class Lesson:
    """One rule, at most two short sentences, and the move by which the player tries it."""

    slug: str
    title: _Words
    text: _Words
    script: Script
    # The right choices, with what just happened. A key is a choice ("vote:nein"), or a kind of
    # action if every choice of that kind is right.
    right: Mapping[str, _Words]
    # Why another legal choice is wrong here: by choice, or else for all.
    wrong: Mapping[str, _Words] = field(default_factory=dict)
    why: _Words = ""
    # READ, CLAIM, or "" for a decision of the game.
    act: str = ""
    # What others do after the right choice, as in a script.
    then: str = ""
    # Seats that are offered although the rules refuse them, to explain the refusal: the last
    # Chancellor and the last President, whom the text names.
    refused: tuple[int, ...] = ()
    # Whether the player must read their role, or what they have learnt, before anything else.
    reads: bool = False


LESSONS: Final = (
    Lesson(
        "role",
        title=_("Your secret role"),
        text=_(
            "Liberals win with five liberal policies or by executing Hitler. Fascists win with "
            "six fascist policies, or if Hitler is elected Chancellor late in the game."
        ),
        script=scripts.ROLE,
        reads=True,
        act=READ,
        right={
            READ: _("You’re a liberal, and you don’t know who the others are. Time to find out.")
        },
    ),
    Lesson(
        "nominate",
        title=pgettext_lazy("lesson", "Nominate a Chancellor"),
        text=_(
            "Each round, the next player runs for President and nominates a Chancellor. The "
            "President and the Chancellor of the last government are term-limited: {president} "
            "and {chancellor} can’t be nominated."
        ),
        script=scripts.NOMINATE,
        right={"nominate": _("Good. Now everyone votes on the two of you.")},
        refused=(5, 6),
    ),
    Lesson(
        "vote",
        title=pgettext_lazy("lesson", "Vote on the government"),
        text=_(
            "Everyone votes at once, and more than half must say Ja. The others are split three "
            "to three, so your ballot decides."
        ),
        script=scripts.VOTE,
        right={
            "vote:ja": _(
                "Four of seven said Ja: the government is elected, and you’re President. You’ve "
                "just drawn three policies."
            ),
            "vote:nein": _(
                "Only three of seven said Ja, so the election failed. The election tracker moved, "
                "and the next player runs for President."
            ),
        },
    ),
    Lesson(
        "tracker",
        title=pgettext_lazy("lesson", "Three failed elections"),
        text=_(
            "Two elections in a row have failed, and after the third one the top policy of the "
            "pile is enacted. Vote Nein and watch."
        ),
        script=scripts.TRACKER,
        right={
            "vote:nein": _(
                "The top policy was enacted, and no one could choose it. The tracker is back at "
                "the start."
            )
        },
        why=_("A Ja would elect this government. Vote Nein this time to see the tracker at work."),
    ),
    Lesson(
        "president",
        title=pgettext_lazy("lesson", "In office: the President"),
        text=_(
            "The President draws three policies, discards one in secret and hands two to the "
            "Chancellor. You’re a liberal: make it easy to do the right thing."
        ),
        script=scripts.PRESIDENT,
        right={
            "discard:fascist": _(
                "The Chancellor had one of each and enacted the liberal policy. Now you have "
                "reason to trust each other."
            )
        },
        why=_(
            "That leaves two fascist policies, so the Chancellor would have no choice. Discard a "
            "fascist one."
        ),
        then="enact l",
    ),
    Lesson(
        "chancellor",
        title=pgettext_lazy("lesson", "In office: the Chancellor"),
        text=_(
            "The Chancellor gets two policies from the President and enacts one. The other is "
            "discarded, and no one sees it."
        ),
        script=scripts.CHANCELLOR,
        right={
            "enact:liberal": _(
                "A liberal policy for everyone to see. All five of them win the game for you."
            )
        },
        why=_(
            "You’re a liberal, and a fascist policy helps the other side. Enact the liberal one."
        ),
    ),
    Lesson(
        "claim",
        title=pgettext_lazy("lesson", "Say what you drew"),
        text=_(
            "You drew three fascist policies, and now everyone suspects you. Hands stay secret, so "
            "tell the table what you drew: a liberal tells the truth."
        ),
        script=scripts.CLAIM,
        reads=True,
        act=CLAIM,
        right={
            "claim:drawn-1-fff-f": _(
                "Your claim goes to the chat. No one can check it, but your Chancellor saw two of "
                "the cards and will say so too."
            )
        },
        why=_(
            "That isn’t what you drew. If your Chancellor tells another story, everyone will think "
            "you lied: you drew three fascist policies."
        ),
    ),
    Lesson(
        "investigate",
        title=pgettext_lazy("lesson", "Powers: investigate"),
        text=_(
            "Some fascist policies give the President a power. This one shows you a player’s "
            "party: choose whom to look at."
        ),
        script=scripts.INVESTIGATE,
        reads=True,
        right={
            "investigate": _(
                "You now know this player’s party, and only you do. Hitler’s party is fascist too, "
                "so you can’t tell Hitler from the others."
            )
        },
    ),
    Lesson(
        "execute",
        title=pgettext_lazy("lesson", "Powers: execute"),
        text=_(
            "The fourth and the fifth fascist policy let the President execute a player. Earlier "
            "you investigated one of them: read what you learnt, then choose."
        ),
        script=scripts.EXECUTE,
        reads=True,
        right={"execute:3": _("It was Hitler, so the liberals win at once.")},
        wrong={
            "execute:4": _(
                "After three fascist policies this player was elected Chancellor and the game went "
                "on, so it can’t be Hitler."
            )
        },
        why=_("You’ve seen another player’s fascist party card. That’s the best target you have."),
    ),
    Lesson(
        "veto",
        title=pgettext_lazy("lesson", "The veto"),
        text=_(
            "After five fascist policies the Chancellor may propose a veto. If the President "
            "agrees, both policies are discarded."
        ),
        script=scripts.VETO,
        right={
            "propose_veto": _(
                "The President agreed: both policies are gone. It counts like a failed election, "
                "so the tracker moved."
            )
        },
        why=_(
            "That would be the sixth fascist policy, and the fascists would win. Propose a veto."
        ),
        then="answer_veto yes",
    ),
    Lesson(
        "hitler-check",
        title=pgettext_lazy("lesson", "After three fascist policies"),
        text=_(
            "From now on the fascists win if Hitler is elected Chancellor. You know nothing about "
            "this Chancellor, and your ballot decides."
        ),
        script=scripts.HITLER_CHECK,
        right={
            "vote:nein": _(
                "Well done: that was Hitler. A Chancellor who is elected now and doesn’t end the "
                "game is certainly not Hitler."
            )
        },
        why=_("That was Hitler, and with your Ja the game would be lost. Vote Nein."),
    ),
    Lesson(
        "fascist",
        title=pgettext_lazy("lesson", "Now you’re a fascist"),
        text=_(
            "Fascists know one another and Hitler. You’re President and Hitler is your Chancellor: "
            "leave no liberal policy."
        ),
        script=scripts.FASCIST,
        right={
            "discard:liberal": _(
                "A fascist policy was enacted, and it looks like bad luck. Now you need a story."
            )
        },
        why=_(
            "That leaves a liberal policy on the table. It can win trust, but here you want a "
            "fascist one: discard the liberal policy."
        ),
        then="enact f",
    ),
    Lesson(
        "lie",
        title=pgettext_lazy("lesson", "Tell a lie"),
        text=_(
            "Everyone saw the fascist policy, and you discarded the only liberal one. Claim "
            "something that makes it look like bad luck."
        ),
        script=scripts.LIE,
        reads=True,
        act=CLAIM,
        right={
            "claim:drawn-1-fff-f": _(
                "Three fascist policies: it happens often enough to be believed. Make sure your "
                "Chancellor says the same."
            )
        },
        wrong={
            "claim:drawn-1-lff-l": _("That’s the truth, and it gives you away. Lie a little."),
            "claim:drawn-1-lff-f": _(
                "Then your Chancellor had a liberal policy and didn’t enact it. You’d give Hitler "
                "away."
            ),
        },
        why=_(
            "This story makes one of you look bad. Say that you drew nothing but fascist policies."
        ),
    ),
    Lesson(
        "hitler",
        title=pgettext_lazy("lesson", "Now you’re Hitler"),
        text=_(
            "At this table Hitler doesn’t know who the fascists are. You want to be elected later, "
            "so act like a liberal now."
        ),
        script=scripts.HITLER,
        right={
            "enact:liberal": _(
                "That’s one more liberal policy and a lot of trust. The fascists do the dirty work."
            )
        },
        why=_(
            "Then everyone suspects you, and no one makes you Chancellor. Enact the liberal one."
        ),
    ),
    Lesson(
        "elected",
        title=pgettext_lazy("lesson", "Win as Hitler"),
        text=_(
            "Three fascist policies lie on the table, and you’re nominated for Chancellor. The "
            "others are split: your own ballot counts too."
        ),
        script=scripts.HITLER_ELECTED,
        right={"vote:ja": _("You’re Chancellor Hitler, and the fascists win.")},
        why=_("Your own Nein would stop you. Vote Ja: being elected now wins the game."),
    ),
)
BY_SLUG: Final = {lesson.slug: lesson for lesson in LESSONS}
