"""Where a server spends its time, by py-spy: `--profile FOLDER`.

Writes one file of collapsed stacks per measured run (flame graph tools read it) and prints the
functions that were most often running or waited for. py-spy is pinned to the client's core.
"""

import os
import signal
import subprocess
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.bench.rig import Running, python_profiler

_LINES = 25


@contextmanager
def profiled(server: Running, folder: Path | None, name: str) -> Iterator[None]:
    """Sample `server` during the block; do nothing without a folder."""
    if folder is None:
        yield
        return
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{name}.txt"
    command = [
        python_profiler(),
        "record",
        "--pid",
        str(server.pid),
        "--format",
        "raw",
        "--function",
    ]
    command += ["--rate", "200", "--nonblocking", "--output", str(path), "--duration", "3600"]
    with subprocess.Popen(
        command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=os.environ
    ) as spy:
        try:
            yield
        finally:
            spy.send_signal(signal.SIGINT)
            spy.wait(60)
    if path.is_file():
        _tell(path)


def _tell(path: Path) -> None:
    own: Counter[str] = Counter()
    total: Counter[str] = Counter()
    for line in path.read_text(encoding="utf-8").splitlines():
        stack, _, count = line.rpartition(" ")
        frames = stack.split(";")
        own[frames[-1]] += int(count)
        for frame in set(frames):
            total[frame] += int(count)
    samples = sum(own.values())
    if not samples:
        return
    print(f"\n    {path}: {samples} samples\n    {'in it':>7} {'below':>7}")
    for frame, count in total.most_common(_LINES):
        print(f"    {own[frame] / samples:7.1%} {count / samples:7.1%}  {frame}")
    print(f"\n    {'in it':>7} {'below':>7}")
    for frame, count in own.most_common(_LINES):
        print(f"    {count / samples:7.1%} {total[frame] / samples:7.1%}  {frame}")
