"""Which version of the original rules a document follows.

It decides what a book says of the box, the ceremony and good play. Options decide the rules alone.
"""

from enum import StrEnum
from typing import Final


class Lineage(StrEnum):
    FINAL = "final rules of 2016"
    EARLY = "early print-and-play rules"
    RETOLD = "a free retelling"


_LINEAGES: Final = {
    "en": Lineage.FINAL,
    "ru": Lineage.FINAL,
    "pl": Lineage.FINAL,
    "ja": Lineage.EARLY,
    "it": Lineage.EARLY,
    "ru-5-6": Lineage.RETOLD,
}


def lineage_of(edition: str) -> Lineage:
    return _LINEAGES[edition]
