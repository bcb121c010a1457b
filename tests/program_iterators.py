"""Random rules that go through iterators inside of iterators, and may end early or change what these read."""

from __future__ import annotations

from random import Random

HEAD = """
import itertools
from typing import NamedTuple
from endsight import Game

class Rules(Game):
    players = 1
    table = (2, 0, 3)
    class State(NamedTuple):
        board: tuple[int, ...]
        steps: int
        last: int
    def limits(self): return self.State(4, 2, 3)
    def start(self): return self.State((0, 1, 2, 3), 0, 1)
    def moves(self, s):
        if s.steps < 2: yield from (0, 1, 3)
    def play(self, s, move): return self.State((*s.board[1:], (s.board[0] + move) % 5), s.steps + 1, move)
    def cells(self, s, least):
        for cell in s.board:
            if cell >= least: yield cell * 2 - least
    def nothing(self, x):
        y = 6 // x
        return
        yield y
    def payoff(self, s):
        t, u, xs = 1, s.last, [2, s.steps, 1]
"""
END = """
        return t % 1000 * 100 + u % 100
"""


def rules(body: str) -> str:
    """Rules whose payoff is worked out by these statements, with `s`, `t`, `u` and the list `xs`."""
    return HEAD + "".join(f"        {line}\n" for line in body.splitlines()) + END


class Writer:
    """Draws the statements of one program."""

    def __init__(self, seed: int) -> None:
        self.random = Random(seed)
        self.names = 0

    def rules(self) -> str:
        """The whole text."""
        parts = [self.loop(0) for _ in range(self.random.randrange(1, 3))]
        return rules("\n".join([*parts, *(self.consumer() for _ in range(2))]))

    def one(self, *texts: str) -> str:
        return self.random.choice(texts)

    def fresh(self) -> str:
        self.names += 1
        return f"q{self.names}"

    def number(self) -> str:
        """A number; now and then one that statements change, or that fails where the last move was 0."""
        if self.random.random() < 0.04:
            return self.one("t", "u", "len(xs)", "6 // s.last")
        return self.one("s.last", "s.steps", "1", "2", "s.board[1]")

    def value(self, name: str) -> str:
        number = self.number()
        return self.one(name, f"{name} + {number}", f"{name} * {number}", f"{name} % 3", f"({name} or {number})")

    def test(self, name: str) -> str:
        number = self.number()
        return self.one(f"{name} < {number}", f"{name} % 2", f"{name} in ({number}, 1) != 2", f"{name} == {number}")

    def source(self, depth: int = 2) -> str:
        """Something to go through."""
        changing = self.one("(3, 1, t, 2)", "[u, 1]") if self.random.random() < 0.1 else "s.board"
        plain = (changing, "self.table", "range(4)", "xs", "(3, 1, s.last)", "s.board[1:]", "range(s.last)")
        if depth == 0:
            return self.one(*plain)
        name, inner, other = self.fresh(), self.source(depth - 1), self.source(depth - 1)
        value, test = self.value(name), self.test(name)
        return self.one(
            f"({value} for {name} in {inner})",
            f"[{value} for {name} in {inner}]",
            f"({value} for {name} in {inner} if {test})",
            f"[{name} for {name} in {inner} if {test}]",
            f"({name} * p for {name} in {inner} for p in {other})",
            f"itertools.chain({inner}, {other})",
            f"itertools.chain.from_iterable(({name}, {value}) for {name} in {inner})",
            f"itertools.islice({inner}, {self.one('2', '1, 3', '0, 4, 2', 's.last', '1, 4, 3')})",
            f"itertools.takewhile(lambda {name}: {test}, {inner})",
            f"itertools.dropwhile(lambda {name}: {test}, {inner})",
            f"itertools.accumulate({inner})",
            f"map(lambda {name}: {value}, {inner})",
            f"filter(lambda {name}: {test}, {inner})",
            f"(p + {name} for p, {name} in zip({inner}, {other}))",
            f"(p * {name} for p, {name} in enumerate({inner}))",
            f"(p - {name} for p, {name} in itertools.product({inner}, {other}))",
            f"(p - {name} for p, {name} in itertools.pairwise({inner}))",
            f"self.cells(s, {self.number()})",
            "self.nothing(s.last)",
            f"sorted({inner})",
            self.one(*plain),
        )

    def loop(self, depth: int) -> str:
        """A loop of statements."""
        name = self.fresh()
        head = self.one(
            f"for {name} in {self.source()}:",
            f"for k, {name} in enumerate({self.source()}):",
            f"for k, {name} in zip({self.source(1)}, {self.source()}):",
        )
        body = [self.step(name, depth) for _ in range(self.random.randrange(1, 4))]
        orelse = ["else:", "    t += 50"] if self.random.random() < 0.1 else []
        return "\n".join([head, *(f"    {line}" for part in body for line in part.splitlines()), *orelse])

    def step(self, name: str, depth: int) -> str:
        """A statement in a loop."""
        steps = [
            f"t = (t * 3 + {self.value(name)}) % 101",
            f"u = {self.value(name)} % 50",
            f"u += {name}",
            f"if {self.test(name)}: {self.one('break', 'continue', 'return t * 7 + u', 't += 2', 'break')}",
            f"t += sum({self.source(1)}) % 17",
        ]
        return self.loop(depth + 1) if depth == 0 and self.random.random() < 0.15 else self.one(*steps)

    def consumer(self) -> str:
        """A statement that goes through something in one call."""
        name, source = self.fresh(), self.source()
        return self.one(
            f"t += 3 * sum({source})",
            f"u += max({source}, default=7)",
            f"u ^= any({self.test(name)} for {name} in {source})",
            f"u += all([{self.test(name)} for {name} in {source}])",
            f"u += next(({self.value(name)} for {name} in {source} if {self.test(name)}), {self.number()})",
            f"t += len(list({source}))",
            f"t += {self.number()} in list({source})",
            f"u += (6 // s.last is None) + sum({source})",
        )
