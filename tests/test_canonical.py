"""A wrong `canonical` is found, by `check` and before any states are merged; a right one never is."""

from __future__ import annotations

import random
from collections import Counter
from pathlib import Path
from typing import Any, ClassVar, NamedTuple

import pytest

import endsight as es
import fuzz_canonical
from amounts import seed_rows
from command_line import run
from endsight import CHANCE, Game, check_rules
from endsight.errors import RulesError


class Roads(Game):
    """Two roads of single moves from the start, to ends that pay 1 and -1."""

    long: int = 6
    players: ClassVar[int] = 2

    class State(NamedTuple):
        at: int
        road: int

    def limits(self) -> State:
        return self.State(self.long, 2)

    def start(self) -> State:
        return self.State(0, 0)

    def to_move(self, state: State) -> int:
        return 0

    def moves(self, state: State) -> list[int]:
        if state.at == 0:
            return [1, 2]
        return [0] if state.at < self.long else []

    def play(self, state: State, move: int) -> State:
        return self.State(state.at + 1, state.road or move)

    def payoff(self, state: State) -> tuple[int, int]:
        return (1, -1) if state.road == 1 else (-1, 1)

    def canonical(self, state: State) -> State:
        return self.State(1, 2) if state == (1, 1) else state


class Fair(Roads):
    """The same where both roads pay 1, so that they are equivalent."""

    def payoff(self, state: Any) -> tuple[int, int]:
        return (1, -1)

    def canonical(self, state: Any) -> Any:
        return self.State(state.at, 2) if state.road == 1 else state


class Broad(Roads):
    """So many roads that they are not looked at whole; those that pay otherwise end far from the start."""

    wide: int = 3

    def limits(self) -> Any:
        return self.State(self.long, self.wide**self.long)

    def moves(self, state: Any) -> Any:
        return range(self.wide) if state.at < self.long else ()

    def play(self, state: Any, move: int) -> Any:
        return self.State(state.at + 1, state.road * self.wide + move)

    def payoff(self, state: Any) -> Any:
        return (1, -1) if state.road % 2 else (-1, 1)

    def canonical(self, state: Any) -> Any:
        return self.State(state.at, state.road // 2 * 2) if state.at == self.long - 1 else state


class Backwards(Game):
    """Nobody decides: the end is taken for the throw before it, which pays the same, but later."""

    players: ClassVar[int] = 2

    class State(NamedTuple):
        at: int

    def limits(self) -> State:
        return self.State(2)

    def start(self) -> State:
        return self.State(0)

    def to_move(self, state: State) -> int:
        return CHANCE

    def moves(self, state: State) -> list[int]:
        return [0] if state.at < 2 else []

    def play(self, state: State, move: int) -> State:
        return self.State(state.at + 1)

    def payoff(self, state: State) -> tuple[int, int]:
        return (2, -2)

    def canonical(self, state: State) -> State:
        return self.State(1) if state.at == 2 else state


@pytest.mark.parametrize("long", [1, 2, 4, 5, 30])
def test_check_compares_to_the_end(long: int) -> None:
    faults = check_rules(Roads(long=long)).faults
    assert [fault.rule for fault in faults] == ["canonical"]
    report = check_rules(Fair(long=long))
    assert report.is_sound
    assert report.facts["symmetry_plies"] is None


@pytest.mark.parametrize("kind", [Roads, Backwards, Broad])
@pytest.mark.parametrize("options", [{}, {"method": "graph", "engine": "compiled"}, {"method": "alphabeta"}])
def test_nothing_is_merged_by_a_wrong_canonical(kind: type[Game], options: dict[str, Any]) -> None:
    if kind is Backwards and "alphabeta" in options.values():
        pytest.skip("a search for games without chance")
    game = kind(long=9) if kind is Broad else kind()
    with pytest.raises(RulesError, match="canonical takes states for equivalent that are not"):
        es.solve(game, **options)
    right = (2, -2) if kind is Backwards else (1, -1)
    assert es.solve(game, symmetry=False, **options).values() == right


@pytest.mark.parametrize("mode", ["memory", "disk"])
def test_nothing_wrong_is_stored(tmp_path: Path, mode: str) -> None:
    answer = run("solve", f"{__file__}:Roads", "-o", str(tmp_path / "roads"), "--mode", mode)
    assert answer.code == 3
    assert "canonical takes states for equivalent that are not" in answer.err


class Stakes(Game):
    """Take one or two; who cannot has lost the stake, which `canonical` leaves out; from the start it is 1."""

    class State(NamedTuple):
        left: int
        stake: int

    def limits(self) -> State:
        return self.State(9, 3)

    def start(self) -> State:
        return self.State(9, 1)

    def moves(self, state: State) -> list[int]:
        return [count for count in (1, 2) if count <= state.left]

    def play(self, state: State, move: int) -> State:
        return self.State(state.left - move, state.stake)

    def payoff(self, state: State) -> int:
        return -state.stake

    def canonical(self, state: State) -> State:
        return self.State(state.left, 1)


@pytest.mark.parametrize("ask", ["value", "options", "line"])
def test_positions_that_are_set_up_are_compared_too(tmp_path: Path, ask: str) -> None:
    solution, position = es.solve(Stakes()), Stakes().position_from("left=9 stake=3")
    assert solution.value("2 1") == solution.value(Stakes().position_from("left=6 stake=1"))
    with es.open_tablebase(es.save(solution, tmp_path / "stakes"), Stakes()) as table:
        for answer in (solution, table.solution()):
            with pytest.raises(RulesError, match="canonical takes states"):
                getattr(answer, ask)(position)
        with pytest.raises(RulesError, match="canonical takes states"):
            table.probe(position)


class Raised(Stakes):
    """The stake is raised by those who begin with two and go on with one."""

    def play(self, state: Any, move: int) -> Any:
        raises = (state.left, move) == (7, 1)
        return self.State(state.left - move, 3 if raises else state.stake)


def test_other_moves_than_those_solved_are_compared_too(tmp_path: Path) -> None:
    assert Raised().position("1 1").state == (7, 1)
    solution = es.solve(Raised(), "1 2")
    with es.open_tablebase(es.save(solution, tmp_path / "raised"), Raised()) as table:
        for value in (solution.value, table.value, table.solution().value):
            assert value("1 2 1") == {"first": -1, "second": 1}
            with pytest.raises(RulesError, match="canonical takes states"):
                value("2 1")
        with pytest.raises(RulesError, match="canonical takes states"):
            table.probe(Raised().position("2 1"))


def test_what_was_not_compared_to_the_end_is_said() -> None:
    few = check_rules(Fair(long=300), states=50).facts
    assert few["symmetry_plies"] is not None
    assert few["symmetry_plies"] <= few["symmetry_half"]
    assert few["symmetry_whole"] < few["symmetry_pairs"]
    assert check_rules(Fair(long=300)).facts["symmetry_plies"] is None


def test_a_part_with_loops_is_compared_round_by_round() -> None:
    """Nodes of a ring differ only in how far the way out is."""
    ring = tuple(((node + 1) % 40, 41 if node in (0, 20) else 40) for node in range(40))
    payoffs = ((0, 0),) * 40 + ((1, -1), (2, -2))
    ones = ((1, 1),) * 40 + ((), ())
    none = (((0, 0), (0, 0)),) * 40 + ((), ())
    turned = (*(node % 20 for node in range(40)), 40, 41)
    right = fuzz_canonical.Twins((*ring, (), ()), payoffs, 2, (0,) * 42, ones, none, turned)
    assert check_rules(right).is_sound
    bent = tuple(6 if image == 5 else image for image in turned)
    wrong = fuzz_canonical.Twins((*ring, (), ()), payoffs, 2, (0,) * 42, ones, none, bent)
    assert [fault.rule for fault in check_rules(wrong).faults] == ["canonical"]


@pytest.mark.parametrize("seeds", seed_rows(180, 23))
def test_random_symmetries(seeds: range) -> None:
    """See `fuzz_canonical`, which does the same for thousands."""
    told = Counter(fuzz_canonical.judged(fuzz_canonical.drawn(random.Random(f"0 {seed}"))) for seed in seeds)
    assert min(told["refused"], told["equivalent"]) > len(seeds) / 10
