"""Puzzles that are searched from both ends: pancakes, the 2x2x2 cube, lights. Each move costs 1.

The same as `pancakes`, `pocketcube` and `lights`, which name the sources, with a number of the state for each cell.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from endsight.game import Game

FACES = (((0, 1, 2, 3), (0, 0, 0, 0)), ((0, 3, 4, 5), (1, 2, 1, 2)), ((2, 6, 4, 3), (2, 1, 2, 1)))
"""For each face its four places in the order in which a quarter turn moves corners on, and the twist each gets."""


class State(NamedTuple):
    """What is in each cell."""

    cells: tuple[int, ...]


class Pancakes(Game):
    """Turn over the upper part of a stack until the sizes are in order."""

    players = 1
    count: int = 10

    State = State

    def setup(self) -> None:
        self.goal = tuple(range(self.count))

    def limits(self) -> State:
        return self.State(self.count - 1)

    def start(self) -> State:
        """Even sizes first, then odd ones."""
        return self.State((*range(0, self.count, 2), *range(1, self.count, 2)))

    def moves(self, state: State) -> Iterator[int]:
        if state.cells != self.goal:
            yield from range(2, self.count + 1)

    def play(self, state: State, move: int) -> State:
        return self.State((*state.cells[:move][::-1], *state.cells[move:]))

    def reward(self, state: State, move: int) -> int:
        return -1

    def payoff(self, state: State) -> int:
        return 0

    def before(self, state: State) -> Iterator[State]:
        for move in range(2, self.count + 1):
            yield self.play(state, move)

    def ends(self) -> Iterator[State]:
        yield self.State(self.goal)


class PocketCube(Game):
    """Turn three faces of the 2x2x2 cube, one corner of which is held still, until all corners are in order.

    Two corners are exchanged at the start, which is 11 turns away, as far as any. A cell holds the corner that is
    there, times 3, plus its twist.
    """

    players = 1

    State = State

    def setup(self) -> None:
        self.order = tuple(range(0, 21, 3))

    def limits(self) -> State:
        return self.State(20)

    def start(self) -> State:
        return self.State((0, 3, 6, 9, 12, 18, 15))

    def moves(self, state: State) -> Iterator[int]:
        """Three times the face, plus the number of quarter turns less one."""
        if state.cells != self.order:
            yield from range(9)

    def play(self, state: State, move: int) -> State:
        cells = list(state.cells)
        places, twists = FACES[move // 3]
        for _ in range(move % 3 + 1):
            before = list(cells)
            for step in range(4):
                corner = before[places[step]]
                cells[places[(step + 1) % 4]] = corner - corner % 3 + (corner + twists[step]) % 3
        return self.State(tuple(cells))

    def reward(self, state: State, move: int) -> int:
        return -1

    def payoff(self, state: State) -> int:
        return 0

    def before(self, state: State) -> Iterator[State]:
        for move in range(9):
            yield self.play(state, move)

    def ends(self) -> Iterator[State]:
        yield self.State(self.order)


class Lights(Game):
    """A press changes a lamp and its neighbours; all lamps start lit, and none is lit at the end."""

    players = 1
    size: int = 5

    State = State

    def setup(self) -> None:
        places = [divmod(cell, self.size) for cell in range(self.size**2)]
        self.near = tuple(
            tuple(cell for cell, (row, column) in enumerate(places) if abs(row - y) + abs(column - x) <= 1)
            for y, x in places
        )
        self.dark = (0,) * self.size**2

    def limits(self) -> State:
        return self.State(1)

    def start(self) -> State:
        return self.State((1,) * self.size**2)

    def moves(self, state: State) -> Iterator[int]:
        if state.cells != self.dark:
            yield from range(self.size**2)

    def play(self, state: State, move: int) -> State:
        cells = list(state.cells)
        for cell in self.near[move]:
            cells[cell] = 1 - cells[cell]
        return self.State(tuple(cells))

    def reward(self, state: State, move: int) -> int:
        return -1

    def payoff(self, state: State) -> int:
        return 0

    def before(self, state: State) -> Iterator[State]:
        for move in range(self.size**2):
            yield self.play(state, move)

    def ends(self) -> Iterator[State]:
        yield self.State(self.dark)
