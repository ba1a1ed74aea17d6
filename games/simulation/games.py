"""Simulation of whole games played by bots, each from its own sealed deal."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from random import Random
from typing import Final

from games.bots import Below, Heard, choose, kind_named
from games.rules.actions import Action
from games.rules.chance import CONTRIBUTION_BYTES_1, SealedChance, commitment_to
from games.rules.claims import Sight, Told, sights
from games.rules.components import Party
from games.rules.editions import Options
from games.rules.events import Enacted, Event, Veto
from games.rules.knowledge import Knowledge
from games.rules.legality import legal_actions
from games.rules.powers import PowerUsed
from games.rules.record import Entry, Record, WitnessedChance
from games.rules.seals import Seal
from games.rules.state import GameState
from games.rules.transition import apply, opening
from games.rules.view import public_event, view_for

Bots = Mapping[Party, str]
Pick = Callable[[Sequence[Action], Below], Action]


@dataclass(frozen=True, slots=True)
class SimulatedGame:
    """A finished simulated game: the last state, and the data for its record."""

    state: GameState
    actions: tuple[Action, ...]
    chance: WitnessedChance
    seal: Seal

    def record(self, edition: str) -> Record:
        """Return the game's record. `edition` names the edition that the options differ from."""
        setup = self.state.setup
        players = setup.players
        return Record(
            edition=edition,
            options=setup.options,
            seats=tuple(f"Bot {seat + 1}" for seat in range(players)),
            deal=self.chance.chance.deal(setup.options, players),
            shuffles=tuple(self.chance.piles),
            entries=tuple(Entry(action, by="bot") for action in self.actions),
            outcome=self.state.outcome,
            seal=self.seal,
        )


def both(kind: str) -> Bots:
    """Return the same kind of bot for both parties."""
    return dict.fromkeys(Party, kind)


def play_game(options: Options, players: int, seed: str, number: int, bots: Bots) -> SimulatedGame:
    """Play game `number` of the series `seed`. The same arguments give the same game.

    `bots` names the kind (one of `games.bots.names`) that plays each party. Raises ValueError if
    the options do not allow this number of players.
    """
    seal = _seal(seed, number, players)
    sealed = SealedChance(bytes.fromhex(seal.seed), seal.contributions)
    chance = WitnessedChance(sealed)
    state = opening(options, sealed.deal(options, players))
    below = _seeded_below(f"{seed}:{number}")
    actions: list[Action] = []
    picks = [kind_named(bots[role.party]).pick for role in state.setup.roles]
    without_views = [pick for pick in picks if pick is not None]
    if len(without_views) == players:
        state = _play_without_views(state, chance, below, actions, without_views)
    else:
        state = _play(state, chance, below, actions, bots)
    return SimulatedGame(state, tuple(actions), chance, seal)


def _play_without_views(
    state: GameState,
    chance: WitnessedChance,
    below: Callable[[int], int],
    actions: list[Action],
    picks: Sequence[Pick],
) -> GameState:
    """Do the same as `_play` for bots that need no view: many times as fast. `picks` is by seat."""
    append = actions.append
    while state.outcome is None:
        for seat in state.to_act:
            action = picks[seat](legal_actions(state, seat), below)
            state, _ = apply(state, action, chance)
            append(action)
    return state


def _play(
    state: GameState,
    chance: WitnessedChance,
    below: Callable[[int], int],
    actions: list[Action],
    bots: Bots,
) -> GameState:
    kinds = [bots[role.party] for role in state.setup.roles]
    heard = _History()
    while state.outcome is None:
        for seat in state.to_act:
            action = choose(kinds[seat], view_for(state, seat), below, heard.heard)
            number = state.round
            state, events = apply(state, action, chance)
            actions.append(action)
            heard.note(number, seat, tuple(public_event(event) for event in events))
            for sight in heard.new_sights():
                claim = kind_named(kinds[sight.seat]).claim
                if claim is not None:
                    view = view_for(state, sight.seat)
                    heard.say(claim(view, heard.heard, sight, below))
    return state


class _History:
    """What everyone has seen and heard of a simulated game."""

    def __init__(self) -> None:
        self._told: list[Told] = []
        self._claims: list[Knowledge] = []
        self._known = 0
        self.heard = Heard(self._told, self._claims)

    def note(self, number: int, seat: int, events: tuple[Event, ...]) -> None:
        self._told.append((number, seat, events))

    def new_sights(self) -> tuple[Sight, ...]:
        """Return what seats have seen since the last call: the President's first."""
        if not any(isinstance(event, _SHOWS) for event in self._told[-1][2]):
            return ()
        found = sights(self._told)
        new, self._known = found[self._known :], len(found)
        return new

    def say(self, claim: Knowledge | None) -> None:
        if claim is not None:
            self._claims.append(claim)


# Events after which someone has seen something that can be claimed.
_SHOWS: Final = (Enacted, Veto, PowerUsed)


def _seal(seed: str, number: int, players: int) -> Seal:
    secret = sha256(f"{seed}:{number}".encode()).digest()
    contributions = tuple(
        sha256(f"{seed}:{number}:{seat}".encode()).digest()[:CONTRIBUTION_BYTES_1].hex()
        for seat in range(players)
    )
    return Seal(commitment_to(secret), secret.hex(), contributions)


def _seeded_below(seed: str) -> Callable[[int], int]:
    # Twice as fast as Random.randrange, and uniform enough for a bot's few choices.
    fraction = Random(seed).random  # noqa: S311  the same seed must give the same game
    return lambda n: int(fraction() * n)
