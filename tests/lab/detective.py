"""What gives fascist bots away: `.venv/bin/python -m tests.lab.detective --games 100`.

Bots of one kind play against themselves, and a detective judges each game
([`detecting.py`](detecting.py)). The last line of the report checks the reckoning: if it is exact,
it gives the true assignment, on average, what it expects to give it.

The detective speaks before the last action of the game. The report shows the AUC over all seats
(how likely a fascist, or Hitler, ranks above a liberal), how many of the seats that it suspects
most are fascists, and how many bits it has learnt about the assignment (all would be 6.7 at seven).
Bits vary less than the AUC and tell kinds of evidence apart in fewer games. A row for one kind of
evidence has that kind and what is certain (a Chancellor is not Hitler, nor is the dead player).
Intervals are of 95 %, by bootstrap of whole games.
"""

import json
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from math import log2
from random import Random
from typing import Any, Final

from games import bots
from games.rules.claims import Sight
from games.rules.components import Party
from games.rules.editions import Options, options_of
from games.rules.events import Over
from games.rules.knowledge import Knowledge
from games.rules.legality import legal_actions
from games.rules.phases import Phase
from games.rules.powers import Power
from games.rules.record import replay
from games.rules.view import public_event, view_for

from .detecting import (
    BALLOTS,
    BALLOTS_ARMED,
    CLAIMS,
    EVIDENCE,
    LEAST,
    NOMINATIONS,
    NOMINATIONS_ARMED,
    OWN_BALLOTS,
    POLICIES_KIND,
    POWERS_KINDS,
    REPORTS,
    Detective,
    Watched,
    watched_game,
)
from .frame import arguments, in_processes
from .scores import Predictions, auc

_RESAMPLES: Final = 200
GROUPS: Final[Mapping[str, tuple[str, ...]]] = {
    "all evidence": EVIDENCE,
    "what is certain": (),
    "ALL NOMINATIONS": (NOMINATIONS, NOMINATIONS_ARMED),
    "ALL BALLOTS": (BALLOTS, BALLOTS_ARMED, OWN_BALLOTS),
    "ALL POLICIES": (POLICIES_KIND,),
    "ALL CLAIMS": (CLAIMS, REPORTS),
    "ALL POWERS": tuple(POWERS_KINDS.values()),
    "policies and claims": (POLICIES_KIND, CLAIMS, REPORTS),
}


# The measurement -----------------------------------------------------------------------------


@dataclass
class Verdict:
    """What the detective thinks of one game: by group of evidence and seat, who is a fascist."""

    number: int
    is_fascist: tuple[bool, ...]
    fascist: dict[str, list[float]]
    # By group of evidence, what the detective has learnt of the true assignment.
    bits: dict[str, float]
    # The probability of the true assignment, and the one that the detective expects it to get.
    truth: float
    expected: float
    liberals_won: bool


def judged(kind: str, options: Options, players: int, seed: str, number: int) -> Verdict:
    """Play a game and let the detective judge it before its last action."""
    game = watched_game(kind, options, players, seed, number)
    detective = follow(kind, game)
    roles = game.record.deal.roles
    true = next(n for n, each in enumerate(detective.hypotheses) if each.roles == roles)
    groups = dict(GROUPS) | {kind: (kind,) for kind in EVIDENCE}
    groups |= {
        f"without {name[4:].lower()}": tuple(k for k in EVIDENCE if k not in kinds)
        for name, kinds in GROUPS.items()
        if name.startswith("ALL ")
    }
    posteriors = {name: detective.posterior(kinds) for name, kinds in groups.items()}
    every = len(detective.hypotheses)
    whole = posteriors["all evidence"]
    return Verdict(
        number,
        tuple(role.party is Party.FASCIST for role in roles),
        {name: detective.fascist(posterior) for name, posterior in posteriors.items()},
        {name: log2(max(p[true], LEAST) * every) for name, p in posteriors.items()},
        whole[true],
        sum(p * p for p in whole),
        game.record.outcome is not None and game.record.outcome.winner is Party.LIBERAL,
    )


def follow(kind: str, game: Watched) -> Detective:
    """Return the detective of a game, up to its last action."""
    detective = Detective(kind, len(game.record.seats))
    claims: dict[int, list[tuple[Sight, Knowledge | None]]] = {}
    for length, sight, claim in game.claims:
        claims.setdefault(length, []).append((sight, claim))
    positions = list(replay(game.record))
    for before, after in pairwise(positions[:-1]):
        assert after.entry is not None
        seat = after.entry.action.seat
        # What may be nominated or aimed at is public; cards are not.
        is_public = before.state.phase is Phase.NOMINATION or isinstance(before.state.phase, Power)
        events = tuple(public_event(event) for event in after.events)
        assert not any(isinstance(event, Over) for event in events)
        detective.advance(
            view_for(before.state, None),
            legal_actions(before.state, seat) if is_public else (),
            (before.state.round, seat, events),
            view_for(after.state, None),
            claims.get(after.after, ()),
        )
    return detective


def _interval(
    verdicts: Sequence[Verdict], score: Callable[[Sequence[Verdict]], float]
) -> tuple[float, float]:
    random = Random(1)
    found = sorted(score(random.choices(verdicts, k=len(verdicts))) for _ in range(_RESAMPLES))
    return found[int(0.025 * _RESAMPLES)], found[int(0.975 * _RESAMPLES) - 1]


def auc_of(name: str, verdicts: Sequence[Verdict]) -> float:
    """Return how likely a fascist ranks above a liberal, over the seats of all games."""
    predictions = Predictions()
    for verdict in verdicts:
        for p, truth in zip(verdict.fascist[name], verdict.is_fascist, strict=True):
            # Rounded, so that what differs by rounding alone is a tie.
            predictions.add(round(p, 9), truth, verdict.number)
    found = auc(predictions)
    assert found is not None
    return found


def named(name: str, most: int | None, verdicts: Sequence[Verdict]) -> float:
    """Return the share of fascists among each game's most suspected seats.

    `most` is their number; None for as many as there are fascists. Ties share.
    """
    right = total = 0.0
    for verdict in verdicts:
        count = most or sum(verdict.is_fascist)
        by_score = Counter(round(p, 9) for p in verdict.fascist[name])
        left = float(count)
        for score in sorted(by_score, reverse=True):
            part = min(1.0, left / by_score[score])
            right += part * sum(
                truth
                for p, truth in zip(verdict.fascist[name], verdict.is_fascist, strict=True)
                if round(p, 9) == score
            )
            left -= part * by_score[score]
            if left <= 1e-9:
                break
        total += count
    return right / total


def learnt(name: str, verdicts: Sequence[Verdict]) -> float:
    """Return how many bits the detective learns of the assignment, on average."""
    return sum(verdict.bits[name] for verdict in verdicts) / len(verdicts)


def report(kind: str, players: int, verdicts: Sequence[Verdict]) -> dict[str, Any]:
    """Return the scores of all groups of evidence."""
    rows = {}
    for name in verdicts[0].fascist:
        scores: dict[str, Callable[[Sequence[Verdict]], float]] = {
            "auc": partial(auc_of, name),
            "named": partial(named, name, None),
            "first": partial(named, name, 1),
            "bits": partial(learnt, name),
        }
        # Whole games are drawn again.
        rows[name] = {
            key: (score(verdicts), *_interval(verdicts, score)) for key, score in scores.items()
        }
    return {
        "kind": kind,
        "players": players,
        "games": len(verdicts),
        "evidence": rows,
        "liberals_win": sum(verdict.liberals_won for verdict in verdicts) / len(verdicts),
        "truth": sum(verdict.truth for verdict in verdicts) / len(verdicts),
        "truth_expected": sum(verdict.expected for verdict in verdicts) / len(verdicts),
    }


def _print(told: dict[str, Any]) -> None:
    print(
        f"{told['games']} games of {told['players']} {told['kind']} bots; "
        f"the liberals win {told['liberals_win']:.1%}"
    )
    heads = ("AUC", "most suspected seats", "the most suspected", "bits")
    print(f"{'':28} {'  '.join(f'{head:<20}' for head in heads)}")
    for name, row in told["evidence"].items():
        cells = "  ".join(
            f"{row[key][0]:.3f} ({row[key][1]:.3f}-{row[key][2]:.3f})"
            for key in ("auc", "named", "first", "bits")
        )
        print(f"{name:28} {cells}")
    print(
        f"the true assignment gets {told['truth']:.3f} on average; "
        f"{told['truth_expected']:.3f} if all probabilities are exact"
    )


def main(argv: Sequence[str] | None = None) -> None:
    parser = arguments(__doc__, games=100, jobs=True, seed="detective", as_json=True)
    parser.add_argument("--kind", default="reasoner", choices=bots.names())
    parser.add_argument("--players", type=int, default=7)
    given = parser.parse_args(argv)
    judge = partial(judged, given.kind, options_of("en"), given.players, given.seed)
    verdicts = list(in_processes(judge, range(1, given.games + 1), given.jobs))
    told = report(given.kind, given.players, verdicts)
    if given.json:
        print(json.dumps(told))
    else:
        _print(told)


if __name__ == "__main__":
    main()
