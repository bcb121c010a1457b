"""A class asks about one game at the same time: it is solved once."""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import httpx

from shown import Page
from web_server import Served, serving

SLOW = """
import time
from typing import NamedTuple
from endsight import Game

class Slow(Game):
    "Take 1 or 2 from a heap; who cannot take has lost. It takes its time."
    heap: int = 12

    class State(NamedTuple):
        left: int

    def limits(self): return self.State(self.heap)
    def start(self): return self.State(self.heap)

    def moves(self, state):
        time.sleep(0.01)
        yield from range(1, min(2, state.left) + 1)

    def play(self, state, move): return self.State(state.left - move)
    def payoff(self, state): return -1
"""
CLIENTS = 30


def asked(served: Served, path: str) -> dict[str, Any]:
    with httpx.Client(base_url=served.base, timeout=100) as client:
        answer = client.get(path)
    assert answer.status_code == 200, answer.text
    return answer.json()


def test_thirty_clients_at_once_are_one_solve(tmp_path: Path) -> None:
    """Thirty different questions about one game, while it is being solved for the first of them, wait for that solve.

    Every solve is a bit quicker or slower than another; all of the answers tell of the same one.
    """
    (tmp_path / "slow.py").write_text(SLOW, encoding="utf-8")
    positions = [" ".join(["1"] * count) for count in range(1, 9)] + ["2", "2 1", "1 2", "2 2", "1 1 2"]
    paths = [f"/api/v1/games/1/{kind}?at={at}" for kind in ("position", "line", "dist") for at in positions][:CLIENTS]
    assert len(set(paths)) == CLIENTS
    with (
        serving([f"{tmp_path}/slow.py:Slow"], seconds=60, memory=10**9) as served,
        ThreadPoolExecutor(CLIENTS + 1) as clients,
    ):
        first = clients.submit(asked, served, "/api/v1/games/1/position")
        time.sleep(0.1)
        documents = [first.result(), *clients.map(lambda path: asked(served, path), paths)]
    assert len({document["method"]["seconds"] for document in documents}) == 1
    assert {document["method"]["states"] for document in documents} == {13}


def test_a_position_is_answered_by_what_is_solved_from_the_start() -> None:
    page = Page()
    for at in ("a1", "b2", "c3 b2", "a1 b2 c3"):
        page.document("position", "tictactoe", at)
    assert page.solved == [""]
