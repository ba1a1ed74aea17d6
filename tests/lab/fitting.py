"""Fitting the model of play to finished games: counting for the tables, descent for the exponents.

The exponents are chosen on games that the tables have not seen: the games are dealt into groups,
each group is scored by tables counted from the others, and the exponents that score best are kept.
The tables themselves are then counted from all games.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import exp
from operator import mul
from typing import Final, assert_never

from games.inference import questions
from games.inference.assignments import FASCIST, HITLER, ROLES, assignments
from games.inference.course import (
    Certain,
    Chaos,
    Course,
    NewPile,
    Nomination,
    Peek,
    Session,
    Target,
    Vote,
)
from games.inference.tables import KINDS, Circumstances, Tables
from games.rules.components import CARDS_DRAWN, Policy
from games.rules.knowledge import Drawn, PartySeen, Received, TopSeen
from games.rules.powers import POWERS

from .corpus import AnnotatedGame, moments
from .equations import solved

SHRINKAGE: Final = {"choice": 32.0, "pull": 3.0}
# Exponents start here, and are drawn back to it a little.
_EXPONENT: Final = 0.5
_PENALTY: Final = 1e-4
GROUPS: Final = 5
_LEAST: Final = 1e-6
_STEPS: Final = 12
_CLOSE_ENOUGH: Final = 1e-3


class _Counts:
    def __init__(self) -> None:
        self.choices: dict[str, dict[Circumstances, dict[str, int]]] = {}
        self.pulls: dict[str, dict[Circumstances, list[list[float]]]] = {}

    def choose(self, name: str, where: Circumstances, outcome: str) -> None:
        counts = self.choices.setdefault(name, {}).setdefault(where, {})
        counts[outcome] = counts.get(outcome, 0) + 1

    def pull(
        self, name: str, where: Circumstances, roles: bytes, chosen: int, seats: Sequence[int]
    ) -> None:
        counts = self.pulls.setdefault(name, {}).setdefault(where, [[0.0, 0.0] for _ in ROLES])
        counts[roles[chosen]][0] += 1
        for seat in seats:
            counts[roles[seat]][1] += 1 / len(seats)


def count(games: Sequence[AnnotatedGame]) -> Tables:
    """Return tables counted from these games, with all exponents as they start."""
    counts = _Counts()
    for game in games:
        _count_game(counts, game)
    return Tables(counts.choices, counts.pulls, dict.fromkeys(KINDS, _EXPONENT), SHRINKAGE)


def _count_game(counts: _Counts, game: AnnotatedGame) -> None:
    course, roles = Course(game.options, len(game.roles)), game.roles
    peek: Peek | None = None
    for events in game.steps:
        for event in events:
            evidence = course.advance(event)
            match evidence:
                case Nomination():
                    where = questions.nomination(evidence.armed, roles[evidence.president])
                    counts.pull("nominate", where, roles, evidence.chancellor, evidence.eligible)
                case Vote():
                    _count_votes(counts, evidence, roles)
                case Session():
                    _count_session(counts, game, evidence)
                case Target():
                    name = questions.pull_of(POWERS[evidence.power].aim)
                    where = questions.target(roles[evidence.president])
                    counts.pull(name, where, roles, evidence.target, evidence.candidates)
                    _count_report(counts, game, evidence)
                case Peek():
                    peek = evidence
                    _count_peek(counts, game, peek)
                case Chaos() | NewPile() | Certain() | None:
                    # No player has chosen anything.
                    pass
                case _:
                    assert_never(evidence)


def _count_votes(counts: _Counts, vote: Vote, roles: bytes) -> None:
    pair = roles[vote.president], roles[vote.chancellor]
    counts.choose("welcome", questions.welcome(vote, *pair), questions.share(vote, None))
    for seat, ballot in enumerate(vote.ballots):
        if ballot is not None:
            share = questions.share(vote, seat)
            where = questions.vote(vote, share, seat, roles[seat], *pair)
            counts.choose("vote", where, ballot)


def _count_session(counts: _Counts, game: AnnotatedGame, session: Session) -> None:
    president, chancellor = game.roles[session.president], game.roles[session.chancellor]
    seen = game.seen(Drawn, session.round)
    assert isinstance(seen, Drawn)
    drawn = seen.policies.count(Policy.LIBERAL)
    received = drawn - (seen.discarded is Policy.LIBERAL)
    policy = session.policy
    if 0 < drawn < CARDS_DRAWN:
        where = questions.discard(session, president, chancellor, drawn)
        counts.choose("discard", where, seen.discarded)
    if session.veto_unlocked:
        happened = "accepted" if policy is None else "refused" if session.veto_refused else "none"
        counts.choose("veto", questions.veto(president, chancellor, received), happened)
    if policy is not None and received == 1:
        counts.choose("enact", questions.enact(session, president, chancellor), policy)
    name, said = questions.policy_name(policy), "-"
    claim = game.claim(Drawn, session.round, session.president)
    if isinstance(claim, Drawn):
        said = str(claim.policies.count(Policy.LIBERAL))
        where = questions.drawn_claim(name, president, chancellor, drawn, seen.discarded)
        counts.choose("drawn", where, said)
    claim = game.claim(Received, session.round, session.chancellor)
    if isinstance(claim, Received):
        where = questions.received_claim(name, chancellor, received, said)
        counts.choose("received", where, str(claim.policies.count(Policy.LIBERAL)))


def _count_report(counts: _Counts, game: AnnotatedGame, target: Target) -> None:
    claim = game.claim(PartySeen, target.round, target.president)
    if isinstance(claim, PartySeen) and claim.target == target.target:
        where = questions.report(game.roles[target.president], game.roles[target.target])
        counts.choose("reported", where, claim.party)


def _count_peek(counts: _Counts, game: AnnotatedGame, peek: Peek) -> None:
    claim, seen = game.claim(TopSeen, peek.round, peek.president), game.seen(TopSeen, peek.round)
    if isinstance(claim, TopSeen) and isinstance(seen, TopSeen):
        where = questions.peeked_claim(
            game.roles[peek.president], seen.policies.count(Policy.LIBERAL)
        )
        counts.choose("peeked", where, str(claim.policies.count(Policy.LIBERAL)))


# Exponents -------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Row:
    """A moment of a game: what each kind of evidence says of each possible assignment."""

    roles: bytes
    # Each possible assignment, and by kind what the evidence says of it.
    possible: tuple[bytes, ...]
    parts: tuple[tuple[float, ...], ...]


def fit(games: Sequence[AnnotatedGame]) -> Tables:
    """Return tables with exponents fitted to these games."""
    rows: list[_Row] = []
    for group in range(GROUPS):
        tables = count([game for i, game in enumerate(games) if i % GROUPS != group])
        for game in games[group::GROUPS]:
            rows += _rows(game, tables)
    counted = count(games)
    return Tables(counted.choices, counted.pulls, _best_exponents(rows), SHRINKAGE)


def _rows(game: AnnotatedGame, tables: Tables) -> Iterator[_Row]:
    every = assignments(len(game.roles), game.options.fascists)
    for moment in moments(game, None, tables):
        if moment.is_last:
            continue
        possible, parts = moment.belief.possible(), moment.belief.parts()
        yield _Row(
            game.roles,
            tuple(roles for roles, can in zip(every, possible, strict=True) if can),
            tuple(
                tuple(value for value, can in zip(parts[kind], possible, strict=True) if can)
                for kind in KINDS
            ),
        )


def _best_exponents(rows: Sequence[_Row]) -> dict[str, float]:
    """Return the exponents with the least log loss for both questions together.

    Each step solves for the least loss as if it were quadratic (Gauss-Newton). No exponent may be
    negative: evidence may count for nothing, but never for its opposite.
    """
    size = len(KINDS)
    exponents = [_EXPONENT] * size
    for _ in range(_STEPS):
        slope = [2 * _PENALTY * (value - _EXPONENT) for value in exponents]
        bend = [[2 * _PENALTY * (i == j) for j in range(size)] for i in range(size)]
        seats = sum(len(row.roles) for row in rows)
        for row in rows:
            _bend(row, exponents, seats, slope, bend)
        free = [i for i in range(size) if exponents[i] > 0 or slope[i] < 0]
        change = solved([[bend[i][j] for j in free] for i in free], [slope[i] for i in free])
        for i, value in zip(free, change, strict=True):
            exponents[i] = max(0.0, exponents[i] - value)
        if max(map(abs, change), default=0.0) < _CLOSE_ENOUGH:
            break
    return {kind: round(value, 4) for kind, value in zip(KINDS, exponents, strict=True)}


def _bend(
    row: _Row,
    exponents: Sequence[float],
    seats: int,
    slope: list[float],
    bend: list[list[float]],
) -> None:
    """Add a row's slope and curvature of the mean log loss over `seats`."""
    kinds = [i for i, part in enumerate(row.parts) if any(part)]
    score = [0.0] * len(row.possible)
    for i in kinds:
        exponent = exponents[i]
        score = [a + exponent * b for a, b in zip(score, row.parts[i], strict=True)]
    most = max(score)
    weights = [exp(value - most) for value in score]
    total = sum(weights)
    weights = [weight / total for weight in weights]
    means = [_sumprod(weights, row.parts[i]) for i in kinds]
    for seat, role in enumerate(row.roles):
        for least in (FASCIST, HITLER):
            chosen = [
                weight if roles[seat] >= least else 0.0
                for weight, roles in zip(weights, row.possible, strict=True)
            ]
            p = sum(chosen)
            if not _LEAST < p < 1 - _LEAST:
                continue
            # How the probability changes with each exponent.
            moves = [
                _sumprod(chosen, row.parts[i]) - p * mean
                for i, mean in zip(kinds, means, strict=True)
            ]
            steep = (1 / (1 - p) if role < least else -1 / p) / seats
            curved = 1 / (p * (1 - p)) / seats
            for i, move in zip(kinds, moves, strict=True):
                slope[i] += steep * move
                line = bend[i]
                for j, other in zip(kinds, moves, strict=True):
                    line[j] += curved * move * other


def _sumprod(left: Sequence[float], right: Sequence[float]) -> float:
    return sum(map(mul, left, right), 0.0)
