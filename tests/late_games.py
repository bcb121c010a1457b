"""A game with chance, with a prize, or with a loop, in which play is only won or lost, later or elsewhere."""

from __future__ import annotations

from typing import NamedTuple

from endsight import CHANCE, Game


class Heaps(Game):
    """Who takes the last object wins: after a coin, with a prize of 3 one way, or where one may pass.

    kind  coin: a coin decides the way; prize: the first player does, and way 2 pays 3; loop: way 2 lets players pass
    """

    kind: str = "coin"
    players = 2
    endless = (-1, 1)

    class State(NamedTuple):
        """Objects, whose turn it is, and the way taken."""

        heap: int
        turn: int
        way: int

    def limits(self) -> State:
        """The full heap."""
        return self.State(5, 1, 2)

    def start(self) -> State:
        """No way is taken."""
        return self.State(5, 0, 0)

    def to_move(self, state: State) -> int:
        """The coin, or the player whose turn it is."""
        return CHANCE if state.way == 0 and self.kind == "coin" else state.turn

    def moves(self, state: State) -> tuple[int, ...]:
        """A way; then one or two objects, or none."""
        if state.heap == 0:
            return ()
        passing = state.way == 2 and self.kind == "loop"
        return (0, 1, 2)[0 if passing else 1 : 2 if state.way and state.heap == 1 else 3]

    def play(self, state: State, move: int) -> State:
        """The objects that are left."""
        if state.way == 0:
            return self.State(state.heap, state.turn, move)
        return self.State(state.heap - move, 1 - state.turn, state.way)

    def payoff(self, state: State) -> tuple[int, int]:
        """Who is to move has lost."""
        prize = 3 if state.way == 2 and self.kind == "prize" else 1
        return (-prize, prize) if state.turn == 0 else (prize, -prize)
