"""Other games as people write them, with tuples, sets, dice, and players to move of many kinds.

Each stands beside a version of the same game with whole numbers alone, made for speed by hand.
"""

# People write it so.

from __future__ import annotations

import itertools
from fractions import Fraction
from typing import NamedTuple

from endsight import CHANCE, Game

# ---------------------------------------------------------------------- nim


class NimNumbers(Game):
    """Three heaps as three numbers."""

    class State(NamedTuple):
        a: int
        b: int
        c: int

    def limits(self):
        return self.State(7, 8, 9)

    def start(self):
        return self.State(7, 8, 9)

    def moves(self, state):
        for heap in range(3):
            for left in range(state[heap]):
                yield heap * 10 + left

    def play(self, state, move):
        heap = move // 10
        left = move % 10
        a = left if heap == 0 else state.a
        b = left if heap == 1 else state.b
        c = left if heap == 2 else state.c
        return self.State(a, b, c)

    def payoff(self, state):
        return -1


class NimTuple(Game):
    """A tuple of heaps; a move is a pair."""

    heaps: tuple[int, ...] = (7, 8, 9)

    class State(NamedTuple):
        heaps: tuple[int, ...]

    def limits(self):
        return self.State(self.heaps)

    def start(self):
        return self.State(self.heaps)

    def moves(self, state):
        return [(heap, left) for heap, count in enumerate(state.heaps) for left in range(count)]

    def play(self, state, move):
        heap, left = move
        heaps = list(state.heaps)
        heaps[heap] = left
        return self.State(tuple(heaps))

    def payoff(self, state):
        return -1


class NimCounted(NimNumbers):
    """Moves as a range, whose length depends on the state, or none at all."""

    def moves(self, state):
        return range(state.a) if state.b == 0 and state.c == 0 else self.every(state)

    def every(self, state):
        for heap in range(3):
            yield from range(heap * 10, heap * 10 + state[heap])


class NimComprehended(NimTuple):
    """A new tuple by a comprehension."""

    def play(self, state, move):
        return self.State(tuple(move[1] if at == move[0] else count for at, count in enumerate(state.heaps)))


# ---------------------------------------------------------------------- a race with a die, and a choice


class RaceNumbers(Game):
    """Roll, then move one of two pieces; first to bring both home wins."""

    class State(NamedTuple):
        a: int
        b: int
        c: int
        d: int
        roll: int
        turn: int

    def limits(self):
        return self.State(6, 6, 6, 6, 3, 1)

    def start(self):
        return self.State(0, 0, 0, 0, 0, 0)

    def to_move(self, state):
        return CHANCE if state.roll == 0 else state.turn

    def moves(self, state):
        if (state.a == 6 and state.b == 6) or (state.c == 6 and state.d == 6):
            return
        if state.roll == 0:
            yield from (1, 2, 3)
            return
        first = state.a if state.turn == 0 else state.c
        second = state.b if state.turn == 0 else state.d
        if first < 6:
            yield 0
        if second < 6:
            yield 1

    def play(self, state, move):
        if state.roll == 0:
            return state._replace(roll=move)
        if state.turn == 0:
            a = min(6, state.a + state.roll) if move == 0 else state.a
            b = min(6, state.b + state.roll) if move == 1 else state.b
            return self.State(a, b, state.c, state.d, 0, 1)
        c = min(6, state.c + state.roll) if move == 0 else state.c
        d = min(6, state.d + state.roll) if move == 1 else state.d
        return self.State(state.a, state.b, c, d, 0, 0)

    def payoff(self, state):
        return (1, -1) if state.a == 6 and state.b == 6 else (-1, 1)


class RaceTuple(Game):
    """The pieces of both players as pairs of pairs, the roll or None, the turn as a bool."""

    HOME = 6

    class State(NamedTuple):
        pieces: tuple[tuple[int, int], tuple[int, int]]
        roll: int | None
        second: bool

    def limits(self):
        return self.State(self.HOME, 3, True)

    def start(self):
        return self.State(((0, 0), (0, 0)), None, False)

    def to_move(self, state):
        return CHANCE if state.roll is None else int(state.second)

    def is_home(self, pieces):
        return all(piece == self.HOME for piece in pieces)

    def moves(self, state):
        if any(self.is_home(pieces) for pieces in state.pieces):
            return
        if state.roll is None:
            yield from range(1, 4)
        else:
            yield from (at for at, piece in enumerate(state.pieces[state.second]) if piece < self.HOME)

    def play(self, state, move):
        if state.roll is None:
            return state._replace(roll=move)
        pieces = [list(each) for each in state.pieces]
        mine = pieces[state.second]
        mine[move] = min(self.HOME, mine[move] + state.roll)
        return self.State((tuple(pieces[0]), tuple(pieces[1])), None, not state.second)

    def payoff(self, state):
        return (1, -1) if self.is_home(state.pieces[0]) else (-1, 1)


class RaceSorted(RaceTuple):
    """The pieces of a player sorted: they are all alike."""

    def canonical(self, state):
        first, second = state.pieces
        return state._replace(pieces=(tuple(sorted(first)), tuple(sorted(second))))


# ---------------------------------------------------------------------- cards in hands


class HandsNumbers(Game):
    """Each plays a card in turn; who played the larger one takes a point; hands as bit sets."""

    class State(NamedTuple):
        first: int
        second: int
        open: int
        points: int

    def limits(self):
        return self.State(31, 31, 5, 6)

    def start(self):
        return self.State(31, 31, 0, 3)

    def to_move(self, state):
        return 1 if state.open else 0

    def moves(self, state):
        hand = state.second if state.open else state.first
        for card in range(5):
            if hand >> card & 1:
                yield card

    def play(self, state, move):
        if state.open == 0:
            return self.State(state.first & ~(1 << move), state.second, move + 1, state.points)
        won = 1 if state.open - 1 > move else -1 if state.open - 1 < move else 0
        return self.State(state.first, state.second & ~(1 << move), 0, max(0, min(6, state.points + won)))

    def payoff(self, state):
        return (state.points - 3, 3 - state.points)


class HandsSets(Game):
    """Hands as frozensets."""

    class State(NamedTuple):
        hands: tuple[frozenset[int], frozenset[int]]
        open: int | None
        points: int

    def limits(self):
        return self.State((4, 4), 4, 6)

    def start(self):
        return self.State((frozenset(range(5)), frozenset(range(5))), None, 3)

    def to_move(self, state):
        return 0 if state.open is None else 1

    def moves(self, state):
        return sorted(state.hands[0 if state.open is None else 1])

    def play(self, state, move):
        first, second = state.hands
        if state.open is None:
            return self.State((first - {move}, second), move, state.points)
        won = (state.open > move) - (state.open < move)
        return self.State((first, second - {move}), None, max(0, min(6, state.points + won)))

    def payoff(self, state):
        return (state.points - 3, 3 - state.points)


class HandsTuples(HandsSets):
    """Hands as tuples that grow shorter."""

    class State(NamedTuple):
        hands: tuple[tuple[int, ...], tuple[int, ...]]
        open: int | None
        points: int

    def limits(self):
        return self.State(((4,) * 5, (4,) * 5), 4, 6)

    def start(self):
        return self.State((tuple(range(5)), tuple(range(5))), None, 3)

    def play(self, state, move):
        first, second = state.hands
        if state.open is None:
            return self.State((tuple(card for card in first if card != move), second), move, state.points)
        at = second.index(move)
        won = (state.open > move) - (state.open < move)
        return self.State((first, second[:at] + second[at + 1 :]), None, max(0, min(6, state.points + won)))


# ---------------------------------------------------------------------- clobber


class ClobberBits(Game):
    """Clobber on 3x3: move onto a neighbour of the other colour; two bit boards by hand."""

    side: int = 3

    class State(NamedTuple):
        own: int
        other: int

    def setup(self):
        self.cells = self.side * self.side
        self.near = tuple(
            sum(1 << to for to in range(self.cells) if self.distance(cell, to) == 1) for cell in range(self.cells)
        )

    def distance(self, cell, to):
        return abs(cell // self.side - to // self.side) + abs(cell % self.side - to % self.side)

    def limits(self):
        return self.State((1 << self.cells) - 1, (1 << self.cells) - 1)

    def start(self):
        own = sum(1 << cell for cell in range(self.cells) if (cell // self.side + cell % self.side) % 2 == 0)
        return self.State(own, (1 << self.cells) - 1 - own)

    def moves(self, state):
        for source in range(self.cells):
            if state.own >> source & 1:
                for target in range(self.cells):
                    if state.other & self.near[source] & 1 << target:
                        yield source * 16 + target

    def play(self, state, move):
        source = move // 16
        target = move % 16
        return self.State(state.other & ~(1 << target), state.own & ~(1 << source) | 1 << target)

    def payoff(self, state):
        return -1


class ClobberTuple(Game):
    """The board as a tuple, neighbours worked out by offsets."""

    side: int = 3

    class State(NamedTuple):
        board: tuple[int, ...]
        turn: int

    def limits(self):
        return self.State(2, 1)

    def start(self):
        squares = itertools.product(range(self.side), range(self.side))
        return self.State(tuple(1 + (row + column) % 2 for row, column in squares), 0)

    def to_move(self, state):
        return state.turn

    def moves(self, state):
        own, other = 1 + state.turn, 2 - state.turn
        for row, column in itertools.product(range(self.side), range(self.side)):
            if state.board[row * self.side + column] != own:
                continue
            for down, right in ((-1, 0), (0, -1), (0, 1), (1, 0)):
                r, c = row + down, column + right
                if 0 <= r < self.side and 0 <= c < self.side and state.board[r * self.side + c] == other:
                    yield row * self.side + column, r * self.side + c

    def play(self, state, move):
        source, target = move
        board = list(state.board)
        board[source], board[target] = 0, board[source]
        return self.State(tuple(board), 1 - state.turn)

    def payoff(self, state):
        return (-1, 1) if state.turn == 0 else (1, -1)


class ClobberText(ClobberTuple):
    """The board as a text of the letters `.`, `x` and `o`."""

    class State(NamedTuple):
        board: str
        turn: int

    def limits(self):
        return self.State(".xo", 1)

    def start(self):
        squares = itertools.product(range(self.side), range(self.side))
        return self.State("".join("xo"[(row + column) % 2] for row, column in squares), 0)

    def moves(self, state):
        own, other = ("o", "x") if state.turn else ("x", "o")
        for cell, letter in enumerate(state.board):
            if letter == own:
                row, column = divmod(cell, self.side)
                for r, c in ((row - 1, column), (row, column - 1), (row, column + 1), (row + 1, column)):
                    if 0 <= r < self.side and 0 <= c < self.side and state.board[r * self.side + c] == other:
                        yield cell, r * self.side + c

    def play(self, state, move):
        source, target = move
        board = list(state.board)
        board[source], board[target] = ".", board[source]
        return self.State("".join(board), 1 - state.turn)


class ClobberGrid(ClobberTuple):
    """Neighbours by absolute differences."""

    def moves(self, state):
        own = 1 + state.turn
        stones = [cell for cell in range(self.side**2) if state.board[cell] == own]
        others = [cell for cell, colour in enumerate(state.board) if colour == 3 - own]
        for source in stones:
            for target in others:
                down, right = source // self.side - target // self.side, source % self.side - target % self.side
                if abs(down) + abs(right) == 1:
                    yield source, target


# ---------------------------------------------------------------------- a wheel, and exact fractions


class WheelNumbers(Game):
    """Spin, and stop or spin again; what is above 10 counts nothing. Each paid a tenth of the total."""

    players = 1

    class State(NamedTuple):
        total: int
        spinning: int

    def limits(self):
        return self.State(11, 2)

    def start(self):
        return self.State(0, 1)

    def to_move(self, state):
        return CHANCE if state.spinning == 1 else 0

    def moves(self, state):
        if state.spinning == 2 or state.total == 11:
            return
        if state.spinning == 1:
            yield from range(1, 7)
        else:
            yield 0
            yield 1

    def play(self, state, move):
        if state.spinning == 1:
            return self.State(min(11, state.total + move), 0)
        return self.State(state.total, 1 if move else 2)

    def payoff(self, state):
        return Fraction(state.total, 10) if state.total <= 10 else 0


class WheelTuple(WheelNumbers):
    """All spins so far, sorted; the total is their sum."""

    class State(NamedTuple):
        spins: tuple[int, ...]
        spinning: int

    def limits(self):
        return self.State((6,) * 11, 2)

    def start(self):
        return self.State((), 1)

    def moves(self, state):
        if state.spinning == 2 or sum(state.spins) > 10:
            return
        yield from range(1, 7) if state.spinning == 1 else range(2)

    def play(self, state, move):
        if state.spinning == 1:
            return self.State(tuple(sorted([*state.spins, move])), 0)
        return self.State(state.spins, 1 if move else 2)

    def payoff(self, state):
        total = sum(state.spins)
        return Fraction(total, 10) if total <= 10 else 0


FAMILIES = [
    [NimNumbers, NimCounted, NimTuple, NimComprehended],
    [RaceNumbers, RaceTuple, RaceSorted],
    [HandsNumbers, HandsSets, HandsTuples],
    [ClobberBits, ClobberTuple, ClobberGrid, ClobberText],
    [WheelNumbers, WheelTuple],
]
"""Games told in several ways, the one made for speed first."""
