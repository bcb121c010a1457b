"""Which nodes of a graph are alike: in what all players see there, and in all that may follow.

The classes of nodes with the same future are the coarsest bisimulation: without loops one pass from the ends back
finds them; with loops they are refined until nothing changes (P. C. Kanellakis and S. A. Smolka, "CCS expressions,
finite state processes, and three problems of equivalence", Information and Computation 86, 1990). The loops are those
of `graph.class_kernels`: machine code where compiled rules explored the graph, and all numbers fit into its words.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from functools import partial
from typing import Any, TypeAlias

from endsight.base.waiting import patiently
from endsight.compiler.kernels import Loop
from endsight.compiler.memory import words
from endsight.compiler.native import load_loop
from endsight.compiler.refusal import CannotCompile
from endsight.compiler.rules import CompiledRules
from endsight.engine.kernels.sights import look_around
from endsight.errors import LimitReached
from endsight.game.limits import Budget
from endsight.graph import class_kernels as loops
from endsight.graph.graph import Graph, Picked
from endsight.graph.hidden_states import Classes, HiddenStates, Sights
from endsight.graph.kernel_numbers import Futures, Links, Moved, Trie
from endsight.graph.objective import View

_SLOTS = 1 << 12
"""Slots of a trie at first."""
_TIMES = 4
_AT_ONCE = 1 << 17
"""Nodes handled between two checks of the limits."""
_COMPARED = 500
"""Nodes at which the rules themselves are asked what players see."""
_DOING = "comparing hidden states"

Kinds: TypeAlias = tuple[Sequence[int], Iterable[Hashable]]


class _Trie:
    """A trie that grows, with its loops: machine code on arrays, or plain on lists."""

    def __init__(self, budget: Budget, *, is_compiled: bool) -> None:
        self.budget, self.is_compiled = budget, is_compiled
        self.clear()

    def clear(self) -> None:
        """Forget all rows."""
        self.trie = Trie(_SLOTS - 1, self.zeros(2 * _SLOTS), self.zeros(1, "i"))

    def zeros(self, count: int, kind: Any = "q") -> Any:
        """Zeros for `count` numbers of a kind that `memory.words` knows."""
        return words(count, kind) if self.is_compiled else [0] * count

    def given(self, numbers: Sequence[int]) -> Any:
        """The numbers in the form that the loops take."""
        if not self.is_compiled:
            return list(numbers)
        import numpy as np

        return np.asarray(numbers, np.int32)

    def spread(self, numbers: Picked[int]) -> Any:
        """The same for numbers of which few differ."""
        return self.given(numbers.rows)[numbers.numbers] if self.is_compiled else list(numbers)

    def run(self, loop: Loop, *arguments: Any) -> int:
        """Run a loop and return its result."""
        if not self.is_compiled:
            return loop(*arguments)
        watch = partial(self.budget.glance, self.budget.states, _DOING)
        return patiently(load_loop(loop), *arguments, watch=watch)

    def number(self, loop: Loop, before: tuple[Any, ...], begin: int, stop: int, after: tuple[Any, ...]) -> None:
        """Run a loop that numbers rows from `begin` to `stop`; its other parameters come before and after `begin`."""
        while (begin := self.run(loop, self.trie, *before, begin, *after)) < stop:
            slots, old = self.trie.mask + 1, self.trie.p_slots
            if _TIMES * slots > loops.WORD:
                raise LimitReached(f"stopped: more than {loops.WORD:,} rows of numbers while {_DOING}")
            self.budget.reserve(16 * _TIMES * slots, self.budget.states, _DOING)
            self.trie = self.trie._replace(mask=_TIMES * slots - 1, p_slots=self.zeros(2 * _TIMES * slots))
            self.run(loops.enter_again, self.trie, old, slots)

    def classes(self, count: int, rows: Any) -> Classes:
        """The classes of nodes whose rows have those numbers."""
        names, own, first, sizes = (self.zeros(size, "i") for size in (self.trie.h_count[0] + 1, *[count] * 3))
        found = self.run(loops.number_in_order, count, rows, names, own, first, sizes)
        return Classes(own, first[:found], sizes[:found])


# -------------------------------------------------------------------- what players see


def kinds_of(view: View, graph: Graph, budget: Budget) -> Kinds:
    """A kind for every node (nodes of one kind look the same to all players), and one node of each kind, by its key."""
    if graph.rules is not None:
        try:
            return _compiled_kinds(view, graph, budget)
        except CannotCompile:  # Python then asks the rules about every node
            pass
    return range(len(graph)), graph.keys


def _compiled_kinds(view: View, graph: Graph, budget: Budget) -> Kinds:
    nodes: Any = graph.keys
    rules = CompiledRules.of(view.game, symmetry=False, tracks_mover=view.tracks, hints=("sees",))
    width = sum(rules.translation.words[1:])
    kernel = rules.kernel(look_around, _look_text(rules), SIGHT_WORDS=width)
    numbering = _Trie(budget, is_compiled=True)
    rows, seen = numbering.zeros(len(graph), "i"), numbering.zeros(_AT_ONCE * width)
    for first in range(0, len(graph), _AT_ONCE):
        stop = min(first + _AT_ONCE, len(graph))
        if site := patiently(kernel, nodes.keys, seen, first, stop, rules.data):
            raise rules.fault(site)
        numbering.number(loops.number_rows, (width, seen), 0, stop - first, (stop - first, rows[first:stop]))
    classes = numbering.classes(len(graph), rows)
    _require_alike(view, graph, classes)
    return classes.own, nodes.picked(classes.first)


def _look_text(rules: CompiledRules) -> str:
    """Text of the function that writes what every player sees."""
    lines, place = ["def es_sights(p_sights, at, state):"], 0
    for player, width in enumerate(rules.translation.words[1:]):
        lines.append(f"    es_write_move(p_sights, at + {place}, rule_sees_{player}(state))")
        place += width
    return "\n".join(lines)


def _require_alike(view: View, graph: Graph, kinds: Classes) -> None:
    """Raise `CannotCompile` where the rules themselves say that a node does not look like its kind."""
    every = range(0, len(graph), 1 + len(graph) // _COMPARED)
    for node in every:
        state, other = (view.split(graph.keys[each])[0] for each in (node, kinds.first[kinds.own[node]]))
        if any(view.game.sees(state, player) != view.game.sees(other, player) for player in range(view.players)):
            raise CannotCompile("both engines were compared, and sees says something else")


# -------------------------------------------------------------------- what may follow


def hidden_states(view: View, graph: Graph, sights: Sights, budget: Budget, *, merged: bool) -> HiddenStates:
    """The hidden states of a graph that keeps players apart by number, where all see the same.

    States that look the same and have the same future are merged if `merged` is set.
    """
    links = Links(len(graph), graph.offsets, graph.successors)
    numbering, futures = _futures(graph, links, sights, budget)
    if merged:
        order = None if graph.order is None else numbering.given(graph.order)
        classes = _refined(numbering, links, futures, order)
    else:
        every = numbering.given(range(len(graph)))
        classes = Classes(every, every, [1] * len(graph))
    numbering.clear()
    found = _steps(numbering, links, futures, classes)
    return HiddenStates(view, graph, sights, classes, found)


def _futures(graph: Graph, links: Links, sights: Sights, budget: Budget) -> tuple[_Trie, Futures]:
    """The input of the loops, and what runs them: no machine code where a number might exceed a word."""
    numbering = _Trie(budget, is_compiled=graph.rules is not None)
    moves, count = _moves_of(numbering, graph)
    gains, weights = graph.gains, graph.weights
    widest = numbering.run(loops.most_edges, links)
    heaviest = 1 if weights is None else numbering.run(loops.largest, weights, len(weights))
    fits = len(gains.rows) * count <= loops.WORD and widest * heaviest <= loops.WORD * loops.WORD
    numbering = _Trie(budget, is_compiled=graph.rules is not None and fits)
    futures = Futures(
        numbering.spread(sights.nodes), graph.movers, graph.ends.numbers, moves, count,
        gains.numbers or numbering.zeros(1), len(gains.rows),
        weights or numbering.zeros(1), int(weights is not None), numbering.zeros(loops.STEP * widest),
    )  # fmt: skip
    return numbering, futures


def _moves_of(numbering: _Trie, graph: Graph) -> tuple[Any, int]:
    """A number for the move of every edge, and how many such numbers are possible."""
    if not numbering.is_compiled:
        found = Picked.of_distinct(graph.moves)
        return found.numbers, len(found.rows)
    rows: Any = getattr(graph.moves, "words", graph.moves)
    count = len(graph.successors)
    numbers = numbering.zeros(count, "i")
    numbering.number(loops.number_rows, (rows.nbytes // (8 * count), rows), 0, count, (count, numbers))
    return numbers, numbering.trie.h_count[0] + 1


def _refined(numbering: _Trie, links: Links, futures: Futures, order: Any) -> Classes:
    """The classes that one pass in that order finds; without an order (there are loops), those that no round splits."""
    nodes, before, is_once = links.nodes, 0, order is not None
    old = numbering.zeros(nodes, "i")
    every = order if is_once else numbering.given(range(nodes))
    while True:
        new = old if is_once else numbering.zeros(nodes, "i")
        numbering.number(loops.number_futures, (links, futures, every), 0, nodes, (old, new))
        found = numbering.classes(nodes, new)
        if is_once or len(found.first) == before:
            return found
        old, before = new, len(found.first)
        numbering.clear()


def _steps(numbering: _Trie, links: Links, futures: Futures, classes: Classes) -> Moved:
    """The steps from all classes."""
    count = len(classes.first)
    room = sum(links.p_offsets[node + 1] - links.p_offsets[node] for node in classes.first)
    zeros = numbering.zeros
    found = Moved(zeros(count + 1), zeros(room), zeros(room), zeros(room), zeros(count, "b"), zeros(count, "i"))
    numbering.number(loops.list_steps, (links, futures, classes.own, classes.first), 0, count, (count, found))
    return found
