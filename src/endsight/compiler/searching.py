"""The value of one position by search: `search`.

Memo depth-first search with alpha-beta cut-offs (Knuth and Moore 1975) and a table of
proven ranges, in null windows: does the mover win? if not, does the mover hold the draw?
Children that the table or the rules already settle are looked at before any is searched,
the rest in the order of how few replies they leave, and then of how often the same move
cut a search short at that depth (the history heuristic: Schaeffer 1989).
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from endsight.answers.source import Searcher as AnySearcher
from endsight.compiler.driver import drive
from endsight.compiler.kernels.core import EDGES, FRAME, HEAD, TAIL, UNSET, Code, Keys, Stack, Work
from endsight.compiler.kernels.search import Waiting, search_value
from endsight.compiler.refusal import CannotCompile
from endsight.compiler.rules import CompiledRules
from endsight.compiler.solved import plain_view
from endsight.compiler.tables import KeyTable, grown, put, scratch
from endsight.game.limits import Budget
from endsight.game.numbers import Amount, Interval, Number
from endsight.game.position import Position

__all__ = ["Searcher"]

_STRIDE = 1 << 18
# Most searches meet few positions: the system's zeroing of a larger table would be half of their time.
_FIRST_SLOTS = 1 << 18
# How often each move cut a search short is counted by depth (deeper ones together) and by
# a number of so many bits that the words of the move are mixed into.
_MOST_PLIES = 63
_HISTORY_BITS = 10
_SHARE_ROOM = 8

_ANYTHING = 4
_RANGES = {UNSET: (-1, 1), 2: (-1, -1), 3: (-1, 0), _ANYTHING: (-1, 1), 5: (0, 0), 6: (0, 1), 7: (1, 1)}
"""What the codes of the table say, as the kernel writes them."""


class Searcher(AnySearcher):
    """A table of what has been proven so far about positions of one game that is only won, drawn or lost.

    `ordered` searches children with few replies first; without it they are taken in the
    rules' order.
    """

    method = "search"

    def __init__(self, rules: CompiledRules, budget: Budget, *, ordered: bool = True) -> None:
        super().__init__(plain_view(rules))
        self.rules = rules
        self.budget = budget
        self.table = KeyTable(rules.packing, memory=budget.limits.memory, slots=_FIRST_SLOTS)
        # The kernel counts keys, depth, moves, and what is wanted of anything that is full.
        self.counters = scratch(8)
        self.depth = 1 << 10
        self.stack = scratch(self.depth * FRAME)
        self.room = 1 << 14
        self.children = scratch(self.room * rules.packing.words)
        # Beside the children stand their signs, their order and their moves.
        self.beside = [scratch(self.room) for _ in range(3)]
        self._known: dict[Any, int] = {}
        budget.look(0, "compiling")
        self.kernel = rules.kernel(
            search_value, ORDERED=int(ordered),
            HISTORY_BITS=_HISTORY_BITS, MOST_PLIES=_MOST_PLIES, SHARE_ROOM=_SHARE_ROOM,
        )  # fmt: skip
        self.history = scratch(_MOST_PLIES + 1 << _HISTORY_BITS)

    @property
    def states(self) -> int:  # type: ignore[override]
        """Positions met."""
        return int(self.counters[HEAD])

    @property
    def edges(self) -> int:
        """Moves generated."""
        return int(self.counters[EDGES])

    def value(self, position: Position) -> int:
        """1, 0 or -1 for the mover.

        Raises `CannotCompile` (loops, chance, other payoffs), `LimitReached`.
        """
        try:
            best = self._reaches(position, 1)
            if best in (1, -1):
                return best
            return 0 if self._reaches(position, 0) >= 0 else -1
        except BaseException:
            self._leave()
            raise

    def found(self, position: Position) -> tuple[Number, ...] | None:
        """Values for the mover and the other; None for a position that cannot be searched."""
        try:
            value = self.search(position)
        except CannotCompile:
            return None
        return value, -value

    def search(self, position: Position) -> int:
        """`value`, each position searched once."""
        key = self.rules.key(position.state, position.mover)
        if key not in self._known:
            self._known[key] = self.value(position)
        return self._known[key]

    def proven(self, position: Position) -> tuple[Amount, ...] | None:
        """What searches so far prove of a position for the mover and the other; None where none came by."""
        key = self.rules.key(position.state, position.mover)
        found = None if key is None else self.table.find(key)
        if found is None or found[1] not in _RANGES:
            return None
        ends = Interval(*map(Fraction, _RANGES[found[1]]))
        return ends, -ends

    def _leave(self) -> None:
        """Take the marks off positions under way, so that the table can be used without the stack."""
        words = self.rules.packing.words
        for depth in range(1, int(self.counters[TAIL]) + 1):
            frame = self.stack[depth * FRAME : (depth + 1) * FRAME].tolist()
            found = self.table.find(tuple(frame[:words]))
            if found is not None and found[1] == UNSET:
                self.table.recode(found[0], frame[words + 5] or _ANYTHING)
        self.counters[TAIL] = 0

    def _reaches(self, position: Position, bound: int) -> int:
        """A value from `bound` up if the mover can reach it, else one that the mover cannot exceed."""
        put(self.children, 0, self.rules.root_key(position.state, position.mover))
        put(self.stack, self.rules.packing.words, (0, 1, -2, bound - 1, bound, 0))
        self.beside[0][0] = 1
        self.counters[TAIL] = 0
        share = scratch(_SHARE_ROOM)
        rooms = {
            Code.NODES_FULL: self._more_keys, Code.STACK_FULL: self._more_depth, Code.BUFFER_FULL: self._more_children
        }  # fmt: skip
        drive(
            lambda: self.kernel(
                Keys(self.table.words, self.table.mask, self.children, self.table.most),
                Waiting(self.beside[0], self.beside[1], self.beside[2], self.room),
                Stack(self.stack, self.depth), self.history, share,
                Work(self.rules.data, self.counters, self.states + self.budget.stride(_STRIDE)),
            ),
            self.counters, rooms, self.rules.fault, lambda: self.budget.spend(self.states, "searching"),
        )  # fmt: skip
        return int(self.stack[self.rules.packing.words + 2])

    def _more_keys(self, _: int) -> None:
        self.table.grow(self.table.most + 1, self.budget)

    def _more_depth(self, _: int) -> None:
        self.depth *= 2
        self.stack = grown(self.stack, self.depth * FRAME)

    def _more_children(self, needed: int) -> None:
        self.room = 2 * needed
        self.children = grown(self.children, self.room * self.rules.packing.words)
        self.beside = [grown(numbers, self.room) for numbers in self.beside]
