"""The JSON Schema of records, checked against the records that the site writes and reads."""

import copy
import json
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from games.rules import record as records
from games.rules.actions import ACTIONS
from games.rules.chance import SealedChance, commitment_to, hash_of
from games.rules.components import Role
from games.rules.editions import (
    CHOICES,
    EDITIONS,
    NUMBERS,
    OPTION_NAMES,
    Formula,
    Space,
    options_of,
)
from games.rules.phases import Ending
from games.rules.reading import RecordError
from games.rules.record import read_record, record_json
from games.rules.seals import Attempt, Seal
from games.simulation.games import both, play_game
from tests.examples import examples

SCHEMA = json.loads((Path(records.__file__).parent / "record.schema.json").read_text("utf-8"))
VALIDATOR = Draft202012Validator(SCHEMA)
# Rules that depend on the number of seats, the edition or the components: only readers check them.
BEYOND_THE_SCHEMA = {
    "no_such_seat",
    "wrong_length",
    "wrong_pile",
    "wrong_roles",
    "wrong_seats",
    "not_moment",
}


def written(edition: str, players: int, **mix: object) -> dict[str, Any]:
    """Return a finished game as the site writes it, after a round trip through JSON."""
    game = play_game(options_of(edition, mix), players, f"schema {edition}", 1, both("uniform"))
    return json.loads(json.dumps(record_json(game.record(edition))))


def sealed_by_version_2() -> dict[str, Any]:
    """Return a finished game with a seal of version 2 that took two attempts."""
    random = Random("schema")
    seed, given_up = random.randbytes(32), random.randbytes(32)
    contributions = tuple(random.randbytes(32).hex() for _ in range(5))
    seal = Seal(
        commitment_to(seed),
        seed.hex(),
        contributions,
        version=2,
        hashes=tuple(map(hash_of, contributions)),
        by=("player",) * 4 + ("server",),
        attempts=(
            Attempt(
                commitment_to(given_up),
                hashes=tuple(map(hash_of, contributions[::-1])),
                missing=(4,),
                seed=given_up.hex(),
                contributions=(*contributions[:0:-1], None),
            ),
        ),
    )
    data = written("en", 5)
    whole = record_json(
        records.Record(
            edition="en",
            options=EDITIONS["en"],
            seats=tuple(data["seats"]),
            deal=SealedChance(seed, contributions).deal(options_of("en"), 5),
            seal=seal,
        )
    )
    return json.loads(json.dumps(whole))


RECORDS = [
    *(written(edition, 5) for edition in EDITIONS),
    written("pl", 10),
    # In a record, this mix has a key for who speaks.
    written("it", 5, spoken_formula=["veto_chancellor", "veto_president"]),
    sealed_by_version_2(),
]


def test_the_schema_is_a_schema():
    Draft202012Validator.check_schema(SCHEMA)


@pytest.mark.parametrize(
    "data", RECORDS, ids=lambda data: f"{data['edition']}-{len(data['seats'])}"
)
def test_what_the_site_writes_fits_the_schema(data):
    assert list(VALIDATOR.iter_errors(data)) == []
    read_record(data)


def test_the_schema_has_every_name_of_the_rules():
    definitions = SCHEMA["$defs"]
    options = definitions["options"]["properties"]
    assert set(options) == set(OPTION_NAMES)
    for name, choice in CHOICES.items():
        assert set(options[name]["enum"]) == {str(value) for value in choice}
    assert set(options["spoken_formula"]["items"]["enum"]) == {
        str(value).partition("_")[0] for value in Formula
    }
    assert set(SCHEMA["properties"]["edition"]["enum"]) == set(EDITIONS)
    actions = [each["properties"]["action"]["const"] for each in definitions["action"]["oneOf"]]
    assert sorted(actions) == sorted(ACTIONS)
    endings = [each["properties"]["ending"]["enum"] for each in definitions["outcome"]["oneOf"]]
    assert sorted(each for side in endings for each in side) == sorted(
        str(ending) for ending in Ending
    )
    roles = definitions["deal"]["properties"]["roles"]["items"]["enum"]
    assert set(roles) == {str(role) for role in Role}
    assert set(definitions["space"]["enum"]) == {str(space) for space in Space}
    for name, numbers in NUMBERS.items():
        assert (options[name]["minimum"], options[name]["maximum"]) == (numbers[0], numbers[-1])


SPOILS = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-2, 20),
    st.text(max_size=3),
    st.sampled_from(["liberal", "fascist", "hitler", "ja", "peek", "vote", "en", "00" * 32]),
    st.lists(st.integers(0, 3), max_size=2),
    st.dictionaries(st.text(max_size=2), st.integers(), max_size=1),
)


def places(data: Any) -> list[tuple[Any, Any]]:
    """Return every container in the record, once per key; in long lists, only the first items."""
    found: list[tuple[Any, Any]] = []
    items = list(data.items() if isinstance(data, dict) else enumerate(data))
    for key, value in items if isinstance(data, dict) else items[:7]:
        found.append((data, key))
        if isinstance(value, dict | list):
            found += places(value)
    return found


def refusal_of(data: object) -> RecordError | None:
    """Return the reader's reason to refuse the record, or None if it accepts it."""
    try:
        read_record(data)
    except RecordError as error:
        return error
    return None


@given(data=st.data())
@settings(deadline=None, max_examples=examples(200))
def test_the_schema_and_the_reader_agree_on_spoilt_records(data):
    spoilt = copy.deepcopy(data.draw(st.sampled_from(RECORDS)))
    container, key = data.draw(st.sampled_from(places(spoilt)))
    if isinstance(container, dict) and data.draw(st.booleans()):
        del container[key]
    else:
        container[key] = data.draw(SPOILS)
    fits = VALIDATOR.is_valid(spoilt)
    refused = refusal_of(spoilt)
    if refused is None:
        assert fits, [error.message for error in VALIDATOR.iter_errors(spoilt)]
    else:
        # Every seat that revealed needs a contribution. `missing` lists the seats that did not, and
        # the schema does not compare the two.
        is_hidden_part = refused.path.startswith("seal.attempts[0].contributions")
        assert not fits or refused.code in BEYOND_THE_SCHEMA or is_hidden_part, (refused, spoilt)
