"""Ten board games with tuple boards, as somebody writes them who has read the tutorial "A board game" alone."""

# People write it so.
# ruff: noqa: RUF005

from __future__ import annotations

from typing import NamedTuple

from endsight import CHANCE, Game


class Hexapawn(Game):
    """Pawns step forward or take diagonally; who gets across, or leaves the other without a move, wins."""

    width: int = 3
    height: int = 3

    class State(NamedTuple):
        cells: tuple[int, ...]
        second: bool

    def limits(self):
        return self.State(cells=2, second=True)

    def start(self):
        empty = (0,) * (self.width * (self.height - 2))
        return self.State((2,) * self.width + empty + (1,) * self.width, False)

    def to_move(self, state):
        return 1 if state.second else 0

    def crossed(self, state):
        return 1 in state.cells[: self.width] or 2 in state.cells[-self.width :]

    def moves(self, state):
        if self.crossed(state):
            return
        own, other, ahead = (2, 1, 1) if state.second else (1, 2, -1)
        for cell, pawn in enumerate(state.cells):
            if pawn != own:
                continue
            row, column = divmod(cell, self.width)
            row += ahead
            if not 0 <= row < self.height:
                continue
            if state.cells[row * self.width + column] == 0:
                yield cell, row * self.width + column
            for side in (column - 1, column + 1):
                if 0 <= side < self.width and state.cells[row * self.width + side] == other:
                    yield cell, row * self.width + side

    def play(self, state, move):
        source, target = move
        cells = list(state.cells)
        cells[target] = cells[source]
        cells[source] = 0
        return self.State(tuple(cells), not state.second)

    def payoff(self, state):
        return (1, -1) if state.second else (-1, 1)


class Clobber(Game):
    """Move a stone onto a neighbour of the other colour. Who cannot move has lost."""

    width: int = 4
    height: int = 3

    class State(NamedTuple):
        cells: tuple[int, ...]
        second: bool

    def limits(self):
        return self.State(cells=2, second=True)

    def start(self):
        squares = [(row, column) for row in range(self.height) for column in range(self.width)]
        return self.State(tuple(1 + (row + column) % 2 for row, column in squares), False)

    def to_move(self, state):
        return 1 if state.second else 0

    def neighbours(self, cell):
        row, column = divmod(cell, self.width)
        for r, c in ((row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1)):
            if 0 <= r < self.height and 0 <= c < self.width:
                yield r * self.width + c

    def moves(self, state):
        own, other = (2, 1) if state.second else (1, 2)
        for cell, stone in enumerate(state.cells):
            if stone == own:
                for target in self.neighbours(cell):
                    if state.cells[target] == other:
                        yield cell, target

    def play(self, state, move):
        source, target = move
        cells = list(state.cells)
        cells[source], cells[target] = 0, cells[source]
        return self.State(tuple(cells), not state.second)

    def payoff(self, state):
        return (1, -1) if state.second else (-1, 1)


class Domineering(Game):
    """One puts dominoes upright, the other across. Who cannot move has lost."""

    width: int = 4
    height: int = 4

    class State(NamedTuple):
        taken: tuple[bool, ...]
        second: bool

    def limits(self):
        return self.State(taken=True, second=True)

    def start(self):
        return self.State((False,) * (self.width * self.height), False)

    def to_move(self, state):
        return int(state.second)

    def moves(self, state):
        for row in range(self.height):
            for column in range(self.width):
                here = row * self.width + column
                there = here + 1 if state.second else here + self.width
                fits = column + 1 < self.width if state.second else row + 1 < self.height
                if fits and not state.taken[here] and not state.taken[there]:
                    yield here

    def play(self, state, move):
        after = list(state.taken)
        after[move] = True
        after[move + (1 if state.second else self.width)] = True
        return self.State(tuple(after), not state.second)

    def payoff(self, state):
        return (1, -1) if state.second else (-1, 1)


class ConnectThree(Game):
    """Stones fall down their columns; three in a row win."""

    width: int = 4
    height: int = 3

    class State(NamedTuple):
        board: tuple[tuple[int, ...], ...]  # column by column, from below
        turn: int

    def limits(self):
        return self.State(board=2, turn=1)

    def start(self):
        return self.State(((0,) * self.height,) * self.width, 0)

    def to_move(self, state):
        return state.turn

    def lines(self):
        for column in range(self.width):
            for row in range(self.height):
                for right, up in ((1, 0), (0, 1), (1, 1), (1, -1)):
                    if column + 2 * right < self.width and 0 <= row + 2 * up < self.height:
                        yield [(column + step * right, row + step * up) for step in range(3)]

    def setup(self):
        self.all_lines = list(self.lines())

    def won(self, state):
        who = 2 - state.turn
        return any(all(state.board[column][row] == who for column, row in line) for line in self.all_lines)

    def moves(self, state):
        if self.won(state):
            return
        for column in range(self.width):
            if state.board[column][-1] == 0:
                yield column

    def play(self, state, move):
        stack = list(state.board[move])
        stack[stack.index(0)] = 1 + state.turn
        board = state.board[:move] + (tuple(stack),) + state.board[move + 1 :]
        return self.State(board, 1 - state.turn)

    def payoff(self, state):
        if not self.won(state):
            return 0, 0
        return (1, -1) if state.turn == 1 else (-1, 1)


class Breakthrough(Game):
    """Step forward, straight or diagonally; take only diagonally; reach the last row."""

    width: int = 3
    height: int = 4

    class State(NamedTuple):
        cells: tuple[int, ...]
        player: int

    def limits(self):
        return self.State(2, 1)

    def start(self):
        return self.State((2,) * self.width + (0,) * self.width * (self.height - 2) + (1,) * self.width, 0)

    def to_move(self, state):
        return state.player

    def is_over(self, state):
        first_row = state.cells[: self.width]
        last_row = state.cells[self.width * (self.height - 1) :]
        return any(cell == 1 for cell in first_row) or any(cell == 2 for cell in last_row)

    def moves(self, state):
        if self.is_over(state):
            return []
        found = []
        mine = state.player + 1
        direction = -1 if state.player == 0 else 1
        for index in range(len(state.cells)):
            if state.cells[index] != mine:
                continue
            x, y = index % self.width, index // self.width + direction
            for dx in (-1, 0, 1):
                if 0 <= x + dx < self.width and 0 <= y < self.height:
                    target = y * self.width + x + dx
                    if state.cells[target] == 0 or (dx != 0 and state.cells[target] == 3 - mine):
                        found.append((index, target))
        return found

    def play(self, state, move):
        start, end = move
        cells = [0 if index == start else cell for index, cell in enumerate(state.cells)]
        cells[end] = state.player + 1
        return state._replace(cells=tuple(cells), player=1 - state.player)

    def payoff(self, state):
        return (-1, 1) if state.player == 0 else (1, -1)


class FourInARow(Game):
    """Tic-tac-toe on a wide board: so many in a row of either player win."""

    width: int = 4
    height: int = 3
    goal: int = 3

    class State(NamedTuple):
        board: tuple[int, ...]
        count: int

    def limits(self):
        return self.State(2, self.width * self.height)

    def start(self):
        return self.State((0,) * (self.width * self.height), 0)

    def to_move(self, state):
        return state.count % 2

    def winner(self, board):
        for y in range(self.height):
            for x in range(self.width):
                mark = board[y * self.width + x]
                if not mark:
                    continue
                for dx, dy in ((1, 0), (0, 1), (1, 1), (-1, 1)):
                    length = 1
                    while (
                        0 <= x + length * dx < self.width
                        and y + length * dy < self.height
                        and board[(y + length * dy) * self.width + x + length * dx] == mark
                    ):
                        length += 1
                    if length >= self.goal:
                        return mark
        return 0

    def moves(self, state):
        if self.winner(state.board) == 0:
            for square, mark in enumerate(state.board):
                if mark == 0:
                    yield square

    def play(self, state, move):
        mark = state.count % 2 + 1
        return self.State(state.board[:move] + (mark,) + state.board[move + 1 :], state.count + 1)

    def payoff(self, state):
        mark = self.winner(state.board)
        if mark == 0:
            return 0, 0
        return (1, -1) if mark == 1 else (-1, 1)


class Col(Game):
    """Colour a field; no neighbour may have the same colour. Who cannot has lost."""

    width: int = 3
    height: int = 3

    class State(NamedTuple):
        rows: tuple[tuple[int, ...], ...]
        turn: int

    def limits(self):
        return self.State(2, 1)

    def start(self):
        return self.State(tuple((0,) * self.width for _ in range(self.height)), 0)

    def to_move(self, state):
        return state.turn

    def may(self, state, row, column):
        if state.rows[row][column]:
            return False
        colour = state.turn + 1
        for down, right in ((-1, 0), (1, 0), (0, -1), (0, 1)):
            r, c = row + down, column + right
            if 0 <= r < self.height and 0 <= c < self.width and state.rows[r][c] == colour:
                return False
        return True

    def moves(self, state):
        return [
            (row, column) for row in range(self.height) for column in range(self.width) if self.may(state, row, column)
        ]

    def play(self, state, move):
        row, column = move
        changed = list(state.rows[row])
        changed[column] = state.turn + 1
        rows = tuple(tuple(changed) if at == row else old for at, old in enumerate(state.rows))
        return self.State(rows, 1 - state.turn)

    def payoff(self, state):
        return (-1, 1) if state.turn == 0 else (1, -1)


class Kayles(Game):
    """Rows of pins: knock down one, or two side by side. Who takes the last wins."""

    rows: tuple[int, ...] = (4, 3, 3)

    class State(NamedTuple):
        pins: tuple[bool, ...]

    def limits(self):
        return self.State(True)

    def start(self):
        pins: tuple[bool, ...] = ()
        for row in self.rows:
            pins += (True,) * row + (False,)
        return self.State(pins)

    def moves(self, state):
        for at in range(len(state.pins)):
            if state.pins[at]:
                yield at, 1
                if at + 1 < len(state.pins) and state.pins[at + 1]:
                    yield at, 2

    def play(self, state, move):
        first, count = move
        return self.State(tuple(pin and not first <= at < first + count for at, pin in enumerate(state.pins)))

    def payoff(self, state):
        return -1


class Mancala(Game):
    """Sow the seeds of a pit; a last seed in their own store moves again; the game ends when a side is empty."""

    pits: int = 3
    seeds: int = 2

    class State(NamedTuple):
        board: tuple[int, ...]  # own pits and store of the first player, then of the second
        second: bool

    def limits(self):
        return self.State(2 * self.pits * self.seeds, True)

    def start(self):
        side = (self.seeds,) * self.pits + (0,)
        return self.State(side + side, False)

    def to_move(self, state):
        return int(state.second)

    def moves(self, state):
        first, last = state.board[: self.pits], state.board[self.pits + 1 : -1]
        if sum(first) == 0 or sum(last) == 0:
            return
        base = self.pits + 1 if state.second else 0
        for pit in range(self.pits):
            if state.board[base + pit] > 0:
                yield pit

    def play(self, state, move):
        board = list(state.board)
        base = self.pits + 1 if state.second else 0
        skipped = self.pits if state.second else len(board) - 1
        at = base + move
        hand, board[at] = board[at], 0
        while hand > 0:
            at = (at + 1) % len(board)
            if at != skipped:
                board[at] += 1
                hand -= 1
        again = at == base + self.pits
        return self.State(tuple(board), state.second if again else not state.second)

    def payoff(self, state):
        lead = sum(state.board[: self.pits + 1]) - sum(state.board[self.pits + 1 :])
        return lead, -lead


class Race(Game):
    """Throw a die, and move one of two pieces along the track; a piece that is hit starts again."""

    length: int = 4

    class State(NamedTuple):
        track: tuple[int, ...]  # 0 empty, 1 a piece of the first player, 2 of the second
        waiting: tuple[int, int]
        home: tuple[int, int]
        roll: int | None
        player: int

    def limits(self):
        return self.State(2, 2, 2, 2, 1)

    def start(self):
        return self.State((0,) * self.length, (1, 1), (0, 0), None, 0)

    def to_move(self, state):
        return CHANCE if state.roll is None else state.player

    def moves(self, state):
        if 1 in state.home:
            return
        if state.roll is None:
            yield 1
            yield 2
            return
        some = False
        mark = state.player + 1
        if state.waiting[state.player] and state.track[state.roll - 1] != mark:
            some = True
            yield -1
        for at, piece in enumerate(state.track):
            if piece == mark and (at + state.roll >= self.length or state.track[at + state.roll] != mark):
                some = True
                yield at
        if not some:
            yield -2

    def play(self, state, move):
        if state.roll is None:
            return state._replace(roll=move)
        track, waiting, home = list(state.track), list(state.waiting), list(state.home)
        if move != -2:
            target = move + state.roll
            if move == -1:
                waiting[state.player] -= 1
            else:
                track[move] = 0
            if target >= self.length:
                home[state.player] += 1
            else:
                if track[target]:
                    waiting[1 - state.player] += 1
                track[target] = state.player + 1
        return self.State(tuple(track), tuple(waiting), tuple(home), None, 1 - state.player)

    def payoff(self, state):
        return (1, -1) if state.home[0] else (-1, 1)


GAMES = [Hexapawn, Clobber, Domineering, ConnectThree, Breakthrough, FourInARow, Col, Kayles, Mancala, Race]
"""All of them."""
