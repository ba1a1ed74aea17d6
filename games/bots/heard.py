"""What everyone at the table has seen and heard: public events, claims and phrases of a game."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from games.rules.claims import Told
from games.rules.events import Nominated
from games.rules.knowledge import Drawn, Knowledge, Received


@dataclass(frozen=True, slots=True)
class Spoken:
    """A phrase of the phrasebook, as a seat said it."""

    seat: int
    # The code in `games.wording.phrases`, and the seats that it names.
    code: str
    seats: tuple[int, ...] = ()
    # The number of actions before it.
    length: int = 0


@dataclass(slots=True)
class Heard:
    """The public history of one game, which every seat knows.

    `told` has an entry for each action so far: the round, the seat that acted, and the public
    events. `claims` and `phrases` are in the order in which they were made. All only ever grow.
    """

    told: Sequence[Told] = ()
    claims: Sequence[Knowledge] = ()
    phrases: Sequence[Spoken] = ()
    # Bots keep here what they have worked out from the history, by a key of their own, so that they
    # need not start again at each decision. A bot must play the same without it.
    memory: dict[Any, Any] = field(default_factory=dict)

    def without(self, number: int) -> "Heard":
        """Return the same history as if one phrase, by its index, had not been said."""
        phrases = [*self.phrases[:number], *self.phrases[number + 1 :]]
        return replace(self, phrases=phrases, memory=dict(self.memory))

    def index(self, seat: int, code: str, seats: tuple[int, ...]) -> int | None:
        """Return the index of the last such phrase; None if no one said it."""
        for number in reversed(range(len(self.phrases))):
            word = self.phrases[number]
            if (word.seat, word.code, word.seats) == (seat, code, seats):
                return number
        return None

    def claimed(
        self, round_number: int, kind: type[Drawn] | type[Received]
    ) -> Drawn | Received | None:
        """Return the last claim of a round's President or Chancellor; None if they made none."""
        claims = (one for one in reversed(self.claims) if isinstance(one, kind))
        return next((one for one in claims if one.round == round_number), None)

    def last_nomination(self) -> Nominated | None:
        """Return the last nomination; None before the first."""
        events = (event for _, _, events in reversed(self.told) for event in events)
        return next((event for event in events if isinstance(event, Nominated)), None)
