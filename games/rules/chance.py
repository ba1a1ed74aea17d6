"""The sealed deal and shuffles, which neither the server nor a player can choose.

RECORD.md explains it in "The seal". The server commits to a seed, and each browser commits to a
contribution by its hash. Only then are the contributions revealed and the deal derived from them.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256
from hmac import digest
from typing import Final, Protocol, TypeVar

from .components import Policy, Role
from .editions import Options

SEED_BYTES: Final = 32
CONTRIBUTION_BYTES: Final = 32
# Version 1 of the seal, in which contributions were public from the start.
CONTRIBUTION_BYTES_1: Final = 16
_WORD: Final = 2**32

T = TypeVar("T")


class Chance(Protocol):
    """The source of a reshuffled draw pile."""

    def reshuffle(self, number: int, cards: Sequence[Policy]) -> tuple[Policy, ...]:
        """Return a new draw pile of `cards`, top first: the game's `number`-th, counted from 1."""
        ...


@dataclass(frozen=True, slots=True)
class Deal:
    """The hidden start of a game: roles by seat, the draw pile top first, the first candidate."""

    roles: tuple[Role, ...]
    draw_pile: tuple[Policy, ...]
    first_candidate: int


def commitment_to(seed: bytes) -> str:
    """Return the SHA-256 of the seed, in hex: what a table publishes when it opens."""
    return sha256(seed).hexdigest()


def hash_of(contribution: str) -> str:
    """Return the hash that a browser sends before the reveal: SHA-256, in hex.

    `contribution` is hexadecimal; the hash is of its bytes, not of its digits.
    """
    return sha256(bytes.fromhex(contribution)).hexdigest()


def bot_contribution(commitment: str, seat: int) -> str:
    """Return a bot's contribution. It is derived from public data, so no one can choose it."""
    return sha256(f"{commitment}:bot:{seat}".encode("ascii")).hexdigest()


def order_of(seed: bytes, contributions: Sequence[str]) -> tuple[int, ...]:
    """Return the drawn seat order: item k is the index in `contributions` of the one for seat k.

    The result depends only on the sealed seed and on the set of contributions, not on the order in
    which the players sat down, so repeating the draw gives the same order.
    """
    places = sorted(range(len(contributions)), key=lambda place: contributions[place])
    sealed = SealedChance(seed, [contributions[place] for place in places])
    return tuple(sealed._shuffled(places, "seats"))


class SealedChance:
    """Deal and shuffles derived from the server's seed and every seat's contribution.

    `seed` is 32 bytes; `contributions` are lower-case hex in seat order, 32 bytes each (16 in
    version 1 of the seal).
    """

    __slots__ = ("_key",)

    def __init__(self, seed: bytes, contributions: Sequence[str]) -> None:
        self._key = digest(seed, "\n".join(contributions).encode("ascii"), "sha256")

    def deal(self, options: Options, players: int) -> Deal:
        return Deal(
            roles=tuple(self._shuffled(options.roles(players), "roles")),
            draw_pile=tuple(self._shuffled(options.pile(), "deck")),
            first_candidate=_Stream(self._key, "candidate").below(players),
        )

    def reshuffle(self, number: int, cards: Sequence[Policy]) -> tuple[Policy, ...]:
        liberals = list(cards).count(Policy.LIBERAL)
        ordered = [Policy.LIBERAL] * liberals + [Policy.FASCIST] * (len(cards) - liberals)
        return tuple(self._shuffled(ordered, f"shuffle:{number}"))

    def _shuffled(self, items: Sequence[T], label: str) -> list[T]:
        stream = _Stream(self._key, label)
        result = list(items)
        for i in range(len(result) - 1, 0, -1):
            j = stream.below(i + 1)
            result[i], result[j] = result[j], result[i]
        return result


class _Stream:
    """An endless sequence of big-endian 32-bit words: HMAC-SHA256(key, "label:block")."""

    __slots__ = ("_block", "_key", "_label", "_words")

    def __init__(self, key: bytes, label: str) -> None:
        self._key = key
        self._label = label
        self._block = 0
        self._words: list[int] = []

    def below(self, n: int) -> int:
        """Return a number from 0 to n - 1, all equally likely.

        Words at or above the largest multiple of `n` within 2**32 are skipped.
        """
        limit = n * (_WORD // n)
        while True:
            if not self._words:
                message = f"{self._label}:{self._block}".encode("ascii")
                block = digest(self._key, message, "sha256")
                self._block += 1
                # Reversed, so that pop() returns the words in order.
                self._words = [
                    int.from_bytes(block[i : i + 4], "big") for i in range(len(block) - 4, -1, -4)
                ]
            word = self._words.pop()
            if word < limit:
                return word % n
