"""Dominoes searched: who wins, stopping at kernels, and in how many plies.

Who wins is found by `engine.kernels.tiles`: Python runs it while a search is short, and machine code goes on.
"""

from __future__ import annotations

from collections.abc import Callable

from endsight.base.deferred import deferred
from endsight.compiler.driver import Rooms, drive
from endsight.compiler.kernels import plain
from endsight.compiler.kernels.core import HEAD, TAIL, Code
from endsight.compiler.memory import emptied, words
from endsight.engine.kernels import tiles as lines
from endsight.engine.kernels.renaming import AFTER, SCRATCH
from endsight.errors import LimitReached
from endsight.game.limits import Budget
from endsight.theorems.unused_tiles import Tiles, after, key_of, renamed, replies

with deferred(__name__):
    from endsight.compiler.rules import shared_kernel
    from endsight.engine.tables import grown

_SHORT = 200_000
"""Squares of how many values have names, summed over questions, up to which machine code is not worth its loading."""
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

_TOO_MANY_NAMES = f"no kernel decides it before {lines.MOST_NAMED} values have tiles in the line"
_REASONS = {
    Code.STACK_FULL: f"the next {_MOST_PLIES} plies do not decide this line", Code.TOO_LONG: _TOO_MANY_NAMES
}  # fmt: skip
_RUN_SHORT = plain(lines.search_lines, es_bit_count=int.bit_count, es_bit_length=int.bit_length)


class Verdicts:
    """Who wins, by proof numbers and kernels; what is known about positions is kept between questions."""

    def __init__(self, budget: Budget) -> None:
        self.budget = budget
        self.is_too_large: Callable[[], bool] = lambda: self.states > _MOST_STATES
        """Whether a search gives up now; only the budget ends one for which this is never so."""
        self.reason = ""
        """Why the last search without a verdict gave up."""
        self._questions = 0
        self._counters, self._scratch = words(lines.REPLIED + 1), words(SCRATCH)
        self._stack = words(_MOST_PLIES * lines.FRAME_WORDS)
        self._lay_out(0)

    @property
    def states(self) -> int:
        """Distinct positions seen, up to relabelling."""
        return int(self._counters[HEAD])

    def verdict(self, position: Tiles) -> bool | None:
        """Whether the player to move wins; None where the search gives up, and `reason` says why."""
        if not self._begin(position):
            self.reason = _TOO_MANY_NAMES
            return None
        while (result := self._search(self.budget.stride(_STRIDE))) == Code.STOPPED:
            self.budget.spend(self.states, "searching")
            self.budget.glance(self.states, "searching")
            if self.is_too_large():
                self.reason = "the search for who wins grows too large"
                return None
        if result in _REASONS:
            self.reason = _REASONS[result]
            return None
        return bool(self._counters[lines.ANSWER])

    def mover_wins(self, position: Tiles) -> bool:
        """Whether the player to move wins; `LimitReached` where the search gives up."""
        wins = self.verdict(position)
        if wins is None:
            raise self._stopped(self.reason)
        return wins

    def is_known_loss(self, position: Tiles) -> bool:
        """Whether searches so far have proven that the player to move loses."""
        return self._begin(position) and self._search(0) == Code.DONE and not self._counters[lines.ANSWER]

    def _begin(self, position: Tiles) -> bool:
        """Write a position where the search begins; False for one of too many values with names."""
        rows, fresh = position
        if len(rows) > lines.MOST_NAMED:
            return False
        self._questions += 1
        needed = min(len(rows) + fresh, lines.MOST_NAMED)
        if needed > self._most_named:
            self._lay_out(needed)
        for at, row in enumerate(rows, AFTER):
            self._scratch[at] = row
        self._counters[lines.COUNT], self._counters[lines.FRESH], self._counters[TAIL] = len(rows), fresh, 0
        return True

    def _lay_out(self, most_named: int) -> None:
        """Begin with an empty book, for positions of that many values with names."""
        self._most_named, self._key_words = most_named, _key_words(most_named)
        self._table = words(2 * _FIRST_POSITIONS)
        self._positions = words(_FIRST_POSITIONS * (self._key_words + 2))
        self._replies = words(2 * _FIRST_POSITIONS)
        emptied(self._counters)

    @property
    def _book(self) -> lines.Book:
        table, positions, replies_to = self._table, self._positions, self._replies
        most_positions = len(positions) // (self._key_words + 2)
        return lines.Book(
            table,
            len(table) - 1,
            positions,
            most_positions,
            replies_to,
            len(replies_to),
            self._key_words,
            self._most_named,
        )

    def _search(self, stride: int) -> Code:
        """Search until there is an answer, a reason to give up, or `stride` more positions."""

        def call() -> int:
            # A question about a known position is work, too: distances ask about the same ones many times.
            states, short = self.states, _SHORT // self._most_named**2 - self._questions
            stop = states + stride if states >= short else min(states + stride, short)
            run = _RUN_SHORT if states < short else shared_kernel(lines.search_lines, 1)
            return run(self._book, self._scratch, self._stack, _MOST_PLIES, self._counters, stop)

        rooms: Rooms = {Code.NODES_FULL: self._more_positions, Code.EDGES_FULL: self._more_replies}
        return drive(call, self._counters, rooms, self._stopped, answers=(*_REASONS, Code.STOPPED))

    def _more_positions(self, _: int) -> None:
        self.budget.reserve(16 * (2 * len(self._table) + len(self._positions)), self.states, "searching")
        self._positions = grown(self._positions, 2 * len(self._positions))
        self._table = words(2 * len(self._table))
        shared_kernel(lines.enter_again, 1)(self._book, self.states)

    def _more_replies(self, _: int) -> None:
        self.budget.reserve(16 * len(self._replies), self.states, "searching")
        self._replies = grown(self._replies, 2 * len(self._replies))

    def _stopped(self, why: object) -> LimitReached:
        return LimitReached(f"stopped: {why}", states=self.states, advice="a later position, or fewer values")


def _key_words(most_named: int) -> int:
    """Words of a key: one, and those into which rows of 1, 2, ... up to `most_named` bits go."""
    count, used = 2, 0
    for width in range(most_named, 0, -1):
        if used + width > lines.KEY_BITS:
            count, used = count + 1, 0
        used += width
    return count


class LineDistances:
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
        self._is_too_large: Callable[[], bool] = lambda: False

    @property
    def states(self) -> int:
        """Distinct positions up to relabelling whose replies were listed."""
        return len(self._ways)

    def distance(self, tiles: Tiles) -> int | None:
        """Plies to the end; None where that would take more than 500 000 states."""
        # While fresh values are left there is a move, and a ply uses at most one of them.
        if self._given_up or tiles.fresh > _MOST_PLIES // 4:
            return None
        verdicts, is_too_large, self._effort = self.verdicts, self.verdicts.is_too_large, 0
        verdicts.is_too_large = self._is_too_large = self._spender()
        try:
            plies = self._deepening(tiles)
        finally:
            verdicts.is_too_large = is_too_large
        self._given_up = plies is None
        return plies

    def _spender(self) -> Callable[[], bool]:
        """Whether too much is spent: distances are an extra, and half of what is left remains for the answer itself."""
        budget, begun = self.verdicts.budget, self.verdicts.states
        listed = most = _MOST_STATES_FOR_DISTANCES
        if budget.limits.states is not None:
            listed, most = min(listed, budget.limits.states), min(most, (budget.limits.states - begun) // 2)
        seconds = None if budget.seconds_left is None else budget.seconds_left / 2

        def is_too_large() -> bool:
            is_late = seconds is not None and (budget.seconds_left or 0) < seconds
            is_large = self.states > listed or self.verdicts.states > begun + most
            return is_late or is_large or self._effort > _MOST_EFFORT_FOR_DISTANCES

        return is_too_large

    def _deepening(self, tiles: Tiles) -> int | None:
        """Plies to the end; None where finding them takes too much."""
        key, wins = key_of(tiles), self.verdicts.verdict(tiles)
        if wins is None:
            return None
        for plies in range(self._at_least.get(key, int(wins)), _MOST_PLIES + 1, 2):
            is_over = self._within(tiles, key, plies)
            if is_over is not False:
                return plies if is_over else None
        return None

    def _within(self, tiles: Tiles, key: int, plies: int) -> bool | None:
        """Whether the game is over within that many plies, of the parity that the verdict requires; None if unknown."""
        if self._at_most.get(key, plies + 1) <= plies:
            return True
        if self._at_least.get(key, 0) > plies:
            return False
        listed = self._ways.get(key) or self._listed(tiles, key)
        if listed is None:
            return None
        wins, ways = listed
        # The winner needs one reply that is short enough, the loser one that is too long.
        holds = not wins
        if plies > 0:
            for next_key, then in ways:
                is_over = self._within(then, next_key, plies - 1)
                if is_over is None:
                    return None
                if is_over == wins:
                    holds = wins
                    break
        elif ways:
            holds = False
        bounds, bound = (self._at_most, plies) if holds else (self._at_least, plies + 2)
        bounds[key] = bound
        return holds

    def _listed(self, tiles: Tiles, key: int) -> tuple[bool, list[tuple[int, Tiles]]] | None:
        """Whether the mover wins, and the replies that matter: those that win, or all of a loser; None if unknown."""
        size = len(tiles.rows)
        self._effort += size * size * (tiles.rows[0].bit_count() + 1)
        self.verdicts.budget.glance(self.states, "looking for distances")
        wins = None if self._is_too_large() else self.verdicts.verdict(tiles)
        if wins is None:
            return None
        ways: dict[int, Tiles] = {}
        for reply in replies(tiles):
            then = renamed(*after(tiles, reply))
            ways.setdefault(key_of(then), then)
        matter = []
        for next_key, then in ways.items():
            reply_wins = self.verdicts.verdict(then) if wins else False
            if reply_wins is None:
                return None
            if not reply_wins:
                matter.append((next_key, then))
        # Games with few continuations end soon, which the winner wants and the loser avoids.
        matter.sort(key=lambda way: way[1].rows[0].bit_count() + way[1].fresh, reverse=not wins)
        self._ways[key] = wins, matter
        return wins, matter
