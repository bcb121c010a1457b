"""Where a solution's numbers come from: a solved graph, or a theorem; both asked by position."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol, runtime_checkable

from endsight.explorer import distinct_states
from endsight.game import CHANCE, Position
from endsight.graph import Graph
from endsight.limits import Ends
from endsight.numbers import Amount, Number, ends_of, simplest
from endsight.objective import View
from endsight.table import TIE_RULE, Table
from endsight.theorems.base import Theorem

__all__ = ["DecidedSource", "GraphSource", "Source", "TheoremSource", "proven_by"]


class Source(Protocol):
    """Where a solution's numbers come from: a solved graph, or a theorem."""

    @property
    def method(self) -> str:
        """The method's name in answers."""

    @property
    def theorem(self) -> str | None:
        """The theorem the answer rests on, with its source; None for none."""

    @property
    def states(self) -> int:
        """Distinct states met (canonical ones with symmetry on)."""

    @property
    def is_win_loss(self) -> bool:
        """Whether the game is only won, drawn or lost."""

    @property
    def notion(self) -> str | None:
        """What the values mean where they are not simply *the* value; None where they are."""

    def covers(self, position: Position) -> bool:
        """Whether the position can be looked up here."""

    def value(self, position: Position) -> tuple[Amount, ...]:
        """Whole-game value per player, exact or enclosed."""

    def distance(self, position: Position) -> int | None:
        """Plies to the end."""

    def facts(self, position: Position) -> Mapping[str, Any]:
        """Named facts about the position; numbers are int or Fraction."""


@runtime_checkable
class DecidedSource(Protocol):
    """A source that can tell what best play from a position brings, without anybody walking through it.

    All amounts are exact, or proven ends; see `enclosed.EnclosedSource`.
    """

    def value_at_hand(self, position: Position) -> tuple[Amount, ...]:
        """Whole-game value per player, without further work."""

    def outcomes(self, position: Position, player: int) -> dict[Number, Amount] | None:
        """Chance of everything that player may get over the whole game; None where that is better walked through."""

    def chosen(self, position: Position) -> Any:
        """The first of the best moves where that is proven at once, else None."""

    def results(self, position: Position) -> tuple[Amount, Amount, Amount] | None:
        """Chances that the first player wins, draws, loses; None where they are not known."""

    def decisions(self, position: Position) -> tuple[Amount, Amount, Amount]:
        """Expected number of the players' moves; of the only legal ones; of those where all are best."""

    @property
    def shares_are_exact(self) -> bool:
        """Whether chances and expected lengths are exact numbers."""

    def best_at(self, position: Position, move: int) -> tuple[list[Any], Any]:
        """Fields of all decisions as columns, and where `move` is best."""


class GraphSource:
    """A solved graph, asked by position.

    `refusal` says why the compiled engine left something to the plain one, None if it did not.
    """

    theorem: str | None = None
    refusal: str | None = None

    def __init__(self, view: View, graph: Graph, table: Table) -> None:
        self.view = view
        self.graph = graph
        self.table = table
        self.method = table.method
        self.states = distinct_states(view, graph)

    @property
    def is_win_loss(self) -> bool:
        """Whether the game is only won, drawn or lost."""
        if self.view.question.utility == "win" and self.graph.players == 2:
            return not self.graph.has_chance
        return self.graph.has_distances

    @property
    def notion(self) -> str | None:
        """The tie rule that the values rest on, for several players without a constant sum."""
        targets = {self.graph.wishes[mover] for mover in self.graph.movers if mover != CHANCE}
        if len(targets) < 2 or (self.graph.players == 2 and self.graph.is_constant_sum):
            return None
        return TIE_RULE

    def covers(self, position: Position) -> bool:
        """Whether the position is a node of the graph."""
        return self.view.key(position) in self.graph.index

    def value(self, position: Position) -> tuple[Amount, ...]:
        """Whole-game value per player, exact or enclosed."""
        view = self.view
        value = self.table.values[self.graph.index[view.key(position)]]
        if view.relative and position.mover == 1:
            value = (value[1], value[0])
        if not any(position.so_far):
            return value
        return tuple(simplest(a + b) for a, b in zip(view.carried(position.so_far), value, strict=True))

    def facts(self, position: Position) -> Mapping[str, Any]:
        """None beyond the values."""
        return {}

    def forced(self, position: Position) -> Any:
        """The move that best play must take where others of the same value lead round for ever; None where none."""
        if not self.table.forced or not self.covers(position):
            return None
        edge = self.table.forced.get(self.graph.index[self.view.key(position)])
        if edge is None:
            return None
        target = self.graph.keys[self.graph.successors[edge]]
        return next(move for move in position.moves() if self.view.key(position.play(move)) == target)

    def distance(self, position: Position) -> int | None:
        """Plies to the end."""
        if self.table.distances is None:
            return None
        return self.table.distances[self.graph.index[self.view.key(position)]]


class TheoremSource:
    """A theorem, asked by position."""

    notion: str | None = None

    def __init__(self, theorem: Theorem) -> None:
        self.proof = theorem

    @property
    def method(self) -> str:
        """The method's name."""
        return self.proof.method

    @property
    def theorem(self) -> str | None:
        """The theorem's name and source."""
        return self.proof.theorem

    @property
    def states(self) -> int:
        """Distinct states the theorem has looked at."""
        return self.proof.states

    @property
    def is_win_loss(self) -> bool:
        """Whether the game is only won, drawn or lost."""
        return self.proof.is_win_loss

    def covers(self, position: Position) -> bool:
        """Whether the theorem answers that position."""
        return self.proof.covers(position)

    def value(self, position: Position) -> tuple[Amount, ...]:
        """Whole-game value per player."""
        return self.proof.value(position)

    def distance(self, position: Position) -> int | None:
        """Plies to the end, where proven."""
        return self.proof.distance(position)

    def facts(self, position: Position) -> Mapping[str, Any]:
        """Named facts about the position."""
        return self.proof.facts(position)


def proven_by(source: Source, position: Position) -> tuple[Ends, ...] | None:
    """What a source has proven about a position, per player, without any further work; None for nothing."""
    proven = getattr(source, "proven", None)
    if proven is not None:
        found: tuple[Ends, ...] | None = proven(position)
        return found
    # A theorem about scores may have to calculate for long; one about who wins knows it by now.
    is_quick = not isinstance(source, TheoremSource) or source.is_win_loss
    if not is_quick or not source.covers(position):
        return None
    return ends_of(source.value(position))
