"""All positions solved backwards without keeping edges: `layers`.

Positions are found breadth first and solved in the opposite order; their children are
generated a second time instead of being remembered, and a value stands beside its key in
one machine word. Right where every move leads to a position found later, as in games in
which every move adds something to the board; this is checked move by move. Backward
induction after Zermelo (1913); children are looked up in batches whose table slots are
fetched ahead.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Literal

from endsight.compiler.crew import Crew, Piece, cores, pieces
from endsight.compiler.memory import View, reserved_words, words
from endsight.compiler.native import Kernel, Program
from endsight.compiler.refusal import CannotCompile
from endsight.compiler.rules import BATCH, UNSET, VALUES, Code, CompiledRules
from endsight.compiler.tables import KeyTable, put, scratch
from endsight.errors import LimitReached
from endsight.game import Position
from endsight.limits import Budget, Ends
from endsight.numbers import Number

__all__ = [
    "OUTSIDE_TOP",
    "REASONS",
    "NeedsTracking",
    "NotLayered",
    "Solved",
    "first_kernels",
    "per_player",
    "solve_layers",
]

# Nodes per kernel call: some hundredths of a second.
_STRIDE = 1 << 19
# From so many states on, several threads share the work.
CROWD = 1 << 21
# Children at a time that there is room for at first.
_ROOM = 1 << 10
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
    values: View | None

    def look_up(self, key: tuple[int, ...] | None) -> tuple[int, int | None] | None:
        """Value and distance for the mover, None for a key that is not there."""
        found = None if key is None else self.table.find(key)
        if found is None or found[1] == UNSET:
            return None
        slot, code = found
        score = code - VALUES - self.top if self.values is None else self.values[slot]
        if score == 0 or not self.is_win_loss:
            return score, None
        return (1, self.top - score) if score > 0 else (-1, self.top + score)

    def proven(self, position: Position) -> tuple[Ends, ...] | None:
        """Values per player of a position that is solved already, as ends; None for others."""
        row = self.look_up(self.rules.key(position.state, position.mover))
        return None if row is None else tuple((value, value) for value in per_player(position, row[0]))


def first_kernels(rules: CompiledRules) -> list[Program]:
    """The kernels that `solve_layers` needs at first, or at all."""
    return [rules.program("forward", SHARED=0), rules.program("backward", **_constants(_forms(rules)[0]))]


def _forms(rules: CompiledRules) -> tuple[Form, ...]:
    """The forms that values of a game may have, in the order in which they are tried."""
    return _FORMS if rules.players == 2 and not rules.translation.gives("reward") else ("values",)


def _constants(form: Form) -> dict[str, int]:
    return {"WIN_LOSS": int(form != "values"), "IN_WORD": int(form == "beside keys")}


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
    with Crew(budget.limits.threads or cores()) as crew:
        run = _Run(rules, position, budget, crew)
        run.forward()
        for form in _forms(rules):
            try:
                return run.backward(form)
            except _WrongForm:
                run.start_again()
    raise AssertionError("plain values fit every game")


class _WrongForm(Exception):
    """Values do not have the form that was assumed."""


class _Worker:
    """What one thread needs for itself; counters as the kernels say."""

    def __init__(self, words: int) -> None:
        self.words = words
        self.counters = scratch(8)
        self.counts, self.share = scratch(64), scratch(2)
        self.make_room(_ROOM)

    def make_room(self, room: int) -> None:
        """Buffers for so many children at a time."""
        self.room = room
        self.buffer = scratch(room * self.words)
        self.signs = scratch(room)
        self.gains = scratch(room)


class _Run:
    """Table, order and threads of one solve. The first worker's counters are those of the whole."""

    def __init__(self, rules: CompiledRules, position: Position, budget: Budget, crew: Crew) -> None:
        if rules.players > 2:
            raise CannotCompile("values of more than two players are not kept by layers")
        self.rules = rules
        self.budget = budget
        self.table = KeyTable(rules.packing, memory=budget.limits.memory)
        per_key = rules.packing.words
        self.order = reserved_words(self.table.room // 4 * 3 * per_key)
        self.room = len(self.order) // per_key
        self.crew = crew
        self.workers = [_Worker(per_key) for _ in range(crew.size)]
        self.counters = scratch(8)
        self.found = scratch(1)
        self.ends: list[int] = []  # of the levels that threads have shared
        key = rules.key(position.state, position.mover)
        if key is None:
            raise CannotCompile("the position lies outside limits()")
        put(self.order, 0, key)
        self.counters[1] = 1
        self.table.enter(self.order, 1, UNSET)

    @property
    def states(self) -> int:
        """Keys found."""
        return int(self.counters[1])

    # ---------------------------------------------------------------- finding all keys

    def forward(self) -> None:
        """Find all keys: alone as long as they are few, then level by level with all threads."""
        self.budget.look(0, "compiling")
        kernel = self.rules.kernel("forward", SHARED=0)
        self.budget.look(0, "compiling")
        counters, worker = self.counters, self.workers[0]
        while True:
            stop, is_crowd = int(counters[0]) + _STRIDE, self.crew.size > 1 and self.states >= CROWD
            if is_crowd and counters[0] == counters[4]:
                self._forward_together()
                return
            stop = min(stop, int(counters[4])) if is_crowd else stop
            result = self._expand(kernel, worker, counters, stop, 0)
            self.budget.spend(self.states)
            if result == Code.NODES_FULL:
                self._more_nodes(int(counters[3]))
            elif result == Code.BUFFER_FULL:
                worker.make_room(2 * int(counters[3]))
            elif result == Code.DONE:
                return
            elif result != Code.STOPPED:
                raise self._failure(result, counters)

    def _expand(self, kernel: Kernel, worker: _Worker, counters: Any, stop: int, slack: int) -> int:
        """Run the forward kernel; `slack` is how many keys other threads may add unseen."""
        return kernel(
            self.table.words, self.table.mask, min(self.table.most, self.room) - slack, self.order,
            worker.buffer, worker.room, self.rules.data, counters, stop, self.found,
        )  # fmt: skip

    def _forward_together(self) -> None:
        """The rest of the levels; the first thread's counters go on to say how far things are."""
        kernel = self.rules.kernel("forward", SHARED=1)
        head, tail = int(self.counters[0]), self.states
        self.found[0] = tail
        self.ends.append(head)
        # Alone and with nothing to do, the kernel forgets faults of earlier runs.
        self._expand(kernel, self.workers[0], self.workers[0].counters, 0, 0)
        while head < tail:
            for first in range(head, tail, _STRIDE):
                self._expand_together(kernel, pieces(first, min(first + _STRIDE, tail)))
                self.counters[1] = self.found[0]
                self.budget.spend(self.states)
            head, tail = tail, self.states
            self.ends.append(head)
            self.counters[5] += 1
        self.counters[2] += sum(int(worker.counters[2]) for worker in self.workers)

    def _expand_together(self, kernel: Kernel, left: list[Piece]) -> None:
        """Expand all pieces; threads meet where the table has to grow."""

        def work(thread: int, piece: Piece) -> Piece | None:
            worker = self.workers[thread]
            counters = worker.counters
            counters[0], counters[1], counters[4], counters[6] = piece[0], piece[1], piece[1], 1
            slack = sum(worker.room for worker in self.workers)
            while (result := self._expand(kernel, worker, counters, piece[1] + 1, slack)) == Code.BUFFER_FULL:
                worker.make_room(2 * int(counters[3]))
            if result == Code.NODES_FULL:
                return int(counters[0]), piece[1]
            if result != Code.DONE:
                raise self._failure(result, counters)
            return None

        while left := self.crew.run(work, left):
            self.counters[1] = self.found[0]
            self._more_nodes(2 * sum(worker.room for worker in self.workers))

    def _more_nodes(self, count: int) -> None:
        needed = self.states + count
        if needed > self.room:
            raise LimitReached(
                "stopped: the list of states would not fit into memory", states=self.states, limit="memory"
            )
        self.table.grow(needed, self.budget)

    def _failure(self, result: int, counters: Any, *, forward: bool = True) -> Exception:
        """Why a kernel gave up; `RulesError` where the plain engine cannot go on either."""
        if result == Code.FAULT:
            if not forward:
                return self.rules.fault(int(counters[3]))
            first, stop = counters[0], min(counters[0] + BATCH, counters[1])
            return self.rules.blame_one(counters[3], self.order, first, stop)
        if result == Code.NOT_LAYERED:
            return NotLayered()
        if result == Code.NEEDS_MOVER:
            return NeedsTracking()
        if result in (Code.NOT_WIN_LOSS, Code.TOO_LONG):
            return _WrongForm()
        return CannotCompile(REASONS[Code(result)])

    # ---------------------------------------------------------------- solving them

    def backward(self, form: Form) -> Solved:
        """Solve all keys, the last found first; `_WrongForm` where values turn out not to have that form."""
        is_win_loss, in_word = form != "values", form == "beside keys"
        top = ((1 << self.rules.packing.code_bits) - VALUES - 1) // 2 if in_word else OUTSIDE_TOP
        if int(self.counters[5]) > top:
            raise _WrongForm
        kernel = self.rules.kernel("backward", **_constants(form))
        scores = words(self.table.slots if form == "scores" else 1, "i")
        values = words(self.table.slots if form == "values" else 1)
        outside = scores if is_win_loss else values
        edges = int(self.counters[2])
        solved = Solved(self.rules, self.table, self.states, edges, is_win_loss, top, None if in_word else outside)
        self.budget.witness = solved.proven

        def work(thread: int, piece: Piece) -> None:
            worker = self.workers[thread]
            counters = worker.counters
            counters[0] = piece[1]
            while True:
                result = kernel(
                    self.table.words, self.table.mask, self.order, scores, values,
                    worker.buffer, worker.signs, worker.gains, worker.room, worker.counts, worker.share,
                    top, self.rules.data, counters, piece[0],
                )  # fmt: skip
                if result in (Code.DONE, Code.STOPPED):
                    return
                if result != Code.BUFFER_FULL:
                    raise self._failure(result, counters, forward=False)
                worker.make_room(2 * int(counters[3]))

        self._backwards(work)
        return solved

    def _backwards(self, work: Callable[[int, Piece], None]) -> None:
        """Level by level what threads have found together, then the rest in order."""
        ends = self.ends or [self.states]
        self.workers[0].counters[6] = 0
        work(0, (0, 0))  # alone and with nothing to do, the kernel forgets faults of earlier runs
        for worker in self.workers:
            worker.counters[6] = 1
        for low, high in reversed(list(pairwise(ends))):
            for stop in range(high, low, -_STRIDE):
                self._say_left(stop)
                self.crew.run(work, pieces(max(low, stop - _STRIDE), stop)[::-1])
        self.workers[0].counters[6] = 0
        for stop in range(ends[0], 0, -_STRIDE):
            self._say_left(stop)
            work(0, (max(0, stop - _STRIDE), stop))

    def _say_left(self, left: int) -> None:
        self.budget.glance(self.states, f"solving ({100 - 100 * left // self.states} % done)")

    def start_again(self) -> None:
        """Forget values that were entered under a wrong assumption."""
        self.table.clear()
        self.table.enter(self.order, self.states, UNSET)
