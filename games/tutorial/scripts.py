"""The games of the tutorial: who has which role, which cards are drawn, and every move so far.

The player always has seat 0, at a table of seven. The rules play each script, so a script that
breaks a rule of any edition fails in the tests.
"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Script:
    """A game up to the player's decision."""

    # L, F or H for each seat.
    roles: str
    # The seat of the first presidential candidate.
    first: int
    # The first cards of the draw pile, top first: L or F.
    pile: str = ""
    # Moves separated by semicolons, each by the seat whose turn it is: "nominate 3", "discard f",
    # "enact l", a power such as "investigate 3", or "vote jjnn.jn" with a ballot for each seat. A
    # dot stands for a ballot that is not cast.
    moves: str = ""


# Liberal at seats 0, 1, 4 and 6; Hitler at seat 3.
_LIBERAL = "LLFHLFL"

_ONE_GOVERNMENT = "nominate 5; vote jjjnjnj; discard f; enact l"
# Three fascist policies; seat 0 has investigated seat 3.
_THREE_FASCIST = (
    "nominate 5; vote jjjnjjn; discard f; enact f; "
    "nominate 4; vote jjnnjnj; discard f; enact f; investigate 3; "
    "nominate 2; vote jjjjnjn; discard f; enact f; "
)

ROLE = Script(_LIBERAL, first=6)
NOMINATE = Script(_LIBERAL, first=6, pile="LFF", moves=_ONE_GOVERNMENT)
VOTE = Script(_LIBERAL, first=6, pile="LFF", moves=f"{_ONE_GOVERNMENT}; nominate 4; vote .jnnjjn")
TRACKER = Script(
    _LIBERAL,
    first=5,
    pile="FLF",
    moves="nominate 3; vote jnnjnjn; nominate 4; vote njnjnnj; nominate 2; vote .jjjnnn",
)
PRESIDENT = Script(_LIBERAL, first=0, pile="FLF", moves="nominate 4; vote jjjnjnn")
CHANCELLOR = Script(_LIBERAL, first=6, pile="FLF", moves="nominate 0; vote jjjnjnj; discard f")
CLAIM = Script(_LIBERAL, first=0, pile="FFF", moves="nominate 1; vote jjjnjnn; discard f; enact f")
INVESTIGATE = Script(
    _LIBERAL,
    first=6,
    pile="FFFFFF",
    moves="nominate 5; vote jjjnjjn; discard f; enact f; "
    "nominate 4; vote jjnnjnj; discard f; enact f",
)
EXECUTE = Script(
    _LIBERAL,
    first=6,
    pile="FFFFFFLFFFFF",
    moves=f"{_THREE_FASCIST} call_special_election 0; nominate 4; vote jjnnjnj; discard f; enact f",
)
VETO = Script(
    "LFLHLFL",
    first=1,
    pile="FLFFLFFLFFFFFF",
    moves="nominate 2; vote nnnjjjn; nominate 3; vote njnjnnj; nominate 4; vote jnnjnjn; "
    "nominate 5; vote jjnjjjn; discard f; enact f; investigate 6; "
    "nominate 2; vote jjjjnjn; discard l; enact f; call_special_election 1; "
    "nominate 6; vote njjjnjj; discard l; enact f; execute 4; "
    "nominate 5; vote nnnj-jn; nominate 3; vote njnj-nn; nominate 2; vote njjn-nn; "
    "nominate 0; vote jnjj-nj; discard f",
)
HITLER_CHECK = Script(
    _LIBERAL,
    first=6,
    pile="FFFFFFLFF",
    moves="nominate 5; vote jjjnjjn; discard f; enact f; "
    "nominate 4; vote jjnnjnj; discard f; enact f; investigate 6; "
    "nominate 2; vote jjjjnjn; discard f; enact f; call_special_election 6; "
    "nominate 3; vote .njjnnj",
)
FASCIST = Script("FLLHLFL", first=0, pile="FLF", moves="nominate 3; vote jjnjnjn")
LIE = Script(
    "FLLHLFL",
    first=0,
    pile="FLF",
    moves="nominate 3; vote jjnjnjn; discard l; enact f",
)
HITLER = Script("HLFLLFL", first=6, pile="FLF", moves="nominate 0; vote jnjjnjj; discard f")
HITLER_ELECTED = Script(
    "HLFLLFL",
    first=3,
    pile="LFFLFFLFF",
    moves="nominate 5; vote jnjjjjn; discard f; enact f; "
    "nominate 2; vote jnjjjnn; discard f; enact f; investigate 1; "
    "nominate 6; vote jnjjnjj; discard l; enact f; call_special_election 2; "
    "nominate 0; vote .njnjjn",
)
