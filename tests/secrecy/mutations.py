"""Requests and frames that no browser sends: real ones, slightly or heavily mutated."""

import json
from dataclasses import dataclass, field
from random import Random
from urllib.parse import quote, quote_from_bytes, unquote_to_bytes

HUGE = "9" * 5000
DEEP = "[" * 3000 + "]" * 3000
VALUES = [
    *("", " ", "\0", "a\0b", "-1", "0", "1e309", "NaN", "None", "null", "true", "٣", "²", "½"),
    *("9" * 30, HUGE, "💥" * 40, "\u202e", "\ufeff", "\ud800", "\udfff\ud800", "'--", '"><b>'),
    *("{{ 7 }}", "{% url 'x' %}", "%s%n", "../../etc/passwd", "..%2f", "\r\nSet-Cookie: a=b"),
    *("[]", "{}", "[[5, 10]]", DEEP, '{"a":' * 500, "x" * 300, "x" * 70_000, "1-nomination"),
    *("vote:ja", "vote:nein", "discard:liberal", "enact:fascist", "peek", "propose_veto"),
    *("answer_veto:true", "answer_veto:1", "nominate:", "nominate:٣", "nominate:" + HUGE),
    *("nominate:1", "nominate:2", "execute:1", "investigate:0", "seat", "__class__", "vote:JA"),
    *("f" * 32, "F" * 32, "0" * 64, "/", "//evil.example", "javascript:alert(1)", "pl", "zz"),
]
METHODS = [
    *("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "CONNECT"),
    *("PROPFIND", "get", "", "G\0ET", "X" * 300),
]
TYPES = [
    *("application/x-www-form-urlencoded", "multipart/form-data; boundary=x", "text/plain", ""),
    *("application/json", "application/json; charset=utf-16", "multipart/form-data"),
    *("application/x-www-form-urlencoded; charset=utf-7", "multipart/form-data; boundary="),
    *("application/x-www-form-urlencoded; charset=hex", "multipart/mixed; boundary=x", "/", ";;="),
    *("multipart/form-data; boundary=" + "x" * 300, "a/b; charset=\xff", "text/html; charset=\0"),
]
HEADERS = [
    *("X-Panels", "HX-Request", "HX-Current-URL", "HX-Target", "HX-Trigger", "HX-Prompt"),
    *("HX-Boosted", "HX-History-Restore-Request", "HX-Current-URL-URI-AutoEncoded", "Referer"),
    *("Accept-Language", "Accept", "Accept-Encoding", "Content-Type", "Content-Length", "Host"),
    *("X-Forwarded-Host", "X-Forwarded-Proto", "X-Forwarded-For", "X-Request-ID", "Range"),
    *("If-Modified-Since", "If-None-Match", "Authorization", "X-HTTP-Method-Override", "Origin"),
    *("Transfer-Encoding", "Expect", "Cookie", "X-CSRFToken", "X-Original-URL", "Forwarded"),
    *("Upgrade", "Connection", "User-Agent", "Cache-Control", "Date", "X-" + "a" * 3000),
]
# Daphne rejects these bytes in a header's value, so the site never receives them.
_NOT_IN_HEADERS = b"\0\r\n"


@dataclass
class Request:
    """A request as an ASGI server passes it on."""

    method: str
    # Percent-encoded.
    path: bytes
    query: bytes = b""
    headers: list[tuple[bytes, bytes]] = field(default_factory=list)
    body: bytes = b""
    root_path: str = ""
    # Whether the token, the cookies and the origin are still those that the site's pages send.
    is_genuine: bool = True

    def scope(self) -> dict[str, object]:
        return {
            "type": "http",
            "asgi": {"version": "3.0"},
            "http_version": "1.1",
            "method": self.method,
            # Daphne decodes the path in the same way.
            "path": unquote_to_bytes(self.path).decode("utf-8", "replace"),
            "raw_path": self.path,
            "root_path": self.root_path,
            "scheme": "http",
            "query_string": self.query,
            "headers": self.headers,
            "client": ["127.0.0.1", 40000],
            "server": ["127.0.0.1", 80],
        }

    def set(self, name: str, value: bytes) -> None:
        key = name.lower().encode("latin-1")
        self.headers = [(n, v) for n, v in self.headers if n != key] + [(key, value)]

    def __str__(self) -> str:
        return (
            f"{self.method} {self.path[:200]!r}?{self.query[:100]!r} "
            f"{[(n, v[:200]) for n, v in self.headers]} {self.body[:300]!r}"
        )


def as_bytes(value: str) -> bytes:
    return value.encode("utf-8", "surrogatepass")


def plain(method: str, path: str, data: dict[str, str], cookies: str, token: str) -> Request:
    """Return the request as the site's own pages send it."""
    request = Request(method, quote(path).encode())
    request.set("Host", b"testserver")
    if cookies:
        request.set("Cookie", cookies.encode())
    request.set("Accept-Language", b"en")
    if method == "POST":
        request.set("X-CSRFToken", token.encode())
        request.set("Origin", b"http://testserver")
        request.body = form(list(data.items()))
        request.set("Content-Type", b"application/x-www-form-urlencoded")
    elif data:
        request.query = form(list(data.items()))
    return request


def form(pairs: list[tuple[str, str]]) -> bytes:
    return "&".join(
        f"{quote_from_bytes(as_bytes(name))}={quote_from_bytes(as_bytes(value))}"
        for name, value in pairs
    ).encode()


def multipart(pairs: list[tuple[str, str]], rng: Random) -> bytes:
    parts = []
    for name, value in pairs:
        file = b'; filename="x"' if rng.random() < 0.2 else b""
        extra = b"\r\nContent-Transfer-Encoding: base64" if rng.random() < 0.1 else b""
        disposition = b'Content-Disposition: form-data; name="' + as_bytes(name)[:200] + b'"'
        parts.append(b"--x\r\n" + disposition + file + extra + b"\r\n\r\n" + as_bytes(value))
    return b"\r\n".join(parts) + b"\r\n--x--\r\n"


def bent_value(value: str, rng: Random) -> str:
    if rng.random() < 0.6 or not value:
        return rng.choice(VALUES)
    at = rng.randrange(len(value) + 1)
    return rng.choice(
        [
            value[:at] + rng.choice(VALUES)[:50] + value[at:],
            value[:at],
            value * 2,
            value.upper(),
            value[::-1],
        ]
    )


def bent_bytes(data: bytes, rng: Random) -> bytes:
    at = rng.randrange(len(data) + 1)
    more = rng.choice(
        [b"\0", b"\xff\xfe", b"\xed\xa0\x80", b"%", b"%u0041", b"&" * 90, b"=", b"\n"]
    )
    return rng.choice([data[:at] + more + data[at:], data[:at], rng.randbytes(40), data + data])


def _bent_path(request: Request, data: list[tuple[str, str]], rng: Random) -> None:
    parts = request.path.split(b"/")
    at = rng.randrange(len(parts))
    bent = quote_from_bytes(as_bytes(bent_value(parts[at].decode("latin-1"), rng)[:4000])).encode()
    parts[at] = rng.choice(
        [bent, b"%ED%A0%80", b"%00", b"%ff", b"..", b"%2e%2e", b"", parts[at] * 2]
    )
    request.path = b"/".join(parts)
    if not request.path.startswith(b"/"):
        request.path = b"/" + request.path


def _bent_query(request: Request, data: list[tuple[str, str]], rng: Random) -> None:
    names = ["next", "code", "q", "page", "format", "_method", "choice", "\0"]
    request.query = form(
        [(rng.choice(names), rng.choice(VALUES)) for _ in range(rng.randint(1, 4))]
    )
    if rng.random() < 0.3:
        request.query = bent_bytes(request.query, rng)


def _bent_method(request: Request, data: list[tuple[str, str]], rng: Random) -> None:
    request.method = rng.choice(METHODS)


def _bent_header(request: Request, data: list[tuple[str, str]], rng: Random) -> None:
    name = rng.choice(HEADERS)
    value = as_bytes(rng.choice(VALUES))[:8000]
    value = rng.choice([value, rng.randbytes(20), b"true", b"http://testserver/", b"banner:x y"])
    value = bytes(byte for byte in value if byte not in _NOT_IN_HEADERS)
    if rng.random() < 0.15:
        # Send the header twice.
        request.headers.append((name.lower().encode(), value))
    else:
        request.set(name, value)


def _bent_fields(request: Request, data: list[tuple[str, str]], rng: Random) -> None:
    for _ in range(rng.randint(1, 3)):
        at = rng.randrange(len(data)) if data else 0
        what = rng.random()
        if data and what < 0.5:
            data[at] = (data[at][0], bent_value(data[at][1], rng))
        elif data and what < 0.6:
            del data[at]
        elif data and what < 0.7:
            data.append((data[at][0], rng.choice(VALUES)))
        else:
            names = ["seat", "user", "choice", "decision", "key", "next", "\ud800"]
            names += ["commitment", "hash", "contribution"]
            data.append((rng.choice(names), rng.choice(VALUES)))
    request.body = form(data)


def _bent_body(request: Request, data: list[tuple[str, str]], rng: Random) -> None:
    what = rng.randrange(5)
    if what == 0:
        request.body = bent_bytes(request.body, rng)
    elif what == 1:
        request.body = multipart(data or [("choice", rng.choice(VALUES))], rng)
        request.set("Content-Type", b"multipart/form-data; boundary=x")
        if rng.random() < 0.4:
            request.body = bent_bytes(request.body, rng)
    elif what == 2:
        request.body = any_json(rng).encode("utf-8", "surrogatepass")
        request.set("Content-Type", b"application/json")
    elif what == 3:
        request.set("Content-Type", rng.choice(TYPES).encode("latin-1").replace(b"\0", b""))
    else:
        request.body = rng.choice(
            [b"", b"a=1&" * 300, b"choice=" + b"9" * 70_000, rng.randbytes(99)]
        )


def _forged(request: Request, data: list[tuple[str, str]], rng: Random) -> None:
    """Forge the request: without its token, from another site, or with another user's cookies."""
    request.is_genuine = False
    what = rng.randrange(4)
    if what <= 1:
        # A post has the token in a field and in a header, and either would do.
        request.body = form([pair for pair in data if pair[0] != "csrfmiddlewaretoken"])
        request.headers = [pair for pair in request.headers if pair[0] != b"x-csrftoken"]
    if what == 1:
        request.set(
            "X-CSRFToken", rng.choice([b"b" * 32, b"", b"a" * 31, b"\xff", b"a" * 32 + b"b" * 32])
        )
    if what == 2:
        evil = [b"http://evil.example", b"null", b"https://testserver", b"http://testserver:81"]
        request.set("Origin", rng.choice(evil))
    if what == 3:
        broken = [
            b"",
            b"sessionid=" + b"x" * 32,
            b"sessionid=; csrftoken=",
            b"\xff=\xff",
            b"=" * 99,
        ]
        request.set("Cookie", rng.choice(broken))


def bent(request: Request, data: dict[str, str], rng: Random) -> Request:
    """Mutate the request in one to three ways, and return it."""
    pairs = list(data.items())
    ways = [_bent_path, _bent_query, _bent_method, _bent_header, _bent_header, _bent_fields]
    ways += [_bent_fields, _bent_body, _forged]
    chosen = rng.sample(ways, rng.choice([1, 1, 1, 2, 3]))
    # The forgery comes last, so that no other mutation undoes it.
    for way in sorted(chosen, key=lambda way: way is _forged):
        way(request, pairs, rng)
    if rng.random() < 0.02:
        request.root_path = rng.choice(["/x", "//evil.example", "\ufffd", "/" * 99, "x"])
    return request


def any_json(rng: Random, depth: int = 0) -> str:
    """Return JSON of any shape, sometimes invalid or very deep."""
    if depth == 0 and rng.random() < 0.1:
        return rng.choice([DEEP, '{"have":' * 200 + "1" + "}" * 200, '{"a"', "[1,", "", "\0", HUGE])
    return json.dumps(_any_value(rng, depth), ensure_ascii=rng.random() < 0.5)


def _any_value(rng: Random, depth: int) -> object:
    simple = [None, True, False, 0, -1, 1.5, 10**400, float("nan"), float("inf"), ""]
    what = rng.random()
    if depth > 3 or what < 0.4:
        return rng.choice([*simple, rng.choice(VALUES)[:200].replace("\ud800", "?")])
    if what < 0.6:
        return [_any_value(rng, depth + 1) for _ in range(rng.randint(0, 4))]
    names = ["have", "ack", "frame", "act", "type", "panels", "banner", "\0", "__proto__", "html"]
    return {rng.choice(names): _any_value(rng, depth + 1) for _ in range(rng.randint(0, 4))}


def bent_frame(rng: Random) -> dict[str, object]:
    """Return what a client sends over a socket: text or bytes of any kind."""
    what = rng.random()
    if what < 0.25:
        have = {
            rng.choice(
                ["banner", "log", "you", "action", "x", "\0", "__class__", "tables"]
            ): rng.choice(VALUES)[:120]
            for _ in range(rng.randint(0, 6))
        }
        return {"text": json.dumps({"have": have})}
    if what < 0.5:
        number = rng.choice([0, 1, 2, -1, 10**6, 10**400, 3, 16, 255])
        return {"text": json.dumps({"ack": number})}
    if what < 0.7:
        return {"text": any_json(rng)}
    if what < 0.8:
        return {
            "bytes": rng.choice([b"", b"\0", rng.randbytes(50), b'{"have": {}}', b"\xff" * 3000])
        }
    if what < 0.9:
        good = rng.choice(['{"have": {"log": "abc"}}', '{"ack": 1}', '{"have": {}}'])
        return {"text": bent_value(good, rng)}
    return {"text": rng.choice(VALUES)}
