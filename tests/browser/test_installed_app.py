"""The installed app: what its service worker keeps of a visit, shows offline, and tells."""

import json

import pytest

pytestmark = pytest.mark.browser

# `ready` never comes if the worker could not be installed: then the test fails and runs again.
KEPT = """async () => {
    await Promise.race([navigator.serviceWorker.ready, new Promise((_, fail) => {
        setTimeout(() => fail(new Error("no service worker")), 60000);
    })]);
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
# Waits until the worker shows `count` notices, and returns them.
SHOWN = """async (count) => {
    const worker = await navigator.serviceWorker.ready;
    for (let waited = 0; waited < 1200; waited += 1) {
        const shown = await worker.getNotifications();
        if (shown.length >= count) return shown.map(({ title, body, tag }) => [title, body, tag]);
        await new Promise((resolve) => { setTimeout(resolve, 50); });
    }
    throw new Error("not shown");
}"""


def assert_only_the_shell(person) -> None:
    """Check that the browser keeps static files and the offline page, and nothing of a person."""
    kept = person.page.evaluate(KEPT)
    assert "/offline/" in kept
    assert all(path == "/offline/" or path.startswith("/static/") for path in kept)
    assert not any(person.name in text for text in kept.values())
    assert not any("csrfmiddlewaretoken" in text for text in kept.values())


def assert_offline_page(person, path: str, then: str) -> None:
    """Check what stands at a path without a network, and that pressing its link brings `then`."""
    person.page.context.set_offline(True)
    person.page.goto(path)
    assert person.page.inner_text("h1") == "No connection"
    assert person.name not in person.page.content()
    person.page.context.set_offline(False)
    person.page.click("main a.button")
    person.page.wait_for_selector(then)


# Beside other tests Chromium has kept a push for more than a minute.
@pytest.mark.nightly
def test_a_visit_leaves_nothing_of_the_person_in_the_browser(site, newcomer) -> None:
    person = newcomer(site, "Installatore", language="en")
    person.register()
    page = person.page
    page.evaluate(KEPT)
    for path in ("/account/", "/account/turns/", "/account/notifications/", "/"):
        page.goto(path)
    page.click("form[action='/quick/'] button")
    page.wait_for_selector("#panel-you .role")
    table = page.url
    page.reload()

    assert_only_the_shell(person)
    assert_offline_page(person, table, "#panel-you .role")

    # A push, as the browser hands it to the worker.
    page.context.grant_permissions(["notifications"], origin=person.line.url)
    session = page.context.new_cdp_session(page)
    registrations = []
    session.on("ServiceWorker.workerRegistrationUpdated", lambda told: registrations.append(told))
    session.send("ServiceWorker.enable")
    page.evaluate("navigator.serviceWorker.ready.then(() => true)")
    [registration] = registrations[-1]["registrations"]
    told = {"title": "It’s your turn", "body": "Table abc is waiting for you.", "url": "/tables/a/"}
    session.send(
        "ServiceWorker.deliverPushMessage",
        {
            "origin": person.line.url,
            "registrationId": registration["registrationId"],
            "data": json.dumps(told),
        },
    )
    assert page.evaluate(SHOWN, 1) == [list(told.values())]

    # Signing out at a table leads to the front page, and leaves the shell only.
    page.goto(table)
    page.click("form[action='/account/sign-out/'] button")
    page.wait_for_selector("#play-now")
    assert_only_the_shell(person)
    assert page.evaluate(SHOWN, 0) == []
    stored = page.evaluate("JSON.stringify([{ ...localStorage }, { ...sessionStorage }])")
    assert person.name not in stored and table.rsplit("/", 2)[1] not in stored, stored
    assert_offline_page(person, "/account/", "#id_login")
    assert person.errors == []
