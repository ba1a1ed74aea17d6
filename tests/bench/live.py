"""How the live table performs: `make bench`, or `.venv/bin/python -m tests.bench.live FIGURE...`.

Real processes on a fresh database: Valkey and Daphne on one core, this client on another. The
yardstick is a bare Channels echo (echo.py) in the same run, on the same server and layer: what one
socket says goes through the layer to all sockets of its table, without a request, a database or a
page. Site and echo alternate and play the same moves; a ratio is the median of the pairs'.

All players move. They vote at once: the ballots of a vote are posted at the same moment. Between
turns they think, for a time drawn around --think seconds.

    latency     one table of ten, over the echo's; bytes per viewer
    spectators  ten seats and 50 spectators over the echo's; what 50 spectators cost in CPU
    saturation  50 tables of ten, whose players hardly think, over the echo's
    crowd       an action's p95 with 500 sockets open: at one table, and at 50 of ten
    talk        500 messages a minute at one table while ten others play; what that costs them
    memory      what an idle socket takes, at 2,000
    stalled     what 200 clients take that never read; and that acknowledge without reading
    growth      actions a second and latency at 10 to 200 tables, on one process and on two
    statements  SQL statements and rendered templates an action, at 5, 10 and 60 viewers
    elsewhere   SQL statements an action in the actor's process, and in another that gets the hint

`make bench ARGS=abuse` and `make bench ARGS=archive` are other programs, with options of their own:
tests/bench/abuse.py and tests/bench/archive.py.

An action lasts from its POST until the last viewer has a frame that shows it. Pages compare every
ten seconds, as live.js does (--compare-every), and repair a panel when an answer and a frame have
crossed: those repairs are counted. Figures are rejected if the client's core was full, and marked
NOISY if other programs used the server's. The last lines count failed actions, lost frames and
repairs; the goals are 0.
"""

import argparse
import asyncio
import gc
import json
import random
import resource
import sys
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from statistics import mean, median
from time import perf_counter
from typing import TYPE_CHECKING

from tests.bench.report import Figure, Report, median_figure, quantile
from tests.bench.rig import COUNTED_SITE, ECHO, Rig, Running, Usage, rig, usage

if TYPE_CHECKING:
    from tests.bench.drive import Room, Tally
    from tests.bench.stage import Stage, StagedTable

_MESSAGES_A_MINUTE = 500
# The benches with a site or database of their own.
ABUSE = "abuse"
ARCHIVE = "archive"
KB = 1000
MB = 1000 * KB
# Moves beyond those that are measured: for warming up, and for a vote that goes on.
_WARM = 24


@dataclass
class Run:
    """The measurements of one stretch."""

    tally: "Tally"
    used: Usage
    # Actions a second over the whole stretch.
    speed: float = 0.0

    @property
    def p50(self) -> float:
        return 1000 * quantile(self.tally.latencies, 0.5)

    @property
    def p95(self) -> float:
        return 1000 * quantile(self.tally.latencies, 0.95)

    @property
    def p99(self) -> float:
        return 1000 * quantile(self.tally.latencies, 0.99)

    @property
    def cpu_each(self) -> float:
        """The server's CPU milliseconds per action."""
        return 1000 * self.used.server / max(1, len(self.tally.latencies))


@dataclass
class Bench:
    """What all figures share: the rig, the staged tables, the report, and the errors so far."""

    rig: Rig
    stage: "Stage"
    report: Report
    options: argparse.Namespace
    failed: list[str] = field(default_factory=list)
    lost: list[str] = field(default_factory=list)
    complaints: list[str] = field(default_factory=list)
    repairs: int = 0
    tried_again: int = 0
    profiles: int = 0

    def number(self, full: int, quick: int) -> int:
        return quick if self.options.quick else full

    @property
    def pairs(self) -> int:
        return self.options.pairs or self.number(5, 2)

    def site(self, application: str | None = None, *, core: int | None = None):
        return self.rig.web(application, core=core) if application else self.rig.web(core=core)

    def note(self, tally: "Tally", *servers: Running) -> None:
        """Collect the errors of a run."""
        self.failed += tally.failed
        self.lost += tally.lost
        self.repairs += tally.repairs
        self.tried_again += tally.tried_again
        for server in servers:
            self.complaints += server.complaints()

    def run(
        self,
        servers: Sequence[Running],
        tables: Sequence["StagedTable"],
        play: Callable[[Sequence["Room"]], object],
        *,
        is_echo: bool = False,
        warm: int = 2,
        profile: str = "",
    ) -> Run:
        """Open all sockets, play `warm` uncounted moves per table, run `play`, then check."""
        from tests.bench.drive import EchoRoom, Room, Tally, check_and_close, open_all
        from tests.bench.profile import profiled

        tally = Tally()
        used = Usage()

        async def all_of_it() -> None:
            nonlocal used
            ports = [server.port for server in servers]
            room_class = EchoRoom if is_echo else Room
            rooms = [room_class(table, ports, tally) for table in tables]
            await open_all(rooms, compare_every=self.options.compare_every)
            await asyncio.gather(*(room.play(warm) for room in rooms))
            tally.forget()
            gc.collect()
            gc.freeze()
            processes = [*servers, *self.rig.behind]
            folder = self.options.profile if profile else None
            self.profiles += folder is not None
            with (
                profiled(servers[0], folder, f"{profile}-{self.profiles}"),
                usage(processes, self.rig.cores.server) as used,
            ):
                await play(rooms)  # type: ignore[misc]
            gc.unfreeze()
            await check_and_close(rooms)

        asyncio.run(all_of_it())
        self.note(tally, *servers)
        return Run(tally, used, len(tally.latencies) / used.seconds)


def in_turns(moves: int, think: float = 0.0) -> Callable[[Sequence["Room"]], object]:
    """Play at least this many moves at each table, one table after the other."""

    async def play(rooms: Sequence["Room"]) -> None:
        for room in rooms:
            await room.play(moves, think)

    return play


def all_at_once(seconds: float, think: float = 0.0) -> Callable[[Sequence["Room"]], object]:
    """Play at all tables, in turns, until the time or the first game is over."""
    from tests.bench.drive import pause

    async def play(rooms: Sequence["Room"]) -> None:
        until = perf_counter() + seconds

        async def play_on(room: "Room") -> None:
            nonlocal until
            # People who have thought for a while do not all move at the start.
            await pause(think)
            while perf_counter() < until and await room.take_turn():
                await pause(think)
                if not room.moves_left:
                    # With one table fewer the load would differ, so the stretch ends here.
                    until = 0.0

        await asyncio.gather(*(play_on(room) for room in rooms))

    return play


def at_a_rate(actions_a_second: float, seconds: float) -> Callable[[Sequence["Room"]], object]:
    """Start actions at random moments, whether or not the last has ended; tables take turns.

    An action waits while its table's last one is under way; that wait counts.
    """

    async def play(rooms: Sequence["Room"]) -> None:
        rng = random.Random(7)
        busy: dict[int, asyncio.Task[bool]] = {}

        async def act(room: "Room", before: asyncio.Task[bool] | None, due: float) -> bool:
            if before is not None and not await before:
                return False
            late = perf_counter() - due
            is_going_on = room.moves_left > 0 and await room.act()
            if is_going_on:
                room.tally.latencies[-1] += late
            return is_going_on

        due, end, turn = perf_counter(), perf_counter() + seconds, 0
        while due < end:
            await asyncio.sleep(max(0.0, due - perf_counter()))
            index = turn % len(rooms)
            busy[index] = asyncio.create_task(act(rooms[index], busy.get(index), due))
            turn += 1
            due += rng.expovariate(actions_a_second)
        await asyncio.gather(*busy.values())

    return play


def beside_talk(
    play: Callable[[Sequence["Room"]], object],
    site: Running,
    table: "StagedTable",
    seconds: float,
) -> tuple[Callable[[Sequence["Room"]], object], "Tally"]:
    """Run the same stretch while `table` posts 500 messages a minute. Also return their tally."""
    from tests.bench.drive import Tally, check_and_close, open_all
    from tests.bench.talking import TalkingRoom

    tally = Tally()

    async def both(rooms: Sequence["Room"]) -> None:
        room = TalkingRoom(table, [site.port], tally)
        await open_all([room])
        await asyncio.gather(
            play(rooms),  # type: ignore[arg-type]
            room.talk(int(seconds * _MESSAGES_A_MINUTE / 60), _MESSAGES_A_MINUTE),
        )
        await check_and_close([room])

    return both, tally


# The figures ------------------------------------------------------------------------------------


def latency(bench: Bench) -> None:
    bench.report.begin("One table of ten")
    think = bench.options.think
    pairs, moves = bench.pairs, bench.number(120, 40)
    ours: list[Run] = []
    echoes: list[Run] = []
    with bench.site() as site, bench.rig.web(ECHO) as echo:
        for pair in range(pairs):
            (table,) = bench.stage.set(1, moves=moves + _WARM, forward=_share(pair, pairs))
            play = in_turns(moves, think)
            ours.append(bench.run([site], [table], play, warm=2, profile="latency"))
            echoes.append(bench.run([echo], [table], play, warm=2, is_echo=True))
    _pair_figures(bench, "10 viewers", ours, echoes, goal_p50=2.4)
    _cpu_figures(bench, ours, echoes)
    _wire_figures(bench, ours)
    answers = [1000 * second for run in ours for second in run.tally.answers]
    bench.report.add(Figure("from the POST to its answer, p50", median(answers), "ms"))


def spectators(bench: Bench) -> None:
    bench.report.begin("Ten seats and 50 spectators")
    think = bench.options.think
    pairs, moves = bench.pairs, bench.number(100, 30)
    few: list[Run] = []
    many: list[Run] = []
    echoes: list[Run] = []
    with bench.site() as site, bench.rig.web(ECHO) as echo:
        for pair in range(pairs):
            share = _share(pair, pairs)
            play = in_turns(moves, think)
            (ten,) = bench.stage.set(1, moves=moves + _WARM, forward=share)
            few.append(bench.run([site], [ten], play))
            (sixty,) = bench.stage.set(1, moves=moves + _WARM, spectators=50, forward=share)
            many.append(bench.run([site], [sixty], play, profile="spectators"))
            echoes.append(bench.run([echo], [sixty], play, is_echo=True))
    _pair_figures(bench, "60 viewers", many, echoes, goal_p50=0.9)
    _cpu_figures(bench, many, echoes)
    _wire_figures(bench, many)
    bench.report.add(median_figure("CPU an action, 10 viewers", [r.cpu_each for r in few], "ms"))
    more = [100 * (b.cpu_each / a.cpu_each - 1) for a, b in zip(few, many, strict=True)]
    bench.report.add(median_figure("CPU of 50 more spectators", more, "%"))


def saturation(bench: Bench) -> None:
    tables = 50
    seconds = bench.options.seconds or bench.number(10, 4)
    bench.report.begin(f"{tables} tables of ten, as many moves as the server takes")
    # So short that the server is always busy.
    play = all_at_once(seconds, bench.options.think / 4)
    ours: list[Run] = []
    echoes: list[Run] = []
    with bench.site() as site, bench.rig.web(ECHO) as echo:
        for _ in range(bench.pairs):
            staged = bench.stage.set(tables, moves=_moves_within(seconds, tables))
            ours.append(bench.run([site], staged, play, profile="saturation"))
            echoes.append(bench.run([echo], staged, play, is_echo=True))
    bench.report.add(_median_of("50 tables, ours", ours, lambda run: run.speed, "actions/s"))
    bench.report.add(_median_of("50 tables, echo", echoes, lambda run: run.speed, "actions/s"))
    ratios = [a.speed / b.speed for a, b in zip(ours, echoes, strict=True)]
    bench.report.add(
        median_figure(
            "50 tables, actions over the echo's",
            ratios,
            "x",
            goal=0.35,
            is_least=True,
            **_shares(ours),
        )
    )
    for name, runs in (("ours", ours), ("echo", echoes)):
        bench.report.add(_median_of(f"50 tables, {name}, p50", runs, lambda run: run.p50, "ms"))
        bench.report.add(_median_of(f"50 tables, {name}, p99", runs, lambda run: run.p99, "ms"))
    _cpu_figures(bench, ours, echoes)
    _wire_figures(bench, ours)


def crowd(bench: Bench) -> None:
    bench.report.begin("500 sockets open")
    seconds = bench.number(20, 6)
    with bench.site() as site:
        moves = bench.number(40, 8)
        (table,) = bench.stage.set(1, moves=moves + _WARM, spectators=490)
        run = bench.run([site], [table], in_turns(moves), profile="crowd")
        bench.report.add(_figure_of("500 at one table, p95", run, run.p95, "ms", goal=200))
        bench.report.add(_figure_of("500 at one table, p50", run, run.p50, "ms"))
        staged = bench.stage.set(50, moves=60)
        run = bench.run([site], staged, at_a_rate(bench.options.rate, seconds), profile="crowd")
        name = f"50 tables of ten, {bench.options.rate:g} actions/s, "
        bench.report.add(_figure_of(name + "p95", run, run.p95, "ms", goal=200))
        bench.report.add(_figure_of(name + "p50", run, run.p50, "ms"))


def talk(bench: Bench) -> None:
    bench.report.begin("Ten tables of ten play, and at another one 500 messages a minute are said")
    seconds, rate = bench.number(20, 6), 10
    quiet: list[Run] = []
    loud: list[Run] = []
    heard: list[float] = []
    with bench.site() as site:
        for pair in range(bench.pairs):
            share = _share(pair, bench.pairs)
            staged = bench.stage.set(10, moves=60, forward=share)
            quiet.append(bench.run([site], staged, at_a_rate(rate, seconds)))
            staged = bench.stage.set(10, moves=60, forward=share)
            (talking,) = bench.stage.set(1, moves=4, spectators=50, forward=0)
            play, said = beside_talk(at_a_rate(rate, seconds), site, talking, seconds)
            loud.append(bench.run([site], staged, play))
            bench.note(said)
            heard += said.latencies
    bench.report.add(_median_of("the others' moves, p95, in silence", quiet, lambda r: r.p95, "ms"))
    beside = [run.p95 for run in loud]
    bench.report.add(
        median_figure(
            "the others' moves, p95, beside the talk", beside, "ms", goal=200, **_shares(loud)
        )
    )
    ratios = [many.p50 / few.p50 for few, many in zip(quiet, loud, strict=True)]
    bench.report.add(median_figure("p50 beside the talk over silence", ratios, "x"))
    each = [1000 * second for second in heard]
    bench.report.add(Figure("messages said and heard by 60", len(each)))
    bench.report.add(Figure("until all 60 have heard a message, p50", median(each), "ms"))
    bench.report.add(Figure("until all 60 have heard a message, p95", quantile(each, 0.95), "ms"))


def memory(bench: Bench) -> None:
    count = bench.options.sockets or bench.number(2000, 300)
    bench.report.begin(f"{count} idle sockets, at tables of ten")
    staged = bench.stage.set(count // 10, moves=40)
    warm = bench.stage.set(1, moves=40)
    with bench.site() as site:
        bench.run([site], warm, in_turns(30))
        tally, before, after, seconds = asyncio.run(_idle(site, staged))
        bench.note(tally, site)
    each = (after - before) / count
    goal = 45 * KB if count >= 2000 else None
    bench.report.add(Figure("memory per idle socket", each / KB, "KB", goal and goal / KB))
    bench.report.add(Figure("memory before", before / MB, "MB"))
    bench.report.add(Figure("memory with all of them", after / MB, "MB"))
    bench.report.add(Figure("sockets opened a second", count / seconds))


async def _idle(site: Running, staged: Sequence["StagedTable"]) -> tuple["Tally", int, int, float]:
    from tests.bench.drive import Room, Tally, check_and_close, open_all

    tally = Tally()
    rooms = [Room(table, [site.port], tally) for table in staged]
    before, begun = site.rss(), perf_counter()
    await open_all(rooms, compare_every=0)
    seconds = perf_counter() - begun
    await asyncio.sleep(2)
    after = site.rss()
    await check_and_close(rooms)
    return tally, before, after, seconds


def stalled(bench: Bench) -> None:
    count, moves = bench.number(200, 200), bench.number(150, 60)
    bench.report.begin(f"{count} sockets that never read, and a game of {moves} moves")
    for is_lying in (False, True):
        (warm,) = bench.stage.set(1, moves=moves + _WARM, forward=0)
        (table,) = bench.stage.set(1, moves=moves, spectators=count, forward=0)
        with bench.site() as site:
            bench.run([site], [warm], in_turns(moves))
            tally, before, opened, most = asyncio.run(_stall(site, table, moves, is_lying))
            bench.note(tally, site)
        who = "that acknowledge all the same" if is_lying else "that never read"
        goal = None if is_lying else 20
        name = f"memory grows by {count} readers {who}"
        bench.report.add(
            Figure(name, (most - before) / MB, "MB", goal, more={"is_lying": is_lying})
        )
        bench.report.add(Figure("of it while they opened", (opened - before) / MB, "MB"))
        latencies = [1000 * second for second in tally.latencies]
        if latencies:
            bench.report.add(Figure("an action beside them, p50", median(latencies), "ms"))


async def _stall(
    site: Running, table: "StagedTable", moves: int, is_lying: bool
) -> tuple["Tally", int, int, int]:
    """Let the players play and read while spectators stop reading once their page has loaded."""
    from tests.bench.drive import Room, Tally, Viewer, check_and_close, open_all

    tally = Tally()
    room = Room(table, [site.port], tally)
    players = len(table.seated)
    stuck: list[Viewer] = room.viewers[players:]
    room.viewers = room.viewers[:players]
    before = site.rss()
    await open_all([room], compare_every=0)
    for viewer in stuck:
        await viewer.open(is_thin=True)
        viewer.line.send('{"have": {}}')
        viewer.line.transport.pause_reading()
    await asyncio.sleep(2)
    opened = most = site.rss()
    for number in range(moves):
        if not await room.act():
            break
        if is_lying:
            for viewer in stuck:
                # Valid in both protocols, and false in both: this client has read nothing.
                viewer.line.send(json.dumps({"ack": number + 1}))
        most = max(most, site.rss())
    await check_and_close([room])
    for viewer in stuck:
        viewer.line.transport.abort()
    return tally, before, opened, most


def growth(bench: Bench) -> None:
    seconds = bench.options.seconds or bench.number(6, 3)
    steps = bench.options.tables or ([10, 50, 100, 200] if not bench.options.quick else [10, 50])
    cores = bench.rig.cores
    for processes in (1, 2):
        shared = processes == 2 and cores.is_second_shared
        where = "one process" if processes == 1 else "two processes on two cores"
        bench.report.begin(
            f"Tables of ten, {where}" + (", the client shares the second" if shared else "")
        )
        with ExitStack() as until_then:
            servers = [
                until_then.enter_context(bench.site(core=core))
                for core in (cores.server, cores.second)[:processes]
            ]
            for tables in steps:
                staged = bench.stage.set(tables, moves=_moves_within(seconds, tables))
                run = bench.run(servers, staged, all_at_once(seconds))
                name = f"{tables} tables, {processes} process{'es' if processes > 1 else ''}"
                for what, value, unit in (
                    ("", run.speed, "actions/s"),
                    (", p50", run.p50, "ms"),
                    (", p95", run.p95, "ms"),
                ):
                    figure = _figure_of(name + what, run, value, unit)
                    figure.is_client_shared = shared
                    bench.report.add(figure)


def statements(bench: Bench) -> None:
    bench.report.begin("What an action asks of the machine")
    moves = bench.number(60, 30)
    counts: dict[int, list[dict[str, list[str]]]] = {}
    with bench.site(COUNTED_SITE) as site:
        for players, watching in ((5, 0), (10, 0), (10, 50)):
            table = bench.stage.set(
                1, moves=moves + 2, players=players, spectators=watching, forward=0
            )[0]
            tally, told = asyncio.run(_count([site], table, moves))
            bench.note(tally, site)
            viewers = players + watching
            counts[viewers] = [here[0] for _, here in told]
            sql = [len(here[0]["statements"]) for _, here in told]
            _add_counts(bench, f"SQL statements an action, {viewers} viewers", sql, 7, told)
            renders = [len(here[0]["renders"]) for _, here in told]
            _add_counts(bench, f"templates rendered an action, {viewers} viewers", renders, None)


def elsewhere(bench: Bench) -> None:
    bench.report.begin("What an action asks of two processes")
    moves = bench.number(60, 24)
    with bench.site(COUNTED_SITE) as site, bench.site(COUNTED_SITE) as other:
        table = bench.stage.set(1, moves=moves + 2, spectators=10, forward=0)[0]
        tally, told = asyncio.run(_count([site, other], table, moves))
        bench.note(tally, site, other)
        # The actor's own process, and the one that only receives the hint.
        near = [len(here[actor % 2]["statements"]) for actor, here in told]
        far = [len(here[1 - actor % 2]["statements"]) for actor, here in told]
        _add_counts(bench, "SQL statements where the actor is, two processes", near, 7)
        _add_counts(bench, "SQL statements in the other process", far, 1)


def _add_counts(
    bench: Bench,
    name: str,
    counts: Sequence[int],
    goal: int | None,
    told: Sequence[tuple[int, list[dict[str, list[str]]]]] = (),
) -> None:
    # Report the most common count: the median could fall between two kinds of action.
    usual = Counter(counts).most_common(1)[0][0]
    more: dict[str, object] = {"least": min(counts), "most": max(counts), "mean": mean(counts)}
    example = next((here[0] for _, here in told if len(here[0]["statements"]) == usual), None)
    if example is not None:
        more["example"] = [statement[:160] for statement in example["statements"]]
    bench.report.add(Figure(name, usual, "", goal, more=more))
    if min(counts) != max(counts):
        bench.report.note(f"{min(counts)} to {max(counts)}, {mean(counts):.1f} on average")


async def _count(
    servers: Sequence[Running], table: "StagedTable", moves: int
) -> tuple["Tally", list[tuple[int, list[dict[str, list[str]]]]]]:
    """Return for each move its seat and what each process did for it."""
    from tests.bench.drive import Room, Tally, check_and_close, open_all
    from tests.bench.wire import get

    async def counts() -> list[dict[str, list[str]]]:
        # Work that still runs after the last frame belongs to the action.
        await asyncio.sleep(0.05)
        return [json.loads(await get(server.port, "/bench/counts")) for server in servers]

    tally = Tally()
    room = Room(table, [server.port for server in servers], tally)
    await open_all([room], compare_every=0)
    for _ in range(2):
        await room.act()
    told = []
    for number in range(moves):
        await counts()
        if not await room.act():
            break
        told.append((table.moves[2 + number].seat, await counts()))
    await check_and_close([room])
    return tally, told


# Formatting -------------------------------------------------------------------------------------


def _pair_figures(
    bench: Bench,
    who: str,
    ours: Sequence[Run],
    echoes: Sequence[Run],
    *,
    goal_p50: float,
    goal_p99: float | None = None,
) -> None:
    report = bench.report
    for name, runs in (("ours", ours), ("echo", echoes)):
        report.add(_median_of(f"{who}, {name}, p50", runs, lambda run: run.p50, "ms"))
        report.add(_median_of(f"{who}, {name}, p99", runs, lambda run: run.p99, "ms"))
    for name, goal, get in (
        ("p50", goal_p50, lambda run: run.p50),
        ("p99", goal_p99, lambda run: run.p99),
    ):
        ratios = [get(a) / get(b) for a, b in zip(ours, echoes, strict=True)]
        report.add(
            median_figure(f"{who}, {name} over the echo's", ratios, "x", goal=goal, **_shares(ours))
        )


def _cpu_figures(bench: Bench, ours: Sequence[Run], echoes: Sequence[Run]) -> None:
    """Report CPU per action, which other load on the machine hardly changes."""
    report = bench.report
    report.add(median_figure("CPU an action, ours", [run.cpu_each for run in ours], "ms"))
    report.add(median_figure("CPU an action, echo", [run.cpu_each for run in echoes], "ms"))
    ratios = [a.cpu_each / b.cpu_each for a, b in zip(ours, echoes, strict=True)]
    report.add(median_figure("CPU an action over the echo's", ratios, "x"))


def _wire_figures(bench: Bench, ours: Sequence[Run]) -> None:
    """Report the bytes of the frames, and how often a page had to ask for a panel again."""
    report = bench.report
    each = [size for run in ours for size in run.tally.bytes_each]
    sizes = [size for run in ours for size in run.tally.frame_sizes]
    report.add(Figure("bytes per viewer and action, mean", mean(each), "bytes", goal=2 * KB))
    report.add(Figure("bytes per viewer and action, median", median(each), "bytes"))
    report.add(Figure("bytes of the longest frame", max(sizes), "bytes"))
    actions = sum(len(run.tally.latencies) for run in ours)
    repairs = sum(run.tally.repairs for run in ours)
    report.add(Figure("repairs an action", repairs / max(1, actions), goal=0))


def _median_of(name: str, runs: Sequence[Run], get: Callable[[Run], float], unit: str) -> Figure:
    return median_figure(name, [get(run) for run in runs], unit, **_shares(runs))


def _figure_of(name: str, run: Run, value: float, unit: str, goal: float | None = None) -> Figure:
    return Figure(name, value, unit, goal, **_shares([run]))  # type: ignore[arg-type]


def _shares(runs: Sequence[Run]) -> dict[str, float]:
    return {
        "client_share": max(run.used.client_share for run in runs),
        "others_share": max(run.used.others_share for run in runs),
    }


def _share(pair: int, pairs: int) -> float:
    """Return how far into its game this pair starts: the pairs cover all stages of a game."""
    return pair / (pairs - 1) if pairs > 1 else 0.5


def _moves_within(seconds: float, tables: int) -> int:
    """Return more moves than a table can make in that time: no echo here reaches 900 a second."""
    return min(190, max(30, int(900 * seconds / tables)))


def dealing(bench: Bench) -> None:
    """Measure from "Begin" to the cards, at tables of ten browsers that all reveal."""
    from tests.bench.dealing import PLAYERS, deal_all, stage_tables

    bench.report.begin(f"Dealing: {PLAYERS} browsers reveal their part of the seal")
    with bench.site() as site:
        tables = stage_tables(bench.stage.crowd(PLAYERS), bench.number(40, 10))
        seconds = asyncio.run(deal_all(tables, site.port))
        bench.complaints += site.complaints()
    ordered = sorted(seconds)
    for share in (50, 95):
        at = ordered[min(len(ordered) - 1, len(ordered) * share // 100)]
        bench.report.add(Figure(f"p{share} from the begin to the cards, ms", at * 1000))


FIGURES: dict[str, Callable[[Bench], None]] = {
    "latency": latency,
    "spectators": spectators,
    "saturation": saturation,
    "crowd": crowd,
    "talk": talk,
    "memory": memory,
    "stalled": stalled,
    "growth": growth,
    "statements": statements,
    "elsewhere": elsewhere,
    "dealing": dealing,
}


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m tests.bench.live",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("figures", nargs="*", metavar="FIGURE", help="all of them if none is named")
    parser.add_argument("--quick", action="store_true", help="a look, in about two minutes")
    parser.add_argument("--pairs", type=int, help="alternating pairs (5; quick: 2)")
    parser.add_argument("--seconds", type=float, help="of a stretch of saturation or growth")
    parser.add_argument("--tables", type=int, nargs="*", help="the steps of growth")
    parser.add_argument("--sockets", type=int, help="of memory (2000; quick: 300)")
    parser.add_argument("--rate", type=float, default=20, help="actions a second of crowd (20)")
    parser.add_argument("--think", type=float, default=0.2, help="seconds between turns (0.2)")
    parser.add_argument("--compare-every", type=float, default=10, help="seconds; 0 is never")
    parser.add_argument("--postgres", action="store_true", help="PostgreSQL in place of SQLite")
    parser.add_argument("--json", type=Path, help="adds a line for each figure to this file")
    parser.add_argument("--profile", type=Path, metavar="FOLDER", help="profiles with py-spy")
    parser.add_argument("--verbose", action="store_true", help="names what was lost")
    options = parser.parse_args()
    unknown = set(options.figures) - set(FIGURES)
    if unknown:
        parser.error(f"unknown: {', '.join(sorted(unknown))}")
    return options


def main() -> int:
    if ABUSE in sys.argv[1:]:
        from tests.bench import abuse

        return abuse.main([word for word in sys.argv[1:] if word != ABUSE])
    if ARCHIVE in sys.argv[1:]:
        from tests.bench import archive

        return archive.main([word for word in sys.argv[1:] if word != ARCHIVE])
    options = _options()
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    is_timed = bool(set(options.figures or FIGURES) - {"statements", "elsewhere"})
    with rig(postgres=options.postgres, is_timed=is_timed) as made:
        from tests.bench.stage import Stage

        database = "PostgreSQL" if options.postgres else "SQLite"
        cores = made.cores
        print(f"{database}; server on core {cores.server}, client on core {cores.client}")
        report = Report(options.json, {"database": database, "quick": options.quick})
        bench = Bench(made, Stage(), report, options)
        for name, figure in FIGURES.items():
            if not options.figures or name in options.figures:
                figure(bench)
        report.begin("In all of these")
        wrong = len(bench.failed) + len(bench.lost)
        report.add(Figure("failed or lost actions", wrong, goal=0))
        report.add(Figure("panels asked for again after a crossing", bench.repairs, goal=0))
        report.add(Figure("sockets that did not open at once", bench.tried_again))
        report.add(Figure("errors and warnings in the servers' logs", len(bench.complaints)))
        for line in (bench.failed + bench.lost + bench.complaints)[
            : None if options.verbose else 5
        ]:
            report.note(line)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
