"""A browser deals records again by itself, and comes to the server's verdict.

PROOF_RECORDS sets how many records it checks.
"""

import json
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from random import Random
from typing import Any

import pytest
from django.contrib.staticfiles import finders

from games.rules.chance import SealedChance, commitment_to, order_of
from games.rules.editions import EDITIONS, options_of
from games.rules.record import WitnessedChance, read_record, record_json, verify
from games.rules.seals import Attempt, Seal
from games.simulation.games import both, play_game
from tests.nightly import times

RECORDS = times("PROOF_RECORDS", 4, 12)
# A browser has Web Crypto for addresses of its own machine.
ORIGIN = "http://localhost:9"


def sealed(random: Random, players: int) -> Seal:
    """Return a seal of version 2, with seats drawn by lot and called-off attempts in some."""
    seed = random.randbytes(32)
    parts = [random.randbytes(32).hex() for _ in range(players)]
    is_drawn = random.random() < 0.5
    if is_drawn:
        parts = [parts[place] for place in order_of(seed, parts)]
    by = ["player"] * players
    attempts = []
    if random.random() < 0.4:
        gone = random.randrange(players)
        by[gone] = "server"
        first = [random.randbytes(32).hex() for _ in range(players)]
        tried = random.randbytes(32)
        attempts.append(
            Attempt(
                commitment_to(tried),
                tuple(hash_of(part) for part in first),
                (gone,),
                tried.hex(),
                tuple(None if seat == gone else part for seat, part in enumerate(first)),
            )
        )
    return Seal(
        commitment_to(seed),
        seed.hex(),
        tuple(parts),
        version=2,
        hashes=tuple(hash_of(part) for part in parts),
        by=tuple(by),
        attempts=tuple(attempts),
        seats_drawn=is_drawn,
    )


def hash_of(part: str) -> str:
    return sha256(bytes.fromhex(part)).hexdigest()


def a_record(number: int) -> dict[str, Any]:
    """Return a record; every other one is honest, and the others are changed in one place."""
    random = Random(f"proof:{number}")
    options = options_of(random.choice(list(EDITIONS)))
    players = random.randint(*options.players)
    game = play_game(options, players, "proof", number, both("uniform"))
    if random.random() < 0.8:
        seal = sealed(random, players)
        chance = WitnessedChance(SealedChance(bytes.fromhex(seal.seed), seal.contributions))
        # As many shuffles as that game had, of the same cards.
        for n, pile in enumerate(game.chance.piles, start=1):
            chance.reshuffle(n, pile)
        game = replace(game, chance=chance, seal=seal)
    record = record_json(game.record(next(c for c in EDITIONS if options_of(c) == options)))
    if number % 2:
        spoil(record, random)
    return record


def spoil(record: dict[str, Any], random: Random) -> None:
    """Change one thing that the seal says or fixes."""
    seal, deal = record["seal"], record["deal"]
    other = random.randbytes(32).hex()
    seat = random.randrange(len(record["seats"]))
    changes = [
        lambda: seal.update(commitment=other),
        lambda: seal.update(seed=other),
        lambda: deal.update(first_candidate=(deal["first_candidate"] + 1) % len(record["seats"])),
        lambda: deal["roles"].reverse(),
        lambda: deal["draw_pile"].reverse(),
        lambda: seal["contributions"].reverse(),
    ]
    if seal.get("hashes"):
        changes += [
            lambda: seal["hashes"].__setitem__(seat, other),
            lambda: seal["hashes"].__setitem__(seat, seal["hashes"][seat - 1]),
            lambda: seal.update(seats_drawn=True),
        ]
    if record["shuffles"]:
        changes.append(lambda: record["shuffles"][0].reverse())
    if seal.get("attempts"):
        attempt = seal["attempts"][0]
        changes += [
            lambda: attempt.update(commitment=seal["commitment"]),
            lambda: attempt["hashes"].__setitem__(seat, seal["hashes"][seat]),
            lambda: seal["by"].__setitem__(attempt["missing"][0], "player"),
            lambda: attempt["missing"].append(attempt["missing"][0]),
        ]
    random.choice(changes)()


@pytest.fixture
def page(chromium):
    context = chromium.new_context()
    page = context.new_page()
    yield page
    context.close()


def verdict_of(page: Any, record: dict[str, Any], told: list[str]) -> tuple[str, list[str]]:
    """Return the browser's verdict where the server has told these places, and its own places."""
    script = Path(finders.find("games/proof.js")).read_text(encoding="utf-8")
    html = (
        f'<main id="own-check" data-record="/record" data-server="{" ".join(told)}">'
        '<div data-when="broken" hidden><ul data-places></ul></div></main>'
        '<script src="/proof.js"></script>'
    )
    answers = {
        "/": ("text/html", html),
        "/record": ("application/json", json.dumps(record)),
        "/proof.js": ("text/javascript", script),
    }

    def answer(route: Any) -> None:
        kind, body = answers.get(route.request.url.removeprefix(ORIGIN), ("text/plain", ""))
        route.fulfill(content_type=kind, body=body)

    page.route("**/*", answer)
    page.goto(f"{ORIGIN}/")
    page.wait_for_selector(
        "#own-check:is([data-verdict=holds], [data-verdict=broken], [data-verdict=disagrees],"
        " [data-verdict=failed])",
        state="attached",
    )
    places = page.eval_on_selector_all("[data-places] code", "all => all.map(c => c.textContent)")
    verdict = page.get_attribute("#own-check", "data-verdict")
    page.unroute_all()
    return verdict, places


def test_browser_and_server_find_the_same_places_wrong(page):
    seen = set()
    for number in range(RECORDS):
        record = a_record(number)
        wrong = sorted({*verify(read_record(record))})

        verdict, places = verdict_of(page, record, wrong)

        assert (number, verdict, places) == (number, "broken" if wrong else "holds", wrong)
        seen.add(verdict)
    assert seen == {"holds", "broken"}


def test_the_browser_believes_no_server_that_hides_a_broken_hash(page):
    record = a_record(0)
    record["seal"]["seed"] = "0" * 64

    verdict, _ = verdict_of(page, record, [])

    assert verdict == "disagrees"


@pytest.mark.parametrize(
    ("is_broken", "verdict"),
    [pytest.param(False, "holds", marks=pytest.mark.nightly), (True, "broken")],
)
def test_the_page_of_a_record_shows_both_verdicts(site, newcomer, is_broken, verdict):
    file = Path(__file__).parent.parent / "records" / "en-sealed.json"
    record = json.loads(file.read_text(encoding="utf-8"))
    if is_broken:
        record["seal"]["seed"] = "0" * 64
    vera = newcomer(site, f"Vera{verdict}")
    vera.register()
    page = vera.page
    page.goto(f"http://127.0.0.1:{site.port}/records/")
    page.fill("#upload-text", json.dumps(record))
    page.click(".uploads-page .button.primary")
    page.wait_for_selector("[data-replay]")

    page.goto(f"{page.url}proof/")

    page.wait_for_selector(f"#own-check[data-verdict={verdict}]")
    assert page.locator(f"#server-check.{verdict}").count() == 1
    assert (
        page.locator("#own-check b:visible").inner_text()
        == page.locator("#server-check b").inner_text()
    )
