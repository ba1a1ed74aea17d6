"""The cost of rendering a table: one board for each language, a small strip for each viewer."""

from collections import Counter

import pytest

from games.panels import pieces
from games.rules.actions import Nominate, Vote
from games.rules.components import Ballot
from tests.builders.tables import act

BOARD = {"banner": 1, "seats": 1, "seat": 5, "tracks": 1, "track": 2, "desk": 1}


@pytest.fixture
def rendered(monkeypatch) -> Counter[str]:
    """Return a counter of how often each piece's template was rendered."""
    count: Counter[str] = Counter()
    render = pieces.render

    def counting(part):
        count[part.template] += 1
        return render(part)

    monkeypatch.setattr(pieces, "render", counting)
    return count


def test_public_panels_are_rendered_once_for_all_viewers_of_a_language(
    table, seated, spectator, stranger, rendered
):
    for viewer in [*seated, spectator, stranger]:
        viewer.page()

    assert {name: rendered[name] for name in BOARD} == BOARD
    assert rendered["you"] == 7


def test_each_language_has_its_own(table, seated, rendered):
    seated[0].page()
    seated[1].language = "ja"
    seated[1].page()

    assert {name: rendered[name] for name in BOARD} == {n: 2 * once for n, once in BOARD.items()}


def test_a_ballot_renders_the_seat_it_came_from_and_not_the_board(table, seated, rendered):
    act(table, Nominate(0, 2))
    seated[0].page()
    before = rendered.copy()

    act(table, Vote(1, Ballot.JA))
    seated[0].page()

    fresh = rendered - before
    assert {name: fresh[name] for name in BOARD if fresh[name]} == {"banner": 1, "seat": 1}
