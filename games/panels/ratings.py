"""The chart of a player's ratings: coordinates for an SVG."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from games.rating import Skill

WIDTH: Final = 520
HEIGHT: Final = 240
_LEFT, _RIGHT, _TOP, _BOTTOM = 56, 16, 16, 28
# Rating points between two lines of the grid, the first that gives few enough lines.
_STEPS: Final = (50, 100, 200, 500)
_MOST_LINES: Final = 6


@dataclass(frozen=True, slots=True)
class Line:
    """The history of one side."""

    side: str
    points: str
    # The area of the uncertainty around the line.
    band: str
    # Where the line ends, for its mark.
    x: float
    y: float
    first: int
    last: Skill


@dataclass(frozen=True, slots=True)
class GridLine:
    value: int
    y: float


@dataclass(frozen=True, slots=True)
class Chart:
    lines: tuple[Line, ...]
    grid: tuple[GridLine, ...]
    since: datetime
    until: datetime
    width: int = WIDTH
    height: int = HEIGHT
    left: int = _LEFT
    right: int = WIDTH - _RIGHT
    foot: int = HEIGHT - 8


def chart_of(history: Mapping[str, Sequence[tuple[datetime, Skill]]]) -> Chart | None:
    """Return the chart of a history by side; None if no side has two points."""
    shown = {side: points for side, points in history.items() if len(points) > 1}
    if not shown:
        return None
    skills = [skill for points in shown.values() for _, skill in points]
    lowest = min(skill.shown - skill.margin for skill in skills)
    highest = max(skill.shown + skill.margin for skill in skills)
    step = next((s for s in _STEPS if (highest - lowest) / s < _MOST_LINES), _STEPS[-1])
    bottom, top = lowest // step * step, -(-highest // step) * step
    times = [at.timestamp() for points in shown.values() for at, _ in points]
    begin, end = min(times), max(times)

    def x_of(at: datetime) -> float:
        share = (at.timestamp() - begin) / (end - begin) if end > begin else 1.0
        return round(_LEFT + share * (WIDTH - _LEFT - _RIGHT), 1)

    def y_of(value: float) -> float:
        share = (value - bottom) / (top - bottom)
        return round(HEIGHT - _BOTTOM - share * (HEIGHT - _TOP - _BOTTOM), 1)

    lines = []
    for side, points in shown.items():
        upper = [f"{x_of(at)},{y_of(skill.shown + skill.margin)}" for at, skill in points]
        lower = [f"{x_of(at)},{y_of(skill.shown - skill.margin)}" for at, skill in points]
        last_at, last = points[-1]
        lines.append(
            Line(
                side=side,
                points=" ".join(f"{x_of(at)},{y_of(skill.shown)}" for at, skill in points),
                band=" ".join([*upper, *reversed(lower)]),
                x=x_of(last_at),
                y=y_of(last.shown),
                first=points[0][1].shown,
                last=last,
            )
        )
    grid = tuple(GridLine(value, y_of(value)) for value in range(bottom, top + 1, step))
    return Chart(
        tuple(lines),
        grid,
        since=min(points[0][0] for points in shown.values()),
        until=max(points[-1][0] for points in shown.values()),
    )
