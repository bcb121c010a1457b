"""How many nodes a game has, from a part of them: counted layer by layer, then sampled.

A *layer* is what first turns up at one ply, breadth first. As long as layers are small
they are counted. From then on there are two ways.

**Graded games**, where a node has one ply only (every edge leads from one layer to the
next: boards that fill up, lines that grow). A uniform sample of layer d is expanded. It
meets f1 of the next layer's nodes once, f2 twice; with a share p of the layer in the
sample, the nodes it does not meet are at least f1^2 / (2 f2 + f1 p / (1 - p)) many: Chao
and Lin, "Nonparametric lower bounds for species richness and shared species richness
under sampling without replacement", Biometrics 68 (2012). A node met is met in proportion
to its parents, so later samples lean to nodes with many, which meet each other too often:
the count is a lower one. What goes the other way is the mean number of parents in
a layer. It grows smoothly in such games, so it is carried on from the layers that are
counted or nearly so, along a third of its trend, which gives an upper count (fewer parents
share their children: more nodes). The estimate is the middle of the two, in logarithms.
Neither end is proven; games whose sizes are known lie between them.

**Other games**, where the same node comes up at several plies: nothing that a sample meets
can be told to be new. The layers' growth is carried on along its own trend, which
is rough, a third of the trend for the upper count; the product of the ranges in `limits`
bounds both.
"""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass, field
from random import Random
from typing import Any

from endsight.game import Position
from endsight.limits import Budget
from endsight.objective import View

__all__ = ["Census", "Layer", "count_nodes"]

COUNTED = 20_000
"""Nodes that are counted before any are sampled."""
MOVES = 300_000
"""Moves that are made before any nodes are sampled."""
SAMPLE = 4_000
"""Nodes of a sampled layer that are expanded."""
_SAMPLED_MOVES = 60_000
"""Moves that are made in a sampled layer."""
_SMALLEST_SAMPLE = 100
"""Fewer nodes of a layer meet too few of the next one twice."""
LONGEST = 400
"""Layers that are sampled, or that a trend is carried on through; longer games count as if they ended there."""
_RELIABLE = 0.25
"""Share of a layer from which the next one's mean number of parents is believed."""
_DAMPING = 1 / 3
"""How much of the trend of parents goes on in layers that are not trusted."""
_WINDOW = 6
"""Layers that the trend of parents is drawn through."""
_SHORT_WINDOW = 4
"""Layers that the trend of growth is drawn through."""
_STEEPEST = 20.0
"""Logarithm of the strongest growth that is carried on."""


@dataclass(frozen=True)
class Layer:
    """What first turns up at one ply.

    nodes     how many; for a sampled layer a lower estimate
    parents   mean number of nodes of the layer before that lead to a node
    children  mean number of nodes that a node leads to
    moves     mean number of moves at a node (several may lead to one child)
    share     of the layer that was expanded, 1 where all of it was
    unmet     how many of the nodes were not met, but estimated
    error     standard error of that estimate
    """

    nodes: float
    parents: float
    children: float
    moves: float
    share: float
    unmet: float = 0.0
    error: float = 0.0


@dataclass(frozen=True)
class Census:
    """How many nodes there are: `nodes`, between `lower` and `upper`.

    `layers` are those looked at, `is_complete` says that they are all there is and were
    counted; `is_graded` that no node was met at two plies. `expanded` nodes were looked at.
    """

    nodes: float
    lower: float
    upper: float
    edges: float
    layers: tuple[Layer, ...]
    is_complete: bool
    is_graded: bool
    expanded: int


def count_nodes(
    view: View,
    position: Position,
    *,
    counted: int = COUNTED,
    sample: int = SAMPLE,
    seed: int = 1,
    budget: Budget | None = None,
) -> Census:
    """Count the nodes of `view` reachable from `position`, or estimate how many there are.

    Up to `counted` nodes are counted; then `sample` of each layer are expanded, fewer where
    they have very many moves. The same `seed` gives the same answer. Raises `LimitReached`
    when the budget is spent.
    """
    run = _Count(view, budget or Budget(), counted)
    run.count(view.key(position))
    layers = run.layers
    if not run.frontier:
        total = sum(layer.nodes for layer in layers)
        edges = sum(layer.nodes * layer.moves for layer in layers)
        return Census(total, total, total, edges, tuple(layers), True, run.is_graded, run.expanded)
    size = min(sample, int(_SAMPLED_MOVES / max(1.0, layers[-1].moves)))
    if run.is_graded and size >= min(sample, _SMALLEST_SAMPLE):
        run.sample(size, Random(seed))
        return _graded(layers, run)
    return _loose(layers, run)


@dataclass
class _Count:
    """Layers while they are counted and sampled; `frontier` is the next one, with how many parents were met."""

    view: View
    budget: Budget
    most: int
    layers: list[Layer] = field(default_factory=list)
    frontier: Counter[Any] = field(default_factory=Counter)
    expanded: int = 0
    moves: int = 0
    is_graded: bool = True

    def count(self, root: Any) -> None:
        """Whole layers, until there are no more or more than `most` nodes have been met."""
        seen = {root}
        self.frontier = Counter([root])
        while self.frontier and len(seen) <= self.most and self._is_affordable():
            layer = self.frontier
            arrivals = self._add_layer(list(layer), len(layer), layer.total() / len(layer))
            self.frontier = Counter({key: count for key, count in arrivals.items() if key not in seen})
            self.is_graded &= len(self.frontier) == len(arrivals)
            seen.update(self.frontier)

    def _is_affordable(self) -> bool:
        """Whether the next layer can be expanded, if its nodes have as many moves as those of the last."""
        return not self.layers or self.moves + len(self.frontier) * self.layers[-1].moves <= MOVES

    def sample(self, size: int, random: Random) -> None:
        """Sampled layers, to the end of the game or `LONGEST` of them."""
        nodes, unmet, error = float(len(self.frontier)), 0.0, 0.0
        parents = self.frontier.total() / nodes
        while self.frontier and len(self.layers) < LONGEST:
            keys = list(self.frontier)
            chosen = keys if len(keys) <= size else random.sample(keys, size)
            share = min(1.0, len(chosen) / nodes)
            self.frontier = self._add_layer(chosen, nodes, parents, unmet, error)
            unmet, error = _unmet(self.frontier, share)
            nodes = len(self.frontier) + unmet
            parents = self.frontier.total() / share / nodes if nodes else 0.0

    def _add_layer(
        self, keys: list[Any], nodes: float, parents: float, unmet: float = 0.0, error: float = 0.0
    ) -> Counter[Any]:
        """Expand `keys` of a layer; the nodes they lead to, each with how many of `keys` do."""
        arrivals: Counter[Any] = Counter()
        moves = sum(self._expand(key, arrivals) for key in keys)
        children, share = arrivals.total() / len(keys), min(1.0, len(keys) / nodes)
        self.layers.append(Layer(nodes, parents, children, moves / len(keys), share, unmet, error))
        self.moves += moves
        return arrivals

    def _expand(self, key: Any, arrivals: Counter[Any]) -> int:
        """Count the children of a node in; gives the number of its moves."""
        self.expanded += 1
        if self.expanded % 1024 == 0:
            self.budget.look(self.expanded, "sampling")
        view, play = self.view, self.view.game.play
        state, mover, totals = view.split(key)
        legal = view.legal(state, mover, totals)
        children: dict[Any, None] = {}  # a set would lose the order, and with it the sample
        for move in legal:
            gain = view.gain(state, move, mover) if totals else None
            after = tuple(a + b for a, b in zip(totals, gain, strict=True)) if gain else totals
            child = play(state, move)
            children[view.key_of(child, view.next_mover(child, mover), after)] = None
        arrivals.update(list(children))
        return len(legal)


def _unmet(arrivals: Counter[Any], share: float) -> tuple[float, float]:
    """Nodes of a layer that are not among `arrivals`, to which `share` of the layer before leads; standard error."""
    times = Counter(arrivals.values())
    once, twice = times[1], times[2]
    if share >= 1 or not once:
        return 0.0, 0.0
    unmet = once * once / (2 * twice + once * share / (1 - share))
    return unmet, unmet * math.sqrt(4 / once + 1 / max(twice, 1))


# ---------------------------------------------------------------------- from layers to totals


def _graded(layers: list[Layer], run: _Count) -> Census:
    met = sum(layer.nodes for layer in layers)
    lower = max(sum(layer.nodes - layer.unmet for layer in layers), met - 2 * sum(layer.error for layer in layers))
    carried = _carried(layers, _trusted(layers), _DAMPING)
    upper = min(max(sum(carried), met + sum(layer.unmet for layer in layers)), max(met, _box(run.view)))
    middle = max(met, math.sqrt(met * upper)) if len(carried) > _trusted(layers) else met
    moves = sum(count * layer.moves for count, layer in zip(carried, layers, strict=True)) / sum(carried)
    return Census(middle, lower, upper, middle * moves, tuple(layers), False, True, run.expanded)


def _trusted(layers: list[Layer]) -> int:
    """How many layers come before the first whose mean number of parents rests on too small a share."""
    for ply in range(1, len(layers)):
        if layers[ply - 1].share < _RELIABLE:
            return ply
    return len(layers)


def _carried(layers: list[Layer], trusted: int, damping: float) -> list[float]:
    """Nodes by layer; from layer `trusted` on the mean number of parents follows `damping` of its trend."""
    first = max(1, trusted - _WINDOW)
    level, slope = _trend([(ply, layers[ply].parents) for ply in range(first, trusted)])
    counts = [layer.nodes for layer in layers[:trusted]]
    for ply in range(trusted, len(layers)):
        parents = max(1.0, level + damping * slope * (ply - trusted + 1))
        counts.append(counts[-1] * layers[ply - 1].children / parents)
    return counts


def _trend(points: list[tuple[int, float]]) -> tuple[float, float]:
    """The straight line of least squares: its value at the last of the points, and its slope."""
    last = points[-1][0]
    mean_x = sum(x for x, _ in points) / len(points)
    mean_y = sum(y for _, y in points) / len(points)
    spread = sum((x - mean_x) ** 2 for x, _ in points)
    slope = sum((x - mean_x) * (y - mean_y) for x, y in points) / spread if spread else 0.0
    return mean_y + slope * (last - mean_x), slope


def _loose(layers: list[Layer], run: _Count) -> Census:
    """Growth from layer to layer, carried on along its trend: in logarithms a straight line."""
    sizes = [layer.nodes for layer in layers] + [float(len(run.frontier))]
    most = _box(run.view)
    middle, upper = (_grown(sizes, damping, most) for damping in (1.0, _DAMPING))
    moves = sum(layer.nodes * layer.moves for layer in layers) / sum(layer.nodes for layer in layers)
    return Census(middle, sum(sizes), upper, moves * middle, tuple(layers), False, False, run.expanded)


def _grown(sizes: list[float], damping: float, most: float) -> float:
    last = len(sizes) - 1
    level, slope = _trend(
        [(ply, math.log(sizes[ply] / sizes[ply - 1])) for ply in range(max(1, last - _SHORT_WINDOW + 1), last + 1)]
    )
    total, size, ply = sum(sizes), sizes[-1], 0
    while size >= 1 and total < most and ply < LONGEST:
        ply += 1
        size *= math.exp(min(level + damping * min(slope, 0.0) * ply, _STEEPEST))
        total += size
    return min(total, most)


def _box(view: View) -> float:
    """How many states fit into the ranges of `limits`; infinitely many where nodes remember more than those."""
    if view.tracks or not view.game.gives("limits"):
        return math.inf
    bits = sum(math.log2(most + 1) for most in view.game.limits())
    return 2.0**bits if bits < 1000 else math.inf
