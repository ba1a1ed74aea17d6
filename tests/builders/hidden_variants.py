"""Other worlds: games that differ from a given one only in facts hidden from a viewer.

They have the same public history and the same private knowledge of the viewer. Roles, cards,
discards and running ballots differ wherever they are hidden from the viewer.
"""

import random
from dataclasses import dataclass, replace

from games import panels
from games.models import Table
from games.rules.actions import Action, Discard, Vote
from games.rules.chance import Deal
from games.rules.components import Ballot, Policy, deck
from games.rules.legality import IllegalAction
from games.rules.phases import Phase
from games.rules.record import action_json
from games.rules.transition import apply, opening
from games.rules.view import public_event, view_for
from games.state import positions
from games.state.positions import Position, Step, made_public
from tests.builders.tables import fresh, position

_ATTEMPTS = 3000


@dataclass
class FixedChance:
    """Every shuffle of a world, by its number; drawn on first use."""

    rng: random.Random
    piles: dict[int, tuple[Policy, ...]]

    def reshuffle(self, number: int, cards: tuple[Policy, ...]) -> tuple[Policy, ...]:
        if number not in self.piles:
            self.piles[number] = tuple(self.rng.sample(sorted(cards), len(cards)))
        return self.piles[number]


def other_worlds(table: Table, viewer: int | None, count: int) -> list[Position]:
    """Return positions that `viewer` cannot tell from the table's and that all differ."""
    here = position(table)
    rng = random.Random(f"{here.length} {viewer}")
    found: list[Position] = []
    for _ in range(_ATTEMPTS):
        world = _attempt(here, viewer, rng)
        if world is not None and all(world.state != other.state for other in (here, *found)):
            found.append(world)
            if len(found) == count:
                return found
    raise AssertionError(f"no other world for {viewer} in {here.state.decision}")


def enter(table: Table, world: Position) -> None:
    """Move the table to that world, in the database and in memory."""
    game = fresh(table).game
    kept = {row.number: row for row in game.actions.all()}
    for step in world.steps:
        written = action_json(step.action)
        if kept[step.number].action != written:
            game.actions.filter(number=step.number).update(action=written)
    positions.forget_all()
    positions.remember(game, world)
    panels.forget_all()


def _attempt(here: Position, viewer: int | None, rng: random.Random) -> Position | None:
    deal = _other_deal(here, viewer, rng)
    chance = FixedChance(rng, {})
    state = opening(here.state.setup.options, deal)
    steps: list[Step] = []
    for step in here.steps:
        is_running = step.round == here.state.round and here.state.phase is Phase.ELECTION
        action = _other_action(step.action, viewer, is_running, rng)
        try:
            state, events = apply(state, action, chance)
        except IllegalAction:
            return None
        if [public_event(event) for event in events] != [
            public_event(event) for event in step.events
        ]:
            return None
        steps.append(replace(step, action=action, events=events))
    for who in {viewer, None}:
        if view_for(state, who) != view_for(here.state, who):
            return None
    return Position(chance, state, tuple(steps), tuple(map(made_public, steps)))


def _other_deal(here: Position, viewer: int | None, rng: random.Random) -> Deal:
    roles = list(here.state.setup.roles)
    known = view_for(here.state, viewer).roles
    hidden = [seat for seat, role in enumerate(known) if role is None]
    for seat, role in zip(hidden, rng.sample([roles[s] for s in hidden], len(hidden)), strict=True):
        roles[seat] = role
    # Some cards stay in place, so that a pile may still fit what the viewer drew.
    pile = list(_first_pile(here))
    moved = rng.sample(range(len(pile)), rng.randint(0, len(pile)))
    for place, card in zip(moved, rng.sample([pile[i] for i in moved], len(moved)), strict=True):
        pile[place] = card
    return Deal(tuple(roles), tuple(pile), _first_candidate(here))


def _first_pile(here: Position) -> tuple[Policy, ...]:
    deal = here.chance.deal(here.state.setup.options, here.state.players)
    assert sorted(deal.draw_pile) == sorted(deck())
    return deal.draw_pile


def _first_candidate(here: Position) -> int:
    return here.chance.deal(here.state.setup.options, here.state.players).first_candidate


def _other_action(
    action: Action, viewer: int | None, is_running: bool, rng: random.Random
) -> Action:
    if action.seat == viewer:
        return action
    if isinstance(action, Discard):
        return Discard(action.seat, rng.choice(list(Policy)))
    if isinstance(action, Vote) and is_running:
        return Vote(action.seat, rng.choice(list(Ballot)))
    return action
