"""The value of one position of a puzzle by iterative deepening: `Deepener`.

Every iteration asks whether play can reach a total, from what the bound promises down: a bound that never promises too
little cannot cause a wrong answer (`bound_proof` proves that it does not). The first play that reaches it is best.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Any

from endsight.compiler.bounds_table import BoundsTable, Layout
from endsight.compiler.kernels import deepening, lines
from endsight.compiler.kernels.core import TAIL
from endsight.compiler.kernels.deepening import deepen
from endsight.compiler.kernels.lines import CHILD, ROOM
from endsight.compiler.looking import Difference, brief
from endsight.compiler.native import distrust
from endsight.compiler.refusal import CannotCompile
from endsight.compiler.rules import CompiledRules
from endsight.compiler.search_run import RulesSearcher, SearchRun
from endsight.compiler.tables import put
from endsight.game import absolute
from endsight.game.limits import Budget, Ends
from endsight.game.numbers import Number, simplest
from endsight.game.position import Position

_STRIDE = 1 << 17
_MOST_BUCKETS = 1 << 21
"""A larger table keeps more, but takes longer to query."""
_IN_VAIN = 10
"""Iterations that find nothing new before other methods are asked, which notice if there is no way out."""


class Deepener(RulesSearcher):
    """What has been found so far about positions of a one-player game in which every move costs."""

    method = "iterative deepening"
    is_win_loss = False
    by_mover = False

    def __init__(self, rules: CompiledRules, budget: Budget) -> None:
        super().__init__(rules, budget)
        self.layout = Layout(rules.packing, None)
        self.table = BoundsTable(self.layout, budget, _MOST_BUCKETS)
        self.hoped: tuple[Position, int] | None = None
        """The position being searched, and the most that is not refuted yet."""
        self._before = 0
        self._known: dict[Any, int] = {}
        self._after: dict[Any, Any] = {}
        self.run = SearchRun(rules, deepen, self.layout.constants)

    @property
    def states(self) -> int:  # type: ignore[override]
        """Positions entered."""
        return self.run.states

    # ---------------------------------------------------------------- answers

    def proven(self, position: Position) -> tuple[Number, ...] | None:
        """The value, where it has been found."""
        known = self._known.get(position.state)
        return None if known is None else (self.number(known),)

    def chosen(self, position: Position) -> Any:
        """The first move of the best play found; None if the position was not searched."""
        after = self._after.get(position.state)
        return next((move for move in position.moves() if position.play(move).state == after), None)

    def hopes(self, position: Position) -> tuple[Ends, ...] | None:
        """The most that is not refuted yet for the whole game from there, while it is searched."""
        if self.hoped is None or position != self.hoped[0]:
            return None
        return ((None, simplest(self.number(self.hoped[1]) + position.so_far[0])),)

    # ---------------------------------------------------------------- work

    def search(self, position: Position) -> int:
        """The value, each position searched once.

        Raises `CannotCompile`, `LimitReached`.
        """
        if position.state not in self._known:
            self._deepen(position)
        return self._known[position.state]

    def _deepen(self, position: Position) -> None:
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
        self._note()

    def _promised(self, state: Any) -> int:
        game: Any = self.rules.game
        return int(absolute(game.bound(state), 0, 1, alternating=False)[0] * self.rules.denominator)

    def _iterated(self, key: tuple[int, ...], need: int) -> bool:
        """Run one iteration, and return whether it found play that reaches as much."""
        self.run.start(key)
        put(self.run.children, lines.GAIN, (0,))
        put(self.run.children, deepening.PROMISED, (need,))
        put(self.run.children, lines.HASH, (self.table.hashed(key), key[-1] if len(key) > 1 else 0))
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

    def _note(self) -> None:
        """Record the value of the best play from each of its positions on."""
        frames = range(ROOM, (self.run.counters[TAIL] + 1) * ROOM, ROOM)
        states = [self._state(self.run.frames, frame) for frame in frames]
        self._known |= {
            state: self.run.frames[frame + deepening.NEED] for state, frame in zip(states, frames, strict=True)
        }
        self._after |= pairwise(states)

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
                difference = Difference("bound", brief(state), f"{compiled} in place of {plain}")
                distrust(self.rules.explorer, str(difference))
                raise CannotCompile(f"both engines were compared, and they differ: {difference}")
