"""The number of positions, counted level by level by compiled rules, as far as a budget allows."""

from __future__ import annotations

from dataclasses import dataclass, field
from time import process_time
from typing import Any

from endsight.compiler.driver import drive
from endsight.compiler.kernels.core import EDGES, HEAD, NEEDED, TAIL, UNSET, Children, Code, Keys, Work
from endsight.compiler.memory import reserved_words, words
from endsight.compiler.refusal import CannotCompile
from endsight.compiler.rules import CompiledRules
from endsight.engine.entry import trusted_rules
from endsight.engine.goals import Goals
from endsight.engine.kernels.forward import LEVELS, find_keys
from endsight.engine.layers import bytes_beside_keys
from endsight.engine.tables import KeyTable, put
from endsight.game.limits import Budget
from endsight.game.position import Position
from endsight.graph.objective import View

_STRIDE = 1 << 19
"""Moves made between two checks of the limits, about."""
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
    """

    view: View
    rules: CompiledRules
    table: KeyTable
    sizes: list[int] = field(default_factory=lambda: [1])
    depth: int = 0
    found: int = 1
    expanded: int = 0
    edges: int = 0
    seconds: float = 0.0

    @property
    def is_complete(self) -> bool:
        """Whether all nodes have been expanded."""
        return self.expanded == self.found

    def holds(self, node: Any) -> bool:
        """Whether a node has been found."""
        state, mover, _ = self.view.split(node)
        key = self.rules.key(state, mover)
        return key is not None and self.table.find(key) is not None

    def bytes_of_layers(self, states: int) -> float | None:
        """Bytes per state if that many are solved by `layers`; None if the question does not suit that method."""
        if Goals.refusal(self.view) is not None:
            return None
        beside = bytes_beside_keys(self.rules, Goals.of(self.view))
        slots = 1 << (states * _FULL[0] // _FULL[1]).bit_length()
        return (8 * self.rules.packing.words * (slots + states) + beside * slots) / states


def count_levels(
    view: View, position: Position, most: int, seconds: float, budget: Budget, *, with_sizes: bool
) -> Counted:
    """Count up to about `most` nodes in up to about `seconds` of computing time, without compiling.

    `with_sizes` counts the levels separately, which takes long where there are very many.

    Raises `CannotCompile` where rules or question cannot be compiled, `LimitReached` past a limit of `budget`.
    """
    if view.tracks_totals or view.choosers:
        raise CannotCompile("this question adds totals or a policy to the positions")
    run = _Run(view, trusted_rules(view, position), position, budget, most)
    run.count(most, seconds, with_sizes)
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
        self.counted = Counted(view, rules, self.table)

    def _make_children(self, most: int) -> None:
        self.children = Children(words(most * self.width), most)

    def count(self, most: int, seconds: float, with_sizes: bool) -> None:
        """Expand level by level; see `count_levels`."""
        counted, counters, began = self.counted, self.counters, process_time()
        level = 1  # the end of the level that is being expanded
        while counters[HEAD] < counters[TAIL] <= most and not self.is_full and process_time() - began <= seconds:
            head = int(counters[HEAD])
            stop = head + 1 + self.budget.stride(_STRIDE) // (1 + int(counters[EDGES]) // max(1, head))
            self._expand(min(level, stop) if with_sizes else stop)
            if with_sizes and counters[HEAD] == level < counters[TAIL]:
                counted.sizes.append(int(counters[TAIL]) - level)
                level = int(counters[TAIL])
        counted.expanded, counted.found, counted.edges = int(counters[HEAD]), int(counters[TAIL]), int(counters[EDGES])
        counted.depth = int(counters[LEVELS]) - 1
        counted.seconds = process_time() - began

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
