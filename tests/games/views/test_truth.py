"""The truth about a finished game: who may see it, and that its charts show every event."""

import re

import pytest
from django.test import Client
from django.urls import reverse

from games.models import Table
from games.panels.truth import chart_of, readings_of
from games.rules.claims import agrees, claim_code, sights
from games.services.claims import make_claim
from games.state.rooms import room_of
from tests.builders.motions import stopped
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


def path_of(table: Table) -> str:
    return reverse("games:truth", args=[table.code])


def shown(table: Table, name: str = "Sofia", query: str = "", **headers: str) -> str:
    viewer = Person(person(name), table)
    return viewer.get(f"{path_of(table)}{query}", **headers).content.decode()


def test_while_a_game_runs_there_is_none(client: Client) -> None:
    table = run_table()
    for name in ("Ada", "Sofia"):
        assert Person(person(name), table).get(path_of(table)).status_code == 404
    assert client.get(path_of(table)).status_code == 404


def test_who_may_not_see_the_replay_may_not_see_the_truth(client: Client) -> None:
    table = run_table(is_private=True)
    play_until(table, is_over)
    assert Person(person("Ada"), table).get(path_of(table)).status_code == 200
    assert Person(person("Sofia"), table).get(path_of(table)).status_code == 404
    assert client.get(path_of(table)).status_code == 404


def test_everything_is_covered_until_a_reader_uncovers_it(finished: Table) -> None:
    page = shown(finished)
    assert f"{reverse('games:replay', args=[finished.code])}?move=0&amp;eyes=" in page
    outside = page.split("<main")[1].split("</main>")[0]
    while "<details" in outside:
        outside = re.sub(r"<details(?:(?!<details).)*?</details>", "", outside, count=1, flags=re.S)
    assert "Hitler" not in outside and "Liberal policy" not in outside
    # The head names the players and says nothing about them.
    head, below = outside.split("</header>")
    assert "Dario" in head and "Dario" not in below
    assert "win" not in head
    assert not re.search(r"<details[^>]* open", page)
    assert re.search(r"<details[^>]* open", shown(finished, query="?eyes=2"))


def test_who_sat_there_finds_everything_uncovered(finished: Table) -> None:
    page = shown(finished, "Ada")
    folds = re.findall(r'<details class="spoiler"[^>]*>', page)
    assert len(folds) >= 6 and all(fold.endswith(" open>") for fold in folds)
    assert "guess first" not in page.split("<main")[1]
    assert "Uncover all" not in page
    assert f'href="{reverse("games:replay", args=[finished.code])}">' in page


def test_the_votes_are_a_table_of_seats_and_rounds(finished: Table) -> None:
    room = room_of(finished.code)
    assert room is not None
    ballots = [
        event.ballots
        for step in room.public_steps
        for event in step.events
        if event.kind == "ballots"
    ]
    table = shown(finished).split('<table class="votes">')[1].split("</table>")[0]
    rows = table.split("<tr")[2:]
    assert len(rows) == len(ballots)
    for row, cast in zip(rows, ballots, strict=True):
        cells = row.split("<td>")[1:-1]
        words = [
            re.search(r">(?:Unwitting )?(Ja|Nein)[^<]*</b>$", cell.split("</td>")[0])
            for cell in cells
        ]
        assert [word and word[1] for word in words] == [
            ballot and str(ballot).capitalize() for ballot in cast
        ]
        assert row.count(">President </b>") == row.count(">Chancellor </b>") == 1


def test_the_charts_of_suspicion_show_the_true_roles_once_they_are_uncovered(
    finished: Table,
) -> None:
    def charts(page: str) -> str:
        return page.split('<div class="charts">')[1].split("</section>")[0].split("<table")[0]

    for page in (shown(finished, "Ada"), shown(finished, query="?uncover=all")):
        captions = re.findall(r"<figcaption>.*?</figcaption>", charts(page), re.S)
        roles = ["liberal", "liberal", "liberal", "fascist", "hitler"]
        for caption, role in zip(captions, roles, strict=True):
            party = "fascist" if role == "hitler" else role
            assert f'<bdi class="{party}">' in caption and f"emblem-{role}" in caption
    # Who looks at the chances before the roles can still guess.
    assert "emblem" not in charts(shown(finished, query="?eyes=2"))
    replay = Person(person("Sofia"), finished).get(
        f"{reverse('games:replay', args=[finished.code])}"
    )
    assert "emblem" not in charts(replay.content.decode())


def test_everybody_else_uncovers_everything_at_once(finished: Table) -> None:
    page = shown(finished)
    (link,) = re.findall(r'href="([^"]*)">Uncover all</a>', page)
    assert link == "?uncover=all#roles-title" and 'id="roles-title"' in page
    opened = shown(finished, query=link.partition("#")[0])
    folds = re.findall(r'<details class="spoiler"[^>]*>', opened)
    assert len(folds) >= 6 and all(fold.endswith(" open>") for fold in folds)
    assert "Uncover all" not in opened
    # Who looks through another's eyes next does not cover everything again.
    assert '<input type="hidden" name="uncover" value="all">' in opened
    assert re.search(r'<details class="spoiler">', shown(finished, query="?uncover=x"))
    assert 'href="?uncover=all&amp;lang=ru#roles-title"' in shown(finished, query="?lang=ru")


@pytest.mark.parametrize("language", ["en", "ru", "pl", "ja", "it"])
def test_it_is_there_in_every_language(finished: Table, language: str) -> None:
    viewer = Client(headers={"accept-language": language})
    answer = viewer.get(path_of(finished))
    assert answer.status_code == 200
    assert "<svg viewBox" in answer.content.decode()
    assert "style=" not in answer.content.decode()


def test_a_seat_s_evidence_begins_with_what_it_knew(finished: Table) -> None:
    room = room_of(finished.code)
    assert room is not None
    # Dario is the fascist and Ewa is Hitler: they know it, and Ada does not.
    assert readings_of(room, 3)[0].hitler == (0, 0, 0, 0, 1)
    assert readings_of(room, 0)[0].fascist[0] == 0
    assert 0 < readings_of(room, 0)[0].hitler[4] < 1
    assert set(readings_of(room, None)[0].fascist) == {0.4}


def test_a_lie_is_shown_beside_the_truth() -> None:
    table = run_table()
    play_until(table, lambda state: bool(state.governments))
    room = room_of(table.code)
    assert room is not None
    sight = sights([(step.round, step.seat, step.events) for step in room.public_steps])[0]
    truth = state_of(table).knowledge[0]
    assert truth.seat == sight.seat
    lie = next(claim for claim in sight.claims if not agrees(claim, truth))
    make_claim(table=table, user=user_at(table, sight.seat), code=claim_code(lie), key="k")
    play_until(table, is_over)
    room = room_of(fresh(table).code)
    assert room is not None
    page = shown(table)
    assert page.count('class="is-lie"') == 1
    # The line of its session says so, too, and who lied.
    (line,) = [line for line in re.findall(r"<summary>.*?</summary>", page, re.S) if "Lie" in line]
    assert f'class="lied">Lie: <bdi>{room.seats[sight.seat].name}</bdi></b>' in line
    assert "lied to the whole table" in page
    assert [each.claim for each in readings_of(room, None) if each.claim is not None] == [lie]
    # The numbers say whose claim it was.
    assert f"Claim: <bdi>{room.seats[sight.seat].name}</bdi></a></th>" in page


def test_a_stopped_game_has_its_truth_too() -> None:
    table = run_table()
    stopped(table)
    assert "The evidence" in shown(table)


def test_the_replay_shows_the_numbers_of_its_step(finished: Table) -> None:
    room = room_of(finished.code)
    assert room is not None
    replay = reverse("games:replay", args=[finished.code])
    viewer = Person(person("Sofia"), finished)
    for move in (0, finished.game.length):
        chart = chart_of(room, None, move)
        page = viewer.get(f"{replay}?move={move}&eyes=").content.decode()
        assert f'class="cursor" d="M{chart.cursor} 0V100"' in page
        assert path_of(finished) in page
        # The future would give the end away.
        assert f'points="{chart.liberal_wins}"' in page
        assert len(chart.liberal_wins.split()) == chart.cursor + 1
