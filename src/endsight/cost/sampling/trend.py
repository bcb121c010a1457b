"""The number of positions of a graded game, by the trend of parents from layer to layer.

The mean number of parents of a position, known for the layers that were counted, grows smoothly. It is extrapolated
along its trend, which gives each layer from the one before. A faster trend gives fewer positions, a slower one more.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from statistics import linear_regression

from endsight.cost.sampling.layers import FEWEST, Layer, layers_of
from endsight.errors import LimitReached
from endsight.game.limits import Budget
from endsight.graph.graph import Graph
from endsight.graph.objective import View

_WINDOW = 6
"""Layers in the fit of the trend of parents."""
_FASTER, _SLOWER = 1.5, 0.5
"""Factors for a faster and a slower trend of parents."""
_SPARE_BELOW, SPARE_ABOVE = 1.5, 1.3
_FEWER, _MORE = 14.0, 7.0
"""How far the ends may lie from the trend itself; their product is less than the largest width of a range."""
_SMALL, _FEW_MOVES = 30, 5_000
"""Nodes expanded per layer and the most moves in all, for a rough size within moments."""


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
    _, lower, upper, moves = by_trend(run.layers, run.sizes)
    return upper, lower * moves


def by_trend(layers: Sequence[Layer], sizes: Sequence[float]) -> tuple[float, float, float, float]:
    """Nodes with their range, and moves per node, by the trend of parents; `sizes` may go deeper than `layers`."""
    even, few, many = (_carried(layers, sizes, speed) for speed in (1.0, _FASTER, _SLOWER))
    nodes = sum(even)
    lower, upper = max(sum(few) / _SPARE_BELOW, nodes / _FEWER), min(sum(many) * SPARE_ABOVE, nodes * _MORE)
    sampled = list(zip(even, layers, strict=False))
    moves = sum(count * layer.moves for count, layer in sampled) / sum(count for count, _ in sampled)
    return nodes, lower, upper, moves


def _carried(layers: Sequence[Layer], sizes: Sequence[float], speed: float) -> list[float]:
    """Nodes by layer: those in `sizes`, then extrapolated by the trend of parents times `speed`."""
    parents = [
        (ply, sizes[ply - 1] * layers[ply - 1].children / sizes[ply]) for ply in range(1, min(len(sizes), len(layers)))
    ]
    level, slope = _trend(parents[-_WINDOW:])
    counts = [float(size) for size in sizes]
    for ply in range(len(sizes), len(layers)):
        mean = max(1.0, level + speed * slope * (ply - len(sizes) + 1))
        counts.append(counts[-1] * layers[ply - 1].children / mean)
    return counts


def _trend(points: Sequence[tuple[int, float]]) -> tuple[float, float]:
    """The least-squares line: its value at the last point, and its slope."""
    if len(points) < 2:
        return points[-1][1], 0.0
    slope, begin = linear_regression(*zip(*points, strict=True))
    return begin + slope * points[-1][0], slope
