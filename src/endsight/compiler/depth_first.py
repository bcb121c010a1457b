"""What kernels that go depth first from one position have in common: a table, a stack, and children."""

from __future__ import annotations

from endsight.compiler.layers import REASONS
from endsight.compiler.refusal import CannotCompile
from endsight.compiler.rules import FRAME, Code, CompiledRules
from endsight.compiler.tables import KeyTable, grown, put, scratch
from endsight.limits import Budget
from endsight.position import Position

__all__ = ["DepthFirst"]


class DepthFirst:
    """Memory of one kernel: `beside` are arrays with a number for each of the `children`.

    The kernel counts keys, depth, moves, and what is wanted of anything that is full in `counters`.
    """

    def __init__(self, rules: CompiledRules, budget: Budget, table: KeyTable, *, beside: int) -> None:
        self.rules = rules
        self.budget = budget
        self.table = table
        self.counters = scratch(8)
        self.depth = 1 << 10
        self.stack = scratch(self.depth * FRAME)
        self.room = 1 << 14
        self.children = scratch(self.room * rules.packing.words)
        self.beside = [scratch(self.room) for _ in range(beside)]

    def place(self, position: Position, frame: tuple[int, ...]) -> None:
        """Put a position at the bottom of the stack, with what the kernel keeps there; `CannotCompile` for no key."""
        key = self.rules.root_key(position.state, position.mover)
        put(self.children, 0, key)
        put(self.stack, self.rules.packing.words, frame)

    def make_room(self, result: Code) -> None:
        """Enlarge what the kernel says is full, and raise what else has stopped it."""
        needed = int(self.counters[3])
        if result == Code.NODES_FULL:
            self.table.grow(self.table.most + 1, self.budget)
        elif result == Code.STACK_FULL:
            self.depth *= 2
            self.stack = grown(self.stack, self.depth * FRAME)
        elif result == Code.BUFFER_FULL:
            self.room = 2 * needed
            self.children = grown(self.children, self.room * self.rules.packing.words)
            self.beside = [grown(numbers, self.room) for numbers in self.beside]
        elif result == Code.FAULT:
            raise self.rules.fault(needed)
        elif result != Code.STOPPED:
            raise CannotCompile(REASONS[result])
