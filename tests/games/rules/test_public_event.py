"""What everyone may know of an event: built up field by field, and never passed on whole."""

import ast
import inspect
from dataclasses import dataclass, fields
from pathlib import Path
from typing import ClassVar, get_args

import pytest

import games
from games.rules import events, powers
from games.rules.components import Ballot, Party, Policy
from games.rules.view import public_event

EXAMPLES = (
    events.Nominated(1, 2),
    events.Ballots((Ballot.JA, None, Ballot.NEIN)),
    events.Elected(1, 2),
    events.Rejected(1, 2),
    events.Tracker(2),
    events.NotHitler(3),
    events.Enacted(Policy.FASCIST, "chaos"),
    events.Veto(True),
    powers.Investigated(3, Party.FASCIST),
    powers.SpecialElection(4),
    powers.Peeked((Policy.FASCIST, Policy.LIBERAL, Policy.FASCIST)),
    powers.Executed(2),
    events.Shuffled(9),
    events.Candidate(1),
    events.Over(Party.LIBERAL, "hitler_executed"),
)
# The fields that only the acting President knows.
HIDDEN = {("Investigated", "party"), ("Peeked", "policies")}
# Packages and modules that keep, replay or save games, and so read raw positions.
READ_POSITIONS = ("rules", "services", "management", "state", "simulation")


def test_there_is_an_example_of_every_event():
    of_powers = {entry.event for entry in powers.POWERS.values()}
    declared = set(get_args(events.Event)) - {powers.PowerUsed} | of_powers
    assert {type(event) for event in EXAMPLES} == declared
    in_modules = [*inspect.getmembers(events, inspect.isclass), *inspect.getmembers(powers)]
    events_by_name = {value for _, value in in_modules if inspect.isclass(value)}
    assert declared == {
        value
        for value in events_by_name
        if value.__module__ in (events.__name__, powers.__name__)
        and "kind" in vars(value)
        and not issubclass(value, powers.UsePower)
    }


@pytest.mark.parametrize("event", EXAMPLES, ids=lambda event: event.kind)
def test_an_event_is_built_anew_from_its_public_fields(event):
    told = public_event(event)
    assert type(told) is type(event)
    assert told is not event
    for field in fields(event):
        is_hidden = (type(event).__name__, field.name) in HIDDEN
        expected = None if is_hidden else getattr(event, field.name)
        assert getattr(told, field.name) == expected


def test_an_event_without_a_case_is_an_error():
    @dataclass(frozen=True, slots=True)
    class Whispered:
        kind: ClassVar[str] = "whispered"
        secret: Policy

    with pytest.raises(AssertionError):
        public_event(Whispered(Policy.FASCIST))


def test_the_use_of_a_power_without_an_entry_is_an_error():
    @dataclass(frozen=True, slots=True)
    class Overheard(powers.PowerUsed):
        kind: ClassVar[str] = "overheard"
        secret: Policy

    with pytest.raises(KeyError):
        public_event(Overheard(Policy.FASCIST))


def test_a_subclass_of_an_event_takes_nothing_with_it():
    """A field that a subclass adds is not public until `public_event` names it."""

    @dataclass(frozen=True, slots=True)
    class Leaking(events.Shuffled):
        top: Policy = Policy.FASCIST

    assert public_event(Leaking(9)) == events.Shuffled(9)


def test_nothing_that_shows_a_game_reads_its_position():
    """import-linter forbids the imports; this forbids the way through a room."""
    root = Path(games.__file__).parent
    found = []
    for path in root.rglob("*.py"):
        inside = path.relative_to(root)
        if inside.parts[0].removesuffix(".py") in READ_POSITIONS or "migrations" in inside.parts:
            continue
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Attribute) and node.attr == "position":
                found.append(f"{inside}:{node.lineno}")
    assert found == []
