"""Exact plans for large games from small ones: candidate moves of both players are solved exactly, best replies added.

B. Bošanský, C. Kiekintveld, V. Lisý and M. Pěchouček, "An exact double-oracle algorithm for zero-sum extensive-form
games with imperfect information", JAIR 51 (2014), started from the play of regret matching. In every set some moves are
candidates. The restricted game has the sequences of candidate moves that meet such sequences of the other player; its
plans are plans of the whole game with candidate moves, mixed as regret matching did at the sets that it leaves out.
Where the best reply to such a plan has a move that gains more than the candidates, that move becomes one too. Where
there is none, the plans are optimal except for floats, which choose candidates: `best_reply` proves what is optimal.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from endsight.algorithms.best_reply import SequencePlan, split
from endsight.algorithms.loops import loops_for
from endsight.algorithms.regret_kernels import Tree, keep, lead_to
from endsight.algorithms.regret_matching import Marks, RegretMatching
from endsight.algorithms.tree_arrays import Indices, by_set, row_of
from endsight.algorithms.treeplex import InformationSets, Payoffs, Treeplex

_LEAST_CHANCE = 1e-3
"""Moves with less than this share of the chance of the set's most likely move are not candidates at first."""
_CLOSE = (1 << 30, 1 << 38, 1 << 46)
"""Floats count as a tie if they differ by less than one part in this many; at last hardly any do."""
_BITS = 20
"""Additional binary digits of the masses, for the sets left out to split."""

Plans = tuple[SequencePlan, SequencePlan]
Solve = Callable[[InformationSets], Plans | None]


def restricted_games(sets: InformationSets, matching: RegretMatching, solve: Solve) -> Iterator[Plans]:
    """Plans of the whole game whenever floats find no better reply to either; later ones with finer floats.

    `solve` gives optimal plans of a restricted game, or None to stop.
    """
    candidates = [_Candidates(sets.sides[player], matching, player) for player in (0, 1)]
    for close in _CLOSE:
        while True:
            restricted = _Restricted(sets, matching.trees, candidates)
            plans = solve(restricted.sets)
            if plans is None:
                return
            first, second = (restricted.extended(player, plans[player]) for player in (0, 1))
            if not candidates[0].more(matching, second, close) + candidates[1].more(matching, first, close):
                break
        yield first, second


class _Candidates:
    """Which moves of a player are candidates, and how sets that are left out mix them."""

    def __init__(self, side: Treeplex, matching: RegretMatching, player: int) -> None:
        tree, played = matching.trees[player], matching.players[player]
        self.player = player
        total, last = np.asarray(played.d_total), np.asarray(played.d_chances)
        before = by_set(tree, total[np.asarray(tree.h_parents)])
        chances = np.where(before > 0.0, total[1:] / np.where(before > 0.0, before, 1.0), last[1:])
        likely = by_set(tree, np.maximum.reduceat(chances, _begins(tree))) if tree.sets else chances
        self.marks = np.ones(side.sequences, np.int8)
        self.marks[1:] = chances >= _LEAST_CHANCE * likely
        self.weights = np.append(1.0, chances) * self.marks

    def more(self, matching: RegretMatching, other: SequencePlan, close: int) -> int:
        """Add the moves of a best reply that gain more than the candidates; return how many there are."""
        masses = np.array([mass / other.total for mass in other.masses])
        return matching.respond(self.player, masses, self.marks, close)


class _Restricted:
    """The game of candidate moves alone."""

    def __init__(self, sets: InformationSets, trees: Sequence[Tree], candidates: Sequence[_Candidates]) -> None:
        self.whole, self.candidates = sets, candidates
        loops = loops_for(len(sets.payoffs), kernels=(keep, lead_to))
        kept: list[Any] = [np.zeros(side.sequences, np.int8) for side in sets.sides]
        for tree, marks, want in zip(trees, kept, candidates, strict=True):
            marks[0] = 1
            loops["keep"](tree, want.marks, marks)
        rows = [np.asarray(row) for row in (sets.payoffs.first, sets.payoffs.second)]
        pairs = np.flatnonzero(kept[0][rows[0]] & kept[1][rows[1]])
        for player, marks in enumerate(kept):
            marks[1:] = 0
            marks[rows[player][pairs]] = 1
            loops["lead_to"](trees[player], marks)
        self.places = [np.cumsum(marks) - 1 for marks in kept]
        self.numbers = [_numbers(tree, marks) for tree, marks in zip(trees, kept, strict=True)]
        sides = [_side(trees[each], kept[each], self.places[each], self.numbers[each]) for each in (0, 1)]
        own = [row_of(places[row[pairs]]) for places, row in zip(self.places, rows, strict=True)]
        amounts = row_of(np.asarray(sets.payoffs.amounts)[pairs])
        self.kept = kept
        self.sets = InformationSets((sides[0], sides[1]), Payoffs(own[0], own[1], amounts), sets.scale, 0, 0, 0)

    def extended(self, player: int, plan: SequencePlan) -> SequencePlan:
        """A plan of the restricted game as one of the whole game."""
        side, places, weights = self.whole.sides[player], self.places[player], self.candidates[player].weights
        marks, own_sets = self.kept[player], set(self.numbers[player].tolist())
        masses = [plan.total << _BITS] + [0] * (side.sequences - 1)
        for number, parent in enumerate(side.parent):
            if not masses[parent]:
                continue
            own = side.after(number)
            if number in own_sets:
                for sequence in own:
                    masses[sequence] = plan.masses[places[sequence]] << _BITS if marks[sequence] else 0
            else:
                masses[own.start : own.stop] = split(masses[parent], weights[own.start : own.stop].tolist())
        return SequencePlan(masses, masses[0])


def _numbers(tree: Tree, marks: Marks) -> Indices:
    """The sets with marked sequences."""
    return np.unique(by_set(tree, np.arange(tree.sets))[marks[1:] != 0])


def _begins(tree: Tree) -> Indices:
    """Where each set begins among all sequences but the empty one."""
    return np.asarray(tree.h_first)[:-1] - 1


def _side(tree: Tree, marks: Marks, places: Indices, numbers: Indices) -> Treeplex:
    """The treeplex of marked sequences; its sets have no moves and views to show."""
    counts = np.add.reduceat(marks[1:], _begins(tree), dtype=np.int64)[numbers] if tree.sets else numbers
    first = 1 + np.concatenate([[0], np.cumsum(counts)])[: len(counts)]
    parents = places[np.asarray(tree.h_parents)[numbers]]
    return Treeplex(row_of(parents), row_of(first), row_of(counts), (), (), (), 1 + int(counts.sum()))
