"""Rules that use Python against its translator: each is compiled with Python's meaning, or refused.

A case is what came of it, the body of `payoff`, and what stands before the class or inside of it. Every group
begins with a case that once was compiled as something else. Run by the interpreter of the core; `pytest -m slow`
runs those that are taken as machine code too.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from pathlib import Path

import pytest

from fuzz_rules import by_interpreter, by_machine, own_cache, verdict
from hostile_words import FAILING, REFUSED, STOPPED, TAKEN, WORDS

RULES = """
import dataclasses, enum, functools, itertools, math, types
from collections import namedtuple
from typing import NamedTuple

from endsight.game import CHANCE, Game

COUNT = itertools.count()
{before}

class Rules(Game):
    players = 1

    class State(NamedTuple):
        a: int
        b: int
        step: int

    def limits(self):
        return self.State(9, 9, 2)

    def start(self):
        return self.State(3, 1, 0)

    def to_move(self, state):
        return 0

    def moves(self, state):
        if state.step < 2:
            yield from (0, 1, 2)

    def play(self, state, move):
        return self.State((state.a * 2 + move) % 10, (state.b * 3 + move) % 10, state.step + 1)

    def payoff(self, state):
        n = state.a
        m = state.b
        xs = [n, m, 3]
{body}

{inside}
"""

AS_MACHINE_CODE = {STOPPED: FAILING}
"""After a fault Python's rules are asked; the interpreter of the core leaves that to others."""
TABLE = """
class P(NamedTuple):
    p: int
    q: int = 4
"""

CASES: dict[str, list[tuple[str, str, str, str]]] = {
    "an attempt that fails in a loop": [
        (
            TAKEN,
            """
            for k in range(3):
                y = 5
                if any([[k] for k in range(n)]):
                    y = 7
                    break
            return y * 10 + 1
            """,
            "",
            "",
        ),
        (
            TAKEN,
            """
            y = 1
            while y < 50:
                y = y * 2
                if all([[k] * k for k in range(n % 3)]):
                    continue
                y = y + 9
            return y
            """,
            "",
            "",
        ),
    ],
    "default values of inner functions": [
        (
            TAKEN,
            """
            k = 5
            def g(k):
                def h(x=k):
                    return x
                return h()
            return g(7) + n + k
            """,
            "",
            "",
        ),
        (TAKEN, "k = 5\nreturn (lambda k: (lambda *, x=k: x)())(n) + k", "", ""),
        (TAKEN, "return sum((lambda *, x=k: x)() for k in range(n))", "", ""),
    ],
    "a function that is called in another one": [
        (REFUSED, "return self.h(lambda: n)", "", "def h(self, f):\n    n = 100\n    return f() + n"),
        (REFUSED, "f = lambda q: q + n\nreturn self.h(f, m)", "", "def h(self, f, n):\n    return f(n) + n"),
        (REFUSED, "def f(q): return q + n\nreturn h(f, m)", "def h(f, n):\n    return f(n) + n", ""),
        (TAKEN, "return self.h(lambda q: q % 3, m)", "", "def h(self, f, q):\n    return f(q + 8)"),
        (
            TAKEN,
            "return self.h(lambda q: q + SEEN, m)",
            "SEEN = 3",
            "def h(self, f, m):\n    SEEN = m * 3\n    return f(m) + SEEN",
        ),
        (TAKEN, "k = 4\nf = lambda: k\ndef g(k):\n    return f() + k\nreturn g(n)", "", ""),
        (TAKEN, "f = lambda k: k\ng = lambda k: f(k + 1)\nf = lambda k: k * 7\nreturn g(n)", "", ""),
    ],
    "an error without which a loop does not end": [
        (STOPPED, "k = 6 // (n - 3) if n == 3 else 16\nx = 1\nwhile x < 10:\n    x |= k\nreturn x", "", ""),
        (
            STOPPED,
            "x = 1\nwhile x < 10:\n    x |= self.h(n)\nreturn x",
            "",
            "def h(self, n):\n    return 6 // (n - 3) if n == 3 else 16",
        ),
        (
            STOPPED,
            "x = 1\nwhile x < 10:\n    for k in self.h(n):\n        x |= k\nreturn x",
            "",
            "def h(self, n):\n    while True:\n        yield 6 // (n - 3) if n == 3 else 16\n        return",
        ),
        (
            STOPPED,
            "x = 0\nfor k in self.h():\n    x |= 6 // (n - 3) if n == 3 else k\nreturn x",
            "",
            "def h(self):\n    k = 1\n    while k < 9:\n        yield k\n        k += 1",
        ),
        (TAKEN, "x = 1\nwhile x < 10:\n    x |= 6 // (n - 3) if n > 3 else 16\n    x += 1\nreturn x", "", ""),
    ],
    "a product that is too large, where Python may not come to it": [
        (TAKEN, "k = n * 2 ** 59\nreturn 3 if n > 9 and k * 64 > 5 else 4", "", ""),
        (TAKEN, "k = n * 2 ** 59\nreturn 3 if n < 10 or k * 64 > 5 else 4", "", ""),
        (TAKEN, "k = n * 2 ** 59\nreturn 3 if m > 20 and (n > 5 or k * 64 > 5) else 4", "", ""),
        (TAKEN, "k = n * 2 ** 59\nreturn int(n and (n < 10 or k * 64 + 1 > k) and m < 5)", "", ""),
        (STOPPED, "k = n * 2 ** 59\nreturn 3 if n < 10 and k * 64 > 5 else 4", "", ""),
        (STOPPED, "k = n * 2 ** 59\nreturn 3 if m > 20 or n > 5 or (m < 20 and k * 64 > 5) else 4", "", ""),
    ],
    "a State that was changed": [
        (
            kind,
            "return state.a * 100 + state._replace(a=2).b + self.State(n, m, 1)[0]",
            "",
            f"def setup(self):\n    {how}",
        )
        for kind, how in (
            (REFUSED, "Rules.State.a = property(lambda s: 7)"),
            (REFUSED, "Rules.State.a, Rules.State.b = Rules.State.b, Rules.State.a"),
            (REFUSED, "Rules.State._replace = lambda s, **k: Rules.State(9, 9, s[2] + 1)"),
            (REFUSED, "Rules.State.__new__.__defaults__ = (5, 2, 1)"),
            (REFUSED, "Rules.State.__new__ = lambda c, *a, **k: tuple.__new__(c, (1, 2, 1))"),
            (REFUSED, "Rules.State._make = classmethod(lambda c, i: c(1, 1, 1))"),
            (REFUSED, "Rules.State._fields = ('b', 'a', 'step')"),
            (TAKEN, "Rules.State.index = lambda s, x: 2"),
            (REFUSED, "Rules.State.__eq__ = lambda s, o: True"),
            (TAKEN, "Rules.State.extra = 5"),
        )
    ],
    "a NamedTuple that was changed": [
        (kind, "x = P(n)._replace(p=m)\nreturn x.p * 10 + x.q + P(n, m).q", TABLE + how, "")
        for kind, how in (
            (REFUSED, "P.__new__.__defaults__ = (8,)"),
            (REFUSED, "P.p, P.q = P.q, P.p"),
            (REFUSED, "P.p = property(lambda s: 4)"),
            (REFUSED, "P.__new__ = lambda c, p, q=1: tuple.__new__(c, (q, p))"),
            (REFUSED, "P._replace = lambda s, p: P(1, 1)"),
            (TAKEN, "P.extra = 4"),
            (TAKEN, "P = namedtuple('P', 'p q', defaults=(6,))"),
        )
    ],
    "attributes of classes and modules that are worked out": [
        (kind, f"return {what} + n", before, "")
        for kind, what, before in (
            (
                REFUSED,
                "Other.x",
                "class C:\n    def __get__(self, i, o): return next(COUNT) % 5\nclass Other:\n    x = C()",
            ),
            (
                REFUSED,
                "Other.x",
                "class M(type):\n    x = property(lambda c: next(COUNT) % 5)\nclass Other(metaclass=M): pass",
            ),
            (
                REFUSED,
                "Other.x",
                "class M(type):\n    def __getattr__(c, k): return next(COUNT) % 5\nclass Other(metaclass=M): pass",
            ),
            (
                REFUSED,
                "Other.x",
                "class M(type):\n    def __getattribute__(c, k): return next(COUNT) % 5\n"
                "class Other(metaclass=M): pass",
            ),
            (REFUSED, "mod.x", "mod = types.ModuleType('mod')\nmod.__getattr__ = lambda k: next(COUNT) % 5"),
            (
                REFUSED,
                "mod.x",
                "class M(types.ModuleType):\n    x = property(lambda m: next(COUNT) % 5)\nmod = M('mod')",
            ),
            (TAKEN, "mod.x", "mod = types.ModuleType('mod')\nmod.x = 4"),
            (TAKEN, "Other.x", "class M(type): pass\nclass Other(metaclass=M):\n    x = 4"),
            (TAKEN, "Other.x", "import abc\nclass Other(abc.ABC):\n    x = 4"),
        )
    ],
    "enumerations with operators of their own": [
        (
            REFUSED,
            "return 7 if E.A else n",
            "class E(enum.Enum):\n    A = 4\n    def __bool__(s): return next(COUNT) > 3",
            "",
        ),
        (
            REFUSED,
            "return 7 if E.A == 4 else n",
            "class E(enum.Enum):\n    A = 4\n    def __eq__(s, o): return next(COUNT) > 3",
            "",
        ),
        (
            REFUSED,
            "return E.A.value + n",
            "class E(enum.Enum):\n    A = 4\n    value = property(lambda s: next(COUNT))",
            "",
        ),
        (TAKEN, "return E.A.value + n + (3 if E.A == E.B else 4)", "class E(enum.Enum):\n    A = 4\n    B = 5", ""),
        (TAKEN, "return int(E.A | E.B) + n", "class E(enum.IntFlag):\n    A = 4\n    B = 2", ""),
    ],
    "one function for two rules": [
        (
            TAKEN,
            "return n",
            "",
            "def reward(self, state, move): return 2 + move\n"
            "weight = reward\n"
            "def to_move(self, state): return CHANCE if state.step else 0",
        ),
        (TAKEN, "return n", "", "def other(self, state): return 0\nto_move = other\npayoff = other"),
    ],
    "results that Python does not take": [
        (REFUSED, "return T[n % 2]", "T = ([1], [2])", ""),
        (REFUSED, "return T[n % 2]", "T = ((1,), [2])", ""),
        (TAKEN, "return T[n % 2]", "T = [(1,), (2,)]", ""),
        (
            REFUSED,
            "return n",
            "",
            "def moves(self, state):\n    if state.step < 2:\n        yield 1\n        return [5]",
        ),
        (
            REFUSED,
            "return n",
            "",
            "def setup(self): self.moves = self.other\n"
            "def other(self, state):\n    if state.step < 2:\n        yield 1\n        return [5]",
        ),
        (
            TAKEN,
            "return n",
            "",
            "def setup(self): self.moves = self.other\ndef other(self, state): return [1, 2] if state.step < 2 else []",
        ),
        (FAILING, "return n", "", "players = 2"),
    ],
    "lists that come back": [
        (
            REFUSED,
            "ys = [n]\nzs = self.h(ys)\nzs[0] = 1\nreturn ys[0]",
            "",
            "def h(self, q):\n    r = q\n    return r",
        ),
        (
            REFUSED,
            "ys = [n]\nzs = self.h(ys)\nzs[0] = 1\nreturn ys[0]",
            "",
            "def h(self, q):\n    r = s = [1]\n    for k in range(2):\n        s = r\n        r = q\n    return s",
        ),
        (TAKEN, "ys = T\nys = ys + [3]\nys[0] = 5\nreturn T[0] + ys[0]", "T = [1, 2]", ""),
    ],
    "sets and dictionaries that are filled": [
        (REFUSED, "d = {}\ne = d\ne[1] = 7\nreturn d.get(1, 50) + len(d)", "", ""),
        (REFUSED, "s = {1, 2}\ne = s\ne.add(77)\nreturn len(s)", "", ""),
        (REFUSED, "d = {n: 2}\nfor k, v in d.items():\n    d[1] = 4\nreturn sum(d.values())", "", ""),
        (TAKEN, "d = {n: 2, 3: 4}\nfor k in d:\n    d[k] = k + 4\nreturn sum(d.values())", "", ""),
        (REFUSED, "s = {1, 2}\nreturn list(s)[0]", "", ""),
        (REFUSED, "d = T if n > 3 else {5, 0}\nreturn d[1]", "T = {16, 8, 0}", ""),
        (TAKEN, "s = set(xs)\ns.add(77)\nreturn len(s) + sum(s) + max(s)", "", ""),
    ],
    "sets": [
        (REFUSED, "return int(n in T)", "class S(set):\n    def __contains__(s, k): return True\nT = S([1, 2])", ""),
        (REFUSED, "return list({16, 8, 0})[0] + n", "", ""),
        (REFUSED, "return tuple({16, 8} | {0})[0] + n", "", ""),
        (TAKEN, "return int(n in {16, 8} | {0}) + sorted({3, 1})[0]", "", ""),
        (TAKEN, "return tuple(T)[0] + n", "T = {16, 8, 0}", ""),
    ],
    **WORDS,
}


def text_of(case: tuple[str, str, str, str]) -> str:
    _, body, before, inside = case
    shifted = (
        textwrap.indent(textwrap.dedent(text), "    " * by) for text, by in ((body, 2), (before, 0), (inside, 1))
    )
    return RULES.format(**dict(zip(("body", "before", "inside"), shifted, strict=True)))


@pytest.fixture(scope="module")
def folder() -> Iterator[Path]:
    with own_cache() as place:
        yield place


@pytest.mark.parametrize("group", CASES)
def test_meaning_or_refusal(group: str, folder: Path) -> None:
    for case in CASES[group]:
        came = verdict(text_of(case), folder, by_interpreter)
        assert came.kind == case[0], (came, case)


@pytest.mark.slow
@pytest.mark.parametrize("group", CASES)
def test_meaning_as_machine_code(group: str, folder: Path) -> None:
    for case in CASES[group]:
        assert verdict(text_of(case), folder, by_machine).kind in (case[0], AS_MACHINE_CODE.get(case[0])), case


@pytest.mark.parametrize("given", ["()", "((), (k, ()))"])
def test_an_empty_tuple_or_none_in_machine_code(given: str, folder: Path) -> None:
    before = f"def f(k):\n    if k > 4: return {given}"
    for body in ("x = f(n)\nreturn 5 if x is None else len(x)", "x = f(n)\nreturn 5 if not x else len(x)"):
        assert verdict(text_of((TAKEN, body, before, "")), folder, by_machine).kind == TAKEN


def test_an_error_ends_loops_of_machine_code(folder: Path) -> None:
    for case in CASES["an error without which a loop does not end"][:2]:
        assert verdict(text_of(case), folder, by_machine).kind == FAILING, case


def test_a_payoff_of_the_wrong_form_is_told_with_its_state(folder: Path) -> None:
    text = text_of((FAILING, "return n", "", "players = 2"))
    assert verdict(text, folder, by_machine).kind == FAILING  # Python's message, with its line
