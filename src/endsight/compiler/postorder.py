"""All positions solved depth first, each after all that it leads to.

For searches of games of scores, which have no cut-offs. Keys and values stay in one table;
the way down is an explicit stack.
"""

from __future__ import annotations

from endsight.compiler.layers import OUTSIDE_TOP, REASONS, NeedsTracking
from endsight.compiler.refusal import CannotCompile
from endsight.compiler.rules import FRAME, NONE, Code, CompiledRules
from endsight.compiler.solved import Solved
from endsight.compiler.tables import KeyTable, grown, put, scratch
from endsight.limits import Budget
from endsight.position import Position

__all__ = ["solve_postorder"]

_STRIDE = 1 << 17


def solve_postorder(rules: CompiledRules, position: Position, budget: Budget) -> Solved:
    """Solve everything reachable from `position`.

    Raises `CannotCompile` for a game with loops, chance or more than two players, and
    `NeedsTracking`, `LimitReached`.
    """
    if rules.players > 2:
        raise CannotCompile("a search keeps one number for each position, and there are more than two players")
    if rules.players == 2 and not rules.translation.gives("reward"):
        solved = _Run(rules, position, budget, is_win_loss=True).solve()
        if solved is not None:
            return solved
    solved = _Run(rules, position, budget, is_win_loss=False).solve()
    assert solved is not None
    return solved


class _Run:
    """Table, stack and children of one solve."""

    def __init__(self, rules: CompiledRules, position: Position, budget: Budget, *, is_win_loss: bool) -> None:
        self.rules = rules
        self.budget = budget
        self.is_win_loss = is_win_loss
        self.table = KeyTable(rules.packing, has_values=True, memory=budget.limits.memory)
        self.counters = scratch(8)
        self.depth = 1 << 10
        self.stack = scratch(self.depth * FRAME)
        self.room = 1 << 14
        words = rules.packing.words
        self.children = scratch(self.room * words)
        self.signs = scratch(self.room)
        self.gains = scratch(self.room)
        key = rules.key(position.state, position.mover)
        if key is None:
            raise CannotCompile("the position lies outside limits()")
        put(self.children, 0, key)
        put(self.stack, words, (0, 1, NONE))
        self.signs[0] = 1

    def solve(self) -> Solved | None:
        """Run to the end; None for payoffs other than won, drawn or lost."""
        kernel = self.rules.kernel("postorder", WIN_LOSS=int(self.is_win_loss))
        share = scratch(2)
        self.budget.witness = self._solved().proven
        while True:
            states = int(self.counters[0])
            result = kernel(
                self.table.words, self.table.mask, self.table.most, self.table.values,
                self.children, self.signs, self.gains, self.room, self.stack, self.depth,
                share, OUTSIDE_TOP, self.rules.data, self.counters, states + _STRIDE,
            )  # fmt: skip
            self.budget.spend(int(self.counters[0]), "solving")
            if result == Code.NOT_WIN_LOSS:
                return None
            if result == Code.DONE:
                break
            self._make_room(Code(result))
        return self._solved()

    def _solved(self) -> Solved:
        """What is solved by now; further values come into the same table."""
        states, edges = int(self.counters[0]), int(self.counters[2])
        return Solved(self.rules, self.table, states, edges, self.is_win_loss, OUTSIDE_TOP, self.table.values)

    def _make_room(self, result: Code) -> None:
        needed = int(self.counters[3])
        if result == Code.NODES_FULL:
            self.table.grow(self.table.most + 1, self.budget)
        elif result == Code.STACK_FULL:
            self.depth *= 2
            self.stack = grown(self.stack, self.depth * FRAME)
        elif result == Code.BUFFER_FULL:
            self.room = 2 * needed
            self.children = grown(self.children, self.room * self.rules.packing.words)
            self.signs = grown(self.signs, self.room)
            self.gains = grown(self.gains, self.room)
        elif result == Code.FAULT:
            raise self.rules.fault(needed)
        elif result == Code.NEEDS_MOVER:
            raise NeedsTracking
        elif result != Code.STOPPED:
            raise CannotCompile(REASONS[result])
