"""Starts the site's processes, restarts those that die, and stops them all."""

import os
import selectors
import signal
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import FrameType

from django.utils.translation import gettext as _

from config.play.child import Child
from config.play.errors import PlayError
from config.play.lifeline import tie_lifeline
from config.play.log import Log
from config.play.probe import Probe
from config.play.processes import Process
from config.play.restarts import Restarts

# The site promises to stop within three seconds of the signal, including the supervisor's own
# exit, which takes half a second on a busy machine.
SECONDS_TO_STOP = 2.2
# Seconds between two checks that the parent process still lives; everything else wakes the loop.
TICK = 0.5
# Seconds within which signals count as one: a Ctrl-C may arrive twice, directly and through make or
# the process group.
ONE_PRESS = 0.2
STOP_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


class Supervisor:
    """Runs the site's processes from start to stop.

    A process that ends by itself is restarted after a pause, and the others go on. A process
    that fails too often (restarts.py) stops the site, with its last lines as the reason.
    """

    def __init__(
        self,
        processes: Sequence[Process],
        *,
        cwd: Path,
        environment: Mapping[str, str],
        log: Log,
        probe: Probe,
        ready: Callable[[], None],
        parent: int | None,
    ) -> None:
        self._processes = processes
        self._cwd = cwd
        self._environment = environment
        self._log = log
        self._probe = probe
        self._ready = ready
        self._parent = parent
        self._lifeline = tie_lifeline()
        self._restarts = {process.name: Restarts() for process in processes}
        # By name, in the order of their first start. An ended one stays here until its next start.
        self._children: dict[str, Child] = {}
        # When each ended process is restarted.
        self._due: dict[str, float] = {}
        self._signals = 0
        self._selector = selectors.DefaultSelector()
        self._woken, self._waker = os.pipe()

    def run(self) -> None:
        """Return when the site was asked to stop. Raises PlayError when it cannot go on."""
        with self._signals_counted():
            try:
                self._start()
                self._watch()
            finally:
                self._stop()

    # Start ----------------------------------------------------------------------------------

    def _start(self) -> None:
        for process in self._processes:
            if self._signals:
                return
            self._start_one(process)
        # Later starts fork while these threads run. That is safe: what a child runs before its own
        # program (lifeline.py) takes no lock that a thread could hold.
        self._log.start()
        self._probe.start(self._wake)

    def _start_one(self, process: Process) -> None:
        child = Child(
            process, cwd=self._cwd, environment=self._environment, lifeline=self._lifeline
        )
        if process.name in self._children:
            self._let_go(self._children[process.name])
        self._children[process.name] = child
        self._selector.register(child.pipe, selectors.EVENT_READ, child)

    def _let_go(self, child: Child) -> None:
        """Close the pipe of a child that has ended; the next pipe may get the same number."""
        self._tell(child)
        if child.pipe in self._selector.get_map():
            self._selector.unregister(child.pipe)
        child.close()

    # Watch ----------------------------------------------------------------------------------

    def _watch(self) -> None:
        is_ready = False
        while not self._signals and not self._log.broken.is_set():
            self._pump(min([TICK, *(due - time.monotonic() for due in self._due.values())]))
            for process in self._processes:
                self._keep_running(process)
            if self._parent is not None and os.getppid() != self._parent:
                return
            if self._probe.answered and not is_ready:
                is_ready = True
                self._ready()
            elif self._probe.gave_up:
                raise PlayError(
                    _("The site does not answer: %(last)s") % {"last": self._probe.last}
                )

    def _keep_running(self, process: Process) -> None:
        """Restart the process if it has ended. Raises PlayError if that is of no use."""
        child, now = self._children[process.name], time.monotonic()
        if process.name in self._due:
            if now < self._due[process.name]:
                return
            del self._due[process.name]
            try:
                self._start_one(process)
            except PlayError as error:
                # The machine may have no memory or no process number free at this moment.
                self._restart_later(process, str(error), now)
                self._log.say(str(error))
        elif not child.runs():
            self._tell(child)
            self._restart_later(process, self._fall_of(child), now)
            self._log.say(
                _("%(name)s ended by itself (%(how)s) and is started again.")
                % {"name": child.name, "how": child.how_it_ended()}
            )

    def _restart_later(self, process: Process, why: str, now: float) -> None:
        pause = self._restarts[process.name].pause_after_end(now)
        if pause is None:
            raise PlayError(why)
        self._due[process.name] = now + pause

    def _pump(self, seconds: float) -> None:
        """Wait for output, a signal, an exit or the probe's answer, and log the output."""
        for key, __ in self._selector.select(max(seconds, 0)):
            if key.data is None:
                os.read(self._woken, 1024)
            else:
                self._tell(key.data)

    def _tell(self, child: Child) -> None:
        for line in child.lines():
            self._log.line(child.name, line)
        if child.said_all and child.pipe in self._selector.get_map():
            self._selector.unregister(child.pipe)

    def _fall_of(self, child: Child) -> str:
        words = {"name": child.name, "how": child.how_it_ended()}
        last_lines = [line.decode("utf-8", "replace") for line in child.last_lines]
        if not last_lines:
            return _("%(name)s ended by itself (%(how)s) without a word.") % words
        told = _("%(name)s ended by itself (%(how)s). Its last lines:") % words
        return "\n".join([told, *(f"    {line}" for line in last_lines)])

    # Stop -----------------------------------------------------------------------------------

    def _stop(self) -> None:
        """Terminate all children; kill them after SECONDS_TO_STOP or at a second Ctrl-C.

        Returns only when no child is left.
        """
        signals_so_far = self._signals
        deadline = time.monotonic() + SECONDS_TO_STOP
        children = list(self._children.values())
        if children:
            self._log.say(_("Stopping."))
        for child in reversed(children):
            if not child.needed_by_others:
                child.terminate()
        while running := [child for child in children if child.runs()]:
            left = deadline - time.monotonic()
            if left <= 0 or self._signals > signals_so_far:
                left = 0.05
                for child in running:
                    child.kill()
            elif all(child.needed_by_others for child in running):
                for child in running:
                    child.terminate()
            self._pump(min(left, TICK))
        for child in children:
            self._tell(child)
        self._lifeline.close()

    # Signals ----------------------------------------------------------------------------------

    @contextmanager
    def _signals_counted(self) -> Iterator[None]:
        """Within the block, only count signals and wake the loop: they interrupt nothing midway."""

        counted_at = -ONE_PRESS

        def count(number: int, frame: FrameType | None) -> None:
            nonlocal counted_at
            if time.monotonic() - counted_at > ONE_PRESS:
                self._signals += 1
                counted_at = time.monotonic()

        def notice(number: int, frame: FrameType | None) -> None:
            """Do nothing: a child's exit only needs to wake the loop."""

        for number in STOP_SIGNALS:
            signal.signal(number, count)
        before = signal.signal(signal.SIGCHLD, notice)
        for end in (self._woken, self._waker):
            os.set_blocking(end, False)
        self._selector.register(self._woken, selectors.EVENT_READ)
        signal.set_wakeup_fd(self._waker, warn_on_full_buffer=False)
        try:
            yield
        finally:
            signal.set_wakeup_fd(-1)
            # All processes have ended; a third Ctrl-C would only make the exit look like a failure.
            for number in STOP_SIGNALS:
                signal.signal(number, signal.SIG_IGN)
            signal.signal(signal.SIGCHLD, before)

    def _wake(self) -> None:
        os.write(self._waker, b"!")
