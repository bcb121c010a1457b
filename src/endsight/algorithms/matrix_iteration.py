"""Proven bounds where two opposed players move at once and play can come back to a position.

Values of such games may be irrational, so they are enclosed (Shapley, "Stochastic games", 1953: the values are the
fixed point of T, one move of the game, a matrix game at every node). Part by part, successors first, a lower bound
rises and an upper bound falls by T, in whole numbers over one power of two, the lower rounded down and the upper up.
Both start from bounds that follow from a proof that play ends: from every node play leaves its part within that many
moves in the mean, whatever the players do. Then T has one fixed point in between (Haddad and Monmege, "Interval
iteration algorithm for MDPs and IMDPs", 2018, for one player).

Where players can keep play going for ever, T may have many fixed points, and bounds need not meet. There only ends pay
and play that never ends (H. Everett, "Recursive games", Contributions to the Theory of Games III, 1957). If v is
nowhere more than the payoff of endless play, and T(v) nowhere less than v, the first player gets v or more: by the
mixtures of T, the value of v at the current node does not fall on average, whatever the second does; so an end that
comes pays as much on average, and if none comes, endless play does. The largest such v in whole numbers is found from
above, and upper bounds likewise. Nodes may be worth more than endless play; that follows by T from there on, as T turns
lower bounds into lower bounds.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from math import ceil, floor
from operator import mul

from endsight.algorithms.matrix_game import matrix_game
from endsight.algorithms.policy_iteration import policy_iteration
from endsight.errors import LimitReached
from endsight.game import CHANCE, TOGETHER
from endsight.game.limits import Budget
from endsight.game.numbers import Amount, Number, as_interval, between, simplest
from endsight.graph.graph import Graph
from endsight.graph.table import Table

SCALE = 1 << 60
"""The denominator of bounds, which are whole numbers."""
MOST_ROUNDS = 10_000
"""Rounds after which a part keeps its bounds: they hold, however far apart they are."""
MOST_STEPS = 1_000
"""Rounds after which the worst payment has to do as a bound."""
NEED_NOT_BE_FRACTIONS = (
    "players move at once here and play can come back to a position: values need not be fractions, so bounds are proven"
)
_METHOD = "interval iteration"


def matrix_iteration(graph: Graph, budget: Budget, *, keeps_exact: bool = True) -> Table:
    """Bounds of every node's values; exact values for nodes that no loop comes after, where they are kept.

    Interests must be opposed, and parts where play may never end must pay nothing. Raises `LimitReached` when the
    budget is spent.
    """
    bounds = _Bounds(graph, budget, keeps_exact)
    for part in graph.components:
        if graph.is_loop(part):
            bounds.enclose(part)
        else:
            bounds.settle(part[0])
    is_exact = bounds.lower == bounds.upper
    enclosed = None if is_exact else _ValueBounds(bounds.lower, bounds.upper)
    return Table(bounds.rows(), None, [-1] * len(graph), _METHOD, enclosed=enclosed)


@dataclass
class _ValueBounds:
    """The bounds of the first player's values, in units of 1 / `scale`."""

    lower: Sequence[Number]
    upper: Sequence[Number]
    scale: int = SCALE
    known: Mapping[int, Number] = field(default_factory=dict)

    def bounds(self, node: int) -> tuple[int, int]:
        """The bounds of a node in whole numbers, rounded outwards."""
        return floor(self.lower[node]), ceil(self.upper[node])

    def exact(self, nodes: Sequence[int], budget: Budget) -> Mapping[int, Number]:
        """The exact values of nodes whose bounds meet; `LimitReached` for others."""
        if any(self.lower[node] != self.upper[node] for node in nodes):
            raise LimitReached(NEED_NOT_BE_FRACTIONS, states=len(self.lower), advice="the bounds, without --exact")
        return {node: simplest(Fraction(self.lower[node]) / self.scale) for node in nodes}


class _Bounds:
    """Bounds of the first player's value of every node, in units of 1 / `SCALE`, while they improve."""

    def __init__(self, graph: Graph, budget: Budget, keeps_exact: bool) -> None:
        self.graph, self.budget, self.keeps_exact = graph, budget, keeps_exact
        self.lower: list[Number] = [0] * len(graph)
        self.upper: list[Number] = [0] * len(graph)
        self.lasting = {node for part in graph.end_components for node in part}
        amounts = [0 if gain is None else gain[0] * SCALE for gain in graph.gains.rows]
        self.gains = [amounts[number] for number in graph.gains.numbers] or [0] * len(graph.successors)

    def settle(self, node: int) -> None:
        """Find the bounds of a node to which play does not come back."""
        self.budget.glance(len(self.graph), "enclosing values")
        low, high = self._moved(node)
        is_kept = self.keeps_exact and low == high
        self.lower[node], self.upper[node] = (low, high) if is_kept else (floor(low), ceil(high))

    def enclose(self, part: Sequence[int]) -> None:
        """Find the bounds of the nodes of a loop."""
        moved = self._moved
        if self.lasting.isdisjoint(part):
            self._begin(part)
        else:
            self._begin_lasting(part)
            moved = self._moved_apart
        for _ in range(MOST_ROUNDS):
            self.budget.glance(len(self.graph), "enclosing values")
            if sum(self._improved(node, moved(node)) for node in part) == 0:
                return

    def _begin(self, part: Sequence[int]) -> None:
        """Start from the most that is paid on the way out of a part, and after it."""
        graph = self.graph
        gains = [0, *(self.gains[edge] for node in part for edge in graph.edges(node))]
        after = [graph.successors[edge] for edge in self._ways_out(part)]
        least, most = min(self.lower[node] for node in after), max(self.upper[node] for node in after)
        for node, moves in zip(part, _moves_inside(graph, part, self.budget), strict=True):
            self.lower[node] = floor(least + min(gains) * moves)
            self.upper[node] = ceil(most + max(gains) * moves)

    def _ways_out(self, part: Sequence[int]) -> list[int]:
        """The edges that lead out of a part."""
        graph, inside = self.graph, set(part)
        return [edge for node in part for edge in graph.edges(node) if graph.successors[edge] not in inside]

    def _begin_lasting(self, part: Sequence[int]) -> None:
        """Start the bounds of a part in which nothing is paid and which play may never leave.

        Each moves away from the payoff of endless play until nothing changes; where that takes too long, the worst
        payment has to do.
        """
        endless, left = simplest(self.graph.endless_at(part[0])[0] * SCALE), self._ways_out(part)
        for values, rounded, worse in (self.lower, floor, min), (self.upper, ceil, max):
            paid = (self.gains[edge] + values[self.graph.successors[edge]] for edge in left)
            worst = rounded(worse([endless, *paid]))
            for node in part:
                values[node] = rounded(endless)
            if not self._settles(part, values, rounded, worse):
                for node in part:
                    values[node] = worst

    def _settles(
        self, part: Sequence[int], values: list[Number], rounded: Callable[[Number], int], worse: Callable[..., Number]
    ) -> bool:
        """Whether nothing changes any more after some rounds over a part."""
        for _ in range(MOST_STEPS):
            before = [values[node] for node in part]
            for node in part:
                values[node] = worse(values[node], rounded(self._moved_by(node, values)))
            if before == [values[node] for node in part]:
                return True
        return False

    def _improved(self, node: int, moved: tuple[Number, Number]) -> bool:
        """Apply one move of the game to both bounds of a node; return whether one has changed."""
        low, high = moved
        before = self.lower[node], self.upper[node]
        self.lower[node], self.upper[node] = max(before[0], floor(low)), min(before[1], ceil(high))
        return before != (self.lower[node], self.upper[node])

    def _moved_apart(self, node: int) -> tuple[Number, Number]:
        """The result of one move of the game on each bound separately, where they may stay far apart."""
        return self._moved_by(node, self.lower), self._moved_by(node, self.upper)

    def _after(self, node: int, values: Sequence[Number]) -> list[Number]:
        """What each move of a node is worth by these values."""
        return [self.gains[edge] + values[self.graph.successors[edge]] for edge in self.graph.edges(node)]

    def _moved_by(self, node: int, values: Sequence[Number]) -> Number:
        """The result of one move of the game on one value of every node after a node, which is no end."""
        graph, mover, after = self.graph, self.graph.movers[node], self._after(node, values)
        if mover == CHANCE:
            return graph.mean(node, after)
        if mover == TOGETHER:
            columns = len(graph.matrix(node)[0])
            return matrix_game([after[place : place + columns] for place in range(0, len(after), columns)]).value
        return max(after) if mover == 0 else min(after)

    def _moved(self, node: int) -> tuple[Number, Number]:
        """The result of one move of the game on the bounds of the nodes after a node, not yet rounded."""
        payoff = self.graph.payoffs[node]
        if payoff is not None:
            return payoff[0] * SCALE, payoff[0] * SCALE
        if self.graph.movers[node] == TOGETHER:
            lows, highs = self._after(node, self.lower), self._after(node, self.upper)
            return at_once(lows, highs, len(self.graph.matrix(node)[0]))
        return self._moved_apart(node)

    def rows(self) -> list[tuple[Amount, ...]]:
        """The values of both players, between their bounds."""
        ends = zip(self.lower, self.upper, strict=True)
        first = [between(Fraction(low) / SCALE, Fraction(high) / SCALE) for low, high in ends]
        return [(own, simplest(total - own)) for own, total in zip(first, self.graph.totals, strict=True)]


def at_once(lows: Sequence[Number], highs: Sequence[Number], columns: int) -> tuple[Number, Number]:
    """The value of a matrix of lower bounds, and the most its columns' mixture gives away in that of upper ones."""
    places = range(0, len(lows), columns)
    game = matrix_game([lows[place : place + columns] for place in places])
    drawn = max(sum(map(mul, game.columns, highs[place : place + columns])) for place in places)
    return game.value, Fraction(drawn) / sum(game.columns)


def _moves_inside(graph: Graph, part: Sequence[int], budget: Budget) -> list[Number]:
    """The largest mean number of moves, from each node of a part, until play has left the part.

    One player alone who wants to stay decides for all: a problem with exact values, as play cannot stay for ever.
    """
    inside = graph.within(part, lambda _: (0,))
    movers = [CHANCE if mover == CHANCE else 0 for mover in inside.movers]
    rewards = [(1,)] * len(inside.successors)
    alone = replace(inside, movers=movers, rewards=rewards, interests=((0, 1),), players=1, endless=(0,))
    return [as_interval(row[0]).upper for row in policy_iteration(alone, "exact", budget).values[: len(part)]]
