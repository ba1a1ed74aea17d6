"""Each edition's book has what its document has, where no option decides it."""

import pytest
from django.template.loader import render_to_string

from games.rulebook import TERMS, Term
from games.rulebook.glossary import NO_WORD
from games.rules.editions import EDITIONS
from tests.games.rulebook.shelf import blocks, book, told


def words_of(name: str) -> Term:
    return next(term for term in TERMS if term.en == name)


# The box ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("part", "editions"),
    [
        ("Bullet", {"ru"}),
        ("Bullets", {"ru-5-6"}),
        ("Placards of the former President and the former Chancellor", {"ru"}),
        ("Draw pile card", {"en", "pl", "it"}),
        ("Discard pile card", {"en", "pl"}),
        ("Envelopes", set(EDITIONS)),
        ("Honorary badge", {"ru-5-6"}),
    ],
)
def test_a_part_is_in_the_box_of_the_documents_that_name_it(part, editions):
    found = set()
    for edition in EDITIONS:
        of = blocks(book(edition))
        named = of["components-named"].items if "components-named" in of else ()
        if part in {row[0] for row in of["components"].rows} | {*named}:
            found.add(edition)

    assert found == editions


def test_numbers_of_parts_are_those_of_the_document():
    for edition in ("ru", "ja", "it"):
        assert len(blocks(book(edition))["components"].rows) == 2


# Hints --------------------------------------------------------------------------------------------


def test_a_book_gives_the_hints_of_its_document_alone():
    sides = {
        edition: {"for-all", "liberals", "fascists", "hitler"} & blocks(book(edition)).keys()
        for edition in EDITIONS
    }

    assert sides.pop("ja") == {"for-all", "liberals"}
    assert sides.pop("ru-5-6") == set()
    assert told("no-hints", "ru-5-6") == "The document gives no hints."
    assert all(len(keys) == 4 for keys in sides.values())
    assert "kiss babies" in blocks(book("pl"))["hitler"].items[0]


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
    shown = " ".join(block.text for block in book(edition).chapters[-1].blocks)
    for name in names:
        assert name in shown


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
        ("election tracker", "pl", "kalendarz wyborczy"),
        ("enact", "it", "emanare"),
        ("enact", "ja", "施行する"),
        ("track", "it", "tracciato"),
        ("track", "ru", "дорожка"),
        ("ballot", "it", "carta Scrutinio"),
        ("ballot", "ru", "карта голосования"),
        ("ballot", "ru-5-6", "карточка голосования"),
        ("executive action", "it", "azione esecutiva"),
        ("executive action", "ru", "исполнительные действия"),
        ("executive action", "pl", "realizowanie polityki"),
        ("executive action", "ja", "権限発動"),
        ("party membership", "ru", "командная принадлежность"),
        ("party membership", "ru-5-6", "партийная принадлежность"),
        ("investigate", "ja", "調査する"),
        ("investigate", "it", "interrogare"),
        ("investigate", "ru", "исследовать лояльность"),
        ("envelope", "ja", "封筒"),
        ("envelope", "ru", "конверт"),
        ("envelope", "ru-5-6", "конверт"),
        ("Secret Hitler", "ja", "シークレットヒトラー"),
        ("execution", "ru", "уничтожение"),
        ("execution", "ru-5-6", "казнь"),
        ("policy", "ru-5-6", "поправка"),
        ("badge", "ru-5-6", "почётный знак"),
    ],
)
def test_a_term_is_called_what_the_document_calls_it(term, language, word):
    assert words_of(term).word(language) == word


@pytest.mark.parametrize(
    ("language", "terms"),
    [
        ("ru", {"board", "draw pile card", "discard pile card", "badge"}),
        ("pl", {"bullet", "badge"}),
        ("ja", {"draw pile card", "discard pile card", "bullet", "badge"}),
        ("it", {"discard pile card", "bullet", "badge"}),
        (
            "ru-5-6",
            {"presidential candidate", "eligible", "investigation", "investigate"}
            | {"special election", "board", "draw pile card", "discard pile card"},
        ),
    ],
)
def test_a_document_has_no_word_for_what_it_does_not_have(language, terms):
    assert {term.en for term in TERMS if term.word(language) == NO_WORD} == terms
