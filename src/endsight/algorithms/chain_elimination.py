"""Exact values of a few nodes, when nearly every decision is certain already.

Intervals prove most moves best or worse; the rest is (almost) a Markov chain, of
which only the nodes that play reaches matter. Its components are solved level by level, a
level being the longest way down to an end. In a component, the chances to leave it by
each way out are small fractions, found by pushing chances forwards between a few nodes
that every loop passes, and one linear system over those (Kemeny and Snell, *Finite Markov
Chains*, 1960, chapter 3). Only then do the long numbers appear, as whole numbers over one
common denominator per level: no greatest common divisor of two long numbers is ever taken.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from functools import partial
from heapq import heappop, heappush
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from endsight.algorithms.arena import Arena, components
from endsight.algorithms.exact_policy_iteration import solve_component
from endsight.algorithms.loops import loops_for
from endsight.errors import LimitReached
from endsight.game.limits import EXACT, Budget
from endsight.game.numbers import Number, count_text, simplest
from endsight.graph.graph_kernels import find_components

if TYPE_CHECKING:
    import flint

MOST_LEFT = 6_000
"""Positions of a component left after pruning, up to which its linear systems fit into memory and time."""
FEW_ENTRIES = 8
"""Nodes of a component that others need, up to which each gets its own chances to leave."""


def exact_by_elimination(arena: Arena, asked: Sequence[int], budget: Budget | None = None) -> dict[int, Number]:
    """Exact values of the nodes `asked`; play must end with probability 1 whatever the players do."""
    # A single move is like an outcome without alternatives.
    decided = replace(arena, signs=np.where(arena.counts > 1, arena.signs, 0))
    budget = budget or Budget()
    loops = loops_for(len(arena.successors), kernels=(find_components,))
    order, starts = components(decided.links, loops, partial(budget.glance, len(arena), EXACT))
    nodes = order.tolist()
    parts = [nodes[begin:end] for begin, end in pairwise(starts.tolist())]
    part = np.empty(len(arena), np.int64)
    part[order] = np.repeat(np.arange(len(parts)), np.diff(starts))
    sources = np.repeat(np.arange(len(arena)), arena.counts)
    ways = np.flatnonzero(part[sources] != part[arena.successors])
    ways = ways[np.argsort(part[sources[ways]], kind="stable")]
    between = np.stack((sources[ways], arena.successors[ways]), axis=1).tolist()
    return _Levels(decided.lists(), parts, part.tolist(), between, asked, budget).values()


class _Levels:
    """Values level by level, as whole numbers over one denominator for all nodes of a level.

    `part` has the component of every node, `between` source and target of every edge from one to another, in the
    order of those that they leave.
    """

    def __init__(
        self,
        arena: Arena,
        components: list[list[int]],
        part: list[int],
        between: Sequence[tuple[int, int]],
        asked: Sequence[int],
        budget: Budget,
    ) -> None:
        self.arena, self.components, self.part, self.between = arena, components, part, between
        self.asked = set(asked)
        self.budget = budget
        self.entries = self._entries()
        self.level = [0] * len(self.components)
        self.done = self.work = 0
        self.tops: dict[int, Any] = {}
        self.bottoms: list[Any] = []
        self.ratios: dict[tuple[int, int], Any] = {}

    def _entries(self) -> list[list[int]]:
        """For every component the nodes that others lead to, or that are asked about."""
        needed = self.asked.union(child for _, child in self.between)
        return [[node for node in nodes if node in needed] for nodes in self.budget.watched(self.components, EXACT)]

    def _set_levels(self) -> list[list[int]]:
        """Find the level of every component; return the components of each level."""
        part, level = self.part, self.level
        for source, child in self.budget.watched(self.between, EXACT):
            level[part[source]] = max(level[part[source]], level[part[child]] + 1)
        levels: list[list[int]] = [[] for _ in range(max(level) + 1)]
        for number, own in enumerate(level):
            levels[own].append(number)
        return levels

    def values(self) -> dict[int, Number]:
        """Values of the nodes asked about."""
        import flint

        levels, unit = self._set_levels(), self.arena.unit
        last_use = self._last_uses()
        self.work = sum(self._cost(number, part) for number, parts in enumerate(levels) for part in parts)
        for number, parts in enumerate(levels):
            before = self.bottoms[-1] if self.bottoms else flint.fmpz(1)
            self._solve_level(number, parts, before)
            for node in last_use.get(number, ()):
                del self.tops[node]
        return {
            node: simplest(Fraction(int(self.tops[node]), unit * int(self.bottoms[self.level[self.part[node]]])))
            for node in self.asked
        }

    def _cost(self, level: int, part: int) -> int:
        """About how long a component takes, relative to others: numbers grow with the level."""
        return (level + 1) * len(self.components[part])

    def _last_uses(self) -> dict[int, list[int]]:
        """By level, the entries that no later level needs."""
        last: dict[int, int] = {}
        for source, child in self.budget.watched(self.between, EXACT):
            last[child] = max(last.get(child, 0), self.level[self.part[source]])
        uses: dict[int, list[int]] = {}
        for node, at in last.items():
            if node not in self.asked:
                uses.setdefault(at, []).append(node)
        return uses

    def _solve_level(self, level: int, parts: list[int], before: flint.fmpz) -> None:
        """Values of the entries of one level, over `before` times a number that is kept small."""
        import flint

        mixtures: dict[int, list[tuple[Any, int]]] = {}
        for part in parts:
            self.budget.glance(len(self.arena), EXACT, (self.done, self.work))
            mixtures |= self._mixtures(part, level)
            self.done += self._cost(level, part)
        factor = flint.fmpz(1)
        for mixture in mixtures.values():
            for share, _ in mixture:
                factor = factor.lcm(share.q)
        tops = {node: self._mixed(mixture, level, before, factor) for node, mixture in mixtures.items()}
        common = factor
        for top in tops.values():
            if common == 1:
                break
            common = common.gcd(top % common)
        self.bottoms.append(before * (factor // common))
        self.tops |= {node: top // common for node, top in tops.items()}

    def _mixed(self, mixture: list[tuple[Any, int]], level: int, before: Any, factor: Any) -> Any:
        """Sum of share * value, over `before` * `factor`; -1 stands for the number 1."""
        total = 0
        by_level: dict[int, Any] = {}
        for share, node in mixture:
            top = share.p * (factor // share.q)
            if node < 0:
                total += top * before
            else:
                below = self.level[self.part[node]]
                by_level[below] = by_level.get(below, 0) + top * self.tops[node]
        for below, part_sum in by_level.items():
            if (below, level) not in self.ratios:
                self.ratios[below, level] = before // self.bottoms[below]
            total += part_sum * self.ratios[below, level]
        return total

    # ---------------------------------------------------------------- one component

    def _mixtures(self, number: int, level: int) -> dict[int, list[tuple[Any, int]]]:
        """For every entry of a component, its value as a mixture of the values around it."""
        import flint

        arena = self.arena
        nodes = self.components[number]
        entries = self.entries[number]
        if not entries:
            return {}
        if len(nodes) == 1 and arena.is_end(nodes[0]):
            return {nodes[0]: [(_rational(arena.payoffs[nodes[0]]), -1)]}
        if len(nodes) > MOST_LEFT:
            raise LimitReached(
                f"stopped: best play stays on a loop of {count_text(len(nodes), 'position')},"
                f" and exact values are found for up to {MOST_LEFT:,}",
                states=len(arena),
                advice="--interval",
            )
        if any(arena.signs[node] for node in nodes):
            values = self._by_policies(nodes)
            return {node: [(_rational(values[node]), -1)] for node in entries}
        chances = _Chances(arena, nodes, self.part, entries)
        if not arena.is_loop(nodes):
            return {nodes[0]: [(share, node) for node, share in chances.rows[0].items()]}
        if len(entries) <= FEW_ENTRIES or len(chances.stops) <= FEW_ENTRIES:
            return chances.mixtures()
        exact = chances.solved(
            {node: flint.fmpq(self.tops[node], self.bottoms[self.level[self.part[node]]]) for node in chances.around}
        )
        return {node: [(exact[node], -1)] for node in entries}

    def _by_policies(self, nodes: list[int]) -> dict[int, Number]:
        """Values of a component (or a single node) with a choice of moves, by policy iteration."""
        arena = self.arena
        inside = set(nodes)
        values: dict[int, Number] = {
            child: Fraction(int(self.tops[child]), int(self.bottoms[self.level[self.part[child]]]))
            for node in nodes
            for edge in arena.edges(node)
            if (child := arena.successors[edge]) not in inside
        }
        solve_component(arena, nodes, values)
        return values


class _Chances:
    """A component without decisions: from some of its nodes, the chances of the next stop.

    Stops are the needed nodes and at least one node on every loop; between
    them there are no loops.
    """

    def __init__(self, arena: Arena, nodes: list[int], part: list[int], entries: list[int]) -> None:
        self.arena = arena
        self.inside = part[nodes[0]]
        self.part = part
        self.entries = entries
        # Nodes stand in the order in which a search leaves them: edges to one that is left later close loops.
        self.order = nodes
        place = {node: number for number, node in enumerate(nodes)}
        behind = {
            child
            for node in nodes
            for edge in arena.edges(node)
            if part[child := arena.successors[edge]] == self.inside and place[child] >= place[node]
        }
        self.stops = sorted(behind | set(entries))
        self.place = place
        self.rows = [self._pushed(stop) for stop in self.stops]
        self.around = sorted({node for row in self.rows for node in row if node >= 0 and part[node] != self.inside})

    def _pushed(self, first: int) -> dict[int, Any]:
        """Chances of the next stop or outside node when play starts at `first`; -1 holds the mean gain."""
        import flint

        arena = self.arena
        stops = set(self.stops)
        result: dict[int, Any] = {}
        mass = {first: flint.fmpq(1)}
        # Edges lead to nodes with smaller places, except those to stops.
        queue = [-self.place[first]]
        while queue:
            node = self.order[-heappop(queue)]
            share = mass.pop(node)
            edges = arena.edges(node)
            share /= sum(map(arena.weight, edges))
            for edge in edges:
                child = arena.successors[edge]
                chance = share * arena.weight(edge)
                gain = arena.gain(edge)
                if gain:
                    result[-1] = result.get(-1, 0) + chance * _rational(gain)
                if self.part[child] != self.inside or child in stops:
                    result[child] = result.get(child, 0) + chance
                elif child in mass:
                    mass[child] += chance
                else:
                    mass[child] = chance
                    heappush(queue, -self.place[child])
        return result

    def _matrix(self) -> Any:
        """The identity minus the chances from stop to stop."""
        import flint

        number = {stop: place for place, stop in enumerate(self.stops)}
        matrix = [[flint.fmpq(int(i == j)) for j in range(len(number))] for i in range(len(number))]
        for i, row in enumerate(self.rows):
            for node, chance in row.items():
                if node in number:
                    matrix[i][number[node]] -= chance
        return flint.fmpq_mat(matrix)

    def mixtures(self) -> dict[int, list[tuple[Any, int]]]:
        """Every entry as a mixture of the surrounding nodes."""
        import flint

        columns = [*self.around, -1]
        ways = flint.fmpq_mat([[row.get(node, flint.fmpq(0)) for node in columns] for row in self.rows])
        number = {stop: place for place, stop in enumerate(self.stops)}
        chosen = flint.fmpq_mat(
            [[flint.fmpq(int(number[entry] == place)) for entry in self.entries] for place in range(len(self.stops))]
        )
        shares = self._matrix().transpose().solve(chosen).transpose() * ways
        return {
            entry: [(share, node) for j, node in enumerate(columns) if (share := shares[i, j]) != 0]
            for i, entry in enumerate(self.entries)
        }

    def solved(self, values: dict[int, Any]) -> dict[int, Any]:
        """Exact values of the stops from those of the surrounding nodes."""
        import flint

        right = [
            [sum((chance * values[node] for node, chance in row.items() if node in values), row.get(-1, flint.fmpq(0)))]
            for row in self.rows
        ]
        solution = self._matrix().solve(flint.fmpq_mat(right))
        return {stop: solution[place, 0] for place, stop in enumerate(self.stops)}


def _rational(value: Number) -> Any:
    import flint

    return flint.fmpq(value.numerator, value.denominator)
