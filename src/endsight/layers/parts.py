"""One part of a layer in memory: what its states lead to, and its scores from those of its children.

The kernels are those of `engine`; they run on a table that holds only this part and its children.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from inspect import getsource
from typing import Any

import numpy as np
import numpy.typing as npt

from endsight.algorithms import interval_kernels
from endsight.algorithms.edge_arrays import first_largest
from endsight.algorithms.loops import compiled_loop
from endsight.algorithms.retrograde_kernels import propagate_scores
from endsight.algorithms.structure_kernels import sort_topologically
from endsight.compiler.driver import Rooms, drive
from endsight.compiler.kernels import core
from endsight.compiler.kernels.core import BATCH, EDGES, HEAD, NEEDED, SET, TAIL, UNSET, Code
from endsight.compiler.memory import words, zeros
from endsight.compiler.rules import CompiledRules, shared_kernel
from endsight.engine.kernels.backward import MoveRoom, Values, solve_keys
from endsight.engine.kernels.bounds import KeyedNodes, KnownBounds, find_bounds
from endsight.engine.kernels.close import INSIDE, LARGEST, ClosingLayer, close_layer, find_layers
from endsight.engine.kernels.forward import SHARE, find_keys
from endsight.engine.kernels.inside import OwnEdges, find_edges
from endsight.engine.kernels.slots import ScoresBeside, place
from endsight.engine.layers import OUTSIDE_TOP
from endsight.engine.tables import KeyTable, enter_keys, grown
from endsight.errors import FileError
from endsight.game.limits import Budget
from endsight.layers.arrays import Keys, sorted_keys
from endsight.layers.scoring import Measure, Scoring

Scores = npt.NDArray[np.int64]
"""As the mover sees them: OUTSIDE_TOP - distance for a win, distance - OUTSIDE_TOP for a loss, else the payoff.

Where a scoring has two columns: lower and upper bound of the first player's future payoff, in its units.
"""

_ROOM = 1 << 10
_STRIDE = 1 << 18


class KernelRun:
    """The data that one run of a kernel over some keys keeps between calls.

    `order` begins with those keys; others that are found may follow. Its counters are HEAD, the kernel's current key,
    TAIL, the number of keys, and NEEDED, the room it needs, or where the rules failed. `beside` has an array of each
    of the `kinds`, with an entry for each child there is room for.
    """

    def __init__(self, rules: CompiledRules, keys: Keys, *kinds: type[np.generic]) -> None:
        self.rules = rules
        self.budget = Budget()
        self.words = rules.packing.words
        self.table = KeyTable(rules.packing)
        self.order = keys
        self.counters = words(16)
        self.counters[TAIL] = len(keys)
        self.kinds = kinds
        self._make_buffers(_ROOM)

    def _make_buffers(self, room: int) -> None:
        """Make room for `room` children at a time."""
        self.children = core.Children(words(room * self.words), room)
        self.beside: list[npt.NDArray[Any]] = [zeros(room, kind) for kind in self.kinds]

    def keys(self, most: int = 0) -> core.Keys:
        """The table and the keys, with room for at most `most` of them."""
        return core.Keys(self.table.words, self.table.mask, self.order, min(most, len(self.order)))

    def work(self, stride: int, stop: int = 1 << 62) -> core.Work:
        """The next `stride` keys, or fewer up to `stop`; a negative stride goes backwards, at most to the first key."""
        return core.Work(self.rules.data, self.counters, max(0, min(stop, int(self.counters[HEAD]) + stride)))

    def make_order(self, room: int) -> None:
        """Make room for `room` keys, the present ones included."""
        longer = zeros(room * self.words).reshape(room, self.words)
        longer[: len(self.known)] = self.known
        self.order = longer

    @property
    def known(self) -> Keys:
        """The keys so far."""
        return self.order[: int(self.counters[TAIL])]

    def numbered(self, keys: Keys) -> npt.NDArray[np.int32]:
        """Enter keys into the table; returns their numbers by table slot."""
        self.table.presize(len(keys))
        numbers = zeros(self.table.slots, np.int32)
        held = core.Keys(self.table.words, self.table.mask, keys.reshape(-1), len(keys))
        enter_keys(self.rules.packing, held, SET, numbers)
        return numbers

    def more_keys(self, needed: int, in_table: int) -> None:
        """Make room for `needed` keys in the order, and for `in_table` of them in the table."""
        self.table.grow(in_table, self.budget)
        if needed > len(self.order):
            self.make_order(2 * needed)

    def drive(self, call: Callable[[], int], doing: str, *answers: Code, rooms: Rooms | None = None) -> Code:
        """Run the kernel until it is done or returns one of the `answers`; see `compiler.driver.drive`.

        `rooms` are those of what grows beside the room for children; a run that kept them would refer to itself, and so
        keep its memory long.
        """
        every = {Code.BUFFER_FULL: lambda needed: self._make_buffers(2 * needed), **(rooms or {})}
        return drive(
            call, self.counters, every, self._blame, lambda: self.budget.glance(len(self.known), doing), answers
        )

    def _blame(self, number: int) -> Exception:
        at = int(self.counters[HEAD])
        return self.rules.blame(number, self.known[max(0, at - BATCH) : at + BATCH])


# -------------------------------------------------------------------- children


def children_of(
    rules: CompiledRules, keys: Keys, expected: int = 0, *, measures: bool = False
) -> tuple[Keys, Measure | None] | None:
    """All states one move after those of `keys`, sorted, each once; about `expected` of them.

    With `measures` chance may move, and the size of the game's numbers is measured. Without it, None at chance.
    """
    run, count = KernelRun(rules, keys), len(keys)
    run.table.presize(expected)
    run.make_order(4 * count + (1 << 12))
    kernel = rules.kernel(find_keys, SHARED=0, COUNTS=0, MEASURES=int(measures))
    measured = words(SHARE + 2)

    def call() -> int:
        if int(run.counters[HEAD]) == count:
            return Code.DONE
        return kernel(run.keys(run.table.most + count), run.children, run.work(_STRIDE, count), measured)

    def more_children(new: int) -> None:
        run.more_keys(len(run.known) + new, len(run.known) + new - count)

    if run.drive(call, "expanding", Code.HAS_CHANCE, rooms={Code.NODES_FULL: more_children}) == Code.HAS_CHANCE:
        return None
    children = run.known[count:].copy()
    return sorted_keys(children), Measure.of(measured[:SHARE]) if measures else None


@dataclass(frozen=True)
class Size:
    """The size of states: how many, their moves, those that stay inside the layer, and the largest payoff's size."""

    states: int
    edges: int
    inside: int
    payoff: int


def closed(
    rules: CompiledRules, layer: int, seeds: Keys, most: int, *, one_move: bool = False
) -> tuple[Keys, Keys, Size]:
    """All states of the layer that the `seeds`, states of it, lead to inside it, up to about `most` states.

    With `one_move` only the moves of the seeds are explored. The states explored come first; then those that were found
    but not explored, as there was no room for more; both are sorted. The size is that of the first.
    Raises `CannotCompile` where a move leads to a lower layer, or for a fault.
    """
    run, kernel, own = KernelRun(rules, seeds), rules.kernel(close_layer), ClosingLayer(layer, words(rules.players))
    most, stop = max(most, 2 * len(seeds)), len(seeds) if one_move else 1 << 62
    run.table.presize(len(seeds))
    run.make_order(2 * len(seeds) + (1 << 12))
    run.table.enter(run.order.reshape(-1), len(seeds), UNSET)

    def call() -> int:
        if int(run.counters[HEAD]) == stop:
            return Code.DONE
        return kernel(run.keys(min(run.table.most, most)), run.children, run.work(_STRIDE, stop), own)

    while run.drive(call, "exploring a layer", Code.NODES_FULL) == Code.NODES_FULL:
        needed = len(run.known) + int(run.counters[NEEDED])
        if needed > most and int(run.counters[HEAD]) > 0:
            break
        most = max(most, needed)
        run.more_keys(needed, needed)
    head, tail, edges, inside, payoff = (int(run.counters[at]) for at in (HEAD, TAIL, EDGES, INSIDE, LARGEST))
    keys, ahead = run.order[:head].copy(), run.order[head:tail].copy()
    return sorted_keys(keys), sorted_keys(ahead), Size(head, edges, inside, payoff)


def layers_of(rules: CompiledRules, keys: Keys) -> npt.NDArray[np.int64]:
    """The layer of every key."""
    layers, counters = np.zeros(len(keys), np.int64), words(8)
    if rules.translation.gives("layer"):
        kernel = rules.kernel(find_layers)
        if kernel(keys, 0, len(keys), layers, rules.data, counters) == Code.FAULT:
            raise rules.fault(int(counters[NEEDED]))
    return layers


# -------------------------------------------------------------------- scores


def backed_up(rules: CompiledRules, keys: Keys, children: Keys, known: Scores, scoring: Scoring) -> Scores | None:
    """Scores of `keys`, in the files' form, from those of all their children; None where the scoring does not fit.

    `children` are distinct, in any order; `known` has their scores.
    """
    if scoring.kind == "ends":
        return _bounds_of(rules, keys, children, known, scoring)
    is_win_loss = scoring.kind == "wins"
    scores = _scores_of(rules, keys, children, packed(known.reshape(-1), is_win_loss), is_win_loss)
    return None if scores is None else packed(scores, is_win_loss)


def packed(scores: Scores, is_win_loss: bool) -> Scores:
    """Small numbers for the files, and back: wins and losses as 1 + distance with a sign, other values as they are."""
    return np.sign(scores) * (OUTSIDE_TOP + 1 - np.abs(scores)) if is_win_loss else scores


def _scores_of(rules: CompiledRules, keys: Keys, children: Keys, known: Scores, is_win_loss: bool) -> Scores | None:
    """The best of the children's scores for every key, in their order; None where they have another form."""
    run, count = KernelRun(rules, keys, np.int64, np.int64), len(keys)
    table, code_bits = run.table, rules.packing.code_bits
    table.presize(count + len(children))
    table.grow(count + len(children), run.budget)
    table.enter(children.reshape(-1), len(children), SET)
    table.enter(keys.reshape(-1), count, UNSET)
    narrow = zeros(table.slots if is_win_loss else 1, np.int32)
    wide = zeros(1 if is_win_loss else table.slots)
    placed, beside = shared_kernel(place, run.words), ScoresBeside(narrow, wide, int(not is_win_loss))
    given = core.Keys(table.words, table.mask, children, len(children))
    placed(given, beside, known, 0, len(children), code_bits, 0)
    kernel = rules.kernel(solve_keys, WIN_LOSS=int(is_win_loss), IN_WORD=0)
    run.counters[HEAD] = count
    values, counts, share = Values(narrow, wide, OUTSIDE_TOP), words(64), words(2)

    def call() -> int:
        signs, gains = run.beside
        return kernel(run.keys(), values, run.children, MoveRoom(signs, gains, counts, share), run.work(-_STRIDE))

    if run.drive(call, "solving", Code.NOT_WIN_LOSS) == Code.NOT_WIN_LOSS:
        return None
    scores = np.empty(count, np.int64)
    placed(run.keys(count), beside, scores, 0, count, code_bits, 1)
    return scores


def _bounds_of(rules: CompiledRules, keys: Keys, children: Keys, known: Scores, scoring: Scoring) -> Scores | None:
    """Bounds of `keys` in their order, where `known` are those of all their children.

    None at an amount that is too large for the scale. The lower bounds are rounded down and the upper up at every
    state, in whole numbers of one machine word, by the same function as for a whole graph, so the numbers are equal.
    Backward induction with outward rounding: R. E. Moore, *Interval analysis* (1966).
    """
    run = KernelRun(rules, keys, np.int32, np.int64, np.int8, np.int64)
    kernel = rules.kernel(find_bounds, getsource(interval_kernels.summed) + getsource(interval_kernels.backed_up))
    bounds = np.empty((len(keys), 2), np.int64)
    known = known if len(known) else np.zeros((1, 2), np.int64)
    given = KnownBounds(run.numbered(children), known, bounds, scoring.bits, scoring.limit)
    offsets, share = zeros(BATCH + 1), words(2)

    def call() -> int:
        children, weights, signs, gains = run.beside
        arena = KeyedNodes(offsets, children, weights, signs, gains, share)
        return kernel(run.keys(), given, arena, run.children, run.work(_STRIDE))

    result = run.drive(call, "solving", Code.TOO_LONG, Code.NOT_LAYERED)
    if result == Code.NOT_LAYERED:
        raise FileError("a move leads to a state that the files of the next layer lack")
    return bounds if result == Code.DONE else None


# ---------------------------------------------------------------------- moves inside one part


UNIT = 1 << 32
"""A score is this times the payoff, less the plies to it (see `algorithms.retrograde_kernels`)."""

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
