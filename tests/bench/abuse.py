"""What a stranger notices of an attack: `make bench ARGS=abuse`, or `python -m tests.bench.abuse`.

The whole site runs as `manage.py play` starts it, on SQLite in a fresh folder, with every limit at
its default. Rounds of silence and of attack alternate. In each, from addresses of their own,

        pages    a stranger reads the lobby and a running table in turn, ten times a second
        writes   the players of a table make four moves a second
        clock    two games a second, which no one watches, wait for the clock: how late it rings

The attacks stay within the limits; each round uses new accounts and addresses:

        0          an address reads the lobby, eight requests at once: only pages, to compare
        1          an account posts names of 60 KB of combining marks, nine at once
        4          an account asks for the balance of one mix of house rules after another
        6          an account starts quick games and reads its lobby, four requests at once
        6-seeded   the same, by an account that has 700 running games
        7          118 sockets of one address ask for everything, again and again
        8          fourteen sign-ups at once, and tables with passwords, again and again

The goal is a p95 of the pages under 50 ms. All processes of the site share one core, as on a
small machine, and the clients another; with --spread they share all. Latencies count from the
moment at which a request was due. A figure is marked NOISY if other programs used the site's core.
"""

import argparse
import asyncio
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from statistics import mean
from typing import TYPE_CHECKING, Final

from tests.bench.attacks import Attacker, Orders, attacking
from tests.bench.played import Played, played_site
from tests.bench.profile import profiled
from tests.bench.report import Figure, Report, number, quantile
from tests.bench.rig import choose_cores, usage

if TYPE_CHECKING:
    from tests.bench.bystanders import Seen
    from tests.bench.stage import Stage

GOAL_MS: Final = 50.0
_PAGES_A_SECOND: Final = 10.0
_MOVES_A_SECOND: Final = 4.0
# A planned game has no more moves.
_MOST_MOVES: Final = 180
_RINGS_A_SECOND: Final = 2.0
# An alarm that has not rung this long after its round counts as this late.
_ALARMS_AWAITED: Final = 15.0
_TABLES_IN_LOBBY: Final = 10
_SEEDED_GAMES: Final = 700
_STRANGERS: Final = 14
_HOSTS: Final = 2
# A round begins when the site uses less than this share of a core, or after this many seconds.
_CALM: Final = 0.2
_SECONDS_TO_CALM: Final = 90.0


_SHARES: Final = (("p50", 50), ("p95", 95), ("p99", 99), ("longest", 100))


@dataclass(frozen=True, slots=True)
class Attack:
    key: str
    # The name of a function in tests.bench.attacks.
    name: str
    title: str
    # Returns who attacks in the round with this number.
    attackers: Callable[["Stage", int], list[Attacker]]


def _account(stage: "Stage", _: int) -> list[Attacker]:
    (person,) = stage.newcomers(1)
    return [Attacker(person.address, person.cookie)]


def _account_with_games(stage: "Stage", _: int) -> list[Attacker]:
    from tests.bench.stage import seed_quick_games

    (person,) = stage.newcomers(1)
    seed_quick_games(person, _SEEDED_GAMES)
    return [Attacker(person.address, person.cookie)]


def _address(_: "Stage", number: int) -> list[Attacker]:
    return [Attacker(f"127.7.{number}.1")]


def _strangers_and_hosts(stage: "Stage", number: int) -> list[Attacker]:
    hosts = [Attacker(person.address, person.cookie) for person in stage.newcomers(_HOSTS)]
    return hosts + [Attacker(f"127.8.{number}.{1 + n}") for n in range(_STRANGERS)]


ATTACKS: Final = (
    Attack("0", "pages", "nothing but pages", _address),
    Attack("1", "names", "names of combining marks", _account),
    Attack("4", "mixes", "the balance of many mixes", _account),
    Attack("6", "games", "quick games without end", _account),
    Attack("6-seeded", "games", f"{_SEEDED_GAMES} running games", _account_with_games),
    Attack("7", "sockets", "118 sockets of one address", _address),
    Attack("8", "passwords", "sign-ups and tables with passwords", _strangers_and_hosts),
)


@dataclass
class Felt:
    """What all rounds of silence, or of an attack, have shown."""

    pages: "Seen"
    writes: "Seen"
    alarms: "Seen"
    client: "Seen"
    seconds: float = 0.0
    cpu: Counter[str] = field(default_factory=Counter)
    others: list[float] = field(default_factory=list)
    # What the attack did: the statuses of its requests and of its sockets.
    answers: Counter[str] = field(default_factory=Counter)
    sockets: Counter[str] = field(default_factory=Counter)

    @classmethod
    def nothing(cls) -> "Felt":
        from tests.bench.bystanders import Seen

        return cls(Seen(), Seen(), Seen(), Seen())

    def json(self) -> dict[str, object]:
        return {
            "pages": _json(self.pages),
            "writes": _json(self.writes),
            "alarms": _json(self.alarms),
            "client": _json(self.client),
            "cpu": {name: round(used / self.seconds, 3) for name, used in self.cpu.items()},
            "answers": dict(self.answers),
            "sockets": dict(self.sockets),
        }


def _json(seen: "Seen") -> dict[str, object]:
    return {
        "count": len(seen.latencies),
        "answers": dict(seen.answers),
        **{name: round(_ms(seen, share), 2) for name, share in _SHARES},
    }


def _ms(seen: "Seen", share: int) -> float:
    return 1000 * quantile(seen.latencies, share / 100)


class Bench:
    """One site, and the attacks on it."""

    def __init__(self, site: Played, options: argparse.Namespace) -> None:
        from tests.bench.stage import Stage

        self.site = site
        self.options = options
        self.stage = Stage()
        self._rounds = 0
        tables = self.stage.set(_TABLES_IN_LOBBY, moves=20)
        self._table = tables[len(tables) // 2].code

    def compare(self, attack: Attack, report: Report) -> None:
        """Alternate silence and attack, and report the figures of both."""
        report.begin(f"{attack.key}: {attack.title}")
        silence, attacked = Felt.nothing(), Felt.nothing()
        for _ in range(self.options.rounds):
            self._round(None, silence)
            self._round(attack, attacked)
        for line in _lines(silence, attacked):
            report.note(line)
        report.note(f"answers to the stranger: {_told(attacked.pages.answers)}")
        report.note(f"answers to the attack: {_told(attacked.answers)}")
        if attacked.sockets:
            report.note(f"its sockets: {_told(attacked.sockets)}")
        report.add(
            Figure(
                f"{attack.key}: p95 of a stranger's page",
                _ms(attacked.pages, 95),
                "ms",
                goal=None if attack.key == "0" else GOAL_MS,
                others_share=mean(attacked.others),
                more={"silence": silence.json(), "attack": attacked.json()},
            )
        )

    def _round(self, attack: Attack | None, felt: Felt) -> None:
        from tests.bench.bystanders import Alarms
        from tests.bench.stage import unlist

        self._rounds += 1
        seconds = self.options.seconds
        moves = min(_MOST_MOVES, int(_MOVES_A_SECOND * seconds) + 1)
        (table,) = self.stage.set(1, moves=moves, forward=0.0)
        unlist([table])
        alarms = Alarms(self.stage, max(1, int(_RINGS_A_SECOND * seconds)))
        orders = self._orders(attack) if attack else None
        self._calm_down()
        alarms.set(first=0.5, last=seconds)

        async def watch() -> None:
            from tests.bench.bystanders import play_on, read_pages, tick

            ticking = asyncio.create_task(tick(felt.client))
            await asyncio.gather(
                read_pages(
                    port=self.site.port,
                    paths=("/", f"/tables/{self._table}/"),
                    rate=_PAGES_A_SECOND,
                    seconds=seconds,
                    seen=felt.pages,
                ),
                play_on(
                    port=self.site.port,
                    table=table,
                    rate=_MOVES_A_SECOND,
                    seconds=seconds,
                    seen=felt.writes,
                ),
            )
            ticking.cancel()

        folder = self.options.profile if attack else None
        name = f"attack-{attack.key}-{self._rounds}" if attack else ""
        used_before, begun = self.site.cpu(), time.perf_counter()
        with (
            profiled(self.site.web, folder, name),
            usage(self.site.parts, choose_cores(is_timed=False).server) as used,
            attacking(orders) as done,
        ):
            asyncio.run(watch())
        felt.others.append(used.others_share)
        felt.seconds += time.perf_counter() - begun
        felt.cpu.update(
            {name: used - used_before.get(name, 0.0) for name, used in self.site.cpu().items()}
        )
        felt.answers.update(done.answers)
        felt.sockets.update(done.sockets)
        felt.alarms += alarms.late(_ALARMS_AWAITED)

    def _orders(self, attack: Attack) -> Orders:
        return Orders(
            name=attack.name,
            port=self.site.port,
            seconds=self.options.seconds,
            attackers=attack.attackers(self.stage, self._rounds),
            table=self._table,
            after_refusal=self.options.after_refusal,
        )

    def _calm_down(self) -> None:
        """Drop the queued work of the round before, and wait until the site is calm."""
        from tests.bench.stage import leave_nothing_to_do

        leave_nothing_to_do()
        until = time.perf_counter() + _SECONDS_TO_CALM
        while time.perf_counter() < until:
            before = sum(self.site.cpu().values())
            time.sleep(0.5)
            if sum(self.site.cpu().values()) - before < 0.5 * _CALM:
                return


def _lines(silence: Felt, attacked: Felt) -> Iterator[str]:
    """Yield a table: the figures in silence, under attack, and the ratio of the two."""
    rows: list[tuple[str, Callable[[Felt], float]]] = [
        ("pages asked for", lambda felt: len(felt.pages.latencies)),
        ("pages refused or lost", lambda felt: felt.pages.refused),
        *((f"page, {name}, ms", _of("pages", share)) for name, share in _SHARES),
        ("moves made", lambda felt: len(felt.writes.latencies)),
        ("moves refused or lost", lambda felt: felt.writes.refused),
        ("write, p95, ms", _of("writes", 95)),
        ("write, longest, ms", _of("writes", 100)),
        ("alarms", lambda felt: len(felt.alarms.latencies)),
        ("alarms that never rang", lambda felt: felt.alarms.answers["silent"]),
        ("clock's lateness, p95, ms", _of("alarms", 95)),
        ("clock's lateness, longest, ms", _of("alarms", 100)),
        ("client's own lateness, p95, ms", _of("client", 95)),
        *((f"CPU of {part}, %", _cpu(part)) for part in ("web", "worker", "valkey")),
    ]
    yield f"{'':32} {'silence':>10} {'attack':>10} {'times':>7}"
    for name, value in rows:
        before, now = value(silence), value(attacked)
        times = f"{now / before:7.1f}" if name.endswith(", ms") and before else ""
        yield f"{name:32} {number(before):>10} {number(now):>10} {times}".rstrip()


def _of(name: str, share: int) -> Callable[[Felt], float]:
    return lambda felt: _ms(getattr(felt, name), share)


def _cpu(part: str) -> Callable[[Felt], float]:
    return lambda felt: 100 * felt.cpu[part] / felt.seconds


def _told(counts: Counter[str]) -> str:
    return ", ".join(f"{name}: {count}" for name, count in counts.most_common()) or "none"


def _options(arguments: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m tests.bench.abuse",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--only", default="", help="attacks, such as 1,7 (6 is both of its kinds)")
    parser.add_argument("--seconds", type=float, help="of a round (20; quick: 5)")
    parser.add_argument("--rounds", type=int, help="of silence and of each attack (2; quick: 1)")
    parser.add_argument("--quick", action="store_true", help="a look, in about two minutes")
    parser.add_argument(
        "--after-refusal", type=float, default=0.5, help="an attacker's pause, in seconds (0.5)"
    )
    parser.add_argument("--spread", action="store_true", help="the site may use every core")
    parser.add_argument("--json", type=Path, help="adds a line for each figure to this file")
    parser.add_argument("--profile", type=Path, metavar="FOLDER", help="profiles with py-spy")
    options = parser.parse_args(arguments)
    options.seconds = options.seconds or (5.0 if options.quick else 20.0)
    options.rounds = options.rounds or (1 if options.quick else 2)
    wanted = [key for key in options.only.split(",") if key]
    options.attacks = [
        attack
        for attack in ATTACKS
        if not wanted or attack.key in wanted or attack.key.partition("-")[0] in wanted
    ]
    if len(wanted) > len(options.attacks):
        parser.error(f"the attacks are {', '.join(attack.key for attack in ATTACKS)}")
    return options


def main(arguments: Sequence[str] | None = None) -> int:
    options = _options(sys.argv[1:] if arguments is None else arguments)
    cores = choose_cores(is_timed=not options.spread)
    core = None if options.spread else cores.server
    where = "every core" if core is None else f"core {core}"
    print(f"SQLite; site on {where}, clients on core {cores.client}; {options.seconds:g} s a round")
    report = Report(options.json, {"seconds": options.seconds, "rounds": options.rounds})
    with played_site(core=core, client_core=cores.client) as site:
        bench = Bench(site, options)
        for attack in options.attacks:
            bench.compare(attack, report)
        errors = site.errors()
        report.begin("In all of these")
        report.add(Figure("errors in the site's log", len(errors)))
        for line in errors[:5]:
            report.note(line)
    return 0


if __name__ == "__main__":
    sys.exit(main())
