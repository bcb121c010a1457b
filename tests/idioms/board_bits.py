"""Some of the games of `board_games` with boards of bits made by hand for speed: what those are measured against."""

# ruff: noqa: SIM110

from __future__ import annotations

from typing import NamedTuple

from endsight import Game


class Board(Game):
    """The stones of both players as the bits of two numbers, and whose turn it is."""

    width: int = 4
    height: int = 3

    class State(NamedTuple):
        first: int
        second: int
        turn: int

    def setup(self):
        cells = range(self.width * self.height)
        self.near = tuple(sum(1 << to for to in cells if self.apart(cell, to) == 1) for cell in cells)

    def apart(self, cell, other):
        rows, columns = cell // self.width - other // self.width, cell % self.width - other % self.width
        return abs(rows) + abs(columns)

    def limits(self):
        all_cells = (1 << self.width * self.height) - 1
        return self.State(all_cells, all_cells, 1)

    def to_move(self, state):
        return state.turn

    def start(self):
        return self.State(0, 0, 0)

    def payoff(self, state):
        return (1, -1) if state.turn else (-1, 1)


class ClobberBits(Board):
    def start(self):
        cells = range(self.width * self.height)
        first = sum(1 << cell for cell in cells if (cell // self.width + cell % self.width) % 2 == 0)
        return self.State(first, (1 << len(cells)) - 1 - first, 0)

    def moves(self, state):
        own = state.second if state.turn else state.first
        other = state.first if state.turn else state.second
        for source in range(self.width * self.height):
            if own >> source & 1:
                near = other & self.near[source]
                for target in range(self.width * self.height):
                    if near >> target & 1:
                        yield source * 16 + target

    def play(self, state, move):
        source = 1 << (move >> 4)
        target = 1 << (move & 15)
        if state.turn:
            return self.State(state.first & ~target, state.second & ~source | target, 0)
        return self.State(state.first & ~source | target, state.second & ~target, 1)


class ColBits(Board):
    width: int = 3

    def moves(self, state):
        own = state.second if state.turn else state.first
        taken = state.first | state.second
        for cell in range(self.width * self.height):
            if not taken >> cell & 1 and not own & self.near[cell]:
                yield cell

    def play(self, state, move):
        if state.turn:
            return self.State(state.first, state.second | 1 << move, 0)
        return self.State(state.first | 1 << move, state.second, 1)


class FourInARowBits(Board):
    goal: int = 3

    def setup(self):
        lines = []
        for y in range(self.height):
            for x in range(self.width):
                for right, down in ((1, 0), (0, 1), (1, 1), (-1, 1)):
                    line = [(x + step * right, y + step * down) for step in range(self.goal)]
                    if all(0 <= column < self.width and row < self.height for column, row in line):
                        lines.append(sum(1 << row * self.width + column for column, row in line))
        self.lines = tuple(lines)

    def won(self, state):
        last = state.first if state.turn else state.second
        for line in self.lines:
            if last & line == line:
                return True
        return False

    def moves(self, state):
        if not self.won(state):
            taken = state.first | state.second
            for cell in range(self.width * self.height):
                if not taken >> cell & 1:
                    yield cell

    def play(self, state, move):
        if state.turn:
            return self.State(state.first, state.second | 1 << move, 0)
        return self.State(state.first | 1 << move, state.second, 1)

    def payoff(self, state):
        if not self.won(state):
            return 0, 0
        return (1, -1) if state.turn else (-1, 1)


class DomineeringBits(Game):
    width: int = 4
    height: int = 4

    class State(NamedTuple):
        taken: int
        turn: int

    def limits(self):
        return self.State((1 << self.width * self.height) - 1, 1)

    def start(self):
        return self.State(0, 0)

    def to_move(self, state):
        return state.turn

    def moves(self, state):
        for cell in range(self.width * self.height):
            if state.turn:
                if cell % self.width + 1 < self.width and not state.taken >> cell & 3:
                    yield cell
            elif cell + self.width < self.width * self.height and not state.taken >> cell & (1 | 1 << self.width):
                yield cell

    def play(self, state, move):
        domino = 3 if state.turn else 1 | 1 << self.width
        return self.State(state.taken | domino << move, 1 - state.turn)

    def payoff(self, state):
        return (1, -1) if state.turn else (-1, 1)


class KaylesBits(Game):
    rows: tuple[int, ...] = (4, 3, 3)

    class State(NamedTuple):
        pins: int

    def limits(self):
        return self.start()

    def start(self):
        pins = at = 0
        for row in self.rows:
            pins |= (1 << row) - 1 << at
            at += row + 1
        return self.State(pins)

    def moves(self, state):
        for at in range(sum(self.rows) + len(self.rows)):
            if state.pins >> at & 1:
                yield at * 2
                if state.pins >> at & 2:
                    yield at * 2 + 1

    def play(self, state, move):
        return self.State(state.pins & ~((1 + 2 * (move & 1)) << (move >> 1)))

    def payoff(self, state):
        return -1
