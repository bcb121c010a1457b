"""What answers questions by position: a theorem, a solved table, a search, or a stored solution.

Nobody asks a source what class it is. What only some can tell has a default here, which says
that it is not known.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from endsight.limits import Ends
from endsight.numbers import Amount, Number, ends_of
from endsight.position import Position

if TYPE_CHECKING:
    from endsight.distribution import Distribution

__all__ = ["Answers", "BestPlay", "Source", "TableReader"]

T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)


class BestPlay(Protocol):
    """What best play from one position brings, told without anybody walking through it.

    All amounts are exact where `is_exact`, else they may be proven bounds.
    """

    @property
    def is_exact(self) -> bool:
        """Whether chances and expected lengths are exact numbers."""

    def outcomes(self, player: int) -> dict[Number, Amount] | None:
        """Chance of everything that player may get over the whole game; None where that is better walked through."""

    def results(self) -> tuple[Amount, Amount, Amount] | None:
        """Chances that the first player wins, draws, loses; None where they are not known."""

    def decisions(self) -> tuple[Amount, Amount, Amount]:
        """Expected number of the players' moves; of the only legal ones; of those where all are best."""

    def best_at(self, move: int) -> tuple[list[Any], Any]:
        """Fields of all decisions as columns, and where `move` is best."""


class Source(Protocol):
    """Where a solution's numbers come from, asked by position.

    Values are those of the whole game, one entry per player in order of their numbers.
    """

    @property
    def method(self) -> str:
        """The method's name in answers."""

    @property
    def theorem(self) -> str | None:
        """The theorem that the answer rests on, with its source; None for none."""

    @property
    def states(self) -> int:
        """Number of distinct states met (canonical ones with symmetry on)."""

    @property
    def edges(self) -> int | None:
        """Number of moves met, where they are counted."""

    @property
    def is_win_loss(self) -> bool:
        """Whether the game is only won, drawn or lost."""

    @property
    def notion(self) -> str | None:
        """What the values mean where they are not simply *the* value; None where they are."""

    @property
    def refusal(self) -> str | None:
        """Why the rules were not compiled, where they were meant to be; None else."""

    @property
    def holds_all(self) -> bool:
        """Whether every position that play can reach from the one that was solved has a row."""

    @property
    def merges(self) -> bool:
        """Whether states that the rules call equivalent share a row."""

    @property
    def has_loops(self) -> bool:
        """Whether play is known to be able to come back to a position."""

    @property
    def has_chance(self) -> bool | None:
        """Whether chance is met, where that is known."""

    @property
    def wants_distances(self) -> bool:
        """Whether distances must be searched for beside what this source tells."""

    @property
    def ignores_end(self) -> bool:
        """Whether the answer is about rules without the end that the rules file has to set."""

    @property
    def checker(self) -> str | None:
        """The name of the verifier's checker for this source's kind of evidence; None where it has none."""

    def covers(self, position: Position) -> bool:
        """Whether the position can be asked about here."""

    def value(self, position: Position) -> tuple[Amount, ...]:
        """Value per player, exact or enclosed."""

    def value_at_hand(self, position: Position) -> tuple[Amount, ...]:
        """The same without the work that exact values take: then enclosed."""

    def sharpen(self, position: Position) -> None:
        """Make a covered position's value as exact as that of the one that was solved."""

    def proven(self, position: Position) -> tuple[Ends, ...] | None:
        """Bounds per player proven so far, found without any further work; None for nothing."""

    def distance(self, position: Position) -> int | None:
        """Number of plies to the end; None where there is none, or it is not proven."""

    def facts(self, position: Position) -> Mapping[str, Any]:
        """Named facts about the position; numbers are int, Fraction or Interval."""

    def forced(self, position: Position) -> Any:
        """The move that makes progress out of a cycle of equal value; None where any best move will do."""

    def chosen(self, position: Position) -> Any:
        """The first of the best moves, where the source knows it without comparing moves; else None."""

    def move_values(self, position: Position) -> Mapping[Any, tuple[Number, ...]] | None:
        """`value` after every legal move, where one pass finds them all; None: ask move by move."""

    def payoffs(self, position: Position, player: int) -> list[Number] | None:
        """Everything that the player can be paid over the whole game, or more than that; None where not known."""

    def distribution(self, position: Position, player: int) -> Distribution | None:
        """Distribution of the player's payoff under the policies of the question; None: walk through the play."""

    def best_play(self, position: Position) -> BestPlay | None:
        """What best play from that position brings; None: walk through the play."""

    def policy_rows(self, position: Position) -> list[dict[str, Any]] | None:
        """The policy as rows in a shape of its own; None: list the positions."""

    def witness(self, position: Position) -> Mapping[str, Any] | None:
        """Evidence for `value(position)` as plain data that `checker` can verify."""

    def on_arrays(self) -> Any:
        """The source itself where it holds bounds of every node on arrays; None for all others."""

    def read_by(self, reader: TableReader[T]) -> T:
        """Show the whole table to a reader, which has a method for each form of table."""


class TableReader(Protocol[T_co]):
    """Who reads whole tables, and not rows by position, has a method for each form that a table has.

    Every method gets the source itself, and what holds the table where that is not the source.
    """

    def graph(self, source: Any) -> T_co:
        """A graph with a value at every node (`GraphSource`)."""

    def keys(self, source: Any, solved: Any) -> T_co:
        """A hash table with one number for every state (`CompiledSource` and `Solved`)."""

    def shares(self, source: Any, solved: Any) -> T_co:
        """The same with a number for every player (`SolvedShares`)."""

    def bounds(self, source: Any) -> T_co:
        """Arrays with bounds of every node (`EnclosedSource`)."""

    def layers(self, source: Any) -> T_co:
        """Bounds layer by layer (`RoundSource`)."""

    def nothing(self, source: Any) -> T_co:
        """No table of all positions in memory."""


class Answers:
    """Base of all sources: what they say where they know nothing more than a value by position."""

    theorem: str | None = None
    edges: int | None = None
    refusal: str | None = None
    holds_all = False
    merges = False
    has_loops = False
    has_chance: bool | None = None
    wants_distances = False
    ignores_end = False
    checker: str | None = None

    def covers(self, position: Position) -> bool:
        """Whether the position can be asked about here."""
        raise NotImplementedError

    def value(self, position: Position) -> tuple[Amount, ...]:
        """Value per player, exact or enclosed."""
        raise NotImplementedError

    def value_at_hand(self, position: Position) -> tuple[Amount, ...]:
        """The value as it is."""
        return self.value(position)

    def sharpen(self, position: Position) -> None:
        """Nothing: all values are equally exact."""

    def proven(self, position: Position) -> tuple[Ends, ...] | None:
        """The value, where there is one."""
        return ends_of(self.value_at_hand(position)) if self.covers(position) else None

    def distance(self, position: Position) -> int | None:
        """None: not known."""
        return None

    def facts(self, position: Position) -> Mapping[str, Any]:
        """None beyond the value."""
        return {}

    def forced(self, position: Position) -> Any:
        """None: any best move will do."""
        return None

    def chosen(self, position: Position) -> Any:
        """None: compare the moves."""
        return None

    def move_values(self, position: Position) -> Mapping[Any, tuple[Number, ...]] | None:
        """None: ask move by move."""
        return None

    def payoffs(self, position: Position, player: int) -> list[Number] | None:
        """None: not known."""
        return None

    def distribution(self, position: Position, player: int) -> Distribution | None:
        """None: walk through the play."""
        return None

    def best_play(self, position: Position) -> BestPlay | None:
        """None: walk through the play."""
        return None

    def policy_rows(self, position: Position) -> list[dict[str, Any]] | None:
        """None: list the positions."""
        return None

    def witness(self, position: Position) -> Mapping[str, Any] | None:
        """None: the value rests on no evidence but the moves themselves."""
        return None

    def on_arrays(self) -> Any:
        """None."""
        return None

    def read_by(self, reader: TableReader[T]) -> T:
        """There is no whole table."""
        return reader.nothing(self)
