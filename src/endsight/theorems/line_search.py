"""Dominoes searched: who wins, stopping at kernels, and in how many plies.

Who wins is found by `compiler.kernels.tiles`: Python runs it while a search is short, and machine code goes on.
"""

from __future__ import annotations

from dataclasses import replace

from endsight.base.deferred import deferred
from endsight.compiler.driver import Rooms, drive
from endsight.compiler.kernels import plain
from endsight.compiler.kernels.core import HEAD, TAIL, Code
from endsight.compiler.kernels.renaming import AFTER, SCRATCH
from endsight.compiler.kernels.tiles import (
    ANSWER,
    COUNT,
    FRAME_WORDS,
    FRESH,
    KEY_BITS,
    MOST_NAMED,
    REPLIED,
    Book,
    enter_again,
    search_lines,
)
from endsight.compiler.memory import emptied, words
from endsight.errors import LimitReached
from endsight.game.limits import Budget
from endsight.theorems.unused_tiles import Tiles, after, key_of, renamed, replies

with deferred(__name__):
    from endsight.compiler.rules import shared_kernel
    from endsight.compiler.tables import grown

_SHORT = 200_000
"""Squares of how many values have names, summed over positions, up to which machine code is not worth its loading."""
_STRIDE = 1 << 14
_FIRST_POSITIONS = 1 << 12
# Positions up to relabelling: half a minute's work, so that with up to ten values the compiled search of the rules,
# which then takes over, still answers within a minute.
_MOST_STATES = 16_000_000
# The same limit for distances, which are an extra, and the squares of the sizes of what is listed for them.
_MOST_STATES_FOR_DISTANCES = 500_000
_MOST_EFFORT_FOR_DISTANCES = 4_000_000
# This keeps recursion far below Python's own limit.
_MOST_PLIES = 400

_TOO_MANY_NAMES = f"no kernel decides it before {MOST_NAMED} values have tiles in the line"
_REASONS = {
    Code.STACK_FULL: f"the next {_MOST_PLIES} plies do not decide this line", Code.TOO_LONG: _TOO_MANY_NAMES
}  # fmt: skip
_RUN_SHORT = plain(search_lines, es_bit_count=int.bit_count, es_bit_length=int.bit_length)


class Verdicts:
    """Who wins, by proof numbers and kernels; what is known about positions is kept between questions."""

    def __init__(self, budget: Budget) -> None:
        self.budget = budget
        self.most_states = _MOST_STATES
        self.is_patient = False
        """Whether only the budget ends a search for who wins, however large it grows."""
        self._counters, self._scratch = words(REPLIED + 1), words(SCRATCH)
        self._stack = words(_MOST_PLIES * FRAME_WORDS)
        self._lay_out(0)

    @property
    def states(self) -> int:
        """Distinct positions seen, up to relabelling."""
        return int(self._counters[HEAD])

    def mover_wins(self, position: Tiles) -> bool:
        """Whether the player to move wins; `LimitReached` where the search grows too large."""
        self._begin(position)
        result = self._search(self.budget.stride(_STRIDE), ())
        if result in _REASONS:
            raise self._stopped(_REASONS[result])
        return bool(self._counters[ANSWER])

    def is_known_loss(self, position: Tiles) -> bool:
        """Whether searches so far have proven that the player to move loses."""
        self._begin(position)
        return self._search(0, (Code.STOPPED,)) == Code.DONE and not self._counters[ANSWER]

    def _begin(self, position: Tiles) -> None:
        """Write a position where the search begins."""
        rows, fresh = position
        if len(rows) > MOST_NAMED:
            raise self._stopped(_TOO_MANY_NAMES)
        needed = min(len(rows) + fresh, MOST_NAMED)
        if needed > self._most_named:
            self._lay_out(needed)
        for at, row in enumerate(rows, AFTER):
            self._scratch[at] = row
        self._counters[COUNT], self._counters[FRESH], self._counters[TAIL] = len(rows), fresh, 0

    def _lay_out(self, most_named: int) -> None:
        """Begin with an empty book, for positions of that many values with names."""
        self._most_named, self._key_words = most_named, _key_words(most_named)
        self._table = words(2 * _FIRST_POSITIONS)
        self._positions = words(_FIRST_POSITIONS * (self._key_words + 2))
        self._replies = words(2 * _FIRST_POSITIONS)
        emptied(self._counters)

    @property
    def _book(self) -> Book:
        table, positions, replies_to = self._table, self._positions, self._replies
        most_positions = len(positions) // (self._key_words + 2)
        return Book(
            table,
            len(table) - 1,
            positions,
            most_positions,
            replies_to,
            len(replies_to),
            self._key_words,
            self._most_named,
        )

    def _search(self, stride: int, answers: tuple[Code, ...]) -> Code:
        def call() -> int:
            states, short = self.states, _SHORT // self._most_named**2
            stop = states + stride if states >= short else min(states + stride, short)
            run = _RUN_SHORT if states < short else shared_kernel(search_lines, 1)
            return run(self._book, self._scratch, self._stack, _MOST_PLIES, self._counters, stop)

        def watch() -> None:
            if not (stride and self._counters[TAIL]):  # it has its answer, or nothing is searched
                return
            self.budget.spend(self.states, "searching")
            self.budget.glance(self.states, "searching")
            if self.states > self.most_states and not self.is_patient:
                raise self._stopped("the search for who wins grows too large")

        rooms: Rooms = {Code.NODES_FULL: self._more_positions, Code.EDGES_FULL: self._more_replies}
        return drive(call, self._counters, rooms, self._stopped, watch, (*_REASONS, *answers))

    def _more_positions(self, _: int) -> None:
        self.budget.reserve(16 * (2 * len(self._table) + len(self._positions)), self.states, "searching")
        self._positions = grown(self._positions, 2 * len(self._positions))
        self._table = words(2 * len(self._table))
        shared_kernel(enter_again, 1)(self._book, self.states)

    def _more_replies(self, _: int) -> None:
        self.budget.reserve(16 * len(self._replies), self.states, "searching")
        self._replies = grown(self._replies, 2 * len(self._replies))

    def _stopped(self, why: object) -> LimitReached:
        return LimitReached(f"stopped: {why}", states=self.states, advice="a later position, or fewer values")


def _key_words(most_named: int) -> int:
    """Words of a key: one, and those into which rows of 1, 2, ... up to `most_named` bits go."""
    count, used = 2, 0
    for width in range(most_named, 0, -1):
        if used + width > KEY_BITS:
            count, used = count + 1, 0
        used += width
    return count


class Distances:
    """Plies to the end under best play: is the game over within 1, 2, 3, ... plies?

    Where a verdict is known, the winner's other replies are skipped: they would lose.
    """

    def __init__(self, verdicts: Verdicts) -> None:
        self.verdicts = verdicts
        self._at_least: dict[int, int] = {}
        self._at_most: dict[int, int] = {}
        self._ways: dict[int, tuple[bool, list[tuple[int, Tiles]]]] = {}
        self._given_up = False
        self._effort = 0

    @property
    def states(self) -> int:
        """Distinct positions up to relabelling whose replies were listed."""
        return len(self._ways)

    def distance(self, tiles: Tiles) -> int | None:
        """Plies to the end; None where that would take more than 500 000 states."""
        # While fresh values are left there is a move, and a ply uses at most one of them.
        if self._given_up or tiles.fresh > _MOST_PLIES // 4:
            return None
        verdicts, outer, is_patient = self.verdicts, self.verdicts.budget, self.verdicts.is_patient
        verdicts.budget, verdicts.is_patient = self._share_of(outer), False
        verdicts.most_states = verdicts.states + _MOST_STATES_FOR_DISTANCES
        self._effort = 0
        try:
            return self._deepening(tiles)
        except LimitReached:
            self._given_up = True
            return None
        finally:
            verdicts.budget, verdicts.is_patient, verdicts.most_states = outer, is_patient, _MOST_STATES

    def _share_of(self, budget: Budget) -> Budget:
        """A smaller budget, since distances are an extra: half of what is left remains for the answer itself."""
        half = None if budget.seconds_left is None else budget.seconds_left / 2
        states = budget.limits.states
        states = None if states is None else max(1, (states + self.verdicts.states) // 2)
        return Budget(replace(budget.limits, seconds=half, states=states, since=None), budget.progress)

    def _deepening(self, tiles: Tiles) -> int:
        key = key_of(tiles)
        plies = self._at_least.get(key, 1 if self.verdicts.mover_wins(tiles) else 0)
        while not self._within(tiles, key, plies):
            plies += 2
            if plies > _MOST_PLIES:
                raise self._too_far()
        return plies

    def _within(self, tiles: Tiles, key: int, plies: int) -> bool:
        """Whether the game is over within that many plies, of the parity that the verdict requires."""
        if self._at_most.get(key, plies + 1) <= plies:
            return True
        if self._at_least.get(key, 0) > plies:
            return False
        wins, ways = self._ways.get(key) or self._listed(tiles, key)
        # The winner needs one reply that is short enough, the loser one that is too long.
        holds = not wins
        if plies > 0:
            for next_key, then in ways:
                if self._within(then, next_key, plies - 1) == wins:
                    holds = wins
                    break
        elif ways:
            holds = False
        bounds, bound = (self._at_most, plies) if holds else (self._at_least, plies + 2)
        bounds[key] = bound
        return holds

    def _listed(self, tiles: Tiles, key: int) -> tuple[bool, list[tuple[int, Tiles]]]:
        """Whether the mover wins, and the replies that matter: those that win, or all of a loser."""
        self._pay(tiles)
        wins = self.verdicts.mover_wins(tiles)
        ways: dict[int, Tiles] = {}
        for reply in replies(tiles):
            then = renamed(*after(tiles, reply))
            ways.setdefault(key_of(then), then)
        matter = [(k, then) for k, then in ways.items() if not wins or not self.verdicts.mover_wins(then)]
        # Games with few continuations end soon, which the winner wants and the loser avoids.
        matter.sort(key=lambda way: way[1].rows[0].bit_count() + way[1].fresh, reverse=not wins)
        self._ways[key] = wins, matter
        return wins, matter

    def _pay(self, tiles: Tiles) -> None:
        size = len(tiles.rows)
        self._effort += size * size * (tiles.rows[0].bit_count() + 1)
        self.verdicts.budget.glance(self.states, "looking for distances")
        most = self.verdicts.budget.limits.states or _MOST_STATES_FOR_DISTANCES
        if self.states > min(most, _MOST_STATES_FOR_DISTANCES) or self._effort > _MOST_EFFORT_FOR_DISTANCES:
            raise self._too_far()

    def _too_far(self) -> LimitReached:
        return LimitReached("stopped: distances would need more states than the limit allows", states=self.states)
