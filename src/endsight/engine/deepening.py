"""The value of one position of a puzzle: by iterative deepening (`Deepener`) or from both ends (`BothEnds`).

Every iteration of deepening asks whether play can reach a total, from what the bound promises down: a bound that never
promises too little cannot cause a wrong answer (`hint_proofs` proves that it does not). The first play that reaches it
is best.

A search from both ends goes back from the ends by the rules' `before`. It leaves out no play, since `before` and `ends`
are proven to leave out no state (`hint_proofs`); what they yield beyond that is ignored, for each step back must be a
move.
"""

from __future__ import annotations

from functools import partial
from typing import Any

from endsight.compiler.driver import Rooms, drive
from endsight.compiler.hint_proofs import ends_within_limits, prove_before
from endsight.compiler.kernels.core import HEAD, NONE, TAIL, UNSET, Code, Keys, Work
from endsight.compiler.memory import words
from endsight.compiler.native import KernelText
from endsight.compiler.refusal import CannotCompile
from endsight.compiler.rules import CompiledRules
from endsight.engine.bounds_table import BoundsTable, EntryLayout, rest_of
from endsight.engine.comparing import Difference, brief, refusal
from endsight.engine.kernels import deepening, lines
from endsight.engine.kernels.both_ends import BACK, BEST, MEETING, OPEN, ROOTS, Sides, Steps, meet_between
from endsight.engine.kernels.deepening import deepen
from endsight.engine.kernels.lines import CHILD, ROOM
from endsight.engine.search_run import PuzzleSearcher, SearchRun
from endsight.engine.tables import grown, numbered_table, put
from endsight.game.limits import Budget, Ends
from endsight.game.numbers import simplest
from endsight.game.position import Position
from endsight.game.results import absolute, endless_share

_STRIDE = 1 << 17
_MOST_BUCKETS = 1 << 21
"""A larger table keeps more, but takes longer to query."""
_IN_VAIN = 10
"""Iterations that find nothing new before other methods are asked, which notice if there is no way out."""


class Deepener(PuzzleSearcher):
    """What has been found so far about positions of a one-player game in which every move costs."""

    method = "iterative deepening"

    def __init__(self, rules: CompiledRules, budget: Budget) -> None:
        super().__init__(rules, budget)
        self.layout = EntryLayout(rules.packing, None)
        self.table = BoundsTable(self.layout, budget, _MOST_BUCKETS)
        self.hoped: tuple[Position, int] | None = None
        """The position being searched, and the most that is not refuted yet."""
        self._before = 0
        self.run = SearchRun(rules, deepen, self.layout.constants)

    @staticmethod
    def kernels(rules: CompiledRules) -> list[KernelText]:
        """The program of an iteration."""
        return [SearchRun.program(rules, deepen, EntryLayout(rules.packing, None).constants)]

    @property
    def states(self) -> int:  # type: ignore[override]
        """Positions entered."""
        return self.run.states

    # ---------------------------------------------------------------- answers

    def hopes(self, position: Position) -> tuple[Ends, ...] | None:
        """The most that is not refuted yet for the whole game from there, while it is searched."""
        if self.hoped is None or position != self.hoped[0]:
            return None
        return ((None, simplest(self.number(self.hoped[1]) + position.so_far[0])),)

    # ---------------------------------------------------------------- work

    def look_for_play(self, position: Position) -> tuple[list[Any], list[int]]:
        """Ask for what the bound promises, then for what the last iteration leaves to hope for."""
        key = self.rules.root_key(position.state, position.mover)
        self.table = BoundsTable(self.layout, self.budget, _MOST_BUCKETS)
        self._before = self.states
        need, in_vain = self._promised(position.state), 0
        while not self._iterated(key, need):
            in_vain = 0 if self.run.counters[deepening.NEW] else in_vain + 1
            if in_vain == _IN_VAIN:
                raise CannotCompile("all positions seem to have been visited, and none of them ends the game")
            need = self.run.frames[deepening.BEST]
            self.hoped = position, need
        frames = range(ROOM, (self.run.counters[TAIL] + 1) * ROOM, ROOM)
        values = [self.run.frames[frame + deepening.NEED] for frame in frames]
        return [self._state(self.run.frames, frame) for frame in frames], values

    def _promised(self, state: Any) -> int:
        game: Any = self.rules.game
        return int(absolute(game.bound(state), 0, 1, alternating=False)[0] * self.rules.denominator)

    def _iterated(self, key: tuple[int, ...], need: int) -> bool:
        """Run one iteration, and return whether it found play that reaches as much."""
        self.run.start(key)
        put(self.run.children, lines.GAIN, (0,))
        put(self.run.children, deepening.PROMISED, (need,))
        put(self.run.children, lines.HASH, (self.table.hashed(key), rest_of(key)))
        put(self.run.frames, deepening.FIRST, (0, 0, 1, need, self.layout.limits[0]))
        put(self.run.counters, deepening.ARRIVED, (0, 0))
        self.run.drive(self._call, self._watch)
        return bool(self.run.counters[deepening.ARRIVED])

    def _call(self) -> int:
        work = self.run.work(self.states + self.budget.stride(_STRIDE_FROM_BOTH))
        return self.run.kernel(self.table.memo, self.run.line, self.run.share, work)

    def _watch(self) -> None:
        self.budget.spend(self.states, "searching")
        self.table.grow(self.states - self._before, self.states)
        self._look_again()

    def _state(self, numbers: Any, at: int) -> Any:
        return self.rules.state_of(tuple(numbers[at : at + self.rules.packing.words]))[0]

    def _look_again(self) -> None:
        """Check the bound in Python too, for the children of the deepest node.

        Raises `CannotCompile` where the bound differs from the compiled one.
        """
        frame = self.run.counters[TAIL] * ROOM
        for number in range(self.run.frames[frame + deepening.FIRST], self.run.frames[frame + deepening.END]):
            state = self._state(self.run.children, number * CHILD)
            plain, compiled = self._promised(state), self.run.children[number * CHILD + deepening.PROMISED]
            if frame and plain != compiled:
                raise refusal(Difference("bound", brief(state), f"{compiled} in place of {plain}"), self.rules)


# ---------------------------------------------------------------------- searches from both ends


_STRIDE_FROM_BOTH = 1 << 13
_FIRST = 1 << 12
"""The first room for nodes and for entries of heaps."""
_ENDS_OF_TOTALS = {"LEAST": -1 << 60, "MOST": 1 << 60}
"""Constants of the kernel: no total lies beyond these."""


class BothEnds(PuzzleSearcher):
    """What has been found so far about positions of a one-player game in which no move brings more than 0."""

    method = "bidirectional search"

    def __init__(self, rules: CompiledRules, budget: Budget) -> None:
        super().__init__(rules, budget)
        self.kernel = rules.kernel(meet_between, **_ENDS_OF_TOTALS)
        self.ends = list(filter(None, map(partial(rules.key, mover=0), ends_within_limits(rules.game))))
        self.endless = None if prove_before(rules.game).is_costly else endless_share(rules.game)[0]
        """The most that play without an end may bring; None where that is less than any number."""
        self.searched: Position | None = None
        self.share, self.counters = words(8), words(16)
        self._before = 0

    @staticmethod
    def kernels(rules: CompiledRules) -> list[KernelText]:
        """The program of the search."""
        return [rules.program(meet_between, **_ENDS_OF_TOTALS)]

    @property
    def states(self) -> int:  # type: ignore[override]
        """Positions found."""
        return self._before + int(self.counters[TAIL])

    def look_for_play(self, position: Position) -> tuple[list[Any], list[int]]:
        """Search from the position and from all ends."""
        self.searched = position
        self._set_out([self.rules.root_key(position.state, position.mover), *self.ends])
        drive(self._call, self.counters, self._rooms, self.rules.fault, self._watch)
        best = self.counters[BEST]
        if best == NONE:
            raise CannotCompile("no way from the position to an end has been found")
        if self.endless is not None and self.number(best) < self.endless:
            raise CannotCompile("play that never ends may bring more than all that ends")
        return self._best_play()

    def hopes(self, position: Position) -> tuple[Ends, ...] | None:
        """Bounds for the whole game from there, while it is searched: play that is found, and what others may bring."""
        if position != self.searched:
            return None
        best, sides = self.counters[BEST], (self.counters[OPEN], self.counters[OPEN + BACK])
        most = max(best, self.opened[0] + self.opened[2 * self.most_open] if all(sides) else NONE)
        low, high = (None if each == NONE else self.number(each) + position.so_far[0] for each in (best, most))
        if high is not None and self.endless is not None:
            high = max(high, self.endless + position.so_far[0])
        return ((low, high),)

    # ---------------------------------------------------------------- work

    def _set_out(self, roots: list[tuple[int, ...]]) -> None:
        """Empty everything, and put the keys with which the search begins into the buffer."""
        self._before = self.states
        self.counters = words(16)
        self.counters[BEST], self.counters[ROOTS] = NONE, len(roots)
        self.nodes = self.most_open = max(_FIRST, 2 * len(roots))
        self.order, self.labels = words(self.nodes * len(roots[0])), words(4 * self.nodes)
        self.opened = words(4 * self.most_open)
        self._make_steps(len(roots))
        put(self.buffer, 0, (word for key in roots for word in key))
        self.table, self.numbers = numbered_table(self.rules.packing, self.nodes)

    def _call(self) -> int:
        keys = Keys(self.table, len(self.numbers) - 1, self.order, self.nodes)
        sides = Sides(self.numbers, self.labels, self.opened, self.most_open)
        work = Work(self.rules.data, self.counters, self.counters[HEAD] + self.budget.stride(_STRIDE_FROM_BOTH))
        return self.kernel(keys, sides, Steps(self.buffer, self.gains, len(self.gains)), self.share, work)

    def _watch(self) -> None:
        self.budget.spend(self.states, "searching")
        for node in (0, self.opened[1] if self.counters[OPEN] else 0):
            self._look_again(self._state(node))

    def _look_again(self, state: Any) -> None:
        """Check in Python that steps back from where moves of a state lead, or the ends, do not leave it out.

        Raises `CannotCompile` where they do.
        """
        game: Any = self.rules.game
        nexts = [game.play(state, move) for move in game.moves(state)]
        missed = [after for after in nexts if state not in game.before(after)] if nexts else []
        if missed or (not nexts and state not in game.ends()):
            rule, where = ("before", missed[0]) if missed else ("ends", state)
            raise refusal(Difference(rule, brief(where), f"{brief(state)} is left out"), self.rules)

    # ---------------------------------------------------------------- what is found

    def _best_play(self) -> tuple[list[Any], list[int]]:
        """The states from the position to an end by way of the node where both sides met, with the value of each."""
        best, meeting = self.counters[BEST], self.counters[MEETING]
        ahead, back = self._side(meeting, 0), self._side(meeting, BACK)[1:]
        values = [best - self.labels[4 * node] for node in ahead[::-1]] + [self.labels[4 * node + 2] for node in back]
        return [self._state(node) for node in (*ahead[::-1], *back)], values

    def _side(self, node: int, side: int) -> list[int]:
        """The nodes from one on to where its side began."""
        found = [node]
        while (origin := self.labels[4 * found[-1] + 2 * side + 1] - 2) >= 0:
            found.append(origin)
        return found

    def _state(self, node: int) -> Any:
        width = self.rules.packing.words
        return self.rules.state_of(tuple(self.order[node * width : (node + 1) * width]))[0]

    # ---------------------------------------------------------------- more room

    @property
    def _rooms(self) -> Rooms:
        return {
            Code.BUFFER_FULL: lambda needed: self._make_steps(2 * needed),
            Code.NODES_FULL: self._more_nodes,
            Code.EDGES_FULL: self._more_open,
        }

    def _make_steps(self, room: int) -> None:
        self.buffer, self.gains = words(room * self.rules.packing.words), words(room)

    def _more_nodes(self, needed: int) -> None:
        self.nodes = 2 * self.nodes + needed
        if self.nodes > 1 << 31:
            raise CannotCompile("the search has found more than 2^31 positions")
        # While an array grows, it exists twice; all of the larger table is soon used.
        more = self.order.nbytes + self.labels.nbytes + 2 * (self.table.nbytes + self.numbers.nbytes)
        self.budget.reserve(more, self.states, "searching")
        self.order = grown(self.order, self.nodes * self.rules.packing.words)
        self.labels = grown(self.labels, 4 * self.nodes)
        found = self.order, self.counters[TAIL], UNSET
        self.table, self.numbers = numbered_table(self.rules.packing, self.nodes, found)

    def _more_open(self, needed: int) -> None:
        """Room for longer heaps; that of the ends moves on."""
        self.budget.reserve(2 * self.opened.nbytes, self.states, "searching")
        before, own = 2 * self.most_open, self.opened
        self.most_open = 2 * self.most_open + needed
        self.opened = words(4 * self.most_open)
        self.opened[:before] = own[:before]
        self.opened[2 * self.most_open : 2 * self.most_open + before] = own[before:]
