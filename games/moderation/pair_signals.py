"""Accounts of one table that share a browser or a network: for moderators.

That may be innocent: families share both.
"""

from collections.abc import Collection
from dataclasses import dataclass
from typing import Final

from accounts.models import Signal
from accounts.services.signals import shared_signals
from games.models import Sat, Table

_MOST_SHOWN: Final = 15


@dataclass(frozen=True, slots=True)
class PairSignals:
    """Two accounts, and how many browsers and networks they have in common."""

    first: str
    second: str
    devices: int
    addresses: int


def signals_at(table: Table, others: Collection[tuple[int, str]] = ()) -> tuple[PairSignals, ...]:
    """Return the pairs among the accounts that have ever had a seat at `table`, strongest first.

    `others`, the reporters of a case by primary key and name, are compared too.
    """
    sat = Sat.objects.filter(table=table).values_list("user", "user__username")
    names = dict(others) | dict(sat)
    found = [
        PairSignals(
            names[first], names[second], shared[Signal.Kind.DEVICE], shared[Signal.Kind.ADDRESS]
        )
        for (first, second), shared in shared_signals(names).items()
    ]
    found.sort(key=lambda each: (-each.devices, -each.addresses, each.first, each.second))
    return tuple(found[:_MOST_SHOWN])
