"""Who may speak and who may read: every phase, role and edition, in one table."""

from collections.abc import Callable
from contextlib import contextmanager
from typing import Final

import pytest
from django.contrib.auth.models import Permission
from django.db import transaction
from django.utils import timezone

from accounts.models import User
from games import panels
from games.models import Guest, Sat, Table
from games.rules.actions import Action, ProposeVeto
from games.rules.components import FASCIST_POLICIES_UNLOCK_VETO
from games.rules.legality import legal_actions
from games.rules.phases import Phase
from games.rules.powers import Power
from games.rules.state import GameState
from games.services import chat
from games.state import positions
from games.wording.refusals import Refused
from tests.builders.person import Person
from tests.builders.tables import (
    act,
    fascist_dream,
    fresh,
    gather,
    person,
    run_table,
    state_of,
    user_at,
)
from tests.nightly import by_day

# The roles. The first four have seats; the others are signed in without a seat.
SEATED: Final = {"president", "chancellor", "other", "dead"}
ROLES: Final = (*sorted(SEATED), "guest", "spectator", "replaced", "moderator")
LIVING: Final = {"president", "chancellor", "other"}
NOBODY: Final[set[str]] = set()

SESSION: Final = {Phase.PRESIDENT_DISCARDS, Phase.CHANCELLOR_ENACTS, Phase.VETO_PROPOSED}
SILENCE: Final = {
    "en": "pair",
    "ru": "pair",
    "pl": "pair",
    "ja": "government",
    "it": "government",
    "ru-5-6": "table",
}

# By situation: who speaks at the table and who in the gallery. In a session it depends on the
# silence. `replaced` sat here and no longer does; `moderator` may remove messages.
SPEAKS: Final = {
    "gathering": (SEATED, NOBODY),
    "talking": (LIVING, {"dead", "guest", "moderator"}),
    "pair": ({"other"}, {"dead", "guest", "moderator"}),
    "government": ({"other"}, {"dead", "guest", "moderator"}),
    "table": (NOBODY, {"dead", "guest", "moderator"}),
    "over": (SEATED, SEATED | {"guest", "moderator", "replaced"}),
    "closed": (NOBODY, NOBODY),
}
# All viewers of a table read its chat. These read the gallery during a game and after it.
READS_GALLERY: Final = {
    "running": {"dead", "guest", "moderator", "replaced"},
    "over": {*ROLES, "stranger"},
}

PHASES: Final = tuple(phase for phase in (*Phase, *Power) if phase is not Phase.OVER)


def likes_vetoes(state: GameState, seat: int) -> Action:
    if state.fascist >= FASCIST_POLICIES_UNLOCK_VETO and not state.veto_refused:
        for action in legal_actions(state, seat):
            if isinstance(action, ProposeVeto):
                return action
    return fascist_dream(state, seat)


def cast(table: Table, state: GameState | None) -> dict[str, User]:
    """Return the user in each role now; "dead" is missing while no player is dead."""
    people = {}
    if state is None:
        people = {role: user_at(table, number) for number, role in enumerate(sorted(SEATED))}
    else:
        president = state.president if state.president is not None else state.candidate
        chancellor = state.chancellor if state.chancellor is not None else state.nominee
        living = [seat for seat in state.alive if seat not in (president, chancellor)]
        dead = [seat for seat in range(state.players) if seat not in state.alive]
        seats = {"president": president, "chancellor": chancellor, "other": living[0]}
        seats |= {"dead": dead[0]} if dead else {}
        people = {role: user_at(table, s) for role, s in seats.items() if s is not None}
    guest, spectator, replaced, moderator = (
        person(name) for name in ("Gita", "Sofia", "Rana", "Mira")
    )
    for number, user in enumerate((guest, replaced, moderator), start=1):
        Guest.objects.get_or_create(
            table=table, user=user, defaults={"number": number, "at": timezone.now()}
        )
    Sat.objects.get_or_create(table=table, user=replaced)
    moderator.user_permissions.add(Permission.objects.get(codename="remove_message"))
    return people | {
        "guest": guest,
        "spectator": spectator,
        "replaced": replaced,
        "moderator": moderator,
    }


@contextmanager
def undone():
    with transaction.atomic():
        yield
        transaction.set_rollback(True)
    positions.forget_all()
    panels.forget_all()


def who_speaks(table: Table, people: dict[str, User], place: str) -> set[str]:
    heard = set()
    for role, user in people.items():
        with undone():
            try:
                chat.say(table=table, user=user, text="Hear me", place=place, key="k")
            except Refused:
                assert not table.messages.exists(), role
            else:
                assert table.messages.get().text == "Hear me", role
                heard.add(role)
    return heard


def checked(table: Table, moment: str, state: GameState | None) -> None:
    people = cast(table, state)
    for place, wanted in zip(("table", "gallery"), SPEAKS[moment], strict=True):
        assert who_speaks(table, people, place) == wanted & set(people), (moment, place)


EDITIONS: Final = sorted(SILENCE)


def walk(
    table: Table, is_wanted: Callable[[GameState], bool], seen: Callable[[GameState], None]
) -> GameState:
    state = state_of(table)
    while state.outcome is None:
        if is_wanted(state):
            seen(state)
        state = act(table, likes_vetoes(state, state.to_act[0]))
    return state


@pytest.mark.parametrize(
    ("edition", "players"),
    by_day(1, [("en", 5), ("it", 7), *((edition, 5) for edition in EDITIONS if edition != "en")]),
)
def test_who_may_speak_in_every_phase(db, edition, players):
    names = ("Ada", "Boris", "Chika", "Dario", "Ewa", "Fumio", "Giulia")[:players]
    table = run_table(names, edition=edition)
    met: set[tuple[Phase, bool]] = set()

    def is_new(state: GameState) -> bool:
        return (state.phase, len(state.alive) < state.players) not in met

    def seen(state: GameState) -> None:
        met.add((state.phase, len(state.alive) < state.players))
        checked(table, SILENCE[edition] if state.phase in SESSION else "talking", state)

    walk(table, is_new, seen)

    checked(fresh(table), "over", state_of(table))
    of_few = {Power.INVESTIGATION, Power.SPECIAL_ELECTION}
    wanted = set(PHASES) - (of_few if players < 7 else {Power.PEEK})
    assert {phase for phase, _ in met} == wanted
    # Phases with a dead player must occur too, wherever the rules get that far.
    assert {phase for phase, is_any_dead in met if is_any_dead} >= {
        Phase.NOMINATION, Phase.ELECTION, *SESSION,
    }  # fmt: skip


def test_who_may_speak_before_the_game_and_at_a_table_that_was_closed(db):
    table = gather()

    checked(table, "gathering", None)
    Table.objects.filter(pk=table.pk).update(stage=Table.Stage.CLOSED)
    checked(fresh(table), "closed", None)


@pytest.mark.parametrize("edition", by_day(1, ["en", "ru"]))
def test_who_may_read_in_every_phase(db, edition):
    table = run_table(edition=edition)
    said = False
    met: set[tuple[Phase, bool]] = set()

    def is_new(state: GameState) -> bool:
        return (state.phase, len(state.alive) < state.players) not in met

    def read(state: GameState, wanted: set[str]) -> None:
        nonlocal said
        people: dict[str, User | None] = {**cast(table, state), "stranger": None}
        if not said:
            chat.say(table=table, user=people["other"], text="Said below", place="table", key="1")
            chat.say(table=table, user=people["guest"], text="Said above", place="gallery", key="2")
            said = True
        for role, user in people.items():
            viewer = Person(user, table)
            paths = [viewer.url]
            if state.phase in (Phase.NOMINATION, Phase.OVER):
                paths += [f"{viewer.url}panels/", f"{viewer.url}talk/"]
            for path in paths:
                html = viewer.get(path).content.decode()
                assert "Said below" in html, (role, path)
                assert ("Said above" in html) == (role in wanted), (role, path, state.phase)

    def seen(state: GameState) -> None:
        met.add((state.phase, len(state.alive) < state.players))
        read(state, READS_GALLERY["running"])

    walk(table, is_new, seen)

    read(state_of(table), READS_GALLERY["over"])
