"""The form for a new table, with its script."""


def test_friends_who_come_by_a_link_may_be_guests_unless_the_host_decides(site, newcomer):
    host = newcomer(site, "Ottilie")
    host.register()
    page = host.page
    page.goto("/tables/new/")
    page.evaluate("document.querySelectorAll('details').forEach((it) => { it.open = true; })")

    def choose(visibility: str) -> bool:
        page.locator(f"[name=visibility][value={visibility}]").check(force=True)
        return page.is_checked("#id_takes_guests")

    assert not page.is_checked("#id_takes_guests")
    assert choose("private") and choose("unlisted") and not choose("public")

    page.check("#id_takes_guests")
    assert choose("public")
    page.uncheck("#id_takes_guests")
    assert not choose("private")
