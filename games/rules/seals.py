"""The seal of a record: reading, writing and verifying it. RECORD.md, "The seal"."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from .chance import CONTRIBUTION_BYTES, CONTRIBUTION_BYTES_1, commitment_to, hash_of, order_of
from .reading import (
    RecordError,
    read_boolean,
    read_choice,
    read_hex,
    read_list,
    read_list_of,
    read_object,
    read_seat,
    required,
    shortened,
)

BY_PLAYER: Final = "player"
BY_SERVER: Final = "server"
_BY: Final = (BY_PLAYER, BY_SERVER)
_VERSIONS: Final = (1, 2)
# SHA-256, in hex.
_HASH_DIGITS: Final = 64


@dataclass(frozen=True, slots=True)
class Attempt:
    """An attempt to deal that was cancelled because browsers did not reveal their contributions.

    `missing` are the seats of these browsers; their contributions are None. A reader who has
    only what was published has no `seed` and no contributions.
    """

    commitment: str
    hashes: tuple[str, ...]
    missing: tuple[int, ...]
    seed: str | None = None
    contributions: tuple[str | None, ...] = ()


@dataclass(frozen=True, slots=True)
class Seal:
    """What a finished game's record says about its deal. All values are lower-case hex, by seat."""

    commitment: str
    seed: str
    contributions: tuple[str, ...]
    version: int = 1
    # The fields below are empty in version 1.
    hashes: tuple[str, ...] = ()
    # The source of each contribution: BY_PLAYER or BY_SERVER.
    by: tuple[str, ...] = ()
    # The attempts that were called off before this deal, oldest first.
    attempts: tuple[Attempt, ...] = ()
    # Whether the seats were drawn by lot, from the seed and the contributions.
    seats_drawn: bool = False

    @property
    def is_of_server_alone(self) -> bool:
        """Whether no browser drew a contribution, so that the server could choose the cards."""
        return self.version > 1 and BY_PLAYER not in self.by


@dataclass(frozen=True, slots=True)
class Published:
    """What the site shows after the freeze: the seal without the seed and the contributions."""

    commitment: str
    hashes: tuple[str, ...]
    by: tuple[str, ...]
    attempts: tuple[Attempt, ...] = ()
    seats_drawn: bool = False


# Verifying -------------------------------------------------------------------------------


def verify_seal(seal: Seal) -> list[str]:
    """Return the paths at which the seal contradicts itself, apart from deal and shuffles."""
    wrong: list[str] = []
    if commitment_to(bytes.fromhex(seal.seed)) != seal.commitment:
        wrong.append("seal.commitment")
    if seal.version == 1:
        return wrong
    wrong += _wrong_hashes(seal.hashes, seal.contributions, "seal")
    # Seats with equal contributions could change places unseen where seats are drawn by lot.
    wrong += [
        f"seal.hashes[{seat}]"
        for seat, told in enumerate(seal.hashes)
        if told in seal.hashes[:seat]
    ]
    if seal.seats_drawn:
        # Repeating the draw must leave every seat where it is. Otherwise the server chose among
        # the possible orders.
        drawn = order_of(bytes.fromhex(seal.seed), seal.contributions)
        if drawn != tuple(range(len(seal.contributions))):
            wrong.append("seal.contributions")
    gone: set[int] = set()
    earlier: set[str] = set()
    for number, attempt in enumerate(seal.attempts):
        path = f"seal.attempts[{number}]"
        seed = attempt.seed
        if seed is not None and commitment_to(bytes.fromhex(seed)) != attempt.commitment:
            wrong.append(f"{path}.commitment")
        wrong += _wrong_hashes(attempt.hashes, attempt.contributions, path)
        # A seat that did not reveal gets no second try: the server contributes for it.
        wrong += [f"seal.by[{seat}]" for seat in attempt.missing if seal.by[seat] != BY_SERVER]
        # Nor can it call off another attempt: with one seat the server chooses between two deals.
        if len({*attempt.missing}) < len(attempt.missing) or not gone.isdisjoint(attempt.missing):
            wrong.append(f"{path}.missing")
        gone.update(attempt.missing)
        wrong += _repeated_hashes(attempt.hashes, earlier, path)
        earlier.update(attempt.hashes)
    wrong += _repeated_hashes(seal.hashes, earlier, "seal")
    commitments = [attempt.commitment for attempt in seal.attempts]
    if len({*commitments, seal.commitment}) <= len(commitments):
        # Each attempt needs a seed of its own.
        wrong.append("seal.attempts")
    return wrong


def _repeated_hashes(hashes: tuple[str, ...], earlier: set[str], path: str) -> list[str]:
    """Everything is drawn anew: what was revealed to an earlier attempt is no secret any more."""
    return [f"{path}.hashes[{seat}]" for seat, told in enumerate(hashes) if told in earlier]


def _wrong_hashes(
    hashes: tuple[str, ...], contributions: tuple[str | None, ...], path: str
) -> list[str]:
    return [
        f"{path}.hashes[{seat}]"
        for seat, (told, contribution) in enumerate(zip(hashes, contributions, strict=False))
        if contribution is not None and hash_of(contribution) != told
    ]


def verify_published(seal: Seal, published: Published) -> list[str]:
    """Return the paths at which the seal differs from what the site had published.

    `published` may belong to an attempt that was called off later.
    """
    attempts = seal.attempts
    earlier = published.attempts
    wrong = [
        f"seal.attempts[{number}]"
        for number, attempt in enumerate(earlier)
        if number >= len(attempts) or not _is_same_attempt(attempts[number], attempt)
    ]
    if published.commitment == seal.commitment:
        if len(attempts) != len(earlier):
            wrong.append("seal.attempts")
        if seal.seats_drawn != published.seats_drawn:
            wrong.append("seal.seats_drawn")
        told = list(zip(published.hashes, published.by, strict=True))
        kept = list(zip(seal.hashes, seal.by, strict=True))
        if published.seats_drawn:
            # These were published in the order before the draw.
            told, kept = sorted(told), sorted(kept)
        if len(told) != len(kept):
            return [*wrong, "seal.hashes"]
        pairs = enumerate(zip(told, kept, strict=True))
        return wrong + [f"seal.hashes[{seat}]" for seat, (before, now) in pairs if before != now]
    called_off = attempts[len(earlier)] if len(attempts) > len(earlier) else None
    if called_off is None or called_off.commitment != published.commitment:
        wrong.append("seal.commitment")
    elif sorted(called_off.hashes) != sorted(published.hashes):
        wrong.append(f"seal.attempts[{len(earlier)}].hashes")
    return wrong


def _is_same_attempt(one: Attempt, other: Attempt) -> bool:
    """Return whether the public parts are equal; the seats may have been drawn in between."""
    return (
        one.commitment == other.commitment
        and sorted(one.hashes) == sorted(other.hashes)
        and sorted(one.hashes[seat] for seat in one.missing)
        == sorted(other.hashes[seat] for seat in other.missing)
    )


# Writing ---------------------------------------------------------------------------------


def seal_json(seal: Seal) -> dict[str, object]:
    """Return the seal in the format of RECORD.md."""
    if seal.version == 1:
        return {
            "commitment": seal.commitment,
            "seed": seal.seed,
            "contributions": list(seal.contributions),
        }
    return {
        "version": seal.version,
        "commitment": seal.commitment,
        "seed": seal.seed,
        "hashes": list(seal.hashes),
        "contributions": list(seal.contributions),
        "by": list(seal.by),
        "seats_drawn": seal.seats_drawn,
        "attempts": [_attempt_json(attempt) for attempt in seal.attempts],
    }


def published_json(published: Published) -> dict[str, object]:
    """Return what is published after the freeze, with the same keys as the seal."""
    return {
        "version": 2,
        "commitment": published.commitment,
        "hashes": list(published.hashes),
        "by": list(published.by),
        "seats_drawn": published.seats_drawn,
        "attempts": [_attempt_json(attempt) for attempt in published.attempts],
    }


def _attempt_json(attempt: Attempt) -> dict[str, object]:
    written: dict[str, object] = {
        "commitment": attempt.commitment,
        "hashes": list(attempt.hashes),
        "missing": list(attempt.missing),
    }
    if attempt.seed is not None:
        written["seed"] = attempt.seed
        written["contributions"] = list(attempt.contributions)
    return written


# Reading ---------------------------------------------------------------------------------


def read_seal(data: object, seats: int) -> Seal | None:
    """Return the seal in parsed JSON, or None if there is none. Raises RecordError."""
    if data is None:
        return None
    item = read_object(data, "seal")
    version = item.get("version", 1)
    if type(version) is not int or version not in _VERSIONS:
        raise RecordError("not_allowed", "seal.version", value=shortened(version), allowed="1, 2")
    digits = 2 * (CONTRIBUTION_BYTES_1 if version == 1 else CONTRIBUTION_BYTES)
    contributions = tuple(
        read_hex(value, f"seal.contributions[{i}]", digits)
        for i, value in enumerate(
            read_list_of(required(item, "contributions", "seal"), "seal.contributions", seats)
        )
    )
    commitment = _read_hash(item, "commitment", "seal")
    seed = _read_hash(item, "seed", "seal")
    if version == 1:
        return Seal(commitment, seed, contributions)
    return Seal(
        commitment,
        seed,
        contributions,
        version=2,
        hashes=_read_hashes(item, "seal", seats),
        by=_read_by(item, "seal", seats),
        attempts=_read_attempts(item, "seal", seats),
        seats_drawn=read_boolean(item.get("seats_drawn", False), "seal.seats_drawn"),
    )


def read_published(data: object) -> Published:
    """Return what parsed JSON says was published of a seal. Raises RecordError."""
    item = read_object(data, "")
    seats = len(read_list(required(item, "hashes", ""), "hashes"))
    return Published(
        commitment=_read_hash(item, "commitment", ""),
        hashes=_read_hashes(item, "", seats),
        by=_read_by(item, "", seats),
        attempts=_read_attempts(item, "", seats),
        seats_drawn=read_boolean(item.get("seats_drawn", False), "seats_drawn"),
    )


def _read_attempts(item: Mapping[str, object], path: str, seats: int) -> tuple[Attempt, ...]:
    path = _below(path, "attempts")
    attempts = read_list(item.get("attempts", []), path)
    return tuple(_read_attempt(data, f"{path}[{i}]", seats) for i, data in enumerate(attempts))


def _read_attempt(data: object, path: str, seats: int) -> Attempt:
    item = read_object(data, path)
    missing = tuple(
        read_seat(seat, f"{path}.missing[{i}]", seats)
        for i, seat in enumerate(read_list(required(item, "missing", path), f"{path}.missing"))
    )
    if not missing:
        raise RecordError("missing", f"{path}.missing")
    commitment = _read_hash(item, "commitment", path)
    hashes = _read_hashes(item, path, seats)
    if "seed" not in item:
        return Attempt(commitment, hashes, missing)
    contributions = read_list_of(
        required(item, "contributions", path), f"{path}.contributions", seats
    )
    return Attempt(
        commitment,
        hashes,
        missing,
        seed=_read_hash(item, "seed", path),
        contributions=tuple(
            None
            if seat in missing and value is None
            else read_hex(value, f"{path}.contributions[{seat}]", 2 * CONTRIBUTION_BYTES)
            for seat, value in enumerate(contributions)
        ),
    )


def _read_hashes(item: Mapping[str, object], path: str, seats: int) -> tuple[str, ...]:
    where = _below(path, "hashes")
    values = read_list_of(required(item, "hashes", path), where, seats)
    return tuple(read_hex(value, f"{where}[{i}]", _HASH_DIGITS) for i, value in enumerate(values))


def _read_by(item: Mapping[str, object], path: str, seats: int) -> tuple[str, ...]:
    where = _below(path, "by")
    values = read_list_of(required(item, "by", path), where, seats)
    return tuple(read_choice(value, f"{where}[{i}]", _BY) for i, value in enumerate(values))


def _read_hash(item: Mapping[str, object], key: str, path: str) -> str:
    return read_hex(required(item, key, path), _below(path, key), _HASH_DIGITS)


def _below(path: str, key: str) -> str:
    return f"{path}.{key}" if path else key
