"""What the site uses of its libraries although they do not document it.

It is used behind eight small adapters, because the documented way costs too much (the table in
ARCHITECTURE.md) or does not exist. A library's new release may change it; these tests say so first.
"""

import inspect
import subprocess
import sys
from pathlib import Path
from types import MethodType

import psycopg
import pytest
from celery.beat import Scheduler
from django.core.cache.backends.redis import RedisCache, RedisCacheClient
from django.core.handlers.asgi import ASGIHandler, get_script_prefix
from django.db import connection
from django.db.models.query import ModelIterable
from django.http import HttpResponse
from django.utils.functional import cached_property
from kombu import Connection
from psycopg_pool import ConnectionPool
from websockets.sync.client import connect

from games.models import Game

ROOT = Path(__file__).resolve().parent.parent.parent

# config.serving.server installs Twisted's reactor, so the server runs in a process of its own.
SERVER = """
from config.serving.server import Drain, DrainingServer
from config.serving.transport import direct_transport_of, framed_text

async def application(scope, receive, send):
    if scope["type"] != "websocket":
        return
    transport = direct_transport_of(send)
    await receive()
    await send({"type": "websocket.accept"})
    assert transport._is_plain
    protocol = transport._protocol
    assert transport._transport.producer.requests
    assert protocol.clean_headers and protocol.http_headers
    transport.forget_request()
    assert not (protocol.clean_headers or protocol.http_headers)
    assert not transport._transport.producer.requests
    transport.write(framed_text("short"))
    transport.write(framed_text("l" + 4_000_000 * "o" + "ng"))
    waiting = transport.waiting
    transport.write(framed_text(f"waiting: {waiting}"))
    await receive()
    await send({"type": "websocket.send", "text": f"waiting: {transport.waiting}"})
    await receive()
    # The client has closed it: nothing is written, and nothing fails.
    transport.write(framed_text("late"))

server = DrainingServer(application, host="127.0.0.1", port=0, drain=Drain(0, 0, 1))
listening = server.listen_success
def listen_success(port):
    listening(port)
    print(port.getHost().port, flush=True)
server.listen_success = listen_success
server.run()
"""


def parameters(function: object) -> list[str]:
    return list(inspect.signature(function).parameters)


def test_the_transport_reaches_an_open_socket_of_the_server() -> None:
    """Frames arrive whole and in order, and the transport tells how many bytes wait."""
    command = [sys.executable, "-c", SERVER]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as server:
        try:
            assert server.stdout is not None
            port = int(server.stdout.readline())
            with connect(f"ws://127.0.0.1:{port}/", compression=None, max_size=None) as socket:
                assert socket.recv(10) == "short"
                assert len(socket.recv(10)) == 4_000_003
                # Written before the client read: the operating system does not take it all.
                assert int(str(socket.recv(10)).removeprefix("waiting: ")) > 1_000_000
                socket.send("read it all")
                assert socket.recv(10) == "waiting: 0"
        finally:
            server.terminate()
    assert server.returncode == 0


def test_a_compiled_query_finds_what_it_uses() -> None:
    """config/db/compiled_queries.py turns rows into instances as Django's `ModelIterable` does."""
    query = Game.objects.select_related("table").filter(table=1).query
    compiler = query.get_compiler(connection=connection)
    sql, params = compiler.as_sql()

    assert isinstance(sql, str) and params == (1,)
    own = compiler.klass_info
    (related,) = own["related_klass_infos"]
    assert own["model"] is Game
    assert related["model"] is Game._meta.get_field("table").related_model
    assert callable(related["local_setter"]) and callable(related["remote_setter"])
    for kind in (own, related):
        fields = kind["select_fields"]
        assert fields == list(range(fields[0], fields[-1] + 1))
        columns = [compiler.select[place][0].target for place in fields]
        assert columns == list(kind["model"]._meta.concrete_fields)
    converters = compiler.get_converters([column for column, _, _ in compiler.select])
    for place, (convert, expression) in converters.items():
        assert compiler.select[place][0] is expression
        assert all(callable(each) for each in convert)
    # Nothing is done to an instance there that config/db/compiled_queries.py would have to do as
    # well.
    assert "annotation" in inspect.getsource(ModelIterable.__iter__)
    assert parameters(Game.from_db) == ["db", "field_names", "values"]


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("load_middleware", ["self", "is_async"]),
        ("read_body", ["self", "receive"]),
        ("create_request", ["self", "scope", "body_file"]),
        ("get_response", ["self", "request"]),
        ("send_response", ["self", "response", "send"]),
    ],
)
def test_the_handler_finds_the_steps_that_it_takes_apart(name: str, expected: list[str]) -> None:
    """The handler runs the steps of `ASGIHandler.handle` in a thread of its own choice."""
    assert parameters(getattr(ASGIHandler, name)) == expected
    # A step that `handle` no longer takes may have gone elsewhere.
    if name not in ("load_middleware", "get_response"):
        assert f"self.{name}(" in inspect.getsource(ASGIHandler.handle)


def test_the_handler_finds_the_rest_of_what_it_uses() -> None:
    assert parameters(get_script_prefix) == ["scope"]
    assert isinstance(ASGIHandler.chunk_size, int)
    assert "_handler_class" in inspect.getsource(HttpResponse.close)
    assert "_handler_class" in inspect.getsource(ASGIHandler.run_get_response)


def test_the_cache_finds_where_its_connections_are_kept() -> None:
    """config/cache/redis_cache.py shares one client between all threads of a process."""
    theirs = RedisCache("redis://one,redis://two", {"OPTIONS": {"socket_timeout": 1}})

    assert isinstance(vars(RedisCache)["_cache"], cached_property)
    assert isinstance(theirs._cache, RedisCacheClient)
    assert theirs._servers == ["redis://one", "redis://two"]
    assert theirs._options == {"socket_timeout": 1}


def test_the_broker_s_connection_and_the_scheduler_find_what_they_reset() -> None:
    """config/celery.py forgets a channel that could not be closed, config/beat.py a plan."""
    assert "self._default_channel" in inspect.getsource(Connection._do_close_self)
    assert "self._do_close_self" in inspect.getsource(Connection.collect)
    assert "self._heap is None" in inspect.getsource(Scheduler.tick)


def test_a_connection_finds_how_long_it_may_wait() -> None:
    """config/db/postgresql gives up on a server that hangs."""
    assert parameters(psycopg.Connection.wait) == ["self", "gen", "interval", "timeout"]
    assert issubclass(psycopg.errors._WaitTimeout, psycopg.OperationalError)
    # What the pool executes on a connection is its check.
    assert 'conn.execute("")' in inspect.getsource(ConnectionPool.check_connection)


def test_the_server_finds_what_it_takes_over() -> None:
    """config/serving/server.py bounds what arrives, and drains."""
    from autobahn.websocket.protocol import WebSocketProtocol
    from daphne.http_protocol import WebRequest
    from daphne.ws_protocol import WebSocketProtocol as DaphneSocket
    from twisted.web.http import HTTPChannel, Request

    assert parameters(WebSocketProtocol.sendCloseFrame)[:2] == ["self", "code"]
    assert "self.handshake_deferred.errback(" in inspect.getsource(DaphneSocket.serverReject)
    assert parameters(Request.gotLength) == ["self", "length"]
    assert parameters(Request.handleContentChunk) == ["self", "data"]
    assert parameters(WebRequest.process) == ["self"]
    # The path is known when the length is, so that uploads may be longer.
    assert "self._path = request" in inspect.getsource(HTTPChannel)
    assert "requestFactory" in vars(HTTPChannel)
    assert isinstance(HTTPChannel().loseConnection, MethodType)
