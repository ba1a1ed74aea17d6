"""People at one table, each in a browser of their own."""

import time
from collections.abc import Callable
from random import Random

from tests.browser.person import Person

LONGEST_GAME_SECONDS = 900
# Choices with which a game ends after fewer rounds.
SOON = ("discard:liberal", "enact:fascist")


class Company:
    """The people at a table, and what each had received before the last move."""

    def __init__(self, people: list[Person], witnesses: list[Person], seed: int) -> None:
        self.people = people
        self.everybody = people + witnesses
        # For each move: what each person's line had received before it.
        self.marks: list[list[list[int]]] = []
        self._chance = Random(seed)

    def choose(self, person: Person, choices: list[str]) -> str:
        """Choose Ja mostly and fascist policies, so that the game ends soon; else any choice."""
        self.marks.append([other.line.mark() for other in self.everybody])
        if choices[0].startswith("vote:"):
            return "vote:ja" if self._chance.random() < 0.9 else "vote:nein"
        return self._chance.choice([each for each in choices if each in SOON] or choices)

    @property
    def before_last_move(self) -> list[list[int]]:
        """Return the last marks at which no page showed the end of the game.

        They may precede the last press of a button: it can happen while the end is on its way.
        """

        def knows(person: Person, mark: list[int]) -> bool:
            return any("/record/" in text for text in person.line.received(mark))

        return next(
            marks for marks in reversed(self.marks) if not any(map(knows, self.everybody, marks))
        )

    def play_on(self, until: Callable[[], bool], without: Person | None = None) -> None:
        """Let everyone decide what they can, again and again, until `until` holds."""
        give_up = time.monotonic() + LONGEST_GAME_SECONDS
        while not until():
            shown = [person.page.inner_text("#panel-banner") for person in self.people]
            assert time.monotonic() < give_up, shown
            present = [person for person in self.people if person is not without]
            # Without JavaScript a look is a whole page, so those look when the others wait.
            for javascript in (True, False):
                moved = [p.play(self.choose) for p in present if p.javascript is javascript]
                if any(moved):
                    break
            else:
                time.sleep(0.1)
