"""Dominoes searched: who wins, stopping at kernels, and in how many plies.

Who wins: proof-number search, depth first with a table of positions up to relabelling. Every new position is
tried for a kernel; without one, the opposite of a win seems as hard to prove as there are replies, and harder
where the player to move may lay the double of the tail. The search drops values that nobody may enter (*traps*):
one that still has its double and otherwise leads only back to where the player came from; and one from which a
single tile leads to a dead end.

Sources: A. Nagai, "Df-pn algorithm for searching AND/OR trees and its applications", dissertation, University of Tokyo
(2002); the largest number in place of the sum: T. Ueda, T. Hashimoto, J. Hashimoto and H. Iida, "Weak proof-number
search" (2008); limits with slack: J. Pawlewicz and L. Lew, "Improving depth-first PN-search: 1+epsilon trick" (2007).
"""

from __future__ import annotations

from dataclasses import replace

from endsight.errors import LimitReached
from endsight.game.limits import Budget
from endsight.theorems.kernels import growing
from endsight.theorems.unused_tiles import Tiles, after, key_of, renamed, replies, without_traps

# Positions up to relabelling, and the squares of their sizes summed over all replies: half a minute's work, so that
# with up to ten values the compiled search, which then takes over, still answers within a minute.
_MOST_STATES = 1_000_000
_MOST_EFFORT = 100_000_000
# The same limit for distances, which are an extra.
_MOST_STATES_FOR_DISTANCES = 500_000
_MOST_EFFORT_FOR_DISTANCES = 4_000_000
# This keeps recursion far below Python's own limit.
_MOST_PLIES = 400

_NEVER = 1 << 60
"""The number of something that cannot be proven any more."""
_WON, _LOST = (0, _NEVER), (_NEVER, 0)
_OWN_DOUBLE = 12
"""So many more replies seem to be left to a player who may lay the double of the tail and stay there."""
_SLACK = 4
"""A reply is left where its number passes the one beside it by more than one part in so many."""


class Verdicts:
    """Who wins, by proof numbers and kernels; what is known about positions is kept between questions."""

    def __init__(self, budget: Budget) -> None:
        self.budget = budget
        self.effort = 0
        self.most_effort = _MOST_EFFORT
        self.is_patient = False
        """Whether only the budget ends a search for who wins, however large it grows."""
        self._numbers: dict[int, tuple[int, int]] = {}
        """By position: what is left to prove that the player to move wins, and what is left to prove the opposite."""
        self._ways: dict[int, list[tuple[int, Tiles]]] = {}
        """The positions after each reply, of positions that are open."""

    @property
    def states(self) -> int:
        """Distinct positions seen, up to relabelling."""
        return len(self._numbers)

    def mover_wins(self, tiles: Tiles) -> bool:
        """Whether the player to move wins; `LimitReached` where the search grows too large."""
        reduced = _without_traps(tiles)
        if reduced is None:
            return True
        key = key_of(reduced)
        numbers = self._numbers_of(key, reduced)
        while numbers not in (_WON, _LOST):
            numbers = self._search(key, reduced, _NEVER, _NEVER, _MOST_PLIES)
        return numbers == _WON

    def is_known_loss(self, tiles: Tiles) -> bool:
        """Whether searches so far have proven that the player to move loses."""
        reduced = _without_traps(tiles)
        return reduced is not None and self._numbers.get(key_of(reduced)) == _LOST

    def _search(self, key: int, tiles: Tiles, most_proof: int, most_disproof: int, plies: int) -> tuple[int, int]:
        """Search below a position until one of its numbers reaches its limit; return both."""
        if not plies:
            raise self._stopped(f"the next {_MOST_PLIES} plies do not decide this line")
        ways = self._ways.get(key) or self._open(key, tiles)
        while True:
            best = second = _NEVER
            most = count = chosen = 0
            for number, (after_key, _) in enumerate(ways):
                proof, disproof = self._numbers[after_key]
                if disproof < best:
                    best, second, chosen = disproof, best, number
                elif disproof < second:
                    second = disproof
                if proof:
                    most = max(most, proof)
                    count += 1
            numbers = best, most + max(count - 1, 0) if best else _NEVER
            self._numbers[key] = numbers
            if numbers[0] >= most_proof or numbers[1] >= most_disproof:
                break
            limits = most_disproof - (count - 1), min(most_proof, second + 1 + second // _SLACK)
            self._search(*ways[chosen], *limits, plies - 1)
        if numbers in (_WON, _LOST):
            del self._ways[key]
        return numbers

    def _open(self, key: int, tiles: Tiles) -> list[tuple[int, Tiles]]:
        """The positions after each reply, or only one that wins at once; none after replies that lose at once."""
        self._pay(tiles)
        found: dict[int, Tiles] = {}
        for reply in replies(tiles):
            rows, tail, fresh = after(tiles, reply)
            shorter = without_traps(rows, tail, fresh)
            if shorter is not None:
                then = renamed(shorter, tail, fresh)
                after_key = key_of(then)
                if self._numbers_of(after_key, then) == _LOST:
                    found = {after_key: then}
                    break
                found[after_key] = then
        self._ways[key] = ways = list(found.items())
        return ways

    def _numbers_of(self, key: int, tiles: Tiles) -> tuple[int, int]:
        """What is known about a position; at first that it has a kernel, or how many replies."""
        known = self._numbers.get(key)
        if known is None:
            count = tiles.rows[0].bit_count() + tiles.fresh + _OWN_DOUBLE * (tiles.rows[0] & 1)
            known = self._numbers[key] = (1, count) if growing(tiles) is None else _LOST
        return known

    def _pay(self, tiles: Tiles) -> None:
        self.budget.spend(self.states, "searching")
        self.budget.glance(self.states, "searching")
        if self.states > _MOST_STATES and not self.is_patient:
            raise self._stopped("the search for who wins grows too large")
        self.work_on(tiles)

    def work_on(self, tiles: Tiles) -> None:
        """Count the effort of listing all replies; raises `LimitReached` past `most_effort`."""
        size = len(tiles.rows)
        self.effort += size * size * (tiles.rows[0].bit_count() + 1)
        if self.effort > self.most_effort and not self.is_patient:
            raise self._stopped("the search for who wins grows too large")

    def _stopped(self, why: str) -> LimitReached:
        return LimitReached(f"stopped: {why}", states=self.states, advice="a later position, or fewer values")


def _without_traps(tiles: Tiles) -> Tiles | None:
    rows = without_traps(list(tiles.rows), 0, tiles.fresh)
    return None if rows is None else renamed(rows, 0, tiles.fresh)


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
        outer, is_patient = self.verdicts.budget, self.verdicts.is_patient
        self.verdicts.budget, self.verdicts.is_patient = self._share_of(outer), False
        self.verdicts.most_effort = self.verdicts.effort + _MOST_EFFORT_FOR_DISTANCES
        try:
            return self._deepening(tiles)
        except LimitReached:
            self._given_up = True
            return None
        finally:
            self.verdicts.budget, self.verdicts.is_patient = outer, is_patient
            self.verdicts.most_effort = _MOST_EFFORT

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
        self.verdicts.work_on(tiles)
        self.verdicts.budget.glance(self.states, "looking for distances")
        most = self.verdicts.budget.limits.states or _MOST_STATES_FOR_DISTANCES
        if self.states + self.verdicts.states > min(most, _MOST_STATES_FOR_DISTANCES):
            raise self._too_far()

    def _too_far(self) -> LimitReached:
        return LimitReached("stopped: distances would need more states than the limit allows", states=self.states)
