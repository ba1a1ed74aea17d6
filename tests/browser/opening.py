"""Opening a table in a browser, and starting a game there."""

from tests.browser.person import Person


def open_table(person, *, seats: int, pace: str) -> str:
    person.page.goto("/tables/new/")
    person.page.select_option("select[name=seats_wanted]", str(seats))
    person.page.check(f"input[name=pace][value={pace}]")
    person.page.click("#open")
    person.page.wait_for_selector("#panel-seats")
    return person.page.url.removeprefix(person.line.url)


def gathered(site, newcomer, called: str) -> list[Person]:
    """Start a game of three people and two bots, and return the people once they may vote."""
    people = [newcomer(site, f"{called} {name}") for name in ("Ada", "Bela", "Cleo")]
    for person in people:
        person.register()
    path = open_table(people[0], seats=5, pace="relaxed")
    for person in people[1:]:
        person.page.goto(path)
        person.post("join")
        person.page.wait_for_selector("[data-you]", state="attached")
    people[0].page.wait_for_selector("form[action$='/fill/']")
    people[0].post("fill")
    people[0].page.wait_for_selector("#start:not([disabled])")
    people[0].post("start")
    # Do not wait for the night screen: it is over as soon as a bot nominates.
    for person in people:
        person.page.wait_for_selector("#panel-you .role")
    ballot = "#panel-action button[value='vote:ja']"
    nominate = "#panel-action button[value^='nominate:']"
    # Neither a decision nor the button that ends the night.
    waits = "#panel-action:not(:has([name=choice], form[action$='/role/']))"
    for person in people:
        person.page.wait_for_selector(f"{ballot}, {nominate}, {waits}")
    for person in people:
        if person.page.locator(nominate).count():
            person.page.locator(nominate).first.click()
    for person in people:
        person.page.wait_for_selector(ballot)
    return people
