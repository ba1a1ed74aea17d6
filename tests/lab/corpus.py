"""Finished games with what was said in them, as the fitting and the scores read them."""

import gzip
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from pathlib import Path

from games.inference.assignments import NAMES, role_codes
from games.inference.belief import Belief
from games.inference.course import Course, Peek, Session, Target
from games.inference.tables import Tables
from games.rules.editions import Options
from games.rules.events import Event
from games.rules.knowledge import Drawn, Knowledge, PartySeen, Received, TopSeen
from games.rules.reading import RecordError, read_object, required
from games.rules.record import IllegalRecord, Record, read_record, replay
from games.rules.record_claims import read_claims
from games.rules.record_file import parse_json
from games.rules.view import public_event

from .frame import fail


@dataclass(frozen=True)
class AnnotatedGame:
    """A finished game: its record and its claims, and the truth that follows from them."""

    record: Record
    claims: tuple[Knowledge, ...]

    @property
    def options(self) -> Options:
        return self.record.options

    @cached_property
    def roles(self) -> bytes:
        return role_codes(self.record.deal.roles)

    @cached_property
    def steps(self) -> tuple[tuple[Event, ...], ...]:
        """The public events of each action."""
        return tuple(
            tuple(public_event(event) for event in after.events)
            for _, after in pairwise(replay(self.record))
        )

    @cached_property
    def knowledge(self) -> tuple[Knowledge, ...]:
        *_, last = replay(self.record)
        return last.state.knowledge

    @cached_property
    def _seen(self) -> dict[tuple[type[Knowledge], int], Knowledge]:
        return {(type(item), item.round): item for item in self.knowledge}

    @cached_property
    def _said(self) -> dict[tuple[type[Knowledge], int, int], Knowledge]:
        return {(type(item), item.round, item.seat): item for item in self.claims}

    def seen(self, kind: type[Knowledge], number: int) -> Knowledge | None:
        """Return what was really seen in a round."""
        return self._seen.get((kind, number))

    def claim(self, kind: type[Knowledge], number: int, seat: int) -> Knowledge | None:
        """Return the last thing that a seat claimed of this kind about a round."""
        return self._said.get((kind, number, seat))


@dataclass(frozen=True, slots=True)
class Moment:
    """A belief at a moment of a game that is scored."""

    belief: Belief
    # The position before the final action; all others come after a government that drew cards.
    is_last: bool


def read_games(files: Sequence[str]) -> list[AnnotatedGame]:
    """Return the games in files of gzip'd JSON lines. Ends the command at a line that is wrong."""
    games = []
    for file in files:
        for number, line in enumerate(_lines(file), start=1):
            if not line.strip():
                continue
            try:
                data = read_object(parse_json(line), "")
                record = read_record(required(data, "record", ""))
                games.append(AnnotatedGame(record, read_claims(data, record)))
            except (RecordError, IllegalRecord) as error:
                fail(f"{file}, line {number}: {error}")
    if not games:
        fail("These files hold no games.")
    return games


def _lines(file: str) -> list[bytes]:
    try:
        return gzip.decompress(Path(file).read_bytes()).splitlines()
    except gzip.BadGzipFile:
        fail(f"{file}: this isn’t a gzip file.")
    except (EOFError, zlib.error, OSError) as error:
        fail(f"Can’t read {file}: {error}")


def moments(game: AnnotatedGame, viewer: int | None, tables: Tables) -> Iterator[Moment]:
    """Yield the viewer's belief after every government that drew cards and did not end the game.

    At that moment the two officers have made their claims about the session, and nothing has
    happened since. The last moment is the position before the final action. The belief of a moment
    changes when the next one is asked for.
    """
    own = tuple(NAMES[role] if seat == viewer else None for seat, role in enumerate(game.roles))
    # In these games, liberals confess as often as fascists.
    belief = Belief(game.options, len(game.roles), viewer, own, tables, at_their_word=False)
    private = [item for item in game.knowledge if item.seat == viewer]
    for item in private:
        if not isinstance(item, PartySeen | TopSeen):
            belief.learn(item)
    course = Course(game.options, len(game.roles))
    for events in game.steps[:-1]:
        session = None
        for event in events:
            evidence = course.advance(event)
            belief.update(event)
            if isinstance(evidence, Session):
                session = evidence
                _tell(belief, game, Drawn, session.round, session.president)
                _tell(belief, game, Received, session.round, session.chancellor)
            elif isinstance(evidence, Target | Peek):
                kind: type[Knowledge] = PartySeen if isinstance(evidence, Target) else TopSeen
                _tell(belief, game, kind, evidence.round, evidence.president)
                for item in private:
                    if isinstance(item, kind) and item.round == evidence.round:
                        belief.learn(item)
        if session is not None:
            yield Moment(belief, is_last=False)
    yield Moment(belief, is_last=True)


def _tell(belief: Belief, game: AnnotatedGame, kind: type[Knowledge], at: int, seat: int) -> None:
    claim = game.claim(kind, at, seat)
    if claim is not None:
        belief.update(claim)
