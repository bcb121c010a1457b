"""Iterators in compiled rules: when their arguments are read, where they end, and what fails in them."""

from __future__ import annotations

from collections import Counter

import pytest

pytest.importorskip("llvmlite.binding")

from amounts import seed_rows
from fuzz_rules import Engine, by_interpreter, by_machine, own_cache, verdict
from program_iterators import Writer, rules

TAKEN = {
    "any over a chain": "t += any(x == s.last for x in itertools.chain(s.board, (5,)))",
    "all over a chain": "t += all(itertools.chain((s.last + 1,), (1, 1)))",
    "next over a chain": "t += next((x for x in itertools.chain(s.board, (9, 8)) if x > s.last), 5)",
    "takewhile over a chain": "t += len(list(itertools.takewhile(lambda q: q < 2, itertools.chain(s.board, (0, 1)))))",
    "part of a chain": "t += sum(itertools.islice((q + 1 for q in itertools.chain(s.board, (9, 8))), 2))",
    "a chain that ends in its first part": "for y in itertools.chain((1,), [s.last, 2]): return y",
    "arguments of a chain": "for x in itertools.chain(s.board, (t, 5)):\n    t += x + 1\n    u += x * t",
    "a step": "t += sum(itertools.islice(s.board, 0, 4, 2))",
    "a step that varies": "t += sum(itertools.islice(s.board, 0, 4, s.last + 1))",
    "in, and then a comparison": "t += s.last in (1, 3) == (1, 3)",
    "not in, and then a comparison": "n = 2\nt += s.last not in (0, 3) != n",
    "all that a product is handed": "for a, b in itertools.product(s.board, (k * t for k in s.board)):\n    t += a - b",
    "a list in a loop that ends": "for x in [q * 2 for q in s.board]:\n    if x > 2: break\n    t += x",
    "rows of a list": "for k, x in enumerate(xs):\n    xs[2] = x + k\n    t += xs[2]",
}
FAILING = {
    "is None": "t += 6 // (s.last - 1) is None",
    "any of a list": "t += any([x == 0 or 6 // (s.last - 1) for x in range(2)])",
    "any of a longer list": "t += any([x == 0 or 6 // (s.last - 1) for x in s.board])",
    "takewhile of a list": "t += sum(itertools.takewhile(lambda q: q < 0, [x and 6 // (s.last - 1) for x in s.board]))",
    "a loop that ends": "for x in [6 // (q + s.last - 2) for q in s.board]:\n    if x: break",
    "a generator that yields nothing": "t += sum(self.nothing(s.last - 1))",
    "a later part of a chain": "t += any(q == 0 for q in itertools.chain((0,), [6 // (s.last - 1)]))",
    "a product of nothing": "t += len(list(itertools.product((), [6 // (s.last - 1)])))",
    "an item of an empty part": "t += (1, 2, 3)[s.last :][1] if (1, 2, 3)[s.last :][1] == 2 else 0",
}
REFUSED = {
    "accumulate": "for x in itertools.accumulate(k * t for k in s.board):\n    t += x",
    "pairwise": "for x, y in itertools.pairwise(k * t for k in s.board):\n    t += x",
    "one iterator in another": "for k, x in enumerate(itertools.islice((k * t for k in s.board), 3)):\n    t += x",
    "zip of two generators": "for x, y in zip((k * t for k in s.board), (k + t for k in s.board)):\n    t += x",
    "a function that accumulates": "for x in itertools.accumulate(s.board, lambda p, q: p + q * t):\n    t += x",
}


@pytest.mark.parametrize("engine", [by_interpreter, by_machine])
@pytest.mark.parametrize(
    ("bodies", "kinds"), [(TAKEN, ["taken"]), (FAILING, ["failing", "stopped"]), (REFUSED, ["refused"])]
)
def test_iterators_mean_what_python_means(bodies: dict[str, str], kinds: list[str], engine: Engine) -> None:
    with own_cache() as folder:
        found = {name: verdict(rules(body), folder, engine) for name, body in bodies.items()}
    assert {name: one.told for name, one in found.items() if one.kind not in kinds} == {}


@pytest.mark.parametrize("seeds", seed_rows(4_000, 120))
def test_random_iterators_mean_what_python_means(seeds: range) -> None:
    kinds: Counter[str] = Counter()
    with own_cache() as folder:
        for seed in seeds:
            found = verdict(Writer(seed).rules(), folder, by_machine if seed % 10 == 0 else by_interpreter)
            assert found.kind not in ("different", "broken"), (seed, found.told)
            kinds[found.kind] += 1
    assert kinds["taken"] + kinds["failing"] > 0.3 * kinds.total(), kinds
