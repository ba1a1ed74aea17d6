"""The tutorial's tables: rooms that stand in no database, made from the scripts by the rules."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import lru_cache
from typing import Final

from django.utils.functional import Promise

from games.models import Game, GameAction, Seat, Table
from games.rules.actions import (
    ANSWERS,
    DISCARD,
    ENACT,
    NOMINATE,
    PROPOSE_VETO,
    USE_POWER,
    VOTES,
    Action,
    Vote,
)
from games.rules.chance import Deal, SealedChance
from games.rules.claims import ClaimError, claim_by_code, sight_of
from games.rules.components import MOST_PLAYERS, Ballot, Policy, Role, deck
from games.rules.editions import EDITIONS
from games.rules.knowledge import Knowledge
from games.rules.legality import IllegalAction
from games.rules.reasons import Reason
from games.rules.record import action_json
from games.rules.state import GameState
from games.rules.transition import opening
from games.state.positions import Position
from games.state.rooms import Room
from games.tutorial.lessons import CLAIM, READ, Lesson
from games.tutorial.scripts import Script

OWN_SEAT: Final = 0
# First names of the period, for the other seats.
_NAMES: Final = ("Anton", "Clara", "Emil", "Frieda", "Gustav", "Ida", "Ludwig")
_CODE: Final = "tutorial"
# Nothing shows when these moves were made.
_AT: Final = datetime(1932, 11, 6, tzinfo=UTC)
_ROLES: Final = {"L": Role.LIBERAL, "F": Role.FASCIST, "H": Role.HITLER}
_POLICIES: Final = {"L": Policy.LIBERAL, "F": Policy.FASCIST}
_LETTERS: Final = {"l": "liberal", "f": "fascist", "yes": "true", "no": "false"}
_BALLOTS: Final = {"j": Ballot.JA, "n": Ballot.NEIN}


@dataclass(frozen=True, slots=True)
class Answer:
    """What becomes of a press: the lesson goes on, or the reason why not."""

    is_right: bool
    # The rule that forbids the move, if one does.
    reason: Reason | None = None
    # The lesson's own words; for a right press, what just happened.
    words: str | Promise = ""
    # What the player claims, if that was the choice.
    claim: Knowledge | None = None


def room_at(lesson: Lesson, *, edition: str, name: str, choice: str = "") -> Room:
    """Return the table of a lesson before the player's move, or after the right `choice`.

    `name` is shown on the player's seat.
    """
    position = _position(lesson, edition, choice)
    is_over = position.state.outcome is not None
    table = Table(
        # Never saved, so no row can have this key.
        pk=0,
        code=_CODE,
        edition=edition,
        stage=Table.Stage.OVER if is_over else Table.Stage.RUNNING,
        seats_wanted=len(lesson.script.roles),
    )
    names = [name, *(other for other in _NAMES if other != name)]
    seats = tuple(
        Seat(table=table, number=number, name=names[number])
        for number in range(len(lesson.script.roles))
    )
    game = Game(pk=0, table=table, players=len(seats), length=position.length)
    return Room(table, seats, game, position)


def answer_to(lesson: Lesson, choice: str, *, edition: str) -> Answer:
    """Return what the rules and the lesson say to this choice of the player."""
    claim = _claim(lesson, choice, edition) if lesson.act == CLAIM else None
    reason = None
    if lesson.act == READ:
        is_legal = choice == READ
    elif lesson.act == CLAIM:
        is_legal = claim is not None
    else:
        is_legal, reason = _is_legal(lesson, choice, edition)
    if not is_legal:
        return Answer(False, reason or Reason.WRONG_PHASE)
    kind = choice.partition(":")[0]
    for wanted in (choice, kind):
        if wanted in lesson.right:
            return Answer(True, words=lesson.right[wanted], claim=claim)
    return Answer(False, words=lesson.wrong.get(choice, lesson.why))


def choice_of(action: Action) -> str:
    """Return the choice that stands for this action in a form."""
    return ":".join(
        str(value).lower() for key, value in action_json(action).items() if key != "seat"
    )


def claimable(lesson: Lesson, *, edition: str) -> tuple[Knowledge, ...]:
    """Return what the player may claim about the newest thing they saw."""
    state = _position(lesson, edition, "").state
    own = [item for item in state.knowledge if item.seat == OWN_SEAT]
    return sight_of(own[-1]).claims if own else ()


def _claim(lesson: Lesson, choice: str, edition: str) -> Knowledge | None:
    """Return the claim that this choice makes, None if the player may not claim it."""
    kind, _, code = choice.partition(":")
    try:
        claim = claim_by_code(code, OWN_SEAT)
    except ClaimError:
        return None
    return claim if kind == CLAIM and claim in claimable(lesson, edition=edition) else None


def _is_legal(lesson: Lesson, choice: str, edition: str) -> tuple[bool, Reason | None]:
    position = _position(lesson, edition, "")
    action = _ACTIONS[OWN_SEAT].get(choice)
    if action is None:
        return False, None
    try:
        position.after(action, by=GameAction.By.PLAYER, at=_AT)
    except IllegalAction as error:
        return False, error.reason
    return True, None


@lru_cache(maxsize=512)
def _position(lesson: Lesson, edition: str, choice: str) -> Position:
    position = _scripted(lesson.script, edition)
    action = _ACTIONS[OWN_SEAT].get(choice)
    if action is None:
        return position
    position = position.after(action, by=GameAction.By.PLAYER, at=_AT)
    return _moved(position, lesson.then)


def _scripted(script: Script, edition: str) -> Position:
    rest = list(deck())
    top = [_POLICIES[letter] for letter in script.pile]
    for policy in top:
        rest.remove(policy)
    deal = Deal(tuple(_ROLES[letter] for letter in script.roles), (*top, *rest), script.first)
    chance = SealedChance(bytes(32), ())
    start = Position(chance, opening(EDITIONS[edition], deal), (), ())
    return _moved(start, script.moves)


def _moved(position: Position, moves: str) -> Position:
    for move in filter(None, (part.strip() for part in moves.split(";"))):
        for action in _actions(move, position.state):
            position = position.after(action, by=GameAction.By.PLAYER, at=_AT)
    return position


def _actions(move: str, state: GameState) -> Iterator[Action]:
    """Yield what a move of a script stands for: one action, or the ballots of everyone."""
    kind, _, argument = move.partition(" ")
    if kind == Vote.kind:
        for seat, letter in enumerate(argument):
            if letter in _BALLOTS:
                yield Vote(seat, _BALLOTS[letter])
        return
    choice = ":".join(filter(None, (kind, _LETTERS.get(argument, argument))))
    yield _ACTIONS[state.to_act[0]][choice]


def _all_actions(seat: int) -> Iterator[Action]:
    yield from NOMINATE[seat]
    yield from VOTES[seat]
    yield from DISCARD[seat].values()
    yield from ENACT[seat].values()
    yield PROPOSE_VETO[seat]
    yield from ANSWERS[seat]
    for uses in USE_POWER.values():
        yield from uses[seat]


# Every action of each seat, by the choice that stands for it.
_ACTIONS: Final = tuple(
    {choice_of(action): action for action in _all_actions(seat)} for seat in range(MOST_PLAYERS)
)
