"""The phrasebook: sentences for players without a common language.

A phrase is a code and at most two seats that it names. Every reader sees it in their own language.
Names are inserted undeclined, and no sentence reveals a gender.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Final

from django.utils import translation
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from games.bots.rhythm import key_of

from .sentences import Speech
from .voices import line_of

# The placeholders for two seats in the list of phrases, repeated beside the fields where the seats
# are chosen; and the one for a single seat.
PLACES: Final = ("①", "②")
_BLANK: Final = "___"


@dataclass(frozen=True, slots=True)
class Phrase:
    """The sentences of a phrase by the number of seats they name: none, one or two."""

    group: str
    sentences: Mapping[int, Promise]

    @property
    def least(self) -> int:
        """The minimum number of seats that it names."""
        return min(self.sentences)

    @property
    def most(self) -> int:
        return max(self.sentences)


GROUPS: Final[dict[str, Promise]] = {
    "questions": pgettext_lazy("phrases", "Questions"),
    "accusations": pgettext_lazy("phrases", "Suspicions"),
    "trust": pgettext_lazy("phrases", "Trust"),
    "requests": pgettext_lazy("phrases", "Advice and requests"),
    "oneself": pgettext_lazy("phrases", "About myself"),
    "answers": pgettext_lazy("phrases", "Answers"),
    "manners": pgettext_lazy("phrases", "Greetings and manners"),
}


# The group of phrases that only bots say: no one is offered them, and no one else may send them.
_BOTS: Final = "bots"


def _said(group: str, *sentences: Promise, least: int = 0) -> Phrase:
    return Phrase(group, dict(enumerate(sentences, start=least)))


PHRASES: Final[dict[str, Phrase]] = {
    # Questions
    "why": _said("questions", _("Why?"), _("{first}, why?"), _("{first}, why {second}?")),
    "why_this_vote": _said(
        "questions", _("Why did you all vote like that?"), _("{first}, why did you vote like that?")
    ),
    "what_drawn": _said(
        "questions", _("President, what did you draw?"), _("{first}, what did you draw?")
    ),
    "what_handed": _said(
        "questions", _("Chancellor, what were you handed?"), _("{first}, which two were passed on?")
    ),
    "what_seen": _said("questions", _("What did you see?"), _("{first}, what do you know?")),
    "whom_trust": _said("questions", _("Who do you trust?"), _("{first}, who do you trust?")),
    "whom_suspect": _said("questions", _("Who do you suspect?"), _("{first}, who do you suspect?")),
    "whom_nominate": _said(
        "questions", _("Who will be nominated?"), _("{first}, who will you nominate?")
    ),
    "whom_investigate": _said(
        "questions", _("Who will you investigate?"), _("{first}, who will you investigate?")
    ),
    "whom_execute": _said(
        "questions", _("Who will you execute?"), _("{first}, who will you execute?")
    ),
    "how_vote": _said("questions", _("How will you vote?"), _("{first}, how will you vote?")),
    "are_you_liberal": _said("questions", _("{first}, are you a liberal?"), least=1),
    "do_you_trust": _said("questions", _("{first}, do you trust {second}?"), least=2),
    # Suspicions
    "suspect": _said(
        "accusations", _("I suspect {first}."), _("I suspect {first} and {second}."), least=1
    ),
    "fascist": _said(
        "accusations",
        _("I think {first} is a fascist."),
        _("I think {first} and {second} are fascists."),
        least=1,
    ),
    "hitler": _said("accusations", _("I think {first} is Hitler."), least=1),
    "lying": _said(
        "accusations",
        _("{first}, that’s a lie."),
        _("Either {first} or {second} is lying."),
        least=1,
    ),
    "together": _said("accusations", _("{first} and {second} are working together."), least=2),
    "blames": _said("accusations", _("{first} is trying to blame {second}."), least=2),
    "too_quiet": _said("accusations", _("{first}, you’re very quiet."), least=1),
    "strange_vote": _said("accusations", _("{first}, that’s a strange vote."), least=1),
    "no_sense": _said("accusations", _("That makes no sense."), _("{first}, that makes no sense.")),
    # Trust
    "trust": _said("trust", _("I trust {first}."), _("I trust {first} and {second}."), least=1),
    "liberal": _said(
        "trust",
        _("I think {first} is a liberal."),
        _("I think {first} and {second} are liberals."),
        least=1,
    ),
    "trust_more": _said("trust", _("I trust {first} more than {second}."), least=2),
    "believe": _said("trust", _("{first}, I believe you."), least=1),
    "not_hitler": _said("trust", _("{first} isn’t Hitler."), least=1),
    "good_pair": _said("trust", _("{first} and {second} would make a good government."), least=2),
    # Advice and requests
    "vote_ja": _said("requests", _("Vote Ja!"), _("{first}, vote Ja!")),
    "vote_nein": _said("requests", _("Vote Nein!"), _("{first}, vote Nein!")),
    "nominate": _said(
        "requests", _("Nominate {first}."), _("{first}, nominate {second}."), least=1
    ),
    "not_nominate": _said(
        "requests", _("Don’t nominate {first}."), _("{first}, don’t nominate {second}."), least=1
    ),
    "nominate_me": _said("requests", _("Nominate me."), _("{first}, nominate me.")),
    "investigate": _said(
        "requests", _("Investigate {first}."), _("{first}, investigate {second}."), least=1
    ),
    "investigate_me": _said("requests", _("Investigate me."), _("{first}, investigate me.")),
    "execute": _said("requests", _("Execute {first}."), _("{first}, execute {second}."), least=1),
    "spare": _said(
        "requests", _("Don’t execute {first}."), _("{first}, don’t execute {second}."), least=1
    ),
    "next_president": _said("requests", _("The next President should be {first}."), least=1),
    "propose_veto": _said("requests", _("Propose a veto."), _("{first}, propose a veto.")),
    "refuse_veto": _said("requests", _("Don’t consent to a veto."), _("{first}, no veto, please.")),
    "say_what": _said(
        "requests", _("Say what you saw."), _("{first}, make a claim: what did you see?")
    ),
    "beware_hitler": _said("requests", _("Careful: the Chancellor could be Hitler!")),
    # About myself
    "me_liberal": _said("oneself", _("I’m a liberal."), _("{first}, I’m a liberal.")),
    "me_not_hitler": _said("oneself", _("I’m not Hitler.")),
    "me_truth": _said("oneself", _("That’s the truth."), _("{first}, that’s the truth.")),
    "me_no_choice": _said("oneself", _("I had no choice.")),
    "me_only_fascist": _said("oneself", _("I only had fascist policies.")),
    "me_vote_ja": _said("oneself", _("I’ll vote Ja.")),
    "me_vote_nein": _said("oneself", _("I’ll vote Nein.")),
    "me_nominate": _said("oneself", _("I’ll nominate {first}."), least=1),
    "me_investigate": _said("oneself", _("I’ll investigate {first}."), least=1),
    "me_execute": _said("oneself", _("I’ll execute {first}."), least=1),
    "ja_trust": _said(
        "oneself",
        _("I voted Ja because I trust {first}."),
        _("I voted Ja because I trust {first} and {second}."),
        least=1,
    ),
    "ja_chance": _said("oneself", _("I voted Ja to give them a chance.")),
    "ja_chaos": _said("oneself", _("I voted Ja because we can’t afford a third rejection.")),
    "nein_distrust": _said(
        "oneself",
        _("I voted Nein because I don’t trust {first}."),
        _("I voted Nein because I don’t trust {first} and {second}."),
        least=1,
    ),
    "nein_hitler": _said("oneself", _("I voted Nein because {first} could be Hitler."), least=1),
    "nein_other": _said("oneself", _("I voted Nein because I’d like another government.")),
    "me_wronged": _said("oneself", _("{first}, you’re wrong about me."), least=1),
    # Answers
    "yes": _said("answers", _("Yes."), _("{first}, yes.")),
    "no": _said("answers", _("No."), _("{first}, no.")),
    "perhaps": _said("answers", _("Maybe."), _("{first}, maybe.")),
    "no_idea": _said("answers", _("I don’t know yet."), _("{first}, I don’t know yet.")),
    "agree": _said("answers", _("I agree."), _("I agree with {first}.")),
    "disagree": _said("answers", _("I see it differently."), _("{first}, I see it differently.")),
    "interesting": _said("answers", _("Interesting…"), _("{first}, interesting…")),
    "surprise": _said("answers", _("What a surprise!")),
    "oh_no": _said("answers", _("Oh no!")),
    "ha": _said("answers", _("Haha!")),
    # Greetings and manners
    "hello": _said("manners", _("Hi everyone!"), _("Hi {first}!")),
    "good_luck": _said("manners", _("Good luck, and have fun!")),
    "thanks": _said("manners", _("Thanks!"), _("Thanks, {first}!")),
    "sorry": _said("manners", _("Sorry!"), _("Sorry, {first}!")),
    "moment": _said("manners", _("Just a moment, please."), _("{first}, just a moment, please.")),
    "go_on": _said("manners", _("Let’s get going, please."), _("{first}, we’re waiting for you.")),
    "back": _said("manners", _("I’m back.")),
    "well_played": _said("manners", _("Well played!"), _("Well played, {first}!")),
    "good_game": _said("manners", _("Good game. Bye!")),
    # Only said by bots
    "point": _said(_BOTS, _("You’ve got a point, {first}."), least=1),
    "not_convinced": _said(_BOTS, _("{first}, I’m not convinced."), least=1),
    "confessed": _said(
        _BOTS, _("{first} had a liberal policy and enacted a fascist one."), least=1
    ),
    "only_bot": _said(_BOTS, _("Use a phrase, please. I’m only a bot.")),
    "nein_me": _said(_BOTS, _("I voted Nein because I’d rather not govern right now.")),
    "end_knew": _said(_BOTS, _("I knew it, {first}!"), least=1),
    "end_fooled": _said(_BOTS, _("You fooled me, {first}."), least=1),
    "end_won": _said(_BOTS, _("We did it!")),
    "end_lost": _said(_BOTS, _("That was close.")),
    "end_hid": _said(_BOTS, _("You never suspected me.")),
    "end_hitler": _said(_BOTS, _("Yes, I was Hitler.")),
    "you_too": _said(_BOTS, _("You too, {first}!"), least=1),
}


# For tables where a President may investigate.
_INVESTIGATIONS: Final = ("whom_investigate", "investigate", "investigate_me", "me_investigate")


def phrases_for(*, may_investigate: bool) -> dict[str, Phrase]:
    """Return the phrases that players may say and that are of use at a table, by code."""
    return {
        code: said
        for code, said in PHRASES.items()
        if said.group != _BOTS and (may_investigate or code not in _INVESTIGATIONS)
    }


def phrase(
    code: str,
    seats: Sequence[int],
    names: Mapping[int, str],
    html: bool = False,
    *,
    voice: str = "",
    line: int = 0,
) -> str:
    """Return the sentence of a phrase, as a character says it if there is a `voice`.

    `names` has the names of its seats.
    """
    speech = Speech(names, html)
    places = dict(zip(("first", "second"), map(speech.name, seats), strict=False))
    own = line_of(voice, key_of(code, seats), line) if voice else None
    return speech.say(own or str(PHRASES[code].sentences[len(seats)]), **places)


def phrase_label(code: str) -> str:
    """Return a phrase as listed: with a blank for a seat, or ① and ② for two.

    Seats that may be left out are left out; the fields offer them.
    """
    least = PHRASES[code].least
    return phrase(code, range(least), dict(enumerate(PLACES if least > 1 else (_BLANK,))))


# A group's name, and for each of its phrases the code, the label, and the least and most seats.
PhraseGroup = tuple[str, tuple[tuple[str, str, int, int], ...]]


@cache
def phrase_groups(locale: str, *, may_investigate: bool) -> tuple[PhraseGroup, ...]:
    """Return the phrasebook in one language. Built once per language and kind of table."""
    with translation.override(locale):
        return tuple(
            (
                str(name),
                tuple(
                    (code, phrase_label(code), said.least, said.most)
                    for code, said in phrases_for(may_investigate=may_investigate).items()
                    if said.group == group
                ),
            )
            for group, name in GROUPS.items()
        )
