"""What a player looks at before a choice: the circumstances as numbers, by name.

The same functions serve the fitting to games of people and the bots' play.
"""

from math import log
from typing import Final

from games.rules.components import (
    FASCIST_POLICIES_ARM_HITLER,
    FASCIST_POLICIES_TO_WIN,
    LIBERAL_POLICIES_TO_WIN,
    Party,
    Policy,
    Role,
)
from games.rules.phases import Government, Phase
from games.rules.view import View

from .mind import Odds

Features = dict[str, float]

_LEAST: Final = 0.01
_LEAST_HITLER: Final = 0.003


def vote_features(view: View, odds: Odds) -> Features:
    """Return the circumstances of a ballot."""
    seat, president, chancellor = view.viewer, view.candidate, view.nominee
    assert seat is not None and president is not None and chancellor is not None
    armed = is_armed(view)
    is_cleared = chancellor in view.cleared
    found: Features = {
        "always": 1,
        "president": seat == president,
        "chancellor": seat == chancellor,
        "armed": armed,
        "tracker 1": view.tracker == 1,
        "tracker 2": view.tracker >= 2,
        "first round": view.round == 1,
        "almost won": view.liberal == LIBERAL_POLICIES_TO_WIN - 1,
        "almost lost": view.fascist == FASCIST_POLICIES_TO_WIN - 1,
        "together before": any(
            (g.president, g.chancellor) == (president, chancellor) for g in view.governments
        ),
        "cleared": armed and is_cleared,
    }
    if seat != president:
        found["suspect president"] = suspicion(view, odds, president)
    if seat != chancellor:
        found["suspect chancellor"] = suspicion(view, odds, chancellor)
        if armed and not is_cleared:
            found["hitler chancellor"] = logit(odds.hitler[chancellor], _LEAST_HITLER)
    if seat not in (president, chancellor):
        found["suspect both"] = odds.fascist[president] * odds.fascist[chancellor]
    if view.role is not Role.LIBERAL:
        found |= _fascist_vote(view, president, chancellor, armed)
    return found


def _fascist_vote(view: View, president: int, chancellor: int, armed: bool) -> Features:
    seat = view.viewer
    knows = {
        "president is ours": seat != president and is_fascist(view, president),
        "chancellor is ours": seat != chancellor and is_fascist(view, chancellor),
        "one is ours": is_fascist(view, president) or is_fascist(view, chancellor),
    }
    if armed:
        knows["chancellor wins"] = is_hitler(view, chancellor)
        knows["chancellor is armed fascist"] = (
            seat != chancellor and is_fascist(view, chancellor) and not is_hitler(view, chancellor)
        )
    return {name: float(value) for name, value in knows.items()}


def nomination_features(view: View, odds: Odds, target: int) -> Features:
    """Return the circumstances of a possible nomination."""
    seat = view.viewer
    assert seat is not None
    armed, distance, players = is_armed(view), (target - seat) % view.players, view.players
    found: Features = {
        "suspect": suspicion(view, odds, target),
        "next": distance == 1,
        "second next": distance == 2,
        "last": distance == players - 1,
        "last but one": distance == players - 2,
        "cleared": armed and target in view.cleared,
        **_record(view.governments, target),
        "enacted for me": _enacted(view.governments, seat, target, Policy.LIBERAL),
        "enacted by me": _enacted(view.governments, target, seat, Policy.LIBERAL),
        "fascist for me": _enacted(view.governments, seat, target, Policy.FASCIST),
        "fascist by me": _enacted(view.governments, target, seat, Policy.FASCIST),
    }
    if armed and target not in view.cleared:
        found["hitler"] = logit(odds.hitler[target], _LEAST_HITLER)
    if view.role is not Role.LIBERAL and is_fascist(view, target):
        found["ours"] = 1
        found["ours, armed"] = armed
        found["our hitler"] = is_hitler(view, target)
        found["wins"] = armed and is_hitler(view, target)
    return found


def target_features(view: View, odds: Odds, target: int) -> Features:
    """Return the circumstances of a possible target of a power."""
    seat = view.viewer
    assert seat is not None
    distance = (target - seat) % view.players
    found: Features = {
        "suspect": suspicion(view, odds, target),
        "hitler": logit(odds.hitler[target], _LEAST_HITLER),
        "cleared": target in view.cleared,
        "next": distance == 1,
        "last": distance == view.players - 1,
        "chancellor": target == view.chancellor,
        **_record(view.governments, target),
    }
    if view.role is not Role.LIBERAL and is_fascist(view, target):
        found["ours"] = 1
        found["our hitler"] = is_hitler(view, target)
    elif view.parties[target] is not None:
        found["known"] = 1
    return found


def policy_features(view: View) -> Features:
    """Return the circumstances in which a President or Chancellor has both kinds of policy."""
    seat, president, chancellor = view.viewer, view.president, view.chancellor
    hand = view.hand
    assert seat is not None and president is not None and chancellor is not None
    assert hand is not None
    partner = chancellor if seat == president else president
    enacted = min(view.fascist, FASCIST_POLICIES_ARM_HITLER)
    late = (
        view.liberal == LIBERAL_POLICIES_TO_WIN - 1 or view.fascist == FASCIST_POLICIES_TO_WIN - 1
    )
    found: Features = {
        "always": 1,
        "late": late,
        f"fascist {enacted}": not late,
        f"liberal {min(view.liberal, 3)}": not late,
        "mostly liberal": hand.count(Policy.LIBERAL) == 2,
    }
    if view.role is not Role.LIBERAL and is_fascist(view, partner):
        found["partner is ours"] = 1
        found["partner is hitler"] = is_hitler(view, partner)
        found["partner is ours, late"] = late
    power = view.powers[view.fascist] if view.fascist < len(view.powers) else None
    if power is not None:
        found["power"] = 1
    return {name: float(value) for name, value in found.items()}


def veto_features(view: View) -> Features:
    """Return the circumstances of a veto: which policies are at stake, and whose partner it is."""
    found: Features = {"always": 1}
    partner = view.chancellor if view.phase is Phase.VETO_PROPOSED else view.president
    if partner is not None and is_fascist(view, partner):
        found["partner is ours"] = 1
    return found


def is_armed(view: View) -> bool:
    """Return whether electing Hitler would end the game."""
    return view.armed


def is_fascist(view: View, seat: int) -> bool:
    return view.parties[seat] is Party.FASCIST


def is_hitler(view: View, seat: int) -> bool:
    return view.roles[seat] is Role.HITLER


def suspicion(view: View, odds: Odds, seat: int) -> float:
    """Return how much more suspect a seat is than at the beginning, in log odds."""
    fascists = sum(role.party is Party.FASCIST for role in view.options.roles(view.players))
    return logit(odds.fascist[seat], _LEAST) - logit(fascists / (view.players - 1), _LEAST)


def logit(p: float, least: float) -> float:
    p = min(max(p, least), 1 - _LEAST)
    return log(p / (1 - p))


def _record(governments: tuple[Government, ...], seat: int) -> Features:
    """Return what the governments of a seat have enacted."""
    enacted = {g.policy for g in governments if seat in (g.president, g.chancellor)}
    return {
        "enacted liberal": Policy.LIBERAL in enacted,
        "enacted fascist": Policy.FASCIST in enacted,
    }


def _enacted(
    governments: tuple[Government, ...], president: int, chancellor: int, policy: Policy
) -> bool:
    return any(
        (g.president, g.chancellor, g.policy) == (president, chancellor, policy)
        for g in governments
    )
