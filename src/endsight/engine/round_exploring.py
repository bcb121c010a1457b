"""One layer of a game with chance: its states, and the rounds that lead from each to others.

States in which a player answers an outcome of chance are skipped: a round goes from a chance position through all
outcomes to everything that the players can make of them. So most states need no row of their own.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from endsight.compiler.driver import Rooms, drive
from endsight.compiler.kernels.core import HEAD, SET, TAIL, UNSET, Code, Keys, Work
from endsight.compiler.memory import zeros
from endsight.compiler.refusal import CannotCompile
from endsight.compiler.rules import CompiledRules
from endsight.engine.kernels import rounds
from endsight.engine.tables import grown, numbered_table
from endsight.game.limits import Budget

Words = npt.NDArray[np.int64]
_STRIDE = 1 << 17


class Rounds:
    """A layer's rounds; if edges were not kept, only keys, leaves and ends.

    keys      n  keys of the layer's nodes
    leaves    m  keys of states of later layers, and in `layers` their layers
    offsets   n + 1  first group of every node
    groups    g + 1  first child of every group
    weights, movers   g  of the outcome; and who chooses among its children (-1: nobody)
    children  node n as 2 n, leaf k as -1 - 2 k; one further from 0 if it stands there with the players exchanged
    ends, payoffs     nodes where the game ends, and a row for each with an entry per player
    heaviest  the largest sum of a node's weights
    """

    def __init__(self, run: _RoundRun) -> None:
        """Take the filled part of the arrays."""
        counters, players = run.counters, run.rules.players
        nodes, leaves, groups, children, ends = (
            int(counters[at]) for at in (TAIL, rounds.LEAVES, rounds.GROUPS, rounds.CHILDREN, rounds.ENDS)
        )
        self.keys, self.leaves, self.layers = run.order[:nodes], run.leaves[:leaves], run.layers[:leaves]
        self.offsets = run.offsets[: nodes + 1] if run.keeps else run.offsets[:0]
        self.groups, self.weights, self.movers = run.groups[: groups + 1], run.weights[:groups], run.movers[:groups]
        self.children, self.ends = run.children[:children], run.ends[:ends]
        self.payoffs = run.payoffs[: ends * players].reshape(-1, players)
        self.payoffs_are_tuples, self.heaviest = bool(counters[rounds.PAYOFF_KIND]), int(counters[rounds.HEAVIEST])


def explore_rounds(
    rules: CompiledRules, layer: int, seeds: Words, budget: Budget, *, edges: bool, before: int = 0
) -> Rounds:
    """All states of the layer that rounds reach from `seeds`, states of it; with `edges` its edges too.

    `before` states are known already, for the limit of states; those explored again count once.

    Raises `CannotCompile` for a fault in the rules, `LimitReached` past a limit.
    """
    run = _RoundRun(rules, layer, seeds, budget, edges)
    budget.glance(before, "exploring")  # what compiled the kernel ends here

    def watch() -> None:
        budget.glance(before + run.found, "exploring")
        if not edges:
            budget.spend(before + int(run.counters[TAIL]))

    if drive(run.step, run.counters, run.rooms, run.blame, watch, {Code.TOO_LONG}) == Code.TOO_LONG:
        raise CannotCompile("the weights of chance are too large")
    return Rounds(run)


class _RoundRun:
    """Arrays while they grow."""

    def __init__(self, rules: CompiledRules, layer: int, seeds: Words, budget: Budget, keeps: bool) -> None:
        self.rules, self.layer, self.budget, self.keeps = rules, layer, budget, keeps
        self.kernel = rules.kernel(rounds.find_rounds)
        self.counters = np.zeros(16, np.int64)
        self.counters[TAIL] = len(seeds)
        self.order = grown(seeds, len(seeds) + (1 << 12))
        self.leaves, self.layers = zeros(1 << 12), zeros(1 << 12, np.int32)
        self.offsets = zeros(len(self.order) + 1 if keeps else 2)
        room = 8 * len(self.order) if keeps else 1
        self.groups, self.weights = zeros(room + 1, np.int32), zeros(room, np.int32)
        self.movers = zeros(room, np.int8)
        # Memory is taken only where it is touched, so there is more room than most rules need.
        self.children = zeros(4 * room, np.int32)
        self.ends, self.payoffs = zeros(1 << 10, np.int32), zeros((1 << 10) * rules.players)
        self._make_buffers(1 << 8)
        self._make_table()

    @property
    def found(self) -> int:
        """States of the layer and leaves so far."""
        return int(self.counters[TAIL] + self.counters[rounds.LEAVES])

    def _make_buffers(self, room: int) -> None:
        outcomes, weights, firsts, buffer = (zeros(room) for _ in range(4))
        movers, turned = zeros(room, np.int8), zeros(room, np.int8)
        self.chance = rounds.ChanceOutcomes(outcomes, weights, firsts, movers, buffer, turned, room)

    def _make_table(self) -> None:
        found, leaves = int(self.counters[TAIL]), int(self.counters[rounds.LEAVES])
        held = (self.order, found, UNSET), (self.leaves, leaves, SET)
        self.table, self.numbers = numbered_table(self.rules.packing, len(self.order) + len(self.leaves), *held)

    @property
    def rooms(self) -> Rooms:
        """Functions that make room for anything that is full."""
        return {
            Code.BUFFER_FULL: lambda needed: self._make_buffers(2 * needed), Code.NODES_FULL: self._more_nodes,
            Code.EDGES_FULL: self._more_edges, Code.STACK_FULL: self._more_ends,
        }  # fmt: skip

    def step(self) -> int:
        """Run the kernel once."""
        return self.kernel(
            Keys(self.table, len(self.numbers) - 1, self.order, len(self.order)),
            rounds.Layer(self.layer, self.leaves, self.layers, len(self.leaves), self.numbers),
            rounds.Groups(
                self.offsets, self.groups, self.weights, self.movers, len(self.weights),
                self.children, len(self.children), int(self.keeps),
            ),
            rounds.Ends(self.ends, self.payoffs, len(self.ends)), self.chance,
            Work(self.rules.data, self.counters, int(self.counters[HEAD]) + self.budget.stride(_STRIDE)),
        )  # fmt: skip

    def blame(self, number: int) -> Exception:
        """Why the rules failed at the node that the kernel has reached."""
        at = int(self.counters[HEAD])
        return self.rules.blame(number, self.order[at : at + 1].reshape(-1, 1))

    def _more_ends(self, _: int) -> None:
        self.ends, self.payoffs = grown(self.ends, 2 * len(self.ends)), grown(self.payoffs, 2 * len(self.payoffs))

    def _more_nodes(self, needed: int) -> None:
        self.budget.reserve(4 * self.table.nbytes, self.found, "exploring")
        if self.counters[TAIL] + needed > len(self.order):
            self.order = grown(self.order, 2 * len(self.order) + needed)
            if self.keeps:
                self.offsets = grown(self.offsets, len(self.order) + 1)
        if self.counters[rounds.LEAVES] + needed > len(self.leaves):
            room = 2 * len(self.leaves) + needed
            self.leaves, self.layers = grown(self.leaves, room), grown(self.layers, room)
        self._make_table()

    def _more_edges(self, needed: int) -> None:
        self.budget.reserve(self.children.nbytes + self.groups.nbytes, self.found, "exploring")
        groups, children = int(self.counters[rounds.GROUPS]) + needed, int(self.counters[rounds.CHILDREN]) + needed
        if groups >= len(self.weights):
            room = groups + groups // 2
            self.groups, self.weights = grown(self.groups, room + 1), grown(self.weights, room)
            self.movers = grown(self.movers, room)
        if children > len(self.children):
            self.children = grown(self.children, children + children // 2)
