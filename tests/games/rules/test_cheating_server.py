"""A server that cheats, and how `replay --verify` exposes it.

Every player here is a browser, except the last one, who is in league with the server.
"""

import json
from dataclasses import dataclass, replace
from hashlib import sha256
from io import StringIO
from itertools import permutations
from pathlib import Path
from random import Random

import pytest
from django.core.management import call_command

from games.rules.chance import SealedChance, commitment_to, hash_of, order_of
from games.rules.components import Party, Role
from games.rules.editions import options_of
from games.rules.reading import RecordError
from games.rules.record import Record, read_record, record_json, verify
from games.rules.seals import (
    Attempt,
    Published,
    Seal,
    published_json,
    read_published,
    verify_published,
)

PLAYERS = 7
FRIEND = PLAYERS - 1


@dataclass
class Table:
    """What a server knows when the hashes are frozen, and what it has published."""

    random: Random
    seed: bytes
    contributions: list[str]
    published: Published


def freeze(random: Random, *, seats_drawn: bool = False) -> Table:
    seed = random.randbytes(32)
    contributions = [random.randbytes(32).hex() for _ in range(PLAYERS)]
    published = Published(
        commitment=commitment_to(seed),
        hashes=tuple(map(hash_of, contributions)),
        by=("player",) * PLAYERS,
        seats_drawn=seats_drawn,
    )
    return Table(random, seed, contributions, published)


def told(seed: bytes, contributions: list[str], **changes: object) -> Record:
    """Return a record whose deal follows from this seal, whatever the server did."""
    deal = SealedChance(seed, contributions).deal(options_of("en"), PLAYERS)
    seal = Seal(
        commitment=commitment_to(seed),
        seed=seed.hex(),
        contributions=tuple(contributions),
        version=2,
        hashes=tuple(map(hash_of, contributions)),
        by=("player",) * PLAYERS,
    )
    return Record(
        edition="en",
        options=options_of("en", {}),
        seats=tuple(f"Seat {seat}" for seat in range(PLAYERS)),
        deal=deal,
        seal=replace(seal, **changes),
    )


def likes(record: Record) -> bool:
    """Return whether the friend is a fascist, and the first three policies are fascist."""
    is_fascist = record.deal.roles[FRIEND].party is Party.FASCIST
    return is_fascist and all(p.value == "fascist" for p in record.deal.draw_pile[:3])


@pytest.fixture
def frozen() -> Table:
    return freeze(Random("a cheating server"))


def test_an_honest_server_is_believed(frozen):
    record = told(frozen.seed, frozen.contributions)
    assert verify(record) == []
    assert verify_published(record.seal, frozen.published) == []


def test_grinding_the_friends_contribution_shows(frozen):
    """Try the friend's contributions until the server likes the deal, as in version 1."""
    for tries in range(10_000):
        ground = [*frozen.contributions[:FRIEND], sha256(bytes([tries % 256])).hexdigest()]
        ground[FRIEND] = sha256(tries.to_bytes(4, "big")).hexdigest()
        if likes(told(frozen.seed, ground)):
            break
    record = told(frozen.seed, ground)
    assert likes(record)

    # With the frozen hash the record contradicts itself; with another, it contradicts the site.
    lazy = told(frozen.seed, ground, hashes=frozen.published.hashes)
    assert verify(lazy) == [f"seal.hashes[{FRIEND}]"]
    assert verify(record) == []
    assert verify_published(record.seal, frozen.published) == [f"seal.hashes[{FRIEND}]"]


def test_until_the_last_reveal_the_server_knows_nothing_of_the_deal(frozen):
    """One honest browser is enough: each of its contributions gives a different deal."""
    roles = set()
    for tries in range(400):
        possible = [*frozen.contributions]
        possible[0] = sha256(tries.to_bytes(4, "big")).hexdigest()
        roles.add(told(frozen.seed, possible).deal.roles)
    # Out of 105 deals of the roles at seven seats.
    assert len(roles) > 90


def test_a_seed_that_was_swapped_shows(frozen):
    other = frozen.random.randbytes(32)
    lazy = told(other, frozen.contributions, commitment=frozen.published.commitment)
    assert verify(lazy) == ["seal.commitment"]
    thorough = told(other, frozen.contributions)
    assert verify(thorough) == []
    assert verify_published(thorough.seal, frozen.published) == ["seal.commitment"]


def test_reveals_in_another_order_show(frozen):
    reordered = [frozen.contributions[1], frozen.contributions[0], *frozen.contributions[2:]]
    lazy = told(frozen.seed, reordered, hashes=frozen.published.hashes)
    assert verify(lazy) == ["seal.hashes[0]", "seal.hashes[1]"]
    thorough = told(frozen.seed, reordered)
    assert verify_published(thorough.seal, frozen.published) == ["seal.hashes[0]", "seal.hashes[1]"]


def test_no_order_but_the_one_that_was_drawn_passes_where_seats_are_drawn():
    frozen = freeze(Random("drawn"), seats_drawn=True)
    drawn = order_of(frozen.seed, frozen.contributions)
    honest = told(frozen.seed, [frozen.contributions[p] for p in drawn], seats_drawn=True)
    assert verify(honest) == []
    assert verify_published(honest.seal, frozen.published) == []
    for order in list(permutations(range(PLAYERS)))[::97]:
        chosen = [frozen.contributions[place] for place in order]
        record = told(frozen.seed, chosen, seats_drawn=True)
        assert (verify(record) == []) == (order == drawn)
    unsaid = told(frozen.seed, frozen.contributions)
    assert "seal.seats_drawn" in verify_published(unsaid.seal, frozen.published)


def test_a_reveal_that_was_dropped_shows(frozen):
    replaced = [frozen.random.randbytes(32).hex(), *frozen.contributions[1:]]
    by = ("server", *frozen.published.by[1:])
    lazy = told(frozen.seed, replaced, hashes=frozen.published.hashes, by=by)
    assert verify(lazy) == ["seal.hashes[0]"]
    thorough = told(frozen.seed, replaced, by=by)
    assert verify_published(thorough.seal, frozen.published) == ["seal.hashes[0]"]
    fewer = record_json(told(frozen.seed, frozen.contributions))
    fewer["seal"]["contributions"].pop()
    with pytest.raises(RecordError) as error:
        read_record(fewer)
    assert error.value.path == "seal.contributions"


def attempt_of(frozen: Table, missing: int) -> Attempt:
    return Attempt(
        commitment=frozen.published.commitment,
        hashes=frozen.published.hashes,
        missing=(missing,),
        seed=frozen.seed.hex(),
        contributions=tuple(
            None if seat == missing else contribution
            for seat, contribution in enumerate(frozen.contributions)
        ),
    )


def test_an_attempt_that_the_friend_gave_up_is_seen(frozen):
    again = freeze(frozen.random)
    by = ("player",) * FRIEND + ("server",)
    honest = told(again.seed, again.contributions, by=by, attempts=(attempt_of(frozen, FRIEND),))
    assert verify(honest) == []
    assert verify_published(honest.seal, frozen.published) == []
    # If the record leaves it out, players who saw it frozen miss it.
    hidden = told(again.seed, again.contributions, by=by)
    assert verify_published(hidden.seal, frozen.published) == ["seal.commitment"]


def test_a_seat_that_gives_up_twice_shows(frozen):
    again = freeze(frozen.random)
    attempts = (attempt_of(frozen, FRIEND),)
    record = told(again.seed, again.contributions, attempts=attempts)
    assert verify(record) == [f"seal.by[{FRIEND}]"]


def test_one_seat_calls_off_one_attempt(frozen):
    """Otherwise one friend, or one browser that is not heard, gives as many deals as one likes."""
    attempts = [attempt_of(frozen, FRIEND)]
    for _ in range(2):
        attempts.append(attempt_of(freeze(frozen.random), FRIEND))
    again = freeze(frozen.random)
    by = ("player",) * FRIEND + ("server",)

    ground = told(again.seed, again.contributions, by=by, attempts=tuple(attempts))

    assert verify(ground) == ["seal.attempts[1].missing", "seal.attempts[2].missing"]


def test_a_contribution_that_an_attempt_has_revealed_is_not_used_again(frozen):
    """The server knows it, so it could choose the new seed by it."""
    again = freeze(frozen.random)
    contributions = [frozen.contributions[0], *again.contributions[1:]]
    by = ("player",) * FRIEND + ("server",)
    attempts = (attempt_of(frozen, FRIEND),)

    record = told(again.seed, contributions, by=by, attempts=attempts)

    assert verify(record) == ["seal.hashes[0]"]


def test_an_attempt_is_verified_like_the_deal(frozen):
    again = freeze(frozen.random)
    by = ("player",) * FRIEND + ("server",)
    good = attempt_of(frozen, FRIEND)
    for bad, path in (
        (replace(good, seed="00" * 32), "seal.attempts[0].commitment"),
        (
            replace(good, contributions=("00" * 32, *good.contributions[1:])),
            "seal.attempts[0].hashes[0]",
        ),
    ):
        record = told(again.seed, again.contributions, by=by, attempts=(bad,))
        assert verify(record) == [path]


def test_the_same_seed_for_two_attempts_shows(frozen):
    by = ("player",) * FRIEND + ("server",)
    attempts = (attempt_of(frozen, FRIEND),)
    record = told(frozen.seed, frozen.contributions, by=by, attempts=attempts)
    assert "seal.attempts" in verify(record)


def test_every_seal_survives_being_written_and_read(frozen):
    by = ("player",) * FRIEND + ("server",)
    again = freeze(frozen.random)
    attempts = (attempt_of(frozen, FRIEND),)
    record = told(again.seed, again.contributions, by=by, attempts=attempts)
    assert read_record(json.loads(json.dumps(record_json(record)))) == record
    written = json.loads(json.dumps(published_json(frozen.published)))
    assert read_published(written) == frozen.published


def spoil(seal: dict, path: tuple, value: object) -> None:
    *way, last = path
    for key in way:
        seal = seal[key]
    if value is None:
        del seal[last]
    else:
        seal[last] = value


@pytest.mark.parametrize(
    ("path", "value", "told_path"),
    [
        (("version",), 3, "seal.version"),
        (("version",), True, "seal.version"),
        (("hashes",), None, "seal.hashes"),
        (("hashes", 2), "x", "seal.hashes[2]"),
        (("hashes",), ["00" * 32], "seal.hashes"),
        (("by", 0), "bot", "seal.by[0]"),
        (("by",), None, "seal.by"),
        (("contributions", 0), "00" * 16, "seal.contributions[0]"),
        (("seats_drawn",), 1, "seal.seats_drawn"),
        (("attempts",), {}, "seal.attempts"),
        (("attempts", 0), "x", "seal.attempts[0]"),
        (("attempts", 0, "missing"), [], "seal.attempts[0].missing"),
        (("attempts", 0, "missing", 0), 7, "seal.attempts[0].missing[0]"),
        (("attempts", 0, "commitment"), None, "seal.attempts[0].commitment"),
        (("attempts", 0, "contributions"), None, "seal.attempts[0].contributions"),
        (("attempts", 0, "contributions", 0), 5, "seal.attempts[0].contributions[0]"),
    ],
)
def test_a_malformed_seal_is_refused_with_its_place(frozen, path, value, told_path):
    again = freeze(frozen.random)
    attempts = (attempt_of(frozen, FRIEND),)
    data = json.loads(
        json.dumps(record_json(told(again.seed, again.contributions, attempts=attempts)))
    )
    spoil(data["seal"], path, value)
    with pytest.raises(RecordError) as error:
        read_record(data)
    assert error.value.path == told_path


def replayed(tmp_path: Path, record: Record, *options: str) -> tuple[int, str]:
    """Run `manage.py replay`; return its status and what it prints on standard error."""
    path = tmp_path / "record.json"
    path.write_text(json.dumps(record_json(record)))
    errors = StringIO()
    status = 0
    try:
        call_command("replay", str(path), "--verify", *options, stdout=StringIO(), stderr=errors)
    except SystemExit as left:
        status = int(left.code or 0)
    return status, errors.getvalue()


def test_the_command_checks_the_record_against_what_was_published(frozen, tmp_path):
    saved = tmp_path / "seal.json"
    saved.write_text(json.dumps(published_json(frozen.published)))
    honest = told(frozen.seed, frozen.contributions)
    ground = told(frozen.seed, [*frozen.contributions[:FRIEND], "00" * 32])

    assert replayed(tmp_path, honest, "--published", str(saved))[0] == 0
    assert replayed(tmp_path, ground)[0] == 0
    status, errors = replayed(tmp_path, ground, "--published", str(saved))
    assert status == 3
    assert f"seal.hashes[{FRIEND}]" in errors


def test_the_command_shows_attempts_that_were_called_off(frozen, tmp_path):
    again = freeze(frozen.random)
    by = ("player",) * FRIEND + ("server",)
    record = told(again.seed, again.contributions, by=by, attempts=(attempt_of(frozen, FRIEND),))

    status, errors = replayed(tmp_path, record)

    assert status == 0
    assert "Deal 1 was called off. No answer from: Seat 6." in errors


def test_the_command_says_when_no_browser_took_part(frozen, tmp_path):
    """A server that hears no browser at all deals as it likes, and each recomputed value fits."""
    sentence = "No player’s browser took part in this deal"
    by = ("server",) * PLAYERS
    attempt = replace(
        attempt_of(frozen, FRIEND),
        missing=tuple(range(PLAYERS)),
        contributions=(None,) * PLAYERS,
    )
    again = freeze(frozen.random)
    ground = told(again.seed, again.contributions, by=by, attempts=(attempt,))

    status, errors = replayed(tmp_path, ground)
    assert status == 0
    assert sentence in errors
    assert "No answer from: Seat 0, Seat 1" in errors
    assert sentence not in replayed(tmp_path, told(frozen.seed, frozen.contributions))[1]


def test_a_role_of_a_forged_deal_is_found(frozen):
    record = told(frozen.seed, frozen.contributions)
    roles = list(record.deal.roles)
    hitler, liberal = roles.index(Role.HITLER), roles.index(Role.LIBERAL)
    roles[hitler], roles[liberal] = roles[liberal], roles[hitler]
    forged = replace(record, deal=replace(record.deal, roles=tuple(roles)))
    assert verify(forged) == ["deal.roles"]


def test_two_seats_with_one_contribution_show(frozen):
    """Where seats are drawn, the server could let them change places."""
    copied = [*frozen.contributions[:FRIEND], frozen.contributions[0]]
    assert verify(told(frozen.seed, copied)) == [f"seal.hashes[{FRIEND}]"]
