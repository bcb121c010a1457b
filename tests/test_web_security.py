"""Every row of the page on security: who may ask, what may be asked, and how long anything may take."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import re
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import quote

import httpx
import pytest

import endsight
from amounts import every
from command_line import run
from endsight.errors import RulesError
from hostile import HOSTILE
from web_server import (
    COUNTDOWN,
    Served,
    answered,
    drawing_on_page,
    needs_a_token,
    offered,
    page_limits,
    page_needs,
    refused_request,
    serving,
    taking_a_port,
)

MOST_BODY, MOST_URL = 2**20, 2**13
HEADERS = {
    "content-security-policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
        "form-action 'self'; frame-ancestors 'none'; base-uri 'none'"
    ),
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
}


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    file = tmp_path_factory.mktemp("rules") / "countdown.py"
    file.write_text(COUNTDOWN, encoding="utf-8")
    with serving([f"{file}:Countdown"], quick=1) as made:
        yield made


@pytest.fixture(scope="module")
def narrow(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """The same with less memory, which a heap of 10^60 soon fills."""
    file = tmp_path_factory.mktemp("rules") / "countdown.py"
    file.write_text(COUNTDOWN, encoding="utf-8")
    with serving([f"{file}:Countdown"], memory=4 * 10**8, quick=1) as made:
        yield made


def ask(served: Served, path: str = "/healthz", method: str = "GET", **headers: str) -> httpx.Response:
    return served.client.request(method, path, headers={name.replace("_", "-"): text for name, text in headers.items()})


# ---------------------------------------------------------------------- reachable from this machine only


def test_the_default_is_this_machine_alone(served: Served) -> None:
    assert (served.place.host, served.place.token) == ("127.0.0.1", None)
    others = [info[4][0] for info in socket.getaddrinfo(socket.gethostname(), None, socket.AF_INET)]
    for address in {address for address in others if not address.startswith("127.")}:
        with socket.socket() as knocking:
            knocking.settimeout(2)
            assert knocking.connect_ex((address, served.place.port)) != 0


@pytest.mark.parametrize("host", ["127.0.0.1", "127.0.0.2", "::1", "localhost"])
def test_addresses_of_this_machine(host: str) -> None:
    assert not needs_a_token(host)


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.0.2.1", "example.org"])
def test_other_addresses_need_a_token(host: str) -> None:
    assert needs_a_token(host)
    if host == "0.0.0.0":
        with taking_a_port(host) as place:
            assert place.token is not None
            assert len(place.token) >= 32
            assert place.token in place.address


def test_the_command_warns_about_other_addresses() -> None:
    script = "import sys; from endsight.faces.cli import main; sys.argv = ['endsight', *sys.argv[1:]]; main()"
    command = [sys.executable, "-c", script, "serve", "--host", "0.0.0.0", "--port", "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        first = process.stdout.readline()
        process.terminate()
        _, errors = process.communicate(timeout=30)
    assert "?token=" in first
    assert "warning: other machines can reach 0.0.0.0" in errors


def test_a_taken_port_is_said() -> None:
    with taking_a_port() as place:
        ending = run("serve", "--port", str(place.port))
    assert ending.code == 2
    assert "cannot listen" in ending.err
    assert "--port" in ending.err


def test_a_missing_extra_is_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    page_needs(monkeypatch, "fastapi", "no_such_package")
    ending = run("serve")
    assert ending.code == 2
    assert ending.err == "error: the page needs no_such_package\n  try:     pip install 'endsight[web]'\n"


# ---------------------------------------------------------------------- Host, Origin, Fetch Metadata, token

PATHS = ("/", "/healthz", "/static/endsight.css", "/api/v1/games", "/openapi.json", "/games/nim", "/nothing")


@pytest.mark.parametrize(
    "host",
    [
        "evil.example",
        "evil.example:PORT",
        "127.0.0.1",
        "127.0.0.1:1",
        "127.0.0.1:PORT.evil.example",
        "127.0.0.1.evil.example:PORT",
        "evil.example@127.0.0.1:PORT",
        "127.0.0.1:PORT@evil.example",
        "127.1:PORT",
        "2130706433:PORT",
        "0x7f000001:PORT",
        "017700000001:PORT",
        "0.0.0.0:PORT",
        "127.0.0.2:PORT",
        "[::]:PORT",
        "[::ffff:127.0.0.1]:PORT",
        "::1:PORT",
        "localhost",
        "localhost:1",
        "localhost.:PORT",
        "localhost.localdomain:PORT",
        "sub.localhost:PORT",
        "localhost:PORT:PORT",
        "127.0.0.1:PORT,evil.example",
        "127.0.0.1:PORT evil.example",
        "127.0.0.1:0PORT",
        "127.0.0.1:PORT/",
        "http://127.0.0.1:PORT",
        "*",
        "",
    ],
)
def test_other_hosts_are_refused_everywhere(served: Served, host: str) -> None:
    for path in PATHS:
        assert ask(served, path, host=host.replace("PORT", str(served.place.port))).status_code == 421


def test_own_names_are_served(served: Served) -> None:
    for name in ("127.0.0.1", "localhost", "LOCALHOST", "[::1]"):
        assert ask(served, host=f"{name}:{served.place.port}").status_code == 200


def test_two_hosts_and_none_are_refused(served: Served) -> None:
    port = served.place.port
    for lines in (f"Host: 127.0.0.1:{port}\r\nHost: evil.example\r\n", ""):
        answer = raw(port, f"GET /healthz HTTP/1.1\r\n{lines}Connection: close\r\n\r\n".encode())
        assert answer.split(b" ")[1] in (b"400", b"421")
    assert raw(port, b"GET /healthz HTTP/1.0\r\n\r\n").split(b" ")[1] == b"421"


def raw(port: int, message: bytes) -> bytes:
    with socket.create_connection(("127.0.0.1", port), timeout=20) as connection:
        connection.sendall(message)
        parts = []
        while part := connection.recv(65536):
            parts.append(part)
    return b"".join(parts)


@pytest.mark.parametrize(
    ("headers", "is_served"),
    [
        ({}, True),
        ({"sec_fetch_site": "same-origin"}, True),
        ({"sec_fetch_site": "none"}, True),
        ({"sec_fetch_site": "cross-site"}, False),
        ({"sec_fetch_site": "same-site"}, False),
        ({"sec_fetch_site": "CROSS-SITE"}, False),
        ({"sec_fetch_site": ""}, False),
        ({"sec_fetch_site": "nonsense"}, False),
        ({"sec_fetch_site": "cross-site", "sec_fetch_mode": "navigate"}, False),
        ({"sec_fetch_site": "cross-site", "sec_fetch_mode": "no-cors"}, False),
        ({"origin": "OWN"}, True),
        ({"origin": "OWN", "sec_fetch_site": "same-origin"}, True),
        ({"origin": "OWN", "sec_fetch_site": "cross-site"}, False),
        ({"origin": "null"}, False),
        ({"origin": ""}, False),
        ({"origin": "http://evil.example"}, False),
        ({"origin": "https://127.0.0.1:PORT"}, False),
        ({"origin": "http://127.0.0.1"}, False),
        ({"origin": "http://127.0.0.1:1"}, False),
        ({"origin": "http://localhost:PORT"}, False),
        ({"origin": "http://127.0.0.1:PORT.evil.example"}, False),
    ],
)
def test_requests_of_other_pages_are_refused(served: Served, headers: dict[str, str], is_served: bool) -> None:
    port = str(served.place.port)
    sent = {name: text.replace("OWN", served.base).replace("PORT", port) for name, text in headers.items()}
    for path in ("/api/v1/games/nim/position", "/games/nim", "/static/endsight.css"):
        assert ask(served, path, **sent).status_code == (200 if is_served else 403)
    answer = ask(served, "/api/v1/jobs/none", "DELETE", **sent)
    assert answer.status_code == (404 if is_served else 403)


def test_no_answer_invites_other_origins(served: Served) -> None:
    for method in ("GET", "POST", "DELETE"):
        answer = ask(served, "/api/v1/games", method)
        assert not [name for name in answer.headers if name.startswith("access-control-")]


@pytest.mark.parametrize("method", ["OPTIONS", "PUT", "PATCH", "TRACE", "CONNECT", "PROPFIND"])
def test_other_methods_are_refused(served: Served, method: str) -> None:
    assert ask(served, "/api/v1/games", method).status_code in (405, 400)


def test_a_token_opens_the_page_and_stays_in_a_cookie() -> None:
    with serving(token="secret-of-the-day", quick=1) as served:
        assert ask(served).status_code == 401
        assert ask(served, "/static/endsight.js").status_code == 401
        assert ask(served, "/?token=wrong").status_code == 401
        assert ask(served, authorization="Bearer wrong").status_code == 401
        assert ask(served, cookie="endsight-token=secret-of-the-da").status_code == 401
        assert ask(served, authorization="Bearer secret-of-the-day").status_code == 200
        welcome = ask(served, "/games/nim?token=secret-of-the-day&at=1%3A1")
        assert welcome.status_code == 303
        assert welcome.headers["location"] == "/games/nim?at=1%3A1"
        cookie = welcome.headers["set-cookie"]
        assert "HttpOnly" in cookie
        assert "SameSite=Strict" in cookie
        # The cookie does the rest.
        assert ask(served).status_code == 200
        head = f"Host: 127.0.0.1:{served.place.port}\r\nConnection: close\r\n\r\n"
        away = raw(served.place.port, f"GET //evil.example/?token=secret-of-the-day HTTP/1.1\r\n{head}".encode())
        assert b"\r\nlocation: /evil.example/\r\n" in away


# ---------------------------------------------------------------------- what pages may do


def test_every_answer_has_the_headers(served: Served) -> None:
    answers = [ask(served, path) for path in (*PATHS, "/games/nim?at=zz", "/api/v1/games/nim/position?at=zz")]
    answers += [ask(served, host="evil.example"), ask(served, sec_fetch_site="cross-site")]
    for answer in answers:
        for name, text in HEADERS.items():
            assert answer.headers.get_list(name) == [text]
        assert "cache-control" in answer.headers
        assert "server" not in answer.headers


def test_the_policy_lets_a_page_load_only_its_own() -> None:
    policy = HEADERS["content-security-policy"]
    rules = dict(part.strip().partition(" ")[::2] for part in policy.split(";"))
    assert rules["default-src"] == rules["frame-ancestors"] == rules["base-uri"] == "'none'"
    assert set(rules.values()) == {"'none'", "'self'"}
    assert "unsafe" not in policy


class Looked(HTMLParser):
    """What is dangerous in a page: scripts of its own, handlers, styles, addresses that lead away."""

    def __init__(self) -> None:
        super().__init__()
        self.bad: list[str] = []
        self.inside_script = False

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        given = dict(attributes)
        address = given.get("src") or given.get("href") or ""
        own = address.startswith(("/static/endsight.", "/static/board."))
        is_board = tag == "img" and re.fullmatch(r"/games/[^?#]+/board\.svg(\?at=[^?#]+)?", address) is not None
        if tag in ("script", "link") and own:
            self.inside_script = tag == "script"
        elif is_board:
            pass  # a picture from this server, as the policy demands anyway
        elif tag in ("script", "style", "iframe", "object", "embed", "base", "link", "template", "video", "img"):
            self.bad.append(tag)
        for name, text in attributes:
            if name.startswith("on") or name in ("style", "srcdoc", "formaction"):
                self.bad.append(f"{tag} {name}")
            is_away = text is None or not text.startswith(("/", "#")) or text.startswith(("//", "/\\"))
            if name in ("href", "src", "action", "xlink:href") and is_away:
                self.bad.append(f"{tag} {name}={text}")

    def handle_endtag(self, tag: str) -> None:
        self.inside_script = self.inside_script and tag != "script"

    def handle_data(self, data: str) -> None:
        if self.inside_script and data.strip():
            self.bad.append(f"script {data}")


def dangers(page: str) -> list[str]:
    looked = Looked()
    looked.feed(page)
    return looked.bad


def test_dangers_are_seen() -> None:
    for page in (
        "<script>1</script>",
        "<a href='javascript:1'>",
        "<p onclick=1>",
        "<a href=//x>",
        "<script src='/static/endsight.js'>1</script>",
        "<img src=x>",
    ):
        assert dangers(page), page
    assert not dangers('<a href="/games">&lt;script&gt;</a>')


FIELDS = [
    "/games/{}",
    "/games/nim:heaps={}",
    "/games/nim:{}",
    "/games/1:{}",
    "/games/{}/rules",
    "/games/nim/table?at={}",
    "/games/nim/dist?player={}",
    "/games/nim/review?at={}",
    "/games/nim/proof?at={}",
    "/games/nim/certificate?at={}",
    "/?{}={}",
    "/{}",
    "/games/nim?at={}",
    "/games/nim?position={}",
    "/games/nim?seat-first={}",
    "/games/nim?seat-{}=hand",
    "/games/nim?fix={}",
    "/games/nim?fix=first={}",
    "/games/nim?objective={}",
    "/games/nim?once={}",
    "/games/nim?hide={}",
    "/games/nim?{}=1",
    "/open?game={}",
    "/open?game=nim&p-heaps={}",
    "/open?game=nim&p-{}=1",
    "/static/{}",
    "/api/v1/games/{}",
    "/api/v1/games/{}/position",
    "/api/v1/games/nim/position?at={}",
    "/api/v1/games/nim/position?position={}",
    "/api/v1/games/nim/position?fix={}",
    "/api/v1/games/nim/position?method={}",
    "/api/v1/games/nim/position?digits={}",
    "/api/v1/games/nim/dist?player={}",
    "/api/v1/jobs/{}",
]


def test_there_are_enough_hostile_texts() -> None:
    assert len(set(HOSTILE)) == len(HOSTILE) >= 200


@pytest.mark.parametrize("field", FIELDS)
@pytest.mark.parametrize("step", every(12))
def test_hostile_texts_stay_texts(narrow: Served, field: str, step: int) -> None:
    for text in HOSTILE[FIELDS.index(field) % step :: step]:
        harmless_answer(narrow, field, text)


def harmless_answer(served: Served, field: str, text: str) -> None:
    path = field.replace("{}", quote(text, safe=""))
    answer = served.get(path)
    assert answer.status_code in (200, 303, 400, 404, 414, 422), (path, answer.status_code, answer.text[:1500])
    kind = answer.headers.get("content-type", "")
    if kind.startswith("text/html"):
        assert not dangers(answer.text), (path, dangers(answer.text))
        assert "49" not in text or "{{7*7}}" not in text
    elif answer.status_code == 303:
        assert answer.headers["location"].startswith("/games/")
    else:
        assert kind.startswith(
            ("application/json", "application/problem+json", "text/css", "text/javascript", "image/")
        )
    for secret in ("root:x:", "root:*:", "[fonts]"):
        assert secret not in answer.text


def test_hostile_texts_in_a_job(served: Served) -> None:
    for text in HOSTILE[::4]:
        for body in ({"kind": text, "game": "nim"}, {"kind": "line", "game": text}, {text: 1, "kind": "line"}):
            answer = served.client.post("/api/v1/jobs", json=body)
            assert answer.status_code in (202, 400, 404), answer.text
            assert answer.headers["content-type"].startswith("application/")


def test_hostile_texts_in_the_form_that_cancels(served: Served) -> None:
    for text in HOSTILE:
        for field in ("job", "back"):
            answer = served.client.post("/cancel", data={field: text, "back": text}, headers={"origin": served.base})
            assert answer.status_code == 303, (text, answer.text)
            place = answer.headers["location"]
            assert place == "/" or place.startswith("/games/"), place
            assert not set("\\\r\n") & set(place)


def harmless_page(answer: httpx.Response, text: str) -> None:
    assert answer.status_code in (200, 303, 400, 404, 422, 504), (text, answer.status_code, answer.text[:1500])
    assert not dangers(answer.text), (text, dangers(answer.text))
    assert "Traceback" not in answer.text


def as_file_name(text: str) -> str | None:
    """The text as the name of a file of rules, where the system can have such a file."""
    name = f"{text}.py"
    is_name = not set("/\\\0") & set(name) and len(name.encode("utf-8", "surrogatepass")) < 200
    return name if is_name and not any("\ud800" <= sign <= "\udfff" for sign in text) else None


def file_names_are_harmless(folder: Path, texts: list[str]) -> None:
    """A server of games whose files are called so: the list of games, and what each of them answers."""
    names = [name for name in map(as_file_name, texts) if name is not None]
    for name in names:
        (folder / name).write_text(COUNTDOWN, encoding="utf-8")
    with serving([f"{folder}/{name}:Countdown" for name in names], quick=1) as served:
        harmless_page(served.get("/"), "the list")
        for number, name in enumerate(names, start=1):
            for page in ("", "/rules", "/table?at=1"):
                harmless_page(served.get(f"/games/{number}{page}"), name)


@pytest.mark.parametrize("step", every(28))
def test_hostile_file_names(step: int, tmp_path: Path) -> None:
    assert sum(as_file_name(text) is not None for text in HOSTILE) > 120
    file_names_are_harmless(tmp_path, HOSTILE[::step])


_HOSTILE_RULES = """
from typing import NamedTuple
from endsight import Game

TEXT = {text!r}

class Hostile(Game):
    __doc__ = TEXT
    name = TEXT

    class State(NamedTuple):
        left: int

    def limits(self): return self.State(2)
    def start(self): return self.State(2)
    def moves(self, state): yield from range(state.left)
    def play(self, state, move): return self.State(state.left - 1)
    def payoff(self, state): return -1
    def show(self, state): return TEXT * (1 + state.left)
    def draw(self, state): return TEXT
    def show_move(self, state, move): return TEXT.replace(" ", "") * (1 + move) or "empty"
    if "<" not in TEXT and "&" not in TEXT:
        def svg(self, state): return "<svg><text>" + TEXT + "</text></svg>"
"""


def rules_are_harmless(folder: Path, texts: list[str]) -> None:
    """A server of games that say such texts about everything."""
    specs = []
    for number, text in enumerate(texts):
        (folder / f"rules{number}.py").write_text(_HOSTILE_RULES.format(text=text), encoding="utf-8")
        specs.append(f"{folder}/rules{number}.py:Hostile")
    with serving(specs, quick=1) as served:
        shown = 0
        for number, text in enumerate(texts, start=1):
            move = quote(text.replace(" ", "") or "empty", safe="")
            for page in ("", f"?at={move}", "/rules", "/table", f"/review?at={move}", "/proof"):
                answer = served.get(f"/games/{number}{page}")
                harmless_page(answer, text)
                shown += answer.status_code == 200
        assert shown > 5 * len(texts), "most of these texts can be shown"


@pytest.mark.parametrize("step", every(40))
def test_hostile_texts_of_rules(step: int, tmp_path: Path) -> None:
    rules_are_harmless(tmp_path, HOSTILE[3 % step :: step])


UNDRAWN = COUNTDOWN[: COUNTDOWN.index("    def svg")]
"""Rules without a picture: their page shows the text of `draw`, if they have it."""


def test_the_text_of_draw_is_shown_escaped_where_no_picture_is(tmp_path: Path) -> None:
    text = "<script>alert(1)</script>"
    drawing = f"    def draw(self, state): return {text!r}\n"
    failing = "    def draw(self, state): raise ValueError\n"
    number = "    def draw(self, state): return 5\n"
    files = {
        "text": UNDRAWN + drawing,
        "both": COUNTDOWN + failing,
        "failing": UNDRAWN + failing,
        "number": UNDRAWN + number,
    }
    for name, rules in files.items():
        (tmp_path / f"{name}.py").write_text(rules, encoding="utf-8")
    with serving([f"{tmp_path}/{name}.py:Countdown" for name in files], quick=1) as served:
        shown = served.get("/games/1?hide=1")
        assert shown.status_code == 200
        assert "&lt;script&gt;alert(1)&lt;/script&gt;" in shown.text
        harmless_page(shown, text)
        # Where a picture is shown, nobody asks for the text.
        assert served.get("/games/2?hide=1").status_code == 200
        assert served.get("/games/3?hide=1").status_code == 422
        assert "draw does not return text" in served.get("/games/4?hide=1").text


# ---------------------------------------------------------------------- no path, no code


def test_no_hostile_text_names_a_game_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "rules.py").write_text("raise SystemExit('this code was run')", encoding="utf-8")
    games = ["rules.py:Game"]
    texts = [
        *HOSTILE,
        "rules",
        "rules:Game",
        "./rules.py:Game",
        "rules.py:Game2",
        "rules.py:Game:n=1",
        "1:@x",
        "1:a.py",
    ]
    for text in texts:
        named = offered(games, text)
        if named is not None:
            assert text in ("rules.py:Game", "1") or text.partition(":")[0] in ("dominoes", "nim", "pots"), text
            assert "@" not in named
            assert ".." not in named
    assert offered(games, "1") == offered(games, "rules.py:Game") == "rules.py:Game"
    assert offered(games, "1:n=4") == "rules.py:Game:n=4"


@pytest.mark.parametrize(
    ("spec", "base"),
    [
        ("rules.py", "rules.py"),
        ("rules.py:Game", "rules.py:Game"),
        ("rules.py:Game:n=3", "rules.py:Game"),
        ("rules.py:n=3", "rules.py"),
        ("dir.py/rules.py:Game:n=3,m=4", "dir.py/rules.py:Game"),
        ("package.module:Game:n=3", "package.module:Game"),
        ("pots:@file", "pots"),
        ("pots:4-9", "pots"),
        ("nim:heaps=1-2", "nim"),
    ],
)
def test_parameters_are_put_behind_the_rules(spec: str, base: str) -> None:
    assert offered([spec], "1:n=4") == f"{base}:n=4"


def test_standard_input_is_no_game_of_a_page() -> None:
    ending = run("serve", "--port", "0", "pots:@-")
    assert (ending.code, "standard input" in ending.err) == (2, True)


def test_no_route_takes_a_path_or_code() -> None:
    """Requests reach workers as an `Ask` only, whose game is one of those offered; nothing else opens or runs."""
    folder = Path(endsight.__file__).parent / "faces" / "web"
    served_side = [
        "api",
        "pages",
        "addresses",
        "guard",
        "reading",
        "offered_games",
        "problems",
        "server",
        "pool",
    ]
    served_side += ["tables", "table_pages", "place", "rendering"]
    for name in served_side:
        text = (folder / f"{name}.py").read_text(encoding="utf-8")
        for word in ("eval(", "exec(", "pickle", "__import__(", "import_module", "load_game(", "load_policy(", "open("):
            allowed = {
                "open(": ("await pool.open(", "webbrowser.open(", "def open(", "play.open(", "tables.open("),
                "exec(": ("asyncio.create_subprocess_exec(",),
            }.get(word, ())
            rest = text
            for phrase in allowed:
                rest = rest.replace(phrase, "")
            assert word not in rest, f"{name}.py: {word}"


# ---------------------------------------------------------------------- drawings of rules


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_drawings_are_built_anew(text: str) -> None:
    escaped = (
        text.replace("&", "&amp;").replace("<", "&lt;").replace('"', "&quot;").replace("\x00", "").replace("\x1b", "")
    )
    drawing = f'<svg viewBox="0 0 9 9"><g class="{escaped}" data-move="{escaped}" fill="{escaped}"><rect/></g></svg>'
    for made in (drawing, f"<svg>{text}</svg>", text):
        with contextlib.suppress(RulesError):
            assert not dangers(drawing_on_page(made, {text: ("/games/nim?at=x", text)}))


def test_drawings_keep_shapes_and_lose_the_rest() -> None:
    drawing = (
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9" onload="x()"><script>x()</script>'
        '<style>*{}</style><foreignObject><p>x</p></foreignObject><image href="http://evil.example/x.png"/>'
        '<use href="#x"/><a href="//evil.example"><rect/></a><rect style="fill:red" fill="url(#x)" width="3"/>'
        '<g data-move="a1"><circle class="field" r="2"/><text>a1</text></g><g data-move="z9"><circle r="3"/></g></svg>'
    )
    made = drawing_on_page(drawing, {"a1": ("/games/nim?at=a1", "play a1")})
    assert made == (
        '<svg viewBox="0 0 9 9" xmlns="http://www.w3.org/2000/svg" role="group"><rect width="3" />'
        '<a href="/games/nim?at=a1" class="move" aria-label="play a1" data-swap=""><g><circle class="field" r="2" />'
        '<text>a1</text></g></a><g><circle r="3" /></g></svg>'
    )


@pytest.mark.parametrize(
    "text",
    [
        "",
        "no drawing",
        "<svg>",
        "<p/>",
        "<svg/><svg/>",
        '<!DOCTYPE svg [<!ENTITY a "aaaa">]><svg>&a;</svg>',
        '<?xml-stylesheet href="//evil.example"?><svg/>',
        "<svg>" + " " * 200_000 + "</svg>",
        b"<svg/>",
        None,
    ],
)
def test_what_is_no_drawing_is_refused(text: object) -> None:
    with pytest.raises(RulesError, match="svg gave"):
        drawing_on_page(text)


# ---------------------------------------------------------------------- big and slow requests


def test_long_addresses_are_refused(served: Served) -> None:
    base = "/api/v1/games/nim/position?at="
    assert ask(served, base + "x" * (MOST_URL - len(base) + 2)).status_code == 414
    assert ask(served, base + "x" * (MOST_URL - len(base) - 100)).status_code == 422
    assert ask(served, "/" + "x" * MOST_URL).status_code == 414
    assert ask(served, "/" + "x" * 60_000).status_code in (400, 414, 431)


def test_long_bodies_are_refused_at_once(served: Served) -> None:
    port = served.place.port
    head = f"POST /api/v1/jobs HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nContent-Length: {MOST_BODY + 1}\r\n\r\n"
    assert raw(port, head.encode()).split(b" ")[1] == b"413"


def test_long_bodies_without_a_length_are_counted(served: Served) -> None:
    port = served.place.port
    head = f"POST /api/v1/jobs HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nTransfer-Encoding: chunked\r\n\r\n"
    chunk = b"10000\r\n" + b"x" * 2**16 + b"\r\n"
    answer = raw(port, head.encode() + chunk * (MOST_BODY // 2**16) + b"1\r\nx\r\n")
    assert answer.split(b" ")[1] == b"413"


def test_a_body_at_the_limit_is_read(served: Served) -> None:
    body = json.dumps({"kind": "line", "game": "nim", "at": ""}).encode().ljust(MOST_BODY)
    assert served.client.post("/api/v1/jobs", content=body).status_code == 202


@pytest.mark.parametrize(
    "message",
    [
        b"",
        b"GET / HT",
        b"GET / HTTP/1.1\r\nHost: x\r\n",
        b"POST /api/v1/jobs HTTP/1.1\r\nHost: HOST\r\nContent-Length: 9\r\n\r\n{",
    ],
)
def test_half_requests_are_closed(served: Served, monkeypatch: pytest.MonkeyPatch, message: bytes) -> None:
    page_limits(monkeypatch, request=0.5)
    with socket.create_connection(("127.0.0.1", served.place.port), timeout=20) as connection:
        connection.sendall(message.replace(b"HOST", f"127.0.0.1:{served.place.port}".encode()))
        with contextlib.suppress(ConnectionResetError):
            while connection.recv(65536):
                pass


def test_half_open_connections_do_not_stop_others(served: Served) -> None:
    with contextlib.ExitStack() as stack:
        for _ in range(900):
            half = socket.create_connection(("127.0.0.1", served.place.port), timeout=20)
            stack.callback(half.close)
            half.sendall(b"GET / HTTP/1.1\r\nHost:")
        for _ in range(20):
            assert httpx.get(f"{served.base}/healthz", timeout=20).status_code == 200
        assert served.get("/api/v1/games/nim/position").status_code == 200


# ---------------------------------------------------------------------- workers


def test_rules_cannot_take_more_memory_than_allowed(tmp_path: Path) -> None:
    file = tmp_path / "greedy.py"
    file.write_text(UNDRAWN + "    def draw(self, state): return 'x' * 10**10\n", encoding="utf-8")
    with serving([f"{file}:Countdown"], seconds=20, memory=300 * 2**20, quick=1) as served:
        answer = served.get("/games/1")
        assert answer.status_code in (503, 504)
        assert served.get("/games/nim").status_code == 200


def test_rules_that_never_answer_are_ended(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    page_limits(monkeypatch, grace=0.5)
    file = tmp_path / "endless.py"
    file.write_text(UNDRAWN + "    def draw(self, state):\n        while True: pass\n", encoding="utf-8")
    with serving([f"{file}:Countdown"], seconds=1, memory=10**9, quick=1) as served:
        answer = served.get("/games/1?hide=1")
        assert answer.status_code == 503
        assert served.get("/games/nim").status_code == 200


def test_work_ends_when_the_asker_has_gone(served: Served) -> None:
    with pytest.raises(httpx.ReadTimeout):
        served.client.get("/api/v1/games/connectfour/line?method=minimax", timeout=1.5)
    until = time.monotonic() + 20
    while any(worker.is_busy for worker in served.workers):
        assert time.monotonic() < until, "the worker still works for nobody"
        time.sleep(0.1)


def test_rules_that_print_do_not_disturb(tmp_path: Path) -> None:
    file = tmp_path / "chatty.py"
    file.write_text(
        COUNTDOWN.replace("def svg(self, state):", "def svg(self, state):\n        print('hello')").replace(
            "def start(self):", "def start(self):\n        print('hello')\n       "
        )
    )
    with serving([f"{file}:Countdown"], quick=1) as served:
        text = answered(served.client, "/games/1").text
        assert 'id="verdict">First wins by playing 2.' in text
        assert '<rect class="field"' in text


def test_workers_end_with_the_server() -> None:
    with serving(quick=1) as served:
        processes = [worker.process for worker in served.workers if worker.process]
        assert processes
    for number in processes:
        with pytest.raises(ProcessLookupError):
            os.kill(number, 0)


# ---------------------------------------------------------------------- nothing leaves the machine

_ALONE = """
import socket, sys
real = socket.socket.connect
def connect(self, address):
    if self.family in (socket.AF_INET, socket.AF_INET6) and address[0] not in ("127.0.0.1", "::1"):
        print("LEFT", address, file=sys.stderr)
        raise OSError("no network")
    return real(self, address)
socket.socket.connect = connect
def resolve(*arguments, **options):
    if arguments[0] not in ("127.0.0.1", "localhost", "::1", None):
        print("LEFT", arguments, file=sys.stderr)
        raise OSError("no names")
    return found(*arguments, **options)
found, socket.getaddrinfo = socket.getaddrinfo, resolve
"""


def test_nothing_leaves_the_machine(tmp_path: Path) -> None:
    """With a network that reports every attempt, in the server and in its workers."""
    (tmp_path / "sitecustomize.py").write_text(_ALONE, encoding="utf-8")
    environment = os.environ | {"PYTHONPATH": os.pathsep.join([str(tmp_path), *sys.path])}
    script = "import sys; from endsight.faces.cli import main; sys.argv = ['endsight', *sys.argv[1:]]; main()"
    command = [sys.executable, "-c", script, "serve", "--port", "0"]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment
    ) as process:
        assert process.stdout is not None
        base = process.stdout.readline().split()[3].rstrip("/")
        for path in ("/", "/games/tictactoe?at=a1", "/games/pigturn/dist", "/api", "/openapi.json", "/games/nim/table"):
            assert httpx.get(base + path, timeout=60).status_code == 200
        process.terminate()
        _, errors = process.communicate(timeout=30)
    assert "LEFT" not in errors


# ---------------------------------------------------------------------- many at once


def crowd(base: str, clients: int, seconds: float) -> tuple[int, list[str]]:
    """So many clients, each with a request every two seconds; how many were answered, and what went wrong."""
    paths = [
        "/games/tictactoe?at=a1",
        "/api/v1/games/nim/position",
        "/games/repeatbust:sides=4?at=4",
        "/static/endsight.css",
    ]
    answered, wrong = 0, []

    async def one(number: int, session: httpx.AsyncClient) -> None:
        nonlocal answered
        await asyncio.sleep(2 * number / clients)
        until = time.monotonic() + seconds
        turn = number
        while time.monotonic() < until:
            answer = await session.get(base + paths[turn % len(paths)])
            turn += 1
            answered += 1
            if answer.status_code != 200:
                wrong.append(f"{answer.status_code} {answer.text[:200]}")
            await asyncio.sleep(2)

    async def all_of_them() -> None:
        limits = httpx.Limits(max_connections=clients, max_keepalive_connections=clients)
        async with httpx.AsyncClient(timeout=30, limits=limits) as session:
            await asyncio.gather(*(one(number, session) for number in range(clients)))

    thread = threading.Thread(target=lambda: asyncio.run(all_of_them()))
    thread.start()
    thread.join()
    return answered, wrong


def test_many_clients_are_all_answered(served: Served) -> None:
    answered, wrong = crowd(served.base, 200, 3.0)
    assert not wrong
    assert answered >= 200


@pytest.mark.slow
def test_two_hundred_clients_for_a_minute(served: Served) -> None:
    answered, wrong = crowd(served.base, 200, 60.0)
    assert not wrong
    assert answered >= 200


@pytest.mark.parametrize("is_whole", [True, False])
def test_a_body_that_is_refused_is_read_before_the_answer(monkeypatch: pytest.MonkeyPatch, is_whole: bool) -> None:
    page_limits(monkeypatch, reading=0.05)
    assert refused_request(is_whole=is_whole) == ["read"] * (3 if is_whole else 2) + ["sent"] * 2
