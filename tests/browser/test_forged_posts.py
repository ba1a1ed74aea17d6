"""A page of another site in a real browser posts with its visitor's cookies, without effect."""

import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from tests.browser.conftest import Site

pytestmark = pytest.mark.browser

MOST = 5
PAGE = """<!doctype html><title>A page of another site</title>
<form method="post" action="{target}"><input name="name" value="Forged Name"></form>
<script>
  const post = () => fetch("{target}", {{
    method: "POST", mode: "no-cors", credentials: "include",
    body: new URLSearchParams({{name: "Forged Name"}}),
  }});
  Promise.allSettled(Array.from({{length: 58}}, post)).then(() => document.forms[0].submit());
</script>"""


@pytest.fixture(scope="module")
def site(tmp_path_factory) -> Iterator[Site]:
    data = tmp_path_factory.mktemp("limits") / "data"
    site = Site(data, LIMITS="on", LIMIT_ACTIONS=f"{MOST}/hour")
    yield site
    site.stop()


@pytest.fixture
def other_site() -> Iterator[ThreadingHTTPServer]:
    """Serve `PAGE`, which posts to the address in its query."""

    class Answer(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            self.end_headers()
            self.wfile.write(PAGE.format(target=self.path.partition("?")[2]).encode())

        def log_message(self, *args: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Answer)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield server
    server.shutdown()
    server.server_close()


# Another port is another origin of the same site, whose posts carry the visitor's session.
@pytest.mark.parametrize(("host", "name"), [("127.0.0.1", "Vera"), ("localhost", "Viola")])
def test_58_posts_and_a_click_on_another_site_s_page_do_nothing(
    site, other_site, newcomer, host, name
) -> None:
    vera = newcomer(site, name)
    vera.register()
    page, block = vera.page, f"{vera.line.url}/account/people/block/"
    statuses: list[int] = []
    page.on("response", lambda a: statuses.append(a.status) if a.request.method == "POST" else None)

    page.goto(f"http://{host}:{other_site.server_port}/?{block}")
    page.wait_for_url(block)

    assert "This form came from another site" in page.inner_text("h1")
    assert page.locator("form").count() == 0
    assert "Forged Name" not in page.content()
    assert set(statuses) == {403}
    # Vera can still use her whole limit, and a form over the limit can be sent again.
    for number in range(MOST + 1):
        page.goto("/account/people/")
        page.fill("#block_name", f"Own Name {number}")
        page.click("form:has(#block_name) button")
        page.wait_for_load_state()
        assert (page.locator("h1", has_text="Too many").count() == 1) == (number == MOST)
    assert page.input_value("main form input[name=name]") == f"Own Name {MOST}"
