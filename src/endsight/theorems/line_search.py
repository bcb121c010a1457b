"""Dominoes searched: who wins, stopping at kernels, and in how many plies.

Who wins: a depth-first search with a table of positions up to relabelling; replies that leave no double
at the tail and few continuations come first. It drops values that nobody may enter (*traps*): one that still
has its double and otherwise leads only back to where the player came from; and one from which a single tile
leads to a dead end. With many values games last hundreds of plies, so there the search deepens step by step.
"""

from __future__ import annotations

from dataclasses import replace

from endsight.errors import LimitReached
from endsight.game.limits import Budget
from endsight.theorems.kernels import growing
from endsight.theorems.unused_tiles import Tiles, after, key_of, renamed, replies, without_traps

# Positions up to relabelling, and the squares of their sizes summed over all replies: a few minutes' work.
_MOST_STATES = 1_000_000
_MOST_EFFORT = 50_000_000
# The same limit for distances, which are an extra.
_MOST_STATES_FOR_DISTANCES = 500_000
_MOST_EFFORT_FOR_DISTANCES = 4_000_000
# Up to this many unused tiles are searched to the end at once; with more the search deepens from 4 plies on.
_MOST_TILES_AT_ONCE = 78
_FIRST_DEPTH = 4
# This keeps recursion far below Python's own limit.
_MOST_PLIES = 400


_Reply = tuple[bool, int, int, Tiles]
"""How replies are sorted (own double unused; number of continuations), then key and tiles."""


class Verdicts:
    """Who wins, by depth-first search with kernels; tables are kept between questions."""

    def __init__(self, budget: Budget) -> None:
        self.budget = budget
        self.effort = 0
        self._wins: dict[int, bool] = {}
        self._tried: dict[int, int] = {}

    @property
    def states(self) -> int:
        """Distinct positions visited, up to relabelling."""
        return len(self._wins) + len(self._tried)

    def mover_wins(self, tiles: Tiles) -> bool:
        """Whether the player to move wins; `LimitReached` where the search grows too large."""
        rows = without_traps(list(tiles.rows), 0, tiles.fresh)
        if rows is None:
            return True
        tiles = renamed(rows, 0, tiles.fresh)
        key = key_of(tiles)
        known = self._wins.get(key)
        if known is None and growing(tiles) is not None:
            known = self._wins[key] = False
        return self._deepening(tiles, key) if known is None else known

    def _deepening(self, tiles: Tiles, key: int) -> bool:
        named = len(tiles.rows)
        most = sum(row.bit_count() for row in tiles.rows) + tiles.fresh * (named + tiles.fresh)
        depth = most if most <= 2 * _MOST_TILES_AT_ONCE else _FIRST_DEPTH
        while True:
            known = self._decide(tiles, key, depth)
            # Positions tried less deeply are of no use in the next round.
            self._tried.clear()
            if known is not None:
                return known
            depth *= 2
            if depth > _MOST_PLIES:
                raise self._stopped(f"the next {_MOST_PLIES} plies do not decide this line")

    def _decide(self, tiles: Tiles, key: int, depth: int) -> bool | None:
        """The verdict, or None where `depth` plies are not enough."""
        if self._tried.get(key, -1) >= depth:
            return None
        opened = self._open(tiles)
        verdict: bool | None = False
        if isinstance(opened, bool):
            verdict = opened
        else:
            for _, _, next_key, then in opened:
                known = self._wins.get(next_key)
                if known is None and depth:
                    known = self._decide(then, next_key, depth - 1)
                if known is False:
                    verdict = True
                    break
                if known is None:
                    verdict = None
        if verdict is None:
            self._tried[key] = depth
        else:
            self._wins[key] = verdict
        return verdict

    def _open(self, tiles: Tiles) -> list[_Reply] | bool:
        """The verdict where a reply or its kernel decides at once, else the replies to search, likeliest first."""
        self._pay(tiles)
        found: dict[int, _Reply] = {}
        for reply in replies(tiles):
            rows, tail, fresh = after(tiles, reply)
            if not rows[tail] and not fresh:
                return True
            shorter = without_traps(rows, tail, fresh)
            if shorter is None:
                continue
            then = renamed(shorter, tail, fresh)
            key = key_of(then)
            if key in found:
                continue
            known = self._wins.get(key)
            if known is None and growing(then) is not None:
                known = self._wins[key] = False
            if known is False:
                return True
            if known is None:
                found[key] = (bool(then.rows[0] & 1), then.rows[0].bit_count() + fresh, key, then)
        return sorted(found.values()) if found else False

    def _pay(self, tiles: Tiles) -> None:
        size = len(tiles.rows)
        self.effort += size * size * (tiles.rows[0].bit_count() + 1)
        self.budget.spend(self.states, "searching")
        self.budget.glance(self.states, "searching")
        if self.states > _MOST_STATES or self.effort > _MOST_EFFORT:
            raise self._stopped("the search for who wins grows too large")

    def _stopped(self, why: str) -> LimitReached:
        return LimitReached(f"stopped: {why}", states=self.states, advice="a later position, or fewer values")


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

    @property
    def states(self) -> int:
        """Distinct positions up to relabelling whose replies were listed."""
        return len(self._ways)

    def distance(self, tiles: Tiles) -> int | None:
        """Plies to the end; None where that would take more than 500 000 states."""
        # While fresh values are left there is a move, and a ply uses at most one of them.
        if self._given_up or tiles.fresh > _MOST_PLIES // 4:
            return None
        outer = self.verdicts.budget
        self.verdicts.budget = self._share_of(outer)
        self._effort_before = self.verdicts.effort
        try:
            return self._deepening(tiles)
        except LimitReached:
            self._given_up = True
            return None
        finally:
            self.verdicts.budget = outer

    def _share_of(self, budget: Budget) -> Budget:
        """A smaller budget, since distances are an extra: half of the time remains for the answer itself."""
        half = None if budget.seconds_left is None else budget.seconds_left / 2
        return Budget(replace(budget.limits, seconds=half, since=None), budget.progress)

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
        self.verdicts.effort += size * size * (tiles.rows[0].bit_count() + 1)
        self.verdicts.budget.glance(self.states, "looking for distances")
        most = self.verdicts.budget.limits.states or _MOST_STATES_FOR_DISTANCES
        effort = self.verdicts.effort - self._effort_before
        if self.states + self.verdicts.states > min(most, _MOST_STATES_FOR_DISTANCES):
            raise self._too_far()
        if effort > _MOST_EFFORT_FOR_DISTANCES:
            raise self._too_far()

    def _too_far(self) -> LimitReached:
        return LimitReached("stopped: distances would need more states than the limit allows", states=self.states)
