"""Advice on a position: a sentence, its moves, a plan, an evaluation bar and a graph, as plain data without drawings.

The web page, the command line, files that hold a solved game and notebooks all show the same advice.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from endsight.answers.solution import Solution
from endsight.faces.advice.moves import MoveRow, PlanRows, moves_of, plan_of
from endsight.faces.advice.readings import Balance, Reading, balance_of
from endsight.faces.advice.verdicts import Said, said_of
from endsight.game.position import Position


@dataclass(frozen=True)
class Advice:
    """Everything that is said about one position."""

    reading: Reading
    said: Said
    moves: tuple[MoveRow, ...]
    plan: PlanRows | None
    balance: Balance | None


def advice_on(solution: Solution, position: Position, knows: Callable[[Position], bool] = lambda _: True) -> Advice:
    """Return the advice on a position. The plan leaves out replies for which `knows` says that no answer is at hand."""
    solution = solution.at(position)
    reading, moves = moves_of(solution, position)
    said = said_of(solution, position, reading, moves)
    plan = plan_of(solution, position, reading, knows)
    return Advice(reading, said, moves, plan, balance_of(solution, position, reading))
