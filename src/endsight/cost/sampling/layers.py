"""Layers of a game, counted breadth first while they are small, then sampled.

A *layer* is the set of nodes that first occur at one ply. A uniform sample of layer d is expanded. It reaches f1 of the
next layer's nodes once, f2 twice; with a share p of the layer in the sample, it misses at least f1^2 / (2 f2 + f1 p /
(1 - p)) nodes: Chao and Lin, "Nonparametric lower bounds for species richness and shared species richness under
sampling without replacement", Biometrics 68 (2012).
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from itertools import pairwise
from math import inf
from random import Random
from typing import Any

from endsight.game.limits import Budget
from endsight.graph.graph import Graph
from endsight.graph.objective import View

MOVES_EACH = 15
"""The most moves made for each node that may be counted."""
SAMPLED_MOVES = 25_000
"""Moves made in a sampled layer."""
LONGEST = 400
"""The most layers that are sampled; longer games count as if they ended there."""
FEWEST = 3
"""The fewest counted layers by which a game is judged graded."""


@dataclass(frozen=True)
class Layer:
    """The nodes that first occur at one ply.

    nodes     number of nodes; for a sampled layer a lower estimate
    children  mean number of nodes that a node leads to
    moves     mean number of moves at a node (several may lead to one child)
    """

    nodes: float
    children: float
    moves: float


@dataclass
class Sampler:
    """Layers from `root` on while they are counted and then sampled; `frontier` is the next one.

    It maps each of its nodes to the number of expanded nodes that lead to it. While counting, `seen` holds all nodes
    and `sizes` the layers' sizes. `is_graded` means that no node was reached at two plies, in samples either. The nodes
    `expanded` have `edges` moves.
    """

    view: View
    budget: Budget
    root: Any
    layers: list[Layer] = field(default_factory=list)
    frontier: Counter[Any] = field(default_factory=Counter)
    seen: set[Any] = field(default_factory=set)
    sizes: list[int] = field(default_factory=list)
    expanded: int = 0
    edges: int = 0
    is_graded: bool = True

    @property
    def is_complete(self) -> bool:
        """Whether no node is left to expand."""
        return not self.frontier

    @property
    def found(self) -> int:
        """Nodes visited while counting."""
        return len(self.seen)

    @property
    def depth(self) -> int:
        """Plies to the last counted layer."""
        return len(self.sizes) - 1

    def holds(self, key: Any) -> bool:
        """Whether a node was visited while counting."""
        return key in self.seen

    def count(self, most: int) -> None:
        """Count whole layers, until none is left or about `most` nodes have been visited."""
        if not self.seen:
            self._meet(Counter([self.root]))
        while self.frontier and self.found <= most and self._is_affordable(most):
            arrivals = self._add_layer(list(self.frontier), len(self.frontier))
            self._meet(Counter({key: count for key, count in arrivals.items() if key not in self.seen}))
            self.is_graded &= len(self.frontier) == len(arrivals)

    def _meet(self, layer: Counter[Any]) -> None:
        """Continue with the next layer."""
        self.frontier = layer
        self.seen.update(layer)
        if layer:
            self.sizes.append(len(layer))

    def _is_affordable(self, most: int) -> bool:
        """Whether the next layer can be expanded, if its nodes have as many moves as those of the last."""
        return not self.layers or self.edges + len(self.frontier) * self.layers[-1].moves <= MOVES_EACH * most

    def sample(self, size: int, random: Random, most: float = inf) -> None:
        """Sample `size` nodes of each layer, fewer where they have very many moves, to the end of the game.

        No further layer begins after `most` moves in all.
        """
        nodes = float(len(self.frontier))
        most += self.edges
        while self.frontier and len(self.layers) < LONGEST and self.edges < most:
            keys = list(self.frontier)
            fewer = min(size, max(1, int(SAMPLED_MOVES / max(1.0, self.layers[-1].moves))))
            chosen = keys if len(keys) <= fewer else random.sample(keys, fewer)
            share = min(1.0, len(chosen) / nodes)
            self.frontier = self._add_layer(chosen, nodes)
            self.is_graded &= self.seen.isdisjoint(self.frontier)
            nodes = len(self.frontier) + _unmet(self.frontier, share)

    def _add_layer(self, keys: list[Any], nodes: float) -> Counter[Any]:
        """Expand `keys` of a layer; returns their children, each with how many of `keys` lead to it."""
        arrivals: Counter[Any] = Counter()
        moves = 0
        for key in keys:
            self.expanded += 1
            if self.expanded % 1024 == 0:
                self.budget.look(self.expanded, "sampling")
            children, count = self.children(key)
            arrivals.update(children)
            moves += count
        self.layers.append(Layer(nodes, arrivals.total() / len(keys), moves / len(keys)))
        self.edges += moves
        return arrivals

    def children(self, key: Any) -> tuple[list[Any], int]:
        """The distinct nodes that moves at a node lead to, in order, and the number of moves."""
        view, play = self.view, self.view.game.play
        state, mover, totals = view.split(key)
        legal = view.legal(state, mover, totals)
        if not legal:
            view.final(state, mover, totals)  # raises where nodes must know who moves
        found: dict[Any, None] = {}  # a set would lose the order and change the sample
        for move in legal:
            gain = view.gain(state, move, mover) if totals else None
            after = tuple(a + b for a, b in zip(totals, gain, strict=True)) if gain else totals
            child = play(state, move)
            found[view.key_of(child, view.next_mover(child, mover), after)] = None
        return list(found), len(legal)


def layers_of(view: View, part: Graph, budget: Budget) -> Sampler | None:
    """The layers that Python explored completely in a part of a graph; None where a node was reached at two plies."""
    plies, starts = [0], [0]
    for node in range(len(part.offsets) - 1):
        for after in part.successors[part.offsets[node] : part.offsets[node + 1]]:
            if after == len(plies):
                if plies[node] == plies[-1]:
                    starts.append(after)
                plies.append(plies[node] + 1)
            elif plies[after] != plies[node] + 1:
                return None
    while starts[-1] > len(part.offsets) - 1:
        starts.pop()  # the layer before was not fully expanded, so this one is incomplete
    run = Sampler(view, budget, part.keys[0], seen=set(part.keys[: starts[-1]]), sizes=[1])
    for first, stop in pairwise(starts):
        nodes = range(first, stop)
        children = [set(part.successors[part.offsets[node] : part.offsets[node + 1]]) for node in nodes]
        moves = part.offsets[stop] - part.offsets[first]
        run.frontier = Counter(part.keys[after] for each in children for after in each)
        run.layers.append(Layer(stop - first, sum(map(len, children)) / len(nodes), moves / len(nodes)))
        run.sizes.append(len(run.frontier))
        run.edges += moves
    run.expanded = starts[-1]
    run.seen.update(run.frontier)
    return run


def _unmet(arrivals: Counter[Any], share: float) -> float:
    """The estimated nodes of a layer that are missing in `arrivals`, to which `share` of the layer before leads."""
    times = Counter(arrivals.values())
    once, twice = times[1], times[2]
    return once * once / (2 * twice + once * share / (1 - share)) if share < 1 and once else 0.0
