"""The public course of a game: what happened, and at which moment of the game.

`Course` follows the public events of one game. It returns each piece of evidence with the public
circumstances that the model of play looks at. The posterior and the fitting of the tables both read
games through it, so they see the same circumstances.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, assert_never

from games.rules.components import (
    CARDS_DRAWN,
    Ballot,
    Policy,
)
from games.rules.editions import Limited, Options, SmallTable
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
    POWERS,
    Aim,
    Power,
    PowerUsed,
    power_of,
    target_of,
)

# The choice of a policy matters most when the next one may end the game.
_ALMOST_WON_LIBERAL: Final = 4
_ALMOST_WON_FASCIST: Final = 5


@dataclass(frozen=True, slots=True)
class Nomination:
    president: int
    chancellor: int
    eligible: tuple[int, ...]
    armed: bool


@dataclass(frozen=True, slots=True)
class Vote:
    president: int
    chancellor: int
    ballots: tuple[Ballot | None, ...]
    armed: bool


@dataclass(frozen=True, slots=True)
class Session:
    """A government that drew cards. `policy` is None after an accepted veto."""

    round: int
    president: int
    chancellor: int
    policy: Policy | None
    veto_refused: bool
    # The number of cards in the draw pile before the President drew.
    pile: int
    # The policies enacted before this session.
    liberal: int
    fascist: int
    veto_unlocked: bool

    @property
    def urgent(self) -> bool:
        """Return whether one more policy of either kind would win the game."""
        return self.liberal == _ALMOST_WON_LIBERAL or self.fascist == _ALMOST_WON_FASCIST


@dataclass(frozen=True, slots=True)
class Chaos:
    policy: Policy
    # The number of cards in the draw pile before the top one was enacted.
    pile: int


@dataclass(frozen=True, slots=True)
class NewPile:
    """All cards that are not enacted were shuffled into a new draw pile."""

    liberal: int


@dataclass(frozen=True, slots=True)
class Target:
    """The President used a power on a seat."""

    round: int
    president: int
    target: int
    power: Power
    candidates: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Peek:
    round: int
    president: int


@dataclass(frozen=True, slots=True)
class Certain:
    """What everyone now knows for certain about one seat: it is Hitler, or it is not."""

    seat: int
    is_hitler: bool


Evidence = Nomination | Vote | Session | Chaos | NewPile | Target | Peek | Certain


class Course:
    """The public facts of a running game. `advance` takes its public events in order."""

    __slots__ = (
        "alive",
        "candidate",
        "chancellor",
        "executed",
        "fascist",
        "investigated",
        "liberal",
        "limited",
        "options",
        "pile",
        "players",
        "powers",
        "president",
        "round",
        "term",
        "term_round",
        "veto_refused",
    )

    def __init__(self, options: Options, players: int) -> None:
        self.options = options
        self.players = players
        self.powers = options.powers(players)
        self.round = 1
        self.alive = tuple(range(players))
        self.limited: tuple[int, ...] = ()
        self.term: tuple[int, int] | None = None
        self.term_round = 0
        self.candidate: int | None = None
        self.president: int | None = None
        self.chancellor: int | None = None
        self.veto_refused = False
        # The seat that was executed in this round.
        self.executed: int | None = None
        self.liberal, self.fascist = options.start
        self.pile = len(options.pile())
        self.investigated: tuple[int, ...] = ()

    def copy(self) -> "Course":
        new = Course.__new__(Course)
        for name in Course.__slots__:
            setattr(new, name, getattr(self, name))
        return new

    @property
    def armed(self) -> bool:
        """Return whether electing Hitler would end the game."""
        return self.fascist >= self.options.hitler_zone

    def advance(self, event: Event) -> Evidence | None:
        """Take the next public event, and return it as evidence if it is any."""
        match event:
            case Nominated():
                self.candidate, self.chancellor = event.president, event.chancellor
                return Nomination(
                    event.president, event.chancellor, self._eligible(event.president), self.armed
                )
            case Ballots():
                assert self.candidate is not None and self.chancellor is not None
                return Vote(self.candidate, self.chancellor, event.ballots, self.armed)
            case Elected():
                self.president, self.chancellor = event.president, event.chancellor
                if self.options.limited is Limited.ELECTED:
                    self._take_term()
            case NotHitler():
                return Certain(event.seat, is_hitler=False)
            case Enacted(by="government"):
                return self._session(event.policy)
            case Enacted():
                return self._chaos(event.policy)
            case Veto():
                if event.consent:
                    return self._session(None)
                self.veto_refused = True
            case Shuffled():
                self.pile = event.draw
                return NewPile(self.options.liberal_policies - self.liberal)
            case Candidate():
                executed = self.executed
                self._begin_round()
                if executed is not None:
                    # The game goes on, so it was not Hitler.
                    return Certain(executed, is_hitler=False)
            case PowerUsed():
                return self._power(event)
            case Over(ending=Ending.HITLER_ELECTED):
                assert self.chancellor is not None
                return Certain(self.chancellor, is_hitler=True)
            case Over(ending=Ending.HITLER_EXECUTED):
                assert self.executed is not None
                return Certain(self.executed, is_hitler=True)
            case Over() | Rejected() | Tracker():
                pass
            case _:
                assert_never(event)
        return None

    def _eligible(self, candidate: int) -> tuple[int, ...]:
        return tuple(s for s in self.alive if s != candidate and s not in self.limited)

    def _session(self, policy: Policy | None) -> Session:
        assert self.president is not None and self.chancellor is not None
        session = Session(
            self.round,
            self.president,
            self.chancellor,
            policy,
            self.veto_refused,
            self.pile,
            self.liberal,
            self.fascist,
            self.fascist >= self.options.veto_zone,
        )
        self.pile -= CARDS_DRAWN
        if policy is not None:
            self._place(policy)
            if self.options.limited is Limited.ENACTORS:
                self._take_term()
        return session

    def _chaos(self, policy: Policy) -> Chaos:
        chaos = Chaos(policy, self.pile)
        self.pile -= 1
        self._place(policy)
        self.term = None
        return chaos

    def _power(self, event: PowerUsed) -> Evidence | None:
        target, president, power = target_of(event), self.president, power_of(event)
        assert president is not None
        if target is None:
            return Peek(self.round, president)
        aim = POWERS[power].aim
        candidates = tuple(
            seat
            for seat in self.alive
            if seat != president and not (aim is Aim.EXPOSE and seat in self.investigated)
        )
        if aim is Aim.EXPOSE:
            self.investigated = (*self.investigated, target)
        elif aim is Aim.ELIMINATE:
            self.alive = tuple(seat for seat in self.alive if seat != target)
            self.executed = target
        return Target(self.round, president, target, power, candidates)

    def _place(self, policy: Policy) -> None:
        if policy is Policy.LIBERAL:
            self.liberal += 1
        else:
            self.fascist += 1

    def _take_term(self) -> None:
        assert self.president is not None and self.chancellor is not None
        self.term, self.term_round = (self.president, self.chancellor), self.round

    def _begin_round(self) -> None:
        self.round += 1
        self.candidate = self.president = self.chancellor = self.executed = None
        self.veto_refused = False
        self.limited = self._limited()

    def _limited(self) -> tuple[int, ...]:
        if self.term is None:
            return ()
        if self.options.limits_lapse and self.term_round != self.round - 1:
            return ()
        if self.options.small_table is SmallTable.ALIVE:
            small = len(self.alive) <= 5
        else:
            small = self.players == 5
        seats: Sequence[int] = self.term[1:] if small else self.term
        return tuple(seat for seat in seats if seat in self.alive)
