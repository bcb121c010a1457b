"""The server: its application, its socket, and its run."""

from __future__ import annotations

import asyncio
import socket
import webbrowser
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import asynccontextmanager, suppress
from functools import partial
from typing import Any

import h11
import uvicorn
from fastapi import FastAPI, Request, Response
from uvicorn.protocols.http.h11_impl import H11Protocol

import endsight
from endsight.errors import EndsightError
from endsight.faces.web import api, pages, rendering, table_pages
from endsight.faces.web.guard import Guard
from endsight.faces.web.jobs import Settings
from endsight.faces.web.offered_games import OfferedGames
from endsight.faces.web.place import Host, qr_text
from endsight.faces.web.pool import Pool
from endsight.faces.web.problems import Problem, Refused, problem_of_error
from endsight.faces.web.tables import TableHost, Tables

RECEIPT_SECONDS = 5.0
"""Seconds within which a request must arrive in full, from the connection or from its first byte."""
MOST_CONNECTIONS = 256
"""Beyond this number, the oldest connection without a complete request is closed for a new one."""


class Guarded(H11Protocol):
    """uvicorn's HTTP/1.1 connection with a deadline for requests, and a limit of connections."""

    deadline: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Make room if there are too many connections, and start the clock."""
        super().connection_made(transport)
        self._arm()
        if len(self.connections) > MOST_CONNECTIONS:
            self._make_room()

    def data_received(self, data: bytes) -> None:
        """Keep the clock running until the request is complete."""
        super().data_received(data)
        if self._is_waited_for():
            self._arm()
        else:
            self._disarm()

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop the clock."""
        self._disarm()
        super().connection_lost(exc)

    def _is_waited_for(self) -> bool:
        """Return whether a request is incomplete."""
        return self.conn.their_state in (h11.IDLE, h11.SEND_BODY) and not self.transport.is_closing()

    def _arm(self) -> None:
        if self.deadline is None:
            self.deadline = self.loop.call_later(RECEIPT_SECONDS, self._give_up)

    def _disarm(self) -> None:
        if self.deadline is not None:
            self.deadline.cancel()
            self.deadline = None

    def _give_up(self) -> None:
        self.deadline = None
        if self._is_waited_for():
            self.transport.abort()

    def _make_room(self) -> None:
        """End the connection that has waited longest for its request, or this one if all others are busy."""
        waiting: list[Any] = [
            other
            for other in self.connections
            if isinstance(other, Guarded) and other is not self and other.deadline is not None
        ]
        idle: list[Any] = [each for each in self.connections if getattr(each, "timeout_keep_alive_task", None)]
        for other in sorted(waiting, key=lambda each: each.deadline.when())[:1] or idle[:1] or [self]:
            other.transport.abort()


FORGOTTEN = 12.0
"""Seconds after which work that no page asks about any more is cancelled."""
KEEP_ALIVE = 15
_SCHEMAS = ("position", "line", "table", "distribution", "review", "certificate", "games", "game", "job")
_TABLE_SCHEMAS = ("seat", "seats")


def application(
    specs: Sequence[str] = (), settings: Settings | None = None, place: Host | None = None, seed: int | None = None
) -> FastAPI:
    """Return the pages and the API over their own pool of workers; `seed` makes the draws at tables reproducible."""
    pool, offered, place = Pool(settings), OfferedGames(specs), place or Host()

    @asynccontextmanager
    async def lifespan(_app: FastAPI) -> AsyncIterator[None]:
        await pool.open()
        keeper = asyncio.get_running_loop().create_task(_tidy(pool))
        try:
            yield
        finally:
            keeper.cancel()
            with suppress(asyncio.CancelledError):
                await keeper
            await pool.close()

    app = FastAPI(
        title="endsight",
        version=endsight.__version__,
        summary="Exact answers about finite games",
        license_info={"name": "MIT", "identifier": "MIT"},
        lifespan=lifespan,
        docs_url=None,
        redoc_url=None,
        openapi_url="/openapi.json",
        redirect_slashes=False,
    )
    app.openapi = partial(openapi_document, app)  # type: ignore[method-assign]
    app.state.pool, app.state.offered, app.state.place, app.state.tables = pool, offered, place, Tables(seed)
    app.state.play = TableHost(pool, app.state.tables)
    for routes in (api.routes, table_pages.routes, pages.routes):
        app.include_router(routes)
    app.add_exception_handler(404, _nothing)
    app.add_exception_handler(405, _nothing)
    app.add_exception_handler(EndsightError, _failed)
    app.add_exception_handler(Refused, _refused)
    return app


async def _tidy(pool: Pool) -> None:
    while True:
        await asyncio.sleep(1)
        pool.forget(FORGOTTEN)


async def _nothing(request: Request, error: Any) -> Response:
    status = int(error.status_code)
    title = "No such page" if status == 404 else "Method not allowed"
    problem = {"type": "about:blank", "title": title, "status": status, "detail": "there is nothing at this address"}
    return _shown(request, problem)


async def _failed(request: Request, error: Any) -> Response:
    return _shown(request, problem_of_error(error))


async def _refused(request: Request, refused: Any) -> Response:
    return _shown(request, refused.problem, refused.back)


def _shown(request: Request, problem: Problem, back: str = "/") -> Response:
    """Return a problem in a form that the client can read."""
    is_document = request.url.path.startswith("/api")
    return api.problem_response(problem) if is_document else rendering.problem_page(problem, back)


def openapi_document(app: FastAPI) -> dict[str, Any]:
    """Return the OpenAPI 3.1 description of the API, with the schemas of all documents."""
    document = FastAPI.openapi(app)
    document.setdefault("components", {}).setdefault("schemas", {}).update(
        {name: api.schema_of(name) for name in _SCHEMAS + _TABLE_SCHEMAS} | {"problem": api.PROBLEM_SCHEMA}
    )
    return document


def guarded(app: FastAPI, place: Host) -> Guard:
    """Put the application behind the checks that every request must pass."""
    return Guard(app, place, rendering.problem_text)


# ---------------------------------------------------------------------- running it


def server_for(app: Guard, ready: Callable[[], None]) -> uvicorn.Server:
    """Return the server of an application; it calls `ready` once it listens."""
    config = uvicorn.Config(
        app,
        http=Guarded,
        ws="none",
        lifespan="on",
        access_log=False,
        log_level="error",
        server_header=False,
        date_header=False,
        timeout_keep_alive=KEEP_ALIVE,
        timeout_graceful_shutdown=2,
        h11_max_incomplete_event_size=32 * 1024,
        proxy_headers=False,
    )
    return _Server(config, ready)


def run(
    specs: Sequence[str],
    place: Host,
    listener: socket.socket,
    settings: Settings,
    *,
    seed: int | None = None,
    opens: bool,
    with_codes: bool = False,
    tell: Callable[..., None],
) -> None:
    """Serve until Ctrl-C; `with_codes` also prints the addresses for other machines as QR codes."""

    def ready() -> None:
        tell(f"endsight is at {place.address}  (Ctrl-C ends it)", *invitation(place, with_codes=with_codes))
        if opens:
            webbrowser.open(place.address)

    with suppress(KeyboardInterrupt):
        server_for(guarded(application(specs, settings, place, seed), place), ready).run([listener])


class _Server(uvicorn.Server):
    """Calls back when it is ready."""

    def __init__(self, config: uvicorn.Config, ready: Callable[[], None]) -> None:
        super().__init__(config)
        self.ready = ready

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start up as usual, then call back."""
        await super().startup(sockets)
        if self.started:
            self.ready()


def invitation(place: Host, *, with_codes: bool) -> list[str]:
    """Return lines on who may connect, and how; none if only this machine can."""
    if place.is_local:
        return []
    if not place.others:
        return ["This machine is in no network: no other one can connect."]
    ending = "Whoever has one of these addresses can use this server until it ends; all others are refused."
    return ["", "From other machines in the same network:", *_addresses(place, with_codes=with_codes), ending]


def _addresses(place: Host, *, with_codes: bool) -> Iterator[str]:
    for address in place.others:
        yield f"  {address}"
        if with_codes:
            yield from qr_text(address).splitlines()
