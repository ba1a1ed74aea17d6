"""Random games: any edition or mix, five to ten seats, players, bots and latecomers."""

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

from games.rules.actions import Action, Discard, Enact, Nominate, Vote
from games.rules.chance import Deal
from games.rules.components import Ballot, Policy, deck, roles_for
from games.rules.editions import CHOICES, EDITIONS, SWITCHES, Formula, Options, options_of
from games.rules.events import Event
from games.rules.legality import legal_actions
from games.rules.phases import Phase
from games.rules.state import GameState
from games.rules.transition import apply, opening

PLAYER, CLOCK, BOT = "player", "clock", "bot"


@dataclass(frozen=True)
class Move:
    """An action, who made it, and its moment: a number that all worlds share."""

    action: Action
    by: str
    tick: int


@dataclass
class Piles:
    """Every shuffle of a world by its number: recorded, or drawn on first use."""

    rng: Random
    piles: dict[int, tuple[Policy, ...]]

    def reshuffle(self, number: int, cards: Sequence[Policy]) -> tuple[Policy, ...]:
        if number not in self.piles:
            self.piles[number] = tuple(self.rng.sample(sorted(cards), len(cards)))
        pile = self.piles[number]
        assert sorted(pile) == sorted(cards), "a world shuffles other cards than it has"
        return pile


@dataclass(frozen=True)
class World:
    """A whole game: its seed, the deal and shuffles that belong to it, and the moves."""

    seed: bytes
    deal: Deal
    piles: Piles
    moves: tuple[Move, ...]

    def until(self, tick: int) -> tuple[Move, ...]:
        return tuple(move for move in self.moves if move.tick < tick)

    def at(self, tick: int) -> tuple[Move, ...]:
        return tuple(move for move in self.moves if move.tick == tick)


@dataclass(frozen=True)
class History:
    """A game that was played to its end, and the table at which it was played."""

    edition: str
    house_rules: dict[str, object]
    options: Options
    # By seat: whether a bot plays there.
    bots: tuple[bool, ...]
    # By seat: whether the player is away, so that a stand-in acts at once.
    away: tuple[bool, ...]
    world: World
    # The state before each tick, and the final one.
    states: tuple[GameState, ...]

    @property
    def players(self) -> int:
        return len(self.bots)


def replay(
    options: Options, world: World, moves: Sequence[Move]
) -> tuple[GameState, list[tuple[Event, ...]]]:
    """Return the state after these moves, and the events of each. Raises IllegalAction."""
    state = opening(options, world.deal)
    told = []
    for move in moves:
        state, events = apply(state, move.action, world.piles)
        told.append(events)
    return state, told


def random_history(rng: Random, *, all_people: bool = False) -> History:
    """Return a game of any kind; its players prefer moves that keep it going."""
    edition = rng.choice(sorted(EDITIONS))
    house_rules = _house_rules(rng) if rng.random() < 0.35 else {}
    options = options_of(edition, house_rules)
    players = rng.randint(*options.players)
    bots = tuple(not all_people and seat > 0 and rng.random() < 0.2 for seat in range(players))
    away = tuple(not all_people and not bot and rng.random() < 0.1 for bot in bots)
    deal = Deal(
        roles=tuple(rng.sample(roles_for(players), players)),
        draw_pile=tuple(rng.sample(deck(), len(deck()))),
        first_candidate=rng.randrange(players),
    )
    piles = Piles(rng, {})
    state = opening(options, deal)
    moves: list[Move] = []
    states = [state]
    favour = rng.uniform(0.55, 0.95)
    while state.outcome is None:
        action = _chosen(state, favour, rng)
        seat = action.seat
        is_recast = isinstance(action, Vote) and state.ballots[seat] is not None
        if bots[seat]:
            by = BOT
        elif away[seat] or (not all_people and rng.random() < 0.05 and not is_recast):
            by = CLOCK
        else:
            by = PLAYER
        moves.append(Move(action, by, len(moves)))
        state, _ = apply(state, action, piles)
        states.append(state)
    world = World(rng.randbytes(32), deal, piles, tuple(moves))
    return History(edition, house_rules, options, bots, away, world, tuple(states))


def _house_rules(rng: Random) -> dict[str, object]:
    rules: dict[str, object] = {}
    for name, values in CHOICES.items():
        if rng.random() < 0.4:
            rules[name] = str(rng.choice(list(values)))
    for name in SWITCHES:
        if rng.random() < 0.4:
            rules[name] = rng.random() < 0.5
    if rng.random() < 0.4:
        rules["spoken_formula"] = [str(item) for item in Formula if rng.random() < 0.5]
    if rng.random() < 0.5:
        rules["players"] = [5, 10]
    return rules


def _chosen(state: GameState, favour: float, rng: Random) -> Action:
    if state.phase is Phase.ELECTION:
        voted = [seat for seat in state.alive if seat not in state.to_act]
        # Sometimes a player changes a ballot.
        seat = rng.choice(voted) if voted and rng.random() < 0.08 else rng.choice(state.to_act)
        return Vote(seat, Ballot.JA if rng.random() < favour else Ballot.NEIN)
    legal = legal_actions(state, state.to_act[0])
    if rng.random() < 0.7:
        # Fascist policies bring powers; Hitler as Chancellor would end the game.
        legal = tuple(action for action in legal if not _ends_soon(action, state)) or legal
    return rng.choice(legal)


def _ends_soon(action: Action, state: GameState) -> bool:
    match action:
        case Nominate(target=target):
            return state.setup.roles[target] == "hitler" and state.fascist >= 3
        case Discard(policy=policy):
            return policy is Policy.FASCIST and state.fascist < 5
        case Enact(policy=policy):
            return policy is (Policy.LIBERAL if state.fascist < 5 else Policy.FASCIST)
        case _:
            return False
