"""An action whose answer is lost: the same form sent again gets the answer and acts only once."""

import asyncio

import pytest

from tests.faults.line import SwallowingLine
from tests.faults.people import Journal, Person, gather
from tests.faults.site import EITHER, IS_LONG, Site
from tests.nightly import NIGHTLY

# Moves by each of two players, unless the game ends earlier. Neither leaves before the other has
# made as many: without a clock, the game would wait for the player who left.
MOVES = 10_000 if IS_LONG else 8 if NIGHTLY else 4


@pytest.mark.parametrize("site", EITHER, indirect=True)
def test_a_game_whose_answers_are_all_lost_once_is_played_as_if_none_were(site: Site) -> None:
    journal = Journal()

    async def story() -> tuple[str, list[bytes]]:
        async with SwallowingLine(site.port) as line:
            people = [Person(line.url, f"unheard {letter}", journal, 1) for letter in "ab"]
            await asyncio.gather(*(person.sign_up() for person in people))
            path = await gather(people, pace="daily")

            def is_enough() -> bool:
                return all(person.made >= MOVES for person in people)

            await asyncio.gather(
                *(person.play(path, pause=0.03, is_enough=is_enough) for person in people)
            )
            for person in people:
                await person.client.aclose()
            return path.split("/")[2], line.swallowed

    code, swallowed = asyncio.run(story())

    told = site.ask("audit", journal=journal.as_json(), codes=[code], may_go_on=True)
    assert told["problems"] == []
    assert len(swallowed) >= min(8, MOVES)
    assert journal.lost_answers >= len(swallowed)
    # The second answer must repeat the first.
    first = [int(answer.split()[1]) for answer in swallowed]
    again = {entry.outcome for entry in journal.entries}
    assert set(first) <= {200, 409} and again <= {"acknowledged", "stale"}
    assert told["by"]["player"] == journal.acknowledged()
