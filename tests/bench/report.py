"""Figures: a table on the terminal, and one JSON line each for comparing runs."""

import json
import os
import platform
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from statistics import median

# Above this share of its core, the client limits the figure.
MOST_CLIENT_SHARE = 0.85
# Above this share of the server's core used by other programs, a figure is doubtful.
MOST_OTHERS_SHARE = 0.1


def quantile(values: Sequence[float], share: float) -> float:
    """Return the observed value below which `share` of the values lie."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))] if ordered else float("nan")


@dataclass
class Figure:
    """One number. `goal` is its allowed maximum, or its minimum if `is_least`."""

    name: str
    value: float
    unit: str = ""
    goal: float | None = None
    is_least: bool = False
    # The runs whose median it is.
    runs: Sequence[float] = ()
    client_share: float | None = None
    others_share: float | None = None
    # Whether the client knowingly shares its core with a server.
    is_client_shared: bool = False
    more: dict[str, object] = field(default_factory=dict)

    @property
    def is_refused(self) -> bool:
        share = self.client_share
        return share is not None and share > MOST_CLIENT_SHARE and not self.is_client_shared

    @property
    def verdict(self) -> str:
        if self.is_refused:
            return "REFUSED: the client was saturated"
        if self.goal is None:
            return ""
        is_met = self.value >= self.goal if self.is_least else self.value <= self.goal
        return "met" if is_met else "missed"


def median_figure(name: str, runs: Sequence[float], unit: str = "", **more: object) -> Figure:
    return Figure(name, median(runs), unit, runs=tuple(runs), **more)  # type: ignore[arg-type]


class Report:
    def __init__(self, path: Path | None, about: dict[str, object]) -> None:
        self._path = path
        self._about = {
            "at": datetime.now(UTC).isoformat(timespec="seconds"),
            "commit": _commit(),
            "python": platform.python_version(),
            "load": os.getloadavg()[0],
            **about,
        }
        self.figures: list[Figure] = []

    def begin(self, title: str) -> None:
        print(f"\n{title}", flush=True)

    def add(self, figure: Figure) -> None:
        self.figures.append(figure)
        print(_line(figure), flush=True)
        if self._path is None:
            return
        data = {
            **self._about,
            "figure": figure.name,
            "value": None if figure.is_refused else figure.value,
            "unit": figure.unit,
            "goal": figure.goal,
            "verdict": figure.verdict,
            "runs": figure.runs,
            "client_share": figure.client_share,
            "others_share": figure.others_share,
            **figure.more,
        }
        with self._path.open("a", encoding="utf-8") as file:
            file.write(json.dumps(data, ensure_ascii=False) + "\n")

    def note(self, text: str) -> None:
        print(f"    {text}", flush=True)


def _line(figure: Figure) -> str:
    value = "-" if figure.is_refused else number(figure.value)
    sign = "at least" if figure.is_least else "at most"
    goal = "" if figure.goal is None else f"{sign} {number(figure.goal)}"
    words = [figure.verdict]
    if len(figure.runs) > 1:
        words.append(f"runs {number(min(figure.runs))} to {number(max(figure.runs))}")
    if figure.client_share is not None:
        words.append(f"client {figure.client_share:.0%}")
    if figure.others_share is not None and figure.others_share > MOST_OTHERS_SHARE:
        words.append(f"NOISY: others had {figure.others_share:.0%} of the server's core")
    tail = "; ".join(word for word in words if word)
    return f"  {figure.name:<58} {value:>9} {figure.unit:<10} {goal:<15} {tail}".rstrip()


def number(value: float) -> str:
    """Return a figure with only its significant digits."""
    if abs(value) >= 100 or value == int(value):
        return f"{value:,.0f}"
    return f"{value:.2f}" if abs(value) >= 0.1 else f"{value:.3f}"


def _commit() -> str:
    done = subprocess.run(
        ["git", "describe", "--always", "--dirty"],
        capture_output=True,
        text=True,
        check=False,
        cwd=Path(__file__).parent,
    )
    return done.stdout.strip()
