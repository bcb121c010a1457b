"""The value of one position by search: `search`.

Memo depth-first search with alpha-beta cut-offs (Knuth and Moore 1975) and a table of
proven ranges, in null windows: does the mover win? if not, does the mover hold the draw?
Children that the table already settles are looked at before any is searched, the rest in
the order of how few replies they leave. Games of scores are solved depth first as a whole.
"""

from __future__ import annotations

from endsight.compiler.layers import REASONS, NeedsTracking
from endsight.compiler.refusal import CannotCompile
from endsight.compiler.rules import FRAME, Code, CompiledRules
from endsight.compiler.tables import KeyTable, grown, scratch
from endsight.game import Position
from endsight.limits import Budget

__all__ = ["NotWinLoss", "Searcher"]

_STRIDE = 1 << 18


class NotWinLoss(Exception):
    """Payoffs other than won, drawn or lost."""


class Searcher:
    """A table of what has been proven so far about positions of one game.

    `ordered` searches children with few replies first; without it they are taken in the
    rules' order.
    """

    def __init__(self, rules: CompiledRules, budget: Budget, *, ordered: bool = True) -> None:
        self.rules = rules
        self.budget = budget
        budget.look(0, "compiling")
        self.kernel = rules.kernel("search", ORDERED=int(ordered))
        self.table = KeyTable(rules.packing)
        self.counters = scratch(8)
        self.depth = 1 << 10
        self.stack = scratch(self.depth * FRAME)
        self._rooms(1 << 14)

    def _rooms(self, room: int) -> None:
        self.room = room
        self.children = scratch(room * self.rules.packing.words)
        self.signs = scratch(room)
        self.order = scratch(room)

    @property
    def states(self) -> int:
        """Positions met."""
        return int(self.counters[0])

    @property
    def edges(self) -> int:
        """Moves generated."""
        return int(self.counters[2])

    def value(self, position: Position) -> int:
        """1, 0 or -1 for the mover.

        Raises `NotWinLoss`, `NeedsTracking`, `CannotCompile` (loops, chance), `LimitReached`.
        """
        try:
            best = self._reaches(position, 1)
            if best in (1, -1):
                return best
            return 0 if self._reaches(position, 0) >= 0 else -1
        except BaseException:
            # Positions under way are marked in the table, which is of no use without the stack.
            self.table.clear()
            self.counters[:] = 0
            raise

    def _reaches(self, position: Position, bound: int) -> int:
        """A value from `bound` up if the mover can reach it, else one that the mover cannot exceed."""
        words = self.rules.packing.words
        key = self.rules.key(position.state, position.mover)
        if key is None:
            raise CannotCompile("the position lies outside limits()")
        self.children[:words] = key
        self.signs[0] = 1
        self.counters[1] = 0
        self.stack[words : words + 6] = (0, 1, -2, bound - 1, bound, 0)
        share = scratch(2)
        while True:
            result = self.kernel(
                self.table.words, self.table.mask, self.table.most, self.children, self.signs, self.order,
                self.room, self.stack, self.depth, share, self.rules.data, self.counters, self.states + _STRIDE,
            )  # fmt: skip
            self.budget.spend(self.states, "searching")
            if result == Code.DONE:
                return int(self.stack[words + 2])
            self._make_room(Code(result))

    def _make_room(self, result: Code) -> None:
        needed = int(self.counters[3])
        if result == Code.NODES_FULL:
            self.table.grow(self.table.most + 1, self.budget)
        elif result == Code.STACK_FULL:
            self.depth *= 2
            self.stack = grown(self.stack, self.depth * FRAME)
        elif result == Code.BUFFER_FULL:
            kept = self.children, self.signs, self.order
            self._rooms(2 * needed)
            for new, old in zip((self.children, self.signs, self.order), kept, strict=True):
                new[: len(old)] = old
        elif result == Code.FAULT:
            raise self.rules.fault(needed)
        elif result == Code.NEEDS_MOVER:
            raise NeedsTracking
        elif result == Code.NOT_WIN_LOSS:
            raise NotWinLoss
        elif result != Code.STOPPED:
            raise CannotCompile(REASONS[result])
