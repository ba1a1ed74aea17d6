"""The site of compose.yaml: people play through the proxy, on two web processes."""

import asyncio
import json
import re
import secrets

import httpx
import pytest

from tests.hosting.guest import Guest
from tests.hosting.stack import Service, Stack

pytestmark = pytest.mark.nightly

PASSWORD = "correct horse battery staple"
WEBS = ("web-1", "web-2")


def sockets_at(web: Service) -> int:
    """Return how many sockets the process has open, from its own metrics."""
    token = web.stack.settings["METRICS_TOKEN"]
    answer = httpx.get(
        f"http://{web.address}:8000/metrics",
        headers={"Authorization": f"Bearer {token}"},
        trust_env=False,
    )
    assert answer.status_code == 200
    found = re.findall(r"^chancellery_open_sockets\{.*\} (\S+)$", answer.text, re.MULTILINE)
    return sum(int(float(number)) for number in found)


async def register(stack: Stack, name: str) -> Guest:
    guest = Guest(stack.url, certificate=stack.certificate)
    [form] = [form for form in await guest.forms("/account/register/") if "username" in form.fields]
    fields = {"username": name, "password1": PASSWORD}
    answer = await guest.post("/account/register/", form.fields | fields)
    assert answer.status_code == 302, answer.text
    return guest


async def test_every_service_is_healthy(stack: Stack) -> None:
    for service in stack.services.values():
        assert service.process is not None
        if service.name == "prepare":
            assert service.process.returncode == 0
            continue
        assert service.process.poll() is None, service.tell()
        if service.healthcheck:
            assert await asyncio.to_thread(service.is_healthy), service.tell()


async def test_two_people_play_and_see_each_others_moves_across_the_processes(
    stack: Stack,
) -> None:
    mark = secrets.token_hex(3)
    host, other = await asyncio.gather(
        register(stack, f"Hanna {mark}"), register(stack, f"Other {mark}")
    )
    # A table of five at the usual pace; the other joins, and bots take the free seats.
    wanted = {"edition": "en", "seats_wanted": "5", "pace": "normal"}
    opened = await host.post("/tables/new/", wanted)
    path = opened.headers["Location"]
    table = path.strip("/").split("/")[-1]
    assert (await other.press(path, "join")).status_code == 303
    assert (await host.press(path, "fill")).status_code == 303
    assert (await host.press(path, "start")).status_code == 303
    # The first nomination waits until both have read their roles.
    for guest in (host, other):
        assert (await guest.press(path, "confirm-role")).status_code == 303

    # One socket for each player: the proxy must give each web process one.
    async with host.socket(table) as one, other.socket(table) as two:
        for line in (one, two):
            await line.send('{"have": {}}')
            await line.send(json.dumps({"ack": json.loads(await line.recv()).get("frame", 1)}))
        assert [sockets_at(stack[name]) for name in WEBS] == [1, 1]

        # A person moves, or a bot when its time has come: both sockets receive a frame.
        async def somebody_moves() -> None:
            while not any([await guest.move(table) for guest in (host, other)]):
                await asyncio.sleep(0.2)

        hears = [asyncio.create_task(line.recv()) for line in (one, two)]
        await asyncio.wait_for(somebody_moves(), 60)
        for frame in await asyncio.wait_for(asyncio.gather(*hears), 60):
            assert json.loads(frame)["html"]
    await host.close()
    await other.close()


async def test_the_door_is_tls_and_what_is_the_owners_is_not_there(stack: Stack) -> None:
    guest = Guest(stack.url, certificate=stack.certificate)
    unknown = await guest.get("/not-found/")
    token = {"Authorization": f"Bearer {stack.settings['METRICS_TOKEN']}"}
    for path in (
        *("/metrics", "/metrics/", "//metrics", "/%6Detrics", "/METRICS", "/x/../metrics"),
        *("/healthz/ready", "/healthz/live", "/healthz", "/healthz/ready?all"),
    ):
        answer = await guest.http.get(stack.url + path, headers=token)
        assert answer.status_code == 404, path
        assert len(answer.text) == len(unknown.text), path

    page = await guest.http.get("/", headers={"Accept-Encoding": "gzip"})
    assert page.headers["Content-Encoding"] == "gzip"
    assert page.headers["Server"] == "nginx"
    assert "max-age" in page.headers["Strict-Transport-Security"]

    large = await guest.http.post("/account/sign-in/", content=b"x" * 70_000)
    assert large.status_code == 413

    plain = f"http://127.0.0.1:{stack.plain_port}/"
    sent_on = httpx.get(plain, headers={"Host": "evil.example"}, trust_env=False)
    assert sent_on.status_code == 308
    assert sent_on.headers["Location"] == f"{stack.url}/"
    await guest.close()


@pytest.mark.parametrize("service", ["web-1", "worker-clock"])
def test_without_its_settings_nothing_serves(stack: Stack, service: str) -> None:
    ours = stack[service]
    image = stack.run("sh", "-c", f"unset SECRET_KEY REDIS_URL; exec {' '.join(ours.command)}")
    assert image.returncode != 0
    assert b"SECRET_KEY" in image.stderr + image.stdout


def test_the_database_s_log_quotes_no_row_of_an_account(stack: Stack) -> None:
    twice = "User.objects.create(username='Zed', email='zed@play.example', password='a hash')\n" * 2
    done = stack.run(
        *("python", "manage.py", "shell", "-c"), f"from accounts.models import User\n{twice}"
    )
    assert b"IntegrityError" in done.stderr

    said = stack["postgres"].log.read_text()
    assert "violates unique constraint" in said
    assert not re.search("zed|a hash", said, re.IGNORECASE), said


def test_a_backup_is_made_beside_the_running_site(stack: Stack) -> None:
    backup = stack.run("python", "manage.py", "backup", "-")
    assert backup.returncode == 0, backup.stderr
    assert backup.stdout[:2] == b"\x1f\x8b"
    assert b"rows saved" in backup.stderr
