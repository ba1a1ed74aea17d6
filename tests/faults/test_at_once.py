"""Two users, a user and the clock, or one form many times compete: one winner each time."""

import asyncio
import os
import random
from collections import Counter
from datetime import UTC, datetime

import pytest

from tests.faults.people import Journal, Person, forms_of, gather
from tests.faults.site import EITHER, Site
from tests.nightly import times

ROUNDS = times("FAULTS_ROUNDS", 30, 100)
MOVES_TO_THE_LAST = times("FAULTS_MOVES_TO_THE_LAST", 5, 10)
SEED = os.environ.get("FAULTS_SEED") or str(random.randrange(10**9))


def test_of_everything_contested_one_wins_and_no_one_sees_a_lock(site: Site) -> None:
    print(f"FAULTS_SEED={SEED} {site.database}: {ROUNDS} rounds")
    told = site.ask("contest", alone=True, rounds=ROUNDS, seed=SEED)
    print(told["kinds"])
    assert told["problems"] == []
    assert told["rounds"] == ROUNDS
    assert len(told["kinds"]) == 4


def test_fifty_identical_posts_to_the_site_act_once(site: Site) -> None:
    journal = Journal()

    async def story() -> str:
        async with Person(site.url, "Ada fifty", journal) as ada:
            await ada.sign_up()
            path = await gather([ada], pace="daily")
            while not (form := await move_offered(ada, path)):
                await asyncio.sleep(0.1)
            choice = next(value for _, name, value in form.buttons if name == "choice")
            await asyncio.gather(*(ada.move(form, choice) for _ in range(50)))
        return path.split("/")[2]

    code = asyncio.run(story())

    assert Counter(entry.outcome for entry in journal.entries) == {"acknowledged": 50}
    assert not journal.unexpected
    by_people = [
        row for row in site.ask("look", codes=[code])[code]["rows"] if row["by"] == "player"
    ]
    assert len(by_people) == 1


async def move_offered(person: Person, path: str):
    forms = forms_of(await person.page(path))
    return next(
        (form for form in forms if any(name == "choice" for _, name, _ in form.buttons)), None
    )


@pytest.mark.parametrize("site", EITHER, indirect=True)
def test_five_people_who_want_the_last_seat_are_one_on_it_and_four_told_so(site: Site) -> None:
    journal = Journal()
    names = ["Ada last", "Boris", "Chika", "Dario", *(f"late {number}" for number in range(5))]

    async def story() -> tuple[str, list[int]]:
        people = [Person(site.url, name, journal) for name in names]
        await asyncio.gather(*(person.sign_up() for person in people))
        host, *guests = people
        path = await host.open_table(pace="daily")
        for guest in guests[:3]:
            assert await guest.press(path, "join")
        late = guests[3:]
        forms = [
            next(
                form
                for form in forms_of(await person.page(path))
                if any(button[0] == "join" for button in form.buttons)
            )
            for person in late
        ]
        answers = await asyncio.gather(
            *(person._post(form, {}) for person, form in zip(late, forms, strict=True))
        )
        for person in people:
            await person.client.aclose()
        return path.split("/")[2], [answer.status_code for answer in answers]

    code, statuses = asyncio.run(story())

    assert sorted(statuses) == [200, 422, 422, 422, 422]
    seats = site.ask("look", codes=[code])[code]["seats"]
    assert len(seats) == len(set(seats)) == 5
    assert not journal.unexpected


@pytest.mark.parametrize("site", EITHER, indirect=True)
def test_who_presses_at_the_very_end_of_their_time_is_told_the_truth(site: Site) -> None:
    """Each decision is sent at the deadline that the page shows, while the clock acts too."""
    journal = Journal()

    async def play_to_the_last(person: Person, path: str) -> None:
        while True:
            page = await person.page(path)
            if "again" in {button[0] for form in forms_of(page) for button in form.buttons}:
                return
            if len(journal.entries) >= MOVES_TO_THE_LAST:
                return
            clocks = page.xpath("//time[@data-countdown]/@datetime")
            form = await move_offered(person, path) if clocks else None
            if form is None:
                await asyncio.sleep(0.1)
                continue
            left = datetime.fromisoformat(clocks[0]) - datetime.now(UTC)
            early = person.rng.uniform(0, 0.2)
            await asyncio.sleep(max(0, left.total_seconds() - early))
            choices = [value for _, name, value in form.buttons if name == "choice"]
            await person.move(form, person.rng.choice(choices))

    async def story() -> str:
        people = [Person(site.url, f"to the last {letter}", journal, SEED) for letter in "abcd"]
        await asyncio.gather(*(person.sign_up() for person in people))
        path = await gather(people, pace="blitz")
        await asyncio.gather(*(play_to_the_last(person, path) for person in people))
        for person in people:
            await person.client.aclose()
        return path.split("/")[2]

    code = asyncio.run(story())

    told = site.ask("audit", journal=journal.as_json(), codes=[code], may_go_on=True)
    print(Counter(entry.outcome for entry in journal.entries), told["by"])
    assert told["problems"] == []
    assert len(journal.entries) >= 5
    assert not journal.unexpected
