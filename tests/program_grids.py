"""Random rules as source text that work on lists of lists: what one name changes, all other names of it show."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

ROWS, CELLS, TOP, HELPERS = 2, 3, 3, 3
_HEAD = f"""
import copy
import itertools
from typing import NamedTuple
from endsight import Game

class Rules(Game):
    players = 1
    class State(NamedTuple):
        rows: tuple[tuple[int, ...], ...]
    def limits(self): return self.State({TOP})
    def start(self): return self.State(((0,) * {CELLS},) * {ROWS})
    def moves(self, state): yield from range({ROWS * CELLS})
    def payoff(self, state): return 0
"""
_NEW = [
    "[list(row) for row in state.rows]",
    "[[x + {n} for x in row] for row in state.rows]",
    "[[{n}] * 3 for _ in range(2)]",
    "[[a, b, {n}], list(state.rows[0])]",
    "[row[:] for row in grid]",
    "[list(column) for column in zip(*[*zip(*grid)])]",
    "list(map(list, state.rows))",
    "[sorted(row) for row in grid]",
]
_ALIASES = [
    "grid = [grid[1], grid[0]]",
    "other = [row for row in grid]",
    "row = grid[0] if {t} else grid[1]",
    "row = {n} and grid[0] or grid[1]",
]
"""Lists that get another name: rarely written, as they are refused."""
_NEW += ["self.made(grid, {n})", "copy.deepcopy(grid)", "self.turned(state.rows)"]
_NUMBERS = [
    "grid[{i}][{j}]",
    "grid[{i}][{j}]",
    "row[{j}]",
    "other[{i}][{j}]",
    "len(grid)",
    "len(row)",
    "sum(grid[{i}])",
    "sum(map(sum, grid))",
    "max(row)",
    "min(max(each) for each in grid)",
    "grid[{i}].count({n})",
    "sum(row[1:])",
    "sum(x for each in grid for x in each if x > {n})",
    "next((at for at, each in enumerate(grid) if {n} in each), -1)",
    "[x for each in other for x in each][{n} % 6]",
    "int(isinstance(row, list))",
    "(lambda c: grid[0][c] + row[c])({j})",
    "self.most(grid, {n})",
    "self.most(other, {n})",
    "self.first(grid[{i}])",
    "self.first(row)",
]
_TESTS = [
    "row == grid[{i}]",
    "grid[0] != other[1]",
    "{n} in row",
    "any({n} in each for each in grid)",
    "all(x == {n} for x in row)",
    "row == [{n}, {n}, {n}]",
    "row[0] == row[1] == row[2]",
    "tuple(row) in state.rows",
]


class Writer:
    """What writes the rules of one seed."""

    def __init__(self, seed: int) -> None:
        self.random = Random(seed)

    def rules(self) -> str:
        """A class of rules."""
        text = _HEAD
        text += "    def most(self, board, k): return max(board[k % 2]) + board[0][k % 3]\n"
        text += "    def first(self, cells): return cells[0] - cells[-1]\n"
        text += "    def made(self, board, k):\n        if k > 1:\n            return [row[::-1] for row in board]\n"
        text += "        other = [[k, x, y] for x, y, _ in board]\n        other[k % 2][0] += 1\n        return other\n"
        text += "    def turned(self, rows): return [list(rows[1]), list(rows[0])]\n"
        for number in range(HELPERS):
            text += f"    def help{number}(self, grid, row, k):\n        a, b, other = k, row[0], grid\n"
            text += "".join(self.statements("        ", number, 0))
        text += f"    def play(self, state, k):\n        a, b = divmod(k, {CELLS})\n"
        text += (
            f"        grid = {self.filled(self.random.choice(_NEW[:4]), 2)}\n        row = grid[{self.index(ROWS)}]\n"
        )
        text += f"        other = {self.random.choice(['grid', *map(self.filled, _NEW)])}\n"
        text += "".join(self.statements("        ", HELPERS, 0))
        return text + f"        {self.end()}\n"

    def end(self) -> str:
        """The state that comes next."""
        limited = f"abs(x) % {TOP + 1}"
        return "return self.State(" + self.random.choice(
            [
                f"tuple(tuple({limited} for x in each) for each in grid))",
                f"tuple([tuple([{limited} for x in row]) for row in other]))",
                f"(tuple({limited} for x in grid[0]), tuple({limited} for x in grid[1])))",
                f"tuple(map(tuple, [[{limited} for x in each] for each in grid])))",
                f"tuple(tuple({limited} for x in column) for column in zip(*zip(*grid))))",
            ]
        )

    def index(self, count: int, deep: int = 0) -> str:
        """A place in a list, rarely one that is not there."""
        known = [str(at) for at in range(-count, count)] + ([str(count)] if self.random.random() < 0.02 else [])
        return self.random.choice([*known, f"{self.number(deep + 1)} % {count}", "a % 2"])

    def number(self, deep: int = 0) -> str:
        """A whole number."""
        forms = [str(self.random.randint(0, TOP)), *"abk"]
        if deep < 2:
            forms += ["({n} + {n})", "({n} - {n})", "({n} if {t} else {n})", *_NUMBERS]
        return self.filled(self.random.choice(forms), deep + 1)

    def test(self, deep: int = 0) -> str:
        """A truth value."""
        return self.filled(self.random.choice(["{n} < {n}", "{n} == {n}", *(_TESTS if deep < 2 else [])]), deep + 1)

    def filled(self, form: str, deep: int = 1) -> str:
        """A form with random parts in its gaps."""
        parts = {"{n}": lambda: self.number(deep), "{t}": lambda: self.test(deep)}
        parts |= {"{i}": lambda: self.index(ROWS, deep), "{j}": lambda: self.index(CELLS, deep)}
        for gap, part in parts.items():
            while gap in form:
                form = form.replace(gap, part(), 1)
        return form

    def statements(self, space: str, helper: int, deep: int) -> Iterator[str]:
        """A few statements; those of a helper call only helpers before it."""
        for _ in range(self.random.randint(1, 3)):
            yield self.statement(space, helper, deep)

    def statement(self, space: str, helper: int, deep: int) -> str:
        """One statement."""
        simple = [
            *["grid[{i}][{j}] = {n}"] * 3,
            *["row[{j}] = {n}"] * 2,
            "other[{i}][{j}] += {n}",
            "grid[{i}][{j}] -= row[{j}]",
            "grid[{i}][{j}], grid[{i}][{j}] = grid[{i}][{j}], grid[{i}][{j}]",
            "row[{j}], a = {n}, row[{j}]",
            "a, b, _ = row",
            "first, second = grid; first[{j}] = second[{j}] + 1",
            "row, other = grid[{i}], grid",
            "row = grid[{i}]",
            "row = other[{i}]",
            "other = grid",
            "a = {n}",
            "b = {n}",
            "copy = list(row); copy[0] = {n}; a = copy[0] + row[0]",
            "copy = list(row); pair = [copy, list(row)]; copy[{j}] = {n}; a = pair[{i}][{j}]",
            *([] if helper == 0 else [f"self.help{self.random.randrange(helper)}(grid, row, {{n}})"] * 2),
            *([] if helper == 0 else [f"self.help{self.random.randrange(helper)}(other, grid[{{i}}], {{n}})"]),
        ]
        if self.random.random() < 0.2:
            simple += ["grid[{i}] = [{n}, {n}, {n}]", "other[{i}] = list(row)", "grid[{i}] = row[::-1]"] * 2
        if helper == HELPERS:
            simple += [f"{name} = {new}" for name in ("grid", "other") for new in _NEW]
        if self.random.random() < 0.05:
            simple = [*_ALIASES, *(["self.help0(grid, grid[0] if {t} else grid[1], {n})"] if helper else [])]
        if deep < 2 and self.random.random() < 0.5:
            head = self.random.choice(
                [
                    "if {t}:",
                    "for row in grid:",
                    "for at, row in enumerate(grid):",
                    "for x in row:",
                    "for x, y in zip(row, grid[{i}]):",
                    "for x in range(2):",
                    "for row, each in zip(grid, other):",
                    "for x in [y + 1 for y in grid[{i}]]:",
                    "for x in (y for y in row):",
                    "for x, y in itertools.product(row, range(2)):",
                    "for a in reversed(row):",
                ]
            )
            body = "".join(self.statements(space + "    ", helper, deep + 1))
            return f"{space}{self.filled(head, 1)}\n{body}"
        return "".join(f"{space}{part}\n" for part in self.filled(self.random.choice(simple), 1).split("; "))
