"""Each sentence of an edition's book comes from that edition's document, or is marked as ours."""

from collections import Counter

import pytest
from django.utils import translation

from games.rulebook import Book, book_of, document
from games.rulebook.sources import marked, parts_of, sentences_of, sources_of
from games.rules.editions import EDITIONS, OPTION_NAMES, options_of

WITH_DOCUMENT = [edition for edition in EDITIONS if edition != "en"]
# They say how this site works, and who made the document.
OF_SITE = frozenset({"clocks", "glance", "credits"})
MOST_WORDS = 15


def english(edition: str) -> Book:
    with translation.override("en"):
        return book_of(edition, options_of(edition))


def parts(edition: str, without: frozenset[str] = OF_SITE) -> list[str]:
    """Return the paragraphs, steps and rows of a book, without those about this site."""
    return [
        part
        for chapter in english(edition).chapters
        if chapter.anchor not in without
        for block in chapter.blocks
        if not getattr(block, "is_of_site", False)
        for part in parts_of(block)
    ]


@pytest.mark.parametrize("edition", WITH_DOCUMENT)
def test_each_statement_of_a_document_has_a_place(edition):
    shown = {sentence for part in parts(edition, frozenset()) for sentence in sentences_of(part)}
    for statement in sources_of(edition).statements:
        assert statement.shown or statement.options or statement.left_out, statement
        assert set(statement.shown) <= shown, statement
        assert set(statement.options) <= set(OPTION_NAMES), statement
        assert len(statement.says.split()) <= MOST_WORDS, statement


@pytest.mark.parametrize("edition", WITH_DOCUMENT)
def test_each_sentence_of_a_book_is_of_its_own_document_or_of_this_site(edition):
    sources = sources_of(edition)
    stated = {sentence for statement in sources.statements for sentence in statement.shown}
    said = [sentence for part in parts(edition) for sentence in sentences_of(part)]

    assert [sentence for sentence in said if sentence not in stated | sources.own.keys()] == []
    assert stated & sources.own.keys() == set()
    assert sources.own.keys() <= set(said)


@pytest.mark.parametrize("edition", WITH_DOCUMENT)
def test_no_part_of_a_book_is_half_the_document_s_and_half_ours(edition):
    """A mark stands at a whole part, so it would be wrong of one half."""
    own = sources_of(edition).own
    mixed = Counter(
        part
        for part in parts(edition)
        if 0 < sum(sentence in own for sentence in sentences_of(part)) < len(sentences_of(part))
    )
    assert list(mixed) == []


@pytest.mark.parametrize("edition", WITH_DOCUMENT)
def test_what_the_site_knows_of_a_document_s_origin_is_marked(edition):
    book = english(edition)
    by_us = [
        block
        for block in book.chapters[-1].blocks
        if block.text.startswith(("It follows", "We don’t know"))
    ]
    assert [marked(block, book).is_own for block in by_us] == [True]
    assert not {"follow", "know"} & set(document(edition).split())


@pytest.mark.parametrize("edition", EDITIONS)
def test_the_table_of_paces_is_marked_as_this_site_s(edition):
    book = english(edition)
    paces = next(
        block for chapter in book.chapters for block in chapter.blocks if block.key == "paces"
    )
    assert marked(paces, book).is_own
