"""The search for finished games in a browser: names are completed, and filters fold."""


def test_a_name_is_completed_and_the_filters_fold_behind_what_they_say(site, newcomer):
    phone = newcomer(site, "Olga", width=390, height=844)
    page = phone.page
    asked: list[str] = []

    def complete(route) -> None:
        asked.append(route.request.url.partition("?")[2])
        route.fulfill(body='<option value="Vera">', content_type="text/html")

    page.route("**/archive/suggestions/**", complete)
    page.goto("/archive/")
    page.get_by_label("Player", exact=True).fill("ve")
    page.wait_for_selector("#names > option[value=Vera]", state="attached")
    page.get_by_label("Player", exact=True).fill("Vera")
    with page.expect_request("**/archive/suggestions/?player=wa"):
        page.get_by_label("Played with").fill("wa")
    # Nothing else of the form is sent.
    assert asked[0] == "player=ve"

    assert not page.get_by_label("Veto", exact=True).is_visible()
    page.get_by_text("More filters").click()
    page.get_by_label("Veto", exact=True).check()
    page.get_by_role("group", name="Number of players").get_by_label("From").select_option("6")
    page.get_by_role("button", name="Show matching games").click()
    page.wait_for_url("**/archive/?player=Vera&player=wa&players=6-&moment=veto")
    assert "No game that you can see matches." in page.inner_text("main")
    assert not page.get_by_label("Veto", exact=True).is_visible()
    told = page.locator(".wanted > summary .tag").all_inner_texts()
    assert told == ["Number of players: 6–", "Veto"]
    page.get_by_role("link", name="Show all games").click()
    page.wait_for_url("**/archive/")
    assert phone.errors == []
