"""Python text and the machine code of it: the same results, on numbers at random; what has no code is refused."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("llvmlite.binding")

from both_engines import Refused, by_machine, by_python, parts_of
from kernel_runs import machine_code
from test_compiler_translator import CONSTRUCTS, Base, Delegated, EarlyReturn, Returned, Sugar

# What the text may call, in Python: operations whose faults are of no matter here.
PLAIN = """
import math
from collections import namedtuple
State = namedtuple("State", "here there")
es_add = lambda a, b, site: a + b
es_item = lambda items, index, site: items[index]
es_length = len
es_whole = int
es_room = lambda room, width: []
es_filled = lambda items, values: [*items, *values]
es_append = lambda items, value, site: [*items, value]
es_shortened = lambda items, site: items[:-1]
es_row = lambda items, index, shape, site: items[index]
es_copied = lambda out, items, site: list(items)
es_same = lambda a, b: list(a) == list(b)

def es_set_item(items, index, value, site): items[index] = value
"""


def plain(text: str) -> Callable[..., int]:
    space: dict[str, Any] = {"SEVEN": 7, "HALF": 0.5}
    exec(PLAIN + text, space)
    function: Callable[..., int] = space["entry"]
    return function


TEXTS = {
    "while, else, break and continue": """
def entry(a, b):
    total = 0
    while a > 0:
        a -= 1
        if a % 3 == b % 3:
            continue
        if total > 40:
            break
        total += a
    else:
        total += 1000
    return total
""",
    "for, else, and what the name keeps": """
def entry(a, b):
    found = -1
    for at in range(a % 20):
        if at * at > b % 100:
            found = at
            break
        at = 77
    else:
        found = -2
    for at in range(3):
        pass
    return found * 100 + at
""",
    "ranges in both directions": """
def entry(a, b):
    total = 0
    step = b % 7 - 3
    if step == 0:
        step = -4
    for at in range(a % 30, b % 40, step):
        total = total * 3 + at
    for at in range(40, a % 30, -5):
        total += at
    for at in range(b % 9, 8):
        total ^= at
    return total
""",
    "what is worked out only if needed": """
def count(items):
    es_set_item(items, 0, es_item(items, 0, 0) + 1, 0)
    return es_item(items, 0, 0) % 2 == 0

def entry(a, b):
    calls = es_filled(es_room(1, 1), (0,))
    first = a > b and count(calls)
    second = a % 2 == 0 or count(calls) or count(calls)
    third = 0 < a % 5 < es_item(calls, 0, 0) + 2 < b % 6
    both = a and b
    either = a % 3 or b % 2
    return es_item(calls, 0, 0) * 64 + first * 32 + second * 16 + third * 8 + (both == b) * 4 + either
""",
    "tuples": """
def swapped(pair):
    return pair[1], pair[0]

def entry(a, b):
    pair = (a % 4, b % 4)
    other = swapped(pair)
    x, y = other
    x, y = y, x
    nested = (pair, (x, other))
    result = (pair < other) + 2 * (pair == (x, y)) + 4 * (pair >= (2, 2)) + 8 * (nested != (pair, (y, other)))
    triple = es_add(pair, (7,), 0)
    chosen = pair if a > b else other
    return result + 100 * triple[2] + 10000 * chosen[0] + es_length(triple) + es_item(triple, a % 3, 0)
""",
    "states": """
def moved(state, by, times):
    return State(state.here + by * times, state.there)

def entry(a, b):
    state = moved(State(a % 100, b % 100), 3, 1)
    state = moved(state, 3, 2) if a > b else moved(state, 5, 1)
    return state.here * 1000 + state.there
""",
    "a generator with few places to yield": """
def steps(a, b):
    if a < 0:
        return
    yield a
    for at in range(b % 6):
        if at == 4:
            return
        yield a + at

def entry(a, b):
    total = 0
    for move in steps(a % 50 - 10, b):
        if move % 5 == 4:
            continue
        if total > 100:
            break
        total += move
    else:
        total = -total
    return total
""",
    "a generator with many": """
def inner(a):
    for at in range(a % 3):
        yield at * 100

def steps(a, b):
    kept = 0
    yield 1
    if a > b:
        yield 2
        kept += 5
    yield 3
    yield 4 + kept
    if a % 2:
        yield 5
        return
    for at in inner(b):
        kept += 1
        yield at + kept
    yield 7
    yield kept

def entry(a, b):
    total = 0
    turns = 0
    for move in steps(a, b):
        turns += 1
        if move == 3:
            continue
        if turns > 7:
            break
        for other in steps(b, a):
            total = (total * 3 + move * other) % 1000003
            if total % 7 == 0:
                break
    else:
        total += 5
    return total * 10 + turns
""",
    "a result out of the middle of loops": """
def found(a, b):
    for x in range(a % 9):
        for y in range(b % 9):
            if x * y == 12:
                return x * 10 + y
    return -1

def entry(a, b):
    return found(a, b)
""",
    "a name for one kind after another": """
def entry(a, b):
    item = a % 7
    total = item
    item = (a % 3, b % 3)
    for part in range(2):
        total += es_item(item, part, 0)
    for item in range(4):
        total += item
    return total
""",
    "a name that is given a value in a loop": """
def entry(a, b):
    for at in range(1 + a % 5):
        if at == 0:
            best = b % 11
        elif at % 2:
            best += at
    return best
""",
    "lists on the stack": """
def entry(a, b):
    items = es_filled(es_room(3, 1), (a % 5, b % 5, SEVEN))
    es_set_item(items, 1, es_item(items, 0, 0) * 2, 0)
    total = 0
    for at in range(es_length(items)):
        total = total * 10 + es_item(items, at, 0)
    return total * 2 + es_same(items, (4, 4, 7)) if items else 0
""",
    "lists that grow": """
def gathered(a, es_out):
    items = es_room(8, 2)
    for at in range(a % 7):
        items = es_append(items, (at * 3 % 5, at), 0)
    if es_length(items) > 3:
        items = es_shortened(items, 0)
    return es_copied(es_out, items, 0)

def entry(a, b):
    pairs = gathered(a, es_room(8, 2))
    keys = es_room(8, 1)
    total = 0
    for at in range(es_length(pairs)):
        first, second = es_row(pairs, at, (0, 0), 0)
        keys = es_append(keys, first, 0)
        total = total * 10 + first + second
    pairs = es_copied(es_room(8, 2), pairs, 0)
    for at in range(es_length(pairs)):
        total = total * 7 % 1000003 + es_row(pairs, at, (0, 0), 0)[1]
    order = es_copied(es_room(8, 1), keys, 0)
    for at in range(es_length(order)):
        total = total * 7 % 1000003 + es_item(order, at, 0)
    return total * 2 + es_same(order, keys)
""",
    "doubles": """
def entry(a, b):
    ratio = a / (b % 50 + 1)
    best = max(ratio, max(HALF, -ratio))
    if best > 1000.5 or not ratio:
        best = min(best, 7)
    return int(best * 16.0) + abs(int(ratio))
""",
    "words": """
def entry(a, b):
    low = (a & 255) | (b & 15) << 8
    return (low ^ SEVEN) + (a // (b % 9 + 1)) - (a % (b % 9 + 1)) + (~b >> 3) + -(a if a < b else -a) + (a > b)
""",
}


@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS.keys())
def test_machine_code_gives_what_python_gives(text: str) -> None:
    fast, slow = machine_code(text), plain(text)
    numbers = random.Random(1)
    for _ in range(300):
        a, b = numbers.randrange(-500, 500), numbers.randrange(-500, 500)
        assert fast(a, b) == slow(a, b), (a, b)


# `[row]` in Sugar is a list of lists on the stack, which has no machine code.
@pytest.mark.parametrize(
    "rules",
    [*(each for each in CONSTRUCTS if each is not Sugar), EarlyReturn, Returned, Delegated],
    ids=lambda rules: rules.__name__,
)
def test_machine_code_of_rules_does_what_the_rules_do(
    rules: type[Base], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ENDSIGHT_CACHE_DIR", str(tmp_path))
    game = rules()
    met = 0
    for a in (0, 2, 9):
        position = replace(game.position(), state=game.State(a, 1))
        graph = by_python(game, position, at_most=30)
        met += len(graph)
        assert parts_of(by_machine(game, position, at_most=30)) == parts_of(graph)
    assert met > 3  # some have no move at one of the three


REFUSED = {
    "kinds that differ": ("def entry(a):\n    x = 1\n    if a:\n        x = (1, 2)\n    return x", "cannot unify"),
    "no length": ("def entry(a):\n    return es_length(a)", "has no length"),
    "a kind that changes in a loop": (
        "def entry(a):\n    x = 1\n    for _ in range(a):\n        y = x\n        x = (1, 2)\n    return a",
        "cannot unify",
    ),
    "results of several kinds": (
        "def f(a):\n    if a:\n        return 1\n    return (1, 2)\ndef entry(a):\n    return es_length(f(a))",
        "cannot unify",
    ),
    "a result on some ways only": (
        "def f(a):\n    if a:\n        return 1\ndef entry(a):\n    return f(a)",
        "cannot unify",
    ),
    "an unknown name": ("def entry(a):\n    return nobody", "nobody"),
    "arguments": ("def f(a, b):\n    return a\ndef entry(a):\n    return f(a)", "needs b"),
}


@pytest.mark.parametrize(("text", "reason"), REFUSED.values(), ids=REFUSED.keys())
def test_what_has_no_machine_code_is_refused_with_its_line(text: str, reason: str) -> None:
    with pytest.raises(Refused, match=reason) as refusal:
        machine_code(text, "rules.py")
    assert refusal.value.file == "rules.py"
    assert refusal.value.line is not None
