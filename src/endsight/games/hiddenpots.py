"""Pots of gold in a line, with only the two ends in view."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar, NamedTuple

import endsight.board as kit
from endsight.base.faults import ParameterError, PositionError
from endsight.game import CHANCE, Game

LEFT, RIGHT = 0, 1
_MOST_CLOSED, _MOST_AMOUNTS = 12, 60


class HiddenPots(Game):
    """Two players take pots of gold from the ends of a line whose inside is hidden.

    There are `count` pots. Each holds 1 to `max` gold, every amount with the same chance
    and independent of the others. Only the pots at the two ends are uncovered: at the
    start the left end, then the right end. The players alternate. A move takes the pot at
    the left end (`L`) or at the right end (`R`), and its gold is the mover's; then the
    pot that has become that end is uncovered. The last pot is taken with `L`. The game
    ends when the line is empty.

    The outcomes of chance are the amounts uncovered: `4 1 L 3` is a line with 4 on the
    left and 1 on the right, the 4 taken and a 3 uncovered in its place.

    A position in one line is what the two ends hold, with 0 for an end that is not yet
    uncovered, and how many pots are hidden: `left=3 right=1 hidden=4`. A single pot that
    is left stands on the left: `left=3 right=0 hidden=0`. Whose turn it is follows from
    how many pots are gone.
    """

    players: ClassVar[int] = 2

    count: int
    max: int

    class State(NamedTuple):
        """Gold at the two ends (0: not uncovered, or no pot there) and the number of hidden pots."""

        left: int
        right: int
        hidden: int

    def setup(self) -> None:
        for key, value, least in (("count", self.count, 0), ("max", self.max, 1)):
            if value < least:
                raise ParameterError(
                    f"{self.name}: {key}={value} is out of range", found=str(value), allowed=f"{key} from {least} up"
                )

    def limits(self) -> State:
        return self.State(self.max, self.max, self.count)

    def start(self) -> State:
        return self.State(0, 0, self.count)

    def to_move(self, state: State) -> int:
        if state.hidden > 0 and (state.left == 0 or state.right == 0):
            return CHANCE
        return self.turn(state)

    def turn(self, state: State) -> int:
        """Number of the player who takes the next pot."""
        return (self.count - state.hidden - int(state.left > 0) - int(state.right > 0)) % 2

    def moves(self, state: State) -> Iterator[int]:
        if state.hidden > 0 and (state.left == 0 or state.right == 0):
            yield from range(1, self.max + 1)
        elif state.left > 0:
            yield LEFT
            if state.right > 0:
                yield RIGHT

    def play(self, state: State, move: int) -> State:
        if state.hidden > 0 and state.left == 0:
            return self.State(move, state.right, state.hidden - 1)
        if state.hidden > 0 and state.right == 0:
            return self.State(state.left, move, state.hidden - 1)
        if state.hidden == 0:
            return self.State(state.right if move == LEFT else state.left, 0, 0)
        if move == LEFT:
            return self.State(0, state.right, state.hidden)
        return self.State(state.left, 0, state.hidden)

    def reward(self, state: State, move: int) -> tuple[int, int]:
        if state.hidden > 0 and (state.left == 0 or state.right == 0):
            return (0, 0)
        gold = state.left if move == LEFT else state.right
        return (gold, 0) if self.turn(state) == 0 else (0, gold)

    def payoff(self, state: State) -> tuple[int, int]:
        return (0, 0)

    def canonical(self, state: State) -> State:
        # The hidden pots are alike, so the line may be turned round.
        if state.left < state.right:
            return self.State(state.right, state.left, state.hidden)
        return state

    def policy_bigger(self, state: State) -> int:
        """The bigger of the two ends, the right one where they are equal."""
        return LEFT if state.left > state.right else RIGHT

    def policy_smaller(self, state: State) -> int:
        """The smaller of the two ends, the left one where they are equal."""
        return LEFT if state.right == 0 or state.left <= state.right else RIGHT

    def show_move(self, state: State, move: int) -> str:
        return str(move) if self.to_move(state) == CHANCE else "LR"[move]

    def name_move(self, state: State, move: int) -> str:
        """`take left, 4`; nothing for the gold of a pot that is opened."""
        if self.to_move(state) == CHANCE:
            return ""
        return f"take left, {state.left}" if move == LEFT else f"take right, {state.right}"

    def parse_move(self, state: State, text: str) -> int | None:
        if self.to_move(state) != CHANCE:
            move: int | None = super().parse_move(state, text)
            return move
        if not (text.isascii() and text.isdecimal()) or len(text) > len(str(self.max)) or str(int(text)) != text:
            return None
        return int(text) if 1 <= int(text) <= self.max else None

    def parse(self, text: str) -> State:
        state: HiddenPots.State = super().parse(text)
        fault = self._fault(state)
        if fault:
            raise PositionError(
                f"{self.name}: no such position: {text}",
                found=fault,
                allowed="two ends and the hidden pots between them, 0 for an end about to be uncovered",
            )
        return state

    def _fault(self, state: State) -> str | None:
        """Why `state` cannot come up, or None."""
        if state == self.start():
            return None
        seen = int(state.left > 0) + int(state.right > 0)
        if state.hidden + seen > self.count:
            return f"{state.hidden + seen} pots of {self.count}"
        if state.hidden > 0 and seen == 0:
            return "both ends are covered, though not at the start"
        if state.left == 0 and state.right > 0 and state.hidden == 0:
            return "a single pot stands on the left"
        if state.left == 0 and state.right > 0 and state.hidden + 1 == self.count:
            return "at the start the left end is uncovered first"
        return None

    def draw(self, state: State) -> str:
        if state == self.State(0, 0, 0):
            return "no pot is left"
        ends = [f"[{gold}]" if gold else "" for gold in (state.left, state.right)]
        row = " ".join(part for part in (ends[0], _covered(state.hidden), ends[1]) if part)
        if self.to_move(state) == CHANCE:
            return row
        return " L" + ("R".rjust(len(row) - 3) if state.right else "") + "\n" + row

    def draw_board(self, state: State) -> kit.Board:
        """The pots on a shelf, closed between the ends; or the amounts that may come to light."""
        closed = [None] * min(state.hidden, _MOST_CLOSED)
        is_chance = state.hidden > 0 and 0 in (state.left, state.right)
        golds = [*([state.left] if state.left else []), *closed, *([state.right] if state.right else [])]
        if not golds:
            return kit.Board("Hidden pots", (kit.Row((kit.Slot(kit.word("No pot is left"), 27),)),))
        ends = [] if is_chance else [("L", 0), ("R", len(golds) - 1)][: 1 + (state.right > 0)]
        places = [
            kit.Place(move, kit.Box(4 + 100 * number, 30, 100, 181), label=kit.Box(4 + 100 * number, 144, 100, 70))
            for move, number in ends
        ]
        parts: list[kit.Part] = [
            kit.shelf(
                f"Line of {len(golds)} pots", [kit.pot(gold) for gold in golds], places, 155 if is_chance else 215
            )
        ]
        if state.hidden > _MOST_CLOSED:
            parts.append(kit.Row((kit.Slot(kit.word(f"{state.hidden} pots are closed"), 27),)))
        if is_chance:
            end = "left" if state.left == 0 else "right"
            amounts = [kit.Slot(kit.pot(gold), 60, str(gold)) for gold in range(1, min(self.max, _MOST_AMOUNTS) + 1)]
            parts.append(kit.Row(tuple(amounts), f"The pot on the {end} holds"))
        return kit.Board("Hidden pots", tuple(parts))


def _covered(hidden: int) -> str:
    """A question mark for each hidden pot; the middle left out where there are many."""
    if hidden <= 16:
        return " ".join("?" * hidden)
    return f"? ? ? ... {hidden - 6} more ... ? ? ?"
