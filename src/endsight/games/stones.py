"""Stones that stay on squares, of which a line wins: the family of tic-tac-toe."""

from __future__ import annotations

from typing import Any

import endsight.board as kit
from endsight.game import Game
from endsight.games.board import check_side, check_squares, square_name, winning_lines
from endsight.games.squares import two_sides


class Stones(Game):
    """Two players put stones on a board; `line` or more of one player next to each other win."""

    width: int = 3
    height: int = 3
    line: int = 3

    def setup(self) -> None:
        check_side(self.name, "width", self.width)
        check_side(self.name, "height", self.height, most=63)
        check_side(self.name, "line", self.line, most=63)
        self.sides = self.width, self.height
        self.squares = self.width * self.height
        check_squares(self.name, self.squares)
        self.lines = winning_lines(self.width, self.height, self.line)

    def has_line(self, stones: int) -> bool:
        """Whether `stones` hold a winning line."""
        for line in self.lines:  # noqa: SIM110 - a plain loop can be compiled
            if stones & line == line:
                return True
        return False

    def show_move(self, state: Any, move: int) -> str:
        return square_name(move, self.width)

    def cells(self, first: int, second: int) -> list[list[kit.Piece | None]]:
        """Rows from the top with the stones of both."""
        return two_sides(first, second, *self.sides, kit.man)
