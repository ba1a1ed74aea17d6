"""Games of people as puzzles: whose, with whose consent, and with what left out."""

import json
from datetime import timedelta

import pytest
from django.utils import timezone

from games.models import Game, Message, Puzzle, PuzzleConsent, Seat, Table
from games.rules.claims import claim_code, sight_of
from games.services import puzzle_games, puzzles
from games.services.claims import make_claim
from games.state.puzzles import puzzle_room, roles_of
from games.state.rooms import room_of
from tests.builders.tables import NAMES, fresh, is_over, person, play_until, run_table, state_of

pytestmark = pytest.mark.django_db

DAY = timedelta(days=1)


@pytest.fixture(scope="module", autouse=True)
def _any_game_will_do():
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(puzzle_games, "is_solvable", lambda room: True)
        yield


@pytest.fixture
def table() -> Table:
    """Return a finished public game of seven people, with a claim."""
    table = run_table(NAMES[:7])
    play_until(table, lambda state: bool(state.knowledge))
    play_until(table, lambda state: state.liberal + state.fascist > 0)
    seen = state_of(table).knowledge[0]
    claim = sight_of(seen).claims[0]
    user = table.seats.get(number=seen.seat).user
    make_claim(table=table, user=user, code=claim_code(claim), key="a")
    play_until(table, is_over)
    return fresh(table)


def everyone_agrees(*, but: str = "") -> None:
    for name in NAMES[:7]:
        if name != but:
            puzzle_games.set_consent(user=person(name), is_given=True)


def tomorrow():
    return puzzles.today() + DAY


def test_a_game_becomes_a_puzzle_when_all_who_played_agree(table):
    assert puzzle_games.game_for(tomorrow()) is None
    everyone_agrees(but="Ada")
    assert puzzle_games.game_for(tomorrow()) is None
    everyone_agrees()

    puzzle = puzzles.make_puzzle(tomorrow())

    assert puzzle.table == table
    played = room_of(table.code)
    room = puzzle_room(puzzle.game, puzzle.day)
    assert roles_of(room) == roles_of(played)
    assert room.game.winner == Game.objects.get(table=table).winner
    assert [said.data for said in room.talk] == [Message.objects.get(table=table).data]
    # It is used once.
    assert puzzle_games.game_for(tomorrow() + DAY) is None


def test_a_puzzle_holds_no_name_and_no_time_of_the_game(table):
    everyone_agrees()

    _, game = puzzle_games.game_for(tomorrow())

    stored = json.dumps(game, ensure_ascii=False)
    shown = [seat.name for seat in puzzle_room(game, tomorrow()).seats]
    assert not any(name in stored or name in shown for name in NAMES[:7])
    assert table.code not in stored
    assert str(timezone.now().year) not in stored
    assert set(game) == {"edition", "players", "seed", "seal", "actions", "claims"}


@pytest.mark.parametrize(
    "change",
    [
        lambda table: Table.objects.update(visibility="private"),
        lambda table: Table.objects.update(spectators=False),
        lambda table: Game.objects.update(stopped="voided"),
        lambda table: Game.objects.update(ended_at=timezone.now() - 61 * DAY),
        lambda table: Table.objects.update(house_rules={"hitler_zone": 2}),
        # The account was deleted.
        lambda table: Seat.objects.filter(number=0).update(user=None),
        lambda table: Seat.objects.filter(number__lt=3).update(user=None, bot="liberal"),
    ],
)
def test_other_games_become_no_puzzles(table, change):
    everyone_agrees()
    assert puzzle_games.game_for(tomorrow()) is not None

    change(table)

    assert puzzle_games.game_for(tomorrow()) is None


@pytest.mark.parametrize("leave", ["take_back", "delete"])
def test_consent_that_ends_takes_the_game_out_of_days_to_come_only(table, leave):
    everyone_agrees()
    puzzles.make_puzzle(tomorrow())
    Puzzle.objects.create(day=puzzles.today(), game=Puzzle.objects.get().game, table=table)

    if leave == "take_back":
        puzzle_games.set_consent(user=person("Ada"), is_given=False)
    else:
        puzzle_games.forget_consent(person("Ada"))

    assert [puzzle.day for puzzle in Puzzle.objects.all()] == [puzzles.today()]
    assert puzzle_games.game_for(tomorrow()) is None


def test_the_page_asks_users_and_neither_visitors_nor_guests(client):
    page = f"/puzzle/{puzzles.FIRST_DAY}/"
    assert 'id="consent"' not in client.get(page).content.decode()
    client.force_login(person("Ada"))
    assert "I agree" in client.get(page).content.decode()
    client.post("/puzzle/consent/", {"allow": "on"})
    assert PuzzleConsent.objects.get().user == person("Ada")
    assert puzzle_games.consent_of(person("Ada"))["games_allowed_since"]
    assert "Take it back" in client.get(page).content.decode()
    client.post("/puzzle/consent/", {"stop": "on"})
    assert not PuzzleConsent.objects.exists()
