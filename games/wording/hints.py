"""The coach's advice in words, and why a seat cannot be chosen."""

from typing import Final

from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _

from games.rules.editions import Limited
from games.rules.hints import Hint
from games.rules.reasons import Reason

from .errors import refusal
from .terms import linked_terms

_SENTENCES: Final = {
    Hint.NOMINATE: _(
        "Pick someone you’d trust with two policies. No one is sure of anyone yet, so ask around "
        "first."
    ),
    Hint.NOMINATE_ARMED: _(
        "If your Chancellor <hitler-check>is Hitler</hitler-check>, you lose at once. Look for "
        "players who were Chancellor under the same danger before: they can’t be Hitler."
    ),
    Hint.NOMINATE_FASCIST: _(
        "A fascist Chancellor gets policies through, a liberal one makes you look honest. Think "
        "about which you need now."
    ),
    Hint.NOMINATE_HITLER_NOW: _(
        "You win if <hitler-check>Hitler is elected Chancellor</hitler-check> now. Nominate Hitler "
        "if the others will vote for it."
    ),
    Hint.NOMINATE_AS_HITLER: _(
        "Play like a liberal: nominate someone the table trusts. Your chance comes later."
    ),
    Hint.VOTE: _(
        "Vote Ja if you trust both of them. Three <tracker>failed elections</tracker> in a row "
        "enact the top policy, so Nein has a price too."
    ),
    Hint.VOTE_LAST_CHANCE: _(
        "Two elections have failed. If this one fails too, the <chaos>top policy is "
        "enacted</chaos>, whatever it is."
    ),
    Hint.VOTE_ARMED: _(
        "<hitler-check>Electing Hitler</hitler-check> as Chancellor loses the game now. Vote Nein "
        "unless you believe this Chancellor."
    ),
    Hint.VOTE_FASCIST: _(
        "Everyone sees your ballot. Vote as an honest liberal would, unless your side really needs "
        "this government."
    ),
    Hint.VOTE_HITLER_IN: _(
        "The Chancellor on the ballot is Hitler. If they’re <hitler-check>elected</hitler-check>, "
        "you win."
    ),
    Hint.VOTE_ME_IN: _("If you’re <hitler-check>elected Chancellor</hitler-check> now, you win."),
    Hint.DISCARD: _(
        "Discard a fascist policy, so your Chancellor can enact a liberal one. Then tell the "
        "others what you drew."
    ),
    Hint.DISCARD_ALL_FASCIST: _(
        "All three are fascist, so you have no choice. Say so right after: everyone will ask."
    ),
    Hint.DISCARD_ALL_LIBERAL: _("All three are liberal: this one is safe, whoever you are."),
    Hint.DISCARD_FASCIST: _(
        "Pass on two fascist policies and the Chancellor can’t save the day. Everyone will ask "
        "what you drew, so have an answer ready."
    ),
    Hint.DISCARD_LIBERAL: _(
        "Discard a liberal policy, and the Chancellor can still enact the fascist one. Everyone "
        "will ask what you drew, so have an answer ready."
    ),
    Hint.ENACT: _("Enact the liberal policy, and say that you had the choice."),
    Hint.ENACT_BOTH_FASCIST: _(
        "You hold two fascist policies, and everyone will ask what you were passed. Say it before "
        "they do: the President knows whether it’s true."
    ),
    Hint.ENACT_BOTH_LIBERAL: _("Both are liberal. The others will like you both a little more."),
    Hint.ENACT_FASCIST: _(
        "Enact the fascist policy if you can blame the President, or the liberal one to earn trust."
    ),
    Hint.VETO: _(
        "If you <veto>consent</veto>, both policies go and the Chancellor gets neither. If you "
        "don’t, one of them is enacted."
    ),
    Hint.INVESTIGATION: _(
        "You’ll see a <investigation>party</investigation>, not a role: Hitler looks fascist. Only "
        "you see it, and you may lie about it."
    ),
    Hint.SPECIAL_ELECTION: _(
        "Choose <special-election>who runs for President next</special-election>. After that, the "
        "turn goes on from you as usual."
    ),
    Hint.PEEK: _(
        "You’ll see the <peek>next three policies</peek>. No one else does, so what you say about "
        "them is worth only as much as your word."
    ),
    Hint.EXECUTION: _(
        "If you <execution>execute</execution> Hitler, the liberals win. Choose the player you "
        "trust least."
    ),
    Hint.EXECUTION_FASCIST: _(
        "<execution>Remove</execution> a liberal whom the others won’t miss, and have a reason "
        "ready. If Hitler dies, you lose."
    ),
    Hint.WAIT_NOMINATION: _("Watch who picks whom: fascists know each other, and liberals don’t."),
    Hint.WAIT_NOMINATION_FASCIST: _(
        "Everyone watches who picks whom. Don’t let your choices show which side you’re on."
    ),
    Hint.WAIT_SESSION: _(
        "The President discards one of three policies, and the Chancellor enacts one of the other "
        "two. Compare what they say afterwards."
    ),
    Hint.WAIT_POWER: _(
        "The President uses a <powers>power</powers> now. Remember what they do, and the reason "
        "they give."
    ),
}


def hint(value: Hint, book: str) -> SafeString:
    """Return the coach's advice, with its terms linked to the rules at the URL `book`."""
    return linked_terms(str(_SENTENCES[value]), book)


_LIMITED: Final = {
    Limited.ELECTED: _("<limits>Term-limited</limits>: was in the last elected government."),
    Limited.ENACTORS: _(
        "<limits>Term-limited</limits>: was in the last government that enacted a policy."
    ),
}


def barred(reason: Reason, limited: Limited, book: str) -> SafeString:
    """Return why a seat cannot be chosen, by the rules of the table; see `hint` for `book`."""
    sentence = str(_LIMITED[limited]) if reason is Reason.TERM_LIMITED else refusal(reason)
    return linked_terms(sentence, book)
