"""Compiled rules mean what Python means by the same text, or they are refused with file and line.

Each case is a piece of rules that once had, or could have, another meaning when compiled: a
group begins with a mistake that was made, its neighbours follow. `same` says that the
rules are compiled and both engines find the same, `refused` that they are not, at the line
that is marked with `# no` where a line is to blame.
"""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("llvmlite.binding")

from amounts import each
from both_engines import PARTS, Refused, by_core, by_machine, by_python, parts_of
from command_line import run
from endsight.errors import RulesError

HEAD = """
import functools, math
from enum import Enum, IntEnum, IntFlag
from fractions import Fraction
from typing import NamedTuple
from endsight.game import Game

class Steps(Game):
    size: int = 5
    class State(NamedTuple):
        steps: int
        last: int = 0
    def limits(self): return self.State(40, 40)
    def start(self): return self.State(0)
    def moves(self, state):
        if state.steps < 7:
            yield 0
            yield 1
    def play(self, state, move): return self.State(state.steps + 1 + move, move)
    def payoff(self, state): return state.last
"""

SAME = {
    # ---- what holds of all states that the rules make: lengths of tuples, classes of members, keys of dictionaries
    "one-item-less-on-one-way": """
class Rules(Steps):
    class State(NamedTuple):
        hand: tuple[int, ...]
        steps: int
    def limits(self): return self.State((9,)*3, 20)
    def start(self): return self.State((1,2,3), 0)
    def moves(self, state):
        if state.steps < 6: yield 0; yield 1
    def play(self, state, move):
        h = state.hand
        if state.steps == 4 and move: h = h[:-1]
        if move: h = h[1:] + h[:1]
        return self.State(h, state.steps + 1)
    def payoff(self, state): return sum(i * x for i, x in enumerate(state.hand, 1)) + 10 * len(state.hand)
""",
    "rows-with-a-limit-for-each-item": """
class Rules(Steps):
    class State(NamedTuple):
        rows: tuple[tuple[int, ...], ...]
        steps: int
    def limits(self): return self.State(((3,)*3,)*2, 20)
    def start(self): return self.State(((0,1,2),(1,1,1)), 0)
    def moves(self, state):
        if state.steps < 5: yield from range(3)
    def play(self, state, move):
        rows = [list(r) for r in state.rows]
        rows[move % 2][move] = (rows[move % 2][move] + 1) % 4
        return self.State(tuple(map(tuple, rows)), state.steps + 1)
    def payoff(self, state): return sum(map(sum, state.rows)) + len(state.rows) * 100 + len(state.rows[0])
""",
    "a-row-that-gets-shorter": """
class Rules(Steps):
    class State(NamedTuple):
        rows: tuple[tuple[int, ...], ...]
        steps: int
    def limits(self): return self.State(((3,)*3,)*2, 20)
    def start(self): return self.State(((0,1,2),(1,1,1)), 0)
    def moves(self, state):
        if state.steps < 5: yield from range(3)
    def play(self, state, move):
        a, b = state.rows
        if move == 2: b = b[1:]
        if move == 1: a = a[1:] + (move,)
        return self.State((a, b), state.steps + 1)
    def payoff(self, state): return sum(map(sum, state.rows)) + len(state.rows[1]) * 100
""",
    "a-text-with-a-limit-for-each-letter": """
class Rules(Steps):
    class State(NamedTuple):
        text: str
        steps: int
    def limits(self): return self.State((".XO",)*3, 20)
    def start(self): return self.State("...", 0)
    def moves(self, state):
        if state.steps < 5: yield from range(3)
    def play(self, state, move):
        t = state.text
        return self.State(t[:move] + "XO"[state.steps % 2] + t[move+1:], state.steps + 1)
    def payoff(self, state): return state.text.count("X") * 3 + (state.text == "XOX") + len(state.text)
""",
    "a-function-of-states-that-calls-itself": """
class Rules(Steps):
    class State(NamedTuple):
        left: int
        piles: tuple[int, ...]
        steps: int
    def limits(self): return self.State(40, 3, 20)
    def start(self): return self.State(3, (1,2,3), 0)
    def farthest(self, state):
        if state.left > 30: return state.left
        after = state._replace(left=state.left + 7, piles=state.piles[1:] + state.piles[:1])
        return self.farthest(after) + state.piles[0]
    def moves(self, state):
        if state.steps < 3: yield from range(3)
    def play(self, state, move):
        return self.State(state.left + move, state.piles[:move] + (move,) + state.piles[move + 1:], state.steps + 1)
    def payoff(self, state): return self.farthest(state)
""",
    "a-hand-that-is-emptied": """
class Rules(Steps):
    class State(NamedTuple):
        hand: tuple[int, ...]
        rows: tuple[tuple[int, ...], ...]
        text: str
        steps: int
    def limits(self): return self.State((3,)*3, ((2,)*2,)*2, (".XO",)*2, 20)
    def start(self): return self.State((1,2,0), ((1,2),(0,1)), "XO", 0)
    def moves(self, state):
        if state.steps < 4: yield from range(4)
    def play(self, state, move):
        left = state._replace(steps=state.steps + 1)
        if move == 0: return left._replace(hand=())
        if move == 1: return left._replace(rows=((1, 2), (2,)))
        if move == 2: return left._replace(text="")
        return left._replace(hand=(3, 2, 1), rows=((0, 0), (1, 1)), text="OO")
    def payoff(self, state):
        rows = sum(len(row) * 7 + sum(row) for row in state.rows)
        return sum(state.hand) * 50 + len(state.hand) * 300 + rows + len(state.text) * 1000
""",
    "members-of-an-intenum-with-methods": """
class Side(IntEnum):
    A = 1
    B = 2
    C = 4
    def after(self, k=1): return list(Side)[(list(Side).index(self) + k) % 3]
    @property
    def worth(self): return {Side.A: 5, Side.B: 7, Side.C: 11}[self]
class Rules(Steps):
    class State(NamedTuple):
        sides: tuple[Side, ...]
        steps: int
    def limits(self): return self.State(Side.B, 20)
    def start(self): return self.State((Side.A, Side.C), 0)
    def moves(self, state):
        if state.steps < 5:
            for s in Side:
                if s is not state.sides[state.steps % 2]: yield s.after(state.steps)
    def play(self, state, move):
        row = list(state.sides)
        row[move.worth % 2] = move.after()
        return self.State(tuple(row), state.steps + 1)
    def payoff(self, state): return sum(s.worth for s in state.sides) + len(state.sides[0].name)
""",
    "keys-of-a-dictionary-in-loops": """
class Rules(Steps):
    def moves(self, state):
        if state.steps < 7:
            d = {c: c * 2 for c in range(3)}
            d[state.last + 1] = 9
            d[state.steps % 5] = 4
            for k, v in d.items():
                if v > state.steps: yield k
    def limits(self): return self.State(40, 40)
    def play(self, state, move):
        d = {(x, y): 0 for x in range(2) for y in range(3)}
        d[move % 2, state.steps % 3] = move
        e = {p: v + 1 for p, v in d.items()}
        e[move, 0] = 3
        f = {True: 5} if move else {1: 6}
        return self.State(state.steps + 1, min(40, sum(e.values()) + len(e) + e.get((3, 0), 7) + len(f)))
""",
    "generator-expressions-given-back": """
class Rules(Steps):
    def evens(self, n):
        if n > 4:
            return (k for k in range(n) if k % 2)
        return (k for k in range(n))
    def odd(self, n):
        if n > 4:
            return (k for k in range(n) if k % 2)
    def moves(self, state):
        if state.steps < 5: yield from self.evens(state.last + 3)
    def play(self, state, move):
        return self.State(state.steps + 1, sum(self.evens(move)) + next(self.evens(move + 1), 9) % 40)
    def payoff(self, state): return state.last + next((k for k in range(5) if k > state.last), None or 3)
""",
    # ---- texts that are items of a tuple are as long as at the start
    "rows-of-texts": """
class Rules(Steps):
    class State(NamedTuple):
        rows: tuple[str, ...]
        turn: int
    def limits(self): return self.State(".XO", 1)
    def start(self): return self.State(("..", "..", ".X"), 0)
    def moves(self, state):
        if not any(row == "XX" for row in state.rows):
            for r, row in enumerate(state.rows):
                for c, letter in enumerate(row):
                    if letter == ".":
                        yield r, c
    def play(self, state, move):
        r, c = move
        rows = list(state.rows)
        rows[r] = rows[r][:c] + "XO"[state.turn] + rows[r][c + 1:]
        return self.State(tuple(rows), 1 - state.turn)
    def payoff(self, state): return ("XX" in state.rows) + 2 * sum(row.count("O") for row in state.rows)
""",
    # ---- what is known not to be None in one branch may be None after it
    "none-again-after-a-branch": """
class Rules(Steps):
    def half(self, n): return n // 2 if n > 3 else None
    def payoff(self, state):
        z = self.half(state.steps)
        if z is not None and state.last:
            z = self.half(z)
        for k in range(3):
            if z is None:
                z = k if state.steps % 2 else None
            elif z > k:
                z -= 1
        return 50 if z is None else z
""",
    # ---- methods of named tuples are those of the class, even if a tuple has a method of that name
    "own-method-called-index": """
class Spot(NamedTuple):
    row: int
    column: int
    def index(self, by): return self.row * by + self.column
    @property
    def count(self): return self.row + 7
class Rules(Steps):
    def payoff(self, state):
        spot = Spot(state.steps, state.last)
        return spot.index(3) + spot.count + Spot(1, 2).index(state.last)
""",
    # ---- each part of a chain that ends with a number is compared with that number
    "chain-that-ends-with-a-number": """
class Rules(Steps):
    def payoff(self, state):
        a, b, c = state.last, state.steps % 2, state.steps // 2 % 2
        return int(a == b == c == 1) + 2 * int(b == a == 1) + 4 * int(c == b == a == 0) + 8 * int(1 == a == c == 1 == b)
""",
    # ---- what a function may find or not is found where it is unpacked, or play never gets there
    "pairs-that-are-found": """
class Rules(Steps):
    places = {1: (1, 2), 2: (3, 4), 3: (5, 6)}
    def find(self, row, wanted):
        for k, x in enumerate(row):
            if x == wanted:
                return divmod(k, 2)
    def found(self, row, wanted):
        for k, x in enumerate(row):
            if x == wanted:
                return k, x
        assert False, "it is always there"
    def weighed(self, a, b, c=1): return a * 7 + b * c
    def payoff(self, state):
        row = (state.steps, 50, state.last, 60)
        (r, c), s = self.find(row, 60), 3
        a, *others = self.find(row, 50)
        place, what = self.found(row, state.last)
        u, v = self.places.get(state.steps % 3 + 1)
        return r * 3 + c + s + a + sum(others) + place + what + u + v + self.weighed(*self.find(row, 60), 3)
""",
    # ---- functions that call themselves and give back nothing; what they change after they have called themselves
    "marks-of-a-function-that-calls-itself": """
class Rules(Steps):
    def fill(self, marks, k):
        marks[k] = 9
        for n in (k - 1, k + 2):
            if 0 <= n < len(marks) and marks[n] < 4:
                self.fill(marks, n)
    def climb(self, marks, k):
        if k > 0:
            before = marks[1]
            self.climb(marks, k - 1)
            marks[1] = before + marks[1] + k
    def one(self, marks, k):
        if k > 0:
            self.other(marks, k - 1)
            marks[k] += 3
    def other(self, marks, k):
        if k <= 0:
            return
        self.one(marks, k - 1)
        self.one(marks, k - 1)
        marks[0] += marks[k] * 2
        return None
    def check(self, k):
        if k > 40:
            raise ValueError(k)
        if k < 30:
            self.check(k + 7)
    def payoff(self, state):
        marks = [3, state.last, 1, state.steps, 2, 4]
        self.fill(marks, state.steps % 6)
        self.climb(marks, state.last + 1)
        self.one(marks, state.steps % 5)
        self.check(state.steps)
        seen = [False] * 6
        def walk(k):
            seen[k] = True
            for n in (k + 2, k - 3):
                if 0 <= n < 6 and not seen[n]: walk(n)
        walk(state.steps % 6)
        return sum(k * mark for k, mark in enumerate(marks, 3)) + sum(seen)
""",
    # ---- slices of one of several constant texts are texts
    "slices-of-constant-texts": """
class Rules(Steps):
    words = ("card1", "card2", "go")
    def moves(self, state):
        if state.steps < 5:
            yield "card1"
            yield "card2"
    def play(self, state, move):
        return self.State(state.steps + 1, int(move[4:]) + isinstance(move[:4], str) + 2 * isinstance(move[:4], tuple))
    def payoff(self, state):
        word = self.words[state.steps % 3]
        same = (word[4:] == "1") + 2 * (word[:2] == "go") + 4 * (word[::-1] == "2drac") + 8 * (word[1:] in ("o", "x"))
        return same + {"1": 16, "2": 32, "": 64}[word[4:]] + len(word[1:]) + 100 * (word[4:] + "x" == "2x") + state.last
""",
    # ---- frozensets under a name never change, whatever the name gets later
    "frozensets-that-get-more": """
class Rules(Steps):
    def near(self, k): return [n for n in (k - 1, k + 3) if 0 <= n < 8]
    def fill(self, k, seen):
        seen |= {k}
        for n in self.near(k):
            if n not in seen:
                seen |= self.fill(n, seen)
        return seen
    def payoff(self, state):
        first = frozenset({state.steps, 3})
        other = first
        first |= {state.last}
        other -= {3}
        first ^= other
        return len(first) * 10 + sum(other) + sum(self.fill(state.steps % 8, frozenset())) * 100
""",
    # ---- dictionaries of pairs whose keys are texts
    "dictionaries-of-pairs-by-texts": """
class Rules(Steps):
    names = ("first", "second")
    def payoff(self, state):
        at = dict(zip(self.names, (state.steps, state.last)))
        me = self.names[state.steps % 2]
        at[me] += 7
        again = dict([("first", state.last), ("second", state.steps)])
        return at["first"] * 100 + at["second"] + len(again) * 1000 + again[me]
""",
    # ---- tuples of constants as moves
    "constant-tuples-as-moves": """
class Rules(Steps):
    pairs = ((0, 1), (1, 2), (2, 0))
    nested = (((0, 1), 2), ((1, 1), 0))
    threes = ((0, 1, 2), (1, 1, 1))
    def ways(self, k):
        for pair in self.pairs:
            if k in pair: yield pair
    def moves(self, state):
        if state.steps < 3:
            for pair in self.pairs:
                if pair[0] != state.steps: yield pair
            yield self.pairs[state.last % 3]
            for k in range(2):
                if k != state.steps: yield tuple(self.threes[k])
            yield from self.ways(state.steps % 2)
            yield self.nested[state.steps % 2]
            yield 1, state.steps
    def play(self, state, move):
        if isinstance(move[0], tuple):
            return self.State(state.steps + 1, move[0][1] + move[1])
        return self.State(state.steps + 1, (move == (1, 2)) + sum(move) + len(move))
    def payoff(self, state): return state.last
""",
    "constant-tuples-given-back-as-moves": """
class Rules(Steps):
    pairs = ((0, 1), (1, 2), (2, 0))
    def moves(self, state):
        return [pair for pair in self.pairs if pair[1] != state.last] if state.steps < 4 else []
    def play(self, state, move):
        return self.State(state.steps + 1, self.pairs.index(move) + move[0])
""",
    # ---- what a comprehension in the head of a loop gives a value is its own
    "head": """
class Rules(Steps):
    def payoff(self, state):
        steps = 100
        total = 0
        for each in (2 * steps for steps in range(4)):
            total += each
        return total + steps
""",
    "head-filtered": """
class Rules(Steps):
    def payoff(self, state):
        k = 50
        total = 0
        for each in (k for k in range(9) if k % 2):
            total += each * 3
        return total + k
""",
    # ---- slices under local names, joined around an item: of the tuple and the place that they were taken from
    "parts-of-a-tuple": """
class Rules(Steps):
    def payoff(self, state):
        board, at = (state.steps, state.last, 3, state.steps * 2), state.steps % 4
        head, tail = board[:at], board[at + 1:]
        board = head + (7,)
        board += tail
        return sum(each * 10**place for place, each in enumerate(board))
""",
    "parts-of-two-tuples": """
class Rules(Steps):
    def payoff(self, state):
        board, at = (state.steps, state.last, 3, state.steps * 2), state.steps % 4
        head = board[:at]
        board = (1, state.last, 2, state.steps)
        tail = board[at + 1:]
        board = head + (7,) + tail
        return sum(each * 10**place for place, each in enumerate(board))
""",
    "parts-around-two-places": """
class Rules(Steps):
    def payoff(self, state):
        board, at = (state.steps, state.last, 3, state.steps * 2), state.steps % 3
        head = board[:at]
        if state.last:
            at += 1
        tail = board[at + 1:]
        return sum(each * 10**place for place, each in enumerate(head + (7,) + tail))
""",
    "parts-of-the-turn-before": """
class Rules(Steps):
    def payoff(self, state):
        board, total = (state.steps, state.last, 3, state.steps * 2), 0
        head, tail = board[:state.last], board[state.last:]
        for at in range(state.steps % 4):
            total += sum(each * 3**place for place, each in enumerate(head + (at,) + tail))
            head = board[:at]
            board = board[:at] + (at,) + board[at + 1:]
            tail = board[at + 1:]
        return total
""",
    "parts-around-a-place-that-turns-move": """
class Rules(Steps):
    def payoff(self, state):
        board, at, total = (state.steps, state.last, 3, state.steps * 2), state.steps % 3, 0
        head = board[:at]
        while at < 4:
            total = total * 3 + sum(each * 5**place for place, each in enumerate(head + (9,) + board[at + 1:]))
            at += 1
        return total
""",
    "parts-in-turns-of-turns": """
class Rules(Steps):
    def payoff(self, state):
        board, total = (state.steps, state.last, 3, state.steps * 2), 0
        for at in range(state.steps % 4):
            head = board[:at]
            for _ in range(2):
                total = total * 3 + sum(each * 5**place for place, each in enumerate(head + (9,) + board[at + 1:]))
                at = at + 1
        return total % 99991
""",
    "parts-after-turns-that-move-the-place": """
class Rules(Steps):
    def payoff(self, state):
        board, at = (state.steps, state.last, 3, state.steps * 2), state.steps % 3
        head = board[:at]
        for other in range(4):
            if board[other] == 3:
                at = other
                break
        return sum(each * 5**place for place, each in enumerate(head + (9,) + board[at + 1:]))
""",
    "parts-of-written-out-turns": """
class Rules(Steps):
    def payoff(self, state):
        board = (state.steps, state.last, 3, state.steps * 2)
        head, total = board[:state.last], 0
        for at in (state.steps % 4, state.last):
            total += sum(each * 3**place for place, each in enumerate(head + (5,) + board[at + 1:]))
            head = board[:at]
        return total
""",
    "parts-by-what-is-handed-over": """
class Rules(Steps):
    def put(self, head, tail): return head + (9,) + tail
    def payoff(self, state):
        board, at = (state.steps, state.last, 3, state.steps * 2), state.steps % 3
        one = self.put(board[:at], board[at + 1:])
        other = self.put(board[:at], board[at + 2:])
        return sum(each * 10**place for place, each in enumerate(one + other))
""",
    # ---- a helper that counts down is written out for each number
    "counts-down": """
class Rules(Steps):
    def digit(self, number, at): return number % 3 if at == 0 else self.digit(number // 3, at - 1)
    def payoff(self, state): return sum(self.digit(state.steps * 7, at) * 10**at for at in range(4))
""",
    "counts-up": """
class Rules(Steps):
    def digit(self, number, at): return at if number == 0 else self.digit(number // 3, at + 1)
    def payoff(self, state): return self.digit(state.steps * 7, 0) * 10 + self.digit(state.last, 2)
""",
    "counts-down-twice": """
class Rules(Steps):
    def fib(self, n, at): return n if at < 2 else self.fib(n, at - 1) + self.fib(n + 1, at - 2)
    def payoff(self, state): return self.fib(state.steps, 9) + self.fib(state.last, state.steps)
""",
    "counts-below-none": """
class Rules(Steps):
    def down(self, n, at):
        if n == 0: return at
        return self.down(n - 1, at - 3)
    def payoff(self, state): return self.down(state.steps, 5) + self.down(state.last, True)
""",
    "counts-in-a-loop": """
class Rules(Steps):
    def down(self, n, at):
        while at > 3:
            at -= 2
            n += 1
        return n if at == 0 else self.down(n * 2, at - 1)
    def payoff(self, state): return self.down(state.steps, 9)
""",
    # ---- what is written out, worked out, or left out
    "helper-given-twice": """
class Rules(Steps):
    def twice(self, n): return n * 10 + n
    def first(self, n, m): return n
    def payoff(self, state):
        n = state.steps
        found = self.twice(self.twice(n + state.last)) - self.first(n, n - 1)
        n = 100
        return found + self.twice(n)
""",
    "divided-again": """
class Rules(Steps):
    def at(self, n, k): return n // 3**k % 3
    def digit(self, n, k): return n % 3 if k == 0 else self.digit(n // 3, k - 1)
    def payoff(self, state):
        return sum(self.at(n, 2) + 10 * self.digit(n, 3) + 100 * (n // 2 // 5)
                   for n in (state.steps * 7 - 20, -1, state.last * 50))
""",
    "digits-alike": """
class Rules(Steps):
    def at(self, n, k): return n // 2**k % 2
    def payoff(self, state):
        n = state.steps
        return int(self.at(n, 0) == self.at(n, 1) == 1) + 2 * int(self.at(n, 2) == self.at(n, 0) == self.at(n, 1))
""",
    "unread-lists": """
class Rules(Steps):
    def payoff(self, state):
        xs, ys, zs = [1], [state.last], []
        for n in range(state.steps):
            xs.append(n)
            ys = [n, *ys]
            ys = [n]
            zs.append(n)
            if n == 3: break
            zs = [n + 5]
        xs = [7]
        return sum(xs) + sum(zs)
""",
    "rows-appended": """
class Rules(Steps):
    def made(self, n):
        grid = []
        for k in (0, 1, 2): grid.append([n, k, n * k])
        return grid
    def payoff(self, state):
        n = state.steps
        grid, other = [], self.made(n)
        for row in ((1, 2, 3), (n, 5, 6), (7, state.last, 9)): grid.append(list(row))
        grid[n % 3][1] = 40
        grid.append([0] * 3)
        grid[3][n % 3] += 5
        count = lambda: len(other)
        other.append(list(grid[0]))
        grid[0][0] = 100
        total = sum(sum(row) * 10**k for k, row in enumerate(grid)) + sum(a * b for a, b, *_ in zip(*grid))
        return total + count() + sum(map(sum, other))
""",
    "one-replaced-in-a-row": """
class Rules(Steps):
    def payoff(self, state):
        n, r, i = state.steps, state.last, state.steps % 3
        rows = ((n, 2, 3), (4, n, 6))
        row = rows[r][:i] + (9,) + rows[r][i + 1:]
        head = rows[r][:i] + (7,)
        r = 1 - r
        other = head + rows[r][i + 1:]
        i = 1
        last = rows[0][:i] + (n, n) + rows[0][i + 1:]
        return row[0] + 10 * row[1] + 100 * row[2] + 1000 * sum(other) + 100000 * last[2]
""",
    "matched": """
class Rules(Steps):
    def payoff(self, state):
        match state.steps * 2 - state.last:
            case 0 | 1: return 3
            case 4 if state.last or 12 // (state.steps - 9) > -2: return 5
            case 2 | 4 | 6: found = 7
            case _ if state.last: found = 11
            case _: return 13
        return found
""",
    "chosen-at-once": """
class Rules(Steps):
    def payoff(self, state):
        n = state.steps
        return sum((n // 3 % 3 if k == n else (0, 2, 1)[n % 3]) * 10**k for k in range(4)) + (n if n > 2 else n > 1)
""",
    # ---- the place of a number among numbers that follow one another
    "table-in-a-row": """
class Rules(Steps):
    SIDES = {2: 5, 3: 8, 4: 13, 5: 21}
    TRUTHS = {False: 3, True: 4}
    def payoff(self, state):
        places = (3, 4, 5).index(state.steps) if 3 <= state.steps <= 5 else 9
        return self.SIDES.get(state.steps, -1) * 10 + self.TRUTHS[state.last] + places + (state.steps in self.SIDES)
""",
    "head-two": """
class Rules(Steps):
    def payoff(self, state):
        a, b = 70, 90
        total = 0
        for each in [a * b for a in range(3) for b in range(a)]:
            total += each
        return total + a + b
""",
    "yield-from": """
class Rules(Steps):
    def moves(self, state):
        k = 3
        if state.steps < 7:
            yield from (k for k in range(2))
            yield k
    def play(self, state, move): return self.State(state.steps + 1 + move, move)
""",
    "yield-from-nested": """
class Rules(Steps):
    def moves(self, state):
        k = 2
        if state.steps < 7:
            yield from (k + sum(k for k in range(k + 1)) for k in range(k))
            yield 5 + k
""",
    "head-else": """
class Rules(Steps):
    def payoff(self, state):
        total = 0
        for each in (k for k in range(state.last + 2)):
            if each == 2:
                break
            total += each
        else:
            total += 1000
        return total
""",
    "head-else-two": """
class Rules(Steps):
    def payoff(self, state):
        total = 0
        for each in (a + b for a in range(2) for b in range(3)):
            total += each
        else:
            total += 1000
        return total
""",
    # ---- the first iterable of a comprehension is worked out outside
    "first-iterable": """
class Rules(Steps):
    def payoff(self, state):
        n = state.steps
        return sum(n for n in range(n))
""",
    "first-iterable-any": """
class Rules(Steps):
    def payoff(self, state):
        n = state.steps
        least = min((n for n in range(n, 2 * n)), default=3)
        return int(any(n > 6 for n in range(n))) + max(n for n in range(n)) + least
""",
    "second-iterable": """
class Rules(Steps):
    def payoff(self, state):
        n = state.steps
        return sum(n * m for m in range(n) for n in range(m))
""",
    "inner-in-outer": """
class Rules(Steps):
    def payoff(self, state):
        n = state.steps
        return sum(n + sum(n for n in range(n)) for n in range(n)) + n
""",
    "same-name-twice": """
class Rules(Steps):
    def payoff(self, state):
        n = state.steps
        pairs = sum(1 for n in range(n) for n in range(2))
        return sum(n for n in range(n)) - sum(n * n for n in range(n) if n != state.last) + pairs
""",
    "names-like-ours": """
class Rules(Steps):
    def payoff(self, state):
        es_total = es_t1 = es_met = 5
        return sum(es_total * k for k in range(state.steps)) + max((es_met - k for k in range(2)), default=es_t1)
""",
    "any-in-a-generator": """
class Rules(Steps):
    def moves(self, state):
        if state.steps < 7:
            for move in range(3):
                if any(move != k for k in range(state.last + 1)) or all(k < move for k in range(move)):
                    yield move
""",
    "global-of-the-same-name": """
k = 11
class Rules(Steps):
    def payoff(self, state):
        return sum(k for k in range(state.steps)) + k
""",
    # ---- decorators
    "cached": """
class Rules(Steps):
    @functools.cache
    def worth(self, steps): return 3 * steps
    def payoff(self, state): return self.worth(state.steps)
""",
    "registered": """
KNOWN = []
def register(function):
    KNOWN.append(function)
    return function
class Rules(Steps):
    @register
    def payoff(self, state): return 2 + state.last
""",
    "static": """
class Rules(Steps):
    @staticmethod
    def worth(steps, by=4): return steps * by
    def payoff(self, state): return self.worth(state.steps) + Rules.worth(state.last, by=2)
""",
    # ---- methods and functions chosen at run time
    "alias": """
class Rules(Steps):
    def most(self, state): return state.steps * 2
    def payoff(self, state): return self.least(state)
    least = most
""",
    "inherited": """
class Middle(Steps):
    def worth(self, state): return 1
    def payoff(self, state): return self.worth(state) * 10
class Rules(Middle):
    def worth(self, state): return 2 + state.last
""",
    "chosen-function": """
def double(x): return 2 * x
def triple(x): return 3 * x
chosen = triple
class Rules(Steps):
    def payoff(self, state): return chosen(state.steps)
""",
    # ---- class against instance
    "instance-over-class": """
class Rules(Steps):
    cap = 3
    def setup(self): self.cap = 30
    def payoff(self, state): return self.cap * state.last + Rules.cap + self.__class__.cap
""",
    "cached-property": """
class Rules(Steps):
    @functools.cached_property
    def table(self): return tuple(k * k for k in range(20))
    def payoff(self, state): return self.table[state.steps]
""",
    "property": """
class Rules(Steps):
    @property
    def cap(self): return self.size * 3
    def payoff(self, state): return self.cap + state.last
""",
    # ---- names with a value
    "assigned-on-both": """
class Rules(Steps):
    def payoff(self, state):
        if state.last:
            x = 4
        else:
            x = 9
        return x
""",
    "assigned-in-a-loop": """
class Rules(Steps):
    def payoff(self, state):
        for k in range(1, self.size):
            x = k * 2
        while True:
            y = x + 1
            if y > 3:
                break
            x += 1
        return x + k + y
""",
    "assigned-or-left": """
class Rules(Steps):
    def payoff(self, state):
        if state.last:
            x = 4
        elif state.steps > 7:
            return 12
        else:
            x = 3
        return x
""",
    # ---- assert, strict zip
    "assert": """
class Rules(Steps):
    def payoff(self, state):
        assert state.steps >= 7, "never"
        return state.last
""",
    "zip-strict": """
class Rules(Steps):
    def payoff(self, state):
        return sum(a * b for a, b in zip((1, 2), (state.steps, 3), strict=True))
""",
    "zip-not-strict": """
class Rules(Steps):
    def payoff(self, state):
        return sum(a * b for a, b in zip((1, 2, 3), (state.steps, 3), strict=False))
""",
    # ---- truth values
    "sum-of-truths": """
class Rules(Steps):
    def payoff(self, state):
        won = state.last > 0
        return sum(k < state.last for k in range(3)) + (won - (state.steps > 7)) + int(won)
""",
    # ---- what names stand for
    "shadowed-built-in": """
def min(a, b): return a + b
class Rules(Steps):
    def payoff(self, state):
        range = state.steps
        return min(range, 100)
""",
    "enumeration": """
class Colour(IntEnum):
    RED = 3
    BLUE = 5
class Rules(Steps):
    def payoff(self, state): return Colour.BLUE * state.last + Colour.RED
""",
    "closure": """
def make(offset):
    def worth(x): return x + offset
    return worth
plus_two, plus_nine = make(2), make(9)
class Rules(Steps):
    def payoff(self, state): return plus_two(state.steps) * plus_nine(state.last)
""",
    "list-is-not-a-tuple": """
class Rules(Steps):
    table = (1, 2)
    def payoff(self, state):
        return 5 if list(self.table) == (1, 2) else 6 + state.last
""",
    "keyword-only": """
def worth(a, *, b): return a * 10 + b
class Rules(Steps):
    def payoff(self, state): return worth(b=state.steps, a=state.last)
""",
    "loop-name-after": """
class Rules(Steps):
    def payoff(self, state):
        for a, b in ((1, 2), (3, 4)):
            pass
        for c in (5, 6, 7):
            if c == 6:
                break
        return a + 10 * b + 100 * c + state.last
""",
    "walrus-free-any": """
class Rules(Steps):
    def payoff(self, state):
        return int(any(all(k != m for m in range(2, k)) for k in range(state.steps)))
""",
    "wrapped-plainly": """
def twice(method):
    @functools.wraps(method)
    def wrapper(self, state): return 2 * method(self, state)
    return wrapper
class Rules(Steps):
    @twice
    def payoff(self, state): return 3
""",
    "unbound-list": """
class Rules(Steps):
    def payoff(self, state):
        for row in ((1, 2), (3, 4)):
            pass
        return row[0]
""",
    "another-gcd": """
class Other:
    @staticmethod
    def gcd(a, b): return a ** b
class Rules(Steps):
    other = Other()
    def payoff(self, state): return self.other.gcd(state.steps, 2)
""",
    "another-self": """
class Rules(Steps):
    def payoff(self, state):
        self = state
        return self.last
""",
    "chosen-in-setup": """
class Rules(Steps):
    def setup(self): self.counted = self.fewest
    def fewest(self, state): return -2
    def counted(self, state): return 6
    def payoff(self, state): return self.counted(state)
""",
    "chosen-rule": """
class Rules(Steps):
    def setup(self): self.payoff = self.other
    def other(self, state): return 9
    def payoff(self, state): return 3
""",
    "class-method": """
class Rules(Steps):
    cap: int = 1
    @classmethod
    def worth(cls): return cls.cap
    def payoff(self, state): return self.worth()
""",
    "two-underscores": """
class Rules(Steps):
    __cap = 4
    def payoff(self, state): return self.__cap
""",
}

WIDE = {
    # ---- sums of tuples and lists, numbers that may be None, functions as default values
    "sums-of-tuples": """
class Rules(Steps):
    table = ((1, 2), (3, 4), (5, 6))
    def payoff(self, state):
        n, m = state.steps, state.last
        one = sum(((k, n) for k in range(n) if k % 2), ())
        two = sum([[k] * k for k in (n, m, 2)], [m])
        three = sum(self.table, (n, m)) + sum([(m, n), (n, 4)], start=(1,)) + sum(((m, n), (n,)), ())
        total = 0
        for k in (*one, *two, *three): total = total * 3 % 1009 + k
        return total
""",
    "none-or-number": """
class Rules(Steps):
    class State(NamedTuple):
        steps: int
        last: int | None = None
    def limits(self): return self.State(40, 3)
    def play(self, state, move):
        if state.steps % 3 == move: return self.State(state.steps + 1 + move)
        return self.State(state.steps + 1 + move, move * 2)
    def payoff(self, state):
        x, n = state.last, state.steps
        return (x or n) + 10 * (x or 0) + 100 * (n % 2 or (x or 5)) + 1000 * int(bool(x or n > 4))
""",
    "default-of-a-default": """
class Rules(Steps):
    def payoff(self, state):
        n, m = state.steps, state.last
        f = lambda x, g=lambda a, b=n: a * 3 + b: g(x) * 10 + g(1, 2)
        def h(k, g=lambda a, b=m + 1: a - b): return h(k - 1) + g(k) if k > 0 else 1
        g = p = lambda a: a
        for k in (1, 2):
            p = lambda a, b=n * k: a + b
            if k == 1: g = p
        n = 50
        return f(m) * 100 + h(3) + g(1) * 7 + p(1) + n
""",
    # ---- fields of up to so many tuples, made of what has any length
    "tuples-up-to": """
class Pair(NamedTuple):
    a: int
    b: int
class Rules(Game):
    players = 1
    class State(NamedTuple):
        pairs: tuple[Pair, ...]
        cells: tuple[tuple[int, int], ...]
        holes: tuple[int | None, ...]
    def limits(self): return self.State((Pair(3, 3),) * 4, ((3, 4),) * 4, (3,) * 4)
    def start(self): return self.State((), (), (None, 2, None, 3))
    def moves(self, state): return range(2 if len(state.pairs) < 4 else 0)
    def play(self, state, move):
        pairs = tuple(Pair(p.b, (p.a + move) % 4) for p in state.pairs if p != (3, move)) + (Pair(move, 1),)
        cells = tuple([(b % 4, a) for a, b in state.cells if (a + b + move) % 3]) + ((move, len(pairs)),)
        pairs = pairs if len(pairs) == len(state.pairs) + 1 else (*state.pairs, Pair(2, 2))
        return self.State(pairs, cells, tuple([each for each in state.holes if each != move + 2]))
    def payoff(self, state):
        holes = sum(1 + int(each is None) + 3 * int(each == 2) for each in state.holes)
        return sum(p.a * 4 + p.b for p in state.pairs) * 100 + holes + sum(a * b for a, b in state.cells) * 10000
""",
    "kinds-of-constants": """
class Rules(Steps):
    rows = ([1, 2], [3, 4])
    pairs = ((1, 2), (3, 4))
    def payoff(self, state):
        row = self.rows[state.last]
        return (5 if row == (3, 4) else 6) + (50 if row == [3, 4] else 60) + (self.pairs[state.last] == (3, 4)) * 100
""",
    "copy-of-a-constant": """
class Rules(Steps):
    start_row = (3, 1, 2)
    def payoff(self, state):
        row, other = list(self.start_row), sorted(self.start_row)
        row[state.last] = 9
        other.append(state.steps)
        part = list(self.start_row)[1:]
        part[0] += 4
        return row[0] * 1000 + row[1] * 100 + sum(other) + part[0] + self.start_row[0]
""",
    "defaults": """
def worth(a, b=3, *, c=5): return a * b + c
class Rules(Steps):
    def payoff(self, state):
        k = state.last
        f = lambda x, y=k + 1: x * y
        k = 50
        return worth(state.steps) + worth(1, c=k) + f(3) + f(3, y=2)
""",
    "displayed": """
class Rules(Steps):
    def payoff(self, state):
        k = state.last
        return {0: state.steps, 1: k * 3}[k] + {2: 5, 7: k}.get(state.steps, -1)
""",
    "append": """
class Rules(Steps):
    def payoff(self, state):
        out = []
        for k in range(state.steps):
            if k % 3 != state.last:
                out.append(k * k)
        return sum(out) + len(out) + out[-1]
""",
    "append-pairs": """
class Rules(Steps):
    def pairs(self, n):
        out = []
        for a in range(n):
            for b in range(a):
                out.append((a, b))
        return out
    def payoff(self, state):
        total = 0
        for a, b in self.pairs(state.steps % 5 + 1):
            total += 10 * a + b
        return total
""",
    "moves-list": """
class Rules(Steps):
    def moves(self, state):
        moves = []
        if state.steps < 6:
            for k in range(3):
                if k != state.last:
                    moves.append(k)
        return moves
""",
    "board-slices": """
class Rules(Steps):
    def payoff(self, state):
        board = tuple((state.steps >> k) & 1 for k in range(6))
        board = board[:2] + (5,) + board[3:]
        board = board[::-1] + board[1:-1]
        return sum(k * x for k, x in enumerate(board)) + len(board)
""",
    "list-copy-set": """
class Rules(Steps):
    def payoff(self, state):
        board = [0] * self.size
        for k in range(self.size):
            board[k] = (state.steps * k) % 7
        new = list(board)
        new[state.last] = 50
        other = board.copy()
        other[1] += 3
        return sum(board) + 100 * sum(new) + sum(other)
""",
    "sorted": """
class Rules(Steps):
    def payoff(self, state):
        xs = [(state.steps * k) % 7 for k in range(6)]
        ys = sorted(xs)
        zs = sorted(xs, reverse=True)
        ws = sorted(xs, key=lambda x: (x * 3) % 7)
        return sum(10 ** k * v for k, v in enumerate(ys[:4])) + zs[0] + 7 * ws[1] + 3 * ws[-1]
""",
    "max-key": """
class Rules(Steps):
    def payoff(self, state):
        best = max(range(state.steps), key=lambda k: (k * 5) % 7)
        pair = min(((a, b) for a in range(3) for b in range(3)), key=lambda p: (p[0] * 3 + p[1] + state.last) % 4)
        return best * 100 + pair[0] * 10 + pair[1]
""",
    "walrus": """
class Rules(Steps):
    def payoff(self, state):
        total = 0
        if (n := state.steps % 4) > 1:
            total += n
        while (n := n + 1) < 9:
            total += n
        return total + sum(y for x in range(5) if (y := x * n) > 3)
""",
    "lambda": """
class Rules(Steps):
    def payoff(self, state):
        k = 3
        f = lambda x: x * k + state.last
        def g(a, b):
            if a > b:
                return a - b
            return f(b)
        k = 5
        return f(2) + g(state.steps, 8)
""",
    "product": """
import itertools
class Rules(Steps):
    def payoff(self, state):
        total = 0
        for a, b in itertools.product(range(state.steps % 3 + 1), (1, 5)):
            total += a * b + 1
        for a, b in itertools.combinations(range(4), 2):
            total += (a + 1) * b
        for p in itertools.permutations((1, 2, 3)):
            total += p[0] * 100 + p[1]
        for x in itertools.chain((1, 2), range(state.last + 1)):
            total += x
        return total + sum(1 for a, b, c in itertools.product(range(2), repeat=3) if a + b + c == state.last)
""",
    "super": """
class Middle(Steps):
    def payoff(self, state): return state.last + 10
    def play(self, state, move): return self.State(state.steps + 1 + move, move)
class Rules(Middle):
    def play(self, state, move):
        after = super().play(state, move)
        return after._replace(last=after.last * 2)
    def payoff(self, state): return super().payoff(state) * 3
""",
    "math": """
import math
from math import isqrt, gcd
class Rules(Steps):
    def payoff(self, state):
        return isqrt(state.steps * 37) + gcd(state.steps, 6, 4) + math.comb(state.steps, 3) + math.comb(6, 2)
""",
    "dict-table": """
VALUES = {0: 5, 1: 7, 8: 9}
class Rules(Steps):
    def payoff(self, state):
        return VALUES[state.last] + VALUES.get(state.steps, -1) + (state.steps in VALUES) + {0: 1, 1: 4}[state.last]
""",
    "set-table": """
GOOD = frozenset({7, 9})
class Rules(Steps):
    def payoff(self, state):
        return 3 if state.steps in GOOD else 4 + (state.last in {1, 2})
""",
    "text-table": """
PICTURE = "x..x"
class Rules(Steps):
    def payoff(self, state):
        total = 0
        for k, c in enumerate(PICTURE):
            if c == "x":
                total += 1 << k
        return total * (1 if "left" == "right" else 2) + state.last
""",
    "dataclass": """
from dataclasses import dataclass
@dataclass(frozen=True)
class Config:
    cap: int = 4
    line: tuple = (1, 2, 3)
CONFIG = Config()
class Rules(Steps):
    def setup(self): self.config = Config(9)
    def payoff(self, state): return CONFIG.cap * self.config.cap + self.config.line[state.last]
""",
    "named-tuple": """
class Point(NamedTuple):
    x: int
    y: int = 3
HOME = Point(4)
class Rules(Steps):
    def shift(self, p, by): return p._replace(x=p.x + by)
    def payoff(self, state):
        p = self.shift(Point(state.steps, y=2), state.last)
        x, y = p
        return p.x * 10 + p.y + x + y + HOME.x + HOME.y + p[1]
""",
    "nested-data": """
class Rules(Steps):
    def setup(self):
        self.near = tuple(tuple(j for j in range(8) if j != k and (j + k) % 3 == 0) for k in range(8))
        self.lines = [(0, 1, 2), (3, 4, 5)]
    def payoff(self, state):
        at = state.steps % 8
        total = sum(j * len(self.near[j]) for j in self.near[at])
        for a, b, c in self.lines:
            total += a * b + c * state.last
        return total + self.lines[state.last][1] + len(self.near)
""",
    "enumerate-zip": """
class Rules(Steps):
    def payoff(self, state):
        board = [(state.steps * k) % 5 for k in range(6)]
        total = 0
        for k, (a, b) in enumerate(zip(board, board[1:]), start=2):
            total += k * (a - b)
        for a in reversed(board):
            total = total * 2 + a
        return total % 1000 + board.count(0) + (board.index(board[3]) if board[3] in board else 0)
""",
    "star": """
class Rules(Steps):
    def payoff(self, state):
        first, *rest = (state.steps, 2, state.last, 7)
        *most, last = range(5)
        return first + sum(rest) * last + len(most) + max(rest) + self.add(*(1, 2))
    def add(self, a, b): return a + 2 * b
""",
    "pop-while": """
class Rules(Steps):
    def payoff(self, state):
        stack = [state.steps]
        total = 0
        while stack:
            top = stack.pop()
            total += top
            if top > 3:
                stack.append(top // 2)
                stack.append(top - 4)
        return total
""",
    "flood": """
class Rules(Steps):
    def payoff(self, state):
        seen = [False] * 16
        todo = [state.last]
        seen[state.last] = True
        while todo:
            at = todo.pop()
            for step in (-4, -1, 1, 4):
                to = at + step
                if 0 <= to < 16 and not seen[to] and (to * state.steps) % 5 != 1:
                    seen[to] = True
                    todo.append(to)
        return sum(seen)
""",
    "bool-logic": """
class Rules(Steps):
    def payoff(self, state):
        ok = state.last and state.steps > 7
        flags = [k == state.last for k in range(3)]
        return int(ok) + flags[0] * 10 + sum(flags) + (5 if not flags else 6)
""",
    "generator-helper": """
def walk(n, step=1):
    at = 0
    while at < n:
        yield at
        at += step
class Rules(Steps):
    def near(self, n):
        for k in walk(n):
            if k % 2:
                yield k, k * k
    def payoff(self, state):
        total = 0
        for a, b in self.near(state.steps):
            if a > 5: break
            total += a + b
        else:
            total += 1000
        return total + sum(x for x in walk(9, step=2)) + max(walk(state.steps)) + sum(list(walk(5)))
""",
    "moves-tuples": """
class Rules(Steps):
    def moves(self, state):
        if state.steps < 6:
            for r in range(2):
                for c in range(2):
                    if (r, c) != (state.last, 1):
                        yield (r, c)
    def play(self, state, move):
        r, c = move
        return self.State(state.steps + 1 + r, c)
""",
    "match-guard": """
class Rules(Steps):
    def payoff(self, state):
        match state.steps:
            case 7 if any(k == state.last for k in range(1)):
                return 1
            case 7 | 8 if state.last:
                return 2
            case _:
                return 3
""",
    "chain-fold": """
class Rules(Steps):
    def payoff(self, state):
        return 5 if 0 <= sum(k for k in range(state.last)) < max(k for k in range(state.steps)) <= 7 else 6
""",
    "ifexp-lists": """
class Rules(Steps):
    def payoff(self, state):
        a = [1, 2, 3]
        b = [4, 5]
        c = a if state.last else b
        return sum(c) * len(c) + sum(x for x in (a or b)) + sum([9, 8] if state.steps > 7 else [7])
""",
    "dead-branch": """
class Rules(Steps):
    mode: str = "short"
    def payoff(self, state):
        if self.mode == "long":
            return open("x").read()
        return 4 if self.mode == "short" and state.last else 2
""",
    "tuple-of-rows": """
class Rules(Steps):
    def payoff(self, state):
        rows = ((state.steps, 1), (2, state.last))
        total = 0
        for a, b in rows:
            total += a * 3 + b
        (a, b), (c, d) = rows
        return total + a - d + rows[0][1] + len(rows)
""",
    "list-function": """
class Rules(Steps):
    def bits(self, word):
        return [k for k in range(8) if word >> k & 1]
    def flip(self, board, at):
        board[at] = 1 - board[at]
    def payoff(self, state):
        board = [0] * 8
        for k in self.bits(state.steps):
            self.flip(board, k)
        return sum(v << k for k, v in enumerate(board)) + len(self.bits(255))
""",
    "recursion-free-str": """
class Rules(Steps):
    def payoff(self, state):
        names = ("a", "b")
        name = names[0] if self.size > 3 else names[1]
        return {"a": 3, "b": 4}[name] + state.last
""",
    "numpy": """
import numpy
SMALL = numpy.int64(3)
TABLE = [numpy.int64(5), numpy.int64(8)]
class Rules(Steps):
    def payoff(self, state): return int(state.last * SMALL + TABLE[state.last] - SMALL * TABLE[1])
""",
    "cached-and-pure": """
@functools.cache
def ways(n): return 1 if n < 2 else ways(n - 1) + ways(n - 2)
class Rules(Steps):
    def payoff(self, state): return ways(state.steps)
""",
    "recursion-module": """
def fib(n): return n if n < 2 else fib(n - 1) + fib(n - 2)
class Rules(Steps):
    def payoff(self, state): return fib(state.steps)
""",
    "recursion-mutual": """
class Rules(Steps):
    def even(self, n): return 1 if n == 0 else self.odd(n - 1)
    def odd(self, n): return 0 if n == 0 else self.even(n - 1)
    def payoff(self, state): return self.even(state.steps)
""",
    "recursion-list": """
class Rules(Steps):
    def down(self, n):
        if n <= 0: return []
        return [n] + self.down(n - 1)
    def payoff(self, state): return sum(self.down(state.steps)) * 10 + len(self.down(3))
""",
    "recursion-lru-method": """
class Rules(Steps):
    @functools.lru_cache(maxsize=None)
    def ways(self, n): return 1 if n <= 1 else self.ways(n - 1) + self.ways(n - 2)
    def payoff(self, state): return self.ways(state.steps)
""",
    "recursion-gen-tuples": """
class Rules(Steps):
    def splits(self, n, most):
        if n == 0: return 1
        return sum(self.splits(n - k, k) for k in range(1, min(n, most) + 1))
    def payoff(self, state): return self.splits(state.steps, 4)
""",
    "recursion-state": """
class Rules(Steps):
    def deep(self, state):
        if state.steps > 6: return state.last
        return 1 + max(self.deep(self.play(state, k)) for k in range(2))
    def payoff(self, state): return self.deep(state)
""",
    "rebound": """
class Rules(Steps):
    def payoff(self, state):
        t = (state.steps, 2, state.last)
        total = 0
        for x in t:
            t = (total, x, 1)
            total += x * 3
        n = 2
        for k, m in zip(range(n, 6), (7, 8, 9)):
            n = n + k
            total += n * m
        for k, v in enumerate(t, start=n):
            n += 1
            total += k * v
        x, y = 1, state.steps
        for a in (x, y):
            for b in range(2):
                x = y + b
                y = x - a
        return total + x + y
""",
    "aliased-read": """
class Rules(Steps):
    def payoff(self, state):
        x = [state.steps, 2, 3]
        f = lambda v: v + x[0]
        for _ in range(3):
            x = [f(v) for v in x]
        y = x
        for _ in range(2):
            x = x + [x[0]]
        return sum(x) * 3 + sum(y)
""",
    "swap": """
class Rules(Steps):
    def payoff(self, state):
        a, b = state.steps, state.last
        for _ in range(3):
            a, b = b, a + b
        c = [a, b]
        c[0], c[1] = c[1], c[0]
        i = 0
        i, c[i] = 1, 9
        return a * 10 + b + c[0] * 100 + c[1]
""",
    "recursive-comp": """
class Rules(Steps):
    def payoff(self, state):
        row = [1]
        for k in range(state.steps):
            row = [1] + [(row[j] + row[j + 1]) % 97 for j in range(len(row) - 1)] + [1]
        return sum(row) + max(row)
""",
    "neighbours": """
class Rules(Steps):
    def setup(self):
        self.near = {k: tuple(j for j in (k - 1, k + 1) if 0 <= j < 8) for k in range(8)}
    def payoff(self, state):
        near = [j for j in range(8) if abs(j - state.steps % 8) == 1]
        return sum(near) + len(self.near) + (state.steps in self.near)
""",
    "divmod": """
class Rules(Steps):
    def payoff(self, state):
        q, r = divmod(state.steps, 3)
        a, b = divmod(-state.steps, 4)
        return q * 100 + r * 10 + a + b
""",
    "early": """
class Rules(Steps):
    def first(self, state):
        for a in range(5):
            for b in range(5):
                if (a * b + state.steps) % 11 == 3:
                    return a, b
        return None
    def payoff(self, state):
        for k in range(9):
            if k * k > state.steps:
                return k
        return -1
""",
    "int-division": """
class Rules(Steps):
    def payoff(self, state):
        n = -state.steps
        return n // 3 + n % 3 + (n >> 1) + (n ^ 5) + ~state.last + (7 if not state.last else -7)
""",
}

FAILING = {
    "one-number-for-two-before-what-fails": """
class Rules(Steps):
    players = 2
    def to_move(self, state): return state.steps % 2
    def reward(self, state, move): return 2  # no
    def payoff(self, state): return 1 // (state.last - state.last), 0
""",
    "loop-that-an-error-ends": """
class Rules(Steps):
    def payoff(self, state):
        numbers = (1, 2, 4)
        place = 0
        while True:
            if numbers[place] == 3:  # no
                break
            place += 1
        return place
""",
    "key-of-a-dictionary-that-may-be-empty": """
class Rules(Steps):
    def payoff(self, state):
        counts = {}
        if state.last > 100:
            counts[1] = 2
        return counts[1]  # no
""",
    "loop-that-an-error-of-a-helper-ends": """
class Rules(Steps):
    def over(self, place): return 6 // (3 - place)  # no
    def payoff(self, state):
        place = 0
        while self.over(place) < 100:
            place += 1
        return place
""",
    "loop-of-a-helper-after-an-error": """
class Rules(Steps):
    def down(self, k):
        while k != 6:
            k ^= 1
        return k
    def payoff(self, state): return self.down(12 // (2 * state.last))  # no
""",
    "loop-after-an-error": """
class Rules(Steps):
    def payoff(self, state):
        k = 12 // (2 * state.last)  # no
        while k != 6:
            k ^= 1
        return k
""",
    "deep-calls-after-an-error": """
class Rules(Steps):
    def spread(self, k): return 1 if k < 2 else self.spread(k - 1) + self.spread(k - 2)
    def worth(self, k): return self.spread(k) + 1
    def payoff(self, state): return self.worth(200 // (100 * state.last))  # no
""",
    "length-of-what-fails": """
class Rules(Steps):
    def payoff(self, state): return len((1, 1 // state.last))  # no
""",
    "item-beside-what-fails": """
class Rules(Steps):
    def payoff(self, state):
        x = (state.steps, 1 // state.last)[0]  # no
        return x
""",
    "comparison-of-what-fails": """
class Rules(Steps):
    def payoff(self, state): return 3 if [1 // state.last] == (1,) else 4  # no
""",
    "raises": """
class Rules(Steps):
    def worth(self, state):
        while True:
            if state.last:
                raise ValueError("last")  # no
            return 3
    def payoff(self, state): return self.worth(state)
""",
    "generator-returns": """
class Rules(Steps):
    def moves(self, state):
        yield from self.those(state)
    def those(self, state):
        if state.steps < 6:
            yield 1
        return 1 // state.last  # no
""",
    "assert-fails": """
class Rules(Steps):
    def payoff(self, state):
        assert not state.last  # no
        return 4
""",
    "zip-strict-differs": """
class Rules(Steps):
    def payoff(self, state):
        return sum(a * b for a, b in zip(range(state.steps), (1, 2), strict=True))  # no
""",
    "divides-by-zero": """
class Rules(Steps):
    def payoff(self, state):
        return sum(12 // k for k in range(state.steps))  # no
""",
    "recursion-without-end": """
class Rules(Steps):
    def fib(self, n): return 1 if n < 0 else self.fib(n + 1) + self.fib(n + 2)  # no
    def payoff(self, state): return self.fib(state.steps)
""",
    "beyond-the-end": """
class Rules(Steps):
    def payoff(self, state):
        return (1, 2, 3)[state.steps]  # no
""",
}

REFUSED = {
    # ---- what would stay changed
    "constant-list-grows": """
class Rules(Steps):
    row = [1, 2]
    def payoff(self, state):
        row = self.row
        row += [3]  # no
        return len(row)
""",
    "inner-list-grows": """
class Rules(Steps):
    rows = ([1, 2], [3])
    def payoff(self, state):
        row = self.rows[state.last]
        row += [3]  # no
        return len(row)
""",
    "default-list-grows": """
def gathered(x, seen=[]):
    seen += [x]  # no
    return len(seen)
class Rules(Steps):
    def payoff(self, state): return gathered(state.last)
""",
    "cached-list": """
@functools.cache
def row(n): return [0] * n
class Rules(Steps):
    def payoff(self, state):
        mine = row(3)  # no
        mine[0] += 1
        return mine[0]
""",
    "cached-generator-outside": """
@functools.cache
def few(n):
    yield n
class Rules(Steps):
    def payoff(self, state): return sum(few(state.last))  # no
""",
    # ---- decorators
    "wrapped": """
def twice(method):
    @functools.wraps(method)
    def wrapper(*arguments): return 2 * method(*arguments)  # no
    return wrapper
class Rules(Steps):
    @twice
    def payoff(self, state): return 3
""",
    "partial": """
class Rules(Steps):
    def worth(self, factor, state): return factor * state.steps
    payoff = functools.partialmethod(worth, 3)
""",
    "class-decorator": """
def doubled(kind):
    old = kind.payoff
    kind.payoff = lambda self, state: 2 * old(self, state)  # no
    return kind
@doubled
class Rules(Steps):
    def payoff(self, state): return 3
""",
    "cached-generator": """
class Rules(Steps):
    @functools.cache  # no
    def moves(self, state):
        if state.steps < 7:
            yield 0
""",
    "cache-that-lies": """
@functools.cache
def three(x): return 3 * x
three.__wrapped__ = lambda x: 5 * x
class Rules(Steps):
    def payoff(self, state): return three(state.steps)  # no
""",
    # ---- chosen at run time
    "counting-property": """
COUNT = [0]
class Rules(Steps):
    @property
    def cap(self):
        COUNT[0] += 1  # no
        return COUNT[0]
    def payoff(self, state): return self.cap
""",
    "own-look-up": """
class Rules(Steps):
    def __getattribute__(self, name): return object.__getattribute__(self, "other" if name == "payoff" else name)
    def other(self, state): return 4
    def payoff(self, state): return 2
""",
    # ---- names without a value
    "unbound": """
class Rules(Steps):
    def payoff(self, state):
        if state.last:
            x = 5
        return x  # no
""",
    "unbound-in-a-loop": """
class Rules(Steps):
    def payoff(self, state):
        for k in range(state.last):
            x = k
        return x  # no
""",
    "unbound-loop-name": """
class Rules(Steps):
    def payoff(self, state):
        for k in range(state.last):
            pass
        return k  # no
""",
    "unbound-after-break": """
class Rules(Steps):
    def payoff(self, state):
        while state.steps:
            if state.last:
                break
            x = 3
            break
        return x  # no
""",
    "unbound-in-a-sum": """
class Rules(Steps):
    def payoff(self, state):
        if state.last:
            x = 2
        return sum(x for _ in range(state.last))  # no
""",
    "no-value-in-the-head": """
class Rules(Steps):
    def payoff(self, state):
        total = 0
        for each in (2 * k for k in range(4)):
            total += each
        return total + k  # no
""",
    # ---- moves that are nothing
    "moves-nothing": """
class Rules(Steps):
    def moves(self, state):
        if state.steps > 5:
            return  # no
        return [0, 1]
""",
    "moves-fall-off": """
class Rules(Steps):
    def moves(self, state):  # no
        if state.steps < 6:
            return [0, 1]
""",
    # ---- zip and reversed
    "zip-strict-unknown": """
class Rules(Steps):
    def payoff(self, state):
        return sum(a * b for a, b in zip(range(state.steps), (1, 2), strict=state.last > 0))  # no
""",
    "reversed-zip": """
class Rules(Steps):
    def payoff(self, state):
        total = 0
        for a, b in reversed(zip(range(state.steps), (1, 2))):  # no
            total += a
        return total
""",
    # ---- truth values
    "cached-and-counting": """
SEEN = []
@functools.cache
def ways(n):
    SEEN.append(n)  # no
    return len(SEEN)
class Rules(Steps):
    def payoff(self, state): return ways(state.steps)
""",
    "cached-by-a-global": """
COUNT = 0
@functools.cache
def ways(n):
    global COUNT  # no
    COUNT += 1
    return COUNT
class Rules(Steps):
    def payoff(self, state): return ways(state.steps)
""",
    "numpy-of-8-bits": """
import numpy
SMALL = numpy.int8(100)
class Rules(Steps):
    def payoff(self, state): return int(SMALL + state.last)  # no
""",
    "recursion-of-a-generator": """
class Rules(Steps):
    def walk(self, n):  # no
        yield n
        if n > 0:
            yield from self.walk(n - 1)
    def payoff(self, state): return sum(self.walk(state.steps))
""",
    "recursion-too-deep": """
class Rules(Steps):
    def down(self, n): return 0 if n == 0 else 1 + self.down(n - 1)  # no
    def payoff(self, state): return self.down(state.steps * 30)
""",
    "truth": """
class Rules(Steps):
    def payoff(self, state): return state.last > 0  # no
""",
    "truth-by-name": """
class Rules(Steps):
    def payoff(self, state):
        won = False
        for k in range(state.steps):
            won = won or k == state.last
        return won  # no
""",
    "truth-by-helper": """
class Rules(Steps):
    def won(self, state): return any(k == state.last for k in range(3))
    def payoff(self, state): return self.won(state) if state.steps else 0  # no
""",
    "truth-by-table": """
class Rules(Steps):
    table = (False, True)
    def payoff(self, state): return self.table[state.last]  # no
""",
    "truth-by-field": """
class Rules(Steps):
    def play(self, state, move): return self.State(state.steps + 1, move > 0)
    def payoff(self, state): return state.last  # no
""",
    "truth-in-a-tuple": """
class Rules(Steps):
    def to_move(self, state): return 0
    players = 2
    def payoff(self, state): return (state.last > 0, 0)  # no
""",
    "truth-by-item": """
class Rules(Steps):
    def payoff(self, state):
        board = [0, 0, 0]
        board[state.last] = state.steps > 3
        return board[1]  # no
""",
    "truth-as-reward": """
class Rules(Steps):
    def reward(self, state, move): return move == 1  # no
""",
    "truth-as-weight": """
class Rules(Steps):
    players = 1
    def to_move(self, state): return -1
    def weight(self, state, move): return True  # no
""",
    "truth-or-number-as-move": """
class Rules(Steps):
    def moves(self, state):
        if state.steps < 6:
            yield state.last > 0 if state.steps else 2  # no
""",
    # ---- what names stand for
    "pow-of-floats": """
from math import pow
class Rules(Steps):
    def payoff(self, state): return int(pow(2, state.steps))  # no
""",
    "another-len": """
def length(items): return 3
length.__name__ = "len"
len = functools.partial(length)
len.__name__ = "len"
class Rules(Steps):
    def payoff(self, state): return len((state.last, 1))  # no
""",
    "number-of-its-own": """
class Odd(int):
    def __add__(self, other): return 7
class Rules(Steps):
    odd = Odd(3)
    def payoff(self, state): return self.odd + state.last  # no
""",
    "flags": """
class Flag(IntFlag):
    A = 1
    B = 2
class Rules(Steps):
    def payoff(self, state): return int(~Flag.A) + (Flag.B | state.last)  # no
""",
    "tuple-of-its-own": """
class Odd(tuple):
    def __getitem__(self, key): return 99
class Rules(Steps):
    odd = Odd((1, 2, 3))
    def payoff(self, state): return self.odd[state.last]  # no
""",
    "state-of-its-own": """
class Rules(Steps):
    class State(NamedTuple):
        steps: int
        last: int = 0
        def __eq__(self, other): return True
        def __hash__(self): return 0
""",
    "state-with-truth": """
class Rules(Steps):
    class State(NamedTuple):
        steps: int
        last: int = 0
        def __bool__(self): return self.last > 0
    def payoff(self, state): return 4 if state else 2
""",
    "same-object": """
class Rules(Steps):
    def payoff(self, state): return 1 if state.steps is state.last else 2  # no
""",
    # ---- arguments
    "place-for-keyword": """
def worth(a, *, b): return a * 10 + b
class Rules(Steps):
    def payoff(self, state): return worth(state.last, state.steps)  # no
""",
    "keyword-for-place": """
def worth(a, /, b): return a * 10 + b
class Rules(Steps):
    def payoff(self, state): return worth(a=1, b=2)  # no
""",
    "too-many": """
class Rules(Steps):
    def worth(self, a): return a
    def payoff(self, state): return self.worth(1, 2)  # no
""",
    "no-self": """
class Rules(Steps):
    def worth(): return 3
    def payoff(self, state): return self.worth()  # no
""",
    "sum-with-default": """
class Rules(Steps):
    def payoff(self, state): return sum((k for k in range(3)), default=2)  # no
""",
    "any-of-two": """
class Rules(Steps):
    def payoff(self, state): return int(any((k for k in range(3)), 2))  # no
""",
    # ---- lists under two names
    "list-chosen-by-a-dictionary": """
class Rules(Steps):
    def payoff(self, state):
        xs, ys = [1, 2], [3, 4]
        zs = {0: xs, 1: ys}[state.last]  # no
        zs[0] = 7
        return xs[0]
""",
    "list-in-a-tuple": """
class Rules(Steps):
    def payoff(self, state):
        old = (0, 0)
        for k in range(3):
            now = ([k, k], k)
            if k == 1:
                old = now
        return old[0][0]  # no
""",
}


def rules_of(name: str, text: str, folder: Path) -> type[Any]:
    """The class `Rules` of a case, loaded from a file."""
    file = folder / f"meaning_{name.replace('-', '_')}.py"
    file.write_text(HEAD + text, encoding="utf-8")
    spec = importlib.util.spec_from_file_location(file.stem, file)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[file.stem] = module
    spec.loader.exec_module(module)
    rules: type[Any] = module.Rules
    return rules


IDIOMS = [*SAME, *WIDE]


def test_a_position_with_a_shorter_tuple_than_play_has_is_left_to_python(tmp_path: Path) -> None:
    rules_of("shorter", SAME["a-text-with-a-limit-for-each-letter"], tmp_path)
    for text, is_compiled in (("X.O", True), ("X.", False), ("", False)):
        asked = ("value", f"{tmp_path / 'meaning_shorter.py'}:Rules", "--position", f"text={text} steps=3", "--engine")
        plain, told = (run(*asked, engine) for engine in ("plain", "compiled"))
        assert told.out == plain.out
        assert ("has a shorter tuple than all that the start leads to" in told.err) is not is_compiled


def test_the_core_means_what_python_means(tmp_path: Path) -> None:
    for name in IDIOMS:
        game = rules_of(name, (SAME | WIDE)[name], tmp_path)()
        require_same(by_python(game), by_core(game), name)


# Each takes a second to compile.
@pytest.mark.parametrize(
    "name",
    each(IDIOMS, lambda name: IDIOMS.index(name) % 9 == 0 or name in ("a-function-of-states-that-calls-itself",)),
)
def test_machine_code_means_what_python_means(name: str, tmp_path: Path) -> None:
    game = rules_of(name, (SAME | WIDE)[name], tmp_path)()
    require_same(by_python(game), by_machine(game), name)


def require_same(plain: Any, found: Any, name: str) -> None:
    expected, told = parts_of(plain), parts_of(found)
    for part in PARTS:
        assert repr(expected[part]) == repr(told[part]), (name, part)


@pytest.mark.parametrize("name", REFUSED)
def test_other_meanings_are_refused_by_line(name: str, tmp_path: Path) -> None:
    text = REFUSED[name]
    game = rules_of(name, text, tmp_path)()
    with pytest.raises(Refused) as caught:
        by_machine(game, tracks_mover=False)
    lines = [number for number, line in enumerate((HEAD + text).splitlines(), start=1) if "# no" in line]
    if lines:
        assert caught.value.line == lines[0], caught.value
        assert Path(str(caught.value.file)).name == f"meaning_{name.replace('-', '_')}.py"


@pytest.mark.parametrize("name", FAILING)
def test_errors_of_rules_are_those_of_python(name: str, tmp_path: Path) -> None:
    game = rules_of(name, FAILING[name], tmp_path)()
    with pytest.raises(RulesError) as plain:
        by_python(game)
    with pytest.raises(RulesError) as caught:
        by_machine(game, tracks_mover=False)
    line = next(number for number, line in enumerate((HEAD + FAILING[name]).splitlines(), start=1) if "# no" in line)
    assert f"line {line}" in str(caught.value)
    assert str(caught.value) == str(plain.value)


ONE_STATE = """
from typing import NamedTuple
from endsight import Game

class Still(Game):
    players = 1
    class State(NamedTuple):
        number: int
    def limits(self): return self.State(0)
    def start(self): return self.State(0)
    def moves(self, state): return {moves}
    def play(self, state, move): return state
    def payoff(self, state): return 7
"""


@pytest.mark.parametrize(
    "method", each(["auto", "graph", "layers", "search"], lambda method: method in ("graph", "layers"))
)
@pytest.mark.parametrize(("moves", "value"), [("()", "7"), ("(0,)", "0"), ("(0, 1)", "0")])
def test_games_of_one_state_need_no_bits(method: str, moves: str, value: str, tmp_path: Path) -> None:
    """A key of no bits was shifted by a whole word, and looked up for ever."""
    rules = tmp_path / "still.py"
    rules.write_text(ONE_STATE.format(moves=moves), encoding="utf-8")
    told = run("value", str(rules), "--engine", "compiled", "--method", method, "--time", "30s")
    assert (told.code, told.out.strip()) == (0, value)
