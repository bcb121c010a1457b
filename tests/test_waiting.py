"""Ctrl-C is heard within a moment, whatever is being done, and what is proven is told."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from typing import Any

import pytest

import endsight as es
from endsight.base.waiting import hearing_signals, patiently
from endsight.errors import TimeUp

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")


def test_what_is_found_or_raised_comes_back() -> None:
    assert patiently(divmod, 17, 5) == (3, 2)
    with pytest.raises(ZeroDivisionError):
        patiently(divmod, 17, 0)
    with pytest.raises(TimeoutError, match="of the work"):
        patiently(_late, "of the work")


def _late(words: str) -> None:
    raise TimeoutError(words)


def test_in_another_thread_work_runs_where_it_is() -> None:
    found: list[Any] = []
    thread = threading.Thread(target=lambda: found.append(patiently(threading.current_thread)))
    thread.start()
    thread.join()
    assert found == [thread]


def test_a_signal_ends_the_waiting_and_not_the_work() -> None:
    begun, free, done = threading.Event(), threading.Event(), threading.Event()

    def work() -> None:
        begun.set()
        free.wait()
        done.set()

    def press() -> None:
        begun.wait()
        signal.raise_signal(signal.SIGINT)

    threading.Thread(target=press).start()
    with pytest.raises(KeyboardInterrupt):
        patiently(work)
    assert not done.is_set()
    free.set()
    assert done.wait(10)


class Clearing:
    """Raises what a signal would raise while Python clears it away."""

    def __init__(self, error: BaseException) -> None:
        self.error = error

    def __del__(self) -> None:
        raise self.error


def clear_away(error: BaseException) -> None:
    Clearing(error)
    time.sleep(10)


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
    with pytest.raises(KeyboardInterrupt), hearing_signals():
        clear_away_and_wait()
    assert time.monotonic() - began < 20


@pytest.mark.parametrize("error", [KeyboardInterrupt, TimeUp])
def test_a_signal_in_the_middle_of_clearing_away_is_not_lost(error: type[BaseException]) -> None:
    def ring(number: int, frame: object) -> None:
        raise TimeUp

    before = signal.signal(signal.SIGALRM, ring)
    hook = sys.unraisablehook
    try:
        with pytest.raises(error) as found, hearing_signals():
            clear_away(error())
        assert found.type is error
    finally:
        signal.signal(signal.SIGALRM, before)
    assert sys.unraisablehook is hook


def test_other_errors_in_clearing_away_go_where_they_went(monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[Any] = []
    monkeypatch.setattr(sys, "unraisablehook", lambda lost: told.append(lost.exc_type))
    with hearing_signals():
        Clearing(ValueError())
    assert told == [ValueError]


@pytest.mark.slow
@pytest.mark.parametrize(
    "command",
    [
        ["value", "pig:target=200"],
        ["value", "connectfour:width=5,height=4", "--method", "graph", "--engine", "compiled"],
    ],
    ids=lambda command: command[1].split(":")[0],
)
@pytest.mark.parametrize("moment", [0.1, 1.0, 2.0, 3.0, 4.0, 5.5, 7.0])
def test_stopped_at_any_moment(command: list[str], moment: float) -> None:
    script = "; ".join(
        [
            "import sys; from endsight.answers import solver; from endsight.faces.cli import main",
            "told = solver.telling",
            "solver.telling = lambda *about: print('begun', file=sys.stderr, flush=True) or told(*about)",
            "sys.argv = ['endsight', *sys.argv[1:]]; main()",
        ]
    )
    process = subprocess.Popen(
        [sys.executable, "-c", script, *command], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
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
    monkeypatch.setattr("endsight.algorithms.loops.LONG", 0)
    stops: list[str] = []

    def press(work: Any, *arguments: Any, watch: Any = None) -> Any:
        stops.append("one")
        signal.raise_signal(signal.SIGINT)
        assert watch is None or callable(watch)
        return work(*arguments)

    monkeypatch.setattr("endsight.algorithms.loops.patiently", press)
    with pytest.raises(es.Interrupted) as stop:
        es.solve(es.games.Pig(target=30), interval=True)
    assert stops
    assert stop.value.lower is not None
    assert set(stop.value.lower) == {"first", "second"}
