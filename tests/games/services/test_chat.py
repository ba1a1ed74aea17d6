"""Chat at a table: how messages are shown, whom they reach, and what is refused."""

import pytest
from django.contrib.auth.models import Permission

from accounts.models import Block
from games import panels
from games.models import Chat, Message, Table
from games.rules.actions import Nominate
from games.rules.phases import Phase
from games.services import chat, tables
from games.state import positions
from games.text.sanitising import LONGEST, clean_text
from games.wording.refusals import Refusal, Refused
from tests.bench.counting import counting
from tests.builders.person import Person
from tests.builders.sockets import Socket, does
from tests.builders.tables import (
    act,
    fresh,
    gather,
    in_phase,
    is_over,
    person,
    play_until,
    run_table,
)
from tests.second_factor import with_second_factor


def say(viewer: Person, text: str, *, place: str = "table", key: str = "", htmx: bool = True):
    data = {"text": text, "place": place, "key": key}
    return viewer.post(f"{viewer.url}say/", data, htmx=htmx)


def refused(viewer: Person, text: str, **how: str) -> Refusal:
    with pytest.raises(Refused) as error:
        chat.say(
            table=viewer.table, user=viewer.user, text=text, place=how.get("place", "table"), key=""
        )
    return error.value.refusal


# Posting --------------------------------------------------------------------------------------


def test_what_is_said_is_read_by_everyone_who_sees_the_table(seated, stranger):
    answer = say(seated[0], "Good evening")

    assert answer.status_code == 200 and "Good evening" in answer.content.decode()
    for viewer in (seated[3], stranger):
        assert "Good evening" in viewer.page()


def test_a_plain_form_says_it_too_and_comes_back_to_the_talk(seated):
    answer = say(seated[0], "Good evening", htmx=False)

    assert answer.headers["Location"] == f"{seated[0].url}#talk"
    assert "Good evening" in seated[0].page()


@pytest.mark.parametrize("htmx", [True, False])
def test_a_refused_text_comes_back_with_why(seated, htmx):
    text = "a" * (LONGEST + 1)

    answer = say(seated[0], text, htmx=htmx)

    assert answer.status_code == 422
    html = answer.content.decode()
    assert str(Refusal.TOO_LONG.label) in html
    # htmx leaves the text box alone; a full page must fill it in.
    assert (f">{text}</textarea>" in html) is not htmx
    assert "HX-Trigger" not in answer.headers


def test_silence_is_shown_with_whom_it_concerns_and_ends_by_itself(table, seated, stranger):
    state = play_until(table, in_phase(Phase.PRESIDENT_DISCARDS))
    for viewer in (*seated, stranger):
        assert 'class="silence"' in viewer.page()
    president, other = seated[state.president], seated[4]
    assert 'form="say" disabled' in president.page()
    assert 'form="say" disabled' not in other.page()

    play_until(table, in_phase(Phase.NOMINATION))

    assert 'class="silence"' not in president.page()
    assert say(president, "I drew three").status_code == 200


def test_what_is_overdue_is_settled_before_anyone_is_heard(table, seated):
    """Silence depends on the game as it stands now, not as it was last settled."""
    state = play_until(table, in_phase(Phase.ELECTION))
    late = fresh(table).game.deadline + (fresh(table).game.deadline - fresh(table).created_at)

    with pytest.raises(Refused) as error:
        chat.say(
            table=table, user=seated[state.candidate].user, text="Ja!", place="table", key="",
            now=late,
        )  # fmt: skip

    # The clock's stand-ins voted first, and then the session began.
    assert error.value.refusal is Refusal.SILENT_PAIR


def test_the_same_key_says_it_once_and_another_text_is_another_message(seated, table):
    for text in ("Yes", "Yes", "No"):
        assert say(seated[0], text, key="7").status_code == 200
    assert [m.text for m in table.messages.all()] == ["Yes", "No"]


@pytest.mark.parametrize(
    ("chat", "why"), [(Chat.PHRASES, Refusal.PHRASES_ONLY), (Chat.NONE, Refusal.NO_TALK)]
)
def test_a_table_may_want_no_words(seated, dead, table, chat, why):
    Table.objects.filter(pk=table.pk).update(chat=chat)
    alive = next(viewer for viewer in seated if viewer is not dead)

    assert refused(alive, "Hello") is why
    assert refused(dead, "Hello", place="gallery") is why
    assert "may-write" not in alive.page()


def test_a_message_that_is_not_said_is_not_counted(seated, table):
    refused(seated[0], " \u200b\u202e ")
    assert fresh(table).talk == 0 and not table.messages.exists()


# Words ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("typed", "shown"),
    [
        ("one\r\ntwo\n\nthree", "one two three"),
        ("safe \u202egnp.exe\u202c \u2066x\u2069", "safe gnp.exe x"),
        ("q" + "\u0302" * 9, "q" + "\u0302" * 3),
        ("क्\u200dष می\u200cخواهم", "क्\u200dष می\u200cخواهم"),
        ("a\u200db\u200cc", "abc"),
        ("👩\u200d👩\u200d👧 ❤\ufe0f", "👩\u200d👩\u200d👧 ❤\ufe0f"),
        ("e\u0301", "é"),
        ("x\ufeffy\u00adz\U000e0041", "xyz"),
    ],
)
def test_nothing_hidden_is_left_in_a_text(typed, shown):
    assert clean_text(typed) == shown


@pytest.mark.parametrize("nothing", ["", " \n", "\u3164\u2800", "\u200d\u200c", "\u0301"])
def test_what_shows_nothing_is_not_said(nothing):
    with pytest.raises(Refused) as error:
        clean_text(nothing)
    assert error.value.refusal is Refusal.SAYS_NOTHING


# Muting and blocking --------------------------------------------------------------------------


def test_whom_i_mute_i_do_not_read_and_others_do(seated):
    say(seated[1], "Blah blah")
    seated[0].post(f"{seated[0].url}mute/", {"who": "seat:1"})

    assert "Blah blah" not in seated[0].page()
    assert "Blah blah" not in seated[0].get(f"{seated[0].url}talk/").content.decode()
    assert "Blah blah" in seated[2].page()

    seated[0].post(f"{seated[0].url}unmute/", {"who": "seat:1"})
    assert "Blah blah" in seated[0].page()


@pytest.mark.parametrize("who", ["", "seat:0", "seat:9", "seat:x", "guest:1", "user:1", "seat:²"])
def test_no_one_mutes_themselves_or_someone_who_is_not_there(seated, who):
    answer = seated[0].post(f"{seated[0].url}mute/", {"who": who})
    assert answer.status_code == 422
    assert str(Refusal.NOBODY_THERE.label) in answer.content.decode()


def test_whom_i_block_i_read_nowhere(seated):
    say(seated[1], "Blah blah")
    seated[0].post(f"{seated[0].url}block/", {"who": "seat:1"})

    assert Block.objects.filter(blocker=seated[0].user, blocked=seated[1].user).exists()
    assert "Blah blah" not in seated[0].page()


def test_at_a_blind_table_a_block_tells_no_one_who_sits_there(table, seated):
    Block.objects.create(blocker=seated[0].user, blocked=seated[1].user)
    Table.objects.filter(pk=table.pk).update(is_blind=True)
    say(seated[1], "Blah blah")

    assert "Blah blah" in seated[0].page()
    answer = seated[0].post(f"{seated[0].url}block/", {"who": "seat:2"})
    assert answer.status_code == 422 and not Block.objects.filter(blocked=seated[2].user).exists()

    play_until(table, is_over)
    assert "Blah blah" not in seated[0].page()


def test_foul_words_are_masked_for_who_wishes_it_and_kept_as_they_were_said(seated, table):
    seated[0].user.mask_words = True
    seated[0].user.save()
    say(seated[1], "Shit, хуйня, kurwa, cazzo, まんこ! Assess the class")

    assert "****, *****, *****, *****, ***! Assess the class" in seated[0].page()
    assert "Shit, хуйня, kurwa, cazzo, まんこ! Assess the class" in seated[2].page()
    assert table.messages.get().text.startswith("Shit")


# Removing messages ----------------------------------------------------------------------------


@pytest.fixture
def moderator(table) -> Person:
    mira = person("Mira")
    mira.user_permissions.add(Permission.objects.get(codename="remove_message"))
    return Person(with_second_factor(mira), table)


def test_a_moderator_takes_a_message_away_and_everyone_reads_that(table, seated, moderator):
    say(seated[1], "Something vile")
    address = f"/moderation/tables/{table.code}/messages/table/1/"
    assert address in moderator.page() and address not in seated[0].page()
    assert "Something vile" in moderator.get(address).content.decode()

    assert moderator.post(address, {"reason": ""}).status_code == 422
    assert moderator.post(address, {"reason": "vile"}).status_code == 303

    for viewer in (seated[0], seated[1], moderator):
        assert "Something vile" not in viewer.page()
        assert "A moderator removed" in viewer.page()
    kept = table.messages.get()
    assert (kept.text, kept.removed_because, kept.removed_by) == (
        "Something vile", "vile", moderator.user,
    )  # fmt: skip


def test_a_moderator_who_sits_there_takes_nothing_away(table, seated):
    ada = seated[0]
    ada.user.user_permissions.add(Permission.objects.get(codename="remove_message"))
    with_second_factor(ada.user)
    say(seated[1], "You are Hitler, Ada")
    address = f"/moderation/tables/{table.code}/messages/table/1/"

    assert address not in ada.page()
    assert ada.get(address).status_code == 404
    with pytest.raises(PermissionError):
        chat.remove_message(table=table, user=ada.user, place="table", nth=1, reason="no")


# Seats that change ----------------------------------------------------------------------------


def test_what_someone_said_before_the_game_stays_theirs_when_seats_close_up(db):
    table = gather(("Ada", "Boris", "Chika", "Dario", "Ewa", "Fumio"))
    dario = Person(person("Dario"), table)
    for name in ("Boris", "Dario"):
        chat.say(table=table, user=person(name), text=f"I am {name}", place="table", key="")
    tables.leave_table(table=table, user=person("Boris"))
    tables.start_game(table=fresh(table), user=table.host)

    page = dario.page()
    rows = page.split('<li id="said-')[1:]
    # Dario sits in seat 2 now. Boris has no seat, and his message is attributed to no other player.
    assert 'data-by="2"' in rows[0] and "Dario" in rows[0]
    assert "data-by" not in rows[1].split("data-nth")[0] and "Boris" in rows[1]


# Long chats -----------------------------------------------------------------------------------


def test_every_process_shows_the_same_however_it_heard_of_it(table, seated):
    """Compare a process that heard each message with one that starts and reads them all."""
    for number in range(215):
        chat.say(table=table, user=seated[0].user, text=f"Word {number}.", place="table", key="")
    heard = seated[1].page().split('id="rows-talk"')[1].split("</ol>")[0]
    panels.forget_all()
    assert seated[1].page().split('id="rows-talk"')[1].split("</ol>")[0] == heard


# Cost -----------------------------------------------------------------------------------------


@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("closed_lines")
async def test_a_word_reaches_everyone_by_itself_and_brings_itself_only(transactional_db):
    def prepare():
        table = run_table()
        return [Person(user, table) for user in (table.host, person("Boris"), None)]

    people = await does(prepare)()
    sockets = [await Socket(viewer).catches_up() for viewer in people]
    await does(say)(people[0], "First")
    for socket in sockets:
        # The first message fills the empty panel.
        assert await socket.frame() - {"phrasebook"} == {"talk"}

    await does(say)(people[0], "Second")

    for socket in sockets:
        answer = await socket.answer()
        # The speaker's own forms also get the key of their next message.
        assert set(answer["panels"]) - {"phrasebook"} == {"talk"}
        assert "Second" in answer["html"] and "First" not in answer["html"]
        assert len(answer["html"]) < 800
    for socket in sockets:
        await socket.line.disconnect()


def test_a_move_reads_no_message(table, seated):
    say(seated[1], "Hello")
    positions.forget_all()
    panels.forget_all()
    with counting() as counts:
        act(table, Nominate(0, 2))
    assert not [sql for sql in counts.statements if Message._meta.db_table in str(sql)]


def test_settled_moves_are_kept_though_the_word_is_refused(table, seated):
    deadline = fresh(table).game.deadline
    with pytest.raises(Refused):
        chat.say(table=table, user=person("Sofia"), text="Hi", place="table", key="", now=deadline)
    assert fresh(table).game.length == 1
