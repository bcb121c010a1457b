"""Rules as the compiler translates them, construct by construct.

The core of the rules is run by its interpreter and held against the rules themselves; what becomes of it
as machine code is the business of test_compiler_lowering and test_compiler_engine.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import gcd
from typing import Any, NamedTuple

import pytest

from both_engines import refusal
from endsight import Game
from interpreted import interpreted

OFFSET = 7
TABLE = (3, 1, 4, 1, 5)


def outside_helper(value: int, factor: int = 2) -> int:
    return value * factor + OFFSET


class Base(Game):
    """The least a game needs; tests replace `play`."""

    size: int = 5
    word: str = "left"

    class State(NamedTuple):
        a: int
        b: int = 0

    def setup(self) -> None:
        self.squares = tuple(k * k for k in range(self.size))
        self.ragged = ((1, 2, 3), (), (4,))
        self.steps = ((1, 2), (3, 4))
        self.long = tuple(range(100, 140))

    def limits(self) -> Any:
        return self.State(10**9, 10**9)

    def start(self) -> Any:
        return self.State(0, 0)

    def moves(self, state: Any) -> Any:
        yield from range(self.size)

    def play(self, state: Any, move: int) -> Any:
        return self.State(state.a, move)

    def payoff(self, state: Any) -> int:
        return 0


# -------------------------------------------------------------------- constructs


class Arithmetic(Base):
    def play(self, state, move):
        a = state.a + 3 * move - 2
        b = (a // 3) + a % 3 + (a << 2) + (a >> 1) + 2**3 + (a & 6 | 1 ^ 2)
        b += -a if a > 3 else +a
        b -= ~a
        return self.State(abs(b), divmod(b, 4)[1])


class Logic(Base):
    def play(self, state, move):
        inside = 0 <= move < self.size and not (move == 2 or state.a > 5)
        return self.State(inside, (move in TABLE) + (move not in (1, 2)) + bool(move) + int(move > 1))


class Sugar(Base):
    def play(self, state, move):
        total = sum(k * move for k in range(self.size) if k != 2)
        some = any(k == move for k in self.squares) and all(k >= 0 for k in self.long)
        least = min(k + move for k in self.squares) + max(self.long) + min(move, 3, state.a) + max(move, 1)
        pairs = sum(a * b + move for row in self.steps for a, b in [row])
        return self.State(total + least + pairs, some)


class SugarPlain(Base):
    def play(self, state, move):
        total = sum(k * move for k in range(self.size) if k != 2)
        nested = sum(len(row) + k for row in self.ragged for k in row if k > move)
        default = max((k for k in self.squares if k > 1000), default=move)
        started = sum((k for k in self.long), 5)
        return self.State(total + nested, default + started)


class Loops(Base):
    def play(self, state, move):
        total = 0
        for k, value in enumerate(self.long, 1):
            total += k * value
        for left, right in zip(self.squares, self.long, strict=False):
            total += left * right * move
        for k in reversed(self.squares):
            total = total * 2 + k
        for k in range(10, 2, -3):
            if k == 4:
                continue
            total += k
        for k, other in zip(range(move, move + 4), reversed(range(1, 9, 2)), strict=True):
            total += k * other
        k = 0
        while k < 5:
            k += 1
            if k == 3:
                break
        else:
            total = -1
        return self.State(total, k)


class Lists(Base):
    def play(self, state, move):
        counts = [0] * self.size
        counts[move] += 2
        counts[-1] = 7
        few = [state.a, move, 3]
        few[0] = few[1] + len(few)
        total = 0
        for k in counts:
            total = 10 * total + k
        return self.State(total, few[0])


class Data(Base):
    def play(self, state, move):
        row = self.ragged[move % 2 * 2]
        return self.State(self.long[move] + TABLE[move] + self.squares[-1], len(row) * 10 + row[-1])


class Unrolled(Base):
    def play(self, state, move):
        total = 0
        for first, second in self.steps:
            for extra in (1, 2):
                total += first * second + extra
        for row in self.ragged:
            for k in row:
                total = 3 * total + k + move
        return self.State(total, extra + first)


class Bytes(Base):
    def play(self, state, move):
        total = len(self.code) + b"xyz"[1]
        for digit in self.code:
            total = 3 * total + digit
        for digit in b"ab":
            total += digit
        return self.State(total + self.code[move] + self.rows[move % 2][-1], sum(self.code) + max(b"12"))

    def setup(self):
        self.code = bytes(range(240, 240 + self.size))
        self.rows = (b"abc", (1, 2))


class Steps(Base):
    def play(self, state, move):
        total = 0
        for k in range(move * 7, state.a - 3, 2 - 3 * (move % 2) or 1):
            total = (3 * total + k) % 1009
        return self.State(total % 1000, move)


class Tuples(Base):
    def play(self, state, move):
        pair = (state.a, move) + (4,)  # noqa: RUF005
        a, b, c = pair
        a, b = b, a
        d = e = a + c
        [f, g] = divmod(e, 3)
        return self.State(a + 10 * b + 100 * d, f + g)


class States(Base):
    def play(self, state, move):
        if move == 0:
            return self.State(b=1, a=2)
        if move == 1:
            return self.State(5)
        if move == 2:
            return state._replace(b=state.a + 1)
        if move == 3:
            return self.State(*(move, 9))
        return Base.State(*self.pair(move))

    def pair(self, move):
        return move, move + 1


class Calls(Base):
    def play(self, state, move):
        return self.State(self.twice(move, more=3) + self.fixed(4), outside_helper(move) + outside_helper(2, factor=5))

    def twice(self, value, more=1):
        return 2 * value + more

    @staticmethod
    def fixed(value):
        return gcd(value, 6) + value.bit_count() + value.bit_length()


class Cases(Base):
    def play(self, state, move):
        match move:
            case 0 | 1:
                value = 5
            case 2 if state.a > 1:
                value = 6
            case _:
                value = 7
        return self.State(value, move if self.word == "left" else 0)


class Known(Base):
    def play(self, state, move):
        if self.word == "right":
            return self.nothing_that_exists(state)
        value = move if len(self.word) == 4 else unknown_name  # noqa: F821
        return self.State(value, (1 << self.size) - 1 + self.squares[2] + len(self.long))


class Appends(Base):
    def play(self, state, move):
        items = [1, 2]
        items.append(move)
        return self.State(len(items), 0)


class Slices(Base):
    def play(self, state, move):
        return self.State(sum(self.squares[move:]), 0)


class Lambda(Base):
    def play(self, state, move):
        twice = lambda value: 2 * value  # noqa: E731
        return self.State(twice(move), 0)


class TwoNames(Base):
    def play(self, state, move):
        before = [move, 1]
        for _ in range(3):
            now = [before[1], before[0] + 1]
            before = now
        return self.State(before[0], before[1])


class Copied(Base):
    def play(self, state, move):
        items = [move, 1, 2]
        for k, item in enumerate(list(items)):
            items[2 - k] += item
        return self.State(items[0], 0)


class MadeFirst(Base):
    def play(self, state, move):
        for step in [move + k for k in range(3)]:
            move += step
        return self.State(move, 0)


CONSTRUCTS = [
    Arithmetic,
    Logic,
    Sugar,
    SugarPlain,
    Loops,
    Lists,
    Data,
    Unrolled,
    Bytes,
    Steps,
    Tuples,
    States,
    Calls,
    Cases,
    Known,
    Appends,
    Slices,
    Lambda,
    TwoNames,
    Copied,
    MadeFirst,
]


@pytest.mark.parametrize("rules", CONSTRUCTS, ids=lambda rules: rules.__name__)
def test_translated_rules_do_what_the_rules_do(rules: type[Base]) -> None:
    game = rules()
    core = interpreted(game)
    for a in (0, 2, 9):
        for move in range(game.size):
            state = game.State(a, 1)
            assert core.play(state, move) == game.play(state, move), (state, move)


# -------------------------------------------------------------------- moves


class EarlyReturn(Base):
    def moves(self, state):
        if state.a > 3:
            return
        for k in range(self.size):
            if k != state.a:
                yield k


class Returned(Base):
    def moves(self, state):
        if state.a > 3:
            return []
        return [k for k in range(self.size) if k != state.a]


class Delegated(Base):
    def moves(self, state):
        yield from self.some(state)
        yield from self.long
        yield from (k + 1 for k in self.squares if k > state.a)

    def some(self, state) -> Iterator[int]:
        if state.a:
            yield 50


class Pairs(Base):
    def moves(self, state):
        return ((k, m) for k in range(2) for m in self.squares)

    def play(self, state, move):
        return self.State(state.a, move[1])


@pytest.mark.parametrize("rules", [EarlyReturn, Returned, Delegated, Pairs], ids=lambda rules: rules.__name__)
def test_moves_may_yield_or_return(rules: type[Base]) -> None:
    game = rules()
    core = interpreted(game)
    for a in (0, 2, 9):
        assert list(core.moves(game.State(a, 0))) == list(game.moves(game.State(a, 0)))


# -------------------------------------------------------------------- what is refused, and where


class Floats(Base):
    def play(self, state, move):
        return self.State(int(state.a / 2), 0)


class Recursive(Base):
    def play(self, state, move):
        return self.State(sum(self.down(move)), 0)

    def down(self, value):
        yield value
        yield from self.down(value - 1)


class Large(Base):
    def play(self, state, move):
        return self.State((1 << 70) & state.a, 0)


class Mixed(Base):
    def setup(self):
        super().setup()
        self.mixed = (1, (2, 3))

    def play(self, state, move):
        return self.State(sum(self.mixed[move]), 0)


class InBytes(Base):
    def play(self, state, move):
        return self.State(move in b"abc", 0)


class Text(Base):
    def play(self, state, move):
        return self.State(len(f"{move:3}"), 0)


class Changes(Base):
    def play(self, state, move):
        self.last = move
        return self.State(0, 0)


class Replaced(Base):
    def play(self, state, move):
        items = [1, 2]
        for item in items:
            items = [item, move]
        return self.State(items[0], 0)


@pytest.mark.parametrize(
    ("rules", "reason", "offset"),
    [
        (Floats, "true division", 1),
        (Recursive, "calls itself", 3),
        (Large, "does not fit a machine word", 1),
        (Mixed, "a loop over a whole number", 1),
        (InBytes, "bytes", 1),
        (Text, "text", 1),
        (Changes, "local names", 1),
        (Replaced, "changes in a loop over it", 2),
    ],
    ids=lambda value: value.__name__ if isinstance(value, type) else None,
)
def test_what_cannot_be_compiled_says_which_line(rules: type[Base], reason: str, offset: int) -> None:
    told = refusal(rules())
    assert told is not None
    assert reason in told.reason
    assert (told.file, told.line) == (__file__, rules.play.__code__.co_firstlineno + offset)


def test_rules_without_a_source_file_are_refused() -> None:
    space: dict[str, Any] = {"Base": Base}
    exec("class Typed(Base):\n    def play(self, state, move):\n        return self.State(0, 0)\n", space)
    assert "cannot be found" in str(refusal(space["Typed"]()))
