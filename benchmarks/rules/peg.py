"""Peg solitaire on the English board of 33 holes, the middle one empty.

Source: J. D. Beasley, "The Ins and Outs of Peg Solitaire", Oxford 1985, for the rules. 187,636,299 positions can be
reached, 23,475,688 up to the symmetries of the board.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from endsight.game import Game

BOARDS = {
    "english": "  ...  /  ...  /......./...o.../......./  ...  /  ...  ",
    "square": "...../...../..o../...../.....",
}


class Peg(Game):
    """One player: a peg jumps over a neighbour, which leaves; the last one in the first hole is worth 1."""

    players = 1
    board: str = "english"

    class State(NamedTuple):
        """The pegs, as a bit set of holes, row by row."""

        pegs: int

    def setup(self) -> None:
        rows = BOARDS[self.board].split("/")
        holes = [(y, x) for y, row in enumerate(rows) for x, sign in enumerate(row) if sign != " "]
        self.holes = len(holes)
        numbers = {hole: number for number, hole in enumerate(holes)}
        self.empty = next(number for number, (y, x) in enumerate(holes) if rows[y][x] == "o")
        jumps = [
            (numbers[y, x], numbers[y + dy, x + dx], numbers[y + 2 * dy, x + 2 * dx])
            for y, x in holes
            for dy, dx in ((0, 1), (1, 0), (0, -1), (-1, 0))
            if (y + 2 * dy, x + 2 * dx) in numbers and (y + dy, x + dx) in numbers
        ]
        self.pegs = tuple((1 << start) | (1 << over) for start, over, _ in jumps)
        self.landings = tuple(1 << landing for _, _, landing in jumps)
        self.jumps = len(jumps)

    def limits(self) -> State:
        return self.State((1 << self.holes) - 1)

    def start(self) -> State:
        return self.State(((1 << self.holes) - 1) ^ (1 << self.empty))

    def moves(self, state: State) -> Iterator[int]:
        for jump in range(self.jumps):
            if state.pegs & self.pegs[jump] == self.pegs[jump] and not state.pegs & self.landings[jump]:
                yield jump

    def play(self, state: State, move: int) -> State:
        return self.State((state.pegs ^ self.pegs[move]) | self.landings[move])

    def payoff(self, state: State) -> int:
        return 1 if state.pegs == 1 << self.empty else 0

    def order(self, state: State, move: int) -> int:
        """As jumps are listed, row by row: pegs are cleared from the top, and none is left behind."""
        return -move
