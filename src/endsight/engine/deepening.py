"""The value of one position of a puzzle by iterative deepening: `Deepener`.

Every iteration asks whether play can reach a total, from what the bound promises down: a bound that never promises too
little cannot cause a wrong answer (`hint_proofs` proves that it does not). The first play that reaches it is best.
"""

from __future__ import annotations

from typing import Any

from endsight.compiler.kernels.core import TAIL
from endsight.compiler.refusal import CannotCompile
from endsight.compiler.rules import CompiledRules
from endsight.engine.bounds_table import BoundsTable, EntryLayout, rest_of
from endsight.engine.comparing import Difference, brief, refusal
from endsight.engine.kernels import deepening, lines
from endsight.engine.kernels.deepening import deepen
from endsight.engine.kernels.lines import CHILD, ROOM
from endsight.engine.search_run import PuzzleSearcher, SearchRun
from endsight.engine.tables import put
from endsight.game.limits import Budget, Ends
from endsight.game.numbers import simplest
from endsight.game.position import Position
from endsight.game.results import absolute

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
        work = self.run.work(self.states + self.budget.stride(_STRIDE))
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
