"""Fitting habits to games of people: logistic models by Newton's method, in plain Python."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from math import exp
from typing import Final

from games.bots.heard import Heard
from games.bots.reasoning.habits import Habits, key_of
from games.bots.reasoning.mind import odds_for
from games.bots.reasoning.situation import (
    Features,
    nomination_features,
    policy_features,
    target_features,
    veto_features,
    vote_features,
)
from games.rules.actions import Action, AnswerVeto, Discard, Enact, Nominate, Vote
from games.rules.claims import Told, sight_of
from games.rules.components import Ballot, Policy, Role
from games.rules.knowledge import Knowledge
from games.rules.powers import POWERS, Power, UsePowerOn
from games.rules.record import replay
from games.rules.view import View, public_event, view_for

from .corpus import AnnotatedGame
from .equations import solved

# A weight is drawn to 0 as if by one contrary observation.
_PENALTY: Final = 1.0
_STEPS: Final = 15


@dataclass(frozen=True, slots=True)
class Choice:
    """One choice that a person made: the options by their circumstances, and which was taken.

    A choice between two actions has one option, which was taken (0) or not (-1).
    """

    key: str
    options: tuple[Features, ...]
    taken: int


def choices_of(game: AnnotatedGame) -> Iterator[Choice]:
    """Yield the choices of a game. A claim counts from the moment that it may be made."""
    for view, heard, action in decisions_of(game):
        found = choice_of(view, heard, action)
        if found is not None:
            yield found


def decisions_of(game: AnnotatedGame) -> Iterator[tuple[View, Heard, Action]]:
    """Yield each decision with more than one legal action: the view, what was heard, the action."""
    told: list[Told] = []
    said: list[Knowledge] = []
    heard = Heard(told, said)
    waiting = list(game.claims)
    state = None
    for position in replay(game.record):
        entry = position.entry
        if entry is not None and state is not None:
            view = view_for(state, entry.action.seat)
            if len(view.legal) > 1:
                yield view, heard, entry.action
            events = tuple(public_event(event) for event in position.events)
            told.append((state.round, entry.action.seat, events))
            known = {sight_of(item) for item in position.state.knowledge}
            said.extend(claim for claim in waiting if sight_of(claim) in known)
            waiting = [claim for claim in waiting if sight_of(claim) not in known]
        state = position.state


def choice_of(view: View, heard: Heard, action: Action) -> Choice | None:
    """Return a decision as the models see it; None if no model is about it."""
    role = view.role
    assert role is not None
    if isinstance(action, Vote):
        return _two("vote", role, vote_features(view, odds_for(view, heard)), _is_ja(action))
    if isinstance(action, Nominate):
        odds = odds_for(view, heard)
        options = [nomination_features(view, odds, seat) for seat in view.eligible]
        return Choice(key_of("nominate", role), tuple(options), view.eligible.index(action.target))
    if isinstance(action, UsePowerOn):
        odds = odds_for(view, heard)
        targets = [item.target for item in view.legal if isinstance(item, UsePowerOn)]
        assert isinstance(view.phase, Power)
        aim = POWERS[view.phase].aim
        options = [target_features(view, odds, seat) for seat in targets]
        return Choice(key_of(aim, role), tuple(options), targets.index(action.target))
    if isinstance(action, Discard):
        keeps = action.policy is Policy.FASCIST
        return _two("discard", role, policy_features(view), keeps)
    if isinstance(action, Enact) and view.hand is not None and len(set(view.hand)) > 1:
        return _two("enact", role, policy_features(view), action.policy is Policy.LIBERAL)
    if isinstance(action, AnswerVeto):
        return _two("consent", role, veto_features(view), action.consent)
    return None


def _two(name: str, role: Role, features: Features, taken: bool) -> Choice:
    return Choice(key_of(name, role), (features,), 0 if taken else -1)


def _is_ja(action: Vote) -> bool:
    return action.ballot is Ballot.JA


def fit(choices: Iterable[Choice]) -> Habits:
    """Return the habits that make these choices most likely."""
    by_key: dict[str, list[Choice]] = {}
    for choice in choices:
        by_key.setdefault(choice.key, []).append(choice)
    return Habits({key: _fit_one(found) for key, found in sorted(by_key.items())})


def probabilities(weights: dict[str, float], choice: Choice) -> list[float]:
    """Return the probability of each option, and of taking none in a choice between two."""
    scores = [
        sum(weights.get(name, 0.0) * value for name, value in option.items())
        for option in choice.options
    ]
    if len(scores) == 1:
        p = 1 / (1 + exp(-scores[0]))
        return [p, 1 - p]
    most = max(scores)
    shares = [exp(score - most) for score in scores]
    total = sum(shares)
    return [share / total for share in shares]


def _fit_one(choices: Sequence[Choice]) -> dict[str, float]:
    names = sorted({name for choice in choices for option in choice.options for name in option})
    place = {name: i for i, name in enumerate(names)}
    weights = dict.fromkeys(names, 0.0)
    for _ in range(_STEPS):
        slope = [-_PENALTY * weights[name] for name in names]
        bend = [[_PENALTY * (i == j) for j in range(len(names))] for i in range(len(names))]
        for choice in choices:
            shares = probabilities(weights, choice)
            _add(choice, shares, place, slope, bend)
        move = solved(bend, slope)
        for name, by in zip(names, move, strict=True):
            weights[name] += by
        if max(map(abs, move), default=0.0) < 1e-4:
            break
    return weights


def _add(
    choice: Choice,
    shares: Sequence[float],
    place: dict[str, int],
    slope: list[float],
    bend: list[list[float]],
) -> None:
    mean: dict[int, float] = {}
    for option, share in zip(choice.options, shares, strict=False):
        sparse = [(place[name], value) for name, value in option.items() if value]
        for i, value in sparse:
            mean[i] = mean.get(i, 0.0) + share * value
            line = bend[i]
            for j, other in sparse:
                line[j] += share * value * other
    if choice.taken >= 0:
        for name, value in choice.options[choice.taken].items():
            slope[place[name]] += value
    for i, value in mean.items():
        slope[i] -= value
        line = bend[i]
        for j, other in mean.items():
            line[j] -= value * other
