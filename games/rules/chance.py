"""The sealed chance: nobody, the server included, can choose the cards. RECORD.md, "The seal"."""

from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256
from hmac import digest
from typing import Final, Protocol, TypeVar

from .components import Policy, Role, deck, roles_for

SEED_BYTES: Final = 32
CONTRIBUTION_BYTES: Final = 16
_WORD: Final = 2**32

T = TypeVar("T")


class Chance(Protocol):
    """Where a reshuffled draw pile comes from."""

    def reshuffle(self, number: int, cards: Sequence[Policy]) -> tuple[Policy, ...]:
        """The new draw pile, top first: the `number`-th (from 1) of the game, made of `cards`."""
        ...


@dataclass(frozen=True, slots=True)
class Deal:
    """The hidden start of a game: roles by seat, the draw pile top first, who stands first."""

    roles: tuple[Role, ...]
    draw_pile: tuple[Policy, ...]
    first_candidate: int


def commitment_to(seed: bytes) -> str:
    """What is published when a table opens: SHA-256 of the seed, in hex."""
    return sha256(seed).hexdigest()


def order_of(seed: bytes, contributions: Sequence[str]) -> tuple[int, ...]:
    """Who sits where, when seats are drawn: item k is the place in `contributions` of seat k's.

    It follows from the sealed seed and from what everybody added, in whatever order they sat
    down: who draws again draws the same.
    """
    places = sorted(range(len(contributions)), key=lambda place: contributions[place])
    sealed = SealedChance(seed, [contributions[place] for place in places])
    return tuple(sealed._shuffled(places, "seats"))


class SealedChance:
    """Deal and shuffles derived from the server's seed and every seat's contribution.

    `seed` is 32 bytes; `contributions` are lower-case hex, 16 bytes each, in seat order.
    """

    __slots__ = ("_key",)

    def __init__(self, seed: bytes, contributions: Sequence[str]) -> None:
        self._key = digest(seed, "\n".join(contributions).encode("ascii"), "sha256")

    def deal(self, players: int) -> Deal:
        return Deal(
            roles=tuple(self._shuffled(roles_for(players), "roles")),
            draw_pile=tuple(self._shuffled(deck(), "deck")),
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
    """An endless row of big-endian 32-bit words: HMAC-SHA256(key, "label:block")."""

    __slots__ = ("_block", "_key", "_label", "_words")

    def __init__(self, key: bytes, label: str) -> None:
        self._key = key
        self._label = label
        self._block = 0
        self._words: list[int] = []

    def below(self, n: int) -> int:
        """A number from 0 to n - 1, each as likely: words past the last multiple are skipped."""
        limit = n * (_WORD // n)
        while True:
            if not self._words:
                message = f"{self._label}:{self._block}".encode("ascii")
                block = digest(self._key, message, "sha256")
                self._block += 1
                # Reversed, so that pop() takes them in order.
                self._words = [
                    int.from_bytes(block[i : i + 4], "big") for i in range(len(block) - 4, -1, -4)
                ]
            word = self._words.pop()
            if word < limit:
                return word % n
