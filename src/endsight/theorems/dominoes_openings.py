"""Dominoes from the empty line: the first player wins, and exactly by laying a double.

Call a set S of values *closed* when no unused tile has both ends in S (doubles
included), and call a value outside S even or odd by how many unused tiles it has into S.
In what follows the tail is in S when player P is to move, unused tiles outside S have
not been touched, and the other player Q answers.

1. *S closed, everything outside even: P loses.* P must go to an outside value, which
   keeps an odd number of tiles into S: Q goes back into S by one of them (an even
   kernel: Fraenkel, Scheinerman and Ullman 1993).
2. *S closed, everything outside odd: P loses.* P goes to an outside x, which keeps an
   even number. If that is not 0, Q goes back into S, and x is odd again. If it is 0, Q
   lays the double of x and takes x into S, which stays closed: now everything outside
   has one tile more and is even, which is case 1.

*A double wins.* After a-a the reply is a-y; Q answers y-y, and {a, y} is case 1.
*Anything else loses.* After a-b with a != b Q answers b-b. With S = {b} P must go to a
fresh c; Q lays c-c and takes c into S. Now a is odd (its tile to b is used, the one to
c is not) and all others are even. As long as P goes to the others Q goes back into S.
When P goes to a, nothing is left from a into S: Q lays a-a and takes a into S, and
everything outside becomes odd: case 2.

Instant for any number of values. Checked by search for every n up to 6.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self

from endsight.game import Game
from endsight.game.numbers import Number
from endsight.game.position import Position
from endsight.game.question import Question, utility_of
from endsight.games.dominoes import Dominoes
from endsight.theorems.base import Theorem
from endsight.theorems.line_search import LineDistances, Verdicts
from endsight.theorems.unused_tiles import unused_tiles

MOST_VALUES_SEARCHED = 100
"""Beside the theorem, distances are searched for up to this many values (and then within limits of effort)."""


class Openings(Theorem):
    """Who wins from the empty line, and after any first tile."""

    game: Dominoes
    method: str = "openings by doubles"
    theorem: str | None = (
        "from the empty line the first player wins, by laying any double and by nothing else"
        " (even kernels: Fraenkel, Scheinerman, Ullman 1993)"
    )

    def __init__(self, game: Game, question: Question) -> None:
        super().__init__(game, question)
        self.is_win_loss = True
        self.states = 1
        self.distances: LineDistances | None = None

    @classmethod
    def settles(cls, game: Game, question: Question, position: Position) -> Self | None:
        """The empty line, for players against each other."""
        return super().settles(game, question, position) if position.state.used == 0 else None

    def covers(self, position: Position) -> bool:
        """The empty line and one tile."""
        return bool(position.state.used.bit_count() <= 1)

    def value(self, position: Position) -> tuple[Number, ...]:
        """The first player's win, unless the one tile laid is not a double."""
        state = position.state
        wins = state.used == 0 or state.used == 1 << self.game.tile(state.tail, state.tail)
        return utility_of((1, -1) if wins else (-1, 1), self.question.utility)

    def distance(self, position: Position) -> int | None:
        """Plies to the end, searched for; None where that takes too many states.

        After one tile it only matters whether it is a double, and from the empty line a double is best.
        """
        game = self.game
        if game.n > MOST_VALUES_SEARCHED:
            return None
        if self.distances is None:
            self.distances = LineDistances(Verdicts(self.budget))
        state = position.state
        is_empty = state.used == 0
        is_double = is_empty or state.used == 1 << game.tile(state.tail, state.tail)
        opened = game.play(game.start(), 0 if is_double else 1)
        plies = self.distances.distance(unused_tiles(game, opened))
        return None if plies is None else plies + 1 if is_empty else plies

    def chosen(self, position: Position) -> Any | None:
        """The double of 0."""
        return 0 if position.state.used == 0 else None

    def witness(self, position: Position) -> Mapping[str, Any] | None:
        """The pairing that answers every reply."""
        return {"lay": "a-a", "answer": {"a-y": "y-y"}, "kernel": ["a", "y"]}
