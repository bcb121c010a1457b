"""Advice on a position: a sentence, its moves, a plan, an evaluation bar and a graph, as plain data without drawings.

The web page, the command line, files that hold a solved game and notebooks all show the same advice.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from endsight.answers.solution import Solution
from endsight.faces.advice.balances import Balance, Course, Point, balance_of, course_of
from endsight.faces.advice.moves import MoveRow, Sign, drawn_moves, is_word, move_name, moves_of, named, order, to_do
from endsight.faces.advice.plans import Ahead, Plan, PlanRow, ahead_of, marks_of, plain_marks, plan_marks, plan_of
from endsight.faces.advice.readings import Reading, heading, names_of, number_words, percent_words, reading_of
from endsight.faces.advice.verdicts import Said, bounds_text, said_of, unproven
from endsight.game.position import Position

__all__ = [
    "Advice",
    "Ahead",
    "Balance",
    "Course",
    "MoveRow",
    "Plan",
    "PlanRow",
    "Point",
    "Reading",
    "Said",
    "Sign",
    "advice_on",
    "ahead_of",
    "balance_of",
    "bounds_text",
    "course_of",
    "drawn_moves",
    "heading",
    "is_word",
    "marks_of",
    "move_name",
    "moves_of",
    "named",
    "names_of",
    "number_words",
    "order",
    "percent_words",
    "plain_marks",
    "plan_marks",
    "plan_of",
    "reading_of",
    "said_of",
    "to_do",
    "unproven",
]


@dataclass(frozen=True)
class Advice:
    """Everything that is said about one position."""

    reading: Reading
    said: Said
    moves: tuple[MoveRow, ...]
    plan: Plan | None
    balance: Balance | None


def advice_on(solution: Solution, position: Position, knows: Callable[[Position], bool] = lambda _: True) -> Advice:
    """Return the advice on a position. The plan leaves out replies for which `knows` says that no answer is at hand."""
    solution = solution.at(position)
    reading, moves = moves_of(solution, position)
    said = said_of(solution, position, reading, moves)
    plan = plan_of(solution, position, reading, knows)
    return Advice(reading, said, moves, plan, balance_of(solution, position, reading))
