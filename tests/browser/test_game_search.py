"""The search for finished games keeps the focus and the history, and never loads the page anew."""


def test_the_words_stay_in_the_box_and_the_page_and_the_focus_stay(site, newcomer):
    reader = newcomer(site, "Olga")
    page = reader.page
    said: list[str] = []
    page.on("console", lambda message: said.append(message.text) if message.type == "error" else 0)
    page.goto("/archive/")
    # As tools and extensions leave it: htmx must not carry it over.
    page.evaluate("document.querySelector('#search_q').style.caretColor = 'red'")
    page.evaluate("document.querySelector('#search_q').style.caretColor = ''")
    page.evaluate("window.isTheSamePage = true")

    page.fill("#search_q", "zed veto chaos")
    page.press("#search_q", "Enter")
    page.wait_for_url("**/archive/?q=zed+veto+chaos")
    page.wait_for_selector(".chips >> text=Chaos")
    assert page.input_value("#search_q") == "zed veto chaos"
    # One goes on typing behind what was typed.
    page.keyboard.type(", 7 players")
    page.keyboard.press("Enter")
    page.wait_for_url("**/archive/?q=zed+veto+chaos%2C+7+players")
    page.wait_for_selector(".chips >> text=7 players")
    page.wait_for_selector("#search_q:focus")
    assert page.text_content("#search-told") == page.text_content("#results") != ""

    page.click(".chips >> nth=0 >> text=Veto")
    page.wait_for_url("**/archive/?q=zed+chaos%2C+7+players")
    page.wait_for_selector("#results:focus")
    assert page.input_value("#search_q") == "zed chaos, 7 players"

    # The filters show what the words say; a change takes the words out.
    page.click("#search-more > summary")
    assert page.input_value("#search_players") == "7"
    page.get_by_label("Veto refused").check()
    page.get_by_label("Chaos").uncheck()
    page.click("#search-more-go")
    page.wait_for_url("**/archive/?moment=veto_refused&q=zed%2C+7+players&more=1")
    page.wait_for_selector("#search-more[open] #search-more-go:focus")
    assert page.evaluate("window.isTheSamePage")

    page.go_back()
    page.wait_for_url("**/archive/?q=zed+chaos%2C+7+players")
    page.wait_for_selector(".chips >> text=Chaos")
    assert page.input_value("#search_q") == "zed chaos, 7 players"
    # What the browser keeps of the page before does not count against what is typed now.
    page.fill("#search_q", "chaos")
    page.press("#search_q", "Enter")
    page.wait_for_url("**/archive/?q=chaos")
    assert reader.errors == []
    assert said == []


def touch(page) -> None:
    """Make the browser a phone's, as far as its pointer goes."""
    session = page.context.new_cdp_session(page)
    session.send("Emulation.setTouchEmulationEnabled", {"enabled": True, "maxTouchPoints": 1})
    assert page.evaluate("matchMedia('(pointer: coarse)').matches")


def test_on_a_touch_screen_the_field_leaves_its_keyboard_when_the_search_begins(site, newcomer):
    phone = newcomer(site, "Olga-touch", width=390, height=844)
    page = phone.page
    page.goto("/archive/")
    touch(page)
    page.fill("#search_q", "veto")
    page.press("#search_q", "Enter")
    page.wait_for_selector(".chips >> text=Veto")
    assert page.evaluate("document.activeElement.id") != "search_q"
    # A mouse has no keyboard on the screen: one goes on typing.
    desk = newcomer(site, "Olga-desk").page
    desk.goto("/archive/")
    desk.fill("#search_q", "veto")
    desk.press("#search_q", "Enter")
    desk.wait_for_selector(".chips >> text=Veto")
    desk.wait_for_selector("#search_q:focus")
    assert phone.errors == []


def test_on_a_phone_the_button_below_the_filters_leads_to_what_it_found(site, newcomer):
    phone = newcomer(site, "Olga-filters", width=390, height=640)
    page = phone.page
    page.goto("/archive/?more=1")
    page.get_by_label("Chaos").check()
    # It is in sight wherever one is among the filters.
    page.evaluate("document.querySelector('#search-more').scrollIntoView()")
    button = page.locator("#search-more-go").bounding_box()
    assert button["y"] + button["height"] <= 640
    page.click("#search-more-go")
    page.wait_for_selector("#results:focus")
    page.wait_for_function(
        "() => document.querySelector('#results').getBoundingClientRect().bottom < innerHeight"
    )
    # The words and what filters stay in sight, too.
    for part in ("#search_q", ".chips", "#results"):
        assert page.locator(part).bounding_box()["y"] >= 0
    assert phone.errors == []


def test_on_a_phone_filters_with_an_error_stay_open(site, newcomer):
    phone = newcomer(site, "Olga-role", width=390, height=640)
    phone.register()
    page = phone.page
    page.goto("/archive/?more=1")
    page.select_option("#search_role", "hitler")
    page.click("#search-more-go")
    page.wait_for_selector("#search-more[open] .wrong #search_name:focus")
    assert 0 <= page.locator("#search_name").bounding_box()["y"] < 640
    assert page.input_value("#search_role") == "hitler"
    page.fill("#search_name", "Zorro")
    page.click("#search-more-go")
    page.wait_for_selector("text=No player of this name shares games with you.")
    assert page.input_value("#search_name") == "Zorro"
    page.fill("#search_name", phone.name)
    page.click("#search-more-go")
    page.wait_for_url(f"**/archive/?**q={phone.name}**")
    assert phone.errors == []


def test_a_menu_closes_by_escape_and_by_a_press_outside_it(site, newcomer):
    reader = newcomer(site, "Olga-menu")
    page = reader.page
    page.goto("/archive/")
    page.evaluate("""document.querySelector("#search").insertAdjacentHTML("beforeend",
        "<details id=menu data-menu><summary>More</summary><a href='/'>Table</a></details>")""")
    summary = page.locator("#menu > summary")
    summary.click()
    assert page.locator("#menu a").is_visible()
    page.locator("#menu a").focus()
    page.keyboard.press("Escape")
    assert not page.locator("#menu a").is_visible()
    assert summary.evaluate("(it) => it === document.activeElement")
    for leave in (lambda: page.click("#found"), lambda: page.focus("#search_q")):
        summary.click()
        assert page.locator("#menu a").is_visible()
        leave()
        assert not page.locator("#menu a").is_visible()
    # The press that closes it does not also open the game below; the next one does.
    page.evaluate("""document.querySelector("#search").insertAdjacentHTML("afterbegin",
        "<a class=found-game href='#opened'>Game</a>")""")
    summary.click()
    page.click(".found-game")
    assert not page.locator("#menu a").is_visible() and "#opened" not in page.url
    page.click(".found-game")
    assert page.url.endswith("#opened")
    assert reader.errors == []


def test_a_list_below_the_field_offers_how_the_words_go_on(site, newcomer):
    reader = newcomer(site, "Olga-suggested")
    page = reader.page
    page.goto("/archive/")
    field, options = page.locator("#search_q"), page.locator("#search-suggested > li")
    page.get_by_role("combobox", name="Search by words").press_sequentially("7 players, hitler e")
    options.nth(1).wait_for()
    assert options.all_inner_texts()[:2] == ["Hitler elected", "Hitler executed"]
    assert field.get_attribute("aria-expanded") == "true"
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    marked = page.locator("[aria-selected=true]")
    assert marked.inner_text() == "Hitler executed"
    assert field.get_attribute("aria-activedescendant") == marked.get_attribute("id")
    page.keyboard.press("Enter")
    page.wait_for_url("**/archive/?q=7+players%2C+Hitler+executed")
    assert not options.first.is_visible()

    # A press chooses, too; Escape and leaving the field close the list.
    field = page.locator("#search_q")
    for leave in (lambda: page.keyboard.press("Escape"), lambda: page.focus("#search-go")):
        field.fill("")
        field.press_sequentially("veto")
        options.first.wait_for()
        leave()
        options.first.wait_for(state="detached")
    field.fill("")
    field.press_sequentially("veto")
    options.first.wait_for()
    # Where no option is marked, what was typed is searched for.
    page.keyboard.press("Enter")
    page.wait_for_url("**/archive/?q=veto")
    page.wait_for_selector(".chips >> text=Veto")
    page.locator("#search_q").press_sequentially(" r")
    options.first.click()
    page.wait_for_url("**/archive/?q=Veto+refused")
    assert reader.errors == []


def test_the_search_says_when_no_answer_came_and_asks_again_online(site, newcomer):
    phone = newcomer(site, "Olga-offline", width=390, height=640)
    page = phone.page
    page.goto("/archive/?q=veto")
    lost = page.get_by_role("alert")
    assert not lost.is_visible()
    page.context.set_offline(True)
    page.fill("#search_q", "chaos")
    page.click("#search-go")
    lost.wait_for()
    assert lost.inner_text() == "No answer came. Check your connection and try again."
    assert lost.bounding_box()["y"] + lost.bounding_box()["height"] < 640
    page.context.set_offline(False)
    page.wait_for_url("**/archive/?q=chaos")
    page.wait_for_selector(".chips >> text=Chaos")
    assert not lost.is_visible()
