"""A game from a physical table, entered step by step, and the record that it becomes.

The engine checks each step. It plays with placeholder cards first: when a pile is shuffled depends
on numbers of cards alone, and what a shuffled pile holds follows from the policies on the board.
`EnteredGame.record` then fills each pile with cards that agree with everything that was entered.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final, assert_never

from .actions import Action, AnswerVeto, Discard, Enact, Nominate, ProposeVeto, Vote
from .chance import Deal
from .components import CARDS_DRAWN, Ballot, Policy, Role
from .editions import EDITIONS, Options
from .events import Elected, Enacted, Event, Shuffled
from .legality import IllegalAction, legal_actions
from .phases import Outcome, Phase
from .powers import POWERS, Power, UsePowerOn
from .reasons import Reason
from .record import Entry, Record
from .state import GameState, draft_of, freeze
from .transition import apply, opening


class EntryError(ValueError):
    """An entry that cannot be true: its `code` and `params`, or the `reason` of the rules."""

    def __init__(self, code: str, reason: Reason | None = None, **params: object) -> None:
        super().__init__(f"{code} {reason or params}")
        self.code = code
        self.reason = reason
        self.params = params


@dataclass(frozen=True, slots=True)
class EnteredSetup:
    """The table: its edition, the names and roles by seat, and the first candidate."""

    edition: str
    names: tuple[str, ...]
    roles: tuple[Role, ...]
    first_candidate: int


@dataclass(frozen=True, slots=True)
class EnteredElection:
    """The nominee, and the seats that voted Ja."""

    nominee: int
    ja: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class EnteredSession:
    """A legislative session. `drawn` and `passed` count liberal policies; None is unknown."""

    drawn: int | None
    passed: int | None
    # None after a veto.
    enacted: Policy | None
    # Whether the President refused a veto before.
    is_veto_refused: bool = False


@dataclass(frozen=True, slots=True)
class EnteredChaos:
    policy: Policy


@dataclass(frozen=True, slots=True)
class EnteredPower:
    target: int


EnteredStep = EnteredElection | EnteredSession | EnteredChaos | EnteredPower


class Asked(StrEnum):
    """What has to be entered next."""

    ELECTION = "election"
    SESSION = "session"
    CHAOS = "chaos"
    POWER = "power"
    NOTHING = "nothing"


@dataclass(slots=True)
class EnteredRound:
    """What has been entered of a round, for a list of all rounds."""

    number: int
    president: int
    chancellor: int
    ja: int
    nein: int
    is_elected: bool = False
    policy: Policy | None = None
    is_veto: bool = False
    chaos: Policy | None = None
    power: Power | None = None
    target: int | None = None


@dataclass(frozen=True, slots=True)
class EnteredPosition:
    """What the table shows after the last step, and what is asked for next."""

    asked: Asked
    power: Power | None
    round: int
    candidate: int | None
    president: int | None
    chancellor: int | None
    alive: tuple[int, ...]
    limited: tuple[int, ...]
    # The seats that the candidate may nominate, or on which the power may be used.
    choices: tuple[int, ...]
    liberal: int
    fascist: int
    tracker: int
    draw: int
    discards: int
    veto_unlocked: bool
    outcome: Outcome | None


@dataclass(slots=True)
class _Take:
    """Cards taken from a pile at once, and how many of them may be liberal: without gaps."""

    cards: int
    liberals: tuple[int, ...]


@dataclass(slots=True)
class _Hand(_Take):
    """A President's hand: each possible number of liberal policies drawn and passed."""

    pairs: tuple[tuple[int, int], ...] = ()


@dataclass(slots=True)
class _Pile:
    liberals: int
    cards: int
    takes: list[_Take] = field(default_factory=list)


@dataclass(slots=True)
class _Placeholders:
    """Piles without real cards, except for the top one that chaos enacts."""

    top: Policy = Policy.FASCIST

    def reshuffle(self, number: int, cards: Sequence[Policy]) -> tuple[Policy, ...]:
        return (self.top,) * len(cards)


# How many liberal policies a President can draw and pass on.
_PAIRS: Final = ((0, 0), (1, 0), (1, 1), (2, 1), (2, 2), (3, 2))
_UNKNOWN_HAND: Final = (0, 1, 2, 3)
_ASKED: Final[dict[type[EnteredStep], Asked]] = {
    EnteredElection: Asked.ELECTION,
    EnteredSession: Asked.SESSION,
    EnteredChaos: Asked.CHAOS,
    EnteredPower: Asked.POWER,
}


class EnteredGame:
    """A game as far as it has been entered."""

    def __init__(self, setup: EnteredSetup) -> None:
        """Raise EntryError if such a table cannot exist."""
        self.setup: Final = setup
        options = _checked_options(setup)
        pile = options.pile()
        self._state: GameState = opening(options, Deal(setup.roles, pile, setup.first_candidate))
        self._chance: Final = _Placeholders()
        self._piles: Final = [_Pile(pile.count(Policy.LIBERAL), len(pile))]
        self._liberals_left = self._piles[0].liberals
        self._actions: Final[list[Action]] = []
        # The hand of each discard, by the number of the action.
        self._discards: Final[dict[int, _Hand]] = {}
        # The last ballot or the answer to a veto, if it leads to chaos.
        self._pending: Action | None = None
        self._unknown_hands: Final[list[int]] = []
        self._peeks: Final[list[int]] = []
        self.rounds: Final[list[EnteredRound]] = []

    def enter(self, step: EnteredStep) -> None:
        """Enter a step. Raises EntryError; the game must not be used any more then."""
        if self._asked is not _ASKED[type(step)]:
            reason = Reason.GAME_OVER if self._asked is Asked.NOTHING else Reason.WRONG_PHASE
            raise EntryError("illegal", reason)
        try:
            match step:
                case EnteredElection():
                    self._enter_election(step)
                case EnteredSession():
                    self._enter_session(step)
                case EnteredChaos():
                    self._enter_chaos(step)
                case EnteredPower():
                    self._enter_power(step)
                case _:
                    assert_never(step)
        except IllegalAction as error:
            raise EntryError("illegal", error.reason) from None
        for pile in self._piles:
            _filled(pile)

    @property
    def standing(self) -> EnteredPosition:
        """Return the position after the last step."""
        state = self._state
        power = state.phase if isinstance(state.phase, Power) else None
        choices = state.eligible
        if power is not None:
            assert state.president is not None
            uses = legal_actions(state, state.president)
            choices = tuple(use.target for use in uses if isinstance(use, UsePowerOn))
        return EnteredPosition(
            asked=self._asked,
            power=power,
            round=state.round,
            candidate=state.candidate,
            president=state.president,
            chancellor=state.chancellor,
            alive=state.alive,
            limited=state.limited,
            choices=choices,
            liberal=state.liberal,
            fascist=state.fascist,
            tracker=state.tracker,
            draw=len(state.draw),
            discards=len(state.discards),
            veto_unlocked=state.veto_unlocked,
            outcome=state.outcome,
        )

    @property
    def unknown_hands(self) -> tuple[int, ...]:
        """The rounds whose hands were not entered, or not completely."""
        return tuple(self._unknown_hands)

    @property
    def unknown_peeks(self) -> tuple[int, ...]:
        """The rounds with a peek: in which order the cards lay is never entered."""
        return tuple(self._peeks)

    def record(self) -> Record:
        """Return the record of the game so far; a chaos must have been entered to its end."""
        assert self._pending is None
        cards: list[tuple[Policy, ...]] = []
        liberals: dict[int, int] = {}
        for pile in self._piles:
            taken = _filled(pile)
            rest = pile.cards - sum(take.cards for take in pile.takes)
            cards.append(
                tuple(
                    policy
                    for take, count in zip(pile.takes, taken, strict=True)
                    for policy in _policies(count, take.cards)
                )
                + _policies(pile.liberals - sum(taken), rest)
            )
            for take, count in zip(pile.takes, taken, strict=True):
                liberals[id(take)] = count
        actions = list(self._actions)
        for number, hand in self._discards.items():
            drawn, passed = next(pair for pair in hand.pairs if pair[0] == liberals[id(hand)])
            actions[number] = Discard(actions[number].seat, _discarded(drawn, passed))
        return Record(
            edition=self.setup.edition,
            options=self._state.setup.options,
            seats=self.setup.names,
            deal=Deal(self.setup.roles, cards[0], self.setup.first_candidate),
            shuffles=tuple(cards[1:]),
            entries=tuple(Entry(action) for action in actions),
            outcome=self._state.outcome,
        )

    @property
    def _asked(self) -> Asked:
        phase = self._state.phase
        if self._pending is not None:
            return Asked.CHAOS
        if phase is Phase.NOMINATION:
            return Asked.ELECTION
        if phase is Phase.PRESIDENT_DISCARDS:
            return Asked.SESSION
        return Asked.NOTHING if phase is Phase.OVER else Asked.POWER

    def _enter_election(self, step: EnteredElection) -> None:
        state = self._state
        assert state.candidate is not None
        for seat in step.ja:
            if seat not in state.alive:
                raise EntryError("illegal", Reason.DEAD)
        ja = len(step.ja)
        self.rounds.append(
            EnteredRound(state.round, state.candidate, step.nominee, ja, len(state.alive) - ja)
        )
        self._act(Nominate(state.candidate, step.nominee))
        for seat in state.alive:
            self._act(Vote(seat, Ballot.JA if seat in step.ja else Ballot.NEIN))

    def _enter_session(self, step: EnteredSession) -> None:
        president, chancellor = self._state.president, self._state.chancellor
        assert president is not None and chancellor is not None
        hand = self._piles[-1].takes[-1]
        assert isinstance(hand, _Hand)
        hand.pairs = _pairs(step)
        hand.liberals = tuple(sorted({drawn for drawn, _ in hand.pairs}))
        if len(hand.pairs) > 1:
            self._unknown_hands.append(self._state.round)
        drawn, passed = hand.pairs[0]
        self._discards[len(self._actions)] = hand
        self._hold(_policies(drawn, CARDS_DRAWN))
        self._act(Discard(president, _discarded(drawn, passed)))
        if step.is_veto_refused:
            self._act(ProposeVeto(chancellor))
            self._act(AnswerVeto(president, False))
        if step.enacted is None:
            self._act(ProposeVeto(chancellor))
            self.rounds[-1].is_veto = True
            self._act(AnswerVeto(president, True))
        else:
            self.rounds[-1].policy = step.enacted
            self._act(Enact(chancellor, step.enacted))

    def _enter_chaos(self, step: EnteredChaos) -> None:
        action, self._pending = self._pending, None
        assert action is not None
        self._chance.top = step.policy
        self.rounds[-1].chaos = step.policy
        new = draft_of(self._state)
        new.draw = (step.policy,) * len(new.draw)
        self._state = freeze(new)
        self._act(action, is_chaos_known=True)

    def _enter_power(self, step: EnteredPower) -> None:
        state = self._state
        assert isinstance(state.phase, Power) and state.president is not None
        action = POWERS[state.phase].action
        assert issubclass(action, UsePowerOn)
        self.rounds[-1].power, self.rounds[-1].target = state.phase, step.target
        self._act(action(state.president, step.target))

    def _hold(self, cards: tuple[Policy, ...]) -> None:
        """Give the President this hand."""
        new = draft_of(self._state)
        new.hand = cards
        self._state = freeze(new)

    def _act(self, action: Action, *, is_chaos_known: bool = False) -> None:
        state, events = apply(self._state, action, self._chance)
        if not is_chaos_known and any(_is_chaos(event) for event in events):
            self._pending = action
            return
        self._state = state
        self._actions.append(action)
        for event in events:
            if isinstance(event, Shuffled):
                self._piles.append(_Pile(self._liberals_left, event.draw))
            elif isinstance(event, Enacted):
                self._liberals_left -= event.policy is Policy.LIBERAL
                if _is_chaos(event):
                    self._piles[-1].takes.append(_Take(1, (int(event.policy is Policy.LIBERAL),)))
            elif isinstance(event, Elected):
                self.rounds[-1].is_elected = True
        if state.phase is Phase.PRESIDENT_DISCARDS:
            self._piles[-1].takes.append(_Hand(CARDS_DRAWN, _UNKNOWN_HAND))
        elif isinstance(state.phase, Power) and not POWERS[state.phase].has_target:
            # Nothing has to be chosen.
            assert state.president is not None
            self._peeks.append(state.round)
            self.rounds[-1].power = state.phase
            self._act(POWERS[state.phase].action(state.president))


def entered_game(setup: EnteredSetup, steps: Iterable[EnteredStep]) -> EnteredGame:
    """Return the game after these steps. Raises EntryError."""
    game = EnteredGame(setup)
    for step in steps:
        game.enter(step)
    return game


def _is_chaos(event: Event) -> bool:
    return isinstance(event, Enacted) and event.by == "chaos"


def _checked_options(setup: EnteredSetup) -> Options:
    options = EDITIONS[setup.edition]
    least, most = options.players
    players = len(setup.names)
    if not least <= players <= most:
        raise EntryError("wrong_players", least=least, most=most, found=players)
    roles = options.roles(players)
    if sorted(roles) != sorted(setup.roles):
        raise EntryError(
            "wrong_roles",
            players=players,
            liberals=roles.count(Role.LIBERAL),
            fascists=roles.count(Role.FASCIST),
        )
    return options


def _pairs(step: EnteredSession) -> tuple[tuple[int, int], ...]:
    """Return the possible numbers of liberal policies drawn and passed. Raises EntryError."""
    pairs = tuple(
        (drawn, passed)
        for drawn, passed in _PAIRS
        if step.drawn in (None, drawn) and step.passed in (None, passed)
    )
    if not pairs:
        raise EntryError("not_passed", drawn=step.drawn, passed=step.passed)
    if step.enacted is not None:
        liberal = step.enacted is Policy.LIBERAL
        pairs = tuple(pair for pair in pairs if (pair[1] >= 1 if liberal else pair[1] <= 1))
    if not pairs:
        raise EntryError("not_enacted")
    return pairs


def _discarded(drawn: int, passed: int) -> Policy:
    return Policy.LIBERAL if drawn > passed else Policy.FASCIST


def _policies(liberals: int, cards: int) -> tuple[Policy, ...]:
    return (Policy.LIBERAL,) * liberals + (Policy.FASCIST,) * (cards - liberals)


def _filled(pile: _Pile) -> list[int]:
    """Return how many liberal policies each take from the pile had. Raises EntryError.

    Unknown hands get the pile's own share of liberal policies, as far as the rest allows it.
    """
    taken = sum(take.cards for take in pile.takes)
    # What is not taken can hold only so many of each kind.
    least = max(0, pile.liberals - (pile.cards - taken))
    found = [take.liberals[0] for take in pile.takes]
    low, high = sum(found), sum(take.liberals[-1] for take in pile.takes)
    if high < least or low > pile.liberals:
        fascists = pile.cards - pile.liberals
        raise EntryError("impossible_cards", liberal=pile.liberals, fascist=fascists)
    # The share is never more than the pile had, and never leaves more than the rest can hold.
    share = round(pile.liberals * taken / pile.cards)
    missing = max(low, min(share, high)) - low
    while missing:
        for i, take in enumerate(pile.takes):
            if missing and found[i] < take.liberals[-1]:
                found[i] += 1
                missing -= 1
    return found
