"""A position as on the web page, with the value of every move, as a chart for the command line and for Python."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NoReturn

from endsight.answers.solution import Solution
from endsight.board import Board, Mark, board_at
from endsight.charts.figures import Chart
from endsight.errors import UsageError
from endsight.faces.advice.moves import marks_of, moves_of
from endsight.game import TOGETHER
from endsight.game.position import Position
from endsight.game.question import require_all_seen


@dataclass(frozen=True, repr=False)
class BoardChart(Chart):
    """The `board`, the `marks` by the text of a move, and the `last` move. It can be drawn only as SVG."""

    board: Board
    marks: Mapping[str, Mark]
    last: str | None

    def svg(self, width: int = 720, *, paper: bool = True) -> str:
        """Return the picture as SVG text, `width` units wide, in the reader's light or dark theme; ignore `paper`."""
        return f"{self.board.svg(self.marks, self.last, width)}\n"

    def axes(self, ax: Any = None) -> NoReturn:
        """Raise `UsageError`: matplotlib cannot draw boards."""
        raise UsageError("a board can be drawn only as SVG", found="axes of matplotlib", allowed="svg() or save()")

    def content(self, path: Path, *, width: int = 720) -> bytes:
        """Return what `save` writes into a file of that name; raise `UsageError` for an ending other than `.svg`."""
        if path.suffix.lower() != ".svg":
            raise UsageError("a board can be drawn only as SVG", found=str(path)[:200], allowed=".svg")
        return self.svg(width).encode()


def board_chart(solution: Solution, position: Position) -> BoardChart:
    """Return the board with the value of every move; without values where players move at once, as no move has one.

    Raises `QuestionError` where players see different things.
    """
    require_all_seen(solution.game, "a picture of the board with values")
    rows = () if position.mover == TOGETHER else moves_of(solution, position)[1]
    marks, board = marks_of(rows), board_at(position)
    labels = "; ".join(mark.label for mark in marks.values())
    return BoardChart(board.title, labels, board, marks, position.history[-1] if position.history else None)
