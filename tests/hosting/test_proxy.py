"""Requests that reach a web process through the proxy's real configuration."""

import json
import os
import shlex
import shutil
import signal
import socket
import subprocess
import threading
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import httpx
import pytest

from tests.hosting.files import ROOT, read_compose
from tests.hosting.stack import make_certificate

PATIENCE = 30
TEMPLATE = ROOT / "config/serving/nginx.conf.template"


class Echo(BaseHTTPRequestHandler):
    """A stand-in for a web process: it answers with the request that it received."""

    server: "Upstream"

    def do_GET(self) -> None:
        self.rfile.read(int(self.headers.get("Content-Length", 0)))
        self.server.asked += 1
        if self.server.dies_when_asked:
            self.close_connection = True
            return
        seen = {"name": self.server.name, "path": self.path, **dict(self.headers)}
        body = json.dumps(seen).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    do_POST = do_GET  # noqa: N815

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002
        pass


class Upstream(ThreadingHTTPServer):
    def __init__(self, name: str, port: int = 0) -> None:
        super().__init__(("127.0.0.1", port), Echo)
        self.name = name
        self.asked = 0
        self.dies_when_asked = False
        threading.Thread(target=self.serve_forever, args=(0.05,), daemon=True).start()


class Proxy:
    """The proxy as compose.yaml starts it, in front of two servers that echo their requests."""

    def __init__(self, folder: Path) -> None:
        self.webs = [Upstream("one"), Upstream("two")]
        with (
            socket.create_server(("127.0.0.1", 0)) as one,
            socket.create_server(("127.0.0.1", 0)) as other,
        ):
            port, plain = one.getsockname()[1], other.getsockname()[1]
        self.url = f"https://localhost:{port}"
        make_certificate(folder / "tls")
        run = folder / "run"
        run.mkdir()
        wanted = dict.fromkeys(("SECRET_KEY", "POSTGRES_PASSWORD"), "x")
        compose = read_compose(wanted | {"SITE_URL": self.url, "TLS_FOLDER": str(folder / "tls")})
        shell, option, line = compose["services"]["proxy"]["command"]
        line = line.replace("/tmp", shlex.quote(str(run))).replace(
            "/etc/nginx/site.template", shlex.quote(str(TEMPLATE))
        )
        self.log = folder / "log"
        self.process = subprocess.Popen(
            [shell, option, line],
            stderr=self.log.open("wb"),
            env={
                "PATH": f"{os.environ['PATH']}:/usr/sbin",
                "SITE_URL": self.url,
                "WEB_1": f"127.0.0.1:{self.webs[0].server_port}",
                "WEB_2": f"127.0.0.1:{self.webs[1].server_port}",
                "HTTP_PORT": str(plain),
                "HTTPS_PORT": str(port),
                "TLS": str(folder / "tls"),
                "ACME": str(folder),
                "RUN": str(run),
            },
        )
        # test_stack.py checks the certificate.
        self.http = httpx.Client(base_url=self.url, verify=False, trust_env=False, timeout=PATIENCE)
        self.until(lambda: self.http.get("/").status_code == 200)

    def until(self, is_so) -> None:
        end = time.monotonic() + PATIENCE
        while True:
            try:
                if is_so():
                    return
            except httpx.TransportError:
                pass
            assert time.monotonic() < end
            time.sleep(0.05)

    def names(self, path: str, count: int = 12) -> set[str]:
        """Post `count` requests; return the names of the servers that answered."""
        answers = [self.http.post(path, content=b"x") for _ in range(count)]
        assert {answer.status_code for answer in answers} == {200}
        return {answer.json()["name"] for answer in answers}

    def stop(self) -> None:
        self.http.close()
        self.process.terminate()
        self.process.wait(PATIENCE)
        for web in self.webs:
            web.shutdown()
            web.server_close()


@pytest.fixture
def proxy(tmp_path: Path) -> Iterator[Proxy]:
    if shutil.which("nginx", path=f"{os.environ['PATH']}:/usr/sbin") is None:
        pytest.skip("there is no nginx here (Debian: apt-get install nginx-light)")
    proxy = Proxy(tmp_path)
    yield proxy
    proxy.stop()


def test_no_one_forges_where_they_come_from(proxy: Proxy) -> None:
    forged = dict.fromkeys(
        ("X-Forwarded-For", "X-Real-IP", "Forwarded", "Via", "X-Forwarded-Host"), "198.51.100.7"
    )
    seen = proxy.http.get("/", headers=forged | {"X-Forwarded-Proto": "http"}).json()
    assert seen["X-Forwarded-For"] in ("127.0.0.1", "::1")
    assert seen["X-Forwarded-Proto"] == "https"
    assert seen["Host"] == proxy.url.removeprefix("https://")
    assert "198.51.100.7" not in seen.values()


def test_one_that_is_gone_costs_no_one_a_request_and_comes_back(proxy: Proxy) -> None:
    assert proxy.names("/") == {"one", "two"}
    one = proxy.webs[0]
    one.shutdown()
    one.server_close()
    # From the first request on, and for posts too.
    assert proxy.names("/") == {"two"}
    proxy.webs[0] = Upstream("one", one.server_port)
    assert proxy.names("/") == {"one", "two"}


def test_a_move_in_a_process_that_is_killed_is_made_in_the_other(proxy: Proxy) -> None:
    proxy.webs[0].dies_when_asked = True
    assert proxy.names("/tables/abcd2345/act/") == {"two"}
    # The killed process did receive some of them.
    assert proxy.webs[0].asked


def test_what_has_no_key_is_not_asked_twice(proxy: Proxy) -> None:
    for web in proxy.webs:
        web.dies_when_asked = True
        web.asked = 0
    assert proxy.http.post("/tables/new/", content=b"x").status_code == 502
    assert sum(web.asked for web in proxy.webs) == 1


def test_no_invitation_and_no_address_is_in_the_log_when_a_process_is_away(
    proxy: Proxy,
) -> None:
    path = "/tables/abcd2345/invitation/SECRET/"
    proxy.webs[0].shutdown()
    proxy.webs[0].server_close()
    assert proxy.names(path) == {"two"}
    proxy.webs[1].dies_when_asked = True
    assert proxy.http.get(path).status_code == 502
    # More than nginx holds in memory: a warning, or worse where it may not write its folder.
    proxy.http.post("/records/?SECRET", content=b"x" * 100_000)

    said = proxy.log.read_text()
    assert "SECRET" not in said and "client:" not in said, said


def test_a_fault_in_the_configuration_is_in_the_log(proxy: Proxy, tmp_path: Path) -> None:
    (tmp_path / "tls" / "privkey.pem").unlink()
    proxy.process.send_signal(signal.SIGHUP)
    proxy.until(lambda: "privkey.pem" in proxy.log.read_text())


def test_what_is_the_owners_is_asked_for_as_a_page_that_is_none(proxy: Proxy) -> None:
    for path in ("/metrics", "/metrics/x", "/healthz/ready?all", "/%68ealthz/live", "/METRICS"):
        assert proxy.http.get(path).json()["path"].startswith("/not-found/"), path


@pytest.mark.parametrize("size", [70_000, 5_000_000])
def test_a_body_that_is_too_large_gets_the_site_s_page_and_is_not_passed_on(proxy, size) -> None:
    forged = {"X-Forwarded-For": "198.51.100.7", "X-Forwarded-Host": "198.51.100.7"}
    answer = proxy.http.post("/tables/new/", content=b"x" * size, headers=forged)

    seen = answer.json()
    assert answer.status_code == 413
    assert seen["path"] == "/too-large/" and "Content-Length" not in seen
    assert "198.51.100.7" not in seen.values() and seen["X-Forwarded-Proto"] == "https"
