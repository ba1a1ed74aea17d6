"""Rulebook lookups for the tests, and every value that an option may have."""

from itertools import combinations

from games.rulebook import Block, Book, book_of
from games.rules.components import roles_for
from games.rules.editions import (
    CHOICES,
    EDITIONS,
    HOUSE_CHOICES,
    NUMBERS,
    SPACES,
    SWITCHES,
    Formula,
    OptionError,
    Options,
    options_of,
)
from games.rules.powers import powers_for

VALUES: dict[str, list[object]] = {
    **{name: [str(value) for value in choices] for name, choices in CHOICES.items()},
    **{name: [True, False] for name in SWITCHES},
    **{name: [str(value) for value in choices] for name, choices in HOUSE_CHOICES.items()},
    **{name: list(numbers) for name, numbers in NUMBERS.items()},
    "players": [[5, 10], [5, 6], [7, 10], [5, 5], [6, 9], [10, 10]],
    "spoken_formula": [
        [str(formula) for formula in some]
        for n in range(len(Formula) + 1)
        for some in combinations(Formula, n)
    ],
}


def book(edition: str = "en", **house_rules: object) -> Book:
    return book_of(edition, options_of(edition, house_rules))


def blocks(of: Book) -> dict[str, Block]:
    return {block.key: block for chapter in of.chapters for block in chapter.blocks}


def told(key: str, edition: str = "en", **house_rules: object) -> str:
    """Return the text of the paragraph with this key."""
    block = blocks(book(edition, **house_rules))[key]
    return block.text


def mutations() -> list[tuple[str, str, object]]:
    """Return each edition with each option changed to each value that is not its own."""
    return [
        (edition, name, value)
        for edition, options in EDITIONS.items()
        for name, values in VALUES.items()
        for value in values
        if is_possible(edition, name, value)
        and getattr(options_of(edition, {name: value}), name) != getattr(options, name)
    ]


def is_possible(edition: str, name: str, value: object) -> bool:
    """Return whether this house rule fits the edition's numbers of players."""
    try:
        options_of(edition, {name: value})
    except OptionError:
        return False
    return True


def matters(options: Options, name: str) -> bool:
    """Return whether the option can matter.

    Hitler signals only at tables of seven or more, and a house rule may name the book's own power.
    """
    least, most = options.players
    if name in SPACES:
        return any(options.powers(n) != powers_for(n) for n in range(least, most + 1))
    if name == "fascists":
        return any(options.roles(n) != roles_for(n) for n in range(least, most + 1))
    return name != "hitler_signal" or most >= 7
