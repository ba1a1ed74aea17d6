"""Starts the processes, watches them, and stops them all: together they are the site."""

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

# Promised are three seconds from the signal to the last process's end, our own included, which on
# a busy machine takes half a second itself.
SECONDS_TO_STOP = 2.2
# How often to look whether whoever started us is still there; all else wakes us by itself.
TICK = 0.5
# One Ctrl-C may come twice, to us and to our whole group, or through make as well.
ONE_PRESS = 0.2
STOP_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


class Supervisor:
    """`processes` are in the order of their start; their stop has the opposite one, and one
    that the others need is stopped when the others have gone."""

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
        self._children: list[Child] = []
        self._signals = 0
        self._selector = selectors.DefaultSelector()
        self._woken, self._waker = os.pipe()

    def run(self) -> None:
        """Returns when the site was asked to stop, raises PlayError when it fell."""
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
            child = Child(
                process, cwd=self._cwd, environment=self._environment, lifeline=self._lifeline
            )
            self._children.append(child)
            self._selector.register(child.pipe, selectors.EVENT_READ, child)
        # No thread before the last fork.
        self._log.start()
        self._probe.start(self._wake)

    # Watch ----------------------------------------------------------------------------------

    def _watch(self) -> None:
        is_ready = False
        while not self._signals and not self._log.broken.is_set():
            self._pump(TICK)
            for child in self._children:
                if not child.runs():
                    self._tell(child)
                    raise PlayError(self._fall_of(child))
            if self._parent is not None and os.getppid() != self._parent:
                return
            if self._probe.answered and not is_ready:
                is_ready = True
                self._ready()
            elif self._probe.gave_up:
                raise PlayError(
                    _("The site does not answer: %(last)s") % {"last": self._probe.last}
                )

    def _pump(self, seconds: float) -> None:
        """Waits for output, a signal, an end or an answer; puts the output in the log."""
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
        """Asks each to end; when the time is over, or at a second Ctrl-C, asks no more.

        Leaves only when none is left, whatever happens meanwhile.
        """
        signals_so_far = self._signals
        deadline = time.monotonic() + SECONDS_TO_STOP
        if self._children:
            self._log.say(_("Stopping."))
        for child in reversed(self._children):
            if not child.needed_by_others:
                child.terminate()
        while running := [child for child in self._children if child.runs()]:
            left = deadline - time.monotonic()
            if left <= 0 or self._signals > signals_so_far:
                left = 0.05
                for child in running:
                    child.kill()
            elif all(child.needed_by_others for child in running):
                for child in running:
                    child.terminate()
            self._pump(min(left, TICK))
        for child in self._children:
            self._tell(child)
        self._lifeline.close()

    # Signals ----------------------------------------------------------------------------------

    @contextmanager
    def _signals_counted(self) -> Iterator[None]:
        """Inside, a signal only counts and wakes the loop; it interrupts nothing half way."""

        counted_at = -ONE_PRESS

        def count(number: int, frame: FrameType | None) -> None:
            nonlocal counted_at
            if time.monotonic() - counted_at > ONE_PRESS:
                self._signals += 1
                counted_at = time.monotonic()

        def notice(number: int, frame: FrameType | None) -> None:
            """A child's end: it needs to wake the loop, no more."""

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
            # All has ended; a third Ctrl-C would only make it look as if it had not.
            for number in STOP_SIGNALS:
                signal.signal(number, signal.SIG_IGN)
            signal.signal(signal.SIGCHLD, before)

    def _wake(self) -> None:
        os.write(self._waker, b"!")
