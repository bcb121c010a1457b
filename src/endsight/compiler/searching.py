"""The value of one position by search: `Searcher`.

Alpha-beta with the whole window and a table that forgets (`kernels.search`). Moves are tried first that have cut
searches short, or won games at random, where they changed the same part of a position (`kernels.playouts`).
"""

from __future__ import annotations

from collections.abc import Callable, Container
from fractions import Fraction
from functools import partial
from math import ceil
from typing import Any, NamedTuple

from endsight.answers.source import Searcher as AnySearcher
from endsight.compiler.bounds_table import BoundsTable, Layout
from endsight.compiler.driver import drive
from endsight.compiler.kernels import Loop, lines, playouts, search, text_of, transposition
from endsight.compiler.kernels.core import EDGES, HEAD, TAIL, Code, Work
from endsight.compiler.kernels.lines import CHILD, PLACES, ROOM, Line
from endsight.compiler.kernels.playouts import PARTS, Sums, play_games
from endsight.compiler.kernels.search import Order, search_value
from endsight.compiler.memory import emptied
from endsight.compiler.native import Kernel
from endsight.compiler.payoffs import payoff_bounds
from endsight.compiler.refusal import CannotCompile
from endsight.compiler.rules import CompiledRules
from endsight.compiler.solved import plain_view
from endsight.compiler.tables import grown, put, scratch
from endsight.game.limits import Budget
from endsight.game.numbers import Amount, Interval, Number
from endsight.game.position import Position
from endsight.game.question import Question

__all__ = ["Searcher"]

_STRIDE = 1 << 17
_GAMES, _GAMES_AT_ONCE = 10_000, 1_000
_MOST_PARTS = 1 << 11
_SHARE_ROOM = 8
_SHORT = 20_000
"""Positions after which an audit does not wait for a proof."""
_SHALLOW, _ALWAYS = 10, 1 << 30


class _Window(NamedTuple):
    """Values that a search tells apart: all up to `low` count as one, and all from `high` on."""

    low: int
    high: int


class Searcher(AnySearcher):
    """What has been proven so far about positions of a game of two opposed players, or of one.

    Values are kept in parts of what the rules pay (`CompiledRules.denominator`). The table has so many buckets at the
    most, or as many as fit into half of the memory that may be used.
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
        # Keys entered, the depth, moves, what is wanted of anything that is full, and what the kernels say besides.
        self.counters = scratch(16)
        self.frames, self.children = scratch(ROOM << 7), scratch(CHILD << 12)
        self.path = scratch(1 << search.PATH_BITS)
        self.share = scratch(_SHARE_ROOM)
        self.deepest = _SHALLOW
        self._known: dict[Any, int] = {}
        self._order: Order | None = None
        budget.look(0, "compiling")
        self.kernel: Kernel = self._kernel(search_value, text_of(transposition.__name__))

    def _kernel(self, loop: Loop, *beside: str) -> Any:
        text = "\n\n".join([text_of(lines.__name__), *beside])
        constants = {"SHARE_ROOM": _SHARE_ROOM, "HAS_SYMMETRY": int(self.rules.has_symmetry), **self.layout.constants}
        return self.rules.kernel(loop, text, **constants)

    @property
    def states(self) -> int:  # type: ignore[override]
        """Positions entered."""
        return int(self.counters[HEAD])

    @property
    def edges(self) -> int:
        """Moves generated."""
        return int(self.counters[EDGES])

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
        self._drive(lambda: self.states + self.budget.stride(_STRIDE))
        return self._ends

    def reaches(self, position: Position, player: int, amount: Number) -> bool | None:
        """Whether that player gets at least so much from there on; None where a short search does not tell.

        Positions that it enters are not counted.
        """
        least, is_own = ceil(amount * self.rules.denominator), self.rules.players == 1 or position.mover == player
        before, stop = self.states, self.states + _SHORT
        self._begin(position, _Window(least - 1, least) if is_own else _Window(-least, 1 - least))
        result = self._drive(lambda: stop, answers=(Code.STOPPED,))
        self.counters[HEAD] = before
        low, high = self._ends
        if result == Code.STOPPED:
            return None
        return bool(low >= least if is_own else high <= -least)

    def _begin(self, position: Position, window: _Window) -> None:
        """Make the position the only child of frame 0."""
        least, most = self.layout.limits
        self._order = self._order or self._learned(position)
        emptied(self.path)
        put(self.children, 0, self._words(position))
        put(self.children, lines.MOVE, (0, 1, 1, 0))
        put(self.frames, search.FIRST, (0, 0, 1, least, least, *window, least, most, 0, search.FORCED))
        self.counters[TAIL] = self.counters[lines.FOUND] = 0
        self.counters[search.DEEPEST] = self.deepest

    def _drive(self, stop: Callable[[], int], answers: Container[Code] = ()) -> Code:
        assert self._order is not None, "every search begins with one"
        order, data = self._order, self.rules.data
        return drive(
            lambda: self.kernel(self.table.memo, order, self.line, self.share, Work(data, self.counters, stop())),
            self.counters, self._rooms, self.rules.fault, self._watch, answers,
        )  # fmt: skip

    @property
    def _ends_on_the_way(self) -> tuple[int, int]:
        """The same of the position that is searched now or was searched last, as far as it is known."""
        if self.counters[TAIL] == 0:
            return self.layout.limits
        low, known_low, high = (self.frames[ROOM + at] for at in (search.LOW, search.KNOWN_LOW, search.KNOWN_HIGH))
        return max(low, known_low), high

    @property
    def _ends(self) -> tuple[int, int]:
        """Bounds of the only child of frame 0."""
        return self.frames[search.LOW], self.frames[search.HIGH]

    def proven(self, position: Position) -> tuple[Amount, ...] | None:
        """What searches so far prove of a position for the mover and the other; None where none came by."""
        key = self.rules.packed(position.state, position.mover)
        if key is None:
            return None
        same = self.rules.key(position.state, position.mover)
        found = [self.table.find(each) for each in dict.fromkeys((key, same)) if each is not None]
        found += [self._ends_on_the_way] if list(key) == self.frames[ROOM : ROOM + len(key)].tolist() else []
        low, high = max(low for low, _ in found), min(high for _, high in found)
        if low == self.layout.limits[0] and high == self.layout.limits[1] and self.layout.bounds is None:
            return None
        ends = Interval(Fraction(low, self.rules.denominator), Fraction(high, self.rules.denominator))
        return (ends, -ends)[: self.rules.players]

    # ---------------------------------------------------------------- work

    def _learned(self, position: Position) -> Order:
        """What games at random from there say about moves."""
        counters, history = scratch(16), scratch(1 << PLACES)
        sums = Sums(scratch(4 << PLACES), history, _MOST_PARTS)
        put(self.frames, 0, self._words(position))
        kernel: Kernel = self._kernel(play_games)
        for games in range(_GAMES_AT_ONCE, _GAMES + 1, _GAMES_AT_ONCE):
            work = Work(self.rules.data, counters, games)
            drive(
                partial(self._played, kernel, sums, work), counters, self._rooms, self.rules.fault,
                lambda: self.budget.look(self.states, "trying moves"),
            )  # fmt: skip
        if 4 * (counters[playouts.SEEN] - counters[playouts.CHANGED]) < counters[playouts.SEEN]:
            self.deepest = _ALWAYS
        return Order(history, int(counters[PARTS] <= _MOST_PARTS))

    def _played(self, kernel: Kernel, sums: Sums, work: Work) -> int:
        return kernel(sums, self.line, self.share, work)

    def _words(self, position: Position) -> tuple[int, ...]:
        key: tuple[int, ...] | None = self.rules.packed(position.state, position.mover)
        if key is None:
            raise CannotCompile("the position lies outside limits()")
        return key

    def _watch(self) -> None:
        self.budget.spend(self.states, "searching")
        self.table.grow(int(self.counters[search.ENTRIES]), self.states)

    @property
    def _rooms(self) -> Any:
        return {Code.STACK_FULL: self._more_depth, Code.BUFFER_FULL: self._more_children}

    @property
    def line(self) -> Line:
        """The stack as kernels take it."""
        return Line(self.frames, len(self.frames) // ROOM, self.children, len(self.children) // CHILD, self.path)

    def _more_depth(self, _: int) -> None:
        self.frames = grown(self.frames, 2 * len(self.frames))

    def _more_children(self, needed: int) -> None:
        self.children = grown(self.children, 2 * needed * CHILD)


def _bounds(rules: CompiledRules) -> tuple[int, int] | None:
    """What the rules prove that any mover's value lies between, in parts; None where nothing is proven."""
    found = payoff_bounds(rules.game, Question())
    if found is None:
        return None
    low, high = min(low for low, _ in found), max(high for _, high in found)
    return int(low * rules.denominator), int(high * rules.denominator)
