"""What people get wrong in their first rules and commands: each message names the right place and a cure that works."""

from pathlib import Path
from typing import Any, ClassVar, NamedTuple

import pytest

import endsight as es
from command_line import run

RULES = """from typing import NamedTuple
from endsight import CHANCE, Game

class Heap(Game):
    heap: int
    worth: tuple[int, ...] = (1, 2)

    class State(NamedTuple):
        left: int
        turn: int

    def start(self):
        return self.State(self.heap, 0)

    def limits(self):
        return self.State(self.heap, 1)

    def to_move(self, state):
        return state.turn

    def moves(self, state):
        return range(1, min(2, state.left) + 1)

    def play(self, state, count):
        return self.State(state.left - count, 1 - state.turn)

    def payoff(self, state):
        return (-1, 1) if state.turn else (1, -1)
"""
END = "return (-1, 1) if state.turn else (1, -1)"


def heap(folder: Path, old: str = "", new: str = "") -> str:
    file = folder / "heap.py"
    file.write_text(RULES.replace("heap: int\n", "heap: int = 4\n").replace(old, new))
    return str(file)


@pytest.mark.parametrize(
    ("old", "new", "rule", "words"),
    [
        (END, "pass", "payoff", ("payoff returns no exact number", "None in left=0")),
        (END, "return [1, -1]", "payoff", ("payoff returns no exact number", "[1, -1] in left=0")),
        (END, "return 'win'", "payoff", ("payoff returns no exact number", "'win' in left=0")),
        ("return range(1, min(2, state.left) + 1)", "pass", "moves", ("moves does not return moves", "None in left=4")),
        ("return state.turn", "pass", "to_move", ("to_move does not return a player", "None in left=4")),
    ],
)
def test_the_rule_at_fault_is_named(tmp_path: Path, old: str, new: str, rule: str, words: tuple[str, ...]) -> None:
    file = heap(tmp_path, old, new)
    answer = run("value", file)
    assert answer.code == 3
    assert all(word in answer.err for word in words), answer.err
    assert f"error: {rule} returns" in run("check", file).out


def test_advice_names_the_file(tmp_path: Path) -> None:
    file = tmp_path / "heap.py"
    file.write_text(RULES)
    answer = run("value", str(file))
    advised = answer.err.rpartition("try:")[2].strip()
    assert advised.startswith(f"{file}:")
    assert run("value", advised).code == 0
    assert f"try:     {file}:Heap:heap=3,worth=7" in run("value", f"{file}:Heap:3,7").err


@pytest.mark.parametrize("text", ["worth=3,2", "worth=(3,2)", "worth=[3, 2]", "heap=3,worth=3,2"])
def test_a_list_is_joined_by_dashes(tmp_path: Path, text: str) -> None:
    assert "try:     worth=3-2" in run("value", f"{heap(tmp_path)}:{text}").err


def test_an_open_range_is_shown_in_full(tmp_path: Path) -> None:
    answer = run("sweep", heap(tmp_path), "--vary", "heap=2..")
    assert (answer.code, "try:     heap=2..20 or heap=2..20:2" in answer.err) == (2, True)


def test_little_memory_is_told_in_its_unit(tmp_path: Path) -> None:
    answer = run("value", heap(tmp_path), "--memory", "10")
    assert (answer.code, "more than 10 bytes of memory" in answer.err) == (5, True)


def test_the_next_command_can_be_copied(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    heap(tmp_path)
    assert "--from 'my heap'" in run("solve", "heap.py", "-o", "my heap").out


class Halves(es.Game):
    """Two players, no chance, payoffs in halves."""

    worth: tuple[Any, ...] = (1, 2)
    players: ClassVar[int] = 2

    class State(NamedTuple):
        turn: int

    def start(self) -> Any:
        return self.State(0)

    def limits(self) -> Any:
        return self.State(2)

    def moves(self, state: Any) -> Any:
        return (1,) if state.turn < 2 else ()

    def play(self, state: Any, _move: Any) -> Any:
        return self.State(state.turn + 1)

    def payoff(self, _state: Any) -> Any:
        from fractions import Fraction

        return Fraction(5, 2), Fraction(1, 2)


def test_fractions_without_chance_are_no_luck() -> None:
    assert "\nWorth, with best play: first 5/2" in run("analyze", f"{__file__}:Halves").out
    assert "\nExpected, with best play: " in run("analyze", "pigturn").out


@pytest.mark.parametrize("worth", [(1, 2.5), [1, 2.5], ((1, 2), (3, 0.5)), [[1], [0.5]]])
def test_no_float_hides_in_a_list(worth: Any) -> None:
    with pytest.raises(es.ParameterError, match="not exact"):
        Halves(worth=worth)


def test_a_review_is_readable_in_a_narrow_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "40")
    lines = run("review", "pots:4-9-2-7", "L L R L").out.splitlines()
    assert "              1 first" in lines
    assert "  move        L ▼ mistake" in lines
    assert max(map(len, lines)) <= 40


def test_commas_between_moves_are_pointed_out() -> None:
    assert "try:     blanks alone between moves" in run("value", "pots:4-9-2-7", "--at", "L, R").err
    assert "try:" not in run("value", "pots:4-9-2-7", "--at", "X, R").err


def test_a_file_in_place_of_a_record_is_pointed_out(tmp_path: Path) -> None:
    file = tmp_path / "game.txt"
    file.write_text("L R L L")
    answer = run("review", "pots:4-9-2-7", str(file))
    assert (answer.code, f"try:     @{file}" in answer.err) == (2, True)
    assert run("review", "pots:4-9-2-7", f"@{file}").code == 0


def test_tables_of_scores_have_no_column_of_categories() -> None:
    assert "category" not in run("table", "pots:4-9-2-7").out
    assert "category" in run("table", "pots:4-9-2-7", "--plain").out
    assert "category" in run("table", "nim:heaps=1-2").out
