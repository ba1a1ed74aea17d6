"""A player's notes: stored with the table and shown to their owner only."""

import pytest
from django.contrib.auth.models import Permission

from games.models import Note
from games.services import notes
from games.services.notes import NotesTooLong
from tests.builders.person import Person
from tests.builders.tables import is_over, person, play_until

pytestmark = pytest.mark.django_db

SECRET = "Ewa smiled when the third card fell"


def save(viewer: Person, text: str, base: int = 0, *, htmx: bool = True, **marks: str):
    data = {"text": text, "base": str(base), **marks}
    return viewer.post(f"{viewer.url}notes/", data, htmx=htmx)


def form(viewer: Person) -> str:
    """Return the form as the table's page asks for it."""
    answer = viewer.get(f"{viewer.url}notes/", HTTP_HX_REQUEST="true")
    assert "no-store" in answer.headers["Cache-Control"]
    return answer.content.decode()


def noted(viewer: Person) -> Note:
    return notes.notes_of(table=viewer.table, user=viewer.user)


def test_what_is_typed_is_saved_and_stands_in_the_form_again(seated):
    answer = save(seated[0], SECRET, mark_4="hitler", mark_1="liberal", mark_2="")

    assert answer.status_code == 200
    assert "Saved" in answer.content.decode()
    page = form(seated[0])
    assert SECRET in page
    assert 'name="mark_4" value="hitler" checked' in page
    assert noted(seated[0]).marks == {"1": "liberal", "4": "hitler"}


def test_without_a_script_the_form_saves_and_comes_back_to_the_table(seated):
    answer = save(seated[0], SECRET, htmx=False)

    assert (answer.status_code, answer.headers["Location"]) == (303, seated[0].url)
    assert f'href="{seated[0].url}notes/"' in seated[0].page()
    assert SECRET in seated[0].get(f"{seated[0].url}notes/").content.decode()


def test_the_table_s_page_asks_for_the_form_at_once_only_if_it_has_notes(seated):
    assert 'data-hx-trigger="intersect once, click"' in seated[0].page()
    save(seated[0], "", mark_4="hitler")

    # Its marks stand at the seats too.
    assert 'data-hx-trigger="load, click"' in seated[0].page()
    assert 'id="notes-text"' not in seated[0].page()


def test_no_one_else_is_ever_shown_a_note(seated, spectator, stranger, table):
    save(seated[0], SECRET, mark_4="hitler")
    moderator = person("Mira", is_staff=True)
    moderator.user_permissions.set(Permission.objects.all())
    root = person("Root", is_staff=True, is_superuser=True)
    others = [*seated[1:2], spectator, stranger, Person(moderator, table), Person(root, table)]

    def surfaces(viewer: Person) -> list[str]:
        return [
            viewer.url,
            f"{viewer.url}panels/",
            f"{viewer.url}notes/",
            f"{viewer.url}record/",
            "/",
            "/account/notifications/",
            "/account/people/",
            "/admin/",
        ]

    for _ in range(2):
        for viewer in others:
            for path in surfaces(viewer):
                html = viewer.get(path).content.decode()
                assert SECRET not in html, (viewer.user, path)
                assert 'value="hitler" checked' not in html, (viewer.user, path)
        # Check again after the game, when all cards are open.
        play_until(table, is_over)


def test_a_note_is_in_no_panel(seated):
    save(seated[0], SECRET)

    assert SECRET not in seated[0].get(f"{seated[0].url}panels/").content.decode()


def test_the_owner_reads_the_notes_again_beside_who_everyone_was(seated, table):
    save(seated[0], SECRET, mark_4="fascist")
    play_until(table, is_over)

    page = form(seated[0])

    assert SECRET in page
    assert 'name="mark_4" value="fascist" checked' in page
    assert 'class="suspicion-was"' in page


def test_roles_are_not_told_beside_the_marks_before_the_end(seated):
    assert 'class="suspicion-was"' not in form(seated[0])


def test_a_second_window_writes_over_the_first_and_says_so_and_loses_nothing(seated):
    save(seated[0], "from the first window")
    answer = save(seated[0], "from the second", base=0)

    html = answer.content.decode()
    assert "in another window" in html
    assert "from the first window" in html
    assert noted(seated[0]).text == "from the second"
    # The form now has the current version of the note.
    assert "in another window" not in save(seated[0], "and more", base=2).content.decode()


def test_letters_are_counted_as_readers_count_them(seated):
    family = "\U0001f468\u200d\U0001f469\u200d\U0001f467"
    user, table = seated[0].user, seated[0].table
    notes.write_note(table=table, user=user, text=family * 2000, marks={}, base=0)
    with pytest.raises(NotesTooLong):
        notes.write_note(table=table, user=user, text=family * 2001, marks={}, base=1)


@pytest.mark.parametrize("htmx", [True, False])
def test_what_is_too_long_is_not_saved_and_comes_back(seated, htmx):
    save(seated[0], SECRET)

    answer = save(seated[0], "b" * 2003, base=1, htmx=htmx)

    assert answer.status_code == 422
    assert "3 characters too many" in answer.content.decode()
    # htmx leaves the text box alone; a full page must fill it in.
    assert ("b" * 2003 in answer.content.decode()) is not htmx
    assert noted(seated[0]).text == SECRET


@pytest.mark.parametrize(
    "bad", [{"mark_1": "king"}, {"base": "-1"}, {"base": "x"}, {"text": "a\0b"}]
)
def test_nonsense_changes_nothing_and_loses_nothing(seated, bad):
    save(seated[0], SECRET)
    data = {"text": "kept in the box", "base": "1", **bad}

    answer = seated[0].post(f"{seated[0].url}notes/", data)

    assert answer.status_code == 422
    assert ("kept in the box" in answer.content.decode()) or "text" in bad
    assert noted(seated[0]).text == SECRET


def test_notes_are_of_one_table(seated, neighbour, spectator):
    save(spectator, SECRET)
    elsewhere = Person(spectator.user, person("Nadia").seats.get().table)

    assert SECRET in form(spectator)
    assert SECRET not in form(elsewhere)
