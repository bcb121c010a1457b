"""The compiled twin of `explorer`: the same graph, node by node and edge by edge, as arrays.

`explore_arrays` fills arrays that grow as needed; `graph_of` makes of them the very
`Graph` that the plain explorer would have built.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from endsight.collector import collector_paused
from endsight.compiler.memory import zeros
from endsight.compiler.refusal import CannotCompile
from endsight.compiler.rules import BATCH, UNSET, Code, CompiledRules
from endsight.compiler.tables import enter_keys, grown
from endsight.game import Share
from endsight.graph import Graph
from endsight.limits import Budget
from endsight.objective import Node, View
from endsight.position import Position

__all__ = ["Arrays", "explore_arrays", "graph_of"]

# How many nodes a kernel expands before it hands back to look at limits and Ctrl-C.
STRIDE = 1 << 17
# Nodes for which there is room at first: as many as are known, within these ends, and some to spare.
_FEWEST, _USUAL, _MOST, _SPARE = 1 << 14, 1 << 18, 1 << 22, 1 << 12
_MOVES_EXPECTED = 4


@dataclass
class Arrays:
    """A graph as arrays; see `endsight.graph.Graph` for what they mean.

    keys one row per node; payoffs and rewards one row per node or edge with one column
    per player, or with the single number first where `..._are_tuples` is not set.
    """

    rules: CompiledRules
    nodes: int
    edges: int
    keys: npt.NDArray[np.int64]
    offsets: npt.NDArray[np.int64]
    movers: npt.NDArray[np.int8]
    payoffs: npt.NDArray[np.int64]
    successors: npt.NDArray[np.int32]
    moves: npt.NDArray[np.int64]
    weights: npt.NDArray[np.int64] | None
    rewards: npt.NDArray[np.int64] | None
    payoffs_are_tuples: bool
    rewards_are_tuples: bool


def explore_arrays(
    rules: CompiledRules, position: Position, budget: Budget, *, at_most: int | None = None, move_words: int = 0
) -> tuple[Arrays, Any]:
    """The graph from `position` on (or its first `at_most` expanded nodes), and the kernel.

    Raises `CannotCompile` for a fault, `LimitReached` past a limit.
    """
    run = _Run(rules, position, move_words, budget)
    while True:
        result = run.step(at_most)
        budget.frontier = run.tail - run.head
        budget.spend(run.tail)
        if result in (Code.DONE, Code.STOPPED) and (result == Code.DONE or run.head == at_most):
            break
    budget.frontier = 0
    if run.width > move_words:
        return explore_arrays(rules, position, budget, at_most=at_most, move_words=run.width)
    return run.arrays(), run.kernel


class _Run:
    """Arrays while they grow."""

    def __init__(self, rules: CompiledRules, position: Position, move_words: int, budget: Budget) -> None:
        self.rules = rules
        self.budget = budget
        self.move_words = move_words
        self.kernel = rules.kernel("graph", MOVE_WORDS=move_words)
        self.counters = np.zeros(8, np.int64)
        self.words = rules.packing.words
        key = rules.root_key(position.state, position.mover)
        self.nodes = self.edges = _FEWEST
        if not budget.limits.memory:
            # Memory is only taken where it is touched; where there is too little room, all is copied.
            self.nodes = max(_FEWEST, min(_MOST, (budget.expected or _USUAL) + _SPARE))
            self.edges = _MOVES_EXPECTED * self.nodes
        self.room = 1 << 10
        self.order = zeros(self.nodes * self.words)
        self.order[: self.words] = key
        self.offsets = zeros(self.nodes + 1)
        self.movers = zeros(self.nodes, np.int8)
        self.payoffs = zeros(self.nodes * rules.players)
        self.successors = zeros(self.edges, np.int32)
        self.moves = zeros(self.edges * max(1, move_words))
        self.weights = self._optional("weight", self.edges)
        self.rewards = self._optional("reward", self.edges * rules.players)
        self.buffer = zeros(self.room * self.words)
        self.counters[1] = 1
        self._make_table()

    def _optional(self, rule: str, count: int) -> npt.NDArray[np.int64]:
        return zeros(count if self.rules.translation.gives(rule) else 1)

    @property
    def head(self) -> int:
        return int(self.counters[0])

    @property
    def tail(self) -> int:
        return int(self.counters[1])

    @property
    def width(self) -> int:
        """Words of a move, 0 for a number."""
        return int(self.counters[7])

    def _make_table(self) -> None:
        """A table at most 3/4 full, with the nodes found so far."""
        self.slots = 1 << max(4, (self.nodes * 4 // 3).bit_length())
        self.table = zeros(self.slots * self.words)
        self.numbers = zeros(self.slots, np.int32)
        enter_keys(self.rules.packing, self.table, self.slots - 1, self.order, self.tail, UNSET, self.numbers)

    def step(self, at_most: int | None) -> int:
        """Run the kernel once and make room where it asks for it."""
        stop = min(self.head + STRIDE, at_most or sys.maxsize)
        result = self.kernel(
            self.table, self.numbers, self.slots - 1, self.order, self.nodes, self.offsets, self.movers,
            self.payoffs, self.successors, self.moves, self.weights, self.rewards, self.edges,
            self.buffer, self.room, self.rules.data, self.counters, stop,
        )  # fmt: skip
        needed = int(self.counters[3])
        if result == Code.FAULT:
            stop = min(self.head + BATCH, self.tail)
            raise self.rules.blame_one(needed, self.order, self.head, stop)
        if result == Code.BUFFER_FULL:
            self.room = 2 * needed
            self.buffer = zeros(self.room * self.words)
        elif result == Code.EDGES_FULL:
            self._more_edges(needed)
        elif result == Code.NODES_FULL:
            self._more_nodes(needed)
        return result

    def _more_edges(self, needed: int) -> None:
        self.budget.reserve(max(self.moves.nbytes, self.rewards.nbytes), self.tail, "exploring")
        before, self.edges = self.edges, 2 * self.edges + needed
        per_edge = len(self.moves) // before
        self.successors = grown(self.successors, self.edges)
        self.moves = grown(self.moves, self.edges * per_edge)
        if self.rules.translation.gives("weight"):
            self.weights = grown(self.weights, self.edges)
        if self.rules.translation.gives("reward"):
            self.rewards = grown(self.rewards, self.edges * self.rules.players)

    def _more_nodes(self, needed: int) -> None:
        self.nodes = 2 * self.nodes + needed
        if self.nodes > 1 << 31:
            raise CannotCompile("the graph has more than 2^31 nodes")
        # While it grows an array is there twice; the larger table is soon used all over.
        self.budget.reserve(self.order.nbytes + self.table.nbytes + self.numbers.nbytes, self.tail, "exploring")
        self.order = grown(self.order, self.nodes * self.words)
        self.offsets = grown(self.offsets, self.nodes + 1)
        self.movers = grown(self.movers, self.nodes)
        self.payoffs = grown(self.payoffs, self.nodes * self.rules.players)
        self._make_table()

    def arrays(self) -> Arrays:
        """The part of the arrays that is filled."""
        nodes, edges, players = self.head, int(self.counters[2]), self.rules.players
        moves = self.moves[: edges * max(1, self.move_words)]
        gives = self.rules.translation.gives
        return Arrays(
            rules=self.rules,
            nodes=nodes,
            edges=edges,
            keys=self.order[: self.tail * self.words].reshape(-1, self.words),
            offsets=self.offsets[: nodes + 1],
            movers=self.movers[:nodes],
            payoffs=self.payoffs[: nodes * players].reshape(-1, players),
            successors=self.successors[:edges],
            moves=moves.reshape(-1, self.move_words) if self.move_words else moves,
            weights=self.weights[:edges] if gives("weight") else None,
            rewards=self.rewards[: edges * players].reshape(-1, players) if gives("reward") else None,
            payoffs_are_tuples=bool(self.counters[5]),
            rewards_are_tuples=bool(self.counters[6]),
        )


# -------------------------------------------------------------------- as lists


_AT_ONCE = 1 << 18
"""Numbers that become a list in one call: between calls Ctrl-C is heard."""


def _listed(array: npt.NDArray[Any]) -> list[Any]:
    """The array as a list."""
    found: list[Any] = []
    for first in range(0, len(array), _AT_ONCE):
        found += array[first : first + _AT_ONCE].tolist()
    return found


def _numbered(keys: list[Any]) -> dict[Any, int]:
    """The place of every key."""
    index: dict[Any, int] = {}
    for first in range(0, len(keys), _AT_ONCE):
        some = keys[first : first + _AT_ONCE]
        index.update(zip(some, range(first, first + len(some)), strict=True))
    return index


@collector_paused()
def graph_of(arrays: Arrays, view: View) -> Graph:
    """The graph as the plain explorer builds it; `NeedsMover` where payoffs turn out to be tuples."""
    keys = _keys(arrays)
    rewards, payoffs = _rewards(arrays, view, keys), _payoffs(arrays, view, keys)
    weights = None if arrays.weights is None else _listed(arrays.weights)
    moves = _listed(arrays.moves)
    return Graph(
        keys=keys,
        index=_numbered(keys),
        offsets=_listed(arrays.offsets),
        successors=_listed(arrays.successors),
        moves=moves if arrays.moves.ndim == 1 else [tuple(move) for move in moves],
        movers=[view.acting(mover) for mover in _listed(arrays.movers)],
        weights=weights if weights and any(weight != 1 for weight in weights) else None,
        rewards=rewards if rewards and any(gain is not None for gain in rewards) else None,
        payoffs=payoffs,
        wishes=view.wishes,
        players=view.players,
        endless=view.endless,
        alternating=view.relative,
        is_win_loss=view.is_win_loss,
        rules=arrays.rules,
    )


def _keys(arrays: Arrays) -> list[Any]:
    states, movers = arrays.rules.states(arrays.keys)
    if movers is None:
        return states
    return [Node(state, mover, ()) for state, mover in zip(states, movers, strict=True)]


def _payoffs(arrays: Arrays, view: View, keys: list[Any]) -> list[Any]:
    """Payoff of every end, None elsewhere; states are named in messages."""
    payoffs: list[Any] = [None] * arrays.nodes
    ends = np.flatnonzero(arrays.offsets[1:] == arrays.offsets[:-1])
    known: dict[Any, Any] = {}
    shares = _shares(arrays.payoffs[ends], arrays.payoffs_are_tuples)
    for node, share, mover in zip(ends.tolist(), shares, arrays.movers[ends].tolist(), strict=True):
        if (share, mover) not in known:
            known[share, mover] = view.final_of(share, mover, (), view.split(keys[node])[0])
        payoffs[node] = known[share, mover]
    return payoffs


def _rewards(arrays: Arrays, view: View, keys: list[Any]) -> list[Any] | None:
    """Gain on every edge, None for nothing; states are named in messages."""
    if arrays.rewards is None:
        return None
    known: dict[Any, Any] = {}
    rewards = []
    nodes = np.repeat(np.arange(arrays.nodes), np.diff(arrays.offsets))
    movers = arrays.movers[nodes].tolist()
    shares = _shares(arrays.rewards, arrays.rewards_are_tuples)
    for node, share, mover in zip(nodes.tolist(), shares, movers, strict=True):
        if (share, mover) not in known:
            known[share, mover] = view.edge_gain(view.gain_of(share, mover, view.split(keys[node])[0]))
        rewards.append(known[share, mover])
    return rewards


def _shares(rows: npt.NDArray[np.int64], are_tuples: bool) -> list[Share]:
    return list(map(tuple, rows.tolist())) if are_tuples else rows[:, 0].tolist()
