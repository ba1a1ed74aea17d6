"""One part of the site stops, and health says so until it is back."""

import json
import urllib.error
import urllib.request
from typing import Any

from tests.drills.report import Report
from tests.faults.site import Site

# What stops, the number that says so, and the seconds within which it does: its limit and a margin.
PARTS = {
    "clock": ("pulse_seconds", 25),
    "beat": ("beat_pulse_seconds", 25),
    "worker": ("worker_pulse_seconds", 75),
}
BACK = 30


def parts_that_stop(report: Report) -> None:
    with Site("sqlite") as site:
        report.within("the site is ready", BACK, lambda: _ready(site)["status"] == "ready")
        for name, (number, seconds) in PARTS.items():
            site.keep_down(name)
            report.within(
                f"{name} stops: ailing", seconds, lambda: _ready(site)["status"] != "ready"
            )
            told = _ready(site)
            report.compare(f"{name} stops: which number says so", number, _oldest(told))
            if name != "beat":
                queue = told["queues"]["default" if name == "worker" else "clock"]
                report.compare(f"{name} stops: tasks wait", True, queue["length"] > 0)
            site.let_up(name)
            report.within(f"{name} is back: ready", BACK, lambda: _ready(site)["status"] == "ready")


def _oldest(told: dict[str, Any]) -> str:
    """Return the pulse that is furthest above its limit, whatever else depends on it."""
    late = {"pulse_seconds": 15, "beat_pulse_seconds": 15, "worker_pulse_seconds": 60}
    return max(late, key=lambda name: told[name] / late[name])


def _ready(site: Site) -> dict[str, Any]:
    try:
        with urllib.request.urlopen(f"{site.url}/healthz/ready?all", timeout=10) as answer:
            return dict(json.load(answer))
    except urllib.error.HTTPError as error:
        return dict(json.load(error))
