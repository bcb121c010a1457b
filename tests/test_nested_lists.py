"""Lists of lists in rules: a list of rows has other names, and what one of them changes, all of them show."""

from __future__ import annotations

from collections import Counter

import pytest

pytest.importorskip("llvmlite.binding")

from amounts import seed_rows
from fuzz_rules import Engine, by_interpreter, by_machine, own_cache, verdict
from program_grids import Writer

HEAD = """
import copy
import itertools
from typing import NamedTuple
from endsight import Game

class Rules(Game):
    players = 1
    class State(NamedTuple):
        rows: tuple[tuple[int, ...], ...]
        steps: int
    def limits(self): return self.State(3, 3)
    def start(self): return self.State(((0,) * 3,) * 3, 0)
    def moves(self, state):
        if state.steps < 3: yield from range(9)
    def payoff(self, state): return sum(map(sum, state.rows))
    def put(self, board, r, c): board[r][c] = (board[r][c] + 1) % 4
    def line(self, row, c): row[c] = (row[c] + 1) % 4
    def new(self, board): return [list(row) for row in board]
    def sums(self, board):
        for row in board:
            yield sum(row)
    def play(self, state, move):
        r, c = divmod(move, 3)
        g = [list(row) for row in state.rows]
"""
END = "        return self.State(tuple(tuple(x % 4 for x in row) for row in g), state.steps + 1)\n"
TAKEN = {
    "an item": "g[r][c] = 1 + state.steps % 2",
    "a row's name": "row = g[r]; row[c] = g[r][0] + 1; g[r][2] += row[c]",
    "another name": "other = g; other[r][c] = 2",
    "a copy": "h = [row[:] for row in g]; h[r][c] = 1; g[0][0] = h[r][c] + g[r][c]",
    "a helper": "self.put(g, r, c)",
    "a helper for a row": "row = g[r]; self.line(row, c); self.line(g[0], c)",
    "a generator while items change": "for s in self.sums(g): g[r][c] += s + 1",
    "a generator expression": "row = g[r]\nfor x in (y + 1 for y in g[r]): row[2] = (row[2] + x) % 4",
    "a list made before": "row = g[r]\nfor x in [y + 1 for y in g[r]]: row[2] = (row[2] + x) % 4",
    "rows in a loop": "for k, row in enumerate(g):\n    for j, x in enumerate(row): row[j] = x + (k == r) * (j == c)",
    "the row before": "last = g[0]\nfor row in g:\n    last[c] = (row[c] + 1) % 4\n    last = row",
    "the last row": "for row in g: pass\nrow[c] = 3",
    "a function inside": "def go(k, row=g[r]):\n    row[k] = 2; g[k][k] = 1\ngo(c)",
    "from the end": "g[-r - 1][c - 3] = 1; g[r > 0][c] = 1",
    "columns": "g[r][c] = 1; g = [list(column) for column in zip(*g)]",
    "one that is replaced": "g[r] = g[r][:c] + [1] + g[r][c + 1 :]; g[0] = [x + 1 for x in g[0]]",
    "what a function gives": "h = self.new(g); h[r][c] = 2; g[0][0] = g[r][c] + 1; g[1] = h[1][::-1]",
    "what it is": "g[r][c] = 1 + isinstance(g, list) + isinstance((g[0], 1), tuple) - isinstance(g[0], tuple)",
    "a deep copy": "h = copy.deepcopy(g); h[r][c] = 2; g[0][0] = h[r][c] + g[r][c]",
    "constants": "h = [list(row) for row in ((1, 2, 3), (0, 0, 0), (1, 1, 1))]; h[r][c] = 0; g = h",
}
ALIASES = {
    "one or the other": "row = g[0] if c else g[1]; row[c] = 3",
    "or": "row = g[r] or g[0]; row[c] = 3",
    "for a helper": "self.line(g[0] if c else g[1], c)",
    "a list of them": "h = [g[2], g[1], g[0]]; h[r][c] = 2",
    "all of them": "h = [row for row in g]; h[r][c] = 2",
    "many times": "g = [[0, 0, 0]] * 3; g[r][c] = 2",
    "in a tuple": "both = (g[r], c); both[0][c] = 2",
    "in a dictionary": "d = {0: g[0], 1: g[1], 2: g[2]}; d[r][c] = 2",
    "a state": "return self.State((g[0], g[1], g[2]), state.steps + 1)",
    "the largest": "row = max(g); row[c] = 3",
    "sorted": "h = sorted(g, key=sum); h[r][c] = 1",
    "by a star": "first, *rest = g; rest[0][c] = 2",
    "what a lambda gives": "f = lambda k: g[k]; row = f(r); row[c] = 2",
    "one that is replaced and has a name": "row = g[r]; g[r] = [1, 2, 3]; g[0][0] = row[c]",
    "one that is replaced in a loop": "for row in g:\n    g[r] = [1, 2, 3]\n    g[0][0] = row[c]",
    "one that is replaced while a generator goes on": "for s in self.sums(g): g[r] = [s, s, s]",
    "one that is replaced by another": "g[r] = g[c]; g[r][0] = 1",
    "one that is replaced by a list with a name": "row = [1, 2, 3]; g[r] = row; row[c] = 0",
    "one that grows": "row = g[r]; row += [1]; row.pop(0)",
    "the other way round": "g[r].reverse(); g[r][c] = 1",
    "late items": "for x, y in itertools.product(g[r], range(2)):\n    row = g[r]\n    row[2] = (row[2] + x + y) % 4",
}


def rules(body: str) -> str:
    """Rules with those statements."""
    lines = body.replace("; ", "\n").splitlines() if not body.startswith(("for", "def")) else body.splitlines()
    return HEAD + "".join(f"        {line}\n" for line in lines) + END


@pytest.mark.parametrize("engine", [by_interpreter, by_machine])
def test_what_changes_under_one_name_changes_under_all(engine: Engine) -> None:
    with own_cache() as folder:
        found = {name: verdict(rules(body), folder, engine) for name, body in TAKEN.items()}
    assert {name: one.told for name, one in found.items() if one.kind != "taken"} == {}


def test_lists_that_may_be_one_of_several_are_refused() -> None:
    with own_cache() as folder:
        found = {name: verdict(rules(body), folder, by_interpreter).kind for name, body in ALIASES.items()}
    assert set(found.values()) == {"refused"}, found


@pytest.mark.parametrize("seeds", seed_rows(2_000, 20))
def test_random_rules_with_lists_of_lists_mean_what_python_means(seeds: range) -> None:
    kinds: Counter[str] = Counter()
    with own_cache() as folder:
        for seed in seeds:
            found = verdict(Writer(seed).rules(), folder, by_machine if seed % 20 == 0 else by_interpreter)
            assert found.kind not in ("different", "broken"), (seed, found.told)
            kinds[found.kind] += 1
    assert kinds["taken"] > 0.4 * kinds.total(), kinds
