"""What a viewer could believe after each event and claim of a game, and who was ahead."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from games.inference import Belief
from games.rules.components import Party, Role
from games.rules.editions import Options
from games.rules.events import Enacted, Over, Tracker
from games.rules.knowledge import Drawn, Knowledge, PartySeen, Received, TopSeen
from games.rules.powers import PowerUsed
from games.rules.view import PublicStep

from .win_rates import TrackState, WinRates, standard_win_rates

# How often the liberals win a game that is over.
_CERTAIN: Final = {Party.LIBERAL: 1.0, Party.FASCIST: 0.0}


@dataclass(frozen=True, slots=True)
class Said:
    """A claim, and how many moves had been made when it was said."""

    move: int
    claim: Knowledge


@dataclass(frozen=True, slots=True)
class Reading:
    """The numbers after an event or a claim. The first reading is before both."""

    # How many moves had been made: the step of the replay.
    move: int
    round: int
    # By seat.
    fascist: tuple[float, ...]
    hitler: tuple[float, ...]
    # The share of bots' games that the liberals won from this state of the tracks.
    liberal_wins: float
    # What has changed since the reading before: the events of a step, or a claim.
    step: PublicStep | None = None
    claim: Knowledge | None = None


def evidence_of(
    options: Options,
    players: int,
    steps: Sequence[PublicStep],
    said: Iterable[Said],
    *,
    viewer: int | None = None,
    roles: Sequence[Role | None] = (),
    seen: Iterable[Knowledge] = (),
    rates: WinRates | None = None,
) -> tuple[Reading, ...]:
    """Return a reading before the game, and one after each step with events and each claim.

    `viewer` is the seat whose belief is asked for, or None for the public's; `roles` are those that
    the viewer knew from the first night, and `seen` is what the viewer saw of hidden cards.
    """
    rates = rates or standard_win_rates()
    belief = Belief(options, players, viewer, roles)
    later = []
    for item in seen:
        if isinstance(item, Drawn | Received):
            # It counts when the session is over: the belief does not look at it before.
            belief.learn(item)
        else:
            later.append(item)
    waiting = sorted(said, key=lambda each: each.move)
    # Until the next nomination the table speaks of the round before.
    spoken_of = 1
    tracks: TrackState = (*options.start, 0)
    liberal_wins = rates.liberal(players, tracks)
    readings: list[Reading] = []

    def read(
        move: int, number: int, step: PublicStep | None = None, claim: Knowledge | None = None
    ) -> None:
        fascist, hitler = _marginals(belief)
        readings.append(Reading(move, number, fascist, hitler, liberal_wins, step, claim))

    read(0, 1)
    for step in steps:
        while waiting and waiting[0].move <= step.number:
            claim = waiting.pop(0).claim
            belief.update(claim)
            read(step.number, spoken_of, claim=claim)
        spoken_of = step.round
        if not step.events:
            continue
        for event in step.events:
            belief.update(event)
            if isinstance(event, PowerUsed):
                for item in later:
                    if item.round == step.round and isinstance(item, PartySeen | TopSeen):
                        belief.learn(item)
            elif isinstance(event, Enacted):
                liberal = event.policy.value == Party.LIBERAL.value
                tracks = (tracks[0] + liberal, tracks[1] + (not liberal), 0)
                liberal_wins = rates.liberal(players, tracks)
            elif isinstance(event, Tracker):
                tracks = (tracks[0], tracks[1], event.value)
                liberal_wins = rates.liberal(players, tracks)
            elif isinstance(event, Over):
                liberal_wins = _CERTAIN[event.winner]
        read(step.number + 1, step.round, step)
    return tuple(readings)


def reading_at(readings: Sequence[Reading], move: int) -> Reading:
    """Return the newest reading at a step of the replay."""
    return next(each for each in reversed(readings) if each.move <= move)


def _marginals(belief: Belief) -> tuple[tuple[float, ...], tuple[float, ...]]:
    seats = range(belief.players)
    return (
        tuple(round(belief.fascist(seat), 4) for seat in seats),
        tuple(round(belief.hitler(seat), 4) for seat in seats),
    )
