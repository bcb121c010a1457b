"""All positions solved backwards without keeping edges: `layers`.

Positions are found breadth first and solved in the opposite order; their children are
generated a second time instead of being remembered, and a value stands beside its key in
one machine word. Right where every move leads to a position found later, as in games in
which every move adds something to the board; this is checked move by move. Backward
induction after Zermelo (1913); children are looked up in batches whose table slots are
fetched ahead.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from endsight.compiler.memory import reserved, zeros
from endsight.compiler.refusal import CannotCompile
from endsight.compiler.rules import BATCH, UNSET, VALUES, Code, CompiledRules
from endsight.compiler.tables import KeyTable, scratch
from endsight.errors import LimitReached
from endsight.game import Position
from endsight.limits import Budget, Ends
from endsight.numbers import Number

__all__ = ["OUTSIDE_TOP", "REASONS", "NeedsTracking", "NotLayered", "Solved", "per_player", "solve_layers"]

# Nodes per kernel call: some hundredths of a second.
_STRIDE = 1 << 19
# Scores outside the table's words are 32-bit numbers, so no distance is too long for this.
OUTSIDE_TOP = 1 << 29

REASONS = {
    Code.NOT_OPPOSED: "the two players' payoffs are not opposed",
    Code.HAS_CHANCE: "dice or cards decide in this game",
    Code.CYCLIC: "play can come back to a position",
}


Form = Literal["beside keys", "scores", "values"]
# Scores of games won, drawn or lost beside the keys, or in an array where the way is too
# long for that; plain values for all other payoffs.
_FORMS: tuple[Form, ...] = ("beside keys", "scores", "values")


class NotLayered(Exception):
    """Some move leads to a position that was found earlier."""


class NeedsTracking(Exception):
    """Payoffs are tuples, so keys must say who moves."""


@dataclass(frozen=True)
class Solved:
    """Values of many positions in a table.

    states       how many
    is_win_loss  values are scores: top - distance for a win, distance - top for a loss
    values       value or score per slot; None where scores stand beside the keys
    """

    rules: CompiledRules
    table: KeyTable
    states: int
    edges: int
    is_win_loss: bool
    top: int
    values: npt.NDArray[Any] | None

    def look_up(self, key: tuple[int, ...] | None) -> tuple[int, int | None] | None:
        """Value and distance for the mover, None for a key that is not there."""
        found = None if key is None else self.table.find(key)
        if found is None or found[1] == UNSET:
            return None
        slot, code = found
        score = code - VALUES - self.top if self.values is None else int(self.values[slot])
        if score == 0 or not self.is_win_loss:
            return score, None
        return (1, self.top - score) if score > 0 else (-1, self.top + score)

    def proven(self, position: Position) -> tuple[Ends, ...] | None:
        """Values per player of a position that is solved already, as ends; None for others."""
        row = self.look_up(self.rules.key(position.state, position.mover))
        return None if row is None else tuple((value, value) for value in per_player(position, row[0]))


def per_player(position: Position, value: int) -> tuple[Number, ...]:
    """Value of the whole game per player, from what is to come as the mover sees it."""
    if len(position.so_far) == 1:
        return (position.so_far[0] + value,)
    first = -value if position.mover == 1 else value
    return position.so_far[0] + first, position.so_far[1] - first


def solve_layers(rules: CompiledRules, position: Position, budget: Budget) -> Solved:
    """Solve everything reachable from `position`.

    Raises `NotLayered`, `NeedsTracking`, `CannotCompile`, `LimitReached`.
    """
    run = _Run(rules, position, budget)
    run.forward()
    for form in _FORMS:
        if form != "values" and (rules.players != 2 or rules.translation.gives("reward")):
            continue
        solved = run.backward(form)
        if solved is not None:
            return solved
        run.start_again()
    raise AssertionError("plain values fit every game")


class _Run:
    """Table, order and buffers of one solve."""

    def __init__(self, rules: CompiledRules, position: Position, budget: Budget) -> None:
        if rules.players > 2:
            raise CannotCompile("values of more than two players are not kept by layers")
        self.rules = rules
        self.budget = budget
        self.table = KeyTable(rules.packing, memory=budget.limits.memory)
        words = rules.packing.words
        self.order = reserved(self.table.room // 4 * 3 * words)
        self.room = len(self.order) // words
        self.counters = scratch(8)
        self._buffers(1 << 10)
        key = rules.key(position.state, position.mover)
        if key is None:
            raise CannotCompile("the position lies outside limits()")
        self.order[:words] = key
        self.counters[1] = 1
        self.table.enter(self.order, 1, UNSET)

    def _buffers(self, room: int) -> None:
        self.buffer_room = room
        self.buffer = scratch(room * self.rules.packing.words)
        self.signs = scratch(room)
        self.gains = scratch(room)

    @property
    def states(self) -> int:
        """Keys found."""
        return int(self.counters[1])

    def forward(self) -> None:
        """Find all keys."""
        self.budget.look(0, "compiling")
        kernel = self.rules.kernel("forward")
        self.budget.look(0, "compiling")
        while True:
            result = kernel(
                self.table.words, self.table.mask, min(self.table.most, self.room), self.order,
                self.buffer, self.buffer_room, self.rules.data, self.counters, int(self.counters[0]) + _STRIDE,
            )  # fmt: skip
            self.budget.spend(self.states)
            if result == Code.NODES_FULL:
                self._more_nodes()
            elif result == Code.FAULT:
                raise self._blame()
            elif result != Code.STOPPED and self._is_over(result):
                return

    def _blame(self) -> CannotCompile:
        """Why the next few keys cannot be expanded; `RulesError` where the plain engine cannot either."""
        words = self.rules.packing.words
        first = int(self.counters[0])
        keys = self.order[first * words : min(first + BATCH, self.states) * words].reshape(-1, words)
        return self.rules.blame(int(self.counters[3]), keys)

    def _more_nodes(self) -> None:
        needed = self.states + int(self.counters[3])
        if needed > self.room:
            raise LimitReached(
                "stopped: the list of states would not fit into memory", states=self.states, limit="memory"
            )
        self.table.grow(needed, self.budget)

    def _is_over(self, result: int) -> bool:
        """Whether a kernel is done; makes room where it asks for it, raises where it gave up."""
        if result == Code.DONE:
            return True
        if result == Code.BUFFER_FULL:
            self._buffers(2 * int(self.counters[3]))
            return False
        if result == Code.FAULT:
            raise self.rules.fault(int(self.counters[3]))
        if result == Code.NOT_LAYERED:
            raise NotLayered
        if result == Code.NEEDS_MOVER:
            raise NeedsTracking
        raise CannotCompile(REASONS[Code(result)])

    def backward(self, form: Form) -> Solved | None:
        """Solve all keys, the last found first; None where values turn out not to have that form."""
        states, is_win_loss, in_word = self.states, form != "values", form == "beside keys"
        top = ((1 << self.rules.packing.code_bits) - VALUES - 1) // 2 if in_word else OUTSIDE_TOP
        if int(self.counters[5]) > top:
            return None
        kernel = self.rules.kernel("backward", WIN_LOSS=int(is_win_loss), IN_WORD=int(in_word))
        scores = zeros(self.table.slots if form == "scores" else 1, np.int32)
        values = zeros(self.table.slots if form == "values" else 1)
        counters = scratch(8)
        counters[0] = states
        counts, share = scratch(64), scratch(2)
        outside: npt.NDArray[Any] | None = scores if is_win_loss else values
        solved = Solved(self.rules, self.table, states, 0, is_win_loss, top, None if in_word else outside)
        self.budget.witness = solved.proven
        while True:
            self.budget.glance(states, f"solving ({100 - 100 * int(counters[0]) // states} % done)")
            result = kernel(
                self.table.words, self.table.mask, self.order, scores, values,
                self.buffer, self.signs, self.gains, self.buffer_room, counts, share,
                top, self.rules.data, counters, max(0, int(counters[0]) - _STRIDE),
            )  # fmt: skip
            self.counters[3] = counters[3]
            if result in (Code.NOT_WIN_LOSS, Code.TOO_LONG):
                return None
            if result != Code.STOPPED and self._is_over(result):
                break
        return replace(solved, edges=int(self.counters[2]))

    def start_again(self) -> None:
        """Forget values that were entered under a wrong assumption."""
        self.table.clear()
        self.table.enter(self.order, self.states, UNSET)
