"""Which move best play takes at every state, found on arrays."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from endsight.compiler.exploring import Arrays, explore_arrays
from endsight.compiler.layers import Solved
from endsight.enclosed import EnclosedSource
from endsight.game import Position, alternates
from endsight.limits import Budget

__all__ = ["best_of_solved", "proven_best"]

Numbers = npt.NDArray[np.int64]
_PROVEN = 2


def best_of_solved(
    solved: Solved, words: tuple[npt.NDArray[np.uint64], ...], numbers: Numbers, position: Position, budget: Budget
) -> Numbers:
    """The number of the first best move at every key, -1 at ends.

    `words` and `numbers` are keys (the highest word first) and values or scores, from the
    mover's side. The moves are generated once more, which takes the memory of a state graph.
    """
    arrays, _ = explore_arrays(solved.rules, position, budget)
    order = np.argsort(words[0], kind="stable") if len(words) == 1 else np.lexsort(words[::-1])
    places = _places(arrays, tuple(word[order] for word in words))
    values = numbers[order][places]
    chosen = first_largest(arrays.offsets, _edge_values(arrays, values))
    best = np.full(len(numbers), -1, np.int64)
    best[order[places[: arrays.nodes]]] = chosen
    return best


def _places(arrays: Arrays, words: tuple[npt.NDArray[np.uint64], ...]) -> Numbers:
    """Where the keys of all nodes stand among sorted keys."""
    keys = arrays.keys.astype(np.uint64)
    if len(words) == 1:
        return np.searchsorted(words[0], keys[:, 0])
    return np.argsort(np.lexsort((keys[:, 0], keys[:, 1])), kind="stable")


def _edge_values(arrays: Arrays, values: Numbers) -> Numbers:
    """What every edge is worth to the mover at its start."""
    movers = np.repeat(arrays.movers, np.diff(arrays.offsets))
    rules = arrays.rules
    if alternates(rules.game) and not rules.tracks_mover:
        signs: Any = -1
    else:
        signs = np.where(movers == arrays.movers[arrays.successors], 1, -1)
    worth = signs * values[arrays.successors]
    if arrays.rewards is not None:
        column = movers if arrays.rewards_are_tuples else np.zeros(len(movers), np.int64)
        worth = worth + np.take_along_axis(arrays.rewards, column[:, None].astype(np.int64), axis=1)[:, 0]
    return np.asarray(worth, np.int64)


def first_largest(offsets: Numbers, worth: Numbers) -> Numbers:
    """For each node the number, among its own edges, of the first of those worth most; -1 without edges."""
    starts, counts = offsets[:-1], np.diff(offsets)
    chosen = np.full(len(starts), -1, np.int64)
    inner = np.flatnonzero(counts)
    if not len(inner):
        return chosen
    most = np.maximum.reduceat(worth, starts[inner])
    rank = np.arange(len(worth)) - np.repeat(starts, counts)
    rank[worth != np.repeat(most, counts[inner])] = len(worth)
    chosen[inner] = np.minimum.reduceat(rank, starts[inner])
    return chosen


def proven_best(source: EnclosedSource) -> Numbers:
    """The first move proven best at every node; -1 where none is, at ends and at chance."""
    worth = (source.enclosure.verdicts == _PROVEN).astype(np.int64)
    offsets = source.arrays.offsets
    chosen = first_largest(offsets, worth)
    inner = chosen >= 0
    proven = np.zeros(len(chosen), bool)
    proven[inner] = worth[offsets[:-1][inner] + chosen[inner]] > 0
    chosen[~proven] = -1
    return chosen
