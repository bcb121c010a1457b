"""All positions solved depth first, each after all that it leads to.

For searches of games of scores, which have no cut-offs. Keys and values stay in one table;
the way down is an explicit stack.
"""

from __future__ import annotations

from endsight.compiler.depth_first import DepthFirst
from endsight.compiler.layers import OUTSIDE_TOP
from endsight.compiler.refusal import CannotCompile
from endsight.compiler.rules import NONE, Code, CompiledRules
from endsight.compiler.solved import NumberTable, plain_view
from endsight.compiler.tables import KeyTable, scratch
from endsight.limits import Budget
from endsight.position import Position
from endsight.source import Solved

__all__ = ["solve_postorder"]

_STRIDE = 1 << 17


def solve_postorder(rules: CompiledRules, position: Position, budget: Budget) -> NumberTable:
    """Solve everything reachable from `position`.

    Raises `CannotCompile` for a game with loops, chance or more than two players, and
    `LimitReached`.
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


class _Run(DepthFirst):
    """One solve; beside the children stand their signs and gains."""

    def __init__(self, rules: CompiledRules, position: Position, budget: Budget, *, is_win_loss: bool) -> None:
        table = KeyTable(rules.packing, has_values=True, memory=budget.limits.memory)
        super().__init__(rules, budget, table, beside=2)
        self.is_win_loss = is_win_loss
        self.place(position, (0, 1, NONE))
        self.beside[0][0] = 1

    def solve(self) -> NumberTable | None:
        """Run to the end; None for payoffs other than won, drawn or lost."""
        kernel = self.rules.kernel("postorder", WIN_LOSS=int(self.is_win_loss))
        share = scratch(2)
        self.budget.witness = Solved(self._solved()).proven
        while True:
            states = int(self.counters[0])
            result = kernel(
                self.table.words, self.table.mask, self.table.most, self.table.values,
                self.children, *self.beside, self.room, self.stack, self.depth,
                share, OUTSIDE_TOP, self.rules.data, self.counters, states + self.budget.stride(_STRIDE),
            )  # fmt: skip
            # Before anything is told of what the table holds: a fault may say that it holds something else.
            if result == Code.NOT_WIN_LOSS:
                self.budget.witness = None
                return None
            if result != Code.DONE:
                self.make_room(Code(result))
            self.budget.spend(int(self.counters[0]), "solving")
            if result == Code.DONE:
                break
        return self._solved()

    def _solved(self) -> NumberTable:
        """What is solved by now; further values come into the same table."""
        states, edges = int(self.counters[0]), int(self.counters[2])
        solved = NumberTable(
            plain_view(self.rules), self.rules, self.table, states, edges,
            is_win_loss=self.is_win_loss, top=OUTSIDE_TOP, values=self.table.values,
        )  # fmt: skip
        solved.method = "search"
        return solved
