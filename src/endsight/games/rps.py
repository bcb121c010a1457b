"""Rock, paper, scissors, or any other game of one move for each player, made at once."""

from __future__ import annotations

import re
from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from math import lcm
from typing import ClassVar, NamedTuple

import endsight.board as kit
from endsight.base.faults import FileError, ParameterError
from endsight.game import Game
from endsight.games.pictures.cards import joint

_GESTURES = ("rock", "paper", "scissors")
_BEATS = ((0, -1, 1), (1, 0, -1), (-1, 1, 0))
_ENTRY = re.compile(r"-?[0-9]{1,4000}(/0*[1-9][0-9]{0,3999})?", re.ASCII)


class Rps(Game):
    """Two players show rock, paper or scissors at once.

    Paper beats rock, scissors beat paper, and rock beats scissors. Who wins gets 1 from
    the other; the same gesture twice brings nothing.

    Any other game in which both players pick one of several moves at once is a matrix of
    what the first player gets from the second: a row for each move of the first, a column
    for each move of the second. It is read from a file (`rps:@FILE`), one row a line,
    whole numbers or fractions such as `1/2`. Its moves are `1`, `2` and so on. All entries
    of `matrix` are divided by `over`.

    A move is written as both parts, the first player's before the second's: `rock-paper`,
    `2-1`. A position in one line is the numbers of the two moves: `first=2 second=1`, and
    `first=0 second=0` before they are made.
    """

    players: ClassVar[int] = 2

    matrix: tuple[tuple[int, ...], ...] = ()
    over: int = 1

    class State(NamedTuple):
        """The number of each player's move, from 1; 0 before the moves."""

        first: int
        second: int

    def setup(self) -> None:
        self.rows = self.matrix or _BEATS
        if len(set(map(len, self.rows))) > 1 or not self.rows[0]:
            raise ParameterError(
                "rps: the rows of the matrix must be equally long",
                found=", ".join(map(str, map(len, self.rows))),
                allowed="one number or more in each row, and as many in all",
            )
        if self.over < 1:
            raise ParameterError("rps: over must be at least 1", found=str(self.over), allowed="1, 2, ...")

    def limits(self) -> State:
        return self.State(len(self.rows), len(self.rows[0]))

    def start(self) -> State:
        return self.State(0, 0)

    def to_move(self, state: State) -> tuple[int, int]:
        return (0, 1)

    def moves(self, state: State) -> Iterator[tuple[int, int]]:
        if state.first == 0:
            yield from product(range(1, len(self.rows) + 1), range(1, len(self.rows[0]) + 1))

    def play(self, state: State, move: tuple[int, int]) -> State:
        return self.State(*move)

    def payoff(self, state: State) -> tuple[Fraction, Fraction]:
        gain = Fraction(self.rows[state.first - 1][state.second - 1], self.over)
        return (gain, -gain)

    def show_move(self, state: State, move: tuple[int, int]) -> str:
        return "-".join(map(str, move) if self.matrix else (_GESTURES[part - 1] for part in move))

    def draw(self, state: State) -> str:
        if state.first == 0:
            return "both are to move"
        return f"first and second have moved: {self.show_move(state, (state.first, state.second))}"

    def draw_board(self, state: State) -> kit.Board:
        """Both gestures; before that all pairs of them, as a table."""
        if state.first == 0:
            choices = [
                [(self._name(part), self._piece(part)) for part in range(1, count + 1)]
                for count in (len(self.rows), len(self.rows[0]))
            ]
            tables = joint("First's move down, second's across", *choices)
            return kit.Board(self.title(), tuple(tables) or (kit.Panel(self.draw(state)),))
        shown = [
            slot
            for player, part in enumerate(state)
            for slot in (kit.Slot(kit.disc(player), 44), kit.Slot(self._piece(part), 90))
        ]
        gain = self.payoff(state)[0]
        label = "Nobody wins" if gain == 0 else f"{self.player_names[gain < 0].capitalize()} gets {abs(gain)}"
        return kit.Board(self.title(), (kit.Row((*shown, kit.Slot(kit.word(label, before=12), 27)), ground="well"),))

    def _name(self, part: int) -> str:
        return str(part) if self.matrix else _GESTURES[part - 1]

    def _piece(self, part: int) -> kit.Piece:
        return kit.tile(part) if self.matrix else kit.hand(part - 1)

    @classmethod
    def from_file(cls, text: str) -> tuple[Rps, tuple[str, ...]]:
        """One row of the matrix a line, entries separated by blanks or commas."""
        rows = [_entries(number, line) for number, line in enumerate(text.split("\n"), 1) if line.strip()]
        if not rows or len(set(map(len, rows))) > 1:
            raise FileError(
                f"{cls.name}: the matrix cannot be read",
                found=f"rows of {', '.join(map(str, map(len, rows)))} entries" if rows else "no rows",
                allowed="one row a line, each with as many numbers",
            )
        over = lcm(*(entry.denominator for row in rows for entry in row))
        return cls(matrix=tuple(tuple(int(entry * over) for entry in row) for row in rows), over=over), ()


def _entries(number: int, line: str) -> list[Fraction]:
    """The numbers of a line; `FileError` for the first that is none."""
    words = line.replace(",", " ").split()
    strange = next((word for word in words if not _ENTRY.fullmatch(word)), None)
    if strange is not None:
        raise FileError(
            f"{Rps.name}: line {number} of the file cannot be read",
            found=repr(strange if len(strange) <= 40 else strange[:39] + "…"),
            allowed="whole numbers, or fractions such as 1/2, separated by blanks or commas",
        )
    return list(map(Fraction, words))
