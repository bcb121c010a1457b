"""Games whose moves are of several types: texts beside numbers, tuples or members of an Enum."""

from __future__ import annotations

from enum import Enum, IntEnum
from fractions import Fraction
from itertools import combinations
from typing import NamedTuple

from endsight import CHANCE, Game


class Flips(Game):
    """Two players flip numbered cards from one deck: the same number twice loses what was shown, `stop` keeps it."""

    goal: int = 6
    top: int = 3

    class State(NamedTuple):
        scores: tuple[int, int]
        deck: tuple[int, ...]
        shown: frozenset[int]
        turn: int
        flipping: bool

    def whole(self):
        return tuple(range(1, self.top + 1))

    def start(self):
        return self.State((0, 0), self.whole(), frozenset(), 0, False)

    def limits(self):
        return self.State(self.goal + sum(self.whole()), self.top, self.top, 1, True)

    def to_move(self, state):
        return CHANCE if state.flipping else state.turn

    def moves(self, state):
        if max(state.scores) >= self.goal:
            return
        if state.flipping:
            for card in range(1, self.top + 1):
                if state.deck[card - 1]:
                    yield card
        else:
            yield "flip"
            if state.shown:
                yield "stop"

    def weight(self, state, card):
        return state.deck[card - 1]

    def play(self, state, move):
        if move == "flip":
            return state._replace(flipping=True)
        if move == "stop":
            own = state.scores[state.turn] + sum(state.shown)
            scores = (own, state.scores[1]) if state.turn == 0 else (state.scores[0], own)
            return self.State(scores, state.deck, frozenset(), 1 - state.turn, False)
        deck = tuple(count - (place + 1 == move) for place, count in enumerate(state.deck))
        if sum(deck) == 0:
            deck = self.whole()
        if move in state.shown:
            return self.State(state.scores, deck, frozenset(), 1 - state.turn, False)
        return self.State(state.scores, deck, state.shown | {move}, state.turn, False)

    def payoff(self, state):
        return (1, -1) if state.scores[0] >= self.goal else (-1, 1)


class Pawns(Game):
    """Pawns walk along a strip and take each other; (from, to) moves one, `pass` is for who has none."""

    length: int = 6

    class State(NamedTuple):
        cells: tuple[int, ...]
        turn: int
        passed: int

    def start(self):
        return self.State((1, 1) + (0,) * (self.length - 4) + (2, 2), 0, 0)

    def limits(self):
        return self.State(2, 1, 2)

    def to_move(self, state):
        return state.turn

    def steps(self, state):
        own, by = (1, 1) if state.turn == 0 else (2, -1)
        for place in range(self.length):
            if state.cells[place] == own:
                for far in (1, 2):
                    to = place + by * far
                    if 0 <= to < self.length and state.cells[to] != own:
                        yield place, to

    def moves(self, state):
        if state.passed == 2 or 1 not in state.cells or 2 not in state.cells:
            return
        found = False
        for step in self.steps(state):
            found = True
            yield step
        if not found:
            yield "pass"

    def play(self, state, move):
        if move == "pass":
            return state._replace(turn=1 - state.turn, passed=state.passed + 1)
        start, to = move
        cells = list(state.cells)
        cells[to] = cells[start]
        cells[start] = 0
        return self.State(tuple(cells), 1 - state.turn, 0)

    def payoff(self, state):
        lead = state.cells.count(1) - state.cells.count(2)
        return lead, -lead


class Bid(Enum):
    """What a bidder may do beside naming a number."""

    DOUBLE = 1
    PASS = 2


class Bids(Game):
    """Bid a number above the last, double, pass, or swap with (seat, amount); who passes pays half of the bid."""

    most: int = 4

    class State(NamedTuple):
        bid: int
        turn: int
        over: bool
        swapped: bool

    def start(self):
        return self.State(0, 0, False, False)

    def limits(self):
        return self.State(2 * self.most, 1, True, True)

    def to_move(self, state):
        return state.turn

    def moves(self, state):
        if state.over:
            return []
        found = []
        for amount in range(state.bid + 1, self.most + 1):
            found.append(amount)
        return found

    def play(self, state, move):
        return state

    def payoff(self, state):
        half = Fraction(state.bid, 2)
        return (-half, half) if state.turn == 0 else (half, -half)


class MixedBids(Bids):
    """The same with all kinds of moves."""

    def moves(self, state):
        if state.over:
            return
        yield from range(state.bid + 1, self.most + 1)
        if 0 < state.bid <= self.most:
            yield Bid.DOUBLE
        if not state.swapped:
            yield (state.turn, state.bid)
        yield Bid.PASS

    def play(self, state, move):
        if isinstance(move, tuple):
            seat, amount = move
            return state._replace(swapped=True, bid=max(amount - seat, 0))
        if move is Bid.PASS:
            return state._replace(over=True)
        if move == Bid.DOUBLE:
            return self.State(2 * state.bid, 1 - state.turn, False, state.swapped)
        return self.State(move, 1 - state.turn, False, state.swapped)


class Dice(Game):
    """Roll a die or stop, for the largest sum; a one loses it. One expression tells what a move does."""

    most: int = 20

    class State(NamedTuple):
        total: int
        rolling: bool
        over: bool

    def start(self):
        return self.State(0, False, False)

    def limits(self):
        return self.State(self.most + 6, True, True)

    players = 1

    def to_move(self, state):
        return CHANCE if state.rolling else 0

    def moves(self, state):
        if state.over or state.total >= self.most:
            return
        if state.rolling:
            yield from range(1, 7)
        else:
            yield from ("roll", "stop")

    def after(self, state, face):
        return self.State(0, False, True) if face == 1 else self.State(state.total + face, False, False)

    def play(self, state, move):
        return self.after(state, move) if state.rolling else state._replace(rolling=move == "roll", over=move == "stop")

    def payoff(self, state):
        return state.total


class Take(NamedTuple):
    """So many counters of one heap."""

    heap: int
    count: int


class Split(NamedTuple):
    """Two heaps of one, and whether the smaller one comes first."""

    heap: int
    is_smaller_first: bool


class Counters(Game):
    """Take counters of a heap, or split an even one in quarters; `False` gives up a turn, once in the game."""

    class State(NamedTuple):
        heaps: tuple[int, int]
        turn: int
        gave_up: bool

    def limits(self):
        return self.State((8, 8), 1, True)

    def start(self):
        return self.State((4, 5), 0, False)

    def to_move(self, state):
        return state.turn

    def moves(self, state):
        for heap, count in enumerate(state.heaps):
            for taken in range(1, count + 1):
                yield Take(heap, taken)
            if count == 4 and state.heaps[1 - heap] == 0:
                yield Split(heap, True)
                yield Split(heap=heap, is_smaller_first=False)
        if sum(state.heaps) and not state.gave_up:
            yield False

    def play(self, state, move):
        if isinstance(move, Split):
            heaps = (1, 3) if move.is_smaller_first else (3, 1)
        elif isinstance(move, tuple):
            heaps = tuple(count - move.count * (heap == move.heap) for heap, count in enumerate(state.heaps))
        else:
            heaps = state.heaps
        return self.State(heaps, 1 - state.turn, state.gave_up or move == False)  # noqa: E712

    def payoff(self, state):
        return (-1, 1) if state.turn == 0 else (1, -1)


class Coin(Game):
    """Guess by truth values which side of a coin comes up, three times."""

    players = 1

    class State(NamedTuple):
        tosses: int
        right: int
        guess: bool
        is_tossed: bool

    def limits(self):
        return self.State(3, 3, True, True)

    def start(self):
        return self.State(0, 0, False, False)

    def to_move(self, state):
        return CHANCE if state.is_tossed else 0

    def moves(self, state):
        if state.tosses < 3:
            yield True
            yield False

    def weight(self, state, move):
        return 1 + move

    def play(self, state, move):
        if not state.is_tossed:
            return state._replace(guess=move, is_tossed=True)
        return self.State(state.tosses + 1, state.right + (move == state.guess), False, False)

    def payoff(self, state):
        return state.right


class Stones(Game):
    """Take one or two of numbered stones as a set, or `first` for the first that is left; who takes the last wins."""

    stones: int = 5

    class State(NamedTuple):
        left: frozenset[int]
        turn: int

    def limits(self):
        return self.State(self.stones, 1)

    def start(self):
        return self.State(frozenset(range(self.stones)), 0)

    def to_move(self, state):
        return state.turn

    def moves(self, state):
        for count in (1, 2):
            for taken in combinations(sorted(state.left), count):
                yield frozenset(taken)
        if len(state.left) == 4:
            yield frozenset({0, 1, 2, 3, 4})
        if state.left:
            yield "first"

    def play(self, state, move):
        taken = frozenset({min(state.left)}) if move == "first" else move
        return self.State(state.left - taken, 1 - state.turn)

    def payoff(self, state):
        return (-1, 1) if state.turn == 0 else (1, -1)


class Height(IntEnum):
    LOW = 3
    HIGH = 5


class MadeTexts(Game):
    """Choose how much it counts, then add a card under a text made of its number, or a named height."""

    turns: int = 3

    class State(NamedTuple):
        times: int
        total: int
        turn: int

    def start(self):
        return self.State(0, 0, 0)

    def limits(self):
        return self.State(2, 10 * self.turns, self.turns)

    def moves(self, state):
        if state.turn == self.turns:
            return
        if not state.times:
            yield from (1, 2)
            return
        for card in range(state.turn + 1):
            yield f"card{card}"
        if state.turn == 1:
            for height in Height:
                yield height, "c" + str(state.times)

    def play(self, state, move):
        if not state.times:
            return state._replace(times=move)
        if isinstance(move, tuple):
            return self.State(0, state.total + int(move[0]), state.turn + 1)
        return self.State(0, state.total + int(move[4:]) * state.times, state.turn + 1)

    def payoff(self, state):
        return state.total


class Named(MadeTexts):
    """The same with heights alone where a card is chosen, none of which is 0."""

    def moves(self, state):
        if state.turn < self.turns:
            yield from ("once", "twice") if not state.times else (Height.LOW, Height.HIGH)

    def play(self, state, move):
        if not state.times:
            return state._replace(times=2 if move == "twice" else 1)
        return self.State(0, state.total + int(move) * state.times, state.turn + 1)


GAMES = [Flips, Pawns, MixedBids, Dice, Counters, Coin, Stones, MadeTexts, Named]
