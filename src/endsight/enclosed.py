"""Large games with chance and loops, from the compiled explorer's arrays to answers by position.

No lists are built: bounds are found and checked on the arrays themselves, and only the
nodes about which somebody asks are turned into numbers.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from math import lcm
from typing import Any

import numpy as np
import numpy.typing as npt

from endsight.algorithms.interval_iteration import Enclosure, FixedArena, Structure, enclose_values
from endsight.algorithms.policy_iteration import MOST_IN_COMPONENT, exact_near
from endsight.compiler.engine import trusted_rules
from endsight.compiler.exploring import Arrays, explore_arrays
from endsight.compiler.refusal import CannotCompile
from endsight.game import CHANCE, Game, Position, Share
from endsight.limits import Budget, Ends
from endsight.numbers import Amount, Number, ends_of, simplest
from endsight.objective import View
from endsight.question import Question
from endsight.table import Kind

__all__ = ["EnclosedSource", "solve_enclosed"]

NEAREST = 1_000
"""Nodes that are looked up without sorting all keys."""


def solve_enclosed(
    game: Game, position: Position, question: Question, kind: Kind, *, symmetry: bool, budget: Budget
) -> EnclosedSource:
    """Proven intervals of all positions, and exact values near `position` where `kind` has it so.

    Raises `CannotCompile` where the rules, the question or the numbers are not for this
    way, and where there are no loops or play might never end; `LimitReached` past a limit.
    """
    view = View(game, question, symmetry=symmetry)
    if view.tracks or view.choosers or not view.has_to_move:
        raise CannotCompile("only games that say who moves, without policies, are enclosed on arrays")
    rules = trusted_rules(game, position, symmetry=symmetry, tracks_mover=False)
    arrays = _explored(rules, position, budget)
    amounts = _Amounts(arrays, view)
    arena = amounts.arena()
    structure = Structure.of(arena.offsets, arena.successors, arena.signs)
    if not len(structure.loops) or not structure.ends:
        raise CannotCompile("without loops, or where play might never end, the graph is solved as it is")
    enclosure = enclose_values(arena, structure, budget=budget)
    assert enclosure is not None
    budget.witness = EnclosedSource(view, arrays, enclosure, {}, amounts.total).proven
    is_exact = kind == "exact" or (kind == "auto" and int(structure.loops.max()) <= MOST_IN_COMPONENT)
    known = exact_near(0, enclosure, budget) if is_exact else {}
    return EnclosedSource(view, arrays, enclosure, known, amounts.total)


def _explored(rules: Any, position: Position, budget: Budget) -> Arrays:
    explored = explore_arrays(rules, position, budget)
    arrays: Arrays = explored[0] if isinstance(explored, tuple) else explored
    return arrays


class _Amounts:
    """The first player's payoffs and gains in arrays, and what each mover makes of them."""

    def __init__(self, arrays: Arrays, view: View) -> None:
        self.arrays = arrays
        self.view = view
        self.is_end = arrays.offsets[1:] == arrays.offsets[:-1]
        self.payoffs, of_end = self._shares(arrays.payoffs[self.is_end], arrays.payoffs_are_tuples, self._final)
        self.of_node = np.zeros(arrays.nodes, np.int64)
        self.of_node[self.is_end] = of_end
        self.gains: list[tuple[Number, ...]] = []
        self.of_edge = np.zeros(0, np.int64)
        if arrays.rewards is not None:
            self.gains, self.of_edge = self._shares(arrays.rewards, arrays.rewards_are_tuples, self._gain)
        self.total = self._constant_sum()

    def _shares(
        self, rows: npt.NDArray[np.int64], are_tuples: bool, share: Any
    ) -> tuple[list[tuple[Number, ...]], npt.NDArray[np.int64]]:
        """The distinct shares under the question, and the number of every row's."""
        distinct, numbers = np.unique(rows, axis=0, return_inverse=True)
        plain: list[Share] = [tuple(row) if are_tuples else row[0] for row in distinct.tolist()]
        return [share(each) for each in plain], numbers.reshape(-1)

    def _final(self, share: Share) -> tuple[Number, ...]:
        return self.view.final_of(share, 0, ())

    def _gain(self, share: Share) -> tuple[Number, ...]:
        gain = self.view.edge_gain(self.view.gain_of(share, 0))
        return (0,) * self.view.players if gain is None else gain

    def _constant_sum(self) -> Number | None:
        """What the players' payoffs add up to wherever play ends; None where that depends on play."""
        sums = {simplest(sum(payoff)) for payoff in self.payoffs}
        if len(sums) > 1 or any(sum(gain) for gain in self.gains):
            return None
        return next(iter(sums), 0)

    def _sign(self, mover: int) -> int:
        """Whether that mover wants more (+1) or less (-1) of the first player's amount."""
        if self.view.acting(mover) == CHANCE:
            return 0
        target, direction = self.view.wishes[mover]
        if target == 0:
            return direction
        if self.view.players == 2 and self.total is not None:
            return -direction
        raise CannotCompile("the players' wishes are not opposed")

    def arena(self) -> FixedArena:
        """All that the algorithms need; raises `CannotCompile` where one number per node will not do."""
        if self.view.players > 1 and self.total is None:
            raise CannotCompile("the players' payoffs have no constant sum")
        arrays = self.arrays
        first = [payoff[0] for payoff in self.payoffs]
        gained = [gain[0] for gain in self.gains]
        unit = lcm(*(number.denominator for number in (*first, *gained)))
        movers = sorted(set(np.unique(arrays.movers[~self.is_end]).tolist()))
        signs = np.zeros(arrays.nodes, np.int8)
        for mover in movers:
            signs[(arrays.movers == mover) & ~self.is_end] = self._sign(mover)
        try:
            values = np.array([int(number * unit) for number in first] or [0], np.int64)
            gains = np.array([int(number * unit) for number in gained], np.int64) if any(gained) else None
        except OverflowError:
            raise CannotCompile("payoffs or rewards have too many digits") from None
        weights = arrays.weights
        return FixedArena(
            offsets=arrays.offsets,
            successors=arrays.successors,
            weights=None if weights is None or bool((weights == 1).all()) else weights,
            signs=signs,
            gains=None if gains is None else gains[self.of_edge],
            payoffs=np.where(self.is_end, values[self.of_node], 0),
            unit=unit,
        )


@dataclass
class EnclosedSource:
    """Bounds of all positions, asked by position; exact where `known`.

    `total` is what the players' values add up to (None for one player).
    """

    view: View
    arrays: Arrays
    enclosure: Enclosure
    known: Mapping[int, Number]
    total: Number | None
    theorem: None = None
    notion: None = None
    is_win_loss: bool = False

    @property
    def method(self) -> str:
        """The method's name in answers."""
        return "interval iteration, exact along best play" if self.known else "interval iteration"

    @property
    def states(self) -> int:
        """Distinct states met (canonical ones with symmetry on)."""
        return self.arrays.nodes

    @cached_property
    def _nearest(self) -> dict[tuple[int, ...], int]:
        """The first nodes by key: those near the position that was asked about come first."""
        return {tuple(key): node for node, key in enumerate(self.arrays.keys[:NEAREST].tolist())}

    @cached_property
    def _places(self) -> npt.NDArray[np.int64]:
        """Nodes in order of their keys (compared word by word)."""
        return np.lexsort(self.arrays.keys.T[::-1])

    @cached_property
    def _sorted(self) -> npt.NDArray[np.int64]:
        return np.ascontiguousarray(self.arrays.keys[self._places])

    def _node(self, position: Position) -> int | None:
        key = self.arrays.rules.key(position.state, position.mover)
        if key is None:
            return None
        if tuple(key) in self._nearest:
            return self._nearest[tuple(key)]
        low, high = 0, self.arrays.nodes
        for column, word in enumerate(key):
            words = self._sorted[low:high, column]
            first, last = (int(np.searchsorted(words, word, side)) for side in ("left", "right"))
            low, high = low + first, low + last
        return int(self._places[low]) if low < high else None

    def covers(self, position: Position) -> bool:
        """Whether the position was met."""
        return self._node(position) is not None

    def value(self, position: Position) -> tuple[Amount, ...]:
        """Whole-game value per player, exact or enclosed."""
        node = self._node(position)
        assert node is not None, "only positions that are covered are asked about"
        return self._row(node, position)

    def proven(self, position: Position) -> tuple[Ends, ...] | None:
        """The value's ends; finds the node without first sorting all of them."""
        key = self.arrays.rules.key(position.state, position.mover)
        if key is None:
            return None
        nodes = np.flatnonzero((self.arrays.keys == np.array(key)).all(axis=1))
        return ends_of(self._row(int(nodes[0]), position)) if len(nodes) else None

    def _row(self, node: int, position: Position) -> tuple[Amount, ...]:
        first: Amount
        if node in self.known:
            first = self.known[node]
        else:
            ends = self.enclosure.interval(node)
            first = simplest(ends.lower) if ends.lower == ends.upper else ends
        row: tuple[Amount, ...] = (first,)
        if self.view.players > 1:
            assert self.total is not None
            row = (first, self.total - first, *(0,) * (self.view.players - 2))
        return tuple(simplest(a + b) for a, b in zip(row, self.view.carried(position.so_far), strict=True))

    def distance(self, position: Position) -> int | None:
        """None: chance has a part."""
        return None

    def facts(self, position: Position) -> Mapping[str, Any]:
        """None beyond the values."""
        return {}
