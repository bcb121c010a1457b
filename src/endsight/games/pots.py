"""Pots of gold in a line."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from typing import ClassVar, NamedTuple

import endsight.board as kit
from endsight.base.faults import FileError, ParameterError, PositionError
from endsight.game import Game

LEFT, RIGHT = 0, 1
WIDTH = 60
"""Columns that a drawing may take before pots in the middle are left out."""
_LONGEST_DRAWING = 16


class Pots(Game):
    """Two players take pots of gold from the ends of a line.

    The players alternate. A move takes the pot at the left end (`L`) or at the right end
    (`R`) of the line, and its gold is the mover's; the last pot is taken with `L`. The
    game ends when the line is empty. The gold in a pot is any whole number, also 0 or
    less, and all of it is known from the start.

    The pots are numbered from 0 on the left. A position in one line says where the rest
    of the line begins and before which pot it ends: `left=2 right=7` are the pots 2 to 6.
    Whose turn it is follows from how many pots are gone.
    """

    players: ClassVar[int] = 2

    pots: tuple[int, ...]

    class State(NamedTuple):
        """The pots that are left: number `left` is the first of them, `right` the first beyond."""

        left: int
        right: int

    def setup(self) -> None:
        if not set(map(type, self.pots)) <= {int}:
            place, gold = next(item for item in enumerate(self.pots, 1) if type(item[1]) is not int)
            raise ParameterError(
                f"{self.name}: pot number {place} is not a whole number",
                found=repr(gold),
                allowed="whole numbers, also 0 and below",
                advice="pots:4-9-2-7, or pots:-3-7--2-5 with pots of -3 and -2",
            )
        self.count = len(self.pots)

    def limits(self) -> State:
        return self.State(self.count, self.count)

    def start(self) -> State:
        return self.State(0, self.count)

    def to_move(self, state: State) -> int:
        return (self.count - state.right + state.left) % 2

    def moves(self, state: State) -> Iterator[int]:
        if state.left < state.right:
            yield LEFT
            if state.right - state.left > 1:
                yield RIGHT

    def play(self, state: State, move: int) -> State:
        if move == LEFT:
            return self.State(state.left + 1, state.right)
        return self.State(state.left, state.right - 1)

    def reward(self, state: State, move: int) -> tuple[int, int]:
        gold = self.pots[state.left] if move == LEFT else self.pots[state.right - 1]
        return (gold, 0) if self.to_move(state) == 0 else (0, gold)

    def payoff(self, state: State) -> tuple[int, int]:
        return (0, 0)

    def policy_bigger(self, state: State) -> int:
        """The bigger of the two ends, the right one where they are equal."""
        if state.right - state.left == 1 or self.pots[state.left] > self.pots[state.right - 1]:
            return LEFT
        return RIGHT

    def policy_smaller(self, state: State) -> int:
        """The smaller of the two ends, the left one where they are equal."""
        if state.right - state.left == 1 or self.pots[state.left] <= self.pots[state.right - 1]:
            return LEFT
        return RIGHT

    def show_move(self, state: State, move: int) -> str:
        return "LR"[move]

    def name_move(self, state: State, move: int) -> str:
        """`take left, 4`."""
        return f"take right, {self._gold(state.right - 1)}" if move == RIGHT else f"take left, {self._gold(state.left)}"

    def parse(self, text: str) -> State:
        state: Pots.State = super().parse(text)
        if state.left > state.right:
            raise PositionError(
                f"{self.name}: no such position: {text}",
                found=f"the line would begin at {state.left} and end before {state.right}",
                allowed="left up to right; the two are equal when no pot is left",
            )
        return state

    def draw(self, state: State) -> str:
        count = state.right - state.left
        if count == 0:
            return "no pot is left"
        # All pots where they fit, else as many next to each end as fit, at least one.
        for shown in (min(count, WIDTH // 2), *range(10, 0, -1)):
            row = self._row(state, shown)
            if len(row) <= WIDTH:
                break
        marks = " L" if count == 1 else " L" + "R".rjust(len(row) - 3)
        return f"{marks}\n{row}"

    def draw_board(self, state: State) -> kit.Board:
        """The pots on a shelf; one at an end is the move there. Long lines show some pots next to each end."""
        golds = [self._gold(pot) for pot in range(state.left, state.right)]
        if not golds:
            return kit.Board("Pots of gold", (kit.Row((kit.Slot(kit.word("No pot is left"), 30),)),))
        left_out = max(0, len(golds) - _LONGEST_DRAWING)
        half = _LONGEST_DRAWING // 2
        shown = [*golds[:half], "…", *golds[-half:]] if left_out else golds
        ends = (("L", 0), ("R", len(shown) - 1)) if len(shown) > 1 else (("L", 0),)
        places = [
            kit.Place(move, kit.Box(4 + 100 * number, 30, 100, 181), label=kit.Box(4 + 100 * number, 144, 100, 70))
            for move, number in ends
        ]
        return kit.Board("Pots of gold", (kit.shelf("Line of pots", list(map(kit.pot, shown)), places),))

    def _row(self, state: State, shown: int) -> str:
        """The line in one row with both ends in brackets, and up to `shown` pots next to each."""
        first, last = state.left, state.right - 1
        front = range(first + 1, min(first + 1 + shown, last))
        back = range(max(last - shown, front.stop), last)
        hidden = back.start - front.stop
        middle = [f"... {hidden} more ..."] if hidden > 0 else []
        end = [f"[{self._gold(last)}]"] if first < last else []
        inner = [*map(self._gold, front), *middle, *map(self._gold, back)]
        return " ".join([f"[{self._gold(first)}]", *inner, *end])

    def _gold(self, pot: int) -> str:
        gold = self.pots[pot]
        bits = gold.numerator.bit_length() - gold.denominator.bit_length()
        return str(gold) if abs(bits) + gold.denominator.bit_length() < 128 else f"{'-' * (gold < 0)}2^{bits}"

    @classmethod
    def from_file(cls, text: str) -> tuple[Pots, tuple[str, ...]]:
        """Whole numbers separated by blanks, commas or newlines; none at all is the empty line."""
        return cls(pots=_numbers(text)), ()


def _numbers(text: str) -> tuple[int, ...]:
    """All words as whole numbers; `FileError` with the line and place of the first that is none."""
    words = text.replace(",", " ").split()
    if text.isascii() and "_" not in text:
        with suppress(ValueError):
            return tuple(map(int, words))
    lines = (line.replace(",", " ").split() for line in text.split("\n"))
    return tuple(
        _number(word, number, place) for number, line in enumerate(lines, 1) for place, word in enumerate(line, 1)
    )


def _number(word: str, line: int, place: int) -> int:
    # Python would read 1_000 and digits of other scripts as well.
    if word.isascii() and "_" not in word:
        with suppress(ValueError):
            return int(word)
    raise FileError(
        f"{Pots.name}: line {line} of the file, word {place}, is not a whole number",
        found=repr(word if len(word) <= 40 else word[:39] + "…"),
        allowed="whole numbers of up to 4,300 digits, separated by blanks, commas or newlines",
    )
