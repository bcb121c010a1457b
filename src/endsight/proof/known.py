"""What a solution knows of every node of a walk: proven bounds, exact values, and forced moves."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from endsight.answers.solution import Solution
from endsight.game.limits import Budget
from endsight.game.numbers import Number, as_interval
from endsight.game.position import Position
from endsight.verifier.walk import Terms


def position_at(view: Terms, node: Any) -> Position:
    """The position at a node of a walk, as solutions are asked about it."""
    state, mover, totals = node
    return Position(view.game, state, mover, totals or (0,) * view.players, ())


class KnownAmounts:
    """The amount of a view's subject at every node of a solution: whole numbers over `scale`, exact where that is 1.

    `is_exact` says that the value of the position is known exactly though most others are enclosed.
    The number of a walk's node is its node in the solution's table, or the position where there is no table.
    """

    def __init__(self, solution: Solution, view: Terms) -> None:
        self.solution = solution
        self.view = view
        self.table = solution.source.table
        self.scale: int = 1 if self.table is None else self.table.scale
        self.is_exact = self.table is not None and self.table.is_exact
        self._numbers: dict[Any, Any] = {}
        self._bounds: dict[Any, tuple[Number, Number]] = {}

    def number(self, node: Any) -> Any:
        """The number of a node."""
        if node not in self._numbers:
            position = position_at(self.view, node)
            self._numbers[node] = position if self.table is None else self.table.node(position)
        return self._numbers[node]

    def bounds(self, number: Any) -> tuple[Number, Number]:
        """Proven bounds."""
        if number not in self._bounds:
            self._bounds[number] = self._found(number)
        return self._bounds[number]

    def _found(self, number: Any) -> tuple[Number, Number]:
        subject = self.view.subject
        stand_in = None if self.table is None else self.table.stand_in(number)
        if stand_in is not None:
            value = as_interval(stand_in[subject])
            return value.lower, value.upper
        if self.table is not None and not subject:
            return self.table.bounds(number)
        row = self.solution._at(number).value(number) if self.table is None else self.table.row(number)[0]
        value = as_interval(row[subject])
        return value.lower * self.scale, value.upper * self.scale

    def plies(self, number: Any) -> int:
        """The fewest moves from there to an end that pays the value; 0 where moves are not counted."""
        return 0 if self.table is None else self.table.row(number)[1] or 0

    def has_uneasy_loops(self, *, pays: bool) -> bool:
        """Whether loops meet chance, or gains where moves pay, so that moves must be chosen by bounds."""
        table = self.table
        return table is not None and (table.scale != 1 or (table.has_loops and (pays or bool(table.has_chance))))

    def forced(self, node: Any) -> Any:
        """The node that play must go to, since another move of the same worth may repeat for ever."""
        return None if self.table is None else self.table.forced(self.number(node))

    def exact(self, numbers: Iterable[Any], budget: Budget) -> Mapping[Any, Number]:
        """The exact values of these nodes where `is_exact`; raises `LimitReached` where they are out of reach."""
        assert self.table is not None
        return self.table.exact(list(numbers), budget)
