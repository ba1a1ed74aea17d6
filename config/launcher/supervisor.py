"""Starts the site's processes, restarts those that die, and stops them all."""

import asyncio
import os
import signal
import time
from asyncio.subprocess import DEVNULL, PIPE, STDOUT
from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path

from django.utils.translation import gettext as _

from config.launcher.errors import PlayError
from config.launcher.lifeline import Lifeline
from config.launcher.log import Log
from config.launcher.processes import Process

ROOT = Path(__file__).parent.parent.parent
STOP_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
# The site promises to stop within three seconds of the signal, including the supervisor's own
# exit, which takes half a second on a busy machine.
SECONDS_TO_STOP = 2.2
# Seconds between two checks that the parent process and the log's reader still live.
TICK = 0.5
# Seconds within which signals count as one: a Ctrl-C may arrive twice, directly and through make or
# the process group.
ONE_PRESS = 0.2
# Seconds before each restart, by how often the process has ended within `MINUTE`. A process that
# ends more often than that will not recover by itself.
PAUSES = (0.2, 0.5, 1.0, 2.0)
MINUTE = 60.0
# A longer line is split, so that a process that never ends its line cannot fill the memory.
LONGEST_LINE = 16 * 1024
LAST_LINES = 15


class Supervisor:
    """Runs the site's processes from start to stop.

    A process that ends by itself is restarted after a pause, and the others go on. A process that
    fails too often stops the site, with its last lines as the reason.
    """

    def __init__(
        self,
        processes: Sequence[Process],
        *,
        environment: Mapping[str, str],
        log: Log,
        parent: int | None = None,
    ) -> None:
        self._processes = processes
        self._environment = environment
        self._log = log
        self._parent = parent
        self._lifeline = Lifeline()
        self._children: dict[str, asyncio.subprocess.Process] = {}
        self._keepers: dict[str, asyncio.Task[None]] = {}
        self._stopping = asyncio.Event()
        self._pressed_at = 0.0

    async def run(self, announce: Callable[[], Awaitable[None]]) -> None:
        """Return when the site was asked to stop. Raises PlayError when it cannot go on."""
        loop = asyncio.get_running_loop()
        for number in STOP_SIGNALS:
            # Not `loop.add_signal_handler`: closing the loop would let a third Ctrl-C through.
            signal.signal(number, lambda *__: loop.call_soon_threadsafe(self._press))
        for process in self._processes:
            self._keepers[process.name] = asyncio.create_task(self._keep(process))
        watcher = asyncio.create_task(self._watch())
        announcer = asyncio.ensure_future(announce())
        waiting = {watcher, announcer, *self._keepers.values()}
        try:
            while not watcher.done():
                done, waiting = await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
                for task in done:
                    task.result()
        finally:
            announcer.cancel()
            await self._stop()
            for number in STOP_SIGNALS:
                # A third Ctrl-C would only make the exit look like a failure.
                signal.signal(number, signal.SIG_IGN)

    async def _keep(self, process: Process) -> None:
        """Run the process, and restart it when it ends. Raises PlayError if it ends too often."""
        ends: deque[float] = deque()
        while not self._stopping.is_set():
            try:
                news, reason = await self._run_once(process)
            except OSError as error:
                # The machine may have no memory or no process number free at this moment.
                words = {"name": process.name, "reason": error.strerror}
                news = reason = _("Can’t start %(name)s: %(reason)s.") % words
            if self._stopping.is_set():
                return
            ends.append(time.monotonic())
            while ends[0] <= ends[-1] - MINUTE:
                ends.popleft()
            if len(ends) > len(PAUSES):
                raise PlayError(reason)
            self._log.say(news)
            with suppress(TimeoutError):
                await asyncio.wait_for(self._stopping.wait(), PAUSES[len(ends) - 1])

    async def _run_once(self, process: Process) -> tuple[str, str]:
        """Run the process to its end. Return how that is told if it is restarted, and if not."""
        child = self._children[process.name] = await asyncio.create_subprocess_exec(
            *process.command,
            cwd=ROOT,
            env=self._environment,
            stdin=DEVNULL,
            stdout=PIPE,
            stderr=STDOUT,
            limit=LONGEST_LINE,
            process_group=self._lifeline.group,
        )
        if self._stopping.is_set():
            child.terminate()
        assert child.stdout is not None
        last_lines: deque[bytes] = deque(maxlen=LAST_LINES)
        async for line in lines_of(child.stdout):
            self._log.line(process.name, line)
            last_lines.append(line)
        words = {"name": process.name, "how": how_it_ended(await child.wait())}
        news = _("%(name)s stopped unexpectedly (%(how)s). Restarting it.") % words
        if not last_lines:
            return news, _("%(name)s stopped unexpectedly (%(how)s), without any output.") % words
        reason = _("%(name)s stopped unexpectedly (%(how)s). Its last lines:") % words
        told = (f"    {line.decode('utf-8', 'replace')}" for line in last_lines)
        return news, "\n".join([reason, *told])

    async def _watch(self) -> None:
        """Return when a signal has come, or the parent or the log's reader has gone."""
        while not self._log.broken and self._parent in (None, os.getppid()):
            with suppress(TimeoutError):
                await asyncio.wait_for(self._stopping.wait(), TICK)
                return

    def _press(self) -> None:
        """Count a signal: the first one stops the site, the second one kills it."""
        now = time.monotonic()
        if now - self._pressed_at > ONE_PRESS:
            self._pressed_at = now
            if self._stopping.is_set():
                self._lifeline.close()
            self._stopping.set()

    async def _stop(self) -> None:
        """Terminate all children, and kill those that still run after SECONDS_TO_STOP."""
        self._stopping.set()
        self._log.say(_("Stopping."))
        with suppress(TimeoutError):
            async with asyncio.timeout(SECONDS_TO_STOP):
                for needed in (False, True):
                    names = [p.name for p in self._processes if p.needed_by_others is needed]
                    for name in names:
                        # A process may have ended, or not have started.
                        with suppress(KeyError, ProcessLookupError):
                            self._children[name].terminate()
                    await asyncio.gather(
                        *(asyncio.shield(self._keepers[name]) for name in names),
                        return_exceptions=True,
                    )
        self._lifeline.close()
        await asyncio.gather(*self._keepers.values(), return_exceptions=True)


async def lines_of(stream: asyncio.StreamReader) -> AsyncIterator[bytes]:
    """Yield the lines that are not empty, also an incomplete one at the end."""
    while not stream.at_eof():
        try:
            line = await stream.readuntil()
        except asyncio.LimitOverrunError:
            line = await stream.read(LONGEST_LINE)
        except asyncio.IncompleteReadError as error:
            line = error.partial
        if line := line.rstrip(b"\r\n"):
            yield line


def how_it_ended(status: int) -> str:
    if status < 0:
        return _("killed by %(signal)s") % {"signal": signal.Signals(-status).name}
    return _("exit status %(status)s") % {"status": status}
