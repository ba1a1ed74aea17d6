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
    page.get_by_label("Hitler elected").check()
    page.get_by_label("Chaos").uncheck()
    page.click("#search-more-go")
    page.wait_for_url("**/archive/?moment=hitler_elected&q=zed%2C+7+players&more=1")
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
