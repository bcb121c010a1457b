"""Two processes compile one game: the same answers with a helper, without one, and with one that fails."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from endsight import Game, Question
from endsight.compiler import two_processes
from endsight.compiler.engine import solve_compiled
from endsight.compiler.kernels.backward import solve_keys
from endsight.compiler.native import Program, is_compiled
from endsight.compiler.rules import CompiledRules
from endsight.game.limits import Budget

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
    monkeypatch.setenv("ENDSIGHT_CACHE_DIR", str(tmp_path))
    monkeypatch.setattr(two_processes, "cores", lambda: 2)
    # A runner of tests may have threads of its own; they hold no lock that compiling needs.
    count, others = threading.active_count, threading.active_count() - 1
    monkeypatch.setattr(threading, "active_count", lambda: count() - others)
    return tmp_path


@pytest.fixture
def forks(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The processes that were started."""
    started: list[int] = []
    fork = os.fork

    def counted() -> int:
        child = fork()
        started.append(child)
        return child

    monkeypatch.setattr(os, "fork", counted)
    return started


def entered(program: Program) -> str:
    """The kernel that the program enters."""
    return program.kernel.rpartition("return ")[2].partition("(")[0]


def solved(game: Game) -> tuple[Any, ...]:
    source = solve_compiled(game, game.position(), Question(), "layers", symmetry=True, budget=Budget())
    return source.value(game.position()), source.distance(game.position()), source.states


def is_gone(child: int) -> bool:
    try:
        os.kill(child, 0)
    except ProcessLookupError:
        return True
    return False


def test_a_helper_leaves_what_this_process_then_loads(forks: list[int], monkeypatch: pytest.MonkeyPatch) -> None:
    compiled: list[str] = []
    load = two_processes.load
    monkeypatch.setattr(two_processes, "load", lambda program: compiled.append(entered(program)) or load(program))
    assert solved(Steps(reach=3)) == ((-1, 1), 50, 101)
    assert len(forks) == 1
    assert is_gone(forks[0])
    assert compiled == ["find_keys", "explore_graph"]
    rules = CompiledRules.of(Steps(reach=3))
    assert is_compiled(rules.program(solve_keys, WIN_LOSS=1, IN_WORD=1))


def test_a_helper_that_fails_is_not_missed(forks: list[int], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(two_processes, "_compile_and_leave", lambda programs: os._exit(7))
    assert solved(Steps(reach=4)) == ((-1, 1), 40, 101)
    assert len(forks) == 1


def test_without_room_for_a_helper_there_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    def fork() -> int:
        raise OSError(12, "Cannot allocate memory")

    monkeypatch.setattr(os, "fork", fork)
    assert solved(Steps(reach=7)) == ((1, -1), 25, 101)


def test_beside_other_threads_there_is_no_helper(forks: list[int]) -> None:
    stop = threading.Event()
    other = threading.Thread(target=stop.wait)
    other.start()
    try:
        assert solved(Steps(reach=5)) == ((1, -1), 33, 101)
    finally:
        stop.set()
        other.join()
    assert forks == []


def test_a_stop_takes_the_helper_with_it(forks: list[int], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(two_processes, "_compile_and_leave", lambda programs: time.sleep(60) or os._exit(0))
    before = signal.signal(signal.SIGALRM, lambda *_: signal.raise_signal(signal.SIGINT))
    started = time.monotonic()
    load = two_processes.load

    def load_and_ring(program: Any) -> Any:
        signal.setitimer(signal.ITIMER_REAL, 0.2 if entered(program) == "explore_graph" else 0)
        return load(program)

    monkeypatch.setattr(two_processes, "load", load_and_ring)
    try:
        with pytest.raises(KeyboardInterrupt):
            solved(Steps(reach=6))
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    assert is_gone(forks[0])
    assert time.monotonic() - started < 50


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
