"""Threads over one table: the same answers as one thread, also where tables grow and where things go wrong."""

from __future__ import annotations

import gc
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

import endsight as es
from amounts import each
from both_engines import positions, read_python, words_of_key
from endsight import Game, Limits
from endsight.errors import LimitReached
from kernel_runs import together
from thresholds import threads_from_the_first_states


class Picks(Game):
    """Players set bits in turn; `wide` more bits of state make keys of two words, `faulty` breaks the limits late."""

    bits: int = 10
    wide: int = 0
    faulty: int = 0

    class State(NamedTuple):
        mask: int
        ballast: int

    def limits(self) -> State:
        return self.State(2**self.bits - 1, 2**self.wide - 1)

    def start(self) -> State:
        return self.State(0, 2**self.wide - 1)

    def moves(self, state: State) -> Iterator[int]:
        for bit in range(self.bits):
            if (state.mask >> bit) & 1 == 0 and (state.mask + bit * bit) % 5 != 0:
                yield bit

    def play(self, state: State, move: int) -> State:
        mask = state.mask | (1 << move)
        if self.faulty > 0 and mask.bit_count() >= self.faulty:
            mask += 1 << self.bits
        return self.State(mask, state.ballast)

    def payoff(self, state: State) -> int:
        return state.mask % 3 - 1


@pytest.fixture(autouse=True)
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Threads from the first states on, in small pieces, over tables that grow again and again."""
    threads_from_the_first_states(monkeypatch)


def solved(game: Game, threads: int, **limits: Any) -> es.Solution:
    asked = Limits(memory=1 << 40, threads=threads, **limits)
    solution = es.solve(game, method="layers", engine="compiled", symmetry=False, limits=asked)
    assert solution.source.refusal is None
    return solution


@pytest.mark.parametrize("threads", each([1, 2, 5], lambda threads: threads == 5))
@pytest.mark.parametrize(
    "game", [Picks(), Picks(bits=9, wide=60), es.games.ConnectFour(width=3, height=3, line=3)], ids=repr
)
def test_threads_give_the_values_and_distances_of_the_plain_engine(game: Game, threads: int) -> None:
    assert words_of_key(game) == (2 if getattr(game, "wide", 0) else 1)
    solution, known = solved(game, threads), es.solve(game, method="graph", engine="plain", symmetry=False)
    assert solution.states == known.states
    for position in positions(game, symmetry=False):
        assert solution.values(position) == known.values(position)
        assert solution.distance(position) == known.distance(position)


def test_what_is_stored_is_the_same_byte_for_byte(tmp_path: Path) -> None:
    game = es.games.ConnectFour(width=3, height=3, line=3)
    for threads in (1, 2):
        limits = Limits(memory=1 << 40, threads=threads)
        solution = es.solve(game, method="layers", engine="compiled", symmetry=False, limits=limits)
        es.save(solution, tmp_path / str(threads))
    # How many positions are audited depends on the time that it takes.
    one, two = (
        {file.relative_to(folder): file.read_bytes() for file in folder.rglob("*.*") if file.name != "AUDIT.json"}
        for folder in (tmp_path / "1", tmp_path / "2")
    )
    assert any(file.suffix == ".parquet" for file in one)
    assert one == two


def test_a_fault_met_by_a_thread_stops_all_and_does_not_linger() -> None:
    with pytest.raises(es.RulesError, match="limits"):
        solved(Picks(faulty=7), 2)
    assert solved(Picks(faulty=0), 2).states > 500


def test_limits_hold_with_threads() -> None:
    with pytest.raises(LimitReached, match="more than 200 states"):
        solved(Picks(), 2, states=200)


def test_what_a_thread_raises_stops_the_crew_and_is_raised() -> None:
    done: list[int] = []

    def work(_: int, piece: tuple[int, int]) -> None:
        if piece[0] == 3:
            raise ArithmeticError("piece three")
        done.append(piece[0])

    with pytest.raises(ArithmeticError, match="piece three"):
        together(3, work, 10_000)
    assert len(done) < 10_000


def test_an_interrupt_in_the_first_thread_waits_for_the_others() -> None:
    running, gate = [], threading.Event()

    def work(thread: int, _: tuple[int, int]) -> None:
        if thread == 0:
            gate.set()
            raise KeyboardInterrupt
        running.append(thread)
        gate.wait(10)
        running.remove(thread)

    with pytest.raises(KeyboardInterrupt):
        together(2, work, 10)
    assert running == []


def test_rests_are_given_back_with_what_nobody_began() -> None:
    rests = together(2, lambda _, piece: piece if piece[0] >= 4 else None, 8)
    assert [piece[0] for piece in rests] == [4, 5, 6, 7]


class Knot:
    """Refers to itself, so that the garbage collector ends it, in the middle of whatever is done."""

    def __init__(self) -> None:
        self.me = self

    def __del__(self) -> None:
        for _ in range(100):
            pass


def test_rules_are_read_in_several_threads_at_once() -> None:
    """`ast.parse` ends in a SystemError in about one of five such calls, before Python 3.13."""
    text = (Path(es.__file__).parent / "engine" / "tables.py").read_text(encoding="utf-8")
    failed: list[BaseException] = []

    def read(deeper: int) -> None:
        if deeper:  # threads at different depths
            read(deeper - 1)
            return
        for _ in range(40):
            for _ in range(30):
                Knot()
            try:
                read_python(text)
            except SystemError as error:
                failed.append(error)

    interval, often = sys.getswitchinterval(), gc.get_threshold()
    sys.setswitchinterval(1e-5)
    gc.set_threshold(50)
    try:
        threads = [threading.Thread(target=read, args=(20 * number,)) for number in range(3)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    finally:
        sys.setswitchinterval(interval)
        gc.set_threshold(*often)
    assert not failed
