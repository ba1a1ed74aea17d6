"""A second, naive implementation of RECORD.md's section "The seal", for the tests."""

import hashlib
import hmac
from collections.abc import Iterator
from typing import Any


def commitment(seed: bytes) -> str:
    return hashlib.sha256(seed).hexdigest()


def key(seed: bytes, contributions: list[str]) -> bytes:
    return hmac.new(seed, "\n".join(contributions).encode(), hashlib.sha256).digest()


def words(the_key: bytes, label: str) -> Iterator[int]:
    block = 0
    while True:
        message = label + ":" + str(block)
        data = hmac.new(the_key, message.encode(), hashlib.sha256).digest()
        for start in range(0, 32, 4):
            a, b, c, d = data[start : start + 4]
            yield a * 2**24 + b * 2**16 + c * 2**8 + d
        block += 1


def below(stream: Iterator[int], n: int) -> int:
    whole = 2**32 // n
    for word in stream:
        if word < n * whole:
            return word % n
    raise AssertionError("an endless stream ended")


def shuffled(the_key: bytes, label: str, items: list[str]) -> list[str]:
    stream = words(the_key, label)
    items = list(items)
    for i in reversed(range(1, len(items))):
        j = below(stream, i + 1)
        items[i], items[j] = items[j], items[i]
    return items


def deal(the_key: bytes, players: int, options: dict[str, Any] | None = None) -> dict[str, object]:
    house = options or {}
    fascists = house.get("fascists") or {5: 1, 6: 1, 7: 2, 8: 2, 9: 3, 10: 3}[players]
    liberal = house.get("liberal_policies", 6) - house.get("liberal_start", 0)
    fascist = house.get("fascist_policies", 11) - house.get("fascist_start", 0)
    roles = ["liberal"] * (players - fascists - 1) + ["fascist"] * fascists + ["hitler"]
    return {
        "roles": shuffled(the_key, "roles", roles),
        "draw_pile": shuffled(the_key, "deck", ["liberal"] * liberal + ["fascist"] * fascist),
        "first_candidate": below(words(the_key, "candidate"), players),
    }


def reshuffled(the_key: bytes, number: int, cards: list[str]) -> list[str]:
    ordered = [c for c in cards if c == "liberal"] + [c for c in cards if c == "fascist"]
    return shuffled(the_key, f"shuffle:{number}", ordered)
