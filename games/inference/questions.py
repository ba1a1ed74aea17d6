"""Which circumstances the model of play looks at, for each choice that a player makes.

Each function returns circumstances for a table, the most important one first. Roles are the small
numbers of `assignments`. One function serves both the fitting and the posterior.
"""

from typing import Final

from games.rules.components import Ballot, Policy
from games.rules.powers import Aim

from .assignments import FASCIST
from .course import Session, Vote
from .tables import Circumstances

_ROLE: Final = ("L", "F", "H")
_PARTY: Final = ("l", "f", "f")
_PULL_OF_AIM: Final = {
    Aim.EXPOSE: "investigate",
    Aim.PROMOTE: "call",
    Aim.ELIMINATE: "execute",
}


def discard(session: Session, president: int, chancellor: int, drawn: int) -> Circumstances:
    """Where a President discards one of three, of which `drawn` are liberal."""
    # Liberals do not know the partner's role, and Hitler knows it only at five and six seats.
    partner = _ROLE[chancellor] if president == FASCIST else "-"
    when = "late" if session.urgent else "first" if session.fascist == 0 else "middle"
    return str(drawn), _ROLE[president], partner, when


def enact(session: Session, president: int, chancellor: int) -> Circumstances:
    """Where a Chancellor has a liberal and a fascist policy."""
    partner = _ROLE[president] if chancellor == FASCIST else "-"
    when = "late" if session.urgent else str(min(session.fascist, 3))
    return _ROLE[chancellor], partner, when


def veto(president: int, chancellor: int, received: int) -> Circumstances:
    """Where a Chancellor may propose a veto, with `received` liberal policies in hand."""
    return str(received), _PARTY[chancellor] + _PARTY[president]


def drawn_claim(
    policy: str, president: int, chancellor: int, drawn: int, discarded: str
) -> Circumstances:
    """Where a President may claim what was drawn."""
    # A fascist knows the Chancellor's role; a liberal may guess the party.
    partner = _ROLE[chancellor] if president == FASCIST else _PARTY[chancellor]
    return f"{drawn}{discarded[0]}{policy[0]}", _PARTY[president], _ROLE[president], partner


def received_claim(policy: str, chancellor: int, received: int, drawn_claim: str) -> Circumstances:
    """Where a Chancellor may claim what was received, after the President's claim or silence."""
    return f"{received}{policy[0]}{drawn_claim}", _PARTY[chancellor], _ROLE[chancellor]


def peeked_claim(president: int, drawn: int) -> Circumstances:
    """Where a President may claim what was on top of the pile."""
    return str(drawn), _PARTY[president]


def report(president: int, target: int) -> Circumstances:
    """Where a President may report the party of an investigated seat."""
    return _PARTY[president] + _PARTY[target], _ROLE[president] + _ROLE[target]


def vote_kind(vote: Vote) -> str:
    return "vote_armed" if vote.armed else "vote_early"


def vote(
    vote: Vote, share: str, seat: int, role: int, president: int, chancellor: int
) -> Circumstances:
    """Where a seat votes. How the others voted is a circumstance: they all saw the same game."""
    stage = "armed" if vote.armed else "early"
    if seat == vote.president:
        return "president", stage, _ROLE[role], _ROLE[chancellor]
    if seat == vote.chancellor:
        return "chancellor", stage, _ROLE[role], _ROLE[president]
    if vote.armed:
        # A Chancellor who is Hitler wins the game now, and the fascists know who that is.
        roles = _ROLE[chancellor], _ROLE[role], _ROLE[president]
        return "other" + share, stage, _PARTY[role], *roles
    pair = "".join(sorted(_ROLE[president] + _ROLE[chancellor]))
    return "other" + share, stage, _PARTY[role], _ROLE[role], pair


def welcome(vote: Vote, president: int, chancellor: int) -> Circumstances:
    """Where a government is proposed to the voters outside it."""
    stage = "armed" if vote.armed else "early"
    return stage, _PARTY[president] + _PARTY[chancellor], _ROLE[president] + _ROLE[chancellor]


def share(vote: Vote, seat: int | None) -> str:
    """Return roughly how many voters, outside the government and but for `seat`, voted Ja."""
    others = [
        ballot
        for other, ballot in enumerate(vote.ballots)
        if ballot is not None and other not in (seat, vote.president, vote.chancellor)
    ]
    if not others:
        return "1"
    share = others.count(Ballot.JA) / len(others)
    return "0" if share <= 0.25 else "1" if share <= 0.5 else "2" if share < 0.75 else "3"


def nomination(armed: bool, president: int) -> Circumstances:
    """Where a candidate nominates a Chancellor."""
    return "armed" if armed else "early", _ROLE[president]


def target(president: int) -> Circumstances:
    """Where a President uses a power on a seat."""
    return (_ROLE[president],)


def pull_of(aim: Aim) -> str:
    """Return the name of the pull table for powers with this aim."""
    return _PULL_OF_AIM[aim]


def policy_name(policy: Policy | None) -> str:
    """Return an enacted policy for `drawn_claim`; an accepted veto is "veto"."""
    return "veto" if policy is None else str(policy)
