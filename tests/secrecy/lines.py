"""A game that goes on while sockets are open: what the viewer's socket receives, in order.

Other players at the same table have sockets of their own, opened before and after the viewer's:
what is rendered and cached for them must not reach the viewer. Both forms of the protocol are
used: frames are acknowledged by their number, which is also their count.
"""

import asyncio
import json
import re
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from random import Random
from typing import Any

from asgiref.sync import async_to_sync, sync_to_async
from channels.layers import channel_layers

from games.rules.state import GameState
from games.rules.transition import apply
from games.rules.view import view_for
from games.services import play
from tests.builders.person import Person
from tests.builders.sockets import Socket
from tests.secrecy.histories import History, World, random_history, replay
from tests.secrecy.pairs import LANGUAGES, LOOKERS, Leak, Pair
from tests.secrecy.stage import CLOCK, Stage
from tests.secrecy.surfaces import Ear, choice_of
from tests.secrecy.twins import twin

_DIGESTS = re.compile(r'data-panel="(\w+)" data-digest="(\w+)"')
# Seconds to wait for a frame that must come, and to listen for a frame that must not.
_PATIENCE = 5.0
_SILENCE = 0.01
_LAST_SILENCE = 0.05


@dataclass(frozen=True)
class LivePair(Pair):
    """A pair that goes on from `tick` to `until` while the viewer's socket is open."""

    until: int = 0


def random_live_pair(rng: Random) -> LivePair:
    """Return a game without bots at some moment, with the few moves that follow it."""
    history = random_history(rng, all_people=True)
    phases: dict[str, list[int]] = {}
    for tick, state in enumerate(history.states[:-1]):
        phases.setdefault(state.phase, []).append(tick)
    tick = rng.choice(phases[rng.choice(sorted(phases))])
    until = min(tick + rng.randint(1, 4), len(history.states) - 2)
    viewer = rng.choice(LOOKERS) if rng.random() < 0.25 else rng.randrange(history.players)
    return live_pair(history, min(tick, until), until, viewer, rng)


def live_pair(history: History, tick: int, until: int, viewer: int | str, rng: Random) -> LivePair:
    seat = viewer if isinstance(viewer, int) else None
    other = twin(history, until, seat, rng)
    language = rng.choice(LANGUAGES)
    return LivePair(history, tick, viewer, other, language, rng.randrange(2**30), until)


def live_leaks_of(stage: Stage, pair: LivePair) -> list[Leak]:
    """Return how the viewer's socket tells the worlds apart: messages, their order and sizes."""
    here, here_log = _heard(stage, pair, pair.history.world)
    there, there_log = _heard(stage, pair, pair.other)
    found = []
    if here != there:
        number = next(
            (n for n, (a, b) in enumerate(zip(here, there, strict=False)) if a != b),
            min(len(here), len(there)),
        )
        parts = [(heard[number] if number < len(heard) else "nothing") for heard in (here, there)]
        how = f"{len(here)} and {len(there)} messages; number {number}:\n" + _first_difference(
            *parts
        )
        found.append(Leak(pair, "socket", how))
    if here_log != there_log:
        found.append(Leak(pair, "log", f"{here_log}\n{there_log}"))
    return found


def _first_difference(one: str, other: str) -> str:
    at = next((n for n, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), 0)
    return f"{one[max(at - 80, 0) : at + 120]}\n{other[max(at - 80, 0) : at + 120]}"


def _heard(stage: Stage, pair: LivePair, world: World) -> tuple[list[str], list[str]]:
    stage.enter(world, pair.tick)
    channel_layers.backends.clear()
    ear = Ear()
    with ear.listening():
        heard = async_to_sync(_script)(stage, pair, world, ear)
    return heard, ear.lines


class Line:
    """A socket, and all messages received from it."""

    def __init__(self, browser: Person, path: str | None = None) -> None:
        self.socket = Socket(browser, path)
        self.heard: list[str] = []
        self._have: dict[str, str] = {}
        self._frames = 0

    async def opens(self) -> bool:
        is_open = await self.socket.opens()
        if is_open:
            await self.socket.send(have={})
            await self._next(_PATIENCE)
        else:
            self.heard.append("refused")
        return is_open

    async def follows(self, *, something_new: bool) -> None:
        """Receive the frame that must come, or listen for none; then ask for what differs."""
        await self._next(_PATIENCE if something_new else _SILENCE)
        await self.socket.send(have=self._have)
        await self._next(_PATIENCE)

    async def closes(self) -> None:
        while await self._next(_LAST_SILENCE):
            pass
        await self.socket.line.disconnect(timeout=_PATIENCE)

    async def _next(self, patience: float) -> bool:
        try:
            message = await self._receive(patience)
        except TimeoutError:
            return False
        text = message.get("text") or f"{message['type']} {message.get('code')}"
        self.heard.append(text)
        if message["type"] == "websocket.send":
            await self._take(json.loads(text))
        return message["type"] == "websocket.send"

    async def _receive(self, patience: float) -> dict[str, Any]:
        line = self.socket.line
        if line.output_queue.empty():
            # `receive_output` would cancel the application when nothing comes.
            async with asyncio.timeout(patience):
                while line.output_queue.empty():
                    if line.future.done():
                        line.future.result()
                        raise TimeoutError
                    await asyncio.sleep(0.001)
        return await line.output_queue.get()

    async def _take(self, answer: dict[str, Any]) -> None:
        if "html" in answer:
            self._frames += 1
            self._have.update(answer.get("panels") or _DIGESTS.findall(answer["html"]))
            await self.socket.send(ack=answer.get("frame", self._frames))


async def _script(stage: Stage, pair: LivePair, world: World, ear: Ear) -> list[str]:
    rng = Random(pair.luck)
    viewer: int | str = pair.viewer
    company = [who for who in (*range(pair.history.players), *LOOKERS) if who != viewer]
    present = [viewer, *rng.sample(company, 2)]
    rng.shuffle(present)
    lines: list[tuple[int | str, Line]] = []
    here = None
    for who in present:
        browser = stage.browser_of(who)
        browser.language = pair.language
        line = Line(browser)
        before = ear.queries
        is_open = await line.opens()
        if who == viewer:
            here = line
            line.heard.append(f"{ear.queries - before} queries to open")
        if is_open:
            lines.append((who, line))
    assert here is not None
    lobby = None
    if rng.random() < 0.3:
        lobby = Line(stage.browser_of(viewer), "/live/lobby/")
        await lobby.opens()
    state, _ = replay(pair.history.options, world, world.until(pair.tick))
    for tick in range(pair.tick, pair.until):
        CLOCK.at_tick(tick)
        moves = world.at(tick)
        # One world may have an extra ballot: listen in the other for as long.
        for turn in range(
            max(len(moves), len(pair.history.world.at(tick)), len(pair.other.at(tick)))
        ):
            before_state = state
            actor = None
            if turn < len(moves):
                action = moves[turn].action
                actor = action.seat
                state, _ = apply(state, action, world.piles)
                answer = await _does(_move(stage, pair, before_state, action, tick))
                if answer is not None:
                    here.heard.append(answer)
            following = []
            for who, line in lines:
                # The player who moved gets a new form, even if it asks for the same action again.
                is_new = who == actor or _view(before_state, who) != _view(state, who)
                following.append(line.follows(something_new=is_new))
            if lobby is not None:
                # A move sends no hint to the lobby. A client that asks learns whether it is its
                # turn.
                following.append(lobby.follows(something_new=False))
            await asyncio.gather(*following)
    everybody = [line for _, line in lines] + ([lobby] if lobby else [])
    await asyncio.gather(*(line.closes() for line in everybody))
    if lobby is not None:
        here.heard += lobby.heard
    return here.heard


def _view(state: GameState, who: int | str) -> object:
    return view_for(state, who if isinstance(who, int) else None)


def _move(
    stage: Stage, pair: LivePair, state: GameState, action: Any, tick: int
) -> Callable[[], str | None]:
    def by_others() -> None:
        user = stage.users[action.seat]
        assert user is not None
        play.act(
            table=stage.table,
            user=user,
            action=action,
            decision=state.decision,
            key=f"t{tick}-{len(str(action))}-{state.ballots.count(None)}",
        )

    def by_viewer() -> str:
        """Post as the viewer's own browser, and return the answer, which the viewer can read."""
        browser = stage.browser_of(pair.viewer)
        data = {"decision": state.decision, "key": f"t{tick}", "choice": choice_of(action)}
        answer = browser.post(
            f"{stage.table.get_absolute_url()}act/", data, htmx=True, HTTP_X_PANELS=""
        )
        return f"{answer.status_code} {sorted(answer.items())} {answer.content.decode()}"

    return by_viewer if action.seat == pair.viewer else by_others


async def _does(work: Callable[[], str | None]) -> str | None:
    done: Awaitable[str | None] = sync_to_async(work)()
    return await done
