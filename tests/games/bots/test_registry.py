"""A new kind of bot is one file and one registration; all else follows."""

import io
import sys
from pathlib import Path
from types import ModuleType

import pytest
from django.core.exceptions import ValidationError
from django.core.management import call_command

import games
from games import bots
from games.bots import registry
from games.models import Seat
from games.rules.components import Party
from games.rules.editions import options_of
from games.rules.view import view_for
from games.simulation.games import play_game

from .scenes import Scene

NEW_FILE = """
from games.bots.registry import Kind, gettext_noop


def choose(view, heard, below):
    return view.legal[-1]


KIND = Kind(name="last", label=gettext_noop("The last legal move"), choose=choose)
"""


@pytest.fixture
def last(monkeypatch):
    """Register a kind of bot from a file of its own."""
    monkeypatch.setattr(registry, "_kinds", dict(registry._kinds))
    module = ModuleType("games.bots.last")
    monkeypatch.setitem(sys.modules, module.__name__, module)
    exec(NEW_FILE, vars(module))
    bots.register(module.KIND)
    return module.KIND


def test_a_new_kind_chooses(last):
    view = view_for(Scene(7).state, 0)
    assert bots.choose("last", view, lambda n: 0) == view.legal[-1]


def test_a_new_kind_plays_whole_games(last):
    mixed = {Party.LIBERAL: "last", Party.FASCIST: bots.BASELINE}
    game = play_game(options_of("en"), 7, "registry", 1, mixed)
    assert game.state.outcome is not None


def test_a_seat_takes_a_new_kind(last):
    field = Seat._meta.get_field("bot")
    assert dict(field.choices)["last"] == "The last legal move"
    field.clean("last", None)


def test_an_unregistered_kind_is_no_choice():
    with pytest.raises(ValidationError):
        Seat._meta.get_field("bot").clean("last", None)


@pytest.mark.django_db
def test_a_new_kind_needs_no_migration(last):
    call_command("makemigrations", "games", check=True, dry_run=True, stdout=io.StringIO())


@pytest.mark.parametrize("name", ["uniform", "", "far too long a name"])
def test_a_bad_name_is_refused(name):
    with pytest.raises(ValueError, match="no name"):
        bots.register(
            bots.Kind(name=name, label="", choose=lambda view, heard, below: view.legal[0])
        )


def test_the_roles_are_played_by_registered_kinds():
    roles = {bots.STAND_IN, bots.HEIR, *bots.CHARACTERS, bots.BASELINE, bots.SKILLED}
    assert roles <= set(bots.names())


def test_nothing_outside_the_package_names_a_kind():
    root = Path(games.__file__).parent
    for path in root.rglob("*.py"):
        inside = path.relative_to(root)
        if inside.parts[0] in ("bots", "migrations"):
            continue
        text = path.read_text(encoding="utf-8")
        assert not any(f'"{name}"' in text for name in bots.names()), inside
