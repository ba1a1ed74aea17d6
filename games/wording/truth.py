"""The truth about a finished game in words: lies, choices, votes, turning points and awards."""

from collections.abc import Sequence
from typing import Final, assert_never

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext, pgettext_lazy

from games.analysis.evidence import Reading
from games.analysis.verdicts import (
    Award,
    Awarded,
    Choice,
    JudgedSession,
    Told,
    Turn,
    TurnOfTheGame,
)
from games.rules.claims import passed
from games.rules.components import Party
from games.rules.editions import Options
from games.rules.events import (
    Ballots,
    Elected,
    Enacted,
    Event,
    Nominated,
    NotHitler,
    Over,
    Rejected,
    Veto,
)
from games.rules.knowledge import Drawn, Knowledge, PartySeen, Received, TopSeen
from games.rules.powers import PowerUsed, power_of

from .choices import percent
from .claims import claimed
from .labels import policy
from .log import event_sentence
from .powers import power
from .sentences import Speech

_CHOICES: Final = {
    Choice.PRESIDENT_BURIED: gettext_lazy(
        "{president} discarded a liberal policy, so {chancellor} had to enact a fascist one."
    ),
    Choice.PRESIDENT_FORCED_LIBERAL: gettext_lazy(
        "{president} discarded a fascist policy, so {chancellor} had to enact a liberal one."
    ),
    Choice.CHANCELLOR_FASCIST: gettext_lazy("{chancellor} could have enacted a liberal policy."),
    Choice.CHANCELLOR_LIBERAL: gettext_lazy(
        "{chancellor} had the choice and enacted the liberal policy."
    ),
    Choice.NONE: gettext_lazy("All three cards were alike, so there was no choice."),
}
_INVESTIGATED: Final = {
    Party.LIBERAL: gettext_lazy("{name} investigated {target}, who is a liberal."),
    Party.FASCIST: gettext_lazy("{name} investigated {target}, who is a fascist."),
}
_AWARDS: Final = {
    Award.STRAIGHTEST_FACE: pgettext_lazy("award", "Straightest face"),
    Award.BLOODHOUND: pgettext_lazy("award", "Bloodhound"),
    Award.OPEN_BOOK: pgettext_lazy("award", "Open book"),
    Award.BEST_DISGUISE: pgettext_lazy("award", "Best disguise"),
    Award.WRONGLY_ACCUSED: pgettext_lazy("award", "Lamb in wolf’s clothing"),
    Award.FAVOURITE: pgettext_lazy("award", "Everyone’s choice"),
    Award.WORKHORSE: pgettext_lazy("award", "Party hero"),
    Award.SHARP_EYE: pgettext_lazy("award", "Sharp eye"),
}
_AWARDED_FOR: Final = {
    Award.STRAIGHTEST_FACE: gettext_lazy("Lies told: {count}"),
    Award.BLOODHOUND: gettext_lazy("Nein to governments with a fascist: {count}"),
    Award.OPEN_BOOK: gettext_lazy("Claims made, all of them true: {count}"),
    Award.BEST_DISGUISE: gettext_lazy("Highest suspicion at any point: {share}"),
    Award.WRONGLY_ACCUSED: gettext_lazy("Suspicion at its worst: {share}. A liberal all along!"),
    Award.FAVOURITE: gettext_lazy("Times in government: {count}"),
    Award.WORKHORSE: gettext_lazy("Policies enacted for their own side: {count}"),
    Award.SHARP_EYE: gettext_lazy("Fascists executed: {count}"),
}
_SHARES: Final = (Award.BEST_DISGUISE, Award.WRONGLY_ACCUSED)
# A smaller change of suspicion, in percentage points, is not worth a sentence.
_LEAST_SHIFT: Final = 3


def session_verdict(session: JudgedSession, names: Sequence[str]) -> list[str]:
    """Return what the officers of a session could have done, and who lied, as safe HTML."""
    speech = Speech(names, html=True)
    told = []
    sentence = _CHOICES.get(session.choice)
    if sentence is not None and session.chancellor is not None:
        told.append(
            speech.say(
                str(sentence),
                president=speech.name(session.president),
                chancellor=speech.name(session.chancellor),
            )
        )
    received = session.received
    if session.drawn.is_lie:
        knew = None
        claim = session.drawn.claim
        if received is not None and isinstance(claim, Drawn):
            assert isinstance(received.truth, Received)
            if passed(claim) != passed(received.truth):
                knew = received.truth.seat
        told += _lie(speech, session.drawn, knew, is_plain=_is_plain(session, claim))
    if received is not None and received.is_lie:
        is_plain = _is_plain(session, received.claim)
        told += _lie(speech, received, session.president, is_plain=is_plain)
    return told


def power_verdict(told: Told, names: Sequence[str]) -> list[str]:
    """Return what a power showed, what its President said, and whether it was true: safe HTML."""
    speech = Speech(names, html=True)
    truth = told.truth
    name = speech.name(truth.seat)
    if isinstance(truth, PartySeen):
        target = speech.name(truth.target)
        sentences = [speech.say(str(_INVESTIGATED[truth.party]), name=name, target=target)]
    else:
        assert isinstance(truth, TopSeen)
        seen = speech.policies(truth.policies)
        sentences = [speech.say(_("{name} saw {policies} on top."), name=name, policies=seen)]
    if told.claim is None:
        sentences.append(speech.say(_("{name} made no claim about it."), name=name))
        return sentences
    sentences += [claimed(each.claim, names, html=True) for each in told.made]
    if told.is_lie:
        sentences += _lie(speech, told, truth.target if isinstance(truth, PartySeen) else None)
    else:
        sentences.append(speech.say(_("That was true.")))
    return sentences


def _is_plain(session: JudgedSession, claim: Knowledge | None) -> bool:
    """Return whether the enacted policy alone shows that a claim about the cards is false."""
    handed = passed(claim) if isinstance(claim, Drawn) else ()
    if isinstance(claim, Received):
        handed = claim.policies
    return session.policy is not None and session.policy not in handed


def _lie(speech: Speech, told: Told, knew: int | None, *, is_plain: bool = False) -> list[str]:
    name = speech.name(told.truth.seat)
    sentences = []
    if told.was_true_first:
        sentences.append(speech.say(_("{name} told the truth first."), name=name))
    if knew is None:
        sentences.append(speech.say(_("{name} lied to the whole table."), name=name))
    else:
        sentence = _("{name} lied to the whole table, and {other} knew it.")
        sentences.append(speech.say(sentence, name=name, other=speech.name(knew)))
    # No one could believe what the enacted policy gave away: its effect on the model says nothing.
    changes = [] if is_plain else _shifts(speech, told, knew)
    if is_plain:
        sentences.append(speech.say(_("The enacted policy gave it away at once.")))
    sentences += changes
    if told.is_corrected:
        sentences.append(speech.say(_("{name} told the truth later."), name=name))
    elif not changes and not is_plain:
        sentences.append(speech.say(_("Suspicion hardly moved.")))
    return sentences


def _shifts(speech: Speech, told: Told, knew: int | None) -> list[str]:
    """Return by how much a lie changed the suspicion of its seat, and of the one who knew."""
    sentences = []
    for seat, shift in ((told.truth.seat, told.own_shift), (knew, told.other_shift)):
        points = round(100 * shift)
        if seat is not None and abs(points) >= _LEAST_SHIFT:
            sentence = _("Suspicion of {name}: {change} points.")
            change = f"+{points}" if points > 0 else f"\u2212{-points}"
            sentences.append(speech.say(sentence, name=speech.name(seat), change=change))
    return sentences


def turn_of_the_game(turn: TurnOfTheGame, names: Sequence[str], options: Options) -> list[str]:
    """Return what happened at a turning point and what it changed, as safe HTML."""
    told = [_what_happened(turn, names, options), *_changed(turn, names)]
    if turn.also is not None:
        told += _changed(turn.also, names)
    return told


def _what_happened(turn: TurnOfTheGame, names: Sequence[str], options: Options) -> str:
    """Return the event of a turning point: for suspicion, what the table learned by it."""
    step = turn.reading.step
    if turn.turn is Turn.EVIDENCE and step is not None:
        for event in step.events:
            if isinstance(event, NotHitler):
                return event_sentence(event, step.seat, names, options, html=True)
    return reading_told(turn.reading, names, options)


def _changed(turn: TurnOfTheGame, names: Sequence[str]) -> list[str]:
    speech = Speech(names, html=True)
    told = []
    before, after = percent(turn.before), percent(turn.after)
    match turn.turn:
        case Turn.EVIDENCE:
            assert turn.seat is not None
            sentence = _("The chance that {name} is a fascist: {before}, then {after}.")
            name = speech.name(turn.seat)
            told.append(speech.say(sentence, name=name, before=before, after=after))
            # What moved is the suspicion: the act itself may have been right, such as the
            # execution of a fascist who turned out not to be Hitler.
            told.append(
                speech.say(
                    _("Suspicion moved towards the truth.")
                    if turn.is_right
                    else _("Suspicion moved away from the truth.")
                )
            )
        case Turn.CHANCES | Turn.DECIDED:
            sentence = _("The liberals’ chances of winning: {before}, then {after}.")
            told.append(speech.say(sentence, before=before, after=after))
        case _ as unreachable:
            assert_never(unreachable)
    return told


def reading_told(reading: Reading, names: Sequence[str], options: Options) -> str:
    """Return what happened just before a reading as a sentence, in safe HTML."""
    if reading.claim is not None:
        return claimed(reading.claim, names, html=True)
    event = _main_event(reading)
    if event is None or reading.step is None:
        return ""
    return event_sentence(event, reading.step.seat, names, options, html=True, game_goes_on=True)


def reading_label(reading: Reading) -> str:
    """Return what happened just before a reading in a word or two."""
    if reading.claim is not None:
        return pgettext("in a chart", "Claim")
    event = _main_event(reading)
    if event is None:
        return pgettext("in a chart", "Start")
    if isinstance(event, Enacted):
        return policy(event.policy)
    if isinstance(event, PowerUsed):
        return power(power_of(event))
    if isinstance(event, Elected):
        return pgettext("in a chart", "Elected")
    if isinstance(event, Rejected):
        return pgettext("in a chart", "Rejected")
    if isinstance(event, Veto):
        return pgettext("in a chart", "Veto")
    return pgettext("in a chart", "Nomination")


def award(value: Award) -> str:
    """Return the name of an award."""
    return str(_AWARDS[value])


def awarded_for(awarded: Awarded) -> str:
    """Return what an award was given for."""
    sentence = str(_AWARDED_FOR[awarded.award])
    if awarded.award in _SHARES:
        return sentence.format(share=percent(awarded.count / 100))
    return sentence.format(count=awarded.count)


def _main_event(reading: Reading) -> Event | None:
    """Return the event of a step that says most: what was enacted rather than who was elected."""
    events = () if reading.step is None else reading.step.events
    for kind in (Enacted, PowerUsed, Veto, Elected, Rejected, Nominated, Ballots, Over):
        for event in events:
            if isinstance(event, kind):
                return event
    return events[0] if events else None
