"""The puzzle of a day: what readers see before the answer, the points, and the truth."""

from datetime import UTC, date, datetime, timedelta

import pytest
from django.test import Client

from games.models import Puzzle, PuzzleSolution
from games.rules.components import Role
from games.services import puzzles
from games.state.puzzles import (
    PARTS,
    bundled_games,
    is_solvable,
    move_of_part,
    points_for,
    puzzle_room,
    roles_of,
)
from games.state.rooms import Room
from games.views import puzzles as views
from tests.builders.tables import person

VIEW = Room.view

DAY = puzzles.FIRST_DAY
PATH = f"/puzzle/{DAY.isoformat()}/"
SEE_OTHER, REFUSED, NOT_FOUND = 303, 422, 404

pytestmark = pytest.mark.django_db


def truth() -> list[Role]:
    return list(roles_of(puzzles.room_of_day(DAY)))


def answer_of(roles: list[Role]) -> dict[str, str]:
    return {f"seat_{number}": str(role) for number, role in enumerate(roles)}


def test_every_game_that_comes_with_the_program_is_a_good_puzzle():
    assert len(bundled_games()) == 30
    for game in bundled_games():
        assert is_solvable(puzzle_room(game, DAY))


def test_the_newest_puzzle_is_today_s(client):
    assert client.get("/puzzle/").url == f"/puzzle/{puzzles.today().isoformat()}/"


@pytest.mark.parametrize(
    "day", ["2026-10-31", "2999-01-01", "20261101", "yesterday", "2026-13-01", "0"]
)
def test_days_without_a_puzzle_are_not_found(client, day):
    assert client.get(f"/puzzle/{day}/").status_code == NOT_FOUND


def test_the_page_before_the_answer_is_made_from_the_public_view_alone(client, monkeypatch):
    """A view of any seat, and the roles of the finished game, are asked for by the truth only."""

    def forbidden(*_: object) -> None:
        raise AssertionError("a secret was read")

    for name in ("roles_of", "judged", "odds_at"):
        monkeypatch.setattr(f"games.state.puzzles.{name}", forbidden)
        if hasattr(views, name):
            monkeypatch.setattr(views, name, forbidden)
    seats = []
    monkeypatch.setattr(Room, "view", lambda room, seat: seats.append(seat) or VIEW(room, seat))
    for _ in range(PARTS):
        page = client.get(PATH).content.decode()
        for sign in ("role-fascist", "role-hitler", "seat-role", "Replay"):
            assert sign not in page
        client.post(PATH, {"more": "on"})
    assert set(seats) <= {None}


def test_the_evidence_grows_to_the_last_move_but_one(client):
    room = puzzles.room_of_day(DAY)
    moves = [move_of_part(room, part) for part in range(1, PARTS + 1)]
    assert moves == sorted(set(moves)) and moves[-1] == len(room.public_steps) - 1

    for part in range(1, PARTS + 3):
        page = client.get(PATH).content.decode()
        assert f"Evidence: part {min(part, PARTS)} of {PARTS}" in page
        assert 'class="seat-role"' not in page and "puzzle-truth" not in page
        client.post(PATH, {"more": "on"})


def test_the_right_answer_at_once_earns_all_points_and_opens_the_truth(client):
    answer = client.post(PATH, answer_of(truth()))

    assert (answer.status_code, answer.url) == (SEE_OTHER, PATH)
    page = client.get(PATH).content.decode()
    assert "100 points" in page and "puzzle-truth" in page
    assert client.get(f"{PATH}replay/?move=0&eyes=all").status_code == 200
    # Another reader sees nothing of it.
    assert "puzzle-truth" not in Client().get(PATH).content.decode()


def test_more_evidence_costs_points_and_reloading_wins_nothing_back(client):
    for _ in range(2):
        client.post(PATH, {"more": "on"})
    client.get(PATH)
    client.post(PATH, answer_of(truth()))

    assert "70 of 100 points" in client.get(PATH).content.decode()


def test_the_first_answer_counts(client):
    user = person("Ada")
    client.force_login(user)
    roles = truth()
    client.post(PATH, answer_of([roles[-1], *roles[:-1]]))
    client.post(PATH, answer_of(roles))

    solution = PuzzleSolution.objects.get(user=user)
    assert solution.points < 100


@pytest.mark.parametrize(
    ("roles", "sentence"),
    [
        (["liberal"] * 7, "Mark exactly one player as Hitler."),
        (["hitler"] * 2 + ["fascist"] * 2 + ["liberal"] * 3, "Mark exactly one player as Hitler."),
        (["hitler"] + ["liberal"] * 6, "Mark exactly two players as fascists, besides Hitler."),
        (["song"] * 7, "Mark every player."),
    ],
)
def test_an_answer_that_cannot_be_true_is_refused_and_stays_in_the_form(client, roles, sentence):
    answer = client.post(PATH, {f"seat_{n}": role for n, role in enumerate(roles)})

    page = answer.content.decode()
    assert answer.status_code == REFUSED and sentence in page
    if "hitler" in roles:
        assert 'name="seat_0" value="hitler" autocomplete="off" checked' in page


def test_the_replay_of_the_game_is_hidden_before_the_answer(client):
    assert client.get(f"{PATH}replay/?eyes=all").status_code == NOT_FOUND
    client.force_login(person("Ada"))
    assert client.get(f"{PATH}replay/?eyes=all").status_code == NOT_FOUND


def test_points_are_fewer_for_wrong_seats_and_more_evidence():
    roles = [Role.LIBERAL] * 4 + [Role.FASCIST] * 2 + [Role.HITLER]
    swapped = [*roles[:5], Role.HITLER, Role.FASCIST]
    assert points_for(roles, roles, 1) == 100
    assert points_for(roles, roles, PARTS) == 40
    assert points_for(roles, swapped, 1) == round(60 * 5 / 7)


def test_a_streak_counts_days_in_a_row_up_to_today_or_yesterday():
    today = date(2026, 12, 10)
    days = [today - timedelta(days=n) for n in (0, 1, 2, 4)]
    assert puzzles.streak(days, today) == 3
    assert puzzles.streak(days[1:], today) == 2
    assert puzzles.streak(days[2:], today) == 0


def test_only_answers_on_the_day_itself_count_for_a_user_s_streak():
    user = person("Ada")
    now = datetime(2026, 12, 10, 12, tzinfo=UTC)
    for days_ago in (0, 1):
        at = now if days_ago == 0 else now + timedelta(days=3)
        PuzzleSolution.objects.create(
            user=user,
            day=(now - timedelta(days=days_ago)).date(),
            part=1,
            answer=[],
            points=1,
            at=at,
        )
    assert puzzles.streak_of(user, now) == 1


@pytest.mark.nightly
def test_a_worker_makes_the_puzzle_of_a_day_once():
    first = puzzles.make_puzzle(date(2027, 1, 1))
    assert puzzles.make_puzzle(date(2027, 1, 1)) == first
    assert Puzzle.objects.count() == 1
    assert is_solvable(puzzle_room(first.game, first.day))


def test_marks_stay_when_more_evidence_is_asked_for(client):
    marks = answer_of(truth())
    client.post(PATH, marks | {"more": "on"})

    page = client.get(PATH).content.decode()
    for name, role in marks.items():
        assert f'name="{name}" value="{role}" autocomplete="off" checked' in page
    client.post(PATH, {"seat_0": "song", "more": "on"})
    assert client.get(PATH).status_code == 200


def test_a_visitor_s_answers_and_streak_come_into_the_account(client):
    today = puzzles.today()
    path = f"/puzzle/{today}/"
    client.post(path, answer_of(list(roles_of(puzzles.room_of_day(today)))))
    client.post(PATH, answer_of(truth()))
    # Answered later than its day, so it counts for no streak.
    assert "1 day in a row" in client.get(path).content.decode()

    client.post("/account/register/", {"username": "Zofia", "password1": "a long way to go"})

    rows = PuzzleSolution.objects.filter(user__username="Zofia")
    assert {row.day: row.points for row in rows} == {today: 100, DAY: 100}
    page = client.get(path).content.decode()
    assert "puzzle-truth" in page and "1 day in a row" in page


def test_signing_in_changes_no_answer_that_the_user_gave_before(client):
    ada = person("Ada")
    puzzles.solve(user=ada, day=DAY, part=PARTS, answer=truth())
    client.post(PATH, answer_of(truth()))
    ada.set_password("a long way to go")
    ada.save()

    client.post("/account/sign-in/", {"login": "Ada", "password": "a long way to go"})

    assert client.session["_auth_user_id"] == str(ada.pk)
    assert PuzzleSolution.objects.get(user=ada).part == PARTS
