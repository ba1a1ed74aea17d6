"""What the site commits to before a deal: RECORD.md, "The seal"."""

from collections.abc import Sequence
from typing import Any

from django.conf import settings
from django.db import models

from games.models.tables import Seat, Table, new_seed
from games.rules.chance import commitment_to
from games.rules.seals import BY_PLAYER, BY_SERVER, Attempt, Published, Seal


class PreparedSeed(models.Model):
    """The seed of the next table that a user opens.

    Its commitment is on the pages from which a table is opened, so it is published before any
    browser draws a contribution for that table.
    """

    user = models.OneToOneField(
        settings.AUTH_USER_MODEL, models.CASCADE, related_name="prepared_seed"
    )
    seed = models.BinaryField(default=new_seed, editable=False)

    def __str__(self) -> str:
        return f"seed of {self.user_id}"

    @property
    def commitment(self) -> str:
        return commitment_to(bytes(self.seed))


def is_seal_frozen(table: Table, seats: Sequence[Seat]) -> bool:
    """Whether the hashes of all contributions are frozen and public.

    They are not while browsers draw anew for another attempt.
    """
    return table.is_sealed and all(seat.contribution_hash or seat.contribution for seat in seats)


def published_seal(table: Table, seats: Sequence[Seat]) -> Published:
    """Return what everyone may know of a deal whose hashes are frozen."""
    return Published(
        commitment=table.commitment,
        hashes=tuple(seat.published_hash for seat in seats),
        by=_by(seats),
        attempts=tuple(_attempt(attempt) for attempt in table.seal_attempts),
        seats_drawn=table.shuffles_seats,
    )


def revealed_seal(table: Table, seats: Sequence[Seat]) -> Seal:
    """Return the complete seal, for a game that is over."""
    contributions = tuple(seat.contribution for seat in seats)
    seed = bytes(table.seed).hex()
    if table.seal_version == 1:
        return Seal(table.commitment, seed, contributions)
    return Seal(
        table.commitment,
        seed,
        contributions,
        version=table.seal_version,
        hashes=tuple(seat.published_hash for seat in seats),
        by=_by(seats),
        attempts=tuple(_attempt(attempt) for attempt in table.seal_attempts),
        seats_drawn=table.shuffles_seats,
    )


def _by(seats: Sequence[Seat]) -> tuple[str, ...]:
    return tuple(BY_PLAYER if seat.contribution_hash else BY_SERVER for seat in seats)


def _attempt(written: dict[str, Any]) -> Attempt:
    return Attempt(
        commitment=written["commitment"],
        hashes=tuple(written["hashes"]),
        missing=tuple(written["missing"]),
        seed=written["seed"],
        contributions=tuple(written["contributions"]),
    )
