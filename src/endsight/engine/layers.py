"""All positions solved backwards without keeping edges: `layers`.

Positions are found breadth first and solved in the opposite order; their children are generated a second time instead
of being remembered, and a value stands beside its key in one machine word. This is right where every move leads to a
position found later, as in games in which every move adds something to the board; it is checked move by move, and where
some move does not, the positions are ordered depth first. It is backward induction after Zermelo
(1913), and after Kuhn (1953) for players whose payoffs are not opposed: then a value of every player stands beside the
table, and ties are treated as in `algorithms.backward_induction`. Children are looked up in batches whose table slots
are fetched ahead.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from typing import Any, Literal

from endsight.answers.source import Solved
from endsight.base.machine import cores
from endsight.compiler.driver import REASONS, Rooms, drive
from endsight.compiler.kernels import core
from endsight.compiler.kernels.core import Children, Code, Keys, Stack, Work
from endsight.compiler.memory import reserved_words, words
from endsight.compiler.native import Kernel, KernelText
from endsight.compiler.refusal import CannotCompile
from endsight.compiler.rules import CompiledRules
from endsight.engine.goals import Goals
from endsight.engine.kernels import backward_shares as shares
from endsight.engine.kernels.backward import MoveRoom, Values, solve_keys
from endsight.engine.kernels.depth_first import put_in_order
from endsight.engine.kernels.distinct import count_states
from endsight.engine.kernels.forward import LEVEL_END, LEVELS, find_keys
from endsight.engine.solved import NumberTable, VectorTable, plain_view
from endsight.engine.tables import KeyTable, grown, put
from endsight.engine.thread_pool import Piece, ThreadPool, pieces
from endsight.errors import LimitReached
from endsight.game.limits import Budget
from endsight.game.position import Position
from endsight.graph.plan import TIE_RULE

# Nodes per kernel call: a few hundredths of a second.
_STRIDE = 1 << 17
# From this many states on, several threads share the work.
CROWD = 1 << 21
# Initial room for children.
_ROOM = 1 << 10
# Room for keys beyond the most that are wanted.
_SPARE = 1 << 16
# Scores outside the table's words are 32-bit numbers, so no distance is too long for this.
OUTSIDE_TOP = 1 << 29


Form = Literal["beside keys", "scores", "values", "measured shares", "shares", "wide shares"]
# Where payoffs are opposed: scores of games won, drawn or lost beside the keys, or in an array if the way is too long
# for that; plain values for all other payoffs. Otherwise a value of every player: with distances where a game is won,
# drawn or lost, in 32 bits or in 64.
_OPPOSED: tuple[Form, ...] = ("beside keys", "scores", "values")
_SHARES: tuple[Form, ...] = ("measured shares", "shares", "wide shares")


def first_kernels(rules: CompiledRules, goals: Goals) -> list[KernelText]:
    """The kernels that `solve_layers` needs first."""
    form = _forms(rules, goals)[0]
    solve = shares.solve_shares if form in _SHARES else solve_keys
    return [rules.program(find_keys, SHARED=0, COUNTS=0, MEASURES=0), rules.program(solve, **_constants(form))]


def ordering_kernels(rules: CompiledRules) -> list[KernelText]:
    """The kernel that `solve_layers` needs where some moves lead to positions that are found earlier."""
    return [rules.program(put_in_order)]


def _forms(rules: CompiledRules, goals: Goals) -> tuple[Form, ...]:
    """The forms that values of a game may have, in the order of trial."""
    scored = rules.players == 2 and not rules.translation.gives("reward")
    if goals.is_plain and rules.players == 1:
        return ("values",)
    if goals.is_plain and rules.players == 2:
        # Games won, drawn or lost with opposed payoffs never need shares.
        return (*(_OPPOSED if scored else _OPPOSED[2:]), *_SHARES[1:])
    return _SHARES if scored else _SHARES[1:]


def bytes_beside_keys(rules: CompiledRules, goals: Goals) -> int:
    """Bytes that the values of a table slot take in the form that is tried first."""
    form = _forms(rules, goals)[0]
    outside = {"beside keys": 0, "values": 8, "measured shares": 4 * (rules.players + 1), "shares": 4 * rules.players}
    return outside[form]


def _constants(form: Form) -> dict[str, int]:
    if form in _SHARES:
        return {"NARROW": int(form != "wide shares"), "PLIES": int(form == "measured shares")}
    return {"WIN_LOSS": int(form != "values"), "IN_WORD": int(form == "beside keys")}


def solve_layers(
    rules: CompiledRules, position: Position, budget: Budget, goals: Goals | None = None
) -> NumberTable | VectorTable:
    """Solve everything reachable from `position`; without `goals` everybody wants their own payoff.

    Raises `CannotCompile`, `LimitReached`.
    """
    with ThreadPool(budget.limits.threads or cores()) as pool:
        run = _LayerRun(rules, position, budget, pool, goals or Goals.of(plain_view(rules)))
        run.forward()
        for form in _forms(rules, run.goals):
            solved = run.backward(form)
            if run.refusal is Code.NOT_LAYERED:
                run.start_again()
                run.arrange()
                solved = run.backward(form)
            if solved is not None:
                return solved
            run.start_again()
    raise CannotCompile("a value does not fit a machine word")


_OTHER_FORM = (Code.NOT_LAYERED, Code.NOT_WIN_LOSS, Code.TOO_LONG, Code.NOT_OPPOSED)
"""What a kernel returns on the way back if keys need another order, or values another form."""


class _Worker:
    """What one thread needs for itself; kernels define the counters."""

    def __init__(self, width: int, players: int) -> None:
        self.width = width
        self.counters = words(16)
        self.players = players
        self.counts, self.share = words(2 * core.BATCH), words(2 * players)
        self.make_room(_ROOM)

    @property
    def rooms(self) -> Rooms:
        """Functions that make room for children."""
        return {Code.BUFFER_FULL: lambda needed: self.make_room(2 * needed)}

    def make_room(self, room: int) -> None:
        """Buffers for that many children at a time."""
        self.children = Children(words(room * self.width), room)
        self.signs = words(room)
        self.gains = words(room * self.players)


class FoundKeys:
    """The keys that play reaches from a position: their table, and their list in the order in which they are found.

    With `most` there is room for about so many. Kernels define the counters.
    """

    def __init__(self, rules: CompiledRules, position: Position, budget: Budget, most: int | None = None) -> None:
        self.rules, self.budget = rules, budget
        self.table = KeyTable(rules.packing, memory=budget.limits.memory, most=most)
        per_key, room = rules.packing.words, self.table.room // 4 * 3
        self.order = reserved_words((room if most is None else most + _SPARE) * per_key)
        self.room = min(len(self.order) // per_key, room)
        self.counters, self.shared = words(16), words(1)
        put(self.order, 0, rules.root_key(position.state, position.mover))
        self.counters[core.TAIL] = 1
        self.table.enter(self.order, 1, core.UNSET)

    @property
    def states(self) -> int:
        """Keys found."""
        return int(self.counters[core.TAIL])

    def keys(self, most: int) -> Keys:
        """The table and the list, with room for so many keys."""
        return Keys(self.table.words, self.table.mask, self.order, most)

    def expand(self, kernel: Kernel, children: Children, counters: Any, stop: int, slack: int = 0) -> int:
        """Run the forward kernel; `slack` is the number of keys that other threads may add unseen."""
        most = min(self.table.most, self.room) - slack
        return kernel(self.keys(most), children, Work(self.rules.data, counters, stop), self.shared)


class _LayerRun(FoundKeys):
    """Keys, values and threads of one solve. The first worker's counters are those of the whole solve."""

    def __init__(
        self, rules: CompiledRules, position: Position, budget: Budget, pool: ThreadPool, goals: Goals
    ) -> None:
        super().__init__(rules, position, budget)
        self.goals = goals.in_parts(rules.denominator)
        self.pool = pool
        self.workers = [_Worker(rules.packing.words, rules.players) for _ in range(pool.size)]
        self.ends: list[int] = []  # of the levels that threads have shared
        self.refusal: Code | None = None

    # ---------------------------------------------------------------- finding all keys

    def forward(self) -> None:
        """Find all keys: alone while they are few, then level by level with all threads."""
        kernel = self.rules.kernel(find_keys, SHARED=0, COUNTS=0, MEASURES=0)
        self.budget.look(0, "exploring")
        counters, worker = self.counters, self.workers[0]
        rooms = {**worker.rooms, Code.NODES_FULL: self._more_nodes}

        def expand() -> int:
            stop = int(counters[core.HEAD]) + self.budget.stride(_STRIDE)
            level = int(counters[LEVEL_END]) if self._is_crowd else stop
            return self.expand(kernel, worker.children, counters, min(stop, level))

        def watch() -> None:
            self.budget.frontier = self.states - int(counters[core.HEAD])
            self.budget.spend(self.states)

        while drive(expand, counters, rooms, self._blamed(counters), watch, {Code.STOPPED}) != Code.DONE:
            if self._is_crowd and counters[core.HEAD] == counters[LEVEL_END]:
                self._forward_together()
                return

    @property
    def _is_crowd(self) -> bool:
        return self.pool.size > 1 and self.states >= CROWD

    def _forward_together(self) -> None:
        """Expand the remaining levels; the first thread's counters continue to report the progress."""
        kernel = self.rules.kernel(find_keys, SHARED=1, COUNTS=0, MEASURES=0)
        head, tail = int(self.counters[core.HEAD]), self.states
        self.shared[0] = tail
        self.ends.append(head)
        # Run alone with nothing to do, the kernel forgets faults of earlier runs.
        self.expand(kernel, self.workers[0].children, self.workers[0].counters, 0)
        while head < tail:
            while head < tail:
                stop = min(head + self.budget.stride(_STRIDE), tail)
                self._expand_together(kernel, pieces(head, stop))
                self.counters[core.TAIL] = self.shared[0]
                self.budget.frontier = self.states - head
                self.budget.spend(self.states)
                head = stop
            tail = self.states
            self.ends.append(head)
            self.counters[LEVELS] += 1
        self.budget.frontier = 0
        self.counters[core.EDGES] += sum(int(worker.counters[core.EDGES]) for worker in self.workers)

    def _expand_together(self, kernel: Kernel, left: list[Piece]) -> None:
        """Expand all pieces; threads wait for each other where the table has to grow."""

        def work(thread: int, piece: Piece) -> Piece | None:
            worker = self.workers[thread]
            counters = worker.counters
            counters[core.HEAD], counters[core.TAIL] = piece
            counters[LEVEL_END], counters[core.IS_SHARED] = piece[1], 1
            slack = sum(worker.children.most_buffer for worker in self.workers)
            result = drive(
                lambda: self.expand(kernel, worker.children, counters, piece[1] + 1, slack),
                counters, worker.rooms, self._blamed(counters), answers={Code.NODES_FULL},
            )  # fmt: skip
            return (int(counters[core.HEAD]), piece[1]) if result == Code.NODES_FULL else None

        while left := self.pool.run(work, left):
            self.counters[core.TAIL] = self.shared[0]
            self._more_nodes(2 * sum(worker.children.most_buffer for worker in self.workers))

    def _more_nodes(self, count: int) -> None:
        needed = self.states + count
        if needed > self.room:
            raise LimitReached(
                "stopped: the list of states would not fit into memory", states=self.states, limit="memory"
            )
        self.table.grow(needed, self.budget)

    def _blamed(self, counters: Any) -> Callable[[int], Exception]:
        """A function that says why rules failed at the keys that the counters have reached."""
        return lambda number: self.rules.blame_one(
            number, self.order, counters[core.HEAD], min(counters[core.HEAD] + core.BATCH, counters[core.TAIL])
        )

    # ---------------------------------------------------------------- solving them

    def backward(self, form: Form) -> NumberTable | VectorTable | None:
        """Solve all keys, the last found first; None if values have another form, or `refusal` asks for an order."""
        self.refusal = None
        return self._backward_shares(form) if form in _SHARES else self._backward_opposed(form)

    def _backward_opposed(self, form: Form) -> NumberTable | None:
        is_win_loss, in_word = form != "values", form == "beside keys"
        top = ((1 << self.rules.packing.code_bits) - core.VALUES - 1) // 2 if in_word else OUTSIDE_TOP
        if int(self.counters[LEVELS]) > top:
            return None
        kernel = self.rules.kernel(solve_keys, **_constants(form))
        scores = words(self.table.slots if form == "scores" else 1, "i")
        values = words(self.table.slots if form == "values" else 1)
        outside = scores if is_win_loss else values
        edges = int(self.counters[core.EDGES])
        solved = NumberTable(
            self.goals.view, self.rules, self.table, self.states, edges,
            is_win_loss=is_win_loss, top=top, values=None if in_word else outside,
        )  # fmt: skip
        self.budget.witness = Solved(solved).proven

        def run(worker: _Worker, first: int) -> int:
            return kernel(
                self.keys(self.states), Values(scores, values, top), worker.children,
                MoveRoom(worker.signs, worker.gains, worker.counts, worker.share),
                Work(self.rules.data, worker.counters, first),
            )  # fmt: skip

        if not self._backwards(run):
            return None
        solved.states = self._distinct()
        return solved

    def _backward_shares(self, form: Form) -> VectorTable | None:
        rules, goals, table = self.rules, self.goals, self.table
        if rules.players > 1 and not (rules.tracks_mover or rules.translation.gives("to_move")):
            raise CannotCompile(REASONS[Code.NEEDS_MOVER])
        kernel = rules.kernel(shares.solve_shares, **_constants(form))
        is_wide, has_plies = form == "wide shares", form == "measured shares"
        narrow = words(1 if is_wide else table.slots * rules.players, "i")
        wide = words(table.slots * rules.players if is_wide else 1)
        plies = words(table.slots if has_plies else 1, "i")
        p_goals = words(3 * rules.players)
        put(p_goals, 0, goals.words)
        interests = shares.Interests(p_goals, goals.utility, goals.unit)
        solved = VectorTable(
            goals.view, rules, table, self.states, int(self.counters[core.EDGES]), goals=goals,
            values=wide if is_wide else narrow, plies=plies if has_plies else None,
        )  # fmt: skip
        self.budget.witness = Solved(solved).proven

        def run(worker: _Worker, first: int) -> int:
            return kernel(
                self.keys(self.states), shares.SharesKept(narrow, wide, plies), worker.children,
                shares.SharesRoom(worker.gains, worker.counts, worker.share), interests,
                Work(rules.data, worker.counters, first),
            )  # fmt: skip

        for worker in self.workers:
            put(worker.counters, shares.CHOOSERS, (0, 0))
        if not self._backwards(run):
            return None
        # Values depend on ties where somebody has a choice, unless one amount determines everybody's.
        has_choices = any(worker.counters[shares.CHOOSERS] for worker in self.workers)
        sums_differ = any(worker.counters[shares.SUMS_DIFFER] for worker in self.workers)
        if has_choices and (rules.players > 2 or (rules.players == 2 and sums_differ)):
            solved.notion = TIE_RULE
        solved.states = self._distinct()
        return solved

    def _distinct(self) -> int:
        """The number of keys; those that differ only by the mover count once."""
        if not self.rules.tracks_mover:
            return self.states
        kernel = self.rules.kernel(count_states)
        count = 0
        for first in range(0, self.states, _STRIDE):
            self.budget.glance(self.states, "counting states", (first, self.states))
            stop = min(first + _STRIDE, self.states)
            count += kernel(self.table.words, self.table.mask, self.order, first, stop)
        return count

    def _backwards(self, run: Callable[[_Worker, int], int]) -> bool:
        """Solve level by level what threads have found together, then the rest in order; False at a refusal."""

        def work(thread: int, piece: Piece) -> None:
            if self.refusal is not None:
                return
            worker = self.workers[thread]
            worker.counters[core.HEAD] = piece[1]
            result = drive(
                lambda: run(worker, piece[0]), worker.counters, worker.rooms, self.rules.fault,
                answers={Code.STOPPED, *_OTHER_FORM},
            )  # fmt: skip
            if result in _OTHER_FORM:
                self.refusal = result

        ends = self.ends or [self.states]
        self.workers[0].counters[core.IS_SHARED] = 0
        work(0, (0, 0))  # alone and with nothing to do, the kernel forgets faults of earlier runs
        for worker in self.workers:
            worker.counters[core.IS_SHARED] = 1
        for low, high in reversed(list(pairwise(ends))):
            for stop in range(high, low, -_STRIDE):
                self._say_left(stop)
                self.pool.run(work, pieces(max(low, stop - _STRIDE), stop)[::-1])
        self.workers[0].counters[core.IS_SHARED] = 0
        for stop in range(ends[0], 0, -_STRIDE):
            self._say_left(stop)
            work(0, (max(0, stop - _STRIDE), stop))
        return self.refusal is None

    def _say_left(self, left: int) -> None:
        self.budget.glance(self.states, "solving", (self.states - left, self.states))

    def start_again(self) -> None:
        """Forget values that were entered under a wrong assumption, and report none of them."""
        self.budget.witness = None
        self.table.clear()
        self.table.enter(self.order, self.states, core.UNSET)

    # ---------------------------------------------------------------- another order

    def arrange(self) -> None:
        """Order all keys so that every move leads to a later one; raises `CannotCompile` where that is impossible.

        Depth first, each key before those that were finished earlier. Threads then have no levels to share.
        """
        kernel = self.rules.kernel(put_in_order)
        keys, per_key, counters = self.keys(self.states), self.rules.packing.words, words(16)
        # As many children, and frames of the stack, as there is room for.
        children, stack = words(per_key << 14), words(core.FRAME << 10)
        put(children, 0, self.order[:per_key])
        put(stack, per_key, (0, 1))

        def more_children(needed: int) -> None:
            nonlocal children
            children = grown(children, 2 * needed * per_key)

        def deeper(_: int) -> None:
            nonlocal stack
            stack = grown(stack, 2 * len(stack))

        def watch() -> None:
            self.budget.glance(self.states, "putting positions in order", (int(counters[core.HEAD]), self.states))

        drive(
            lambda: kernel(
                keys, Children(children, len(children) // per_key), Stack(stack, len(stack) // core.FRAME),
                Work(self.rules.data, counters, int(counters[core.HEAD]) + _STRIDE),
            ),
            counters, {Code.BUFFER_FULL: more_children, Code.STACK_FULL: deeper},
            self.rules.fault, watch,
        )  # fmt: skip
        self.ends = []
        self.start_again()
