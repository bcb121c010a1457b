"""Names of moves: what a text of moves means, and that no name stands for two moves."""

from __future__ import annotations

from itertools import combinations
from pathlib import Path
from typing import Any, ClassVar, NamedTuple

import pytest

import endsight as es
from command_line import ask, run
from endsight.errors import RulesError

RULES = """
from typing import NamedTuple
import endsight as es

class Named(es.Game):
    players = 1

    class State(NamedTuple):
        place: int

    def limits(self):
        return self.State(3)

    def start(self):
        return self.State(0)

    def moves(self, state):
        return [{moves}] if state.place == 0 else []

    def play(self, state, move):
        return self.State(1 + [{moves}].index(move))

    def payoff(self, state):
        return state.place
"""
OWN_READING = """
    def parse_move(self, state, text):
        return next((move for move in self.moves(state) if self.show_move(state, move) == text), None)
"""
MIXED = (
    3,
    "3",
    (3,),
    ((3,),),
    (1, 2),
    "1-2",
    (1, (2, 3)),
    ((1,), (2, 3)),
    "a",
    ("a",),
    ("a", "b"),
    "a-b",
    -3,
    (),
    "\\0",
)
"""Moves of different kinds, many of which have the same default name."""


class Pair(es.Game):
    """Two moves, either of which ends the game: the first pays 1, the second 2."""

    players = 1
    both: ClassVar[tuple[Any, Any]]

    class State(NamedTuple):
        place: int

    def start(self) -> State:
        return self.State(0)

    def limits(self) -> State:
        return self.State(2)

    def moves(self, state: State) -> list[Any]:
        return list(self.both) if state.place == 0 else []

    def play(self, state: State, move: Any) -> State:
        return self.State(1 if move == self.both[0] else 2)

    def payoff(self, state: State) -> int:
        return state.place


def rules(folder: Path, moves: str, more: str = "") -> str:
    file = folder / "named.py"
    file.write_text(RULES.format(moves=moves) + more)
    return f"{file}:Named"


@pytest.mark.parametrize(("one", "other"), [*combinations(MIXED, 2)])
def test_a_name_stands_for_one_move_or_is_refused(one: Any, other: Any) -> None:
    game = type("Pair", (Pair,), {"both": (one, other)})()
    start = game.position()
    for move, paid in ((one, 1), (other, 2)):
        name = game.show_move(start.state, move)
        if name == game.show_move(start.state, other if move is one else one):
            with pytest.raises(RulesError, match="different moves have the same name"):
                start.after(name)
            with pytest.raises(RulesError, match="different moves have the same name"):
                es.solve(game, engine="plain").options()
        else:
            assert start.after(name).paid() == (paid,)


@pytest.mark.parametrize("more", ["", OWN_READING], ids=["read by default", "read by the rules"])
@pytest.mark.parametrize("command", ["analyze", "line", "review", "page", "play"])
def test_commands_refuse_names_of_two_moves(tmp_path: Path, command: str, more: str) -> None:
    game = rules(tmp_path, '3, "3"', more)
    words = {"review": ["3"], "page": ["-o", str(tmp_path / "page.html")]}.get(command, [])
    ended = run(command, game, *words, stdin="3\n")
    assert ended.code == 3
    assert "different moves have the same name" in ended.err
    assert "'3' for both 3 and '3' in place=0" in ended.err


def test_parts_of_moves_at_once_have_names_of_their_own() -> None:
    class Both(es.Game):
        players = 2

        class State(NamedTuple):
            place: int

        def limits(self) -> State:
            return self.State(1)

        def start(self) -> State:
            return self.State(0)

        def to_move(self, state: State) -> tuple[int, ...]:
            return (0, 1)

        def moves(self, state: State) -> list[Any]:
            return [(own, 0) for own in (3, "3")] if state.place == 0 else []

        def play(self, state: State, move: Any) -> State:
            return self.State(1)

        def payoff(self, state: State) -> tuple[int, int]:
            return (0, 0)

    with pytest.raises(RulesError, match="different moves have the same name"):
        es.solve(Both()).parts(0)


def names(file: Path) -> list[str]:
    """The first moves of a file of Gambit's."""
    start = es.load(str(file)).position()
    return [start.play(move).history[-1] for move in start.moves()]


def test_labels_of_other_projects_are_told_apart(tmp_path: Path) -> None:
    tree, table = tmp_path / "one.efg", tmp_path / "two.nfg"
    ends = "".join(f't "" {number} "" {{ {number} }}\n' for number in (1, 2, 3))
    tree.write_text(f'EFG 2 R "" {{ "one" }}\np "" 1 1 "" {{ "a" "a" "a#1" }} 0\n{ends}', encoding="utf-8")
    assert names(tree) == ["a#1", "a#2", "a#1#3"]
    rows = " ".join(map(str, range(12)))
    head = 'NFG 1 R "" { "one" "two" } { { "a-b" "a" "a_b" } { "c" "b-c" } } ""'
    table.write_text(f"{head} {rows}\n", encoding="utf-8")
    joint = names(table)
    assert len({*joint}) == len(joint) == 6
    assert all(text.count("-") == 1 for text in joint)


@pytest.mark.parametrize(
    ("move", "told", "cure"),
    [
        ("(1, (2, [4]))", "in which [4] is a list", "make the list a tuple"),
        ("(1, 0.5)", "in which 0.5 is a float", "use whole numbers"),
        ("('a', None)", "in which None is a NoneType", "use a whole number or a text for it"),
    ],
)
def test_what_is_no_move_is_named_itself(tmp_path: Path, move: str, told: str, cure: str) -> None:
    ended = run("check", rules(tmp_path, move))
    assert ended.code == 4
    shown = " ".join(ended.out.split())
    assert told in shown
    assert f"cure: {cure}" in shown


# ---------------------------------------------------------------------- what a text of moves means


def test_moves_that_look_like_files_are_told_by_a_blank(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    game = rules(tmp_path, '"-", "@x"', "    def show_move(self, state, move):\n        return move\n")
    monkeypatch.chdir(tmp_path)
    Path("x").write_text("-\n")
    for word, paid in (("-", "1"), ("@x", "2")):
        ended = run("value", game, "--at", word, stdin="@x")
        assert ended.code == 2
        assert f"--at {word} may be a move of Named, or name what to read" in ended.err
        assert f"' {word}' for the move, with a blank before it" in ended.err
        assert ask("value", game, "--at", f" {word}")["value"]["player"]["exact"] == paid
        assert run("review", game, word).code == 2
        assert run("review", game, f" {word}").code == 0
    assert ask("value", game, "--at", "@./x")["value"]["player"]["exact"] == "1"
    assert ask("value", game, "--at", "@-", stdin="@x\n")["value"]["player"]["exact"] == "2"


def test_commands_that_are_named_mean_the_moves(tmp_path: Path) -> None:
    game = rules(tmp_path, '"-", "@x"', "    def show_move(self, state, move):\n        return move\n")
    ended = run("solve", game, "--at", "@-", "-o", str(tmp_path / "stored"), stdin="@x\n")
    assert "--at ' @x'" in ended.out
