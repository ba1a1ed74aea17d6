"""The gallery is sealed: worlds that differ only in its chat look the same to living players."""

import re
from collections.abc import Callable

import pytest
from django.middleware import csrf
from django.utils import timezone

from games import panels
from games.models import Message, Table
from games.services import chat
from games.state import positions
from tests.builders.person import Person
from tests.builders.sockets import Socket, does
from tests.builders.tables import NAMES, fresh, is_over, person, play_until, run_table, state_of
from tests.nightly import by_day
from tests.second_factor import with_second_factor

SECRET = "It is Ewa, I saw her smile"


@pytest.fixture
def table(db) -> Table:
    return run_table()


@pytest.fixture
def seated(table) -> list[Person]:
    return [Person(person(name), table) for name in NAMES[:5]]


@pytest.fixture
def dead(table, seated) -> Person:
    state = play_until(table, lambda state: len(state.alive) < state.players)
    return seated[next(seat for seat in range(state.players) if seat not in state.alive)]


@pytest.fixture(autouse=True)
def _still(monkeypatch) -> None:
    """Hold still what is random in every page, and the time between two worlds."""
    monkeypatch.setattr(csrf, "_mask_cipher_secret", lambda secret: secret)
    now = timezone.now()
    monkeypatch.setattr(timezone, "now", lambda: now)
    # Tests reuse primary keys.
    forget()


def guest_of(table: Table) -> Person:
    gita = person("Gita")
    chat.enter_gallery(table=table, user=gita)
    return Person(gita, table)


def the_gallery_talks(table: Table) -> None:
    """Let a guest and the dead player write and be muted, and remove one of their messages."""
    guest = guest_of(table)
    state = state_of(table)
    gone = next(seat for seat in range(state.players) if seat not in state.alive)
    ghost = table.seats.get(number=gone).user
    for number in range(5):
        chat.say(table=table, user=guest.user, text=SECRET, place="gallery", key=f"g{number}")
    chat.say(table=table, user=ghost, text=f"@Ada {SECRET}", place="gallery", key="d")
    chat.mute(table=table, user=guest.user, who=f"seat:{gone}")
    root = with_second_factor(person("Root", is_superuser=True, is_staff=True))
    chat.remove_message(table=table, user=root, place="gallery", nth=2, reason="rude")


def forget() -> None:
    positions.forget_all()
    panels.forget_all()


def received(viewer: Person) -> list[tuple[object, ...]]:
    """Return all that the table's URLs answer to this viewer."""
    url = viewer.url
    shown = re.findall(r'data-panel="(\w+)" data-digest="(\w+)"', viewer.page())
    have = " ".join(f"{name}:{digest}" for name, digest in shown)
    asks: list[Callable[[], object]] = [
        lambda: viewer.get(url),
        lambda: viewer.get(f"{url}panels/"),
        lambda: viewer.get(f"{url}panels/", HTTP_X_PANELS=have),
        lambda: viewer.get(f"{url}talk/"),
        lambda: viewer.get(f"{url}talk/?page=2"),
        lambda: viewer.get(f"{url}hearing/", HTTP_HX_REQUEST="true"),
        lambda: viewer.get("/"),
        lambda: viewer.get(f"/moderation/tables/{viewer.table.code}/messages/gallery/1/"),
        lambda: viewer.post(f"{url}mute/", {"who": "guest:1"}, htmx=True),
        lambda: viewer.post(f"{url}mute/", {"who": "guest:1"}),
        lambda: viewer.post(f"{url}say/", {"text": "x", "place": "gallery"}, htmx=True),
        lambda: viewer.post(f"{url}say/", {"text": "x", "place": "elsewhere"}, htmx=True),
    ]
    answers = []
    for ask in asks:
        answer = ask()
        headers = {n: v for n, v in answer.items() if n not in ("X-Request-ID", "Expires")}
        answers.append((answer.status_code, headers, answer.content))
    return answers


@pytest.mark.parametrize("who", by_day(1, ["alive", "not signed in", "signed in", "moderator"]))
def test_whoever_does_not_hear_the_gallery_gets_the_same_bytes_whether_it_talks(
    table, seated, dead, who
):
    state = state_of(table)
    alive = seated[state.alive[0]]
    mona = with_second_factor(person("Mona", is_superuser=True, is_staff=True))
    viewer = {
        "alive": alive,
        "not signed in": Person(None, table),
        "signed in": Person(person("Sofia"), table),
        "moderator": Person(mona, table),
    }[who]
    chat.say(table=table, user=alive.user, text="First", place="table", key="1")
    quiet = received(viewer)

    the_gallery_talks(table)
    forget()
    loud = received(viewer)

    for one, other in zip(quiet, loud, strict=True):
        assert one == other
    assert SECRET.encode() not in b"".join(answer[2] for answer in loud)


def test_what_the_living_say_is_numbered_as_if_no_one_spoke_above(table, seated, dead):
    state = state_of(table)
    alive = seated[state.alive[0]]
    chat.say(table=table, user=alive.user, text="First", place="table", key="1")
    the_gallery_talks(table)
    chat.say(table=table, user=alive.user, text="Second", place="table", key="2")

    page = alive.page()

    assert re.findall(r'id="said-(\w+-\d+)"', page) == ["table-2", "table-1"]
    # The key of the next form counts the speaker's own messages only.
    assert 'name="key" value="2"' in page


def test_those_who_hear_the_gallery_read_it(table, seated, dead):
    the_gallery_talks(table)

    # The dead player reads their own message and those of the guest, who is not muted.
    assert dead.page().count(SECRET) == 5
    # The guest has muted the dead player.
    assert Person(person("Gita"), table).page().count(SECRET) == 4


def test_the_end_opens_the_gallery_to_everyone(table, seated, dead):
    the_gallery_talks(table)
    play_until(table, is_over)

    for viewer in (seated[0], Person(None, table), Person(person("Sofia"), table)):
        assert SECRET in viewer.page()
        assert SECRET in viewer.get(f"{viewer.url}talk/").content.decode()


def test_whoever_was_in_the_gallery_is_refused_a_seat(table):
    guest = guest_of(table)
    with pytest.raises(Exception, match="heard_the_gallery"):
        chat.refuse_gallery_member(table=table, user=guest.user)
    chat.refuse_gallery_member(table=table, user=person("Sofia"))


def test_at_a_blind_table_the_gallery_knows_its_guests_by_number_until_the_end(table, seated, dead):
    guest_of(table)
    chat.say(table=fresh(table), user=person("Gita"), text=SECRET, place="gallery", key="1")
    Table.objects.filter(pk=table.pk).update(is_blind=True)
    forget()

    before = dead.page()
    history = dead.get(f"{dead.url}talk/").content.decode()
    play_until(table, is_over)

    assert "Guest 1" in before and "Gita" not in before
    assert "Guest 1" in history and "Gita" not in history
    assert "Gita" in dead.page()


@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("closed_lines")
async def test_no_frame_comes_to_the_living_when_the_gallery_talks(transactional_db):
    def prepare() -> tuple[Table, Person, Person, Person]:
        table = run_table()
        state = play_until(table, lambda state: len(state.alive) < state.players)
        gone = next(seat for seat in range(state.players) if seat not in state.alive)
        people = [Person(table.seats.get(number=n).user, table) for n in (state.alive[0], gone)]
        return table, people[0], people[1], Person(None, table)

    table, living, ghost, stranger = await does(prepare)()
    sockets = [await Socket(viewer).catches_up() for viewer in (living, stranger, ghost)]

    await does(the_gallery_talks)(table)

    assert "talk" in await sockets[2].frame()
    for socket in sockets[:2]:
        assert await socket.stays_silent()
    # The next message at the table arrives alone.
    await does(chat.say)(
        table=table, user=living.user, text="And below?", place="table", key="below"
    )
    for socket in sockets[:2]:
        answer = await socket.answer()
        # The speaker's own forms also get the key of their next message.
        assert set(answer["panels"]) - {"phrasebook"} == {"talk"}
        assert "And below?" in answer["html"] and "said-table-1" in answer["html"]
        assert SECRET not in answer["html"] and "gallery" not in answer["html"]
    for socket in sockets:
        await socket.line.disconnect()


def test_the_words_that_are_kept_of_a_table_do_not_depend_on_the_gallery(table, seated, dead):
    """Two hundred messages in the gallery do not push out one at the table."""
    state = state_of(table)
    chat.say(table=table, user=seated[state.alive[0]].user, text="Below", place="table", key="1")
    alive = seated[state.alive[0]]
    # Compare a process that heard each message with one that starts.
    assert "Below" in alive.page()
    now = timezone.now()
    Message.objects.bulk_create(
        Message(
            table=table, number=n, nth=n - 1, revised=n, place="gallery", kind="text",
            name="Gita", text=SECRET, at=now,
        )
        for n in range(2, 503)
    )  # fmt: skip
    Table.objects.filter(pk=table.pk).update(talk=502)

    for viewer in (alive, dead):
        assert "Below" in viewer.page()
    forget()
    for viewer in (alive, dead):
        assert "Below" in viewer.page()
