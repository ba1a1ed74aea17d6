"""The gate: leaks planted on purpose, each of which must be caught.

A detector that misses one fails here, before a real leak of that kind gets past it.
"""

from collections.abc import Iterator
from itertools import islice
from random import Random

import pytest
from django.urls import clear_url_caches

from tests.nightly import times
from tests.secrecy import surfaces
from tests.secrecy.lines import LivePair, live_leaks_of, random_live_pair
from tests.secrecy.pairs import Leak, Pair, leaks_of, random_pairs, stage_for
from tests.secrecy.plants import HARMLESS, PLANTS, Plant, change_setting, settings
from tests.secrecy.stage import Cast, held_still
from tests.secrecy.twins import differences

pytestmark = pytest.mark.django_db(transaction=True)

# Pages without plants, which are most of the site; the pairs of test_pairs cover them as well.
ELSEWHERE = ("/account/", "/moderation/", "/rules/")
# One leak through each thing that is compared. `make nightly` plants all.
IN_SMALL = {
    "everybody_sees_the_roles",
    "a_template_prints_the_seed",
    "every_hint_is_passed_on",
    "a_frame_is_sent_twice_where_hitler_sits_oddly",
    "the_log_of_the_server_names_hitler",
    "a_cache_key_carries_the_pile",
    "a_header_names_hitler",
    "a_cookie_names_hitler",
    "a_query_more_is_made_where_hitler_sits_oddly",
}
# Tries with a pair that could show the leak, before the leak counts as missed.
TRIES = 6


def fitting(plant: Plant, rng: Random) -> Iterator[Pair]:
    """Yield pairs whose worlds differ in what the plant reveals, for a viewer who would see it."""
    if plant.is_live:
        while True:
            pair = random_live_pair(rng)
            if plant.shows(pair) and plant.tells in differences(
                pair.history, pair.until, pair.other
            ):
                yield pair
    for pairs in random_pairs(rng):
        for pair in pairs:
            if plant.shows(pair) and plant.tells in differences(
                pair.history, pair.tick, pair.other
            ):
                yield pair
                break


def looked_at(cast: Cast, pair: Pair, *, all_of_it: bool) -> list[Leak]:
    stage = stage_for(cast, pair.history, Random(pair.luck))
    if isinstance(pair, LivePair):
        leaks = live_leaks_of(stage, pair)
    else:
        leaks = leaks_of(stage, pair, all_of_it=all_of_it)
    stage.strike()
    return leaks


def caught(plant: Plant, tries: int = TRIES) -> list[Leak]:
    """Return the first leaks that are found with the plant and not without it.

    A pair is checked as in test_pairs first; if that finds nothing, on all surfaces.
    """
    rng = Random(plant.name)
    urlconf, templates = settings.ROOT_URLCONF, settings.TEMPLATES
    with held_still():
        cast = Cast()
        pairs = islice(fitting(plant, rng), tries)
        for pair, all_of_it in ((pair, whole) for pair in pairs for whole in (False, True)):
            with pytest.MonkeyPatch.context() as patch:
                plant.sow(patch)
                try:
                    leaks = looked_at(cast, pair, all_of_it=all_of_it)
                finally:
                    change_setting(patch, "ROOT_URLCONF", urlconf)
                    change_setting(patch, "TEMPLATES", templates)
                    clear_url_caches()
            if leaks:
                control = looked_at(cast, pair, all_of_it=all_of_it)
                assert control == [], "it leaks without the plant"
                return leaks
    return []


def test_there_are_plants_of_every_kind():
    assert len(PLANTS) >= 20
    assert sum(plant.is_live for plant in PLANTS) >= 5
    assert {plant.name for plant in PLANTS} >= IN_SMALL


@pytest.fixture(autouse=True)
def _near_the_games(monkeypatch) -> None:
    everywhere = surfaces.addresses
    monkeypatch.setattr(
        surfaces,
        "addresses",
        lambda stage: [path for path in everywhere(stage) if not path.startswith(ELSEWHERE)],
    )


@pytest.mark.parametrize(
    "plant",
    [
        pytest.param(plant, marks=() if plant.name in IN_SMALL else pytest.mark.nightly)
        for plant in PLANTS
    ],
    ids=lambda plant: plant.name,
)
def test_a_planted_leak_is_caught(plant):
    assert caught(plant), f"{plant.name} was not noticed: a detector is blind"


def test_where_nothing_is_planted_nothing_is_caught():
    # The last check of each plant, without it, has shown this too.
    assert caught(HARMLESS, tries=times("HARMLESS_PAIRS", 1, 2)) == []
