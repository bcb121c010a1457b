"""Theorems about single games: a fast answer, its name and source, and a witness.

`find` goes through the theorems of a game; each lives in one file that is loaded only for questions about
that game.
"""

from __future__ import annotations

from importlib import import_module

from endsight.game import Game
from endsight.game.limits import Budget
from endsight.game.position import Position
from endsight.game.question import Question
from endsight.games import is_built_in
from endsight.graph.table import Kind
from endsight.theorems.base import Theorem

__all__ = ["THEOREMS", "Theorem", "find"]

THEOREMS: dict[str, tuple[str, ...]] = {
    "dominoes": ("dominoes_openings:Openings", "even_kernel:EvenKernel"),
    "pots": ("stack_reduction:StackReduction", "cooperative_rounds:CooperativeRounds", "greedy_ends:GreedyEnds"),
    "hiddenpots": ("bigger_end:BiggerEnd",),
    "repeatbust": ("repeat_columns:RepeatColumns",),
    "rpsbag": ("face_counts:FaceCounts",),
    "highcard": ("smallest_sufficient:SmallestSufficient",),
    "nim": ("nim_sum:NimSum",),
}
"""Game name -> its theorems as `module:Class`, tried in this order."""

BETWEEN_ENDS: dict[str, tuple[str, ...]] = {"repeatbust": ("repeat_bounds:RepeatBounds",)}
"""The same for theorems that give proven bounds; tried first where ends are wanted."""


def find(game: Game, question: Question, position: Position, budget: Budget, kind: Kind) -> Theorem | None:
    """The first theorem that settles `position`, or None; it answers within `budget`.

    For the kind `interval`, proven bounds are enough where exact numbers take long. A user's subclass of built-in rules
    has none.
    """
    title = game.title()
    if title not in THEOREMS or not is_built_in(game):
        return None
    entries = (*BETWEEN_ENDS.get(title, ()), *THEOREMS[title]) if kind == "interval" else THEOREMS[title]
    answers = (_loaded(entry).settles(game, question, position) for entry in entries)
    if (theorem := next(filter(None, answers), None)) is not None:
        theorem.budget = budget
    return theorem


def _loaded(entry: str) -> type[Theorem]:
    """The class of a theorem, given as `module:Class`."""
    module, _, name = entry.partition(":")
    kind: type[Theorem] = getattr(import_module(f"endsight.theorems.{module}"), name)
    return kind
