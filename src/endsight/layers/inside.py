"""The moves of one part of a layer as arrays, and what follows for its states from known scores."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from endsight.algorithms.edge_arrays import first_largest
from endsight.algorithms.loops import compiled_loop
from endsight.algorithms.retrograde_kernels import propagate_scores
from endsight.algorithms.structure_kernels import sort_topologically
from endsight.compiler.kernels.core import EDGES, Code
from endsight.compiler.memory import words, zeros
from endsight.compiler.rules import CompiledRules
from endsight.engine.kernels.inside import OwnEdges, find_edges
from endsight.engine.tables import grown
from endsight.errors import FileError
from endsight.layers.arrays import Keys
from endsight.layers.parts import KernelRun

UNIT = 1 << 32
"""A score is this times the payoff, less the plies to it (see `algorithms.retrograde_kernels`)."""

_STRIDE = 1 << 18
Words = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Inside:
    """Edges of `count` nodes that lead to them and to others, `total` together.

    The edges of node k are offsets[k] .. offsets[k + 1] - 1; `movers` and, if requested, the first player's `payoffs`
    have an entry for each of the `count`.
    """

    count: int
    total: int
    offsets: Words
    successors: npt.NDArray[np.int32]
    movers: npt.NDArray[np.int8]
    payoffs: Words

    def scores_from(self, known: Words) -> Words:
        """Scores of the nodes, where play may loop; `known` are those of all others."""
        scores = np.zeros(self.total, np.int64)
        scores[self.count :] = known
        is_terminal = self.offsets[1:] == self.offsets[:-1]
        scores[: self.count][is_terminal] = self.payoffs[is_terminal] * UNIT
        # The best for the first player from the largest down, then the best for the second.
        seeds = np.flatnonzero(scores)
        seeds = seeds[np.argsort(scores[seeds], kind="stable")].astype(np.int32)
        positive = int((scores[seeds] > 0).sum()) if len(seeds) else 0
        negative = len(seeds) - positive
        seeds = np.concatenate((seeds[negative:][::-1], seeds[:negative]))
        signs = np.where(self.movers == 1, -1, 1).astype(np.int8)
        queue = np.empty(max(1, self.count), np.int32)
        compiled_loop(propagate_scores)(
            self._links(), signs, self.total, self._back(), scores, seeds, positive, len(seeds), queue
        )
        return scores[: self.count]

    def ready(self, is_known: npt.NDArray[np.bool_]) -> Iterator[Words]:
        """Groups of unknown nodes, each node of which leads only to known nodes or earlier groups."""
        known = is_known.astype(np.int8)
        order, ranks = np.empty(max(1, self.count), np.int32), np.empty(max(1, self.count), np.int32)
        placed = compiled_loop(sort_topologically)(self._links(), self.total, self._back(), known, order, ranks)
        placed_nodes: Words = order[:placed].astype(np.int64)
        cuts = np.flatnonzero(np.diff(ranks[placed_nodes])) + 1
        for group in np.split(placed_nodes, cuts):
            if len(group):
                yield np.sort(group)

    def _links(self) -> tuple[Any, ...]:
        """The `kernel_numbers.Links` of the nodes."""
        return self.count, self.offsets, self.successors

    def _back(self) -> tuple[Any, ...]:
        """Space for their `kernel_numbers.Back`."""
        edges, nodes = np.empty(max(1, int(self.offsets[-1])), np.int32), np.empty(max(1, self.count), np.int32)
        return np.zeros(self.total + 1, np.int64), edges, nodes

    def forced(self, scores: Words) -> npt.NDArray[np.int64]:
        """The number of the forced move where the first move of the same payoff may loop; else -1.

        `scores` are those of all nodes. See `table.Table.forced`.
        """
        numbers = np.full(self.count, -1, np.int64)
        signs = np.where(self.movers == 1, -1, 1)
        worth = scores[self.successors] * np.repeat(signs, np.diff(self.offsets))
        best = first_largest(self.offsets, worth)
        payoffs = np.sign(worth) * ((np.abs(worth) + UNIT - 1) // UNIT)
        differs = best != first_largest(self.offsets, payoffs)
        numbers[differs] = (best - self.offsets[:-1])[differs]
        return numbers


def inside_of(rules: CompiledRules, keys: Keys, others: Keys, *, pays: bool) -> Inside:
    """The edges of `keys`, whose children are among them and the `others`.

    With `pays` it includes the payoffs of ends, and raises `CannotCompile` where they are not opposed, or where chance
    moves.
    """
    nodes, count = np.concatenate((keys, others)), len(keys)
    run, kernel = KernelRun(rules, nodes), rules.kernel(find_edges, PAYS=int(pays))
    numbers, share = run.numbered(nodes), words(rules.players)
    offsets, movers = np.zeros(count + 1, np.int64), np.zeros(max(1, count), np.int8)
    payoffs, successors = np.zeros(max(1, count), np.int64), zeros(8 * count + (1 << 10), np.int32)

    def call() -> int:
        own = OwnEdges(count, numbers, offsets, movers, payoffs, successors, len(successors), share)
        return kernel(run.keys(), own, run.children, run.work(_STRIDE))

    def more_edges(needed: int) -> None:
        nonlocal successors
        successors = grown(successors, len(successors) * 3 // 2 + needed)

    result = run.drive(call, "solving a layer", Code.NOT_LAYERED, rooms={Code.EDGES_FULL: more_edges})
    if result == Code.NOT_LAYERED:
        raise FileError("a move leads to a state that the files of the layers lack")
    edges = int(run.counters[EDGES])
    return Inside(count, len(nodes), offsets, successors[:edges], movers[:count], payoffs[:count])


# -------------------------------------------------------------------- scores in the files


def narrowed(scores: Words) -> Words:
    """Scores in the form of the files: 1 + plies + 2^32 (|v| - 1), with the sign of the payoff v."""
    size = np.abs(scores)
    payoff = (size + UNIT - 1) // UNIT
    stored: Words = np.sign(scores) * (payoff * UNIT - size + (payoff - 1) * UNIT + 1)
    return stored


def widened(stored: Words) -> Words:
    """The inverse of `narrowed`."""
    size = np.abs(stored) - 1
    payoff, plies = size // UNIT + 1, size % UNIT
    scores: Words = np.sign(stored) * (payoff * UNIT - plies)
    return scores


def payoffs_of(stored: Words) -> Words:
    """The payoffs of scores in the files."""
    payoffs: Words = np.sign(stored) * ((np.abs(stored) - 1) // UNIT + 1)
    return payoffs
