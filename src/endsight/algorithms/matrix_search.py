"""Bounds of values where two opposed players move at once and no position repeats, by a depth-first search.

A position is done when all positions after it are: then only its own bounds are kept and no moves, in whole numbers
over a power of two, the lower rounded down and the upper up. Where the rules say which position is which with the
players exchanged, one of the two is enough. One that is its own image is worth half of the sum of both players, and
where that sum is proven from the text of the rules, nothing below it is searched.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from fractions import Fraction
from math import ceil, floor
from typing import NamedTuple

from endsight.algorithms.matrix_iteration import SCALE, at_once
from endsight.errors import QuestionError
from endsight.game import CHANCE, TOGETHER
from endsight.game.limits import Budget
from endsight.game.numbers import Number, average
from endsight.graph.game_tree import GameNode, GameTree, comes_back

Exchange = Callable[[Hashable], Hashable]


class Enclosed(NamedTuple):
    """The first player's future amount, between whole numbers of 1 / `SCALE`, and the sum of both players."""

    lower: int
    upper: int
    both: Number


class MatrixSearch:
    """Searches below any node, and remembers its results; `exchange` gives the node with the players exchanged.

    `both` is the sum of the two from any node on, where it is proven and play ends.
    `refusal` says why the search does not suit the game, once seen: positions repeat, or interests are not opposed.
    """

    refusal: QuestionError | None = None

    def __init__(
        self, tree: GameTree, budget: Budget, exchange: Exchange | None = None, both: Number | None = None
    ) -> None:
        self.tree, self.budget, self.exchange, self.both = tree, budget, exchange, both
        self.known: dict[Hashable, Enclosed] = {}

    def at(self, node: Hashable) -> Enclosed | None:
        """The bounds at a node; None where the search does not suit the game. Raises `LimitReached`."""
        if self._known(node) is None:
            self._search(node)
        return None if self.refusal is not None else self._known(node)

    def _known(self, node: Hashable) -> Enclosed | None:
        if node in self.known or self.exchange is None:
            return self.known.get(node)
        image = self.exchange(node)
        if image == node and self.both is not None:
            half = Fraction(self.both) * SCALE / 2
            self.known[node] = Enclosed(floor(half), ceil(half), self.both)
            return self.known[node]
        if (other := self.known.get(image)) is None:
            return None
        # The same, as the other player sees it.
        both = other.both * SCALE
        return Enclosed(floor(both - other.upper), ceil(both - other.lower), other.both)

    def _search(self, root: Hashable) -> None:
        """Search depth first; `path` holds the nodes whose moves are being examined."""
        path: dict[Hashable, GameNode] = {}
        waiting = [root]
        while waiting and self.refusal is None:
            node = waiting[-1]
            if node in path:
                self.known[waiting.pop()] = self._solved(node, path.pop(node))
                self.budget.spend(len(self.known), "searching")
                self.budget.glance(len(self.known), "searching")
            elif self._known(node) is not None:
                waiting.pop()
            else:
                path[node] = place = self.tree.look(node)
                ahead = [child for child, _ in place.children if self._known(child) is None]
                if any(child in path for child in ahead):
                    self.refusal = comes_back()
                waiting += ahead

    def _solved(self, node: Hashable, place: GameNode) -> Enclosed:
        """The bounds of a node from those of the nodes that its moves lead to."""
        if place.payoff is not None:
            own = place.payoff[0] * SCALE
            return Enclosed(floor(own), ceil(own), sum(place.payoff))
        after = [self._after(child, gain) for child, gain in place.children]
        both = self._both(place, after)
        low, high = _moved(place, [each.lower for each in after], [each.upper for each in after])
        return Enclosed(floor(low), ceil(high), both)

    def _after(self, child: Hashable, gain: tuple[Number, ...] | None) -> Enclosed:
        """The amount after a move, its gain included."""
        bounds = self._known(child)
        assert bounds is not None, "children are searched before"
        if gain is None:
            return bounds
        own = gain[0] * SCALE
        return Enclosed(floor(bounds.lower + own), ceil(bounds.upper + own), bounds.both + sum(gain))

    def _both(self, place: GameNode, after: list[Enclosed]) -> Number:
        """The sum of both players, which they must not be able to change."""
        sums = [each.both for each in after]
        if place.weights is not None:
            return average(place.weights, sums)
        if any(each != sums[0] for each in sums):
            self.refusal = QuestionError("the interests of the two players are not opposed")
        return sums[0]


def _moved(place: GameNode, lows: list[int], highs: list[int]) -> tuple[Number, Number]:
    """The result of one move on bounds, not yet rounded."""
    if place.mover == CHANCE:
        weights = place.weights or [1] * len(lows)
        return average(weights, lows), average(weights, highs)
    if place.mover == TOGETHER:
        return at_once(lows, highs, place.columns)
    best = max if place.mover == 0 else min
    return best(lows), best(highs)
