"""The search for finished games keeps the focus and the history, and never loads the page anew."""


def test_words_become_filters_while_the_page_and_the_focus_stay(site, newcomer):
    reader = newcomer(site, "Olga")
    page = reader.page
    page.goto("/archive/")
    page.evaluate("window.isTheSamePage = true")

    page.fill("#search_q", "zed veto chaos")
    page.press("#search_q", "Enter")
    page.wait_for_url("**/archive/?moment=veto&moment=chaos&q=zed")
    page.wait_for_selector(".chips >> text=Chaos")
    # One goes on typing behind what was not understood.
    page.keyboard.type(", 7 players")
    page.keyboard.press("Enter")
    page.wait_for_url("**/archive/?players=7&moment=veto&moment=chaos&q=zed")
    page.wait_for_selector(".chips >> text=7 players")
    page.wait_for_selector("#search_q:focus")
    assert page.text_content("#search-told") == page.text_content("#results") != ""

    page.click(".chips >> nth=0 >> text=Veto")
    page.wait_for_url("**/archive/?players=7&moment=chaos&q=zed")
    page.wait_for_selector("#results:focus")

    page.click("#search-more > summary")
    page.get_by_label("Hitler elected").check()
    page.click("#search-more-go")
    page.wait_for_url("**/archive/?players=7&moment=hitler_elected&moment=chaos&q=zed&more=1")
    page.wait_for_selector("#search-more[open] #search-more-go:focus")
    assert page.evaluate("window.isTheSamePage")

    page.go_back()
    page.wait_for_url("**/archive/?players=7&moment=chaos&q=zed")
    page.wait_for_selector(".chips >> text=Chaos")
    assert reader.errors == []
