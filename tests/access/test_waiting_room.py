"""The waiting room on laptops and phones: invitation, chat, and the notice between the seats."""

import pytest

from games.models import Starts, Table, Terms, Visibility
from games.services import chat
from games.services.tables import fill_with_bots, join_table, open_table
from tests.builders.person import Person
from tests.builders.tables import fresh, person
from tests.pages import Reader

pytestmark = [pytest.mark.browser, pytest.mark.django_db]

LAPTOPS = [(1280, 720), (1366, 768)]


IN_SIGHT = """(parts) => {
    const sheets = document.querySelector(".sheets").getBoundingClientRect();
    return parts.filter((part) => {
        const element = document.querySelector(part);
        const { top, bottom, height } = element.getBoundingClientRect();
        const edge = element.closest(".sheets") ? innerHeight : sheets.top;
        return !height || top < 0 || bottom > edge;
    });
}"""

# The names of the seats that lie on the notice.
COVERING = """() => {
    const order = document.querySelector(".order").getBoundingClientRect();
    return [...document.querySelectorAll(".seat > .nameplate")].filter((plate) => {
        const { left, right, top, bottom } = plate.getBoundingClientRect();
        return left < order.right && right > order.left && top < order.bottom && bottom > order.top;
    }).map((plate) => plate.textContent.trim().replace(/\\s+/g, " "));
}"""


def waiting_room(visibility: Visibility = Visibility.PRIVATE) -> Table:
    terms = Terms(edition="en", seats_wanted=5, visibility=visibility)
    table = open_table(host=person("Ada"), terms=terms)
    join_table(table=table, user=person("Boris"))
    for number, name in enumerate(("Ada", "Boris") * 3):
        chat.say(
            table=table, user=person(name), place="table", text=f"Hello {number}", key=f"k{number}"
        )
    return table


def test_a_phone_shows_an_invitation_and_its_code_whole(chromium) -> None:
    table = waiting_room(Visibility.UNLISTED)
    with Reader(chromium) as reader:
        reader.page.set_viewport_size({"width": 390, "height": 844})
        for language in ("ru", "pl"):
            reader.read(Person(person("Ada"), table, language).page())
            reader.close()
            sheet = reader.page.locator("#panel-action").bounding_box()
            assert sheet["height"] <= 844 * 0.45
            reader.page.click("#invitation > summary")
            sheet = reader.page.locator("#panel-action").bounding_box()
            code = reader.page.locator(".qr-code").bounding_box()
            assert sheet["y"] <= code["y"] and code["y"] + code["height"] <= 844
            field = reader.page.locator("#invite").bounding_box()
            button = reader.page.locator("[data-copies]").bounding_box()
            assert button["x"] - field["x"] - field["width"] >= 6


@pytest.mark.parametrize("size", [(390, 844), (360, 640)])
def test_a_phone_shows_the_host_of_a_private_table_the_link_and_its_code_on_demand(
    chromium, size
) -> None:
    table = waiting_room()
    width, height = size
    with Reader(chromium) as reader:
        reader.page.set_viewport_size({"width": width, "height": height})
        for language in ("en", "ru", "pl"):
            reader.read(Person(person("Ada"), table, language).page())
            reader.close()
            sheet = reader.page.locator("#panel-action").bounding_box()
            assert sheet["height"] <= max(height * 0.5, 350)
            for part in ("#invite", "[data-copies]", "#fill", "#leave"):
                box = reader.page.locator(part).bounding_box()
                assert sheet["y"] <= box["y"] and box["y"] + box["height"] <= height, part
            assert not reader.page.locator(".qr-code").is_visible()
            reader.page.click("#invitation-qr > summary")
            sheet = reader.page.locator("#panel-action").bounding_box()
            code = reader.page.locator(".qr-code").bounding_box()
            assert sheet["y"] <= code["y"] and code["y"] + code["height"] <= height


def test_a_laptop_shows_the_chat_in_the_waiting_room_below_what_the_host_does(chromium) -> None:
    table = waiting_room(Visibility.UNLISTED)
    with Reader(chromium) as reader:
        for width, height in LAPTOPS:
            reader.page.set_viewport_size({"width": width, "height": height})
            for language in ("en", "ru"):
                reader.read(Person(person("Ada"), table, language).page())
                reader.close()
                parts = ["#start", "#fill", "#invitation > summary", ".said", "#say-text"]
                assert reader.page.evaluate(IN_SIGHT, parts) == []
                reader.page.click("#invitation > summary")
                parts = ["#start", "#invite", "[data-copies]", "#fill", "#leave"]
                assert reader.page.evaluate(IN_SIGHT, parts) == []
                reader.page.click("#invitation-qr > summary")
                assert reader.page.evaluate(IN_SIGHT, ["#start", ".qr-code"]) == []


@pytest.mark.parametrize("language", ["en", "ru", "pl", "ja", "it"])
def test_a_laptop_shows_the_host_of_a_private_table_the_link_with_all_tools(
    chromium, language
) -> None:
    table = waiting_room()
    tools = [".host-tools > summary", ".calls", ".said", "#say-text"]
    with Reader(chromium) as reader:
        for width, height in LAPTOPS:
            reader.page.set_viewport_size({"width": width, "height": height})
            reader.read(Person(person("Ada"), table, language).page())
            reader.close()
            parts = ["#start", "#invite", "[data-copies]", "#fill", "#leave", *tools]
            assert reader.page.evaluate(IN_SIGHT, parts) == []
            reader.page.click("#invitation-qr > summary")
            assert reader.page.evaluate(IN_SIGHT, ["#start", ".qr-code"]) == []


@pytest.mark.parametrize("language", ["en", "ru", "pl", "ja", "it"])
def test_on_a_laptop_no_seat_lies_on_the_notice(chromium, language) -> None:
    covering = {}
    with Reader(chromium) as reader:
        for seats in range(5, 11):
            # As much as a notice can say.
            terms = Terms(
                edition="ru",
                seats_wanted=seats,
                least_seats=5,
                visibility=Visibility.PRIVATE,
                is_rated=True,
                starts=Starts.FULL,
                spectators=False,
            )
            host = person(f"Host{seats}")
            table = open_table(host=host, terms=terms)
            join_table(table=table, user=person(f"Friend{seats}"))
            fill_with_bots(table=table, user=host)
            for width, height in LAPTOPS:
                reader.page.set_viewport_size({"width": width, "height": height})
                reader.read(Person(host, fresh(table), language).page())
                if found := reader.page.evaluate(COVERING):
                    covering[seats, width] = found
    assert not covering
