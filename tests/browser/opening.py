"""Opening a table in a browser."""


def open_table(person, *, seats: int, pace: str) -> str:
    person.page.goto("/tables/new/")
    person.page.select_option("select[name=seats_wanted]", str(seats))
    person.page.check(f"input[name=pace][value={pace}]")
    person.page.click("#open")
    person.page.wait_for_selector("#panel-seats")
    return person.page.url.removeprefix(person.line.url)
