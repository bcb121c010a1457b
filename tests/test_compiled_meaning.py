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

from endsight.compiler.exploring import explore_arrays, graph_of
from endsight.compiler.refusal import CannotCompile
from endsight.compiler.rules import CompiledRules
from endsight.errors import RulesError
from endsight.explorer import explore
from endsight.limits import Budget
from endsight.objective import View
from endsight.question import Question

PARTS = ("keys", "offsets", "successors", "moves", "movers", "weights", "rewards", "payoffs")

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
}

FAILING = {
    "generator-returns": """
class Rules(Steps):
    def moves(self, state):
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
    "beyond-the-end": """
class Rules(Steps):
    def payoff(self, state):
        return (1, 2, 3)[state.steps]  # no
""",
}

REFUSED = {
    # ---- decorators
    "wrapped": """
def twice(method):
    @functools.wraps(method)  # no
    def wrapper(*arguments): return 2 * method(*arguments)
    return wrapper
class Rules(Steps):
    @twice
    def payoff(self, state): return 3
""",
    "wrapped-plainly": """
def twice(method):
    @functools.wraps(method)
    def wrapper(self, state): return 2 * method(self, state)  # no
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
    "unbound-list": """
class Rules(Steps):
    def payoff(self, state):
        for row in ((1, 2), (3, 4)):
            pass
        return row[0]  # no
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
    "truth-as-move": """
class Rules(Steps):
    def moves(self, state):
        if state.steps < 6:
            yield state.last > 0  # no
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
    "another-gcd": """
class Other:
    @staticmethod
    def gcd(a, b): return a ** b
class Rules(Steps):
    other = Other()
    def payoff(self, state): return self.other.gcd(state.steps, 2)  # no
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
    "two-underscores": """
class Rules(Steps):
    __cap = 4
    def payoff(self, state): return self.__cap  # no
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
    def worth(): return 3  # no
    def payoff(self, state): return self.worth()
""",
    "sum-with-default": """
class Rules(Steps):
    def payoff(self, state): return sum((k for k in range(3)), default=2)  # no
""",
    "any-of-two": """
class Rules(Steps):
    def payoff(self, state): return int(any((k for k in range(3)), 2))  # no
""",
    "another-self": """
class Rules(Steps):
    def payoff(self, state):
        self = state  # no
        return self.last
""",
    # ---- lists under two names
    "list-in-a-tuple": """
class Rules(Steps):
    def payoff(self, state):
        old = (0, 0)
        for k in range(3):
            now = ([k, k], k)
            if k == 1:
                old = now  # no
        return old[0][0]
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


def by_python(game: Any) -> Any:
    return explore(game, game.position())


def compiled(game: Any) -> Any:
    view, _ = by_python(game) if not game.gives("to_move") else (View(game, Question()), None)
    rules = CompiledRules.of(game, tracks_mover=view.tracks)
    arrays, _ = explore_arrays(rules, game.position(), Budget())
    return graph_of(arrays, View(game, Question(), tracks_mover=view.tracks))


@pytest.mark.parametrize("name", SAME)
def test_both_engines_mean_the_same(name: str, tmp_path: Path) -> None:
    game = rules_of(name, SAME[name], tmp_path)()
    plain, found = by_python(game)[1], compiled(game)
    for part in PARTS:
        assert repr(getattr(plain, part)) == repr(getattr(found, part)), part


@pytest.mark.parametrize("name", REFUSED)
def test_other_meanings_are_refused_by_line(name: str, tmp_path: Path) -> None:
    text = REFUSED[name]
    game = rules_of(name, text, tmp_path)()
    with pytest.raises(CannotCompile) as caught:
        compiled_anyway(game)
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
        compiled_anyway(game)
    line = next(number for number, line in enumerate((HEAD + FAILING[name]).splitlines(), start=1) if "# no" in line)
    assert f"line {line}" in str(caught.value)
    assert str(caught.value) == str(plain.value)


def compiled_anyway(game: Any) -> None:
    rules = CompiledRules.of(game)
    explore_arrays(rules, game.position(), Budget())
