"""The compiled twin of `explorer`: the same graph, node by node and edge by edge, as arrays.

`explore_arrays` fills arrays that grow as needed; `graph_of` presents them as the very `Graph` that the plain explorer
would have built. States, moves and payoffs are made from numbers when somebody asks for them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import repeat
from typing import Any

import numpy as np
import numpy.typing as npt

from endsight.base.waiting import patiently
from endsight.compiler.columns import Words, fields_of, keys_of
from endsight.compiler.kernels.core import EDGES
from endsight.compiler.memory import zeros
from endsight.compiler.native import load_loop
from endsight.compiler.rules import CompiledRules
from endsight.engine.graph_run import GraphRun, explored
from endsight.game import CHANCE
from endsight.game.limits import Budget
from endsight.game.position import Position
from endsight.game.results import Share
from endsight.graph import graph_kernels
from endsight.graph.discounting import discounts_of
from endsight.graph.graph import Graph, Made, Picked
from endsight.graph.objective import TrackedNode, View

# Initial room for nodes: as many as are known, within these bounds, and some to spare.
_FEWEST, _USUAL, _MOST, _SPARE = 1 << 14, 1 << 18, 1 << 22, 1 << 12
_MOVES_EXPECTED = 4
_ORDERED_PLAINLY = 100_000
"""Up to this many edges, loops are looked for in Python: the loop may have to be compiled first."""
NEAREST = 1_000
"""Nodes that are looked up without sorting all keys."""


class Arrays:
    """A graph as arrays; `endsight.graph.graph.Graph` explains their meaning.

    keys has one row per node; payoffs and rewards have one row per node or edge and one column per player, or the
    single number first where `..._are_tuples` is not set.
    """

    def __init__(self, run: GraphRun) -> None:
        """Take the filled part of the memory."""
        nodes, edges, players = run.head, int(run.counters[EDGES]), run.rules.players
        gives = run.rules.translation.gives
        self.rules, self.nodes, self.edges = run.rules, nodes, edges
        self.keys: Words = _filled(run.order, run.tail * run.words).reshape(-1, run.words)
        self.offsets: Words = _filled(run.offsets, nodes + 1)
        self.movers: npt.NDArray[np.int8] = _filled(run.movers, nodes, np.int8)
        self.payoffs: Words = _filled(run.payoffs, nodes * players).reshape(-1, players)
        self.successors: npt.NDArray[np.int32] = _filled(run.successors, edges, np.int32)
        moves: Words = _filled(run.moves, edges * max(1, run.move_words))
        self.moves = moves.reshape(-1, run.move_words) if run.move_words else moves
        self.weights: Words | None = _filled(run.weights, edges) if gives("weight") else None
        rewards = _filled(run.rewards, edges * players).reshape(-1, players) if gives("reward") else None
        self.rewards: Words | None = rewards
        self.payoffs_are_tuples, self.rewards_are_tuples = run.payoffs_are_tuples, run.rewards_are_tuples

    def node(self, key: tuple[int, ...]) -> int | None:
        """The number of the node with that key; None if it was not found."""
        if key in self._nearest:
            return self._nearest[key]
        low, high = 0, len(self.keys)
        for column, word in enumerate(key):
            words = self._sorted[low:high, column]
            first, last = (int(np.searchsorted(words, word, side)) for side in ("left", "right"))
            low, high = low + first, low + last
        return int(self._places[low]) if low < high else None

    @cached_property
    def _nearest(self) -> dict[tuple[int, ...], int]:
        """The first nodes by key: those near the position asked about come first."""
        return {tuple(key): node for node, key in enumerate(self.keys[:NEAREST].tolist())}

    @cached_property
    def _places(self) -> Words:
        """Nodes in order of their keys (compared word by word)."""
        return np.lexsort(self.keys.T[::-1])

    @cached_property
    def _sorted(self) -> Words:
        return np.ascontiguousarray(self.keys[self._places])


def explore_arrays(rules: CompiledRules, position: Position, budget: Budget, *, at_most: int | None = None) -> Arrays:
    """The graph from `position` on, or its first `at_most` expanded nodes.

    Raises `CannotCompile` for a fault, `LimitReached` past a limit.
    """
    nodes = edges = _FEWEST
    if not budget.limits.memory:
        # Memory is only taken where it is touched; if the room is too small, everything is copied.
        nodes = max(_FEWEST, min(_MOST, (budget.expected or _USUAL) + _SPARE))
        edges = _MOVES_EXPECTED * nodes

    def watch(run: GraphRun) -> None:
        budget.frontier = run.tail - run.head
        budget.spend(run.tail)

    budget.look(0, "exploring")
    key = rules.root_key(position.state, position.mover)
    run = explored(rules, [key], (nodes, edges), budget, at_most, watch=watch)
    budget.frontier = 0
    return Arrays(run)


def _filled(numbers: memoryview[int], count: int, kind: Any = np.int64) -> npt.NDArray[Any]:
    """The first numbers, as an array on the same memory."""
    return np.frombuffer(numbers, kind)[:count]


# -------------------------------------------------------------------- as a graph


_AT_ONCE = 1 << 16
"""Nodes made at a time in an iteration over all."""


class _Nodes(Made[Any]):
    """The nodes of a view that keys stand for."""

    def __init__(self, rules: CompiledRules, keys: Words) -> None:
        self.rules = rules
        self.keys = keys

    def __len__(self) -> int:
        return len(self.keys)

    def __iter__(self) -> Iterator[Any]:
        for first in range(0, len(self.keys), _AT_ONCE):
            yield from self.made(slice(first, first + _AT_ONCE))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and list(self) == list(other)

    __hash__ = None  # type: ignore[assignment]

    def picked(self, places: npt.NDArray[np.integer[Any]]) -> Iterator[Any]:
        """The nodes at these places."""
        for first in range(0, len(places), _AT_ONCE):
            yield from self.made(places[first : first + _AT_ONCE])

    def made(self, places: slice | npt.NDArray[np.integer[Any]]) -> list[Any]:
        """These nodes."""
        states, movers = self.rules.states(self.keys[places])
        return states if movers is None else list(map(TrackedNode, states, movers, repeat(())))


class _NodeNumbers(Mapping[Any, int]):
    """The numbers of nodes."""

    def __init__(self, arrays: Arrays, nodes: _Nodes) -> None:
        self.arrays = arrays
        self.nodes = nodes

    def __getitem__(self, node: Any) -> int:
        rules = self.arrays.rules
        key = rules.packed(node.state, node.mover) if rules.tracks_mover else rules.packed(node, 0)
        place = None if key is None else self.arrays.node(key)
        if place is None:
            raise KeyError(node)
        return place

    def __iter__(self) -> Iterator[Any]:
        return iter(self.nodes)

    def __len__(self) -> int:
        return len(self.nodes)


def graph_of(arrays: Arrays, view: View) -> Graph:
    """The graph as the plain explorer builds it."""
    is_end = arrays.offsets[1:] == arrays.offsets[:-1]
    nodes = _Nodes(arrays.rules, arrays.keys)
    payoffs, gains = _payoffs(arrays, view, nodes), None if arrays.rewards is None else gains_of(arrays, view)
    rewards = gains if gains is not None and len(gains.rows) > 1 else None
    movers = arrays.movers
    for player in view.random_players:
        movers = np.where(movers == player, np.int8(CHANCE), movers)
    weights, moves = arrays.weights, arrays.moves
    graph = Graph(
        keys=nodes,
        index=_NodeNumbers(arrays, nodes),
        offsets=arrays.offsets.data,
        successors=arrays.successors.data,
        moves=moves.data if arrays.rules.translation.moves_are_numbers else _RulesMoves(arrays.rules, moves),
        movers=movers.data,
        weights=None if weights is None or bool((weights == 1).all()) else weights.data,
        rewards=rewards,
        payoffs=payoffs,
        interests=view.interests,
        players=view.players,
        endless=view.endless,
        alternating=view.relative,
        is_win_loss=view.is_win_loss,
        discounts=discounts_of(view, nodes, arrays.offsets.tolist()) if view.discounted else None,
        rules=arrays.rules,
    )
    widths = np.diff(arrays.offsets)
    # Facts that the graph would otherwise find out entry by entry.
    facts = graph.__dict__
    facts["ends"] = payoffs
    if rewards is not None:
        facts["gains"] = rewards
    facts["deciders"] = {player for player in range(view.players) if bool((movers[widths > 1] == player).any())}
    facts["has_chance"] = bool(((movers == CHANCE) & ~is_end).any())
    if len(graph) == arrays.nodes:
        if arrays.edges > _ORDERED_PLAINLY:
            facts["order"] = compiled_order(arrays.offsets, arrays.successors)
        if arrays.rules.tracks_mover:
            *fields, mover = fields_of(arrays.rules.packing, arrays.keys)
            words = np.stack(keys_of(arrays.rules.packing, [*fields, np.zeros_like(mover)]))
            ordered = np.sort(words) if len(words) == 1 else words[:, np.lexsort(words)]
            facts["state_count"] = 1 + int((ordered[:, 1:] != ordered[:, :-1]).any(axis=0).sum())
    return graph


class _RulesMoves(Made[Any]):
    """Moves that are more than numbers, as the rules give them."""

    def __init__(self, rules: CompiledRules, words: Words) -> None:
        self.words = words
        self.move = rules.translation.move

    def __len__(self) -> int:
        return len(self.words)

    def made(self, places: slice) -> list[Any]:
        """These moves."""
        rows = self.words[places]
        width = self.words.size // max(1, len(self.words))
        return [self.move(iter(row)) for row in rows.reshape(len(rows), width).tolist()]


def compiled_order(offsets: Words, successors: npt.NDArray[np.int32]) -> Sequence[int] | None:
    """`Graph.order`, by the same loop in machine code."""
    nodes = len(offsets) - 1
    kernel = load_loop(graph_kernels.leave_in_order)
    path, order = zeros(nodes, np.int32), zeros(nodes, np.int32)
    is_done = patiently(kernel, nodes, offsets, successors, zeros(nodes, np.int8), offsets.copy(), path, order)
    return order.data if is_done else None


def _payoffs(arrays: Arrays, view: View, nodes: _Nodes) -> Picked[Any]:
    """Payoff of every end, None elsewhere; messages name the states."""
    ends = np.flatnonzero(arrays.offsets[1:] == arrays.offsets[:-1])

    def worth(share: Share, end: int) -> Any:
        node = int(ends[end])
        return view.final_of(share, int(arrays.movers[node]), (), view.split(nodes[node])[0])

    shares, are_tuples, movers = arrays.payoffs[ends], arrays.payoffs_are_tuples, arrays.movers[ends]
    return _picked(arrays.rules, shares, are_tuples, movers, worth, ends, arrays.nodes)


def gains_of(arrays: Arrays, view: View) -> Picked[Any]:
    """Gain on every edge of rules that give rewards, None for nothing; messages name the states."""
    assert arrays.rewards is not None, "the rules give rewards"

    def worth(share: Share, edge: int) -> Any:
        node = int(np.searchsorted(arrays.offsets, edge, "right")) - 1
        (state,), _ = arrays.rules.states(arrays.keys[node : node + 1])
        return view.edge_gain(view.gain_of(share, int(arrays.movers[node]), state))

    movers, every = np.repeat(arrays.movers, np.diff(arrays.offsets)), np.arange(arrays.edges)
    return _picked(arrays.rules, arrays.rewards, arrays.rewards_are_tuples, movers, worth, every, arrays.edges)


def _picked(
    rules: CompiledRules,
    shares: Words,
    are_tuples: bool,
    movers: npt.NDArray[np.int8],
    worth: Callable[[Share, int], Any],
    where: Words,
    count: int,
) -> Picked[Any]:
    """The values of shares at the places `where`, None at the other ones of `count`; the first row is None.

    Every share is evaluated once for each mover who gets it: `worth` takes it and its row, the first that has it.
    """
    code = movers.astype(np.int64)
    for column in shares.T if are_tuples else shares.T[:1]:
        number = np.unique(column, return_inverse=True)[1]
        code = np.unique(code * (int(number.max(initial=0)) + 1) + number, return_inverse=True)[1]
    _, first, code = np.unique(code, return_index=True, return_inverse=True)
    rows: dict[Any, int] = {None: 0}
    number = np.zeros(len(first), np.int32)
    for kind in np.argsort(first).tolist():
        share = rules.share(shares[first[kind]].tolist(), is_tuple=are_tuples)
        number[kind] = rows.setdefault(worth(share, int(first[kind])), len(rows))
    numbers = np.zeros(count, np.int32)
    numbers[where] = number[code]
    return Picked(list(rows), numbers.data)
