"""RECORD.md's seal, compared with a naive second implementation and with frozen vectors."""

from dataclasses import replace
from itertools import islice
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.rules.chance import SealedChance, _Stream, commitment_to, hash_of
from games.rules.components import Policy, Role
from games.rules.editions import options_of
from games.rules.record import RecordError, verify
from tests.examples import examples
from tests.games.rules.random_game import Game

from . import naive_seal
from .table import cards, letters

ROLE_LETTERS = {Role.LIBERAL: "L", Role.FASCIST: "F", Role.HITLER: "H"}


def contributions_of(random: Random, players: int) -> list[str]:
    return [random.randbytes(16).hex() for _ in range(players)]


@pytest.mark.parametrize("players", range(5, 11))
def test_the_deal_is_the_documents_over_many_seeds(players):
    random = Random(players)
    for _ in range(60):
        seed, contributions = random.randbytes(32), contributions_of(random, players)
        key = naive_seal.key(seed, contributions)
        deal = SealedChance(seed, contributions).deal(options_of("en"), players)
        assert {
            "roles": [str(role) for role in deal.roles],
            "draw_pile": [str(policy) for policy in deal.draw_pile],
            "first_candidate": deal.first_candidate,
        } == naive_seal.deal(key, players)
        assert commitment_to(seed) == naive_seal.commitment(seed)


def test_the_shuffles_are_the_documents_over_many_seeds():
    random = Random("shuffles")
    for _ in range(100):
        seed, contributions = random.randbytes(32), contributions_of(random, 5)
        pool = random.choices("LF", k=random.randint(3, 15))
        number = random.randint(1, 12)
        pile = SealedChance(seed, contributions).reshuffle(number, cards("".join(pool)))
        names = [str(policy) for policy in cards("".join(pool))]
        key = naive_seal.key(seed, contributions)
        assert [str(policy) for policy in pile] == naive_seal.reshuffled(key, number, names)


@given(key=st.binary(min_size=32, max_size=32), label=st.text("abc:", max_size=9))
@settings(deadline=None, max_examples=examples(50))
def test_a_stream_of_words_runs_on_over_its_blocks(key, label):
    stream = _Stream(key, label)
    # A number below 2^32 is the next word itself.
    drawn = [stream.below(2**32) for _ in range(40)]
    assert drawn == list(islice(naive_seal.words(key, label), 40))


@given(key=st.binary(min_size=32, max_size=32), n=st.integers(2**31 + 1, 2**32 - 1))
@settings(deadline=None, max_examples=examples(50))
def test_words_past_the_last_whole_multiple_are_skipped(key, n):
    stream = _Stream(key, "x")
    again = naive_seal.words(key, "x")
    assert [stream.below(n) for _ in range(20)] == [naive_seal.below(again, n) for _ in range(20)]


def test_the_first_word_past_the_last_whole_multiple_is_skipped():
    """No known seed draws that word, so the test inserts it. The stream pops words from its end."""
    for n in (3, 7, 10, 17):
        limit = n * (2**32 // n)
        stream = _Stream(bytes(32), "x")
        stream._words = [limit - 1, limit]
        assert stream.below(n) == n - 1


def test_the_order_of_the_pool_says_nothing_about_the_pile():
    chance = SealedChance(bytes(32), ["00" * 16] * 5)
    assert chance.reshuffle(3, cards("LLLFFF")) == chance.reshuffle(3, cards("FLFLFL"))


def test_every_seat_has_a_hand_in_the_cards():
    honest = [f"{seat:032x}" for seat in range(5)]
    deal = SealedChance(bytes(32), honest).deal(options_of("en"), 5)
    for seat in range(5):
        other = [*honest]
        other[seat] = "f" * 32
        assert SealedChance(bytes(32), other).deal(options_of("en"), 5) != deal
    assert (
        SealedChance(bytes(32), [honest[1], honest[0], *honest[2:]]).deal(options_of("en"), 5)
        != deal
    )


# Frozen: computed once with naive_seal. They must never change.
VECTORS = [
    # seed, contributions, roles, draw pile, first candidate, shuffle 1 and 2 of LLLLFFFFFFFF
    (
        "00" * 32,
        ["00" * 16] * 5,
        "LHFLL",
        "FFFFFLFLFLFFLFLFL",
        0,
        "FFFLLLFFLFFF",
        "FFLLFFLLFFFF",
    ),
    (
        bytes(range(32)).hex(),
        ["%032x" % (seat * 0x1234567) for seat in range(7)],
        "LLFLFLH",
        "LLFFFFLFFFFFFLLLF",
        2,
        "FLFLFLFFFFLF",
        "FLFFFLLLFFFF",
    ),
    (
        "ff" * 32,
        ["ab" * 16, "cd" * 16] * 5,
        "LFFLFLLHLL",
        "FFLLFFFLLLLFFFFFF",
        9,
        "LFFLFLLFFFFF",
        "FLFLFFLFFFFL",
    ),
]


@pytest.mark.parametrize(("seed", "given", "roles", "pile", "first", "one", "two"), VECTORS)
def test_a_frozen_vector(seed, given, roles, pile, first, one, two):
    chance = SealedChance(bytes.fromhex(seed), given)
    deal = chance.deal(options_of("en"), len(given))
    assert "".join(ROLE_LETTERS[role] for role in deal.roles) == roles
    assert letters(deal.draw_pile) == pile
    assert deal.first_candidate == first
    pool = cards("LLLLFFFFFFFF")
    assert letters(chance.reshuffle(1, pool)) == one
    assert letters(chance.reshuffle(2, pool)) == two


# The same for version 2, whose contributions are twice as long and are hashed.
VECTORS_2 = [
    # seed, contributions, first two hashes, roles, draw pile, first candidate, two shuffles
    (
        bytes(range(32)).hex(),
        [f"{seat * 0x1234567:064x}" for seat in range(5)],
        "66687aadf862bd776c8fc18b8e9f8e20089714856ee233b3902a591d0d5f2925",
        "5b261619bc9fd417a8d22631f99e0f8c878622e79498755dc3678e56323fcfdc",
        "FLLLH",
        "FLLLLFFFFFLFLFFFF",
        3,
        "FFFLLFLLFFFF",
        "FLFLFFFFFLLF",
    ),
    (
        "ff" * 32,
        ["ab" * 32, "cd" * 32] * 5,
        "9a2db2e23f1504cd056606553ac049c5e718e8f9ce9233876df1a7a1821af885",
        "7969ec0fcb8b648dfde24b1d0ae24568d398dcc3a83b80a850f973238cdfd3d9",
        "LFLLLLLFHF",
        "LLFFFFLFFLFFFFFLL",
        4,
        "FFLLFFFFFLFL",
        "LFLFFFLFFFFL",
    ),
]


@pytest.mark.parametrize(
    ("seed", "given", "first", "second", "roles", "pile", "candidate", "one", "two"), VECTORS_2
)
def test_a_frozen_vector_of_version_2(seed, given, first, second, roles, pile, candidate, one, two):
    assert [hash_of(contribution) for contribution in given[:2]] == [first, second]
    chance = SealedChance(bytes.fromhex(seed), given)
    deal = chance.deal(options_of("en"), len(given))
    assert "".join(ROLE_LETTERS[role] for role in deal.roles) == roles
    assert letters(deal.draw_pile) == pile
    assert deal.first_candidate == candidate
    pool = cards("LLLLFFFFFFFF")
    assert letters(chance.reshuffle(1, pool)) == one
    assert letters(chance.reshuffle(2, pool)) == two


def test_the_frozen_commitment():
    empty = "66687aad f862bd77 6c8fc18b 8e9f8e20 08971485 6ee233b3 902a591d 0d5f2925"
    assert commitment_to(bytes(32)) == empty.replace(" ", "")


# Verifying ------------------------------------------------------------------------------------


def sealed():
    """Return the record of a finished game with at least two shuffles."""
    seed = 0
    while True:
        game = Game("pl", {}, 7, seed).finish()
        if len(game.chance.piles) > 1:
            return game.record
        seed += 1


def swapped(items: tuple) -> tuple:
    """Return the items with the first one and the next different one exchanged."""
    other = next(i for i, item in enumerate(items) if item != items[0])
    moved = list(items)
    moved[0], moved[other] = moved[other], moved[0]
    return tuple(moved)


def test_an_honest_record_verifies():
    assert verify(sealed()) == []


def test_a_tampered_deal_is_found():
    record = sealed()
    deal = record.deal
    for name, wrong in (
        ("roles", swapped(deal.roles)),
        ("draw_pile", swapped(deal.draw_pile)),
        ("first_candidate", (deal.first_candidate + 1) % 7),
    ):
        forged = replace(record, deal=replace(deal, **{name: wrong}))
        assert verify(forged) == [f"deal.{name}"]


def test_a_tampered_shuffle_is_found():
    record = sealed()
    for number in range(len(record.shuffles)):
        shuffles = list(record.shuffles)
        shuffles[number] = swapped(shuffles[number])
        assert verify(replace(record, shuffles=tuple(shuffles))) == [f"shuffles[{number}]"]


def test_shuffles_in_the_wrong_order_are_found():
    record = sealed()
    assert verify(replace(record, shuffles=record.shuffles[::-1])) != []


def test_a_tampered_commitment_is_found():
    record = sealed()
    assert record.seal is not None
    forged = replace(record, seal=replace(record.seal, commitment="0" * 64))
    assert verify(forged) == ["seal.commitment"]


def test_another_seed_is_found_in_everything():
    record = sealed()
    assert record.seal is not None
    wrong = verify(replace(record, seal=replace(record.seal, seed="ab" * 32)))
    assert "seal.commitment" in wrong
    assert "deal.draw_pile" in wrong


def test_another_contribution_is_found():
    record = sealed()
    assert record.seal is not None
    forged = ("00" * 16, *record.seal.contributions[1:])
    wrong = verify(replace(record, seal=replace(record.seal, contributions=forged)))
    assert "seal.commitment" not in wrong
    assert "deal.draw_pile" in wrong


def test_there_is_nothing_to_verify_without_a_seal():
    with pytest.raises(RecordError) as raised:
        verify(replace(sealed(), seal=None))
    assert raised.value.path == "seal"


def test_a_shuffle_is_the_same_cards():
    chance = SealedChance(bytes(32), ["00" * 16] * 5)
    for number in range(1, 9):
        pile = chance.reshuffle(number, cards("LLFFFFF"))
        assert sorted(pile) == sorted(cards("LLFFFFF"))
        assert all(isinstance(policy, Policy) for policy in pile)
