"""The value of one position by search: `Searcher`.

Alpha-beta with the whole window and a table that forgets (`kernels.search`). Moves are tried first that have cut
searches short, or won games at random, where they changed the same part of a position (`kernels.playouts`).
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from math import ceil
from typing import Any, NamedTuple

from endsight.answers.source import Searcher as AnySearcher
from endsight.base.machine import cores
from endsight.compiler.bounds_table import BoundsTable, Layout
from endsight.compiler.crew import Crew, Piece
from endsight.compiler.kernels import search
from endsight.compiler.kernels.core import EDGES, HEAD, Code
from endsight.compiler.memory import emptied
from endsight.compiler.payoffs import payoff_bounds
from endsight.compiler.refusal import CannotCompile
from endsight.compiler.rules import CompiledRules
from endsight.compiler.search_thread import SearchThread
from endsight.compiler.solved import plain_view
from endsight.game.limits import Budget
from endsight.game.numbers import Amount, Interval, Number
from endsight.game.position import Position
from endsight.game.question import Question

__all__ = ["Searcher"]

_STRIDE = 1 << 15
"""Positions after which a thread looks whether others have settled a node of its line."""
_ROUND = 16
"""Strides after which limits are looked at, and the table may grow."""
_ALONE = 1 << 20
"""Positions after which other threads join in."""
_SHORT = 20_000
"""Positions after which an audit does not wait for a proof."""


class _Window(NamedTuple):
    """Values that a search tells apart: all up to `low` count as one, and all from `high` on."""

    low: int
    high: int


class Searcher(AnySearcher):
    """What has been proven so far about positions of a game of two opposed players, or of one.

    Values are kept in parts of what the rules pay (`CompiledRules.denominator`). The table has so many buckets at the
    most, or as many as fit into half of the memory that may be used. A search that takes long is done by all threads
    that the budget allows; each begins at the position, and takes from the table what others have proven.
    """

    method = "search"

    def __init__(self, rules: CompiledRules, budget: Budget, most_buckets: int | None = None) -> None:
        super().__init__(plain_view(rules))
        self.rules = rules
        self.budget = budget
        self.by_mover = rules.players == 2
        self.layout = Layout(rules.packing, _bounds(rules))
        self.table = BoundsTable(self.layout, budget, most_buckets)
        self.is_win_loss = (
            rules.players == 2 and self.layout.bounds is not None and set(self.layout.bounds) <= {-1, 0, 1}
        )
        self._known: dict[Any, int] = {}
        budget.look(0, "compiling")
        self.threads = [SearchThread(rules, self.layout.constants)]

    @property
    def states(self) -> int:  # type: ignore[override]
        """Positions entered."""
        return sum(int(each.counters[HEAD]) for each in self.threads)

    @property
    def edges(self) -> int:
        """Moves generated."""
        return sum(int(each.counters[EDGES]) for each in self.threads)

    # ---------------------------------------------------------------- answers

    def found(self, position: Position) -> tuple[Number, ...] | None:
        """Values for the mover and the other; None for a position that cannot be searched."""
        try:
            value = self.rules.share([self.search(position)], is_tuple=False)
        except CannotCompile:
            return None
        return (value, -value)[: self.rules.players]

    def search(self, position: Position) -> int:
        """The mover's value, each position searched once.

        Raises `CannotCompile` (loops, chance, payoffs that are not opposed), `LimitReached`.
        """
        key = self.rules.root_key(position.state, position.mover)
        if key not in self._known:
            low, high = self.bounds(position, _Window(*self.layout.limits))
            assert low == high, "a value inside of the window is found"
            self._known[key] = low
        return self._known[key]

    def bounds(self, position: Position, window: _Window) -> tuple[int, int]:
        """Bounds of the mover's value, equal if it lies inside of the window."""
        self._begin(position, window)
        if self._is_done_alone(_ALONE):
            return self.threads[0].ends
        return self._done_by_all(position, window).ends

    def _is_done_alone(self, most: int) -> bool:
        """Whether the first thread finds the bounds within so many positions."""
        stop = self.states + most
        while self.states < stop:
            result = self.threads[0].run(self.table.memo, self.budget.stride(min(4 * _STRIDE, stop - self.states)))
            self._watch()
            if result == Code.DONE:
                return True
        return False

    def _done_by_all(self, position: Position, window: _Window) -> SearchThread:
        """The thread that finds the bounds first."""
        done = list[SearchThread]()

        def search_on(number: int, piece: Piece) -> None:
            if not done and self.threads[number].run(self.table.memo, piece[1] - piece[0]) == Code.DONE:
                done.append(self.threads[number])

        with Crew(self.budget.limits.threads or cores()) as crew:
            self._join(crew.size, position, window)
            while not done:
                stride = self.budget.stride(_ROUND * _STRIDE) // _ROUND + 1
                crew.run(search_on, [(0, stride)] * (_ROUND if crew.size > 1 else 1))
                self._watch()
        return done[0]

    def _join(self, size: int, position: Position, window: _Window) -> None:
        """Let so many threads begin where the first one began."""
        emptied(self.table.busy)  # lines of earlier searches that others ended
        for number in range(1, size):
            if number == len(self.threads):
                self.threads.append(SearchThread(replace(self.rules, is_apart=True), self.layout.constants))
            self.threads[number].learn_from(self.threads[0])
            self.threads[number].begin(self._words(position), window, self.layout.limits)

    def reaches(self, position: Position, player: int, amount: Number) -> bool | None:
        """Whether that player gets at least so much from there on; None where a short search does not tell.

        Positions that it enters are not counted.
        """
        least, is_own = ceil(amount * self.rules.denominator), self.rules.players == 1 or position.mover == player
        self._begin(position, _Window(least - 1, least) if is_own else _Window(-least, 1 - least))
        first = self.threads[0]
        before = first.counters[HEAD]
        result = first.run(self.table.memo, _SHORT)
        self._watch()
        first.counters[HEAD] = before
        low, high = first.ends
        if result == Code.STOPPED:
            return None
        return bool(low >= least if is_own else high <= -least)

    def _begin(self, position: Position, window: _Window) -> None:
        """Let the first thread begin there."""
        first, key = self.threads[0], self._words(position)
        if first.order is None:
            first.learn(key, self.budget)
        first.begin(key, window, self.layout.limits)

    def proven(self, position: Position) -> tuple[Amount, ...] | None:
        """What searches so far prove of a position for the mover and the other; None where none came by."""
        key = self.rules.packed(position.state, position.mover)
        if key is None:
            return None
        same = self.rules.key(position.state, position.mover)
        found = [self.table.find(each) for each in dict.fromkeys((key, same)) if each is not None]
        found += [each.ends_on_the_way for each in self.threads if each.is_at(key)]
        low, high = max(low for low, _ in found), min(high for _, high in found)
        if low == self.layout.limits[0] and high == self.layout.limits[1] and self.layout.bounds is None:
            return None
        ends = Interval(Fraction(low, self.rules.denominator), Fraction(high, self.rules.denominator))
        return (ends, -ends)[: self.rules.players]

    # ---------------------------------------------------------------- work

    def _words(self, position: Position) -> tuple[int, ...]:
        key: tuple[int, ...] | None = self.rules.packed(position.state, position.mover)
        if key is None:
            raise CannotCompile("the position lies outside limits()")
        return key

    def _watch(self) -> None:
        self.budget.spend(self.states, "searching")
        self.table.grow(sum(int(each.counters[search.ENTRIES]) for each in self.threads), self.states)


def _bounds(rules: CompiledRules) -> tuple[int, int] | None:
    """What the rules prove that any mover's value lies between, in parts; None where nothing is proven."""
    found = payoff_bounds(rules.game, Question())
    if found is None:
        return None
    low, high = min(low for low, _ in found), max(high for _, high in found)
    return int(low * rules.denominator), int(high * rules.denominator)
