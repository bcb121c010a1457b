"""Pots in view, both players after the first player's gold: rounds of two moves.

Not a theorem but backward induction in a good order. A round is a move of the first
player and the answer of the second. G(left, right) is the most gold the first player can
get from that stretch of the line when it is the first one's turn. With H(left, right) for
the same stretch when it is the second one's turn, who leaves the better rest,

    G(left, right) = max(pots[left] + H(left + 1, right), pots[right - 1] + H(left, right - 1))
    H(left, right) = max(G(left + 1, right), G(left, right - 1)).

The lengths at the first player's turn all have the parity of the whole line, so there are
about n^2/4 values of G. All of one length are one array, found from the two pots longer
and shorter by a handful of array operations. O(n^2) time; the rows of every k-th length
are kept, and the stretches around the one asked for are worked out again from the nearest
row below: with k near (2 n^2)^(1/3) both take O(n^(4/3)) memory.

Numbers are machine words where the sum of all |pots| fits one, else Python's own.

The second player's gold is the rest of the line, and the lead and the win are increasing
in the first player's gold: the same values settle every utility.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from itertools import count
from typing import TYPE_CHECKING, Any, Self, TypeAlias

from endsight.game.limits import Budget
from endsight.game.numbers import Number
from endsight.game.position import Position
from endsight.game.question import Question
from endsight.games.pots import LEFT, RIGHT, Pots
from endsight.theorems.known_pots import KnownPots

if TYPE_CHECKING:
    import numpy

    Row: TypeAlias = "numpy.ndarray[Any, Any]"
    """Entry i: the first player's gold from the stretch of this row's length that begins at i."""


class CooperativeRounds(KnownPots):
    """Values of known pots when both players want as much as possible for the first."""

    method: str = "cooperative rounds"
    plays_on = True

    def __init__(self, game: Pots, question: Question, state: Pots.State) -> None:
        super().__init__(game, question)
        self._region = state

    @cached_property
    def _rounds(self) -> _Rounds:
        """The rounds on what was left of the line in the position settled first."""
        return _Rounds(self.pots[self._region.left : self._region.right], self.budget)

    @classmethod
    def settles(cls, game: Any, question: Question, position: Position) -> Self | None:
        """Every position between players who are free and cooperate."""
        if question.objective != "cooperative" or question.fixed:
            return None
        return cls(game, question, position.state)

    def covers(self, position: Position) -> bool:
        """Every position that can still come up from the one settled first."""
        state: Pots.State = position.state
        return self._region.left <= state.left and state.right <= self._region.right

    def value(self, position: Position) -> tuple[Number, ...]:
        """Value of the whole game per player."""
        left, right = position.state
        first = self._first_gold(position.state, position.mover)
        second = self.sums[right] - self.sums[left] - first
        self.states = self._rounds.entries
        return self.with_gold(position, first, second)

    def _first_gold(self, state: Pots.State, mover: int) -> int:
        """The first player's gold from what is left."""
        begin, length = state.left - self._region.left, state.right - state.left
        if length == 0:
            return 0
        if mover == 0:
            return self._rounds.gold(begin, length)
        return max(self._rounds.gold(begin, length - 1), self._rounds.gold(begin + 1, length - 1))

    def chosen(self, position: Position) -> int:
        """The left end where that is a best move, else the right end."""
        left, right = position.state
        if right - left == 1:
            return LEFT
        return LEFT if self.value(position.play(LEFT))[0] >= self.value(position.play(RIGHT))[0] else RIGHT


class _Rounds:
    """The first player's gold from the stretches of one line, at the first player's turn."""

    def __init__(self, line: Sequence[int], budget: Budget) -> None:
        self.line = line
        self.budget = budget
        self.step = 2 * max(8, round((len(line) ** 2 / 4) ** (1 / 3)))
        self.entries = 0
        """The number of values found so far."""
        self._kept: dict[int, Row] = {}
        # By length, rows over a part of the line, and where that begins.
        self._near: dict[int, Row] = {}
        self._start = 0
        # By base, the first and the last pot that windows above it have held.
        self._held: dict[int, tuple[int, int]] = {}

    def gold(self, begin: int, length: int) -> int:
        """The gold from the stretch of `length` pots that begins at `begin`."""
        if not 0 <= begin - self._start < len(self._near.get(length, ())):
            self._near = self._window(begin, length)
        return int(self._near[length][begin - self._start])

    @cached_property
    def _gold(self) -> Row:
        """The line as an array of numbers in which no sum of pots can overflow."""
        import numpy as np

        most = sum(map(abs, self.line))
        kind = np.int32 if most < 2**31 else np.int64 if most < 2**63 else object
        return np.array(self.line, dtype=kind)

    def _window(self, begin: int, length: int) -> dict[int, Row]:
        """The stretches needed for that one, down to the next shorter kept row."""
        base = length // self.step * self.step + length % 2
        if base > length:
            base -= self.step
        if base not in self._kept:
            self._extend(length % 2, base)
        # The window is a little wider on both sides, since the stretches needed next may lie beside this one.
        start, stop = max(0, begin - self.step), min(len(self.line), begin + length + self.step)
        gold, rows = self._gold[start:stop], [self._kept[base][start : stop - base + 1]]
        for _ in range(min(self.step // 2 - 1, (len(rows[0]) - 1) // 2)):
            rows.append(_longer(rows[-1], gold))
        self._count(base, start, stop, rows[1:])
        self._start = start
        return dict(zip(count(base, 2), rows))

    def _count(self, base: int, start: int, stop: int, rows: Sequence[Row]) -> None:
        """Count the values of a window above that base, but not those that an earlier window held."""
        low, high = self._held.get(base, (start, start))
        new = max(0, low - start) + max(0, stop - high)
        self.entries += sum(min(len(row), new) for row in rows)
        self._held[base] = (min(low, start), max(high, stop))

    def _extend(self, parity: int, longest: int) -> None:
        """Find and keep every `step`-th row up to the one of that length."""
        row = self._gold * 0 if parity == 0 else self._gold
        if parity == 0:
            import numpy as np

            row = np.append(row, row[:1])
        self.entries += 0 if parity in self._kept else len(row)
        self._kept[parity] = row
        for length in range(parity + 2, longest + 1, 2):
            self.budget.glance(self.entries, "playing rounds")
            row = _longer(row, self._gold)
            self.entries += len(row)
            if length % self.step == parity:
                self._kept[length] = row


def _longer(row: Row, gold: Row) -> Row:
    """The row for stretches longer by two pots."""
    import numpy as np

    rest = np.maximum(row[:-1], row[1:])
    count = len(rest) - 1
    from_left = gold[:count] + rest[1:]
    from_right = gold[len(gold) - count :] + rest[:-1]
    longer: Row = np.maximum(from_left, from_right)
    return longer
