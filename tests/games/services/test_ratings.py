"""Ratings: which games count, what they change, and how they are taken back."""

from datetime import timedelta
from io import StringIO
from random import Random

import pytest
from django.core.management import call_command
from django.utils import timezone

from accounts.services.signals import note_signals
from games.models import (
    Game,
    Pace,
    RatedGame,
    RatedTempo,
    Rating,
    RatingChange,
    SeasonStanding,
    Table,
)
from games.rules.actions import DISCARD, ENACT, VOTES, Action
from games.rules.components import Policy
from games.rules.legality import legal_actions
from games.rules.state import GameState
from games.services import ratings
from games.tasks import archive_seasons, count_ratings
from tests.builders.ratings import BEGINNING, HOUR, player, rated_game
from tests.builders.tables import NAMES, fresh, is_over, person, play_until, run_table

pytestmark = pytest.mark.django_db

LIBERALS, FASCISTS = NAMES[:3], NAMES[3:5]


def played(**terms: object) -> Table:
    """Return a table at which a rated game was just played to its end."""
    table = run_table(**{"is_rated": True} | terms)
    play_until(table, is_over)
    return fresh(table)


def voided(game: Game) -> None:
    game.stopped = Game.Stopped.VOIDED
    game.save()
    ratings.note_voided(game=game)


def many_games(number: int, seed: int = 1) -> list[RatedGame]:
    """Create games of ten players, who mix by chance."""
    chance = Random(seed)
    games = []
    for hour in range(number):
        names = chance.sample(NAMES, 7)
        winner = chance.choice(["liberal", "fascist"])
        games.append(
            rated_game(names[:4], names[4:], winner=winner, at=BEGINNING + hour * 9 * HOUR)
        )
    return games


def numbers(*, with_seasons: bool = False) -> dict[str, list[tuple[object, ...]]]:
    """Return all that the ratings say, without the rows' own keys."""
    change = ("rated", "player", "side", "mu_before", "sigma_before", "mu", "sigma", "games")
    seasons = SeasonStanding.objects.all() if with_seasons else SeasonStanding.objects.none()
    rating = ("player", "tempo", "side", "scope", "mu", "sigma", "shown", "games", "at")
    return {
        "changes": sorted(RatingChange.objects.values_list(*change, "weight", "has_won")),
        "ratings": sorted(Rating.objects.values_list(*rating)),
        "seasons": sorted(seasons.values_list("season", "player", "side", "mu")),
    }


def refused(table: Table) -> str:
    count_ratings()
    row = RatedGame.objects.get(game=table.game)
    assert bool(row.refused) == (not row.changes.exists())
    return row.refused


def test_a_rated_game_raises_its_winners_and_lowers_its_losers():
    table = played()
    assert not RatingChange.objects.exists()
    count_ratings()

    won = {change.player.user.username: change for change in RatingChange.objects.all()}
    assert len(won) == 5
    for change in won.values():
        assert (change.mu > change.mu_before) == change.has_won
        assert change.sigma < change.sigma_before
    assert won["Ada"].side == "liberal"
    assert won["Ewa"].side == "fascist"
    assert won["Ewa"].has_won
    assert RatedGame.objects.get(game=table.game).state == RatedGame.State.COUNTED


@pytest.mark.both_databases
def test_counting_twice_changes_nothing():
    played()
    count_ratings()
    before = numbers()
    count_ratings()
    assert numbers() == before


def test_a_table_that_is_not_rated_leaves_no_trace():
    played(is_rated=False)
    count_ratings()
    assert not RatedGame.objects.exists()


def test_a_running_game_changes_nothing():
    run_table(is_rated=True)
    count_ratings()
    assert not RatedGame.objects.exists()


def test_games_with_bots_do_not_count():
    table = played()
    table.seats.filter(number=4).update(user=None, bot="bold")
    assert refused(table) == RatedGame.Refused.BOTS


def test_games_by_house_rules_do_not_count():
    table = played()
    Table.objects.filter(pk=table.pk).update(house_rules={"limited": "chancellor"})
    assert refused(table) == RatedGame.Refused.HOUSE_RULES


def test_games_with_too_many_stand_ins_do_not_count():
    table = played()
    actions = table.game.actions.all()
    late = actions[: actions.count() // 4]
    actions.filter(number__in=[action.number for action in late]).update(by="clock")
    assert refused(table) == RatedGame.Refused.STAND_INS


def test_games_that_were_very_short_do_not_count(settings):
    settings.RATED_LEAST_ROUNDS = 7
    assert refused(played()) == RatedGame.Refused.SHORT


def test_liberal_and_fascist_play_and_the_two_tempos_are_rated_apart():
    rated_game(LIBERALS, FASCISTS)
    rated_game(FASCISTS + LIBERALS[:1], LIBERALS[1:], winner="fascist", at=BEGINNING + HOUR)
    rated_game(LIBERALS, FASCISTS, tempo=RatedTempo.DAYS)
    count_ratings()

    of_boris = Rating.objects.filter(player=player("Boris"), scope="")
    stands = {(rating.tempo, rating.side): rating.skill for rating in of_boris}
    assert set(stands) == {("live", "liberal"), ("live", "fascist"), ("days", "liberal")}
    assert stands["days", "liberal"].shown == stands["live", "liberal"].shown > 1500
    assert ratings.tempo_of(Pace.DAILY) == RatedTempo.DAYS


@pytest.mark.both_databases
def test_a_voided_game_is_taken_back_exactly():
    games = many_games(40)
    count_ratings()
    archive_seasons()
    voided(games[7].game)
    count_ratings()
    archive_seasons()
    after = numbers(with_seasons=True)

    assert after["changes"]
    assert after["seasons"]
    assert games[7].pk not in {row[0] for row in after["changes"]}
    # From nothing, as if the game had never been.
    ratings.rebuild()
    assert numbers(with_seasons=True) == after
    assert RatingChange.objects.values("rated").distinct().count() == 39


@pytest.mark.both_databases
def test_the_order_in_which_workers_hear_of_games_does_not_matter():
    games = many_games(30)
    late = games[::3]
    RatedGame.objects.filter(pk__in=[game.pk for game in late]).update(
        state=RatedGame.State.REFUSED
    )
    count_ratings()
    for game in reversed(late):
        # What examining a new game does once it is found to count.
        game.state = RatedGame.State.WAITING
        game.save()
        ratings._take_back_from(ratings._locked("live"), game)
        count_ratings()
    after = numbers()
    ratings.rebuild()
    assert numbers() == after


@pytest.mark.both_databases
def test_the_command_counts_all_games_from_nothing():
    many_games(5)
    out = StringIO()
    call_command("rebuild_ratings", stdout=out)
    assert "5" in out.getvalue()
    assert RatingChange.objects.count() == 35


def test_batches_make_no_difference(monkeypatch):
    many_games(30)
    count_ratings()
    whole = numbers()
    monkeypatch.setattr(ratings, "_BATCH", 4)
    monkeypatch.setattr(ratings, "_REMEMBERED", 3)
    ratings.rebuild()
    assert numbers() == whole


def test_uncertainty_grows_while_a_player_rests():
    rated_game(LIBERALS, FASCISTS)
    rated_game(LIBERALS, FASCISTS, at=BEGINNING + timedelta(weeks=30))
    count_ratings()
    first, second = RatingChange.objects.filter(player=player("Ada")).order_by("at")
    assert second.mu_before == first.mu
    assert second.sigma_before > first.sigma


def test_meeting_the_same_people_again_and_again_counts_for_less():
    for hour in range(14):
        rated_game(
            LIBERALS,
            FASCISTS,
            winner="liberal" if hour % 2 else "fascist",
            at=BEGINNING + hour * HOUR,
        )
    count_ratings()
    weights = [
        change.weight for change in RatingChange.objects.filter(player=player("Ada")).order_by("at")
    ]
    assert weights[:10] == [1.0] * 10
    assert weights[-1] == pytest.approx(0.25)
    last = RatingChange.objects.filter(player=player("Ada")).latest("at")
    assert last.reasons == [["circle", 100, None]]


def test_always_losing_to_one_player_counts_for_less():
    for hour in range(9):
        rated_game(
            ["Ada", f"B{hour}", f"C{hour}"], ["Dario", f"E{hour}"], at=BEGINNING + hour * HOUR
        )
    count_ratings()
    last = RatingChange.objects.filter(player=player("Dario")).latest("at")
    assert last.reasons == [["one_sided", 8, player("Ada").pk]]
    assert last.weight < 1


def test_liberals_who_play_against_their_side_make_the_game_count_for_less():
    def for_liberals(state: GameState, seat: int) -> Action:
        """Keep every liberal policy, and elect every government."""
        wanted = {DISCARD[seat][Policy.FASCIST], ENACT[seat][Policy.LIBERAL], VOTES[seat][0]}
        legal = legal_actions(state, seat)
        return next((action for action in legal if action in wanted), legal[0])

    fair = run_table(is_rated=True)
    play_until(fair, is_over, for_liberals)
    # By `fascist_dream`, everyone keeps every fascist policy.
    thrown = played()
    count_ratings()

    signs = {
        table: {sign for change in changes_of(table) for sign, *_ in change.reasons}
        for table in (fair, thrown)
    }
    assert signs == {fair: set(), thrown: {"thrown"}}


def changes_of(table: Table) -> list[RatingChange]:
    return list(RatingChange.objects.filter(rated__game__table=table))


def test_two_accounts_of_one_browser_count_for_less():
    table = run_table(is_rated=True)
    for name in ("Ada", "Boris"):
        note_signals(user=person(name), address="", device="x" * 22, now=timezone.now())
    play_until(table, is_over)
    count_ratings()
    signs = {
        change.player.user.username: [reason[0] for reason in change.reasons]
        for change in RatingChange.objects.all()
    }
    assert {name for name, found in signs.items() if "device" in found} == {"Ada", "Boris"}
