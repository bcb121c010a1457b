"""How soon a searched position is won or lost: `Distances`.

It asks one question after the other, each with a window between two neighbouring values: whether the winner wins within
a number of plies, or whether the loser lasts longer, from few plies up. What the table has kept of earlier questions
holds for later ones, too.
"""

from __future__ import annotations

from functools import cached_property

from endsight.compiler.refusal import CannotCompile
from endsight.engine.searching import CompiledSearcher, Window
from endsight.game.position import Position


class Distances:
    """Plies to the end under best play, at positions whose winner a search knows: the winner hastens."""

    def __init__(self, values: CompiledSearcher) -> None:
        self.values = values
        self._known: dict[tuple[int, ...], int] = {}

    @cached_property
    def searcher(self) -> CompiledSearcher:
        """The search that reports how soon who wins."""
        return CompiledSearcher(self.values.rules, self.values.budget, counts_plies=True)

    @property
    def are_told(self) -> bool:
        """Whether the game is only won, drawn or lost, judging by the payoffs of its ends."""
        return self.values.is_win_loss and not self.values.rules.game.gives("reward")

    @property
    def states(self) -> int:
        """Positions entered in the search for distances."""
        return self.searcher.states if "searcher" in vars(self) else 0

    def of(self, position: Position) -> int | None:
        """Plies to the end; None for a draw, and for a position that cannot be searched.

        Raises `LimitReached`.
        """
        try:
            value = self.values.search(position)
            if value == 0 or position.is_over:
                return None if value == 0 else 0
            return self._plies(position, 1 if value > 0 else -1)
        except CannotCompile:
            return None

    def _plies(self, position: Position, sign: int) -> int:
        """The fewest plies within which the winner can force a win: the mover (`sign` 1) or the other player (-1)."""
        key = self.values.rules.root_key(position.state, position.mover)
        plies = 1
        while key not in self._known:
            low, high = self._bounds(position, sign, self._worth(plies))
            if low >= self._worth(plies):
                self._known[key] = plies
            plies = self._worth(high)
        return self._known[key]

    def _worth(self, plies: int) -> int:
        """The value, one ply earlier, of a win in that many plies; also turns such a value back into plies."""
        return self.searcher.layout.limits[1] - 1 - plies

    def _bounds(self, position: Position, sign: int, worth: int) -> tuple[int, int]:
        """Bounds of the winner's value, which say whether it is at least that worth."""
        self.searcher.beside = self.values.states
        if sign > 0:
            return self.searcher.bounds(position, Window(worth - 1, worth))
        low, high = self.searcher.bounds(position, Window(-worth, 1 - worth))
        return -high, -low
