"""Uploaded records: replayed like a game of the site, for their owner or by a link."""

import json
import re
from pathlib import Path

import pytest
from django.core.cache import cache
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.utils import timezone

from accounts.models import User
from accounts.services.exports import export_data_of
from accounts.throttling import computing, limits
from games.models import UploadedRecord
from games.models.records import new_record_code
from games.panels import truth
from games.rules.actions import AnswerVeto, Nominate
from games.rules.claims import MOST_CLAIMS
from games.rules.components import Policy
from games.rules.editions import options_of
from games.rules.events import Enacted
from games.rules.knowledge import Received
from games.rules.record import read_record
from games.services.uploads import read_uploads
from games.state.written_games import room_of_record
from games.views.uploads import RECORDS_ON_A_PAGE
from tests.builders.io_summaries import played, summary_of
from tests.builders.tables import person
from tests.nightly import by_day

pytestmark = pytest.mark.django_db
RECORDS = Path(__file__).parent.parent.parent / "records"
FILES = sorted(path for path in RECORDS.glob("*.json"))


def browser(name: str = "Ada", language: str = "en") -> Client:
    client = Client(headers={"accept-language": language})
    client.force_login(person(name))
    return client


def upload(client: Client, text: str):
    return client.post("/records/", {"text": text})


def uploaded(client: Client, file: Path) -> str:
    answer = upload(client, file.read_text(encoding="utf-8"))
    assert answer.status_code == 303, answer.content.decode()
    return answer["Location"]


def record(name: str = "en-sealed") -> dict:
    return json.loads((RECORDS / f"{name}.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("file", by_day(3, FILES), ids=lambda file: file.stem)
def test_every_record_opens_at_every_step_through_every_eye(file):
    client = browser()
    url = uploaded(client, file)
    moves = len(json.loads(file.read_text(encoding="utf-8"))["actions"])

    for move in (0, 1, moves // 2, moves, moves + 5):
        for eyes in ("", "all", "2"):
            answer = client.get(f"{url}?move={move}&eyes={eyes}")
            assert answer.status_code == 200
            assert 'id="panel-seats"' in answer.content.decode()


def test_a_record_is_its_owners_alone_until_it_is_shared():
    ada = browser()
    url = uploaded(ada, FILES[0])
    pages = (url, f"{url}file/", f"{url}proof/", f"{url}truth/")

    def seen_by(client: Client) -> set[int]:
        return {client.get(page).status_code for page in pages}

    assert (seen_by(ada), seen_by(browser("Boris")), seen_by(Client())) == ({200}, {404}, {404})
    ada.post(f"{url}share/", {"share": "on"})
    assert (seen_by(browser("Boris")), seen_by(Client())) == ({200}, {200})
    ada.post(f"{url}share/", {"stop": "on"})
    assert seen_by(Client()) == {404}


def test_only_the_owner_shares_and_deletes():
    ada = browser()
    url = uploaded(ada, FILES[0])

    boris = browser("Boris")
    assert boris.post(f"{url}share/", {"share": "on"}).status_code == 404
    assert boris.post(f"{url}delete/").status_code == 404
    assert ada.post(f"{url}delete/").status_code == 303
    assert ada.get(url).status_code == 404


def test_a_file_is_returned_as_it_was_sent():
    ada = browser()
    text = (RECORDS / "en-sealed.json").read_bytes()

    answer = ada.post("/records/", {"file": SimpleUploadedFile("game.json", text)})

    assert ada.get(f"{answer['Location']}file/").content == text


def test_the_proof_of_an_uploaded_record_finds_a_broken_seal():
    ada = browser()
    false = record()
    false["seal"]["seed"] = "0" * 64
    url = upload(ada, json.dumps(false))["Location"]

    assert "seal.commitment" in ada.get(f"{url}proof/").content.decode()
    honest = uploaded(ada, RECORDS / "en-sealed.json")
    assert "We dealt and shuffled again" in ada.get(f"{honest}proof/").content.decode()


def illegal() -> str:
    broken = record()
    broken["actions"][1]["seat"] = broken["actions"][0]["seat"]
    broken["actions"][0] = {"seat": broken["actions"][0]["seat"], "action": "peek"}
    return json.dumps(broken, indent=1)


WRONG = {
    "nothing": ("", "Choose a file or paste a record."),
    "not JSON": ('{\n"format": oh\n}', "Line 2"),
    "another format": ("[1, 2]", "a game summary from secrethitler.io"),
    "another format's object": ('{"format": "pgn"}', "a game summary from secrethitler.io"),
    "a broken summary": (json.dumps({"logs": 7, "players": []}), "these rules are for 5 to 10"),
    "unknown version": (json.dumps(record() | {"version": 7}, indent=1), "version: this must be 1"),
    "unknown edition": (json.dumps(record() | {"edition": "xx"}, indent=1), "isn’t allowed here"),
    "an illegal action": (illegal(), "Action 1 is illegal"),
    "deep nesting": ("[" * 100_000, "nested too deeply"),
    "deep but closed": ('{"format": ' + "[" * 700 + "]" * 700 + "}", "nested too deeply"),
    "half a character": ('{"format": "x", "\\ud800": 1, "\\ud800": 2}', "this key appears twice"),
    "300 KB": ("x" * 300_000, "A record has at most 256 KB"),
    "a long number": ('{"format": ' + "9" * 5000 + "}", "too many digits"),
    "half a character in a name": (
        json.dumps(record() | {"seats": ["\ud800", *record()["seats"][1:]]}, indent=1),
        "seats[0]: this text contains half a character",
    ),
    "half a character in a key": (json.dumps(record() | {"\udc00": 1}), "half a character"),
    "a number without an end": (
        json.dumps(record() | {"more": 0})[:-2] + "-1e999}",
        "more: -1e999 isn’t a valid JSON number",
    ),
    "NUL": ('{"format": "a\x00b"}', "this isn’t JSON"),
    "too many actions": (
        json.dumps(record() | {"actions": record()["actions"][:1] * 2001}, separators=(",", ":")),
        "at most 2000 actions",
    ),
}


@pytest.mark.parametrize("name", WRONG)
def test_a_wrong_text_is_explained_and_shown_back(name):
    text, told = WRONG[name]

    answer = upload(browser(), text)

    page = answer.content.decode()
    assert answer.status_code == 422
    assert told in page
    assert 'href="#formats"' in page and 'id="formats" open' in page
    assert not UploadedRecord.objects.exists()
    if name in ("not JSON", "300 KB"):
        assert text[:200].split("\n")[-1].replace('"', "&quot;") in page


def test_the_line_of_an_illegal_action_is_named():
    text = illegal()

    page = upload(browser(), text).content.decode()

    number = text[: text.index('"action": "peek"')].count("\n")
    assert f"<b>Line {number}</b>" in page or f"<b>Line {number - 1}</b>" in page


def test_an_error_is_told_in_the_readers_language():
    page = upload(browser(language="it"), json.dumps(record() | {"deal": 7})).content.decode()

    assert "oggetto" in page


def test_a_file_that_is_too_large_is_refused_without_a_trace():
    answer = browser().post("/records/", {"file": SimpleUploadedFile("x.json", b"x" * 300_000)})

    assert answer.status_code == 422
    assert "xxxx" not in answer.content.decode()


def test_names_that_no_page_can_show_are_replaced():
    ada = browser()
    strange = record()
    strange["seats"] = ["\u200f", "\u202ea\u0000b", " ", "<b>x</b>", "y" * 500][
        : len(strange["seats"])
    ] + strange["seats"][5:]

    url = upload(ada, json.dumps(strange))["Location"]

    page = ada.get(url).content.decode()
    assert "<b>x</b>" not in page and "\u202e" not in page and "y" * 31 not in page
    assert ada.get(f"{url}proof/").status_code == 200


def test_times_at_the_ends_of_the_calendar_do_no_harm():
    ada = browser()
    early = record()
    early["actions"][0]["at"] = "0001-01-01T00:00:00Z"
    early["actions"][1]["at"] = "9999-12-31T23:59:59Z"

    assert ada.get(upload(ada, json.dumps(early))["Location"]).status_code == 200


def test_cards_that_nobody_remembered_are_judged_by_no_one_and_seen_by_no_seat():
    ada = browser()
    physical, whole = record("en-physical"), record("en-physical")
    del whole["unknown_hands"], whole["unknown_peeks"]
    moves = len(physical["actions"])

    def told(game: dict) -> tuple[int, set[str], bool]:
        url = upload(ada, json.dumps(game))["Location"]
        truth = ada.get(f"{url}truth/").content.decode()
        pages = (ada.get(f"{url}?move={moves}&eyes={seat}").content.decode() for seat in range(5))
        seen = {
            "".join(found)
            for page in pages
            for found in re.findall(r"Round (\d): President .*? (draws|peeks) ", page)
        }
        return (
            truth.count('class="cards-told"'),
            seen,
            "We don’t know all the cards" in truth,
        )

    hands = {f"{number}draws" for number in (2, 3, 5, 6)}
    made_up = {f"{number}draws" for number in (1, 4, 7, 8)} | {"3peeks"}
    assert told(physical) == (4, hands, True)
    assert told(whole) == (8, hands | made_up, False)


def test_the_page_where_games_were_entered_leads_to_the_records():
    for old in ("/records/enter/", "/records/enter/some-draft/"):
        answer = browser().get(old)
        assert (answer.status_code, answer["Location"]) == (301, "/records/")


def test_a_user_keeps_so_many_records_and_no_more(settings):
    settings.RECORDS_OF_A_USER = 1
    ada = browser()
    text = FILES[0].read_text(encoding="utf-8")
    assert upload(ada, text).status_code == 303

    answer = upload(ada, text)

    assert answer.status_code == 422
    assert "the limit of uploaded records" in answer.content.decode()


def test_records_are_in_the_data_export_and_go_with_the_account():
    ada = browser()
    uploaded(ada, RECORDS / "en-sealed.json")

    told = export_data_of(person("Ada"))["uploaded_records"]
    assert [one["record"] for one in told] == [record()]
    person("Ada").delete()
    assert not UploadedRecord.objects.exists()


def test_a_list_says_what_stood_in_the_records_without_reading_them():
    ada = browser()
    strange = record() | {
        "seats": ["<b>A\u0000", "B", "C", "D", "E", "F", "G"][: len(record()["seats"])]
    }
    for game in (strange, record("ru-hitler-elected")):
        upload(ada, json.dumps(game))
    UploadedRecord.objects.update(text="no longer read")

    page = ada.get("/records/").content.decode()

    titles = [re.sub("<.*?>", "", title) for title in re.findall("<h3>(.*?)</h3>", page)]
    assert titles[1].startswith("&lt;b&gt;A, B, C") and page.count("Check the deal") == 1


def test_a_long_list_of_records_has_pages():
    ada = browser()
    uploaded(ada, FILES[0])
    kept = UploadedRecord.objects.get()
    for _ in range(RECORDS_ON_A_PAGE + 3):
        kept.pk, kept.code = None, new_record_code()
        kept.save()

    def codes(page: str) -> list[str]:
        return re.findall(r'<h3><a href="/records/([^/]+)/', page)

    first = ada.get("/records/").content.decode()
    older = re.search(r'href="(\?before=\d+)#kept"', first)
    second = ada.get(f"/records/{older[1]}").content.decode()
    assert (len(codes(first)), len(codes(second))) == (RECORDS_ON_A_PAGE, 4)
    assert len({*codes(first), *codes(second)}) == RECORDS_ON_A_PAGE + 4
    shared = ada.post(f"/records/{codes(second)[0]}/share/{older[1]}", {"share": "on"})
    assert shared["Location"] == f"/records/{older[1]}#kept"
    for wrong in ("0", "-1", "x", "9" * 50):
        assert ada.get("/records/", {"before": wrong}).status_code == 200


# Games of secrethitler.io -------------------------------------------------------------------------


def summaries(count: int) -> list[dict]:
    return [summary_of(played(options_of("en"), 5 + n % 6, n), is_new=False) for n in range(count)]


def test_a_summary_of_another_site_opens_like_a_record():
    ada = browser()
    (summary,) = summaries(1)
    summary["players"][0]["username"] = "🂡" * 40_000

    url = upload(ada, json.dumps(summary, ensure_ascii=False))["Location"]

    for page in ("", "truth/"):
        shown = ada.get(f"{url}{page}").content.decode()
        assert "We don’t know the order of the cards" in shown
        assert "don’t know all the cards" not in shown
    # Our own record of it is read again, and is hardly longer.
    assert upload(ada, ada.get(f"{url}file/").content.decode()).status_code == 303


def test_a_peek_that_a_summary_does_not_tell_is_judged_by_no_one():
    ada = browser()
    summary = json.loads((RECORDS / "secrethitler_io" / "p5HitlerElected.json").read_text())

    def told(data: dict) -> tuple[int, bool]:
        page = ada.get(f"{upload(ada, json.dumps(data))['Location']}truth/").content.decode()
        return page.count('id="powers-title"'), "don’t know all the cards" in page

    assert told(summary) == (1, False)
    del summary["logs"][4]["policyPeek"]
    assert told(summary) == (0, True)


def test_a_list_of_summaries_is_kept_whole_or_not_at_all(settings):
    settings.MOST_GAMES_OF_AN_UPLOAD = 3
    ada = browser()

    assert upload(ada, json.dumps(summaries(3)))["Location"] == "/records/#kept"
    assert UploadedRecord.objects.count() == 3
    broken = summaries(3)
    broken[2]["logs"][1]["chancellorId"] = broken[2]["logs"][1]["presidentId"]
    page = upload(ada, json.dumps(broken, indent=1)).content.decode()
    assert "[2].logs[1]: round 2 breaks a rule. Players can’t choose themselves." in page
    assert "<b>Line " in page
    assert "at most 3 games" in upload(ada, json.dumps(summaries(4))).content.decode()
    settings.RECORDS_OF_A_USER = 5
    assert "the limit of uploaded" in upload(ada, json.dumps(summaries(3))).content.decode()
    assert UploadedRecord.objects.count() == 3


# What uploads may cost ----------------------------------------------------------------------------


def repeated(times: int) -> str:
    """Return a dump's line with one claim told in two ways, again and again."""
    line = a_dumped_line()
    other = line["claims"][0] | {"claimed": ["liberal"] * 3}
    return json.dumps(line | {"claims": [*line["claims"], other] * (times // 2)})


def test_of_a_claim_that_is_told_anew_again_and_again_the_last_few_are_kept():
    ada = browser()
    url = upload(ada, repeated(2000))["Location"]

    (upload_read,) = read_uploads(UploadedRecord.objects.get().text.encode())
    assert len(upload_read.claims) == MOST_CLAIMS
    assert upload_read.claims[-1].policies == (Policy.LIBERAL,) * 3
    assert ada.get(f"{url}truth/").status_code == 200


def test_what_is_computed_of_an_upload_stays_out_of_the_shared_cache_and_goes_with_it():
    cache.clear()
    truth._of_uploads.clear()
    ada = browser()
    url = upload(ada, json.dumps(a_dumped_line()))["Location"]
    for seat in ("", 0, 1, 2):
        assert ada.get(f"{url}truth/?eyes={seat}").status_code == 200
    assert not [key for key in cache._cache if "evidence" in key]
    assert len(truth._of_uploads) == 4

    ada.post(f"{url}delete/")

    assert not truth._of_uploads


def test_pages_of_uploads_wait_when_the_processor_has_worked_enough(settings, monkeypatch):
    limits.forget_all()
    settings.LIMITS = settings.LIMITS | {"computing": "2/minute"}
    seconds = iter(range(10_000))
    monkeypatch.setattr(computing, "thread_time", lambda: next(seconds))
    ada = browser()
    url = uploaded(ada, FILES[0])

    answers = [ada.get(page) for page in (f"{url}truth/", url, f"{url}proof/", "/records/")]

    assert [answer.status_code for answer in answers] == [200, 429, 429, 429]
    assert 0 < int(answers[1]["Retry-After"]) <= 60
    assert ada.get("/").status_code == 200
    assert browser("Boris").get("/records/").status_code == 200
    # Guests share the budget of their address: another guest account costs nothing.
    guests = [browser("Chika"), browser("Dina")]
    User.objects.filter(username__in=["Chika", "Dina"]).update(is_trial=True)
    turns = [guests[0], guests[0], guests[1]]
    assert [guest.get("/records/").status_code for guest in turns] == [200, 200, 429]
    limits.forget_all()


def a_dumped_line() -> dict:
    claims = [{"kind": "president", "seat": 3, "round": 2, "claimed": ["fascist"] * 3}]
    return {"record": record(), "claims": claims}


def test_a_line_of_a_dump_opens_with_its_claims_from_their_round_on():
    ada = browser()
    url = upload(ada, json.dumps(a_dumped_line()))["Location"]
    actions = record()["actions"]
    second = [n for n, action in enumerate(actions) if action["action"] == "nominate"][1]

    def claims(move: int) -> int:
        return ada.get(f"{url}?move={move}").content.decode().count('class="story')

    assert claims(second) == 0
    assert claims(len(actions)) > 0
    assert "We dealt and shuffled again" in ada.get(f"{url}proof/").content.decode()


def test_a_claim_about_cards_is_told_before_the_power_that_they_gave():
    ada = browser()
    # Seat 0 executes Hitler, so the round and the game end with the power.
    game = record("ru-5-6-hitler-executed")
    last = sum(action["action"] == "nominate" for action in game["actions"])
    claim = {"kind": "president", "seat": 0, "round": last, "claimed": ["liberal"] * 3}

    page = upload(ada, json.dumps({"record": game, "claims": [claim]}))
    truth = ada.get(f"{page['Location']}truth/").content.decode()

    assert truth.count('class="is-lie"') == 1
    assert "The enacted policy gave it away at once." in truth


def test_a_claim_about_cards_is_not_told_while_they_are_still_in_a_hand():
    # In this round the President refuses a veto, and only then a policy is enacted.
    game = read_record(record("pl-veto-chaos"))
    refused = next(
        number
        for number, entry in enumerate(game.entries)
        if entry.action == AnswerVeto(entry.action.seat, False)
    )
    number = sum(isinstance(entry.action, Nominate) for entry in game.entries[:refused])
    claim = Received(number, game.entries[refused - 1].action.seat, (Policy.FASCIST,) * 2)

    room = room_of_record(game, [claim], pk=1, code="veto", created_at=timezone.now())

    enacted = next(
        step.number
        for step in room.public_steps[refused:]
        if any(isinstance(event, Enacted) for event in step.events)
    )
    assert [said.length for said in room.talk] == [enacted + 1]


def test_what_is_claimed_after_the_last_policy_is_neither_true_nor_a_lie():
    ada = browser()
    game = record("en-chaos-then-liberals")
    last = sum(action["action"] == "nominate" for action in game["actions"])
    joke = {"kind": "chancellor", "seat": 4, "round": last, "claimed": ["fascist"] * 2}

    page = upload(ada, json.dumps({"record": game, "claims": [joke]}))
    truth = ada.get(f"{page['Location']}truth/").content.decode()

    assert "is-lie" not in truth and "is-true" not in truth


def test_a_claim_about_what_the_seat_did_not_see_is_named_with_its_line():
    wrong = a_dumped_line()
    wrong["claims"][0]["round"] = 99

    page = upload(browser(), json.dumps(wrong, indent=1)).content.decode()

    assert "claims[0]" in page and "<b>Line " in page


def test_a_record_is_titled_with_the_day_of_its_game_or_that_of_its_upload():
    ada = browser()
    dated = record()
    for action in dated["actions"]:
        action["at"] = "2021-03-05T20:00:00+00:00"
    undated = record()
    for action in undated["actions"]:
        action.pop("at", None)

    for text, title in ((dated, "Game of 5 Mar 2021: "), (undated, "Game uploaded on ")):
        url = upload(ada, json.dumps(text))["Location"]
        for page in (url, f"{url}truth/", f"{url}proof/"):
            html = ada.get(page).content.decode()
            assert title in html, page
            assert not (text is dated and str(timezone.now().year) in html.partition("<main")[2])


def test_a_number_that_was_taken_long_ago_breaks_no_export():
    ada = person("Ada")
    UploadedRecord.objects.create(
        owner=ada, text='\ufeff{"seats": ["\\ud800"], "more": 1e999}', edition="en", players=5
    )

    (kept,) = export_data_of(ada)["uploaded_records"]

    assert kept["record"] == {"seats": ["\ud800"], "more": "1e999"}
