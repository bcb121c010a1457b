"""Small samples of large games: layers of positions, and how many there are by the trend of parents.

Layers are counted breadth first while they are small, then sampled. A *layer* is the set of nodes that first occur at
one ply. A uniform sample of layer d is expanded. It reaches f1 of the next layer's nodes once, f2 twice; with a share p
of the layer in the sample, it misses at least f1^2 / (2 f2 + f1 p / (1 - p)) nodes: Chao and Lin, "Nonparametric lower
bounds for species richness and shared species richness under sampling without replacement", Biometrics 68 (2012).

The mean number of parents of a position, known for the layers that were counted, grows smoothly, for every player's
own layers. It is extrapolated along its damped trend, which gives each layer from the one before. A trend that is not
damped gives fewer positions, one that slows down sooner more, and the more layers are ahead, the less is known.
Damped trends: E. Gardner and E. McKenzie, "Forecasting trends in time series", Management Science 31 (1985).
"""

from __future__ import annotations

import math
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import accumulate, pairwise
from random import Random
from typing import Any, NamedTuple

from endsight.errors import LimitReached
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

_KEPT, _SLOWER = 0.7, 0.9
"""The least share of a trend that is kept from layer to layer, and the factor for a trend that slows down sooner."""
_SPARE_BELOW, SPARE_ABOVE = 1.6, 1.3
_FURTHER = 0.8
"""The power of the number of layers, for each one counted, by which the upper end has more to spare."""
WIDEST = 100.0
"""The largest width of a range."""
_THIN = 0.05
"""A frontier with a smaller share of the nodes found is thin."""
_STEPS_EACH = 500
"""Steps of a walk in one block."""
_SMALL, _FEW_MOVES = 30, 5_000
"""Nodes expanded per layer and the most moves in all, for a rough size within moments."""


@dataclass(frozen=True)
class PlyNodes:
    """The nodes that first occur at one ply.

    nodes     number of nodes; for a sampled layer a lower estimate
    children  mean number of nodes that a node leads to
    moves     mean number of moves at a node (several may lead to one child)
    """

    nodes: float
    children: float
    moves: float


class WalkBlock(NamedTuple):
    """So many steps of a random walk: of an amount `of` positions, `held` were counted."""

    steps: int
    of: float
    held: float


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
    layers: list[PlyNodes] = field(default_factory=list)
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

    def sample(self, size: int, random: Random, most: float = math.inf) -> None:
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

    @property
    def children_each(self) -> float:
        """The mean number of nodes that a counted one leads to."""
        nodes = sum(layer.nodes for layer in self.layers)
        return sum(layer.nodes * layer.children for layer in self.layers) / nodes

    @property
    def growth(self) -> list[tuple[int, int]]:
        """Nodes expanded and found, layer by layer."""
        return list(pairwise(accumulate(self.sizes)))

    def walk(self, seed: int, begin: float, *, is_back: bool) -> Iterator[WalkBlock]:
        """A walk at random, in short blocks: from the root on, or from a share of the frontier.

        Where moves can be undone, an end leads back one step, and each position counts by how few moves it has. Else an
        end leads to the root.
        """
        random, usual = Random(seed), self.children_each
        key = before = [self.root, *self.frontier][round(begin * len(self.frontier))]
        while True:
            of = held = 0.0
            for _ in range(_STEPS_EACH):
                children, _ = self.children(key)
                of += usual / max(1, len(children)) if is_back else 1
                held += sum(child in self.seen for child in children) / max(1, len(children))
                end = before if is_back else self.root
                before, key = (key, random.choice(children)) if children else (key, end)
            self.budget.look(self.found, "walking at random")
            yield WalkBlock(_STEPS_EACH, of, held)

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
        self.layers.append(PlyNodes(nodes, arrivals.total() / len(keys), moves / len(keys)))
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
            found[view.key_after(play(state, move), mover, totals, gain)] = None
        return list(found), len(legal)


def layers_of(view: View, part: Graph, budget: Budget) -> Sampler | None:
    """The layers that Python explored completely in a part of a graph; None where a node was reached at two plies."""
    plies, starts = [0], [0]
    for node in range(len(part.offsets) - 1):
        for after in part.children(node):
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
        children = [set(part.children(node)) for node in nodes]
        moves = part.offsets[stop] - part.offsets[first]
        run.frontier = Counter(part.keys[after] for each in children for after in each)
        run.layers.append(PlyNodes(stop - first, sum(map(len, children)) / len(nodes), moves / len(nodes)))
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


def ahead_at_most(growth: Sequence[tuple[int, int]]) -> float | None:
    """How many nodes are ahead at most, from pairs of nodes expanded and found; None unless the frontier is shrinking.

    Once a frontier shrinks it does so faster and faster, so the line through its size now and at half of the nodes
    expanded reaches zero too late. One that was thin says nothing, as it fluctuates.
    """
    expanded, found = growth[-1]
    then, found_then = growth[max(0, bisect_right(growth, (expanded // 2, found)) - 1)]
    frontier, before = found - expanded, found_then - then
    if frontier >= before or before < _THIN * found_then:
        return None
    return frontier * (expanded - then) / (before - frontier)


# ---------------------------------------------------------------------- the trend of parents


def rough_size(view: View, part: Graph, budget: Budget) -> tuple[float, float]:
    """Estimated nodes of the game whose `part` was explored, and its least moves; zeros where it is not graded.

    Estimates, by a small sample of every layer. Raises `LimitReached` when the budget is spent.
    """
    run = layers_of(view, part, budget)
    if run is None or len(run.layers) < FEWEST:
        return 0, 0
    try:
        run.sample(_SMALL, Random(1), _FEW_MOVES)
    except LimitReached:
        raise
    except Exception:  # exploring the rules will show where they fail
        return 0, 0
    if not run.is_graded:
        return 0, 0
    _, lower, upper, moves = by_trend(run.layers, run.sizes, view.players)
    return upper, lower * moves


def by_trend(layers: Sequence[PlyNodes], sizes: Sequence[float], players: int = 1) -> tuple[float, float, float, float]:
    """Nodes with their range, and moves per node, by the trend of parents; `sizes` may go deeper than `layers`."""
    plies = range(1, min(len(sizes), len(layers) + 1))
    parents = [sizes[ply - 1] * layers[ply - 1].children / sizes[ply] for ply in plies]
    gain, kept = _trend(parents, players)
    carry = partial(_carried, layers, sizes, parents[-players:], gain)
    even, few, many = carry(kept), carry(1.0), carry(_SLOWER * kept)
    nodes, further = sum(even), max(SPARE_ABOVE, (len(layers) / len(sizes)) ** _FURTHER)
    lower = sum(few) / _SPARE_BELOW
    upper = min(sum(many) * further, WIDEST * lower)
    sampled = list(zip(even, layers, strict=False))
    moves = sum(count * layer.moves for count, layer in sampled) / sum(count for count, _ in sampled)
    return nodes, lower, upper, moves


def _trend(parents: Sequence[float], players: int) -> tuple[float, float]:
    """How much more parents a layer has than the last one of the same player, and the share of that a layer later."""
    gains = [later - earlier for earlier, later in zip(parents, parents[players:], strict=False)][-4:]
    gain, before = (sum(each) / max(1, len(each)) for each in (gains[-2:], gains[:-2]))
    kept = math.sqrt(gain / before) if len(gains) == 4 and min(gain, before) > 0 else 1.0
    return gain, min(max(kept, _KEPT), 1.0)


def _carried(
    layers: Sequence[PlyNodes], sizes: Sequence[float], parents: Sequence[float], gain: float, kept: float
) -> list[float]:
    """Nodes by layer: those in `sizes`, then extrapolated from the last numbers of parents, one for each player."""
    counts, latest = [float(size) for size in sizes], [*parents]
    for ply in range(len(sizes), len(layers)):
        gain *= kept
        latest.append(latest[-len(parents)] + gain)
        counts.append(counts[-1] * layers[ply - 1].children / max(1.0, latest[-1]))
    return counts
