"""Whole games played through the pages: each step is a button on the page."""

from dataclasses import fields

import pytest
from django.template.loader import render_to_string

from games.models import Table, Terms
from games.services import tables
from games.wording.refusals import Refusal
from tests.builders.person import Person, forms_of
from tests.builders.tables import (
    fascist_dream,
    fresh,
    gather,
    is_over,
    person,
    play_until,
    run_table,
    state_of,
)

# Through the buttons of the page ------------------------------------------------------------------


def test_a_table_is_opened_joined_filled_and_started_by_its_buttons(db):
    ada = Person(person("Ada"), Table())
    answer = ada.post("/tables/new/", {"edition": "en", "seats_wanted": "6", "pace": "normal"})
    assert answer.status_code == 303
    ada.table = table = Table.objects.get()
    boris = Person(person("Boris"), table)

    assert boris.press("join").status_code == 303
    assert ada.press("fill", htmx=True).status_code == 200
    assert ada.press("start").status_code == 303

    assert fresh(table).stage == Table.Stage.RUNNING


def test_players_of_a_public_table_share_its_address(db):
    table = tables.open_table(host=person("Ada"), terms=Terms(edition="en", seats_wanted=6))
    tables.join_table(table=table, user=person("Boris"))
    address = f'value="http://testserver{table.get_absolute_url()}"'

    assert address in Person(person("Boris"), table).page()
    assert 'id="invite"' not in Person(person("Sofia"), table).page()
    blind = tables.open_table(
        host=person("Emil"), terms=Terms(edition="en", seats_wanted=6, is_blind=True)
    )
    assert 'id="invite"' not in Person(person("Emil"), blind).page()


def test_a_whole_game_is_played_by_its_buttons(table, seated):
    state = state_of(table)
    while not is_over(state):
        seat = state.to_act[0]
        action = fascist_dream(state, seat)
        names = [field.name for field in fields(action) if field.name != "seat"]
        parts = [action.kind, *(str(getattr(action, name)) for name in names)]
        answer = seated[seat].press(":".join(parts), htmx=bool(seat % 2))
        assert answer.status_code in (200, 303)
        state = state_of(table)

    assert "again" in [button[0] for button in seated[0].form_with("again")[0].buttons]
    assert seated[1].press("again").status_code == 303
    assert fresh(table).next_table.host == person("Boris")


def test_an_open_table_offers_its_choices_again_with_what_was_wrong(db):
    ada = Person(person("Ada"), Table())

    answer = ada.post("/tables/new/", {"edition": "ru-5-6", "seats_wanted": "9", "pace": "normal"})

    assert answer.status_code == 422
    assert "5 to 6 players" in answer.content.decode()
    assert not Table.objects.exists()


def test_only_those_who_played_find_a_button_to_play_again(table):
    play_until(table, is_over)
    sofia = Person(person("Sofia"), table)

    assert "again" not in sofia.page().split('id="panel-action"')[1].split("</section>")[0]


@pytest.mark.parametrize("htmx", [True, False])
def test_whoever_leaves_a_private_table_finds_themselves_in_the_lobby(db, htmx):
    table = gather(is_private=True)
    host = Person(table.host, table)

    answer = host.press("leave", htmx=htmx)

    assert (answer.headers["HX-Redirect"] if htmx else answer.url) == "/"
    assert host.get("/").status_code == 200


def test_a_move_at_a_closed_table_is_told_that_it_is_closed(db):
    table = gather()
    tables.close_table(table=table, user=table.host)

    answer = Person(table.host, table).post(
        f"{table.get_absolute_url()}act/",
        {"decision": "1-nomination", "key": "k", "choice": "peek"},
    )

    assert answer.status_code == 422
    assert str(Refusal.NOT_OPEN.label) in answer.content.decode()


def test_a_refused_form_leads_back_to_the_table_and_not_to_its_own_address(db):
    table = run_table()
    host = Person(table.host, table)

    answer = host.post(f"{table.get_absolute_url()}act/", {"choice": "nonsense"})

    (language,) = [form for form in forms_of(answer.content.decode()) if "language" in form.action]
    assert language.fields["next"] == table.get_absolute_url()


def test_every_page_credits_the_authors_and_names_the_licence(db, client):
    table = run_table()
    for path in ("/", "/account/register/", "/account/sign-in/", table.get_absolute_url(), "/no/"):
        html = client.get(path).content.decode()
        for credit in ("Boxleiter", "Maranges", "Temkin", "Schubert", "licenses/by-nc-sa/4.0"):
            assert credit in html, path
    assert "Boxleiter" in render_to_string("500.html")
