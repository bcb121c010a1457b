"""Guesses in a quiz: how they are read and counted."""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from endsight.answers.solution import Solution
    from endsight.game.position import Position

__all__ = ["Score", "read_guess"]

_GUESS = re.compile(r"[-+]?[0-9]{1,60}(\.[0-9]{1,60}|/0*[1-9][0-9]{0,60})?")


@dataclass
class Score:
    """Guesses of a quiz: how many were asked and how many were right."""

    asked: int = 0
    right: int = 0

    def __str__(self) -> str:
        return f"{self.right} of {self.asked}"


def read_guess(text: str, solution: Solution, position: Position) -> object:
    """The number a guess stands for; None where it is none."""
    half = Fraction(1, 2)
    shared = solution.question.utility == "win"
    words = {"win": 1, "draw": half if shared else 0, "loss": 0 if shared else -1}
    if text in words and solution.category(position) != "value":
        return words[text]
    # No exponents: `1e999999999` would take all memory there is.
    return Fraction(text) if _GUESS.fullmatch(text) else None
