"""What a theorem about one game looks like to the solver."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from endsight.distribution import Distribution
from endsight.game import Game, Position
from endsight.limits import Budget
from endsight.numbers import Amount, Number
from endsight.question import Question

__all__ = ["Theorem"]


class Theorem:
    """Answers for positions of one game without search.

    The solver asks `Theorem.settles(game, question, position)` for every theorem of the
    game; the first that is not None answers everything about that position and those
    one move later. Values are for the whole game: what the moves so far brought
    (`position.so_far`) plus what is to come, one entry per player in order of their
    numbers, in the units of the question's utility.

    A subclass may compute tables on first need and keep them on the instance.
    """

    method: str
    """The method's name in answers, e.g. `stack reduction`."""
    theorem: str | None = None
    """The theorem with its source; None for plain backward induction in a better order."""

    is_win_loss: bool = False
    """Whether the game is only won, drawn or lost, so that answers have categories."""

    searches_distances: bool = False
    """Whether `distance` looks for distances itself; where not, the solver may search the graph for them."""

    is_unlimited: bool = False
    """Whether the answer is about rules without an end that the rules file must set, and not about what it offers."""

    def __init__(self, game: Game, question: Question) -> None:
        self.game = game
        self.question = question
        self.states = 0
        """Distinct states looked at so far."""
        self.budget = Budget()
        """Limits of the answer: long loops glance at it, and stop with `LimitReached`."""

    @classmethod
    def settles(cls, game: Game, question: Question, position: Position) -> Theorem | None:
        """An instance that answers `position` and the positions one move later, or None."""
        raise NotImplementedError

    def covers(self, position: Position) -> bool:
        """Whether `value` answers that position; where not, the solver starts afresh from there."""
        return True

    def value(self, position: Position) -> tuple[Amount, ...]:
        """Value of the whole game per player; exact but for theorems that give proven ends."""
        raise NotImplementedError

    def distance(self, position: Position) -> int | None:
        """Plies to the end under best play; None where not proven."""
        return None

    def move_values(self, position: Position) -> Mapping[Any, tuple[Number, ...]] | None:
        """`value` after every legal move where one pass finds them all; None: ask move by move."""
        return None

    def chosen(self, position: Position) -> Any | None:
        """The one best move to take where that is cheaper to find than by comparing all; else None."""
        return None

    def facts(self, position: Position) -> Mapping[str, Any]:
        """Named facts about the position for `analyze`; numbers are int, Fraction or Interval."""
        return {}

    def witness(self, position: Position) -> Mapping[str, Any] | None:
        """Evidence for `value(position)` as plain data that a small checker can verify."""
        return None

    def distribution(self, position: Position, player: int) -> Distribution | None:
        """Distribution of the player's payoff under the policies of the question; None: use the general way."""
        return None

    def table(self, position: Position) -> list[dict[str, Any]] | None:
        """Rows of `endsight table` for this game from `position` on; None: use the general way."""
        return None
