"""One small checker for every theorem: what a position is worth, found again from the theorem's words alone.

A checker is a module named after the theorem with one function

    settle(position, asked, **witness) -> values

that gives the value of the whole game per player in order of their numbers, in the units of
the question's utility. It uses the standard library and the rules of its game, nothing of
the solver, and raises `Refuted` where the theorem does not apply or the witness does not
hold. Each stays under 60 lines, so that it can be read in one go beside the theorem.
"""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from importlib import import_module
from typing import Any

from endsight.game import Position
from endsight.games import is_built_in

__all__ = ["CHECKERS", "Asked", "Refuted", "demand", "settle", "worth"]

CHECKERS: dict[str, tuple[str, ...]] = {
    "bigger_end": ("hiddenpots",),
    "cooperative_rounds": ("pots",),
    "dominoes_openings": ("dominoes",),
    "even_kernel": ("dominoes",),
    "face_counts": ("rpsbag",),
    "greedy_ends": ("pots",),
    "nim_sum": ("nim",),
    "repeat_columns": ("repeatbust",),
    "smallest_sufficient": ("highcard",),
    "stack_reduction": ("pots",),
}
"""Theorem -> the built-in games it is about."""


class Refuted(Exception):
    """Evidence does not prove what it is said to prove; the message says where."""


@dataclass(frozen=True)
class Asked:
    """The question: who wants what, in which unit, and who plays by a named policy (by player number)."""

    objective: str = "competitive"
    utility: str = "payoff"
    fixed: Mapping[int, Any] = field(default_factory=dict)


def settle(theorem: str, position: Position, asked: Asked, witness: Mapping[str, Any]) -> tuple[Fraction, ...]:
    """What `theorem` says the whole game is worth per player, with the evidence that it asks for."""
    game = position.game
    demand(is_built_in(game) and game.title() in CHECKERS.get(theorem, ()), f"{theorem} is not about {game.title()}")
    checker = import_module(f"endsight.checkers.{theorem}").settle
    try:
        call = inspect.signature(checker).bind(position, asked, **witness)
    except TypeError as error:
        raise Refuted(f"the witness of {theorem}: {error}") from None
    values: tuple[Fraction, ...] = checker(*call.args, **call.kwargs)
    return values


def demand(holds: bool, otherwise: str) -> None:
    """Raise `Refuted` with that reason unless the condition holds."""
    if not holds:
        raise Refuted(otherwise)


def worth(totals: tuple[Fraction | int, ...], utility: str) -> tuple[Fraction, ...]:
    """Whole-game totals of two players in units of the utility."""
    own, other = totals
    lead = Fraction(own - other)
    if utility == "lead":
        return lead, -lead
    if utility == "win":
        chance = Fraction((lead > 0) - (lead < 0) + 1, 2)
        return chance, 1 - chance
    return Fraction(own), Fraction(other)
