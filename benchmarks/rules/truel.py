"""The truel: three shoot in turn, at whom they like or into the air, until one is left.

Source: D. M. Kilgour, "The sequential truel", International Journal of Game Theory 4 (1975). With chances 1/3, 2/3 and
1, first to last, they survive with chances 25/63, 8/21 and 2/9. 24 positions.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from endsight.game import CHANCE, Game


class Truel(Game):
    """Three players; `hits` of `shots` shots hit. To survive is worth 1."""

    players = 3
    hits: tuple[int, ...] = (1, 2, 3)
    shots: int = 3

    class State(NamedTuple):
        """Who is alive, as a bit set; who shoots; and at whom plus one, 0 before that is said."""

        alive: int
        turn: int
        aim: int

    def limits(self) -> State:
        return self.State(7, 2, 3)

    def start(self) -> State:
        return self.State(7, 0, 0)

    def to_move(self, state: State) -> int:
        return CHANCE if state.aim else state.turn

    def moves(self, state: State) -> Iterator[int]:
        if state.alive & (state.alive - 1) == 0:
            return
        if state.aim:
            if self.hits[state.turn]:
                yield 1
            if self.hits[state.turn] < self.shots:
                yield 0
            return
        for rival in range(3):
            if rival != state.turn and (state.alive >> rival) & 1:
                yield rival + 1
        if state.alive == 7:
            yield 4

    def weight(self, state: State, move: int) -> int:
        return self.hits[state.turn] if move else self.shots - self.hits[state.turn]

    def play(self, state: State, move: int) -> State:
        if state.aim == 0 and move < 4:
            return state._replace(aim=move)
        alive = state.alive ^ (1 << (state.aim - 1)) if state.aim and move else state.alive
        turn = (state.turn + 1) % 3
        if not (alive >> turn) & 1:
            turn = (turn + 1) % 3
        return self.State(alive, turn, 0)

    def payoff(self, state: State) -> tuple[int, int, int]:
        return state.alive & 1, (state.alive >> 1) & 1, (state.alive >> 2) & 1
