"""The posterior over all assignments of roles, as one viewer can reckon it.

    belief = Belief(options, players=7, viewer=2, roles=view.roles)
    belief.update(event)        # each public event, in order
    belief.update(claim)        # each claim, whenever it is made
    belief.learn(knowledge)     # what the viewer saw of hidden cards
    belief.fascist(4), belief.hitler(4)

The probability of an assignment is proportional to the product of what it predicts, each kind of
evidence raised to its exponent: players who see the same game act alike, so their acts count for
less than independent ones would. What is certain has no exponent.

Cards that the viewer did not see are integrated over. For each assignment the belief keeps the
distribution of liberal policies left in the draw pile. Assignments that give the past officers the
same roles share one, so there are few.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import compress, repeat
from math import exp, log
from operator import add, mul
from typing import Final

from games.rules.claims import Told, is_confession
from games.rules.components import CARDS_DRAWN, Party, Policy, Role
from games.rules.editions import Options
from games.rules.events import Event
from games.rules.knowledge import Drawn, Knowledge, PartySeen, Received, TopSeen
from games.rules.powers import POWERS
from games.rules.view import View

from . import questions
from .assignments import CODES as ROLE_CODES
from .assignments import (
    FASCIST,
    HITLER,
    LIBERAL,
    NAMES,
    ROLES,
    assignments,
    has_hitler,
    joint_roles,
)
from .course import (
    Certain,
    Chaos,
    Course,
    Evidence,
    NewPile,
    Nomination,
    Peek,
    Session,
    Target,
    Vote,
)
from .deck import Kernel, Pile, after_draw, after_top, kernel, known_pile
from .tables import KINDS, Tables, standard_tables

# An event that the model holds for impossible is very unlikely instead, so that a player who does
# the unheard-of, or a wrong input, never leaves no assignment at all.
_LEAST: Final = 1e-9
# How much more often a fascist confesses than a liberal, where a confession is meant: a liberal has
# no reason to withhold a liberal policy.
_CONFESSION: Final = log(100)

_Step = Session | Chaos | NewPile | Peek
# What was said or seen: the kind, the round, the seat that saw it, and the investigated seat.
_Sight = tuple[type[Knowledge], int, int, int | None]


@dataclass(frozen=True, slots=True)
class _Deck:
    """The draw pile under every assignment, and what the sessions so far say of each."""

    piles: tuple[Pile, ...]
    # By assignment, the index of its pile.
    which: Sequence[int]
    # By assignment, the logarithm of the likelihood of all sessions.
    score: list[float]
    # The peek that shows the next draw, if any.
    peek: Peek | None = None


class Belief:
    """What one viewer believes about everyone's role. A spectator has no viewer."""

    __slots__ = (
        "_claims",
        "_course",
        "_decks",
        "_kernels",
        "_parts",
        "_possible",
        "_posterior",
        "_reports",
        "_seen",
        "_steps",
        "_sums",
        "_tables",
        "at_their_word",
        "fascists",
        "players",
        "viewer",
    )

    def __init__(
        self,
        options: Options,
        players: int,
        viewer: int | None = None,
        roles: Sequence[Role | None] = (),
        tables: Tables | None = None,
        *,
        at_their_word: bool = True,
    ) -> None:
        """Begin a game. `roles` are those that the viewer knows from the first night, by seat.

        `at_their_word` takes a Chancellor who confesses for a fascist. People of another site also
        confess in jest.
        """
        every = assignments(players, options.fascists)
        self.players = players
        # Their number besides Hitler, if a house rule sets it.
        self.fascists = options.fascists
        self.viewer = viewer
        self.at_their_word = at_their_word
        self._tables = tables or standard_tables()
        self._course = Course(options, players)
        self._possible: Sequence[bool] = [True] * len(every)
        self._parts = {kind: [0.0] * len(every) for kind in KINDS if kind != "session"}
        liberal = options.liberal_policies
        pile = known_pile(liberal - options.liberal_start, liberal)
        start = _Deck((pile,), [0] * len(every), [0.0] * len(every))
        # The deck before each step, and after the last one.
        self._decks: tuple[_Deck, ...] = (start,)
        self._steps: tuple[_Step, ...] = ()
        # By the round of a session and the roles in it, what it says about the draw. A late claim
        # makes the belief reckon again from its session on; the other sessions say the same.
        self._kernels: dict[int, dict[int, Kernel]] = {}
        self._claims: dict[_Sight, Knowledge] = {}
        self._seen: dict[_Sight, Knowledge] = {}
        # The investigations so far, each with what its report has added to the score.
        self._reports: dict[_Sight, list[float] | None] = {}
        self._posterior: list[float] | None = None
        # By kind, its part when it was last added up, and the sum with it.
        self._sums: tuple[tuple[Sequence[float], list[float]], ...] = ()
        for seat, role in enumerate(roles):
            if role is not None:
                self._keep(seat, (ROLE_CODES[role],))

    @classmethod
    def of(
        cls,
        view: View,
        told: Iterable[Told],
        claims: Iterable[Knowledge] = (),
        tables: Tables | None = None,
    ) -> "Belief":
        """Return the viewer's belief after all public events and claims so far.

        `told` is what `games.rules.claims.sights` takes: round, actor and public events.
        """
        belief = cls(view.options, view.players, view.viewer, view.roles, tables)
        for claim in claims:
            belief.update(claim)
        for knowledge in view.knowledge:
            belief.learn(knowledge)
        for _, _, events in told:
            for event in events:
                belief.update(event)
        return belief

    def copy(self) -> "Belief":
        """Return an independent copy. Cheap: what the two share is never changed."""
        new = Belief.__new__(Belief)
        new.players = self.players
        new.fascists = self.fascists
        new.viewer = self.viewer
        new.at_their_word = self.at_their_word
        new._tables = self._tables
        new._course = self._course.copy()
        new._possible = self._possible
        new._parts = dict(self._parts)
        new._decks = self._decks
        new._steps = self._steps
        new._kernels = dict(self._kernels)
        new._claims = dict(self._claims)
        new._seen = dict(self._seen)
        new._reports = dict(self._reports)
        new._posterior = self._posterior
        new._sums = self._sums
        return new

    # Evidence ----------------------------------------------------------------------------

    def update(self, item: Event | Knowledge) -> None:
        """Take the next public event, or a claim.

        The last claim about the same thing counts. A claim about something that its seat cannot
        have seen changes nothing.
        """
        if isinstance(item, Knowledge):
            self._hear(item)
            return
        evidence = self._course.advance(item)
        if evidence is not None:
            self._posterior = None
            self._take(evidence)

    def learn(self, knowledge: Knowledge) -> None:
        """Take something that the viewer saw. What other seats saw is ignored."""
        if self.viewer is None or knowledge.seat != self.viewer:
            return
        if isinstance(knowledge, PartySeen):
            fascist = knowledge.party is Party.FASCIST
            self._keep(knowledge.target, (FASCIST, HITLER) if fascist else (LIBERAL,))
            return
        sight = _sight(knowledge)
        self._seen[sight] = knowledge
        self._recount(sight)

    def _hear(self, claim: Knowledge) -> None:
        if claim.seat == self.viewer:
            # The viewer knows better.
            return
        sight = _sight(claim)
        self._claims[sight] = claim
        if isinstance(claim, PartySeen):
            if sight in self._reports:
                self._report(sight)
        else:
            self._recount(sight)

    def _take(self, evidence: Evidence) -> None:
        if isinstance(evidence, Nomination):
            self._nominated(evidence)
        elif isinstance(evidence, Vote):
            self._voted(evidence)
        elif isinstance(evidence, Certain):
            self._keep(evidence.seat, (HITLER,) if evidence.is_hitler else (LIBERAL, FASCIST))
        elif isinstance(evidence, Target):
            self._targeted(evidence)
        else:
            self._steps = (*self._steps, evidence)
            self._decks = (*self._decks, self._after(self._decks[-1], evidence))

    @property
    def _liberal_policies(self) -> int:
        return self._course.options.liberal_policies

    def _roles_of(self, seats: tuple[int, ...]) -> tuple[int, ...]:
        """Return the roles of these seats in every assignment, as one number in base three."""
        return joint_roles(self.players, seats, self.fascists)

    def _keep(self, seat: int, roles: Sequence[int]) -> None:
        """Rule out every assignment in which the seat has another role."""
        self._posterior = None
        self._possible = [
            was and role in roles
            for was, role in zip(self._possible, self._roles_of((seat,)), strict=True)
        ]

    def _add(self, kind: str, seats: tuple[int, ...], logs: Sequence[float]) -> None:
        """Add to each assignment the logarithm that belongs to these seats' roles in it."""
        which = self._roles_of(seats)
        self._parts[kind] = list(map(add, self._parts[kind], map(logs.__getitem__, which)))

    def _nominated(self, nomination: Nomination) -> None:
        president = nomination.president
        if president != self.viewer:
            pulls = [
                self._tables.pull("nominate", questions.nomination(nomination.armed, role))
                for role in ROLES
            ]
            self._pulled("nominate", president, nomination.chancellor, nomination.eligible, pulls)

    def _targeted(self, target: Target) -> None:
        power = POWERS[target.power]
        kind = questions.pull_of(power.aim)
        if target.president != self.viewer:
            pulls = [self._tables.pull(kind, questions.target(role)) for role in ROLES]
            self._pulled(kind, target.president, target.target, target.candidates, pulls)
        if power.shows is PartySeen:
            sight = (PartySeen, target.round, target.president, target.target)
            self._reports[sight] = None
            self._report(sight)

    def _pulled(
        self,
        kind: str,
        president: int,
        chosen: int,
        candidates: Sequence[int],
        pulls: Sequence[Sequence[float]],
    ) -> None:
        """Count that a President chose one of several seats."""
        flat = [pull for of_role in pulls for pull in of_role]
        total = [0.0] * len(self._possible)
        for seat in candidates:
            which = self._roles_of((president, seat))
            total = list(map(add, total, map(flat.__getitem__, which)))
        count, part = len(candidates), self._parts[kind]
        which = self._roles_of((president, chosen))
        self._parts[kind] = [
            score + log(flat[i] * count / value)
            for score, i, value in zip(part, which, total, strict=True)
        ]

    def _voted(self, vote: Vote) -> None:
        probability = self._tables.probability
        kind = questions.vote_kind(vote)
        share = questions.share(vote, self.viewer)
        self._add(
            "welcome",
            (vote.president, vote.chancellor),
            [
                log(probability("welcome", questions.welcome(vote, a, b), share))
                for a in ROLES
                for b in ROLES
            ],
        )
        for seat, ballot in enumerate(vote.ballots):
            if ballot is None or seat == self.viewer:
                continue
            if seat == vote.president:
                seats: tuple[int, ...] = (seat, vote.chancellor)
                roles = [(a, a, b) for a in ROLES for b in ROLES]
            elif seat == vote.chancellor:
                seats = (seat, vote.president)
                roles = [(a, b, a) for a in ROLES for b in ROLES]
            else:
                seats = (seat, vote.president, vote.chancellor)
                roles = [(a, b, c) for a in ROLES for b in ROLES for c in ROLES]
            share = questions.share(vote, seat)
            self._add(
                kind,
                seats,
                [
                    log(probability("vote", questions.vote(vote, share, seat, *three), ballot))
                    for three in roles
                ],
            )

    def _report(self, sight: _Sight) -> None:
        """Count what the President says of an investigation, in place of what was said before."""
        _, _, president, target = sight
        assert target is not None
        claim = self._claims.get(sight)
        before = self._reports[sight]
        part = self._parts["report"]
        seats = (president, target)
        which = self._roles_of(seats)
        if before is not None:
            part = [score - before[i] for score, i in zip(part, which, strict=True)]
        added = None
        if isinstance(claim, PartySeen):
            added = [
                log(self._tables.probability("reported", questions.report(a, b), claim.party))
                for a in ROLES
                for b in ROLES
            ]
            part = list(map(add, part, map(added.__getitem__, which)))
        self._posterior = None
        self._parts["report"] = part
        self._reports[sight] = added

    # The hidden cards --------------------------------------------------------------------

    def _recount(self, sight: _Sight) -> None:
        """Reckon again from the session or peek that something new was said or seen of."""
        _, number, _, _ = sight
        for index, step in enumerate(self._steps):
            if isinstance(step, Session | Peek) and step.round == number:
                # A peek speaks of the next session.
                last = index + isinstance(step, Peek)
                for changed in self._steps[index : last + 1]:
                    if isinstance(changed, Session):
                        self._kernels.pop(changed.round, None)
                decks = list(self._decks[: index + 1])
                for again in self._steps[index:]:
                    decks.append(self._after(decks[-1], again))
                self._decks = tuple(decks)
                self._posterior = None
                return

    def _after(self, deck: _Deck, step: _Step) -> _Deck:
        if isinstance(step, Peek):
            return _Deck(deck.piles, deck.which, deck.score, step)
        if isinstance(step, NewPile):
            return _Deck(
                (known_pile(step.liberal, self._liberal_policies),),
                [0] * len(deck.which),
                deck.score,
            )
        if isinstance(step, Chaos):
            is_liberal = step.policy is Policy.LIBERAL
            results = [after_top(pile, step.pile, is_liberal) for pile in deck.piles]
            logs = [log(max(likelihood, _LEAST)) for likelihood, _ in results]
            score = [old + logs[i] for old, i in zip(deck.score, deck.which, strict=True)]
            return _Deck(tuple(pile for _, pile in results), deck.which, score)
        return self._after_session(deck, step)

    def _after_session(self, deck: _Deck, session: Session) -> _Deck:
        seats: tuple[int, ...] = (session.president, session.chancellor)
        if deck.peek is not None:
            seats = (*seats, deck.peek.president)
        kinds = 3 ** len(seats)
        kernels = self._kernels.setdefault(session.round, {})
        # Which pile and which roles belong to each assignment, as one number.
        keys = list(map(add, map(mul, deck.which, repeat(kinds)), self._roles_of(seats)))
        new_index: dict[int, int] = {}
        piles: list[Pile] = []
        logs: list[float] = []
        # An assignment that is ruled out needs no pile.
        for key in dict.fromkeys(compress(keys, self.possible())):
            old, roles = divmod(key, kinds)
            step = kernels.get(roles)
            if step is None:
                step = kernels[roles] = self._kernel(session, deck.peek, roles)
            likelihood, pile = after_draw(deck.piles[old], step)
            new_index[key] = len(piles)
            piles.append(pile)
            logs.append(log(max(likelihood, _LEAST)))
        which = list(map(new_index.get, keys, repeat(0)))
        score = list(map(add, deck.score, map(logs.__getitem__, which)))
        return _Deck(tuple(piles), which, score)

    def _kernel(self, session: Session, peek: Peek | None, roles: int) -> Kernel:
        """Return what the session, its claims and a peek say about the draw, for these roles."""
        peeker = None
        if peek is not None:
            roles, peeker = divmod(roles, 3)
        president, chancellor = divmod(roles, 3)
        weights = [
            self._session_likelihood(session, president, chancellor, drawn)
            for drawn in range(CARDS_DRAWN + 1)
        ]
        if peek is not None and peeker is not None:
            weights = [
                weight * self._peek_likelihood(peek, peeker, drawn)
                for drawn, weight in enumerate(weights)
            ]
        return kernel(session.pile, tuple(weights), self._liberal_policies)

    def _session_likelihood(
        self, session: Session, president: int, chancellor: int, drawn: int
    ) -> float:
        """Return the probability of all that is known of a session if so many were drawn."""
        saw = self._seen.get((Drawn, session.round, session.president, None))
        got = self._seen.get((Received, session.round, session.chancellor, None))
        if isinstance(saw, Drawn) and _liberal(saw.policies) != drawn:
            return 0.0
        total = 0.0
        for discarded in Policy:
            received = drawn - (discarded is Policy.LIBERAL)
            if not 0 <= received < CARDS_DRAWN:
                continue
            if isinstance(saw, Drawn) and saw.discarded is not discarded:
                continue
            if isinstance(got, Received) and _liberal(got.policies) != received:
                continue
            total += self._line(session, president, chancellor, drawn, discarded, received)
        return total

    def _line(
        self,
        session: Session,
        president: int,
        chancellor: int,
        drawn: int,
        discarded: Policy,
        received: int,
    ) -> float:
        """Return the probability of one way in which the session may have gone."""
        probability, policy = self._tables.probability, session.policy
        result = 1.0
        is_own = session.chancellor == self.viewer
        if session.veto_unlocked and not is_own:
            happened = (
                "accepted" if policy is None else "refused" if session.veto_refused else "none"
            )
            where = questions.veto(president, chancellor, received)
            result *= probability("veto", where, happened)
        if policy is not None:
            if received == 1 and not is_own:
                where = questions.enact(session, president, chancellor)
                result *= probability("enact", where, policy)
            elif received != 1 and (policy is Policy.LIBERAL) is not (received == 2):
                return 0.0
        if 0 < drawn < CARDS_DRAWN and session.president != self.viewer:
            where = questions.discard(session, president, chancellor, drawn)
            result *= probability("discard", where, discarded)
        name = questions.policy_name(policy)
        said = "-"
        claim = self._claims.get((Drawn, session.round, session.president, None))
        if isinstance(claim, Drawn):
            said = str(_liberal(claim.policies))
            where = questions.drawn_claim(name, president, chancellor, drawn, discarded)
            result *= probability("drawn", where, said)
        claim = self._claims.get((Received, session.round, session.chancellor, None))
        if isinstance(claim, Received):
            where = questions.received_claim(name, chancellor, received, said)
            result *= probability("received", where, str(_liberal(claim.policies)))
        return result

    def _peek_likelihood(self, peek: Peek, president: int, drawn: int) -> float:
        sight = (TopSeen, peek.round, peek.president, None)
        saw = self._seen.get(sight)
        if isinstance(saw, TopSeen):
            return float(_liberal(saw.policies) == drawn)
        claim = self._claims.get(sight)
        if not isinstance(claim, TopSeen):
            return 1.0
        where = questions.peeked_claim(president, drawn)
        return self._tables.probability("peeked", where, str(_liberal(claim.policies)))

    # Answers -----------------------------------------------------------------------------

    def probabilities(self) -> Sequence[float]:
        """Return the probability of each of `assignments.assignments(players)`, in that order."""
        if self._posterior is None:
            self._posterior = self._reckon()
        return self._posterior

    def assignments(self) -> list[tuple[tuple[Role, ...], float]]:
        """Return every possible assignment with its probability."""
        return [
            (tuple(NAMES[role] for role in roles), probability)
            for roles, probability in zip(
                assignments(self.players, self.fascists), self.probabilities(), strict=True
            )
            if probability > 0
        ]

    def fascist(self, seat: int) -> float:
        """Return the probability that a seat belongs to the fascist party. Hitler does too."""
        # Its role is a number, 0 for a liberal.
        return sum(compress(self.probabilities(), self._roles_of((seat,))))

    def hitler(self, seat: int) -> float:
        """Return the probability that a seat is Hitler."""
        return sum(compress(self.probabilities(), has_hitler(self.players, seat, self.fascists)))

    def parts(self) -> dict[str, Sequence[float]]:
        """Return by kind of evidence the logarithm that it gives each assignment; for fitting."""
        return {**self._parts, "session": self._decks[-1].score}

    def possible(self) -> Sequence[bool]:
        """Return which assignments are not ruled out.

        If the facts contradict each other, which no real game does, none is ruled out.
        """
        return self._possible if True in self._possible else [True] * len(self._possible)

    def _confessed(self) -> Iterator[int]:
        """Yield the Chancellor of each claim that stands and is a confession."""
        for step in self._steps if self.at_their_word else ():
            if isinstance(step, Session):
                claim = self._claims.get((Received, step.round, step.chancellor, None))
                if claim is not None and is_confession(claim, step.policy):
                    yield step.chancellor

    def _reckon(self) -> list[float]:
        score: list[float] = [0.0] * len(self._possible)
        sums: list[tuple[Sequence[float], list[float]]] = []
        is_known = bool(self._sums)
        # Most items change one kind of evidence. The sums before it are those of the last time.
        for number, (kind, part) in enumerate(self.parts().items()):
            is_known = is_known and part is self._sums[number][0]
            if is_known:
                score = self._sums[number][1]
            elif exponent := self._tables.exponents[kind]:
                score = list(map(add, score, map(mul, repeat(exponent), part)))
            sums.append((part, score))
        self._sums = tuple(sums)
        for seat in self._confessed():
            roles = self._roles_of((seat,))
            score = [s - _CONFESSION * (r == LIBERAL) for s, r in zip(score, roles, strict=True)]
        possible = self.possible()
        most = max(compress(score, possible))
        weights = [exp(s - most) if can else 0.0 for s, can in zip(score, possible, strict=True)]
        total = sum(weights)
        return [weight / total for weight in weights]


def _sight(knowledge: Knowledge) -> _Sight:
    target = knowledge.target if isinstance(knowledge, PartySeen) else None
    return type(knowledge), knowledge.round, knowledge.seat, target


def _liberal(policies: Iterable[Policy]) -> int:
    return sum(policy is Policy.LIBERAL for policy in policies)
