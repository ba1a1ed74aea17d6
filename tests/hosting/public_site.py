"""The public site on this machine: Daphne with TLS and without.

One port speaks both, as ports 443 and 80 do for a name: a connection that begins with a TLS
handshake goes to Daphne's TLS port, any other to its plain port.
"""

import asyncio
import os
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from ipaddress import ip_address
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from config.launcher.valkey import find_valkey
from tests.prepared import migrate_sqlite

ROOT = Path(__file__).parent.parent.parent
PATIENCE = 60
METRICS_TOKEN = "the operator's own"
_BEGINS_TLS = 0x16


@dataclass(frozen=True)
class PublicSite:
    port: int
    """The public port, which accepts TLS and plain HTTP."""
    plain_port: int
    """Daphne's own port, which a monitor on the same network would ask."""
    certificate: Path
    log: Path

    @property
    def place(self) -> str:
        return f"localhost:{self.port}"


@contextmanager
def public_site(folder: Path, **environment: str) -> Iterator[PublicSite]:
    """Serve until the block ends. `folder` keeps the database, the key and the log."""
    key, certificate = _make_certificate(folder)
    tls_port, plain_port, port = (_free_port() for _ in range(3))
    redis = folder / "valkey.sock"
    env = {name: value for name, value in os.environ.items() if not name.startswith("CHANC")}
    env |= {
        "SITE_URL": f"https://localhost:{port}",
        "TRUSTED_PROXIES": "0",
        "SECRET_KEY": os.urandom(40).hex(),
        "REDIS_URL": f"unix://{redis}",
        "DATABASE_URL": f"sqlite:///{folder / 'db.sqlite3'}",
        "CHANCELLERY_DATA": str(folder),
        "METRICS_TOKEN": METRICS_TOKEN,
    } | environment
    migrate_sqlite(folder / "db.sqlite3")
    subprocess.run(
        [sys.executable, "manage.py", "prepare", "--files"], cwd=ROOT, env=env, check=True
    )
    site = PublicSite(port, plain_port, certificate, folder / "log")
    with ExitStack() as until_the_end, site.log.open("wb") as log:

        def start(*command: str) -> subprocess.Popen[bytes]:
            process = subprocess.Popen(
                command, cwd=ROOT, env=env, stdout=log, stderr=subprocess.STDOUT
            )
            until_the_end.callback(_stop, process)
            return process

        start(
            *(str(find_valkey()), "--port", "0", "--unixsocket", str(redis)),
            *("--dir", str(folder), "--save", "", "--appendonly", "no"),
        )
        daphne = start(
            *(sys.executable, "-m", "daphne", "-v", "0"),
            *("-e", f"ssl:{tls_port}:interface=127.0.0.1:privateKey={key}:certKey={certificate}"),
            *("-e", f"tcp:{plain_port}:interface=127.0.0.1"),
            "config.asgi:application",
        )
        until_the_end.enter_context(_both(port, tls_port, plain_port))
        until = time.monotonic() + PATIENCE
        while not (_is_open(tls_port) and _is_open(plain_port)):
            if time.monotonic() > until or daphne.poll() is not None:
                raise RuntimeError(site.log.read_text())
            time.sleep(0.05)
        yield site


def _stop(process: subprocess.Popen[bytes]) -> None:
    process.terminate()
    try:
        process.wait(10)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _is_open(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


def _make_certificate(folder: Path) -> tuple[Path, Path]:
    """Create a key and a self-signed certificate for `localhost`; return their paths."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "localhost")])
    names = [x509.DNSName("localhost"), x509.IPAddress(ip_address("127.0.0.1"))]
    now = datetime.now(UTC)
    certificate = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(hours=1))
        .not_valid_after(now + timedelta(days=2))
        .add_extension(x509.SubjectAlternativeName(names), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .sign(key, hashes.SHA256())
    )
    key_path, certificate_path = folder / "key.pem", folder / "certificate.pem"
    key_path.write_bytes(
        key.private_bytes(
            serialization.Encoding.PEM,
            serialization.PrivateFormat.PKCS8,
            serialization.NoEncryption(),
        )
    )
    certificate_path.write_bytes(certificate.public_bytes(serialization.Encoding.PEM))
    return key_path, certificate_path


@contextmanager
def _both(port: int, tls_port: int, plain_port: int) -> Iterator[None]:
    """Listen at `port` and forward each connection by its first byte, until the block ends."""

    async def carry(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(OSError):
            while data := await reader.read(65536):
                writer.write(data)
                await writer.drain()
        writer.close()

    async def visit(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        first = await reader.read(1)
        there = tls_port if first and first[0] == _BEGINS_TLS else plain_port
        try:
            inner_reader, inner_writer = await asyncio.open_connection("127.0.0.1", there)
        except OSError:
            writer.close()
            return
        inner_writer.write(first)
        await asyncio.gather(carry(reader, inner_writer), carry(inner_reader, writer))

    loop = asyncio.new_event_loop()
    server = loop.run_until_complete(asyncio.start_server(visit, "127.0.0.1", port))
    thread = threading.Thread(target=loop.run_forever, daemon=True)
    thread.start()
    try:
        yield
    finally:
        asyncio.run_coroutine_threadsafe(_end(server), loop).result(5)
        loop.call_soon_threadsafe(loop.stop)
        thread.join(5)
        loop.close()


async def _end(server: asyncio.Server) -> None:
    server.close()
    visits = asyncio.all_tasks() - {asyncio.current_task()}
    for visit in visits:
        visit.cancel()
    await asyncio.gather(*visits, return_exceptions=True)
