"""What is said before everyone at the table: set words, and whether a player is Hitler."""

import re
from html import unescape

import pytest

from games.rules.actions import AnswerVeto, Discard, Enact, Nominate, ProposeVeto, Vote
from games.rules.components import Ballot
from games.rules.phases import Phase
from tests.builders.person import Person
from tests.builders.tables import act, play_until, run_table, state_of, user_at

pytestmark = pytest.mark.django_db

HITLER = 4
MOVED = {
    "en": "“President, I move that we veto this agenda.”",
    "ja": "“I want to invoke the veto.”",
    "it": "“I want to veto this agenda.”",
}
CONSENTED = "“I consent to the veto"


def page(table, seat: int | None) -> str:
    return Person(None if seat is None else user_at(table, seat), table).page()


def panel(name: str, html: str) -> str:
    """Return the text of a panel, without tags."""
    found = re.search(rf'id="panel-{name}".*?</section>', html, re.DOTALL)
    assert found is not None
    return " ".join(unescape(re.sub(r"<[^>]*>", "", found[0].replace("</p>", " "))).split())


def banner(table, seat: int | None = None) -> str:
    return panel("banner", page(table, seat))


def fourth_government(table):
    """Play until a government is up for election of which a Hitler Chancellor would win."""
    return play_until(table, lambda state: state.fascist == 3 and state.phase is Phase.NOMINATION)


def elect(table, chancellor: int):
    state = act(table, Nominate(state_of(table).candidate, chancellor))
    for seat in state.to_act:
        state = act(table, Vote(seat, Ballot.JA))
    return state


# What a government came to ------------------------------------------------------------------


def test_until_the_next_election_everyone_reads_what_the_last_government_came_to(db):
    table = run_table()
    assert "enacts" not in banner(table)
    state = play_until(table, lambda state: state.fascist == 1)
    chancellor = user_at(table, state.governments[-1].chancellor).username
    enacted = f"Chancellor {chancellor} enacts a fascist policy."
    assert enacted in banner(table)

    state = act(table, Nominate(state.candidate, (state.candidate + 2) % 5))
    assert enacted not in banner(table)
    for seat in state.to_act:
        act(table, Vote(seat, Ballot.NEIN))

    assert "The government is rejected" in banner(table)


def test_the_warning_of_hitler_stays_until_the_ballots_are_cast(db):
    table = run_table()
    state = fourth_government(table)
    warning = "If Hitler is elected Chancellor now, the fascists win."
    assert warning in banner(table)

    act(table, Nominate(state.candidate, (state.candidate + 2) % 5))

    assert warning in banner(table)


# The moment of truth ------------------------------------------------------------------------


def test_before_the_third_fascist_policy_no_chancellor_is_asked():
    table = run_table()
    play_until(table, lambda state: state.fascist == 2 and state.phase is Phase.PRESIDENT_DISCARDS)
    assert "Hitler?" not in banner(table)


def test_everyone_reads_question_and_answer_until_the_next_event():
    table = run_table()
    state = fourth_government(table)
    chancellor = next(seat for seat in state.eligible if seat != HITLER)
    name = table.seats.get(number=chancellor).name
    said = f"“Chancellor {name}, are you Hitler?” “No, I am not Hitler.”"

    state = elect(table, chancellor)
    for seat in (None, *state.alive):
        assert said in banner(table, seat)
    state = act(table, Discard(state.president, state.hand[0]))
    assert said in banner(table)

    act(table, Enact(state.chancellor, state.hand[0]))
    assert "Hitler?" not in banner(table)


def test_a_vote_that_fails_asks_no_one():
    table = run_table()
    state = fourth_government(table)
    state = act(table, Nominate(state.candidate, HITLER))
    for seat in state.to_act:
        act(table, Vote(seat, Ballot.NEIN))
    assert "Hitler?" not in banner(table)


def test_hitler_elected_chancellor_answers_yes():
    table = run_table()
    fourth_government(table)
    name = table.seats.get(number=HITLER).name
    elect(table, HITLER)
    assert f"“Chancellor {name}, are you Hitler?” “Yes, I am Hitler.”" in banner(table)


def test_at_a_table_by_the_italian_rules_hitler_declares_it_without_being_asked():
    table = run_table(edition="it")
    fourth_government(table)
    name = table.seats.get(number=HITLER).name
    elect(table, HITLER)
    assert f"Chancellor {name} declares: “I am Hitler.”" in banner(table)
    assert "are you Hitler" not in page(table, None)


# Set words ------------------------------------------------------------------------------------


def veto_at(edition: str):
    table = run_table(edition=edition)
    state = play_until(
        table, lambda state: state.veto_unlocked and state.phase is Phase.CHANCELLOR_ENACTS
    )
    return table, state


@pytest.mark.parametrize("edition", ["en", "ja"])
def test_the_chancellors_button_has_the_words_and_the_table_reads_them(edition):
    table, state = veto_at(edition)
    assert MOVED[edition] in panel("action", page(table, state.chancellor))

    act(table, ProposeVeto(state.chancellor))
    assert MOVED[edition] in banner(table)


def test_only_a_president_who_has_a_formula_is_given_words_to_consent_with():
    for edition, has_words in (("pl", True), ("it", False)):
        table, state = veto_at(edition)
        act(table, ProposeVeto(state.chancellor))
        assert (CONSENTED in panel("action", page(table, state.president))) is has_words
        act(table, AnswerVeto(state.president, consent=True))
        # Now only the log can have them.
        assert (CONSENTED in unescape(page(table, None))) is has_words


def test_a_table_from_before_each_officer_had_a_formula_goes_on_as_its_edition_speaks():
    # When `veto` stood for all who speak at one.
    table, state = veto_at("it")
    table.house_rules = {"spoken_formula": ["veto"]}
    table.save()

    act(table, ProposeVeto(state.chancellor))

    assert MOVED["it"] in banner(table)
    assert CONSENTED not in panel("action", page(table, state.president))
