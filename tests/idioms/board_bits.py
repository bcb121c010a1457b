"""The games of `board_games` with boards of bits made by hand for speed: what those are measured against."""

# ruff: noqa: SIM110

from __future__ import annotations

from typing import NamedTuple

from endsight import CHANCE, Game


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


class HexapawnBits(Board):
    width: int = 3

    def start(self):
        row = (1 << self.width) - 1
        return self.State(row << self.width * (self.height - 1), row, 0)

    def moves(self, state):
        row = (1 << self.width) - 1
        if state.first & row or state.second >> self.width * (self.height - 1):
            return
        own = state.second if state.turn else state.first
        other = state.first if state.turn else state.second
        for source in range(self.width * self.height):
            if own >> source & 1:
                ahead = source + self.width if state.turn else source - self.width
                if not (own | other) >> ahead & 1:
                    yield source * 16 + ahead
                free = self.aside(own, other)
                if source % self.width > 0 and free >> ahead - 1 & 1:
                    yield source * 16 + ahead - 1
                if source % self.width + 1 < self.width and free >> ahead + 1 & 1:
                    yield source * 16 + ahead + 1

    def aside(self, own, other):
        return other

    def play(self, state, move):
        source = 1 << (move >> 4)
        target = 1 << (move & 15)
        if state.turn:
            return self.State(state.first & ~target, state.second & ~source | target, 0)
        return self.State(state.first & ~source | target, state.second & ~target, 1)


class BreakthroughBits(HexapawnBits):
    height: int = 4

    def aside(self, own, other):
        return ~own


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
                        lines.append(sum(1 << self.cell(column, row) for column, row in line))
        self.lines = tuple(lines)

    def cell(self, column, row):
        return row * self.width + column

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


class ConnectThreeBits(FourInARowBits):
    def cell(self, column, row):
        return column * self.height + row

    def moves(self, state):
        if not self.won(state):
            taken = state.first | state.second
            for column in range(self.width):
                if not taken >> column * self.height + self.height - 1 & 1:
                    yield column

    def play(self, state, move):
        column = (1 << self.height) - 1 << move * self.height
        stone = ((state.first | state.second) & column) + (1 << move * self.height) & column
        stone &= ~(state.first | state.second)
        if state.turn:
            return self.State(state.first, state.second | stone, 0)
        return self.State(state.first | stone, state.second, 1)


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


class MancalaBits(Game):
    """Four bits a pit."""

    pits: int = 3
    seeds: int = 2

    class State(NamedTuple):
        board: int
        second: int

    def limits(self):
        return self.State((1 << 8 * (self.pits + 1)) - 1, 1)

    def start(self):
        side = sum(self.seeds << 4 * pit for pit in range(self.pits))
        return self.State(side | side << 4 * (self.pits + 1), 0)

    def to_move(self, state):
        return state.second

    def moves(self, state):
        side = (1 << 4 * self.pits) - 1
        if state.board & side and state.board >> 4 * (self.pits + 1) & side:
            own = state.board >> (4 * (self.pits + 1) if state.second else 0)
            for pit in range(self.pits):
                if own >> 4 * pit & 15:
                    yield pit

    def play(self, state, move):
        base = self.pits + 1 if state.second else 0
        skipped = self.pits if state.second else 2 * self.pits + 1
        at = base + move
        hand = state.board >> 4 * at & 15
        board = state.board - (hand << 4 * at)
        while hand:
            at = 0 if at == 2 * self.pits + 1 else at + 1
            if at != skipped:
                board += 1 << 4 * at
                hand -= 1
        return self.State(board, state.second if at == base + self.pits else 1 - state.second)

    def payoff(self, state):
        lead = 0
        for pit in range(self.pits + 1):
            lead += (state.board >> 4 * pit & 15) - (state.board >> 4 * (pit + self.pits + 1) & 15)
        return lead, -lead


class RaceBits(Game):
    """Two bits for the pieces that wait, and one for a piece at home, a player."""

    length: int = 4

    class State(NamedTuple):
        first: int
        second: int
        waiting: int
        home: int
        roll: int
        player: int

    def limits(self):
        track = (1 << self.length) - 1
        return self.State(track, track, 15, 3, 2, 1)

    def start(self):
        return self.State(0, 0, 5, 0, 0, 0)

    def to_move(self, state):
        return state.player if state.roll else CHANCE

    def moves(self, state):
        if state.home:
            return
        if not state.roll:
            yield 1
            yield 2
            return
        own = state.second if state.player else state.first
        some = False
        if state.waiting >> 2 * state.player & 3 and not own >> state.roll - 1 & 1:
            some = True
            yield -1
        for at in range(self.length):
            if own >> at & 1 and not own >> at + state.roll & 1:
                some = True
                yield at
        if not some:
            yield -2

    def play(self, state, move):
        if not state.roll:
            return state._replace(roll=move)
        own = state.second if state.player else state.first
        other = state.first if state.player else state.second
        waiting, home = state.waiting, state.home
        if move != -2:
            target = move + state.roll
            if move == -1:
                waiting -= 1 << 2 * state.player
            else:
                own &= ~(1 << move)
            if target >= self.length:
                home |= 1 << state.player
            else:
                own |= 1 << target
                waiting += (other >> target & 1) << 2 * (1 - state.player)
                other &= ~(1 << target)
        if state.player:
            return self.State(other, own, waiting, home, 0, 0)
        return self.State(own, other, waiting, home, 0, 1)

    def payoff(self, state):
        return (1, -1) if state.home & 1 else (-1, 1)


GAMES = [
    *(HexapawnBits, ClobberBits, DomineeringBits, ConnectThreeBits, BreakthroughBits),
    *(FourInARowBits, ColBits, KaylesBits, MancalaBits, RaceBits),
]
"""In the order of `board_games`."""
