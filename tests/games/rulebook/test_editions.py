"""Each edition's book has what its document has, where no option decides it."""

import pytest

from games.rulebook import TERMS
from games.rules.editions import EDITIONS
from tests.games.rulebook.shelf import blocks, book, told

FINAL, EARLY = ("en", "ru", "pl"), ("ja", "it")


def text_of(edition: str) -> str:
    return str(blocks(book(edition)))


@pytest.mark.parametrize("edition", EDITIONS)
def test_the_placards_go_round_clockwise_after_talk_and_a_vote(edition):
    steps = " ".join(blocks(book(edition))["round-steps"].items)

    assert "clockwise" in steps and "left" in steps
    assert "gets both placards" in blocks(book(edition))["setup-steps"].items[3]
    assert "when all of you are ready" in told("discussion", edition)
    assert "for you alone to decide" in told("powers-alone", edition)


@pytest.mark.parametrize("edition", EDITIONS)
def test_only_hitler_s_two_answers_must_be_true(edition):
    text = told("truth", edition)

    assert "third fascist policy" in text and "Executed as Hitler" in text
    assert "“Are you Hitler?”" in told("hitler-check", edition)


@pytest.mark.parametrize("edition", EDITIONS)
def test_only_the_final_rules_forbid_chance_and_gestures(edition):
    has = blocks(book(edition))

    assert ("deliberate" in has) == ("gestures" in has) == (edition in FINAL)


@pytest.mark.parametrize("edition", [*FINAL, *EARLY])
def test_the_box_has_envelopes_pile_cards_and_three_boards(edition):
    rows = dict(blocks(book(edition))["components"].rows)

    assert rows["Envelopes"] == "10"
    assert rows["Draw pile card"] == rows["Discard pile card"] == "1"
    assert rows["Double-sided boards: a fascist track, and a liberal track on the back"] == "3"


def test_the_small_russian_box_has_three_tracks_two_bullets_and_honorary_badges():
    has = blocks(book("ru-5-6"))
    rows = dict(has["components"].rows)

    assert [n for name, n in rows.items() if name.startswith("Fascist tracks")] == ["3"]
    assert rows["Bullets, one for each execution"] == "2"
    assert "honorary-badges" in has and "Envelopes" not in rows


def test_the_small_russian_book_is_silent_on_what_cannot_happen():
    assert "special-election-order" not in blocks(book("ru-5-6"))
    text = text_of("ru-5-6").lower().replace("there’s no investigation", "")

    assert "investigat" not in text and "special election" not in text
    assert not any("shuffle" in item for item in blocks(book("ru-5-6"))["open"].items)


def test_only_the_next_neighbour_runs_twice_in_a_row():
    assert "Only that next neighbour" in told("special-election-order", "pl")


@pytest.mark.parametrize("edition", EDITIONS)
def test_each_document_gives_its_own_advice(edition):
    has = blocks(book(edition))
    liberals, fascists = " ".join(has["liberals"].items), " ".join(has["fascists"].items)

    assert ("want a fascist policy yourself" in liberals) == (edition in EARLY)
    assert ("seat order" in liberals) == (edition in EARLY)
    assert ("Tell the truth" in liberals) == (edition in FINAL)
    assert ("investigate Hitler early" in fascists) == (edition in EARLY)
    assert ("Slow down" in liberals) == ("Hurry" in fascists) == (edition != "ru-5-6")


def test_slips_and_open_questions_are_those_of_the_document():
    assert "Voxleiter" in text_of("ru") and "bullet" in text_of("ru")
    assert "who supports him" in text_of("pl") and "every fascist policy" in text_of("pl")
    assert "previous candidacy" in text_of("ja")
    assert "during the next election" in text_of("it") and "a game of five" in text_of("it")


def test_the_glossary_has_the_words_for_what_players_handle():
    terms = {term.en: term for term in TERMS}

    assert terms["placard"].pl == "identyfikator" and terms["placard"].ja == "役職表示札"
    assert terms["ballot"].it == "carta Scrutinio"
    assert terms["execution"].word("ru") == "уничтожение"
    assert terms["execution"].word("ru-5-6") == "казнь"
    assert {"board", "enact", "investigate", "envelope", "track"} <= set(terms)
