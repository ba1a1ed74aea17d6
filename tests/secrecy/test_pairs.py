"""Two games that differ only in facts hidden from a viewer give the same bytes.

SECRECY_PAIRS sets the number of pairs: 24 in `make test`, 160 in `make nightly`, 10,000 in
`make secrecy`. SECRECY_SEED sets the random seed.
What is compared: status, headers, cookies, body and number of database queries of every answer;
messages of an open socket, their number, order and sizes; lines of the log; keys of the cache.
`stage` says what is held still and why, `surfaces` which headers are left out.
"""

import os
from collections import Counter
from random import Random

import pytest

from games.models import Table
from games.rules.editions import EDITIONS
from games.rules.phases import Phase
from games.rules.powers import Power
from tests.builders.person import Person
from tests.nightly import by_day, times
from tests.secrecy.histories import random_history
from tests.secrecy.lines import LivePair, live_leaks_of, random_live_pair
from tests.secrecy.pairs import LANGUAGES, LOOKERS, Leak, Pair, leaks_of, random_pairs, stage_for
from tests.secrecy.stage import Cast, forget, held_still
from tests.secrecy.surfaces import ARGUMENTS, routes
from tests.secrecy.twins import differences

pytestmark = pytest.mark.django_db(transaction=True)

PAIRS = times("SECRECY_PAIRS", 24, 160)
SEED = os.environ.get("SECRECY_SEED", "1")
# One pair in this many goes on while sockets are open.
ONE_IN = 8
# This many are enough to find the cause.
LEAKS_SHOWN = 5


def note(pair: Pair, met: Counter[str]) -> None:
    until = pair.until if isinstance(pair, LivePair) else pair.tick
    history = pair.history
    met.update(f"differs in {what}" for what in differences(history, until, pair.other))
    met.update([f"viewer: {pair.kind}", f"language: {pair.language}", f"phase: {pair.phase}"])
    met.update([f"edition: {history.edition}", f"players: {history.players}"])
    met["custom"] += bool(history.house_rules)
    met["a locale of its own"] += history.edition == "ru-5-6" and pair.language == "ru"
    what = "live" if isinstance(pair, LivePair) else "at rest"
    met[what] += 1
    if met[what] % 500 == 0:
        print(f"{met[what]} pairs {what}", flush=True)


def assert_nothing_is_told(leaks: list[Leak], met: Counter[str]) -> None:
    summary = "\n".join(f"{count:6} {what}" for what, count in sorted(met.items()))
    print(f"\n{summary}")
    assert not leaks, "\n\n".join(str(leak) for leak in leaks)


def test_no_one_receives_what_they_may_not_know():
    rng, met, leaks = Random(f"at rest {SEED}"), Counter(), []
    wanted = PAIRS - PAIRS // ONE_IN
    with held_still():
        cast = Cast()
        for pairs in random_pairs(rng):
            if met["at rest"] >= wanted or len(leaks) >= LEAKS_SHOWN:
                break
            stage = stage_for(cast, pairs[0].history, rng)
            for pair in pairs[: wanted - met["at rest"]]:
                leaks += leaks_of(stage, pair)
                note(pair, met)
            stage.strike()
    assert_nothing_is_told(leaks, met)
    if wanted >= 140:
        # All kinds of pairs must occur, or the test would prove little.
        kinds = ("seat", "dead", *LOOKERS)
        assert all(met[f"viewer: {kind}"] for kind in kinds)
        assert all(met[f"language: {language}"] for language in LANGUAGES)
        assert all(met[f"edition: {edition}"] for edition in EDITIONS)
        assert all(met[f"phase: {phase}"] for phase in (*Phase, *Power) if phase is not Phase.OVER)
        assert all(met[f"players: {count}"] for count in range(5, 11))
        hidden = ("roles", "pile", "hand", "discards", "knowledge", "running ballots", "seed")
        assert all(met[f"differs in {what}"] for what in (*hidden, "recast ballots"))
        assert met["custom"] and met["a locale of its own"]


def test_no_one_s_socket_tells_what_they_may_not_know():
    rng, met, leaks = Random(f"live {SEED}"), Counter(), []
    with held_still():
        cast = Cast()
        while met["live"] < PAIRS // ONE_IN and len(leaks) < LEAKS_SHOWN:
            pair = random_live_pair(rng)
            stage = stage_for(cast, pair.history, rng)
            leaks += live_leaks_of(stage, pair)
            note(pair, met)
            stage.strike()
    assert_nothing_is_told(leaks, met)


@pytest.mark.parametrize("language", by_day(1, LANGUAGES))
def test_a_table_that_gathers_says_nothing_of_its_seed(language):
    """The seal is drawn before players join. Anyone who knew the seed would know the deal."""
    rng = Random(f"gathering {SEED}")
    with held_still():
        cast = Cast()
        stage = stage_for(cast, random_history(rng, all_people=True), rng)
        stage.game.delete()
        stage.table.seats.filter(number=stage.history.players - 1).delete()
        viewers = [*range(stage.history.players - 1), *LOOKERS]
        seen = []
        for seed in (bytes(32), rng.randbytes(32)):
            Table.objects.filter(pk=stage.table.pk).update(seed=seed, stage=Table.Stage.OPEN)
            forget()
            seen.append([gathering(stage.browser_of(who), language) for who in viewers])
    assert seen[0] == seen[1]


def gathering(browser: Person, language: str) -> list[tuple[object, ...]]:
    browser.language = language
    url = browser.table.get_absolute_url()
    answers = [browser.get(path) for path in (url, f"{url}panels/", f"{url}record/", "/")]
    answers.append(browser.post(f"{url}act/", {"choice": "vote:ja"}, htmx=True))
    return [(answer.status_code, sorted(answer.items()), answer.content) for answer in answers]


def test_every_address_is_looked_at():
    """A URL with an unknown argument needs a line in `ARGUMENTS`."""
    unknown = {name: set(arguments) - set(ARGUMENTS) for name, arguments in routes()}
    assert {name: missing for name, missing in unknown.items() if missing} == {}
