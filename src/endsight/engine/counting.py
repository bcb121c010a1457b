"""The number of positions, counted level by level by compiled rules, as far as a budget allows."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from time import process_time

from endsight.compiler.driver import Rooms, drive
from endsight.compiler.kernels.core import EDGES, HEAD, NEEDED, TAIL, Children, Code, Work
from endsight.compiler.memory import View as Numbers
from endsight.compiler.memory import words
from endsight.compiler.native import Kernel
from endsight.compiler.refusal import CannotCompile
from endsight.compiler.rules import CompiledRules
from endsight.cost.sampling import WalkBlock
from endsight.engine.entry import trusted_rules
from endsight.engine.goals import Goals
from endsight.engine.kernels.forward import LEVELS, find_keys
from endsight.engine.kernels.walking import HELD, KEYS, UNIT, WEIGHT, walk_at_random
from endsight.engine.layers import FoundKeys, bytes_beside_keys
from endsight.engine.tables import put
from endsight.game.limits import Budget
from endsight.game.position import Position
from endsight.graph.objective import View

_STRIDE = 1 << 19
"""Moves made between two checks of the limits, about."""
STEPS = 5_000
"""Steps of a walk in one block."""
_LEAST = 0.5
"""Seconds of computing for a count at least."""
_FULL = 4, 3
"""A table has at least the first number of slots for the second number of states."""


class Counted(FoundKeys):
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

    depth = expanded = edges = 0
    found = 1
    seconds = 0.0

    def __init__(self, view: View, rules: CompiledRules, position: Position, budget: Budget, most: int) -> None:
        super().__init__(rules, position, budget, most)
        self.view, self.kernel = view, rules.kernel(find_keys, SHARED=0, COUNTS=1, MEASURES=0)
        self.sizes, self.growth = [1], list[tuple[int, int]]()
        self._make_children(1 << 10)
        self._is_full = False

    def _make_children(self, most: int) -> None:
        self.children = Children(words(most * self.rules.packing.words), most)

    @property
    def _rooms(self) -> Rooms:
        return {Code.BUFFER_FULL: lambda needed: self._make_children(2 * needed)}

    @property
    def is_complete(self) -> bool:
        """Whether all nodes have been expanded."""
        return self.expanded == self.found

    @property
    def children_each(self) -> float:
        """The mean number of moves of an expanded node."""
        return self.edges / self.expanded

    def bytes_of_layers(self, states: int) -> float | None:
        """Bytes per state if that many are solved by `layers`; None if the question does not suit that method."""
        if Goals.refusal(self.view) is not None:
            return None
        beside = bytes_beside_keys(self.rules, Goals.of(self.view))
        slots = 1 << (states * _FULL[0] // _FULL[1]).bit_length()
        return (8 * self.rules.packing.words * (slots + states) + beside * slots) / states

    # ---------------------------------------------------------------- counting

    def count(self, most: int, until: float, *, with_sizes: bool = False) -> None:
        """Count on, level by level; see `count_levels`."""
        counters, began = self.counters, process_time()
        until = max(until, began + _LEAST)
        level = 1  # the end of the level that is being expanded
        while counters[HEAD] < counters[TAIL] <= most and not self._is_full and process_time() <= until:
            head = int(counters[HEAD])
            stop = head + 1 + self.budget.stride(_STRIDE) // (1 + int(counters[EDGES]) // max(1, head))
            self._expand_to(min(level, stop) if with_sizes else stop)
            self.growth.append((int(counters[HEAD]), self.states))
            if with_sizes and counters[HEAD] == level < self.states:
                self.sizes.append(self.states - level)
                level = self.states
        self.expanded, self.found, self.edges = (int(counters[at]) for at in (HEAD, TAIL, EDGES))
        self.depth = int(counters[LEVELS]) - 1
        self.seconds += process_time() - began

    def _expand_to(self, stop: int) -> None:
        """Expand the nodes before place `stop`, or make room."""
        counters = self.counters
        result = drive(
            lambda: self.expand(self.kernel, self.children, counters, stop),
            counters, self._rooms, self.rules.fault,
            lambda: self.budget.spend(self.states, "counting"), {Code.STOPPED, Code.NODES_FULL},
        )  # fmt: skip
        needed = self.states + int(counters[NEEDED])
        self._is_full = result == Code.NODES_FULL and needed > self.room
        if result == Code.NODES_FULL and not self._is_full:
            self.table.grow(needed, self.budget)

    # ---------------------------------------------------------------- walking

    def walk(self, seed: int, begin: float, *, is_back: bool) -> Iterator[WalkBlock]:
        """A walk at random, in blocks: from the root on, or from a share of the frontier. See `walk_at_random`."""
        ahead, width = round(begin * (self.found - self.expanded)), self.rules.packing.words
        place = self.expanded + ahead - 1 if ahead else 0
        kernel, walk = self.rules.kernel(walk_at_random, BACK=int(is_back)), words(KEYS * width)
        for key in range(KEYS):
            put(walk, key * width, self.order[place * width : (place + 1) * width])
        while True:
            counters = words(16)
            drive(
                partial(self._walk_on, kernel, walk, seed, counters), counters, self._rooms, self.rules.fault,
                lambda: self.budget.look(self.found, "walking at random"),
            )  # fmt: skip
            seed += STEPS
            weight, held = (int(counters[each]) / UNIT for each in (WEIGHT, HELD))
            yield WalkBlock(STEPS, self.children_each * weight if is_back else STEPS, held)

    def _walk_on(self, kernel: Kernel, walk: Numbers, seed: int, counters: Numbers) -> int:
        """Walk to the end of a block."""
        return kernel(self.keys(0), self.children, walk, seed, Work(self.rules.data, counters, STEPS))


def count_levels(
    view: View, position: Position, most: int, until: float, budget: Budget, *, with_sizes: bool
) -> Counted:
    """Count up to about `most` nodes `until` about that computing time of the process, or a little in any case.

    `with_sizes` counts the levels separately, which takes long where there are very many.

    Raises `CannotCompile` where rules or question cannot be compiled, `LimitReached` past a limit of `budget`.
    """
    if view.tracks_totals or view.choosers:
        raise CannotCompile("this question adds totals or a policy to the positions")
    counted = Counted(view, trusted_rules(view, position), position, budget, most)
    counted.count(most, until, with_sizes=with_sizes)
    return counted
