"""The interface of a theorem about one game to the solver."""

from __future__ import annotations

from typing import Self

from endsight.answers.source import Bounds, Row, Source
from endsight.game import Game
from endsight.game.limits import Budget
from endsight.game.position import Position
from endsight.game.question import Question


class Theorem(Source):
    """Answers for positions of one game without search.

    The solver calls `Theorem.settles(game, question, position)` for every theorem of the game; the first that is not
    None answers everything about that position and those one move later. Values are for the whole game: what the moves
    so far have paid (`position.so_far`) plus what is to come, one entry per player in order of their numbers, in the
    units of the question's utility.

    A subclass gives `value`, and says what else it knows: `method` (e.g. `stack reduction`), `theorem` with its
    source (None for plain backward induction in a better order), `is_win_loss`, and `wants_distances` where only who
    wins is settled, so that the solver may search the graph for distances. It may compute tables when first needed and
    keep them on the instance.
    """

    def __init__(self, game: Game, question: Question) -> None:
        self.game = game
        self.question = question
        self.checker = type(self).__module__.rpartition(".")[2]
        self.states = 0
        """Distinct states visited so far."""
        self.budget = Budget()
        """Limits of the answer: long loops check it, and stop with `LimitReached`."""

    @property
    def engine(self) -> str:
        """`none` for a theorem; a method without one follows the rules itself, in Python."""
        return "plain" if self.theorem is None else "none"

    @classmethod
    def settles(cls, game: Game, question: Question, position: Position) -> Self | None:
        """An instance that answers `position` and the positions one move later, or None.

        The game must be the theorem's own. By default, a theorem is for players who are free and compete.
        """
        return cls(game, question) if question.objective == "competitive" and not question.fixed else None

    def gives_up(self, position: Position) -> bool:
        """Whether its own search leaves open who wins at `position`, because it grows too large."""
        return False

    def search_on(self) -> None:
        """Leave out limits of its own: nothing else answers, so only those of the question hold."""

    def covers(self, position: Position) -> bool:
        """Whether `value` answers that position; if not, the solver starts afresh from there."""
        return True

    def continues(self, position: Position) -> bool:
        """Whether no limit and no search of its own that grows too large speaks for a fresh start."""
        limits = self.budget.limits  # which a fresh start would have for itself alone
        return limits.seconds is limits.states is None and self.covers(position) and not self.gives_up(position)

    def row(self, position: Position) -> Row | None:
        """Value and distance."""
        return (self.value(position), self.distance(position)) if self.covers(position) else None

    def distance(self, position: Position) -> int | None:
        """None: not known."""
        return None

    def proven(self, position: Position) -> Bounds | None:
        """The value if it is already known: a theorem about scores may need a long calculation."""
        return super().proven(position) if self.is_win_loss else None
