"""A good first policy for one component, found with floating-point numbers.

Policy iteration as in Howard (1960), for two sides as in Hoffman and Karp (1966), with
linear systems solved densely or, for large ones, by BiCGSTAB (van der Vorst 1992).
Nothing here is proven and nothing from here is printed: exact arithmetic or verified
inequalities decide afterwards.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain

import numpy as np
import numpy.typing as npt

from endsight.algorithms.edge_arrays import edges_of

Floats = npt.NDArray[np.float64]
Indices = npt.NDArray[np.int64]

FEWEST_ITERATED, MOST_DENSE = 64, 2_000
"""Unknowns from which systems are solved iteratively, and up to which densely where that fails."""
_ROUNDS = 200
_MOST_STEPS = 1000
"""Limits of the iteration that solves a system."""
_TOLERANCE = 1e-11
_COARSE = 1e-4


@dataclass(frozen=True)
class FloatGame:
    """One component with known values around it, in floats.

    offsets     k+1 edges of node i are offsets[i] .. offsets[i+1]-1 (every node has some)
    successors  m   node an edge leads to; k outside the component
    chances     m   probability of an edge at chance nodes, 1 at the players'
    gains       m   gain on an edge; for edges that leave, with the value outside
    signs       k   +1, -1, or 0 for chance
    watch           called now and then, to raise an exception where a limit is exceeded
    """

    offsets: Indices
    successors: Indices
    chances: Floats
    gains: Floats
    signs: npt.NDArray[np.int8]
    watch: Callable[[], None] = lambda: None

    @staticmethod
    def of(edges: Sequence[Sequence[tuple[int, float, float]]], signs: Sequence[int]) -> FloatGame:
        """The game whose nodes have these edges: where each leads, its chance, and its gain."""
        offsets = np.cumsum([0, *map(len, edges)])
        successors, chances, gains = (np.array(each) for each in zip(*chain.from_iterable(edges), strict=True))
        return FloatGame(offsets, successors, chances, gains, np.array(signs, np.int8))

    @property
    def size(self) -> int:
        """Number of nodes in the component."""
        return len(self.signs)

    @cached_property
    def sources(self) -> Indices:
        """The start of each edge."""
        return np.repeat(np.arange(self.size), np.diff(self.offsets))

    def worths(self, values: Floats) -> Floats:
        """The worth of every edge when the nodes are worth `values`."""
        worths: Floats = self.gains + np.append(values, 0.0)[self.successors]
        return worths

    def averages(self, worths: Floats) -> Floats:
        """Mean worth of every node's edges by chance (meaningless at players' nodes)."""
        return np.add.reduceat(self.chances * worths, self.offsets[:-1])

    # ---------------------------------------------------------------- policies

    def solve(self, choices: Indices, allowed: npt.NDArray[np.bool_] | None = None, precision: float = 1e-12) -> Floats:
        """Nearly optimal values, or values that are not finite; `choices` is improved in place.

        `choices` holds an edge for every node (meaningless at chance). Players keep to
        `allowed` edges.
        """
        values = np.zeros(self.size)
        with np.errstate(all="ignore"):
            for closeness in (_COARSE, precision):
                for _ in range(_ROUNDS):
                    values = self.evaluate(choices, values, closeness)
                    if not np.isfinite(values).all():
                        return values
                    if not (self.improve(choices, values, -1, allowed) or self.improve(choices, values, 1, allowed)):
                        break
        return values

    def improve(
        self, choices: Indices, values: Floats, sign: int, allowed: npt.NDArray[np.bool_] | None = None
    ) -> bool:
        """Let one side switch to better edges; return whether any did."""
        nodes = np.flatnonzero(self.signs == sign)
        if not len(nodes):
            return False
        worths = sign * self.worths(values)
        if allowed is not None:
            worths = np.where(allowed, worths, -np.inf)
        best = np.maximum.reduceat(worths, self.offsets[:-1])
        margin = _TOLERANCE * (1.0 + float(np.abs(values).max()))
        better = nodes[best[nodes] > worths[choices[nodes]] + margin]
        if not len(better):
            return False
        edges = np.flatnonzero(worths == best[self.sources])
        first = np.full(self.size, -1)
        first[self.sources[edges[::-1]]] = edges[::-1]
        choices[better] = first[better]
        return True

    def evaluate(self, choices: Indices, values: Floats, precision: float) -> Floats:
        """Values of all nodes when the players follow `choices`, starting from a guess."""
        system = self.system(choices)
        lacking = self.worths(values) - values[self.sources]
        rest = self.averages(lacking)
        players = system.players
        rest[players] = lacking[choices[players]]
        return values + system.solve(rest[self.sources], precision)

    def system(self, choices: Indices) -> _FloatSystem:
        """The linear equations of a policy."""
        return _FloatSystem(self, choices)


_SWEEPS = 50


class _FloatSystem:
    """v = chance nodes' averages along a policy; players' nodes are followed to their targets."""

    def __init__(self, game: FloatGame, choices: Indices, *, has_all: bool = False) -> None:
        self.game = game
        self.has_all = has_all
        size = game.size
        target = np.arange(size + 1)
        players = np.flatnonzero(game.signs != 0)
        target[players] = game.successors[choices[players]]
        # Chains of players' nodes are followed by doubling.
        self.target = target
        while True:
            further = self.target[self.target]
            if np.array_equal(further, self.target):
                break
            self.target = further
        self.next = target
        self.players, self.choices = players, choices
        self.edge_targets = self.target[game.successors]
        is_player = game.signs[game.sources] != 0
        self.anchors = self._reached(is_player)
        self.row = np.full(size + 1, len(self.anchors))
        self.row[self.anchors] = np.arange(len(self.anchors))

    def _reached(self, is_player: npt.NDArray[np.bool_]) -> Indices:
        """The chance nodes that play reaches once any player has moved."""
        game = self.game
        reached = np.zeros(game.size + 1, bool)
        reached[self.target[self.players]] = True
        if self.has_all or not len(self.players):
            reached[:-1] = game.signs == 0
        while True:
            used = reached[game.sources] & ~is_player
            more = self.edge_targets[used]
            if reached[more].all():
                break
            reached[more] = True
        reached[game.size] = False
        return np.flatnonzero(reached)

    def gathered(self, gains: Floats) -> Floats:
        """The gain from every players' node on the way to its target."""
        size = self.game.size
        total = np.zeros(size + 1)
        total[self.players] = gains[self.choices[self.players]]
        target = self.next
        while True:
            further = target[target]
            if np.array_equal(further, target):
                return total
            # Twice as far: a node's gains and those of its target so far.
            moved = further != target
            total = np.where(moved, total + total[target], total)
            target = further

    def solve(self, gains: Floats, precision: float = 1e-12) -> Floats:
        """Values of all nodes for these gains on the edges."""
        game = self.game
        self.precision = precision
        on_way = self.gathered(gains)
        arrivals = gains + on_way[game.successors]
        right = game.averages(arrivals)
        inner = self._solve_anchors(right[self.anchors])
        values = np.zeros(game.size + 1)
        values[self.anchors] = inner
        values[self.players] = on_way[self.players] + values[self.target[self.players]]
        return self._fill(values[:-1], gains)

    def _solve_anchors(self, right: Floats) -> Floats:
        game, count = self.game, len(self.anchors)
        if not count:
            return np.zeros(0)
        edges = edges_of(game.offsets, self.anchors)
        rows = np.repeat(np.arange(count), np.diff(game.offsets)[self.anchors])
        columns = self.row[self.edge_targets[edges]]
        kept = columns < count
        rows, columns, chances = rows[kept], columns[kept], game.chances[edges][kept]

        def apply(vector: Floats) -> Floats:
            game.watch()
            return vector - np.bincount(rows, chances * vector[columns], count)

        if count >= FEWEST_ITERATED:
            solution = bicgstab(apply, right, self.precision)
            if count > MOST_DENSE or _size(right - apply(solution)) <= 10 * self.precision * _size(right):
                return solution
        matrix = np.eye(count)
        np.subtract.at(matrix, (rows, columns), chances)
        try:
            return np.asarray(np.linalg.solve(matrix, right), np.float64)
        except np.linalg.LinAlgError:
            return np.full(count, np.nan)

    def _fill(self, values: Floats, gains: Floats) -> Floats:
        """Set chance nodes that the policy never reaches, from their successors."""
        game = self.game
        rest = game.signs == 0
        rest[self.anchors] = False
        if not rest.any():
            return values
        sweeps = _SWEEPS if np.append(rest, False)[game.successors[rest[game.sources]]].any() else 1
        for _ in range(sweeps):
            game.watch()
            worths = gains + np.append(values, 0.0)[game.successors]
            filled = np.where(rest, game.averages(worths), values)
            if sweeps == 1 or np.abs(filled - values).max() <= 1e-15 * (1.0 + np.abs(values).max()):
                return filled
            values = filled
        return _FloatSystem(game, self.choices, has_all=True).solve(gains)


def bicgstab(apply: Callable[[Floats], Floats], right: Floats, precision: float = 1e-12) -> Floats:
    """X with apply(x) close to `right`, relative to the size of `right`."""
    solution = np.zeros_like(right)
    rest = right.copy()
    shadow = rest.copy()
    rho = alpha = omega = 1.0
    direction = applied = np.zeros_like(right)
    goal = precision * _size(right)
    best, best_norm = solution, float("inf")
    for _ in range(_MOST_STEPS):
        norm = _size(rest)
        if norm < best_norm:
            best, best_norm = solution, norm
        if norm <= goal:
            break
        previous, rho = rho, _product(shadow, rest)
        if rho == 0.0 or omega == 0.0:
            break
        direction = rest + (rho / previous) * (alpha / omega) * (direction - omega * applied)
        applied = apply(direction)
        divisor = _product(shadow, applied)
        if divisor == 0.0:
            break
        alpha = rho / divisor
        half = rest - alpha * applied
        image = apply(half)
        square = _product(image, image)
        omega = _product(image, half) / square if square else 0.0
        solution = solution + alpha * direction + omega * half
        rest = half - omega * image
    return best


def _product(a: Floats, b: Floats) -> float:
    # Do not use the product of BLAS: its threads wait for one another on a busy machine.
    return float(np.einsum("i,i", a, b))


def _size(a: Floats) -> float:
    return float(np.sqrt(_product(a, a)))
