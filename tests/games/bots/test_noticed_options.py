"""The balance is counted once for mixes that play alike, since bots do not notice all options."""

from collections.abc import Iterable, Iterator

import pytest

from games.rules.actions import Action
from games.rules.editions import (
    CHOICES,
    HOUSE_CHOICES,
    HOUSE_ONLY,
    NUMBERS,
    OPTION_NAMES,
    SWITCHES,
    options_of,
)
from games.services.balance import NOTICED
from games.simulation.games import both, play_game

pytestmark = pytest.mark.nightly

OTHER_VALUES: dict[str, Iterable[object]] = {
    **{name: tuple(values) for name, values in CHOICES.items()},
    **dict.fromkeys(SWITCHES, (False, True)),
    **{name: tuple(values) for name, values in HOUSE_CHOICES.items()},
    **{name: (values[0], values[-1]) for name, values in NUMBERS.items()},
    "fascists": (1, 2),
    "players": ([5, 10], [5, 8]),
    "spoken_formula": ([], ["veto_president"], ["veto_chancellor", "execution", "investigation"]),
}


def games_by(
    name: str, value: object, players: int, *, uniform: int, reasoner: int
) -> Iterator[tuple[Action, ...]]:
    options = options_of("ja", {name: value})
    for kind, games in (("uniform", uniform), ("reasoner", reasoner)):
        for number in range(games):
            yield play_game(options, players, "noticed", number, both(kind)).actions


@pytest.mark.parametrize("name", sorted({*OPTION_NAMES} - {*NOTICED}))
def test_an_option_that_is_not_noticed_changes_no_game(name: str) -> None:
    for players in (5, 8):
        first, *others = (
            list(games_by(name, value, players, uniform=20, reasoner=3))
            for value in OTHER_VALUES[name]
        )
        assert all(other == first for other in others)


@pytest.mark.parametrize("name", [name for name in NOTICED if name != "hitler_knows"])
def test_an_option_that_is_noticed_changes_some_game(name: str) -> None:
    first, *others = OTHER_VALUES[name]
    for other in others:
        pairs = zip(
            *(
                games_by(name, value, 7, uniform=800, reasoner=6 if name in HOUSE_ONLY else 0)
                for value in (first, other)
            ),
            strict=True,
        )
        # Up to the first game that goes another way.
        assert any(one != another for one, another in pairs), other


def test_a_hitler_who_knows_the_fascists_plays_otherwise_in_some_game() -> None:
    never, always = (
        [play_game(options, 7, "noticed", n, both("reasoner")).actions for n in range(10)]
        for options in (options_of("ja", {"hitler_knows": value}) for value in ("never", "always"))
    )
    assert never != always


@pytest.mark.parametrize("players", [5, 8])
def test_both_small_table_rules_are_equal_where_a_table_is_always_or_never_small(
    players: int,
) -> None:
    alive, started = (
        list(games_by("small_table", value, players, uniform=200, reasoner=3))
        for value in ("alive", "started")
    )
    assert alive == started
