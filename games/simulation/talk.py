"""Whole games of bots that talk, on a clock of their own: what a table would hear, and when."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from hashlib import sha256
from random import Random
from typing import Final

from games import bots
from games.bots import cues, endings, rhythm
from games.bots.cues import PATIENT, Cue, Occasion
from games.bots.registry import Words
from games.rules.actions import Action
from games.rules.chance import CONTRIBUTION_BYTES_1, SealedChance
from games.rules.claims import Told
from games.rules.editions import Options
from games.rules.knowledge import Knowledge
from games.rules.silence import silence_in, silenced
from games.rules.state import GameState
from games.rules.transition import apply, opening
from games.rules.view import View, public_event, view_for

# In seconds, as bots move at a table: the first to decide, and the next ballots.
_THOUGHT: Final = (1.6, 3.4)
_NEXT_BALLOT: Final = (0.3, 0.9)
_AGAIN: Final = 1.5


@dataclass(frozen=True, slots=True)
class Line:
    """Something that the table heard or saw, `at` seconds after the deal."""

    at: float
    seat: int
    # An action with its public events, a claim or a phrase.
    what: Told | Knowledge | bots.Spoken
    # Which of the character's lines it was.
    number: int = 0


@dataclass(slots=True)
class Talk:
    """A game of bots as the table heard it."""

    state: GameState
    kinds: tuple[str, ...]
    lines: list[Line] = field(default_factory=list)
    actions: list[Action] = field(default_factory=list)

    @property
    def spoken(self) -> list[bots.Spoken]:
        return [line.what for line in self.lines if isinstance(line.what, bots.Spoken)]


def play_with_talk(
    options: Options,
    kinds: Sequence[str],
    seed: str,
    *,
    chance: SealedChance | None = None,
    levels: Sequence[bots.Level] = (),
) -> Talk:
    """Play a game with a bot of each of these kinds. The same arguments give the same game.

    `chance` deals the cards; by default they follow from `seed`. `levels` has the level of each
    seat; by default all are regular.
    """
    chance = chance or chance_of(seed, len(kinds))
    levels = levels or (bots.Level.REGULAR,) * len(kinds)
    return _Table(options, tuple(kinds), tuple(levels), seed, chance).play()


def chance_of(seed: str, players: int) -> SealedChance:
    """Return the cards that follow from a seed."""
    parts = [
        sha256(f"{seed}:{seat}".encode()).digest()[:CONTRIBUTION_BYTES_1].hex()
        for seat in range(players)
    ]
    return SealedChance(sha256(seed.encode()).digest(), parts)


class _Table:
    def __init__(
        self,
        options: Options,
        kinds: tuple[str, ...],
        levels: tuple[bots.Level, ...],
        seed: str,
        chance: SealedChance,
    ) -> None:
        self._levels = levels
        self._random = Random(seed)  # noqa: S311  the same seed must give the same game
        self._chance = chance
        self._talk = Talk(opening(options, chance.deal(options, len(kinds))), kinds)
        self._characters = {
            seat: character
            for seat, kind in enumerate(kinds)
            if (character := bots.kind_named(kind).character) is not None
        }
        self._told: list[Told] = []
        self._claims: list[Knowledge] = []
        self._phrases: list[bots.Spoken] = []
        self._heard = bots.Heard(self._told, self._claims, self._phrases)
        # When each cue comes, and when it was to come.
        self._waiting: list[tuple[float, float, Cue]] = []
        self._lines: list[rhythm.Line] = []
        self._now = 0.0

    def play(self) -> Talk:
        self._plan(cues.cues_at_the_start(self._characters, self._below))
        moves_at = self._pause(_THOUGHT)
        while self._talk.state.outcome is None:
            at = min((at for at, _, _ in self._waiting), default=moves_at)
            if at < moves_at:
                self._now = at
                self._speak()
                continue
            self._now = moves_at
            before = self._talk.state.decision
            self._move()
            is_new = self._talk.state.decision != before
            moves_at = self._now + self._pause(_THOUGHT if is_new else _NEXT_BALLOT)
        self._waiting.clear()
        public = view_for(self._talk.state, None)
        self._plan(endings.cues_at_the_end(public, self._heard, self._characters, self._below))
        while self._waiting:
            self._now = min(at for at, _, _ in self._waiting)
            self._speak()
        return self._talk

    def _below(self, n: int) -> int:
        return int(self._random.random() * n)

    def _pause(self, times: tuple[float, float]) -> float:
        least, most = times
        return least + (most - least) * self._below(1000) / 1000

    def _plan(self, planned: Sequence[Cue]) -> None:
        self._waiting += [(self._now + cue.after,) * 2 + (cue,) for cue in planned]

    def _speakers(self) -> dict[int, bots.Character]:
        alive = view_for(self._talk.state, None).alive
        return {seat: who for seat, who in self._characters.items() if seat in alive}

    def _move(self) -> None:
        state = self._talk.state
        to_act = state.to_act
        seat = to_act[self._below(len(to_act))]
        kind = self._talk.kinds[seat]
        view, level = view_for(state, seat), self._levels[seat]
        action: Action = bots.choose(kind, view, self._below, self._heard, level)
        number = state.round
        self._talk.state, events = apply(state, action, self._chance)
        told = (number, seat, tuple(public_event(event) for event in events))
        self._told.append(told)
        self._talk.actions.append(action)
        self._talk.lines.append(Line(self._now, seat, told))
        armed = view_for(self._talk.state, None).armed
        speakers = self._speakers()
        self._plan(cues.cues_after_action(self._heard, speakers, armed, self._below))

    def _speak(self) -> None:
        """Let one cue that is due speak, as bots do at a table."""
        due = [one for one in self._waiting if one[0] <= self._now]
        _, since, cue = one = min(due, key=lambda one: (rhythm.rank(one[2]), one[0]))
        self._waiting.remove(one)
        state, seat = self._talk.state, cue.seat
        public = view_for(state, None)
        is_ending = cue.occasion is Occasion.ENDING
        if (seat not in public.alive and not is_ending) or rhythm.is_late(cue, self._now - since):
            return
        if not is_ending and silence_in(public) is not None and seat in silenced(public):
            if cue.occasion in PATIENT:
                self._waiting.append((self._now + _AGAIN, since, cue))
            return
        wait = rhythm.wait_before(self._lines, self._now)
        if wait:
            self._waiting.append((self._now + wait, since, cue))
            return
        owed = [
            other
            for other in self._waiting
            if other[2].seat == seat and other[2].occasion is Occasion.CLAIM
        ]
        if owed and rhythm.waits_for_claim(cue):
            self._waiting.remove(owed[0])
            self._waiting.append((self._now + rhythm.gap(), since, cue))
            cue = owed[0][2]
        self._say(cue, public)

    def _say(self, cue: Cue, public: View) -> None:
        state, seat = self._talk.state, cue.seat
        said: Knowledge | Words | None = cue.code, cue.seats
        if cue.occasion is not Occasion.ENDING:
            say = bots.kind_named(self._talk.kinds[seat]).say
            assert say is not None
            said = say(view_for(state, seat), self._heard, cue, self._below)
        if said is None:
            return
        speakers = self._speakers()
        what: bots.Spoken | Knowledge
        if isinstance(said, tuple):
            number = self._line(seat, rhythm.key_of(*said), said[1], state.round)
            if number is None:
                return
            what = bots.Spoken(seat, said[0], said[1], len(self._told))
            self._phrases.append(what)
            last = public.governments[-1:]
            officers = (last[0].president, last[0].chancellor) if last else (None, None)
            planned = cues.cues_after_phrase(what, speakers, officers, True, self._below)
        else:
            what = said
            number = self._line(seat, rhythm.claim_key(said), (), state.round, is_claim=True)
            assert number is not None
            self._claims.append(said)
            planned = cues.cues_after_claim(self._heard, said, speakers, self._below)
        self._talk.lines.append(Line(self._now, seat, what, number))
        if state.outcome is None:
            self._plan(planned)

    def _line(
        self, seat: int, key: str, named: tuple[int, ...], number: int, *, is_claim: bool = False
    ) -> int | None:
        """Return which line the seat says now, and remember it; None for none."""
        kind = self._talk.kinds[seat]
        voice = kind if kind in bots.CHARACTERS else ""
        line = rhythm.Line(self._now, number, voice, key, seats=named)
        chosen = rhythm.line_for(self._lines, line, self._below, is_claim=is_claim)
        if chosen is not None:
            self._lines.append(replace(line, number=chosen))
        return chosen
