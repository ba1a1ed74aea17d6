"""What was true and what was claimed in a finished game: sessions, powers, votes and awards."""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import groupby, pairwise
from typing import Final

from games.rules.claims import Sight, agrees, sight_of
from games.rules.components import Ballot, Party, Policy, Role
from games.rules.endings import sessions_of, turning_point
from games.rules.events import Ballots, Enacted, Nominated
from games.rules.knowledge import Drawn, Knowledge, PartySeen, Received, TopSeen
from games.rules.powers import Executed
from games.rules.view import PublicStep, View

from .evidence import Reading


@dataclass(frozen=True, slots=True)
class Made:
    """A claim, and whether it was a lie."""

    claim: Knowledge
    is_lie: bool


@dataclass(frozen=True, slots=True)
class Told:
    """What a seat claimed about one sight, beside the truth: its last lie, or its last claim."""

    truth: Knowledge
    # None if the seat never said what it saw.
    claim: Knowledge | None
    is_lie: bool = False
    # Whether the seat told the truth in the end.
    is_corrected: bool = False
    # By how much the claim changed the public's suspicion: of its seat, and of the other officer or
    # the investigated player. 0 if it was said when the game was over.
    own_shift: float = 0.0
    other_shift: float = 0.0
    # All its claims about the sight, oldest first; the same one again stands once.
    made: tuple[Made, ...] = ()

    @property
    def was_true_first(self) -> bool:
        """Whether the seat told the truth and lied later."""
        return self.is_lie and not self.made[0].is_lie


class Choice(StrEnum):
    """What the cards left to the two officers."""

    # The cards drawn were all alike.
    NONE = "none"
    # The President passed two fascist policies although a liberal one was drawn.
    PRESIDENT_BURIED = "president_buried"
    # The President passed two liberal policies although a fascist one was drawn.
    PRESIDENT_FORCED_LIBERAL = "president_forced_liberal"
    # The Chancellor could choose, and enacted this kind.
    CHANCELLOR_FASCIST = "chancellor_fascist"
    CHANCELLOR_LIBERAL = "chancellor_liberal"
    # A veto or the end of the game: nothing was enacted.
    NOTHING_ENACTED = "nothing_enacted"


@dataclass(frozen=True, slots=True)
class JudgedSession:
    round: int
    president: int
    chancellor: int | None
    policy: Policy | None
    choice: Choice
    drawn: Told
    received: Told | None


@dataclass(frozen=True, slots=True)
class JudgedVote:
    """A vote on a government, with the sides of its officers known."""

    round: int
    # The step of the replay that shows the ballots.
    move: int
    president: int
    chancellor: int
    is_elected: bool
    ja: int
    nein: int
    # The officers who belong to the fascists.
    fascists: tuple[int, ...]
    # Liberals besides those officers who voted Ja for them unknowingly.
    unknowing: tuple[int, ...]
    # Liberals who voted Nein to a government with a fascist in it.
    wary: tuple[int, ...]
    # Liberals who voted Nein or Ja to a government of two liberals.
    harsh: tuple[int, ...] = ()
    trusting: tuple[int, ...] = ()
    # By seat; None where a dead player sat.
    ballots: tuple[Ballot | None, ...] = ()


class Turn(StrEnum):
    """Why a moment counts as a turning point."""

    DECIDED = "decided"
    CHANCES = "chances"
    EVIDENCE = "evidence"


@dataclass(frozen=True, slots=True)
class TurnOfTheGame:
    """A moment with one of the largest changes of the game. The shares are before and after."""

    turn: Turn
    reading: Reading
    before: float
    after: float
    # The seat whose suspicion changed; None for changes of the winning chances.
    seat: int | None = None
    # Whether the suspicion moved towards the truth.
    is_right: bool = True
    # What else changed at the same moment.
    also: "TurnOfTheGame | None" = None


class Award(StrEnum):
    STRAIGHTEST_FACE = "straightest_face"
    BLOODHOUND = "bloodhound"
    OPEN_BOOK = "open_book"
    BEST_DISGUISE = "best_disguise"
    WRONGLY_ACCUSED = "wrongly_accused"
    FAVOURITE = "favourite"
    WORKHORSE = "workhorse"
    SHARP_EYE = "sharp_eye"


@dataclass(frozen=True, slots=True)
class Awarded:
    award: Award
    seat: int
    # What it is for: a number of times, or a share in percent.
    count: int


@dataclass(frozen=True, slots=True)
class Truth:
    """Everything that came out when a game was over."""

    roles: tuple[Role | None, ...]
    sessions: tuple[JudgedSession, ...]
    # Investigations and peeks.
    powers: tuple[Told, ...]
    votes: tuple[JudgedVote, ...]
    turns: tuple[TurnOfTheGame, ...]
    awards: tuple[Awarded, ...]


# A change must be at least this large to be told, in shares of 1.
_LEAST_CHANCES: Final = 0.08
_LEAST_EVIDENCE: Final = 0.12
_MOST_TURNS_OF_A_KIND: Final = 2
# How often something must have happened for an award.
_LEAST_LIES: Final = 2
_LEAST_CLAIMS: Final = 3
_LEAST_VOTES: Final = 2
_LEAST_OFFICES: Final = 3
_LEAST_POLICIES: Final = 2
# With more for one seat, the others would get none.
_MOST_AWARDS: Final = 3
_SUSPECTED: Final = 0.5


def truth_of(
    view: View,
    steps: Sequence[PublicStep],
    claims: Iterable[Knowledge],
    readings: Sequence[Reading],
) -> Truth:
    """Judge a finished game. `view` is the public view of it, `readings` are the public's."""
    told = _told(view, claims, readings)
    sessions = tuple(_sessions(view, told))
    powers = tuple(each for each in told.values() if isinstance(each.truth, PartySeen | TopSeen))
    votes = tuple(_votes(view, steps))
    return Truth(
        view.roles,
        sessions,
        powers,
        votes,
        _turns(view, steps, readings),
        _awards(view, steps, tuple(told.values()), votes, readings),
    )


def _is_fascist(view: View, seat: int) -> bool:
    role = view.roles[seat]
    return role is not None and role.party is Party.FASCIST


def _told(
    view: View, claims: Iterable[Knowledge], readings: Sequence[Reading]
) -> dict[Sight, Told]:
    said: dict[Sight, list[Knowledge]] = {}
    for each in claims:
        said.setdefault(sight_of(each), []).append(each)
    other: dict[tuple[int, type[Knowledge]], int] = {}
    for item in view.knowledge:
        if isinstance(item, PartySeen):
            other[item.round, PartySeen] = item.target
        elif isinstance(item, Drawn):
            other[item.round, Received] = item.seat
        elif isinstance(item, Received):
            other[item.round, Drawn] = item.seat
    found = {}
    for truth in view.knowledge:
        sight = sight_of(truth)
        made = said.get(sight)
        if made is None:
            found[sight] = Told(truth, None)
            continue
        story = tuple(Made(claim, not agrees(claim, truth)) for claim, _ in groupby(made))
        lies = [each.claim for each in story if each.is_lie]
        claim = lies[-1] if lies else made[-1]
        own = far = 0.0
        seat = other.get((truth.round, type(truth)))
        for before, after in pairwise(readings):
            if after.claim == claim:
                own = after.fascist[claim.seat] - before.fascist[claim.seat]
                far = 0.0 if seat is None else after.fascist[seat] - before.fascist[seat]
        found[sight] = Told(truth, claim, bool(lies), claim != made[-1], own, far, story)
    return found


def _sessions(view: View, told: dict[Sight, Told]) -> Iterable[JudgedSession]:
    for session in sessions_of(view):
        received = session.received
        yield JudgedSession(
            session.round,
            session.drawn.seat,
            None if received is None else received.seat,
            session.policy,
            _choice(session.drawn, received, session.policy),
            told[sight_of(session.drawn)],
            None if received is None else told[sight_of(received)],
        )


def _choice(drawn: Drawn, received: Received | None, policy: Policy | None) -> Choice:
    if policy is None or received is None:
        return Choice.NOTHING_ENACTED
    if len(set(drawn.policies)) == 1:
        return Choice.NONE
    if len(set(received.policies)) > 1:
        liberal = policy is Policy.LIBERAL
        return Choice.CHANCELLOR_LIBERAL if liberal else Choice.CHANCELLOR_FASCIST
    if policy is Policy.FASCIST:
        return Choice.PRESIDENT_BURIED
    return Choice.PRESIDENT_FORCED_LIBERAL


def _votes(view: View, steps: Sequence[PublicStep]) -> Iterable[JudgedVote]:
    government = (0, 0)
    for step in steps:
        for event in step.events:
            if isinstance(event, Nominated):
                government = event.president, event.chancellor
            elif isinstance(event, Ballots):
                fascists = tuple(seat for seat in government if _is_fascist(view, seat))
                liberals = {
                    ballot: tuple(
                        seat
                        for seat, cast in enumerate(event.ballots)
                        if cast is ballot and not _is_fascist(view, seat)
                    )
                    for ballot in Ballot
                }
                ja, nein = event.ballots.count(Ballot.JA), event.ballots.count(Ballot.NEIN)
                yield JudgedVote(
                    step.round,
                    step.number + 1,
                    *government,
                    ja > nein,
                    ja,
                    nein,
                    fascists,
                    liberals[Ballot.JA] if fascists else (),
                    liberals[Ballot.NEIN] if fascists else (),
                    () if fascists else liberals[Ballot.NEIN],
                    () if fascists else liberals[Ballot.JA],
                    tuple(event.ballots),
                )


def _turns(
    view: View, steps: Sequence[PublicStep], readings: Sequence[Reading]
) -> tuple[TurnOfTheGame, ...]:
    found: list[TurnOfTheGame] = []
    chances: list[tuple[float, TurnOfTheGame]] = []
    evidence: list[tuple[float, TurnOfTheGame]] = []
    decided = turning_point(view, steps)
    # The chances after the last policy: failed elections in between are no turning points, nor is
    # the government that makes them good. So a policy must have moved the chances from there, too;
    # what is told is what the chart shows just before it and just after it.
    standing = readings[0].liberal_wins
    for before, after in pairwise(readings):
        old, new = before.liberal_wins, after.liberal_wins
        if decided is not None and after.step is not None and after.move == decided.move:
            found.append(TurnOfTheGame(Turn.DECIDED, after, old, new))
            continue
        policy = _enacted(after)
        if policy is not None:
            sign = 1 if policy is Policy.LIBERAL else -1
            gain = min(sign * (new - old), sign * (new - standing))
            if gain >= _LEAST_CHANCES:
                chances.append((gain, TurnOfTheGame(Turn.CHANCES, after, old, new)))
            standing = new
        seat = max(
            range(view.players), key=lambda seat: abs(after.fascist[seat] - before.fascist[seat])
        )
        old, new = before.fascist[seat], after.fascist[seat]
        if abs(new - old) >= _LEAST_EVIDENCE:
            is_right = (new > old) is _is_fascist(view, seat)
            turn = TurnOfTheGame(Turn.EVIDENCE, after, old, new, seat, is_right)
            evidence.append((abs(new - old), turn))
    for kind in (chances, evidence):
        kind.sort(key=lambda each: -each[0])
        for _, turn in kind[:_MOST_TURNS_OF_A_KIND]:
            same = next((n for n, each in enumerate(found) if each.reading is turn.reading), None)
            if same is None:
                found.append(turn)
            else:
                found[same] = replace(found[same], also=turn)
    return tuple(sorted(found, key=lambda turn: (turn.reading.move, turn.turn)))


def _awards(
    view: View,
    steps: Sequence[PublicStep],
    told: Sequence[Told],
    votes: Sequence[JudgedVote],
    readings: Sequence[Reading],
) -> tuple[Awarded, ...]:
    """Return an award for whatever happened often enough.

    Among equals it goes to who has fewest. After the third award of a seat, the next best gets one.
    """
    fascists = [seat for seat in range(view.players) if _is_fascist(view, seat)]
    liberals = [seat for seat in range(view.players) if not _is_fascist(view, seat)]
    lies = Counter(each.truth.seat for each in told if each.is_lie)
    honest = Counter(each.truth.seat for each in told if each.claim is not None)
    wary = Counter(seat for vote in votes for seat in vote.wary)
    unknowing = Counter(seat for vote in votes for seat in vote.unknowing)
    harsh = Counter(seat for vote in votes for seat in vote.harsh)
    trusting = Counter(seat for vote in votes for seat in vote.trusting)
    offices = Counter(
        seat for each in view.governments for seat in (each.president, each.chancellor)
    )
    own = Counter(
        seat
        for each in view.governments
        for seat in (each.president, each.chancellor)
        if each.policy is not None
        and each.policy is (Policy.FASCIST if _is_fascist(view, seat) else Policy.LIBERAL)
    )
    running = [reading for reading in readings if not _is_last(reading, readings)]
    most = [max(reading.fascist[seat] for reading in running) for seat in range(view.players)]
    found: list[Awarded] = []
    held: Counter[int] = Counter()

    def give(
        award: Award,
        merits: dict[int, int],
        least: int,
        told_as: Callable[[int], int] = lambda merit: merit,
    ) -> None:
        worthy = {
            seat: merit
            for seat, merit in merits.items()
            if merit >= least and held[seat] < _MOST_AWARDS
        }
        if worthy:
            seat = max(worthy, key=lambda seat: (worthy[seat], -held[seat], -seat))
            held[seat] += 1
            found.append(Awarded(award, seat, told_as(worthy[seat])))

    give(Award.SHARP_EYE, _shots(view, steps), 1)
    give(Award.STRAIGHTEST_FACE, {seat: lies[seat] for seat in fascists}, _LEAST_LIES)
    # Only those who tell the governments apart: everyone can say Nein to all of them.
    noses = {
        seat: wary[seat]
        for seat in liberals
        if _share(wary[seat], unknowing[seat]) > _share(harsh[seat], trusting[seat])
    }
    give(Award.BLOODHOUND, noses, _LEAST_VOTES)
    accused = {seat: round(100 * most[seat]) for seat in liberals}
    give(Award.WRONGLY_ACCUSED, accused, round(100 * _SUSPECTED))
    # The fascist whom the public suspected least, even at the worst moment.
    hidden = {seat: 100 - round(100 * most[seat]) for seat in fascists}
    give(Award.BEST_DISGUISE, hidden, round(100 * _SUSPECTED), lambda merit: 100 - merit)
    # These name no best one, so another may have them.
    open_books = {seat: honest[seat] for seat in liberals if not lies[seat]}
    give(Award.OPEN_BOOK, open_books, _LEAST_CLAIMS)
    give(Award.FAVOURITE, dict(offices), _LEAST_OFFICES)
    give(Award.WORKHORSE, dict(own), _LEAST_POLICIES)
    return tuple(found)


def _share(part: int, rest: int) -> float:
    return part / (part + rest) if part else 0.0


def _enacted(reading: Reading) -> Policy | None:
    events = () if reading.step is None else reading.step.events
    return next((event.policy for event in events if isinstance(event, Enacted)), None)


def _is_last(reading: Reading, readings: Sequence[Reading]) -> bool:
    """Return whether a reading shows the end, which makes everything certain."""
    return len(readings) > 1 and reading is readings[-1]


def _shots(view: View, steps: Sequence[PublicStep]) -> dict[int, int]:
    """Return the Presidents who executed a fascist, liberals only, with how many."""
    shots: Counter[int] = Counter()
    for step in steps:
        for event in step.events:
            if isinstance(event, Executed) and _is_fascist(view, event.target):
                shots[step.seat] += not _is_fascist(view, step.seat)
    return dict(shots)
