"""A server of the page in this process, on a free port, for tests that ask it as anybody would."""

from __future__ import annotations

import asyncio
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from typing import Any, NamedTuple
from unittest.mock import patch

import httpx
import pytest
from fastapi import FastAPI

from endsight.errors import EndsightError, UnknownGameError
from endsight.faces.documents import error_document
from endsight.faces.web import pool
from endsight.faces.web.drawing import rebuilt
from endsight.faces.web.guard import Guard
from endsight.faces.web.offered_games import NamedGame, OfferedGames
from endsight.faces.web.place import Host, placed, qr_text
from endsight.faces.web.pool import Settings
from endsight.faces.web.problems import family_of, problem_of
from endsight.faces.web.server import application, guarded, server_for
from endsight.faces.web.tables import Tables

COUNTDOWN = """
from typing import NamedTuple
from endsight import Game

class Countdown(Game):
    "Take 1 to `most` from a heap; who cannot take has lost."
    heap: int = 10
    most: int = 3

    class State(NamedTuple):
        left: int

    def limits(self): return self.State(self.heap)
    def start(self): return self.State(self.heap)
    def moves(self, state): yield from range(1, min(self.most, state.left) + 1)
    def play(self, state, move): return self.State(state.left - move)
    def payoff(self, state): return -1
    def svg(self, state):
        return '<svg viewBox="0 0 80 20">' + "".join(
            f'<g data-move="{move}"><rect class="field" x="{20 * move}" width="9" height="9"/></g>'
            for move in self.moves(state)
        ) + "</svg>"
"""

_ONE_WORKER = "from endsight.faces.web import pool; pool.QUICK = 1; from endsight.faces.cli import main; main()"
QUICKLY = (sys.executable, "-c", _ONE_WORKER, "serve", "--port", "0")
"""`endsight serve` with one worker for whatever comes in place of three, each of which takes a second to begin."""


class Working(NamedTuple):
    """A worker of a server.

    process     the number of its process, 0 before there is one
    is_apart    whether it is left alone with one long question
    is_resting  whether it was told to stand still
    is_still    whether it stands still
    is_busy     whether it works for anybody
    game        the game it is or was asked about last
    """

    process: int
    is_apart: bool
    is_resting: bool
    is_still: bool
    is_busy: bool
    game: str


@dataclass(frozen=True)
class Served:
    """A running server, and a client for it that follows no redirects."""

    place: Host
    app: FastAPI
    client: httpx.Client

    @property
    def base(self) -> str:
        return f"http://127.0.0.1:{self.place.port}"

    @property
    def workers(self) -> list[Working]:
        """All workers there are."""
        return [_seen(worker) for worker in self.app.state.pool.workers]

    @property
    def still(self) -> list[Working]:
        """Workers that stand still."""
        return [worker for worker in self.workers if worker.is_resting and worker.is_still]

    @property
    def tables(self) -> int:
        """How many tables are open."""
        return len(self.app.state.tables.by_key)

    def get(self, path: str, **options: object) -> httpx.Response:
        return self.client.get(path, **options)  # type: ignore[arg-type]


def _seen(worker: Any) -> Working:
    still, process = worker.rested.is_set(), worker.process
    at_work = worker.job is not None and not still
    game = "" if worker.job is None else worker.job.ask.spec
    return Working(process.pid if process else 0, worker.apart, worker.resting, still, at_work, game)


def answered(client: httpx.Client, address: str) -> httpx.Response:
    """The answer of a page when its work is done; on a busy machine a page that waits for it comes before."""
    until = time.monotonic() + 30
    while 'name="job"' in (answer := client.get(address)).text and time.monotonic() < until:
        time.sleep(0.05)
    return answer


@contextmanager
def serving(
    specs: Sequence[str] = (),
    seconds: float = 20,
    memory: int = 10**9,
    token: str | None = None,
    inside: Callable[[Any], Any] = lambda app: app,
    quick: int = pool.QUICK,
) -> Iterator[Served]:
    """A server that ends with the block; `inside` puts something around the application, behind its guard.

    Questions one after the other, none of them long, need no more than one quick worker; each takes a second to begin.
    """
    place, listener = placed("127.0.0.1", 0, token)
    app = application(specs, Settings(seconds=seconds, memory=memory))
    is_ready = threading.Event()
    server = server_for(guarded(inside(app), place), is_ready.set)
    thread = threading.Thread(target=server.run, args=([listener],))
    try:
        with (
            patch.object(pool, "QUICK", quick),
            httpx.Client(base_url=f"http://127.0.0.1:{place.port}", timeout=60) as client,
        ):
            thread.start()
            assert is_ready.wait(30)
            yield Served(place, app, client)
    finally:
        server.should_exit = True
        thread.join(30)
        listener.close()
        assert not thread.is_alive()


# ---------------------------------------------------------------------- limits, made small


def page_limits(patch: pytest.MonkeyPatch, **limits: float) -> None:
    """Other limits of a running server.

    stopping  seconds in which work that is cancelled must stand still
    rest      seconds after which a worker that stands still is ended
    grace     seconds beyond a limit after which a worker is ended
    free      bytes of memory that are free
    tables    the most tables at a time
    unused    seconds after which a table that nobody used makes room for another
    idle      seconds after which a table that nobody used is forgotten
    request   seconds in which a request must have come
    reading   seconds in which the rest of a request that is refused is read
    page      seconds after which a page says that it takes a while
    """
    homes = {
        "stopping": "pool.REST_GRACE",
        "rest": "pool.LONGEST_REST",
        "grace": "pool.GRACE",
        "tables": "tables.MOST_TABLES",
        "unused": "tables.LEAST_IDLE",
        "idle": "tables.IDLE",
        "request": "server.RECEIPT_SECONDS",
        "reading": "guard.PATIENCE",
        "page": "pages.VIEW_SECONDS",
    }
    for name, number in limits.items():
        if name == "free":
            patch.setattr(pool, "free_memory", partial(int, number))
        else:
            patch.setattr(f"endsight.faces.web.{homes[name]}", number)


def page_needs(patch: pytest.MonkeyPatch, *packages: str) -> None:
    """The page needs these packages."""
    patch.setattr("endsight.faces.cli.serve.NEEDED", packages)


# ---------------------------------------------------------------------- parts of a server


def needs_a_token(host: str) -> bool:
    """Whether a server there is reached by others, so that it asks for a token."""
    return not Host(host).is_local


@contextmanager
def taking_a_port(host: str = "127.0.0.1") -> Iterator[Host]:
    """A place that is listened at."""
    place, listener = placed(host, 0)
    try:
        yield place
    finally:
        listener.close()


def code_of(address: str) -> str:
    """The picture that a telephone reads as that address."""
    return "\n".join(qr_text(address).splitlines())


def problem_of_error(error: EndsightError) -> dict[str, Any]:
    """What the page tells of an error."""
    return dict(problem_of({"failure": {"error": error_document(error), "family": family_of(error)}}))


def offered(specs: Sequence[str], text: str) -> str | None:
    """The game that a request means by a text, on a server of those games; None where there is none."""
    try:
        return OfferedGames(specs).find(text).spec
    except UnknownGameError:
        return None


def secrets_of_tables(count: int, seed: int | None = None) -> list[tuple[str, set[str]]]:
    """What so many tables draw from, opened one after the other on a server with that seed, and their seats' tokens."""
    room, ways = Tables(seed), {"first": "hand", "second": "hand"}
    made = [room.open(NamedGame("kuhn", "kuhn"), ways) for _ in range(count)]
    return [(table.seed, {seat.token for seat in table.seats}) for table in made]


def drawing_on_page(text: object, moves: dict[str, tuple[str, str]] | None = None) -> str:
    """A drawing of rules as a page shows it, with the address and the name of each move."""
    return rebuilt(text, moves or {})  # type: ignore[arg-type]


def refused_request(*, is_whole: bool) -> list[str]:
    """What the guard reads and sends of a request of three parts from elsewhere, the last two of which may never come.

    `asked` if it lets it through.
    """
    log: list[str] = []

    async def receive() -> dict[str, object]:
        if log.count("read") == 2 and not is_whole:
            await asyncio.sleep(60)
        log.append("read")
        return {"type": "http.request", "body": b"x" * 9, "more_body": log.count("read") < 3}

    async def send(message: object) -> None:
        log.append("sent")

    async def asked(*_: object) -> None:
        log.append("asked")

    scope = {"type": "http", "method": "POST", "path": "/", "headers": [(b"host", b"elsewhere")], "query_string": b""}
    asyncio.run(Guard(asked, Host(), str)(scope, receive, send))
    return log


def status_for_length(length: bytes) -> int:
    """The status of the guard's answer to a request whose header says that the body has this length; 200 if it passes.

    The server in front of the guard reads that header as well, and refuses some.
    """
    told: list[int] = []

    async def receive() -> dict[str, object]:
        return {"type": "http.request", "body": b"", "more_body": False}

    async def send(message: dict[str, Any]) -> None:
        told.append(message.get("status", 0))

    async def asked(*_: object) -> None:
        told.append(200)

    headers = [(b"host", b"127.0.0.1:8642"), (b"content-length", length)]
    scope = {"type": "http", "method": "POST", "path": "/", "headers": headers, "query_string": b""}
    asyncio.run(Guard(asked, Host(), str)(scope, receive, send))
    return told[0]


def errors_after_an_early_end() -> list[Any]:
    """What asyncio is left with where a worker ends before it is ready, and its pool closes."""
    errors: list[Any] = []

    async def end_at_once() -> None:
        asyncio.get_running_loop().set_exception_handler(lambda _, context: errors.append(context))
        workers = pool.Pool(Settings())
        await workers.open()
        workers._drop(workers.workers[0])
        new = next(worker for worker in workers.workers if worker.starting and not worker.starting.done())
        while new.process is None:
            await asyncio.sleep(0.01)
        new.kill()
        await asyncio.wait([new.starting] if new.starting else [])
        await workers.close()

    asyncio.run(end_at_once())
    return errors


def drop_workers_that_start(steps: int) -> None:
    """A pool begins, and closes after so many steps of its start."""

    async def drop_soon() -> None:
        workers = pool.Pool(Settings())
        opening = asyncio.ensure_future(workers.open())
        for _ in range(steps):
            await asyncio.sleep(0)
        for worker in list(workers.workers):
            workers._drop(worker)
        await workers.close()
        await asyncio.gather(opening, return_exceptions=True)

    asyncio.run(drop_soon())
