"""The exploring kernel at work: nodes and edges in plain memory, which grows as they are found.

Nothing here loads numpy: exploring a thousand positions (`comparing`) does not need it, and loading takes longer.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from functools import partial

from endsight.compiler.driver import Rooms, drive
from endsight.compiler.kernels.core import BATCH, HEAD, TAIL, UNSET, Children, Code, Keys, Work
from endsight.compiler.kernels.graph import MOVE_WIDTH, PAYOFF_KIND, REWARD_KIND, FoundGraph, explore_graph
from endsight.compiler.memory import words
from endsight.compiler.refusal import CannotCompile
from endsight.compiler.rules import CompiledRules
from endsight.engine.tables import grown, numbered_table, put
from endsight.game.limits import Budget

# How many nodes a kernel expands before it returns to check limits and Ctrl-C.
STRIDE = 1 << 17


class GraphRun:
    """Memory for nodes and edges; a move of `move_words` words is a tuple, one of 0 words a number.

    Of several first keys only one is in the table: moves back to the others are listed under another number.
    """

    def __init__(
        self,
        rules: CompiledRules,
        keys: Sequence[tuple[int, ...]],
        room: tuple[int, int],
        budget: Budget,
        move_words: int,
    ) -> None:
        self.rules, self.budget = rules, budget
        nodes, edges = room
        self.nodes, self.edges, self.move_words = nodes, edges, move_words
        self.kernel = rules.kernel(explore_graph, MOVE_WORDS=move_words)
        self.counters = words(16)
        self.counters[TAIL] = len(keys)
        self.words = rules.packing.words
        self.order = words(nodes * self.words)
        put(self.order, 0, (word for key in keys for word in key))
        self.offsets, self.movers, self.payoffs = words(nodes + 1), words(nodes, "b"), words(nodes * rules.players)
        self.successors, self.moves = words(edges, "i"), words(edges * max(1, move_words))
        self.weights = words(edges if rules.translation.gives("weight") else 1)
        self.rewards = words(edges * rules.players if rules.translation.gives("reward") else 1)
        self._make_buffer(1 << 10)
        self.table, self.numbers = numbered_table(rules.packing, nodes, (self.order, 1, UNSET))

    @property
    def head(self) -> int:
        """Nodes expanded."""
        return int(self.counters[HEAD])

    @property
    def tail(self) -> int:
        """Nodes found."""
        return int(self.counters[TAIL])

    @property
    def payoffs_are_tuples(self) -> bool:
        """Whether payoffs have an entry per player."""
        return bool(self.counters[PAYOFF_KIND])

    @property
    def rewards_are_tuples(self) -> bool:
        """Whether rewards have an entry per player."""
        return bool(self.counters[REWARD_KIND])

    def blame(self, number: int) -> Exception:
        """Why the rules failed at the nodes that the kernel has reached."""
        return self.rules.blame_one(number, self.order, self.head, min(self.head + BATCH, self.tail))

    def step(self, at_most: int | None) -> int:
        """Run the kernel once."""
        stop = min(self.head + self.budget.stride(STRIDE), at_most or sys.maxsize)
        return self.kernel(
            Keys(self.table, len(self.numbers) - 1, self.order, self.nodes),
            FoundGraph(
                self.numbers, self.offsets, self.movers, self.payoffs, self.successors,
                self.moves, self.weights, self.rewards, self.edges,
            ),
            self.children, Work(self.rules.data, self.counters, stop),
        )  # fmt: skip

    # ---------------------------------------------------------------- more room

    @property
    def rooms(self) -> Rooms:
        """Functions that make room for anything that is full."""
        buffers: Rooms = {Code.BUFFER_FULL: lambda needed: self._make_buffer(2 * needed)}
        return {**buffers, Code.EDGES_FULL: self._more_edges, Code.NODES_FULL: self._more_nodes}

    def _make_buffer(self, room: int) -> None:
        self.children = Children(words(room * self.words), room)

    def _more_edges(self, needed: int) -> None:
        self.budget.reserve(max(self.moves.nbytes, self.rewards.nbytes), self.tail, "exploring")
        self.edges = 2 * self.edges + needed
        self.successors = grown(self.successors, self.edges)
        self.moves = grown(self.moves, self.edges * max(1, self.move_words))
        if self.rules.translation.gives("weight"):
            self.weights = grown(self.weights, self.edges)
        if self.rules.translation.gives("reward"):
            self.rewards = grown(self.rewards, self.edges * self.rules.players)

    def _more_nodes(self, needed: int) -> None:
        self.nodes = 2 * self.nodes + needed
        if self.nodes > 1 << 31:
            raise CannotCompile("the graph has more than 2^31 nodes")
        # While an array grows, it exists twice; all of the larger table is soon used.
        self.budget.reserve(self.order.nbytes + self.table.nbytes + self.numbers.nbytes, self.tail, "exploring")
        self.order = grown(self.order, self.nodes * self.words)
        self.offsets = grown(self.offsets, self.nodes + 1)
        self.movers = grown(self.movers, self.nodes)
        self.payoffs = grown(self.payoffs, self.nodes * self.rules.players)
        self.table, self.numbers = numbered_table(self.rules.packing, self.nodes, (self.order, self.tail, UNSET))


def explored(
    rules: CompiledRules,
    keys: Sequence[tuple[int, ...]],
    room: tuple[int, int],
    budget: Budget,
    at_most: int | None,
    *,
    blame: Callable[[int], Exception] | None = None,
    watch: Callable[[GraphRun], None] = lambda _: None,
) -> GraphRun:
    """All nodes that play reaches from these keys, or the first `at_most` of them expanded, with their edges.

    `room` gives the initial room for nodes and edges. `blame` and `watch`: see `driver.drive`.
    """
    width = rules.move_words
    while True:
        run = GraphRun(rules, keys, room, budget, width)
        step, seen, why = partial(run.step, at_most), partial(watch, run), blame or run.blame
        while drive(step, run.counters, run.rooms, why, seen, {Code.STOPPED}) != Code.DONE and run.head != at_most:
            pass
        if run.counters[MOVE_WIDTH] <= width:
            return run
        width = int(run.counters[MOVE_WIDTH])
