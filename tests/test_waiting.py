"""Ctrl-C is heard within a moment, whatever is being done, and what is proven is told."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, ClassVar, NamedTuple

import pytest

import endsight as es
from endsight.errors import TimeUp
from thresholds import wait_for_every_kernel

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")


class Acting(es.Game):
    """One move, and `deed` is done where the payoff is asked."""

    players = 1
    deed: ClassVar[Callable[[], None]]

    class State(NamedTuple):
        left: int

    def limits(self) -> State:
        return self.State(1)

    def start(self) -> State:
        return self.State(1)

    def moves(self, state: State) -> Iterator[int]:
        yield from range(state.left)

    def play(self, state: State, move: int) -> State:
        return self.State(0)

    def payoff(self, state: State) -> int:
        type(self).deed()
        return 5


def doing(deed: Callable[[], None]) -> Any:
    """The game in which that is done is solved in Python."""
    game = type("Doing", (Acting,), {"deed": staticmethod(deed)})()
    return es.solve(game, engine="plain", limits=es.Limits(seconds=60))


class Clearing:
    """Raises what a signal would raise while Python clears it away."""

    def __init__(self, error: BaseException) -> None:
        self.error = error

    def __del__(self) -> None:
        raise self.error


class ClearingWhileInterrupted:
    """Python clears it away while Ctrl-C comes."""

    def __del__(self) -> None:
        os.kill(os.getpid(), signal.SIGINT)
        for _ in range(1000):
            pass


def test_ctrl_c_in_the_middle_of_clearing_away_ends_a_call_that_waits() -> None:
    def clear_away_and_wait() -> None:
        ClearingWhileInterrupted()
        time.sleep(30)

    began = time.monotonic()
    with pytest.raises(es.Interrupted):
        doing(clear_away_and_wait)
    assert time.monotonic() - began < 20


@pytest.mark.parametrize(("error", "stop"), [(KeyboardInterrupt, es.Interrupted), (TimeUp, es.LimitReached)])
def test_a_signal_in_the_middle_of_clearing_away_is_not_lost(
    error: type[BaseException], stop: type[BaseException]
) -> None:
    def clear_away() -> None:
        Clearing(error())
        time.sleep(10)

    hook = sys.unraisablehook
    with pytest.raises(stop):
        doing(clear_away)
    assert sys.unraisablehook is hook


def test_other_errors_in_clearing_away_go_where_they_went(monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[Any] = []
    monkeypatch.setattr(sys, "unraisablehook", lambda lost: told.append(lost.exc_type))
    assert doing(lambda: Clearing(ValueError()) and None).values() == (5,)
    assert set(told) == {ValueError}


OWN = """
import os
from endsight import games

class Own(games.{name}):
    def setup(self):
        super().setup()
        os.write(2, b"begun\\n")
"""


@pytest.mark.slow
@pytest.mark.parametrize(
    "command",
    [["Pig", "target=200"], ["ConnectFour", "width=5,height=4", "--method", "graph", "--engine", "compiled"]],
    ids=lambda command: command[0],
)
@pytest.mark.parametrize("moment", [0.1, 1.0, 2.0, 3.0, 4.0, 5.5, 7.0])
def test_stopped_at_any_moment(command: list[str], moment: float, tmp_path: Path) -> None:
    name, settings, *options = command
    (tmp_path / "own.py").write_text(OWN.format(name=name))
    process = subprocess.Popen(
        [sys.executable, "-m", "endsight", "value", f"{tmp_path}/own.py:Own:{settings}", *options],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stderr is not None
    assert process.stderr.readline() == "begun\n"
    time.sleep(moment)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=30)
    if process.returncode == 0:  # done by then
        assert "first" in out
        return
    assert process.returncode == 130
    assert "stopped by Ctrl-C" in err
    assert "Traceback" not in err
    assert out.startswith("Proven so far: first from ")


def test_stopped_in_python_with_what_is_proven(monkeypatch: pytest.MonkeyPatch) -> None:
    """The kernels of enclosing are waited for, and a signal there becomes `Interrupted`."""
    wait_for_every_kernel(monkeypatch)
    timer = threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT))
    timer.start()
    with pytest.raises(es.Interrupted) as stop:
        es.solve(es.games.Pig(target=100), interval=True)
    assert stop.value.lower is not None
    assert set(stop.value.lower) == {"first", "second"}


def test_kernels_give_the_same_wherever_they_are_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    game = es.games.Pig(target=10)
    found = [es.solve(game, interval=True).values()]
    wait_for_every_kernel(monkeypatch)
    thread = threading.Thread(target=lambda: found.append(es.solve(game, interval=True).values()))
    thread.start()
    thread.join()
    found.append(es.solve(game, interval=True).values())
    assert found == [found[0]] * 3
