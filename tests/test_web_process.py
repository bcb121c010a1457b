"""`endsight serve` as a process of its own, asked over real connections, also from other addresses and networks."""

from __future__ import annotations

import contextlib
import json
import os
import re
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from amounts import each
from command_line import run
from hostile_commands import raw_signs, write_rules
from web_server import QUICKLY, code_of

ENDSIGHT = [sys.executable, "-m", "endsight", "serve", "--port", "0"]
MOST_BODY, MOST_HEADERS, MOST_URL = 2**20, 2**15, 2**13
TOKEN = "secret-of-the-day"


@dataclass(frozen=True)
class Answer:
    """What came back over a connection."""

    status: int
    head: str
    body: bytes


@dataclass(frozen=True)
class Server:
    """A running `endsight serve`: the address it printed, its port and its token."""

    process: subprocess.Popen[str]
    address: str
    inside: Sequence[str] = ()

    @property
    def port(self) -> int:
        found = re.search(r":(\d+)/", self.address)
        assert found is not None
        return int(found[1])

    @property
    def token(self) -> str:
        return self.address.partition("?token=")[2]

    def ask(self, to: str = "127.0.0.1", path: str = "/healthz", host: str | None = None, *lines: str) -> Answer:
        """GET over a connection to that address; `host` is the header."""
        name = f"[{to}]" if ":" in to else to
        head = [f"GET {path} HTTP/1.1", f"Host: {f'{name}:{self.port}' if host is None else host}", *lines]
        return self.send(to, "\r\n".join([*head, "Connection: close", "", ""]).encode())

    def send(self, to: str, message: bytes) -> Answer:
        """Any bytes, from where this server is asked."""
        return parsed(
            subprocess_send(self.inside, to, self.port, message) if self.inside else send(to, self.port, message)
        )


def parsed(answer: bytes) -> Answer:
    head, _, body = answer.partition(b"\r\n\r\n")
    return Answer(int(head.split(b" ")[1]) if head else 0, head.decode("latin-1").lower(), body)


def send(to: str, port: int, message: bytes) -> bytes:
    with socket.create_connection((to, port), timeout=20) as connection:
        with contextlib.suppress(BrokenPipeError, ConnectionResetError):
            connection.sendall(message)
        parts = []
        with contextlib.suppress(ConnectionResetError):
            while part := connection.recv(65536):
                parts.append(part)
    return b"".join(parts)


SEND = """
import socket, sys
try:
    connection = socket.create_connection((sys.argv[1], int(sys.argv[2])), timeout=3)
except OSError as error:
    sys.exit(f"{type(error).__name__}")
connection.sendall(sys.stdin.buffer.read())
while part := connection.recv(65536):
    sys.stdout.buffer.write(part)
"""


def subprocess_send(inside: Sequence[str], to: str, port: int, message: bytes) -> bytes:
    """The same from another network; nothing where there is no connection."""
    command = [*inside, sys.executable, "-c", SEND, to, str(port)]
    return subprocess.run(command, input=message, capture_output=True, check=False, timeout=30).stdout


@contextlib.contextmanager
def serving(
    *options: str, inside: Sequence[str] = (), asked_from: Sequence[str] = (), start: Sequence[str] = QUICKLY
) -> Iterator[Server]:
    command = [*inside, *start, *options]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        line = process.stdout.readline()
        try:
            yield Server(process, line.split()[3], asked_from)
        finally:
            if process.poll() is None:
                process.terminate()
                process.communicate(timeout=30)


@pytest.fixture(scope="module")
def local() -> Iterator[Server]:
    """As it comes: this machine alone, no token."""
    with serving(start=ENDSIGHT) as server:
        yield server


@pytest.fixture(scope="module")
def everywhere() -> Iterator[Server]:
    """At all addresses, with a token and a name for a proxy."""
    with serving(
        "--host", "0.0.0.0", "--token", TOKEN, "--allowed-host", "games.example:443", "--allowed-host", "box"
    ) as server:
        yield server


# ---------------------------------------------------------------------- as it comes


def test_only_its_own_address_answers(local: Server) -> None:
    assert local.address == f"http://127.0.0.1:{local.port}/"
    assert local.ask().status == 200
    with pytest.raises(ConnectionRefusedError):
        local.ask("127.0.0.2")
    with pytest.raises(OSError):  # noqa: PT011
        local.ask("::1")


@pytest.mark.parametrize(
    "host", ["evil.example", "evil.example:PORT", "127.0.0.2:PORT", "127.0.0.1", "0.0.0.0:PORT", ""]
)
def test_names_that_point_here_are_refused(local: Server, host: str) -> None:
    """DNS rebinding: the connection is right, the name is not."""
    for path in ("/", "/api/v1/games", "/openapi.json"):
        assert local.ask("127.0.0.1", path, host.replace("PORT", str(local.port))).status == 421


def test_other_pages_are_refused(local: Server) -> None:
    host = f"127.0.0.1:{local.port}"
    for line, status in (
        ("Origin: http://evil.example", 403),
        ("Origin: null", 403),
        (f"Origin: https://{host}", 403),
        (f"Origin: http://{host}", 200),
        ("Sec-Fetch-Site: cross-site", 403),
        ("Sec-Fetch-Site: same-origin", 200),
    ):
        assert local.ask("127.0.0.1", "/api/v1/games", None, line).status == status, line
    body = b'{"kind": "line", "game": "nim", "at": ""}'
    head = f"POST /api/v1/jobs HTTP/1.1\r\nHost: {host}\r\nContent-Length: {len(body)}\r\nConnection: close\r\n"
    assert local.send("127.0.0.1", f"{head}Origin: http://evil.example\r\n\r\n".encode() + body).status == 403
    assert local.send("127.0.0.1", f"{head}\r\n".encode() + body).status == 202


@pytest.mark.parametrize(
    ("request_line", "status"),
    [
        ("HEAD / HTTP/1.1", 200),
        ("HEAD /nothing HTTP/1.1", 404),
        ("OPTIONS / HTTP/1.1", 405),
        ("OPTIONS * HTTP/1.1", 405),
        ("TRACE / HTTP/1.1", 405),
        ("PUT /games/nim HTTP/1.1", 405),
        ("CONNECT evil.example:443 HTTP/1.1", 405),
        ("GET http://evil.example/ HTTP/1.1", 404),
        ("GET /static/../../../../../../etc/passwd HTTP/1.1", 404),
        ("GET /static/%2e%2e/%2e%2e/guard.py HTTP/1.1", 404),
        ("GET /static/..%2f..%2fguard.py HTTP/1.1", 404),
        ("GET /static//etc/passwd HTTP/1.1", 404),
        ("GET /games/..%2f..%2f..%2fetc%2fpasswd HTTP/1.1", 404),
        ("GET /games/pots:@%2Fetc%2Fpasswd HTTP/1.1", 404),
    ],
)
def test_methods_and_paths(local: Server, request_line: str, status: int) -> None:
    head = f"{request_line}\r\nHost: 127.0.0.1:{local.port}\r\nConnection: close\r\n\r\n"
    answer = local.send("127.0.0.1", head.encode())
    assert answer.status == status, answer.head
    assert b"root:" not in answer.body
    if request_line.startswith("HEAD"):
        assert not answer.body
    if status == 405 and "OPTIONS" in request_line:
        assert "allow: get, head, post, delete" in answer.head
    assert "access-control" not in answer.head


def test_websockets_are_not_served(local: Server) -> None:
    lines = (
        "Upgrade: websocket",
        "Connection: Upgrade",
        "Sec-WebSocket-Version: 13",
        "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==",
    )
    answer = local.ask("127.0.0.1", "/", None, *lines)
    assert answer.status == 200
    assert "upgrade" not in answer.head


def test_big_requests(local: Server) -> None:
    host = f"Host: 127.0.0.1:{local.port}\r\n"
    assert local.ask("127.0.0.1", "/" + "x" * MOST_URL).status == 414
    assert local.ask("127.0.0.1", "/" + "x" * 100_000).status in (0, 400, 414, 431)
    assert local.ask("127.0.0.1", "/", None, "X-Long: " + "x" * MOST_HEADERS).status in (0, 400, 431)
    assert local.ask("127.0.0.1", "/", None, "X-Long: " + "x" * 300_000).status in (0, 400, 431)
    assert local.ask("127.0.0.1", "/", None, *(f"X-{n}: 1" for n in range(5_000))).status in (0, 400, 431)
    for lines in (f"Content-Length: {MOST_BODY + 1}", "Content-Length: 99999999999999999999", "Content-Length: -1"):
        answer = local.send("127.0.0.1", f"POST /api/v1/jobs HTTP/1.1\r\n{host}{lines}\r\n\r\n".encode())
        assert answer.status in (400, 413), lines
    chunks = b"10000\r\n" + b"x" * 2**16 + b"\r\n"
    head = f"POST /api/v1/jobs HTTP/1.1\r\n{host}Transfer-Encoding: chunked\r\n\r\n".encode()
    assert local.send("127.0.0.1", head + chunks * (MOST_BODY // 2**16 + 2)).status in (0, 413)
    assert local.ask().status == 200


def test_slow_and_silent_clients_end(local: Server) -> None:
    """A request that comes byte by byte is cut off; meanwhile others are answered."""
    with socket.create_connection(("127.0.0.1", local.port), timeout=20) as connection:
        ended, begun = False, time.monotonic()
        until = begun + 20
        while not ended and time.monotonic() < until:
            try:
                connection.sendall(b"G")
                time.sleep(0.5)
                connection.settimeout(0.01)
                ended = connection.recv(100) == b""
            except TimeoutError:
                assert local.ask().status == 200
            except OSError:
                ended = True
        assert ended
        assert time.monotonic() - begun > 4.5, "it has five seconds"


def test_clients_that_never_read_do_not_stop_others(local: Server) -> None:
    request = f"GET /openapi.json HTTP/1.1\r\nHost: 127.0.0.1:{local.port}\r\n\r\n".encode()
    with contextlib.ExitStack() as stack:
        for _ in range(300):
            silent = socket.create_connection(("127.0.0.1", local.port), timeout=20)
            stack.callback(silent.close)
            silent.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            silent.sendall(request)
        assert local.ask().status == 200
        assert local.ask("127.0.0.1", "/games/nim").status == 200


def test_what_rules_print_reaches_the_terminal_escaped(tmp_path: Path) -> None:
    rules = write_rules(tmp_path, {"print": "\x1b[31mred\u202e", "raise draw": "\x1b[32mgreen"})
    with serving(rules.spec) as server:
        server.ask("127.0.0.1", "/games/1")
        server.process.terminate()
        out, errors = server.process.communicate(timeout=30)
    assert "\\x1b[31mred\\u202e" in errors
    assert not raw_signs(out + errors)


# ---------------------------------------------------------------------- token


@pytest.mark.parametrize(
    ("path", "line", "status"),
    [
        ("/", "Accept: */*", 401),
        ("/?token=", "Accept: */*", 401),
        ("/?token=wrong", "Accept: */*", 401),
        (f"/?token={TOKEN[:-1]}", "Accept: */*", 401),
        ("/?token=wrong", f"Cookie: endsight-token={TOKEN[:-1]}", 401),
        ("/", "Cookie: endsight-token=", 401),
        ("/", f"Cookie: other={TOKEN}", 401),
        ("/", "Authorization: Bearer ", 401),
        ("/", f"Authorization: Basic {TOKEN}", 401),
        ("/", f"Authorization: Bearer {TOKEN} ", 200),
        ("/", f"Cookie: a=b; endsight-token={TOKEN}", 200),
        (f"/?token={TOKEN}", "Accept: */*", 303),
        ("/api/v1/games", "Accept: */*", 401),
        ("/openapi.json", "Accept: */*", 401),
        ("/static/endsight.js", "Accept: */*", 401),
        ("/static/endsight.css", "Accept: */*", 200),
        ("/static/%65ndsight.js", "Accept: */*", 401),
        ("/nothing", "Accept: */*", 401),
    ],
)
def test_tokens(everywhere: Server, path: str, line: str, status: int) -> None:
    assert everywhere.ask("127.0.0.1", path, None, line).status == status


def test_a_wrong_token_gets_a_page_that_says_so(everywhere: Server) -> None:
    accept = "Accept: text/html,application/xhtml+xml"
    page = everywhere.ask("127.0.0.1", "/games/nim?token=wrong", None, accept)
    assert page.status == 401
    assert "content-type: text/html" in page.head
    assert "www-authenticate: bearer" in page.head
    assert "content-security-policy: default-src 'none'" in page.head
    text = page.body.decode()
    assert "<h1>Token needed</h1>" in text
    assert "this is not the token of this server" in text
    assert "the address that it printed when it was started" in text
    assert '<link rel="stylesheet" href="/static/endsight.css">' in text
    assert TOKEN not in text
    assert "this server asks for its token" in everywhere.ask("127.0.0.1", "/", None, accept).body.decode()
    problem = json.loads(everywhere.ask("127.0.0.1", "/api/v1/games?token=wrong", None, accept).body)
    assert problem["detail"] == "this is not the token of this server"
    assert "problem+json" in everywhere.ask("127.0.0.1", "/openapi.json", None, accept).head


def test_other_refusals_are_pages_for_browsers_too(local: Server) -> None:
    accept = "Accept: text/html"
    wrong = local.ask("127.0.0.1", "/", "evil.example", accept)
    assert wrong.status == 421
    assert b"<h1>Wrong host</h1>" in wrong.body
    assert b"<h1>Refused</h1>" in local.ask("127.0.0.1", "/", None, accept, "Sec-Fetch-Site: cross-site").body
    assert b"<h1>No such page</h1>" in local.ask("127.0.0.1", "/nothing", None, accept).body


@pytest.mark.parametrize(
    "token", ["", "short", "with blank inside", "semi;colon-123", "new\nline-12345", "ü" * 12, "x" * 201]
)
def test_tokens_that_cannot_be_one(token: str) -> None:
    ending = run("serve", "--port", "0", "--token", token)
    assert ending.code == 2
    assert "this --token is of no use" in ending.err
    assert not token or token not in ending.err


# ---------------------------------------------------------------------- --host and --allowed-host


@pytest.mark.parametrize("to", ["127.0.0.1", "127.0.0.2", "127.8.9.10"])
def test_the_address_at_which_a_request_arrives_is_a_name(everywhere: Server, to: str) -> None:
    """Listening everywhere, every address of this machine is served under itself, and under no other."""
    bearer = f"Authorization: Bearer {TOKEN}"
    assert everywhere.address == f"http://localhost:{everywhere.port}/?token={TOKEN}"
    assert everywhere.ask(to, "/healthz", None, bearer).status == 200
    assert everywhere.ask(to, "/healthz", f"localhost:{everywhere.port}", bearer).status == 200
    for host in ("127.0.0.77", "0.0.0.0", "evil.example", "2130706433", "[::ffff:127.0.0.1]"):
        assert everywhere.ask(to, "/healthz", f"{host}:{everywhere.port}", bearer).status == 421
    assert everywhere.ask(to).status == 401


def test_allowed_hosts(everywhere: Server) -> None:
    bearer = f"Authorization: Bearer {TOKEN}"
    port = everywhere.port
    for host, status in (
        ("games.example", 200),
        ("games.example:443", 200),
        ("GAMES.example", 200),
        (f"games.example:{port}", 421),
        (f"box:{port}", 200),
        ("box", 421),
        (f"sub.box:{port}", 421),
        (f"box.evil.example:{port}", 421),
    ):
        assert everywhere.ask("127.0.0.1", "/healthz", host, bearer).status == status, host
    # Behind a proxy with TLS, the browser's origin is https.
    assert everywhere.ask("127.0.0.1", "/", "games.example", bearer, "Origin: https://games.example").status == 200
    assert everywhere.ask("127.0.0.1", "/", "games.example", bearer, "Origin: https://evil.example").status == 403
    assert (
        everywhere.ask("127.0.0.1", "/", f"127.0.0.1:{port}", bearer, f"Origin: https://127.0.0.1:{port}").status == 403
    )


@pytest.mark.parametrize("name", ["", "*", "http://x", "a b", "x/y", "x:y", "x:1:2", "a\nb", "[::1", "user@x"])
def test_names_that_cannot_be_allowed(name: str) -> None:
    ending = run("serve", "--port", "0", "--allowed-host", name)
    assert ending.code == 2
    assert "is no name for --allowed-host" in ending.err


@pytest.mark.parametrize(
    "host",
    ["", "a..b", "x" * 300, "no such host", "256.256.256.256", "[::1]", "::zz", "192.0.2.1", "\x1b[31m", "a\x00b"],
)
def test_hosts_that_cannot_be_listened_at(host: str) -> None:
    ending = run("serve", "--port", "0", "--host", host)
    assert ending.code == 2, ending.err
    assert "cannot listen at" in ending.err or "an empty --host" in ending.err
    assert "another --host" in ending.err or not host
    assert "\x1b" not in ending.err


def test_another_loopback_address() -> None:
    with serving("--host", "127.0.0.2") as server:
        assert server.address == f"http://127.0.0.2:{server.port}/"
        assert server.ask("127.0.0.2", "/games/nim").status == 200
        with pytest.raises(ConnectionRefusedError):
            server.ask("127.0.0.1")
    with pytest.raises(ConnectionRefusedError):
        server.ask("127.0.0.2")


@pytest.mark.skipif(not socket.has_dualstack_ipv6(), reason="this machine has no IPv6")
def test_ipv6() -> None:
    with serving("--host", "::1", "--token", "new") as server:
        bearer = f"Authorization: Bearer {server.token}"
        assert server.address == f"http://[::1]:{server.port}/?token={server.token}"
        assert len(server.token) == 32
        assert server.ask("::1").status == 401
        assert server.ask("::1", "/healthz", None, bearer).status == 200
        assert server.ask("::1", "/healthz", f"localhost:{server.port}", bearer).status == 200
        for host in (f"::1:{server.port}", f"[::]:{server.port}", f"[0:0:0:0:0:0:0:1]:{server.port}", "[::1]"):
            assert server.ask("::1", "/healthz", host, bearer).status == 421
    with serving("--host", "::") as server:
        bearer = f"Authorization: Bearer {server.token}"
        assert server.ask("::1").status == server.ask("127.0.0.2").status == 401
        for to in ("::1", "127.0.0.1", "127.0.0.2"):
            assert server.ask(to, "/healthz", None, bearer).status == 200
        assert server.ask("127.0.0.2", "/healthz", f"[::ffff:127.0.0.2]:{server.port}", bearer).status == 421


def test_a_taken_port(local: Server) -> None:
    command = [*ENDSIGHT[:-1], str(local.port)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)
    assert done.returncode == 2
    assert "error: cannot listen at 127.0.0.1, port" in done.stderr
    assert "another --port" in done.stderr


# ---------------------------------------------------------------------- another network


def _command(*words: str) -> None:
    subprocess.run(words, check=True, capture_output=True)


@pytest.fixture(scope="module")
def networks() -> Iterator[tuple[list[str], list[str]]]:
    """Two networks of their own with a cable between them: prefixes of commands that run in the one and the other."""
    if sys.platform != "linux" or shutil.which("ip") is None or os.geteuid() != 0:
        pytest.skip("needs Linux, iproute2 and root")
    here, there = (f"endsight-{os.getpid()}-{side}" for side in "ab")
    cable = [f"es{os.getpid() % 10**6}{side}" for side in "ab"]
    try:
        try:
            _command("ip", "netns", "add", here)
            _command("ip", "netns", "add", there)
            _command(
                "ip", "link", "add", cable[0], "netns", here, "type", "veth", "peer", "name", cable[1], "netns", there
            )
            for space, end, number in ((here, cable[0], 1), (there, cable[1], 2)):
                _command("ip", "-n", space, "addr", "add", f"198.51.100.{number}/24", "dev", end)
                _command("ip", "-n", space, "addr", "add", f"fd00:e5::{number}/64", "dev", end, "nodad")
                _command("ip", "-n", space, "link", "set", end, "up")
                _command("ip", "-n", space, "link", "set", "lo", "up")
        except subprocess.CalledProcessError as error:
            pytest.skip(f"this machine makes no networks: {error.stderr.decode().strip()}")
        yield ["ip", "netns", "exec", here], ["ip", "netns", "exec", there]
    finally:
        for space in (here, there):
            subprocess.run(["ip", "netns", "del", space], check=False, capture_output=True)


def test_from_another_machine_the_default_cannot_be_reached(networks: tuple[list[str], list[str]]) -> None:
    here, there = networks
    with serving(inside=here, asked_from=there) as server:
        assert server.ask("198.51.100.1").status == 0
        assert server.ask("127.0.0.1").status == 0
        near = replace(server, inside=here)
        assert near.ask("127.0.0.1").status == 200
        assert near.ask("198.51.100.1").status == 0


@pytest.mark.parametrize(
    "host", ["::", *(pytest.param(host, marks=pytest.mark.slow) for host in ("198.51.100.1", "0.0.0.0"))]
)
def test_from_another_machine_with_another_host(networks: tuple[list[str], list[str]], host: str) -> None:
    here, there = networks
    with serving("--host", host, "--allowed-host", "box", inside=here, asked_from=there) as server:
        bearer = f"Authorization: Bearer {server.token}"
        assert len(server.token) == 32
        assert server.ask("198.51.100.1").status == 401
        assert server.ask("198.51.100.1", "/", None, "Accept: text/html").status == 401
        assert server.ask("198.51.100.1", f"/?token={server.token}").status == 303
        assert server.ask("198.51.100.1", "/games/nim", None, bearer).status == 200
        assert server.ask("198.51.100.1", "/healthz", f"box:{server.port}", bearer).status == 200
        for name in ("evil.example", "198.51.100.2", "0.0.0.0", "[::]", "[fd00:e5::1]"):
            assert server.ask("198.51.100.1", "/healthz", f"{name}:{server.port}", bearer).status == 421, name
        if host == "::":
            assert server.ask("fd00:e5::1", "/healthz", None, bearer).status == 200
            assert server.ask("fd00:e5::1").status == 401


# ---------------------------------------------------------------------- a class in one network


def printed(process: subprocess.Popen[str]) -> list[str]:
    """The lines about who may come, up to the last."""
    assert process.stdout is not None
    lines = []
    while not (lines and lines[-1].startswith(("Whoever has", "This machine is in no network"))):
        lines.append(process.stdout.readline().rstrip("\n"))
        assert lines[-1] or process.poll() is None
    return lines


def test_a_class_opens_what_the_screen_shows(networks: tuple[list[str], list[str]]) -> None:
    """All addresses that are printed, and their codes, open from another network; everybody else gets a page."""
    here, there = networks
    with serving("--lan", inside=here, asked_from=there) as server:
        lines = printed(server.process)
        found = [line.strip() for line in lines if line.startswith("  http")]
        hosts = ["198.51.100.1", "fd00:e5::1"]
        assert found == [f"http://{host}:{server.port}/?token={server.token}" for host in (hosts[0], f"[{hosts[1]}]")]
        for host, address in zip(hosts, found, strict=True):
            assert code_of(address) in "\n".join(lines)
            welcome = server.ask(host, f"/?token={server.token}", None, "Accept: text/html")
            assert welcome.status == 303
            cookie = re.search(r"set-cookie: ([^;]+)", welcome.head)
            assert cookie is not None
            token = f"Cookie: endsight-token={server.token}"
            assert server.ask(host, "/games/nim", None, "Accept: text/html", token).status == 200
            for path in ("/", "/games/nim", "/?token=wrong-token", "/seats/x"):
                refused = server.ask(host, path, None, "Accept: text/html")
                assert refused.status == 401
                assert b'<input name="token"' in refused.body
                assert server.token.encode() not in refused.body
        wrong = server.ask("198.51.100.1", "/", f"classroom.local:{server.port}", "Accept: text/html")
        assert wrong.status == 421
        assert f'href="http://198.51.100.1:{server.port}/"'.encode() in wrong.body


def test_a_class_without_a_network_is_told_so(networks: tuple[list[str], list[str]]) -> None:
    alone = ["unshare", "-n"]
    if subprocess.run([*alone, "true"], check=False, capture_output=True).returncode:
        pytest.skip("this machine makes no networks")
    with serving("--lan", inside=alone) as server:
        assert printed(server.process)[-1] == "This machine is in no network: no other one can connect."


@pytest.mark.parametrize("options", each([("--host", "0.0.0.0"), ("--lan",)], lambda options: len(options) == 1))
def test_no_address_is_printed_that_nobody_can_open(options: tuple[str, ...]) -> None:
    with serving(*options) as server:
        lines = printed(server.process)
        assert "0.0.0.0" not in "".join(lines)
        assert "[::]" not in "".join(lines)
        assert server.ask("127.0.0.1", f"/?token={server.token}", f"localhost:{server.port}").status == 303
        for line in [line.strip() for line in lines if line.startswith("  http")]:
            host = urlsplit(line).hostname
            assert host is not None
            assert server.ask(host, f"/?token={server.token}").status == 303


def test_a_class_and_a_host_are_two_ways() -> None:
    ending = run("serve", "--lan", "--host", "0.0.0.0")
    assert ending.code == 2
    assert "--lan listens on all addresses" in ending.err
