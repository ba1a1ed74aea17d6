"""Counts rated games: what each finished game changes for its players, and takes voided ones back.

The end of a rated game only notes it (`note_finished`), in the game's own transaction. A worker
does the rest. The counted games are always the first ones in the order of their ends: a game that
comes late, or goes, takes back the changes of all later games of its tempo, which are then counted
again. So the ratings are exactly those that the counted games give from nothing.
"""

import logging
from collections import Counter, OrderedDict, deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from itertools import pairwise
from typing import Any, Final

from django.conf import settings
from django.db import InterfaceError, OperationalError, transaction
from django.db.models import Count, Q, QuerySet
from django.utils import timezone

from accounts.models import User
from accounts.services.signals import shared_signals
from games.models import (
    Game,
    GameAction,
    Motion,
    Pace,
    RatedGame,
    RatedTempo,
    Rating,
    RatingChange,
    RatingLedger,
    RatingPlayer,
    Ruling,
    SeasonStanding,
    Table,
)
from games.rating import (
    LEAST_GAMES,
    RECENT,
    Played,
    Reason,
    Side,
    Skill,
    Weight,
    rate,
    rested,
    season_of,
    weigh,
)
from games.rules.actions import Discard, Enact
from games.rules.components import Party, Policy
from games.rules.record import Record, replay
from games.services import records

# Games that one transaction counts.
_BATCH: Final = 100
# Players whose ratings one transaction writes: it reads all changes of each.
_FOLLOWED_AT_ONCE: Final = 20
# Players whose skills and recent games are remembered between batches.
_REMEMBERED: Final = 5000
# A liberal who played against their own side this often in a game is weighed down.
_LEAST_THROWN: Final = 2

logger = logging.getLogger(__name__)

_Tell = Callable[[int], None]


def tempo_of(pace: str) -> RatedTempo | None:
    """Return how games of this pace are rated; None if they are not."""
    if pace == Pace.UNTIMED:
        return None
    return RatedTempo.DAYS if pace == Pace.DAILY else RatedTempo.LIVE


def note_finished(*, game: Game, table: Table) -> None:
    """Note that a game at a rated table has ended. One statement, in the transaction of its end."""
    tempo = tempo_of(table.pace)
    if not table.is_rated or tempo is None or game.ended_at is None:
        return
    row = RatedGame(
        game=game,
        tempo=tempo,
        ended_at=game.ended_at,
        season=season_of(game.ended_at),
        edition=table.edition,
        players=game.players,
        language=table.languages[0] if len(table.languages) == 1 else "",
        winner=game.winner,
    )
    RatedGame.objects.bulk_create([row], ignore_conflicts=True)


def note_voided(*, game: Game) -> None:
    """Note that a game does not count any more. One statement."""
    RatedGame.objects.filter(game=game).exclude(state=RatedGame.State.REFUSED).update(
        state=RatedGame.State.WITHDRAWN
    )


def choose_listing(*, user: User, is_listed: bool) -> None:
    """Show the user on leaderboards, or leave them out. One statement."""
    RatingPlayer.objects.update_or_create(user=user, defaults={"is_listed": is_listed})


def settle(tempo: str, tell: _Tell | None = None) -> int:
    """Count what has to be counted for this tempo. Return how many games were.

    Each batch is a transaction that begins with the ledger's lock, so any number of workers may do
    this at once. `tell` gets the number of games that have been counted so far.
    """
    RatingLedger.objects.get_or_create(tempo=tempo)
    _take_in(tempo)
    counter = _Counter(tempo)
    done = 0
    while counted := counter.count_batch():
        done += counted
        if tell is not None:
            tell(done)
    _follow()
    return done


def rebuild(tell: _Tell | None = None) -> int:
    """Take back all changes, and count every game from nothing. Return how many were counted.

    Until it is done, pages show the ratings from before.
    """
    done = 0
    for tempo in RatedTempo.values:
        RatingLedger.objects.get_or_create(tempo=tempo)
        with transaction.atomic():
            ledger = _locked(tempo)
            RatedGame.objects.filter(tempo=tempo, state=RatedGame.State.COUNTED).update(
                state=RatedGame.State.WAITING
            )
            RatingChange.objects.filter(tempo=tempo).delete()
            ledger.archived = 0
            _advance(ledger)
        before = done

        def so_far(counted: int, before: int = before) -> None:
            if tell is not None:
                tell(before + counted)

        done += settle(tempo, so_far)
    RatingPlayer.objects.update(is_stale=True)
    _follow()
    archive_seasons()
    return done


def archive_seasons(now: datetime | None = None) -> int:
    """Keep the standings of each season that has ended and is not in the archive.

    Returns how many seasons were written.
    """
    current = season_of(now or timezone.now())
    written = 0
    for tempo in RatedTempo.values:
        RatingLedger.objects.get_or_create(tempo=tempo)
        with transaction.atomic():
            ledger = _locked(tempo)
            changes = RatingChange.objects.filter(tempo=tempo, season__gt=ledger.archived)
            seasons = changes.filter(season__lt=current).values_list("season", flat=True)
            for season in sorted(set(seasons.order_by().distinct())):
                _archive(tempo, season)
                ledger.archived = season
                written += 1
            _advance(ledger)
    return written


def _archive(tempo: str, season: int) -> None:
    """Write the last change of each player with a public rating in this season."""
    SeasonStanding.objects.filter(tempo=tempo, season=season).delete()
    # The number of games of a kind rises with each change, so the highest is the last.
    changes = RatingChange.objects.filter(tempo=tempo, season=season, games__gte=LEAST_GAMES)
    rows: dict[tuple[int, str], RatingChange] = {}
    for change in changes.order_by("at", "rated").iterator(chunk_size=2000):
        rows[change.player_id, change.side] = change
    SeasonStanding.objects.bulk_create(
        (
            SeasonStanding(
                player_id=change.player_id,
                tempo=tempo,
                side=change.side,
                season=season,
                mu=change.mu,
                sigma=change.sigma,
                shown=change.skill.shown,
                games=change.games,
            )
            for change in rows.values()
        ),
        batch_size=500,
    )


def _locked(tempo: str) -> RatingLedger:
    return RatingLedger.objects.select_for_update().get(tempo=tempo)


def _advance(ledger: RatingLedger) -> None:
    ledger.version += 1
    ledger.save(update_fields=["version", "archived"])


# What counts -----------------------------------------------------------------------------


def _take_in(tempo: str) -> None:
    """Decide about the games that have ended, and take back those that were voided."""
    open_states = (RatedGame.State.NEW, RatedGame.State.WITHDRAWN)
    while True:
        pending = RatedGame.objects.filter(tempo=tempo, state__in=open_states)
        rows = list(pending.select_related("game__table").order_by("ended_at", "game")[:_BATCH])
        if not rows:
            return
        # Reading a record takes long, so it happens before the lock.
        found = {row.pk: _safely_examined(row) for row in rows if row.state == RatedGame.State.NEW}
        with transaction.atomic():
            ledger = _locked(tempo)
            locked = pending.filter(pk__in=[row.pk for row in rows]).select_for_update()
            for row in locked.order_by("ended_at", "game"):
                _decide(ledger, row, found.get(row.pk))
            _advance(ledger)


def _decide(ledger: RatingLedger, row: RatedGame, found: "_Examined | None") -> None:
    if row.state == RatedGame.State.WITHDRAWN:
        row.state, row.refused = RatedGame.State.REFUSED, RatedGame.Refused.STOPPED
        # Save first, so that the game itself does not wait again.
        row.save(update_fields=["state", "refused"])
        _take_back_from(ledger, row)
        return
    if found is None:
        return
    row.refused = found.refused
    row.state = RatedGame.State.REFUSED if found.refused else RatedGame.State.WAITING
    if not found.refused:
        players = _players_of(found.users)
        row.facts = {
            "sides": [
                [players[user], side] for user, side in zip(found.users, found.sides, strict=True)
            ],
            "devices": sorted(
                [*sorted((players[one], players[other])), number]
                for (one, other), number in found.devices.items()
            ),
            "thrown": found.thrown,
        }
    row.save(update_fields=["state", "refused", "facts"])
    if not found.refused:
        _take_back_from(ledger, row)


def _take_back_from(ledger: RatingLedger, row: RatedGame) -> None:
    """Take back the changes of this game and of all later ones, which wait to be counted again."""
    later = Q(ended_at__gt=row.ended_at) | Q(ended_at=row.ended_at, game__gt=row.pk)
    counted = RatedGame.objects.filter(later, tempo=row.tempo, state=RatedGame.State.COUNTED)
    counted.update(state=RatedGame.State.WAITING)
    tail = Q(at__gt=row.ended_at) | Q(at=row.ended_at, rated__gte=row.pk)
    changes = RatingChange.objects.filter(tail, tempo=row.tempo)
    RatingPlayer.objects.filter(pk__in=changes.values("player")).update(is_stale=True)
    changes.delete()
    # Seasons from here on are archived anew.
    SeasonStanding.objects.filter(tempo=row.tempo, season__gte=row.season).delete()
    ledger.archived = min(ledger.archived, row.season - 1)


@dataclass(frozen=True, slots=True)
class _Examined:
    refused: str
    users: tuple[int, ...] = ()
    sides: tuple[str, ...] = ()
    devices: Mapping[tuple[int, int], int] = field(default_factory=dict)
    thrown: int = 0


def _safely_examined(row: RatedGame) -> _Examined:
    """As `_examined`. A broken game must not keep all others from counting."""
    try:
        return _examined(row)
    except (OperationalError, InterfaceError):
        raise
    except Exception:
        logger.exception("the rated game %s cannot be read", row.pk)
        return _Examined(RatedGame.Refused.UNREADABLE)


def _examined(row: RatedGame) -> _Examined:
    """Return whether a finished game counts, and what its ratings follow from."""
    game, table = row.game, row.game.table
    kinds = RatedGame.Refused
    if game.stopped or not game.winner:
        return _Examined(kinds.STOPPED)
    if table.house_rules:
        return _Examined(kinds.HOUSE_RULES)
    seats = list(table.seats.select_related("user").order_by("number"))
    if any(seat.user is None or seat.user.is_bot or seat.user.is_trial for seat in seats):
        return _Examined(kinds.BOTS)
    actions = game.actions.aggregate(
        all=Count("pk"),
        others=Count("pk", filter=~Q(by=GameAction.By.PLAYER)),
        rounds=Count("pk", filter=Q(action__action="nominate")),
    )
    swaps = Ruling.objects.filter(table=table, kind=Ruling.Kind.REPLACE).exists()
    swaps = (
        swaps
        or table.motions.filter(kind=Motion.Kind.REPLACE, outcome=Motion.Outcome.PASSED).exists()
    )
    if swaps or actions["others"] > settings.RATED_MOST_STAND_INS * actions["all"]:
        return _Examined(kinds.STAND_INS)
    if actions["rounds"] < settings.RATED_LEAST_ROUNDS:
        return _Examined(kinds.SHORT)
    users = tuple(seat.user_id for seat in seats if seat.user_id is not None)
    record = records.record_of(table)
    sides = tuple(
        str(Side.LIBERAL if role.party is Party.LIBERAL else Side.FASCIST)
        for role in record.deal.roles
    )
    devices = {pair: count["device"] for pair, count in shared_signals(users).items()}
    devices = {pair: count for pair, count in devices.items() if count}
    return _Examined("", users, sides, devices, _thrown_in(record))


def _thrown_in(record: Record) -> int:
    """Return how often liberals played against their own side, if one did so repeatedly.

    They discarded a liberal policy with a fascist one in hand, or enacted a fascist one with a
    liberal one in hand.
    """
    counts: Counter[int] = Counter()
    for before, after in pairwise(replay(record)):
        hand, entry = before.state.hand, after.entry
        if entry is None or entry.by not in (None, GameAction.By.PLAYER):
            continue
        action = entry.action
        discards = isinstance(action, Discard) and action.policy is Policy.LIBERAL
        enacts = isinstance(action, Enact) and action.policy is Policy.FASCIST
        if (discards and Policy.FASCIST in hand) or (enacts and Policy.LIBERAL in hand):
            counts[action.seat] += 1
    parties = [role.party for role in record.deal.roles]
    return sum(
        count
        for seat, count in counts.items()
        if parties[seat] is Party.LIBERAL and count >= _LEAST_THROWN
    )


def _players_of(users: Sequence[int]) -> dict[int, int]:
    """Return the rating players of these users, new ones included."""
    RatingPlayer.objects.bulk_create(
        (RatingPlayer(user_id=user) for user in users), ignore_conflicts=True
    )
    return dict(RatingPlayer.objects.filter(user__in=users).values_list("user", "pk"))


# Counting --------------------------------------------------------------------------------


@dataclass(slots=True)
class _Known:
    """What counting remembers of a player: skills, and the last games."""

    skills: dict[str, tuple[Skill, datetime, int]]
    recent: deque[Played]


class _Counter:
    """Counts the waiting games of a tempo, in order."""

    def __init__(self, tempo: str) -> None:
        self._tempo = tempo
        self._known: OrderedDict[int, _Known] = OrderedDict()
        self._version = -1

    def count_batch(self) -> int:
        """Count the next games in one transaction. Return how many there were."""
        waiting = RatedGame.objects.filter(tempo=self._tempo, state=RatedGame.State.WAITING)
        with transaction.atomic():
            ledger = _locked(self._tempo)
            if ledger.version != self._version:
                # Someone else has counted or taken back: what is remembered may be wrong.
                self._known.clear()
            games = list(waiting.order_by("ended_at", "game")[:_BATCH])
            if not games:
                return 0
            changes = [change for game in games for change in self._count(game)]
            RatingChange.objects.bulk_create(changes, batch_size=500)
            # A game that a moderator has voided meanwhile stays marked, and is taken back next.
            waiting.filter(pk__in=[game.pk for game in games]).update(state=RatedGame.State.COUNTED)
            players = {change.player_id for change in changes}
            RatingPlayer.objects.filter(pk__in=players).update(is_stale=True)
            _advance(ledger)
            self._version = ledger.version
        while len(self._known) > _REMEMBERED:
            self._known.popitem(last=False)
        return len(games)

    def _count(self, game: RatedGame) -> list[RatingChange]:
        sides: list[tuple[int, str]] = [(player, side) for player, side in game.facts["sides"]]
        # The winners first, as `rate` takes them.
        sides.sort(key=lambda each: each[1] != game.winner)
        first_losers = sum(side == game.winner for _, side in sides)
        before, weights, played = [], [], []
        for player, side in sides:
            known = self._of(player, game)
            skill, since, _ = known.skills[side]
            before.append(rested(skill, since, game.ended_at))
            part = Played(
                side == game.winner,
                frozenset(pk for pk, other in sides if other == side and pk != player),
                frozenset(pk for pk, other in sides if other != side),
            )
            played.append(part)
            weights.append(
                weigh(
                    known.recent,
                    part,
                    devices=_shared_with(player, game.facts["devices"]),
                    thrown=game.facts["thrown"],
                )
            )
        after = rate(
            before[:first_losers], before[first_losers:], [weight.value for weight in weights]
        )
        changes = []
        for (player, side), old, new, weight, part in zip(
            sides, before, after, weights, played, strict=True
        ):
            known = self._known[player]
            games = known.skills[side][2] + 1
            known.skills[side] = (new, game.ended_at, games)
            known.recent.append(part)
            changes.append(_change(game, player, side, old, new, games, weight))
        return changes

    def _of(self, player: int, game: RatedGame) -> _Known:
        """Return what is known of a player before this game, from the database at first."""
        known = self._known.get(player)
        if known is None:
            known = self._known[player] = _read(player, game)
        self._known.move_to_end(player)
        return known


def _read(player: int, game: RatedGame) -> _Known:
    """Read a player's skills and recent games. All changes are of games before this one."""
    changes = RatingChange.objects.filter(player=player, tempo=game.tempo)
    recent = list(changes.select_related("rated").order_by("-at", "-rated")[:RECENT])
    skills: dict[str, tuple[Skill, datetime, int]] = {}
    for side in Side:
        last = next((change for change in recent if change.side == side), None)
        if last is None and len(recent) == RECENT:
            last = changes.filter(side=side).order_by("-at", "-rated").first()
        known = (Skill(), game.ended_at, 0) if last is None else (last.skill, last.at, last.games)
        skills[side] = known
    played: deque[Played] = deque(maxlen=RECENT)
    for change in reversed(recent):
        sides = change.rated.facts["sides"]
        played.append(
            Played(
                change.has_won,
                frozenset(pk for pk, side in sides if side == change.side and pk != player),
                frozenset(pk for pk, side in sides if side != change.side),
            )
        )
    return _Known(skills, played)


def _shared_with(player: int, devices: Iterable[Sequence[int]]) -> dict[int, int]:
    return {
        (other if one == player else one): number
        for one, other, number in devices
        if player in (one, other)
    }


def _change(
    game: RatedGame,
    player: int,
    side: str,
    old: Skill,
    new: Skill,
    games: int,
    weight: Weight,
) -> RatingChange:
    return RatingChange(
        rated=game,
        player_id=player,
        tempo=game.tempo,
        side=side,
        season=game.season,
        at=game.ended_at,
        has_won=side == game.winner,
        mu_before=old.mu,
        sigma_before=old.sigma,
        mu=new.mu,
        sigma=new.sigma,
        games=games,
        weight=weight.value,
        reasons=[_told(reason) for reason in weight.reasons],
    )


def _told(reason: Reason) -> list[Any]:
    return [str(reason.sign), reason.number, reason.other]


# The current ratings, from the changes -------------------------------------------------------


def _follow() -> None:
    """Write the ratings of players whose changes have changed."""
    while stale := list(
        RatingPlayer.objects.filter(is_stale=True)
        .order_by("pk")
        .values_list("pk", flat=True)[:_FOLLOWED_AT_ONCE]
    ):
        with transaction.atomic():
            for tempo in RatedTempo.values:
                RatingLedger.objects.get_or_create(tempo=tempo)
                # Nothing is counted or taken back meanwhile.
                _locked(tempo)
            Rating.objects.filter(player__in=stale).delete()
            changes = RatingChange.objects.filter(player__in=stale)
            Rating.objects.bulk_create(_ratings(changes), batch_size=500)
            RatingPlayer.objects.filter(pk__in=stale).update(is_stale=False)


def _ratings(changes: QuerySet[RatingChange]) -> list[Rating]:
    scopes: dict[tuple[int, str, str], dict[str, int]] = {}
    for kind, column in (
        ("edition", "rated__edition"),
        ("size", "rated__players"),
        ("language", "rated__language"),
    ):
        of_kind = changes.values_list("player", "tempo", "side", column)
        of_kind = of_kind.annotate(games=Count("pk")).order_by()
        for player, tempo, side, value, games in of_kind:
            if value:
                scopes.setdefault((player, tempo, side), {})[f"{kind}:{value}"] = games
    last: dict[tuple[int, str, str], RatingChange] = {}
    newest = changes.order_by("player", "tempo", "side", "games")
    for change in newest.iterator(chunk_size=2000):
        last[change.player_id, change.tempo, change.side] = change
    return [
        Rating(
            player_id=change.player_id,
            tempo=change.tempo,
            side=change.side,
            scope=scope,
            season=change.season,
            mu=change.mu,
            sigma=change.sigma,
            shown=change.skill.shown,
            games=games,
            at=change.at,
        )
        for place, change in last.items()
        for scope, games in {"": change.games, **scopes[place]}.items()
    ]
