"""What the switches of the whole site close to tables."""

from accounts.switches import switches
from games.refusals import Refusal, Refused


def refuse_opening() -> None:
    """For whatever opens a table. Raises Refused: MAINTENANCE, TABLES_SHUT."""
    refuse_beginning()
    if not switches().tables:
        raise Refused(Refusal.TABLES_SHUT)


def refuse_beginning() -> None:
    """For whatever begins a game. Raises Refused: MAINTENANCE."""
    if begins_nothing():
        raise Refused(Refusal.MAINTENANCE)


def begins_nothing() -> bool:
    """Whether the site is about to be worked on: games that run are finished, none begins."""
    return switches().maintenance


def why_no_tables() -> Refusal | None:
    """Why no table may be opened now; None where it may."""
    try:
        refuse_opening()
    except Refused as error:
        return error.refusal
    return None
