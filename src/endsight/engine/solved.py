"""Tables of states that kernels have solved: one number for each, or one for every player."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from random import Random
from typing import Any

from endsight.answers.source import Row, StateTable
from endsight.compiler.kernels.core import UNSET, VALUES
from endsight.compiler.memory import View as Numbers
from endsight.compiler.rules import CompiledRules
from endsight.engine.goals import Goals
from endsight.engine.tables import KeyTable
from endsight.game.position import Position
from endsight.game.question import Question
from endsight.graph.objective import TrackedNode, View

# Slots that are examined together, how many states are taken from them, and how often.
_PIECE, _OF_A_PIECE, _MOST_PIECES = 1 << 12, 100, 300


def plain_view(rules: CompiledRules) -> View:
    """The view in which everybody wants their own payoff; its nodes are the keys of the rules."""
    return View(rules.game, Question(), symmetry=rules.has_symmetry, tracks_mover=rules.tracks_mover)


@dataclass(eq=False)
class KeyedTable(StateTable[tuple[int, int]]):
    """A hash table of keys; a node is the slot of its key, and the code there."""

    method = "layers"
    view: View
    rules: CompiledRules
    table: KeyTable
    states: int
    edges: int

    def drawn(self, random: Random, count: int) -> Iterator[Any]:
        """Some of the states: those in pieces of the table, in which they are in no particular order."""
        found: set[tuple[int, ...]] = set()
        for _ in range(_MOST_PIECES):
            first = random.randrange(max(1, self.table.slots - _PIECE + 1))
            piece = islice(self.table.keys(first, first + _PIECE), _OF_A_PIECE)
            new = [key for key in piece if key not in found]
            for key in new[: min(count, self.states) - len(found)]:
                state, mover = self.rules.state_of(key)
                yield TrackedNode(state, mover, ()) if self.view.tracks else state
            found.update(new)
            if len(found) >= min(count, self.states):
                break

    def node(self, position: Position) -> tuple[int, int] | None:
        """Slot and code; None for a position that is not solved (yet)."""
        return self._found(self.rules.key(position.state, position.mover))

    def place(self, key: Any) -> tuple[int, int] | None:
        """The same for a node of the view, whose state is the same as its canonical one."""
        # Who moves is part of the key, or is not needed.
        return self._found(self.rules.packed(*key[:2]) if self.view.tracks else self.rules.packed(key, 0))

    def _found(self, key: tuple[int, ...] | None) -> tuple[int, int] | None:
        found = None if key is None else self.table.find(key)
        return None if found is None or found[1] == UNSET else found


@dataclass(eq=False, kw_only=True)
class NumberTable(KeyedTable):
    """Values where one player loses what the other gets.

    is_win_loss  values are scores: top - distance for a win, distance - top for a loss
    values       value or score per slot; None where scores stand beside the keys
    """

    form = "numbers"
    is_win_loss: bool
    top: int
    values: Numbers | None

    def __post_init__(self) -> None:
        self.by_mover, self.has_distances = self.rules.players == 2, self.is_win_loss

    def row(self, node: tuple[int, int]) -> Row:
        """Value of the player who moves, and of the other one, and distance."""
        slot, code = node
        score = code - VALUES - self.top if self.values is None else self.values[slot]
        if score == 0 or not self.is_win_loss:
            value: Any = self.rules.share([score], is_tuple=False)
            return (value, -value)[: self.rules.players], None
        return ((1, -1), self.top - score) if score > 0 else ((-1, 1), self.top + score)


@dataclass(eq=False, kw_only=True)
class VectorTable(KeyedTable):
    """Values of all players.

    values  one per player and slot, in units of `goals`
    plies   distance per slot, -1 for none; None where there are no distances
    """

    form = "vectors"
    goals: Goals
    values: Numbers
    plies: Numbers | None

    def __post_init__(self) -> None:
        self.has_distances = self.plies is not None
        self.is_win_loss = self.has_distances or (self.view.question.utility == "win" and self.rules.players == 2)

    def row(self, node: tuple[int, int]) -> Row:
        """Value per player and distance."""
        players = self.rules.players
        values = tuple(map(self.goals.share, self.values[node[0] * players : (node[0] + 1) * players]))
        plies = -1 if self.plies is None else self.plies[node[0]]
        return values, None if plies < 0 else plies
