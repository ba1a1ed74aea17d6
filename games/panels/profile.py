"""A user's public page: the parts of it that the viewer may see, in a few queries.

`page_of` alone decides who sees what, and builds nothing that is not shown.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Final

from django.db.models import BooleanField, Count, Exists, ExpressionWrapper, OuterRef, Q

from accounts.models import Block, Friendship, User
from accounts.profiles import locale_names
from accounts.profiles.choices import PAGE_PARTS, Audience
from games.models import Result, Seat, Table, Visibility
from games.panels.play_statistics import PlayStatistics, play_statistics_of
from games.panels.ratings import Chart, chart_of
from games.panels.tallies import Tally
from games.rules.components import Role
from games.rules.editions import EDITIONS
from games.selectors.audiences import visible_parts
from games.selectors.ratings import Standing, history_of, standings_of
from games.state.reliability import Reliability, reliability_of

LAST_GAMES: Final = 10
# The perspectives from which owners may preview their own page.
VIEWS: Final = (Audience.ALL, Audience.FRIENDS)


@dataclass(frozen=True, slots=True)
class Row:
    """A user's results in one edition, by role and in total."""

    # "" is all editions together, "custom" is house rules.
    edition: str
    roles: tuple[tuple[str, Tally], ...]

    @property
    def together(self) -> Tally:
        return sum((tally for _, tally in self.roles), Tally())


@dataclass(frozen=True, slots=True)
class Statistics:
    """Counted over games with other people that ended by the rules."""

    # The first row is the total; empty if nothing was played.
    rows: tuple[Row, ...]
    # By ending: how many games ended so, and how many of these the user won.
    endings: tuple[tuple[str, Tally], ...]
    # The number of games played with bots alone.
    with_bots: int


@dataclass(frozen=True, slots=True)
class LastGame:
    code: str
    edition: str
    is_custom: bool
    players: int
    role: str
    has_won: bool
    # "liberal" or "fascist".
    winner: str
    ended_at: datetime


@dataclass(frozen=True, slots=True)
class PersonPage:
    """A user's page. Fields that the viewer may not see are None."""

    key: str
    name: str
    is_own: bool
    # The name of a bot account's owner: blocking a person hides their bots too, so everyone could
    # find out. "" for a person's page.
    owner: str = ""
    # The audience of each part; only for the owner.
    shown_to: Mapping[str, str] = field(default_factory=dict)
    # The audience as which the owner previews the page, a value of Audience; "" for no preview.
    seen_as: str = ""
    # In a preview: whether that audience does not see the page at all.
    is_hidden: bool = False
    # The relation to the viewer: "friend", "asked" (by the viewer), "asks" (the viewer), or "".
    bond: str = ""
    is_blocked: bool = False
    country: str | None = None
    languages: tuple[str, ...] | None = None
    # The codes of both, for programs.
    country_code: str | None = None
    language_codes: tuple[str, ...] | None = None
    since: datetime | None = None
    statistics: Statistics | None = None
    sees_reliability: bool = False
    # None if the user has played too few games.
    reliability: Reliability | None = None
    games: tuple[LastGame, ...] | None = None
    # Whether everyone may see the games, so that they have a feed.
    has_feed: bool = False
    # Shown with the statistics; None if nothing was played.
    play: PlayStatistics | None = None
    # Shown with the statistics.
    ratings: tuple[Standing, ...] | None = None
    chart: Chart | None = None


def page_of(key: str, viewer: User | None, *, seen_as: str = "") -> PersonPage | None:
    """Return the page with this key as `viewer` may see it; `viewer` None is an anonymous one.

    None if there is no such page, if its owner's account is closed or about to be, or if it is not
    shown to the viewer. A blocked viewer sees what everyone sees, so they cannot tell that they are
    blocked. `seen_as`, for an owner, previews it as an audience from VIEWS sees it.
    """
    owner = User.objects.filter(person_key=key, is_active=True, closes_at=None).first()
    if owner is None:
        return None
    is_own = viewer is not None and viewer.pk == owner.pk
    seen_as = seen_as if is_own and seen_as in VIEWS else ""
    bond, is_blocked = ("", False) if viewer is None or is_own else _between(viewer, owner)
    if is_own and not seen_as:
        seen = frozenset(PAGE_PARTS)
    else:
        is_friend = bond == "friend" or seen_as == Audience.FRIENDS
        seen = visible_parts(owner, is_friend=is_friend)
        if not seen and not is_own:
            return None
    about = "about" in seen
    ratings = standings_of(owner) if "statistics" in seen else None
    play = None
    if "statistics" in seen:
        # In a preview, partners are those whom everyone sees: the owner's friends differ.
        play = play_statistics_of(
            owner,
            None if seen_as else viewer,
            is_own=is_own and not seen_as,
            sees_games="games" in seen,
        )
    return PersonPage(
        key=owner.person_key,
        name=owner.username,
        is_own=is_own,
        owner=_owner_of_bot(owner),
        shown_to=_shown_to(owner) if is_own else {},
        seen_as=seen_as,
        is_hidden=not seen,
        bond=bond,
        is_blocked=is_blocked,
        country=locale_names.country_name(owner.country) if about else None,
        languages=_spoken(owner.spoken) if about else None,
        country_code=owner.country if about else None,
        language_codes=_known(owner.spoken) if about else None,
        since=owner.date_joined if "since" in seen else None,
        statistics=statistics_of(owner) if "statistics" in seen else None,
        sees_reliability="reliability" in seen,
        reliability=reliability_of([owner.pk]).get(owner.pk) if "reliability" in seen else None,
        games=last_games(owner, viewer, seen_as) if "games" in seen else None,
        has_feed="games" in visible_parts(owner, is_friend=False),
        play=play,
        ratings=ratings,
        chart=_chart(owner, ratings),
    )


def _owner_of_bot(bot: User) -> str:
    if not bot.is_bot:
        return ""
    owners = User.objects.filter(bot_accounts=bot.pk, is_active=True, closes_at=None)
    return owners.values_list("username", flat=True).first() or ""


def statistics_of(owner: User) -> Statistics:
    """Count a user's results. One query for any number of games: the database counts."""
    counted = (
        Result.objects.counted()
        .filter(user=owner)
        .annotate(is_custom=_says(~Q(game__table__house_rules={})), alone=_says(Q(people=1)))
        .values("game__table__edition", "is_custom", "role", "has_won", "game__ending", "alone")
        .annotate(games=Count("pk"))
    )
    tallies: dict[tuple[str, str], Tally] = {}
    endings: dict[str, Tally] = {}
    with_bots = 0
    for row in counted.order_by():
        if row["alone"]:
            with_bots += row["games"]
            continue
        tally = Tally(row["games"], row["games"] if row["has_won"] else 0)
        edition = "custom" if row["is_custom"] else row["game__table__edition"]
        for place in (("", row["role"]), (edition, row["role"])):
            tallies[place] = tallies.get(place, Tally()) + tally
        ending = row["game__ending"]
        endings[ending] = endings.get(ending, Tally()) + tally
    return Statistics(
        rows=tuple(
            Row(edition, tuple((str(role), tallies.get((edition, role), Tally())) for role in Role))
            for edition in ("", *EDITIONS, "custom")
            if any((edition, role) in tallies for role in Role)
        ),
        endings=tuple(sorted(endings.items())),
        with_bots=with_bots,
    )


def last_games(owner: User, viewer: User | None, seen_as: str = "") -> tuple[LastGame, ...]:
    """Return the newest games with other people that the viewer could find alone. One query.

    Games at unlisted tables are shown only to users who sat there.
    """
    results = Result.objects.counted().among_people().filter(user=owner)
    open_to_all = Q(game__table__visibility=Visibility.PUBLIC, game__table__spectators=True)
    if viewer is None or seen_as:
        results = results.filter(open_to_all)
    elif viewer.pk != owner.pk:
        own = Seat.objects.filter(user=viewer, table=OuterRef("game__table"))
        results = results.filter(open_to_all | Exists(own))
    rows = results.select_related("game__table").only(
        *("role", "has_won", "game__players", "game__winner", "game__ended_at"),
        *("game__table__code", "game__table__edition", "game__table__house_rules"),
    )
    return tuple(
        LastGame(
            code=row.game.table.code,
            edition=row.game.table.edition,
            is_custom=row.game.table.is_custom,
            players=row.game.players,
            role=row.role,
            has_won=row.has_won,
            winner=row.game.winner,
            ended_at=ended_at,
        )
        for row in rows.order_by("-pk")[:LAST_GAMES]
        # A game with results has ended.
        if (ended_at := row.game.ended_at) is not None
    )


def person_at(table: Table, number: int) -> str | None:
    """Return the page key of the user at a seat; None if names are hidden. One query."""
    if table.is_blind and table.stage != Table.Stage.OVER:
        return None
    seat = Seat.objects.filter(table=table, number=number).select_related("user").first()
    return seat.user.person_key if seat is not None and seat.user is not None else None


def _chart(owner: User, ratings: tuple[Standing, ...] | None) -> Chart | None:
    """Return the chart of the tempo in which the user has played most."""
    public = [standing for standing in ratings or () if standing.skill is not None]
    if not public:
        return None
    tempo = max(public, key=lambda standing: standing.games).tempo
    return chart_of(history_of(owner, tempo))


def _says(what: Q) -> "ExpressionWrapper[Q]":
    return ExpressionWrapper(what, output_field=BooleanField())


def _between(viewer: User, owner: User) -> tuple[str, bool]:
    friendship = Friendship.objects.between(viewer.pk, owner.pk).first()
    is_blocked = Block.objects.filter(blocker=viewer, blocked=owner).exists()
    if friendship is None:
        return "", is_blocked
    if friendship.accepted_at is not None:
        return "friend", is_blocked
    return "asked" if friendship.asked_by_id == viewer.pk else "asks", is_blocked


def _shown_to(owner: User) -> dict[str, str]:
    """Return the audience of each part. No part has a larger audience than the page."""
    page = Audience(owner.shows_page)
    order = (Audience.ALL, Audience.FRIENDS, Audience.NOBODY)
    return {
        part: max(page, Audience(getattr(owner, f"shows_{part}")), key=order.index).value
        for part in PAGE_PARTS
    }


def _spoken(codes: Iterable[str]) -> tuple[str, ...]:
    return tuple(locale_names.language_name(code) for code in _known(codes))


def _known(codes: Iterable[str]) -> tuple[str, ...]:
    return tuple(code for code in codes if code in locale_names.LANGUAGES_SPOKEN)
