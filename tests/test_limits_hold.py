"""Limits of time and memory end every command, also one whose rules never return, eat memory or disturb the process."""

from __future__ import annotations

import json
import os
import runpy
import signal
import subprocess
import sys
import threading
import time
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import psutil
import pytest

import endsight as es
from mean_rules import DEEDS, rules_text

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="limits hold without the work's help on Linux")

PROGRAM = "from endsight.faces.cli import main; main()"
LATE = 8.0
"""Seconds past a limit that a busy machine may need; commands that hang would take for ever."""


@dataclass(frozen=True)
class Ended:
    """How a command ended: exit code, both streams, seconds, most memory of any of its processes in bytes."""

    code: int
    out: str
    err: str
    seconds: float


def ended(*command: str, **settings: object) -> Ended:
    """`endsight` in a process of its own."""
    began = time.monotonic()
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, *command],
        capture_output=True,
        text=True,
        check=False,
        stdin=subprocess.DEVNULL,
        timeout=60,
        **settings,  # type: ignore[call-overload]
    )
    assert "Traceback" not in done.stderr, done.stderr
    return Ended(done.returncode, done.stdout, done.stderr, time.monotonic() - began)


def rules(folder: Path, kind: str, deed: str, place: str) -> str:
    """A file of rules that do that in one place."""
    path = folder / "mean.py"
    path.write_text(rules_text(place, DEEDS[kind][deed]), encoding="utf-8")
    return str(path)


@pytest.mark.parametrize(
    ("command", "deed", "place"),
    [
        ("value", "loop", "moves"),
        ("check", "deaf", "play"),
        ("estimate", "sum", "payoff"),
        ("simulate --fix first=random --fix second=random", "sleep", "moves"),
        ("solve -o {folder}/solved", "ignored", "start"),
        ("games", "power", "at_import"),
        ("review --json", "expression", "play"),
    ],
)
def test_rules_that_never_return_are_ended(command: str, deed: str, place: str, tmp_path: Path) -> None:
    name, *options = command.format(folder=tmp_path).split()
    file = rules(tmp_path, "hangs", deed, place)
    more = ["1"] if name == "review" else []
    end = ended(name, file, *more, *options, "--time", "0.3s")
    assert end.code == 5, end
    assert end.err.count("error: stopped: more than 0.3 s") == 1
    assert "--time" in end.err
    assert end.seconds < 0.3 + LATE


ENDLESS = """
from typing import NamedTuple
from endsight import Game

class Endless(Game):
    heap: int = 700

    class State(NamedTuple):
        one: int
        other: int

    def limits(self):
        return self.State(self.heap, self.heap)

    def start(self):
        return self.limits()

    def moves(self, state):
        if state.one:
            yield 0
        if state.other:
            yield 1

    def play(self, state, move):
        one, other = state.one - (move == 0), state.other - (move == 1)
        if one == 5 and other == 5:
            while True:
                unread = one
        return self.State(one, other)

    def payoff(self, state):
        return -1
"""


def test_a_loop_without_end_is_none_for_machine_code_either(tmp_path: Path) -> None:
    """One position in 491,401 has it, which is more than any audit may meet."""
    file = tmp_path / "endless.py"
    file.write_text(ENDLESS, encoding="utf-8")
    end = ended("value", str(file), "--engine", "compiled", "--time", "5s")
    assert (end.code, end.out.count("wins")) == (5, 0), end


@pytest.mark.parametrize(("deed", "place"), [("bytes", "payoff"), ("list", "moves"), ("int", "setup")])
def test_rules_that_eat_memory_are_ended(deed: str, place: str, tmp_path: Path) -> None:
    end = ended("value", rules(tmp_path, "eats", deed, place), "--memory", "200MB", "--time", "30s")
    assert end.code == 5, end
    assert end.err.startswith("error: stopped: more than 200 MB of memory")
    assert "--memory" in end.err


@pytest.mark.parametrize(
    ("deed", "place"), [("bytes", "payoff"), ("zeros", "moves"), ("int", "start"), ("zeros", "show"), ("list", "parse")]
)
def test_a_check_that_meets_the_limit_of_memory_blames_no_rule(deed: str, place: str, tmp_path: Path) -> None:
    end = ended("check", rules(tmp_path, "eats", deed, place), "--memory", "200MB", "--time", "30s")
    assert end.code == 5, end
    assert end.err.count("error: stopped: more than 200 MB of memory") == 1
    assert end.err.count("error:") == 1


@pytest.mark.parametrize("memory", ["90MB", "100MB"])
def test_libraries_that_get_no_memory_interrupt_nobody(memory: str) -> None:
    end = ended("estimate", "connectfour", "--memory", memory, "--time", "30s")
    assert end.code == 5, end
    assert "OpenBLAS" not in end.err
    assert end.err.startswith("error: stopped: more than")


LIBRARY_LACKS_MEMORY = """kept = [bytearray(b"x" * 10**6) for _ in range(150)]
    time.sleep(0.2)
    os.write(2, b"LIBRARY ERROR: out of memory\\n")
    os.abort()"""


@pytest.mark.parametrize(("memory", "is_told"), [("200MB", False), ("2GB", True)])
def test_what_libraries_print_is_told_unless_they_lacked_memory(memory: str, is_told: bool, tmp_path: Path) -> None:
    file = tmp_path / "aborts.py"
    file.write_text(rules_text("payoff", LIBRARY_LACKS_MEMORY), encoding="utf-8")
    end = ended("value", str(file), "--memory", memory, "--time", "30s")
    assert ("LIBRARY ERROR" in end.err) == is_told
    assert end.err.count("error: ") == 1
    assert end.err.startswith("LIBRARY ERROR" if is_told else "error: stopped: more than 200 MB of memory")
    assert end.code == (3 if is_told else 5)


@pytest.mark.parametrize("times", [1, 10**5])
def test_what_libraries_print_is_told_when_the_work_is_done(times: int, tmp_path: Path) -> None:
    file = tmp_path / "prints.py"
    file.write_text(rules_text("at_import", f"os.write(2, b'a library speaks\\n' * {times})"), encoding="utf-8")
    end = ended("value", str(file), "--memory", "1GB", "--time", "30s")
    assert end.code == 0, end
    assert end.err.count("a library speaks") == times


def test_a_rule_that_says_that_memory_has_ended_is_broken(tmp_path: Path) -> None:
    end = ended("check", rules(tmp_path, "raises", "memory", "payoff"), "--memory", "1GB", "--time", "30s")
    assert end.code == 4
    assert "payoff raises MemoryError" in end.out


def test_memory_stays_within_a_tenth_of_its_limit(tmp_path: Path) -> None:
    file = rules(tmp_path, "eats", "objects", "play")
    command = [sys.executable, "-c", PROGRAM, "value", file, "--memory", "150MB", "--time", "30s"]
    most = 0
    with subprocess.Popen(command, stderr=subprocess.DEVNULL) as process:
        while process.poll() is None:
            with suppress(psutil.Error):
                for worker in psutil.Process(process.pid).children(recursive=True):
                    most = max(most, worker.memory_info().rss)
            time.sleep(0.005)
    assert process.returncode == 5
    assert 50e6 < most < 1.1 * 150e6


def test_what_is_proven_is_told_where_a_stop_is_heard(tmp_path: Path) -> None:
    end = ended("value", rules(tmp_path, "hangs", "loop", "limits"), "--time", "0.3s", "--json")
    document = json.loads(end.out)
    assert (end.code, document["status"]) == (5, "enclosed")
    assert document["lower"]["first"]["exact"] == "-1"


def test_a_batch_ends_as_a_whole(tmp_path: Path) -> None:
    lines = tmp_path / "positions.txt"
    lines.write_text("\n1\n2\n1 1\n1 2\n" * 4, encoding="utf-8")
    end = ended("value", rules(tmp_path, "hangs", "sleep", "limits"), "--at", f"@{lines}", "--jsonl", "--time", "0.3s")
    assert end.code == 5
    assert len(end.out.splitlines()) == 20
    assert end.seconds < 0.3 + LATE


def test_the_watching_process_hands_on_how_the_work_ended(tmp_path: Path) -> None:
    assert ended("value", "tictactoe", "--time", "60s", "--memory", "4GB").out == "draw\n"
    assert ended("value", "tictactoe", "--at", "z9", "--time", "60s").code == 3
    left = ended("value", rules(tmp_path, "raises", "leave", "moves"), "--time", "60s")
    assert left.code == 3
    assert left.err.startswith("error: the rules ended the process")


UNHEARD = "; ".join(
    [
        "signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})",
        "print('at work', flush=True)",
        "signal.sigwait({signal.SIGINT})",
        "signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})",
        "time.sleep(60)",
    ]
)
"""Rules that take the first Ctrl-C away, as a call that begins to wait in that very moment does."""


@pytest.mark.parametrize("deed", ["print('at work', flush=True); time.sleep(60)", UNHEARD], ids=["heard", "unheard"])
def test_ctrl_c_reaches_the_work_once(deed: str, tmp_path: Path) -> None:
    file = tmp_path / "slow.py"
    file.write_text(rules_text("play", deed), encoding="utf-8")
    command = [sys.executable, "-c", PROGRAM, "value", str(file), "--time", "50s"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr is not None
        assert process.stderr.readline() == "at work\n"
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=30)
    assert process.returncode == 130, (out, err)
    assert err.count("stopped by Ctrl-C") == 1
    assert "Traceback" not in err


# -------------------------------------------------------------------- in Python


def game(folder: Path, place: str) -> es.Game:
    return runpy.run_path(rules(folder, "hangs", "loop", place))["Mean"]()  # type: ignore[no-any-return]


def test_solve_stops_rules_that_never_return(tmp_path: Path) -> None:
    with pytest.raises(es.LimitReached, match=r"more than 0.2 s"):
        es.solve(game(tmp_path, "play"), limits=es.Limits(seconds=0.2))


def test_an_alarm_of_the_program_itself_is_left_alone(tmp_path: Path) -> None:
    import signal

    rang = []
    before = signal.signal(signal.SIGALRM, lambda *_: rang.append(time.monotonic()))
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.05)
        assert es.solve(es.games.Pots([4, 9, 2, 7]), limits=es.Limits(seconds=60)).value()["first"] == 16
        deadline = time.monotonic() + 30
        while not rang and time.monotonic() < deadline:
            time.sleep(0.01)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    assert rang


def test_several_calls_share_one_limit() -> None:
    limits = es.Limits(seconds=5, since=time.monotonic() - 6)
    with pytest.raises(es.LimitReached, match="more than 5 s"):
        es.solve(es.games.TicTacToe(), method="graph", engine="plain", limits=limits)


@pytest.mark.parametrize("method", ["auto", "graph", "layers", "search", "minimax"])
@pytest.mark.parametrize("engine", ["plain", "compiled"])
def test_a_limit_of_states_is_passed_by_little(method: str, engine: str) -> None:
    """Machine code met half a million states under a limit of a thousand before it looked."""
    game, most = es.games.ConnectFour(width=4, height=4), 2_000
    with pytest.raises(es.LimitReached) as stopped:
        es.solve(game, method=method, engine=engine, limits=es.Limits(states=most))
    assert most < stopped.value.states <= most + (most // 64) * game.width


def test_solving_in_another_thread_needs_no_signal() -> None:
    values: list[object] = []

    def work() -> None:
        values.append(es.solve(es.games.Pots([4, 9, 2, 7]), limits=es.Limits(seconds=60)).value()["first"])

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert values == [16]


# -------------------------------------------------------------------- what rules do to the process


@pytest.mark.parametrize("deed", ["print", "close", "close numbers", "none", "signals", "folder", "write"])
@pytest.mark.parametrize("place", ["at_import", "payoff"])
def test_rules_that_disturb_the_process_do_not_reach_the_answer(deed: str, place: str, tmp_path: Path) -> None:
    if (deed, place) == ("close numbers", "payoff"):  # again and again: the second time it is an error
        pytest.skip("closing what is closed raises an exception")
    end = ended("value", rules(tmp_path, "disturbs", deed, place), "--json", env=os.environ | {"PYTHONUTF8": "1"})
    assert end.code == 0, end
    assert json.loads(end.out)["value"]["first"]["exact"] == "1"


@pytest.mark.parametrize("deed", ["base", "interrupt", "exit", "generator", "stop", "broken pipe", "own"])
@pytest.mark.parametrize("place", ["at_import", "setup", "moves", "payoff"])
def test_whatever_rules_raise_is_their_fault(deed: str, place: str, tmp_path: Path) -> None:
    from command_line import run

    file = rules(tmp_path, "raises", deed, place)
    # In a process of its own a command knows Ctrl-C from an exception of that name.
    end = ended("value", file) if deed == "interrupt" else run("value", file)
    assert end.code == 3, end
    assert end.err.startswith("error: ")
    assert "mean.py, line" in end.err or (deed, place) == ("stop", "moves")
