"""The number of positions, counted level by level by compiled rules, as far as a budget allows."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import partial
from time import process_time

from endsight.compiler.driver import drive
from endsight.compiler.kernels.core import EDGES, HEAD, NEEDED, TAIL, UNSET, Children, Code, Keys, Work
from endsight.compiler.memory import View as Numbers
from endsight.compiler.memory import reserved_words, words
from endsight.compiler.native import Kernel
from endsight.compiler.refusal import CannotCompile
from endsight.compiler.rules import CompiledRules
from endsight.cost.sampling import Block
from endsight.engine.entry import trusted_rules
from endsight.engine.goals import Goals
from endsight.engine.kernels.forward import LEVELS, find_keys
from endsight.engine.kernels.walking import HELD, KEYS, UNIT, WEIGHT, walk_at_random
from endsight.engine.layers import bytes_beside_keys
from endsight.engine.tables import KeyTable, put
from endsight.game.limits import Budget
from endsight.game.position import Position
from endsight.graph.objective import View

_STRIDE = 1 << 19
"""Moves made between two checks of the limits, about."""
STEPS = 5_000
"""Steps of a walk in one block."""
_LEAST = 0.5
"""Seconds of computing for a count at least."""
_SPARE = 1 << 16
_FULL = 4, 3
"""A table has at least the first number of slots for the second number of states."""


@dataclass
class Counted:
    """The levels of a breadth-first search: the positions first reached at each ply.

    sizes     of levels whose nodes have all been found; the last may not have been expanded. Only the first
              if they were not asked for
    depth     levels whose nodes have been expanded, the first not counted
    found     all nodes found
    expanded  nodes whose moves have been made
    edges     moves made
    seconds   of computing time
    growth    pairs of nodes expanded and found, now and then
    """

    view: View
    rules: CompiledRules
    table: KeyTable
    run: _Run
    sizes: list[int] = field(default_factory=lambda: [1])
    depth: int = 0
    found: int = 1
    expanded: int = 0
    edges: int = 0
    seconds: float = 0.0
    growth: list[tuple[int, int]] = field(default_factory=list)

    @property
    def is_complete(self) -> bool:
        """Whether all nodes have been expanded."""
        return self.expanded == self.found

    @property
    def children_each(self) -> float:
        """The mean number of moves of an expanded node."""
        return self.edges / self.expanded

    def walk(self, seed: int, begin: float, *, is_back: bool) -> Iterator[Block]:
        """A walk at random, in blocks: from the root on, or from a share of the frontier. See `walk_at_random`."""
        ahead = round(begin * (self.found - self.expanded))
        return self.run.walk(self.expanded + ahead - 1 if ahead else 0, seed, is_back=is_back)

    def count_on(self, most: int, until: float) -> None:
        """Count more, by the same limits."""
        self.run.count(most, until, with_sizes=False)

    def bytes_of_layers(self, states: int) -> float | None:
        """Bytes per state if that many are solved by `layers`; None if the question does not suit that method."""
        if Goals.refusal(self.view) is not None:
            return None
        beside = bytes_beside_keys(self.rules, Goals.of(self.view))
        slots = 1 << (states * _FULL[0] // _FULL[1]).bit_length()
        return (8 * self.rules.packing.words * (slots + states) + beside * slots) / states


def count_levels(
    view: View, position: Position, most: int, until: float, budget: Budget, *, with_sizes: bool
) -> Counted:
    """Count up to about `most` nodes `until` about that computing time of the process, or a little in any case.

    `with_sizes` counts the levels separately, which takes long where there are very many.

    Raises `CannotCompile` where rules or question cannot be compiled, `LimitReached` past a limit of `budget`.
    """
    if view.tracks_totals or view.choosers:
        raise CannotCompile("this question adds totals or a policy to the positions")
    run = _Run(view, trusted_rules(view, position), position, budget, most)
    run.count(most, until, with_sizes)
    return run.counted


class _Run:
    """Table and list of the nodes found; the counters are those of the kernel."""

    def __init__(self, view: View, rules: CompiledRules, position: Position, budget: Budget, most: int) -> None:
        self.kernel = rules.kernel(find_keys, SHARED=0, COUNTS=1, MEASURES=0)
        self.rules, self.budget = rules, budget
        self.table = KeyTable(rules.packing, memory=budget.limits.memory, most=most)
        self.counters, self.found = words(16), words(1)
        self.width = rules.packing.words
        self.order = reserved_words((most + _SPARE) * self.width)
        self.room = min(len(self.order) // self.width, self.table.room // 4 * 3)
        self._make_children(1 << 10)
        key = rules.root_key(position.state, position.mover)
        put(self.order, 0, key)
        self.counters[TAIL] = 1
        self.table.enter(self.order, 1, UNSET)
        self.is_full = False
        self.counted = Counted(view, rules, self.table, self)

    def _make_children(self, most: int) -> None:
        self.children = Children(words(most * self.width), most)

    def count(self, most: int, until: float, with_sizes: bool) -> None:
        """Expand level by level; see `count_levels`."""
        counted, counters, began = self.counted, self.counters, process_time()
        until = max(until, began + _LEAST)
        level = 1  # the end of the level that is being expanded
        while counters[HEAD] < counters[TAIL] <= most and not self.is_full and process_time() <= until:
            head = int(counters[HEAD])
            stop = head + 1 + self.budget.stride(_STRIDE) // (1 + int(counters[EDGES]) // max(1, head))
            self._expand(min(level, stop) if with_sizes else stop)
            counted.growth.append((int(counters[HEAD]), int(counters[TAIL])))
            if with_sizes and counters[HEAD] == level < counters[TAIL]:
                counted.sizes.append(int(counters[TAIL]) - level)
                level = int(counters[TAIL])
        counted.expanded, counted.found, counted.edges = int(counters[HEAD]), int(counters[TAIL]), int(counters[EDGES])
        counted.depth = int(counters[LEVELS]) - 1
        counted.seconds += process_time() - began

    def walk(self, place: int, seed: int, *, is_back: bool) -> Iterator[Block]:
        """A walk from the node at a place of the list."""
        kernel, width = self.rules.kernel(walk_at_random, BACK=int(is_back)), self.width
        walk = words(KEYS * width)
        for key in range(KEYS):
            put(walk, key * width, self.order[place * width : (place + 1) * width])
        while True:
            counters = words(16)
            drive(
                partial(self._walk_on, kernel, walk, seed, counters), counters,
                {Code.BUFFER_FULL: lambda needed: self._make_children(2 * needed)}, self.rules.fault,
                lambda: self.budget.look(self.counted.found, "walking at random"),
            )  # fmt: skip
            seed += STEPS
            weight, held = (int(counters[each]) / UNIT for each in (WEIGHT, HELD))
            yield Block(STEPS, self.counted.children_each * weight if is_back else STEPS, held)

    def _walk_on(self, kernel: Kernel, walk: Numbers, seed: int, counters: Numbers) -> int:
        """Walk to the end of a block."""
        keys = Keys(self.table.words, self.table.mask, self.order, 0)
        return kernel(keys, self.children, walk, seed, Work(self.rules.data, counters, STEPS))

    def _expand(self, stop: int) -> None:
        """Expand the nodes before place `stop`, or make room."""
        counters, limit = self.counters, min(self.table.most, self.room)
        result = drive(
            lambda: self.kernel(
                Keys(self.table.words, self.table.mask, self.order, limit), self.children,
                Work(self.rules.data, counters, stop), self.found,
            ),
            counters, {Code.BUFFER_FULL: lambda needed: self._make_children(2 * needed)}, self.rules.fault,
            lambda: self.budget.spend(int(counters[TAIL]), "counting"), {Code.STOPPED, Code.NODES_FULL},
        )  # fmt: skip
        needed = int(counters[TAIL]) + int(counters[NEEDED])
        self.is_full = result == Code.NODES_FULL and needed > self.room
        if result == Code.NODES_FULL and not self.is_full:
            self.table.grow(needed, self.budget)
