"""The record of a finished game: RECORD.md."""

from datetime import UTC

from games.models import Table
from games.positions import position_of
from games.refusals import Refusal, Refused
from games.rules.chance import SealedChance
from games.rules.record import Entry, Record, Seal, WitnessedChance
from games.rules.transition import apply, opening


def record_of(table: Table) -> Record:
    """The record of a finished game, seal included. Raises Refused while it is hidden."""
    if table.stage != Table.Stage.OVER:
        raise Refused(Refusal.NOT_OVER)
    seats = list(table.seats.all())
    seal = Seal(
        commitment=table.commitment,
        seed=bytes(table.seed).hex(),
        contributions=tuple(seat.contribution for seat in seats),
    )
    sealed = SealedChance(bytes(table.seed), seal.contributions)
    deal = sealed.deal(len(seats))
    position = position_of(table.game)
    witness = WitnessedChance(sealed)
    state = opening(table.options, deal)
    for step in position.steps:
        state, _ = apply(state, step.action, witness)
    return Record(
        edition=table.edition,
        options=table.options,
        seats=tuple(seat.name for seat in seats),
        deal=deal,
        shuffles=tuple(witness.piles),
        entries=tuple(
            Entry(step.action, f"{step.at.astimezone(UTC):%Y-%m-%dT%H:%M:%S.%fZ}", step.by)
            for step in position.steps
        ),
        outcome=state.outcome,
        seal=seal,
    )
