"""What it costs to show a table: one board a language, and a small strip for each viewer."""

from collections import Counter

import pytest

from games.rules.actions import Nominate
from games.screens import table as table_screen
from tests.games.stories import act


@pytest.fixture
def rendered(monkeypatch) -> Counter[str]:
    """How often each panel was rendered."""
    count: Counter[str] = Counter()
    render = table_screen.render

    def counting(name, context):
        count[name] += 1
        return render(name, context)

    monkeypatch.setattr(table_screen, "render", counting)
    return count


def test_public_panels_are_rendered_once_for_all_viewers_of_a_language(
    table, seated, spectator, stranger, rendered
):
    for viewer in [*seated, spectator, stranger]:
        viewer.page()

    assert {rendered[name] for name in table_screen.PUBLIC_PANELS} == {1}
    assert {rendered[name] for name in table_screen.PRIVATE_PANELS} == {7}


def test_each_language_and_each_version_has_its_own(table, seated, rendered):
    seated[0].page()
    seated[1].language = "ja"
    seated[1].page()
    assert {rendered[name] for name in table_screen.PUBLIC_PANELS} == {2}

    act(table, Nominate(0, 1))
    seated[0].page()
    assert {rendered[name] for name in table_screen.PUBLIC_PANELS} == {3}
