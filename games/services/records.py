"""The record of a finished game, as specified in RECORD.md."""

from datetime import UTC
from typing import Any

from games.models import Motion, Ruling, Table, revealed_seal
from games.rules.chance import SealedChance
from games.rules.record import Entry, Record, WitnessedChance
from games.rules.transition import apply, opening
from games.state.positions import position_of
from games.wording.refusals import Refusal, Refused


def record_of(table: Table) -> Record:
    """Return the record of a finished game, with its seal. Raises Refused while it is hidden."""
    if table.stage != Table.Stage.OVER:
        raise Refused(Refusal.NOT_OVER)
    seats = list(table.seats.all())
    seal = revealed_seal(table, seats)
    sealed = SealedChance(bytes(table.seed), seal.contributions)
    deal = sealed.deal(table.options, len(seats))
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


def server_notes_of(table: Table) -> dict[str, Any]:
    """Return additional keys of the record for events outside the rules. Readers may ignore them.

    These are `stopped` and `replacements`, in the format of `games.rules.record`.
    """
    notes: dict[str, Any] = {}
    if table.game.stopped:
        notes["stopped"] = table.game.stopped
    passed = table.motions.filter(kind=Motion.Kind.REPLACE, outcome=Motion.Outcome.PASSED)
    # At a blind table, these are the seats' names before and after.
    replacements: list[dict[str, Any]] = [
        {
            "seat": motion.seat,
            "after": motion.number,
            "from": motion.gone_name,
            "to": motion.substitute_name,
        }
        for motion in passed
        if motion.gone_name != motion.substitute_name
    ]
    replacements += [
        {
            "seat": ruling.seat,
            "after": ruling.number,
            "from": ruling.gone_name,
            "to": ruling.newcomer_name,
        }
        for ruling in table.rulings.filter(kind=Ruling.Kind.REPLACE, number__isnull=False)
        if ruling.gone_name != ruling.newcomer_name
    ]
    replacements.sort(key=lambda one: one["after"])
    if replacements:
        notes["replacements"] = replacements
    return notes
