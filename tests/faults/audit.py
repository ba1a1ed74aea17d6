"""Runs beside a site: compares the site's database with the answers that users got."""

import json
from itertools import pairwise

from django.db.models import QuerySet

from games.forms import ActForm
from games.models import GameAction, Table
from games.rules.chance import SealedChance
from games.rules.record import (
    action_json,
    read_action,
    read_record,
    record_json,
    replay,
    verify,
)
from games.rules.transition import apply, opening
from games.services.records import record_of
from games.state.positions import position_of


def answer(
    journal: list[dict[str, str]], codes: list[str] | None = None, may_go_on: bool = False
) -> dict[str, object]:
    """Return the problems of these tables, or of all tables, and how much was checked.

    `may_go_on`: the games need not have ended.
    """
    problems: list[str] = []
    tables = list(Table.objects.filter(game__isnull=False).select_related("game"))
    if codes is not None:
        tables = [table for table in tables if table.code in codes]
    actions = GameAction.objects.filter(game__table__in=[table.pk for table in tables])
    for table in tables:
        problems += [f"{table.code}: {problem}" for problem in of_table(table, may_go_on)]
    problems += of_journal(journal, actions)
    return {
        "games": len(tables),
        "actions": actions.count(),
        "by": {by: actions.filter(by=by).count() for by in GameAction.By.values},
        "problems": problems[:50],
    }


def of_table(table: Table, may_go_on: bool) -> list[str]:
    """Check that the game has ended, its log is complete, and its state is the log's fold."""
    problems = []
    rows = list(table.game.actions.order_by("number"))
    if [row.number for row in rows] != list(range(table.game.length)):
        problems.append("the numbers of its log have gaps, or its length is another")
    seats = list(table.seats.order_by("number"))
    chance = SealedChance(bytes(table.seed), [seat.contribution for seat in seats])
    state = opening(table.options, chance.deal(table.options, len(seats)))
    for row in rows:
        state, _ = apply(state, read_action(row.action, "action", len(seats)), chance)
    if state != position_of(table.game).state:
        problems.append("its position is not the fold of its log")
    if any(later.at < earlier.at for earlier, later in pairwise(rows)):
        problems.append("its moments run backwards")
    if may_go_on and state.outcome is None:
        return problems
    if state.outcome is None or table.stage != Table.Stage.OVER:
        problems.append(f"it has not ended: {table.stage}, wakes at {table.game.wakes_at}")
        return problems
    if (table.game.winner, table.game.ending) != (state.outcome.winner, state.outcome.ending):
        problems.append("its outcome is another than its log's")
    record = record_of(table)
    told = read_record(json.loads(json.dumps(record_json(record))))
    problems += [f"its seal does not give {place}" for place in verify(told)]
    if [*replay(told)][-1].state.outcome != state.outcome:
        problems.append("its record tells of another outcome")
    return problems


def of_journal(journal: list[dict[str, str]], actions: QuerySet[GameAction]) -> list[str]:
    """Check that each acknowledged action is in the log once, and no move was made unasked."""
    problems = []
    rows: dict[tuple[str, str], list[GameAction]] = {}
    for row in actions.filter(by="player").select_related("game__table"):
        seat = row.game.table.seats.get(number=row.seat)
        rows.setdefault((row.game.table.code, seat.name), []).append(row)
    # A user may press a form again after a refusal, so collect every answer to each request.
    asked: dict[tuple[str, ...], set[str]] = {}
    for entry in journal:
        what = tuple(entry[name] for name in ("table", "who", "decision", "key", "choice"))
        asked.setdefault(what, set()).add(entry["outcome"])
    for (table, who, decision, key, choice), answers in asked.items():
        own = rows.get((table, who), [])
        found = [row for row in own if is_of(row, decision, key, choice)]
        what_it_is = f"{table} {who} {decision} {key} {choice}: {sorted(answers)}"
        if len(found) > 1:
            problems.append(f"doubled: {what_it_is}")
        elif not found and "acknowledged" in answers:
            problems.append(f"lost: {what_it_is}")
        elif found and not answers & {"acknowledged", ""}:
            problems.append(f"done, and refused: {what_it_is}")
    found_in_all = sum(len(own) for own in rows.values())
    if found_in_all > len(asked):
        problems.append(f"{found_in_all} moves of people, and only {len(asked)} asked for")
    return problems


def is_of(row: GameAction, decision: str, key: str, choice: str) -> bool:
    form = ActForm({"decision": decision, "key": key, "choice": choice})
    assert form.is_valid()
    action = form.action_for(row.seat, row.game.players)
    # The row's key also contains the action, and is cut at the length of its column.
    return (
        action is not None
        and row.action == action_json(action)
        and (row.key or "").partition(":")[2] == key[: len((row.key or "").partition(":")[2])]
    )
