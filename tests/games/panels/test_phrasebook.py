"""Claims and phrases at a table: who may say what and when, and how viewers read it."""

import html
import re

import pytest

from games.models import Chat, Message, Table
from games.panels import difference, table_panels
from games.rules.actions import Nominate
from games.rules.claims import MOST_CLAIMS
from games.rules.knowledge import PartySeen
from games.rules.phases import Phase
from games.rules.powers import Power
from games.services.claims import make_claim
from games.services.phrases import say_phrase
from games.state.rooms import room_of
from games.state.viewer import ViewerSettings
from games.wording.refusals import Refusal, Refused
from tests.builders.person import Person
from tests.builders.tables import (
    NAMES,
    act,
    fascist_dream,
    fresh,
    in_phase,
    is_over,
    play_until,
    run_table,
    state_of,
    user_at,
)


def enacted(table: Table) -> Table:
    """Play until the first government has enacted: Ada was President, Boris Chancellor."""
    play_until(table, lambda state: state.round == 2)
    return fresh(table)


def offered(viewer: Person) -> list[str]:
    """Return the claims that the phrasebook offers."""
    return re.findall(r'name="claim" value="([^"]+)"', panel(viewer.page(), "phrasebook"))


def said(table: Table) -> list[Message]:
    return list(table.messages.order_by("number"))


def claims(viewer: Person, code: str, key: str = "", *, htmx: bool = False):
    return viewer.post(f"{viewer.url}claim/", {"claim": code, "key": key}, htmx=htmx)


def says(viewer: Person, phrase: str, *seats: int, key: str = "", htmx: bool = False, **more: str):
    names = dict(zip(("first", "second"), map(str, seats), strict=False))
    data = {"phrase": phrase, "place": "table", "key": key, **names, **more}
    return viewer.post(f"{viewer.url}phrase/", data, htmx=htmx)


def words(text: str) -> str:
    """Return the visible text of a page."""
    return html.unescape(" ".join(re.sub(r"<[^>]+>", " ", text).split()))


def panel(page: str, name: str) -> str:
    found = re.search(rf'<section id="panel-{name}".*?</section>', page, re.DOTALL)
    assert found is not None
    return found[0]


def refusal_of(asked) -> Refusal:
    with pytest.raises(Refused) as caught:
        asked()
    return caught.value.refusal


# Claims -------------------------------------------------------------------------------------------


def test_every_claim_that_the_page_offers_is_accepted(table, seated):
    enacted(table)
    president, chancellor = seated[0], seated[1]
    assert len(offered(president)) == 6 and len(offered(chancellor)) == 3
    for viewer in (president, chancellor):
        for number, code in enumerate(offered(viewer)):
            assert claims(viewer, code, f"k{number}").status_code == 303
    assert len(said(table)) == 9


@pytest.mark.django_db
def test_who_has_investigated_may_name_the_party():
    table = run_table(NAMES[:7])
    state = play_until(table, in_phase(Power.SPECIAL_ELECTION))
    seen = next(item for item in state.knowledge if isinstance(item, PartySeen))
    viewer = Person(user_at(table, seen.seat), table)
    codes = [code for code in offered(viewer) if code.startswith("party-")]
    assert codes == [f"party-{seen.round}-{seen.target}-{letter}" for letter in "lf"]
    assert claims(viewer, codes[1]).status_code == 303
    assert "They can’t both be liberals." in words(panel(viewer.page(), "conflicts"))


def test_no_one_claims_what_they_have_not_seen(table, seated, spectator, stranger):
    enacted(table)
    for viewer in (*seated[1:], spectator, stranger):
        assert not any(code.startswith("drawn") for code in offered(viewer))
        assert claims(viewer, "drawn-1-lff-f").status_code in (422, 302, 303)
    for code in ("drawn-2-lff-f", "received-1-lf", "party-1-2-l", "peeked-1-lff", "nonsense", ""):
        assert claims(seated[0], code).status_code == 422
    assert said(table) == []


def test_the_cards_are_claimed_when_the_session_is_over_and_not_before(table, seated):
    play_until(table, in_phase(Phase.CHANCELLOR_ENACTS))
    assert offered(seated[0]) == []
    assert claims(seated[0], "drawn-1-lff-f").status_code == 422
    enacted(table)
    assert claims(seated[0], "drawn-1-lff-f").status_code == 303


def test_in_the_next_session_its_officers_claim_nothing_of_the_last(table, seated):
    enacted(table)
    act(table, Nominate(1, 2))
    play_until(table, in_phase(Phase.PRESIDENT_DISCARDS))
    code = "received-1-lf"
    refusal = refusal_of(lambda: make_claim(table=table, user=user_at(table, 1), code=code, key=""))
    assert refusal is Refusal.SILENT_PAIR
    assert claims(seated[0], "drawn-1-lff-f").status_code == 303


def test_the_dead_claim_nothing_any_more(table, dead, seated):
    assert offered(dead) == []
    seat = next(seat for seat in range(5) if seat not in state_of(table).alive)
    rounds = [item.round for item in state_of(table).knowledge if item.seat == seat]
    for number in (1, *rounds):
        code = f"drawn-{number}-lff-f"
        with pytest.raises(Refused, match=Refusal.DEAD.value):
            make_claim(table=table, user=dead.user, code=code, key="")


def test_after_the_game_there_is_nothing_left_to_claim(table, seated):
    play_until(table, is_over)
    assert offered(seated[0]) == []
    refusal = refusal_of(
        lambda: make_claim(table=table, user=user_at(table, 0), code="drawn-1-lff-f", key="")
    )
    assert refusal is Refusal.GAME_OVER


def test_what_one_saw_is_told_anew_a_few_times_and_then_stands(table, seated):
    enacted(table)
    codes = ("drawn-1-lff-f", "drawn-1-fff-f")
    told = [claims(seated[0], codes[n % 2], f"k{n}").status_code for n in range(MOST_CLAIMS + 2)]

    assert told == [303] * MOST_CLAIMS + [422] * 2
    assert len(said(table)) == MOST_CLAIMS
    # What another seat saw is another matter.
    assert claims(seated[1], "received-1-ff").status_code == 303


def test_a_claim_is_one_message_however_often_its_form_comes(table, seated):
    enacted(table)
    for _ in range(2):
        assert claims(seated[0], "drawn-1-lff-f", "k1").status_code == 303
    assert len(said(table)) == 1
    assert claims(seated[0], "drawn-1-lff-f", "k2").status_code == 422
    assert claims(seated[0], "drawn-1-fff-f", "k2").status_code == 303


def test_a_new_claim_takes_the_place_of_the_old_and_both_stay_in_sight(table, seated, stranger):
    enacted(table)
    claims(seated[0], "drawn-1-lff-f")
    claims(seated[0], "drawn-1-fff-f")
    page = stranger.page()
    history = panel(page, "history")
    assert history.count("<s>") == 1
    talk = words(panel(page, "talk"))
    assert "liberal, fascist, and fascist; discarded a fascist policy" in talk
    assert "fascist, fascist, and fascist; discarded a fascist policy" in talk


def test_claim_stands_against_claim_for_everyone_to_see(table, seated, spectator, stranger):
    enacted(table)
    claims(seated[0], "drawn-1-llf-f")
    assert 'class="conflict"' in stranger.page()
    claims(seated[0], "drawn-1-lff-f")
    assert 'class="conflict"' not in stranger.page()
    claims(seated[1], "received-1-ff")
    for viewer in (*seated, spectator, stranger):
        told = words(panel(viewer.page(), "conflicts"))
        assert "Ada claims to have passed on liberal and fascist." in told
        assert "Boris claims to have been handed fascist and fascist." in told


def test_the_end_shows_which_claims_were_lies(table, seated, stranger):
    enacted(table)
    truth = next(k for k in state_of(table).knowledge if k.seat == 1)
    right = "".join(policy[0] for policy in truth.policies)
    wrong = next(code for code in ("ll", "lf", "ff") if code not in (right, right[::-1]))
    claims(seated[1], f"received-1-{wrong}")
    assert "a lie" not in words(panel(stranger.page(), "history"))
    play_until(table, is_over)
    assert words(panel(stranger.page(), "history")).count("a lie") == 1


def test_a_claim_that_a_moderator_takes_away_is_in_no_list(table, seated, stranger):
    enacted(table)
    claims(seated[1], "received-1-ll")
    assert 'class="conflict"' in stranger.page()
    message = said(table)[0]
    message.removed_at, message.revised = message.at, message.number + 1
    message.save()
    Table.objects.filter(pk=table.pk).update(talk=message.revised)
    assert 'class="conflict"' not in stranger.page()


def test_of_a_claim_only_the_rows_that_it_changes_are_sent(table, seated):
    enacted(table)
    play_until(table, lambda state: state.round == 4)

    def panels():
        return table_panels(
            room_of(table.code), user_at(table, 2).pk, "en", viewer_settings=ViewerSettings()
        )

    before = panels()
    claims(seated[0], "drawn-1-lff-f")
    after = panels()
    new = difference(after, {name: old.signature for name, old in before.items()})
    assert set(new.digests) == {"history", "talk"}
    assert re.findall(r'id="(term-\d+)"', new.html) == ["term-1"]
    assert "history-fold" not in new.html


# Phrases ------------------------------------------------------------------------------------------


def test_a_phrase_is_said_and_read_by_everyone(table, seated, stranger):
    assert says(seated[0], "trust", 2).status_code == 303
    assert says(seated[1], "hello").status_code == 303
    assert says(seated[2], "why", 3, 4).status_code == 303
    talk = re.sub(r" \d\d:\d\d UTC", "", words(panel(stranger.page(), "talk")))
    assert "Ada I trust Chika ." in talk
    assert "Boris Hi everyone!" in talk
    assert "Chika Dario , why Ewa ?" in talk


def test_a_phrase_is_said_once_however_often_its_form_comes(table, seated):
    for _ in range(2):
        assert says(seated[0], "hello", key="t1").status_code == 303
    assert says(seated[0], "thanks", key="t1").status_code == 303
    assert [message.data["phrase"] for message in said(table)] == ["hello", "thanks"]


def test_phrases_about_investigations_are_offered_where_the_track_has_one(table):
    def phrases(table: Table) -> set[str]:
        return set(re.findall(r'<option value="(\w+)"', Person(user_at(table, 0), table).page()))

    assert {"hello", "execute"} <= phrases(table)
    assert not {"investigate", "me_investigate"} & phrases(table)
    assert {"investigate", "me_investigate"} <= phrases(run_table(NAMES[:7]))


def test_who_may_not_speak_is_offered_nothing(table, spectator, stranger):
    for viewer in (spectator, stranger):
        assert "<form" not in panel(viewer.page(), "phrasebook")


def test_what_silence_forbids_cannot_be_pressed_until_it_ends(table, seated):
    enacted(table)
    boris = seated[1]

    def pressable() -> tuple[int, int]:
        """Return how many claims and phrase buttons are enabled."""
        claims, phrases = (
            re.findall(rf'<button[^>]* form="{form}"[^>]*>', boris.page().replace("\n", " "))
            for form in ("claim-form", "phrase-form")
        )
        assert claims and phrases
        return tuple(
            len([button for button in buttons if "disabled" not in button])
            for buttons in (claims, phrases)
        )

    assert pressable() == (3, 1)
    play_until(table, in_phase(Phase.PRESIDENT_DISCARDS))
    assert state_of(table).president == 1
    assert pressable() == (0, 0)
    play_until(table, lambda state: state.round == 3)
    assert pressable()[0] > 3 and pressable()[1] == 1


def test_the_silence_holds_for_phrases(table):
    play_until(table, in_phase(Phase.PRESIDENT_DISCARDS))

    def hello(seat: int) -> None:
        say_phrase(
            table=table, user=user_at(table, seat), phrase="hello", seats=[], place="table", key=""
        )

    assert refusal_of(lambda: hello(0)) is Refusal.SILENT_PAIR
    hello(2)
    assert len(said(table)) == 1


def test_the_dead_say_their_phrases_in_the_gallery(table, dead, seated):
    assert says(dead, "oh_no").status_code == 422
    assert says(dead, "oh_no", place="gallery").status_code == 303
    assert "Oh no!" in words(panel(dead.page(), "talk"))
    living = next(viewer for viewer in seated if viewer is not dead)
    assert "Oh no!" not in words(panel(living.page(), "talk"))


@pytest.mark.parametrize("chat", [Chat.FULL, Chat.PHRASES])
def test_claims_and_phrases_are_for_tables_that_talk(table, seated, chat):
    Table.objects.filter(pk=table.pk).update(chat=chat)
    enacted(table)
    assert says(seated[0], "hello").status_code == 303
    assert claims(seated[0], "drawn-1-lff-f").status_code == 303


# The history on the page --------------------------------------------------------------------------


def test_the_page_tells_each_round_to_everyone(table, seated, spectator, stranger):
    play_until(table, lambda state: state.round == 4)
    for viewer in (seated[0], spectator, stranger):
        history = panel(viewer.page(), "history")
        assert re.findall(r'id="term-(\d+)"', history) == ["4", "3", "2", "1"]
        first = history[history.index('id="term-1"') :]
        assert first.count('class="ja"') == 5
        assert "Fascist policy" in words(first)


def test_running_ballots_are_not_in_it(table, stranger):
    state = play_until(table, in_phase(Phase.ELECTION))
    act(table, fascist_dream(state, state.to_act[0]))
    history = panel(stranger.page(), "history")
    assert 'class="ja"' not in history and 'class="nein"' not in history


def test_a_move_sends_the_rows_of_the_rounds_that_it_changes(table):
    play_until(table, lambda state: state.round == 3)
    seen = table_panels(room_of(table.code), None, "en")["history"]
    for _ in range(12):
        state = state_of(table)
        changed = act(table, fascist_dream(state, state.to_act[0]))
        now = table_panels(room_of(table.code), None, "en")["history"]
        new = difference({"history": now}, {"history": seen.signature})
        rows = {int(number) for number in re.findall(r'id="term-(\d+)"', new.html)}
        assert rows <= {state.round, changed.round}
        assert "history-fold" not in new.html
        seen = now


# Languages ------------------------------------------------------------------------------------
