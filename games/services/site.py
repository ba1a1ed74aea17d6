"""The site-wide switches that stop new tables and games."""

from accounts.site.switches import switches
from games.wording.refusals import Refusal, Refused


def refuse_opening() -> None:
    """Check that tables may be opened. Raises Refused: MAINTENANCE, TABLES_SHUT."""
    refuse_beginning()
    if not switches().tables:
        raise Refused(Refusal.TABLES_SHUT)


def refuse_beginning() -> None:
    """Check that games may begin. Raises Refused: MAINTENANCE."""
    if is_beginning_closed():
        raise Refused(Refusal.MAINTENANCE)


def is_beginning_closed() -> bool:
    """Return whether maintenance is near: running games may finish, but no new game begins."""
    return switches().maintenance


def reason_no_tables() -> Refusal | None:
    """Return why no table may be opened now, or None if tables may be opened."""
    try:
        refuse_opening()
    except Refused as error:
        return error.refusal
    return None
