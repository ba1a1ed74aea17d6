"""Games from a physical table: entered with forms, and kept as records."""

import json
import re

import pytest
from django.test import Client

from accounts.models import User
from accounts.services.account_deletion import erase_account
from accounts.services.exports import export_data_of
from games.models import EnteredGame, UploadedRecord
from tests.builders.tables import NAMES, person

pytestmark = pytest.mark.django_db
START = "/records/enter/"
ROLES = ("liberal", "liberal", "liberal", "fascist", "hitler")
ALL = ["0", "1", "2", "3", "4"]


def browser(name: str = "Ada", language: str = "en") -> Client:
    client = Client(headers={"accept-language": language})
    client.force_login(person(name))
    return client


def table(names=NAMES[:5], roles=ROLES, first: str = "1", edition: str = "en") -> dict[str, str]:
    sent = {"edition": edition, "first": first}
    for n in range(1, 11):
        sent[f"name_{n}"] = names[n - 1] if n <= len(names) else ""
        sent[f"role_{n}"] = roles[n - 1] if n <= len(roles) else "liberal"
    return sent


def begun(client: Client, **how) -> str:
    answer = client.post(START, table(**how))
    assert answer.status_code == 303, answer.content.decode()
    return answer["Location"]


class Entry:
    """A game that is being entered, and the browser that does it."""

    def __init__(self, client: Client) -> None:
        self.client = client
        self.url = begun(client)
        self.steps = 0

    def send(self, **step):
        return self.client.post(self.url, {"after": str(self.steps), **step})

    def enter(self, **step) -> None:
        answer = self.send(**step)
        assert answer.status_code == 303, answer.content.decode()
        self.steps += 1

    def government(self, nominee: int, policy: str, *, drawn="", passed="") -> None:
        self.enter(nominee=str(nominee), ja=ALL)
        self.enter(drawn=drawn, passed=passed, enacted=policy)

    def page(self) -> str:
        return self.client.get(self.url).content.decode()

    def finish(self) -> str:
        answer = self.client.post(f"{self.url}finish/", {"after": str(self.steps)})
        assert answer.status_code == 303
        return answer["Location"]


def liberals_win(entry: Entry, *, drawn="", passed="") -> None:
    for nominee in (1, 2, 3, 4, 1):
        entry.government(nominee, "liberal", drawn=drawn, passed=passed)


@pytest.mark.parametrize("language", ["en", "ru", "pl", "ja", "it"])
def test_a_whole_game_is_entered_and_becomes_a_record_to_replay(language):
    entry = Entry(browser(language=language))
    assert entry.client.get(entry.url).status_code == 200

    liberals_win(entry)
    assert 'name="nominee"' not in entry.page()
    url = entry.finish()

    kept = UploadedRecord.objects.get()
    assert (kept.players, kept.edition, kept.ending) == (5, "en", "liberal_policies")
    assert not EnteredGame.objects.exists()
    assert json.loads(kept.text)["seats"] == list(NAMES[:5])
    for page in (url, f"{url}?move=9&eyes=0", f"{url}?move=9&eyes=all", f"{url}truth/"):
        assert entry.client.get(page).status_code == 200
    assert entry.client.get(f"{url}file/").json()["unknown_hands"] == [1, 2, 3, 4, 5]


def test_a_game_whose_hands_are_all_known_says_nothing_of_missing_ones():
    entry = Entry(browser())
    entry.government(1, "fascist", drawn="1", passed="1")
    url = entry.finish()

    for page in (url, f"{url}truth/"):
        assert "Not all hands" not in entry.client.get(page).content.decode()


def sessions_told(client: Client, url: str) -> int:
    return client.get(f"{url}truth/").content.decode().count('class="cards-told"')


def test_the_truth_judges_known_hands_and_leaves_unknown_ones_out():
    entry = Entry(browser())
    entry.government(1, "fascist")
    entry.government(2, "fascist", drawn="1", passed="0")
    entry.government(3, "liberal", drawn="1")
    url = entry.finish()

    assert sessions_told(entry.client, url) == 2
    for page in (url, f"{url}truth/"):
        assert "Not all hands of this game were entered" in entry.client.get(page).content.decode()
    truth = entry.client.get(f"{url}truth/").content.decode()
    assert not re.search(r"Round 1\b[^<]* · <span", truth)
    # A copy of the file says the same.
    text = entry.client.get(f"{url}file/").content.decode()
    again = entry.client.post("/records/", {"text": text})
    assert sessions_told(entry.client, again["Location"]) == 2


def test_no_seat_of_a_replay_knows_cards_that_were_made_up():
    entry = Entry(browser())
    entry.government(1, "fascist")
    entry.government(2, "fascist", drawn="2", passed="1")
    entry.enter(nominee="3", ja=[])
    url = entry.finish()

    def known_to(seat: int, move: int) -> set[str]:
        page = entry.client.get(f"{url}?move={move}&eyes={seat}").content.decode()
        return set(re.findall(r"Round (\d): (?:President|Chancellor) ", page))

    # Both rounds are over after 16 moves, and the game stops after 22.
    assert (known_to(0, 16), known_to(1, 16)) == (set(), {"2"})
    assert known_to(0, 22) == {"2"}


def test_an_illegal_entry_names_the_rule_and_keeps_what_was_sent():
    entry = Entry(browser())
    entry.government(2, "fascist", drawn="0", passed="0")

    answer = entry.send(nominee="2", ja=["0", "3"])
    page = answer.content.decode()

    assert answer.status_code == 422
    assert "A term-limited player can’t be nominated." in page
    # It is also said before, and only a program can send it.
    [barred] = re.findall(r'value="(\d)"[^>]* disabled', page)
    assert barred == "2" and page.count("(term-limited)") == 1
    assert re.findall(r'value="(\d)"[^>]* checked', page) == ["2", "0", "3"]
    assert len(EnteredGame.objects.get().steps) == 2


def test_cards_that_do_not_fit_are_explained():
    entry = Entry(browser())
    entry.enter(nominee="1", ja=ALL)

    assert (
        "exactly one of three cards"
        in entry.send(drawn="3", passed="1", enacted="liberal").content.decode()
    )
    assert "can only enact" in entry.send(drawn="0", passed="0", enacted="liberal").content.decode()
    assert entry.send(drawn="0", passed="0").status_code == 422
    assert entry.send(drawn="0", passed="0", enacted="veto").status_code == 422
    entry.enter(drawn="0", passed="0", enacted="fascist")


def test_more_policies_than_the_pile_holds_are_refused():
    entry = Entry(browser())
    entry.government(1, "liberal", drawn="3", passed="2")
    entry.government(2, "liberal", drawn="3", passed="2")
    entry.enter(nominee="3", ja=ALL)

    answer = entry.send(drawn="1", passed="1", enacted="liberal")

    assert answer.status_code == 422
    assert "liberal 6, fascist 11" in answer.content.decode()


def test_chaos_asks_for_its_policy_and_the_game_cannot_end_before_it():
    entry = Entry(browser())
    for nominee in (1, 2, 3):
        entry.enter(nominee=str(nominee), ja=["0"])

    assert 'name="policy"' in entry.page()
    assert "finish/" not in entry.page()
    entry.client.post(f"{entry.url}finish/", {"after": "3"})
    assert not UploadedRecord.objects.exists()
    entry.enter(policy="fascist")
    entry.finish()


def test_an_execution_asks_for_its_target():
    entry = Entry(browser())
    for nominee in (1, 2, 4):
        entry.government(nominee, "fascist", drawn="0")
    entry.government(2, "fascist")

    assert 'name="target"' in entry.page()
    assert "Players can’t choose themselves" not in entry.page()
    entry.enter(target="4")
    assert "Hitler is executed." in entry.page()


def test_the_last_entry_is_undone():
    entry = Entry(browser())
    entry.government(1, "fascist")

    entry.client.post(f"{entry.url}undo/", {"after": "2"})

    assert [step["step"] for step in EnteredGame.objects.get().steps] == ["election"]
    assert 'name="enacted"' in entry.page()


def test_a_form_that_was_sent_twice_enters_one_step():
    entry = Entry(browser())
    step = {"nominee": "1", "ja": ALL}
    entry.enter(**step)
    entry.steps = 0

    assert entry.send(**step).status_code == 409
    entry.client.post(f"{entry.url}undo/", {"after": "0"})
    assert len(EnteredGame.objects.get().steps) == 1


@pytest.mark.parametrize(
    "sent",
    [
        {},
        {"nominee": "9"},
        {"nominee": "x", "ja": ["-1"]},
        {"nominee": "0", "ja": ALL},
        {"nominee": "1", "ja": ["7"]},
        {"target": "1"},
        {"drawn": "1", "passed": "1", "enacted": "liberal"},
        {"after": "²", "nominee": "1"},
        {"after": "-1", "nominee": "1"},
    ],
)
def test_nonsense_gets_an_error_and_changes_nothing(sent):
    entry = Entry(browser())

    assert entry.send(**sent).status_code in (409, 422)
    assert EnteredGame.objects.get().steps == []


@pytest.mark.parametrize(
    ("how", "error"),
    [
        ({"names": NAMES[:4]}, "5 to 10 players, not 4"),
        ({"names": NAMES[:7], "edition": "ru-5-6"}, "5 to 6 players, not 7"),
        ({"roles": ("liberal",) * 5}, "liberal 3, fascist 1, Hitler 1"),
        ({"first": "6"}, "seat has no name"),
        ({"first": "11"}, "is not one of the available choices"),
        ({"edition": "xx"}, "is not one of the available choices"),
        ({"names": ("x" * 31, *NAMES[:4])}, "at most 30"),
    ],
)
def test_a_table_that_cannot_exist_is_refused_and_keeps_its_names(how, error):
    answer = browser().post(START, table(**how))

    page = answer.content.decode()
    assert answer.status_code == 422
    assert error in page
    assert 'value="Boris"' in page
    assert not EnteredGame.objects.exists()


def test_seats_without_a_name_are_left_out():
    client = browser()
    names = ("Ada", "", "Boris", "", "Chika", "Dario", "Ewa")
    roles = ("liberal", "hitler", "liberal", "hitler", "liberal", "fascist", "hitler")

    begun(client, names=names, roles=roles, first="3")

    setup = EnteredGame.objects.get().setup
    assert setup["names"] == ["Ada", "Boris", "Chika", "Dario", "Ewa"]
    assert (setup["roles"], setup["first_candidate"]) == (list(ROLES), 1)


def test_a_draft_is_its_owners_alone():
    entry = Entry(browser())
    boris = browser("Boris")

    assert boris.get(entry.url).status_code == 404
    for act in ("", "undo/", "finish/", "delete/"):
        assert boris.post(f"{entry.url}{act}", {"after": "0", "nominee": "1"}).status_code == 404
    assert entry.url not in boris.get(START).content.decode()
    assert entry.url in entry.client.get(START).content.decode()
    assert entry.client.post(f"{entry.url}delete/").status_code == 303
    assert entry.client.get(entry.url).status_code == 404


def test_a_user_enters_only_so_many_games_at_once(settings):
    settings.ENTERED_GAMES_OF_A_USER = 1
    client = browser()
    begun(client)

    answer = client.post(START, table())

    assert answer.status_code == 422
    assert "too many games at once" in answer.content.decode()


def test_a_full_shelf_of_records_keeps_the_draft(settings):
    settings.RECORDS_OF_A_USER = 1
    first = Entry(browser())
    first.enter(nominee="1", ja=[])
    first.finish()
    second = Entry(first.client)
    second.enter(nominee="1", ja=[])

    assert second.finish() == second.url
    assert EnteredGame.objects.count() == 1


def test_a_game_has_only_so_many_steps(settings):
    settings.MOST_STEPS_OF_AN_ENTERED_GAME = 1
    entry = Entry(browser())
    entry.enter(nominee="1", ja=[])

    assert entry.send(nominee="2", ja=[]).status_code == 422


def test_drafts_are_exported_and_leave_with_the_account():
    entry = Entry(browser())
    entry.enter(nominee="1", ja=["0"])
    ada = User.objects.get(pk=entry.client.session["_auth_user_id"])

    exported = export_data_of(ada)["entered_games"]
    assert [len(each["steps"]) for each in exported] == [1]
    assert exported[0]["setup"]["names"][0] == "Ada"
    erase_account(user=ada)
    assert not EnteredGame.objects.exists()


def test_the_page_of_records_leads_to_the_form():
    assert f'href="{START}"' in browser().get("/records/").content.decode()
