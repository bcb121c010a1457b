"""What policies give away in large games with chance and loops, as proven bounds on arrays.

The arrays are those that `enclosed` has solved: binding a player to a policy only takes
moves away, so the bounds of what is left are found and checked in the same way.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from typing import Any, Protocol, runtime_checkable

import numpy as np
import numpy.typing as npt

from endsight.algorithms.edge_arrays import edges_of
from endsight.algorithms.interval_iteration import Enclosure, enclose_values
from endsight.algorithms.policy_iteration import exact_near
from endsight.answers.enclosed import BoundsTable
from endsight.compiler.columns import fields_of
from endsight.game.limits import Budget
from endsight.game.numbers import Amount, Interval, with_rest
from endsight.game.position import Position
from endsight.game.question import PolicyRule, Question, policy_function
from endsight.graph.objective import View

__all__ = ["Bound", "bind"]

Words = npt.NDArray[np.int64]
Mask = npt.NDArray[np.bool_]


@dataclass(frozen=True)
class Bound:
    """A solved game in which `player` follows a policy and everybody else answers best.

    `kept` marks the edges of the whole game that are left; `enclosure` bounds the first
    player's values of what is left. Without `kept`, the player moves at random.
    """

    table: BoundsTable
    position: Position
    player: int
    kept: Mask | None
    enclosure: Enclosure
    budget: Budget

    @cached_property
    def value(self) -> tuple[Amount, ...]:
        """Whole-game value per player at the position, exact where best play's is."""
        first: Amount = self.enclosure.interval(0)
        if 0 in self.table.known:
            first = exact_near(0, self.enclosure, self.budget)[0]
        return self.table.view.whole(self.position, with_rest(first, self.table.total), by_mover=False)

    @cached_property
    def _way(self) -> Words:
        """For every node that the policy can reach the edge it is first met by, breadth first; -2 for the rest."""
        return _first_ways(self.enclosure.arena.offsets, self.enclosure.arena.successors)

    def worst(self) -> tuple[Position, Interval] | None:
        """Where a single decision gives away most by the upper end, and how much; None where no decision is met."""
        whole = self.table.enclosure
        nodes = np.flatnonzero((self.table.arrays.movers == self.player) & (self._way > -2))
        nodes = nodes[np.diff(whole.arena.offsets)[nodes] > 0]
        if not len(nodes):
            return None
        low, high = self._given_away(nodes)
        at = int(np.lexsort((nodes, -high))[0])
        return self._place(int(nodes[at])), Interval(
            *(Fraction(int(end[at]), whole.denominator) for end in (low, high))
        )

    def _given_away(self, nodes: Words) -> tuple[Words, Words]:
        """Ends of what the policy's move gives away at each node, in the units of best play's bounds."""
        whole, left = self.table.enclosure, self.enclosure.arena
        scale = whole.denominator // whole.arena.unit
        after = np.zeros((len(nodes), 2), np.int64)
        counts = np.diff(left.offsets)[nodes]
        for number in range(int(counts.max())):
            has = counts > number
            edges = left.offsets[nodes[has]] + number
            ends = whole.bounds[left.successors[edges]]
            if left.gains is not None:
                ends = ends + (left.gains[edges] * scale)[:, None]
            after[has] += ends
        # The mean of a random player's moves, rounded outwards.
        lows, highs = after[:, 0] // counts, -(-after[:, 1] // counts)
        here = whole.bounds[nodes]
        if self.table.view.sign(self.player) > 0:
            low, high = here[:, 0] - highs, here[:, 1] - lows
        else:
            low, high = lows - here[:, 1], highs - here[:, 0]
        return np.maximum(low, 0), np.maximum(high, 0)

    def _place(self, node: int) -> Position:
        """A shortest way to a node under the policy, played from the position."""
        arena = self.enclosure.arena
        numbers = np.arange(len(self.table.enclosure.arena.successors))
        edges = numbers if self.kept is None else numbers[self.kept]
        whole = self.table.enclosure.arena.offsets
        turns: list[int] = []
        while node:
            way = int(self._way[node])
            node = int(np.searchsorted(arena.offsets, way, "right")) - 1
            turns.append(int(edges[way]) - int(whole[node]))
        place = self.position
        for turn in reversed(turns):
            place = place.play(list(place.moves())[turn])
        return place


def bind(table: BoundsTable, position: Position, player: int, rule: PolicyRule, budget: Budget) -> Bound:
    """Bind `player` to `rule` in a game solved on arrays without symmetry (from `position` on)."""
    arena = table.enclosure.arena
    if rule == "random":
        signs = arena.signs.copy()
        signs[table.arrays.movers == player] = 0
        bound, kept = replace(arena, signs=signs), None
    else:
        kept = _choices_of(table, player, rule, budget)
        bound = arena.among(np.arange(len(arena)), kept)
    enclosure = enclose_values(bound, budget=budget)
    assert enclosure is not None, "with fewer moves play still ends"
    return Bound(table, position, player, kept, enclosure, budget)


@runtime_checkable
class ColumnPolicy(Protocol):
    """A policy between two moves that can be asked about many states at once."""

    def on_columns(self, columns: Mapping[str, Words]) -> tuple[Mask, Any, Any]:
        """Where the first of two moves is wanted, and the two moves."""


def _choices_of(table: BoundsTable, player: int, rule: PolicyRule, budget: Budget) -> Mask:
    """Marks all edges but those that the policy does not take."""
    arrays, offsets = table.arrays, table.enclosure.arena.offsets
    nodes = np.flatnonzero((arrays.movers == player) & (np.diff(offsets) > 0))
    edges = edges_of(offsets, nodes)
    kept = np.ones(arrays.edges, np.bool_)
    kept[edges] = False
    kept[_taken(table, nodes, player, rule, budget)] = True
    return kept


def _taken(table: BoundsTable, nodes: Words, player: int, rule: PolicyRule, budget: Budget) -> Words:
    """The edge that the policy takes at each of these nodes."""
    arrays, first = table.arrays, table.enclosure.arena.offsets[nodes]
    if arrays.moves.size != arrays.edges:
        return _asked(table, nodes, player, rule, budget)
    if isinstance(rule, ColumnPolicy):
        columns = fields_of(arrays.rules.packing, arrays.keys[nodes])
        is_first, *moves = rule.on_columns(dict(zip(table.view.game.State._fields, columns, strict=True)))
        # Where neither of the two can be played, what can is played.
        return _places(table, nodes, np.where(is_first, *moves), first)
    wanted = _wanted(table, nodes, player, rule, budget)
    if wanted is None:
        return _asked(table, nodes, player, rule, budget)
    taken = _places(table, nodes, wanted, first - 1)
    strange = taken < first
    if strange.any():
        taken[strange] = _asked(table, nodes[strange], player, rule, budget)
    return taken


def _wanted(table: BoundsTable, nodes: Words, player: int, rule: PolicyRule, budget: Budget) -> Words | None:
    """The moves that a policy plays; None where they are not all whole numbers."""
    policy = policy_function(table.view.game, rule)
    states, _ = table.arrays.rules.states(table.arrays.keys[nodes])
    moves = []
    for state in states:
        budget.glance(table.arrays.nodes, "asking the policy")
        moves.append(policy(state, player))
    if not all(type(move) is int and abs(move) < 1 << 62 for move in moves):
        return None
    return np.array(moves, np.int64)


def _places(table: BoundsTable, nodes: Words, wanted: Words, otherwise: Words) -> Words:
    """The first edge of each node that is the move wanted there, else `otherwise`."""
    offsets, moves = table.enclosure.arena.offsets, table.arrays.moves.reshape(-1)
    counts = np.diff(offsets)[nodes]
    found = otherwise.copy()
    for turn in reversed(range(int(counts.max(initial=0)))):
        edges = offsets[nodes] + np.minimum(turn, counts - 1)
        found = np.where(moves[edges] == wanted, edges, found)
    return found


def _asked(table: BoundsTable, nodes: Words, player: int, rule: PolicyRule, budget: Budget) -> Words:
    """The same, state by state; raises what is to be said about a move that is not legal."""
    game, arrays, offsets = table.view.game, table.arrays, table.enclosure.arena.offsets
    legal = View(game, Question(fixed={player: rule})).legal
    states, _ = arrays.rules.states(arrays.keys[nodes])
    taken: Words = offsets[nodes].copy()
    for place, state in enumerate(states):
        budget.glance(arrays.nodes, "asking the policy")
        (move,) = legal(state, player, ())
        taken[place] += list(game.moves(state)).index(move)
    return taken


def _first_ways(offsets: Words, successors: Any) -> Words:
    ways = np.full(len(offsets) - 1, -2, np.int64)
    ways[0] = -1
    front = np.zeros(1, np.int64)
    while len(front):
        edges = edges_of(offsets, front)
        met, first = np.unique(successors[edges], return_index=True)
        new = ways[met] == -2
        ways[met[new]] = edges[first[new]]
        front = met[new].astype(np.int64)
    return ways
