"""Each edition's book has what its document has, where no option decides it."""

import pytest
from django.template.loader import render_to_string

from games.rulebook import LANGUAGES, TERMS, Term, document
from games.rulebook.glossary import NO_WORD
from games.rules.editions import EDITIONS
from tests.games.rulebook.shelf import blocks, book, told

FINAL, EARLY = ("en", "ru", "pl"), ("ja", "it")


def words_of(name: str) -> Term:
    return next(term for term in TERMS if term.en == name)


# The table ----------------------------------------------------------------------------------------


# The box ------------------------------------------------------------------------------------------


# Advice -------------------------------------------------------------------------------------------


# The documents ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("edition", "question"),
    [
        ("ja", "We read that as the previous candidacy"),
        ("ja", "everyone eligible “for the next round”"),
        ("it", "everyone eligible “during the next election”"),
        ("it", "“a game of five”"),
        ("ru-5-6", "Its round is a government"),
    ],
)
def test_open_questions_are_told_in_the_book_of_their_document_alone(edition, question):
    for other in EDITIONS:
        asked = " ".join(blocks(book(other))["open"].items)
        assert (question in asked) == (other == edition), other


@pytest.mark.parametrize(
    ("edition", "names"),
    [
        ("ru", ["ruthus"]),
        ("ru-5-6", ["teletype.in", "11 June 2020", "We don’t know who wrote it"]),
        ("pl", ["HISTORY"]),
        ("ja", ["tabitter.net", "January 2016", "We don’t know who translated it"]),
        ("it", ["Signor Darcy", "La Tana dei Goblin"]),
    ],
)
def test_each_document_is_given_with_its_translator_and_place(edition, names):
    for name in names:
        assert name in document(edition)


def test_the_authors_have_one_name_each():
    footer = render_to_string("_footer.html")
    for author in ("Mike Boxleiter", "Tommy Maranges", "Max Temkin", "Mac Schubert"):
        assert author in footer
        for edition in EDITIONS:
            assert author in told("authors", edition)


# The glossary -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("term", "language", "word"),
    [
        ("placard", "pl", "identyfikator"),
        ("placard", "ja", "役職表示札"),
        ("placard", "it", "tessera"),
        ("placard", "ru-5-6", "должностная табличка"),
        ("election tracker", "pl", "kalendarz wyborczy (wskaźnik)"),
        ("enact", "it", "emanare"),
        ("enact", "ja", "施行する・発動・承認"),
        ("board", "it", "tracciato"),
        ("track", "ru", "дорожка"),
        ("ballot", "it", "carta Scrutinio"),
        ("ballot", "ru", "карта голосования"),
        ("ballot", "ru-5-6", "карточка голосования"),
        ("executive action", "it", "azione esecutiva"),
        ("investigate", "ja", "調査する"),
        ("investigate", "ru", "исследовать лояльность"),
        ("envelope", "ja", "封筒"),
        ("envelope", "ru", "конверт"),
        ("Secret Hitler", "ja", "シークレットヒトラー"),
        ("execution", "ru", "уничтожение"),
        ("execution", "ru-5-6", "казнь"),
        ("policy", "ru-5-6", "поправка"),
        ("badge", "ru-5-6", "почётная табличка"),
    ],
)
def test_a_term_is_called_what_the_document_calls_it(term, language, word):
    assert words_of(term).word(language) == word


def test_the_small_russian_document_has_no_word_for_what_it_does_not_have():
    without = {term.en for term in TERMS if term.word("ru-5-6") == NO_WORD}

    assert without == {"investigation", "investigate", "special election", "board", "envelope"}
    for term in TERMS:
        assert NO_WORD not in [term.word(code) for code in LANGUAGES if code != "ru-5-6"]
