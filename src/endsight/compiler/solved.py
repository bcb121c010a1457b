"""Positions that kernels have solved, asked by position: one number each, or one for every player."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from endsight.compiler.aims import Aims
from endsight.compiler.memory import View
from endsight.compiler.rules import UNSET, VALUES, CompiledRules
from endsight.compiler.tables import KeyTable
from endsight.limits import Ends
from endsight.numbers import Number
from endsight.position import Position
from endsight.source import Source, T, TableReader
from endsight.table import TIE_RULE

__all__ = ["Answer", "Solved", "SolvedShares", "per_player"]

Answer = tuple[tuple[Number, ...], int | None]
"""Value of the whole game per player, and the distance."""


@dataclass(frozen=True)
class Solved:
    """Values of many positions in a table, where what one player gets the other loses.

    states       how many
    is_win_loss  values are scores: top - distance for a win, distance - top for a loss
    values       value or score per slot; None where scores stand beside the keys
    """

    rules: CompiledRules
    table: KeyTable
    states: int
    edges: int
    is_win_loss: bool
    top: int
    values: View | None

    notion: ClassVar[None] = None

    def look_up(self, key: tuple[int, ...] | None) -> tuple[int, int | None] | None:
        """Value and distance for the mover, None for a key that is not there."""
        found = None if key is None else self.table.find(key)
        if found is None or found[1] == UNSET:
            return None
        slot, code = found
        score = code - VALUES - self.top if self.values is None else self.values[slot]
        if score == 0 or not self.is_win_loss:
            return score, None
        return (1, self.top - score) if score > 0 else (-1, self.top + score)

    def answer(self, position: Position) -> Answer | None:
        """Value per player and distance; None for a position that is not solved (yet)."""
        row = self.look_up(self.rules.key(position.state, position.mover))
        return None if row is None else (per_player(position, row[0]), row[1])

    def proven(self, position: Position) -> tuple[Ends, ...] | None:
        """Values per player of a position that is solved already, as ends; None for others."""
        return _as_ends(self.answer(position))

    def read_by(self, reader: TableReader[T], source: Source) -> T:
        """Show the table of that source."""
        return reader.keys(source, self)


@dataclass(frozen=True)
class SolvedShares:
    """Values of all players of many positions.

    states       how many, states that differ by the mover alone counted once
    values       one per player and slot, in units of `aims`
    plies        distance per slot, -1 for none; None where there are no distances
    movers       players who have a choice anywhere
    sums_differ  two players can get more or less together
    """

    rules: CompiledRules
    table: KeyTable
    states: int
    edges: int
    aims: Aims
    values: View
    plies: View | None
    movers: frozenset[int] = frozenset()
    sums_differ: bool = False

    @property
    def is_win_loss(self) -> bool:
        """Whether the game is only won, drawn or lost."""
        question = self.aims.view.question
        return self.plies is not None or (question.utility == "win" and self.rules.players == 2)

    @property
    def notion(self) -> str | None:
        """The tie rule that values rest on, unless one amount tells everybody's."""
        has_one_amount = self.rules.players == 1 or (self.rules.players == 2 and not self.sums_differ)
        return None if has_one_amount or not self.movers else TIE_RULE

    def answer(self, position: Position) -> Answer | None:
        """Value per player and distance; None for a position that is not solved (yet)."""
        key = self.rules.key(position.state, position.mover)
        found = None if key is None else self.table.find(key)
        if found is None or found[1] == UNSET:
            return None
        first = found[0] * self.rules.players
        row = tuple(self.values[first : first + self.rules.players])
        plies = -1 if self.plies is None else self.plies[found[0]]
        return self.aims.whole(position.so_far, row), None if plies < 0 else plies

    def proven(self, position: Position) -> tuple[Ends, ...] | None:
        """Values per player of a position that is solved already, as ends; None for others."""
        return _as_ends(self.answer(position))

    def read_by(self, reader: TableReader[T], source: Source) -> T:
        """Show the table of that source."""
        return reader.shares(source, self)


def _as_ends(answer: Answer | None) -> tuple[Ends, ...] | None:
    return None if answer is None else tuple((value, value) for value in answer[0])


def per_player(position: Position, value: int) -> tuple[Number, ...]:
    """Value of the whole game per player, from what is to come as the mover sees it."""
    if len(position.so_far) == 1:
        return (position.so_far[0] + value,)
    first = -value if position.mover == 1 else value
    return position.so_far[0] + first, position.so_far[1] - first
