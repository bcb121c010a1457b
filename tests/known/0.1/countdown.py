"""Rules of a user's own, of which version 0.1 made the files in this folder; nothing here is to be changed."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from endsight import Game
from endsight.game import CHANCE


class Countdown(Game):
    """Take 1 to `most` from a heap; who cannot take has lost."""

    heap: int = 10
    most: int = 3

    class State(NamedTuple):
        """What is left."""

        left: int

    def limits(self) -> State:
        return self.State(self.heap)

    def start(self) -> State:
        return self.State(self.heap)

    def moves(self, state: State) -> range:
        return range(1, min(self.most, state.left) + 1)

    def play(self, state: State, move: int) -> State:
        return self.State(state.left - move)

    def payoff(self, state: State) -> int:
        return -1


class Unequal(Game):
    """The second player may end a loop, for 3; payoffs are not win, draw and loss."""

    players = 2

    class State(NamedTuple):
        """The place: 0 and 1 go round, 2 is the end."""

        place: int

    def limits(self) -> State:
        return self.State(2)

    def start(self) -> State:
        return self.State(0)

    def to_move(self, state: State) -> int:
        return min(1, state.place)

    def moves(self, state: State) -> range:
        return range((1, 2, 0)[state.place])

    def play(self, state: State, move: int) -> State:
        return self.State(1 if state.place == 0 else 2 * move)

    def payoff(self, state: State) -> tuple[int, int]:
        return (-3, 3)


class Hasty(Game):
    """Whoever moves may win at once, or go on by a step; the first move may leave any number of them."""

    steps: int = 6000

    class State(NamedTuple):
        """Steps that are left."""

        left: int

    def limits(self) -> State:
        return self.State(self.steps)

    def start(self) -> State:
        return self.State(self.steps)

    def moves(self, state: State) -> range:
        return range(self.steps if state.left == self.steps else min(2, state.left))

    def play(self, state: State, move: int) -> State:
        return self.State(move if state.left == self.steps else (state.left - 1) * move)

    def payoff(self, state: State) -> int:
        return -1


class Three(Game):
    """Three players take turns to take 1 or 2 from a heap; who takes the last gets 2, the next one 1."""

    heap: int = 7
    players = 3

    class State(NamedTuple):
        """What is left, and whose turn it is."""

        left: int
        turn: int

    def limits(self) -> State:
        return self.State(self.heap, 2)

    def start(self) -> State:
        return self.State(self.heap, 0)

    def to_move(self, state: State) -> int:
        return state.turn

    def moves(self, state: State) -> range:
        return range(1, min(2, state.left) + 1)

    def play(self, state: State, move: int) -> State:
        return self.State(state.left - move, (state.turn + 1) % 3)

    def payoff(self, state: State) -> tuple[int, int, int]:
        shares = [0, 0, 0]
        shares[(state.turn + 2) % 3] = 2
        shares[state.turn] = 1
        return (shares[0], shares[1], shares[2])


class Ladder(Game):
    """Climb `rungs` rungs, by chance once the foothold is good; who gets up last wins."""

    rungs: int = 3
    players = 2

    class State(NamedTuple):
        """The rung, how good the foothold is, whose turn it is, and whether the coin is in the air."""

        rung: int
        foot: int
        turn: int
        tossed: int

    def limits(self) -> State:
        return self.State(self.rungs, 3, 1, 1)

    def start(self) -> State:
        return self.State(0, 0, 0, 0)

    def layer(self, state: State) -> int:
        return state.rung

    def to_move(self, state: State) -> int:
        return CHANCE if state.tossed and state.rung < self.rungs else state.turn

    def moves(self, state: State) -> Iterator[int]:
        if state.rung < self.rungs:
            yield 0
            yield 1

    def weight(self, state: State, move: int) -> int:
        return 2 + move

    def play(self, state: State, move: int) -> State:
        if not state.tossed:
            return self.State(state.rung, min(3, state.foot + 1 + move), state.turn, 1)
        if move and state.foot:
            return self.State(state.rung + 1, 0, 1 - state.turn, 0)
        return self.State(state.rung, max(0, state.foot - 1), 1 - state.turn, 0)

    def payoff(self, state: State) -> tuple[int, int]:
        return (1, -1) if state.turn else (-1, 1)


def last(game: Game, state: NamedTuple) -> int:
    """A policy: the last move that there is."""
    return list(game.moves(state))[-1]
