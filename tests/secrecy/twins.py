"""Twins: for a game and a viewer, another game that the viewer cannot tell from it.

A twin has the same public history and shows the viewer the same facts. All else is drawn anew:
the seed, the roles, the order of every pile, what others drew, discarded, received, investigated
and peeked at, their ballots in a running election, and the ballots that they cast and then
replaced, in number and in kind.

A twin is constructed, not searched for: roles are dealt again where nothing that happened forbids
it, each pile is laid again around the cards that the viewer or the table saw, and the hidden
actions follow. `twin` then replays the result and asserts that it is a twin.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from random import Random

from games.rules.actions import Discard, Enact, Vote
from games.rules.chance import Deal
from games.rules.components import Ballot, Policy, Role
from games.rules.events import Enacted, Shuffled
from games.rules.knowledge import PartySeen
from games.rules.phases import Phase
from games.rules.powers import Peeked
from games.rules.transition import apply, opening
from games.rules.view import public_event, view_for
from tests.secrecy.histories import CLOCK, PLAYER, History, Move, Piles, World, replay

_DEALS = 60
_FILLS = 60


@dataclass
class _Session:
    """Three cards drawn together, and what happened to them."""

    pile: int
    place: int
    president: int
    chancellor: int
    hand: tuple[Policy, ...]
    # The numbers of the moves that discarded and enacted, and the enacted, public policy.
    discard: int | None = None
    discarded: Policy | None = None
    enacted: Policy | None = None


@dataclass
class _Course:
    """Which cards came when, in the game that was played."""

    piles: list[tuple[Policy, ...]]
    # By pile and place: cards that the viewer or every player saw.
    shown: dict[tuple[int, int], Policy] = field(default_factory=dict)
    sessions: list[_Session] = field(default_factory=list)


def twin(history: History, until: int, viewer: int | None, rng: Random) -> World:
    """Return a world in which `viewer` (a seat, or None) saw the same before tick `until`."""
    here = history.world
    moves = here.until(until)
    course = _course(history, moves, viewer)
    deal = Deal(
        _roles(history, until, viewer, rng),
        _pile(course, 0, viewer, rng),
        here.deal.first_candidate,
    )
    piles = {number: _pile(course, number, viewer, rng) for number in range(1, len(course.piles))}
    discards = {
        session.discard: _discard(session, viewer, (deal.draw_pile, *piles.values()), rng)
        for session in course.sessions
        if session.discard is not None
    }
    actions = [
        replace(move, action=Discard(move.action.seat, discards[number]))
        if number in discards
        else move
        for number, move in enumerate(moves)
    ]
    other = World(
        rng.randbytes(32),
        deal,
        Piles(rng, piles),
        tuple(_ballots(history, actions, viewer, rng)),
    )
    _assert_alike(history, until, viewer, other)
    return other


def differences(history: History, until: int, other: World) -> set[str]:
    """Return the kinds of hidden facts that differ between the game and its twin."""
    here = history.world
    mine, _ = replay(history.options, here, here.until(until))
    theirs, _ = replay(history.options, other, other.until(until))
    hitler, another = (state.setup.roles.index(Role.HITLER) for state in (mine, theirs))
    found = {
        "roles": mine.setup.roles != theirs.setup.roles,
        "Hitler's seat": hitler != another,
        # Hitler's seat is odd in one world and even in the other.
        "Hitler's side": hitler % 2 != another % 2,
        "pile": mine.draw != theirs.draw or here.deal.draw_pile != other.deal.draw_pile,
        "hand": mine.hand != theirs.hand,
        "discards": Counter(mine.discards) != Counter(theirs.discards),
        "knowledge": mine.knowledge != theirs.knowledge,
        "running ballots": mine.phase is Phase.ELECTION and mine.ballots != theirs.ballots,
        "recast ballots": len(here.until(until)) != len(other.until(until)),
        "seed": here.seed != other.seed,
    }
    return {name for name, differs in found.items() if differs}


# Roles --------------------------------------------------------------------------------------------


def _roles(history: History, until: int, viewer: int | None, rng: Random) -> tuple[Role, ...]:
    state = history.states[until]
    view = view_for(state, viewer)
    known = view.roles
    hidden = [seat for seat, role in enumerate(known) if role is None]
    # Executed, or elected when Hitler's election would have ended the game: publicly not Hitler.
    cleared = {seat for seat in range(history.players) if seat not in state.alive}
    cleared |= set(state.cleared)
    parties = {item.target: item.party for item in view.knowledge if isinstance(item, PartySeen)}
    roles = list(history.world.deal.roles)
    for _ in range(_DEALS):
        cards = rng.sample([roles[seat] for seat in hidden], len(hidden))
        dealt = dict(zip(hidden, cards, strict=True))
        if any(dealt.get(seat) is Role.HITLER for seat in cleared):
            continue
        if any(seat in dealt and dealt[seat].party is not parties[seat] for seat in parties):
            continue
        return tuple(dealt.get(seat, role) for seat, role in enumerate(roles))
    return tuple(roles)


# Cards --------------------------------------------------------------------------------------------


def _course(history: History, moves: Sequence[Move], viewer: int | None) -> _Course:
    world = history.world
    course = _Course([world.deal.draw_pile])
    state = opening(history.options, world.deal)
    pile = place = 0
    for number, move in enumerate(moves):
        before = state
        state, events = apply(state, move.action, world.piles)
        for event in events:
            if isinstance(event, Shuffled):
                pile, place = pile + 1, 0
                course.piles.append(world.piles.piles[pile])
            elif isinstance(event, Enacted) and event.by == "chaos":
                course.shown[pile, place] = event.policy
                place += 1
            elif isinstance(event, Peeked) and move.action.seat == viewer:
                assert event.policies is not None
                for ahead, policy in enumerate(event.policies):
                    course.shown[pile, place + ahead] = policy
        if state.phase is Phase.PRESIDENT_DISCARDS and before.phase is Phase.ELECTION:
            assert state.president is not None and state.chancellor is not None
            session = _Session(pile, place, state.president, state.chancellor, state.hand)
            course.sessions.append(session)
            if session.president == viewer:
                for ahead, policy in enumerate(state.hand):
                    course.shown[pile, place + ahead] = policy
            place += 3
        elif isinstance(move.action, Discard):
            course.sessions[-1].discard = number
            course.sessions[-1].discarded = move.action.policy
        elif isinstance(move.action, Enact):
            course.sessions[-1].enacted = move.action.policy
    return course


def _pile(course: _Course, number: int, viewer: int | None, rng: Random) -> tuple[Policy, ...]:
    """Return the pile laid again, so that every session can still end as it did."""
    pile = course.piles[number]
    free = [place for place in range(len(pile)) if (number, place) not in course.shown]
    sessions = [session for session in course.sessions if session.pile == number]
    for _ in range(_FILLS):
        laid = list(pile)
        cards = rng.sample([pile[place] for place in free], len(free))
        for place, card in zip(free, cards, strict=True):
            laid[place] = card
        if all(
            _discards(session, viewer, laid[session.place : session.place + 3])
            for session in sessions
        ):
            return tuple(laid)
    return pile


def _discards(session: _Session, viewer: int | None, hand: Sequence[Policy]) -> list[Policy]:
    """Return the President's possible discards from this hand, given what the viewer saw."""
    if session.discarded is None:
        return list(hand)
    if session.president == viewer:
        return [session.discarded]
    handed = Counter(session.hand) - Counter([session.discarded])
    found = []
    for policy in Policy:
        rest = Counter(hand) - Counter([policy])
        if rest.total() != 2:
            continue
        if rest != handed if session.chancellor == viewer else _misses(rest, session.enacted):
            continue
        found.append(policy)
    return found


def _misses(rest: Counter[Policy], enacted: Policy | None) -> bool:
    return enacted is not None and not rest[enacted]


def _discard(
    session: _Session, viewer: int | None, piles: Sequence[tuple[Policy, ...]], rng: Random
) -> Policy:
    hand = piles[session.pile][session.place : session.place + 3]
    return rng.choice(_discards(session, viewer, hand))


# Ballots ------------------------------------------------------------------------------------------


def _ballots(
    history: History, moves: Sequence[Move], viewer: int | None, rng: Random
) -> list[Move]:
    """Return the moves, with other ballots where only their voters have seen them."""
    result: list[Move] = []
    election: list[Move] = []
    for move in moves:
        if isinstance(move.action, Vote):
            election.append(move)
        else:
            # The election is over, so its final ballots are public.
            result += _recast(election, viewer, rng, is_running=False)
            election = []
            result.append(move)
    is_running = history.states[len(moves)].phase is Phase.ELECTION
    return result + _recast(election, viewer, rng, is_running=is_running)


def _recast(
    votes: Sequence[Move], viewer: int | None, rng: Random, *, is_running: bool
) -> list[Move]:
    """Return one election's votes; a finished election keeps its result."""
    by_seat: dict[int, list[int]] = {}
    for number, move in enumerate(votes):
        by_seat.setdefault(move.action.seat, []).append(number)
    told: dict[int, list[Move]] = {number: [move] for number, move in enumerate(votes)}
    for seat, numbers in by_seat.items():
        # A stand-in's ballot is named when the votes are shown, so it stays as it was.
        if seat == viewer or any(votes[number].by == CLOCK for number in numbers):
            continue
        final = _ballot_of(votes[numbers[-1]])
        if is_running:
            final = rng.choice(list(Ballot))
        kept = [numbers[0], *(number for number in numbers[1:] if rng.random() < 0.5)]
        for number in numbers:
            told[number] = (
                [_cast(votes[number], rng.choice(list(Ballot)))] if number in kept else []
            )
        last = kept[-1]
        told[last] = [_cast(votes[last], final)]
        # Add an earlier ballot that the player then replaced, except before the ballot that ended
        # the election.
        is_last_of_all = not is_running and last == len(votes) - 1
        if votes[last].by == PLAYER and not is_last_of_all and rng.random() < 0.2:
            told[last] = [_cast(votes[last], rng.choice(list(Ballot))), *told[last]]
    return [move for number in sorted(told) for move in told[number]]


def _ballot_of(move: Move) -> Ballot:
    assert isinstance(move.action, Vote)
    return move.action.ballot


def _cast(move: Move, ballot: Ballot) -> Move:
    return replace(move, action=Vote(move.action.seat, ballot))


# The check that it is a twin ----------------------------------------------------------------------


def _assert_alike(history: History, until: int, viewer: int | None, other: World) -> None:
    here = history.world
    state, told = replay(history.options, here, here.until(until))
    theirs, told_there = replay(history.options, other, other.until(until))
    assert _heard(told) == _heard(told_there), "the table was told something else"
    for who in {viewer, None}:
        assert view_for(state, who) == view_for(theirs, who), f"{who} sees something else"


def _heard(told: Sequence[Sequence[object]]) -> list[object]:
    return [public_event(event) for events in told for event in events]  # type: ignore[arg-type]
