"""The units for a site without containers: they are valid, and run what compose.yaml runs."""

import configparser
import os
import re
import shlex
import shutil
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from tests.hosting.files import ROOT, read_compose, read_dockerfile
from tests.hosting.stack import make_certificate

UNITS = ROOT / "config" / "serving" / "systemd"
SERVICES = {
    "web-1": "chancellery-web@.service",
    "worker-clock": "chancellery-clock.service",
    "worker-default": "chancellery-default.service",
    "beat": "chancellery-beat.service",
    "proxy": "chancellery-proxy.service",
}
COMPOSE = read_compose(
    {
        "SITE_URL": "https://play.example",
        "SECRET_KEY": "k" * 64,
        "POSTGRES_PASSWORD": "p" * 64,
        "TLS_FOLDER": "/tls",
    }
)
PATH = f"{os.environ['PATH']}:/usr/sbin"


def service(unit: str) -> configparser.SectionProxy:
    parser = configparser.RawConfigParser(strict=False)
    parser.optionxform = str  # type: ignore[assignment,method-assign]
    parser.read(UNITS / unit)
    return parser["Service"]


def said(text: str) -> str:
    """Return a value without the signs that are doubled for systemd."""
    return text.replace("%%", "%").replace("$$", "$")


def install(folder: Path) -> Path:
    """Lay the units out for a site in `folder`, and return their folder."""
    (folder / "site").mkdir()
    (folder / "site" / ".venv").symlink_to(sys.prefix)
    for name in ("manage.py", "config"):
        (folder / "site" / name).symlink_to(ROOT / name)
    (folder / "units").mkdir()
    for unit in UNITS.glob("*.*"):
        text = unit.read_text().replace("/srv/chancellery", str(folder / "site"))
        text = text.replace("/run/chancellery-proxy", str(folder / "run"))
        (folder / "units" / unit.name).write_text(text)
    return folder / "units"


def test_systemd_finds_no_fault_in_the_units(tmp_path: Path) -> None:
    if shutil.which("systemd-analyze") is None or shutil.which("nginx", path=PATH) is None:
        pytest.skip("there is no systemd-analyze or no nginx here")
    units = sorted(install(tmp_path).iterdir())

    def verify() -> str:
        words = ["systemd-analyze", "verify", "--man=no", *map(str, units)]
        done = subprocess.run(words, capture_output=True, text=True, check=False)
        return "" if done.returncode == 0 else done.stderr

    assert len(units) == len(SERVICES) + 1
    # It also finds each command: as root, or nginx is not in the path of others.
    assert verify() == ""
    units[0].write_text(units[0].read_text().replace("/bin/celery", "/bin/cellar"))
    assert "cellar" in verify()


@pytest.mark.parametrize("name", [name for name in SERVICES if name != "proxy"])
def test_each_unit_runs_the_command_of_its_container_and_is_always_restarted(name: str) -> None:
    ours, theirs = service(SERVICES[name]), COMPOSE["services"][name]
    program, *words = shlex.split(said(ours["ExecStart"]))
    command = theirs.get("command") or shlex.join(read_dockerfile().command)
    wanted = command.replace("/tmp/", "/run/chancellery-beat/").replace("8000", "%i")

    assert [program.removeprefix("/srv/chancellery/.venv/bin/"), *words] == shlex.split(
        wanted.replace("--host 0.0.0.0 ", "")
    )
    assert ours["Restart"] == "always"
    assert ours["User"] != "root"
    if "stop_grace_period" in theirs:
        assert f"{ours['TimeoutStopSec']}s" == theirs["stop_grace_period"]


def test_the_target_starts_every_unit() -> None:
    text = (UNITS / "chancellery.target").read_text()
    wanted = {re.sub(r"@\d+", "@", name) for name in re.findall(r"[\w@-]+\.service", text)}
    assert wanted == set(SERVICES.values())


def test_the_scripts_beside_the_units_are_whole() -> None:
    for name in ("install", "chancellery"):
        subprocess.run(["sh", "-n", UNITS / name], check=True)
    named = re.findall(
        r"config/serving/systemd/\S+|requirements.lock", (UNITS / "install").read_text()
    )
    assert len(named) == 4
    assert all(list(ROOT.glob(path)) for path in named)
    assert os.access(UNITS / "chancellery", os.X_OK)


def test_the_proxy_s_unit_renders_a_configuration_that_nginx_takes(tmp_path: Path) -> None:
    for program in ("nginx", "envsubst", "openssl"):
        if shutil.which(program, path=PATH) is None:
            pytest.skip(f"there is no {program} here")
    install(tmp_path)
    make_certificate(tmp_path / "tls")
    (tmp_path / "run").mkdir()
    ours = service("chancellery-proxy.service")
    environment = dict(word.split("=", 1) for word in ours["Environment"].split())
    with (
        socket.create_server(("127.0.0.1", 0)) as one,
        socket.create_server(("127.0.0.1", 0)) as other,
    ):
        ports = [str(each.getsockname()[1]) for each in (one, other)]
    environment |= {
        "PATH": PATH,
        "SITE_URL": "https://play.example",
        # As .env may name them: relative to the site's folder.
        "TLS_FOLDER": "../tls",
        "ACME_FOLDER": "./acme",
        "RUN": str(tmp_path / "run"),
        **dict(zip(("HTTP_PORT", "HTTPS_PORT"), ports, strict=True)),
    }

    def run(words: list[str]) -> None:
        subprocess.run(words, cwd=tmp_path / "site", env=environment, check=True)

    run(shlex.split(said(ours["ExecStartPre"])))
    rendered = tmp_path / "run" / "nginx.conf"
    assert f"{tmp_path}/tls/fullchain.pem" in rendered.read_text()
    assert f"root {tmp_path}/site/acme;" in rendered.read_text()
    command = ours["ExecStart"].replace("/run/chancellery-proxy", str(tmp_path / "run"))
    run([*shlex.split(command), "-t"])
