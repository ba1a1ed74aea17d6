"""Sentences about refused moves and about errors in a record."""

import json
from typing import Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games.rules.actions import Action
from games.rules.reading import RecordError
from games.rules.reasons import Reason
from games.rules.record import IllegalRecord, action_json

_REFUSALS: Final = {
    Reason.GAME_OVER: gettext_lazy("The game is over."),
    Reason.NO_SUCH_SEAT: gettext_lazy("That seat doesn’t exist at this table."),
    Reason.DEAD: gettext_lazy("Executed players can’t take part any more."),
    Reason.WRONG_PHASE: gettext_lazy("The game is waiting for a different decision."),
    Reason.NOT_YOUR_TURN: gettext_lazy("It’s another player’s turn to decide."),
    Reason.YOURSELF: gettext_lazy("Players can’t choose themselves."),
    Reason.TARGET_DEAD: gettext_lazy("An executed player can’t be chosen."),
    Reason.TERM_LIMITED: gettext_lazy("A term-limited player can’t be nominated."),
    Reason.NOT_IN_HAND: gettext_lazy("That policy isn’t in this hand."),
    Reason.VETO_LOCKED: gettext_lazy("The veto isn’t unlocked yet."),
    Reason.VETO_REFUSED: gettext_lazy("The President has already refused a veto in this session."),
    Reason.INVESTIGATED_BEFORE: gettext_lazy("Each player can be investigated only once per game."),
}

_PROBLEMS: Final = {
    # Errors of the file.
    "not_utf8": gettext_lazy("this isn’t UTF-8 text."),
    "not_json": gettext_lazy("this isn’t JSON."),
    "too_deep": gettext_lazy("this is nested too deeply."),
    "not_unicode": gettext_lazy("this text contains half a character (an unpaired surrogate)."),
    "not_a_json_number": gettext_lazy("{value} isn’t a valid JSON number."),
    "number_too_long": gettext_lazy("a number here has too many digits."),
    "repeated_key": gettext_lazy("this key appears twice."),
    "other_format": gettext_lazy(
        "this isn’t a record, a line of the open game data, or a game summary from secrethitler.io."
    ),
    "too_many_games": gettext_lazy("a file may have at most {most} games."),
    # Errors of its structure.
    "missing": gettext_lazy("this key is missing."),
    "not_object": gettext_lazy("this must be an object."),
    "not_list": gettext_lazy("this must be a list."),
    "not_text": gettext_lazy("this must be a string."),
    "not_moment": gettext_lazy("this must be a UTC time in ISO 8601 format."),
    "not_boolean": gettext_lazy("this must be true or false."),
    "not_hex": gettext_lazy("this must be {digits} lower-case hexadecimal digits."),
    "not_allowed": gettext_lazy("{value} isn’t allowed here. Allowed: {allowed}."),
    "unknown_option": gettext_lazy("there’s no such option. Options: {allowed}."),
    "expected_value": gettext_lazy("this must be {allowed}."),
    "no_such_seat": gettext_lazy("{value} isn’t a seat. Seats: 0 to {last}."),
    "wrong_seats": gettext_lazy("these rules are for {least} to {most} players, not {found}."),
    "wrong_roles": gettext_lazy("the roles must be these, in any order: {allowed}."),
    "wrong_pile": gettext_lazy(
        "the pile must hold these policies: liberal {liberal}, fascist {fascist}."
    ),
    "too_many_actions": gettext_lazy("a record here has at most {most} actions."),
    "wrong_length": gettext_lazy("the list must have this length: {allowed}."),
    # Errors of the claims that stand beside a record.
    "not_a_round": gettext_lazy("this must be the number of a round."),
    "not_seen": gettext_lazy("this seat didn’t see anything like that in this round."),
    "unfinished_game": gettext_lazy("the game isn’t finished."),
    # Errors of a game summary of secrethitler.io.
    "other_game": gettext_lazy(
        "tables here can’t have this rule, so this game can’t become a record."
    ),
    "wrong_cards": gettext_lazy("the cards of round {number} don’t fit the game."),
    "illegal_candidacy": gettext_lazy("round {number} breaks a rule. {rule}"),
    # Errors of the replay.
    "missing_shuffle": gettext_lazy("the discards are shuffled here, but the new pile is missing."),
    "impossible_shuffle": gettext_lazy(
        "the pile must hold these policies: liberal {liberal}, fascist {fascist}."
    ),
    "unused_shuffle": gettext_lazy("the game never reaches this shuffle."),
    "contradicted_outcome": gettext_lazy("the game doesn’t end like this."),
    "no_seal": gettext_lazy("the record has no seal to verify."),
}


def refusal(reason: Reason) -> str:
    """Return the rule that a refused move breaks, as a sentence."""
    return str(_REFUSALS[reason])


def record_error(error: RecordError) -> str:
    """Return where a record has an error, and which."""
    reason = error.params.get("reason")
    told = {"rule": refusal(reason)} if isinstance(reason, Reason) else {}
    problem = str(_PROBLEMS[error.code]).format(**error.params, **told)
    return _("{place}: {problem}").format(place=error.path, problem=problem)


def illegal_record(error: IllegalRecord) -> str:
    """Return the first illegal action of a record, the broken rule, and the legal actions.

    Each has its own line. Actions are written as in the record, so that readers can find them
    there.
    """
    lines = [
        _("Action {number} is illegal: {action}").format(
            number=error.number, action=_written(error.action)
        ),
        refusal(error.reason),
    ]
    if error.legal:
        lines.append(_("Legal actions here:"))
        lines.extend(f"  {_written(action)}" for action in error.legal)
    else:
        lines.append(_("No action was legal any more."))
    return "\n".join(lines)


def _written(action: Action) -> str:
    return json.dumps(action_json(action))
