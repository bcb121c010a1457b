"""Bounds where two opposed players can keep play going for ever: games of the kind that Everett calls recursive.

H. Everett, "Recursive games", Contributions to the Theory of Games III (1957): only ends pay and, here,
play that never ends. Let T be one move of the game, a matrix game at every node. If v is nowhere more than the payoff
of endless play, and T(v) nowhere less than v, the first player gets v or more: by the mixtures of T, the value of v at
the current node does not fall on average, whatever the second does; so an end that comes pays as much on average, and
if none comes, endless play does. The largest such v in whole numbers is found from above. Nodes may be worth more
than endless play; that follows by T from there on, as T turns lower bounds into lower bounds.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import ceil, floor

from endsight.game.numbers import Number

Moved = Callable[[int, Sequence[Number]], Number]
"""The result of one move of the game on the values of all nodes, at one of them."""

MOST_ROUNDS = 1_000
"""Rounds after which the worst payment has to do as a bound."""


def fall_to_bounds(part: Sequence[int], values: list[Number], endless: Number, worst: int, moved: Moved) -> None:
    """Write lower bounds of the nodes of a part, which play may never leave and in which nothing is paid.

    `values` holds lower bounds of all nodes that the part leads to, in whole numbers; `endless` is the payoff of
    endless play, in the same unit; `worst` is no more than any of these.
    """
    _move_to_bounds(part, values, floor(endless), worst, lambda node: min(values[node], floor(moved(node, values))))


def rise_to_bounds(part: Sequence[int], values: list[Number], endless: Number, worst: int, moved: Moved) -> None:
    """The same for upper bounds; `worst` is no less than any of these."""
    _move_to_bounds(part, values, ceil(endless), worst, lambda node: max(values[node], ceil(moved(node, values))))


def _move_to_bounds(
    part: Sequence[int], values: list[Number], first: int, worst: int, step: Callable[[int], Number]
) -> None:
    """Move from `first` everywhere step by step until nothing changes; `worst` where that takes too long."""
    _write(part, values, first)
    for _ in range(MOST_ROUNDS):
        before = [values[node] for node in part]
        for node in part:
            values[node] = step(node)
        if before == [values[node] for node in part]:
            return
    _write(part, values, worst)


def _write(part: Sequence[int], values: list[Number], value: int) -> None:
    for node in part:
        values[node] = value
