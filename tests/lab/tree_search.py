"""Reasoning bots against tree search: `.venv/bin/python -m tests.lab.tree_search --side liberal`.

An outside measure: single-observer information-set Monte Carlo tree search, as it was published for
this game (arXiv 2005.07156), plays one side against reasoning bots. Each iteration deals roles and
cards that its seat's view allows, walks down the tree by upper confidence bounds, adds a node, and
plays on at random. Ballots are treated as if they were cast one after another. The search knows
its view and the public events, and has the claims of reasoning bots, so that only moves differ.

The same deals are then played by reasoning bots on both sides. The report has the wins of the side
with intervals of 95 % (Wilson), and the mean time of a move of each, where there was a choice.
`--seconds` is processor time for each move; `--iterations` is a limit that no load can change.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial
from math import log, sqrt
from random import Random
from statistics import mean
from time import thread_time
from typing import Any, Final

from games import bots
from games.bots.reasoning.play import passed_on
from games.bots.registry import Kind
from games.inference.assignments import NAMES, assignments
from games.rules.actions import Action
from games.rules.components import FASCIST_POLICIES, LIBERAL_POLICIES, Party, Policy, Role
from games.rules.editions import Limited, Options, options_of
from games.rules.events import Candidate, Elected, Enacted, Shuffled
from games.rules.knowledge import Drawn, Received, TopSeen
from games.rules.legality import legal_actions
from games.rules.phases import Ending, Phase
from games.rules.powers import Peeked, SpecialElection
from games.rules.state import Draft, GameState, Setup, freeze
from games.rules.transition import apply
from games.rules.view import View
from games.simulation.games import play_game

from .frame import arguments, in_processes, share_interval

# How much the search explores, as published.
_CURIOSITY: Final = 0.7
SEARCH: Final = "search"
OPPONENT: Final = "reasoner"
TIMED: Final = "timed"


@dataclass(slots=True)
class Limits:
    """When a search ends: at the first of the two that is reached."""

    seconds: float | None = 1.0
    iterations: int | None = None


# Determinization -----------------------------------------------------------------------------


class Dealer:
    """Deals what a seat cannot see, each time anew, as its view and the public events allow."""

    def __init__(self, view: View, heard: bots.Heard, random: Random) -> None:
        self._view = view
        self._random = random
        self._roles = [roles for roles in _every(view.players) if _fits(view, roles)]
        self._hand = _hand_of(view)
        self._discarded, self._top = _known_cards(view, heard)
        self._term, self._term_round = _term(view, heard)
        self._rotation = _rotation(view, heard)

    def deal(self) -> GameState:
        view, random = self._view, self._random
        pool = [Policy.LIBERAL] * (LIBERAL_POLICIES - view.liberal)
        pool += [Policy.FASCIST] * (FASCIST_POLICIES - view.fascist)
        for policy in (*self._hand, *self._discarded, *self._top):
            pool.remove(policy)
        random.shuffle(pool)
        hidden = view.draw - len(self._top)
        new = Draft()
        new.setup = Setup(view.options, random.choice(self._roles))
        new.phase = view.phase
        new.round = view.round
        new.rotation = self._rotation
        new.candidate, new.nominee = view.candidate, view.nominee
        new.president, new.chancellor = view.president, view.chancellor
        new.alive = view.alive
        new.limited = view.limited
        new.term, new.term_round = self._term, self._term_round
        new.ballots = (None,) * view.players
        new.liberal, new.fascist, new.tracker = view.liberal, view.fascist, view.tracker
        new.draw = (*self._top, *pool[:hidden])
        new.discards = (*self._discarded, *pool[hidden:])
        new.hand = self._hand
        new.veto_refused = view.veto_refused
        new.investigated, new.cleared = view.investigated, view.cleared
        new.governments = view.governments
        new.knowledge = ()
        new.shuffles = 0
        new.outcome = None
        return freeze(new)

    def reshuffle(self, number: int, cards: Sequence[Policy]) -> tuple[Policy, ...]:
        return tuple(self._random.sample(cards, len(cards)))


def _every(players: int) -> list[tuple[Role, ...]]:
    return [tuple(NAMES[code] for code in codes) for codes in assignments(players)]


def _fits(view: View, roles: tuple[Role, ...]) -> bool:
    """Return whether the viewer can't rule out these roles."""
    return all(
        view.roles[seat] in (None, role)
        and view.parties[seat] in (None, role.party)
        and (role is not Role.HITLER or (seat in view.alive and seat not in view.cleared))
        for seat, role in enumerate(roles)
    )


def _hand_of(view: View) -> tuple[Policy, ...]:
    if view.phase is Phase.VETO_PROPOSED:
        return tuple(sorted(passed_on(view), reverse=True))
    return view.hand or ()


def _known_cards(view: View, heard: bots.Heard) -> tuple[list[Policy], tuple[Policy, ...]]:
    """Return what the viewer knows of the discards, and of the top of the draw pile."""
    since, top = 0, False
    for number, seat, events in heard.told:
        for event in events:
            if isinstance(event, Shuffled):
                since, top = number, False
            elif isinstance(event, Elected) or (isinstance(event, Enacted) and event.by == "chaos"):
                top = False
            elif isinstance(event, Peeked):
                top = seat == view.viewer
    discarded = []
    enacted = {government.round: government.policy for government in view.governments}
    for item in view.knowledge:
        # A pile that was shuffled in the round of a session may have been so before or after it.
        if isinstance(item, Drawn | Received) and item.round > since:
            cards = list(item.policies)
            policy = enacted.get(item.round)
            if isinstance(item, Drawn):
                discarded.append(item.discarded)
                cards.remove(item.discarded)
            if item.round in enacted:
                if policy is not None:
                    cards.remove(policy)
                discarded += cards
    peeks = [item.policies for item in view.knowledge if isinstance(item, TopSeen)]
    return discarded, peeks[-1] if top and peeks else ()


def _rotation(view: View, heard: bots.Heard) -> int:
    """Return the seat from which the candidacy passes on."""
    for _, seat, events in reversed(heard.told):
        for event in events:
            if isinstance(event, Candidate):
                called = any(isinstance(other, SpecialElection) for other in events)
                return seat if called else event.seat
    first = view.candidate if view.candidate is not None else view.president
    assert first is not None
    return first


def _term(view: View, heard: bots.Heard) -> tuple[tuple[int, int] | None, int]:
    """Return the officers whose terms limit the next nomination, and their round."""
    officers: tuple[int, int] | None = None
    term: tuple[int, int] | None = None
    term_round = 0
    for number, _, events in heard.told:
        for event in events:
            if isinstance(event, Elected):
                officers = event.president, event.chancellor
                if view.options.limited is Limited.ELECTED:
                    term, term_round = officers, number
            elif isinstance(event, Enacted) and event.by == "chaos":
                term = None
            elif isinstance(event, Enacted) and view.options.limited is Limited.ENACTORS:
                term, term_round = officers, number
    return term, term_round


# The search ----------------------------------------------------------------------------------


@dataclass(slots=True)
class Node:
    """What the search knows of an action: how often it was possible and chosen, and how it went."""

    visits: int = 0
    possible: int = 0
    # Wins of the side that made this move, in each deal the side of that seat.
    wins: int = 0
    children: dict[Action, "Node"] = field(default_factory=dict)


def search(view: View, heard: bots.Heard, random: Random, limits: Limits) -> Action:
    """Return the action that the search has visited most."""
    dealer, root = Dealer(view, heard, random), Node()
    begun, number = thread_time(), 0
    while True:
        _iterate(root, dealer, random, view.viewer)
        number += 1
        if limits.iterations is not None and number >= limits.iterations:
            break
        if limits.seconds is not None and thread_time() - begun >= limits.seconds:
            break
    return max(root.children, key=lambda action: root.children[action].visits)


def _iterate(root: Node, dealer: Dealer, random: Random, viewer: int | None) -> None:
    state = dealer.deal()
    roles = state.setup.roles
    assert viewer is not None
    path: list[tuple[Node, Party]] = []
    node, seat, is_new = root, viewer, False
    while state.outcome is None and not is_new:
        legal = legal_actions(state, seat)
        action, is_new = _descend(node, legal, random)
        node = node.children[action]
        path.append((node, roles[seat].party))
        state, _ = apply(state, action, dealer)
        seat = state.to_act[0] if state.outcome is None else seat
    while state.outcome is None:
        legal = legal_actions(state, state.to_act[0])
        state, _ = apply(state, legal[int(random.random() * len(legal))], dealer)
    winner = state.outcome.winner
    for visited, party in path:
        visited.visits += 1
        visited.wins += party is winner


def _descend(node: Node, legal: Sequence[Action], random: Random) -> tuple[Action, bool]:
    """Choose a child, and say whether it is new."""
    children = node.children
    new = [action for action in legal if action not in children]
    for action in legal:
        if action in children:
            children[action].possible += 1
    if new:
        action = new[int(random.random() * len(new))]
        children[action] = Node(possible=1)
        return action, True
    return max(legal, key=lambda action: _bound(children[action])), False


def _bound(node: Node) -> float:
    return node.wins / node.visits + _CURIOSITY * sqrt(log(node.possible) / node.visits)


# The games -----------------------------------------------------------------------------------


@dataclass
class Played:
    """One game: whether the measured side won, and the seconds of its moves with a choice."""

    won: bool
    ending: Ending
    seconds: list[float]


class _Clock:
    """The limits of the running game's searches, and the times of the measured side's moves."""

    limits = Limits()
    seconds: list[float]


_clock: Final = _Clock()


def _timed(choose: Any, view: View, heard: bots.Heard, below: bots.Below) -> Action:
    if len(view.legal) == 1:
        return view.legal[0]
    begun = thread_time()
    action: Action = choose(view, heard, below)
    _clock.seconds.append(thread_time() - begun)
    return action


def _searched(view: View, heard: bots.Heard, below: bots.Below) -> Action:
    return search(view, heard, Random(below(1 << 30)), _clock.limits)


def _register() -> None:
    if SEARCH in bots.names():
        return
    reasoner = bots.kind_named(OPPONENT)
    for name, choose in ((SEARCH, _searched), (TIMED, reasoner.choose)):
        timed = partial(_timed, choose)
        bots.register(Kind(name=name, label="", choose=timed, claim=reasoner.claim))


def play(
    options: Options, players: int, seed: str, side: Party, limits: Limits, number: int
) -> tuple[Played, Played]:
    """Play a deal twice: with the search on the side, and with reasoning bots."""
    _register()
    _clock.limits = limits
    found = []
    for kind in (SEARCH, TIMED):
        _clock.seconds = []
        kinds = dict.fromkeys(Party, OPPONENT) | {side: kind}
        outcome = play_game(options, players, seed, number, kinds).state.outcome
        assert outcome is not None
        found.append(Played(outcome.winner is side, outcome.ending, _clock.seconds))
    return found[0], found[1]


def _line(name: str, games: Sequence[Played]) -> str:
    wins = sum(game.won for game in games)
    low, high = share_interval(wins, len(games))
    times = [seconds for game in games for seconds in game.seconds]
    return (
        f"{name:9} wins {wins:4} of {len(games)} = "
        f"{wins / len(games):6.1%} ({low:.1%} - {high:.1%}), "
        f"{1000 * mean(times):8.2f} ms a move, {len(times) / len(games):.0f} moves a game"
    )


def main(argv: Sequence[str] | None = None) -> None:
    parser = arguments(__doc__, games=20, jobs=True, seed="tree")
    parser.add_argument("--players", type=int, default=7)
    parser.add_argument("--side", default="liberal", choices=[str(party) for party in Party])
    parser.add_argument("--seconds", type=float, default=1.0)
    parser.add_argument("--iterations", type=int, help="instead of a time")
    given = parser.parse_args(argv)
    side = Party(given.side)
    limits = Limits(None if given.iterations else given.seconds, given.iterations)
    task = partial(play, options_of("en"), given.players, given.seed, side, limits)
    games = list(in_processes(task, range(1, given.games + 1), given.jobs))
    limit = f"{given.iterations} iterations" if given.iterations else f"{given.seconds:g} s"
    print(f"{given.players} players, as {side}s against {OPPONENT}; the search has {limit} a move")
    print(_line(SEARCH, [search for search, _ in games]))
    print(_line(OPPONENT, [reasoner for _, reasoner in games]))


if __name__ == "__main__":
    main()
