"""What rules look for on boards: tests without jumps, loops that are written out, numbers compared in their place."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from amounts import seeds

pytest.importorskip("llvmlite.binding")

from both_engines import by_core, by_machine, by_python
from test_compiled_meaning import require_same, rules_of
from thresholds import every_loop_is_marked

FRAME = """
class Rules(Game):
    class State(NamedTuple):
        board: tuple[int, ...]
        rows: tuple[tuple[int, ...], ...]
        turn: int
        steps: int
    players = 2
    def limits(self):
        return self.State({most}, {most}, 1, 4)
    def start(self):
        return self.State({board}, {rows}, 0, 0)
    def to_move(self, state):
        return state.turn
    def may(self, state, r, c):
{may}
    def found(self, board, turn):
{found}
        return 0
    def moves(self, state):
        if state.steps < 3:
            for r in range(3):
                for c in range(4):
                    if self.may(state, r, c):
                        yield r, c
    def play(self, state, move):
        r, c = move
        mark = {mark}
        changed = list(state.rows[r])
        changed[c] = mark
        rows = tuple(tuple(changed) if at == r else old for at, old in enumerate(state.rows))
        board = state.board[:r * 4 + c] + (mark,) + state.board[r * 4 + c + 1:]
        return self.State(board, rows, 1 - state.turn, state.steps + 1)
    def payoff(self, state):
        allowed = sum(self.may(state, r, c) for r in range(3) for c in range(4))
        worth = self.found(state.board, state.turn) * 16 + allowed
        return worth, -worth
"""
TESTS = [
    "if state.rows[r][c]: return {gives}",
    "if state.board[r * 4 + c] == state.turn + {number}: return {gives}",
    "colour = state.turn + {number}\nn = r + {step}\nif 0 <= n < 3 and state.rows[n][c] == colour: return {gives}",
    "n = c + {step}\nif 0 <= n and n < 4 and not state.board[r * 4 + n] == {number}: return {gives}",
    "if c < 3 and (state.board[r * 4 + c + 1] != state.board[r * 4] or state.rows[r][c - 1] == 2): return {gives}",
    "if state.rows[r - {number}][c] > state.turn: return {gives}",
    "if state.rows[r][c] == state.board[r + c] - {number}: return {gives}",
    "if state.rows[0][c] == state.rows[1][c] == state.rows[2][c]: return {gives}",
    "if r > 1: return {gives}\nif state.rows[r + 1][c] == {number}: return {gives}",
    "if c == 3: return {gives}\nn = c + 1\nif state.rows[r][n] and state.board[n * 2 + r] != {number}: return {gives}",
    "if r == {number} or c == state.steps and state.rows[r][c] < {number}: return {gives}",
    "own = state.rows[r]\nif own[c] == own[0] and own[1] != own[c - 1]: return {gives}",
]
FOUND = """
for y in range(3):
    for x in range(4):
        mark = board[y * 4 + x]{more}
        if {skips}: continue
        for dx, dy in ((1, 0), (0, 1), (1, 1), (-1, 1)):
            n = 1
            while 0 <= x + n * dx < 4 and y + n * dy < 3 and board[(y + n * dy) * 4 + x + n * dx] {sign} mark:
                n += 1
            if n >= {number}: return mark + n
"""


def indented(text: str) -> str:
    return "\n".join(" " * 8 + line for line in text.strip().split("\n"))


def program(seed: int) -> str:
    """Rules that look in ways of all kinds at two boards whose numbers have two or three bits."""
    pick = random.Random(seed)
    most = pick.choice((2, 3, 5))
    cells = [pick.randrange(most + 1) for _ in range(24)]

    def filled(text: str) -> str:
        gives = pick.choice(("True", "False", "False", "True"))
        return text.format(gives=gives, number=pick.randrange(4), step=pick.choice((-2, -1, 1, 2)))

    may = [filled(pick.choice(TESTS)) for _ in range(pick.randint(1, 5))]
    found = FOUND.format(
        more=pick.choice(("", "", " + 1", " - 1", " * 2")),
        skips=pick.choice(("not mark", "mark == turn", "mark > 2")),
        sign=pick.choice(("==", "==", "!=", "<")),
        number=pick.choice((2, 3, 3, 4)),
    )
    return FRAME.format(
        most=most,
        board=tuple(cells[:12]),
        rows=tuple(tuple(cells[at : at + 4]) for at in (12, 16, 20)),
        may=indented("\n".join([*may, pick.choice(("return True", "return False", "return True"))])),
        found=indented(found),
        mark=pick.choice(("state.turn + 1", f"(state.rows[r][c] + 1) % {most + 1}", "min(state.board[r] + 1, 2)")),
    )


@pytest.mark.parametrize("seed", seeds(400, 24))
def test_what_rules_see_on_a_board_is_what_python_sees(seed: int, tmp_path: Path) -> None:
    game = rules_of("looks", program(seed), tmp_path)()
    plain = by_python(game)
    require_same(plain, by_core(game), f"seed {seed}")
    require_same(plain, by_machine(game), f"seed {seed}")


LOOPS = """
class Rules(Game):
    class State(NamedTuple):
        board: tuple[int, ...]
        left: int
    players = 2
    def limits(self): return self.State(3, 5)
    def start(self): return self.State((0, 1, 2, 3, 1, 2), 5)
    def moves(self, state):
        for at in range(state.left):
            if state.board[at] > 0:
                yield at
    def play(self, state, move):
        return self.State(state.board[move:] + state.board[:move], state.left - 1)
    def payoff(self, state):
        worth = 0
        for at in range(state.board[0] + state.left):
            worth = worth * 3 + state.board[at]
        return worth, -worth
"""


def test_llvm_is_silent_about_loops_that_it_does_not_write_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    every_loop_is_marked(monkeypatch)
    game = rules_of("loops", LOOPS, tmp_path)()
    require_same(by_python(game), by_machine(game), "loops")
    assert capfd.readouterr().err == ""
