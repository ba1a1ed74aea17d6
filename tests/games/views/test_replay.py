"""Replays: a finished game is shown move by move, as any seat saw it; a running one never is."""

import re

import pytest
from django.test import Client
from django.utils import timezone

from games.models import Ruling, Table
from games.panels import replay_of
from games.services import play
from games.services.chat import enter_gallery, say
from games.services.claims import make_claim
from games.state.rooms import room_of
from tests.builders.person import Person
from tests.builders.tables import (
    NAMES,
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


@pytest.mark.parametrize("eyes", ["", "all", "0", "2"])
def test_before_the_first_move_it_is_night_for_everyone(finished, eyes) -> None:
    page = shown(finished, move=0, eyes=eyes)
    assert "Night has fallen: everyone reads their role" in page
    assert "must nominate a Chancellor" not in page
    # Nobody is asked for anything.
    assert 'class="mark-waited"' not in page and "Still reading" not in page
    # What happens at night is folded below the role.
    assert page.count('<details class="night-fold">') == eyes.isdigit()
    assert "Night has fallen" not in shown(finished, move=1, eyes=eyes)


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


@pytest.mark.parametrize("move", ["-1", "x", "99999", "9" * 40, "١", ""])
def test_what_is_no_move_is_left_out_of_account(finished, move) -> None:
    assert "panel-banner" in shown(finished, "Ada", move=move, eyes=move)


def test_one_s_notes_are_there_again_and_no_one_else_s(finished) -> None:
    note = {"text": "Boris blinked.", "changed_at": timezone.now()}
    finished.notes.create(user=person("Ada"), **note)
    assert "Boris blinked." in shown(finished, "Ada", move=1)
    assert "Boris blinked." not in shown(finished, "Boris", move=1)


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
        assert now.stops[len(seen)] == move
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


# Everyone's eyes, the chat and sharing --------------------------------------------------------


def panel(page: str, name: str) -> str:
    return page.split(f'id="panel-{name}"')[1].split("</section>")[0]


def test_all_eyes_see_every_role_and_the_hand_of_that_moment(finished) -> None:
    room = room_of(finished.code)
    discard = next(step for step in room.position.steps if step.action.kind == "discard")
    page = shown(finished, "Sofia", move=discard.number, eyes="all")
    assert page.count('class="seat-role"') == 5 and "role-hitler" in page
    assert "hand held" in panel(page, "action")
    assert "has voted" not in panel(page, "seats")
    assert '<option value="all" selected' in page
    first = shown(finished, "Sofia", move=0, eyes="all")
    assert "hand held" not in first and first.count('class="seat-role"') == 5
    # What was drawn is told from the step on in which it was discarded.
    later = shown(finished, "Sofia", move=discard.number + 1, eyes="all")
    assert "Round 1: President" in panel(later, "you") and "Round 1: President" not in first


def test_the_chat_keeps_step_with_the_moves() -> None:
    table = run_table()
    say(table=table, user=person("Ada"), text="Before all", place="table", key="a")
    play_until(table, lambda state: state.round == 2)
    said_at = fresh(table).game.length
    say(table=table, user=person("Boris"), text="In round two", place="table", key="b")
    play_until(table, is_over)
    say(table=fresh(table), user=person("Chika"), text="After all", place="table", key="c")

    def heard(move: int) -> list[str]:
        page = panel(shown(table, move=move), "talk")
        return [text for text in ("Before all", "In round two", "After all") if text in page]

    assert heard(said_at - 1) == ["Before all"]
    assert heard(said_at + 1) == ["Before all", "In round two"]
    assert heard(fresh(table).game.length) == ["Before all", "In round two", "After all"]


def test_the_living_do_not_hear_the_gallery_in_their_replay() -> None:
    table = run_table()
    enter_gallery(table=table, user=person("Sofia"))
    say(table=table, user=person("Sofia"), text="It is Ewa", place="gallery", key="a")
    play_until(table, is_over)
    assert "It is Ewa" not in panel(shown(table, move=3), "talk")
    assert "It is Ewa" in panel(shown(table, move=3, eyes="all"), "talk")
    # The end opens the gallery to all.
    assert "It is Ewa" in panel(shown(table, move=fresh(table).game.length), "talk")


def private_game(**terms: object) -> Table:
    table = run_table(is_private=True, **terms)
    play_until(table, is_over)
    return fresh(table)


def consent(table: Table, *names: str, word: str = "allow") -> None:
    for name in names:
        url = f"{table.get_absolute_url()}share/"
        assert Person(person(name), table).post(url, {word: "on"}).status_code == 303


def statuses(table: Table, path: str = "replay/") -> tuple[int, int]:
    url = table.get_absolute_url() + path
    return Client().get(url).status_code, Person(person("Sofia"), table).get(url).status_code


def test_a_private_game_is_shared_when_all_who_played_allow_it() -> None:
    table = private_game()
    say(table=table, user=person("Ada"), text="Among us", place="table", key="a")
    consent(table, "Ada", "Boris", "Chika", "Dario")
    assert statuses(table) == (404, 404)
    assert "Still to allow it: <bdi>Ewa</bdi>" in shown(table)
    assert 'id="share-url"' not in shown(table)
    consent(table, "Ewa")
    assert statuses(table) == (200, 200)
    link = re.search(r'id="share-url"[^>]* value="([^"]+)"', shown(table, move=4))[1]
    assert link.endswith(f"{table.get_absolute_url()}replay/?move=4&amp;eyes=0")
    # Only the replay is shared: neither the table nor its chat and record.
    for path in ("", "record/", "talk/", "panels/"):
        assert statuses(table, path) == (404, 404)
    for move in (0, table.game.length):
        page = shown(table, "Sofia", move=move)
        assert "Among us" not in page and 'id="panel-talk"' not in page
        assert f"{table.get_absolute_url()}seats/" not in page and "/report/" not in page
        assert f'href="{table.get_absolute_url()}"' not in page


def test_one_player_can_take_the_consent_back() -> None:
    table = private_game()
    consent(table, *NAMES[:5])
    assert statuses(table) == (200, 200)
    consent(table, "Chika", word="stop")
    assert statuses(table) == (404, 404)


def test_bots_need_not_be_asked() -> None:
    table = private_game()
    table.seats.filter(number__gte=2).update(user=None, bot="uniform")
    Table.objects.filter(pk=table.pk).update(version=table.version + 1)
    consent(table, "Ada", "Boris")
    assert statuses(table) == (200, 200)


def test_a_game_without_spectators_needs_consent_too() -> None:
    table = run_table(spectators=False)
    play_until(table, is_over)
    assert statuses(table) == (404, 404)
    consent(table, *NAMES[:5])
    assert statuses(table) == (200, 200)


def test_a_game_that_runs_can_not_be_shared() -> None:
    table = run_table(is_private=True)
    consent(table, *NAMES[:5])
    assert not table.seats.filter(shares_replay=True).exists()
    assert statuses(table) == (404, 404)


def test_a_private_game_with_a_replaced_player_stays_private() -> None:
    table = private_game()
    table.rulings.create(
        ordinal=1,
        kind=Ruling.Kind.REPLACE,
        at=timezone.now(),
        number=1,
        seat=1,
        gone_name="Bruno",
        newcomer_name="Boris",
        because=Ruling.Because.CONDUCT,
    )
    Table.objects.filter(pk=table.pk).update(ruled=1)
    consent(table, *NAMES[:5])
    assert statuses(table) == (404, 404)
    assert "a player was replaced" in shown(table)


def test_strangers_can_not_consent_and_a_public_game_asks_for_nothing(finished) -> None:
    private = private_game()
    stranger = Person(person("Sofia"), private)
    assert stranger.post(f"{private.get_absolute_url()}share/", {"allow": "on"}).status_code == 404
    assert 'id="share-url"' in shown(finished, "Sofia") and "allow-sharing" not in shown(finished)
