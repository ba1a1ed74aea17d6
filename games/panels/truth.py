"""What came out when a game was over, and the evidence that its players had: numbers and charts."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from threading import Lock
from typing import Final

from cachetools import TTLCache
from django.core.cache import cache
from django.db.models.signals import post_delete
from django.dispatch import receiver

from games.analysis.evidence import Reading, Said, evidence_of, reading_at
from games.analysis.verdicts import Truth, truth_of
from games.models import Message, UploadedRecord
from games.panels.replay import as_it_stood
from games.rules.components import Role
from games.rules.editions import Options
from games.rules.endings import OwnPart, TurningPoint, part_of, turning_point
from games.rules.phases import Ending, Outcome
from games.state.chat import said_claim
from games.state.rooms import Room

# Seconds. A finished game hardly changes, and its version is part of the key. So is that of the
# evidence: raise it when readings change.
_KEPT_FOR: Final = 7 * 24 * 3600
# What is computed of uploaded records: anybody can upload any number of them, so it stays in this
# process, so many readings in all and for so many seconds, and goes when the record is deleted.
_MOST_READINGS: Final = 20_000
_UPLOADS_KEPT_FOR: Final = 600
_of_uploads: TTLCache[tuple[int, datetime, int | None], tuple[Reading, ...]] = TTLCache(
    _MOST_READINGS, _UPLOADS_KEPT_FOR, getsizeof=len
)
_lock: Final = Lock()
# The height of a chart; its width is the number of readings.
HEIGHT: Final = 100
# The least distance of two labels below a chart, in percent of its width: two digits on a phone.
_LABEL: Final = 5.5


@dataclass(frozen=True, slots=True)
class Band:
    """A part of a chart that links to a step of the replay."""

    x: float
    width: float
    move: int
    reading: Reading


@dataclass(frozen=True, slots=True)
class Line:
    """A seat's chart: the chances of being a fascist and of being Hitler."""

    seat: int
    fascist: str
    hitler: str
    # At the step that is looked at.
    fascist_now: float
    hitler_now: float


@dataclass(frozen=True, slots=True)
class RoundLabel:
    """A round's number below a chart, at a place in percent of the chart's width."""

    share: float
    round: int


@dataclass(frozen=True, slots=True)
class Chart:
    """The evidence as one viewer had it, ready to be drawn."""

    readings: tuple[Reading, ...]
    width: int
    liberal_wins: str
    liberal_wins_now: float
    lines: tuple[Line, ...]
    # One for each reading, and one for each round.
    bands: tuple[Band, ...]
    rounds: tuple[Band, ...]
    # The path of the lines at which the rounds begin, and the numbers that fit below.
    round_starts: str
    round_labels: tuple[RoundLabel, ...]
    # Where the step is that is looked at, and its reading.
    cursor: int
    now: Reading


@dataclass(frozen=True, slots=True)
class TruthPage:
    names: tuple[str, ...]
    options: Options
    truth: Truth
    decided: TurningPoint | None
    # None if the game was stopped.
    outcome: Outcome | None


@dataclass(frozen=True, slots=True)
class OwnEnding:
    """How a game ended for one who sat in it, and their part in that."""

    ending: Ending
    has_won: bool
    part: OwnPart | None


def own_ending_of(room: Room, seat: int) -> OwnEnding | None:
    """Return how the game of `room` ended for a seat, or None if the rules did not end it."""
    assert room.game is not None
    view = room.public_view()
    role = view.roles[seat]
    if view.outcome is None or role is None or room.game.stopped:
        return None
    has_won = role.party is view.outcome.winner
    return OwnEnding(view.outcome.ending, has_won, part_of(view, room.public_steps, seat))


def truth_page_of(room: Room) -> TruthPage:
    """Return what came out about the finished game of `room`."""
    assert room.is_over
    view, steps = room.public_view(), room.public_steps
    readings = readings_of(room, None)
    claims = tuple(
        each.claim
        for each in _said_in(room)
        # Records from elsewhere have claims from after the end, which deceive no one any more.
        if view.outcome is None or each.move < len(steps)
    )
    return TruthPage(
        tuple(seat.name for seat in room.seats),
        view.options,
        truth_of(view, steps, claims, readings),
        turning_point(view, steps),
        view.outcome,
    )


def readings_of(room: Room, viewer: int | None) -> tuple[Reading, ...]:
    """Return the evidence of a finished game as a seat or the public (None) had it. Cached."""
    assert room.is_over
    if room.is_uploaded:
        return _readings_of_upload(room, viewer)
    version = room.version
    key = f"evidence-2-{room.table.pk}-{version.table}-{version.length}-{version.talk}-{viewer}"
    key += f"-{room.table.created_at.timestamp()}"
    found: tuple[Reading, ...] | None = cache.get(key)
    if found is None:
        found = _computed(room, viewer)
        cache.set(key, found, _KEPT_FOR)
    return found


def _readings_of_upload(room: Room, viewer: int | None) -> tuple[Reading, ...]:
    key = (room.table.pk, room.table.created_at, viewer)
    with _lock:
        found = _of_uploads.get(key)
    if found is None:
        found = _computed(room, viewer)
        with _lock:
            _of_uploads[key] = found
    return found


@receiver(post_delete, sender=UploadedRecord)
def _forget_upload(instance: UploadedRecord, **_: object) -> None:
    with _lock:
        for key in [key for key in _of_uploads if key[0] == -instance.pk]:
            _of_uploads.pop(key, None)


def _computed(room: Room, viewer: int | None) -> tuple[Reading, ...]:
    view, steps = room.public_view(), room.public_steps
    roles: tuple[Role | None, ...] = ()
    if viewer is not None and steps:
        roles = as_it_stood(room, 0).view(viewer).roles
    return evidence_of(
        view.options,
        view.players,
        steps,
        _said_in(room),
        viewer=viewer,
        roles=roles,
        seen=view.knowledge,
    )


def chart_of(room: Room, viewer: int | None, move: int | None = None) -> Chart:
    """Return the chart as a seat or the public (None) saw it, with its cursor at a step.

    It is drawn up to that step: what comes later would give the end away.
    """
    every = readings_of(room, viewer)
    now = every[-1] if move is None else reading_at(every, move)
    cursor = max(i for i, each in enumerate(every) if each is now)
    readings = every[: cursor + 1]
    last = len(every) - 1
    bands = tuple(
        Band(max(0, i - 0.5), min(cursor, i + 0.5) - max(0, i - 0.5), each.move, each)
        for i, each in enumerate(readings)
    )
    ends = {each.round: i for i, each in enumerate(readings)}
    rounds, begin = [], 0.0
    for end in ends.values():
        rounds.append(Band(begin, end - begin, readings[end].move, readings[end]))
        begin = end
    return Chart(
        readings,
        last,
        _line([each.liberal_wins for each in readings]),
        now.liberal_wins,
        tuple(
            Line(
                seat.number,
                _line([each.fascist[seat.number] for each in readings]),
                _line([each.hitler[seat.number] for each in readings]),
                now.fascist[seat.number],
                now.hitler[seat.number],
            )
            for seat in room.seats
        ),
        bands,
        tuple(rounds),
        " ".join(f"M{band.x:g} 0V{HEIGHT}" for band in rounds[1:]),
        tuple(_labels(rounds, last)),
        cursor,
        now,
    )


def _labels(rounds: Sequence[Band], width: int) -> Iterable[RoundLabel]:
    """Return the numbers of the rounds, without those that would touch the one before."""
    free = 0.0
    for band in rounds:
        share = 100 * (band.x + band.width / 2) / max(1, width)
        if share >= free:
            yield RoundLabel(round(share, 1), band.reading.round)
            free = share + _LABEL


def _line(shares: Sequence[float]) -> str:
    """Return the points of a line, one for each share."""
    return " ".join(f"{x},{HEIGHT * (1 - share):.1f}" for x, share in enumerate(shares))


def _said_in(room: Room) -> tuple[Said, ...]:
    return tuple(
        Said(max(0, said.length), said_claim(said.data))
        for said in room.talk
        if said.kind == Message.Kind.CLAIM and not said.is_removed
    )
