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


@pytest.mark.parametrize("edition", EDITIONS)
def test_the_game_is_set_when_and_where_the_document_sets_it(edition):
    assert "Germany before the war" in told("game", edition)
    setting = told("setting", edition)

    assert ("1932" in setting) == (edition in FINAL)
    assert ("fragile liberal government" in setting) == (edition != "ru-5-6")
    assert ("Weimar Republic" in setting) == (edition == "ru-5-6")


# The table ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("edition", EDITIONS)
def test_the_placards_go_round_clockwise_to_the_left(edition):
    *_, last = blocks(book(edition))["round-steps"].items

    assert "clockwise" in last and "on the left" in last


@pytest.mark.parametrize("edition", EDITIONS)
def test_placards_are_handed_to_the_candidates_and_show_who_was_in_office(edition):
    *_, first_candidate, _night = blocks(book(edition))["setup-steps"].items

    assert "gets both placards: President and Chancellor" in first_candidate
    assert "hand them the Chancellor placard" in told("nomination", edition)
    assert "placards for the last President and Chancellor" in told("nomination", edition)
    assert "hands them the Chancellor placard" in blocks(book(edition))["round-steps"].items[0]


@pytest.mark.parametrize("edition", EDITIONS)
def test_players_talk_until_all_are_ready_to_vote(edition):
    assert "Vote when all of you are ready" in told("discussion", edition)
    assert "until all of you are ready" in blocks(book(edition))["round-steps"].items[1]
    assert "You may ask the others first" in told("nomination", edition)


@pytest.mark.parametrize("edition", EDITIONS)
def test_the_president_hears_all_and_decides_alone(edition):
    text = told("powers-alone", edition)

    assert "may hear what anyone thinks" in text and "for you alone to decide" in text


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


@pytest.mark.parametrize("edition", sorted(set(EDITIONS) - {"ru-5-6"}))
def test_an_investigated_player_hands_over_the_party_and_gets_it_back(edition):
    text = told("investigation-card", edition)

    assert "hands the President their party membership card, never their role" in text
    assert "gives it back" in text


def test_no_card_is_handed_over_without_party_cards_or_an_investigation():
    assert "investigation-card" not in blocks(book(party_cards=False))
    assert "investigation-card" not in blocks(book(players=[5, 6]))
    assert "investigation-card" not in blocks(book("ru-5-6"))


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


@pytest.mark.parametrize("edition", [*FINAL, *EARLY])
def test_the_box_has_envelopes_pile_cards_and_three_boards(edition):
    rows = dict(blocks(book(edition))["components"].rows)
    setup = " ".join(blocks(book(edition))["setup-steps"].items)

    assert rows["Envelopes"] == rows["Party membership cards"] == rows["Secret roles"] == "10"
    assert rows["Ja ballots"] == rows["Nein ballots"] == "10"
    assert rows["Draw pile card"] == rows["Discard pile card"] == "1"
    assert rows["President placard"] == rows["Chancellor placard"] == "1"
    assert rows["Double-sided boards: a fascist track, and a liberal track on the back"] == "3"
    assert "Shuffle the envelopes" in setup and "the draw pile card" in setup
    assert "second board beside it with the liberal track up" in setup


def test_the_small_russian_box_has_three_tracks_two_bullets_and_honorary_badges():
    has = blocks(book("ru-5-6"))
    # Catalogs put word joiners into a range, which keep it on one line.
    rows = {name.replace("\u2060", ""): count for name, count in has["components"].rows}
    setup = " ".join(has["setup-steps"].items)

    assert [n for name, n in rows.items() if name.startswith("Fascist tracks")] == ["3"]
    assert rows["Bullets, one for each execution"] == "2"
    assert "honorary badges" in has["honorary-badges"].text
    assert not {"Envelopes", "Draw pile card", "Party membership cards"} & set(rows)
    assert "envelope" not in setup and "board" not in setup


def test_the_small_russian_role_is_a_card_without_party_and_its_badge_has_a_name():
    assert "No party membership card" in told("party-cards", "ru-5-6")
    assert "“Not Hitler”" in told("badge", "ru-5-6")


def test_the_small_russian_book_is_silent_on_what_cannot_happen():
    has = blocks(book("ru-5-6"))
    assert not {"special-election-order", "night-large", "hitler-alone"} & set(has)
    text = text_of("ru-5-6").lower().replace("there’s no investigation", "")

    assert "investigat" not in text and "special election" not in text
    assert "seven players or more" not in text
    assert not any("shuffle" in item for item in has["open"].items)


# Advice -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("edition", EDITIONS)
def test_the_arithmetic_of_a_majority_is_told_for_each_number_of_players(edition):
    least, most = EDITIONS[edition].players
    rows = {int(players): row for players, *row in blocks(book(edition))["majority"].rows}

    assert list(rows) == list(range(least, most + 1))
    for players, (liberals, needed) in rows.items():
        assert int(needed) == min(ja for ja in range(players + 1) if 2 * ja > players)
        assert int(liberals) >= int(needed)


@pytest.mark.parametrize("edition", EDITIONS)
def test_each_document_gives_its_own_advice_to_each_side(edition):
    has = blocks(book(edition))
    liberals, fascists, hitler = (
        " ".join(has[side].items) for side in ("liberals", "fascists", "hitler")
    )
    early, final, full = edition in EARLY, edition in FINAL, edition != "ru-5-6"

    assert ("claim-liberal" in has) == full
    assert ("Slow down" in liberals) == ("Hurry the votes" in fascists) == full
    assert ("Before you vote, ask" in liberals) == full
    assert ("Keep out of lies" in hitler) == full
    assert ("want a fascist policy yourself" in liberals) == early
    assert ("seat order" in liberals) == early
    assert ("quiet ways to signal" in fascists) == early
    assert ("investigate Hitler early" in fascists) == early
    assert ("call it a mistake" in fascists) == early
    assert ("Tell the truth" in liberals) == final
    assert ("wait for cover" in fascists) == final


def test_no_one_is_told_that_the_pile_runs_out():
    # It never does: a pile of fewer than three policies is shuffled with the discards.
    for edition in EDITIONS:
        assert "runs out" not in str(blocks(book(edition))["liberals"].items)


# The documents ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("editions", "slip"),
    [
        ("en ru", "Hitler doesn’t know the others"),
        ("en pl", "after every fascist policy"),
        ("ru", "so that the President can’t judge it"),
        ("ru", "“Voxleiter”. That’s Mike Boxleiter"),
        ("ru", "shuffle the “bullet”"),
        ("pl", "It’s a duty"),
        ("pl", "must still find out who supports him"),
        ("ja", "Hitler win as President"),
        ("ja", "half of the votes or more"),
        ("it", "only after three fascist policies"),
    ],
)
def test_slips_are_listed_in_the_books_of_their_documents_alone(editions, slip):
    for other in EDITIONS:
        told_slips = getattr(blocks(book(other))["slips"], "items", ())
        assert (slip in " ".join(told_slips)) == (other in editions.split()), other


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
