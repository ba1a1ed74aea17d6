"""The numbers behind the charts of a finished game, on a phone."""

import pytest
from django.test import Client

from tests.builders.tables import is_over, play_until, run_table, user_at
from tests.pages import Reader

pytestmark = [pytest.mark.browser, pytest.mark.django_db]

MEASURE = """() => {
    const box = document.querySelector(".numbers-scroll");
    const wrong = [];
    if (box.scrollWidth > box.clientWidth + 1) wrong.push("scrolls to the side");
    if (box.scrollHeight > box.clientHeight + 1) wrong.push("scrolls inside");
    const { left, right } = box.getBoundingClientRect();
    for (const cell of box.querySelectorAll("thead th:not(:first-child), td")) {
        const text = new Range();
        text.selectNodeContents(cell);
        const column = cell.getBoundingClientRect();
        if (column.left < left - 1 || column.right > right + 1)
            wrong.push(`out of sight: ${cell.textContent}`);
        for (const line of cell.matches("td") ? text.getClientRects() : [])
            if (line.left < column.left - 1 || line.right > column.right + 1)
                wrong.push(`wider than its column: ${cell.textContent}`);
    }
    // The first cell of a row names its moment, and each other one stands below its head.
    const heads = [...box.querySelectorAll("thead th")].slice(1);
    const cells = box.querySelectorAll("tbody tr:first-child td");
    heads.forEach((head, number) => {
        const [above, below] = [head, cells[number]].map((cell) => cell.getBoundingClientRect());
        if (Math.abs(above.left - below.left) > 1) wrong.push(`not below ${head.textContent}`);
    });
    return [...new Set(wrong)];
}"""


@pytest.mark.parametrize("players", [5, 10])
def test_a_phone_shows_the_numbers_of_all_players_without_scrolling_sideways(chromium, players):
    table = run_table([f"Zwanzigbuchstaben{number:03}" for number in range(players)])
    play_until(table, is_over)
    wrong = {}
    with Reader(chromium) as reader:
        for language in ("en", "ru"):
            client = Client(HTTP_ACCEPT_LANGUAGE=language)
            client.force_login(user_at(table, 0))
            reader.read(client.get(f"{table.get_absolute_url()}truth/").content.decode())
            for width in (390, 320):
                reader.page.set_viewport_size({"width": width, "height": 844})
                if found := reader.page.evaluate(MEASURE):
                    wrong[f"{language}, {width}"] = found
    assert not wrong
