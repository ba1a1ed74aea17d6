"""The log of a game: a sentence for each event, and for the actions that cause none."""

from collections.abc import Sequence
from typing import Final, assert_never

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from games.rules.actions import Action, AnswerVeto, Discard, Enact, Nominate, ProposeVeto, Vote
from games.rules.components import FAILED_ELECTIONS_TO_CHAOS, Ballot, Policy
from games.rules.editions import Formula, Options
from games.rules.events import (
    Ballots,
    Candidate,
    Elected,
    Enacted,
    Event,
    Nominated,
    NotHitler,
    Over,
    Rejected,
    Shuffled,
    Tracker,
    Veto,
)
from games.rules.phases import Ending
from games.rules.powers import (
    PowerUsed,
    UsePower,
    announced,
)
from games.rules.truth import Answer, answer_of

from .formulas import hitler_asked, not_hitler_badge, spoken
from .powers import tell_power
from .sentences import Speech

_VOTES: Final = {
    Ballot.JA: gettext_lazy("{name} votes Ja."),
    Ballot.NEIN: gettext_lazy("{name} votes Nein."),
}
_DISCARDS: Final = {
    Policy.LIBERAL: gettext_lazy("President {president} discards a liberal policy."),
    Policy.FASCIST: gettext_lazy("President {president} discards a fascist policy."),
}
_ENACTED: Final = {
    ("government", Policy.LIBERAL): gettext_lazy(
        "Chancellor {chancellor} enacts a liberal policy."
    ),
    ("government", Policy.FASCIST): gettext_lazy(
        "Chancellor {chancellor} enacts a fascist policy."
    ),
    ("chaos", Policy.LIBERAL): gettext_lazy(
        "<chaos>Chaos</chaos>: the top policy is enacted. It is liberal."
    ),
    ("chaos", Policy.FASCIST): gettext_lazy(
        "<chaos>Chaos</chaos>: the top policy is enacted. It is fascist."
    ),
}
_OVER: Final = {
    Ending.LIBERAL_POLICIES: gettext_lazy("Five liberal policies are enacted: the liberals win."),
    Ending.HITLER_EXECUTED: gettext_lazy("Hitler is executed: the liberals win."),
    Ending.FASCIST_POLICIES: gettext_lazy("Six fascist policies are enacted: the fascists win."),
    Ending.HITLER_ELECTED: gettext_lazy("The Chancellor is Hitler: the fascists win."),
}


def event_sentences(
    events: Sequence[Event],
    actor: int,
    names: Sequence[str],
    options: Options | None = None,
    html: bool = False,
    book: str = "",
) -> list[str]:
    """Return a sentence for each event that one action of seat `actor` caused.

    Takes the same arguments as `event_sentence`, and finds out from the events whether the game
    goes on.
    """
    goes_on = not any(isinstance(event, Over) for event in events)
    speech = Speech(names, html, book)
    return [
        _over(speech, event, events, options)
        if isinstance(event, Over)
        else event_sentence(event, actor, names, options, html, book, game_goes_on=goes_on)
        for event in events
    ]


def event_sentence(
    event: Event,
    actor: int,
    names: Sequence[str],
    options: Options | None = None,
    html: bool = False,
    book: str = "",
    *,
    game_goes_on: bool = False,
) -> str:
    """Return the sentence for an event that an action of seat `actor` caused.

    It contains only what the event does: no party or policies if they are None. `options` add the
    words that an edition has players say; `game_goes_on` says that the action did not end the game.
    HTML is safe, with `names` in `<bdi>` and the terms linked to the rules at the URL `book`.
    """
    speech = Speech(names, html, book)
    match event:
        case Nominated(president=president, chancellor=chancellor):
            sentence = _("{president} nominates {chancellor} as Chancellor.")
            return _about_government(speech, sentence, president, chancellor)
        case Ballots(ballots=ballots):
            return _ballots(speech, ballots)
        case Elected(president=president, chancellor=chancellor):
            sentence = _(
                "The government is elected: President {president}, Chancellor {chancellor}."
            )
            return _about_government(speech, sentence, president, chancellor)
        case Rejected(president=president, chancellor=chancellor):
            sentence = _(
                "The government is rejected: President {president}, Chancellor {chancellor}."
            )
            return _about_government(speech, sentence, president, chancellor)
        case Tracker(value=value):
            return _tracker(speech, value)
        case NotHitler(seat=seat):
            return _not_hitler(speech, seat, options)
        case Enacted(policy=policy, by=by):
            return speech.say(str(_ENACTED[by, policy]), chancellor=speech.name(actor))
        case Veto(consent=consent):
            return _veto(speech, actor, consent, options)
        case PowerUsed():
            return tell_power(speech, actor, event, options, game_goes_on)
        case Shuffled(draw=draw):
            return speech.say(
                ngettext(
                    "The discards are <reshuffle>shuffled</reshuffle> into the draw pile, which "
                    "has {count} policy now.",
                    "The discards are <reshuffle>shuffled</reshuffle> into the draw pile, which "
                    "has {count} policies now.",
                    draw,
                ),
                count=draw,
            )
        case Candidate(seat=seat):
            return speech.say(
                _("The presidential candidate is {candidate}."), candidate=speech.name(seat)
            )
        case Over():
            return _over(speech, event, (), options)
        case _ as unreachable:
            assert_never(unreachable)


def stand_in_sentence(seats: Sequence[int], names: Sequence[str], html: bool = False) -> str:
    """Return the sentence that stand-ins moved for these seats when their time was up."""
    speech = Speech(names, html)
    return speech.say(
        ngettext(
            "Time’s up: a bot moves for {names}.",
            "Time’s up: bots move for {names}.",
            len(seats),
        ),
        names=speech.seats(list(seats)),
    )


def action_sentence(
    action: Action,
    names: Sequence[str],
    options: Options | None = None,
    html: bool = False,
    book: str = "",
) -> str:
    """Return the sentence for an action alone, for viewers who may know all of it."""
    speech = Speech(names, html, book)
    name = speech.name(action.seat)
    match action:
        case Vote(ballot=ballot):
            return speech.say(str(_VOTES[ballot]), name=name)
        case Discard(policy=policy):
            return speech.say(str(_DISCARDS[policy]), president=name)
        case ProposeVeto():
            return _propose_veto(speech, action.seat, options)
        case Nominate(target=target):
            return event_sentence(
                Nominated(action.seat, target), action.seat, names, options, html, book
            )
        case Enact(policy=policy):
            return event_sentence(
                Enacted(policy, "government"), action.seat, names, options, html, book
            )
        case AnswerVeto(consent=consent):
            return event_sentence(Veto(consent), action.seat, names, options, html, book)
        case UsePower():
            return event_sentence(announced(action), action.seat, names, options, html, book)
        case _ as unreachable:
            assert_never(unreachable)


def _about_government(speech: Speech, sentence: str, president: int, chancellor: int) -> str:
    return speech.say(
        sentence, president=speech.name(president), chancellor=speech.name(chancellor)
    )


def _ballots(speech: Speech, ballots: Sequence[Ballot | None]) -> str:
    ja = [seat for seat, ballot in enumerate(ballots) if ballot is Ballot.JA]
    nein = [seat for seat, ballot in enumerate(ballots) if ballot is Ballot.NEIN]
    if not nein:
        return speech.say(_("Everyone votes Ja: {ja}."), ja=speech.seats(ja))
    if not ja:
        return speech.say(_("Everyone votes Nein: {nein}."), nein=speech.seats(nein))
    return speech.say(
        _("Votes for Ja: {ja}. Votes for Nein: {nein}."),
        ja=speech.seats(ja),
        nein=speech.seats(nein),
    )


def _tracker(speech: Speech, value: int) -> str:
    if value == 0:
        return speech.say(_("The <tracker>election tracker</tracker> returns to 0."))
    if value == FAILED_ELECTIONS_TO_CHAOS:
        return speech.say(
            _("The <tracker>election tracker</tracker> reaches {value}."), value=value
        )
    return speech.say(
        _("The <tracker>election tracker</tracker> advances to {value}."), value=value
    )


def _not_hitler(speech: Speech, seat: int, options: Options | None) -> str:
    asked = hitler_asked(speech, Answer(seat, is_chancellor=True, is_hitler=False), options)
    if options is None or not options.not_hitler_badge:
        return asked
    given = speech.say(
        _("{name} is given the badge “{badge}”."),
        name=speech.name(seat),
        badge=not_hitler_badge(),
    )
    return speech.both(asked, given)


def _over(speech: Speech, over: Over, events: Sequence[Event], options: Options | None) -> str:
    """Return how the game ended; with question and answer if the action's events have them."""
    sentence = speech.say(str(_OVER[Ending(over.ending)]))
    answer = answer_of(events, options)
    if answer is None:
        return sentence
    return speech.both(hitler_asked(speech, answer, options), sentence)


def _propose_veto(speech: Speech, chancellor: int, options: Options | None) -> str:
    name = speech.name(chancellor)
    if words := spoken(speech, Formula.VETO_CHANCELLOR, options):
        return speech.say(
            _("Chancellor {chancellor} proposes a <veto>veto</veto>: “{words}.”"),
            chancellor=name,
            words=words,
        )
    return speech.say(_("Chancellor {chancellor} proposes a <veto>veto</veto>."), chancellor=name)


def _veto(speech: Speech, president: int, consent: bool, options: Options | None) -> str:
    name = speech.name(president)
    if not consent:
        return speech.say(
            _(
                "President {president} refuses the <veto>veto</veto>: the Chancellor must enact a "
                "policy."
            ),
            president=name,
        )
    if words := spoken(speech, Formula.VETO_PRESIDENT, options):
        return speech.say(
            _("President {president}: “{words}.” Both policies are discarded."),
            president=name,
            words=words,
        )
    return speech.say(
        _("President {president} consents to the <veto>veto</veto>: both policies are discarded."),
        president=name,
    )
