"""Each edition's book has what its document has, where no option decides it."""

import pytest
from django.template.loader import render_to_string

from games.rulebook import LANGUAGES, TERMS, Term, document
from games.rulebook.glossary import NO_WORD
from games.rules.editions import EDITIONS
from tests.games.rulebook.shelf import blocks, book, told

FINAL, EARLY = ("en", "ru", "pl"), ("ja", "it")


def text_of(edition: str) -> str:
    return str(blocks(book(edition)))


def words_of(name: str) -> Term:
    return next(term for term in TERMS if term.en == name)


# The table ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("edition", sorted(set(EDITIONS) - {"ru-5-6"}))
def test_only_the_next_neighbour_can_run_twice_in_a_row(edition):
    text = told("special-election-order", edition)

    assert "on the left of the President who called it" in text
    assert "Only that next neighbour, if chosen, runs twice in a row" in text
    assert "hands the President placard" in text


@pytest.mark.parametrize("edition", EDITIONS)
def test_the_night_is_read_aloud_with_pauses_in_which_players_look(edition):
    text = told("night-aloud", edition)

    assert "one of you reads the steps aloud" in text
    assert "pauses whenever players have to look" in text


@pytest.mark.parametrize("edition", EDITIONS)
def test_only_hitler_s_two_answers_must_be_true(edition):
    text = told("truth", edition)

    assert "third fascist policy" in text and "Executed as Hitler" in text
    assert "“Are you Hitler?”" in told("hitler-check", edition)
    assert "They must tell the truth" in told("hitler-check", edition)


@pytest.mark.parametrize("edition", EDITIONS)
def test_only_the_final_rules_forbid_chance_and_gestures(edition):
    has = blocks(book(edition))

    assert ("deliberate" in has) == ("gestures" in has) == (edition in FINAL)


def test_the_final_rules_ask_for_a_choice_and_for_both_policies_together():
    text = told("deliberate")

    assert "don’t draw it at random" in text
    assert "don’t shuffle or rearrange" in text
    assert "hands both policies over together" in text
    assert "Gestures" in told("gestures") and "count as talk" in told("gestures")


# The box ------------------------------------------------------------------------------------------


def test_the_small_russian_book_is_silent_on_what_cannot_happen():
    has = blocks(book("ru-5-6"))
    assert not {"special-election-order", "night-large", "hitler-alone"} & set(has)
    text = text_of("ru-5-6").lower().replace("there’s no investigation", "")

    assert "investigat" not in text and "special election" not in text
    assert "seven players or more" not in text
    assert not any("shuffle" in item for item in has["open"].items)


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
