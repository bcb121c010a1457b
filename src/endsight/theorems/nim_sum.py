"""Nim: the exclusive or of the heaps decides.

**Theorem** (Bouton, "Nim, a game with a complete mathematical theory", 1901-02). Let s be
the exclusive or (the sum without carries, in base 2) of the heaps. Where the last object
wins, the player to move wins exactly if s is not 0. Where the last object loses, the same
holds as long as some heap has more than one object; after that, the player to move wins
exactly if the number of heaps left is even.

*Proof sketch.* With s = 0 every move makes it different from 0. With s not 0 some heap h
has the highest bit of s, and taking h - (h xor s) objects makes it 0. So the player who
faces s = 0 keeps facing it, up to the end. Where the last object loses, the winner plays
the same until a move would leave only heaps of one, and then leaves an odd number of
them: at that moment there is exactly one bigger heap, so s is not 0 and it is the winner's
turn.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import reduce
from operator import xor
from typing import Any

from endsight.game.numbers import Number
from endsight.game.position import Position
from endsight.game.question import Question, utility_of
from endsight.games.nim import Nim
from endsight.theorems.base import Theorem


class NimSum(Theorem):
    """Who wins nim, from any heaps."""

    game: Nim
    method: str = "nim-sum"
    theorem: str | None = (
        "the player to move wins exactly if the exclusive or of the heaps is not 0; where the last object loses and "
        "no heap has more than one, if their number is even (Bouton 1901)"
    )

    def __init__(self, game: Nim, question: Question) -> None:
        super().__init__(game, question)
        self.is_win_loss = self.wants_distances = True
        self._seen: set[Nim.State] = set()

    def value(self, position: Position) -> tuple[Number, ...]:
        """Value of the game per player."""
        self._seen.add(self.game.canonical(position.state))
        self.states = len(self._seen)
        own = 1 if self._wins(self.game.heaps_of(position.state)) else -1
        payoffs = (own, -own) if position.mover == 0 else (-own, own)
        return utility_of(payoffs, self.question.utility)

    def _wins(self, heaps: tuple[int, ...]) -> bool:
        """Whether the player to move wins."""
        if self.game.misere and max(heaps, default=0) <= 1:
            return sum(heaps) % 2 == 0
        return reduce(xor, heaps, 0) != 0

    def chosen(self, position: Position) -> int:
        """The first winning move in the order of the rules; where there is none, the first move."""
        heaps = self.game.heaps_of(position.state)
        if not self._wins(heaps):
            first: int = next(position.moves())
            return first
        nim_sum = reduce(xor, heaps, 0)
        for place, heap in enumerate(heaps):
            # A move wins only if what is left of the heap makes the sum 0, or at the end of misere play is 0 or 1.
            for rest in sorted({heap ^ nim_sum, 0, 1}, reverse=True):
                if rest < heap and not self._wins((*heaps[:place], rest, *heaps[place + 1 :])):
                    return place * self.game.size + heap - rest
        raise AssertionError("a won position has a winning move")

    def facts(self, position: Position) -> Mapping[str, Any]:
        """The exclusive or of the heaps."""
        return {"nim_sum": reduce(xor, self.game.heaps_of(position.state), 0)}
