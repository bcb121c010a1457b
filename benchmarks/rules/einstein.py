"""EinStein würfelt nicht on a small board: three stones a side, and a die of three faces says which one moves.

Source: the game of I. Althöfer (2004), made smaller. A stone moves one square towards the rival's corner, straight or
diagonally, and removes what stands there; where the stone of the die is gone, the next lower or the next higher one
moves. 81,076 positions on 3x3; the first player wins with chance (1 + 97/243) / 2.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from endsight.game import CHANCE, Game


class Einstein(Game):
    """Two players; who reaches the rival's corner, or has the only stones left, wins."""

    size: int = 3

    class State(NamedTuple):
        """Every stone's square plus one, 0 where it is gone; the player to move; the die, 0 before it is cast."""

        first1: int
        first2: int
        first3: int
        second1: int
        second2: int
        second3: int
        turn: int
        die: int

    def setup(self) -> None:
        self.last = self.size * self.size

    def limits(self) -> State:
        last = self.last
        return self.State(last, last, last, last, last, last, 1, 3)

    def start(self) -> State:
        size, last = self.size, self.last
        return self.State(2, size + 1, 1, last - 1, last - size, last, 0, 0)

    def to_move(self, state: State) -> int:
        return state.turn if state.die else CHANCE

    def stone(self, state: State, player: int, number: int) -> int:
        """Where stone `number` (0, 1, 2) of a player stands."""
        if number == 0:
            return state.second1 if player else state.first1
        if number == 1:
            return state.second2 if player else state.first2
        return state.second3 if player else state.first3

    def has_ended(self, state: State) -> bool:
        """Whether somebody has lost all stones or is in the rival's corner."""
        if state.first1 + state.first2 + state.first3 == 0 or state.second1 + state.second2 + state.second3 == 0:
            return True
        if state.first1 == self.last or state.first2 == self.last or state.first3 == self.last:
            return True
        return state.second1 == 1 or state.second2 == 1 or state.second3 == 1

    def may_move(self, state: State, number: int) -> bool:
        """Whether the die lets stone `number` of the player to move go: its own, or the nearest left on either side."""
        die = state.die - 1
        if self.stone(state, state.turn, number) == 0:
            return False
        step = 1 if number < die else -1
        between = number
        while between != die:
            between += step
            if self.stone(state, state.turn, between):
                return False
        return True

    def moves(self, state: State) -> Iterator[int]:
        if self.has_ended(state):
            return
        if state.die == 0:
            yield 1
            yield 2
            yield 3
            return
        for number in range(3):
            if self.may_move(state, number):
                square = self.stone(state, state.turn, number) - 1
                row, column = square // self.size, square % self.size
                goal = 0 if state.turn else self.size - 1
                if column != goal:
                    yield 3 * number
                if row != goal:
                    yield 3 * number + 1
                if column != goal and row != goal:
                    yield 3 * number + 2

    def landed(self, stone: int, is_mover: bool, target: int) -> int:
        """Where a stone stands after one has gone to `target`."""
        if is_mover:
            return target
        return 0 if stone == target else stone

    def play(self, state: State, move: int) -> State:
        if state.die == 0:
            return state._replace(die=move)
        number, way = move // 3, move % 3
        step = 1 if way == 0 else self.size if way == 1 else self.size + 1
        place = self.stone(state, state.turn, number)
        target = place - step if state.turn else place + step
        return self.State(
            self.landed(state.first1, state.turn == 0 and number == 0, target),
            self.landed(state.first2, state.turn == 0 and number == 1, target),
            self.landed(state.first3, state.turn == 0 and number == 2, target),
            self.landed(state.second1, state.turn == 1 and number == 0, target),
            self.landed(state.second2, state.turn == 1 and number == 1, target),
            self.landed(state.second3, state.turn == 1 and number == 2, target),
            1 - state.turn,
            0,
        )

    def payoff(self, state: State) -> tuple[int, int]:
        is_won = state.second1 + state.second2 + state.second3 == 0 or self.last in (
            state.first1,
            state.first2,
            state.first3,
        )
        return (1, -1) if is_won else (-1, 1)
