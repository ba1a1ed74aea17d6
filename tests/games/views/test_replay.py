"""Replays: a finished game is shown move by move, as any seat saw it; a running one never is."""

import re

import pytest
from django.utils import timezone

from games.models import Ruling, Table
from games.panels import replay_of
from games.services import play
from games.services.claims import make_claim
from games.state.rooms import room_of
from tests.builders.person import Person
from tests.builders.tables import (
    fresh,
    is_over,
    person,
    play_until,
    run_table,
    state_of,
    user_at,
)

pytestmark = pytest.mark.django_db


@pytest.fixture
def finished() -> Table:
    table = run_table()
    play_until(table, is_over)
    return fresh(table)


def shown(table: Table, name: str = "Ada", **query: object) -> str:
    asked = "&".join(f"{key}={value}" for key, value in query.items())
    return (
        Person(person(name), table)
        .get(f"{table.get_absolute_url()}replay/?{asked}")
        .content.decode()
    )


def test_while_a_game_runs_there_is_none(client) -> None:
    table = run_table()
    path = f"{table.get_absolute_url()}replay/"
    for name in ("Ada", "Sofia"):
        assert Person(person(name), table).get(path).status_code == 404
    assert client.get(path).status_code == 404


def test_a_private_table_s_is_for_those_who_may_see_the_table(client) -> None:
    table = run_table(is_private=True)
    play_until(table, is_over)
    path = f"{table.get_absolute_url()}replay/"
    assert Person(person("Ada"), table).get(path).status_code == 200
    assert Person(person("Sofia"), table).get(path).status_code == 404
    assert client.get(path).status_code == 404


def test_each_move_shows_the_table_as_it_stood(finished) -> None:
    again = run_table(("Vera", "Wanda", "Xenia", "Yves", "Zoe"))
    room = room_of(finished.code)
    assert room is not None and room.position is not None
    for step in room.position.steps:
        then = replay_of(room, step.number, None, "en")
        state = state_of(again)
        assert then.chapters[-1].round == room.position.steps[-1].round
        assert [c.round for c in then.chapters if c.is_shown] == [state.round]
        banner = then.panels["banner"].html
        assert f"Round {state.round}" in banner
        # The second table has the same game, so it is at the same point.
        play.act(
            table=fresh(again),
            user=user_at(again, step.action.seat),
            action=step.action,
            decision=state.decision,
            key=f"k{step.number}",
        )
    assert state_of(again).outcome == room.position.state.outcome


def test_whoever_played_looks_through_their_own_eyes_at_first(finished) -> None:
    assert "Your secret role" in shown(finished, "Ada", move=0)
    assert "Your secret role" not in shown(finished, "Sofia", move=0)
    assert "Your secret role" not in shown(finished, "Ada", move=0, eyes="")
    # Dario is the fascist and knows Ewa, who is Hitler. The liberals know no other role.
    assert (
        "Ewa"
        in shown(finished, "Sofia", move=0, eyes=3)
        .split('id="panel-you"')[1]
        .split("</section>")[0]
    )
    assert (
        "Ewa"
        not in shown(finished, "Sofia", move=0, eyes=0)
        .split('id="panel-you"')[1]
        .split("</section>")[0]
    )


def test_a_spectator_of_the_replay_learns_no_role_before_the_end(finished) -> None:
    moves = finished.game.length
    for move in range(moves):
        assert 'class="seat role-' not in shown(finished, "Sofia", move=move)
    assert "role-hitler" in shown(finished, "Sofia", move=moves)


def test_the_hand_of_that_moment_is_shown_to_its_holder_s_eyes(finished) -> None:
    room = room_of(finished.code)
    move = next(step.number for step in room.position.steps if step.action.kind == "discard")
    president = room.position.steps[move].action.seat
    assert "hand held" in shown(finished, "Sofia", move=move, eyes=president)
    assert "hand held" not in shown(finished, "Sofia", move=move, eyes=(president + 1) % 5)
    assert "hand held" not in shown(finished, "Sofia", move=move)


def test_no_one_is_waited_for_in_it(finished) -> None:
    for move in range(finished.game.length):
        assert "Waiting for" not in shown(finished, "Ada", move=move)


def test_every_step_has_its_place_at_every_move(finished) -> None:
    def steps(move: int) -> list[tuple[str, bool]]:
        bar = shown(finished, move=move).split('class="replay-steps"')[1].split("</p>")[0]
        found = re.findall(r'<a id="step-\w+" class="button[^"]* step-(\w+)"([^>]*)>', bar)
        for _, attributes in found:
            assert ("href=" in attributes) != ('aria-disabled="true"' in attributes)
        return [(name, "href=" in attributes) for name, attributes in found]

    order = ["first", "previous", "next", "last"]
    assert steps(0) == list(zip(order, [False, False, True, True], strict=True))
    assert steps(1) == list(zip(order, [True] * 4, strict=True))
    at_the_end = steps(finished.game.length)
    assert at_the_end == list(zip(order, [True, True, False, False], strict=True))


def test_another_s_eyes_are_not_called_one_s_own(finished) -> None:
    def plate(page: str) -> str:
        return page.split('id="seat-2"')[1].split("</li>")[0]

    own, lent = (shown(finished, "Chika", move=3, eyes=eyes) for eyes in (2, 0))
    other = shown(finished, "Ada", move=3, eyes=2)
    assert "Your secret role" in own and "Seen by" not in plate(own)
    assert "Your secret role" not in other and "Seen by" in plate(other)
    assert "Seen by: <bdi>Chika</bdi>" in other and "Seen by: <bdi>Ada</bdi>" in lent
    assert "Seen by" not in plate(lent)


def test_nothing_can_be_done_in_it(finished) -> None:
    page = shown(finished, "Ada", move=3)
    main = page.split("<main")[1].split('id="notes"')[0]
    assert 'method="post"' not in main and "data-socket" not in main


@pytest.mark.parametrize("move", ["-1", "x", "99999", "9" * 40, "١", ""])
def test_what_is_no_move_is_left_out_of_account(finished, move) -> None:
    assert "panel-banner" in shown(finished, "Ada", move=move, eyes=move)


def test_one_s_notes_are_there_again_and_no_one_else_s(finished) -> None:
    note = {"text": "Boris blinked.", "changed_at": timezone.now()}
    finished.notes.create(user=person("Ada"), **note)
    assert "Boris blinked." in shown(finished, "Ada", move=1)
    assert "Boris blinked." not in shown(finished, "Boris", move=1)


def test_the_table_and_the_person_s_page_lead_to_it(finished) -> None:
    path = f"{finished.get_absolute_url()}replay/"
    own_page = f"/people/{person('Ada').person_key}/"
    assert path in Person(person("Ada"), finished).page()
    assert path in Person(person("Ada"), finished).get(own_page).content.decode()


def test_a_claim_is_read_from_the_move_on_after_which_it_was_made() -> None:
    table = run_table()
    play_until(table, lambda state: state.round == 2)
    said_at = fresh(table).game.length
    make_claim(table=table, user=user_at(table, 0), code="drawn-1-lff-f", key="")
    play_until(table, is_over)
    room = room_of(table.code)
    assert room is not None

    def claims_at(move: int) -> bool:
        return 'class="story' in replay_of(room, move, None, "en").panels["history"].html

    assert not claims_at(said_at - 1)
    assert claims_at(said_at + 1)


def test_a_seat_is_called_as_it_was_before_someone_else_had_it(finished) -> None:
    room = room_of(finished.code)
    assert room is not None
    finished.rulings.create(
        ordinal=1,
        kind=Ruling.Kind.REPLACE,
        at=room.position.steps[9].at,
        number=10,
        seat=1,
        gone_name="Bruno",
        newcomer_name="Boris",
        because=Ruling.Because.CONDUCT,
    )
    Table.objects.filter(pk=finished.pk).update(ruled=1, version=room.table.version + 1)
    room = room_of(finished.code)
    assert room is not None
    before, after = (replay_of(room, move, None, "en").panels["seats"].html for move in (9, 10))
    assert "Bruno" in before and "Boris" not in before
    assert "Boris" in after and "Bruno" not in after


def test_a_vote_is_one_step(finished) -> None:
    room = room_of(finished.code)
    move, seen = 0, []
    while move < len(room.public_steps):
        now = replay_of(room, move, None, "en")
        assert (now.step, now.steps) == (len(seen), len(now.stops) - 1)
        assert replay_of(room, now.after, None, "en").before == move
        made = room.public_steps[move : now.after]
        assert len(made) == 1 or {step.kind for step in made} == {"vote"}
        seen.append(move)
        move = now.after
    assert len(seen) < len(room.public_steps)
    # A link into a vote shows it, and steps out of it.
    inside = next(step.number for step in room.public_steps if step.kind == "vote") + 1
    assert replay_of(room, inside, None, "en").move == inside


@pytest.mark.parametrize("move", ["-1", "999999", "9" * 400, "x", ""])
def test_a_step_that_does_not_exist_shows_an_end(finished, move) -> None:
    assert "replay-place" in shown(finished, move=move)
