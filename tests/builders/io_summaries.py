"""Game summaries as secrethitler.io writes them, made of games of our own."""

from collections.abc import Sequence
from random import Random
from typing import Any

from games.rules.actions import AnswerVeto, Discard, Nominate, ProposeVeto, Vote
from games.rules.chance import SealedChance
from games.rules.components import Ballot, Policy
from games.rules.editions import Options
from games.rules.events import Enacted
from games.rules.legality import legal_actions
from games.rules.powers import (
    CallSpecialElection,
    Execute,
    Investigate,
    Peek,
)
from games.rules.record import Entry, Record, WitnessedChance, replay
from games.rules.transition import apply, opening

_TARGETS = {
    Investigate: "investigationId",
    CallSpecialElection: "specialElection",
    Execute: "execution",
}


def played(options: Options, players: int, seed: int) -> Record:
    """Return a whole game of random moves, with so many votes in favour that policies come out."""
    random = Random(seed)
    sealed = SealedChance(random.randbytes(32), [random.randbytes(32).hex()] * players)
    chance = WitnessedChance(sealed)
    deal = sealed.deal(options, players)
    state = opening(options, deal)
    entries = []
    while state.outcome is None:
        seat = state.to_act[0]
        legal = legal_actions(state, seat)
        action = random.choice(legal)
        if isinstance(action, Vote):
            is_ja = random.random() < 0.6
            action = Vote(seat, Ballot.JA if is_ja else Ballot.NEIN)
        state, _ = apply(state, action, chance)
        entries.append(Entry(action))
    seats = tuple(f"P{number}" for number in range(players))
    return Record(
        "en", options, seats, deal, tuple(chance.piles), tuple(entries), outcome=state.outcome
    )


def summary_of(
    record: Record, *, is_new: bool = True, setting: dict[str, Any] | None = None, **more: Any
) -> dict[str, Any]:
    """Return the summary of a game. Old ones count cards, and neither list piles nor vetoes."""

    def cards(policies: Sequence[Policy]) -> object:
        if is_new:
            return [str(policy) for policy in policies]
        return {"reds": policies.count(Policy.FASCIST), "blues": policies.count(Policy.LIBERAL)}

    logs: list[dict[str, Any]] = []
    positions = replay(record)
    before = next(positions).state
    for position in positions:
        assert position.entry is not None
        action = position.entry.action
        if isinstance(action, Nominate):
            votes = [False] * len(record.seats)
            log = {"presidentId": action.seat, "chancellorId": action.target, "votes": votes}
            if is_new:
                log["deckState"] = cards(before.draw)
            logs.append(log)
        elif isinstance(action, Vote):
            log["votes"][action.seat] = action.ballot is Ballot.JA
        elif isinstance(action, Discard):
            log["presidentHand"] = cards(before.hand)
            log["chancellorHand"] = cards(position.state.hand)
        elif isinstance(action, ProposeVeto) and is_new:
            log["chancellorVeto"] = True
        elif isinstance(action, AnswerVeto) and is_new:
            log["presidentVeto"] = action.consent
        elif isinstance(action, Peek):
            log["policyPeek"] = cards(before.draw[:3])
        elif type(action) in _TARGETS:
            log[_TARGETS[type(action)]] = action.target
        for event in position.events:
            if isinstance(event, Enacted):
                log["enactedPolicy"] = str(event.policy)
        before = position.state
    players = [
        {"username": name, "role": str(role)}
        for name, role in zip(record.seats, record.deal.roles, strict=True)
    ]
    return {"_id": "game", "gameSetting": setting or {}, "players": players, "logs": logs, **more}
