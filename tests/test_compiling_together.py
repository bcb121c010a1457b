"""Two processes compile one game: the same answers with a helper, without one, and with one that fails."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from endsight import Game, solve

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="processes are copied on Linux only")


class Steps(Game):
    """Walk up to `reach` steps at a time; who cannot walk on has lost."""

    reach: int = 3

    class State(NamedTuple):
        at: int

    def limits(self) -> Any:
        return self.State(1000)

    def start(self) -> Any:
        return self.State(0)

    def moves(self, state: Any) -> Iterator[int]:
        for count in range(1, self.reach + 1):
            if state.at + count <= 100:
                yield count

    def play(self, state: Any, move: int) -> Any:
        return self.State(state.at + move)

    def payoff(self, state: Any) -> int:
        return -1


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("ENDSIGHT_CACHE_DIR", str(tmp_path / "own"))
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: {0, 1})
    # A runner of tests may have threads of its own; they hold no lock that compiling needs.
    count, others = threading.active_count, threading.active_count() - 1
    monkeypatch.setattr(threading, "active_count", lambda: count() - others)
    return tmp_path


Patch = Callable[[Callable[[], Any], Callable[[], Any]], list[int]]


@pytest.fixture
def forks(monkeypatch: pytest.MonkeyPatch) -> Patch:
    """What has the copy of this process do something first, and then this process; gives the copies' numbers."""
    fork = os.fork

    def do(in_copy: Callable[[], Any] = int, here: Callable[[], Any] = int) -> list[int]:
        started: list[int] = []

        def forked() -> int:
            child = fork()
            (here if child else in_copy)()
            started.append(child)
            return child

        monkeypatch.setattr(os, "fork", forked)
        return started

    return do


def solved(game: Game) -> tuple[Any, ...]:
    solution = solve(game, method="layers", engine="compiled")
    assert solution.source.refusal is None
    return solution.values(), solution.distance(), solution.states


def kernels_in(folder: Path) -> int:
    """How many are kept there."""
    return len([*folder.glob("*.object")])


def wait_for_kernels(folder: Path, count: int) -> None:
    """Wait until that many are kept there, at most a minute."""
    until = time.monotonic() + 60
    while kernels_in(folder) < count:
        assert time.monotonic() < until, "the helper does not do its work"
        time.sleep(0.01)


def is_gone(child: int) -> bool:
    try:
        os.kill(child, 0)
    except ProcessLookupError:
        return True
    return False


def test_a_helper_leaves_what_this_process_then_loads(forks: Patch, folder: Path) -> None:
    started = forks()
    assert solved(Steps(reach=3)) == ((-1, 1), 50, 101)
    assert is_gone(*started)
    assert kernels_in(folder / "own") == 3


def test_a_helper_works_while_this_process_does_something_else(forks: Patch, folder: Path) -> None:
    started = forks(here=lambda: wait_for_kernels(folder / "own", 3))
    assert solved(Steps(reach=8)) == ((1, -1), 23, 101)
    assert is_gone(*started)


def test_what_a_helper_leaves_elsewhere_is_compiled_again(forks: Patch, folder: Path) -> None:
    forks(
        in_copy=lambda: os.environ.update(ENDSIGHT_CACHE_DIR=str(folder / "other")),
        here=lambda: wait_for_kernels(folder / "other", 2),
    )
    assert solved(Steps(reach=2))[2] == 101
    assert kernels_in(folder / "own") == 3


def test_a_helper_that_fails_is_not_missed(forks: Patch, folder: Path) -> None:
    started = forks(in_copy=lambda: os._exit(7))
    assert solved(Steps(reach=4)) == ((-1, 1), 40, 101)
    assert (len(started), kernels_in(folder / "own")) == (1, 3)


def test_without_room_for_a_helper_there_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    def fork() -> int:
        raise OSError(12, "Cannot allocate memory")

    monkeypatch.setattr(os, "fork", fork)
    assert solved(Steps(reach=7)) == ((1, -1), 25, 101)


@pytest.mark.parametrize(
    ("method", "reach", "kernels"), [("layers", 21, 3), ("search", 22, 3), ("proofnumber", 23, 2), ("graph", 24, 1)]
)
def test_only_kernels_that_a_method_runs_are_compiled(
    method: Any, reach: int, kernels: int, forks: Patch, folder: Path
) -> None:
    """One explores for the comparison; all were compiled beforehand by the helper, and no others are needed later."""
    forks(here=lambda: wait_for_kernels(folder / "own", kernels))
    solution = solve(Steps(reach=reach), method=method, engine="compiled")
    assert solution.source.refusal is None
    assert kernels_in(folder / "own") == kernels


def test_beside_other_threads_there_is_no_helper(forks: Patch) -> None:
    started = forks()
    stop = threading.Event()
    other = threading.Thread(target=stop.wait)
    other.start()
    try:
        assert solved(Steps(reach=5)) == ((1, -1), 33, 101)
    finally:
        stop.set()
        other.join()
    assert started == []


def test_a_stop_takes_the_helper_with_it(forks: Patch) -> None:
    before = signal.signal(signal.SIGALRM, lambda *_: signal.raise_signal(signal.SIGINT))
    begun = time.monotonic()
    started = forks(in_copy=lambda: time.sleep(60), here=lambda: signal.setitimer(signal.ITIMER_REAL, 0.05))
    try:
        with pytest.raises(KeyboardInterrupt):
            solved(Steps(reach=6))
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    assert is_gone(*started)
    assert time.monotonic() - begun < 50


def test_the_answer_is_printed_once(folder: Path) -> None:
    """What is in the buffers when the process is copied is written by one of the two only."""
    script = (
        "import sys; sys.argv = ['endsight', 'value', 'chomp:width=4,height=5', '--engine', 'compiled']\n"
        "sys.stdout.write('before ')\n"
        "from endsight.faces.cli import main\nmain()"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.count("before") == 1
    assert done.stdout.startswith("before first wins in ")
    assert done.stderr == ""
