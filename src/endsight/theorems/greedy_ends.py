"""Pots, both players bound to the bigger or the smaller end: one line of play.

Where every player's move is given there is nothing to choose, so playing the line once gives
the outcome: O(n). This is the value of a line to players who see only its two ends and know
nothing of the rest, competing (both take the bigger end) or cooperating (the first takes the
bigger end, the second the smaller).
"""

from __future__ import annotations

from typing import Any, Self

from endsight.game.numbers import Number
from endsight.game.position import Position
from endsight.game.question import Question
from endsight.games.pots import Pots
from endsight.theorems.known_pots import KnownPots

POLICIES = ("bigger", "smaller")


class GreedyEnds(KnownPots):
    """Values of known pots when both players take the bigger or the smaller end."""

    method: str = "one line of play"

    def __init__(self, game: Pots, question: Question) -> None:
        super().__init__(game, question)
        self.wants_bigger = tuple(question.fixed[player] == "bigger" for player in range(game.players))
        self._seen: set[Pots.State] = set()

    @classmethod
    def settles(cls, game: Any, question: Question, position: Position) -> Self | None:
        """Every position where both players are bound to `bigger` or `smaller`."""
        rules = [question.fixed.get(player) for player in range(game.players)]
        return cls(game, question) if all(rule in POLICIES for rule in rules) else None

    def value(self, position: Position) -> tuple[Number, ...]:
        """Value of the whole game per player."""
        self._seen.add(position.state)
        self.states = len(self._seen)
        return self.with_gold(position, *self._gold(position.state, position.mover))

    def _gold(self, state: Pots.State, mover: int) -> tuple[int, int]:
        """The gold that each player takes from here on."""
        pots, (left, right) = self.pots, (state.left, state.right - 1)
        gold = [0, 0]
        while left < right:
            # Ties: "bigger" means the right end, "smaller" the left end.
            if (pots[left] <= pots[right]) == self.wants_bigger[mover]:
                gold[mover] += pots[right]
                right -= 1
            else:
                gold[mover] += pots[left]
                left += 1
            mover = 1 - mover
        if left == right:
            gold[mover] += pots[left]
        return gold[0], gold[1]
