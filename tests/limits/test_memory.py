"""A process's memory of its clients stays bounded, however many there are."""

from limits import parse

from accounts.throttling.limits import MemoryWindow
from tests.limits.conftest import Clock


def test_a_flood_of_addresses_is_forgotten_with_time():
    clock = Clock()
    memory = MemoryWindow(clock=clock)
    for number in range(5000):
        memory.hit(f"address:{number}", parse("10/minute"))
    clock.now += 61

    for _ in range(2500):
        memory.hit("somebody", parse("10000/minute"))

    assert len(memory._windows) <= 2


def test_long_windows_do_not_keep_short_ones_alive():
    clock = Clock()
    memory = MemoryWindow(clock=clock)
    memory.hit("tables", parse("10/hour"))
    for number in range(100):
        memory.hit(f"address:{number}", parse("10/minute"))
    clock.now += 61

    for _ in range(110):
        memory.hit("somebody", parse("10000/minute"))

    assert set(memory._windows) == {"tables", "somebody"}


def test_a_flood_of_addresses_at_once_has_its_limit():
    memory = MemoryWindow(most_keys=100, clock=Clock())

    for number in range(5000):
        memory.hit(f"address:{number}", parse("10/minute"))
        memory.close(f"address:{number}", 60)

    assert len(memory._windows) <= 101
    assert len(memory._closed_until) <= 101


def test_a_window_moves():
    clock = Clock()
    memory = MemoryWindow(clock=clock)
    for moment in (0, 30):
        clock.now = 1000 + moment
        assert memory.hit("somebody", parse("2/minute")) is None
    assert memory.hit("somebody", parse("2/minute")) == 30
    clock.now = 1060
    assert memory.hit("somebody", parse("2/minute")) is None
    assert memory.hit("somebody", parse("2/minute")) == 30
