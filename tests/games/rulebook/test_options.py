"""A rulebook mentions every option, exactly in the paragraphs that depend on it."""

import pytest

from games.rulebook import Book, Chapter, differing
from games.rules.editions import BY_PLAYERS, EDITIONS, OPTION_NAMES, options_of
from tests.games.rulebook.shelf import VALUES, blocks, book, is_possible, matters, mutations


def test_every_option_is_tried():
    assert set(VALUES) == set(OPTION_NAMES)


@pytest.mark.parametrize("edition", EDITIONS)
def test_each_value_of_an_option_changes_rules_and_only_those_that_depend_on_it(edition):
    for base, name, value in mutations():
        if base != edition:
            continue
        before, after = book(edition), book(edition, **{name: value})
        changed = differing(before, after)
        if matters(options_of(edition, {name: value}), name):
            assert changed, (name, value)
        for difference in changed:
            assert causes(name) & {*difference.about}, (name, value, difference)


def causes(name: str) -> set[str]:
    """Return the options that this one may change: fascists and powers limit the players."""
    return {name, "players"} if name in BY_PLAYERS else {name}


@pytest.mark.nightly
def test_what_no_rule_of_this_table_depends_on_is_told_at_a_glance_all_the_same():
    for edition, name, value in mutations():
        before, after = blocks(book(edition)), blocks(book(edition, **{name: value}))
        assert before["options"] != after["options"], (edition, name, value)


def test_no_two_values_of_an_option_are_told_alike():
    for edition in EDITIONS:
        for name, values in VALUES.items():
            books = []
            for value in values:
                if is_possible(edition, name, value) and matters(
                    options_of(edition, {name: value}), name
                ):
                    books.append(book(edition, **{name: value}))
            for i, one in enumerate(books):
                for other in books[:i]:
                    assert rules(one) != rules(other), (edition, name)


def rules(of: Book) -> list[Chapter]:
    return [chapter for chapter in of.chapters if chapter.is_rules]


@pytest.mark.nightly
def test_hints_and_open_questions_depend_on_what_they_name_too():
    for edition, name, value in mutations():
        before, after = blocks(book(edition)), blocks(book(edition, **{name: value}))
        for key in before.keys() & after.keys():
            if before[key] != after[key]:
                assert causes(name) & {*before[key].about}, (edition, name, key)


def test_editions_differ_in_the_rules_where_their_options_do_and_nowhere_else():
    for one in EDITIONS:
        for other in EDITIONS:
            names = {
                name
                for name in OPTION_NAMES
                if getattr(EDITIONS[one], name) != getattr(EDITIONS[other], name)
            }
            found = differing(book(one), book(other))
            about = {name for difference in found for name in difference.about}
            assert bool(found) == bool(names)
            small = min(EDITIONS[one].players[1], EDITIONS[other].players[1]) < 7
            assert names - ({"hitler_signal"} if small else set()) <= about


# What other editions have and this one has not. Where an election returns the tracker to 0, no veto
# brings chaos. Five or six players have two powers less, and Hitler knows the fascist.
WITHOUT: dict[str, set[str]] = {
    "en": set(),
    "ru": {"badge"},
    "ru-5-6": {
        "veto-chaos",
        "investigation",
        "investigation-card",
        "special-election",
        "night-large",
        "hitler-alone",
    },
    "pl": {"badge"},
    "ja": {"badge", "veto-chaos"},
    "it": {"badge", "veto-chaos"},
}


@pytest.mark.parametrize("edition", EDITIONS)
def test_a_comparison_says_that_an_edition_has_no_rule_only_where_it_has_none(edition):
    lacked = {
        difference.other[0].key
        for other in EDITIONS
        for difference in differing(book(edition), book(other))
        if not difference.one
    }

    assert lacked == WITHOUT[edition]


def test_english_and_polish_rules_are_the_same():
    assert differing(book("en"), book("pl")) == []


def test_no_two_places_of_a_book_have_one_anchor():
    for edition in EDITIONS:
        chapters = book(edition).chapters
        anchors = [chapter.anchor for chapter in chapters]
        anchors += [block.key for chapter in chapters for block in chapter.blocks]
        assert len(anchors) == len(set(anchors))


def test_every_value_of_every_option_has_a_place_where_the_page_tells_it():
    book_blocks = blocks(book("en"))
    told = {name for key, block in book_blocks.items() if key != "options" for name in block.about}

    assert told == set(OPTION_NAMES)
