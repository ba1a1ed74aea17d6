"""Nobody's browser receives what its player may not know: not one byte depends on it."""

import copy
import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from django.middleware import csrf

from games import screens
from games.models import Table
from games.rules.actions import AnswerVeto, ProposeVeto, Vote
from games.rules.components import Ballot
from games.rules.state import Phase, TopSeen
from games.rules.view import view_for
from tests.games.person import Person
from tests.games.stories import (
    NAMES,
    act,
    fascist_dream,
    is_over,
    person,
    play_until,
    position,
    run_table,
    state_of,
)
from tests.games.worlds import enter, other_worlds

TEMPLATES = Path(__file__).parents[2] / "templates"
LANGUAGES = ("en", "ja")
Until = Callable[[object], bool]


def at(phase: Phase, fascist: int | None = None) -> Until:
    return lambda state: state.phase is phase and fascist in (None, state.fascist)


def vetoing(state, seat):
    """Once a veto is possible it is proposed, and answered no."""
    if state.phase is Phase.CHANCELLOR_ENACTS and state.veto_unlocked and not state.veto_refused:
        return ProposeVeto(seat)
    if state.phase is Phase.VETO_PROPOSED:
        return AnswerVeto(seat, False)
    return fascist_dream(state, seat)


def some_votes_in(table: Table) -> None:
    play_until(table, at(Phase.ELECTION))
    for seat, ballot in ((1, Ballot.JA), (2, Ballot.NEIN), (3, Ballot.JA)):
        act(table, Vote(seat, ballot))
    act(table, Vote(2, Ballot.JA))


# How many play, and how the game comes there.
SCENES: dict[str, tuple[int, Callable[[Table], object]]] = {
    "the first nomination": (5, lambda table: None),
    "the first nomination of seven": (7, lambda table: None),
    "a running vote": (7, some_votes_in),
    "a President with three policies": (5, lambda t: play_until(t, at(Phase.PRESIDENT_DISCARDS))),
    "a Chancellor with two policies": (5, lambda t: play_until(t, at(Phase.CHANCELLOR_ENACTS))),
    "after a government": (6, lambda t: play_until(t, lambda state: state.round == 2)),
    "before an investigation": (7, lambda t: play_until(t, at(Phase.INVESTIGATION))),
    "after an investigation": (7, lambda t: play_until(t, lambda state: state.investigated)),
    "before a special election": (7, lambda t: play_until(t, at(Phase.SPECIAL_ELECTION))),
    "before a peek": (5, lambda t: play_until(t, at(Phase.PEEK))),
    "after a peek": (
        5,
        lambda t: play_until(
            t, lambda state: any(isinstance(item, TopSeen) for item in state.knowledge)
        ),
    ),
    "before an execution": (5, lambda t: play_until(t, at(Phase.EXECUTION))),
    "after an execution": (5, lambda t: play_until(t, lambda state: len(state.alive) < 5)),
    "a veto proposed": (5, lambda t: play_until(t, at(Phase.VETO_PROPOSED), vetoing)),
    "a veto refused": (5, lambda t: play_until(t, lambda state: state.veto_refused, vetoing)),
}


@pytest.fixture(autouse=True)
def _tokens_are_not_masked(monkeypatch) -> None:
    """A mask differs from page to page; the token itself is the browser's."""
    monkeypatch.setattr(csrf, "_mask_cipher_secret", lambda secret: secret)


def scene(name: str) -> Table:
    players, tell = SCENES[name]
    # Whoever sits there plays no other game that could tell the worlds apart.
    table = run_table(NAMES[:players])
    tell(table)
    assert state_of(table).outcome is None
    return table


def viewers(table: Table) -> Iterator[tuple[int | None, Person]]:
    for seat in table.seats.all():
        yield seat.number, Person(seat.user, table)
    yield None, Person(person("Sofia"), table)
    yield None, Person(None, table)


def received(viewer: Person) -> list[tuple[str, object]]:
    """All that this browser gets to see: bodies, headers and statuses."""
    stale = {"decision": "0", "key": "k", "choice": "vote:ja"}
    answers = [
        viewer.get(viewer.url),
        viewer.get(f"{viewer.url}panels/"),
        viewer.get("/"),
        viewer.post(f"{viewer.url}act/", stale, htmx=True),
        viewer.get(f"{viewer.url}record/"),
    ]
    return [(answer.request["PATH_INFO"], seen_of(answer)) for answer in answers]


def seen_of(answer) -> tuple[object, ...]:
    # When it expires is now, in every world; and each request has a number of its own.
    headers = {
        name: value for name, value in answer.items() if name not in ("Expires", "X-Request-ID")
    }
    return answer.status_code, headers, answer.content


def tells_apart(table: Table) -> Iterator[tuple[object, str]]:
    """Who can tell this game from one that should look the same to them, and by what."""
    here = position(table)
    for seat, viewer in viewers(table):
        enter(table, here)
        worlds = other_worlds(table, seat, len(LANGUAGES))
        for viewer.language, world in zip(LANGUAGES, worlds, strict=True):
            enter(table, here)
            before = received(viewer)
            enter(table, world)
            for (path, one), (_, other) in zip(before, received(viewer), strict=True):
                if one != other:
                    yield viewer.user, path
    enter(table, here)


@pytest.mark.parametrize("name", SCENES)
def test_nobody_receives_what_they_may_not_know(db, name):
    assert list(tells_apart(scene(name))) == []


def test_what_a_player_may_know_is_there(db):
    """The other way round: the pages compared above do say something."""
    table = scene("a President with three policies")
    state = state_of(table)
    pages = {seat: viewer.page() for seat, viewer in viewers(table)}
    assert pages[state.president].count('value="discard:') == 3
    assert all('value="discard:' not in pages[seat] for seat in pages if seat != state.president)


def panel(page: str, name: str) -> str:
    return page.split(f'id="panel-{name}"')[1].split("</section>")[0]


ROLE_WORDS = re.compile(r"\b(liberal|fascist|hitler)\b", re.IGNORECASE)


@pytest.mark.parametrize(
    "name", ["the first nomination", "the first nomination of seven", "after a government"]
)
def test_no_role_stands_by_a_seat_before_the_end(db, name):
    table = scene(name)

    for _, viewer in viewers(table):
        assert not ROLE_WORDS.search(panel(viewer.page(), "seats"))


def test_a_liberal_s_own_panel_names_one_role_only(db):
    table = scene("the first nomination of seven")

    you = panel(Person(person("Ada"), table).page(), "you")

    attributes = re.findall(r'(?:class|data-[\w-]+|href|id)="([^"]*)"', you)
    assert "liberal" in " ".join(attributes)
    assert "hitler" not in " ".join(attributes)


def test_the_night_shows_each_side_what_the_rules_say(db):
    table = scene("the first nomination of seven")
    shown = {
        seat: {other for other in NAMES[:7] if other in panel(viewer.page(), "you")}
        for seat, viewer in viewers(table)
        if seat is not None
    }

    # Liberals 0 to 3, fascists 4 and 5, Hitler 6 who knows nobody.
    assert {shown[seat] <= {NAMES[seat]} for seat in (0, 1, 2, 3, 6)} == {True}
    for fascist, other in ((4, "Fumio"), (5, "Ewa")):
        assert shown[fascist] - {NAMES[fascist]} == {other, "Giulia"}


def test_at_the_end_everything_is_shown(db):
    table = run_table()
    play_until(table, is_over)

    page = Person(None, table).page()

    assert [page.count(f'role-{role}"') for role in ("liberal", "fascist", "hitler")] == [3, 1, 1]


# Leaks planted on purpose -------------------------------------------------------------------------


def plant_in_views(monkeypatch, **leak: Callable) -> None:
    """Views with a field that shows what it must not."""

    def leaking(state, viewer):
        view = view_for(state, viewer)
        return replace(view, **{name: value(state, view) for name, value in leak.items()})

    for module in (screens.scene, screens.mine):
        monkeypatch.setattr(module, "view_for", leaking)


def plant_in_template(settings, name: str, leak: str) -> None:
    """A template with something added at its end."""
    source = (TEMPLATES / name).read_text(encoding="utf-8") + leak
    engine = copy.deepcopy(settings.TEMPLATES[0])
    engine["APP_DIRS"] = False
    engine["OPTIONS"]["loaders"] = [
        ("django.template.loaders.locmem.Loader", {name: source}),
        "django.template.loaders.filesystem.Loader",
        "django.template.loaders.app_directories.Loader",
    ]
    settings.TEMPLATES = [engine]


def is_caught(name: str) -> bool:
    return next(tells_apart(scene(name)), None) is not None


def test_it_is_caught_when_everybody_sees_the_roles(db, monkeypatch):
    plant_in_views(monkeypatch, roles=lambda state, view: state.setup.roles)

    assert is_caught("the first nomination")


def test_it_is_caught_when_ballots_show_before_the_vote_is_settled(db, monkeypatch):
    plant_in_views(monkeypatch, ballots=lambda state, view: state.ballots)

    assert is_caught("a running vote")


def test_it_is_caught_when_everybody_sees_the_hand(db, monkeypatch):
    plant_in_views(monkeypatch, hand=lambda state, view: state.hand)

    assert is_caught("a President with three policies")


def test_it_is_caught_when_players_read_another_s_knowledge(db, monkeypatch):
    plant_in_views(monkeypatch, knowledge=lambda state, view: state.knowledge)

    assert is_caught("after an investigation")


def test_it_is_caught_when_the_log_tells_what_the_president_saw(db, monkeypatch):
    monkeypatch.setattr(screens.scene, "as_told", lambda event: event)

    assert is_caught("after an investigation")
    assert is_caught("after a peek")


def test_it_is_caught_when_panels_of_one_viewer_are_given_to_all(db, monkeypatch):
    """As a cache of private panels would."""
    monkeypatch.setattr(screens.mine, "seat_of", lambda table, person: 0)

    assert is_caught("a President with three policies")


def test_it_is_caught_when_a_template_reaches_for_the_actions(db, settings):
    plant_in_template(
        settings,
        "games/_log.html",
        "<!-- {% for row in scene.table.game.actions.all %}{{ row.action }}{% endfor %} -->",
    )

    assert is_caught("a running vote")


def test_it_is_caught_when_a_header_depends_on_a_hidden_role(db, monkeypatch):
    from games.views import table as views

    real = views._page

    def leaking(request, table, status=200):
        answer = real(request, table, status)
        answer["X-Hitler"] = str(position(table).state.setup.roles.index("hitler"))
        return answer

    monkeypatch.setattr(views, "_page", leaking)

    assert is_caught("the first nomination")


def test_no_template_names_the_seed_or_the_actions():
    for template in TEMPLATES.rglob("*.html"):
        code = " ".join(re.findall(r"{[{%].*?[%}]}", template.read_text(encoding="utf-8")))
        assert not re.search(r"\.(seed|invitation|actions|game|next_table\.seed)\b", code), template
