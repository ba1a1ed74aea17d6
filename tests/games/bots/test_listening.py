"""Typed text is understood as the phrase that it means, or not at all."""

import tomllib
from itertools import chain
from pathlib import Path

import pytest
from django.utils import translation

from games import bots
from games.bots.listening import addressed, understood
from games.bots.listening.languages import languages
from games.bots.listening.meanings import rules
from games.bots.listening.text import LONGEST, MOST, plain
from games.wording.phrases import PHRASES, phrase

FOLDER = Path(__file__).parent / "lines"
LISTENING = Path(bots.__file__).parent / "listening"
PLAYERS = dict(enumerate(("Ada", "Klara", "Max", "Oskar", "Otto", "Boris", "Lotte")))

# Phrases of one sense: to take one for another is no absurdity, if the same players are named.
SENSES = [
    set(row.split())
    for row in (
        "suspect fascist hitler lying together strange_vote no_sense blames nein_distrust"
        " nein_hitler not_nominate execute investigate",
        "trust liberal believe not_hitler good_pair ja_trust nominate spare next_president",
        "me_liberal me_truth me_not_hitler me_wronged me_no_choice me_only_fascist",
        "are_you_liberal whom_trust do_you_trust",
        "what_drawn what_handed what_seen say_what",
        "why why_this_vote strange_vote no_sense",
        "whom_suspect whom_execute whom_investigate",
        "whom_trust whom_nominate",
        "too_quiet say_what go_on",
        "vote_ja me_vote_ja ja_trust ja_chance ja_chaos how_vote",
        "vote_nein me_vote_nein nein_other nein_hitler nein_distrust how_vote",
        "yes agree",
        "no disagree no_sense",
        "perhaps no_idea interesting",
        "interesting surprise oh_no ha",
        "hello good_luck thanks well_played good_game back moment sorry",
    )
]


def lines():
    """Yield each text, the names at the table, and what the first player means with it."""
    for path in sorted(FOLDER.glob("*.toml")):
        file = tomllib.loads(path.read_text(encoding="utf-8"))
        players = dict(enumerate(file["players"]))
        for text, meaning in file["lines"]:
            code, *names = meaning.split()
            seats = tuple(map(file["players"].index, names))
            yield text, players, None if code == "none" else (code, seats)


def is_absurd(meant, taken):
    if taken is None or taken == meant:
        return False
    if meant is None:
        return True
    (code, seats), (other, others) = meant, taken
    shared = code == other or any(code in sense and other in sense for sense in SENSES)
    return not shared or not (set(seats) <= set(others) or set(others) <= set(seats))


def test_what_players_type_is_understood_and_never_as_something_absurd():
    all_lines = [(text, meant, understood(text, names, 0)) for text, names, meant in lines()]
    assert len(all_lines) >= 300
    assert [line for line in all_lines if is_absurd(*line[1:])] == []
    missed = [line for line in all_lines if line[1] != line[2]]
    assert len(missed) <= 0.05 * len(all_lines), missed


def test_the_sentences_of_the_phrasebook_are_understood_in_every_language():
    missed = []
    total = 0
    for locale in ("en", "ru", "pl", "ja", "it"):
        with translation.override(locale):
            for code, said in PHRASES.items():
                for count in said.sentences if said.group != "bots" else ():
                    text = phrase(code, range(1, count + 1), PLAYERS)
                    meant, taken = (code, tuple(range(1, count + 1))), understood(text, PLAYERS, 0)
                    total += 1
                    missed += [(text, meant, taken)] if taken != meant else []
    assert len(missed) <= 0.03 * total, missed


@pytest.mark.parametrize(
    "text",
    [
        *("He is a fascist", "fascists are winning", "trust no one", "should we kill Max?"),
        *("Max killed Hitler last time", "Klara says Max is lying", "Max passed me two fascists"),
        *('"Max is a fascist" is what Klara wants', "If Oskar is Hitler, Max is a fascist"),
        *("Max choose already", "Max, hot coffee", "Max is off to bed", "nobody trusts Max"),
        *(
            "Макс делай ход",
            "マックスはいるよ",
            "誰もマックスを信じない",
            "a ja?",
            "Max è libero domani",
        ),
        *("Max is fighting fascists", "I'd be a fascist to trust Max", "Max fought fascists"),
        *("Макс ненавидит фашистов", "Клара говорит, что Макс фашист", "кто-то врёт"),
        *("Max nienawidzi faszystów", "nie wiem, kto jest faszystą", "ktoś kłamie"),
        *("マックスはファシストを倒した", "あいつはファシスト", "赤2青1でした"),
        *("Max odia i fascisti", "i fascisti stanno vincendo", "non so chi è fascista"),
        *("", "…", "?!", "👍", "42", "Max", "Ada is a fascist"),
    ],
)
def test_what_is_not_clear_is_not_guessed(text):
    assert understood(text, PLAYERS, 0) is None


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("I don't think Max is a fascist", "trust"),
        ("Max isn't lying", "believe"),
        ("Макс не врёт", "believe"),
        ("Max nie kłamie", "believe"),
        ("マックスは嘘をついてないと思う", "believe"),
        ("Max non mente", "believe"),
        ("Клара не либерал", "fascist"),
    ],
)
def test_a_denial_is_the_opposite(text, code):
    assert understood(text, PLAYERS, 0)[0] == code


@pytest.mark.parametrize(
    "name",
    [
        *("Max", "max", "MAX", "Maxa", "Maxowi", "Maksa", "Макс", "Макса", "Максу", "Max'у"),
        *("マックス", "マックスさん", "Maxくん", "ｍａｘ"),
    ],
)
def test_a_name_is_found_declined_and_in_other_scripts(name):
    assert addressed(f"hmm, {name}", PLAYERS, 0) == 2


def test_every_name_of_a_bot_is_known_in_other_scripts():
    spellings = tomllib.loads((LISTENING / "names.toml").read_text(encoding="utf-8"))["bots"]
    people = {name for kind in bots.CHARACTERS for name in bots.people(kind)}
    assert set(spellings) == people
    for name, row in spellings.items():
        for spelling in row.split(", "):
            assert understood(f"{spelling} sus", {0: "Ada", 1: name}, 0) == ("suspect", (1,))


def test_names_of_people_are_found_in_their_script_and_as_whole_words():
    names = {0: "Ada", 1: "Клавдия", 2: "たろう", 3: "dark_knight 99", 4: "Ida", 5: "Liberal"}
    assert understood("я не верю Клавдии", names, 0) == ("suspect", (1,))
    assert understood("たろうさんは嘘つき", names, 0) == ("lying", (2,))
    assert understood("dark_knight 99 is lying", names, 0) == ("lying", (3,))
    assert understood("idę po kawę, bo podejrzane", names, 0) is None
    # A name that is a word of the game is a name after "@" only.
    assert understood("I'm liberal", names, 0) == ("me_liberal", ())
    assert understood("@Liberal, are you a fascist?", names, 0) == ("are_you_liberal", (5,))


def test_the_last_clear_sentence_counts():
    text = "What a round that was, nobody saw it coming. I trust Klara. More tomorrow after lunch."
    assert understood(text, PLAYERS, 0) == ("trust", (1,))


def test_each_meaning_is_a_phrase_with_that_many_seats():
    fewest = {"about": 1, "subject": 1, "to": 1, "request": 1, "about2": 1}
    two = {"pair", "two", "ordered", "swapped", "both"}
    for code, kind in {(rule.code, rule.seats) for rule in rules()}:
        seats = 2 if kind in two else fewest.get(kind, 0)
        assert seats in PHRASES[code].sentences, (code, kind)
        assert kind not in ("about2", "request") or 2 in PHRASES[code].sentences, (code, kind)
    for text, names, _ in lines():
        meaning = understood(text, names, 0)
        assert meaning is None or len(meaning[1]) in PHRASES[meaning[0]].sentences


def test_every_word_stands_once_in_its_language_as_it_is_looked_up():
    for language in languages():
        rows = tomllib.loads((LISTENING / f"{language.code}.toml").read_text(encoding="utf-8"))
        words = list(chain.from_iterable(row.split(",") for row in rows.values()))
        words = [word.strip() for word in words]
        # As texts are looked up, without accents, capitals and apostrophes.
        assert words == [plain(word).lower().replace("'", "") for word in words]
        assert "" not in words
        assert sorted(words) == sorted(set(words))


HOSTILE = [
    "a" * 5000,
    "max " * 500,
    ", " * 500,
    "Max, " * 200,
    "no " * 300,
    "\u202e\u200fMax\u202c, are you a liberal?",
    "M\u0301\u0302\u0303" * 100 + "ax" + "\u0301" * 500,
    "👩\u200d🔬" * 100 + " Max",
    "M\u200ba\u200bx is a f\u200bascist",
    "«" * 300 + "Max" + "»" * 300,
    "'" * 400,
    "@" * 400 + "Max",
    "\ue001 is a fascist",
    "\ud800 Max",
    "ﷺ" * 300,
    "ー" * 400,
    "か" * 400 + "？",
    "しない" * 130,
    "а" * 200 + "ё" * 200,
    "." * 400 + "?" * 400,
    "\x00\n\r\t",
]


@pytest.mark.parametrize("text", HOSTILE, ids=range(len(HOSTILE)))
def test_hostile_text_does_no_harm(text):
    names = {**PLAYERS, 7: "(.*)+$", 8: "\u0301", 9: "[bot]"}
    addressed(text, names, 0)
    understood(text, names, 0)
    assert len(text) > LONGEST or understood(text, names, 0) in (
        None, ("are_you_liberal", (2,)), ("fascist", (2,)),
    )  # fmt: skip


def test_of_many_sentences_and_clauses_the_last_are_read():
    for stop in ". ", ", ":
        text = "Max is a fascist" + stop
        assert understood(text + f"aa{stop}" * (MOST - 2), PLAYERS, 0) == ("fascist", (2,))
        assert understood(text + f"aa{stop}" * MOST, PLAYERS, 0) is None
