"""A call to a table: whether it still leads to a seat."""

from dataclasses import dataclass

from django.db.models import Count, Exists, OuterRef

from games.models import LIVE_STAGES, Seat, Table


@dataclass(frozen=True, slots=True)
class CalledTable:
    """What a call says of its table."""

    code: str
    edition: str
    pace: str
    seated: int
    wanted: int


def called_table(code: str, user_pk: int) -> CalledTable | None:
    """Return the table that a user was called to; None if it has no seat for the user. One query.

    A worker takes such calls back every few seconds. Until then no page shows them.
    """
    row = (
        Table.objects.filter(code=code, stage__in=LIVE_STAGES)
        .annotate(
            seated=Count("seats"),
            is_mine=Exists(Seat.objects.filter(table=OuterRef("pk"), user=user_pk)),
        )
        .values_list("stage", "edition", "pace", "seated", "seats_wanted", "is_mine")
        .first()
    )
    if row is None:
        return None
    stage, edition, pace, seated, wanted, is_mine = row
    if not is_mine and (stage != Table.Stage.OPEN or seated >= wanted):
        return None
    return CalledTable(code, edition, pace, seated, wanted)
