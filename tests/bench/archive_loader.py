"""Fills a database with finished games: copies of templates under other names and dates.

    DATABASE_URL=sqlite:////tmp/archive.sqlite3 python -m tests.bench.archive_loader --games 2000

Memory is bounded: games are written in batches. What the site derives from games (ratings) is
left to its own commands, except the rows that the end of a game writes.
"""

import argparse
import json
import os
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from itertools import accumulate, count
from random import Random
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from tests.bench.archive_templates import Template

YEARS: Final = 3
PEOPLE: Final = 2000
TEMPLATES: Final = 240
_BATCH: Final = 250
_FRIENDS: Final = 12
_UPLOADS: Final = 20
# Out of a hundred games.
_WITH_BOTS: Final = 12
_LIVE_PACES: Final = ("blitz", "normal", "relaxed")
_LANGUAGES: Final = ("en", "ru", "pl", "ja", "it")


@dataclass(frozen=True, slots=True)
class Person:
    pk: int
    name: str
    # The primary key of their RatingPlayer.
    player: int


@dataclass(slots=True)
class _Rows:
    """The rows of one batch, by kind."""

    tables: list[tuple[object, ...]] = field(default_factory=list)
    seats: list[tuple[object, ...]] = field(default_factory=list)
    sat: list[tuple[object, ...]] = field(default_factory=list)
    games: list[tuple[object, ...]] = field(default_factory=list)
    actions: list[tuple[object, ...]] = field(default_factory=list)
    claims: list[tuple[object, ...]] = field(default_factory=list)
    results: list[tuple[object, ...]] = field(default_factory=list)
    rated: list[tuple[object, ...]] = field(default_factory=list)
    archived: list[tuple[object, ...]] = field(default_factory=list)
    archived_seats: list[tuple[object, ...]] = field(default_factory=list)
    moments: list[tuple[object, ...]] = field(default_factory=list)
    # Games that the site itself is to take into the archive, and their templates.
    new: dict[int, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class _Archived:
    """What the archive says of a template, by the columns that all of its copies share."""

    rounds: int
    seats: tuple[tuple[object, ...], ...]
    moments: tuple[str, ...]


# The numbers of a seat in the archive.
_NUMBERS: Final = (
    *("role", "has_won", "sights", "claims", "lies", "lies_caught"),
    *("ballots", "right_ballots", "presidencies", "chancellorships"),
)


class Loader:
    """Writes games, oldest first, the same for the same seed.

    The site itself takes the first copies of each template into the archive. Later copies get
    the same numbers.
    """

    def __init__(
        self,
        templates: Sequence["Template"],
        people: Sequence[Person],
        *,
        until: datetime,
        seed: str = "archive",
    ) -> None:
        from games.models import (
            ArchivedGame,
            ArchivedMoment,
            ArchivedSeat,
            Game,
            GameAction,
            Message,
            RatedGame,
            Result,
            Sat,
            Seat,
            Table,
        )
        from tests.bench.archive_templates import SIZES
        from tests.bench.bulk import Sink

        self._random = Random(seed)
        self._templates = templates
        sizes = [template.players for template in templates]
        self._shares = list(accumulate(SIZES[players] / sizes.count(players) for players in sizes))
        self._people = people
        # A few play much more often than most.
        self._popularity = list(accumulate((10 + n) ** -0.7 for n in range(len(people))))
        self._until = until.astimezone(UTC).replace(tzinfo=None)
        self._games = count(1 + _last(Game))
        self._tables = count(1 + _last(Table))
        self._in_archive: dict[str, _Archived] = {}
        self.written_actions = 0
        self.kinds = (
            *(Table, Seat, Sat, Game, GameAction, Message, Result, RatedGame),
            *(ArchivedGame, ArchivedSeat, ArchivedMoment),
        )
        self._sinks = {
            "tables": Sink(
                Table,
                (
                    "id",
                    "code",
                    "host",
                    "edition",
                    "seats_wanted",
                    "least_seats",
                    "pace",
                    "visibility",
                    "spectators",
                    "languages",
                    "is_rated",
                    "invitation",
                    "seed",
                    "version",
                    "talk",
                    "created_at",
                ),
                stage=Table.Stage.OVER,
            ),
            "seats": Sink(
                Seat,
                ("table", "number", "user", "bot", "name", "contribution_hash", "contribution"),
                is_connected=False,
                is_ready=True,
                has_read_role=True,
            ),
            "sat": Sink(Sat, ("table", "user", "at")),
            "games": Sink(
                Game,
                ("id", "table", "players", "length", "started_at", "ended_at", "winner", "ending"),
            ),
            "actions": Sink(GameAction, ("game", "number", "seat", "action", "by", "key", "at")),
            "claims": Sink(
                Message,
                (
                    "table",
                    "number",
                    "nth",
                    "revised",
                    "seat",
                    "user",
                    "name",
                    "data",
                    "length",
                    "round",
                    "at",
                ),
                place=Message.Place.TABLE,
                kind=Message.Kind.CLAIM,
            ),
            "results": Sink(Result, ("game", "user", "role", "has_won", "people")),
            "rated": Sink(
                RatedGame,
                (
                    "game",
                    "tempo",
                    "ended_at",
                    "season",
                    "state",
                    "refused",
                    "edition",
                    "players",
                    "language",
                    "winner",
                    "facts",
                ),
            ),
            "archived": Sink(
                ArchivedGame,
                (
                    "game",
                    "code",
                    "ended_at",
                    "seconds",
                    "rounds",
                    "edition",
                    "players",
                    "people",
                    "winner",
                    "ending",
                    "pace",
                    "language",
                    "is_public",
                ),
                is_custom=False,
            ),
            "archived_seats": Sink(
                ArchivedSeat,
                ("archived", "number", "user", "is_bot", "ended_at", "people", *_NUMBERS),
            ),
            "moments": Sink(ArchivedMoment, ("archived", "moment", "ended_at")),
        }

    def fill(self, games: int, tell: Callable[[int], None] = lambda done: None) -> None:
        """Write this many games. `tell` gets how many are written."""
        from django.db import transaction

        from games.services.archive import recount_tallies
        from tests.bench.bulk import fast_writes, settle_down

        span = timedelta(days=365 * YEARS) / games
        begin = self._until - timedelta(days=365 * YEARS)
        with fast_writes():
            for first in range(0, games, _BATCH):
                numbers = range(first, min(games, first + _BATCH))
                rows = _Rows()
                for number in numbers:
                    self._add(rows, begin + span * (number + 0.5 * self._random.random()))
                with transaction.atomic():
                    for kind, sink in self._sinks.items():
                        sink.write(getattr(rows, kind))
                self._take_in(rows.new)
                self.written_actions += len(rows.actions)
                tell(numbers.stop)
        recount_tallies()
        settle_down(self.kinds)

    def _take_in(self, names: dict[int, str]) -> None:
        """Let the site derive the archive's rows of these games, and keep them for later copies."""
        from games.models import ArchivedGame, UnarchivedGame
        from games.services.archive import take_in

        UnarchivedGame.objects.bulk_create(UnarchivedGame(game_id=game) for game in names)
        while take_in():
            pass
        found = ArchivedGame.objects.filter(game__in=names).prefetch_related("seats", "moments")
        for archived in found:
            self._in_archive[names[archived.pk]] = _Archived(
                archived.rounds,
                tuple(
                    tuple(getattr(seat, name) for name in _NUMBERS)
                    for seat in sorted(archived.seats.all(), key=lambda seat: seat.number)
                ),
                tuple(sorted(moment.moment for moment in archived.moments.all())),
            )

    def _add(self, rows: _Rows, started: datetime) -> None:
        from games.models import RatedGame, RatedTempo, Visibility
        from games.rating import season_of
        from tests.bench.bulk import stored

        random = self._random
        (template,) = random.choices(self._templates, cum_weights=self._shares)
        players = template.players
        table, game = next(self._tables), next(self._games)
        is_daily = random.random() < 0.05
        pace = "daily" if is_daily else random.choice(_LIVE_PACES)
        slower = 300.0 if is_daily else 1.0
        ended = min(started + timedelta(seconds=template.seconds * slower), self._until)
        visibility = random.choices(Visibility.values, (82, 11, 7))[0]
        is_public = visibility == Visibility.PUBLIC
        languages = [random.choice(_LANGUAGES)] if random.random() < 0.8 else []
        bots = set()
        if random.randrange(100) < _WITH_BOTS:
            bots = set(random.sample(range(players), random.randint(1, players - 2)))
        seats = [
            None if number in bots else person for number, person in enumerate(self._pick(players))
        ]
        people = [person for person in seats if person is not None]
        is_rated = is_public and random.random() < 0.75
        at, end = stored(started), stored(ended)
        rows.tables.append(
            (
                table,
                f"{table:08x}"[-8:],
                people[0].pk,
                template.edition,
                players,
                players,
                pace,
                visibility,
                is_public and random.random() < 0.95,
                json.dumps(languages),
                is_rated,
                f"{table:032x}",
                template.seed,
                len(template.actions) + 20,
                len(template.claims),
                at,
            )
        )
        rows.games.append(
            (game, table, players, len(template.actions), at, end, template.winner, template.ending)
        )
        names, by = [], []
        for number, person in enumerate(seats):
            pk, name = (None, f"Bot {number + 1}") if person is None else (person.pk, person.name)
            names.append((pk, name))
            by.append("bot" if person is None else "player")
            bot = "careful" if person is None else ""
            seal = (template.hashes[number], template.contributions[number])
            rows.seats.append((table, number, pk, bot, name, *seal))
            if person is not None:
                rows.sat.append((table, pk, at))
                role = template.roles[number]
                has_won = str(role.party) == template.winner
                rows.results.append((game, pk, str(role), has_won, len(people)))
        archived = self._in_archive.get(template.name)
        if archived is not None:
            rows.archived.append(
                (
                    game,
                    rows.tables[-1][1],
                    end,
                    int((ended - started).total_seconds()),
                    archived.rounds,
                    template.edition,
                    players,
                    len(people),
                    template.winner,
                    template.ending,
                    pace,
                    languages[0] if languages else "",
                    is_public and rows.tables[-1][8],
                )
            )
            for number, ((pk, _), numbers) in enumerate(zip(names, archived.seats, strict=True)):
                rows.archived_seats.append(
                    (game, number, pk, pk is None, end, len(people), *numbers)
                )
            rows.moments.extend((game, moment, end) for moment in archived.moments)
        else:
            rows.new[game] = template.name
        suffix = str(at)[26:]
        for number, action in enumerate(template.actions):
            moment = started + timedelta(seconds=action.at * slower)
            rows.actions.append(
                (
                    game,
                    number,
                    action.seat,
                    action.action,
                    by[action.seat],
                    f"k{number}",
                    moment.isoformat(" ", "microseconds") + suffix,
                )
            )
        for number, claim in enumerate(template.claims, start=1):
            moment = started + timedelta(seconds=claim.at * slower)
            rows.claims.append(
                (
                    table,
                    number,
                    number,
                    number,
                    claim.seat,
                    *names[claim.seat],
                    claim.data,
                    claim.length,
                    claim.round,
                    stored(moment),
                )
            )
        if is_rated and not bots:
            sides = [
                [person.player, str(role.party)]
                for person, role in zip(people, template.roles, strict=True)
            ]
            tempo = RatedTempo.DAYS if is_daily else RatedTempo.LIVE
            is_short = template.rounds < 5
            state = RatedGame.State.REFUSED if is_short else RatedGame.State.WAITING
            refused = RatedGame.Refused.SHORT if is_short else ""
            language = languages[0] if languages else ""
            facts = json.dumps({"sides": sides, "devices": [], "thrown": 0})
            rows.rated.append(
                (
                    game,
                    str(tempo),
                    end,
                    season_of(ended),
                    str(state),
                    str(refused),
                    template.edition,
                    players,
                    language,
                    template.winner,
                    facts,
                )
            )

    def _pick(self, players: int) -> list[Person]:
        """Return different people; those who play often are likelier."""
        picked: dict[int, Person] = {}
        while len(picked) < players:
            (person,) = self._random.choices(self._people, cum_weights=self._popularity)
            picked[person.pk] = person
        return list(picked.values())


def make_people(number: int, *, seed: str = "archive") -> list[Person]:
    """Create accounts with friends, some of whom keep their page, games or name to themselves.

    The first ones play the most, and everyone may see their pages.
    """
    from django.utils import timezone

    from accounts.models import Friendship, User
    from accounts.profiles.choices import Audience
    from games.models import DumpConsent, RatingPlayer

    random = Random(seed)
    accounts = []
    for n in range(number):
        user = User(username=f"Player {n}")
        user.set_keys()
        user.set_unusable_password()
        if n < 20 or random.random() < 0.5:
            user.shows_games = Audience.ALL
        if n >= 20 and random.random() < 0.2:
            user.shows_page = random.choice([Audience.FRIENDS, Audience.NOBODY])
        accounts.append(user)
    User.objects.bulk_create(accounts, batch_size=200)
    players = RatingPlayer.objects.bulk_create(
        (RatingPlayer(user=user) for user in accounts), batch_size=200
    )
    pairs = {
        (n, (n + random.randint(1, number - 1)) % number)
        for n in range(number)
        for _ in range(_FRIENDS // 2)
    }
    Friendship.objects.bulk_create(
        (
            Friendship(asked_by=accounts[one], asked=accounts[other], accepted_at=timezone.now())
            for one, other in sorted(pairs)
            if (other, one) not in pairs or one < other
        ),
        batch_size=500,
    )
    DumpConsent.objects.bulk_create(DumpConsent(user=user) for user in accounts[::5])
    return [
        Person(user.pk, user.username, player.pk)
        for user, player in zip(accounts, players, strict=True)
    ]


def upload_records(user_pk: int, tables: Sequence[int]) -> None:
    """Keep the records of these tables as this user's uploads."""
    from games.models import Table, UploadedRecord
    from games.rules.record import record_json
    from games.services.records import record_of

    for table in Table.objects.select_related("game").filter(pk__in=tables):
        record = record_of(table)
        UploadedRecord.objects.create(
            owner_id=user_pk,
            text=json.dumps(record_json(record)),
            is_shared=True,
            edition=table.edition,
            players=table.game.players,
            ending=table.game.ending,
            names=list(record.seats),
            has_seal=record.seal is not None,
        )


def _last(model: type) -> int:
    newest = model.objects.order_by("-pk").values_list("pk", flat=True).first()  # type: ignore[attr-defined]
    return newest or 0


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--games", type=int, default=2000)
    parser.add_argument("--people", type=int, default=PEOPLE)
    parser.add_argument("--templates", type=int, default=TEMPLATES)
    given = parser.parse_args()
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    import django

    django.setup()
    from django.core.management import call_command
    from django.utils import timezone

    from games.management.progress import Progress
    from tests.bench.archive_templates import make_templates

    call_command("migrate", verbosity=0)
    bar = Progress(given.templates, sys.stderr)
    templates = make_templates(given.templates, tell=bar.show)
    people = make_people(given.people)
    bar = Progress(given.games, sys.stderr)
    loader = Loader(templates, people, until=timezone.now())
    loader.fill(given.games, bar.show)
    bar.clear()
    upload_records(people[0].pk, range(1, _UPLOADS + 1))
    print(json.dumps({"games": given.games, "actions": loader.written_actions}))


if __name__ == "__main__":
    main()
