"""Pairs of worlds, and what tells them apart for which viewer."""

import difflib
from collections.abc import Iterator
from dataclasses import dataclass, fields
from random import Random

from games.rules.phases import Phase
from tests.secrecy.histories import History, World, random_history
from tests.secrecy.stage import Cast, Stage
from tests.secrecy.surfaces import Seen, received
from tests.secrecy.twins import twin

LANGUAGES = ("en", "ru", "pl", "ja", "it")
LOOKERS = ("spectator", "stranger", "moderator")


@dataclass(frozen=True)
class Pair:
    """A game at a moment, a viewer, and another game that must look the same to that viewer."""

    history: History
    tick: int
    viewer: int | str
    other: World
    language: str
    luck: int

    @property
    def seat(self) -> int | None:
        return self.viewer if isinstance(self.viewer, int) else None

    @property
    def phase(self) -> Phase:
        return self.history.states[self.tick].phase

    @property
    def kind(self) -> str:
        if not isinstance(self.viewer, int):
            return self.viewer
        return "seat" if self.viewer in self.history.states[self.tick].alive else "dead"

    def __str__(self) -> str:
        state = self.history.states[self.tick]
        return (
            f"{self.kind} {self.viewer} of {state.players}, {self.history.edition} "
            f"{self.history.house_rules}, {state.decision}, {self.language}, {self.luck}"
        )


def moments(history: History, rng: Random, count: int) -> list[int]:
    """Return ticks before the end. Every phase is equally likely, however long it takes."""
    by_phase: dict[Phase, list[int]] = {}
    for tick, state in enumerate(history.states[:-1]):
        by_phase.setdefault(state.phase, []).append(tick)
    return [rng.choice(by_phase[rng.choice(sorted(by_phase))]) for _ in range(count)]


def random_viewer(history: History, tick: int, rng: Random) -> int | str:
    people = [seat for seat, is_bot in enumerate(history.bots) if not is_bot]
    alive = history.states[tick].alive
    dead = [seat for seat in people if seat not in alive]
    if dead and rng.random() < 0.3:
        return rng.choice(dead)
    return rng.choice(LOOKERS) if rng.random() < 0.3 else rng.choice(people)


def random_pair(history: History, tick: int, viewer: int | str, rng: Random) -> Pair:
    seat = viewer if isinstance(viewer, int) else None
    language = rng.choice(LANGUAGES)
    if history.edition == "ru-5-6" and rng.random() < 0.5:
        # This edition has its own terms in the Russian catalog.
        language = "ru"
    return Pair(
        history, tick, viewer, twin(history, tick, seat, rng), language, rng.randrange(2**30)
    )


def random_pairs(rng: Random, per_game: int = 4) -> Iterator[list[Pair]]:
    """Yield pairs without end, one list for each game: a game's pairs share one table."""
    while True:
        history = random_history(rng)
        yield [
            random_pair(history, tick, random_viewer(history, tick, rng), rng)
            for tick in moments(history, rng, per_game)
        ]


@dataclass(frozen=True)
class Leak:
    """A surface that tells two worlds apart."""

    pair: Pair
    surface: str
    how: str

    def __str__(self) -> str:
        return f"{self.pair}: {self.surface}\n{self.how}"


def leaks_of(stage: Stage, pair: Pair, *, all_of_it: bool = False) -> list[Leak]:
    """Show the two worlds to the viewer in turn. Return what tells them apart."""
    here = _look(stage, pair, pair.history.world, all_of_it)
    there = _look(stage, pair, pair.other, all_of_it)
    found = [
        Leak(pair, mine.what, told_apart(mine, theirs))
        for mine, theirs in zip(here[0], there[0], strict=True)
        if mine != theirs
    ]
    for what, mine_, theirs_ in (("log", here[1], there[1]), ("cache keys", here[2], there[2])):
        if mine_ != theirs_:
            found.append(
                Leak(
                    pair, what, "\n".join([*difflib.unified_diff(mine_, theirs_, lineterm="", n=0)])
                )
            )
    return found


def _look(
    stage: Stage, pair: Pair, world: World, all_of_it: bool
) -> tuple[list[Seen], list[str], list[str]]:
    stage.enter(world, pair.tick)
    rng = Random(pair.luck)
    if all_of_it or rng.random() < 0.3:
        # A player who knows other facts comes first: nothing of theirs may be cached for the
        # viewer.
        people = [seat for seat, user in enumerate(stage.users) if user and seat != pair.viewer]
        if people:
            first = stage.browser_of(rng.choice(people))
            first.language = pair.language
            first.get(stage.table.get_absolute_url())
    return received(
        stage,
        pair.viewer,
        pair.history.states[pair.tick],
        pair.language,
        pair.luck,
        all_of_it=all_of_it,
    )


def told_apart(mine: Seen, theirs: Seen) -> str:
    """Return a readable description of the difference."""
    if mine.body != theirs.body:
        lines = difflib.unified_diff(
            mine.body.decode(errors="replace").splitlines(),
            theirs.body.decode(errors="replace").splitlines(),
            lineterm="",
            n=0,
        )
        return "\n".join(list(lines)[2:12])
    return "\n".join(
        f"{field.name}: {getattr(mine, field.name)} / {getattr(theirs, field.name)}"
        for field in fields(Seen)
        if getattr(mine, field.name) != getattr(theirs, field.name)
    )


def stage_for(cast: Cast, history: History, rng: Random) -> Stage:
    """Return a table for the history. Onlookers at a private one are usually invited."""
    stage = Stage(cast, history, rng)
    if stage.table.is_private and rng.random() < 0.7:
        for looker in LOOKERS:
            browser = stage.browser_of(looker)
            browser.get(f"{stage.table.get_absolute_url()}invitation/{stage.table.invitation}/")
    return stage
