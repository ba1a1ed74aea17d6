"""How a user plays, on their page: the numbers, and which viewers see the partners."""

from datetime import UTC, date, datetime

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from accounts.models import Friendship, User
from accounts.profiles.choices import Audience
from games.models import ArchivedGame, ArchivedSeat, Game, Table
from games.panels.play_statistics import PlayStatistics
from games.panels.profile import page_of
from games.panels.tallies import Tally
from games.tasks import archive_games
from tests.builders.tables import is_over, person, play_until, run_table

pytestmark = pytest.mark.django_db

FOR_ALL, FOR_FRIENDS, FOR_NOBODY = Audience.ALL, Audience.FRIENDS, Audience.NOBODY


def open_page(name: str) -> User:
    return shows(person(name), page=FOR_ALL, statistics=FOR_ALL, games=FOR_ALL)


def shows(user: User, **audiences: str) -> User:
    for part, audience in audiences.items():
        setattr(user, f"shows_{part}", audience)
    user.save()
    return user


@pytest.fixture
def ada() -> User:
    return open_page("Ada")


def over(
    number: int,
    *people: tuple[User, bool],
    is_public: bool = True,
    pace: str = "normal",
    players: int = 7,
    **seat: object,
) -> None:
    """Create archived games of these users, each with whether they won; `seat` is the first's."""
    ended_at = seat.pop("ended_at", timezone.now())
    numbers = {"rounds": seat.pop("rounds", 8), "seconds": seat.pop("seconds", 600)}
    for _ in range(number):
        table = Table.objects.create(host=None, stage="over", edition="en")
        game = Game.objects.create(
            table=table,
            players=players,
            winner="liberal",
            ending="liberal_policies",
            ended_at=ended_at,
        )
        row = ArchivedGame.objects.create(
            game=game,
            code=table.code,
            ended_at=ended_at,
            **numbers,
            edition="en",
            is_custom=False,
            players=players,
            people=len(people),
            winner="liberal",
            ending=game.ending,
            pace=pace,
            is_public=is_public,
        )
        for place, (user, has_won) in enumerate(people):
            own = {"number": place, "role": "liberal" if has_won else "fascist"}
            own |= seat if place == 0 else {}
            ArchivedSeat.objects.create(
                archived=row,
                user=user,
                has_won=has_won,
                ended_at=ended_at,
                people=len(people),
                **own,
            )


def play_of(owner: User, viewer: User | None = None, **how: str) -> PlayStatistics | None:
    page = page_of(owner.person_key, viewer, **how)
    assert page is not None
    return page.play


def partners_of(owner: User, viewer: User | None = None, **how: str) -> list[str]:
    play = play_of(owner, viewer, **how)
    assert play is not None
    return [partner.name for partner in play.partners or ()]


def page(owner: User, viewer: User | None = None) -> str:
    browser = Client()
    if viewer is not None:
        browser.force_login(viewer)
    return browser.get(f"/people/{owner.person_key}/").content.decode()


# The numbers --------------------------------------------------------------------------------------


def test_lies_and_votes_are_summed_by_role(ada):
    boris = person("Boris")
    sums = {"claims": 4, "lies": 2, "lies_caught": 1, "ballots": 5, "right_ballots": 4}
    over(10, (ada, False), (boris, True), **sums)
    over(2, (ada, True), (boris, False), claims=1, ballots=5)

    everything, liberal, fascist = play_of(ada).conduct
    assert [each.role for each in (everything, liberal, fascist)] == ["", "liberal", "fascist"]
    assert (fascist.lie_share, fascist.caught_share, fascist.right_share) == (1 / 2, 1 / 2, 4 / 5)
    assert (everything.lies, everything.claims) == (20, 42)
    assert (everything.right_ballots, everything.ballots) == (40, 60)
    assert (liberal.lies, liberal.claims, liberal.caught_share) == (0, 2, None)
    shown = page(ada).replace("<wbr>", "")
    assert "20/40" in shown
    # Two games are too few.
    assert "0/2<" not in shown


def test_months_do_not_depend_on_how_the_database_writes_dates(ada):
    over(1, (ada, True), (person("Boris"), False), ended_at=datetime(2026, 2, 3, tzinfo=UTC))
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SET LOCAL datestyle TO 'German, DMY'")

    assert [each.month for each in play_of(ada).months.months] == [date(2026, 2, 1)]


def test_games_with_bots_alone_do_not_count(ada):
    over(3, (ada, True))
    assert play_of(ada) is None


def test_a_played_game_counts_once_it_is_archived(ada):
    table = run_table()
    play_until(table, lambda state: state.round > 2)
    archive_games()
    assert play_of(ada) is None

    play_until(table, is_over)
    archive_games()
    play = play_of(ada)
    assert play.lengths[0].tally.games == 1
    assert play.conduct[0].ballots > 0


# Who sees what ------------------------------------------------------------------------------------


@pytest.mark.parametrize("audience", Audience.values)
def test_only_viewers_of_the_statistics_see_how_a_user_plays(ada, audience):
    over(10, (ada, True), (open_page("Boris"), False))
    shows(ada, statistics=audience)
    friend = person("Frida")
    Friendship.objects.create(asked_by=friend, asked=ada, accepted_at=timezone.now())

    sees = {
        viewer
        for viewer, user in {"owner": ada, "friend": friend, "visitor": None}.items()
        if 'id="play"' in page(ada, user)
    }
    assert (
        sees
        == {
            FOR_ALL: {"owner", "friend", "visitor"},
            FOR_FRIENDS: {"owner", "friend"},
            FOR_NOBODY: {"owner"},
        }[Audience(audience)]
    )


def test_partners_are_told_with_the_games_won_on_each_side(ada):
    boris, chika = open_page("Boris"), open_page("Chika")
    over(3, (ada, True), (boris, True), (chika, False))
    over(1, (ada, False), (boris, False))
    over(1, (ada, False), (boris, True))

    first, second = play_of(ada).partners
    assert (first.name, first.games) == ("Boris", 5)
    assert (first.on_one_side, first.on_two_sides) == (Tally(4, 3), Tally(1, 0))
    assert (second.name, second.on_one_side, second.on_two_sides) == ("Chika", Tally(), Tally(3, 3))
    assert f'href="/people/{boris.person_key}/"' in page(ada)


def test_partners_are_named_only_to_viewers_of_their_games(ada):
    boris, friend = open_page("Boris"), person("Frida")
    over(1, (ada, True), (boris, True))
    Friendship.objects.create(asked_by=friend, asked=boris, accepted_at=timezone.now())

    def viewers() -> set[str]:
        cast = {"owner": ada, "partner": boris, "friend": friend, "visitor": None}
        return {name for name, viewer in cast.items() if "Boris" in partners_of(ada, viewer)}

    assert viewers() == {"owner", "partner", "friend", "visitor"}
    shows(boris, games=FOR_FRIENDS)
    assert viewers() == {"partner", "friend"}
    shows(boris, games=FOR_NOBODY)
    assert viewers() == {"partner"}
    shows(boris, games=FOR_ALL, page=FOR_NOBODY)
    assert viewers() == {"partner"}
    shows(boris, page=FOR_ALL)
    boris.closes_at = timezone.now()
    boris.save()
    assert viewers() == set()


def test_partners_in_games_that_are_not_public_are_told_to_the_owner_only(ada):
    boris = open_page("Boris")
    over(2, (ada, True), (boris, True), is_public=False)

    assert partners_of(ada, ada) == ["Boris"]
    assert partners_of(ada) == partners_of(ada, boris) == []
    assert partners_of(ada, ada, seen_as="all") == partners_of(ada, ada, seen_as="friends") == []


def test_deleted_accounts_and_strangers_are_no_partners(ada):
    boris = open_page("Boris")
    over(1, (ada, True), (boris, True))
    over(5, (boris, True), (open_page("Chika"), True))
    ArchivedSeat.objects.filter(user=boris).update(user=None)

    assert partners_of(ada) == []


def test_more_games_and_partners_take_no_more_statements(ada):
    def statements(viewer: User | None) -> int:
        with CaptureQueriesContext(connection) as queries:
            play_of(ada, viewer)
        return len(queries)

    over(1, (ada, True), (open_page("Boris"), True))
    viewers = (None, ada, person("Otto"))
    few = [statements(viewer) for viewer in viewers]
    for number in range(6):
        over(5, (ada, True), (open_page(f"P{number}"), True), ended_at=timezone.now())
    assert [statements(viewer) for viewer in viewers] == few
