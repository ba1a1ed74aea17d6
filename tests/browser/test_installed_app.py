"""The installed app: what its service worker keeps of a visit, and what it shows offline."""

import pytest

pytestmark = pytest.mark.browser

KEPT = """async () => {
    await navigator.serviceWorker.ready;
    const kept = {};
    for (const name of await caches.keys()) {
        const cache = await caches.open(name);
        for (const request of await cache.keys()) {
            const answer = await cache.match(request);
            kept[new URL(request.url).pathname] = await answer.text();
        }
    }
    return kept;
}"""


def test_a_visit_leaves_nothing_of_the_person_in_the_cache(site, newcomer) -> None:
    person = newcomer(site, "Installatore", language="en")
    person.register()
    person.page.evaluate(KEPT)
    for path in ("/", "/account/", "/account/turns/", "/account/notifications/", "/"):
        person.page.goto(path)
    person.page.click("form[action='/quick/'] button")
    person.page.wait_for_selector("#panel-you .role")
    person.page.reload()

    kept = person.page.evaluate(KEPT)

    assert "/offline/" in kept
    assert all(path == "/offline/" or path.startswith("/static/") for path in kept)
    assert not any(person.name in text for text in kept.values())
    assert not any("csrfmiddlewaretoken" in text for text in kept.values())

    person.page.context.set_offline(True)
    person.page.goto("/account/")
    assert person.page.inner_text("h1") == "No connection"
    assert person.name not in person.page.content()
    person.page.context.set_offline(False)
    person.page.click("main a.button")
    person.page.wait_for_selector(".account-list")
