"""Fills the archive: the rows that search, statistics, the API and feeds read of a finished game.

The end of a game only notes it (`note_finished`), in the game's own transaction. A worker derives
the rows from the record and the claims. Writers lock the games first and the ledger of the tallies
second, so a game is never counted twice and a voided one never comes back.
"""

import logging
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import UTC, date, datetime
from time import monotonic
from typing import Any, Final

from django.db import InterfaceError, OperationalError, transaction
from django.db.models import Count, Prefetch, Sum

from games.analysis.evidence import Said
from games.analysis.summary import Summary, summary_of
from games.models import (
    ArchivedGame,
    ArchivedMoment,
    ArchivedSeat,
    Game,
    GameAction,
    Message,
    Seat,
    SiteTally,
    Table,
    TallyLedger,
    UnarchivedGame,
    Visibility,
)
from games.rules.claims import Sight, sight_of
from games.rules.view import view_for
from games.state.chat import said_claim
from games.state.game_log import GameLog
from games.state.government_history import Clash, conflicts_of
from games.state.positions import folded

# Games that one transaction writes.
_BATCH: Final = 50
# Games that one run of the worker takes in, and its seconds: the next run begins after ten.
_MOST_AT_ONCE: Final = 500
_LONGEST_RUN: Final = 8.0
_SUMS: Final = (
    *("games", "won", "rounds", "seconds", "sights", "claims", "lies", "lies_caught"),
    *("ballots", "right_ballots"),
)
_OF_A_SEAT: Final = ("sights", "claims", "lies", "lies_caught", "ballots", "right_ballots")
# Longer games share a row.
_MOST_ROUNDS: Final = 30
_LONGEST: Final = 2**31 - 1

logger = logging.getLogger(__name__)

_Key = tuple[date, str, str]
_Sums = dict[_Key, dict[str, int]]


def note_finished(*, game: Game) -> None:
    """Note that the rules have ended a game. One statement, in the transaction of its end."""
    if game.winner and not game.stopped:
        UnarchivedGame.objects.bulk_create([UnarchivedGame(game=game)], ignore_conflicts=True)


def note_voided(*, game: Game) -> None:
    """Take a locked game out of the archive, in the transaction that voids it."""
    with transaction.atomic():
        _replace([game], {})


def note_claim_removed(*, table: Table) -> None:
    """Note that the claims of a finished game have changed, so its rows are derived anew."""
    finished = Game.objects.filter(table=table, stopped="", table__stage=Table.Stage.OVER)
    waiting = [UnarchivedGame(game=game) for game in finished.exclude(winner="")]
    UnarchivedGame.objects.bulk_create(waiting, ignore_conflicts=True)


def take_in(most: int = _MOST_AT_ONCE) -> int:
    """Take at most this many finished games into the archive. Return how many were tried.

    Any number of workers may do this at once: the same game twice gives the same rows.
    """
    done, ends = 0, monotonic() + _LONGEST_RUN
    while done < most and monotonic() < ends:
        waiting = UnarchivedGame.objects.filter(is_unreadable=False).order_by("game")
        batch = list(waiting.values_list("game", flat=True)[: min(_BATCH, most - done)])
        if not batch:
            break
        _archive(batch)
        done += len(batch)
    return done


def rebuild(tell: Callable[[int], None] | None = None) -> int:
    """Derive the archive and the tallies anew. Return how many games have been read.

    Goes through the finished games a few at a time. The site may run meanwhile: each transaction is
    short, and pages show the rows from before until a game's turn comes. `tell` gets the number of
    games read so far.
    """
    done, last = 0, 0
    while True:
        ended = Game.objects.filter(ended_at__isnull=False, pk__gt=last).order_by("pk")
        batch = list(ended.values_list("pk", flat=True)[:_BATCH])
        if not batch:
            break
        _archive(batch)
        done, last = done + len(batch), batch[-1]
        if tell is not None:
            tell(done)
    recount_tallies()
    return done


# Deriving --------------------------------------------------------------------------------


def _archive(batch: Sequence[int]) -> None:
    """Derive the rows of these games, and replace those that the archive has."""
    # Reading records takes long, so it happens before the lock.
    removed = _removed_claims(batch)
    found = dict(_derived(batch))
    with transaction.atomic():
        # Seats change under the lock of their game, so the names read now are the right ones.
        games = Game.objects.select_for_update(of=("self",)).filter(pk__in=batch)
        locked = list(games.select_related("table").order_by("pk"))
        # A game whose claims changed meanwhile stays in the queue, and is derived again.
        now = _removed_claims(batch)
        _replace([game for game in locked if now.get(game.pk) == removed.get(game.pk)], found)


def _removed_claims(batch: Sequence[int]) -> dict[int, int]:
    """Return how many claims moderators have removed, by game."""
    gone = Message.objects.filter(
        table__game__in=batch, kind=Message.Kind.CLAIM, removed_at__isnull=False
    )
    return dict(gone.order_by().values_list("table__game").annotate(Count("pk")))


def _derived(batch: Sequence[int]) -> Iterator[tuple[int, Summary]]:
    games = Game.objects.filter(pk__in=batch, stopped="").exclude(winner="")
    # The deal needs no more of a seat than this.
    seats = Prefetch("table__seats", Seat.objects.only("table", "number", "contribution"))
    rows = list(games.select_related("table").prefetch_related(seats))
    started = {game.pk: game.started_at for game in rows}
    actions: dict[int, list[tuple[Any, ...]]] = defaultdict(list)
    made = GameAction.objects.filter(game__in=rows).order_by("game", "number")
    for game_pk, action, by in made.values_list("game", "action", "by").iterator():
        # No number depends on the times of actions, and reading them from SQLite takes long.
        actions[game_pk].append((action, by, started[game_pk]))
    claims: dict[int, list[tuple[int, Any]]] = defaultdict(list)
    said = Message.objects.filter(
        table__in=[game.table_id for game in rows], kind=Message.Kind.CLAIM, removed_at=None
    ).order_by("table", "number")
    for table_pk, length, data in said.values_list("table", "length", "data"):
        claims[table_pk].append((length, data))
    for game in rows:
        try:
            yield game.pk, _summary(game, actions[game.pk], claims[game.table_id])
        except (OperationalError, InterfaceError):
            raise
        except Exception:
            # A broken game must not keep all others out.
            logger.exception("the finished game %s cannot be read", game.pk)


def _summary(
    game: Game, actions: Sequence[tuple[Any, ...]], claims: Sequence[tuple[int, Any]]
) -> Summary:
    seats = list(game.table.seats.all())
    position = folded(game, seats, actions)
    steps = position.public_steps
    said = [Said(length, said_claim(data)) for length, data in claims if length < len(steps)]
    contradicted: set[Sight] = set()
    if said:
        rounds = GameLog().after(steps, ()).rounds
        for conflict in conflicts_of(rounds, [each.claim for each in said]):
            # An accusation contradicts no claim.
            if conflict.clash is not Clash.PARTY:
                contradicted.add(sight_of(conflict.claim))
                if conflict.other is not None:
                    contradicted.add(sight_of(conflict.other))
    return summary_of(view_for(position.state, None), steps, said, contradicted)


# Writing ---------------------------------------------------------------------------------


def _replace(games: Sequence[Game], found: dict[int, Summary]) -> None:
    """Replace the rows of these locked games by what was found, and change the tallies."""
    pks = [game.pk for game in games]
    sums: _Sums = defaultdict(lambda: dict.fromkeys(_SUMS, 0))
    _lock_tallies()
    old = ArchivedGame.objects.filter(pk__in=pks).prefetch_related("seats")
    for archived in old:
        _add(sums, archived, archived.seats.all(), -1)
    if old:
        for model in (ArchivedSeat, ArchivedMoment):
            model.objects.filter(archived__in=pks).delete()
        ArchivedGame.objects.filter(pk__in=pks).delete()
    rows: list[ArchivedGame] = []
    seats: list[ArchivedSeat] = []
    moments: list[ArchivedMoment] = []
    sat: dict[int, list[Seat]] = defaultdict(list)
    for seat in Seat.objects.filter(table__in=[game.table_id for game in games]):
        sat[seat.table_id].append(seat)
    unreadable: list[int] = []
    for game in games:
        if game.stopped or not game.winner:
            continue
        summary = found.get(game.pk)
        if summary is None:
            unreadable.append(game.pk)
            continue
        row = _row(game, sat[game.table_id], summary)
        own = _seat_rows(row, sat[game.table_id], summary)
        _add(sums, row, own, 1)
        rows.append(row)
        seats += own
        moments += (
            ArchivedMoment(archived=row, moment=str(moment), ended_at=row.ended_at)
            for moment in sorted(summary.moments)
        )
    ArchivedGame.objects.bulk_create(rows)
    ArchivedSeat.objects.bulk_create(seats, batch_size=500)
    ArchivedMoment.objects.bulk_create(moments, batch_size=500)
    _change_tallies(sums)
    UnarchivedGame.objects.filter(pk__in=set(pks) - set(unreadable)).delete()
    UnarchivedGame.objects.filter(pk__in=unreadable).update(is_unreadable=True)


def _row(game: Game, seats: Sequence[Seat], summary: Summary) -> ArchivedGame:
    table = game.table
    assert game.ended_at is not None
    return ArchivedGame(
        game=game,
        code=table.code,
        ended_at=game.ended_at,
        seconds=min(max(0, int((game.ended_at - game.started_at).total_seconds())), _LONGEST),
        rounds=summary.rounds,
        edition=table.edition,
        is_custom=table.is_custom,
        players=game.players,
        people=sum(seat.has_stayed for seat in seats),
        winner=game.winner,
        ending=game.ending,
        pace=table.pace,
        language=table.languages[0] if len(table.languages) == 1 else "",
        is_public=table.visibility == Visibility.PUBLIC and table.spectators,
    )


def _seat_rows(row: ArchivedGame, seats: Sequence[Seat], summary: Summary) -> list[ArchivedSeat]:
    return [
        ArchivedSeat(
            archived=row,
            user_id=seat.user_id if seat.has_stayed else None,
            number=seat.number,
            # Also where a bot played on for a person who had left.
            is_bot=not seat.has_stayed,
            role=str(numbers.role),
            has_won=numbers.has_won,
            ended_at=row.ended_at,
            people=row.people,
            presidencies=numbers.presidencies,
            chancellorships=numbers.chancellorships,
            **{name: getattr(numbers, name) for name in _OF_A_SEAT},
        )
        for seat in seats
        for numbers in (summary.seats[seat.number],)
    ]


# Tallies ---------------------------------------------------------------------------------


def _lock_tallies() -> None:
    """Lock the tallies until the transaction ends."""
    TallyLedger.objects.bulk_create([TallyLedger(pk=1)], ignore_conflicts=True)
    ledger = TallyLedger.objects.select_for_update().get(pk=1)
    ledger.version += 1
    ledger.save(update_fields=["version"])


def _add(sums: _Sums, game: ArchivedGame, seats: Iterable[ArchivedSeat], sign: int) -> None:
    """Add a game to the sums, or take it out of them if `sign` is -1."""
    if game.is_custom or game.people < 2:
        return
    kinds = SiteTally.Dimension
    month = game.ended_at.astimezone(UTC).date().replace(day=1)
    places = [
        (kinds.ALL, ""),
        (kinds.EDITION, game.edition),
        (kinds.SIZE, str(game.players)),
        (kinds.ENDING, game.ending),
        (kinds.PACE, game.pace),
        (kinds.ROUNDS, str(min(game.rounds, _MOST_ROUNDS))),
    ]
    for dimension, value in places:
        place = sums[month, str(dimension), value]
        place["games"] += sign
        place["won"] += sign * (game.winner == "liberal")
        place["rounds"] += sign * game.rounds
        place["seconds"] += sign * game.seconds
    for seat in seats:
        if seat.is_bot:
            continue
        for dimension, value in ((kinds.SEAT, str(seat.number + 1)), (kinds.ROLE, seat.role)):
            place = sums[month, str(dimension), value]
            place["games"] += sign
            place["won"] += sign * seat.has_won
            for name in _OF_A_SEAT:
                place[name] += sign * getattr(seat, name)


def _change_tallies(sums: _Sums) -> None:
    """Add the sums to the tallies, whose ledger is locked."""
    changed = {key: row for key, row in sums.items() if any(row.values())}
    if not changed:
        return
    known = {
        (row.month, row.dimension, row.value): row
        for row in SiteTally.objects.filter(month__in={month for month, _, _ in changed})
    }
    rows = []
    for (month, dimension, value), added in changed.items():
        row = known.get((month, dimension, value)) or SiteTally(
            month=month, dimension=dimension, value=value
        )
        for name, number in added.items():
            setattr(row, name, max(0, getattr(row, name) + number))
        rows.append(row)
    for row in rows:
        row.pk = None
    SiteTally.objects.bulk_create(
        rows,
        batch_size=200,
        update_conflicts=True,
        unique_fields=["month", "dimension", "value"],
        update_fields=_SUMS,
    )
    SiteTally.objects.filter(games=0, month__in={month for month, _, _ in changed}).delete()


def recount_tallies() -> None:
    """Sum the tallies from the rows of the archive, one month in a transaction."""
    ended = ArchivedGame.objects.datetimes("ended_at", "month", tzinfo=UTC)
    months = {moment.date() for moment in ended}
    months |= set(SiteTally.objects.values_list("month", flat=True).distinct())
    for month in sorted(months):
        with transaction.atomic():
            _lock_tallies()
            SiteTally.objects.filter(month=month).delete()
            sums: _Sums = defaultdict(lambda: dict.fromkeys(_SUMS, 0))
            _sum_games(month, sums)
            _sum_seats(month, sums)
            SiteTally.objects.bulk_create(
                SiteTally(month=month, dimension=dimension, value=value, **row)
                for (_, dimension, value), row in sums.items()
            )


def _of_month(month: date, prefix: str = "") -> dict[str, Any]:
    begin = datetime(month.year, month.month, 1, tzinfo=UTC)
    end = begin.replace(year=begin.year + begin.month // 12, month=begin.month % 12 + 1)
    return {
        f"{prefix}ended_at__gte": begin,
        f"{prefix}ended_at__lt": end,
        f"{prefix}is_custom": False,
        f"{prefix}people__gt": 1,
    }


def _sum_games(month: date, sums: _Sums) -> None:
    rows = ArchivedGame.objects.filter(**_of_month(month))
    names = ("game", "ended_at", "edition", "players", "ending", "pace", "rounds", "seconds")
    for row in rows.only(*names, "winner", "people", "is_custom").iterator(chunk_size=1000):
        _add(sums, row, (), 1)


def _sum_seats(month: date, sums: _Sums) -> None:
    seats = ArchivedSeat.objects.filter(**_of_month(month, "archived__"), is_bot=False)
    grouped = seats.values_list("number", "role", "has_won").order_by()
    totals = grouped.annotate(Count("pk"), *(Sum(name) for name in _OF_A_SEAT))
    for number, role, has_won, games, *counted in totals:
        for dimension, value in (
            (SiteTally.Dimension.SEAT, str(number + 1)),
            (SiteTally.Dimension.ROLE, role),
        ):
            place = sums[month, str(dimension), value]
            place["games"] += games
            place["won"] += games if has_won else 0
            for name, total in zip(_OF_A_SEAT, counted, strict=True):
                place[name] += total
