"""States and moves of natural types: tuples, bools, texts, Enums, sets, told and kept like whole numbers."""

from __future__ import annotations

import random
from collections.abc import Iterator
from enum import Enum
from pathlib import Path
from typing import Any, NamedTuple

import pytest

import endsight as es
from amounts import each
from both_engines import by_core, by_machine, by_python, parts_of
from command_line import run
from endsight import Game, check_rules
from endsight.errors import PositionError
from idioms import board_bits, board_games, boxes, others, tictactoe, wide
from interpreted import numbers_of

TOLD = [*tictactoe.GAMES, *boxes.GAMES, *(kind for family in others.FAMILIES for kind in family)]


def states_of(game: Game, games: int = 20) -> list[Any]:
    """States of random play, seed 1."""
    dice, met = random.Random(1), {}
    for _ in range(games):
        state = game.start()
        while True:
            met[state] = None
            moves = list(game.moves(state))
            if not moves:
                break
            state = game.play(state, dice.choice(moves))
    return list(met)


@pytest.mark.parametrize("kind", TOLD, ids=lambda kind: kind.__name__)
def test_states_become_whole_numbers_and_come_back(kind: type[Game]) -> None:
    game = kind()
    rows = {}
    for state in states_of(game):
        numbers, limits, back = numbers_of(game, state)
        assert all(0 <= number <= most for number, most in zip(numbers, limits, strict=True))
        assert back == state
        assert game.show(back) == game.show(state)
        assert rows.setdefault(numbers, state) == state


@pytest.mark.parametrize("kind", TOLD, ids=lambda kind: kind.__name__)
def test_states_have_a_text_that_is_read_back(kind: type[Game]) -> None:
    game = kind()
    for state in states_of(game):
        text = game.show(state)
        assert game.parse(text) == state
        assert "\n" not in text


# Values of all ways to write a game are compared in any case.
@pytest.mark.parametrize("kind", each(TOLD, lambda kind: kind in TOLD[::14]), ids=lambda kind: kind.__name__)
def test_check_finds_nothing_wrong(kind: type[Game]) -> None:
    report = check_rules(kind(), states=300)
    assert report.faults == ()
    # The race ends on a throw; that is worth a warning, and no fault.
    assert {warning.rule for warning in report.warnings} <= {"to_move"}


@pytest.mark.parametrize(
    "kind", each(tictactoe.GAMES, lambda kind: kind in tictactoe.GAMES[::6]), ids=lambda kind: kind.__name__
)
def test_every_way_to_write_tictactoe_is_the_same_game(kind: type[Game]) -> None:
    solution = es.solve(kind(), method="graph", engine="plain")
    assert solution.value() == {"first": 0, "second": 0}
    assert solution.states == 5_478


@pytest.mark.parametrize("family", [boxes.GAMES, *others.FAMILIES], ids=lambda family: family[0].__name__)
def test_every_way_to_write_it_has_the_same_value(family: list[type[Game]]) -> None:
    values = [es.solve(kind(), engine="plain").value() for kind in family]
    assert all(value == values[0] for value in values)


@pytest.mark.slow
def test_every_way_to_write_the_wide_board_is_the_same_game() -> None:
    solved = [es.solve(kind(), method="graph", engine="plain") for kind in wide.GAMES]
    assert all((each.value(), each.states) == (solved[0].value(), solved[0].states) for each in solved)


def test_boards_are_drawn_as_rows() -> None:
    grid = tictactoe.Grid()
    assert grid.draw(grid.play(grid.start(), (0, 1))) == ". 2 .\n. . .\n. . ."
    assert tictactoe.Enums().draw(tictactoe.Enums().start()).startswith("board=EMPTY-")


def test_a_wrong_field_is_named() -> None:
    game = others.HandsTuples()
    with pytest.raises(PositionError) as error:
        game.position_from("hands=0-1/2-9 open=x points=3")
    assert error.value.found == "hands_1_1 is 9"
    assert error.value.allowed == "hands_1_1: a whole number from 0 to 4"
    with pytest.raises(PositionError, match="cannot read"):
        game.position_from("hands=0-1/2-a open=x points=3")


COMPILED = [*TOLD, *board_games.GAMES]


def is_the_same(kind: type[Game], at_most: int | None = None) -> bool:
    """Whether machine code and the core find in these rules what Python does."""
    game = kind()
    graphs = [engine(game, at_most=at_most) for engine in (by_python, by_core, by_machine)]
    return len({repr(parts_of(graph)) for graph in graphs}) == 1


TREE = """
from typing import NamedTuple, Optional
from endsight import Game

class Tree(NamedTuple):
    left: {left}
    size: int

class Grows(Game):
    class State(NamedTuple):
        tree: Tree
    def limits(self): return self.State(Tree({none}, 3))
    def start(self): return self.State(Tree({none}, 0))
    def moves(self, state): return (0,)
    def play(self, state, move): return state
    def payoff(self, state): return 0
"""


@pytest.mark.parametrize(
    ("left", "none"), [('"Tree"', "3"), ('Optional["Tree"]', "None"), ('tuple["Tree", ...]', "()")], ids=str
)
def test_a_type_that_contains_itself_is_named(left: str, none: str, tmp_path: Path) -> None:
    (tmp_path / "grows.py").write_text(TREE.format(left=left, none=none), encoding="utf-8")
    for command in ("value", "check", "games"):
        told = run(command, str(tmp_path / "grows.py"))
        assert "Traceback" not in told.err
        assert "bug in endsight" not in told.err
    assert "has a type that contains itself" in run("value", str(tmp_path / "grows.py")).err


@pytest.mark.parametrize("kind", [*COMPILED[:-10:16], *COMPILED[-10::4]], ids=lambda kind: kind.__name__)
def test_some_ways_are_compiled_to_the_same_game(kind: type[Game]) -> None:
    assert is_the_same(kind, at_most=200)


@pytest.mark.slow
@pytest.mark.parametrize("kind", COMPILED, ids=lambda kind: kind.__name__)
def test_every_way_is_compiled_to_the_same_game(kind: type[Game]) -> None:
    assert is_the_same(kind)


class Mark(Enum):
    EMPTY = "."
    X = "x"
    O = "o"  # noqa: E741


class Misere(es.Game):
    """Who has three stones in a row has lost."""

    class State(NamedTuple):
        cells: tuple[Mark, ...]
        left: frozenset[int]
        last: str

    def limits(self) -> State:
        return self.State((Mark,) * 3, 3, "-ab")  # type: ignore[arg-type]

    def start(self) -> State:
        return self.State((Mark.EMPTY,) * 3, frozenset({0, 1, 2}), "-")

    def moves(self, state: State) -> Iterator[int]:
        yield from sorted(state.left)

    def play(self, state: State, move: int) -> State:
        mark = Mark.X if len(state.left) % 2 else Mark.O
        cells = (*state.cells[:move], mark, *state.cells[move + 1 :])
        return self.State(cells, state.left - {move}, "a")

    def payoff(self, state: State) -> int:
        return 0


def test_check_takes_an_enum_in_limits_and_names_what_was_met() -> None:
    """`value` took it, and `check` called the rules broken; fields were told by numbers of the codec."""
    report = check_rules(Misere())
    assert report.is_sound, report.faults
    assert es.solve(Misere()).value() == {"first": 0, "second": 0}
    assert report.facts["fields"] == {"cells": ("EMPTY", "X", "O"), "left": (0, 2), "last": ("-", "a")}


@pytest.mark.parametrize(
    ("text", "found", "allowed"),
    [
        ("cells=X-X-Q left=0 last=-", "cells: item 3: 'Q'", "EMPTY, X, O"),
        ("cells=X-X- left=0 last=-", "cells: a - that belongs to no item", "items joined by -"),
        ("cells=X-X-X left=0-x last=-", "left: number 2: 'x'", "a whole number"),
    ],
)
def test_a_board_that_cannot_be_read_is_told_in_its_own_words(text: str, found: str, allowed: str) -> None:
    with pytest.raises(PositionError) as refused:
        Misere().position_from(text)
    assert found in str(refused.value)
    assert allowed in str(refused.value)


def test_what_is_wrong_in_limits_is_said_once() -> None:
    class Wrong(Misere):
        def limits(self) -> Misere.State:
            return self.State((Mark,) * 3, frozenset({1}), "-ab")  # type: ignore[arg-type]

    (fault,) = check_rules(Wrong()).faults
    assert (fault.rule, fault.message) == ("limits", "gives the field left no largest value: frozenset({1})")


@pytest.mark.slow
@pytest.mark.parametrize("at", range(len(board_games.GAMES)))
def test_a_board_made_by_hand_is_the_same_game(at: int) -> None:
    kinds = board_games.GAMES[at], board_bits.GAMES[at]
    graphs = [by_machine(kind()) for kind in kinds]
    sizes = {
        (len(graph.keys), len(graph.successors), repr(es.solve(kind()).value()))
        for kind, graph in zip(kinds, graphs, strict=True)
    }
    assert len(sizes) == 1
