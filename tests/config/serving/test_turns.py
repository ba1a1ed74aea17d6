"""Turns: who is served next, and who may wait."""

import asyncio

import pytest

from config.serving.turns import Turns


class Clients:
    """Clients that ask for places. `served` says who had one, in order."""

    def __init__(self, turns: Turns) -> None:
        self.turns = turns
        self.served: list[str] = []
        self.tasks: list[asyncio.Task[None]] = []

    async def ask(self, *names: str) -> None:
        for name in names:
            self.tasks.append(asyncio.create_task(self._ask(name)))
        await settle()

    async def leave(self, *names: str) -> None:
        for name in names:
            self.turns.give_back(name)
            await settle()

    async def _ask(self, name: str) -> None:
        await self.turns.take(name)
        self.served.append(name)


async def settle() -> None:
    for _ in range(5):
        await asyncio.sleep(0)


@pytest.fixture
async def clients():
    clients = Clients(Turns(8, queue=40))
    yield clients
    for task in clients.tasks:
        task.cancel()
    await asyncio.gather(*clients.tasks, return_exceptions=True)


async def test_a_client_holds_two_places_and_leaves_the_others_free(clients):
    await clients.ask("ada", "ada", "ada", "boris")

    assert clients.served == ["ada", "ada", "boris"]


async def test_the_next_request_of_a_client_waits_for_its_own_places(clients):
    await clients.ask("ada", "ada", "ada", "ada")
    assert clients.served == ["ada"] * 2

    await clients.leave("ada")

    assert clients.served == ["ada"] * 3


async def test_waiting_clients_take_turns_whatever_each_has_in_the_queue(clients):
    busy = ["ada", "boris", "chika", "dmitri"]
    await clients.ask(*busy, *busy)
    await clients.ask("ewa", "ewa", "ewa", "farid", "goro", "goro")

    await clients.leave(*busy, *busy)

    assert clients.served[8:] == ["ewa", "farid", "goro", "ewa", "goro"]


async def test_of_two_that_wait_the_client_with_fewer_places_is_next(clients):
    others = ["boris", "chika", "dmitri"]
    await clients.ask("ada", "ewa", *others, *others)
    await clients.ask("ada", "farid")
    await clients.leave("boris")

    assert clients.served[8:] == ["farid"]


async def test_a_client_fills_only_a_quarter_of_the_queue(clients):
    await clients.ask(*["ada"] * 12)

    assert clients.turns.is_full("ada")
    assert not clients.turns.is_full("boris")


async def test_a_full_queue_takes_no_one_but_a_client_with_a_free_place(clients):
    crowd = ["ada", "boris", "chika", "dmitri"]
    for name in crowd:
        await clients.ask(*[name] * 12)
    assert clients.turns.is_full("ewa")

    # A place is free, but none of those who wait may have it yet.
    await clients.leave(*["ada"] * 12)

    assert not clients.turns.is_full("ewa")


async def test_with_few_places_half_of_them_are_for_one_client():
    for places, most in ((1, 1), (2, 1), (3, 1), (4, 2)):
        clients = Clients(Turns(places, queue=4))
        await clients.ask(*["ada"] * (most + 1))

        assert len(clients.served) == most
        clients.tasks[-1].cancel()


async def test_a_request_that_is_given_up_leaves_the_queue(clients):
    await clients.ask("ada", "ada", "ada", "ada")
    clients.tasks[2].cancel()
    await clients.leave("ada", "ada")

    assert clients.served == ["ada"] * 3
    assert not clients.turns._waiting


async def test_a_place_that_comes_too_late_goes_to_the_next(clients):
    await clients.ask("ada", "ada", "ada", "ada")

    # It has its place, and is given up before it knows.
    clients.turns.give_back("ada")
    clients.tasks[2].cancel()
    await settle()

    assert clients.tasks[2].cancelled()
    assert clients.served == ["ada"] * 3
