"""The lobby while it changes: a table that has just come takes its readers by one press."""

import pytest

from tests.browser.opening import open_table

pytestmark = [pytest.mark.browser, pytest.mark.nightly]

IN_TIME = 20_000


def take_seat(person, table: str) -> None:
    page = person.page
    page.click(f"#panel-tables form[action='{table}join/'] button", timeout=IN_TIME)
    page.wait_for_url(f"**{table}")
    page.wait_for_selector("#leave")


@pytest.mark.parametrize("way", ["page", "socket", "poll", "no script"])
def test_one_press_takes_the_seat_however_the_table_came(site, newcomer, way):
    host, reader = (
        newcomer(site, f"{name}{way[:2].title()}", javascript=name == "Hedy" or way != "no script")
        for name in ("Hedy", "Rosa")
    )
    host.register()
    if way == "poll":
        # No socket: the page asks from time to time.
        reader.page.route_web_socket("**/live/**", lambda socket: socket.close())
    if way in ("socket", "poll"):
        reader.register()
        table = open_table(host, seats=5, pace="normal")
    else:
        table = open_table(host, seats=5, pace="normal")
        reader.register()

    take_seat(reader, table)

    assert reader.errors == host.errors == []
