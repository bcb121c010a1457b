"""Memory goes back when an answer is dropped, without waiting for Python's garbage collector."""

from __future__ import annotations

import gc
import os
import subprocess
import sys
import weakref
from collections.abc import Iterator
from pathlib import Path

import pytest

from endsight import load, solve

QUESTIONS = [
    ("connectfour:width=4,height=3,line=3", {"engine": "compiled"}),
    ("connectfour:width=4,height=3,line=3", {"engine": "compiled", "method": "layers"}),
    ("connectfour:width=4,height=3,line=3", {"engine": "compiled", "method": "graph"}),
    ("connectfour:width=4,height=3,line=3", {"engine": "plain"}),
    ("tictactoe", {"engine": "compiled", "method": "search"}),
    ("tictactoe", {"method": "alphabeta"}),
    ("tictactoe", {"method": "proofnumber"}),
    ("dominoes:n=4", {}),
    ("blackjack", {"engine": "compiled"}),
    ("pig:target=12", {"engine": "compiled", "interval": True}),
    ("pig:target=12", {"engine": "compiled", "exact": True}),
    ("ur:pieces=1", {"method": "layers", "interval": True}),
]


@pytest.fixture(autouse=True)
def no_collector() -> Iterator[None]:
    gc.collect()
    gc.disable()
    yield
    gc.enable()


@pytest.mark.parametrize(("text", "asked"), QUESTIONS, ids=str)
def test_a_dropped_answer_takes_its_tables_along(text: str, asked: dict[str, object]) -> None:
    solution = solve(load(text), **asked)  # type: ignore[arg-type]
    solution.value()
    source = weakref.ref(solution.source)
    del solution
    assert source() is None


def test_room_to_grow_does_not_hinder_other_processes() -> None:
    """A search has a quarter of the memory to grow into."""
    searches = [solve("tictactoe", engine="compiled", method="search") for _ in range(8)]
    child = os.fork()
    if not child:
        os._exit(0)
    assert os.waitpid(child, 0)[1] == 0
    assert {each.value()["first"] for each in searches} == {0}


UNDER_A_LIMIT = """
import resource, sys
from pathlib import Path
import numpy
sys.path.insert(0, sys.argv[1])
from kernel_runs import room_to_grow

data = int(Path("/proc/self/status").read_text().partition("VmData:")[2].split()[0]) * 1024
resource.setrlimit(resource.RLIMIT_DATA, (data + (1 << 30),) * 2)
rooms = [room_to_grow(8, halves=True), room_to_grow(8, halves=False)]
few = numpy.zeros(1 << 23)
try:
    numpy.zeros(1 << 27)
except MemoryError:
    print("told")
"""


@pytest.mark.skipif(sys.platform != "linux", reason="limits of private memory are Linux's")
def test_room_to_grow_leaves_a_part_of_what_a_process_may_ask_for() -> None:
    command = [sys.executable, "-c", UNDER_A_LIMIT, str(Path(__file__).parent)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, "told\n", "")
