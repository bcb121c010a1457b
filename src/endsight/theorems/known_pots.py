"""Shared code of theorems about known pots: the pots, their sums, and how play ends."""

from __future__ import annotations

from abc import abstractmethod
from fractions import Fraction
from functools import cached_property
from itertools import accumulate

from endsight.answers.distribution import Distribution
from endsight.game.numbers import Number, added
from endsight.game.position import Position
from endsight.game.question import Question, utility_of
from endsight.games.pots import Pots
from endsight.theorems.base import Theorem


class KnownPots(Theorem):
    """A theorem about known pots: nothing is left to chance, and play ends when all pots are taken."""

    def __init__(self, game: Pots, question: Question) -> None:
        super().__init__(game, question)
        self.pots = game.pots
        self.is_win_loss = self.wants_distances = question.utility == "win"

    @abstractmethod
    def value(self, position: Position) -> tuple[Number, ...]:
        """Value of the whole game per player."""

    def with_gold(self, position: Position, *gold: Number) -> tuple[Number, ...]:
        """Value of the whole game per player, where they take that much gold from here on."""
        return utility_of(added(position.so_far, gold), self.question.utility)

    @cached_property
    def sums(self) -> list[int]:
        """The gold in the first 0, 1, 2, ... pots."""
        return list(accumulate(self.pots, initial=0))

    def distribution(self, position: Position, player: int) -> Distribution:
        """The single outcome."""
        outcomes = {self.value(position)[player]: Fraction(1)}
        return Distribution(self.game.player_names[player], outcomes, position.state.right - position.state.left)
