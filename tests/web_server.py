"""A server of the page in this process, on a free port, for tests that ask it as anybody would."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any
from unittest.mock import patch

import httpx
from fastapi import FastAPI

from endsight.faces.web import pool
from endsight.faces.web.place import Place, placed
from endsight.faces.web.pool import Settings
from endsight.faces.web.server import application, guarded, server_for

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


@dataclass(frozen=True)
class Served:
    """A running server, and a client for it that follows no redirects."""

    place: Place
    app: FastAPI
    client: httpx.Client

    @property
    def base(self) -> str:
        return f"http://127.0.0.1:{self.place.port}"

    def get(self, path: str, **options: object) -> httpx.Response:
        return self.client.get(path, **options)  # type: ignore[arg-type]


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
